//! A first look at a file's head: which sessions it belongs with.

use std::path::Path;

use serde::{Deserialize, Serialize};

use super::decode::{line_text, trimmed};
use super::hex;
use super::loose::{Flag, Obj, Str};
use super::record::key_of;
use crate::source::{Found, is_own};

/// Records that are looked at.
const RECORDS: usize = 64;
/// Bytes that are looked at.
const BYTES: u64 = 1 << 20;
/// Ids shorter than this are not taken for unique.
const UNIQUE: usize = 16;

/// What a file's head says of its kin.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Glance {
    /// Keys that files of one family share.
    #[serde(default, with = "hex::keys", skip_serializing_if = "Vec::is_empty")]
    #[cfg_attr(feature = "schema", schemars(with = "Vec<String>"))]
    pub links: Vec<u64>,
    /// The session's own id.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub session: Option<String>,
    /// The folder that the session works in.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cwd: Option<String>,
    /// Whether every message in it is another agent's than the session's own.
    #[serde(default, skip_serializing_if = "hex::is_false")]
    pub subagent: bool,
    /// Whether it is what a client printed of a run, not the file that it keeps of the session.
    #[serde(default, skip_serializing_if = "hex::is_false")]
    pub printed: bool,
    /// The session that this one was forked from.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub origin: Option<String>,
    /// How many launches lie between the agent and the operator, as far as told.
    pub depth: u32,
    /// Whether it is no client's, but of this program's making or written for it.
    #[serde(default, skip_serializing_if = "hex::is_false")]
    pub own: bool,
}

#[derive(Default, Deserialize)]
#[serde(default)]
struct Head<'a> {
    #[serde(borrow)]
    uuid: Str<'a>,
    #[serde(borrow)]
    id: Str<'a>,
    #[serde(borrow)]
    call_id: Str<'a>,
    #[serde(borrow, rename = "type")]
    kind: Str<'a>,
    #[serde(borrow, rename = "sessionId")]
    session_camel: Str<'a>,
    #[serde(borrow, rename = "session_id")]
    session_snake: Str<'a>,
    #[serde(borrow)]
    thread_id: Str<'a>,
    #[serde(rename = "isSidechain")]
    sidechain: Flag,
    #[serde(borrow)]
    cwd: Str<'a>,
    #[serde(borrow, rename = "forkedFrom")]
    forked: Obj<Fork<'a>>,
    #[serde(borrow)]
    payload: Obj<Meta<'a>>,
    #[serde(borrow)]
    msg: Obj<Meta<'a>>,
}

#[derive(Default, Deserialize)]
#[serde(default)]
struct Fork<'a> {
    #[serde(borrow, rename = "sessionId")]
    session: Str<'a>,
}

#[derive(Default, Deserialize)]
#[serde(default)]
struct Meta<'a> {
    #[serde(borrow)]
    id: Str<'a>,
    #[serde(borrow)]
    cwd: Str<'a>,
    #[serde(borrow)]
    call_id: Str<'a>,
    #[serde(borrow)]
    turn_id: Str<'a>,
    #[serde(borrow)]
    parent_thread_id: Str<'a>,
    #[serde(borrow)]
    forked_from_id: Str<'a>,
}

#[derive(Default, Deserialize)]
#[serde(default, rename_all = "camelCase")]
struct Sidecar {
    spawn_depth: Option<u32>,
}

/// Looks at the head of a file. A file that cannot be read has no kin.
#[must_use]
pub fn glance(found: &Found) -> Glance {
    let mut seen = Glance {
        depth: if found.built_in.is_some() {
            1
        } else {
            depth(&found.path)
        },
        ..Glance::default()
    };
    let Ok(lines) = found.open() else {
        return seen;
    };
    let mut lines = lines.without_digest();
    let (mut records, mut messages, mut foreign) = (0, 0, 0);
    while let Some(line) = lines.next_line() {
        let range = trimmed(line.bytes);
        let text = line_text(&line.bytes[range]);
        seen.own |= line.number == 1 && is_own(&text);
        for head in heads(&text) {
            records += 1;
            if matches!(head.kind.get(), Some("user" | "assistant")) {
                messages += 1;
                foreign += u32::from(head.sidechain.0);
            }
            link(&mut seen, &head);
        }
        if records >= RECORDS || line.offset > BYTES {
            break;
        }
    }
    seen.subagent |= messages > 0 && messages == foreign;
    seen.links.sort_unstable();
    seen.links.dedup();
    seen
}

