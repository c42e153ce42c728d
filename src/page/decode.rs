//! Text as a browser decodes it: character references, percent escapes, base64.

use std::borrow::Cow;

use crate::private::canary::{character_reference, sextet};

/// What stands in `text`, with the place of each stretch: `push(characters, source offset)` is
/// called for every stretch that stands there as it is and for every reference.
///
/// In an `attribute`, a name without a semicolon before a letter, a digit or `=` is no reference.
pub(super) fn references(text: &str, attribute: bool, mut push: impl FnMut(&str, usize)) {
    let bytes = text.as_bytes();
    let (mut from, mut at) = (0, 0);
    while let Some(found) = bytes.get(at..).and_then(|rest| memchr::memchr(b'&', rest)) {
        let here = at + found;
        at = here + 1;
        let rest = bytes.get(here..).unwrap_or_default();
        let Some((first, second, length)) = character_reference(rest) else {
            continue;
        };
        let numeric = rest.get(1) == Some(&b'#');
        let bare = rest.get(length - 1) != Some(&b';');
        let next = rest.get(length);
        let goes_on = next.is_some_and(|b| b.is_ascii_alphanumeric() || *b == b'=');
        if attribute && bare && !numeric && goes_on {
            continue;
        }
        push(text.get(from..here).unwrap_or_default(), from);
        let mut buffer = [0; 4];
        push(first.encode_utf8(&mut buffer), here);
        if let Some(second) = second {
            push(second.encode_utf8(&mut buffer), here);
        }
        at = here + length;
        from = at;
    }
    push(text.get(from..).unwrap_or_default(), from);
}

/// The value of an attribute as scripts see it.
pub(super) fn attribute(bytes: &[u8]) -> Cow<'_, str> {
    let text = String::from_utf8_lossy(bytes);
    if memchr::memchr(b'&', bytes).is_none() {
        return text;
    }
    let mut out = String::with_capacity(text.len());
    references(&text, true, |part, _| out.push_str(part));
    Cow::Owned(out)
}

/// Bytes with percent escapes undone.
pub(super) fn percent(text: &[u8]) -> Vec<u8> {
    let mut out = Vec::with_capacity(text.len());
    let mut at = 0;
    while let Some(byte) = text.get(at) {
        let digit = |place: usize| {
            let digit = char::from(*text.get(place)?).to_digit(16)?;
            u8::try_from(digit).ok()
        };
        if *byte == b'%'
            && let (Some(high), Some(low)) = (digit(at + 1), digit(at + 2))
        {
            out.push(high << 4 | low);
            at += 3;
        } else {
            out.push(*byte);
            at += 1;
        }
    }
    out
}

/// What base64 stands for, both alphabets, whatever else stands between its characters.
pub(super) fn base64(text: &[u8]) -> Vec<u8> {
    let mut out = Vec::with_capacity(text.len() / 4 * 3 + 3);
    let (mut bits, mut held) = (0_u32, 0);
    for byte in text {
        let Some(value) = sextet(*byte) else {
            continue;
        };
        bits = bits << 6 | value;
        held += 6;
        if held >= 8 {
            held -= 8;
            out.extend(u8::try_from(bits >> held & 0xff));
            bits &= (1 << held) - 1;
        }
    }
    out
}

/// The page that an address holds by itself, where it is one of `data:` and holds a page.
pub(super) fn page_of(address: &str) -> Option<Vec<u8>> {
    // Browsers drop blanks and line breaks from addresses; of its body only what is packed cares.
    let address = address.trim_start_matches(|c: char| c.is_ascii_control() || c == ' ');
    let head = address
        .get(..5)
        .filter(|head| head.eq_ignore_ascii_case("data:"))?;
    let (kind, body) = address.get(head.len()..)?.split_once(',')?;
    let kind = kind.to_ascii_lowercase();
    let pages = ["html", "xml"].iter().any(|word| kind.contains(word));
    let bytes = percent(body.as_bytes());
    let packed = kind.trim_end().ends_with("base64");
    pages.then(|| if packed { base64(&bytes) } else { bytes })
}

