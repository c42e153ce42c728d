//! One record of Codex to neutral events.
//!
//! Two voices tell the same thing: `response_item` is the model's record, `event_msg` the client's.
//! Words are taken from whichever comes first; calls from the model's record, with outcomes from
//! either.

use std::borrow::Cow;
use std::collections::{HashMap, HashSet};

use super::fork::Fork;
use super::kind::{BOOKKEEPING, EVENTS, ITEMS};
use super::said::{Phase, Said};
use super::settings;
use super::wire::{Envelope, Loose, Payload, joined};
use super::{item, old, patch, reply, tool};
use crate::transcript::beside::Tells;
use crate::transcript::limit::is_limit;
use crate::transcript::loose::Str;
use crate::transcript::out::Out;
use crate::transcript::record::{
    Body, Call, Client, Event, Frame, Header, Injection, Outcome, Part, Place, Reply, Thread,
    key_of,
};
use crate::transcript::{Adapter, Format};

pub(crate) struct Codex {
    format: Format,
    pub(super) header: Header,
    /// Whether the session was launched by another agent.
    pub(super) subagent: bool,
    /// How often each voice said each text, so that a text told by both counts once.
    voices: HashMap<u64, [u32; 3]>,
    /// Calls that stand in the file, with whether the head of their output tells the outcome.
    pub(super) calls: HashMap<u64, bool>,
    /// Records read, so that a repeated one is not read twice.
    seen: HashSet<u64>,
    /// How many processes wrote into an `exec --json` file: item ids begin anew with each.
    pub(super) process: u32,
    /// Whether copied history of the parent is being read.
    fork: Fork,
    /// The thread of the present process of an `exec --json` file.
    thread: Option<String>,
    /// The time of the record that holds the header.
    time: Option<String>,
    /// The id of the message that the record at hand holds.
    pub(super) message: Option<String>,
    /// The last call that stands within a message and has no answer yet.
    pub(super) asked: Option<String>,
    /// A key of the settings that were told last, and whose they are.
    settings: (Thread, u64),
    /// Whether the open turn of an `exec --json` file was told of a usage limit.
    limited: bool,
}

#[derive(Clone, Copy)]
pub(super) enum Voice {
    /// The model's own record.
    Model = 0,
    /// The client's items.
    Item = 1,
    /// The client's older events.
    Client = 2,
}

impl Codex {
    pub(crate) fn new(format: Format) -> Self {
        Self {
            format,
            header: Header {
                client: Client::Codex,
                tells: Tells {
                    prompts: format == Format::CodexRollout,
                    attached: format == Format::CodexRollout,
                    roles: false,
                },
                ..Header::default()
            },
            subagent: false,
            voices: HashMap::new(),
            calls: HashMap::new(),
            seen: HashSet::new(),
            process: 0,
            fork: Fork::default(),
            thread: None,
            time: None,
            message: None,
            asked: None,
            settings: (Thread::Own, 0),
            limited: false,
        }
    }

    fn payload(&mut self, kind: &str, payload: Payload<'_>, out: &mut Out<'_>) {
        match kind {
            "session_meta" => self.session_meta(&payload, out),
            "response_item" => self.response_item(payload, out),
            "event_msg" => self.event(payload, out),
            "compacted" => out.put(Body::Compaction),
            "turn_context" => {
                self.header.model = self.header.model.take().or_else(|| payload.model.owned());
                self.enter(&payload.cwd, out);
                self.runs_with(&payload, out);
                out.put(Body::Bookkeeping);
            }
            known if BOOKKEEPING.contains(&known) => out.put(Body::Bookkeeping),
            other => out.put(Body::Opaque {
                name: Cow::Owned(other.to_owned()),
            }),
        }
    }

