//! JSON that borrows what it says and is written at once. Every grade stores the sessions of its controls
//! anew, and making trees of their records took longer than judging them.

use serde_json::Value;

/// A JSON value.
#[derive(Debug, Clone, Copy)]
pub(super) enum Json<'a> {
    Null,
    Flag(bool),
    Number(i64),
    Text(&'a str),
    List(&'a [Json<'a>]),
    Object(&'a [(&'a str, Json<'a>)]),
    Tree(&'a Value),
}

/// An object, spelled as it is written.
macro_rules! object {
    ($($key:tt: $value:expr),* $(,)?) => {
        $crate::control::session::json::Json::Object(&[
            $(($key, $crate::control::session::json::Json::from($value)),)*
        ])
    };
}

/// A list.
macro_rules! list {
    ($($value:expr),* $(,)?) => {
        $crate::control::session::json::Json::List(&[
            $($crate::control::session::json::Json::from($value),)*
        ])
    };
}

pub(super) use {list, object};

impl Json<'_> {
    /// Writes it without a space.
    pub(super) fn write(self, out: &mut Vec<u8>) {
        match self {
            Self::Null => out.extend_from_slice(b"null"),
            Self::Flag(true) => out.extend_from_slice(b"true"),
            Self::Flag(false) => out.extend_from_slice(b"false"),
            Self::Number(number) => out.extend_from_slice(number.to_string().as_bytes()),
            Self::Text(text) => write_text(text, out),
            Self::List(items) => {
                out.push(b'[');
                for (at, item) in items.iter().enumerate() {
                    if at > 0 {
                        out.push(b',');
                    }
                    item.write(out);
                }
                out.push(b']');
            }
            Self::Object(fields) => {
                out.push(b'{');
                write_fields(fields, out);
                out.push(b'}');
            }
            // Writing into memory cannot fail.
            Self::Tree(value) => drop(serde_json::to_writer(out, value)),
        }
    }

    /// Its text, where it stands in another value as one.
    pub(super) fn text(self) -> String {
        let mut out = Vec::new();
        self.write(&mut out);
        String::from_utf8(out).unwrap_or_default()
    }
}

/// Writes the inside of an object.
pub(super) fn write_fields(fields: &[(&str, Json<'_>)], out: &mut Vec<u8>) {
    for (at, (name, value)) in fields.iter().enumerate() {
        if at > 0 {
            out.push(b',');
        }
        write_text(name, out);
        out.push(b':');
        value.write(out);
    }
}

fn write_text(text: &str, out: &mut Vec<u8>) {
    // Writing into memory cannot fail.
    let _ = serde_json::to_writer(out, text);
}

impl<'a> From<&'a str> for Json<'a> {
    fn from(text: &'a str) -> Self {
        Self::Text(text)
    }
}

impl<'a> From<&'a String> for Json<'a> {
    fn from(text: &'a String) -> Self {
        Self::Text(text)
    }
}

impl From<bool> for Json<'_> {
    fn from(flag: bool) -> Self {
        Self::Flag(flag)
    }
}

impl From<i64> for Json<'_> {
    fn from(number: i64) -> Self {
        Self::Number(number)
    }
}

impl From<usize> for Json<'_> {
    fn from(number: usize) -> Self {
        Self::Number(i64::try_from(number).unwrap_or(i64::MAX))
    }
}

impl<'a> From<&'a [Self]> for Json<'a> {
    fn from(items: &'a [Self]) -> Self {
        Self::List(items)
    }
}

impl<'a> From<&'a Value> for Json<'a> {
    fn from(value: &'a Value) -> Self {
        Self::Tree(value)
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn it_is_written_as_a_tree_would_be() {
        let tree = json!({"a": ["\"\n\u{e9}", null], "b": {"c": -7}});
        let (text, number) = ("tab\tand \\".to_owned(), 3_usize);
        let items = [Json::from(&text), Json::Null];
        let within = object! {"tree": &tree};
        let of = list!["x", within];
        let own = object! {
            "text": &text, "no": Json::Null, "yes": true, "n": -40_i64, "3": number,
            "list": &items[..], "of": of, "none": object! {}, "empty": list![],
        };
        let same = json!({"text": text, "no": null, "yes": true, "n": -40, "3": 3, "list": [text, null],
            "of": ["x", {"tree": tree}], "none": {}, "empty": []});
        assert_eq!(own.text(), same.to_string());
    }
}
