//! What the sentences of fact are made of, whether from a row just made or from one read back.

use serde_json::Value;

use super::style::clean;
use crate::grade::field::{list, number, text};
use crate::grade::{ClaimRow, EvidenceRow, FindingRow, TurnRow};

/// The parts of a row that its sentence tells of.
#[derive(Debug, Default)]
pub(super) struct Seen<'a> {
    /// The gate's reason, or the first one of a claim.
    pub(super) reason: &'a str,
    /// The gate's verdict, or the claim's.
    pub(super) verdict: &'a str,
    /// The claim's kind.
    pub(super) claim: &'a str,
    /// How the turn ended.
    pub(super) ended: &'a str,
    pub(super) evidence: Vec<Place<'a>>,
    pub(super) steps: Vec<Step>,
    pub(super) near_misses: Vec<&'a str>,
    file: &'a str,
    /// Whether it is told to everybody: then no file is named.
    public: bool,
}

/// A place that decided a verdict.
#[derive(Debug, Clone, Copy)]
pub(super) struct Place<'a> {
    file: &'a str,
    pub(super) line: u64,
    pub(super) what: &'a str,
}

/// What a sentence may tell of a tool call.
#[derive(Debug, Clone, Copy)]
pub(super) struct Step {
    pub(super) line: u64,
    pub(super) result: Option<u64>,
    pub(super) masked: bool,
}

fn places(evidence: &[EvidenceRow]) -> Vec<Place<'_>> {
    evidence
        .iter()
        .map(|found| Place {
            file: &found.file,
            line: found.line,
            what: &found.what,
        })
        .collect()
}

impl<'a> From<&'a TurnRow> for Seen<'a> {
    fn from(row: &'a TurnRow) -> Self {
        let steps = row.steps.iter().map(|step| Step {
            line: step.line,
            result: step.result,
            masked: step.masked,
        });
        Self {
            reason: row.gate.reason,
            verdict: row.gate.verdict,
            ended: row.ended,
            evidence: places(&row.evidence),
            steps: steps.collect(),
            near_misses: row.gate.near_misses.clone(),
            file: &row.file,
            ..Self::default()
        }
    }
}

impl<'a> From<&'a ClaimRow> for Seen<'a> {
    fn from(row: &'a ClaimRow) -> Self {
        Self {
            reason: row.reasons.first().map_or("", String::as_str),
            verdict: row.verdict,
            claim: row.claim,
            evidence: places(&row.evidence),
            file: &row.file,
            ..Self::default()
        }
    }
}

impl<'a> From<&'a FindingRow> for Seen<'a> {
    fn from(row: &'a FindingRow) -> Self {
        Self {
            evidence: places(&row.evidence),
            file: &row.file,
            ..Self::default()
        }
    }
}

impl<'a> Seen<'a> {
    /// A row as it stands in `grades.jsonl`, for a page that everybody may read. What a row has
    /// not is empty.
    pub(super) fn of(row: &'a Value) -> Self {
        let turn = row.get("kind").and_then(Value::as_str) == Some("turn");
        let gate = row.get("gate").unwrap_or(&Value::Null);
        let first = row.get("reasons").and_then(|reasons| reasons.get(0));
        Self {
            reason: if turn {
                text(gate, "reason")
            } else {
                first.and_then(Value::as_str).unwrap_or("")
            },
            verdict: text(row, "verdict"),
            claim: text(row, "claim"),
            ended: text(row, "ended"),
            evidence: list(row, "evidence").map(Place::of).collect(),
            steps: list(row, "steps").map(Step::of).collect(),
            near_misses: list(gate, "near_misses")
                .filter_map(Value::as_str)
                .collect(),
            file: text(row, "file"),
            public: true,
        }
    }

    /// Where something stands: a line of the file that the row is about, or of another one.
    pub(super) fn place(&self, found: &Place<'_>) -> String {
        if found.file == self.file {
            format!("line {}", found.line)
        } else if self.public {
            format!("line {} of another file", found.line)
        } else {
            format!("{} line {}", clean(found.file), found.line)
        }
    }

    /// Each fact with its place.
    pub(super) fn facts(&self) -> String {
        let facts = self
            .evidence
            .iter()
            .map(|found| format!("{} ({})", clean(found.what), self.place(found)));
        facts.collect::<Vec<_>>().join("; ")
    }
}

impl<'a> Place<'a> {
    fn of(found: &'a Value) -> Self {
        Self {
            file: text(found, "file"),
            line: number(found, "line").unwrap_or(0),
            what: text(found, "what"),
        }
    }
}

impl Step {
    fn of(step: &Value) -> Self {
        Self {
            line: number(step, "line").unwrap_or(0),
            result: number(step, "result"),
            masked: step.get("masked").and_then(Value::as_bool) == Some(true),
        }
    }
}

/// A fact as a sentence.
pub(super) fn sentence_of(fact: &str) -> String {
    let mut chars = fact.chars();
    chars.next().map_or(String::new(), |first| {
        format!("{}{}.", first.to_uppercase(), chars.as_str())
    })
}
