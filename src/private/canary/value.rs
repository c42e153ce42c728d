//! The spellings of a value that are searched for: the forms it takes in the folded views.

use unicode_normalization::UnicodeNormalization as _;

use super::decode;
use super::kind::{Armed, Kind, Spelling};
use super::view::View;
use super::vocabulary;

/// Values shorter than this are ordinary words too often.
pub(super) const LEAST: usize = 8;

/// Longer values are searched for by their first characters, so that a match fits in a window.
const LONGEST: usize = 512;

/// How often a value is decoded by itself. What stands in a text raw goes through the same layers
/// as its surroundings, so a folder called `new` after a backslash becomes a line break.
const DEPTH: usize = 3;

/// The one-folder name that Claude Code gives to a project's path: each UTF-16 unit that is no
/// ASCII letter or digit becomes `-`, after composition (`anthropics/claude-code#45718`). Lossy.
#[must_use]
pub fn slug(path: &str) -> String {
    path.nfc()
        .flat_map(|c| {
            let shown = if c.is_ascii_alphanumeric() { c } else { '-' };
            std::iter::repeat_n(shown, c.len_utf16())
        })
        .collect()
}

/// Whether a value is worth a search: long enough and not mere vocabulary.
pub(super) fn is_private(value: &str) -> bool {
    value.trim().chars().count() >= LEAST && !vocabulary::is_mere(value.trim())
}

/// Every folded form of a value, without repeats.
pub(super) fn forms(kind: Kind, value: &str, armed: Armed) -> Vec<String> {
    let value: String = value.trim().chars().take(LONGEST).collect();
    // An id has no other form; there may be many of them.
    let plain = |b: u8| b.is_ascii_alphanumeric() || matches!(b, b'-' | b'_' | b'.' | b':');
    if !kind.is_path() && value.bytes().all(plain) {
        let folded = View::of(value.as_bytes()).folded(armed).text;
        return vec![folded];
    }
    let mut raw = vec![value.clone()];
    if armed.spelling(Spelling::Slash) && value.contains(['/', '\\']) {
        raw.push(value.replace('/', "\\"));
        raw.push(value.replace('\\', "/"));
    }
    if kind.is_path() {
        let slug = slug(&value);
        if slug.chars().filter(char::is_ascii_alphanumeric).count() >= LEAST / 2
            && is_private(&slug)
        {
            raw.push(slug);
        }
    }
    let mut all = Vec::new();
    for text in raw {
        let mut view = View::of(text.as_bytes()).normal(armed);
        for _ in 0..=DEPTH {
            for folded in [view.folded(armed), view.joined().folded(armed)] {
                let text = folded.text.trim();
                all.push(text.to_owned());
                if text.contains(' ') {
                    if armed.spelling(Spelling::Lines) {
                        all.push(text.replace(' ', ""));
                    }
                    if armed.spelling(Spelling::Percent) {
                        all.push(text.replace(' ', "+"));
                    }
                }
            }
            match decode::decoded(&view, armed, true) {
                Some(next) => view = next.normal(armed),
                None => break,
            }
        }
    }
    all.retain(|form| form.len() >= LEAST - 2);
    all.sort();
    all.dedup();
    all
}
