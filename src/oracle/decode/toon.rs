//! TOON, strict, by the official crate.

use super::Datum;

/// The version of the TOON specification that payloads are decoded by: that of the official crate.
/// It stands in every sealed spec, so that another decoder is told.
pub const TOON: &str = "4.4";

/// The crate reads an integer beyond 64 bits as a text. Which of the two stood there cannot be told
/// any more, so it equals what it spells.
fn whole(value: Datum) -> Datum {
    match value {
        Datum::Text(text) if is_wide(&text) => Datum::Cell(text),
        Datum::List(items) => Datum::List(items.into_iter().map(whole).collect()),
        Datum::Record(fields) => {
            let fields = fields.into_iter();
            Datum::Record(fields.map(|(name, value)| (name, whole(value))).collect())
        }
        other => other,
    }
}

fn is_wide(text: &str) -> bool {
    let digits = text.strip_prefix('-').unwrap_or(text);
    digits.len() > 18
        && digits.bytes().all(|byte| byte.is_ascii_digit())
        && text.parse::<i64>().is_err()
        && text.parse::<u64>().is_err()
}

/// Decodes a text in strict mode.
pub(crate) fn decode(text: &str) -> Option<Datum> {
    let value: serde_json::Value = toon_format::decode_strict(text).ok()?;
    Some(whole(Datum::of(&value)))
}
