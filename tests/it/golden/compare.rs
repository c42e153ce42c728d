//! The program's rows beside the reader's words: each difference is one line.

use std::path::Path;

use serde_json::Value;
use sha2::{Digest as _, Sha256};

use super::program::{about, rows};
use super::reading::{Agent, Call, Case, Turn, lines_saying};

/// Differences, each with its place.
#[derive(Debug, Default)]
pub(super) struct Differences(pub(super) Vec<String>);

impl Differences {
    fn unless_same(&mut self, place: &str, what: &str, reader: &str, program: &str) {
        if reader != program {
            let line = format!("{place}, {what}: reader {reader}, program {program}");
            self.0.push(line);
        }
    }
}

/// Compares one case: the client's own files, then what it printed, graded apart from them.
pub(super) fn compare(case: &Case, out: &mut Differences) {
    let kept = rows(&case.folder, &[case.client()]);
    compare_kept(case, &kept, out);
    if let Some(file) = case.printed() {
        let printed = rows(&case.folder, &[&file.path]);
        let turns: Vec<&Turn> = case.turns.iter().filter(|turn| !turn.command).collect();
        // Those lines number their items anew, so that the reader's calls cannot be found in them.
        let calls = file.format != "codex-exec-json";
        compare_file(case, &file.path, &turns, calls, &printed, out);
    }
}

fn compare_kept(case: &Case, kept: &[Value], out: &mut Differences) {
    let mains = case.main_files();
    let mut seen = 0;
    for file in &mains {
        let turns = case.turns_of(file);
        seen += turns.len();
        compare_file(case, file, &turns, true, kept, out);
    }
    assert_eq!(seen, case.turn_count, "{}: turns and turn_count", case.name);
    let agents = case.agents();
    for agent in &agents {
        compare_agent(case, agent, kept, out);
    }
    let owned: Vec<&str> = agents.iter().filter_map(|agent| agent.file()).collect();
    for file in &case.files {
        let path = file.path.as_str();
        if file.path.contains('/') && !mains.contains(&path) && !owned.contains(&path) {
            let turns = about(kept, "turn", path).len().to_string();
            let place = place(case, path);
            out.unless_same(&place, "turns", "0", &turns);
        }
    }
    let sessions = kept.iter().filter(|row| row["kind"] == "session");
    let subagents = sessions
        .filter(|row| row["agent"] == "subagent" && row["counts"]["turns"] != 0)
        .count();
    let reader = agents.len().to_string();
    out.unless_same(
        &case.name,
        "subagents at work",
        &reader,
        &subagents.to_string(),
    );
}

fn place(case: &Case, file: &str) -> String {
    let base = file.rsplit('/').next().unwrap_or(file);
    let mains = case.main_files();
    if mains == [file] {
        return case.name.clone();
    }
    format!("{} {base}", case.name)
}

fn compare_file(
    case: &Case,
    file: &str,
    turns: &[&Turn],
    calls: bool,
    rows: &[Value],
    out: &mut Differences,
) {
    let here = place(case, file);
    let sessions = about(rows, "session", file);
    out.unless_same(&here, "sessions", "1", &sessions.len().to_string());
    let Some(session) = sessions.first() else {
        return;
    };
    out.unless_same(&here, "verdict", "read", text(&session["verdict"]));
    out.unless_same(
        &here,
        "unknown kinds",
        "{}",
        &session["opaque_types"].to_string(),
    );
    out.unless_same(&here, "no record", "[]", &session["quarantine"].to_string());
    if calls {
        let all = case.turns.iter().flat_map(|turn| &turn.calls);
        let reader = all.map(|call| standing(call, file)).sum::<usize>();
        let program = session["counts"]["calls"].to_string();
        out.unless_same(&here, "calls", &reader.to_string(), &program);
    }
    let graded = about(rows, "turn", file);
    out.unless_same(
        &here,
        "turns",
        &turns.len().to_string(),
        &graded.len().to_string(),
    );
    for (turn, row) in turns.iter().zip(graded) {
        let here = format!("{here} turn {}", row["turn"]);
        out.unless_same(&here, "ended", &turn.end, text(&row["ended"]));
        compare_operator(&here, &case.folder.join(file), turn, row, out);
        compare_close(&here, turn.close.as_deref(), row, out);
        if calls {
            compare_calls(&here, file, &turn.calls, row, out);
        }
    }
}

/// How many calls of this one, and of the agent that it launched, stand in a file.
fn standing(call: &Call, file: &str) -> usize {
    let inner = call.agent.iter().flat_map(|agent| &agent.calls);
    let own = usize::from(call.lines_in(file).is_some());
    own + inner.map(|call| standing(call, file)).sum::<usize>()
}

