//! Typed reading of a case document, with the place of what is wrong.

use serde_json::{Map, Value};

use super::pyjson::scalar_str;

/// A case document that cannot be replayed. Prints as one line, `E_CASE field=<path>: <what>`.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("E_CASE field={path}: {what}")]
pub struct CaseError {
    /// Where, such as `cases[3].ops[0].tool`; `$` for the document itself. Holds no input text.
    pub path: String,
    /// What was expected there.
    pub what: String,
}

impl CaseError {
    pub(super) fn new(path: impl Into<String>, what: impl Into<String>) -> Self {
        Self {
            path: path.into(),
            what: what.into(),
        }
    }
}

/// One object of the document and where it stands. Null counts as absent throughout.
pub(super) struct Fields<'a> {
    map: &'a Map<String, Value>,
    path: String,
}

impl<'a> Fields<'a> {
    pub(super) fn new(value: &'a Value, path: String) -> Result<Self, CaseError> {
        match value {
            Value::Object(map) => Ok(Self { map, path }),
            _ => Err(CaseError::new(path, "expected an object")),
        }
    }

    pub(super) fn path_of(&self, key: &str) -> String {
        if self.path.is_empty() {
            key.to_owned()
        } else {
            format!("{}.{key}", self.path)
        }
    }

    pub(super) fn error(&self, key: &str, what: &str) -> CaseError {
        CaseError::new(self.path_of(key), what)
    }

    pub(super) fn get(&self, key: &str) -> Option<&'a Value> {
        self.map.get(key).filter(|value| !value.is_null())
    }

    /// The value itself, null included.
    pub(super) fn raw(&self, key: &str) -> Option<&'a Value> {
        self.map.get(key)
    }

    fn read<T>(
        &self,
        key: &str,
        what: &str,
        read: impl FnOnce(&'a Value) -> Option<T>,
    ) -> Result<Option<T>, CaseError> {
        match self.get(key) {
            Some(value) => read(value).map(Some).ok_or_else(|| self.error(key, what)),
            None => Ok(None),
        }
    }

    pub(super) fn str(&self, key: &str) -> Result<Option<&'a str>, CaseError> {
        self.read(key, "expected a string", Value::as_str)
    }

    pub(super) fn need_str(&self, key: &str) -> Result<&'a str, CaseError> {
        self.str(key)?
            .ok_or_else(|| self.error(key, "expected a string"))
    }

    pub(super) fn bool(&self, key: &str) -> Result<Option<bool>, CaseError> {
        self.read(key, "expected true or false", Value::as_bool)
    }

    pub(super) fn int(&self, key: &str) -> Result<Option<i64>, CaseError> {
        self.read(key, "expected a whole number", Value::as_i64)
    }

    /// A scalar as Python's `str` writes it; the package turns every argument into text so.
    pub(super) fn need_text(&self, key: &str) -> Result<String, CaseError> {
        self.raw(key)
            .and_then(scalar_str)
            .ok_or_else(|| self.error(key, "expected a string or another scalar"))
    }

    pub(super) fn array(&self, key: &str) -> Result<Option<&'a [Value]>, CaseError> {
        self.read(key, "expected an array", |value| {
            value.as_array().map(Vec::as_slice)
        })
    }

    pub(super) fn strings<C: FromIterator<String>>(
        &self,
        key: &str,
    ) -> Result<Option<C>, CaseError> {
        let Some(items) = self.array(key)? else {
            return Ok(None);
        };
        let read = |(i, item): (usize, &Value)| match item.as_str() {
            Some(text) => Ok(text.to_owned()),
            None => Err(CaseError::new(
                format!("{}[{i}]", self.path_of(key)),
                "expected a string",
            )),
        };
        items
            .iter()
            .enumerate()
            .map(read)
            .collect::<Result<C, _>>()
            .map(Some)
    }
}
