//! Reads the claims of a closing text: kind, span, negation and parameters.
//!
//! The passes in order: [`section`] says under which heading or lead-in each sentence stands;
//! [`check`] reads checks (named by [`subject`], judged by [`outcome`]) that went well or badly, [`deed`] and [`event`] what was done, [`state`] what is or is
//! not the case, [`item`] list items and tables whose title carries the verb, [`count`] figures, [`brief`] short forms,
//! [`fence`] status blocks, and [`cjk`] Chinese, Japanese and Korean. [`stance`] says whether the
//! words and marks around a claim assert it here and now, and [`detail`] and [`param`] then fill in the
//! parameters of every claim.

mod brief;
mod check;
mod cjk;
mod count;
mod deed;
mod detail;
mod effect;
mod event;
mod fence;
mod item;
mod language;
mod mark;
mod model;
mod object;
mod outcome;
mod param;
mod plain;
mod predicate;
mod quote;
mod scan;
mod section;
mod stance;
mod state;
mod subject;
#[cfg(test)]
mod tests;
#[cfg(test)]
mod tests_public;
mod title;
mod untold;
mod words;

pub use model::{Claim, Counted, Kind, Language, Place, Reading, Reporter, Site, Tally};
pub use scan::{read, read_prose};
pub(super) use words::check_word;
pub(in crate::rule) use words::denies_by_mark;
