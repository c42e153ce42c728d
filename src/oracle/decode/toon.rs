//! TOON, strict, by the official crate.

use super::Datum;

/// Decodes a text in strict mode.
pub(crate) fn decode(text: &str) -> Option<Datum> {
    let value: serde_json::Value = toon_format::decode_strict(text).ok()?;
    Some(Datum::of(&value))
}
