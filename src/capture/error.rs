//! Why a capture is refused, as one line without a private value.

use crate::private::Refusal;

/// Why a capture, or what was captured before, is refused.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum CaptureError {
    /// It cannot be taken.
    #[error("E_CAPTURE field={field} kind={kind}")]
    Field {
        /// The flag, or the part of the bindings.
        field: &'static str,
        /// What is wrong.
        kind: &'static str,
    },
    /// What was captured is not what it was.
    #[error("E_CAPTURES file={file} kind={kind}")]
    Kept {
        /// A file that the captures vouch for; else `captures`, `capture` or `none` for one that is none of
        /// theirs, whose name may be private.
        file: String,
        /// What is wrong.
        kind: &'static str,
    },
    /// The private directory cannot be written.
    #[error(transparent)]
    Private(#[from] Refusal),
}

impl CaptureError {
    pub(super) const fn new(field: &'static str, kind: &'static str) -> Self {
        Self::Field { field, kind }
    }

    pub(super) fn kept(file: &str, kind: &'static str) -> Self {
        let file = file.to_owned();
        Self::Kept { file, kind }
    }

    /// The folder that commands run in cannot be made or written.
    pub(super) const fn workspace() -> Self {
        Self::new("workspace", "unwritable")
    }
}
