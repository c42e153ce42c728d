//! How a Claude Code call ended, from what its result says.

use std::borrow::Cow;

use super::spoken::{settled, tagged};
use super::wire::{Block, Detail, Hunk, Part};
use crate::transcript::limit::is_limit;
use crate::transcript::loose::{Content, Str};
use crate::transcript::record::{Outcome, Reply, Swap, Text};

/// Words with which the client says that a call was refused and never ran.
const DENIED: [&str; 9] = [
    "The user doesn't want to proceed",
    "The user doesn't want to take this action",
    "This command requires approval",
    "User rejected tool use",
    "Permission to use ",
    "Permission for this",
    "Permission denied by",
    "Claude requested permissions",
    "The agent proposed a plan that was rejected",
];

/// Words with which the client says that it did not even try.
const INVALID: [&str; 4] = [
    "<tool_use_error>",
    "Command failed: cygpath",
    "InputValidationError",
    "Error: No such tool available",
];

/// Reads one result block.
pub(super) fn reply<'a>(id: Text<'a>, block: Block<'a>, detail: &Detail<'a>) -> Reply<'a> {
    let text = words(block.content);
    let outcome = outcome(&text, block.is_error.0, detail);
    let mut reply = Reply::new(id, text, outcome);
    reply.truncated = detail.fields.persisted_output_path.get().is_some()
        || reply.text.starts_with("<persisted-output>")
        || reply.text.contains(" lines truncated] ...")
        || reply.text.contains(" characters truncated] ...");
    if outcome == Outcome::Running {
        reply.handle = launch_handle(&reply.text, detail).map(|id| Cow::Owned(id.to_owned()));
    }
    reply.child = detail.fields.agent_id.0.clone();
    reply.swaps = swaps(detail);
    reply
}

/// What a file that was written anew held before and holds now, around each change.
fn swaps<'a>(detail: &Detail<'a>) -> Vec<Swap<'a>> {
    let Some(path) = &detail.fields.file_path.0 else {
        return Vec::new();
    };
    let side = |hunk: &Hunk<'a>, other: char| {
        let mut text = String::new();
        for line in hunk.lines.iter().filter_map(Str::get) {
            if !line.starts_with(other) {
                text.push_str(line.get(1..).unwrap_or(""));
                text.push('\n');
            }
        }
        Cow::Owned(text)
    };
    let hunks = detail.fields.structured_patch.0.iter();
    hunks
        .map(|hunk| Swap {
            path: path.clone(),
            old: side(hunk, '+'),
            new: side(hunk, '-'),
            whole: false,
        })
        .collect()
}

fn words<'a>(content: Content<'a, Part<'a>>) -> Text<'a> {
    match content {
        Content::Text(text) => text,
        Content::Absent => Cow::Borrowed(""),
        Content::Items(mut parts) => {
            parts.retain(|part| part.text.get().is_some() || part.output.get().is_some());
            let mut texts = parts
                .into_iter()
                .map(|part| part.text.0.or(part.output.0).unwrap_or_default());
            let Some(first) = texts.next() else {
                return Cow::Borrowed("");
            };
            let mut rest = texts.peekable();
            if rest.peek().is_none() {
                return first;
            }
            let mut joined = first.into_owned();
            for text in rest {
                joined.push('\n');
                joined.push_str(&text);
            }
            Cow::Owned(joined)
        }
    }
}

fn outcome(text: &str, is_error: bool, detail: &Detail<'_>) -> Outcome {
    let fields = &detail.fields;
    let aside = detail.words.as_deref().unwrap_or("");
    let head = text.trim_start();
    if head.starts_with("[Request interrupted by user") {
        return Outcome::Interrupted;
    }
    // Older versions leave the flag out and say it in words beside the result.
    if is_error || aside.starts_with("Error: ") || DENIED.iter().any(|d| aside.starts_with(d)) {
        return error_outcome(head, aside);
    }
    if fields.interrupted.0 {
        return Outcome::Interrupted;
    }
    if let Some(outcome) = polled(head) {
        return outcome;
    }
    if fields.is_async.0
        || fields.status.is("async_launched")
        || fields.background_task_id.get().is_some()
        || head.starts_with("Command running in background with ID: ")
        || head.starts_with("Async agent launched")
    {
        return Outcome::Running;
    }
    // The client judged this exit code benign; the code itself is not told.
    if fields.return_code_interpretation.get().is_some() {
        return Outcome::Ok;
    }
    if fields.status.is("completed") && fields.agent_id.get().is_some() && is_limit(text) {
        return Outcome::Failed(None);
    }
    Outcome::Ok
}

fn error_outcome(head: &str, aside: &str) -> Outcome {
    if INVALID.iter().any(|words| head.starts_with(words)) {
        return Outcome::Invalid;
    }
    let refused = |text: &str| {
        DENIED.iter().any(|words| text.starts_with(words))
            || (text.len() < 400
                && (text.contains("requires approval")
                    || text.contains("denied by auto mode")
                    || text.contains(" was blocked. For security")))
    };
    if refused(head) || refused(aside) {
        return Outcome::Denied;
    }
    let code = |text: &str| {
        let rest = text.strip_prefix("Error: ").unwrap_or(text);
        let digits = rest.strip_prefix("Exit code ")?;
        let end = digits
            .find(|c: char| !c.is_ascii_digit() && c != '-')
            .unwrap_or(digits.len());
        digits[..end].parse().ok()
    };
    Outcome::Failed(code(head).or_else(|| code(aside)))
}

/// The status that a look at a background task shows, when the result is such a look.
fn polled(head: &str) -> Option<Outcome> {
    if !head.starts_with("<status>") && !head.starts_with("<retrieval_status>") {
        return None;
    }
    let status = tagged(head, "status")?.trim();
    let code = tagged(head, "exit_code").and_then(|code| code.trim().parse().ok());
    let output = tagged(head, "output").unwrap_or("");
    Some(settled(status, code, is_limit(output.trim())))
}

fn launch_handle<'t>(text: &'t str, detail: &'t Detail<'_>) -> Option<&'t str> {
    let fields = &detail.fields;
    if let Some(id) = fields.background_task_id.get().or(fields.agent_id.get()) {
        return Some(id);
    }
    ["background with ID: ", "agentId: "]
        .iter()
        .find_map(|lead| {
            let rest = &text[text.find(lead)? + lead.len()..];
            let end = rest
                .find(|c: char| !c.is_ascii_alphanumeric() && c != '_' && c != '-')
                .unwrap_or(rest.len());
            (end > 0).then_some(&rest[..end])
        })
}
