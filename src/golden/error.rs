//! Refusals of the golden commands: one line each, numbers and words of ours only.

use crate::frozen::FrozenError;
use crate::spec::SpecError;

/// What is wrong with a case or a session, as a closed word.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Fault {
    /// Nothing is there.
    Missing,
    /// It is another than it was.
    Changed,
    /// It cannot be read.
    Unreadable,
    /// It is no regular file, or no folder.
    NotRegular,
    /// There is no case in the folder.
    NoCase,
    /// A named case is not in the folder.
    UnknownCase,
    /// What is expected is no row, or no object.
    Expected,
    /// It is larger than a case may be.
    TooLarge,
    /// No transcript of a known client is in it.
    NoSession,
    /// The turn that was asked for is not in it.
    NoTurn,
    /// Something is there already.
    Exists,
    /// Two files would get one name, or a name is none.
    Name,
    /// It cannot be written.
    Unwritable,
}

impl Fault {
    /// The word shown in the refusal.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Missing => "missing",
            Self::Changed => "changed",
            Self::Unreadable => "unreadable",
            Self::NotRegular => "not-regular",
            Self::NoCase => "no-case",
            Self::UnknownCase => "unknown-case",
            Self::Expected => "expected",
            Self::TooLarge => "too-large",
            Self::NoSession => "no-session",
            Self::NoTurn => "no-turn",
            Self::Exists => "exists",
            Self::Name => "name",
            Self::Unwritable => "unwritable",
        }
    }
}

/// Why a golden command is refused. Cases are told by their number in the order of their names,
/// because a name is the user's own.
#[derive(Debug, thiserror::Error)]
pub enum GoldenError {
    /// Something about a folder or file that an argument names.
    #[error("E_GOLDEN argument={argument} kind={}", .kind.as_str())]
    Argument {
        /// The argument as help spells it.
        argument: &'static str,
        /// What is wrong.
        kind: Fault,
    },
    /// Something about a case.
    #[error("E_GOLDEN case={case} file={file} line={line} kind={}", .kind.as_str())]
    Case {
        /// The case's number, from 1.
        case: usize,
        /// Which of our own files of it; `session` stands for the user's.
        file: &'static str,
        /// The line that is wrong, from 1; 0 where it is the file as a whole.
        line: usize,
        /// What is wrong.
        kind: Fault,
    },
    /// Something of the original stands in the copy.
    #[error("E_GOLDEN kind=canary what={what} file={file} line={line}")]
    Canary {
        /// What kind of thing.
        what: &'static str,
        /// The copy's file by its number, from 1.
        file: usize,
        /// The line in it, from 1; 0 for the file's name.
        line: usize,
    },
    /// The copy is judged otherwise than the original.
    #[error("E_GOLDEN kind=verdict rule={rule} turn={turn}")]
    Verdict {
        /// The rule, or the kind of the row.
        rule: String,
        /// The turn, from 1; 0 for a session.
        turn: u64,
    },
    /// The spec, the keys or the seal of a case with frozen checks.
    #[error(transparent)]
    Spec(#[from] SpecError),
    /// The bindings, identities or judgments of a case with frozen checks.
    #[error(transparent)]
    Frozen(#[from] FrozenError),
}
