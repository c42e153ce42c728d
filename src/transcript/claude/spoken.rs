//! Who spoke in a user record: a human, or a program in the human's place.

use std::borrow::Cow;

use crate::transcript::limit::is_limit;
use crate::transcript::record::{Injection, Outcome, Text};

/// One reading of a user text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Spoken<'a> {
    /// A human typed this.
    Operator(Text<'a>),
    /// A program put this there.
    Injected(Injection),
    /// A background task's news.
    Notification(Notice<'a>),
    /// The human stopped the agent.
    Interrupt,
}

/// What a task notification tells.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Notice<'a> {
    pub(super) handle: &'a str,
    pub(super) outcome: Outcome,
}

/// What only programs begin with.
const INJECTED: &[(&str, Injection)] = &[
    ("This session is being continued", Injection::Summary),
    ("<local-command-stdout>", Injection::CommandOutput),
    ("<local-command-stderr>", Injection::CommandOutput),
    ("<local-command-caveat>", Injection::CommandOutput),
    (
        "Caveat: The messages below were generated",
        Injection::CommandOutput,
    ),
    ("<bash-input>", Injection::CommandOutput),
    ("<bash-stdout>", Injection::CommandOutput),
    ("<bash-stderr>", Injection::CommandOutput),
    ("<user-memory-input>", Injection::CommandOutput),
    ("<agent-notification>", Injection::Notification),
    ("<teammate-message", Injection::Notification),
    (
        "[SYSTEM NOTIFICATION - NOT USER INPUT]",
        Injection::Notification,
    ),
    ("Base directory for this skill:", Injection::Context),
    ("[Image: source", Injection::Context),
    ("Stop hook feedback:", Injection::StopFeedback),
    ("<user-prompt-submit-hook>", Injection::Context),
    ("<session-start-hook>", Injection::Context),
];

/// Blocks that a program puts beside a human's words.
const BESIDE: [&str; 4] = [
    "system-reminder",
    "ide_opened_file",
    "ide_selection",
    "ide_diagnostics",
];

/// What a hook's words begin with in the operator's place.
const OF_HOOKS: [&str; 3] = [
    "Stop hook feedback:",
    "<user-prompt-submit-hook>",
    "<session-start-hook>",
];

/// Whether a hook put a text into the operator's place.
pub(super) fn is_of_hook(text: &str) -> bool {
    let text = text.trim_start();
    OF_HOOKS.iter().any(|head| text.starts_with(head))
}

/// Reads one text of a user record.
pub(super) fn read(text: &str) -> Spoken<'_> {
    let trimmed = text.trim_start();
    if trimmed.starts_with("[Request interrupted by user") {
        return Spoken::Interrupt;
    }
    if trimmed.starts_with("<task-notification") || trimmed.starts_with("<bash-notification") {
        return Spoken::Notification(notice(trimmed));
    }
    if let Some((_, kind)) = INJECTED.iter().find(|(head, _)| trimmed.starts_with(head)) {
        return Spoken::Injected(*kind);
    }
    if is_command(text) {
        return Spoken::Operator(slash_command(trimmed));
    }
    let own = without_blocks(text);
    if own.trim().is_empty() {
        return Spoken::Injected(Injection::Context);
    }
    Spoken::Operator(own)
}

/// Whether the text is a slash command of the human's, which the client may carry out by itself.
pub(super) fn is_command(text: &str) -> bool {
    let text = text.trim_start();
    text.starts_with("<command-name>") || text.starts_with("<command-message>")
}

/// A slash command as the human typed it: its name and its arguments.
fn slash_command(text: &str) -> Text<'_> {
    let name = tagged(text, "command-name").unwrap_or("").trim();
    let args = tagged(text, "command-args").unwrap_or("").trim();
    if args.is_empty() {
        Cow::Borrowed(name)
    } else {
        Cow::Owned(format!("{name} {args}"))
    }
}

/// Reads a task notification, whose status alone proves nothing: a subagent cut off by a usage
/// limit and a killed command both read `completed` (`anthropics/claude-code#55928`, `#37852`).
pub(super) fn notice(text: &str) -> Notice<'_> {
    let handle = tagged(text, "task-id").or_else(|| tagged(text, "shell-id"));
    let handle = handle.unwrap_or("").trim();
    let status = tagged(text, "status").unwrap_or("").trim();
    let summary = tagged(text, "summary").unwrap_or("");
    let result = tagged(text, "result").unwrap_or("");
    let outcome = settled(status, exit_code_in(summary), is_limit(result));
    Notice { handle, outcome }
}

