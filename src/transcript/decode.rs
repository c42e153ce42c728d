//! From a line's bytes to JSON objects, with every byte accounted for.
//!
//! The fast path hands a whole line to the adapter. What it refuses is split, repaired and tried
//! again here; what still is no object is quarantined with its place and reason.

use std::borrow::Cow;
use std::ops::Range;

use serde::de::IgnoredAny;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use serde_json::value::RawValue;

use super::loose::Str;

/// How deep a record may nest: an object in an object is 2.
const DEEPEST: usize = 127;

/// Why bytes are no record. The spellings are part of the row format.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "kebab-case")]
pub enum Reason {
    /// The file ends inside an object: a write was cut off.
    TornLast,
    /// An object is cut off before its line ends.
    Torn,
    /// The bytes are no JSON.
    NotJson,
    /// The bytes are JSON, and no object.
    NotObject,
    /// The object nests deeper than 127 levels.
    TooDeep,
    /// The line is longer than 256 MiB.
    TooLong,
}

impl Reason {
    /// The kebab-case spelling that rows carry.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Self::TornLast => "torn-last",
            Self::Torn => "torn",
            Self::NotJson => "not-json",
            Self::NotObject => "not-object",
            Self::TooDeep => "too-deep",
            Self::TooLong => "too-long",
        }
    }
}

/// One piece of a line, by its byte range in the line.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Piece {
    /// A JSON object as repaired text.
    Object(Range<usize>, String),
    /// Bytes that are no record.
    Quarantined(Range<usize>, Reason),
}

/// The text of a line: borrowed where it is UTF-8, decoded lossily where it is not.
#[must_use]
pub(super) fn line_text(bytes: &[u8]) -> Cow<'_, str> {
    match simdutf8::basic::from_utf8(bytes) {
        Ok(text) => Cow::Borrowed(text),
        Err(_) => String::from_utf8_lossy(bytes),
    }
}

/// The range of a line without the white space around it.
#[must_use]
pub(super) fn trimmed(bytes: &[u8]) -> Range<usize> {
    let blank = |byte: &u8| matches!(byte, b' ' | b'\t' | b'\r' | b'\n');
    let Some(start) = bytes.iter().position(|byte| !blank(byte)) else {
        return 0..0;
    };
    let end = bytes
        .iter()
        .rposition(|byte| !blank(byte))
        .map_or(start, |at| at + 1);
    start..end
}

/// A document of one JSON value over the whole file.
pub(super) struct Document<'a> {
    /// Its records with their offsets: a list's elements, or the one answer.
    pub(super) elements: Vec<(usize, &'a str)>,
}

impl<'a> Document<'a> {
    /// Reads a list, or the answer of one run; nothing else is a document.
    pub(super) fn parse(text: &'a str) -> Option<Self> {
        if is_deep(text.as_bytes()) {
            return None;
        }
        let value: &RawValue = serde_json::from_str(text).ok()?;
        let value = value.get();
        let offset = |part: &str| part.as_ptr() as usize - text.as_ptr() as usize;
        if value.starts_with('[') {
            let elements: Vec<&RawValue> = serde_json::from_str(value).ok()?;
            let elements = elements.iter().map(|raw| raw.get());
            return Some(Self {
                elements: elements.map(|raw| (offset(raw), raw)).collect(),
            });
        }
        let answer: Answer<'_> = serde_json::from_str(value).ok()?;
        answer.kind.is("result").then(|| Self {
            elements: vec![(offset(value), value)],
        })
    }
}

#[derive(Default, Deserialize)]
#[serde(default)]
struct Answer<'a> {
    #[serde(borrow, rename = "type")]
    kind: Str<'a>,
}

/// Text of as many bytes, in which each byte that is no UTF-8 is a question mark.
pub(super) fn bytewise(bytes: &[u8]) -> String {
    let mut text = String::with_capacity(bytes.len());
    for chunk in bytes.utf8_chunks() {
        text.push_str(chunk.valid());
        text.extend(chunk.invalid().iter().map(|_| '?'));
    }
    text
}

/// Whether the first value of the bytes nests deeper than a record may.
pub(super) fn is_deep(bytes: &[u8]) -> bool {
    // Both openers differ from one another in one bit. Counting them all, those in strings too,
    // is much cheaper than telling which are which, and hardly any line has so many.
    let openers = bytes
        .chunks(255)
        .map(|chunk| {
            let count: u8 = chunk.iter().map(|byte| u8::from(byte | 0x20 == b'{')).sum();
            usize::from(count)
        })
        .sum::<usize>();
    openers > DEEPEST && nesting(bytes).deepest > DEEPEST
}

