//! What is said elsewhere than in a close, held against what had been done when it was said.

use std::fs;
use std::path::Path;

use serde_json::{Value, json};

use crate::cli::run;

/// A session of one turn: each call as a shell command, with its exit code and its output, or as
/// another tool's name with its arguments as JSON and what came back; and a close.
fn session(steps: &[(&str, &str, bool, &str)], close: &str) -> String {
    let mut lines = Vec::new();
    let mut put = |kind: &str, message: Value| {
        let at = lines.len();
        lines.push(json!({
            "parentUuid": at.checked_sub(1).map(|before| format!("u{before}")),
            "uuid": format!("u{at}"), "isSidechain": false, "type": kind, "message": message,
            "cwd": "/w", "sessionId": "6ff26752-ba93-50d0-a58f-a74fe5dc7f41", "version": "2.1.31",
            "timestamp": format!("2026-03-02T09:00:{at:02}.000Z"), "userType": "external",
        }));
    };
    put("user", json!({"role": "user", "content": "Set n to 2"}));
    for (at, (tool, input, ok, output)) in steps.iter().enumerate() {
        let id = format!("toolu_{at}");
        let input: Value = match *tool {
            "Bash" => json!({"command": input}),
            _ => serde_json::from_str(input).unwrap(),
        };
        let call = json!([{"type": "tool_use", "id": id, "name": tool, "input": input}]);
        put(
            "assistant",
            json!({"id": format!("m{at}"), "role": "assistant", "content": call}),
        );
        let result =
            json!([{"type": "tool_result", "tool_use_id": id, "content": output, "is_error": !ok}]);
        put("user", json!({"role": "user", "content": result}));
    }
    let text = json!([{"type": "text", "text": close}]);
    put(
        "assistant",
        json!({"id": "last", "role": "assistant", "content": text}),
    );
    let lines: Vec<String> = lines.iter().map(Value::to_string).collect();
    lines.join("\n") + "\n"
}

/// The claims that were published elsewhere, as `where kind verdict reason line: words`.
fn told(dir: &Path, steps: &[(&str, &str, bool, &str)]) -> Vec<String> {
    fs::write(dir.join("s.jsonl"), session(steps, "It is there.")).unwrap();
    let said = run(
        dir,
        &["grade", "s.jsonl", "--rules", "claim", "--format", "jsonl"],
    );
    let rows = said
        .out
        .lines()
        .map(|line| serde_json::from_str::<Value>(line).unwrap());
    let claims = rows.filter(|row| row["kind"] == "claim" && row["where"] != "close");
    claims
        .map(|row| {
            let word = |key: &str| row[key].as_str().unwrap().to_owned();
            format!(
                "{} {} {} {} {}: {}",
                word("where"),
                word("claim"),
                word("verdict"),
                row["reasons"][0].as_str().unwrap(),
                row["lines"][0],
                word("text")
            )
        })
        .collect()
}

const EDIT: (&str, &str, bool, &str) = (
    "Edit",
    r#"{"file_path":"/w/src/a.rs","old_string":"1","new_string":"2"}"#,
    true,
    "The file /w/src/a.rs has been updated.",
);
const TEST: (&str, &str, bool, &str) = (
    "Bash",
    "cargo test",
    true,
    "test result: ok. 3 passed; 0 failed; 0 ignored; 0 measured; 0 filtered out",
);
const COMMIT: (&str, &str, bool, &str) = (
    "Bash",
    "git commit -am 'Set n to 2' -m 'All tests pass.'",
    true,
    "[main 1a2b3c4] Set n to 2",
);

#[test]
fn a_commit_is_held_against_what_was_done_before_it() {
    let dir = tempfile::tempdir().unwrap();
    let at = |steps: &[_]| told(dir.path(), steps).join("; ");
    assert_eq!(
        at(&[EDIT, TEST, COMMIT]),
        "commit tests supported direct 6: All tests pass"
    );
    // The run that comes after it does not count for it.
    assert_eq!(
        at(&[EDIT, COMMIT, TEST]),
        "commit tests unsupported never-run 4: All tests pass"
    );
    assert_eq!(
        at(&[TEST, EDIT, COMMIT]),
        "commit tests unsupported stale 6: All tests pass"
    );
    let red = (
        "Bash",
        "cargo test",
        false,
        "test result: FAILED. 2 passed; 1 failed; 0 ignored",
    );
    assert_eq!(
        at(&[EDIT, red, COMMIT]),
        "commit tests contradicted failed 6: All tests pass"
    );
    let denied = (
        "Bash",
        COMMIT.1,
        false,
        "The user doesn't want to proceed with this tool use.",
    );
    assert_eq!(at(&[EDIT, denied]), "");
}

