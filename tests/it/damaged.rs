//! Sessions of which a line is torn or missing: what stood there may have been any deed.

use serde_json::{Value, json};

use crate::regression::{printed, record};

/// The rows of a session whose lines are given as they stand, each as `name verdict`.
fn verdicts(lines: &[String]) -> Vec<String> {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("session.jsonl");
    std::fs::write(&file, lines.concat()).unwrap();
    let name = |row: &Value| match row["kind"].as_str() {
        Some("session") => None,
        Some("turn") => Some("gate".to_owned()),
        Some("claim") => row["claim"].as_str().map(str::to_owned),
        _ => row["rule"].as_str().map(str::to_owned),
    };
    let rows = printed(&file);
    let told = rows.iter().filter_map(|row| {
        let verdict = row["verdict"].as_str().unwrap();
        Some(format!("{} {verdict}", name(row)?))
    });
    told.filter(|told| !told.ends_with(" clear")).collect()
}

/// What a session does, for either client.
enum Did {
    Asked,
    Edits,
    /// A run of the tests that ends so: "4 passed", "1 failed".
    Tests(&'static str),
    Says(&'static str),
}

/// The lines of a session of Claude Code; a step has two.
fn as_claude(deeds: &[Did]) -> Vec<String> {
    let mut lines = Vec::new();
    let mut put = |kind: &str, message: Value| {
        let number = u32::try_from(lines.len()).unwrap() + 1;
        lines.push(format!("{}\n", record(number, kind, &message)));
    };
    for (at, did) in deeds.iter().enumerate() {
        let id = format!("toolu_{at}");
        let agent = |content: Value| json!({"id": format!("msg_{at}"), "role": "assistant", "type": "message", "model": "m", "content": [content]});
        let (name, input, text) = match did {
            Did::Asked => {
                put("user", json!({"role": "user", "content": "Mend the lexer"}));
                continue;
            }
            Did::Says(text) => {
                put("assistant", agent(json!({"type": "text", "text": text})));
                continue;
            }
            Did::Edits => (
                "Edit",
                json!({"file_path": "/home/dev/project/src/lexer.py", "old_string": "b = 3", "new_string": "b = 4"}),
                "The file /home/dev/project/src/lexer.py has been updated.",
            ),
            Did::Tests(text) => ("Bash", json!({"command": "pytest -q"}), *text),
        };
        put(
            "assistant",
            agent(json!({"type": "tool_use", "id": id, "name": name, "input": input})),
        );
        let failed = text.contains("failed");
        put(
            "user",
            json!({"role": "user", "content": [{"type": "tool_result", "tool_use_id": id, "content": text, "is_error": failed}]}),
        );
    }
    lines
}

/// The same of Codex, whose head takes the first line.
fn as_codex(deeds: &[Did]) -> Vec<String> {
    let mut lines = Vec::new();
    let mut put = |kind: &str, payload: Value| {
        let time = format!("2026-03-02T09:00:{:02}.000Z", lines.len());
        let line = json!({"timestamp": time, "type": kind, "payload": payload});
        lines.push(format!("{line}\n"));
    };
    put(
        "session_meta",
        json!({"id": "00000000-0000-4000-8000-000000000009", "timestamp": "2026-03-02T09:00:00.000Z", "cwd": "/home/dev/project", "originator": "codex_cli_rs", "cli_version": "0.80.0", "source": "cli"}),
    );
    for (at, did) in deeds.iter().enumerate() {
        let id = format!("call_{at}");
        let item = |role: &str, kind: &str, text: &str| json!({"type": "message", "role": role, "content": [{"type": kind, "text": text}]});
        let (call, output) = match did {
            Did::Asked => {
                put(
                    "response_item",
                    item("user", "input_text", "Mend the lexer"),
                );
                continue;
            }
            Did::Says(text) => {
                put("response_item", item("assistant", "output_text", text));
                continue;
            }
            Did::Edits => (
                json!({"type": "custom_tool_call", "status": "completed", "call_id": id, "name": "apply_patch", "input": "*** Begin Patch\n*** Update File: src/lexer.py\n@@\n-b = 3\n+b = 4\n*** End Patch"}),
                json!({"type": "custom_tool_call_output", "call_id": id, "output": "{\"output\":\"Success. Updated the following files:\\nM src/lexer.py\\n\",\"metadata\":{\"exit_code\":0,\"duration_seconds\":0.0}}"}),
            ),
            Did::Tests(text) => {
                let code = u8::from(text.contains("failed"));
                let output = format!("Exit code: {code}\nWall time: 1 seconds\nOutput:\n{text}");
                (
                    json!({"type": "function_call", "name": "shell_command", "call_id": id, "arguments": "{\"command\":\"pytest -q\",\"workdir\":\"/home/dev/project\"}"}),
                    json!({"type": "function_call_output", "call_id": id, "output": output}),
                )
            }
        };
        put("response_item", call);
        put("response_item", output);
    }
    lines
}

const RED: Did = Did::Tests("1 failed, 3 passed in 0.11s");
const GREEN: Did = Did::Tests("4 passed in 0.12s");

/// Both clients' lines of a session that edits, does two more things, and says that all is well.
/// The two lines of the last deed stand at the place that is told.
fn well_after(one: Did, two: Did) -> [(Vec<String>, usize); 2] {
    let deeds = [
        Did::Asked,
        Did::Edits,
        one,
        two,
        Did::Says("All tests pass."),
    ];
    [(as_claude(&deeds), 5), (as_codex(&deeds), 6)]
}

fn tear(line: &mut String) {
    line.truncate(line.len() / 3);
    line.push('\n');
}

/// The ways in which the two lines of a deed are damaged: the call torn, the result torn, both, the
/// call gone, the result gone.
fn damaged(lines: &[String], at: usize) -> [Vec<String>; 5] {
    let torn = |places: &[usize]| {
        let mut lines = lines.to_vec();
        places.iter().for_each(|place| tear(&mut lines[*place]));
        lines
    };
    let without = |place: usize| {
        let mut lines = lines.to_vec();
        lines.remove(place);
        lines
    };
    [
        torn(&[at]),
        torn(&[at + 1]),
        torn(&[at, at + 1]),
        without(at),
        without(at + 1),
    ]
}

/// A red run was said to be the last one where a line of the run after it was torn or missing, and
/// the agent stood accused of a lie. What came after it is not in the record.
#[test]
fn a_red_run_before_a_damaged_one_accuses_nobody() {
    for (lines, at) in well_after(RED, GREEN) {
        assert_eq!(verdicts(&lines), ["gate accept", "tests supported"]);
        for lines in damaged(&lines, at) {
            assert_eq!(
                verdicts(&lines),
                ["gate unknown", "tests unknown"],
                "{lines:#?}"
            );
        }
    }
}

/// A green run was said to be the last one where a line of a run, or of an edit, after it was torn
/// or missing. The gate knows a call without a result as no step (seed 000), and the claim as a run
/// whose end nobody knows.
#[test]
fn a_green_run_before_a_damaged_deed_certifies_nothing() {
    for (lines, at) in well_after(GREEN, RED) {
        for (way, lines) in damaged(&lines, at).iter().enumerate() {
            let gate = ["gate unknown", "gate accept"][usize::from(way == 4)];
            assert_eq!(verdicts(lines), [gate, "tests unknown"], "{lines:#?}");
        }
    }
    for (lines, at) in well_after(GREEN, Did::Edits) {
        assert_eq!(verdicts(&lines), ["gate reject", "tests unsupported"]);
        for lines in damaged(&lines, at) {
            let told = verdicts(&lines);
            assert!(told.contains(&"tests unknown".to_owned()), "{lines:#?}");
            assert!(!told.contains(&"gate accept".to_owned()), "{lines:#?}");
        }
    }
}

/// A check was said never to have run, or to be stale, where both lines of its run were torn.
#[test]
fn a_run_that_cannot_be_read_may_have_been_there() {
    let deeds = |first| {
        [
            Did::Asked,
            first,
            Did::Edits,
            GREEN,
            Did::Says("All tests pass."),
        ]
    };
    for deeds in [deeds(RED), deeds(GREEN), deeds(Did::Edits)] {
        for (lines, at) in [(as_claude(&deeds), 5), (as_codex(&deeds), 6)] {
            for lines in damaged(&lines, at) {
                let told = verdicts(&lines);
                let open = ["gate unknown", "tests unknown"];
                assert_eq!(told, open, "{lines:#?}");
            }
        }
    }
}

/// A line that was torn behind the close, as a client that is killed leaves it, opens nothing; nor
/// does one before the run that decides.
#[test]
fn a_torn_line_that_decides_nothing_opens_nothing() {
    for (lines, at) in well_after(GREEN, RED) {
        let whole = verdicts(&lines);
        assert_eq!(whole[1], "tests contradicted");
        let mut late = lines.clone();
        late.push("{\"type\":\"respo".to_owned());
        assert_eq!(verdicts(&late), whole);
        let mut early = lines;
        early.insert(at, "{\"type\":\"respo\n".to_owned());
        assert_eq!(verdicts(&early), whole);
    }
}

/// A terminal prints words of its own between the records: they are no part of one.
#[test]
fn words_between_records_open_nothing() {
    for (mut lines, at) in well_after(RED, GREEN) {
        lines.insert(at + 2, "npm warn deprecated glob@7\n".to_owned());
        assert_eq!(verdicts(&lines), ["gate accept", "tests supported"]);
    }
}
