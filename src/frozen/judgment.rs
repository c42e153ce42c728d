//! Judgments of what the grammar could not read, verified mechanically.

use std::collections::BTreeMap;

use serde::Serialize;
use serde_json::Value;

use super::ask::{Answered, Graded, Judged, Questions, Ready};
use super::attempt::Attempt;
use super::error::FrozenError;
use crate::oracle::{Component, Status};
use crate::spec::{At, FieldError, Keys, Node, Sealed};

/// What a judge says of one fact.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Judgment {
    /// Its number in its file, from 1.
    row: usize,
    verdict: &'static str,
    quotes: Vec<String>,
}

/// What a judgment is about: identity, check and turn; turn 0 is the answer.
type About = (String, String, u32);

/// Judgments by what they are about.
#[derive(Debug, Clone, Default)]
pub struct Judgments(BTreeMap<About, Judgment>);

/// The format of a judgment.
pub const JUDGMENT_SCHEMA: &str = "deedcheck/judgment/1";

/// A judgment that is awaited: one line of `awaited.jsonl`. With `verdict` and `quotes` filled in it is
/// one line of `--judgments`. Private.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(
    feature = "schema",
    derive(schemars::JsonSchema),
    schemars(deny_unknown_fields)
)]
pub struct Awaited {
    /// The format: `deedcheck/judgment/1`.
    pub schema: &'static str,
    /// The attempt, or the file under a policy without tasks.
    pub identity: String,
    /// The check.
    pub check: String,
    /// The turn, for a check of turns.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub turn: Option<u32>,
    /// What the judge says: nothing yet.
    pub verdict: Option<&'static str>,
    /// What bears it out: nothing yet.
    pub quotes: [&'static str; 0],
    /// What the judge is to know. It is not read back.
    pub about: Matter,
}

/// What a judge is to know of a check.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(
    feature = "schema",
    derive(schemars::JsonSchema),
    schemars(deny_unknown_fields)
)]
pub struct Matter {
    /// What the agent was asked; null under a policy without tasks.
    pub prompt: Option<String>,
    /// The check's kind.
    pub kind: String,
    /// What a check of this kind asks.
    pub question: &'static str,
    /// The check's parameters.
    pub params: Value,
    /// What a right answer holds, as JSON text.
    pub key: String,
    /// The text that could not be read: the answer, or the turn's close. Quotes are taken from it word
    /// for word.
    pub answer: String,
}

/// Collects what an attempt awaits.
pub(super) struct Waiting<'a> {
    pub(super) keys: &'a Keys,
    pub(super) prompt: Option<&'a str>,
    pub(super) identity: &'a str,
    /// Whether the answer is the last message.
    pub(super) last: bool,
}

impl Waiting<'_> {
    pub(super) fn of(
        &self,
        attempt: &Attempt,
        questions: &Questions<'_>,
        graded: &Graded,
        all: &mut Vec<Awaited>,
    ) {
        let pending = |answered: &Answered| answered.component.status == Status::Pending;
        let answer = attempt.answer(self.last).unwrap_or("");
        for (ready, answered) in questions.answers.iter().zip(&graded.answers) {
            if pending(answered) {
                all.push(self.one(ready, None, answer));
            }
        }
        for (check, turn, answered) in &graded.turns {
            let turn = turn.map(|turn| &attempt.turns[turn]);
            if let (Some(turn), Ok(answered)) = (turn, answered)
                && pending(answered)
            {
                let close = turn.close.as_ref().map_or("", |(_, text)| text.as_str());
                let ready = &questions.turns[*check];
                all.push(self.one(ready, Some(turn.number), close));
            }
        }
    }

    fn one(&self, ready: &Ready<'_>, turn: Option<u32>, answer: &str) -> Awaited {
        let key = self.keys.get(&ready.spec.id, None);
        Awaited {
            schema: JUDGMENT_SCHEMA,
            identity: self.identity.to_owned(),
            check: ready.spec.id.clone(),
            turn,
            verdict: None,
            quotes: [],
            about: Matter {
                prompt: self.prompt.map(str::to_owned),
                kind: ready.spec.kind.clone(),
                question: ready.question(),
                params: ready.spec.params.clone(),
                key: key.map_or_else(|_| Value::Null.to_string(), Value::to_string),
                answer: answer.to_owned(),
            },
        }
    }
}

