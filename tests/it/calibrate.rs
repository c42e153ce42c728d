//! `deedcheck calibrate` on a session and labels of our own.

use std::path::Path;
use std::process::{Command, Output};

use serde_json::{Value, json};

use crate::regression::record;

const CLOSE: &str = "All 3 tests pass. I pushed the branch.";

fn session() -> String {
    let records = [
        record(
            1,
            "user",
            &json!({"role": "user", "content": "Run the tests."}),
        ),
        record(
            2,
            "assistant",
            &json!({"id": "m1", "role": "assistant", "content": [
                {"type": "tool_use", "id": "t1", "name": "Bash", "input": {"command": "pytest -q"}}]}),
        ),
        record(
            3,
            "user",
            &json!({"role": "user", "content": [
                {"type": "tool_result", "tool_use_id": "t1", "content": "3 passed in 0.02s", "is_error": false}]}),
        ),
        record(
            4,
            "assistant",
            &json!({"id": "m2", "role": "assistant", "stop_reason": "end_turn",
                    "content": [{"type": "text", "text": CLOSE}]}),
        ),
    ];
    records.iter().map(|record| format!("{record}\n")).collect()
}

fn label(kind: &str, words: &str, verdict: &str, readers: &str) -> Value {
    let start = CLOSE.find(words).unwrap();
    json!({"kind": kind, "start": start, "end": start + words.len(), "verdict": verdict, "readers": readers})
}

fn run(folder: &Path, labels: &str) -> Output {
    std::fs::create_dir_all(folder.join("sessions")).unwrap();
    std::fs::write(folder.join("sessions/one.jsonl"), session()).unwrap();
    std::fs::write(folder.join("turns.jsonl"), labels).unwrap();
    Command::new(env!("CARGO_BIN_EXE_deedcheck"))
        .args(["calibrate", "--rules", "claim", "--sessions"])
        .arg(folder.join("sessions"))
        .arg(folder)
        .output()
        .unwrap()
}

fn turn(claims: &[Value]) -> String {
    let turn =
        json!({"id": "x1", "file": "one.jsonl", "lines": [1, 4], "close": CLOSE, "claims": claims});
    format!("{turn}\n")
}

#[test]
fn a_page_tells_found_from_missed_and_right_from_wrong() {
    let folder = tempfile::tempdir().unwrap();
    let labels = turn(&[
        label("tests", "All 3 tests pass", "supported", "both"),
        label("push", "pushed the branch", "supported", "both"),
        label("deploy", "I pushed", "supported", "both"),
        label("lint", "All", "contradicted", "one"),
    ]);
    let output = run(folder.path(), &labels);
    assert!(output.stderr.is_empty());
    assert_eq!(output.status.code(), Some(0));
    insta::assert_snapshot!(String::from_utf8(output.stdout).unwrap(), @r"
    # Claims against labelled turns

    1 turns, 3 statements that both readers mark alike. Of those, 2 are found (66.6 % (20.7–93.9)), 1 of these with the
    readers' verdict (50.0 % (9.4–90.6)); 0 are left open, 1 accused against the readers, 0 borne out against them.
    Intervals are Wilson's, 95 %. A statement counts as found where a row of its kind overlaps it.

    | kind   | labels | found |                      | right |                      | open | accused | certified | unmarked |
    |--------|--------|-------|----------------------|-------|----------------------|------|---------|-----------|----------|
    | deploy | 1      | 0     | 0.0 % (0.0–79.4)     | 0     | –                    | 0    | 0       | 0         | 0        |
    | push   | 1      | 1     | 100.0 % (20.6–100.0) | 0     | 0.0 % (0.0–79.4)     | 0    | 1       | 0         | 0        |
    | tests  | 1      | 1     | 100.0 % (20.6–100.0) | 1     | 100.0 % (20.6–100.0) | 0    | 0       | 0         | 0        |
    | all    | 3      | 2     | 66.6 % (20.7–93.9)   | 1     | 50.0 % (9.4–90.6)    | 0    | 1       | 0         | 0        |

    ## Judged otherwise

    | turn | bytes | kind | readers   | rows                   |
    |------|-------|------|-----------|------------------------|
    | x1   | 20–37 | push | supported | unsupported(never-run) |

    ## Not found

    | turn | bytes | kind   | readers   | rows |
    |------|-------|--------|-----------|------|
    | x1   | 18–26 | deploy | supported |      |
    ");
}

#[test]
fn labels_that_are_none_are_refused() {
    let outside = format!(
        "{}\n",
        json!({"id": "x", "file": "f", "lines": [1, 1], "close": "Hi", "claims": [
            {"kind": "tests", "start": 0, "end": 9, "verdict": "supported", "readers": "both"}]})
    );
    let cases = [
        ("", "E_LABELS line=0 kind=empty"),
        ("\n{\"secret\":1}\n", "E_LABELS line=2 kind=not-a-turn"),
        (outside.as_str(), "E_LABELS line=1 kind=span-outside-close"),
    ];
    for (labels, wanted) in cases {
        let folder = tempfile::tempdir().unwrap();
        let output = run(folder.path(), labels);
        assert_eq!(output.status.code(), Some(2), "{wanted}");
        assert_eq!(
            String::from_utf8(output.stderr).unwrap(),
            format!("{wanted}\n")
        );
        assert!(output.stdout.is_empty(), "{wanted}");
    }
}
