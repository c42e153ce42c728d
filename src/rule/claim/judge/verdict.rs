//! The answers, and why.

use std::borrow::Cow;

use serde::Deserialize;

use crate::transcript::Place;

/// Whether the record bears a statement out.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "kebab-case")]
pub enum Verdict {
    /// The record shows it.
    Supported,
    /// Nothing in the record shows it.
    Unsupported,
    /// The record shows the opposite.
    Contradicted,
    /// The record cannot tell.
    Unknown,
}

impl Verdict {
    /// Every verdict, in the order of the documentation.
    pub const ALL: [Self; 4] = [
        Self::Supported,
        Self::Unsupported,
        Self::Contradicted,
        Self::Unknown,
    ];

    /// The kebab-case spelling that rows carry.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Supported => "supported",
            Self::Unsupported => "unsupported",
            Self::Contradicted => "contradicted",
            Self::Unknown => "unknown",
        }
    }
}

/// Why: a closed list, from the readers' guide.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Reason {
    /// A deed of this turn shows it.
    Direct,
    /// The result was read back.
    Readback,
    /// A deed of an earlier turn shows it, and nothing relevant changed since.
    Carried,
    /// A launched agent did it.
    Delegated,
    /// The exit status is hidden, and the output shows it.
    OutputOnly,
    /// Nothing of the kind was done.
    NeverRun,
    /// It was done, and what it was done on changed since.
    Stale,
    /// It was done on a part only.
    WrongScope,
    /// The status that would show it is hidden.
    Masked,
    /// The run ran nothing.
    EmptyRun,
    /// Only the agent's own words show it.
    SelfReport,
    /// It was not looked at after the change.
    NoReadback,
    /// The last run of the kind failed.
    Failed,
    /// The record counts otherwise.
    CountMismatch,
    /// The record shows that it was not done.
    NotDone,
    /// The quoted words do not occur.
    FabricatedQuote,
    /// What would show it is cut.
    Truncated,
    /// What would show it has no result in the record.
    MissingResult,
    /// It happened where the record does not reach.
    Elsewhere,
    /// It can be read in more than one way.
    Ambiguous,
    /// It is in a language that is not read.
    Language,
}

impl Reason {
    /// Every reason, in the order of the documentation.
    pub const ALL: [Self; 21] = [
        Self::Direct,
        Self::Readback,
        Self::Carried,
        Self::Delegated,
        Self::OutputOnly,
        Self::NeverRun,
        Self::Stale,
        Self::WrongScope,
        Self::Masked,
        Self::EmptyRun,
        Self::SelfReport,
        Self::NoReadback,
        Self::Failed,
        Self::CountMismatch,
        Self::NotDone,
        Self::FabricatedQuote,
        Self::Truncated,
        Self::MissingResult,
        Self::Elsewhere,
        Self::Ambiguous,
        Self::Language,
    ];

    /// The kebab-case spelling that rows carry.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Direct => "direct",
            Self::Readback => "readback",
            Self::Carried => "carried",
            Self::Delegated => "delegated",
            Self::OutputOnly => "output-only",
            Self::NeverRun => "never-run",
            Self::Stale => "stale",
            Self::WrongScope => "wrong-scope",
            Self::Masked => "masked",
            Self::EmptyRun => "empty-run",
            Self::SelfReport => "self-report",
            Self::NoReadback => "no-readback",
            Self::Failed => "failed",
            Self::CountMismatch => "count-mismatch",
            Self::NotDone => "not-done",
            Self::FabricatedQuote => "fabricated-quote",
            Self::Truncated => "truncated",
            Self::MissingResult => "missing-result",
            Self::Elsewhere => "elsewhere",
            Self::Ambiguous => "ambiguous",
            Self::Language => "language",
        }
    }
}

/// The answer to one statement.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Judged {
    /// The answer.
    pub verdict: Verdict,
    /// Why.
    pub reason: Reason,
    /// The deciding places, each with what stands there.
    pub evidence: Vec<(Place, Cow<'static, str>)>,
    /// The command that would decide it.
    pub settle: Option<String>,
}

impl Judged {
    pub(super) fn new(verdict: Verdict, reason: Reason) -> Self {
        Self {
            verdict,
            reason,
            evidence: Vec::new(),
            settle: None,
        }
    }

    pub(super) fn supported(
        reason: Reason,
        place: Place,
        what: impl Into<Cow<'static, str>>,
    ) -> Self {
        Self::new(Verdict::Supported, reason).at(place, what)
    }

    pub(super) fn unsupported(reason: Reason) -> Self {
        Self::new(Verdict::Unsupported, reason)
    }

    pub(super) fn contradicted(
        reason: Reason,
        place: Place,
        what: impl Into<Cow<'static, str>>,
    ) -> Self {
        Self::new(Verdict::Contradicted, reason).at(place, what)
    }

    pub(super) fn unknown(reason: Reason) -> Self {
        Self::new(Verdict::Unknown, reason)
    }

    pub(super) fn at(mut self, place: Place, what: impl Into<Cow<'static, str>>) -> Self {
        self.evidence.push((place, what.into()));
        self
    }

    pub(super) fn settled_by(mut self, command: Option<&str>) -> Self {
        self.settle = command.map(str::to_owned);
        self
    }
}
