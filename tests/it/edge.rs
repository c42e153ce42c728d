//! Every folder of `tests/edge` against its expectation, by the rules of its README.

use std::path::{Path, PathBuf};
use std::process::Command;

use serde_json::Value;

fn folders() -> Vec<PathBuf> {
    let edge = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/edge");
    let mut found: Vec<PathBuf> = std::fs::read_dir(edge)
        .expect("the test material is there")
        .map(|entry| entry.expect("the test material is there").path())
        .filter(|path| path.join("expect.json").is_file())
        .collect();
    found.sort();
    found
}

/// A row matches when each key of the expectation does; arrays match position by position, and
/// `null` matches what is not there.
fn matches(want: &Value, got: &Value) -> bool {
    match (want, got) {
        (Value::Object(want), Value::Object(got)) => want
            .iter()
            .all(|(key, value)| matches(value, got.get(key).unwrap_or(&Value::Null))),
        (Value::Array(want), Value::Array(got)) => {
            want.len() == got.len() && want.iter().zip(got).all(|(want, got)| matches(want, got))
        }
        _ => want == got,
    }
}

/// What an output lacks or has too much of. Within one kind of one file, rows come in the order
/// of the expectation.
fn complaints(expect: &Value, rows: &[Value]) -> Vec<String> {
    let mut bad = Vec::new();
    let mut last: std::collections::BTreeMap<(String, String), usize> =
        std::collections::BTreeMap::new();
    for want in expect["rows"]
        .as_array()
        .expect("the test material is there")
    {
        let place = (want["kind"].to_string(), want["file"].to_string());
        let from = last.get(&place).copied().unwrap_or(0);
        match (from..rows.len()).find(|at| matches(want, &rows[*at])) {
            None => bad.push(format!("no row matches {want}")),
            Some(at) if want.get("file").is_some() => drop(last.insert(place, at + 1)),
            Some(_) => {}
        }
    }
    for unwanted in expect["absent"]
        .as_array()
        .expect("the test material is there")
    {
        if rows.iter().any(|row| matches(unwanted, row)) {
            bad.push(format!("unwanted row for {unwanted}"));
        }
    }
    for (kind, count) in expect["count"]
        .as_object()
        .expect("the test material is there")
    {
        let seen = rows
            .iter()
            .filter(|row| row["kind"] == kind.as_str())
            .count();
        if count.as_u64() != Some(seen as u64) {
            bad.push(format!("{seen} {kind} rows, not {count}"));
        }
    }
    bad
}

fn grade(path: &Path) -> Vec<Value> {
    let run = Command::new(env!("CARGO_BIN_EXE_deedcheck"))
        .args(["grade", "--format", "jsonl"])
        .arg(path)
        .output()
        .expect("the test material is there");
    String::from_utf8(run.stdout)
        .expect("the test material is there")
        .lines()
        .map(|line| serde_json::from_str(line).expect("the test material is there"))
        .collect()
}

#[test]
fn every_edge_case_comes_out_as_its_reader_expects() {
    let mut failed = Vec::new();
    let mut told = String::new();
    for folder in folders() {
        let name = folder
            .file_name()
            .expect("the test material is there")
            .to_string_lossy()
            .into_owned();
        let expect = std::fs::read_to_string(folder.join("expect.json"))
            .expect("the test material is there");
        let expect: Value = serde_json::from_str(&expect).expect("the test material is there");
        let bad = complaints(&expect, &grade(&folder.join("in")));
        if !bad.is_empty() {
            told.push_str(&format!("{name}: {}\n", bad.join("; ")));
            failed.push(name);
        }
    }
    assert!(failed.is_empty(), "{told}");
}

#[test]
fn the_edge_cases_themselves_are_sound() {
    let check = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/edge/check.py");
    let run = Command::new("python3")
        .arg(check)
        .output()
        .unwrap_or_else(|error| panic!("python3 is needed to check the edge cases: {error}"));
    assert!(
        run.status.success(),
        "{}{}",
        String::from_utf8_lossy(&run.stdout),
        String::from_utf8_lossy(&run.stderr)
    );
}