    /// The first header is the file's own. A second one is that of a parent whose whole history
    /// follows it, copied (`ryoppippi/ccusage#1349`).
    fn session_meta(&mut self, payload: &Payload<'_>, out: &mut Out<'_>) {
        if self.fork.first_header() {
            let header = &mut self.header;
            header.session = payload.id.owned();
            header.version = payload.cli_version.owned();
            self.enter(&payload.cwd, out);
            let header = &mut self.header;
            let source = payload.source.0.unwrap_or("");
            self.subagent = source.starts_with('{') && source.contains("\"subagent\"")
                || payload.thread_source.is("subagent");
            header.subagent = self.subagent;
            header.parent = payload
                .parent_thread_id
                .owned()
                .or_else(|| payload.forked_from_id.owned());
            header.forked = payload.forked_from_id.get().is_some();
            if self.subagent {
                header.agent.clone_from(&header.session);
            }
            self.fork.note_session(
                header.session.as_deref(),
                payload.timestamp.get().or(self.time.as_deref()),
            );
        } else if payload.id.owned() != self.header.session && self.fork.begin_copy() {
            out.thread = Thread::Copied;
            self.header.forked = true;
            self.header.parent = self.header.parent.take().or_else(|| payload.id.owned());
        }
        out.put(Body::Bookkeeping);
    }

    /// Notes the folder that a record names.
    fn enter(&mut self, cwd: &Str<'_>, out: &mut Out<'_>) {
        let Some(path) = cwd.get() else { return };
        self.header.cwd.get_or_insert_with(|| path.to_owned());
        out.put(Body::Workdir { path: path.into() });
    }

    /// Notes what a turn runs with. It is told before each answer of the model, and mostly the same.
    fn runs_with(&mut self, payload: &Payload<'_>, out: &mut Out<'_>) {
        let own = settings::of(payload);
        let told = [&own.model, &own.effort, &own.sandbox].map(|own| own.as_deref().unwrap_or(""));
        let key = (out.thread, key_of(&told));
        if key != std::mem::replace(&mut self.settings, key) {
            out.put(Body::Settings(own));
        }
    }

    pub(super) fn response_item(&mut self, payload: Payload<'_>, out: &mut Out<'_>) {
        match payload.kind.get().unwrap_or("") {
            "message" => self.message(payload, out),
            "reasoning" => out.put(Body::Thought { message: 0 }),
            "function_call" | "custom_tool_call" | "local_shell_call" => self.call(payload, out),
            "web_search_call" => self.web_search(&payload, out),
            "function_call_output" | "custom_tool_call_output" | "local_shell_call_output" => {
                self.output(&payload, out);
            }
            "agent_message" => out.put(Body::Injected {
                kind: Injection::Notification,
                text: joined(payload.content),
            }),
            known if ITEMS.contains(&known) => out.put(Body::Bookkeeping),
            other => out.put(Body::Opaque {
                name: Cow::Owned(format!("item:{other}")),
            }),
        }
    }

    pub(super) fn said(&mut self, said: Said<'_>, voice: Voice, out: &mut Out<'_>) {
        let Said {
            text,
            message,
            phase,
        } = said;
        let aside = phase == Phase::Aside;
        let printed = matches!(self.format, Format::CodexExec | Format::CodexExecOld);
        // An empty message closes no turn; of a run that prints its answer it is the last word all the same.
        if text.trim().is_empty() && !printed {
            out.put(Body::Bookkeeping);
        } else if self.told_already("agent", &text, voice) {
            repeat(true, text, aside, voice, out);
        } else {
            out.put(Body::Said {
                text,
                message,
                aside,
            });
        }
        if phase == Phase::Answer {
            out.put(Body::Frame(Frame::Answered));
        }
    }

    /// Whether another voice said this text already, as often as this one now does.
    pub(super) fn told_already(&mut self, who: &str, text: &str, voice: Voice) -> bool {
        let counts = self
            .voices
            .entry(key_of(&[who, text.trim()]))
            .or_insert([0; 3]);
        let most = counts.iter().copied().max().unwrap_or(0);
        let own = &mut counts[voice as usize];
        *own += 1;
        *own <= most
    }

