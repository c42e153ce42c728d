//! How a Codex call ended. There is no error flag: the head of the output's text tells, and only
//! the head, because the program's own output may say anything.

use std::borrow::Cow;

use super::wire::{Launch, Loose, OutputObject, Part, ServerResult, joined};
use crate::transcript::loose::{Content, List};
use crate::transcript::record::{Change, Outcome, Text};

/// What an output says of its call.
pub(super) struct Read<'a> {
    pub(super) text: Text<'a>,
    pub(super) outcome: Outcome,
    pub(super) code: Option<i32>,
    pub(super) handle: Option<String>,
    pub(super) truncated: bool,
}

/// How the client words that a command never ran, or was cut off.
const WORDS: &[(&str, Outcome)] = &[
    ("exec command rejected by user", Outcome::Denied),
    ("patch rejected by user", Outcome::Denied),
    ("rejected by user", Outcome::Denied),
    ("failed in sandbox", Outcome::Denied),
    ("aborted by user", Outcome::Interrupted),
    ("aborted", Outcome::Interrupted),
    ("execution error:", Outcome::Invalid),
    ("exec_command failed", Outcome::Invalid),
    ("write_stdin failed", Outcome::Invalid),
    ("unsupported call:", Outcome::Invalid),
    ("failed to parse function arguments", Outcome::Invalid),
    ("apply_patch verification failed", Outcome::Failed(None)),
];

/// The id of the agent that a call launched, where its output is the launch's own answer.
pub(super) fn launched(text: &str) -> Option<String> {
    if !text.starts_with('{') || !text.contains("\"agent_id\"") {
        return None;
    }
    serde_json::from_str::<Launch<'_>>(text)
        .ok()?
        .agent_id
        .owned()
}

/// The files that a patch says it changed, whichever way it was handed over.
pub(super) fn updated<'a>(text: &str) -> Vec<(Text<'a>, Change)> {
    let mut lines = text.lines().skip_while(|line| !line.starts_with(UPDATED));
    if lines.next().is_none() {
        return Vec::new();
    }
    let file = |line: &str| {
        let (mark, path) = line.split_once(' ')?;
        let change = match mark {
            "A" => Change::Create,
            "M" => Change::Update,
            "D" => Change::Delete,
            _ => return None,
        };
        Some((Cow::Owned(path.to_owned()), change))
    };
    lines.map_while(file).collect()
}

/// What a patch answers that was applied.
const UPDATED: &str = "Success. Updated the following files";

