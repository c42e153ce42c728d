//! Faults that were found, each held so that it cannot come back.
//!
//! To add one: write a function named after what was wrong, from a user's side; begin its doc
//! comment with what happened and what should have; make the smallest input of your own that shows
//! it (never a copy of someone's transcript); see it fail on the code before the repair; and only
//! then repair the code.

use std::ffi::OsString;
use std::path::Path;

use deedcheck::cli::{self, Surroundings};
use serde_json::{Value, json};

/// The rows of one session that holds these records.
pub(crate) fn rows(records: &[Value]) -> Vec<Value> {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("session.jsonl");
    let text: String = records.iter().map(|record| format!("{record}\n")).collect();
    std::fs::write(&file, text).unwrap();
    printed(&file)
}

/// The rows of a file.
pub(crate) fn printed(path: &Path) -> Vec<Value> {
    let mut argv: Vec<OsString> = ["deedcheck", "grade", "--format", "jsonl"]
        .map(OsString::from)
        .into();
    argv.push(path.into());
    let (mut out, mut err) = (Vec::new(), Vec::new());
    cli::run(
        &argv,
        &Surroundings::default(),
        &mut std::io::empty(),
        &mut out,
        &mut err,
    )
    .unwrap();
    assert!(err.is_empty(), "{}", String::from_utf8_lossy(&err));
    String::from_utf8(out)
        .unwrap()
        .lines()
        .map(|line| serde_json::from_str(line).unwrap())
        .collect()
}

/// A Claude Code record in its place of a chain; numbers from 1.
pub(crate) fn record(number: u32, kind: &str, message: &Value) -> Value {
    let uuid = |number: u32| format!("00000000-0000-4000-8000-{number:012}");
    json!({
        "parentUuid": (number > 1).then(|| uuid(number - 1)),
        "isSidechain": false,
        "userType": "external",
        "cwd": "/home/dev/project",
        "sessionId": uuid(0),
        "version": "2.1.0",
        "type": kind,
        "message": message,
        "uuid": uuid(number),
        "timestamp": format!("2026-03-02T09:00:{number:02}.000Z"),
    })
}

/// A session's own records are graded once: the scaffold above makes a session that is read.
#[test]
fn the_scaffold_makes_a_session_that_is_read() {
    let rows = rows(&[
        record(
            1,
            "user",
            &json!({"role": "user", "content": "What does the parser do?"}),
        ),
        record(
            2,
            "assistant",
            &json!({
                "id": "msg_1", "role": "assistant", "type": "message", "model": "m",
                "content": [{"type": "text", "text": "I have not looked yet."}],
                "stop_reason": "end_turn"
            }),
        ),
    ]);
    assert_eq!(rows.len(), 2, "{rows:?}");
    assert_eq!(rows[0]["verdict"], "read");
    assert_eq!(rows[1]["ended"], "closed");
}

/// One call with thousands of runs was read once for each run: the cost was its square.
#[test]
fn a_call_with_thousands_of_runs_is_told_apart_up_to_a_bound() {
    let command = "cargo test; ".repeat(2_000);
    let rows = rows(&[
        record(1, "user", &json!({"role": "user", "content": "Run them."})),
        record(
            2,
            "assistant",
            &json!({
                "id": "msg_1", "role": "assistant", "type": "message", "model": "m",
                "content": [{"type": "tool_use", "id": "toolu_1", "name": "Bash",
                             "input": {"command": command}}],
            }),
        ),
        record(
            3,
            "user",
            &json!({"role": "user", "content": [{"type": "tool_result", "tool_use_id": "toolu_1",
                     "content": "test result: ok. 1 passed", "is_error": false}]}),
        ),
        record(
            4,
            "assistant",
            &json!({
                "id": "msg_2", "role": "assistant", "type": "message", "model": "m",
                "content": [{"type": "text", "text": "All tests pass."}],
            }),
        ),
    ]);
    let turn = rows.iter().find(|row| row["kind"] == "turn").unwrap();
    assert_eq!(turn["steps"][0]["effect"], "unknown");
    assert_ne!(turn["gate"]["verdict"], "reject");
}

/// A signal that nothing gives made every completion fall short of it.
#[test]
fn a_goal_signal_with_a_typo_is_refused() {
    let error = deedcheck::pipeline::Policy::parse("goal-signals = [\"test-passed\"]").unwrap_err();
    assert_eq!(
        error.to_string(),
        "E_POLICY field=goal-signals kind=unknown-value"
    );
}