    fn call(&mut self, payload: Payload<'_>, out: &mut Out<'_>) {
        let local_shell = payload.kind.is("local_shell_call");
        let id = call_id(&payload, out.place);
        let name = match payload.name.0 {
            Some(name) => name,
            None if local_shell => Cow::Borrowed("local_shell"),
            None => Cow::Borrowed(""),
        };
        let (tool, server) = tool::named(payload.namespace.get().unwrap_or(""), name);
        let raw = [payload.arguments, payload.input, payload.action]
            .into_iter()
            .find(|field| field.0.is_some())
            .unwrap_or_default();
        let args = raw.text();
        if self
            .calls
            .insert(key_of(&[&id]), tool::has_header(&tool))
            .is_some()
        {
            out.put(Body::Bookkeeping);
            return;
        }
        out.key = Some(key_of(&["call", &id]));
        let part = if payload.kind.is("custom_tool_call") && tool::is_script(&tool) {
            Part::Script
        } else {
            Part::Whole
        };
        let action = tool::action(&tool, &args);
        out.put(Body::Call(Call {
            id,
            tool: tool.clone(),
            message: 0,
            action,
            args: args.clone(),
            part,
            at: None,
            server,
        }));
    }

    /// A web search has no output record: it is its own answer.
    fn web_search(&mut self, payload: &Payload<'_>, out: &mut Out<'_>) {
        let id = call_id(payload, out.place);
        if self.calls.insert(key_of(&[&id]), false).is_some() {
            out.put(Body::Bookkeeping);
            return;
        }
        let outcome = reply::item(payload.status.get(), None);
        item::fetch(id, payload.action.text(), outcome, out);
    }

    fn output(&mut self, payload: &Payload<'_>, out: &mut Out<'_>) {
        let id = reply_id(payload, out.place);
        let has_header = self.calls.get(&key_of(&[&id])).copied().unwrap_or(true);
        let read = reply::read(payload.output, has_header);
        let mut answer = Reply::new(id, read.text, read.outcome);
        answer.code = read.code;
        answer.handle = read.handle.map(Cow::Owned);
        answer.truncated = read.truncated;
        answer.child = reply::launched(&answer.text).map(Cow::Owned);
        answer.changes = reply::updated(&answer.text);
        out.put(Body::Outcome(answer));
    }

    fn event(&mut self, payload: Payload<'_>, out: &mut Out<'_>) {
        let turn = payload.turn_id.owned();
        match payload.kind.get().unwrap_or("") {
            "task_started" | "turn_started" => {
                out.key = turn.map(|turn| key_of(&["turn", &turn]));
                out.put(Body::Frame(Frame::Started));
            }
            "task_complete" | "turn_complete" => completed(&payload, out),
            "turn_aborted" => {
                out.put(Body::Interrupt);
                out.put(Body::Frame(Frame::Aborted));
            }
            "user_message" => self.heard(payload.message.text(), Voice::Client, out),
            "agent_message" => {
                let old = self.format == Format::CodexExecOld;
                let phase = Phase::of(payload.phase.get());
                let text = payload.message.text();
                self.said(
                    Said {
                        text,
                        message: 0,
                        phase,
                    },
                    Voice::Client,
                    out,
                );
                if old {
                    // That stream tells no end of a turn: words with nothing after them are one.
                    out.put(Body::Frame(Frame::Completed));
                }
            }
            "item_completed" => match payload.item.0 {
                Some(found) => item::completed(self, found, out),
                None => out.put(Body::Bookkeeping),
            },
            kind if self.format == Format::CodexExecOld && old::is_deed(kind) => {
                old::deed(self, payload, out);
            }
            "exec_command_end" if payload.source.text() != "user_shell_command" => {
                let outcome = reply::command(payload.status.get(), payload.exit_code.0);
                self.ended(&payload, outcome, out);
            }
            "patch_apply_end" => {
                let outcome = match payload.success.truth() {
                    Some(true) => Outcome::Ok,
                    _ => Outcome::Failed(None),
                };
                self.ended(&payload, outcome, out);
            }
            "mcp_tool_call_end" => {
                let outcome = reply::server(payload.result, payload.status.get());
                self.ended(&payload, outcome, out);
            }
            "error" => error(payload.codex_error_info, &payload.message, out),
            "exec_command_end" => out.put(Body::Bookkeeping),
            known if EVENTS.contains(&known) => out.put(Body::Bookkeeping),
            other => out.put(Body::Opaque {
                name: Cow::Owned(format!("event:{other}")),
            }),
        }
    }

