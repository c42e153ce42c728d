//! What becomes of an attempt, by what its transcript and its driver tell.

use std::path::Path;

use deedcheck::frozen::{Attempt, Driver, IdentityRow, Locator, read_attempt};
use serde_json::{Value, json};

use crate::regression::record;

fn user(number: u32, text: &str) -> Value {
    record(number, "user", &json!({"role": "user", "content": text}))
}

fn said(number: u32, text: &str) -> Value {
    let message = json!({
        "id": format!("msg_{number}"), "role": "assistant", "type": "message", "model": "m",
        "content": [{"type": "text", "text": text}], "stop_reason": "end_turn"
    });
    record(number, "assistant", &message)
}

fn call(number: u32) -> [Value; 2] {
    let id = format!("toolu_{number}");
    let message = json!({
        "id": format!("msg_{number}"), "role": "assistant", "type": "message", "model": "m",
        "content": [{"type": "tool_use", "id": id, "name": "Bash", "input": {"command": "ls"}}]
    });
    let result = json!({"role": "user", "content": [
        {"type": "tool_result", "tool_use_id": id, "content": "a", "is_error": false}]});
    [
        record(number, "assistant", &message),
        record(number + 1, "user", &result),
    ]
}

fn text(records: &[Value]) -> String {
    records.iter().map(|record| format!("{record}\n")).collect()
}

fn read_as(actor: &'static str, text: &str, state: Option<(&'static str, u32)>) -> Attempt {
    let dir = tempfile::tempdir().unwrap();
    std::fs::write(dir.path().join("s.jsonl"), text).unwrap();
    let row = IdentityRow {
        identity: "run-of-tests.with.task.1".to_owned(),
        actor,
        locator: Locator {
            root: "r".to_owned(),
            file: "s.jsonl".to_owned(),
            sha256: deedcheck::spec::sha256(text.as_bytes()),
        },
        driver: state.map(|(state, exit)| Driver {
            state,
            exit: Some(exit),
        }),
    };
    read_attempt(&row, Path::new(dir.path()), "r/s.jsonl")
}

/// Class, cause and the answer under both readings, in one line.
fn told(attempt: &Attempt) -> String {
    let answer = |last| match attempt.answer(last) {
        Ok(text) => format!("{text:?}"),
        Err(cause) => cause.to_owned(),
    };
    let class = attempt.class;
    let cause = class
        .cause()
        .map(|cause| format!("({cause})"))
        .unwrap_or_default();
    format!(
        "{}{cause} {} {}",
        class.as_str(),
        answer(false),
        answer(true)
    )
}

#[test]
fn spec_attempts_answer_by_close_or_by_last_message() {
    let main = |records: &[Value]| told(&read_as("main", &text(records), None));
    assert_eq!(
        main(&[
            user(1, "How many?"),
            said(2, "I counted."),
            said(3, "Nine.")
        ]),
        "completed \"I counted.\\n\\nNine.\" \"Nine.\""
    );
    let [asked, answered] = call(3);
    let cut = [
        user(1, "How many?"),
        said(2, "Nine, I think."),
        asked,
        answered,
    ];
    assert_eq!(
        told(&read_as("main", &text(&cut), Some(("timed-out", 124)))),
        "completed timeout timeout"
    );
    // What was said in an earlier turn is no answer to a later one.
    let [asked, answered] = call(4);
    let silent = [
        user(1, "How many?"),
        said(2, "Nine."),
        user(3, "Look again."),
        asked,
        answered,
        user(6, "So?"),
        said(7, "Ten."),
    ];
    assert_eq!(main(&silent), "completed \"Ten.\" \"Ten.\"");
}

#[test]
fn spec_attempts_are_classified_by_record_and_driver() {
    let whole = [user(1, "How many?"), said(2, "Nine.")];
    let [asked, answered] = call(2);
    let open = [user(1, "How many?"), asked, answered];
    let blank = [user(1, "How many?"), said(2, "  ")];
    let with = |records: &[Value], driver| told(&read_as("main", &text(records), driver));
    let cases = [
        (
            with(&whole, Some(("finished", 0))),
            "completed \"Nine.\" \"Nine.\"",
        ),
        // An answer was given, whatever code the client ended with.
        (
            with(&whole, Some(("finished", 1))),
            "completed \"Nine.\" \"Nine.\"",
        ),
        (
            with(&whole, Some(("interrupted", 130))),
            "inadmissible(interrupted-driver) \"Nine.\" \"Nine.\"",
        ),
        (
            with(&whole, Some(("timed-out", 124))),
            "completed timeout timeout",
        ),
        (
            with(&open, None),
            "unresolved(record-ends) no-close no-close",
        ),
        (
            with(&open, Some(("interrupted", 130))),
            "inadmissible(interrupted-driver) no-close no-close",
        ),
        (
            with(&open, Some(("finished", 1))),
            "completed exit-nonzero exit-nonzero",
        ),
        (
            with(&[], None),
            "inadmissible(startup-error) no-close no-close",
        ),
        (
            with(&blank, Some(("finished", 1)))
                .split(' ')
                .next()
                .unwrap()
                .to_owned(),
            "completed",
        ),
    ];
    for (index, (told, wanted)) in cases.iter().enumerate() {
        assert_eq!(told, wanted, "case {index}");
    }
    let torn = text(&whole) + "{\"type\":\"assist";
    assert_eq!(
        told(&read_as("main", &torn, None)).split(' ').next(),
        Some("unresolved(parse)")
    );
}

#[test]
fn spec_attempts_that_only_wait_have_no_answer() {
    let waits = text(&[
        user(1, "Run the tests."),
        said(2, "I'm still waiting for the test run."),
    ]);
    assert_eq!(
        told(&read_as("subagent", &waits, None)),
        "completed wait-notice wait-notice"
    );
    // A main session's reader sees what it waits for.
    assert!(read_as("main", &waits, None).answer(false).is_ok());
}

#[test]
fn spec_attempts_in_files_are_whole_texts() {
    let told = |text: &str| told(&read_as("file", text, None));
    assert_eq!(told("Nine.\n"), "completed \"Nine.\\n\" \"Nine.\\n\"");
    assert_eq!(told(" \n"), "completed empty empty");
}
