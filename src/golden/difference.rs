//! Two sets of rows held against each other, each change in words.

use std::collections::{BTreeMap, BTreeSet};

use crate::grade::field::text;
use serde::Serialize;
use serde_json::Value;

/// Changed fields of one row that are told one by one.
const FIELDS: usize = 3;
/// Keys of the sums that change with a release and are no grade.
const NO_GRADE: [&str; 5] = ["schema", "version", "canary", "controls", "keys_sha256"];
/// What tells a row from the others, besides its place.
const OWN: [&str; 9] = [
    "task", "arm", "attempt", "check", "identity", "subject", "claim", "rule", "where",
];

/// A row as it stands in `grades.jsonl`, and what the record shows of it where that is known.
#[derive(Debug, Clone)]
pub struct Judged {
    /// The row.
    pub value: Value,
    /// The sentence of fact; its evidence is told instead where there is none.
    pub said: Option<String>,
}

impl Judged {
    /// A row that comes without its sentence.
    #[must_use]
    pub fn plain(value: Value) -> Self {
        Self { value, said: None }
    }
}

/// One difference between what was expected and what came.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(
    feature = "schema",
    derive(schemars::JsonSchema),
    schemars(deny_unknown_fields)
)]
pub struct Difference {
    /// `changed`, `missing`, `extra`, `sums` or `no-expectation`.
    pub kind: &'static str,
    /// The rule; the kind of the row, where no rule is meant.
    pub rule: String,
    /// The file's name in rows; empty for sums.
    pub file: String,
    /// The line, from 1; 0 where there is none.
    pub line: u64,
    /// The turn, from 1; 0 where there is none.
    pub turn: u64,
    /// The words that were judged; empty where there are none.
    pub words: String,
    /// What was expected; null where no such row was.
    pub before: Option<String>,
    /// What came; null where no such row did.
    pub after: Option<String>,
    /// What the record shows, as a sentence.
    pub evidence: String,
}

impl Difference {
    fn about(kind: &'static str, rule: &str) -> Self {
        Self {
            kind,
            rule: rule.to_owned(),
            file: String::new(),
            line: 0,
            turn: 0,
            words: String::new(),
            before: None,
            after: None,
            evidence: String::new(),
        }
    }

    /// A case that expects nothing yet.
    pub(super) fn unexpected() -> Self {
        let evidence = "Nothing is expected of it yet; `deedcheck golden accept` writes it.";
        Self {
            evidence: evidence.to_owned(),
            ..Self::about("no-expectation", "case")
        }
    }
}

/// The rows of a `grades.jsonl`.
///
/// # Errors
/// The first line, from 1, that is no JSON object.
pub fn rows_of(bytes: &[u8]) -> Result<Vec<Value>, usize> {
    let lines = bytes.split(|byte| *byte == b'\n');
    let mut rows = Vec::new();
    for (line, number) in lines.zip(1..) {
        if line.trim_ascii().is_empty() {
            continue;
        }
        match serde_json::from_slice::<Value>(line) {
            Ok(row) if row.is_object() => rows.push(row),
            _ => return Err(number),
        }
    }
    Ok(rows)
}

/// What tells a row from the others of a run: its place first, so that differences come in the
/// order of a reader.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
struct Key {
    file: String,
    turn: u64,
    rank: u8,
    line: u64,
    start: u64,
    own: Vec<String>,
}

fn key(row: &Value) -> Key {
    let kind = text(row, "kind");
    let rank = ["session", "turn", "claim", "finding"]
        .iter()
        .position(|known| *known == kind)
        .unwrap_or(4);
    // The lines of a session or a turn are what may change; those of a claim say which it is.
    let placed = rank > 1;
    let own = OWN.iter().map(|name| words_of(&row[*name]));
    Key {
        file: text(row, "file").to_owned(),
        turn: row["turn"].as_u64().unwrap_or(0),
        rank: u8::try_from(rank).unwrap_or(u8::MAX),
        line: if placed { line_of(row) } else { 0 },
        start: row["span"]["start"].as_u64().unwrap_or(0),
        own: std::iter::once(text(row, "session").to_owned())
            .chain(std::iter::once(kind.to_owned()))
            .chain(own)
            .collect(),
    }
}

fn line_of(row: &Value) -> u64 {
    let close = row["close"]["line"].as_u64();
    close.or_else(|| row["lines"][0].as_u64()).unwrap_or(0)
}

/// Every row that changed, is gone or is new, in the order of file, turn and line.
#[must_use]
pub fn differences(before: &[Judged], after: &[Judged]) -> Vec<Difference> {
    let mut pairs: BTreeMap<Key, (Vec<&Judged>, Vec<&Judged>)> = BTreeMap::new();
    for row in before {
        pairs.entry(key(&row.value)).or_default().0.push(row);
    }
    for row in after {
        pairs.entry(key(&row.value)).or_default().1.push(row);
    }
    let mut found = Vec::new();
    for (before, after) in pairs.values() {
        for at in 0..before.len().max(after.len()) {
            found.extend(difference(before.get(at).copied(), after.get(at).copied()));
        }
    }
    found
}

