//! One layer of escapes undone: JSON, HTML and percent, all in one walk.

use super::entities;
use super::kind::{Armed, Spelling, Spellings};
use super::view::View;

/// The view with one layer of escapes undone, or nothing when it holds none.
///
/// With `loose`, character references without a semicolon are undone too, as browsers do. Without,
/// they wait, since what follows may be the rest of them in another spelling.
pub(super) fn decoded(view: &View, armed: Armed, loose: bool) -> Option<View> {
    let bytes = view.text.as_bytes();
    let mut out = View::default();
    let mut from = 0;
    let mut at = 0;
    let mut changed = false;
    while let Some(next) = bytes
        .get(at..)
        .and_then(|rest| memchr::memchr3(b'\\', b'&', b'%', rest))
    {
        let start = at + next;
        let rest = bytes.get(start..).unwrap_or_default();
        let found = match rest.first() {
            Some(b'\\') if armed.spelling(Spelling::Json) => {
                json(rest).map(|(c, length)| (Decoded::Chars(c, None), length, Spelling::Json))
            }
            Some(b'&') if armed.spelling(Spelling::Html) => entities::read(rest)
                .filter(|found| loose || rest.get(found.length - 1) == Some(&b';'))
                .map(|found| {
                    let part = Decoded::Chars(found.first, found.second);
                    (part, found.length, Spelling::Html)
                }),
            Some(b'%') if armed.spelling(Spelling::Percent) => {
                percent(rest).map(|(part, length)| (part, length, Spelling::Percent))
            }
            _ => None,
        };
        let Some((part, length, spelling)) = found else {
            at = start + 1;
            continue;
        };
        changed = true;
        view.copy_to(&mut out, from, start);
        let how = view.how_between(start, start + length).with(spelling);
        match part {
            Decoded::Chars(first, second) => {
                for c in std::iter::once(first).chain(second) {
                    out.push(c, view.source(start), how);
                }
            }
            Decoded::Bytes(bytes) => push_bytes(view, &mut out, &bytes, start, how),
        }
        at = start + length;
        from = at;
    }
    if changed {
        view.copy_to(&mut out, from, bytes.len());
        Some(out)
    } else {
        None
    }
}

enum Decoded {
    /// What one escape stands for.
    Chars(char, Option<char>),
    /// Bytes of consecutive `%XX`, three source bytes each.
    Bytes(Vec<u8>),
}

fn push_bytes(view: &View, out: &mut View, bytes: &[u8], start: usize, how: Spellings) {
    let mut index = 0;
    for chunk in bytes.utf8_chunks() {
        for c in chunk.valid().chars() {
            out.push(c, view.source(start + 3 * index), how);
            index += c.len_utf8();
        }
        for _ in chunk.invalid() {
            out.push(
                char::REPLACEMENT_CHARACTER,
                view.source(start + 3 * index),
                how,
            );
            index += 1;
        }
    }
}

/// The longest run of `%XX`, or one `%uXXXX`.
fn percent(rest: &[u8]) -> Option<(Decoded, usize)> {
    if matches!(rest.get(1), Some(b'u' | b'U')) {
        let code = hex(rest.get(2..6)?)?;
        return Some((Decoded::Chars(char::from_u32(code)?, None), 6));
    }
    let mut bytes = Vec::new();
    for group in rest.chunks_exact(3) {
        let Some((b'%', digits)) = group.split_first() else {
            break;
        };
        let Some(byte) = hex(digits).and_then(|code| u8::try_from(code).ok()) else {
            break;
        };
        bytes.push(byte);
    }
    // What can't begin a character waits for its beginning, which may be spelt otherwise.
    if bytes.first().is_some_and(|byte| byte & 0xc0 == 0x80) {
        return None;
    }
    // A character cut off by another escape is completed in the next layer.
    if matches!(rest.get(bytes.len() * 3), Some(b'%' | b'&' | b'\\')) {
        bytes.truncate(bytes.len() - unfinished(&bytes));
    }
    let length = bytes.len() * 3;
    (length > 0).then_some((Decoded::Bytes(bytes), length))
}

/// How many bytes at the end begin a character that is not complete.
fn unfinished(bytes: &[u8]) -> usize {
    match std::str::from_utf8(bytes) {
        Err(error) if error.error_len().is_none() => bytes.len() - error.valid_up_to(),
        Ok(_) => 0,
        // Something before the end is no text at all; the end may still be cut off.
        Err(_) => bytes
            .utf8_chunks()
            .last()
            .map_or(0, |chunk| chunk.invalid().len()),
    }
}

/// One backslash escape of JSON or JavaScript and its length.
fn json(rest: &[u8]) -> Option<(char, usize)> {
    let c = match rest.get(1)? {
        b'"' => '"',
        b'\'' => '\'',
        b'\\' => '\\',
        b'/' => '/',
        b'b' => '\u{8}',
        b'f' => '\u{c}',
        b'n' => '\n',
        b'r' => '\r',
        b't' => '\t',
        b'0'..=b'7' => return octal(rest),
        // A string that goes on in the next line; what stands for the break is dropped as unseen.
        b'\n' => '\u{200b}',
        b'\r' => return Some(('\u{200b}', if rest.get(2) == Some(&b'\n') { 3 } else { 2 })),
        b'x' => return Some((char::from_u32(hex(rest.get(2..4)?)?)?, 4)),
        b'u' => return unicode(rest),
        _ => return None,
    };
    Some((c, 2))
}

/// Up to three octal digits, as old scripts and shells have them.
fn octal(rest: &[u8]) -> Option<(char, usize)> {
    let (mut code, mut length) = (0_u32, 1);
    while let Some(digit @ b'0'..=b'7') = rest.get(length)
        && length < 4
        && code <= 0o37
    {
        code = code << 3 | u32::from(digit - b'0');
        length += 1;
    }
    Some((char::from_u32(code)?, length))
}

fn unicode(rest: &[u8]) -> Option<(char, usize)> {
    if rest.get(2) == Some(&b'{') {
        let tail = rest.get(3..12.min(rest.len()))?;
        let close = tail.iter().position(|&b| b == b'}')?;
        return Some((char::from_u32(hex(tail.get(..close)?)?)?, close + 4));
    }
    let high = hex(rest.get(2..6)?)?;
    if let Some(c) = char::from_u32(high) {
        return Some((c, 6));
    }
    let pair = match (rest.get(6..8), rest.get(8..12).and_then(hex)) {
        (Some(b"\\u"), Some(low @ 0xdc00..=0xdfff)) if high < 0xdc00 => {
            char::from_u32(0x1_0000 + ((high - 0xd800) << 10) + (low - 0xdc00))
        }
        _ => None,
    };
    Some(pair.map_or((char::REPLACEMENT_CHARACTER, 6), |c| (c, 12)))
}

/// The number that at most eight hexadecimal digits stand for.
pub(super) fn hex(digits: &[u8]) -> Option<u32> {
    if digits.is_empty() || digits.len() > 8 {
        return None;
    }
    digits.iter().try_fold(0_u32, |sum, &digit| {
        let digit = char::from(digit).to_digit(16)?;
        Some(sum << 4 | digit)
    })
}
