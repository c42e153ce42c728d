//! A file that a person wrote, as a tree that remembers its lines.

use serde_json::{Map, Number, Value};
use toml::Spanned;
use toml::de::{DeTable, DeValue};

use super::error::FieldError;
use super::json::strict;
use super::place::place;

/// One value and the line that it begins in.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Node {
    /// The line, from 1, where the format tells.
    pub line: Option<u32>,
    /// The value.
    pub item: Item,
}

/// A value.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Item {
    /// JSON's `null`.
    Null,
    /// A boolean.
    Bool(bool),
    /// An integer.
    Int(i64),
    /// A text.
    Text(String),
    /// A list.
    List(Vec<Node>),
    /// A table: each key with its value, in order.
    Table(Vec<(String, Node)>),
    /// A number that is no integer, or too large for one. No spec may hold one.
    Float,
    /// A date or a time.
    Time,
}

impl Node {
    /// Reads JSON where the text begins like it, and TOML otherwise.
    ///
    /// # Errors
    /// `kind=syntax` or `kind=duplicate-key`, with the line.
    pub fn parse(text: &str) -> Result<Self, FieldError> {
        if text.trim_start().starts_with('{') {
            let mut node = Self::json(text)?;
            place(&mut node, text);
            Ok(node)
        } else {
            Self::toml(text)
        }
    }

    /// Reads JSON without the lines of its values: whoever reads one object a line knows them.
    ///
    /// # Errors
    /// As for [`Node::parse`].
    pub fn json(text: &str) -> Result<Self, FieldError> {
        let value =
            strict(text).map_err(|error| FieldError::new("", error.kind).at(Some(error.line)))?;
        Ok(Self::of(value))
    }

    /// Reads TOML.
    ///
    /// # Errors
    /// As for [`Node::parse`].
    pub fn toml(text: &str) -> Result<Self, FieldError> {
        let lines = Lines::of(text);
        let table = DeTable::parse(text).map_err(|error| {
            let at = error.span().map_or(0, |span| span.start);
            let kind = match error.message().contains("duplicate key") {
                true => "duplicate-key",
                false => "syntax",
            };
            FieldError::new("", kind).at(Some(lines.line(at)))
        })?;
        let line = Some(1);
        Ok(of_table(table.into_inner(), line, &lines))
    }

    /// A tree without lines.
    #[must_use]
    pub fn of(value: Value) -> Self {
        let item = match value {
            Value::Null => Item::Null,
            Value::Bool(value) => Item::Bool(value),
            Value::Number(number) => number.as_i64().map_or(Item::Float, Item::Int),
            Value::String(text) => Item::Text(text),
            Value::Array(items) => Item::List(items.into_iter().map(Self::of).collect()),
            Value::Object(entries) => Item::Table(
                entries
                    .into_iter()
                    .map(|(key, value)| (key, Self::of(value)))
                    .collect(),
            ),
        };
        Self { line: None, item }
    }

    /// The text, or another where it is none.
    #[must_use]
    pub fn text_or<'n>(&'n self, other: &'n str) -> &'n str {
        match &self.item {
            Item::Text(text) => text,
            _ => other,
        }
    }

    /// The value below a key or at an index.
    #[must_use]
    pub fn get(&self, step: &str) -> Option<&Self> {
        match &self.item {
            Item::Table(entries) => entries
                .iter()
                .find(|(key, _)| key == step)
                .map(|(_, node)| node),
            Item::List(items) => items.get(step.parse::<usize>().ok()?),
            _ => None,
        }
    }

    /// The line of the deepest value on a dotted way below this one.
    #[must_use]
    pub fn line_of(&self, way: &str) -> Option<u32> {
        let mut at = self;
        for step in way.split('.') {
            let Some(next) = at.get(step) else { break };
            at = next;
        }
        at.line
    }