fn compare_agent(case: &Case, agent: &Agent, rows: &[Value], out: &mut Differences) {
    let Some(file) = agent.file() else {
        return;
    };
    let here = format!("{} agent", case.name);
    let graded = about(rows, "turn", file);
    out.unless_same(&here, "turns", "1", &graded.len().to_string());
    for row in graded {
        out.unless_same(&here, "agent", "subagent", text(&row["agent"]));
        // Older releases do not write down what the agent was asked.
        if !row["operator"].is_null() {
            let delegated = row["operator"]["delegated"].to_string();
            out.unless_same(&here, "delegated", "true", &delegated);
        }
        compare_close(&here, agent.close.as_deref(), row, out);
        compare_calls(&here, file, &agent.calls, row, out);
    }
}

/// The operator's line is one of those that hold the prompt; none where no line does.
fn compare_operator(here: &str, file: &Path, turn: &Turn, row: &Value, out: &mut Differences) {
    let (first, last) = (row["lines"][0].as_u64(), row["lines"][1].as_u64());
    let lines: Vec<String> = lines_saying(file, &turn.prompt)
        .into_iter()
        .filter(|line| Some(*line) >= first && Some(*line) <= last)
        .map(|line| line.to_string())
        .collect();
    let program = row["operator"]["line"].to_string();
    let fits = if lines.is_empty() {
        row["operator"].is_null() && !file.components().any(|part| part.as_os_str() == "projects")
    } else {
        lines.contains(&program) && row["operator"]["delegated"] == false
    };
    if !fits {
        let reader = lines.join(" or ");
        out.unless_same(here, "operator", &format!("line {reader}"), &program);
    }
}

fn compare_close(here: &str, close: Option<&str>, row: &Value, out: &mut Differences) {
    let reader = close.map_or_else(|| "none".to_owned(), |text| sha256(text.as_bytes()));
    let program = row["close"]["sha256"].as_str().unwrap_or("none");
    if reader != program {
        let line = &row["close"]["line"];
        let reader = close.unwrap_or("none");
        out.unless_same(here, "close", reader, &format!("that of line {line}"));
    }
}

fn compare_calls(here: &str, file: &str, calls: &[Call], row: &Value, out: &mut Differences) {
    let empty = Vec::new();
    let mut steps: Vec<&Value> = row["steps"].as_array().unwrap_or(&empty).iter().collect();
    out.unless_same(
        here,
        "steps",
        &calls.len().to_string(),
        &steps.len().to_string(),
    );
    for (number, call) in (1..).zip(calls) {
        let here = format!("{here} call {number}");
        let lines = call.lines_in(file).unwrap_or_default();
        let at = steps
            .iter()
            .position(|step| step["line"].as_u64() == lines.first().copied());
        let Some(at) = at else {
            out.unless_same(&here, "line", &format!("{lines:?}"), "none");
            continue;
        };
        let step = steps.remove(at);
        out.unless_same(
            &here,
            "outcome",
            &reader_outcome(call, lines),
            &program_outcome(step),
        );
        // A reply that stands on the call's own line is one of a file that is one array.
        let results = lines.get(1..).filter(|rest| !rest.is_empty());
        let fits = step["result"]
            .as_u64()
            .map_or(results.is_none(), |line| lines.contains(&line));
        if !fits {
            let program = step["result"].to_string();
            out.unless_same(
                &here,
                "result",
                &format!("one of {:?}", results.unwrap_or_default()),
                &program,
            );
        }
    }
}

/// The reader's outcome in the program's words.
fn reader_outcome(call: &Call, lines: &[u64]) -> String {
    match call.outcome.as_str() {
        // Both say of a call that no reply stands there; the program has a word of its own for it.
        "running" if lines.len() == 1 => "missing".to_owned(),
        other => other.to_owned(),
    }
}

/// The program's outcome in the reader's words.
fn program_outcome(step: &Value) -> String {
    let outcome = text(&step["outcome"]);
    let code = step["code"].as_i64();
    match (outcome, code) {
        // Of a record without any reply the program does not say whether one was left out.
        ("unknown", None) if step["result"].is_null() => "missing".to_owned(),
        ("ok", None | Some(0)) if step["masked"] == true && step["verify"].is_string() => {
            "masked".to_owned()
        }
        ("ok", None | Some(0)) if step["masked"] == false => outcome.to_owned(),
        ("ok", _) => format!("ok with code {code:?}, masked {}", step["masked"]),
        (_, Some(code)) => format!("{outcome}({code})"),
        (_, None) => outcome.to_owned(),
    }
}

fn text(value: &Value) -> &str {
    value.as_str().unwrap_or("none")
}

/// The SHA-256 of bytes in lower-case hexadecimal digits.
pub(super) fn sha256(bytes: &[u8]) -> String {
    let digest = Sha256::digest(bytes);
    digest.iter().map(|byte| format!("{byte:02x}")).collect()
}
