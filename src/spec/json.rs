//! JSON read strictly: no key twice in an object, nothing after the value, order kept.

use std::fmt;

use serde::de::{DeserializeSeed, Error as _, MapAccess, SeqAccess, Visitor};
use serde::{Deserialize, Deserializer};
use serde_json::{Map, Number, Value};

/// Why a text is no JSON that is taken.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct JsonError {
    /// The line, from 1.
    pub line: u32,
    /// `syntax` or `duplicate-key`.
    pub kind: &'static str,
}

/// What the error of a key that stands twice says, to be told from the others.
const TWICE: &str = "a key stands twice";

/// One JSON value, with the order of its keys.
///
/// # Errors
/// Text that is no JSON, deeper than 128 levels, or an object with a key twice.
pub fn strict(text: &str) -> Result<Value, JsonError> {
    serde_json::from_str::<Strict>(text)
        .map(|strict| strict.0)
        .map_err(|error| JsonError {
            line: u32::try_from(error.line()).unwrap_or(u32::MAX).max(1),
            kind: if error.to_string().starts_with(TWICE) {
                "duplicate-key"
            } else {
                "syntax"
            },
        })
}

struct Strict(Value);

impl<'de> Deserialize<'de> for Strict {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(Reader).map(Self)
    }
}

struct Reader;

impl<'de> DeserializeSeed<'de> for Reader {
    type Value = Value;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<Value, D::Error> {
        deserializer.deserialize_any(self)
    }
}

impl<'de> Visitor<'de> for Reader {
    type Value = Value;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("JSON")
    }

    fn visit_unit<E>(self) -> Result<Value, E> {
        Ok(Value::Null)
    }

    fn visit_bool<E>(self, value: bool) -> Result<Value, E> {
        Ok(Value::Bool(value))
    }

    fn visit_i64<E>(self, value: i64) -> Result<Value, E> {
        Ok(Value::Number(value.into()))
    }

    fn visit_u64<E>(self, value: u64) -> Result<Value, E> {
        Ok(Value::Number(value.into()))
    }

    fn visit_f64<E: serde::de::Error>(self, value: f64) -> Result<Value, E> {
        let number = Number::from_f64(value).ok_or_else(|| E::custom("no number"))?;
        Ok(Value::Number(number))
    }

    fn visit_str<E>(self, value: &str) -> Result<Value, E> {
        Ok(Value::String(value.to_owned()))
    }

    fn visit_string<E>(self, value: String) -> Result<Value, E> {
        Ok(Value::String(value))
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut items: A) -> Result<Value, A::Error> {
        let mut all = Vec::new();
        while let Some(item) = items.next_element_seed(Reader)? {
            all.push(item);
        }
        Ok(Value::Array(all))
    }

    fn visit_map<A: MapAccess<'de>>(self, mut entries: A) -> Result<Value, A::Error> {
        let mut all = Map::new();
        while let Some(key) = entries.next_key::<String>()? {
            let value = entries.next_value_seed(Reader)?;
            if all.insert(key, value).is_some() {
                return Err(A::Error::custom(TWICE));
            }
        }
        Ok(Value::Object(all))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_key_twice_and_what_is_no_json_are_refused() {
        let kind = |text: &str| strict(text).map_err(|error| (error.line, error.kind));
        assert_eq!(
            kind("{\"a\":1,\n\"b\":{\"c\":1,\"c\":1}}"),
            Err((2, "duplicate-key"))
        );
        for text in ["", "{\"a\":NaN}", "[1] 2", "{'a':1}", "\u{feff}{}"] {
            assert_eq!(kind(text), Err((1, "syntax")), "{text}");
        }
        assert!(strict(&"[".repeat(100_000)).is_err());
        let value = strict("{\"b\":1,\"a\":[true,null,1.5,\"x\"]}").unwrap();
        assert_eq!(value.to_string(), "{\"b\":1,\"a\":[true,null,1.5,\"x\"]}");
    }
}