/// What the brackets of a value come to, up to its end.
struct Nesting {
    deepest: usize,
    /// Brackets that are left open, 0 where the value ends.
    open: usize,
    /// Whether a string is left open.
    quoted: bool,
    /// The length of the value, where it ends.
    length: usize,
}

/// Counts the brackets of the value that the bytes begin with.
fn nesting(bytes: &[u8]) -> Nesting {
    let mut seen = Nesting {
        deepest: 0,
        open: 0,
        quoted: false,
        length: bytes.len(),
    };
    let mut at = 0;
    while at < bytes.len() {
        match bytes[at] {
            b'"' => match string_end(bytes, at + 1) {
                Some(end) => at = end,
                None => {
                    seen.quoted = true;
                    return seen;
                }
            },
            b'{' | b'[' => {
                seen.open += 1;
                seen.deepest = seen.deepest.max(seen.open);
            }
            b'}' | b']' => {
                seen.open = seen.open.saturating_sub(1);
                if seen.open == 0 {
                    seen.length = at + 1;
                    return seen;
                }
            }
            _ => {}
        }
        at += 1;
    }
    seen
}

/// Where the quote stands that ends the string whose text begins here.
fn string_end(bytes: &[u8], mut at: usize) -> Option<usize> {
    loop {
        at += memchr::memchr2(b'"', b'\\', bytes.get(at..)?)?;
        if bytes[at] == b'"' {
            return Some(at);
        }
        at += 2;
    }
}

/// Splits a line that is not exactly one plain object.
#[must_use]
pub(super) fn split(bytes: &[u8], terminated: bool) -> Vec<Piece> {
    let mut pieces = Vec::new();
    let whole = trimmed(bytes);
    let mut at = whole.start;
    while at < whole.end {
        let rest = &bytes[at..whole.end];
        let Some(length) = object_length(rest) else {
            pieces.push(Piece::Quarantined(
                at..whole.end,
                reason_of(rest, terminated),
            ));
            break;
        };
        let range = at..at + length;
        let Some(text) = repair(&bytes[range.clone()]) else {
            pieces.push(Piece::Quarantined(
                at..whole.end,
                reason_of(rest, terminated),
            ));
            break;
        };
        pieces.push(Piece::Object(range.clone(), text));
        at = range.end;
        let gap = trimmed(&bytes[at..whole.end]);
        at = if gap.is_empty() {
            whole.end
        } else {
            at + gap.start
        };
    }
    pieces
}

/// The length of the object that the bytes begin with, by its brackets alone.
fn object_length(bytes: &[u8]) -> Option<usize> {
    if bytes.first() != Some(&b'{') {
        return None;
    }
    let seen = nesting(bytes);
    let whole = seen.open == 0 && !seen.quoted && seen.deepest <= DEEPEST;
    whole.then_some(seen.length)
}

fn reason_of(bytes: &[u8], terminated: bool) -> Reason {
    let seen = nesting(bytes);
    if seen.deepest > DEEPEST {
        return Reason::TooDeep;
    }
    if serde_json::from_slice::<IgnoredAny>(bytes).is_ok() {
        return Reason::NotObject;
    }
    let cut = bytes.first() == Some(&b'{') && (seen.open > 0 || seen.quoted);
    match (terminated, cut) {
        (false, _) => Reason::TornLast,
        (true, true) => Reason::Torn,
        (true, false) => Reason::NotJson,
    }
}

/// Object text that a strict reader takes: lone surrogates replaced, repeated keys folded into
/// their last value, bytes that are no UTF-8 replaced.
fn repair(bytes: &[u8]) -> Option<String> {
    let text = line_text(bytes);
    let text = replace_lone_surrogates(&text);
    let parsed = serde_json::from_str::<Value>(&text)
        .or_else(|_| serde_json::from_str::<Value>(&tame_numbers(&text)));
    match parsed {
        Ok(value @ Value::Object(_)) => Some(value.to_string()),
        _ => None,
    }
}

/// Numbers that no machine type holds, such as `1e999`, as 0: JSON allows them, and nothing that
/// is read of a record is one.
fn tame_numbers(text: &str) -> String {
    const LONGEST: usize = 15;
    let bytes = text.as_bytes();
    let mut out = String::with_capacity(text.len());
    let (mut copied, mut at) = (0, 0);
    while at < bytes.len() {
        if bytes[at] == b'"' {
            at = string_end(bytes, at + 1).map_or(bytes.len(), |end| end + 1);
            continue;
        }
        if !bytes[at].is_ascii_digit() {
            at += 1;
            continue;
        }
        let inside = |byte: &u8| byte.is_ascii_digit() || b".eE+-".contains(byte);
        let length = bytes[at..].iter().take_while(|byte| inside(byte)).count();
        let number = &text[at..at + length];
        let wild = length > LONGEST || number.contains(['e', 'E']);
        if wild && serde_json::from_str::<IgnoredAny>(number).is_ok() {
            out.push_str(&text[copied..at]);
            out.push('0');
            copied = at + length;
        }
        at += length;
    }
    out.push_str(&text[copied..]);
    out
}