/// Reads an output of any shape: text, JSON text, object or list.
pub(super) fn read(output: Loose<'_>, has_header: bool) -> Read<'_> {
    let raw = output.0.unwrap_or("");
    if raw.starts_with('[') {
        let parts: List<Part<'_>> = serde_json::from_str(raw).unwrap_or_default();
        return of_text(joined(Content::Items(parts.0)), has_header);
    }
    let text = output.text();
    if text.starts_with('{') {
        let object = match &text {
            Cow::Borrowed(text) => serde_json::from_str::<OutputObject<'_>>(text)
                .ok()
                .map(owned),
            Cow::Owned(text) => serde_json::from_str::<OutputObject<'_>>(text)
                .ok()
                .map(owned),
        };
        if let Some((words, code, success)) = object
            && (code.is_some() || success.is_some() || !words.is_empty())
        {
            let mut read = of_text(Cow::Owned(words), has_header && code.is_none());
            match (code, success) {
                (Some(0), _) => (read.outcome, read.code) = (Outcome::Ok, Some(0)),
                (None, Some(true)) => read.outcome = Outcome::Ok,
                (Some(code), _) => read.outcome = Outcome::Failed(i32::try_from(code).ok()),
                (None, Some(false)) => read.outcome = Outcome::Failed(None),
                (None, None) => {}
            }
            return read;
        }
    }
    of_text(text, has_header)
}

fn owned(object: OutputObject<'_>) -> (String, Option<i64>, Option<bool>) {
    let code = object.metadata.0.and_then(|meta| meta.exit_code.0);
    let words = object.output.0.or(object.content.0).unwrap_or_default();
    (words.into_owned(), code, object.success.truth())
}

fn of_text(text: Text<'_>, has_header: bool) -> Read<'_> {
    let mut read = Read {
        outcome: Outcome::Ok,
        code: None,
        handle: None,
        truncated: text.contains(" tokens truncated…") || text.contains(" lines omitted ..."),
        text,
    };
    let head = read.text.trim_start();
    if was_refused(head) {
        read.outcome = Outcome::Denied;
        return read;
    }
    if let Some((_, outcome)) = WORDS.iter().find(|(words, _)| head.starts_with(words)) {
        read.outcome = *outcome;
        return read;
    }
    if !has_header {
        return read;
    }
    if head.starts_with(UPDATED) {
        return read;
    }
    (read.outcome, read.handle) = header(head);
    if let Outcome::Failed(code) = read.outcome {
        read.code = code;
    } else if read.outcome == Outcome::Ok {
        read.code = Some(0);
    }
    read
}

/// Whether the client tells of a human's refusal as of a failure to start the command. The words
/// stand in an error that is printed as a literal within a literal.
fn was_refused(head: &str) -> bool {
    head.starts_with("exec_command failed")
        && head.lines().next().is_some_and(|line| {
            line.trim_end()
                .ends_with(r#"Rejected(\"rejected by user\")" }"#)
        })
}

/// What a command printed: the text behind the client's own header, or all of it where there is none.
#[must_use]
pub fn printed(text: &str) -> &str {
    let head = text.lines().take(12).position(|line| line == "Output:");
    let told = header(text).0 != Outcome::Unknown;
    match head {
        Some(_) if told => text.split_once("Output:\n").map_or("", |(_, rest)| rest),
        _ => text,
    }
}

/// The outcome and the handle that a header tells.
fn header(text: &str) -> (Outcome, Option<String>) {
    for line in text.lines().take(12) {
        if line == "aborted by user" {
            return (Outcome::Interrupted, None);
        }
        if line.starts_with("Output:") {
            break;
        }
        let code = ["Process exited with code ", "Exit code: "]
            .iter()
            .find_map(|lead| line.strip_prefix(lead));
        if let Some(code) = code {
            return match code.trim().parse::<i32>() {
                Ok(0) => (Outcome::Ok, None),
                Ok(code) => (Outcome::Failed(Some(code)), None),
                Err(_) => (Outcome::Failed(None), None),
            };
        }
        if let Some(handle) = line.strip_prefix("Process running with session ID ") {
            return (Outcome::Running, Some(handle.trim().to_owned()));
        }
    }
    (Outcome::Unknown, None)
}

/// How a call to a tool server ended.
pub(super) fn server(result: Loose<'_>, status: Option<&str>) -> Outcome {
    let read: ServerResult<'_> = result
        .0
        .and_then(|raw| serde_json::from_str(raw).ok())
        .unwrap_or_default();
    let failed = read.err.0.is_some()
        || read.is_error.0
        || read.ok.0.is_some_and(|ok| ok.is_error.0)
        || status == Some("failed");
    if failed {
        Outcome::Failed(None)
    } else {
        Outcome::Ok
    }
}

/// How a command ended, by its status and exit code: one that was abandoned is marked as completed,
/// and has no code (`openai/codex#14691`).
pub(super) fn command(status: Option<&str>, code: Option<i64>) -> Outcome {
    match item(status, code) {
        Outcome::Ok if code.is_none() => Outcome::Unknown,
        outcome => outcome,
    }
}

/// How an item ended, by its status and exit code.
pub(super) fn item(status: Option<&str>, code: Option<i64>) -> Outcome {
    let status = status.unwrap_or("").to_ascii_lowercase();
    match (status.as_str(), code) {
        ("declined", _) => Outcome::Denied,
        ("in_progress" | "inprogress", None) => Outcome::Running,
        (_, Some(0)) | ("completed", None) => Outcome::Ok,
        (_, Some(code)) => Outcome::Failed(i32::try_from(code).ok()),
        ("failed", None) => Outcome::Failed(None),
        _ => Outcome::Unknown,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(text: &str) -> Outcome {
        let raw = serde_json::to_string(text).unwrap();
        read(Loose(Some(&raw)), true).outcome
    }

    #[test]
    fn only_the_header_tells() {
        let text = "Chunk ID: 1\nWall time: 0.1 seconds\nProcess exited with code 1\nOutput:\nExit code: 0";
        assert_eq!(of(text), Outcome::Failed(Some(1)));
        assert_eq!(of("Wall time: 1\nOutput:\nExit code: 0"), Outcome::Unknown);
        assert_eq!(of("Exit code: 0\nWall time: 1\nOutput:\nFAIL"), Outcome::Ok);
        assert_eq!(of("exec command rejected by user"), Outcome::Denied);
        let refused =
            r#"exec_command failed: CreateProcess { message: "Rejected(\"rejected by user\")" }"#;
        assert_eq!(of(refused), Outcome::Denied);
        let failed = "exec_command failed: no `rejected by user` in this shell";
        assert_eq!(of(failed), Outcome::Invalid);
        let aborted = "Wall time: 0.2 seconds\naborted by user";
        assert_eq!(of(aborted), Outcome::Interrupted);
        let printed = "Exit code: 0\nOutput:\naborted by user";
        assert_eq!(of(printed), Outcome::Ok);
    }

    #[test]
    fn every_shape_of_output_is_read() {
        assert_eq!(
            of(r#"{"output":"x","metadata":{"exit_code":2}}"#),
            Outcome::Failed(Some(2))
        );
        let object = r#"{"content":"x","success":true}"#;
        assert_eq!(read(Loose(Some(object)), true).outcome, Outcome::Ok);
        let list = r#"[{"type":"input_text","text":"Exit code: 3"}]"#;
        assert_eq!(
            read(Loose(Some(list)), true).outcome,
            Outcome::Failed(Some(3))
        );
    }

    #[test]
    fn a_patch_names_its_files() {
        let text = "Success. Updated the following files:\nM src/a.rs\nA src/b.rs\n";
        let found = updated(text);
        assert_eq!(found[0], (Cow::Borrowed("src/a.rs"), Change::Update));
        assert_eq!(found[1], (Cow::Borrowed("src/b.rs"), Change::Create));
        assert!(updated("M src/a.rs").is_empty());
    }

    #[test]
    fn what_still_runs_gives_its_handle() {
        let raw =
            serde_json::to_string("Wall time: 1\nProcess running with session ID 77\nOutput:\n")
                .unwrap();
        let read = read(Loose(Some(&raw)), true);
        assert_eq!(
            (read.outcome, read.handle.as_deref()),
            (Outcome::Running, Some("77"))
        );
    }
}
