//! Who spoke in a Codex user message: a human, or the client in the human's place.

use std::borrow::Cow;

use crate::transcript::record::{Injection, Text};

/// One reading of a user text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Spoken<'a> {
    Operator(Text<'a>),
    Injected(Injection),
    /// The interrupt's echo in the model's own history; its event is told elsewhere.
    Aborted,
}

const INJECTED: &[(&str, Injection)] = &[
    ("<environment_context>", Injection::Context),
    ("# AGENTS.md instructions", Injection::Context),
    ("<user_instructions>", Injection::Context),
    ("<INSTRUCTIONS>", Injection::Context),
    ("<skill>", Injection::Context),
    ("<skills_instructions>", Injection::Context),
    ("<collaboration_mode>", Injection::Context),
    ("<model_switch>", Injection::Context),
    ("<personality_spec>", Injection::Context),
    ("<permissions instructions>", Injection::Context),
    ("<app-context>", Injection::Context),
    ("<apps_instructions>", Injection::Context),
    ("<plugins_instructions>", Injection::Context),
    ("<recommended_plugins>", Injection::Context),
    ("<context_window_guidance>", Injection::Context),
    ("<subagent_notification>", Injection::Notification),
    ("<user_shell_command>", Injection::CommandOutput),
    ("<hook_prompt", Injection::StopFeedback),
];

/// Whether a text only stands around a picture.
pub(super) fn is_picture_tag(text: &str) -> bool {
    let text = text.trim();
    let inner = text.strip_prefix("</").or_else(|| text.strip_prefix('<'));
    let inner = inner.and_then(|inner| inner.strip_suffix('>'));
    let rest = inner.and_then(|inner| inner.strip_prefix("image"));
    rest.is_some_and(|rest| {
        let bounded = !rest.starts_with(|c: char| c.is_alphanumeric() || c == '_');
        bounded && !rest.contains('>')
    })
}

/// Whether a hook put a text into the operator's place.
pub(super) fn is_of_hook(text: &str) -> bool {
    text.trim_start().starts_with("<hook_prompt")
}

/// Reads a user text.
pub(super) fn read(text: Text<'_>) -> Spoken<'_> {
    let trimmed = text.trim_start();
    if trimmed.starts_with("<turn_aborted>") {
        return Spoken::Aborted;
    }
    if let Some((_, kind)) = INJECTED.iter().find(|(head, _)| trimmed.starts_with(head)) {
        return Spoken::Injected(*kind);
    }
    // What an editor adds stands before the words that the human typed.
    if trimmed.starts_with("# Context from my IDE")
        && let Some(at) = text.find("## My request for Codex:")
    {
        let own = &text[at + "## My request for Codex:".len()..];
        return Spoken::Operator(Cow::Owned(own.trim().to_owned()));
    }
    Spoken::Operator(text)
}