/// Replaces each `\uD8xx` escape without its other half by the replacement character's escape,
/// as JavaScript readers do (`anthropics/claude-code#69927`).
fn replace_lone_surrogates(text: &str) -> Cow<'_, str> {
    if memchr::memmem::find(text.as_bytes(), b"\\u").is_none() {
        return Cow::Borrowed(text);
    }
    let bytes = text.as_bytes();
    let mut out = String::with_capacity(text.len());
    let (mut copied, mut at) = (0, 0);
    while at < bytes.len() {
        if bytes[at] != b'\\' {
            at += 1;
            continue;
        }
        let Some(unit) = escaped_unit(bytes, at) else {
            at += 2;
            continue;
        };
        let paired = (0xD800..0xDC00).contains(&unit)
            && escaped_unit(bytes, at + 6).is_some_and(|low| (0xDC00..0xE000).contains(&low));
        if paired {
            at += 12;
            continue;
        }
        if (0xD800..0xE000).contains(&unit) {
            out.push_str(&text[copied..at]);
            out.push_str("\\ufffd");
            copied = at + 6;
        }
        at += 6;
    }
    out.push_str(&text[copied..]);
    Cow::Owned(out)
}

fn escaped_unit(bytes: &[u8], at: usize) -> Option<u32> {
    let escape = bytes.get(at..at + 6)?;
    if &escape[..2] != b"\\u" {
        return None;
    }
    let digits = std::str::from_utf8(&escape[2..]).ok()?;
    u32::from_str_radix(digits, 16).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn reasons(bytes: &[u8], terminated: bool) -> Vec<Reason> {
        split(bytes, terminated)
            .into_iter()
            .filter_map(|piece| match piece {
                Piece::Quarantined(_, reason) => Some(reason),
                Piece::Object(..) => None,
            })
            .collect()
    }

    #[test]
    fn two_objects_on_one_line_are_both_read() {
        let pieces = split(br#" {"a":"}"} {"b":[1]}  "#, true);
        assert_eq!(
            pieces,
            [
                Piece::Object(1..10, r#"{"a":"}"}"#.to_owned()),
                Piece::Object(11..20, r#"{"b":[1]}"#.to_owned()),
            ]
        );
    }

    #[test]
    fn what_is_no_object_says_why() {
        assert_eq!(reasons(b"{\"a\":\"b", true), [Reason::Torn]);
        assert_eq!(reasons(b"{\"a\":\"b", false), [Reason::TornLast]);
        assert_eq!(reasons(b"123", true), [Reason::NotObject]);
        assert_eq!(reasons(b"null", true), [Reason::NotObject]);
        assert_eq!(reasons(b"hello", true), [Reason::NotJson]);
        assert_eq!(reasons(b"{a:1}", true), [Reason::NotJson]);
        let deep = format!("{{\"a\":{}{}}}", "[".repeat(200), "]".repeat(200));
        assert_eq!(reasons(deep.as_bytes(), true), [Reason::TooDeep]);
    }

    #[test]
    fn repairs_keep_what_can_be_kept() {
        let text = |bytes: &[u8]| match &split(bytes, true)[..] {
            [Piece::Object(_, text)] => text.clone(),
            other => panic!("{other:?}"),
        };
        assert_eq!(text(br#"{"a":1,"a":2}"#), r#"{"a":2}"#);
        assert_eq!(text(br#"{"a":"\ud83d!"}"#), "{\"a\":\"\u{fffd}!\"}");
        assert_eq!(text(br#"{"a":"\ud83d\ude00"}"#), "{\"a\":\"\u{1f600}\"}");
        assert_eq!(text(br#"{"a":"\\ud83d"}"#), r#"{"a":"\\ud83d"}"#);
        assert_eq!(text(b"{\"a\":\"\xe9\"}"), "{\"a\":\"\u{fffd}\"}");
        assert_eq!(
            text(br#"{"a":-1e999,"b":"1e999"}"#),
            r#"{"a":-0.0,"b":"1e999"}"#
        );
    }

    #[test]
    fn a_line_of_closing_brackets_is_no_panic() {
        assert_eq!(reasons(b"{]", true), [Reason::NotJson]);
        assert_eq!(reasons(b"}{", true), [Reason::NotJson]);
    }
}