    /// The client's word on how a call ended. It says nothing that the agent was shown.
    fn ended(&mut self, payload: &Payload<'_>, outcome: Outcome, out: &mut Out<'_>) {
        let known = payload
            .call_id
            .get()
            .is_some_and(|id| self.calls.contains_key(&key_of(&[id])));
        if !known {
            out.put(Body::Bookkeeping);
            return;
        }
        let id = payload.call_id.0.clone().unwrap_or_default();
        let mut answer = Reply::new(id, Cow::Borrowed(""), outcome);
        answer.code = payload.exit_code.small();
        answer.changes = payload.changes.0.map(patch::change_map).unwrap_or_default();
        out.put(Body::Outcome(answer));
    }

    /// A record of `exec --json`.
    fn exec(&mut self, envelope: Envelope<'_>, out: &mut Out<'_>) {
        match envelope.kind.get().unwrap_or("") {
            "thread.started" => {
                self.process += 1;
                let thread = envelope.thread_id.owned();
                let other = self.process > 1 && thread != self.thread;
                self.header.session = self.header.session.take().or_else(|| thread.clone());
                self.thread = thread;
                let session = envelope.thread_id.0;
                out.put(if other {
                    Body::Begins { session }
                } else {
                    Body::Bookkeeping
                });
            }
            "turn.started" => {
                self.limited = false;
                out.put(Body::Frame(Frame::Started));
            }
            "turn.completed" => out.put(Body::Frame(Frame::Completed)),
            "turn.failed" => {
                let words = envelope
                    .error
                    .0
                    .map(|fault| fault.message.text())
                    .unwrap_or_default();
                let limit = is_limit(&words) || self.limited;
                out.put(Body::ApiError {
                    limit,
                    kind: None,
                    text: words,
                });
                out.put(Body::Frame(Frame::Failed));
            }
            // Reconnecting is told as an error too; only a failed turn is final.
            "error" => {
                // A limit may be told by it alone, and the failed turn then says only that it stopped.
                self.limited |= envelope.message.get().is_some_and(is_limit);
                out.put(Body::Bookkeeping);
            }
            "item.updated" => out.put(Body::Bookkeeping),
            "item.started" => match envelope.item.0 {
                Some(found) => item::started(self, found, out),
                None => out.put(Body::Bookkeeping),
            },
            "item.completed" => match envelope.item.0 {
                Some(found) => item::completed(self, found, out),
                None => out.put(Body::Bookkeeping),
            },
            other => out.put(Body::Opaque {
                name: Cow::Owned(other.to_owned()),
            }),
        }
    }

    /// A line of a bare rollout: a header, a state, or an item without an envelope.
    fn bare(&mut self, payload: Payload<'_>, out: &mut Out<'_>) {
        if payload.record_type.get().is_some() {
            out.put(Body::Bookkeeping);
        } else if payload.kind.get().is_none() && payload.role.get().is_none() {
            self.header.session = self.header.session.take().or_else(|| payload.id.owned());
            out.put(Body::Bookkeeping);
        } else {
            self.response_item(payload, out);
        }
    }
}

