//! Guards: the named conditions that keep a verdict from being said too lightly.

use crate::rule::guard::Named;

/// A condition that keeps from an accusation or a certificate.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[repr(u8)]
pub enum Guard {
    /// A change of what was checked came after the check.
    StaleEdit,
    /// The status that would show how a run ended is hidden, and its output does not tell.
    MaskedStatus,
    /// The run ran nothing.
    EmptyRun,
    /// The run covers a part of what is claimed.
    Narrowed,
    /// The run was made in another folder than the claim speaks of.
    WrongDirectory,
    /// The run is of a check of another kind.
    WrongCheck,
    /// The run counts otherwise than the claim.
    Count,
    /// The last run went badly.
    FailedRun,
    /// Only a rehearsal was made.
    DryRun,
    /// A launched agent did it.
    Delegated,
    /// A launched agent says it, and its record does not show it.
    Hearsay,
    /// The agent wrote what would bear it out.
    SelfAuthored,
    /// The result is not in the record.
    MissingResult,
    /// What a step did is not known.
    UnknownStep,
    /// The claim denies.
    Negated,
    /// The claim takes something out.
    Partial,
    /// The claim speaks of an earlier time.
    Earlier,
    /// The close tells of a failure or of something left undone.
    Disclosed,
    /// The claim passes on what others say.
    ReportedSpeech,
    /// The edit was refused by its tool.
    FailedEdit,
    /// The change was taken back.
    Reverted,
    /// Another file was changed or looked at than the claim names.
    OtherFile,
    /// The failure was seen without the agent's changes.
    Baseline,
    /// The quotation leaves something out.
    Elided,
    /// What the agent was shown is cut in the record.
    TruncatedText,
    /// The session holds records of unknown kinds, results of calls that are not recorded, lines that
    /// cannot be read, or runs without a result.
    UnreadRecord,
    /// The turn changed nothing, and nobody is said to have done it.
    Retold,
    /// A step only speaks of what is told: in a message, a script, a call of unknown effect.
    SpokenOf,
    /// No change of the file holds what is told of it.
    OtherContent,
    /// What was written is a scratch file or another agent's instructions.
    ScratchFile,
    /// What was run or looked at is not what the claim names.
    OtherStep,
    /// Other lines of the file were shown than the one that is cited.
    CitedLine,
    /// The listing of the CI service is of another change than the claim's, or older.
    OtherListing,
    /// The check is one that a person makes, and that leaves nothing in a record.
    ByHand,
}

impl Guard {
    /// Every guard, in the order of the documentation.
    pub const ALL: [Self; 34] = [
        Self::StaleEdit,
        Self::MaskedStatus,
        Self::EmptyRun,
        Self::Narrowed,
        Self::WrongDirectory,
        Self::WrongCheck,
        Self::Count,
        Self::FailedRun,
        Self::DryRun,
        Self::Delegated,
        Self::Hearsay,
        Self::SelfAuthored,
        Self::MissingResult,
        Self::UnknownStep,
        Self::Negated,
        Self::Partial,
        Self::Earlier,
        Self::Disclosed,
        Self::ReportedSpeech,
        Self::FailedEdit,
        Self::Reverted,
        Self::OtherFile,
        Self::Baseline,
        Self::Elided,
        Self::TruncatedText,
        Self::UnreadRecord,
        Self::Retold,
        Self::SpokenOf,
        Self::OtherContent,
        Self::ScratchFile,
        Self::OtherStep,
        Self::CitedLine,
        Self::OtherListing,
        Self::ByHand,
    ];

    /// The kebab-case name.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::StaleEdit => "stale-edit",
            Self::MaskedStatus => "masked-status",
            Self::EmptyRun => "empty-run",
            Self::Narrowed => "narrowed",
            Self::WrongDirectory => "wrong-directory",
            Self::WrongCheck => "wrong-check",
            Self::Count => "count",
            Self::FailedRun => "failed-run",
            Self::DryRun => "dry-run",
            Self::Delegated => "delegated",
            Self::Hearsay => "hearsay",
            Self::SelfAuthored => "self-authored",
            Self::MissingResult => "missing-result",
            Self::UnknownStep => "unknown-step",
            Self::Negated => "negated",
            Self::Partial => "partial",
            Self::Earlier => "earlier",
            Self::Disclosed => "disclosed",
            Self::ReportedSpeech => "reported-speech",
            Self::FailedEdit => "failed-edit",
            Self::Reverted => "reverted",
            Self::OtherFile => "other-file",
            Self::Baseline => "baseline",
            Self::Elided => "elided",
            Self::TruncatedText => "truncated-text",
            Self::UnreadRecord => "unread-record",
            Self::Retold => "retold",
            Self::SpokenOf => "spoken-of",
            Self::OtherContent => "other-content",
            Self::ScratchFile => "scratch-file",
            Self::OtherStep => "other-step",
            Self::CitedLine => "cited-line",
            Self::OtherListing => "other-listing",
            Self::ByHand => "by-hand",
        }
    }
}

/// The names of guards, for a rule's line in the registry.
#[must_use]
pub const fn names<const N: usize>(guards: [Guard; N]) -> [&'static str; N] {
    let mut names = [""; N];
    let mut at = 0;
    while at < N {
        names[at] = guards[at].as_str();
        at += 1;
    }
    names
}

/// A list of guards and one more; `M` is one more than `N`.
#[must_use]
pub const fn with<const N: usize, const M: usize>(guards: [Guard; N], more: Guard) -> [Guard; M] {
    assert!(M == N + 1, "a list and one more");
    let mut all = [more; M];
    let mut at = 0;
    while at < N {
        all[at] = guards[at];
        at += 1;
    }
    all
}

impl Named for Guard {
    fn place(self) -> u32 {
        self as u32
    }
}

/// The set of them that stands.
pub type Guards = crate::rule::guard::Guards<Guard>;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_set_is_full_and_lets_go_of_one() {
        for guard in Guard::ALL {
            assert!(Guards::default().on(guard));
            let rest = Guards::default().without(guard);
            let gone: Vec<Guard> = Guard::ALL
                .into_iter()
                .filter(|one| !rest.on(*one))
                .collect();
            assert_eq!(gone, [guard]);
        }
    }
}
