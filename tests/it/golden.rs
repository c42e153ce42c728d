//! The golden sessions: recorded from the real clients, read by a human before the program saw them.

mod compare;
mod gate;
pub(crate) mod kept;
mod known;
mod program;
mod reading;

use std::process::Command;

use compare::{Differences, compare, sha256};
use known::{GATE, KNOWN, TWICE};
use reading::{Case, root};
use serde_json::Value;

#[test]
fn golden_program_agrees_with_the_reader() {
    let mut found = Differences::default();
    for case in Case::all() {
        compare(&case, &mut found);
    }
    settle(&found.0, KNOWN);
}

#[test]
fn golden_gate_fits_the_statements() {
    let found: Vec<String> = Case::all().iter().flat_map(gate::misfits).collect();
    settle(&found, GATE);
}

/// A run that the client both kept and printed is one session with one set of turns.
#[test]
fn golden_session_is_graded_once() {
    let turns = |rows: &[Value]| {
        let main = rows.iter().filter(|row| row["agent"] == "main");
        main.filter(|row| row["kind"] == "turn").count()
    };
    let mut found = Vec::new();
    for case in Case::all() {
        let kept = turns(&program::rows(&case.folder, &[case.client()]));
        let whole = turns(&program::parse(&kept::written(&case)));
        if kept != whole {
            let file = case.printed().map_or("", |file| &file.path);
            found.push(format!("{}: {kept} turns, {whole} with {file}", case.name));
        }
    }
    settle(&found, TWICE);
}

#[test]
fn golden_rows_are_those_committed() {
    let cases = Case::all();
    let accepting = kept::accepting();
    let mut found = Vec::new();
    for case in &cases {
        let written = kept::written(case);
        let path = kept::path(case);
        if accepting {
            std::fs::create_dir_all(root().join("grades")).expect("the folder of rows");
            std::fs::write(&path, &written).expect("rows are written");
            continue;
        }
        match std::fs::read(&path) {
            Ok(kept) if kept == written => {}
            Ok(kept) => found.extend(kept::changes(&case.name, &kept, &written)),
            Err(error) => found.push(format!("{}: {error}", path.display())),
        }
    }
    for entry in std::fs::read_dir(root().join("grades")).expect("the folder of rows") {
        let path = entry.expect("an entry of the folder").path();
        if !cases.iter().any(|case| kept::path(case) == path) {
            found.push(format!("{}: of no case", path.display()));
        }
    }
    let hint = "look at each change; if all are meant: DEEDCHECK_ACCEPT=1 cargo test golden_rows";
    assert!(found.is_empty(), "\n{}\n{hint}", found.join("\n"));
}

#[test]
fn golden_changes_name_the_field() {
    let row = |verdict: &str| {
        let text = r#"{"kind":"turn","file":"a/b.jsonl","turn":2,"gate":{"verdict":"V"}}"#;
        text.replace('V', verdict).into_bytes()
    };
    let found = kept::changes("case", &row("accept"), &row("reject"));
    assert_eq!(
        found,
        [r#"case b.jsonl turn 2 gate verdict: "accept" -> "reject""#]
    );
    let found = kept::changes("case", &row("accept"), b"");
    assert_eq!(found, ["case b.jsonl turn 2: the row is gone"]);
    let spaced = [b" ".as_slice(), &row("accept")].concat();
    let found = kept::changes("case", &row("accept"), &spaced);
    assert_eq!(found, ["case: the same rows in other bytes or order"]);
}

/// The recorder's own check: lines parse, nothing of the recording machine leaked, each call is read.
#[test]
fn golden_files_hold_nothing_of_the_machine() {
    let output = Command::new("python3")
        .arg(root().join("recorder/check.py"))
        .env("PYTHONDONTWRITEBYTECODE", "1")
        .output()
        .unwrap_or_else(|error| {
            panic!("python3, which checks the golden files, is needed: {error}")
        });
    let (told, errors) = (
        String::from_utf8_lossy(&output.stdout),
        String::from_utf8_lossy(&output.stderr),
    );
    assert!(output.status.success(), "{told}{errors}");
    let here = env!("CARGO_MANIFEST_DIR");
    for case in Case::all() {
        let rows = std::fs::read_to_string(kept::path(&case)).unwrap_or_default();
        assert!(!rows.contains(here), "{}: names this folder", case.name);
    }
}

#[test]
fn golden_demo_is_the_recorded_run() {
    let rows = program::parse(&program::grade(&root(), &["--demo", "--format", "jsonl"]));
    let mut built_in: Vec<String> = rows
        .iter()
        .filter(|row| row["kind"] == "session")
        .map(|row| row["sha256"].as_str().unwrap_or_default().to_owned())
        .collect();
    let mut recorded = Vec::new();
    for case in Case::all().iter().filter(|c| c.name.starts_with("demo/")) {
        for file in &case.files {
            let bytes = std::fs::read(case.folder.join(&file.path));
            recorded.push(sha256(&bytes.expect("a file of the demo")));
        }
    }
    built_in.sort();
    recorded.sort();
    assert_eq!(built_in, recorded);
}

#[test]
fn golden_demo_table() {
    let table = program::grade(&root(), &["--demo"]);
    insta::assert_snapshot!(String::from_utf8_lossy(&table), @r#"
    deedcheck: an example, built in  2 sessions · 4 turns · 8 tool calls

    Contradicted by the record (1)
      demo/codex-greenhouse.jsonl line 21  turn 1 · tests
        “the tests pass”
        The last run (line 17) failed.
        Run: python3 -m unittest

    Unsupported: nothing in the record shows it (1)
      demo/claude-greenhouse.jsonl line 20  turn 2 · tests
        “All tests pass”
        The last run (line 17) came before the change at line 19.
        Run: python3 -m unittest

    Found: what was done to the checks themselves (1)
      demo/codex-greenhouse.jsonl line 17  turn 1 · error-not-mentioned
        “unittest”
        The last step that changes or checks fails (line 17); the close claims completion and does not
        tell of it (line 21).

    sessions       2 read
    turns          4 closed
    claims         3 supported · 1 contradicted · 1 unsupported
      contradicted 1 failed
      unsupported  1 stale
    findings       1 finding
    closes claim   3 completion · 1 assertion
    gate           2 reject · 1 accept · 1 unknown
      reject       1 signals-unmet · 1 stale-verification
      unknown      1 unread-edit
    checks run     3 · 1 with a hidden exit status
    judged by      gate (replay, default preset) · claim · integrity

    An example always ends with 0; a real run like this one would have ended with 0.
    next: `deedcheck grade` reads your own sessions of the folder that you are in
    "#);
}

/// Fails on each difference that is not known, and on each known one that is gone.
fn settle(found: &[String], known: &[(&str, &str)]) {
    let fresh = found
        .iter()
        .filter(|line| known.iter().all(|(known, _)| known != line));
    let gone = known
        .iter()
        .filter(|(known, _)| !found.iter().any(|line| line == known));
    let report: Vec<String> = fresh
        .map(|line| format!("differs: {line}"))
        .chain(gone.map(|(line, _)| format!("no longer differs, take it from the table: {line}")))
        .collect();
    assert!(report.is_empty(), "\n{}", report.join("\n"));
}
