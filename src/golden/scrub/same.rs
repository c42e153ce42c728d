//! Whether a copy is judged as the original: the fields of a row that are its verdict.

use serde_json::{Value, json};

use super::book::Book;
use crate::golden::difference::rule_of;

/// Fields of a row that must be the same. Offsets, digests and words differ as the bytes do.
const FIELDS: [&str; 15] = [
    "kind",
    "turn",
    "lines",
    "status",
    "verdict",
    "reasons",
    "client",
    "client_version",
    "agent",
    "ended",
    "claim",
    "rule",
    "negated",
    "where",
    "counts",
];
const GATE: [&str; 7] = [
    "profile",
    "preset",
    "claim_type",
    "claim_source",
    "verdict",
    "reason",
    "rejected_attempts",
];

/// The first row that the copy has not, or has besides: its rule and turn.
pub(super) fn changed(
    book: &Book,
    before: &[Value],
    after: &[Value],
    turn: Option<u32>,
) -> Option<(String, u64)> {
    // A session that was cut counts less; only what is said of its turns stays comparable.
    let wanted = |row: &&Value| {
        turn.is_none_or(|last| {
            row["turn"]
                .as_u64()
                .is_some_and(|turn| turn <= u64::from(last))
        })
    };
    let told = |rows: &[Value], mapped: bool| {
        let rows = rows.iter().filter(wanted);
        let mut told: Vec<(String, String, u64)> = rows
            .map(|row| {
                let verdict = verdict(book, row, mapped).to_string();
                (
                    verdict,
                    rule_of(row).to_owned(),
                    row["turn"].as_u64().unwrap_or(0),
                )
            })
            .collect();
        told.sort();
        told
    };
    let (old, new) = (told(before, true), told(after, false));
    let differs = old.iter().zip(&new).find(|(old, new)| old.0 != new.0);
    let first = match differs {
        Some((old, new)) => Some(old.min(new)),
        None if old.len() == new.len() => None,
        None => old.get(new.len()).or_else(|| new.get(old.len())),
    };
    first.map(|(_, rule, turn)| (rule.clone(), *turn))
}

fn verdict(book: &Book, row: &Value, mapped: bool) -> Value {
    let told = |text: &Value| match text.as_str() {
        Some(text) if mapped => Value::from(book.rewritten(text)),
        _ => text.clone(),
    };
    // The case's own name leads, and that is no part of the session.
    let file = row["file"].as_str().unwrap_or("");
    let file = file.split_once('/').map_or(file, |(_, rest)| rest);
    let fields: Vec<&Value> = FIELDS
        .iter()
        .map(|name| without_bytes(&row[*name]))
        .collect();
    let evidence = row["evidence"].as_array().map_or(&[][..], Vec::as_slice);
    let evidence: Vec<&Value> = evidence.iter().map(|found| &found["line"]).collect();
    let gate: Vec<&Value> = GATE.iter().map(|name| &row["gate"][*name]).collect();
    json!([
        told(&Value::from(file)),
        session(book, &row["session"], mapped),
        fields,
        evidence,
        gate,
        row["steps"],
        row["close"]["line"],
        row["operator"],
    ])
}

/// The session's id, which may be a word that is one under its keys only.
fn session(book: &Book, id: &Value, mapped: bool) -> Value {
    match id.as_str() {
        Some(id) if mapped => Value::from(book.renamed(id)),
        _ => id.clone(),
    }
}

/// Counts of bytes differ; the other counts are told by the turns and the steps.
fn without_bytes(value: &Value) -> &Value {
    if value.is_object() {
        &value["turns"]
    } else {
        value
    }
}

/// The last line of a turn of a session's own file.
pub(super) fn last_line(rows: &[Value], file: &str, turn: u32) -> Option<u64> {
    let own = |row: &&Value| {
        row["kind"] == "turn" && row["file"] == file && row["turn"] == u64::from(turn)
    };
    rows.iter().find(own)?["lines"][1].as_u64()
}
