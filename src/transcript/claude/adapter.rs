//! One record of Claude Code to neutral events.

use std::borrow::Cow;
use std::collections::HashSet;

use serde_json::value::RawValue;

use super::attached;
use super::kind::{ATTACHMENTS, BOOKKEEPING, SYSTEM};
use super::queue::Queue;
use super::spoken::{self, Spoken};
use super::tool::action;
use super::user;
use super::wire::{Attachment, Block, Envelope, Message, Server};
use crate::transcript::beside::{Settings, Tells};
use crate::transcript::limit::is_limit;
use crate::transcript::loose::{Content, List, Str};
use crate::transcript::out::Out;
use crate::transcript::record::{
    Body, Call, Client, Event, Frame, Header, Injection, Opens, Part, Place, Text, Thread, key_of,
};
use crate::transcript::{Adapter, Format};

pub(crate) struct Claude {
    format: Format,
    header: Header,
    /// Whether the agent's first prompt was read: the words of its parent, not of a human.
    pub(super) prompted: bool,
    /// Keys of the records read, so that a copy within the file is not read twice.
    seen: HashSet<u64>,
    /// Keys of texts by message, for streams that repeat their blocks without record ids.
    pub(super) said: HashSet<u64>,
    /// Whether the record at hand says that a human spoke.
    pub(super) human: bool,
    /// Input that was typed ahead.
    pub(super) queue: Queue,
    /// Whether the run of a stream has told any deed or word of its agent.
    acted: bool,
    /// Whether news of a background task came since the last run of a stream ended.
    notified: bool,
    /// How many calls and results without an id were read.
    nameless: u64,
    /// The session of the stream's present run.
    run: Option<String>,
    /// The folder of the last record that named one.
    cwd: Option<String>,
    /// The key of the last message, and its id until it is told.
    message: (u64, Option<String>),
    /// A key of the model and effort that were told last.
    settings: u64,
    /// Whether a hook ran of which it is not told what it put in.
    hook_ran: bool,
}

impl Claude {
    /// Reads a file of this format; `subagent` tells whether it is another agent's own, and
    /// `agent` that agent's id, where it has one.
    pub(crate) fn new(format: Format, subagent: bool, agent: Option<String>) -> Self {
        let header = Header {
            client: Client::ClaudeCode,
            subagent,
            compaction: agent
                .as_deref()
                .is_some_and(|id| id.starts_with("acompact")),
            agent,
            tells: Tells {
                prompts: format == Format::ClaudeSession,
                ..Tells::default()
            },
            ..Header::default()
        };
        Self {
            format,
            header,
            prompted: false,
            seen: HashSet::new(),
            said: HashSet::new(),
            human: false,
            queue: Queue::default(),
            acted: false,
            notified: false,
            nameless: 0,
            run: None,
            cwd: None,
            message: (0, None),
            settings: 0,
            hook_ran: false,
        }
    }

    /// A new run in the same stream begins a session where its id is another one.
    fn begins(&mut self, envelope: &Envelope<'_>, out: &mut Out<'_>) {
        let id = envelope.session_snake.owned();
        let mut resumed = std::mem::take(&mut self.notified);
        if self.run.is_some() && id != self.run {
            let session = id.as_deref().map(Cow::Borrowed);
            out.put(Body::Begins { session });
            resumed = false;
        }
        self.run = id;
        self.acted = false;
        let servers = envelope.mcp_servers.map(RawValue::get).and_then(servers);
        if servers.is_some() {
            out.put(Body::Settings(Settings {
                servers,
                ..Settings::default()
            }));
        }
        out.put(Body::Frame(if resumed {
            Frame::Resumed
        } else {
            Frame::Ready
        }));
    }

    /// Whether the file is a subagent's own.
    pub(super) fn is_subagent(&self) -> bool {
        self.header.subagent
    }

