//! The gate over real turns whose claims two readers labelled: it must not accuse the innocent.

#![expect(
    clippy::print_stdout,
    reason = "a measurement is read from the test's output"
)]

use std::collections::BTreeMap;
use std::path::Path;

use deedcheck::grade::{Row, TurnRow};
use deedcheck::pipeline::{Policy, grade};
use deedcheck::source::discover;
use serde_json::Value;

use super::shared::labelled;

/// Turns by the file that holds them.
fn graded(root: &Path) -> BTreeMap<String, Vec<TurnRow>> {
    let found = discover(&[root.join("corpus")]).unwrap();
    let mut rows: BTreeMap<String, Vec<TurnRow>> = BTreeMap::new();
    for row in grade(&found.files, &Policy::default(), &|_| {}).rows {
        if let Row::Turn(turn) = row {
            rows.entry(turn.file.clone()).or_default().push(turn);
        }
    }
    rows
}

/// The row that shares the most lines with a labelled turn.
fn row_of<'r>(rows: &'r BTreeMap<String, Vec<TurnRow>>, turn: &Value) -> Option<&'r TurnRow> {
    let file = format!("corpus/{}", turn["file"].as_str()?);
    let (first, last) = (turn["lines"][0].as_u64()?, turn["lines"][1].as_u64()?);
    let shared = |row: &TurnRow| (row.lines.1.min(last) + 1).saturating_sub(row.lines.0.max(first));
    rows.get(&file)?
        .iter()
        .filter(|row| shared(row) > 0)
        .max_by_key(|row| shared(row))
}

/// What both readers say of a turn's claims together.
fn readers(turn: &Value) -> &'static str {
    let both = turn["claims"]
        .as_array()
        .into_iter()
        .flatten()
        .filter(|claim| claim["readers"] == "both");
    let verdicts: Vec<&str> = both.filter_map(|claim| claim["verdict"].as_str()).collect();
    if verdicts.is_empty() {
        "none"
    } else if verdicts.iter().all(|verdict| *verdict == "supported") {
        "supported"
    } else if verdicts
        .iter()
        .any(|v| matches!(*v, "unsupported" | "contradicted"))
    {
        "wrong"
    } else {
        "mixed"
    }
}

#[test]
fn supported_turns_are_seldom_rejected() {
    let Some(root) = labelled("supported_turns_are_seldom_rejected") else {
        return;
    };
    let text = std::fs::read_to_string(root.join("cases/claims/turns.jsonl")).unwrap();
    let rows = graded(&root);
    let mut confusion: BTreeMap<(String, String), u32> = BTreeMap::new();
    let mut table: BTreeMap<(&str, &str), u32> = BTreeMap::new();
    let (mut agreed, mut typed) = (0, 0);
    for line in text.lines() {
        let turn: Value = serde_json::from_str(line).unwrap();
        let id = turn["id"].as_str().unwrap();
        let Some(row) = row_of(&rows, &turn) else {
            println!("{id}: no row (another file of its family owns the turn)");
            continue;
        };
        let theirs = turn["close_claim_type"].as_str().unwrap_or("differ");
        let ours = row.gate.claim_type;
        *confusion
            .entry((theirs.to_owned(), ours.to_owned()))
            .or_default() += 1;
        if theirs != "differ" && theirs != "no_close" {
            typed += 1;
            agreed += u32::from(theirs == ours);
        }
        let readers = readers(&turn);
        *table.entry((readers, row.gate.verdict)).or_default() += 1;
        if row.gate.verdict == "reject" || readers == "wrong" {
            println!("{id} {readers}: {} {}", row.gate.verdict, row.gate.reason);
        }
    }
    println!("claim types (readers, ours): {confusion:?}\nverdicts: {table:?}");
    let count = |readers, verdict| table.get(&(readers, verdict)).copied().unwrap_or(0);
    let supported: u32 = table
        .iter()
        .filter(|((readers, _), _)| *readers == "supported")
        .map(|(_, n)| n)
        .sum();
    assert!(supported >= 60, "{supported} turns with supported claims");
    assert!(
        count("supported", "reject") * 20 <= supported,
        "{} of {supported} supported turns are rejected",
        count("supported", "reject")
    );
    // One is a miscount of a change that was read back, one claims all tests where a part of them ran:
    // the gate shows freshness, and neither counts nor scope.
    assert!(count("wrong", "accept") <= 2, "{table:?}");
    assert!(
        agreed * 100 >= typed * 90,
        "{agreed} of {typed} claim types"
    );
}
