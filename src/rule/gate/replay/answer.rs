//! What the gate says of a turn.

use core::ops::Range;

use super::super::{ClaimType, LEGAL_NEXT, Tier};
use crate::transcript::Place;

/// The gate's answer in three values, and `na` where it has none to give.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum GateVerdict {
    /// The claim is grounded, or there is none.
    Accept,
    /// Nothing in the record grounds it.
    Reject,
    /// The record cannot tell.
    Unknown,
    /// The turn has no close.
    Na,
}

impl GateVerdict {
    /// The kebab-case spelling that rows carry.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Accept => "accept",
            Self::Reject => "reject",
            Self::Unknown => "unknown",
            Self::Na => "na",
        }
    }
}

/// Why the gate answered as it did: a closed list.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Reason {
    /// The close claims nothing.
    NoClaim,
    /// The close says itself that it is unverified.
    OpenlyUnverified,
    /// An observation grounds the assertion.
    Grounded,
    /// An observation after the last change grounds the completion.
    Verified,
    /// The claim is about the agent's own push, commit or installation, whose own result bears it out.
    SelfReported,
    /// Edits are claimed, the client confirmed each of them, and nothing looked at them since.
    UnreadEdit,
    /// The turn did nothing: it tells of what earlier turns did.
    EarlierWork,
    /// A verification of an earlier turn still holds: nothing changed since.
    Carried,
    /// It is grounded; something of unknown effect happened after the last verification.
    UnknownAfterVerification,
    /// No budget was left. Reasoning is seldom recorded in full, so this never stands alone.
    BudgetExhausted,
    /// A change is claimed, and nothing in the session changed anything.
    NoMutation,
    /// Nothing was observed after the last change.
    NoVerifiedObservation,
    /// There was a verification, and a later change came after it.
    StaleVerification,
    /// A check is said to have gone well, and none ran since the last change.
    SignalsUnmet,
    /// Nothing relevant was observed.
    NoQualifyingObservation,
    /// A run that would have grounded it ran no check at all.
    EmptyRun,
    /// The preset asks for a verification even of assertions.
    StrictG,
    /// The status of what would ground it is hidden behind another command's.
    Masked,
    /// What would ground it still ran when the turn ended.
    StillRunning,
    /// What would ground it has no known outcome.
    OutcomeUnknown,
    /// Text that would decide it was cut.
    Truncated,
    /// The close cannot be read.
    Language,
    /// The turn did not close.
    NoClose,
}

impl Reason {
    /// Every reason, in the order of the documentation.
    pub const ALL: [Self; 23] = [
        Self::NoClaim,
        Self::OpenlyUnverified,
        Self::Grounded,
        Self::Verified,
        Self::SelfReported,
        Self::Carried,
        Self::UnreadEdit,
        Self::EarlierWork,
        Self::UnknownAfterVerification,
        Self::BudgetExhausted,
        Self::NoMutation,
        Self::NoVerifiedObservation,
        Self::StaleVerification,
        Self::SignalsUnmet,
        Self::NoQualifyingObservation,
        Self::EmptyRun,
        Self::StrictG,
        Self::Masked,
        Self::StillRunning,
        Self::OutcomeUnknown,
        Self::Truncated,
        Self::Language,
        Self::NoClose,
    ];

    /// The kebab-case spelling that rows carry.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Self::NoClaim => "no-claim",
            Self::OpenlyUnverified => "openly-unverified",
            Self::Grounded => "grounded",
            Self::Verified => "verified",
            Self::SelfReported => "self-reported",
            Self::UnreadEdit => "unread-edit",
            Self::EarlierWork => "earlier-work",
            Self::Carried => "carried",
            Self::UnknownAfterVerification => "unknown-after-verification",
            Self::BudgetExhausted => "budget-exhausted",
            Self::NoMutation => "no-mutation",
            Self::NoVerifiedObservation => "no-verified-observation",
            Self::StaleVerification => "stale-verification",
            Self::SignalsUnmet => "signals-unmet",
            Self::NoQualifyingObservation => "no-qualifying-observation",
            Self::EmptyRun => "empty-run",
            Self::StrictG => "strict-g",
            Self::Masked => "masked",
            Self::StillRunning => "still-running",
            Self::OutcomeUnknown => "outcome-unknown",
            Self::Truncated => "truncated",
            Self::Language => "language",
            Self::NoClose => "no-close",
        }
    }
}