/// Words that the other voice told first. Where the model's record has them is their place.
pub(super) fn repeat(
    agent: bool,
    text: Cow<'_, str>,
    aside: bool,
    voice: Voice,
    out: &mut Out<'_>,
) {
    match voice {
        Voice::Model => out.put(Body::Told { agent, text, aside }),
        Voice::Item | Voice::Client => out.put(Body::Bookkeeping),
    }
}

/// The end of a turn. Newer versions tell here, and nowhere else, that it failed.
fn completed(payload: &Payload<'_>, out: &mut Out<'_>) {
    let Some(fault) = &payload.error.0 else {
        out.put(Body::Frame(Frame::Completed));
        return;
    };
    error(fault.codex_error_info, &fault.message, out);
    out.put(Body::Frame(Frame::Failed));
}

fn error(info: Loose<'_>, words: &Str<'_>, out: &mut Out<'_>) {
    let info = info.0.unwrap_or("");
    let words = words.get().unwrap_or("");
    let limit = info.contains("usage_limit") || is_limit(words);
    out.put(Body::ApiError {
        limit,
        kind: None,
        text: words.into(),
    });
}

/// A call's id; where there is none, one made of its place.
fn call_id<'a>(payload: &Payload<'a>, place: Place) -> Cow<'a, str> {
    let id = payload.call_id.0.clone().filter(|id| !id.is_empty());
    id.or_else(|| payload.id.0.clone().filter(|id| !id.is_empty()))
        .unwrap_or_else(|| Cow::Owned(format!("@{}", place.start)))
}

/// The id of the call that an output answers; where there is none, one that no call has.
fn reply_id<'a>(payload: &Payload<'a>, place: Place) -> Cow<'a, str> {
    let id = payload.call_id.0.clone().filter(|id| !id.is_empty());
    id.unwrap_or_else(|| Cow::Owned(format!("@{}", place.start)))
}

impl Adapter for Codex {
    fn record(
        &mut self,
        text: &str,
        place: Place,
        sink: &mut dyn FnMut(Event<'_>),
    ) -> Result<(), serde_json::Error> {
        let thread = Thread::Own;
        let mut out = Out {
            place,
            thread,
            key: None,
            sink,
            node: None,
            parent: None,
            at: None,
        };
        if self.format == Format::CodexRolloutBare {
            let payload: Payload<'_> = serde_json::from_str(text)?;
            self.bare(payload, &mut out);
            return Ok(());
        }
        let envelope: Envelope<'_> = serde_json::from_str(text)?;
        out.at.clone_from(&envelope.timestamp.0);
        match self.format {
            Format::CodexExec => self.exec(envelope, &mut out),
            Format::CodexExecOld => match envelope.msg.0 {
                Some(message) => self.event(message, &mut out),
                None => out.put(Body::Bookkeeping),
            },
            _ => {
                let kind = envelope.kind.get().unwrap_or("").to_owned();
                match envelope.payload.0 {
                    Some(payload) => {
                        let turn = payload.turn_id.get();
                        if self.fork.copies(&kind, turn, envelope.timestamp.get()) {
                            out.thread = Thread::Copied;
                        }
                        if self.fork.headless() {
                            self.time = envelope.timestamp.owned();
                        }
                        if let Some(id) = payload.id.get()
                            && kind == "response_item"
                            && payload.call_id.get().is_none()
                            && !self.seen.insert(key_of(&["item", id]))
                        {
                            out.put(Body::Bookkeeping);
                            return Ok(());
                        }
                        self.payload(&kind, payload, &mut out);
                    }
                    None if !kind.is_empty() && BOOKKEEPING.contains(&kind.as_str()) => {
                        out.put(Body::Bookkeeping);
                    }
                    None => out.put(Body::Opaque {
                        name: Cow::Owned(kind),
                    }),
                }
            }
        }
        Ok(())
    }

    fn header(&self) -> &Header {
        &self.header
    }

    fn message(&mut self) -> Option<String> {
        self.message.take()
    }
}
