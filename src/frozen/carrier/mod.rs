//! How an answer came to whoever asked for it, and what its carrier leaves behind: a workflow's
//! journal, a subagent's hand-back, what a client printed, a kept thread (seed 002).
//!
//! Each carrier's facts are gathered elsewhere; what they come to is decided here, and nothing is
//! opened for it.

mod exec;
mod plain;
mod session;
mod spoken;
mod thread;
mod told;
mod workflow;

use std::borrow::Cow;

use super::attempt::Class;
use super::notice::is_wait_notice;
use crate::oracle::Component;
use crate::record::Ending;

pub use exec::Exec;
pub use plain::Plain;
pub use session::{Child, Handed, Main, Stream, StreamEnd, Teammate};
pub use spoken::{Row, Spoken};
pub use thread::ThreadCopies;
pub use told::{DriverTold, Told};
pub use workflow::{RunEnd, WorkflowRun};

/// An attempt as its carrier tells it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Carried {
    /// What became of it.
    pub class: Class,
    /// Why it has no answer though it was completed.
    pub cause: Option<Cow<'static, str>>,
    /// Whether its carrier bears the answer.
    pub carrier: Carrier,
    /// The answer.
    pub answer: Option<String>,
    /// What the answer's other copy says of it.
    pub check: CrossCheck,
}

/// Whether a carrier bears the answer.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Carrier {
    /// It does.
    Pass,
    /// It does not, demonstrably.
    Fail(Cow<'static, str>),
    /// It cannot be told.
    Unknown(&'static str),
    /// The attempt was not completed.
    None,
}

impl Carrier {
    /// Why it does not bear the answer.
    pub(super) fn reason(&self) -> Option<&str> {
        match self {
            Self::Pass | Self::None => None,
            Self::Fail(reason) => Some(reason),
            Self::Unknown(reason) => Some(reason),
        }
    }

    /// What the checks of an answer come to that it does not bear.
    pub(super) fn borne(&self) -> Component {
        match self {
            Self::Pass | Self::None => Component::pass(),
            Self::Fail(reason) => Component::fail(reason),
            Self::Unknown(reason) => Component::unknown(reason),
        }
    }
}

/// An answer held against its other copy. Where there is no copy to read, nothing follows.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum CrossCheck {
    /// Both say the same.
    Equal,
    /// They differ.
    Mismatch,
    /// There is no copy that can be read.
    Unavailable,
}

impl CrossCheck {
    /// The word in rows.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Equal => "equal",
            Self::Mismatch => "mismatch",
            Self::Unavailable => "unavailable",
        }
    }
}

/// The reason where a carrier's copies differ.
const DIFFERS: &str = "carrier-mismatch";
/// A transcript stops before its last turn is over.
pub(super) const RECORD_ENDS: &str = "record-ends";
/// The last message is not whole.
pub(super) const CUT: &str = "cut";
/// The last message says nothing.
const SILENT: &str = "empty";
/// Nothing is said at the end.
pub(super) const NO_CLOSE: &str = "no-close";
/// Nothing told how to classify an attempt.
const UNCLASSED: Class = Class::Unresolved("attempt-class-unresolved");

impl Carried {
    /// An attempt that was not completed.
    fn not_completed(class: Class) -> Self {
        Self {
            class,
            cause: None,
            carrier: Carrier::None,
            answer: None,
            check: CrossCheck::Unavailable,
        }
    }

    fn broken_off(cause: &'static str) -> Self {
        Self::not_completed(Class::Inadmissible(cause))
    }

    /// An attempt that was completed without an answer.
    fn without(cause: impl Into<Cow<'static, str>>) -> Self {
        let cause = cause.into();
        Self {
            carrier: Carrier::Fail(cause.clone()),
            cause: Some(cause),
            ..Self::not_completed(Class::Completed)
        }
    }

    /// An attempt that was completed with an answer.
    fn with(answer: String) -> Self {
        Self {
            carrier: Carrier::Pass,
            answer: Some(answer),
            ..Self::not_completed(Class::Completed)
        }
    }

    /// A last text as an answer, if it is one.
    fn said(text: &str) -> Self {
        match answer(Some(text)) {
            Ok(text) => Self::with(text.to_owned()),
            Err(cause) => Self::without(cause),
        }
    }

    /// The answer held against its other copy. Spaces at the end are the printer's, not the
    /// answer's.
    fn against(mut self, own: &str, other: &str) -> Self {
        self.check = match own.trim_end() == other.trim_end() {
            true => CrossCheck::Equal,
            false => CrossCheck::Mismatch,
        };
        if self.check == CrossCheck::Mismatch {
            self.doubt(DIFFERS);
        }
        self
    }

    /// Takes a pass away. A carrier that fails goes on to fail.
    fn doubt(&mut self, reason: &'static str) {
        if self.carrier == Carrier::Pass {
            self.carrier = Carrier::Unknown(reason);
        }
    }
}

/// A last text as an answer, or why it is none.
pub(super) fn answer(text: Option<&str>) -> Result<&str, &'static str> {
    match text {
        None => Err(NO_CLOSE),
        Some(text) if text.trim().is_empty() => Err("empty"),
        Some(text) if is_wait_notice(text) => Err("wait-notice"),
        Some(text) => Ok(text),
    }
}

impl Carried {
    /// What its last message makes of an attempt by the way it ends. What is not whole is no answer that could be wrong,
    /// and one that says nothing is no record that stops.
    pub(super) fn ending(self, ending: Option<Ending>) -> Self {
        let answered = self.class == Class::Completed && self.cause_of_any().is_none();
        let stops = self.class == Class::Unresolved(RECORD_ENDS);
        match ending {
            Some(Ending::Cut) if answered => Self::not_completed(Class::Unresolved(CUT)),
            Some(Ending::Silent) if stops || self.cause.as_deref() == Some(NO_CLOSE) => {
                Self::without(SILENT)
            }
            _ => self,
        }
    }

    /// Why there is no answer, whichever text is the answer: which it is, is a reading's matter, and
    /// what is wrong with a text is asked of that text.
    pub(super) fn cause_of_any(&self) -> Option<Cow<'static, str>> {
        let own = [NO_CLOSE, "empty", "wait-notice"];
        let cause = self.cause.clone();
        cause.filter(|cause| !own.contains(&cause.as_ref()))
    }
}
