//! Our own answer to a line of the protocol.

use std::path::PathBuf;

use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use super::PROTOCOL;
use crate::control::{About, Shown};
use crate::pipeline::{Policy, grade};
use crate::rule::gate::{Profile, replay_cases};
use crate::rule::registry::RULES;
use crate::source::Found;

/// What is asked, one JSON object a line.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(super) struct Asked {
    /// [`PROTOCOL`].
    schema: String,
    /// The case's own name; the answer bears it.
    pub(super) id: String,
    /// What is to be said of what.
    #[serde(flatten)]
    pub(super) question: Question,
}

impl Asked {
    pub(super) fn new(id: String, question: Question) -> Self {
        Self {
            schema: PROTOCOL.to_owned(),
            id,
            question,
        }
    }
}

/// A question, in the neutral forms that other checkers can read.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "kebab-case")]
pub(super) enum Question {
    /// What the gate answers to each operation.
    Gate {
        /// Which release's behaviour is asked for.
        profile: String,
        /// A case as `replay` takes it.
        case: Value,
    },
    /// What a pure function of the gate comes to.
    Function {
        /// Which release's behaviour is asked for.
        profile: String,
        /// A call as `replay` takes it.
        call: Value,
    },
    /// What a rule says of a session.
    Session {
        /// The rule's id.
        rule: String,
        /// The client whose files these are.
        client: String,
        /// The files.
        files: Vec<File>,
    },
}

/// A file of a session.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct File {
    /// Its path below the client's folder.
    pub(super) path: String,
    /// Its text.
    pub(super) text: String,
}

/// Why a line has no answer.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum Refused {
    /// It is no line of the protocol.
    #[error("E_QUESTION line={line} kind=malformed")]
    Malformed {
        /// Its number, from 1.
        line: usize,
    },
    /// What it asks cannot be answered.
    #[error("E_QUESTION line={line} kind=case")]
    Case {
        /// Its number, from 1.
        line: usize,
    },
}

/// Answers one line of the protocol, as the other side of a comparison would.
///
/// # Errors
/// A line that is none, or a case that is none.
pub fn answer_line(text: &str, line: usize) -> Result<String, Refused> {
    let asked: Asked = serde_json::from_str(text).map_err(|_| Refused::Malformed { line })?;
    if asked.schema != PROTOCOL {
        return Err(Refused::Malformed { line });
    }
    let answer = answer(&asked.question).ok_or(Refused::Case { line })?;
    Ok(json!({"id": asked.id, "answer": answer}).to_string())
}

/// Our answer; none where the case is no case.
pub(super) fn answer(question: &Question) -> Option<Value> {
    match question {
        Question::Gate { profile, case } => replayed(profile, "cases", case, "expect"),
        Question::Function { profile, call } => replayed(profile, "functions", call, "out"),
        Question::Session { rule, files, .. } => graded(rule, files),
    }
}

fn replayed(profile: &str, list: &str, case: &Value, key: &str) -> Option<Value> {
    let document = json!({ list: [case] }).to_string();
    let answered = replay_cases(&document, Some(Profile::parse(profile)?)).ok()?;
    let answered: Value = serde_json::from_str(&answered).ok()?;
    answered.get(list)?.get(0)?.get(key).cloned()
}

/// The verdicts of one rule, in the order of turns and of the words that they are about.
fn graded(rule: &str, files: &[File]) -> Option<Value> {
    let family = RULES.iter().find(|own| own.id == rule)?.family;
    let found: Vec<Found> = files
        .iter()
        .filter(|file| !file.path.ends_with(".meta.json"))
        .map(|file| Found {
            path: PathBuf::from(&file.path),
            name: file.path.clone(),
            named: false,
            expected: true,
            size: file.text.len() as u64,
            built_in: Some(file.text.clone().into_bytes().into()),
        })
        .collect();
    let rows = grade(&found, &Policy::default(), &|_| {}).rows;
    let shown = rows.iter().filter_map(Shown::of).filter(|shown| {
        let about = match shown.about {
            About::Gate => "gate",
            About::Claim => "claim",
            About::Finding => "integrity",
        };
        about == family && shown.name == rule
    });
    let verdict = |shown: Shown| json!({"turn": shown.turn, "verdict": shown.verdict});
    Some(Value::Array(shown.map(verdict).collect()))
}
