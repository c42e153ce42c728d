//! Items: one thing done, told with its call and its outcome in one record.

use std::borrow::Cow;

use super::adapter::{Codex, Voice};
use super::said::{Phase, Said};
use super::wire::{Item, joined};
use super::{patch, reply, tool};
use crate::transcript::out::Out;
use crate::transcript::record::{Action, Body, Call, Outcome, Part, Reply, Text, key_of};

/// A kind of item in one spelling: `CommandExecution` and `command_execution` are the same.
fn kind(item: &Item<'_>) -> String {
    let name = item.kind.get().or(item.item_type.get()).unwrap_or("");
    name.chars()
        .filter(|c| *c != '_')
        .map(|c| c.to_ascii_lowercase())
        .collect()
}

/// An item that began: its call, so that one cut off by a kill is seen.
pub(super) fn started(codex: &mut Codex, item: Item<'_>, out: &mut Out<'_>) {
    match kind(&item).as_str() {
        "commandexecution"
        | "filechange"
        | "mcptoolcall"
        | "websearch"
        | "collabtoolcall"
        | "collabagenttoolcall" => {
            let id = id(codex, &item);
            call(codex, &id, item, out);
        }
        _ => out.put(Body::Bookkeeping),
    }
}

/// An item that ended.
pub(super) fn completed(codex: &mut Codex, item: Item<'_>, out: &mut Out<'_>) {
    let kind = kind(&item);
    match kind.as_str() {
        "usermessage" => codex.heard(joined(item.content), Voice::Item, out),
        "agentmessage" | "assistantmessage" => {
            let text = item.text.0.unwrap_or_else(|| joined(item.content));
            let phase = Phase::of(item.phase.get());
            codex.said(
                Said {
                    text,
                    message: 0,
                    phase,
                },
                Voice::Item,
                out,
            );
        }
        "reasoning" => out.put(Body::Thought { message: 0 }),
        // The model's own record of such a call has its answer too, as the agent was shown it.
        "collabagenttoolcall" if codex.calls.contains_key(&key_of(&[&id(codex, &item)])) => {
            out.put(Body::Bookkeeping);
        }
        "commandexecution" if item.source.is("user_shell_command") => out.put(Body::Bookkeeping),
        "commandexecution"
        | "filechange"
        | "mcptoolcall"
        | "websearch"
        | "collabtoolcall"
        | "collabagenttoolcall" => {
            done(codex, &kind, item, out);
        }
        "plan" | "todolist" | "extension" | "subagentactivity" | "error" | "imageview"
        | "contextcompaction" | "enteredreviewmode" | "exitedreviewmode" | "hookprompt"
        | "imagegeneration" | "sleep" => out.put(Body::Bookkeeping),
        _ => {
            let name = item.kind.get().unwrap_or("");
            out.put(Body::Opaque {
                name: Cow::Owned(format!("item_completed:{name}")),
            });
        }
    }
}

/// Item ids begin anew with each process that writes into the file.
fn id(codex: &Codex, item: &Item<'_>) -> String {
    let own = item.id.get().unwrap_or("");
    if codex.process > 0 {
        format!("{}/{own}", codex.process)
    } else {
        own.to_owned()
    }
}

fn done(codex: &mut Codex, kind: &str, mut item: Item<'_>, out: &mut Out<'_>) {
    let id = id(codex, &item);
    let code = item.exit_code.small();
    let outcome = match kind {
        "mcptoolcall" => reply::server(item.result, item.status.get()),
        "websearch" => Outcome::Ok,
        "commandexecution" => reply::command(item.status.get(), item.exit_code.0),
        _ => reply::item(item.status.get(), item.exit_code.0),
    };
    let text = item
        .aggregated_output
        .0
        .take()
        .or_else(|| item.stdout.0.take())
        .unwrap_or_else(|| item.result.text());
    let changes = if kind == "filechange" {
        item.changes.0.map(patch::change_map).unwrap_or_default()
    } else {
        Vec::new()
    };
    // The record is written when it is over: when it began is not told.
    let at = out.at.take();
    call(codex, &id, item, out);
    out.at = at;
    let mut answer = Reply::new(Cow::Borrowed(&id), text, outcome);
    answer.code = code;
    answer.changes = changes;
    out.put(Body::Outcome(answer));
}

fn call(codex: &mut Codex, id: &str, item: Item<'_>, out: &mut Out<'_>) {
    let kind = kind(&item);
    let server = (kind == "mcptoolcall").then(|| item.server.clone().text());
    // Where the model's own record has the call, the head of its output tells how it ended.
    if codex.calls.contains_key(&key_of(&[id])) {
        return;
    }
    codex.calls.insert(key_of(&[id]), false);
    out.key = Some(key_of(&["call", id]));
    let (name, action, args): (Text<'_>, Action<'_>, Text<'_>) = match kind.as_str() {
        "commandexecution" => {
            let args = item.command.text();
            (
                "command_execution".into(),
                tool::shell(item.command, item.cwd.0),
                args,
            )
        }
        "filechange" => {
            let args = item.changes.text();
            let action = patch::mapped(item.changes.0.unwrap_or(""));
            ("file_change".into(), action, args)
        }
        "websearch" => {
            let paths = item.query.0.into_iter().collect();
            (
                "web_search".into(),
                Action::Read {
                    paths,
                    remote: true,
                },
                item.action.text(),
            )
        }
        "collabtoolcall" | "collabagenttoolcall" => (
            item.tool.text(),
            Action::Delegate {
                prompt: Cow::Borrowed(""),
            },
            item.arguments.text(),
        ),
        _ => {
            let server = item.server.text();
            let name = Cow::Owned(format!("mcp__{server}__{}", item.tool.text()));
            (name, Action::Unknown, item.arguments.text())
        }
    };
    out.put(Body::Call(Call {
        id: Cow::Borrowed(id),
        tool: name,
        message: 0,
        action,
        args,
        part: Part::Inner,
        at: None,
        server,
    }));
}

/// A web search of the model's record, which is call and outcome at once.
pub(super) fn fetch(id: Text<'_>, args: Text<'_>, outcome: Outcome, out: &mut Out<'_>) {
    out.key = Some(key_of(&["call", &id]));
    out.put(Body::Call(Call {
        id: id.clone(),
        tool: "web_search".into(),
        message: 0,
        action: Action::Read {
            paths: Vec::new(),
            remote: true,
        },
        args,
        part: Part::Whole,
        at: None,
        server: None,
    }));
    let outcome = if outcome == Outcome::Unknown {
        Outcome::Ok
    } else {
        outcome
    };
    out.put(Body::Outcome(Reply::new(id, Cow::Borrowed(""), outcome)));
}
