//! What changed between two gradings of the same records, row by row.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::Value;

use crate::report::clean;

/// What a row is about: two rows that agree in these are the same question.
const ABOUT: [&str; 15] = [
    "kind", "file", "session", "turn", "claim", "rule", "where", "span", "negated", "task", "arm",
    "attempt", "identity", "check", "subject",
];

/// A row's question, and which of the rows that ask it this one is.
type Question = (String, usize);

struct Rows {
    /// In the order of the file.
    all: Vec<(Question, Value)>,
}

impl Rows {
    fn read(bytes: &[u8]) -> Self {
        let mut seen: BTreeMap<String, usize> = BTreeMap::new();
        let lines = bytes.split(|byte| *byte == b'\n');
        let rows = lines.filter_map(|line| serde_json::from_slice::<Value>(line).ok());
        let all = rows
            .map(|row| {
                let about = about(&row);
                let count = seen.entry(about.clone()).or_insert(0);
                *count += 1;
                ((about, *count), row)
            })
            .collect();
        Self { all }
    }
}

fn about(row: &Value) -> String {
    let mut about = String::new();
    for field in ABOUT {
        if let Some(value) = row.get(field) {
            about.push_str(&format!("{field}={value}\n"));
        }
    }
    // Where a finding stands tells it from the others of its rule.
    if row["kind"] == "finding" {
        about.push_str(&format!("start={}\n", row["evidence"][0]["start"]));
    }
    about
}

/// Lines that say what changed from the rows before to the rows after, and counts at the end.
/// Rows of files that could not be graded again are counted, and their files are named.
pub(super) fn diff(before: &[u8], after: &[u8], not_kept: &[String]) -> String {
    let (before, after) = (Rows::read(before), Rows::read(after));
    let old: BTreeMap<&Question, &Value> = before.all.iter().map(|(key, row)| (key, row)).collect();
    let new: BTreeSet<&Question> = after.all.iter().map(|(key, _)| key).collect();
    let not_kept: BTreeSet<&str> = not_kept.iter().map(String::as_str).collect();
    let mut out = String::new();
    let (mut same, mut changed, mut more, mut fewer, mut left) = (0, 0, 0, 0, 0);
    for (key, row) in &after.all {
        match old.get(key) {
            Some(former) if *former == row => same += 1,
            Some(former) => {
                changed += 1;
                say(&mut out, row, &verdict(former), &verdict(row));
            }
            None => {
                more += 1;
                say(&mut out, row, "no row", &verdict(row));
            }
        }
    }
    for (key, row) in &before.all {
        if new.contains(key) {
            continue;
        }
        if row["file"]
            .as_str()
            .is_some_and(|file| not_kept.contains(file))
        {
            left += 1;
            continue;
        }
        fewer += 1;
        say(&mut out, row, &verdict(row), "no row");
    }
    for file in &not_kept {
        out.push_str(&format!("not graded again: {}\n", clean(file)));
    }
    out.push_str(&format!(
        "rows: {same} the same, {changed} changed, {more} new, {fewer} gone, {left} not graded again\n"
    ));
    out
}

/// One line: rule, place, before and after, and the line of what decided it.
fn say(out: &mut String, row: &Value, before: &str, after: &str) {
    let word = |field: &str| row[field].as_str().unwrap_or_default();
    let named = ["claim", "rule", "check", "task"];
    let rule = named
        .iter()
        .map(|field| word(field))
        .find(|name| !name.is_empty());
    let rule = rule.unwrap_or_else(|| match word("kind") {
        "turn" => "gate",
        kind => kind,
    });
    let mut place = word("file").to_owned();
    if place.is_empty() {
        place = word("arm").to_owned();
    }
    if let Some(turn) = row["turn"].as_u64() {
        place.push_str(&format!(":{turn}"));
    }
    let line = row["evidence"][0]["line"].as_u64();
    let line = line.or_else(|| row["lines"][0].as_u64());
    let line = line.map_or_else(String::new, |line| format!(", line {line}"));
    let change = if before == after {
        format!("{after}, other details")
    } else {
        format!("{before} → {after}")
    };
    out.push_str(&clean(&format!("{rule} {place}: {change}{line}")));
    out.push('\n');
}

/// What a row says, with its reasons.
fn verdict(row: &Value) -> String {
    let says = if row["kind"] == "turn" {
        &row["gate"]
    } else {
        row
    };
    let verdict = says["verdict"].as_str().unwrap_or_default();
    let many = says["reasons"].as_array().into_iter().flatten();
    let reasons: Vec<&str> = many
        .chain([&says["reason"]])
        .filter_map(Value::as_str)
        .collect();
    if reasons.is_empty() {
        verdict.to_owned()
    } else {
        format!("{verdict} ({})", reasons.join(", "))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const CLAIM: &str = r#"{"kind":"claim","file":"a","session":null,"turn":2,"claim":"tests","span":{"start":0,"end":4},"verdict":"unsupported","reasons":["stale"],"evidence":[{"line":7}]}"#;

    #[test]
    fn changed_new_and_gone_rows_are_told_and_counted() {
        let judged = CLAIM
            .replace("unsupported", "contradicted")
            .replace("stale", "failed");
        let moved = CLAIM.replace(r#""line":7"#, r#""line":9"#);
        let other = CLAIM.replace(r#""turn":2"#, r#""turn":3"#);
        let lost = CLAIM.replace(r#""file":"a""#, r#""file":"b""#);
        let told = |before: &[&str], after: &[&str]| {
            let rows = |rows: &[&str]| rows.join("\n").into_bytes();
            diff(&rows(before), &rows(after), &["b".to_owned()])
        };
        assert_eq!(
            told(&[CLAIM, CLAIM, &lost], &[CLAIM, &judged, &other]),
            "tests a:2: unsupported (stale) → contradicted (failed), line 7\n\
             tests a:3: no row → unsupported (stale), line 7\n\
             not graded again: b\n\
             rows: 1 the same, 1 changed, 1 new, 0 gone, 1 not graded again\n"
        );
        assert_eq!(
            told(&[CLAIM, &other], &[&moved]),
            "tests a:2: unsupported (stale), other details, line 9\n\
             tests a:3: unsupported (stale) → no row, line 7\n\
             not graded again: b\n\
             rows: 0 the same, 1 changed, 0 new, 1 gone, 0 not graded again\n"
        );
    }

    #[test]
    fn nothing_that_a_terminal_obeys_is_printed() {
        let hostile = CLAIM.replace(r#""file":"a""#, r#""file":"\u001b[31ma\nb""#);
        let told = diff(b"", hostile.as_bytes(), &[]);
        assert!(!told.contains('\u{1b}'));
        assert_eq!(told.lines().count(), 2);
    }
}