/// The records of a line: one, or those of an array that is the whole output of a run.
fn heads(text: &str) -> Vec<Head<'_>> {
    if text.starts_with('[') {
        let mut all: Vec<Head<'_>> = serde_json::from_str(text).unwrap_or_default();
        all.truncate(RECORDS);
        return all;
    }
    serde_json::from_str(text).into_iter().collect()
}

fn link(seen: &mut Glance, head: &Head<'_>) {
    if seen.session.is_none() {
        let snake = head.session_snake.get().is_some() && head.session_camel.get().is_none();
        seen.printed |= snake || head.thread_id.get().is_some() || head.msg.0.is_some();
    }
    let mut add = |space: &str, id: Option<&str>| {
        if let Some(id) = id.filter(|id| id.len() >= UNIQUE && !id.starts_with('[')) {
            seen.links.push(key_of(&[space, id]));
        }
    };
    add("record", head.uuid.get());
    for session in [&head.session_camel, &head.session_snake, &head.thread_id] {
        add("session", session.get());
    }
    add(
        "session",
        head.forked.0.as_ref().and_then(|fork| fork.session.get()),
    );
    // Old releases of Codex wrote neither envelopes nor, in what they print, the session's id.
    add("call", head.call_id.get());
    if let Some(message) = &head.msg.0 {
        add("call", message.call_id.get());
    }
    let fork = head.forked.0.as_ref().and_then(|fork| fork.session.owned());
    let mut origin = fork;
    if let Some(meta) = &head.payload.0 {
        add("call", meta.call_id.get());
        add("turn", meta.turn_id.get());
        add("session", meta.parent_thread_id.get());
        add("session", meta.forked_from_id.get());
        if head.kind.is("session_meta") {
            add("session", meta.id.get());
            seen.subagent |= seen.session.is_none() && meta.parent_thread_id.get().is_some();
            // A second header is that of the session whose history stands copied here.
            let second = || seen.session.as_ref().and_then(|_| meta.id.owned());
            origin = origin
                .or_else(|| meta.forked_from_id.owned())
                .or_else(second);
            seen.session = seen.session.take().or_else(|| meta.id.owned());
        }
    }
    let inner = head.payload.0.as_ref().and_then(|meta| meta.cwd.owned());
    seen.cwd = seen.cwd.take().or_else(|| head.cwd.owned()).or(inner);
    let own = head
        .session_camel
        .owned()
        .or_else(|| head.session_snake.owned());
    seen.session = seen
        .session
        .take()
        .or(own)
        .or_else(|| head.thread_id.owned())
        .or_else(|| bare_header(head));
    let own = seen.session.as_deref();
    seen.origin = seen
        .origin
        .take()
        .or_else(|| origin.filter(|origin| Some(origin.as_str()) != own));
}

/// The id in the header of a rollout without envelopes, the only record there that names no type.
fn bare_header(head: &Head<'_>) -> Option<String> {
    let untyped = head.kind.get().is_none() && head.msg.0.is_none();
    let id = head.id.owned().filter(|id| id.len() >= UNIQUE);
    id.filter(|_| untyped)
}

/// How deep the file's agent was launched, from the small file that lies beside it.
fn depth(path: &Path) -> u32 {
    let beside = path.with_extension("meta.json");
    let Ok(meta) = std::fs::metadata(&beside) else {
        return 1;
    };
    if !meta.is_file() || meta.len() > 64 * 1024 {
        return 1;
    }
    let text = std::fs::read_to_string(&beside).unwrap_or_default();
    let sidecar: Sidecar = serde_json::from_str(&text).unwrap_or_default();
    sidecar.spawn_depth.unwrap_or(1)
}
