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
            Some(b'&') if armed.spelling(Spelling::Html) => {
                reference(rest, loose).map(|(part, length)| (part, length, Spelling::Html))
            }
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
    while let Some(&byte) = bytes.get(index) {
        let head = bytes.get(index..bytes.len().min(index + 6));
        // What is no UTF-8 is a letter of the old character set.
        let (c, length) = utf8(head.unwrap_or_default()).unwrap_or((char::from(byte), 1));
        out.push(c, view.source(start + 3 * index), how);
        index += length;
    }
}

/// The character that bytes begin with. Both halves of a surrogate pair, each in three bytes as old
/// programs write them, are one.
fn utf8(bytes: &[u8]) -> Option<(char, usize)> {
    let length = match bytes.first()? {
        0..=0x7f => 1,
        0xc2..=0xdf => 2,
        0xe0..=0xef => 3,
        0xf0..=0xf4 => 4,
        _ => return None,
    };
    if let Ok(text) = std::str::from_utf8(bytes.get(..length)?) {
        return text.chars().next().map(|c| (c, length));
    }
    let half = |at: usize| match bytes.get(at..at + 3)? {
        [0xed, high @ 0xa0..=0xbf, low @ 0x80..=0xbf] => {
            Some(0xd000 | u32::from(high & 0x3f) << 6 | u32::from(low & 0x3f))
        }
        _ => None,
    };
    pair(half(0)?, half(3)?).map(|c| (c, 6))
}

/// What two halves of a surrogate pair stand for.
fn pair(high: u32, low: u32) -> Option<char> {
    match (high, low) {
        (0xd800..=0xdbff, 0xdc00..=0xdfff) => {
            char::from_u32(0x1_0000 + ((high - 0xd800) << 10) + (low - 0xdc00))
        }
        _ => None,
    }
}

/// A character that is written as one code unit, or as the two halves of a pair, each in the same
/// kind of escape. Half a pair stands for nothing.
fn unit(rest: &[u8], read: impl Fn(&[u8]) -> Option<(u32, usize)>) -> Option<(char, usize)> {
    let (high, length) = read(rest)?;
    if let Some(c) = char::from_u32(high) {
        return Some((c, length));
    }
    let low = rest.get(length..).and_then(&read);
    let both = low.and_then(|(low, more)| Some((pair(high, low)?, length + more)));
    let half = matches!(high, 0xd800..=0xdfff).then_some((char::REPLACEMENT_CHARACTER, length));
    both.or(half)
}

/// A character reference. Browsers join no halves of a pair, but whoever writes them means to.
fn reference(rest: &[u8], loose: bool) -> Option<(Decoded, usize)> {
    let half = |rest: &[u8]| {
        let digits = rest.strip_prefix(b"&#")?;
        let end = digits.iter().take(12).position(|b| *b == b';')?;
        let code = match digits.get(..end)? {
            [b'x' | b'X', digits @ ..] => hex(digits)?,
            digits => std::str::from_utf8(digits).ok()?.parse().ok()?,
        };
        matches!(code, 0xd800..=0xdfff).then_some((code, end + 3))
    };
    if let Some((c, length)) = unit(rest, half) {
        return Some((Decoded::Chars(c, None), length));
    }
    entities::read(rest)
        .filter(|found| loose || rest.get(found.length - 1) == Some(&b';'))
        .map(|found| (Decoded::Chars(found.first, found.second), found.length))
}

/// The longest run of `%XX`, or one `%uXXXX`.
fn percent(rest: &[u8]) -> Option<(Decoded, usize)> {
    if matches!(rest.get(1), Some(b'u' | b'U')) {
        let read = |rest: &[u8]| match rest.get(..2)? {
            b"%u" | b"%U" => Some((hex(rest.get(2..6)?)?, 6)),
            _ => None,
        };
        let (c, length) = unit(rest, read)?;
        return Some((Decoded::Chars(c, None), length));
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

/// One backslash escape of JSON, JavaScript or a shell, and its length.
fn json(rest: &[u8]) -> Option<(char, usize)> {
    let c = match rest.get(1)? {
        b'b' => '\u{8}',
        b'f' => '\u{c}',
        b'n' => '\n',
        b'r' => '\r',
        b't' => '\t',
        b'0'..=b'7' | b'x' => return byte_escapes(rest),
        // A string that goes on in the next line; what stands for the break is dropped as unseen.
        b'\n' => '\u{200b}',
        b'\r' => return Some(('\u{200b}', if rest.get(2) == Some(&b'\n') { 3 } else { 2 })),
        b'u' | b'U' => return unit(rest, code),
        // A sign stands for itself, and so does a blank in a shell.
        sign @ (b' ' | b'!'..=b'/' | b':'..=b'@' | b'['..=b'`' | b'{'..=b'~') => char::from(*sign),
        _ => return None,
    };
    Some((c, 2))
}

/// `\xNN` or `\NNN`, and as many more as make one character in UTF-8, as shells and git have them. What
/// makes none is the letter of that number, as in scripts.
fn byte_escapes(rest: &[u8]) -> Option<(char, usize)> {
    let (first, length) = byte_escape(rest)?;
    if first < 0x80 {
        return Some((char::from(first), length));
    }
    let mut bytes = [first; 6];
    let mut ends = [length; 6];
    let mut count = 1;
    while let (Some(end), true) = (ends.get(count - 1).copied(), count < bytes.len()) {
        let Some((byte, more)) = rest.get(end..).and_then(byte_escape) else {
            break;
        };
        if let (Some(into), Some(to)) = (bytes.get_mut(count), ends.get_mut(count)) {
            (*into, *to) = (byte, end + more);
        }
        count += 1;
    }
    let read = utf8(bytes.get(..count).unwrap_or_default());
    let whole = read.and_then(|(c, count)| Some((c, *ends.get(count.checked_sub(1)?)?)));
    Some(whole.unwrap_or((char::from(first), length)))
}

/// One byte as `\xNN`, or as up to three octal digits, which old scripts and shells have.
fn byte_escape(rest: &[u8]) -> Option<(u8, usize)> {
    match rest.get(..2)? {
        b"\\x" => Some((u8::try_from(hex(rest.get(2..4)?)?).ok()?, 4)),
        [b'\\', b'0'..=b'7'] => {
            let (mut code, mut length) = (0_u32, 1);
            while let Some(digit @ b'0'..=b'7') = rest.get(length)
                && length < 4
                && code <= 0o37
            {
                code = code << 3 | u32::from(digit - b'0');
                length += 1;
            }
            Some((u8::try_from(code).ok()?, length))
        }
        _ => None,
    }
}

/// One code unit as `\uXXXX`, `\u{X}` or `\UXXXXXXXX`.
fn code(rest: &[u8]) -> Option<(u32, usize)> {
    match rest.get(..3)? {
        b"\\u{" => {
            let tail = rest.get(3..12.min(rest.len()))?;
            let close = tail.iter().position(|&b| b == b'}')?;
            Some((hex(tail.get(..close)?)?, close + 4))
        }
        [b'\\', b'u', _] => Some((hex(rest.get(2..6)?)?, 6)),
        [b'\\', b'U', _] => Some((hex(rest.get(2..10)?)?, 10)),
        _ => None,
    }
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