    /// The value as JSON, where it holds nothing that a spec may not hold.
    ///
    /// # Errors
    /// `kind=float` or `kind=time` with the field below `path`.
    pub fn to_value(&self, path: &str) -> Result<Value, FieldError> {
        Ok(match &self.item {
            Item::Null => Value::Null,
            Item::Bool(value) => Value::Bool(*value),
            Item::Int(value) => Value::Number(Number::from(*value)),
            Item::Text(text) => Value::String(text.clone()),
            Item::List(items) => {
                let mut all = Vec::with_capacity(items.len());
                for (index, item) in items.iter().enumerate() {
                    all.push(item.to_value(&format!("{path}.{index}"))?);
                }
                Value::Array(all)
            }
            Item::Table(entries) => {
                let mut all = Map::new();
                for (key, node) in entries {
                    let value = node.to_value(&format!("{path}.{}", named(key)))?;
                    all.insert(key.clone(), value);
                }
                Value::Object(all)
            }
            Item::Float => return Err(FieldError::new(path, "float").at(self.line)),
            Item::Time => return Err(FieldError::new(path, "time").at(self.line)),
        })
    }
}

/// A key as errors spell it: only what is plainly a field's name is repeated.
pub(super) fn named(key: &str) -> &str {
    let plain = |byte: u8| byte.is_ascii_alphanumeric() || byte == b'-' || byte == b'_';
    if (1..=40).contains(&key.len()) && key.bytes().all(plain) {
        key
    } else {
        "?"
    }
}

/// Where lines begin in a text.
struct Lines(Vec<usize>);

impl Lines {
    fn of(text: &str) -> Self {
        Self(memchr::memchr_iter(b'\n', text.as_bytes()).collect())
    }

    fn line(&self, at: usize) -> u32 {
        let before = self.0.partition_point(|end| *end < at);
        u32::try_from(before + 1).unwrap_or(u32::MAX)
    }
}

fn of_table(table: DeTable<'_>, line: Option<u32>, lines: &Lines) -> Node {
    let mut entries: Vec<(usize, String, Node)> = table
        .into_iter()
        .map(|(key, value)| {
            let at = key.span().start;
            let mut node = of_spanned(value, lines);
            // A key's own line says more than that of the bracket which its table opens with.
            node.line = Some(lines.line(at));
            (at, key.into_inner().into_owned(), node)
        })
        .collect();
    entries.sort_by_key(|(at, ..)| *at);
    let entries = entries.into_iter().map(|(_, key, node)| (key, node));
    Node {
        line,
        item: Item::Table(entries.collect()),
    }
}

fn of_spanned(value: Spanned<DeValue<'_>>, lines: &Lines) -> Node {
    let line = Some(lines.line(value.span().start));
    let item = match value.into_inner() {
        DeValue::String(text) => Item::Text(text.into_owned()),
        DeValue::Integer(number) => {
            i64::from_str_radix(number.as_str(), number.radix()).map_or(Item::Float, Item::Int)
        }
        DeValue::Float(_) => Item::Float,
        DeValue::Boolean(value) => Item::Bool(value),
        DeValue::Datetime(_) => Item::Time,
        DeValue::Array(items) => Item::List(
            items
                .into_iter()
                .map(|item| of_spanned(item, lines))
                .collect(),
        ),
        DeValue::Table(table) => return of_table(table, line, lines),
    };
    Node { line, item }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn toml_tells_the_lines_of_keys_and_of_tables_in_arrays() {
        let text = "a = 1\n\n[[tasks]]\nid = \"x\"\n[[tasks]]\nid = \"y\"\n[tasks.params]\nn = [\n 1,\n 2.5]\n";
        let node = Node::parse(text).unwrap();
        assert_eq!(node.line_of("a"), Some(1));
        assert_eq!(node.line_of("tasks.1"), Some(5));
        assert_eq!(node.line_of("tasks.1.id"), Some(6));
        assert_eq!(node.line_of("tasks.1.params.n.1"), Some(10));
        assert_eq!(node.line_of("tasks.1.params.gone.more"), Some(7));
        let error = node.to_value("spec").unwrap_err();
        assert_eq!(
            error.to_string(),
            "field=spec.tasks.1.params.n.1 line=10 kind=float"
        );
        assert_eq!(
            Node::parse("a = 1\nb =").unwrap_err().to_string(),
            "line=2 kind=syntax"
        );
        assert_eq!(Node::parse("a = 1\na = 2").unwrap_err().line, Some(2));
    }

    #[test]
    fn a_key_that_is_no_name_is_not_repeated() {
        assert_eq!(named("on-absent_2"), "on-absent_2");
        for key in ["", "a b", "/home/x", "é"] {
            assert_eq!(named(key), "?");
        }
    }
}
