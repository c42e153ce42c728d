//! Frozen checks, before anything runs: the spec that a person writes, its seal, and the keys of
//! its checks from pinned sources.
//!
//! A spec is closed: a field that is not known is refused, and no rule that can be read in two
//! ways has a default. Nothing here reads an answer.

mod capture;
mod csv;
mod error;
mod fields;
mod fraction;
mod git;
mod json;
mod keys;
mod model;
mod node;
mod place;
mod read;
mod recipe;
mod registry;
#[cfg(feature = "schema")]
mod schema;
mod seal;
mod source;
mod table;
mod validate;

pub use capture::{
    CONDITIONS, CaptureSpec, Captured, CommandSpec, OUTPUTS, PHASES, PLACES, is_secret, variable,
};
pub use error::{FieldError, SpecError};
pub use fields::{At, Fields, is_hex, is_name, is_relative};
pub use fraction::Fraction;
pub use git::{Git, Wanted};
pub use json::{JsonError, strict};
pub use keys::{Computed, KEYS_SCHEMA, KeyRecord, Keys, compute, read_keys};
pub use model::{
    Arm, CheckSpec, DISPATCHES, Experiment, GRAMMAR, Gate, KeySpec, Origin, Recipe, SPEC_SCHEMA,
    Source, Spec, Task,
};
pub use node::{Item, Node};
pub use registry::{ANSWER, ATTEMPTS, BROKEN_OFF, FRAME, LINES_WITH, PAIRING, POPULATION};
#[cfg(feature = "schema")]
pub(crate) use schema::{facts as facts_schema, keys as keys_schema, spec as spec_schema};
pub use seal::{Alternative, SEALED_SCHEMA, Sealed, compare, freeze, open, parse};
pub use source::{FACTS_SCHEMA, Facts, Sources};
pub use table::lookup;

/// The page on specs.
pub const PAGE: &str = include_str!("spec.md");

/// The SHA-256 of bytes in hexadecimal digits.
#[must_use]
pub fn sha256(bytes: &[u8]) -> String {
    use sha2::{Digest as _, Sha256};
    use std::fmt::Write as _;
    let mut out = String::with_capacity(64);
    for byte in Sha256::digest(bytes) {
        // Writing to a String cannot fail.
        let _ = write!(out, "{byte:02x}");
    }
    out
}

#[cfg(test)]
pub(crate) mod tests;