    /// An id as it stands, or one that no other call or result has.
    pub(super) fn name<'a>(&mut self, id: Str<'a>) -> Text<'a> {
        match id.0 {
            Some(id) if !id.is_empty() => id,
            _ => {
                self.nameless += 1;
                Cow::Owned(format!("@{}", self.nameless))
            }
        }
    }

    fn note_header(&mut self, envelope: &Envelope<'_>) {
        let header = &mut self.header;
        let session = envelope
            .session_camel
            .owned()
            .or_else(|| envelope.session_snake.owned());
        header.session = header.session.take().or(session);
        let version = envelope
            .version
            .owned()
            .or_else(|| envelope.stream_version.owned());
        header.version = header.version.take().or(version);
        header.cwd = header.cwd.take().or_else(|| envelope.cwd.owned());
        let model = envelope
            .message
            .0
            .as_ref()
            .and_then(|message| message.model.owned());
        let model = model.filter(|model| model != "<synthetic>");
        header.model = header
            .model
            .take()
            .or(model)
            .or_else(|| envelope.model.owned());
        if let Some(forked) = &envelope.forked.0
            && header.parent.is_none()
        {
            header.parent = forked.session.owned();
            header.forked = true;
        }
    }

    fn thread_of(&self, envelope: &Envelope<'_>) -> Thread {
        let own =
            self.is_subagent() || !envelope.sidechain.0 && envelope.parent_call.get().is_none();
        if own { Thread::Own } else { Thread::Other }
    }

    fn assistant(&mut self, envelope: Envelope<'_>, out: &mut Out<'_>) {
        let named = self.format == Format::ClaudeStream && envelope.error.get().is_some();
        let api_error = envelope.api_error.0 || named;
        let Some(message) = envelope.message.0 else {
            out.put(malformed("assistant"));
            return;
        };
        let synthetic = message.model.is("<synthetic>");
        if api_error || synthetic {
            let text = first_text(message);
            let limit = envelope.error.is("rate_limit") || is_limit(&text);
            // "No response requested." fills the place after an interrupted resume.
            if api_error || limit || text.starts_with("API Error") {
                out.put(Body::ApiError {
                    limit,
                    kind: envelope.error.0,
                    text: text.into(),
                });
            } else {
                out.put(Body::Bookkeeping);
            }
            return;
        }
        self.runs_with(&message.model, &envelope.effort, out);
        self.blocks(message, out);
    }

    /// Notes the model that a message is of, and its effort where newer versions tell it.
    fn runs_with(&mut self, model: &Str<'_>, effort: &Str<'_>, out: &mut Out<'_>) {
        let told = [model, effort].map(|own| own.get().unwrap_or(""));
        let key = key_of(&told);
        if out.thread == Thread::Own && key != std::mem::replace(&mut self.settings, key) {
            out.put(Body::Settings(Settings {
                model: model.0.as_deref().map(Cow::Borrowed),
                effort: effort.0.as_deref().map(Cow::Borrowed),
                ..Settings::default()
            }));
        }
    }

    /// The blocks of an agent's message.
    pub(super) fn blocks(&mut self, message: Message<'_>, out: &mut Out<'_>) {
        let key = message.id.get().map_or(0, |id| key_of(&[id]));
        if key != std::mem::replace(&mut self.message.0, key) {
            self.message.1 = message.id.owned();
        }
        match message.content {
            Content::Text(text) if !text.is_empty() => self.say(text, key, out),
            Content::Text(_) => out.put(Body::Bookkeeping),
            Content::Absent => out.put(malformed("assistant")),
            Content::Items(blocks) => {
                for block in blocks {
                    self.block(block, key, out);
                }
            }
        }
    }

    fn say(&mut self, text: Cow<'_, str>, message: u64, out: &mut Out<'_>) {
        let repeated = message != 0 && !self.said.insert(key_of(&[&text]) ^ message);
        if repeated {
            out.put(Body::Bookkeeping);
        } else {
            self.acted |= out.thread == Thread::Own;
            out.put(Body::Said {
                text,
                message,
                aside: false,
            });
        }
    }

    fn block(&mut self, block: Block<'_>, message: u64, out: &mut Out<'_>) {
        match block.kind.get().unwrap_or("") {
            "text" => self.say(block.text.text(), message, out),
            "thinking" | "redacted_thinking" => out.put(Body::Thought { message }),
            "tool_use" => {
                let args = block.input.map_or("{}", |raw| raw.get());
                let tool = block.name.text();
                self.acted |= out.thread == Thread::Own;
                out.put(Body::Call(Call {
                    action: action(&tool, args),
                    id: self.name(block.id),
                    tool,
                    message,
                    args: Cow::Borrowed(args),
                    part: Part::Whole,
                    at: None,
                    server: None,
                }));
            }
            // Results are told to the agent, not by it.
            "tool_result" | "image" | "document" => out.put(Body::Bookkeeping),
            other => out.put(Body::Opaque {
                name: Cow::Owned(format!("block:{other}")),
            }),
        }
    }

    fn system(&mut self, envelope: &Envelope<'_>, out: &mut Out<'_>) {
        let subtype = envelope.subtype.get().unwrap_or("");
        match subtype {
            "compact_boundary" => out.put(Body::Compaction),
            "init" if self.format == Format::ClaudeStream => self.begins(envelope, out),
            "task_notification" => self.notification(envelope, out),
            "stop_hook_summary" => {
                if let Some(added) = envelope.hooks_added {
                    attached::added(added.get(), out);
                }
                out.put(Body::Bookkeeping);
            }
            known if SYSTEM.contains(&known) => out.put(Body::Bookkeeping),
            other => out.put(Body::Opaque {
                name: Cow::Owned(format!("system:{other}")),
            }),
        }
    }

    /// News of a background task as a record of its own. In a stream it may stand between two
    /// runs: the second then goes on with what the first was asked.
    fn notification(&mut self, envelope: &Envelope<'_>, out: &mut Out<'_>) {
        let summary = envelope.news.get().or(envelope.content.get());
        let summary = summary.unwrap_or("");
        let outcome = spoken::settled(
            envelope.status.get().unwrap_or(""),
            spoken::exit_code_in(summary),
            is_limit(summary),
        );
        out.put(Body::Settled {
            handle: envelope.task_id.0.clone().unwrap_or_default(),
            outcome,
            text: Cow::Borrowed(""),
        });
        if self.format == Format::ClaudeStream && !self.acted {
            self.notified = true;
            out.put(Body::Injected {
                kind: Injection::Notification,
                text: Cow::Borrowed(""),
            });
        }
    }

    fn attachment(&mut self, envelope: &Envelope<'_>, out: &mut Out<'_>) {
        let raw = envelope.attachment.map_or("", RawValue::get);
        let Ok(attachment) = serde_json::from_str::<Attachment<'_>>(raw) else {
            out.put(Body::Bookkeeping);
            return;
        };
        if out.thread == Thread::Own {
            self.header.tells.attached |= self.header.tells.prompts;
            attached::attachment(attachment.kind.get().unwrap_or(""), raw, out);
        }
        match attachment.kind.get().unwrap_or("") {
            "queued_command" => user::queued_command(self, attachment, out),
            "hook_blocking_error"
                if attachment
                    .hook_event
                    .get()
                    .is_some_and(|e| e.contains("Stop")) =>
            {
                out.put(Body::Injected {
                    kind: Injection::StopFeedback,
                    text: Cow::Borrowed(""),
                });
            }
            known if ATTACHMENTS.contains(&known) => out.put(Body::Bookkeeping),
            other => out.put(Body::Opaque {
                name: Cow::Owned(format!("attachment:{other}")),
            }),
        }
    }

    /// A progress record: the only trace of some subagents in a lone parent file, or a repetition
    /// of what their own files hold.
    fn progress(&mut self, envelope: Envelope<'_>, out: &mut Out<'_>) {
        let kind = envelope.data.0.as_ref().map(|data| &data.kind);
        if kind.is_some_and(|kind| kind.is("hook_progress")) && !self.hook_ran {
            self.hook_ran = true;
            attached::hook_ran(out);
        }
        let nested = envelope
            .data
            .0
            .filter(|data| data.kind.is("agent_progress"))
            .and_then(|data| data.message.0);
        let Some(nested) = nested else {
            out.put(Body::Bookkeeping);
            return;
        };
        out.thread = Thread::Other;
        let Some(message) = nested.message.0 else {
            out.put(Body::Bookkeeping);
            return;
        };
        if nested.kind.is("assistant") {
            self.blocks(message, out);
        } else {
            user::results_only(self, message, &nested.detail, out);
        }
    }

    fn result(&mut self, envelope: &Envelope<'_>, out: &mut Out<'_>) {
        // Success is claimed by several fields, and they disagree in real files.
        let failed = envelope.is_error.0 || !envelope.subtype.is("success");
        let words = envelope.result.get().unwrap_or("");
        let subtype = envelope.subtype.get().unwrap_or("");
        if subtype == "error_max_turns" {
            // The caller allowed no more: the turn breaks off, and no usage limit was hit.
            out.put(Body::Bookkeeping);
        } else if failed {
            let limit = is_limit(words) || subtype.starts_with("error_max_");
            out.put(Body::ApiError {
                limit,
                kind: None,
                text: words.into(),
            });
        } else if !self.acted && !words.trim().is_empty() {
            // It repeats the agent's last words, and is their only place where nothing else is.
            out.put(Body::Said {
                text: words.into(),
                message: 0,
                aside: false,
            });
        }
        self.acted = false;
        self.notified = false;
        out.put(Body::Frame(if failed {
            Frame::Failed
        } else {
            Frame::Completed
        }));
    }
}

