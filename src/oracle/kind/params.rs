//! Parameters of a check, read as a closed shape.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::{Map, Value};

use super::super::check::{Asked, FORMS, ParamError};
use super::super::grammar::Phrase;
use super::super::guard::Guards;

/// Fields of one table. What is not asked for by the end is refused.
pub(super) struct Params<'p> {
    fields: &'p Map<String, Value>,
    path: String,
    used: BTreeSet<&'static str>,
}

impl<'p> Params<'p> {
    pub(super) fn new(value: &'p Value) -> Result<Self, ParamError> {
        Self::at(value, String::new())
    }

    fn at(value: &'p Value, path: String) -> Result<Self, ParamError> {
        let Value::Object(fields) = value else {
            let field = if path.is_empty() {
                "params".to_owned()
            } else {
                path
            };
            return Err(ParamError {
                field,
                kind: "type",
            });
        };
        Ok(Self {
            fields,
            path,
            used: BTreeSet::new(),
        })
    }

    fn dotted(&self, name: &str) -> String {
        if self.path.is_empty() {
            name.to_owned()
        } else {
            format!("{}.{name}", self.path)
        }
    }

    /// A field that is wrong. For one that is missing, a field beside it that nobody read and that is nearly called so is the
    /// name misspelt.
    pub(super) fn error(&self, name: &str, kind: &'static str) -> ParamError {
        let alike = |other: &&String| {
            let same = other.bytes().zip(name.bytes()).take_while(|(a, b)| a == b);
            other.len().abs_diff(name.len()) <= 2 && same.count() >= 3
        };
        let mut unread = self
            .fields
            .keys()
            .filter(|other| !self.used.contains(other.as_str()));
        let (name, kind) = match unread.find(alike).filter(|_| kind == "missing") {
            Some(other) => (other.as_str(), "unknown-field"),
            None => (name, kind),
        };
        ParamError {
            field: self.dotted(name),
            kind,
        }
    }

