//! The one library for reading an agent's prose.
//!
//! [`Prose::read`] makes one linear pass over a close: blocks of markdown, spans that are not the
//! agent's own voice (code, quotations, links), words, sentences, clauses and the cues that scope
//! a statement (negation, question, condition, intent, doubt, reported speech). Every offset is a
//! byte offset into the text that was read, so a finding can always show its own evidence.
//!
//! A rule asks this library; it never brings a scanner of its own for what is read here.

mod block;
mod clause;
mod cue;
mod frame;
mod ident;
mod inline;
mod lexicon;
mod number;
mod prose;
mod script;
mod sentence;
mod source;
mod word;

#[cfg(test)]
mod tests;

pub use block::{Block, BlockKind};
pub use clause::Clause;
pub use cue::{Cue, Cues, DOUBTFUL, NOT_ASSERTED};
pub use ident::{Ident, identifiers};
pub use inline::{Region, RegionKind};
pub use lexicon::{Act, is_reporter, past_act};
pub use number::{Number, numbers};
pub use prose::Prose;
pub use script::Script;
pub use sentence::{Ender, Sentence};
pub use source::is_document;
pub use word::{Word, WordKind};