/// How something that ran in the background ended.
pub(super) fn settled(status: &str, code: Option<i32>, limit: bool) -> Outcome {
    match (status, code) {
        _ if limit => Outcome::Failed(None),
        ("running" | "pending" | "queued", _) => Outcome::Running,
        ("killed" | "stopped" | "cancelled", _) => Outcome::Interrupted,
        ("completed", Some(0)) => Outcome::Ok,
        ("completed" | "failed", Some(code)) if code != 0 => Outcome::Failed(Some(code)),
        ("failed" | "error", _) => Outcome::Failed(None),
        ("completed", _) => Outcome::Ok,
        _ => Outcome::Unknown,
    }
}

/// The code in `… (exit code N)` or `… with exit code N`.
pub(super) fn exit_code_in(text: &str) -> Option<i32> {
    let at = text.rfind("exit code ")? + "exit code ".len();
    let digits: String = text[at..]
        .chars()
        .take_while(|c| c.is_ascii_digit() || *c == '-')
        .collect();
    digits.parse().ok()
}

/// What stands between `<tag>` and `</tag>`, or between `<tag>` and the end.
pub(super) fn tagged<'a>(text: &'a str, tag: &str) -> Option<&'a str> {
    let open = text.match_indices('<').find_map(|(at, _)| {
        let rest = text[at + 1..].strip_prefix(tag)?;
        rest.starts_with('>').then_some(at + tag.len() + 2)
    })?;
    let rest = &text[open..];
    let close = rest.match_indices("</").find_map(|(at, _)| {
        rest[at + 2..]
            .strip_prefix(tag)?
            .starts_with('>')
            .then_some(at)
    });
    Some(&rest[..close.unwrap_or(rest.len())])
}

/// The text without the blocks that programs put beside a human's words. Linear: each block is
/// looked for from where the last one ended.
fn without_blocks(text: &str) -> Text<'_> {
    if !text.contains('<') {
        return Cow::Borrowed(text);
    }
    let mut out = String::new();
    let mut rest = text;
    let mut cut = false;
    let mut from = 0;
    while let Some(at) = rest[from..].find('<').map(|at| at + from) {
        let Some(tag) = BESIDE.iter().find(|tag| {
            rest[at + 1..]
                .strip_prefix(**tag)
                .is_some_and(|after| after.starts_with('>'))
        }) else {
            from = at + 1;
            continue;
        };
        let body = at + tag.len() + 2;
        let close = format!("</{tag}>");
        let Some(end) = rest[body..].find(&close) else {
            break;
        };
        out.push_str(&rest[..at]);
        rest = &rest[body + end + close.len()..];
        from = 0;
        cut = true;
    }
    if !cut {
        return Cow::Borrowed(text);
    }
    out.push_str(rest);
    Cow::Owned(out)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn programs_are_told_from_the_human() {
        assert_eq!(read("fix it"), Spoken::Operator("fix it".into()));
        assert_eq!(
            read("<system-reminder>x</system-reminder>\nfix it"),
            Spoken::Operator("\nfix it".into())
        );
        assert_eq!(
            read("<system-reminder>only</system-reminder>"),
            Spoken::Injected(Injection::Context)
        );
        assert_eq!(
            read("[Request interrupted by user for tool use]"),
            Spoken::Interrupt
        );
        assert_eq!(
            read("<command-name>/review</command-name>\n<command-args>src</command-args>"),
            Spoken::Operator("/review src".into())
        );
        assert_eq!(
            read("Stop hook feedback:\nrun the tests"),
            Spoken::Injected(Injection::StopFeedback)
        );
    }

    #[test]
    fn a_completed_task_that_hit_a_limit_failed() {
        let text = "<task-notification>\n<task-id>a1</task-id><status>completed</status>\
                    <result>You're out of extra usage · resets 2pm</result></task-notification>";
        let Spoken::Notification(notice) = read(text) else {
            panic!("no notification");
        };
        assert_eq!(notice.handle, "a1");
        assert_eq!(notice.outcome, Outcome::Failed(None));
        let failed = "<task-notification><task-id>b</task-id><status>failed</status>\
                      <summary>Background command failed with exit code 7</summary>";
        assert_eq!(super::notice(failed).outcome, Outcome::Failed(Some(7)));
    }

    #[test]
    fn an_unclosed_block_is_the_humans() {
        let text = "<system-reminder>".repeat(1000);
        assert_eq!(read(&text), Spoken::Operator(text.as_str().into()));
    }
}
