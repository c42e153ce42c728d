//! Why a spec, or what a spec leans on, is refused.

use std::fmt;

use super::node::named;

/// What is wrong with one field of a file that a person wrote. It names the field and never its
/// value.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FieldError {
    /// The dotted field, such as `tasks.2.checks.0.params.labels`; empty for the file as a whole.
    pub field: String,
    /// The line that it stands in, from 1, where the format tells.
    pub line: Option<u32>,
    /// What is wrong: `missing`, `unknown-field`, `type`, `unknown-value`, `duplicate`…
    pub kind: &'static str,
}

impl FieldError {
    /// An error without a line.
    #[must_use]
    pub fn new(field: impl Into<String>, kind: &'static str) -> Self {
        Self {
            field: field.into(),
            line: None,
            kind,
        }
    }

    /// The same error at a line.
    #[must_use]
    pub fn at(mut self, line: Option<u32>) -> Self {
        self.line = line;
        self
    }
}

impl fmt::Display for FieldError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        // A step of a field may be a key that somebody made up, with a line break or worse in it.
        if !self.field.is_empty() {
            let steps: Vec<&str> = self.field.split('.').map(named).collect();
            write!(f, "field={} ", steps.join("."))?;
        }
        if let Some(line) = self.line {
            write!(f, "line={line} ")?;
        }
        write!(f, "kind={}", self.kind)
    }
}

impl std::error::Error for FieldError {}

/// Why a spec, its seal or its keys are refused, as one line.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum SpecError {
    /// The spec that a person wrote is not one.
    #[error("E_SPEC {0}")]
    Field(#[from] FieldError),
    /// The sealed spec is not what this program would seal: `unsealed`, `hand-edited`, `stale`,
    /// or `source-differs`.
    #[error("E_SPEC_MISMATCH reason={reason} field={field}")]
    Mismatch {
        /// Why.
        reason: &'static str,
        /// What differs: `seal`, `tool`, `registry`, `spec`, `bytes`.
        field: &'static str,
    },
    /// No seal of the pinned commit vouches for the spec: `missing`, `no-seal`, `not-listed`,
    /// `seal-mismatch`.
    #[error("E_PREREG reason={0}")]
    Prereg(&'static str),
    /// `git` did not answer: `timeout`, `failed`, `malformed`.
    #[error("E_GIT reason={0}")]
    Git(&'static str),
    /// The facts that were captured are no file of facts.
    #[error("E_FACTS {0}")]
    Facts(FieldError),
    /// The keys are no keys of this spec.
    #[error("E_KEYS {0}")]
    Keys(FieldError),
    /// The keys were computed for another spec, or edited since.
    #[error("E_KEYS_MISMATCH field={0}")]
    KeysMismatch(&'static str),
}