/// Records of a Codex session: its own line, a framed turn that asks and answers, and what follows.
fn codex(after: &[Value]) -> Vec<Value> {
    let line = |kind: &str, payload: Value| json!({"timestamp": "2026-03-02T09:00:00.000Z", "type": kind, "payload": payload});
    let mut records = vec![
        line(
            "session_meta",
            json!({"id": "00000000-0000-7000-8000-000000000001", "timestamp": "2026-03-02T09:00:00.000Z",
                   "cwd": "/w", "originator": "codex_cli_rs", "cli_version": "0.118.0"}),
        ),
        line(
            "event_msg",
            json!({"type": "task_started", "turn_id": "t1"}),
        ),
        line(
            "response_item",
            json!({"type": "message", "role": "user", "content": [{"type": "input_text", "text": "Which port?"}]}),
        ),
        line(
            "response_item",
            json!({"type": "message", "role": "assistant", "phase": "final_answer",
                   "content": [{"type": "output_text", "text": "It listens on port 8080."}]}),
        ),
    ];
    records.extend(
        after
            .iter()
            .map(|payload| line("response_item", payload.clone())),
    );
    records
}

fn endings(rows: &[Value]) -> Vec<&str> {
    let turns = rows.iter().filter(|row| row["kind"] == "turn");
    turns.map(|row| row["ended"].as_str().unwrap()).collect()
}

/// A record that was cut right after the answer left its last turn running, and its close unread.
#[test]
fn an_answer_closes_a_turn_whose_end_is_not_recorded() {
    assert_eq!(endings(&rows(&codex(&[]))), ["closed"]);
}

/// What the operator asked after an answer was taken for a word in between, and the answer was lost.
#[test]
fn a_question_after_the_answer_is_a_new_turn() {
    let next = json!({"type": "message", "role": "user", "content": [{"type": "input_text", "text": "And the host?"}]});
    let rows = rows(&codex(&[next]));
    assert_eq!(endings(&rows), ["closed", "running"]);
}

/// A Codex session of one turn: its items in order, the last one the close.
fn codex_turn(items: &[Value]) -> Vec<Value> {
    let mut records = codex(&[]);
    records.truncate(2);
    let prompt = json!({"type": "message", "role": "user", "content": [{"type": "input_text", "text": "Run the tests"}]});
    records.extend([&prompt].into_iter().chain(items).map(|payload| {
        json!({"timestamp": "2026-03-02T09:00:01.000Z", "type": "response_item", "payload": payload})
    }));
    records
}

fn close(text: &str) -> Value {
    json!({"type": "message", "role": "assistant", "phase": "final_answer",
           "content": [{"type": "output_text", "text": text}]})
}

fn claims(rows: &[Value]) -> Vec<&Value> {
    rows.iter().filter(|row| row["kind"] == "claim").collect()
}

/// A command that still ran when it was first answered was cited where it only says so; its end, which
/// bears the statement out, stands where it was looked at again.
#[test]
fn a_command_that_went_on_is_cited_where_its_end_is_told() {
    let asked = |name: &str, args: Value, id: &str| json!({"type": "function_call", "name": name, "arguments": args.to_string(), "call_id": id});
    let answer = |id: &str, head: &str, text: &str| {
        json!({"type": "function_call_output", "call_id": id,
        "output": format!("Chunk ID: 1a2b3c\nWall time: 1.0000 seconds\n{head}\nOutput:\n{text}")})
    };
    let rows = rows(&codex_turn(&[
        asked("exec_command", json!({"cmd": "pytest -q"}), "c1"),
        answer("c1", "Process running with session ID 7", ""),
        asked("write_stdin", json!({"session_id": 7, "chars": ""}), "c2"),
        answer("c2", "Process exited with code 0", "5 passed in 0.31s\n"),
        close("All tests pass."),
    ]));
    let claims = claims(&rows);
    assert_eq!(claims[0]["verdict"], "supported");
    assert_eq!(claims[0]["evidence"][0]["line"], 7);
}

/// Rollouts whose messages hold their calls were read as words alone, and a run that stands in the record
/// was called invented.
#[test]
fn a_call_within_a_message_is_a_call() {
    let call = json!({"type": "message", "role": "assistant", "content": null,
        "function_call": {"name": "shell", "arguments": "{\"command\":\"python -m pytest tests/\"}"}});
    let answer = json!({"type": "message", "role": "function", "name": "shell",
        "content": "collected 5 items\n\n===== 5 passed in 0.42s ====="});
    let rows = rows(&codex_turn(&[call, answer, close("All 5 tests passed.")]));
    let claims = claims(&rows);
    assert_eq!(claims[0]["verdict"], "supported");
    assert_eq!(claims[0]["reasons"], json!(["output-only"]));
}