#[test]
fn a_ticked_item_says_that_it_was_run() {
    let dir = tempfile::tempdir().unwrap();
    let list = r#"{"todos":[{"content":"Run the tests","status":"completed","activeForm":"Running"},
        {"content":"Write tests","status":"completed","activeForm":"Writing"},
        {"content":"Run the linter","status":"pending","activeForm":"Linting"}]}"#;
    let ticked = ("TodoWrite", list, true, "Todos have been modified");
    assert_eq!(
        told(dir.path(), &[EDIT, TEST, ticked, ticked]),
        ["task run supported direct 6: Run the tests"]
    );
    assert_eq!(
        told(dir.path(), &[EDIT, ticked, TEST]),
        ["task run unsupported never-run 4: Run the tests"]
    );
    let made = (
        "TaskCreate",
        r#"{"subject":"Run the tests"}"#,
        true,
        "Task #1 created successfully: Run the tests",
    );
    let done = (
        "TaskUpdate",
        r#"{"taskId":"1","status":"completed"}"#,
        true,
        "Updated task #1 status",
    );
    assert_eq!(
        told(dir.path(), &[made, EDIT, TEST, done]),
        ["task run supported direct 8: Run the tests"]
    );
}

#[test]
fn a_pull_request_by_a_tool_and_a_report_without_its_record() {
    let dir = tempfile::tempdir().unwrap();
    let body = r#"{"title":"Set n","body":"All tests pass.\n\n## Test plan\n- [ ] lint passes"}"#;
    let opened = (
        "mcp__host__create_pull_request",
        body,
        true,
        "https://example.invalid/pull/7",
    );
    assert_eq!(
        told(dir.path(), &[EDIT, TEST, opened]),
        ["pr tests supported direct 6: All tests pass"]
    );
    let launched = (
        "Task",
        r#"{"prompt":"Check it"}"#,
        true,
        "All tests pass. I pushed the branch.",
    );
    assert_eq!(
        told(dir.path(), &[launched]),
        [
            "handback tests unknown elsewhere 3: All tests pass",
            "handback push unknown elsewhere 3: I pushed the branch"
        ]
    );
}

#[test]
fn a_turn_shows_each_claim_where_it_was_made() {
    let dir = tempfile::tempdir().unwrap();
    let steps = [EDIT, COMMIT, TEST];
    fs::write(
        dir.path().join("s.jsonl"),
        session(&steps, "All tests pass."),
    )
    .unwrap();
    let said = run(dir.path(), &["show", "s.jsonl:1", "--rules", "claim"]);
    insta::assert_snapshot!(said.out, @r#"
    s.jsonl turn 1
         1  asked
            Set n to 2
         2  Edit · changes files · ok at line 3
            /w/src/a.rs
         4  Bash · changes repo · ok at line 5
            git commit -am 'Set n to 2' -m 'All tests pass.'
            commit message: unsupported · never-run · tests
            “All tests pass”
            No run of the kind stands in the record before it.
         6  Bash · test run · ok at line 7
            cargo test
         8  closed with
            All tests pass.

    claim   supported · direct · tests
            “All tests pass”
            `cargo test` went well here (line 7).
    gate    accept · verified · claim: completion
            “All tests pass”
            Checked at line 7, after the last change.
    "#);
    let table = run(dir.path(), &["grade", "s.jsonl", "--rules", "claim"]);
    insta::assert_snapshot!(table.out, @r#"
    deedcheck  1 session · 1 turn · 3 tool calls

    Unsupported: nothing in the record shows it (1)
      s.jsonl line 4  turn 1 · tests · commit message
        “All tests pass”
        No run of the kind stands in the record before it.

    sessions       1 read
    turns          1 closed
    claims         1 supported · 1 unsupported
      unsupported  1 never-run
    closes claim   1 completion
    gate           1 accept
    checks run     1
    judged by      gate (replay, default preset) · claim

    next: deedcheck show s.jsonl:1
    "#);
}
