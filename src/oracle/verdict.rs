//! What a check comes to.

use std::collections::BTreeSet;

/// The three values of a check, and the fourth of one that waits for a judge.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Status {
    /// It holds.
    Pass,
    /// It demonstrably does not.
    Fail,
    /// The answer or the record does not tell.
    Unknown,
    /// A judge has still to speak.
    Pending,
}

impl Status {
    /// The word in rows.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Pass => "pass",
            Self::Fail => "fail",
            Self::Unknown => "unknown",
            Self::Pending => "pending",
        }
    }
}

/// What one part of a check, or a check as a whole, comes to. Reasons to fail and reasons not to
/// know stand apart: what failed says nothing of what could not be read.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Component {
    /// The value.
    pub status: Status,
    /// Why it fails, sorted.
    pub failing: BTreeSet<String>,
    /// What is not known, sorted.
    pub unknown: BTreeSet<String>,
}

impl Component {
    /// It holds.
    #[must_use]
    pub fn pass() -> Self {
        Self::of(BTreeSet::new(), BTreeSet::new())
    }

    /// It fails for this reason.
    #[must_use]
    pub fn fail(reason: &str) -> Self {
        Self::of(BTreeSet::from([reason.to_owned()]), BTreeSet::new())
    }

    /// It is not known for this reason.
    #[must_use]
    pub fn unknown(reason: &str) -> Self {
        Self::of(BTreeSet::new(), BTreeSet::from([reason.to_owned()]))
    }

    /// From its reasons: any to fail fails, else any not to know is unknown, else it holds.
    #[must_use]
    pub fn of(failing: BTreeSet<String>, unknown: BTreeSet<String>) -> Self {
        let status = if !failing.is_empty() {
            Status::Fail
        } else if !unknown.is_empty() {
            Status::Unknown
        } else {
            Status::Pass
        };
        Self {
            status,
            failing,
            unknown,
        }
    }

    /// The same, where its failing reasons tell nothing of what was asked: they leave it unknown.
    #[must_use]
    pub fn undecided(self) -> Self {
        let mut unknown = self.unknown;
        unknown.extend(self.failing);
        Self::of(BTreeSet::new(), unknown)
    }
}

/// One result from several: any fail fails, else any that is unknown or pending is unknown, else
/// it holds.
#[must_use]
pub fn combine<'a>(parts: impl IntoIterator<Item = &'a Component>) -> Component {
    let (mut failing, mut unknown) = (BTreeSet::new(), BTreeSet::new());
    for part in parts {
        failing.extend(part.failing.iter().cloned());
        unknown.extend(part.unknown.iter().cloned());
    }
    Component::of(failing, unknown)
}
