//! Pages that people publish, HTML and Markdown: what they give away, and whether what they say of
//! graded quantities is true.
//!
//! A page is read as bytes and never rendered; nothing in it is run, fetched or followed. Time is
//! linear in its length and memory is bounded beside it.
//!
//! Source: seed 002, nothing private in what is public; numbers that a page attributes are checked
//! because a page is edited by hand after it was made (`anthropics/claude-code#46201` asks for
//! exports that may be shown).

/// What `deedcheck explain check-html` prints.
pub const PAGE: &str = include_str!("check-html.md");

mod alternative;
mod bar;
mod beside;
mod charset;
mod check;
mod decode;
mod fault;
mod feed;
mod foreign;
mod label;
mod leak;
mod map;
mod markdown;
mod place;
mod raw;
mod row;
mod sums;
mod token;
mod tree;
mod truth;

#[cfg(test)]
mod tests;

pub use check::{Against, Checked, Finding, Missed, PageError, Rows, Syntax, What, check};
pub use fault::Fault;
pub use map::{MAP_SCHEMA, Map, MapError};
pub use sums::Sums;
pub use truth::Counts;
