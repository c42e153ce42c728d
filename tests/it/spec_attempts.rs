//! What becomes of an attempt, by what its transcript and its driver tell.

use std::path::Path;

use deedcheck::frozen::{Attempt, Driver, IdentityRow, Locator, Window, read_attempt};
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
    read_within(actor, text, state, &[])
}

fn read_within(
    actor: &'static str,
    text: &str,
    state: Option<(&'static str, u32)>,
    windows: &[Window],
) -> Attempt {
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
        through: None,
    };
    read_attempt(&row, Path::new(dir.path()), "r/s.jsonl").within(windows)
}

/// Class, cause and the answer under both readings, in one line.
fn told(attempt: &Attempt) -> String {
    let answer = |last| match attempt.answer(last) {
        Ok(text) => format!("{text:?}"),
        Err(cause) => cause.into_owned(),
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
    assert_eq!(
        told(&read_as("main", &waits, None)),
        "completed wait-notice wait-notice"
    );
    // A file says whatever was to be said, and a session that answers before it waits has answered.
    assert!(
        read_as("file", "Waiting for the tide.", None)
            .answer(false)
            .is_ok()
    );
    let both = text(&[
        user(1, "How many?"),
        said(2, "Nine."),
        said(3, "Waiting for the rest of the run."),
    ]);
    assert_eq!(
        told(&read_as("main", &both, None)),
        "completed \"Nine.\\n\\nWaiting for the rest of the run.\" wait-notice"
    );
}

#[test]
fn spec_attempts_in_files_are_whole_texts() {
    let told = |text: &str| told(&read_as("file", text, None));
    assert_eq!(told("Nine.\n"), "completed \"Nine.\\n\" \"Nine.\\n\"");
    assert_eq!(told(" \n"), "completed empty empty");
}

#[test]
fn spec_attempts_stand_in_a_window() {
    let at = |number: u32, time: &str, mut record: Value| {
        record["timestamp"] = json!(format!("2026-03-02T{time}.{number:03}Z"));
        record
    };
    let talk = |since: &str, until: &str| {
        text(&[
            at(1, since, user(1, "How many?")),
            at(2, until, said(2, "Nine.")),
        ])
    };
    let window = |id: &str, since: &str, until: &str| Window {
        id: id.to_owned(),
        since: format!("2026-03-02T{since}Z"),
        until: format!("2026-03-02T{until}Z"),
    };
    let windows = [
        window("morning", "09:00:00", "10:00:00"),
        window("noon", "12:00:00", "13:00:00"),
    ];
    let told =
        |since: &str, until: &str| told(&read_within("main", &talk(since, until), None, &windows));
    for (since, until) in [("09:00:00", "09:59:59"), ("12:10:00", "12:20:00")] {
        assert_eq!(told(since, until), "completed \"Nine.\" \"Nine.\"");
    }
    for (since, until) in [
        ("08:59:59", "09:30:00"),
        ("09:30:00", "10:00:00"),
        ("09:30:00", "12:30:00"),
        ("11:00:00", "11:30:00"),
    ] {
        let own = told(since, until);
        assert!(own.starts_with("inadmissible(outside-window)"), "{own}");
    }
    // A record that tells no time is not held against any.
    let mut undated = [user(1, "How many?"), said(2, "Nine.")];
    for record in &mut undated {
        record.as_object_mut().unwrap().remove("timestamp");
    }
    let undated = read_within("main", &text(&undated), None, &windows);
    assert_eq!(self::told(&undated), "completed \"Nine.\" \"Nine.\"");
}

#[test]
fn spec_attempts_of_nobody_who_is_logged_in_never_began() {
    let fault = |number: u32, words: &str| {
        let message = json!({
            "id": format!("msg_{number}"), "role": "assistant", "type": "message",
            "model": "<synthetic>", "content": [{"type": "text", "text": words}]
        });
        let mut own = record(number, "assistant", &message);
        own["isApiErrorMessage"] = json!(true);
        own
    };
    let login = "Invalid API key · Please run /login";
    let class = |records: &[Value]| {
        let attempt = read_as("main", &text(records), None);
        let own = attempt.cause.as_deref();
        let cause = attempt.class.cause().or(own).unwrap_or("");
        format!("{} {cause}", attempt.class.as_str())
    };
    assert_eq!(
        class(&[user(1, "How many?"), fault(2, login)]),
        "inadmissible startup-error"
    );
    assert_eq!(
        class(&[
            user(1, "How many?"),
            said(2, "Nine."),
            user(3, "And now?"),
            fault(4, login)
        ]),
        "inadmissible interrupted-driver"
    );
    assert_eq!(
        class(&[user(1, "How many?"), fault(2, "API Error: 529 overloaded")]),
        "completed api-error"
    );
}
