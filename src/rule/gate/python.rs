//! Python's character classes and the identifier scanner built on them.
//!
//! A Python `str` pattern calls a character a word character when `str.isalnum()` holds or it is
//! `_`. That takes in `²` and `½` and leaves out combining marks; Rust's `\w` does the opposite on
//! both. `\s` also holds U+001C to U+001F, which `char::is_whitespace` does not.
//!
//! The tables behind the answer are those of the `unicode-general-category` crate, newer than the
//! ones of Python 3.9 to 3.13. Only characters assigned in between answer differently; a test
//! below lists every such range against Python 3.11 (Unicode 14).

use std::collections::BTreeSet;

use unicode_general_category::{GeneralCategory, get_general_category};

/// Whether Python's `\w` matches `c` in a `str` pattern: letters, all three number categories, `_`.
#[must_use]
pub fn is_py_word(c: char) -> bool {
    if c.is_ascii() {
        return c.is_ascii_alphanumeric() || c == '_';
    }
    matches!(
        get_general_category(c),
        GeneralCategory::UppercaseLetter
            | GeneralCategory::LowercaseLetter
            | GeneralCategory::TitlecaseLetter
            | GeneralCategory::ModifierLetter
            | GeneralCategory::OtherLetter
            | GeneralCategory::DecimalNumber
            | GeneralCategory::LetterNumber
            | GeneralCategory::OtherNumber
    )
}

/// Whether Python's `\d` matches `c`: any decimal digit of any script.
#[must_use]
pub fn is_py_digit(c: char) -> bool {
    if c.is_ascii() {
        return c.is_ascii_digit();
    }
    get_general_category(c) == GeneralCategory::DecimalNumber
}

/// Whether Python's `\s` matches `c`: Unicode white space and the four ASCII separators.
#[must_use]
pub fn is_py_space(c: char) -> bool {
    c.is_whitespace() || matches!(c, '\u{1c}'..='\u{1f}')
}

/// Whether `c` may stand in an identifier, the package's class `[\w.\-/]`.
fn is_identifier_char(c: char) -> bool {
    matches!(c, '.' | '-' | '/') || is_py_word(c)
}

/// The maximal runs of identifier characters in `text`, in order, with repeats.
pub fn identifiers(text: &str) -> impl Iterator<Item = &str> {
    text.split(|c| !is_identifier_char(c))
        .filter(|run| !run.is_empty())
}

/// The package's `extract_identifiers(args, result)`: the set over both texts.
///
/// The package joins the two with one space first; a space ends every run, so reading them apart
/// gives the same set.
#[must_use]
pub fn extract_identifiers<'a>(args: &'a str, result: &'a str) -> BTreeSet<&'a str> {
    identifiers(args).chain(identifiers(result)).collect()
}

#[cfg(test)]
mod tests;
