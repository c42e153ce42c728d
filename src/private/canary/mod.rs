//! The canary: does a private value or shape stand in what is about to be published?
//!
//! The text is scanned as it is and as readers of it would see it: escapes decoded, invisible
//! characters dropped, tags and line breaks taken out, letters folded; layer upon layer up to a
//! fixed depth, in windows of a fixed size, so that time is linear and memory bounded on any input.
//!
//! Rule: seed 002, the canary over keys, shapes and gathered values; secret families as in
//! `anthropics/claude-code#63593`, folder slugs as in `anthropics/claude-code#45718`.

mod base64;
mod decode;
mod entities;
mod kind;
mod planted;
mod scan;
mod secret;
mod shape;
mod value;
mod view;
mod vocabulary;

pub use kind::{Armed, Hit, Kind, Spelling, Spellings};
pub use planted::{Planted, planted, sample_canary, self_test};
pub use scan::Canary;
pub use value::slug;

#[cfg(test)]
mod tests;