    fn get(&mut self, name: &'static str) -> Option<&'p Value> {
        self.used.insert(name);
        self.fields.get(name)
    }

    pub(super) fn text(&mut self, name: &'static str) -> Result<Option<&'p str>, ParamError> {
        match self.get(name) {
            None => Ok(None),
            Some(Value::String(text)) if !text.is_empty() => Ok(Some(text)),
            Some(Value::String(_)) => Err(self.error(name, "empty")),
            Some(_) => Err(self.error(name, "type")),
        }
    }

    /// A text that must be there.
    pub(super) fn needed(&mut self, name: &'static str) -> Result<&'p str, ParamError> {
        self.text(name)?.ok_or_else(|| self.error(name, "missing"))
    }

    /// A table of texts under names of their own.
    pub(super) fn pairs(
        &mut self,
        name: &'static str,
    ) -> Result<Vec<(String, String)>, ParamError> {
        let Some(table) = self.table(name)? else {
            return Ok(Vec::new());
        };
        let pair = |(own, value): (&String, &Value)| match value {
            Value::String(text) => Ok((own.clone(), text.clone())),
            _ => Err(table.error(own, "type")),
        };
        table.fields.iter().map(pair).collect()
    }

    /// One of a closed set of words; the first is what is meant where the field is absent.
    pub(super) fn choice(
        &mut self,
        name: &'static str,
        values: &[&'static str],
    ) -> Result<&'static str, ParamError> {
        let found = match self.text(name)? {
            None => values.first(),
            Some(text) => values.iter().find(|value| **value == text),
        };
        found
            .copied()
            .ok_or_else(|| self.error(name, "unknown-value"))
    }

    pub(super) fn flag(&mut self, name: &'static str, absent: bool) -> Result<bool, ParamError> {
        match self.get(name) {
            None => Ok(absent),
            Some(Value::Bool(value)) => Ok(*value),
            Some(_) => Err(self.error(name, "type")),
        }
    }

    pub(super) fn int(&mut self, name: &'static str) -> Result<Option<i64>, ParamError> {
        match self.get(name) {
            None => Ok(None),
            Some(value) => value
                .as_i64()
                .map(Some)
                .ok_or_else(|| self.error(name, "type")),
        }
    }

    /// A list of texts, or one text alone.
    pub(super) fn texts(&mut self, name: &'static str) -> Result<Vec<&'p str>, ParamError> {
        let items = match self.get(name) {
            None => return Ok(Vec::new()),
            Some(Value::String(text)) if !text.is_empty() => return Ok(vec![text]),
            Some(Value::Array(items)) => items,
            Some(_) => return Err(self.error(name, "type")),
        };
        let mut out = Vec::new();
        for (index, item) in items.iter().enumerate() {
            match item {
                Value::String(text) if !text.is_empty() => out.push(text.as_str()),
                Value::String(_) => return Err(self.error(&format!("{name}.{index}"), "empty")),
                _ => return Err(self.error(&format!("{name}.{index}"), "type")),
            }
        }
        Ok(out)
    }

    pub(super) fn phrases(&mut self, name: &'static str) -> Result<Vec<Phrase>, ParamError> {
        self.phrases_with_case(name, false)
    }

    pub(super) fn phrases_with_case(
        &mut self,
        name: &'static str,
        sensitive: bool,
    ) -> Result<Vec<Phrase>, ParamError> {
        let mut out = Vec::new();
        for (index, text) in self.texts(name)?.into_iter().enumerate() {
            let phrase = Phrase::with_case(text, sensitive);
            if phrase.is_empty() {
                return Err(self.error(&format!("{name}.{index}"), "empty"));
            }
            out.push(phrase);
        }
        Ok(out)
    }

    /// A list that must hold something.
    pub(super) fn some_phrases(&mut self, name: &'static str) -> Result<Vec<Phrase>, ParamError> {
        let found = self.phrases(name)?;
        if found.is_empty() {
            return Err(self.error(name, "missing"));
        }
        Ok(found)
    }

    pub(super) fn ints(&mut self, name: &'static str) -> Result<Vec<i128>, ParamError> {
        let Some(value) = self.get(name) else {
            return Ok(Vec::new());
        };
        let items = value.as_array().ok_or_else(|| self.error(name, "type"))?;
        let ints: Option<Vec<i128>> = items
            .iter()
            .map(|item| item.as_i64().map(i128::from))
            .collect();
        ints.ok_or_else(|| self.error(name, "type"))
    }

    /// A table below this one.
    pub(super) fn table(&mut self, name: &'static str) -> Result<Option<Self>, ParamError> {
        let path = self.dotted(name);
        self.get(name)
            .map(|value| Self::at(value, path))
            .transpose()
    }

    /// A list of tables below this one.
    pub(super) fn tables(&mut self, name: &'static str) -> Result<Vec<Self>, ParamError> {
        let Some(value) = self.get(name) else {
            return Ok(Vec::new());
        };
        let items = value.as_array().ok_or_else(|| self.error(name, "type"))?;
        let path = self.dotted(name);
        let tables = items.iter().enumerate();
        tables
            .map(|(index, item)| Self::at(item, format!("{path}.{index}")))
            .collect()
    }

    /// One table below this one, or a list of them; none where the field is absent.
    pub(super) fn table_or_tables(&mut self, name: &'static str) -> Result<Vec<Self>, ParamError> {
        match self.fields.get(name) {
            Some(Value::Object(_)) => Ok(self.table(name)?.into_iter().collect()),
            _ => self.tables(name),
        }
    }

    /// Refuses what was not asked for.
    pub(super) fn finish(self) -> Result<(), ParamError> {
        let unknown = self
            .fields
            .keys()
            .find(|name| !self.used.contains(name.as_str()));
        match unknown {
            Some(name) => Err(self.error(name, "unknown-field")),
            None => Ok(()),
        }
    }
}

/// What every kind takes: reasons of one's own, and what an absent fact is.
#[derive(Debug, Clone)]
pub(super) struct Common {
    reasons: BTreeMap<&'static str, String>,
    /// An absent fact fails.
    pub(super) absent_fails: bool,
    /// Whether an absent fact fails in this kind where nothing is told.
    fails_untold: bool,
}

impl Common {
    /// Reads what a kind that asks steps or evidence takes: `reason` and `reasons`.
    pub(super) fn reasons_only(
        params: &mut Params<'_>,
        failing: &'static [&'static str],
    ) -> Result<Self, ParamError> {
        Ok(Self {
            reasons: reasons(params, failing)?,
            absent_fails: false,
            fails_untold: false,
        })
    }

    /// Reads `reason` (for the first reason to fail), `reasons` (by default id), `on-absent` and
    /// `text`.
    pub(super) fn read(
        params: &mut Params<'_>,
        failing: &'static [&'static str],
        absent: &'static [&'static str; 2],
    ) -> Result<Self, ParamError> {
        let reasons = reasons(params, failing)?;
        params.choice("text", &FORMS)?;
        let absent_fails = params.choice("on-absent", absent)? == "fail";
        Ok(Self {
            reasons,
            absent_fails,
            fails_untold: absent[0] == "fail",
        })
    }

    /// The id under which a reason to fail is reported.
    pub(super) fn reason(&self, default: &'static str) -> &str {
        self.reasons.get(default).map_or(default, String::as_str)
    }

    /// The reason for an absent fact, where it fails.
    pub(super) fn absent(&self, guards: Guards<'_>, default: &'static str) -> Option<&str> {
        let fails = match guards.on("absent-by-choice") {
            true => self.absent_fails,
            false => self.fails_untold,
        };
        fails.then(|| self.reason(default))
    }

    /// The same of an answer: what one that is partly in another script says in other words is not missing.
    pub(super) fn absent_in(&self, asked: &Asked<'_>, default: &'static str) -> Option<&str> {
        let foreign = asked.answer.holds_foreign();
        let foreign = asked.guards.hold("another-script", foreign);
        self.absent(asked.guards, default).filter(|_| !foreign)
    }
}

/// The ids of one's own for reasons to fail: `reason` for the first, `reasons` by default id.
fn reasons(
    params: &mut Params<'_>,
    failing: &'static [&'static str],
) -> Result<BTreeMap<&'static str, String>, ParamError> {
    let mut reasons: BTreeMap<&'static str, String> = failing
        .iter()
        .map(|reason| (*reason, (*reason).to_owned()))
        .collect();
    if let (Some(own), Some(first)) = (reason(params, "reason")?, failing.first()) {
        reasons.insert(first, own);
    }
    if let Some(mut table) = params.table("reasons")? {
        for default in failing {
            if let Some(own) = reason(&mut table, default)? {
                reasons.insert(default, own);
            }
        }
        table.finish()?;
    }
    Ok(reasons)
}

