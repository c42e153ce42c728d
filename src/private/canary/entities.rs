//! Character references of HTML: numeric ones, and every name of the HTML standard's own table.

use std::collections::HashMap;
use std::sync::LazyLock;

use super::decode::hex;

/// One name a line: the name, its code points in hexadecimal, and `bare` where browsers read it
/// without a semicolon too.
const TABLE: &str = include_str!("entities.txt");

/// The longest name in the table.
const LONGEST: usize = 32;
/// The longest name that needs no semicolon.
const LONGEST_BARE: usize = 6;

/// What a reference stands for: one character, or two for a few mathematical signs.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Reference {
    pub(super) first: char,
    pub(super) second: Option<char>,
    /// Bytes of the reference itself.
    pub(super) length: usize,
}

struct Named {
    first: char,
    second: Option<char>,
    bare: bool,
}

static NAMED: LazyLock<HashMap<&str, Named>> = LazyLock::new(|| {
    let line = |line: &'static str| {
        let mut words = line.split(' ');
        let name = words.next()?;
        let code = |word: &str| char::from_u32(hex(word.as_bytes())?);
        let first = code(words.next()?)?;
        let rest = words.next();
        Some((
            name,
            Named {
                first,
                second: rest.and_then(code),
                bare: line.ends_with(" bare"),
            },
        ))
    };
    TABLE.lines().filter_map(line).collect()
});

/// The reference at the start of `rest`, as browsers read it in text.
///
/// Numeric references need no semicolon, nor do the names that the standard lists without.
pub(super) fn read(rest: &[u8]) -> Option<Reference> {
    if rest.get(1) == Some(&b'#') {
        return numeric(rest);
    }
    let head = rest.get(1..rest.len().min(LONGEST + 2))?;
    let length = head
        .iter()
        .take_while(|b| b.is_ascii_alphanumeric())
        .count();
    let name = std::str::from_utf8(head.get(..length)?).ok()?;
    if head.get(length) == Some(&b';')
        && let Some(found) = NAMED.get(name)
    {
        return Some(reference(found, length + 2));
    }
    (2..=length.min(LONGEST_BARE)).rev().find_map(|length| {
        let found = NAMED.get(name.get(..length)?).filter(|found| found.bare)?;
        Some(reference(found, length + 1))
    })
}

fn reference(found: &Named, length: usize) -> Reference {
    Reference {
        first: found.first,
        second: found.second,
        length,
    }
}

fn numeric(rest: &[u8]) -> Option<Reference> {
    let base_16 = matches!(rest.get(2), Some(b'x' | b'X'));
    let start = if base_16 { 3 } else { 2 };
    let digits = rest.get(start..)?;
    let is_digit = |b: &&u8| {
        if base_16 {
            b.is_ascii_hexdigit()
        } else {
            b.is_ascii_digit()
        }
    };
    let length = digits.iter().take_while(is_digit).count();
    let digits = digits.get(..length)?;
    let zeros = digits.iter().take_while(|b| **b == b'0').count();
    let shown = digits.get(zeros..)?;
    let code = if base_16 {
        hex(shown)
    } else {
        std::str::from_utf8(shown).ok()?.parse().ok()
    };
    let end = start + length;
    let end = end + usize::from(rest.get(end) == Some(&b';'));
    // A run of digits that stands for nothing is read once, as one unknown character.
    let first = code
        .filter(|code| *code != 0)
        .and_then(|code| char::from_u32(remapped(code)))
        .unwrap_or(char::REPLACEMENT_CHARACTER);
    (length > 0).then_some(Reference {
        first,
        second: None,
        length: end,
    })
}

/// Browsers read the numbers of control characters as the old Windows character set had them.
fn remapped(code: u32) -> u32 {
    let place = code
        .checked_sub(0x80)
        .and_then(|at| usize::try_from(at).ok());
    place
        .and_then(|at| WINDOWS_1252.get(at))
        .map_or(code, |c| u32::from(*c))
}

/// What windows-1252 has for the bytes 80 to 9F.
pub(super) const WINDOWS_1252: [char; 32] = [
    '€', '\u{81}', '‚', 'ƒ', '„', '…', '†', '‡', 'ˆ', '‰', 'Š', '‹', 'Œ', '\u{8d}', 'Ž', '\u{8f}',
    '\u{90}', '‘', '’', '“', '”', '•', '–', '—', '˜', '™', 'š', '›', 'œ', '\u{9d}', 'ž', 'Ÿ',
];

#[cfg(test)]
mod tests {
    use super::*;

    fn text(rest: &str) -> Option<(String, usize)> {
        let found = read(rest.as_bytes())?;
        let text = std::iter::once(found.first).chain(found.second).collect();
        Some((text, found.length))
    }

    #[test]
    fn references_are_read_as_browsers_do() {
        let of = |rest: &str| text(rest).unwrap_or_default();
        assert_eq!(of("&amp;x"), ("&".to_owned(), 5));
        assert_eq!(of("&ndash;"), ("–".to_owned(), 7));
        assert_eq!(of("&NotEqualTilde;"), ("≂\u{338}".to_owned(), 15));
        assert_eq!(of("&notit;"), ("¬".to_owned(), 4));
        assert_eq!(of("&notin;"), ("∉".to_owned(), 7));
        assert_eq!(of("&#150;"), ("–".to_owned(), 6));
        assert_eq!(of("&#x2009 1"), ("\u{2009}".to_owned(), 7));
        assert_eq!(of("&#0;"), ("\u{fffd}".to_owned(), 4));
        assert_eq!(text("&nosuch;"), None);
        assert_eq!(text("& "), None);
        assert_eq!(NAMED.len(), 2125);
        let longest = NAMED.keys().map(|name| name.len()).max();
        assert!(longest.is_some_and(|longest| longest < LONGEST));
    }
}
