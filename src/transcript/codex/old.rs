//! The deeds of older forms: the event stream that `exec --json` wrote before it knew items, where a
//! call is an event at its beginning and another at its end, and rollouts whose messages hold calls.

use std::borrow::Cow;

use super::adapter::Codex;
use super::wire::{Asked, Invocation, Payload};
use super::{patch, reply, tool};
use crate::transcript::out::Out;
use crate::transcript::record::{Action, Body, Call, Outcome, Part, Reply, Text, key_of};

/// Whether an event is the beginning or the end of a call.
pub(super) fn is_deed(kind: &str) -> bool {
    name(kind).is_some()
}

fn name(kind: &str) -> Option<&'static str> {
    let stem = kind
        .strip_suffix("_begin")
        .or_else(|| kind.strip_suffix("_end"))?;
    match stem {
        "exec_command" => Some("exec_command"),
        "patch_apply" => Some("apply_patch"),
        "mcp_tool_call" => Some("mcp_tool_call"),
        "web_search" => Some("web_search"),
        _ => None,
    }
}

/// Reads a beginning or an end.
pub(super) fn deed(codex: &mut Codex, payload: Payload<'_>, out: &mut Out<'_>) {
    let kind = payload.kind.get().unwrap_or("").to_owned();
    let Some(name) = name(&kind) else { return };
    let id = payload.call_id.0.clone().filter(|id| !id.is_empty());
    let id = id.unwrap_or_else(|| Cow::Owned(format!("@{}", out.place.start)));
    if kind.ends_with("_begin") {
        begun(codex, name, id, payload, out);
        return;
    }
    let outcome = match name {
        "exec_command" => reply::item(payload.status.get(), payload.exit_code.0),
        "apply_patch" => match payload.success.truth() {
            Some(true) => Outcome::Ok,
            _ => Outcome::Failed(None),
        },
        "mcp_tool_call" => reply::server(payload.result, payload.status.get()),
        _ => Outcome::Ok,
    };
    let text = payload.aggregated_output.0.or(payload.stdout.0);
    let mut answer = Reply::new(id, text.unwrap_or_default(), outcome);
    answer.code = payload.exit_code.small();
    out.put(Body::Outcome(answer));
}

/// Reads the beginning of a call.
fn begun<'p>(
    codex: &mut Codex,
    name: &'static str,
    id: Cow<'p, str>,
    payload: Payload<'p>,
    out: &mut Out<'_>,
) {
    if codex.calls.contains_key(&key_of(&[&id])) {
        out.put(Body::Bookkeeping);
        return;
    }
    let called: Invocation<'_> =
        serde_json::from_str(payload.invocation.0.unwrap_or("")).unwrap_or_default();
    codex.calls.insert(key_of(&[&id]), false);
    let (args, action) = match name {
        "exec_command" => (
            payload.command.text(),
            tool::shell(payload.command, payload.cwd.0),
        ),
        "apply_patch" => {
            let action = patch::mapped(payload.changes.0.unwrap_or(""));
            (payload.changes.text(), action)
        }
        "web_search" => (
            Cow::Borrowed(""),
            Action::Read {
                paths: Vec::new(),
                remote: true,
            },
        ),
        _ => (called.arguments.text(), Action::Unknown),
    };
    let server = called.server.0.filter(|_| name == "mcp_tool_call");
    let tool = match &server {
        Some(server) => Cow::Owned(format!("mcp__{server}__{}", called.tool.text())),
        None => Cow::Borrowed(name),
    };
    out.key = Some(key_of(&["call", &id]));
    out.put(Body::Call(Call {
        id,
        tool,
        message: 0,
        action,
        args,
        part: Part::Whole,
        at: None,
        server,
    }));
}

/// A call that a message holds. It has no id: the next message of a function answers it.
pub(super) fn asked(codex: &mut Codex, call: Asked<'_>, out: &mut Out<'_>) {
    let id = format!("@{}", out.place.start);
    codex.calls.insert(key_of(&[&id]), false);
    codex.asked = Some(id.clone());
    let name = call.name.text();
    let args = call.arguments.text();
    let action = tool::action(&name, &args);
    out.key = Some(key_of(&["call", &id]));
    out.put(Body::Call(Call {
        id: Cow::Borrowed(&id),
        tool: name.clone(),
        message: 0,
        action,
        args: args.clone(),
        part: Part::Whole,
        at: None,
        server: None,
    }));
}

/// The answer to the last such call: what was printed, and nothing of how it ended.
pub(super) fn answered(codex: &mut Codex, text: Text<'_>, out: &mut Out<'_>) {
    match codex.asked.take() {
        Some(id) => out.put(Body::Outcome(Reply::new(
            Cow::Owned(id),
            text,
            Outcome::Unknown,
        ))),
        None => out.put(Body::Bookkeeping),
    }
}