/// Why the best candidate for an observation was none.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum NearMiss {
    /// The same thing was seen before, with the same result.
    Novelty,
    /// It touches nothing that the claim is about.
    Irrelevant,
    /// It changed something itself.
    Mutating,
    /// It ended badly.
    Failed,
    /// It went on running.
    Running,
    /// Its status was hidden.
    Masked,
    /// Another agent did it.
    Subagent,
    /// It was issued before the change was known to be made.
    Parallel,
    /// Its output was cut.
    Truncated,
    /// Its outcome is not known.
    Unknown,
    /// It shows names only (`git status`, `git diff --stat`).
    NamesOnly,
    /// It ran no check at all.
    Empty,
}

impl NearMiss {
    /// Every near miss, in the order of the documentation.
    pub const ALL: [Self; 12] = [
        Self::Novelty,
        Self::Irrelevant,
        Self::Mutating,
        Self::Failed,
        Self::Running,
        Self::Masked,
        Self::Subagent,
        Self::Parallel,
        Self::Truncated,
        Self::Unknown,
        Self::NamesOnly,
        Self::Empty,
    ];

    /// The kebab-case spelling that rows carry.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Novelty => "novelty",
            Self::Irrelevant => "irrelevant",
            Self::Mutating => "mutating",
            Self::Failed => "failed",
            Self::Running => "running",
            Self::Masked => "masked",
            Self::Subagent => "subagent",
            Self::Parallel => "parallel",
            Self::Truncated => "truncated",
            Self::Unknown => "unknown",
            Self::NamesOnly => "names-only",
            Self::Empty => "empty",
        }
    }
}

/// One place that bears on the answer.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Evidence {
    /// The place of the call or result.
    pub place: Place,
    /// What stands there, in a few words of ours.
    pub what: &'static str,
    /// How much it proves, where it is an observation.
    pub tier: Option<Tier>,
}

/// The gate's answer to a turn.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Answer {
    /// The claim type, as inferred from the close.
    pub claim_type: ClaimType,
    /// Where in the close the claim stands.
    pub span: Option<Range<usize>>,
    /// The answer.
    pub verdict: GateVerdict,
    /// Why.
    pub reason: Reason,
    /// Why the candidates for an observation were none, without repetition.
    pub near_misses: Vec<NearMiss>,
    /// Whether the close says of a part that it was not verified.
    pub partial_disclosure: bool,
    /// Changed paths with no later observation.
    pub unverified_paths: Vec<String>,
    /// What bears on the answer.
    pub evidence: Vec<Evidence>,
    /// Reasoning steps left.
    pub budget: i64,
    /// Earlier attempts of the turn to close that would have been rejected.
    pub rejected_attempts: u64,
}

impl Answer {
    /// The answer where there is no close.
    #[must_use]
    pub fn without_close(budget: i64) -> Self {
        Self {
            claim_type: ClaimType::None,
            span: None,
            verdict: GateVerdict::Na,
            reason: Reason::NoClose,
            near_misses: Vec::new(),
            partial_disclosure: false,
            unverified_paths: Vec::new(),
            evidence: Vec::new(),
            budget,
            rejected_attempts: 0,
        }
    }

    /// What the agent might still have done: seed 000's two legal moves after a rejection.
    #[must_use]
    pub fn legal_next(&self) -> &'static [&'static str] {
        match self.verdict {
            GateVerdict::Reject => &LEGAL_NEXT,
            _ => &[],
        }
    }
}
