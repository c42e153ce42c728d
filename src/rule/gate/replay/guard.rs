//! Guards of the `replay` profile: the named conditions that keep its answers from being given too
//! lightly.

use crate::rule::guard::Named;

/// A condition of the profile. Its budget is advisory and decides nothing, so that it is none.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[repr(u8)]
pub enum Guard {
    /// A call that was refused did not run.
    NeverRan,
    /// An edit that its tool refused changed nothing.
    FailedEdit,
    /// A run that failed shows nothing good, and takes back what an earlier one showed.
    FailedRun,
    /// A status that is hidden behind another command's is no verification.
    Masked,
    /// What a runner says of itself outranks its exit status.
    Summary,
    /// A filter may have hidden the lines that tell of failures.
    Filtered,
    /// A run that ran no check shows nothing.
    EmptyRun,
    /// What still ran may yet show it.
    StillRunning,
    /// What has no known outcome or effect may have shown it.
    OutcomeUnknown,
    /// Output that is cut may have shown it.
    Truncated,
    /// A change undoes what was verified before it.
    Stale,
    /// A formatter or a merge of git's leaves a verification in doubt and does not undo it.
    SoftChange,
    /// Scratch files are not the work.
    Scratch,
    /// Git's own bookkeeping, packages and other machines are no change of the files under work.
    Outward,
    /// Something of unknown effect after a verification leaves it in doubt.
    UnknownEffect,
    /// What a call without a result may have changed is changed.
    MissingResult,
    /// A look that was asked for before the change was known to be made does not show it.
    Parallel,
    /// A look at something else grounds nothing.
    Irrelevant,
    /// The same question with the same answer is no new observation.
    Novelty,
    /// A list of names shows no content.
    NamesOnly,
    /// A command that neither looks nor changes shows nothing.
    NoDeed,
    /// What a launched agent says shows no change.
    Testimony,
    /// What nothing in the session changed was not changed.
    NoMutation,
    /// A commit bears out no push.
    Pushed,
    /// A check that is said to have gone well needs a run of its kind.
    Checks,
    /// A completion needs the signals that the policy names.
    Goals,
    /// The preset asks for a verification even of assertions.
    Strict,
    /// After a change that was refused, what was looked at before it does not show it.
    RefusedChange,
    /// A close that tells of the refusal itself claims nothing that the refusal undoes.
    OwnedUp,
    /// An edit that the client confirmed and nobody looked at is unknown, not wrong.
    UnreadEdit,
    /// Where the close names no file, or a command failed in plain sight, that nothing matched says little.
    Unnamed,
    /// A turn that did nothing tells of earlier turns.
    EarlierWork,
    /// An earlier turn's verification holds while nothing changes.
    Carried,
    /// A push, commit or installation is borne out by its own result.
    SelfReported,
    /// A close that says that it is unverified claims nothing of the matter.
    OpenlyUnverified,
    /// A close that cannot be read claims nothing that could be held against the record.
    Language,
    /// An assertion in a turn without work rests on words alone.
    NoWork,
    /// A turn that was broken off has no close.
    NoClose,
}

impl Guard {
    /// Every guard, in the order of the documentation.
    pub const ALL: [Self; 38] = [
        Self::NeverRan,
        Self::FailedEdit,
        Self::FailedRun,
        Self::Masked,
        Self::Summary,
        Self::Filtered,
        Self::EmptyRun,
        Self::StillRunning,
        Self::OutcomeUnknown,
        Self::Truncated,
        Self::Stale,
        Self::SoftChange,
        Self::Scratch,
        Self::Outward,
        Self::UnknownEffect,
        Self::MissingResult,
        Self::Parallel,
        Self::Irrelevant,
        Self::Novelty,
        Self::NamesOnly,
        Self::NoDeed,
        Self::Testimony,
        Self::NoMutation,
        Self::Pushed,
        Self::Checks,
        Self::Goals,
        Self::Strict,
        Self::RefusedChange,
        Self::OwnedUp,
        Self::UnreadEdit,
        Self::Unnamed,
        Self::EarlierWork,
        Self::Carried,
        Self::SelfReported,
        Self::OpenlyUnverified,
        Self::Language,
        Self::NoWork,
        Self::NoClose,
    ];

    /// The kebab-case name.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::NeverRan => "never-ran",
            Self::FailedEdit => "failed-edit",
            Self::FailedRun => "failed-run",
            Self::Masked => "masked",
            Self::Summary => "summary",
            Self::Filtered => "filtered",
            Self::EmptyRun => "empty-run",
            Self::StillRunning => "still-running",
            Self::OutcomeUnknown => "outcome-unknown",
            Self::Truncated => "truncated",
            Self::Stale => "stale",
            Self::SoftChange => "soft-change",
            Self::Scratch => "scratch",
            Self::Outward => "outward",
            Self::UnknownEffect => "unknown-effect",
            Self::MissingResult => "missing-result",
            Self::Parallel => "parallel",
            Self::Irrelevant => "irrelevant",
            Self::Novelty => "novelty",
            Self::NamesOnly => "names-only",
            Self::NoDeed => "no-deed",
            Self::Testimony => "testimony",
            Self::NoMutation => "no-mutation",
            Self::Pushed => "pushed",
            Self::Checks => "checks",
            Self::Goals => "goals",
            Self::Strict => "strict",
            Self::RefusedChange => "refused-change",
            Self::OwnedUp => "owned-up",
            Self::UnreadEdit => "unread-edit",
            Self::Unnamed => "unnamed",
            Self::EarlierWork => "earlier-work",
            Self::Carried => "carried",
            Self::SelfReported => "self-reported",
            Self::OpenlyUnverified => "openly-unverified",
            Self::Language => "language",
            Self::NoWork => "no-work",
            Self::NoClose => "no-close",
        }
    }

    /// The names of all of them, for the rule's line in the registry.
    pub const NAMES: [&'static str; Self::ALL.len()] = {
        let mut names = [""; Self::ALL.len()];
        let mut at = 0;
        while at < names.len() {
            names[at] = Self::ALL[at].as_str();
            at += 1;
        }
        names
    };
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
    fn a_guard_is_taken_out_alone() {
        for guard in Guard::ALL {
            let left = Guards::default().without(guard);
            for other in Guard::ALL {
                assert_eq!(left.on(other), other != guard, "{}", other.as_str());
            }
        }
    }
}