/// Absent facts are unknown unless the check says otherwise.
pub(super) const UNKNOWN: &[&str; 2] = &["unknown", "fail"];
/// Absent facts fail unless the check says otherwise.
pub(super) const FAIL: &[&str; 2] = &["fail", "unknown"];

/// A reason id: words of lower-case letters and digits.
pub(super) fn reason(
    params: &mut Params<'_>,
    name: &'static str,
) -> Result<Option<String>, ParamError> {
    let Some(text) = params.text(name)? else {
        return Ok(None);
    };
    let word = |part: &str| {
        !part.is_empty()
            && part
                .bytes()
                .all(|byte| byte.is_ascii_lowercase() || byte.is_ascii_digit())
    };
    if text.split(['-', '_']).all(word) {
        Ok(Some(text.to_owned()))
    } else {
        Err(params.error(name, "unknown-value"))
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::super::super::check::parse;

    fn refusal(kind: &str, params: &serde_json::Value) -> String {
        parse(kind, params)
            .err()
            .map(|error| error.to_string())
            .unwrap_or_default()
    }

    #[test]
    fn parameters_are_closed() {
        for (kind, params, expected) in [
            ("none", json!({}), "field=kind kind=unknown-value"),
            ("int-fact", json!([]), "field=params kind=type"),
            ("int-fact", json!({}), "field=labels kind=missing"),
            (
                "int-fact",
                json!({"labels": ["a"], "x": 1}),
                "field=x kind=unknown-field",
            ),
            (
                "int-fact",
                json!({"labels": ["a", 1]}),
                "field=labels.1 kind=type",
            ),
            (
                "int-fact",
                json!({"labels": ["`"]}),
                "field=labels.0 kind=empty",
            ),
            (
                "int-fact",
                json!({"labels": ["a"], "reason": "No"}),
                "field=reason kind=unknown-value",
            ),
            (
                "int-fact",
                json!({"labels": ["a"], "reasons": {"x": "y"}}),
                "field=reasons.x kind=unknown-field",
            ),
            (
                "int-fact",
                json!({"labels": ["a"], "text": "guess"}),
                "field=text kind=unknown-value",
            ),
            (
                "page-facts",
                json!({"facts": [{"name": "a", "kind": "int"}]}),
                "field=facts.0.labels kind=missing",
            ),
        ] {
            assert_eq!(refusal(kind, &params), expected, "{params}");
        }
    }
}
