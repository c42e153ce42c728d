//! From a line's bytes to JSON objects, with every byte accounted for.
//!
//! The fast path hands a whole line to the adapter. What it refuses is split, repaired and tried
//! again here; what still is no object is quarantined with its place and reason.

use std::borrow::Cow;
use std::ops::Range;

use serde_json::Value;

/// Why bytes are no record. The spellings are part of the row format.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
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
        }
    }
}

/// One piece of a line, by its byte range in the line.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Piece {
    /// A JSON object as repaired text.
    Object(Range<usize>, String),
    /// Bytes that are no record.
    Quarantined(Range<usize>, Reason),
}

/// The text of a line: borrowed where it is UTF-8, decoded lossily where it is not.
#[must_use]
pub fn line_text(bytes: &[u8]) -> Cow<'_, str> {
    match simdutf8::basic::from_utf8(bytes) {
        Ok(text) => Cow::Borrowed(text),
        Err(_) => String::from_utf8_lossy(bytes),
    }
}

/// The range of a line without the white space around it.
#[must_use]
pub fn trimmed(bytes: &[u8]) -> Range<usize> {
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

/// Splits a line that is not exactly one plain object.
#[must_use]
pub fn split(bytes: &[u8], terminated: bool) -> Vec<Piece> {
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
        pieces.push(match repair(&bytes[range.clone()]) {
            Ok(text) => Piece::Object(range.clone(), text),
            Err(reason) => Piece::Quarantined(range.clone(), reason),
        });
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

/// The length of the object that the bytes begin with, by its braces alone.
fn object_length(bytes: &[u8]) -> Option<usize> {
    if bytes.first() != Some(&b'{') {
        return None;
    }
    let (mut depth, mut quoted, mut escaped) = (0_usize, false, false);
    for (at, byte) in bytes.iter().enumerate() {
        if quoted {
            match byte {
                _ if escaped => escaped = false,
                b'\\' => escaped = true,
                b'"' => quoted = false,
                _ => {}
            }
            continue;
        }
        match byte {
            b'"' => quoted = true,
            b'{' | b'[' => depth += 1,
            b'}' | b']' => {
                depth -= 1;
                if depth == 0 {
                    return Some(at + 1);
                }
            }
            _ => {}
        }
    }
    None
}

fn reason_of(bytes: &[u8], terminated: bool) -> Reason {
    if bytes.first() == Some(&b'{') {
        return if terminated {
            Reason::Torn
        } else {
            Reason::TornLast
        };
    }
    match serde_json::from_slice::<Value>(bytes) {
        Ok(_) => Reason::NotObject,
        Err(error) if error.is_eof() && !terminated => Reason::TornLast,
        Err(_) => Reason::NotJson,
    }
}

/// Object text that a strict reader takes: lone surrogates replaced, repeated keys folded into
/// their last value, bytes that are no UTF-8 replaced.
fn repair(bytes: &[u8]) -> Result<String, Reason> {
    let text = line_text(bytes);
    let text = replace_lone_surrogates(&text);
    match serde_json::from_str::<Value>(&text) {
        Ok(value @ Value::Object(_)) => Ok(value.to_string()),
        Ok(_) => Err(Reason::NotObject),
        Err(error) if error.to_string().starts_with("recursion limit") => Err(Reason::TooDeep),
        Err(_) => Err(Reason::NotJson),
    }
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
    }

    #[test]
    fn a_line_of_closing_brackets_is_no_panic() {
        assert_eq!(reasons(b"{]", true), [Reason::NotJson]);
        assert_eq!(reasons(b"}{", true), [Reason::NotJson]);
    }
}
