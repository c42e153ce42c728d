//! Closed tables: every field is asked for by name, and one that nobody asked for is refused.

use serde_json::Value;

use super::error::FieldError;
use super::node::{Item, Node, named};

/// A value and the dotted way to it.
#[derive(Debug, Clone)]
pub struct At<'n> {
    /// The dotted field.
    pub path: String,
    /// The value.
    pub node: &'n Node,
}

/// A table whose fields are taken one by one.
#[derive(Debug)]
pub struct Fields<'n> {
    path: String,
    line: Option<u32>,
    left: Vec<(&'n str, &'n Node)>,
    all: Vec<&'n str>,
}

/// A dotted way one step on.
fn below(path: &str, step: &str) -> String {
    if path.is_empty() {
        step.to_owned()
    } else {
        format!("{path}.{step}")
    }
}

impl<'n> At<'n> {
    /// The root of a file.
    #[must_use]
    pub fn root(node: &'n Node) -> Self {
        Self {
            path: String::new(),
            node,
        }
    }

    /// An error about this value.
    #[must_use]
    pub fn fail(&self, kind: &'static str) -> FieldError {
        FieldError::new(self.path.clone(), kind).at(self.node.line)
    }

    /// The fields of a table.
    ///
    /// # Errors
    /// `kind=type`.
    pub fn table(&self) -> Result<Fields<'n>, FieldError> {
        let Item::Table(entries) = &self.node.item else {
            return Err(self.fail("type"));
        };
        Ok(Fields {
            path: self.path.clone(),
            line: self.node.line,
            left: entries
                .iter()
                .map(|(key, node)| (key.as_str(), node))
                .collect(),
            all: entries.iter().map(|(key, _)| key.as_str()).collect(),
        })
    }

    /// The entries of a table whose keys are names of the author's own.
    ///
    /// # Errors
    /// `kind=type`, or `kind=name` for a key that is no [name](At::name).
    pub fn entries(&self) -> Result<Vec<(String, At<'n>)>, FieldError> {
        let Item::Table(entries) = &self.node.item else {
            return Err(self.fail("type"));
        };
        entries
            .iter()
            .map(|(key, node)| {
                let at = At {
                    path: below(&self.path, named(key)),
                    node,
                };
                if is_name(key) {
                    Ok((key.clone(), at))
                } else {
                    Err(at.fail("name"))
                }
            })
            .collect()
    }

    /// The entries of a table whose keys are anything.
    ///
    /// # Errors
    /// `kind=type`.
    pub fn entries_of_any_key(&self) -> Result<Vec<(String, At<'n>)>, FieldError> {
        let Item::Table(entries) = &self.node.item else {
            return Err(self.fail("type"));
        };
        let entry = |(key, node): &'n (String, Node)| {
            let path = below(&self.path, named(key));
            (key.clone(), At { path, node })
        };
        Ok(entries.iter().map(entry).collect())
    }

    /// The items of a list.
    ///
    /// # Errors
    /// `kind=type`.
    pub fn list(&self) -> Result<Vec<At<'n>>, FieldError> {
        let Item::List(items) = &self.node.item else {
            return Err(self.fail("type"));
        };
        let item = |(index, node): (usize, &'n Node)| At {
            path: below(&self.path, &index.to_string()),
            node,
        };
        Ok(items.iter().enumerate().map(item).collect())
    }

    /// A list of at least one item.
    ///
    /// # Errors
    /// `kind=type` or `kind=empty`.
    pub fn some(&self) -> Result<Vec<At<'n>>, FieldError> {
        let items = self.list()?;
        if items.is_empty() {
            return Err(self.fail("empty"));
        }
        Ok(items)
    }

    /// A text of any length.
    ///
    /// # Errors
    /// `kind=type`.
    pub fn text(&self) -> Result<&'n str, FieldError> {
        match &self.node.item {
            Item::Text(text) => Ok(text),
            _ => Err(self.fail("type")),
        }
    }

    /// A text that is not empty.
    ///
    /// # Errors
    /// `kind=type` or `kind=empty`.
    pub fn words(&self) -> Result<String, FieldError> {
        match self.text()? {
            text if text.trim().is_empty() => Err(self.fail("empty")),
            text => Ok(text.to_owned()),
        }
    }

    /// An id: small letters, digits and single hyphens, beginning with a letter or digit.
    ///
    /// # Errors
    /// `kind=type` or `kind=name`.
    pub fn name(&self) -> Result<String, FieldError> {
        match self.text()? {
            text if is_name(text) => Ok(text.to_owned()),
            _ => Err(self.fail("name")),
        }
    }

    /// One of some words.
    ///
    /// # Errors
    /// `kind=type` or `kind=unknown-value`.
    pub fn one_of(&self, words: &[&'static str]) -> Result<&'static str, FieldError> {
        let text = self.text()?;
        let word = words.iter().find(|word| **word == text);
        word.copied().ok_or_else(|| self.fail("unknown-value"))
    }

    /// A boolean.
    ///
    /// # Errors
    /// `kind=type`.
    pub fn flag(&self) -> Result<bool, FieldError> {
        match self.node.item {
            Item::Bool(value) => Ok(value),
            _ => Err(self.fail("type")),
        }
    }

    /// An integer of at least `least`.
    ///
    /// # Errors
    /// `kind=type` or `kind=range`.
    pub fn count(&self, least: u32) -> Result<u32, FieldError> {
        let Item::Int(value) = self.node.item else {
            return Err(self.fail("type"));
        };
        u32::try_from(value)
            .ok()
            .filter(|value| *value >= least)
            .ok_or_else(|| self.fail("range"))
    }

    /// Small hexadecimal digits, so many.
    ///
    /// # Errors
    /// `kind=type` or `kind=hex`.
    pub fn hex(&self, digits: usize) -> Result<String, FieldError> {
        match self.text()? {
            text if is_hex(text, digits) => Ok(text.to_owned()),
            _ => Err(self.fail("hex")),
        }
    }

    /// A `/`-separated path below something: relative, without `.`, `..` or control characters.
    ///
    /// # Errors
    /// `kind=type` or `kind=path`.
    pub fn relative(&self) -> Result<String, FieldError> {
        match self.text()? {
            text if is_relative(text) => Ok(text.to_owned()),
            _ => Err(self.fail("path")),
        }
    }

    /// The value as JSON.
    ///
    /// # Errors
    /// Those of [`Node::to_value`].
    pub fn value(&self) -> Result<Value, FieldError> {
        self.node.to_value(&self.path)
    }
}

impl<'n> Fields<'n> {
    /// A field that may be left out.
    pub fn may(&mut self, name: &str) -> Option<At<'n>> {
        let at = self.left.iter().position(|(key, _)| *key == name)?;
        let (key, node) = self.left.remove(at);
        Some(At {
            path: below(&self.path, key),
            node,
        })
    }

    /// Whether a field stands there, whoever has asked for it.
    #[must_use]
    pub fn was(&self, name: &str) -> bool {
        self.all.contains(&name)
    }

    /// A field that must be there.
    ///
    /// # Errors
    /// `kind=missing`.
    pub fn need(&mut self, name: &str) -> Result<At<'n>, FieldError> {
        let missing = FieldError::new(below(&self.path, name), "missing").at(self.line);
        self.may(name).ok_or(missing)
    }

    /// An error about a field of this table.
    #[must_use]
    pub fn fail(&self, name: &str, kind: &'static str) -> FieldError {
        FieldError::new(below(&self.path, name), kind).at(self.line)
    }

    /// Nothing may be left.
    ///
    /// # Errors
    /// `kind=unknown-field` for the first field that nobody asked for.
    pub fn done(self) -> Result<(), FieldError> {
        match self.left.first() {
            Some((key, node)) => {
                Err(FieldError::new(below(&self.path, named(key)), "unknown-field").at(node.line))
            }
            None => Ok(()),
        }
    }
}

