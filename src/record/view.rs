//! Events with their texts within the bounds that the fold of turns has for them.

use std::borrow::Cow;

use crate::transcript::{Action, Attached, Body, Call, Event, Item, Reply, Settings, Swap, Text};
use crate::turn::{Kept, Step};

/// The same event, borrowed, with texts as long as a fold reads them. Folding it gives the very
/// same turns, and it is its own bounded form.
#[must_use]
pub fn bounded<'b>(event: &'b Event<'_>) -> Event<'b> {
    Event {
        place: event.place,
        thread: event.thread,
        key: event.key,
        node: event.node,
        parent: event.parent,
        body: body(&event.body),
    }
}

fn whole<'b>(text: &'b Text<'_>) -> Text<'b> {
    Cow::Borrowed(text)
}

fn maybe<'b>(text: Option<&'b Text<'_>>) -> Option<Text<'b>> {
    text.map(whole)
}

fn body<'b>(body: &'b Body<'_>) -> Body<'b> {
    match body {
        Body::Operator { text, opens } => Body::Operator {
            text: whole(text),
            opens: *opens,
        },
        Body::Injected { kind, text } => Body::Injected {
            kind: *kind,
            text: Kept::shortened(text),
        },
        Body::Said {
            text,
            message,
            aside,
        } => Body::Said {
            text: whole(text),
            message: *message,
            aside: *aside,
        },
        Body::Thought { message } => Body::Thought { message: *message },
        Body::Call(own) => Body::Call(call(own)),
        Body::Outcome(own) => Body::Outcome(reply(own)),
        Body::Settled {
            handle,
            outcome,
            text,
        } => Body::Settled {
            handle: whole(handle),
            outcome: *outcome,
            text: Kept::shortened(text),
        },
        Body::Frame(frame) => Body::Frame(*frame),
        Body::Workdir { path } => Body::Workdir { path: whole(path) },
        Body::Begins { session } => Body::Begins {
            session: maybe(session.as_ref()),
        },
        Body::Told { agent, text, aside } => Body::Told {
            agent: *agent,
            text: whole(text),
            aside: *aside,
        },
        Body::Settings(own) => Body::Settings(settings(own)),
        Body::Attached(own) => Body::Attached(attached(own)),
        Body::Interrupt => Body::Interrupt,
        Body::Compaction => Body::Compaction,
        Body::ApiError { limit, kind, text } => Body::ApiError {
            limit: *limit,
            kind: maybe(kind.as_ref()),
            text: Kept::shortened(text),
        },
        Body::Bookkeeping => Body::Bookkeeping,
        Body::Opaque { name } => Body::Opaque { name: whole(name) },
        Body::Unread => Body::Unread,
    }
}

fn settings<'b>(settings: &'b Settings<'_>) -> Settings<'b> {
    let servers = settings.servers.as_ref();
    Settings {
        model: maybe(settings.model.as_ref()),
        effort: maybe(settings.effort.as_ref()),
        sandbox: maybe(settings.sandbox.as_ref()),
        servers: servers.map(|own| own.iter().map(whole).collect()),
    }
}

fn attached<'b>(attached: &'b Attached<'_>) -> Attached<'b> {
    Attached {
        by: attached.by,
        role: whole(&attached.role),
        kind: whole(&attached.kind),
        text: attached.text.as_deref().map(Kept::shortened),
    }
}

fn call<'b>(call: &'b Call<'_>) -> Call<'b> {
    Call {
        id: whole(&call.id),
        tool: whole(&call.tool),
        message: call.message,
        action: action(&call.action),
        args: Cow::Borrowed(Step::kept_args(&call.args)),
        part: call.part,
        at: maybe(call.at.as_ref()),
        server: maybe(call.server.as_ref()),
    }
}

fn action<'b>(action: &'b Action<'_>) -> Action<'b> {
    match action {
        Action::Shell {
            command,
            dialect,
            cwd,
            background,
        } => Action::Shell {
            command: whole(command),
            dialect: *dialect,
            cwd: maybe(cwd.as_ref()),
            background: *background,
        },
        Action::Read { paths, remote } => Action::Read {
            paths: paths.iter().map(whole).collect(),
            remote: *remote,
        },
        Action::Edit { changes, swaps } => Action::Edit {
            changes: changes
                .iter()
                .map(|(path, change)| (whole(path), *change))
                .collect(),
            swaps: swaps.iter().map(swap).collect(),
        },
        Action::Poll { handle } => Action::Poll {
            handle: whole(handle),
        },
        Action::Input { handle, text } => Action::Input {
            handle: whole(handle),
            text: whole(text),
        },
        Action::Kill { handle } => Action::Kill {
            handle: whole(handle),
        },
        Action::Delegate { prompt } => Action::Delegate {
            prompt: whole(prompt),
        },
        Action::Neutral => Action::Neutral,
        Action::Plan { items } => Action::Plan {
            items: items.iter().map(item).collect(),
        },
        Action::Propose { text } => Action::Propose { text: whole(text) },
        Action::Unknown => Action::Unknown,
    }
}

fn item<'b>(item: &'b Item<'_>) -> Item<'b> {
    Item {
        key: maybe(item.key.as_ref()),
        text: maybe(item.text.as_ref()),
        done: item.done,
    }
}

fn swap<'b>(swap: &'b Swap<'_>) -> Swap<'b> {
    Swap {
        path: whole(&swap.path),
        old: whole(&swap.old),
        new: whole(&swap.new),
        whole: swap.whole,
    }
}

fn reply<'b>(reply: &'b Reply<'_>) -> Reply<'b> {
    Reply {
        id: whole(&reply.id),
        text: Kept::shortened(&reply.text),
        outcome: reply.outcome,
        code: reply.code,
        handle: maybe(reply.handle.as_ref()),
        truncated: reply.truncated,
        child: maybe(reply.child.as_ref()),
        changes: reply
            .changes
            .iter()
            .map(|(path, change)| (whole(path), *change))
            .collect(),
        swaps: reply.swaps.iter().map(swap).collect(),
    }
}