/// A style sheet with its escapes undone and with adjacent strings joined, as a browser shows them
/// in `content`. A script is no `sheet`: its strings are joined by a plus sign, and its escapes are
/// left to the canary.
pub(super) fn style(text: &str, sheet: bool) -> String {
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(c) = rest.chars().next() {
        let tail = rest.get(c.len_utf8()..).unwrap_or_default();
        rest = match c {
            '\\' if sheet => escape(tail, &mut out),
            // A string of a script goes on in the next line.
            '\\' if tail.starts_with(['\n', '\r', '\u{2028}', '\u{2029}']) => {
                let broken = tail.trim_start_matches('\r');
                broken
                    .strip_prefix(['\n', '\u{2028}', '\u{2029}'])
                    .unwrap_or(broken)
            }
            '\\' => {
                let length = tail.chars().next().map_or(0, char::len_utf8);
                let (own, after) = tail.split_at_checked(length).unwrap_or((tail, ""));
                out.push(c);
                out.push_str(own);
                after
            }
            '"' | '\'' => match joined(tail) {
                Some(after) => after,
                None => {
                    out.push(c);
                    tail
                }
            },
            _ => {
                out.push(c);
                tail
            }
        };
    }
    out
}

/// Undoes the escape whose backslash stands just before `tail`, and tells what is left.
fn escape<'a>(tail: &'a str, out: &mut String) -> &'a str {
    let digits = tail.bytes().take(6).take_while(u8::is_ascii_hexdigit);
    let digits = digits.count();
    if digits > 0 {
        let (code, rest) = tail.split_at_checked(digits).unwrap_or_default();
        let code = u32::from_str_radix(code, 16).ok();
        let c = code.and_then(char::from_u32).filter(|c| *c != '\0');
        out.push(c.unwrap_or(char::REPLACEMENT_CHARACTER));
        // One blank ends the digits.
        let blank = rest.starts_with([' ', '\t', '\n', '\r', '\x0c']);
        return rest.get(usize::from(blank)..).unwrap_or_default();
    }
    let mut chars = tail.chars();
    match chars.next() {
        Some('\n' | '\r' | '\x0c') | None => {}
        Some(c) => out.push(c),
    }
    chars.as_str()
}

/// What follows the opening quote of the next string, where only blanks and at most one plus sign
/// stand between a closing quote and that.
fn joined(tail: &str) -> Option<&str> {
    // Longer gaps are walked again for each quote in them; nobody writes them.
    let near = tail.char_indices().take(64);
    let mut plus = 0;
    for (at, c) in near {
        match c {
            ' ' | '\t' | '\n' | '\r' => {}
            '+' if plus == 0 => plus = 1,
            '"' | '\'' if at > 0 => return tail.get(at + 1..),
            _ => return None,
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn attributes_keep_what_is_no_reference_there() {
        assert_eq!(attribute(b"?a=1&copy=2&lt=3&lt;"), "?a=1&copy=2&lt=3<");
        assert_eq!(attribute(b"&#65&#x42;&amp"), "AB&");
        let mut all = Vec::new();
        references("a&copyx&lt;b", false, |part, at| {
            all.push((part.to_owned(), at));
        });
        let expected = [("a", 0), ("©", 1), ("x", 6), ("<", 7), ("b", 11)];
        let expected = expected.map(|(part, at)| (part.to_owned(), at));
        assert_eq!(all, expected);
    }

    #[test]
    fn escapes_of_addresses_and_styles_are_undone() {
        assert_eq!(percent(b"%41%4g%"), b"A%4g%");
        assert_eq!(base64(b"YWJj\nZA=="), b"abcd");
        assert_eq!(base64(b"_-8"), b"\xff\xef");
        assert_eq!(style("\\73 ess\\000069on\\\n-\\x", true), "session-x");
        assert_eq!(style("a: \"se\" 'ssi' + \"on\"", true), "a: \"session\"");
        assert_eq!(style("\\110000 \\", true), "\u{fffd}");
        assert_eq!(style("'ses\\\r\nsi' + 'on\\n'", false), "'session\\n'");
    }
}