/// Whether a text is an id of the author's own.
#[must_use]
pub fn is_name(text: &str) -> bool {
    (1..=64).contains(&text.len())
        && text.split('-').all(|word| {
            !word.is_empty()
                && word
                    .bytes()
                    .all(|b| b.is_ascii_lowercase() || b.is_ascii_digit())
        })
}

/// Whether a text is so many small hexadecimal digits.
#[must_use]
pub fn is_hex(text: &str, digits: usize) -> bool {
    text.len() == digits
        && text
            .bytes()
            .all(|byte| matches!(byte, b'0'..=b'9' | b'a'..=b'f'))
}

/// Whether a text is a plain relative path.
#[must_use]
pub fn is_relative(text: &str) -> bool {
    !text.is_empty()
        && !text.contains(['\\', ':'])
        && !text.chars().any(char::is_control)
        && text.split('/').all(|part| !matches!(part, "" | "." | ".."))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_field_is_refused_by_name_and_line() {
        let node = Node::parse("id = \"Bad Id\"\nmore = 1\n[in]\nn = -1\np = \"../x\"\n").unwrap();
        let mut fields = At::root(&node).table().unwrap();
        let said = |error: FieldError| error.to_string();
        assert_eq!(
            said(fields.need("gone").unwrap_err()),
            "field=gone line=1 kind=missing"
        );
        let id = fields.need("id").unwrap();
        assert_eq!(said(id.name().unwrap_err()), "field=id line=1 kind=name");
        let mut inner = fields.need("in").unwrap().table().unwrap();
        let count = inner.need("n").unwrap();
        assert_eq!(
            said(count.count(0).unwrap_err()),
            "field=in.n line=4 kind=range"
        );
        let path = inner.need("p").unwrap();
        assert_eq!(
            said(path.relative().unwrap_err()),
            "field=in.p line=5 kind=path"
        );
        assert_eq!(
            said(inner.need("q").unwrap_err()),
            "field=in.q line=3 kind=missing"
        );
        assert!(inner.done().is_ok());
        assert_eq!(
            said(fields.done().unwrap_err()),
            "field=more line=2 kind=unknown-field"
        );
    }

    #[test]
    fn names_and_paths_are_plain() {
        for good in ["a", "a-1", "3x"] {
            assert!(is_name(good), "{good}");
        }
        for bad in ["", "-a", "a--b", "A", "a_b", "a.b"] {
            assert!(!is_name(bad), "{bad}");
        }
        for bad in ["", "/a", "a//b", "a/..", "./a", "c:x", "a\\b", "a\nb"] {
            assert!(!is_relative(bad), "{bad}");
        }
        assert!(is_relative("src/a b.py"));
    }
}
