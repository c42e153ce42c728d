//! The deeds of the event stream that `exec --json` wrote before it knew items: a call is an event
//! at its beginning and another at its end.

use std::borrow::Cow;

use super::adapter::Codex;
use super::wire::{Invocation, Payload};
use super::{patch, reply, tool};
use crate::transcript::out::Out;
use crate::transcript::record::{Action, Body, Call, Outcome, Part, Reply, key_of};

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
        if codex.calls.insert(key_of(&[&id]), false).is_some() {
            out.put(Body::Bookkeeping);
            return;
        }
        let called: Invocation<'_> =
            serde_json::from_str(payload.invocation.0.unwrap_or("")).unwrap_or_default();
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
