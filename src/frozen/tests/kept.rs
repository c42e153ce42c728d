//! What a record that an earlier version kept tells, and what it does not.

use crate::frozen::{IdentityRow, Locator, OnRecord, ReadAttempt as _};
use crate::oracle::Evidence;
use crate::record::Decoder;

/// The record of a session of one call, with what this version keeps of it where `now` asks for that.
fn record(now: bool) -> String {
    let (tells, at, model) = match now {
        true => (
            r#","tells":{"attached":true,"prompts":true}"#,
            r#","at":"2026-03-02T09:00:03Z""#,
            "{\"event\":{\"body\":{\"settings\":{\"model\":\"m\"}}}}\n",
        ),
        false => ("", "", ""),
    };
    let call = format!(
        r#"{{"event":{{"body":{{"call":{{"id":"c","tool":"Bash","action":"unknown","args":"{{}}"{at}}}}}}}}}"#
    );
    let lines = [
        r#"{"records":{"schema":"deedcheck/records/1"}}"#,
        r#"{"file":{"name":"r/s.jsonl","named":true,"expected":true,"size":1,"glance":{"subagent":false,"printed":false,"depth":1}}}"#,
        r#"{"event":{"record":{"line":1,"start":0,"end":1},"body":{"operator":{"text":"How many?","opens":"always"}}}}"#,
        &format!("{model}{call}"),
        r#"{"event":{"body":{"outcome":{"id":"c","text":"9","outcome":"ok"}}}}"#,
        r#"{"event":{"body":{"said":{"text":"Nine."}}}}"#,
    ];
    let header = format!(r#"{{"client":"claude-code"{tells}}}"#);
    let end = format!(
        r#"{{"end":{{"format":"claude-session","header":{header},"sha256":"{}","size":1,"records":3,"bookkeeping":0,"record_bytes":1,"separator_bytes":0,"blank_bytes":0,"bom_bytes":0,"quarantined_bytes":0}}}}"#,
        "0".repeat(64)
    );
    lines
        .iter()
        .map(|line| format!("{line}\n"))
        .chain([end + "\n"])
        .collect()
}

fn shown(now: bool, look: impl Fn(&Evidence<'_>)) {
    let packed = zstd::encode_all(record(now).as_bytes(), 3).unwrap();
    let mut decoder = Decoder::open(packed.as_slice()).unwrap();
    let files = OnRecord::read(&mut decoder).unwrap();
    let row = IdentityRow {
        through: None,
        identity: "run-of-tests.with.task.1".to_owned(),
        actor: "main",
        locator: Locator {
            root: "r".to_owned(),
            file: "s.jsonl".to_owned(),
            sha256: String::new(),
        },
        driver: None,
    };
    let attempt = files.attempt(&row, "r/s.jsonl");
    assert_eq!(attempt.answer(false), Ok("Nine."));
    look(&attempt.evidence());
}

#[test]
fn a_record_of_an_earlier_version_tells_nothing_that_it_was_not_asked_to_keep() {
    shown(false, |seen| {
        let told = [
            seen.prompt_observed,
            seen.rows_observed,
            seen.hook_rows_observed,
            seen.messages_observed,
        ];
        assert_eq!(told, [false; 4]);
        assert!(seen.turns.is_empty() && seen.calls[0].at.is_none());
        assert!(seen.calls_observed, "its calls stand there all the same");
    });
    shown(true, |seen| {
        let told = [
            seen.prompt_observed,
            seen.rows_observed,
            seen.hook_rows_observed,
            seen.messages_observed,
        ];
        assert_eq!(told, [true, true, true, false]);
        assert_eq!(seen.turns[0].model.as_deref(), Some("m"));
        assert_eq!(
            seen.turns[0].untold,
            ["effort", "sandbox", "cwd", "servers"]
        );
        assert_eq!(seen.calls[0].at.as_deref(), Some("2026-03-02T09:00:03Z"));
    });
}