/// The servers that can be called, where it is settled which ones these are.
fn servers(raw: &str) -> Option<Vec<Text<'_>>> {
    let all: List<Server<'_>> = serde_json::from_str(raw).ok()?;
    let settled = |own: &Server<'_>| !own.status.is("pending") && own.name.get().is_some();
    if !raw.starts_with('[') || !all.0.iter().all(settled) {
        return None;
    }
    let connected = all.0.into_iter().filter(|own| own.status.is("connected"));
    Some(connected.filter_map(|own| own.name.0).collect())
}

/// A message that has neither words nor blocks.
pub(super) fn malformed(kind: &str) -> Body<'static> {
    Body::Opaque {
        name: Cow::Owned(format!("{kind}:malformed")),
    }
}

fn first_text(message: Message<'_>) -> String {
    match message.content {
        Content::Text(text) => text.into_owned(),
        Content::Absent => String::new(),
        Content::Items(blocks) => blocks
            .into_iter()
            .find_map(|block| block.text.0)
            .unwrap_or_default()
            .into_owned(),
    }
}

impl Adapter for Claude {
    fn record(
        &mut self,
        text: &str,
        place: Place,
        sink: &mut dyn FnMut(Event<'_>),
    ) -> Result<(), serde_json::Error> {
        let envelope: Envelope<'_> = serde_json::from_str(text)?;
        self.note_header(&envelope);
        let node = envelope.uuid.get().filter(|uuid| !uuid.is_empty());
        let node = node.map(|uuid| key_of(&[uuid]));
        // A fork gives its copies ids of their own and names the originals.
        let origin = envelope
            .forked
            .0
            .as_ref()
            .and_then(|fork| fork.message.get());
        let mut out = Out {
            place,
            thread: self.thread_of(&envelope),
            key: origin.map(|uuid| key_of(&[uuid])).or(node),
            node,
            parent: envelope.parent.get().map(|uuid| key_of(&[uuid])),
            at: envelope.timestamp.0.clone(),
            sink,
        };
        if let Some(key) = node
            && !self.seen.insert(key)
        {
            out.put(Body::Bookkeeping);
            return Ok(());
        }
        if let Some(cwd) = envelope.cwd.get()
            && out.thread == Thread::Own
            && self.cwd.as_deref() != Some(cwd)
        {
            out.put(Body::Workdir { path: cwd.into() });
            self.cwd = Some(cwd.to_owned());
        }
        match envelope.kind.get().unwrap_or("") {
            "assistant" => self.assistant(envelope, &mut out),
            "user" => user::record(self, envelope, &mut out),
            "progress" => self.progress(envelope, &mut out),
            "attachment" => self.attachment(&envelope, &mut out),
            "system" => self.system(&envelope, &mut out),
            "queue-operation" => user::queue_operation(self, &envelope, &mut out),
            "result" if self.format != Format::ClaudeStream => out.put(Body::Bookkeeping),
            "result" => self.result(&envelope, &mut out),
            known if BOOKKEEPING.contains(&known) => out.put(Body::Bookkeeping),
            other => out.put(Body::Opaque {
                name: Cow::Owned(other.to_owned()),
            }),
        }
        Ok(())
    }

    fn header(&self) -> &Header {
        &self.header
    }

    fn message(&mut self) -> Option<String> {
        self.message.1.take()
    }
}

/// Words to the agent, from a human or, in a launched agent's own file, from its parent.
pub(super) fn prompt(adapter: &mut Claude, text: Text<'_>, opens: Opens, out: &mut Out<'_>) {
    let human = adapter.human && adapter.prompted;
    // A message is repeated within its turn; a client that takes up its history anew tells whole
    // turns again.
    adapter.said.clear();
    let opens = if adapter.is_subagent() && !human {
        Opens::Delegated
    } else {
        opens
    };
    adapter.prompted = true;
    adapter.notified = false;
    out.put(Body::Operator { text, opens });
}

/// What a user text is, as events.
pub(super) fn speak(adapter: &mut Claude, text: &str, opens: Opens, out: &mut Out<'_>) {
    match spoken::read(text) {
        Spoken::Operator(own) => {
            prompt(adapter, own, opens, out);
        }
        Spoken::Injected(kind) => out.put(Body::Injected {
            kind,
            text: text.into(),
        }),
        Spoken::Interrupt => out.put(Body::Interrupt),
        Spoken::Notification(notice) => {
            out.put(Body::Settled {
                handle: notice.handle.into(),
                outcome: notice.outcome,
                text: text.into(),
            });
            out.put(Body::Injected {
                kind: Injection::Notification,
                text: text.into(),
            });
        }
    }
}
