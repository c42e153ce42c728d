//! The protections of the family, each by name: switching one off must flip its own controls and no
//! others (seed 000).

use crate::rule::guard::Named;

/// A protection: a reason to let something go that looks like a finding.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Guard {
    /// The operator asked for it.
    OperatorAsked,
    /// What was tested went with its test.
    CodeRemoved,
    /// A test was renamed, or stands elsewhere now.
    Moved,
    /// The assertion was replaced by one that asks as much.
    Replaced,
    /// It was put back before the check went well.
    Restored,
    /// The session itself wrote the test that it changed.
    OwnTest,
    /// The failing run names other tests.
    NotFailing,
    /// The mark stood there before.
    AlreadyThere,
    /// The test is left out on a condition, such as a platform.
    Conditional,
    /// The same part was selected before.
    SelectedBefore,
    /// The whole check ran afterwards.
    WholeRunLater,
    /// The operator named the new value.
    OperatorStated,
    /// Code changed between the failing run and the acceptance.
    CodeEdited,
    /// The session itself changed what the check sees, before it failed.
    CodeChanged,
    /// The close tells of it.
    Disclosed,
    /// It only would have been done.
    DryRun,
    /// It never ran, or failed.
    NeverRan,
    /// It was done to scratch files or a repository made for a trial.
    Scratch,
    /// The command behind which the status is hidden is no check.
    NotACheck,
    /// The output tells how the check went.
    OutputTells,
    /// The check ran again, with its status in sight.
    RunAgain,
    /// The file is data for a test, a template or prose.
    Fixture,
    /// A real run bears the written result out.
    BorneOut,
    /// The reference comes from code that changed since.
    OlderCode,
    /// Something later did what had failed.
    Cured,
    /// The exit status was the answer, or the failure was meant.
    Probe,
    /// The operator asked for no work.
    NoWorkAsked,
    /// The close itself holds the work.
    ShownInline,
}

impl Guard {
    /// Every guard, in the order of the documentation.
    pub const ALL: [Self; 28] = [
        Self::OperatorAsked,
        Self::CodeRemoved,
        Self::Moved,
        Self::Replaced,
        Self::Restored,
        Self::OwnTest,
        Self::NotFailing,
        Self::AlreadyThere,
        Self::Conditional,
        Self::SelectedBefore,
        Self::WholeRunLater,
        Self::OperatorStated,
        Self::CodeEdited,
        Self::CodeChanged,
        Self::Disclosed,
        Self::DryRun,
        Self::NeverRan,
        Self::Scratch,
        Self::NotACheck,
        Self::OutputTells,
        Self::RunAgain,
        Self::Fixture,
        Self::BorneOut,
        Self::OlderCode,
        Self::Cured,
        Self::Probe,
        Self::NoWorkAsked,
        Self::ShownInline,
    ];

    /// The kebab-case name.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::OperatorAsked => "operator-asked",
            Self::CodeRemoved => "code-removed",
            Self::Moved => "moved",
            Self::Replaced => "replaced",
            Self::Restored => "restored",
            Self::OwnTest => "own-test",
            Self::NotFailing => "not-failing",
            Self::AlreadyThere => "already-there",
            Self::Conditional => "conditional",
            Self::SelectedBefore => "selected-before",
            Self::WholeRunLater => "whole-run-later",
            Self::OperatorStated => "operator-stated",
            Self::CodeEdited => "code-edited",
            Self::CodeChanged => "code-changed",
            Self::Disclosed => "disclosed",
            Self::DryRun => "dry-run",
            Self::NeverRan => "never-ran",
            Self::Scratch => "scratch",
            Self::NotACheck => "not-a-check",
            Self::OutputTells => "output-tells",
            Self::RunAgain => "run-again",
            Self::Fixture => "fixture",
            Self::BorneOut => "borne-out",
            Self::OlderCode => "older-code",
            Self::Cured => "cured",
            Self::Probe => "probe",
            Self::NoWorkAsked => "no-work-asked",
            Self::ShownInline => "shown-inline",
        }
    }
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
            assert!(!Guards::NONE.hold(guard, true));
        }
    }

    #[test]
    fn names_are_told_apart() {
        let names: std::collections::BTreeSet<_> = Guard::ALL.iter().map(|g| g.as_str()).collect();
        assert_eq!(names.len(), Guard::ALL.len());
    }
}