impl Judgments {
    /// Reads judgments, one JSON object a line.
    ///
    /// # Errors
    /// `E_JUDGMENT` with the row, the field and what is wrong with it.
    pub fn read(text: &str, sealed: &Sealed) -> Result<Self, FrozenError> {
        let mut all = BTreeMap::new();
        let lines = text.lines().filter(|line| !line.trim().is_empty());
        for (index, line) in lines.enumerate() {
            let invalid = |error| FrozenError::Judgment {
                row: index + 1,
                error,
            };
            let node = Node::json(line).map_err(invalid)?;
            let (about, judgment) = one(&node, sealed, index + 1).map_err(invalid)?;
            if all.insert(about, judgment).is_some() {
                return Err(invalid(FieldError::new("check", "duplicate")));
            }
        }
        Ok(Self(all))
    }

    /// How many there are.
    #[must_use]
    pub fn count(&self) -> u64 {
        self.0.len() as u64
    }

    /// Looks whether every judgment is of something that `is_there` knows: an identity, and a turn of
    /// it where the check is one of turns.
    ///
    /// # Errors
    /// `E_JUDGMENT` for the first one that is not.
    pub(super) fn known(&self, is_there: &dyn Fn(&str, u32) -> bool) -> Result<(), FrozenError> {
        let mut strange: Vec<(usize, FieldError)> = Vec::new();
        for ((identity, _, turn), judgment) in &self.0 {
            if !is_there(identity, 0) {
                let error = FieldError::new("identity", "unknown-identity");
                strange.push((judgment.row, error));
            } else if !is_there(identity, *turn) {
                strange.push((judgment.row, FieldError::new("turn", "unknown-turn")));
            }
        }
        let first = strange.into_iter().min_by_key(|(row, _)| *row);
        first.map_or(Ok(()), |(row, error)| {
            Err(FrozenError::Judgment { row, error })
        })
    }

    /// What a judge makes of a fact, where one spoke. What it says must be borne out by quotes
    /// that stand in the text word for word, and a quote that does not makes it say nothing.
    pub(super) fn of(
        &self,
        identity: &str,
        check: &str,
        turn: u32,
        text: &str,
    ) -> Option<(Component, Judged)> {
        let about = (identity.to_owned(), check.to_owned(), turn);
        let judgment = self.0.get(&about)?;
        let verbatim = |quote: &String| text.contains(quote.as_str());
        if !judgment.quotes.iter().all(verbatim) {
            return Some((Component::unknown("judge-quote"), Judged::Refused));
        }
        let said = match judgment.verdict {
            "unknown" => Component::unknown("judge-unavailable"),
            "pass" => Component::pass(),
            _ => Component::fail("judged"),
        };
        Some((said, Judged::Decided))
    }
}

fn one(node: &Node, sealed: &Sealed, row: usize) -> Result<(About, Judgment), FieldError> {
    let mut fields = At::root(node).table()?;
    if let Some(schema) = fields.may("schema") {
        schema.one_of(&[JUDGMENT_SCHEMA])?;
    }
    // What the judge was told is not told back.
    if let Some(about) = fields.may("about") {
        about.table()?;
    }
    let identity = fields.need("identity")?.words()?;
    let check = fields.need("check")?;
    let id = check.name()?;
    let known = sealed.spec.checks().find(|(_, known)| known.id == id);
    let (_, known) = known.ok_or_else(|| check.fail("unknown-check"))?;
    if known.extract != "judge" {
        return Err(check.fail("not-judged"));
    }
    let turn = match known.subject {
        "turn" => fields.need("turn")?.count(1)?,
        _ => 0,
    };
    let verdict = fields
        .need("verdict")?
        .one_of(&["pass", "fail", "unknown"])?;
    let quotes = fields.need("quotes")?;
    let list = match verdict {
        "unknown" => quotes.list()?,
        _ => quotes.some()?,
    };
    let quotes = list.iter().map(At::words).collect::<Result<_, _>>()?;
    fields.done()?;
    let judgment = Judgment {
        row,
        verdict,
        quotes,
    };
    Ok(((identity, id, turn), judgment))
}
