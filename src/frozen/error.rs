//! Why a grading of frozen checks is refused, as one line without a private value.

use crate::capture::CaptureError;
use crate::spec::{FieldError, SpecError};

/// Why a grading, or what it is given, is refused.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum FrozenError {
    /// The launch, or the bindings made of it, are not what they must be.
    #[error("E_BIND {0}")]
    Bind(FieldError),
    /// The transcript that a launch record names cannot be told: `main`, `subagent`, `workflow-child`,
    /// `codex-exec`, `file`, `teammate`; `missing`, `ambiguous`, `shared`, `outside-roots`, `unreadable`,
    /// `host`, `not-in-process`.
    #[error("E_IDENTITY_SOURCE kind={kind} row={row} reason={reason}")]
    Source {
        /// Whose transcript.
        kind: &'static str,
        /// The record, from 1.
        row: usize,
        /// Why.
        reason: &'static str,
    },
    /// A launch record or a row of the identity table is not what it must be.
    #[error("E_IDENTITY_INVALID row={row} {error}")]
    Identity {
        /// The record or row, from 1; 0 for the table as a whole.
        row: usize,
        /// What is wrong.
        error: FieldError,
    },
    /// What was captured, or what is kept of it, is not what it must be.
    #[error("E_CAPTURES {0}")]
    Captures(FieldError),
    /// A folder that `deedcheck capture` wrote is not what it was.
    #[error(transparent)]
    Kept(#[from] CaptureError),
    /// A ledger of the use of tools is not what it must be.
    #[error("E_JOIN_LEDGER {0}")]
    Ledger(FieldError),
    /// A driver's ledger is not what it must be.
    #[error("E_DRIVER_LEDGER {0}")]
    Driver(FieldError),
    /// A judgment is not one.
    #[error("E_JUDGMENT row={row} {error}")]
    Judgment {
        /// The judgment, from 1.
        row: usize,
        /// What is wrong.
        error: FieldError,
    },
    /// The spec or the keys are not what they must be.
    #[error(transparent)]
    Spec(#[from] SpecError),
}

impl FrozenError {
    /// An error of a record or row.
    pub(super) fn identity(row: usize) -> impl Fn(FieldError) -> Self {
        move |error| Self::Identity { row, error }
    }
}
