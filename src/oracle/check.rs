//! A check of a spec, read from its parameters, and what it is asked with.

use std::collections::BTreeMap;

use serde_json::Value;

use super::deed::{Deeds, Seen};
use super::evidence::{Evidence, Weighed};
use super::grammar::{self, Answer};
use super::guard::Guards;
use super::kind::KINDS;
use super::sight::Sight;
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
    /// The answer with what the run left behind beside it, or that alone.
    Evidence,
}

/// What a check says of a key that it cannot be asked with, whatever the answer.
pub const UNFIT: [&str; 3] = ["key-shape", "key-missing", "key-drift"];

/// A check that can be asked.
pub trait Check: Send + Sync {
    /// What it comes to. The key is known and of the shape that the kind asks for, or the result
    /// is `unknown(key_shape)`.
    fn ask(&self, asked: &Asked<'_>) -> Component;

    /// What it read in the answer, and what it looked for in vain. It is asked where the check does not pass.
    fn sight(&self, _asked: &Asked<'_>) -> Sight {
        Sight::default()
    }

    /// What it comes to for the steps of a turn. `None`: there is nothing that it asks of this turn.
    /// A kind that reads text asks nothing of steps.
    fn ask_steps(&self, _deeds: &Deeds, _guards: Guards<'_>) -> Option<Seen> {
        None
    }

    /// What it comes to for a run that left this behind. `None`: it does not apply to the run. A kind that reads text looks at
    /// nothing else.
    fn weigh(&self, asked: &Asked<'_>, _evidence: &Evidence<'_>) -> Option<Weighed> {
        Some(self.ask(asked).into())
    }
}

/// Why a key makes every answer unknown, where it does: it is not of the shape that the kind asks for, or
/// lacks what the parameters name. What a check of evidence is held against may be captured rather than
/// told by its key, so that only the shape of the key speaks there.
#[must_use]
pub fn lacks(
    (check, reads): (&dyn Check, Reads),
    key: &Value,
    readings: &Readings,
) -> Option<&'static str> {
    let told = ask_with(check, &Answer::read(""), key, readings, Guards::ALL);
    let reasons = match reads {
        Reads::Evidence => &UNFIT[..1],
        Reads::Text | Reads::Steps => &UNFIT[..],
    };
    let mut reasons = reasons.iter().copied();
    reasons.find(|reason| told.unknown.contains(*reason))
}

/// Which form of a text a check reads: what its parameter `text` says.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Form {
    /// Normalised, with its lines, fences and code spans.
    #[default]
    Normalized,
    /// Normalised, and on one line: nothing is a fence, a list or a table then.
    Flat,
    /// As it stands, to the last mark: nothing is normalised, and nothing is a fence or a span.
    Raw,
}

/// The words for the forms, in a spec; the first is meant where none is told.
pub(super) const FORMS: [&str; 3] = ["normalized", "flat", "raw"];

impl Form {
    /// The form that parameters ask for. Those that no kind takes ask for the first.
    #[must_use]
    pub fn of(params: &Value) -> Self {
        match params.get("text").and_then(Value::as_str) {
            Some("flat") => Self::Flat,
            Some("raw") => Self::Raw,
            _ => Self::Normalized,
        }
    }
}

/// A text in each form that is asked for.
#[derive(Debug)]
pub struct Text<'a> {
    raw: &'a str,
    flat: String,
}

impl<'a> Text<'a> {
    /// A text, of which the flat form is made only where it is wanted.
    #[must_use]
    pub fn new(raw: &'a str, flat: bool) -> Self {
        Self {
            raw,
            flat: if flat {
                grammar::flat(raw)
            } else {
                String::new()
            },
        }
    }

    /// The text, read in a form.
    #[must_use]
    pub fn read(&self, form: Form) -> Answer<'_> {
        match form {
            Form::Normalized => Answer::read(self.raw),
            Form::Flat => Answer::read(&self.flat),
            Form::Raw => Answer::verbatim(self.raw),
        }
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

/// Asks a check of a text and of what the run left behind beside it, with the guards that are to stand.
#[must_use]
pub fn weigh_with(
    check: &dyn Check,
    (text, evidence): (&Answer<'_>, &Evidence<'_>),
    key: &Value,
    readings: &Readings,
    guards: Guards<'_>,
) -> Option<Weighed> {
    let asked = Asked {
        key,
        answer: text,
        readings,
        guards,
    };
    check.weigh(&asked, evidence)
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