fn difference(before: Option<&Judged>, after: Option<&Judged>) -> Option<Difference> {
    let shown = after.or(before)?;
    let kind = match (before, after) {
        (Some(_), Some(_)) => "changed",
        (Some(_), None) => "missing",
        _ => "extra",
    };
    let (was, is) = match (before, after) {
        (Some(old), Some(new)) if old.value == new.value => return None,
        (Some(old), Some(new)) => {
            let (was, is) = (verdict_of(&old.value), verdict_of(&new.value));
            if was == is {
                fields(&old.value, &new.value)
            } else {
                (Some(was), Some(is))
            }
        }
        _ => (
            before.map(|row| verdict_of(&row.value)),
            after.map(|row| verdict_of(&row.value)),
        ),
    };
    let row = &shown.value;
    let words = [&row["text"], &row["gate"]["text"]];
    let words = words.iter().find_map(|value| value.as_str());
    Some(Difference {
        file: text(row, "file").to_owned(),
        line: line_of(row),
        turn: row["turn"].as_u64().unwrap_or(0),
        words: words.unwrap_or("").to_owned(),
        before: was,
        after: is,
        evidence: shown.said.clone().unwrap_or_else(|| evidence_of(row)),
        ..Difference::about(kind, rule_of(row))
    })
}

/// The rule that a row is an answer of.
#[must_use]
pub fn rule_of(row: &Value) -> &str {
    let named = ["claim", "rule", "check"].map(|name| text(row, name));
    let named = named.into_iter().find(|name| !name.is_empty());
    match (named, text(row, "kind")) {
        (Some(name), _) => name,
        (None, "turn") => "gate",
        (None, kind) => kind,
    }
}

/// A row's verdict with its reasons.
#[must_use]
pub fn verdict_of(row: &Value) -> String {
    let verdict = text(row, "verdict");
    let reasons: Vec<&str> = row["reasons"]
        .as_array()
        .map(|list| list.iter().filter_map(Value::as_str).collect())
        .unwrap_or_default();
    if reasons.is_empty() {
        verdict.to_owned()
    } else {
        format!("{verdict} ({})", reasons.join(", "))
    }
}

/// The fields that differ where the verdict does not, on either side.
fn fields(old: &Value, new: &Value) -> (Option<String>, Option<String>) {
    let mut leaves = Vec::new();
    differ("", old, new, &mut leaves);
    let more = leaves.len().saturating_sub(FIELDS);
    let side = |pick: fn(&Leaf) -> &str| {
        let told = leaves.iter().take(FIELDS);
        let told: Vec<String> = told
            .map(|leaf| format!("{}: {}", leaf.name, pick(leaf)))
            .collect();
        let rest = if more == 0 {
            String::new()
        } else {
            format!(" and {more} more")
        };
        Some(format!("{}{rest}", told.join("; ")))
    };
    (side(|leaf| &leaf.old), side(|leaf| &leaf.new))
}

/// One field in which two rows differ.
struct Leaf {
    name: String,
    old: String,
    new: String,
}

/// The innermost fields that differ. Rows are as deep as we wrote them, and JSON that is deeper than
/// 128 was refused when it was read.
fn differ(place: &str, old: &Value, new: &Value, found: &mut Vec<Leaf>) {
    if old == new {
        return;
    }
    let inner = |name: &str| match place {
        "" => name.to_owned(),
        _ => format!("{place} {name}"),
    };
    match (old, new) {
        (Value::Object(before), Value::Object(after)) => {
            let names: BTreeSet<&String> = before.keys().chain(after.keys()).collect();
            for name in names {
                differ(&inner(name), &old[name], &new[name], found);
            }
        }
        (Value::Array(before), Value::Array(after)) if before.len() == after.len() => {
            for (number, (old, new)) in (1..).zip(before.iter().zip(after)) {
                differ(&inner(&format!("{number}")), old, new, found);
            }
        }
        _ => found.push(Leaf {
            name: place.to_owned(),
            old: words_of(old),
            new: words_of(new),
        }),
    }
}

fn words_of(value: &Value) -> String {
    match value {
        Value::Null => "none".to_owned(),
        Value::String(text) => text.clone(),
        other => other.to_string(),
    }
}

/// What a row's own evidence says.
fn evidence_of(row: &Value) -> String {
    let list = row["evidence"].as_array().map_or(&[][..], Vec::as_slice);
    let told: Vec<String> = list
        .iter()
        .map(|found| format!("{} (line {})", text(found, "what"), found["line"]))
        .collect();
    told.join("; ")
}

/// Each cell of the sums that differs.
#[must_use]
pub fn sums_differ(old: &Value, new: &Value) -> Vec<Difference> {
    let mut leaves = Vec::new();
    let names = [old, new].into_iter().filter_map(Value::as_object);
    let names: BTreeSet<&String> = names.flat_map(|object| object.keys()).collect();
    for name in names {
        if !NO_GRADE.contains(&name.as_str()) {
            let place = if name == "cells" { "" } else { name };
            differ(place, &old[name], &new[name], &mut leaves);
        }
    }
    let told = leaves.into_iter().map(|leaf| Difference {
        before: Some(leaf.old),
        after: Some(leaf.new),
        ..Difference::about("sums", &leaf.name)
    });
    told.collect()
}
