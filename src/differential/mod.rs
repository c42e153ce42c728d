//! Another checker over the same cases, and over planted changes of each: agreement on what passes
//! proves nothing (seed 002).
//!
//! The other checker is a program that an operator names. No other command comes here, so that
//! grading starts no program.

mod answer;
mod case;
mod change;
mod compare;
mod peer;

/// The page on this command and its protocol.
pub const PAGE: &str = include_str!("../../docs/differential.md");

/// The protocol's name, in each line that is asked.
pub const PROTOCOL: &str = "deedcheck/differential/1";

pub use answer::{Refused, answer_line};
pub use case::{Case, DifferentialError, of_controls, of_document};
pub use compare::{Agreement, CompareError, Comparison, Disagreement, compare};
pub use peer::{PeerError, words_of};
