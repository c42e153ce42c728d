//! Reading a key, whose shape is only known when a check is asked.

use serde_json::Value;

/// A field of a key. A key that is no table is its own main field.
pub(super) fn main<'k>(key: &'k Value, name: &str) -> Option<&'k Value> {
    match key {
        Value::Object(fields) => fields.get(name),
        Value::Null => None,
        other => Some(other),
    }
}

/// A field of a key that is a table.
pub(super) fn field<'k>(key: &'k Value, name: &str) -> Option<&'k Value> {
    key.as_object()?.get(name)
}

/// An integer, or a text that spells one, as a source that is a file does.
pub(super) fn int(value: &Value) -> Option<i128> {
    match value {
        Value::Number(number) => number
            .as_i64()
            .map(i128::from)
            .or_else(|| number.as_u64().map(i128::from)),
        Value::String(text) => text.trim().parse().ok(),
        _ => None,
    }
}

/// A text that is not empty.
pub(super) fn text(value: &Value) -> Option<&str> {
    value.as_str().filter(|text| !text.trim().is_empty())
}

/// A list of texts.
pub(super) fn texts(value: &Value) -> Option<Vec<&str>> {
    value.as_array()?.iter().map(text).collect()
}

/// A list of integers.
pub(super) fn ints(value: &Value) -> Option<Vec<i128>> {
    value.as_array()?.iter().map(int).collect()
}

/// A line number.
pub(super) fn line(value: Option<&Value>) -> Option<u64> {
    value
        .and_then(int)
        .and_then(|line| u64::try_from(line).ok())
}

/// A list of a key, empty where it is absent.
pub(super) fn items<'k>(key: &'k Value, name: &str) -> Option<&'k [Value]> {
    match field(key, name) {
        None | Some(Value::Null) => Some(&[]),
        Some(value) => value.as_array().map(Vec::as_slice),
    }
}
