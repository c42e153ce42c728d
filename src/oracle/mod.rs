//! Frozen checks: deterministic oracles over an answer, three-valued, with nothing guessed.
//!
//! An oracle gets a key that was computed before from pinned sources, an answer as inert text and
//! the readings that the spec chose. What it cannot read is `unknown`.

mod check;
mod decode;
pub mod grammar;
mod kind;
mod verdict;

pub use check::{Asked, Check, ParamError, Reading, Readings, parse};
pub use kind::{KINDS, KindInfo};
pub use verdict::{Component, Status, combine};
