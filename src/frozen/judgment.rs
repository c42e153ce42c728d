//! Judgments of what the grammar could not read, verified mechanically.

use std::collections::BTreeMap;

use serde::Serialize;

use super::error::FrozenError;
use super::row::FrozenRow;
use crate::oracle::Component;
use crate::spec::{At, FieldError, Node, Sealed};

/// What a judge says of one fact.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Judgment {
    verdict: &'static str,
    quotes: Vec<String>,
}

/// What a judgment is about: identity, check and turn; turn 0 is the answer.
type About = (String, String, u32);

/// Judgments by what they are about.
#[derive(Debug, Clone, Default)]
pub struct Judgments(BTreeMap<About, Judgment>);

/// A judgment that is awaited, as a judge is to fill it in: one line of `awaited.jsonl`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(
    feature = "schema",
    derive(schemars::JsonSchema),
    schemars(deny_unknown_fields)
)]
pub struct Awaited {
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
}

/// The judgments that rows await, in their order.
#[must_use]
pub fn awaited(rows: &[FrozenRow]) -> Vec<Awaited> {
    let one = |row: &FrozenRow| match row {
        FrozenRow::Check(row) if row.verdict == "pending" => Some(Awaited {
            identity: row.identity.clone().unwrap_or_else(|| row.file.clone()),
            check: row.check.clone(),
            turn: row.turn.filter(|_| row.subject == "turn"),
            verdict: None,
            quotes: [],
        }),
        _ => None,
    };
    rows.iter().filter_map(one).collect()
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
            let (about, judgment) = one(&node, sealed).map_err(invalid)?;
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

    /// What a judge makes of a fact, where one spoke. What it says must be borne out by quotes
    /// that stand in the text word for word.
    pub(super) fn of(
        &self,
        identity: &str,
        check: &str,
        turn: u32,
        text: &str,
    ) -> Option<Component> {
        let about = (identity.to_owned(), check.to_owned(), turn);
        let judgment = self.0.get(&about)?;
        let verbatim = |quote: &String| text.contains(quote.as_str());
        Some(match judgment.verdict {
            "unknown" => Component::unknown("judge-unavailable"),
            _ if !judgment.quotes.iter().all(verbatim) => Component::unknown("judge-quote"),
            "pass" => Component::pass(),
            _ => Component::fail("judged"),
        })
    }
}

fn one(node: &Node, sealed: &Sealed) -> Result<(About, Judgment), FieldError> {
    let mut fields = At::root(node).table()?;
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
    Ok(((identity, id, turn), Judgment { verdict, quotes }))
}
