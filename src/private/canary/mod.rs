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
mod home;
mod kind;
mod planted;
mod scan;
mod secret;
mod shape;
mod value;
mod view;
mod vocabulary;

pub(crate) use base64::sextet;
pub use kind::{Armed, Hit, Kind, Spelling, Spellings};
pub use planted::{Planted, planted, sample_canary, self_test};
pub use scan::{Canary, Look, UNREAD};
pub use secret::secrets;
pub use value::slug;

/// The character reference at the start of `rest` as browsers read it in text: one character or
/// two, and how many bytes the reference takes.
#[must_use]
pub fn character_reference(rest: &[u8]) -> Option<(char, Option<char>, usize)> {
    entities::read(rest).map(|found| (found.first, found.second, found.length))
}

/// What browsers read a byte as where a page is in the old Windows character set.
#[must_use]
pub fn windows_1252(byte: u8) -> char {
    let place = usize::from(byte).checked_sub(0x80);
    let found = place.and_then(|at| entities::WINDOWS_1252.get(at));
    found.copied().unwrap_or(char::from(byte))
}

/// Whether the canary knows a value by its shape alone, so that nobody has to hand it over.
#[must_use]
pub fn is_shaped(value: &str) -> bool {
    shape::is_id(value)
}

#[cfg(test)]
mod spelled;
#[cfg(test)]
mod tests;
