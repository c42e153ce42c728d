//! Why a value has no canonical form.

use std::fmt;

/// Why a value has no canonical form. No variant holds any text of the value.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum CanonError {
    /// A float.
    #[error("E_CANON reason=float")]
    Float,
    /// An integer outside `i64` and `u64`, which readers would turn into a float.
    #[error("E_CANON reason=integer")]
    Integer,
    /// A map key that is no string, character, integer, boolean or unit variant.
    #[error("E_CANON reason=key")]
    Key,
    /// The same key twice in one object.
    #[error("E_CANON reason=duplicate_key")]
    DuplicateKey,
    /// Deeper than 128 levels, the depth at which common readers stop.
    #[error("E_CANON reason=depth")]
    Depth,
    /// Ready-made JSON, which can't be vouched for.
    #[error("E_CANON reason=raw")]
    Raw,
    /// A `Serialize` implementation reported an error of its own.
    #[error("E_CANON reason=value")]
    Value,
}

impl serde::ser::Error for CanonError {
    fn custom<T: fmt::Display>(_: T) -> Self {
        // The message may quote the value, which may be private.
        Self::Value
    }
}
