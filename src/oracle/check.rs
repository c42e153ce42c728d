//! A check of a spec, read from its parameters, and what it is asked with.

use std::collections::BTreeMap;

use serde_json::Value;

use super::deed::{Deeds, Seen};
use super::grammar::Answer;
use super::guard::Guards;
use super::kind::KINDS;
use super::verdict::Component;

/// Why a check's parameters are none. It names the field, never its value.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("field={field} kind={kind}")]
pub struct ParamError {
    /// The dotted field below the check.
    pub field: String,
    /// What is wrong with it.
    pub kind: &'static str,
}

/// A rule that can be read in several ways. The first value is the one that is proposed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Reading {
    /// Its name in a spec.
    pub id: &'static str,
    /// Its values.
    pub values: &'static [&'static str],
    /// What the choice decides.
    pub question: &'static str,
}

/// The reading that a spec chose for each rule, by the rule's id.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Readings(pub BTreeMap<String, String>);

impl Readings {
    /// The chosen value, or the empty text where a spec that was not validated names none.
    #[must_use]
    pub fn get(&self, id: &str) -> &str {
        self.0.get(id).map_or("", String::as_str)
    }
}

/// What a check is asked with.
#[derive(Debug, Clone, Copy)]
pub struct Asked<'a> {
    /// The key, as computed from pinned sources.
    pub key: &'a Value,
    /// The answer.
    pub answer: &'a Answer<'a>,
    /// The chosen readings.
    pub readings: &'a Readings,
    /// The guards that stand.
    pub guards: Guards<'a>,
}

/// What a kind reads.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Reads {
    /// The text of an answer, or of a turn's close.
    Text,
    /// The steps of a turn.
    Steps,
}

/// A check that can be asked.
pub trait Check: Send + Sync {
    /// What it comes to. The key is known and of the shape that the kind asks for, or the result
    /// is `unknown(key_shape)`.
    fn ask(&self, asked: &Asked<'_>) -> Component;

    /// What it comes to for the steps of a turn. `None`: there is nothing that it asks of this turn.
    /// A kind that reads text asks nothing of steps.
    fn ask_steps(&self, _deeds: &Deeds, _guards: Guards<'_>) -> Option<Seen> {
        None
    }
}

/// Asks a check of a text, with the guards that are to stand: all of them in a grade.
#[must_use]
pub fn ask_with(
    check: &dyn Check,
    text: &Answer<'_>,
    key: &Value,
    readings: &Readings,
    guards: Guards<'_>,
) -> Component {
    check.ask(&Asked {
        key,
        answer: text,
        readings,
        guards,
    })
}

/// Reads a check of a kind from its parameters.
///
/// # Errors
/// An unknown kind, an unknown or missing field, or a value of the wrong shape.
pub fn parse(kind: &str, params: &Value) -> Result<Box<dyn Check>, ParamError> {
    let Some(info) = KINDS.iter().find(|info| info.id == kind) else {
        return Err(ParamError {
            field: "kind".to_owned(),
            kind: "unknown-value",
        });
    };
    (info.parse)(params)
}
