//! What the client and the operator's hooks put before the model beside the conversation.
//!
//! The client documents which output of a hook goes to the model: what it prints before a session or a prompt, what it
//! adds as context, and why it blocked. Everything else of it is shown to the operator only.

use std::borrow::Cow;

use serde_json::Value;

use super::spoken;
use crate::transcript::beside::{Attached, By};
use crate::transcript::out::Out;
use crate::transcript::record::{Body, Text, Thread};

/// Events of hooks whose output goes to the model.
const TOLD: [&str; 2] = ["SessionStart", "UserPromptSubmit"];
/// Events of hooks whose output does not.
const SHOWN: [&str; 8] = [
    "PreToolUse",
    "PostToolUse",
    "Stop",
    "SubagentStop",
    "Notification",
    "PreCompact",
    "SessionEnd",
    "PermissionRequest",
];
/// Attachments of hooks that tell the operator something, and the model nothing.
const SILENT: [&str; 5] = [
    "hook_non_blocking_error",
    "hook_error_during_execution",
    "hook_cancelled",
    "hook_permission_decision",
    "hook_system_message",
];

/// Reads an attachment by its kind. What the human typed ahead is no attachment of the client's.
pub(super) fn attachment(kind: &str, raw: &str, out: &mut Out<'_>) {
    if kind == "queued_command" || SILENT.contains(&kind) {
        return;
    }
    let whole: Value = serde_json::from_str(raw).unwrap_or_default();
    let (by, text) = if kind.contains("hook") {
        match of_hook(kind, &whole) {
            Some(text) if text.trim().is_empty() => return,
            Some(text) => (By::Hook, Some(text)),
            None => (By::Untold, None),
        }
    } else {
        (By::Client, Some(words(&whole, "type")))
    };
    out.put(Body::Attached(Attached {
        by,
        role: Cow::Borrowed(""),
        kind: kind.into(),
        text: text.map(Cow::Owned),
    }));
}

/// What a hook put before the model, as far as that is told; empty where it put nothing.
fn of_hook(kind: &str, whole: &Value) -> Option<String> {
    let part = |name: &str| words(&whole[name], "");
    let event = whole["hookEvent"].as_str().unwrap_or("");
    match kind {
        "hook_additional_context" => Some(part("content")),
        "hook_blocking_error" => Some(part("blockingError")),
        "async_hook_response" => {
            let response = &whole["response"];
            let added = &response["hookSpecificOutput"]["additionalContext"];
            let told = [
                &response["systemMessage"],
                &response["additionalContext"],
                added,
            ];
            Some(told.map(|own| words(own, "")).join("\n"))
        }
        "hook_success" if TOLD.contains(&event) || part("content").trim().is_empty() => {
            Some(part("content"))
        }
        "hook_success" if SHOWN.contains(&event) => Some(String::new()),
        _ => None,
    }
}

/// Every text in a value, in order, one a line; without the field that is named.
fn words(value: &Value, but: &str) -> String {
    fn gather(value: &Value, but: &str, out: &mut String) {
        match value {
            Value::String(text) => {
                if !out.is_empty() {
                    out.push('\n');
                }
                out.push_str(text);
            }
            Value::Array(items) => items.iter().for_each(|item| gather(item, "", out)),
            Value::Object(fields) => {
                let fields = fields.iter().filter(|(name, _)| *name != but);
                fields.for_each(|(_, field)| gather(field, "", out));
            }
            Value::Null | Value::Bool(_) | Value::Number(_) => {}
        }
    }
    let mut out = String::new();
    gather(value, but, &mut out);
    out
}

/// A hook that ran, of which these records do not tell what it put in.
pub(super) fn hook_ran(out: &mut Out<'_>) {
    out.put(Body::Attached(Attached {
        by: By::Untold,
        role: Cow::Borrowed(""),
        kind: Cow::Borrowed(""),
        text: None,
    }));
}

/// What a summary of hooks says that they added.
pub(super) fn added(context: &str, out: &mut Out<'_>) {
    let text = words(&serde_json::from_str(context).unwrap_or_default(), "");
    if !text.trim().is_empty() {
        beside(By::Hook, text.into(), out);
    }
}

/// Words in the operator's place that another put there, or that stand around his own.
pub(super) fn around(text: &str, out: &mut Out<'_>) {
    if out.thread != Thread::Own {
        return;
    }
    if spoken::is_of_hook(text) {
        beside(By::Hook, text.into(), out);
    } else if let spoken::Spoken::Operator(own) = spoken::read(text)
        && own.len() != text.len()
    {
        beside(By::Client, text.into(), out);
    }
}

fn beside(by: By, text: Text<'_>, out: &mut Out<'_>) {
    out.put(Body::Attached(Attached {
        by,
        role: Cow::Borrowed("user"),
        kind: Cow::Borrowed(""),
        text: Some(text),
    }));
}
