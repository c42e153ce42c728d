//! Reading a key, whose shape is only known when a check is asked.

use serde_json::Value;

/// What a key may hold where it is a table: a name that is misspelt in it would be a fact that no answer is held against.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum KeyShape {
    /// The kind leans on no key.
    None,
    /// Facts by names that the spec gives.
    Any,
    /// These fields.
    Table {
        /// The key's own.
        own: &'static [&'static str],
        /// Those of tables in it, alone or in a list; with none, whatever stands there.
        rows: &'static [&'static str],
    },
}

impl KeyShape {
    /// A table of these fields.
    pub(super) const fn fields(own: &'static [&'static str]) -> Self {
        Self::Table { own, rows: &[] }
    }

    /// The path of a field of `key` that the kind does not ask for, if there is one.
    #[must_use]
    pub fn unknown_field<'k>(&self, key: &'k Value) -> Option<Vec<&'k str>> {
        let (Self::Table { own, rows }, Value::Object(fields)) = (self, key) else {
            return None;
        };
        fields.iter().find_map(|(name, value)| {
            if !own.contains(&name.as_str()) {
                return Some(vec![name.as_str()]);
            }
            let tables = match value {
                Value::Array(items) => items.as_slice(),
                value => std::slice::from_ref(value),
            };
            let mut inner = tables
                .iter()
                .filter_map(Value::as_object)
                .flat_map(|table| table.keys());
            let stranger = inner.find(|inner| !rows.is_empty() && !rows.contains(&inner.as_str()));
            stranger.map(|inner| vec![name.as_str(), inner.as_str()])
        })
    }
}

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
