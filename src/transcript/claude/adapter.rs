//! One record of Claude Code to neutral events.

use std::borrow::Cow;
use std::collections::{HashMap, HashSet, VecDeque};

use super::reply::reply;
use super::spoken::{self, Spoken};
use super::tool::action;
use super::user;
use super::wire::{Block, Detail, Envelope, Message};
use crate::transcript::limit::is_limit;
use crate::transcript::loose::Content;
use crate::transcript::record::{
    Body, Call, Client, Event, Frame, Header, Injection, Opens, Place, Thread, key_of,
};
use crate::transcript::{Adapter, Format};

/// Record types that have no place in the conversation.
const BOOKKEEPING: &[&str] = &[
    "summary",
    "file-history-snapshot",
    "queue-operation",
    "last-prompt",
    "ai-title",
    "mode",
    "permission-mode",
    "agent-name",
    "agent-color",
    "pr-link",
    "bridge-session",
    "custom-title",
    "worktree-state",
    "frame-link",
    "relocated",
    "atis-latch",
    "agent-setting",
    "tag",
    "content-replacement",
    "stream_event",
    "rate_limit_event",
    "control_request",
    "control_response",
    "control_cancel_request",
    "keep_alive",
    "started",
    "tool_progress",
    "auth_status",
    "task-summary",
    "attribution-snapshot",
    "speculation-accept",
    "marble-origami-commit",
    "marble-origami-snapshot",
    "prompt_suggestion",
    "streamlined_text",
    "streamlined_tool_use_summary",
    "post_turn_summary",
    "env_update",
    "file-history-delta",
];

/// System subtypes that have no place in the conversation.
const SYSTEM: &[&str] = &[
    "stop_hook_summary",
    "turn_duration",
    "api_error",
    "local_command",
    "microcompact_boundary",
    "init",
    "ui_telemetry",
    "session_start",
    "api_retry",
    "slash_command",
    "api_refusal",
    "custom_title",
    "task_started",
    "task_updated",
    "task_progress",
    "task_notification",
    "error",
    "model_refusal_fallback",
    "rewind",
    "session_artifact_snapshot",
    "thinking_tokens",
    "status",
    "hook_started",
    "hook_response",
    "hook_progress",
    "informational",
    "away_summary",
    "memory_saved",
    "agents_killed",
    "scheduled_task_fire",
    "bridge_status",
    "files_persisted",
    "permission_retry",
    "elicitation_complete",
    "session_state_changed",
    "local_command_output",
    "permission_denied",
    "background_tasks_changed",
    "notification",
    "compact_boundary",
];

/// Attachments that have no place in the conversation.
const ATTACHMENTS: &[&str] = &[
    "async_hook_response",
    "hook_success",
    "skill_listing",
    "task_reminder",
    "mcp_instructions_delta",
    "todo_reminder",
    "deferred_tools_delta",
    "file",
    "edited_text_file",
    "plan_mode",
    "auto_mode",
    "agent_listing_delta",
    "command_permissions",
    "hook_additional_context",
    "nested_memory",
    "date_change",
    "read_truncation_notice",
    "compact_file_reference",
    "invoked_skills",
    "dynamic_skill",
    "plan_mode_exit",
    "task_status",
    "hook_non_blocking_error",
    "ultra_effort_enter",
    "budget_usd",
    "ultra_effort_exit",
    "total_tokens_reminder",
    "batching_reminder_sent",
    "silent_turn_reminder",
    "hook_blocking_error",
    "hook_cancelled",
    "hook_error_during_execution",
    "hook_stopped_continuation",
    "hook_permission_decision",
    "hook_system_message",
    "plan_mode_reentry",
    "auto_mode_exit",
    "opened_file_in_ide",
    "selected_lines_in_ide",
    "diagnostics",
    "directory",
    "already_read_file",
    "pdf_reference",
    "output_style",
    "relevant_memories",
    "plan_file_reference",
    "ultra_memory",
    "mcp_resource",
    "critical_system_reminder",
    "token_usage",
    "compaction_reminder",
    "context_efficiency",
    "output_token_usage",
    "companion_intro",
    "teammate_mailbox",
    "team_context",
    "verify_plan_reminder",
    "current_session_memory",
    "todo",
    "structured_output",
    "hook_callback",
    "agent_mention",
    "ultrathink_effort",
    "bagel_console",
    "async_agent_status",
    "memory_update",
];

pub(crate) struct Claude {
    format: Format,
    header: Header,
    /// Whose file it is, when it is a subagent's.
    agent: Option<String>,
    /// Whether the agent's first prompt was read: the words of its parent, not of a human.
    pub(super) prompted: bool,
    /// Keys of the records read, so that a copy within the file is not read twice.
    seen: HashSet<u64>,
    /// Keys of texts by message, for streams that repeat their blocks without record ids.
    said: HashSet<u64>,
    /// Input that was typed ahead and not yet taken up, by its words' key.
    pub(super) queued: VecDeque<String>,
    /// Words that already stand as the operator's because they were taken from the queue.
    pub(super) taken: HashMap<u64, u32>,
    /// The session of the stream's present run.
    run: Option<String>,
    /// The folder of the last record that named one.
    cwd: Option<String>,
}

/// Where events of one record go.
pub(super) struct Out<'o> {
    pub(super) place: Place,
    pub(super) thread: Thread,
    pub(super) key: Option<u64>,
    pub(super) parent: Option<u64>,
    pub(super) sink: &'o mut dyn FnMut(Event<'_>),
}

impl Out<'_> {
    pub(super) fn put(&mut self, body: Body<'_>) {
        (self.sink)(Event {
            place: self.place,
            thread: self.thread,
            key: self.key,
            parent: self.parent,
            body,
        });
    }
}

impl Claude {
    pub(crate) fn new(format: Format, agent: Option<String>) -> Self {
        let header = Header {
            client: Client::ClaudeCode,
            compaction: agent
                .as_deref()
                .is_some_and(|id| id.starts_with("acompact")),
            agent: agent.clone(),
            ..Header::default()
        };
        Self {
            format,
            header,
            agent,
            prompted: false,
            seen: HashSet::new(),
            said: HashSet::new(),
            queued: VecDeque::new(),
            taken: HashMap::new(),
            run: None,
            cwd: None,
        }
    }

    /// Whether the file is a subagent's own.
    /// A new run in the same stream begins a session where its id is another one.
    fn begins(&mut self, envelope: &Envelope<'_>, out: &mut Out<'_>) {
        let id = envelope.session_snake.owned();
        if self.run.is_some() && id != self.run {
            let session = id.as_deref().map(Cow::Borrowed);
            out.put(Body::Begins { session });
        }
        self.run = id;
        out.put(Body::Frame(Frame::Started));
    }

    pub(super) fn is_subagent(&self) -> bool {
        self.agent.is_some()
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
        let own = match &self.agent {
            Some(agent) => envelope.agent.get().is_none_or(|id| id == agent),
            None => !envelope.sidechain.0 && envelope.parent_call.get().is_none(),
        };
        if own { Thread::Own } else { Thread::Other }
    }

    fn assistant(&mut self, envelope: Envelope<'_>, out: &mut Out<'_>) {
        let api_error = envelope.api_error.0 || envelope.error.get().is_some();
        let Some(message) = envelope.message.0 else {
            out.put(Body::Bookkeeping);
            return;
        };
        let synthetic = message.model.is("<synthetic>");
        if api_error || synthetic {
            let text = first_text(message);
            let limit = envelope.error.is("rate_limit") && is_limit(&text) || is_limit(&text);
            // "No response requested." fills the place after an interrupted resume.
            if api_error || limit || text.starts_with("API Error") {
                out.put(Body::ApiError {
                    limit,
                    text: text.into(),
                });
            } else {
                out.put(Body::Bookkeeping);
            }
            return;
        }
        self.blocks(message, out);
    }

    /// The blocks of an agent's message.
    pub(super) fn blocks(&mut self, message: Message<'_>, out: &mut Out<'_>) {
        let key = message.id.get().map_or(0, |id| key_of(&[id]));
        match message.content {
            Content::Text(text) if !text.is_empty() => self.say(text, key, out),
            Content::Text(_) | Content::Absent => out.put(Body::Bookkeeping),
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
                out.put(Body::Call(Call {
                    action: action(&tool, args),
                    id: block.id.text(),
                    tool,
                    message,
                    args: Cow::Borrowed(args),
                }));
            }
            "tool_result" => out.put(Body::Outcome(reply(block, &Detail::default()))),
            "image" | "document" => out.put(Body::Bookkeeping),
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
            "task_notification" => {
                let summary = envelope.content.get().unwrap_or("");
                let outcome =
                    spoken::settled(envelope.status.get().unwrap_or(""), None, is_limit(summary));
                let handle = envelope.task_id.0.clone().unwrap_or_default();
                out.put(Body::Settled {
                    handle,
                    outcome,
                    text: Cow::Borrowed(""),
                });
            }
            known if SYSTEM.contains(&known) => out.put(Body::Bookkeeping),
            other => out.put(Body::Opaque {
                name: Cow::Owned(format!("system:{other}")),
            }),
        }
    }

    fn attachment(&mut self, envelope: Envelope<'_>, out: &mut Out<'_>) {
        let Some(attachment) = envelope.attachment.0 else {
            out.put(Body::Bookkeeping);
            return;
        };
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
            user::results_only(message, &nested.detail, out);
        }
    }

    fn result(envelope: &Envelope<'_>, out: &mut Out<'_>) {
        // Success is claimed by several fields, and they disagree in real files.
        let failed = envelope.is_error.0 || !envelope.subtype.is("success");
        let words = envelope.result.get().unwrap_or("");
        if failed {
            let subtype = envelope.subtype.get().unwrap_or("");
            let limit = is_limit(words) || subtype.starts_with("error_max_");
            out.put(Body::ApiError {
                limit,
                text: words.into(),
            });
        }
        out.put(Body::Frame(if failed {
            Frame::Failed
        } else {
            Frame::Completed
        }));
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
        let key = envelope.uuid.get().map(|uuid| key_of(&[uuid]));
        let mut out = Out {
            place,
            thread: self.thread_of(&envelope),
            key,
            parent: envelope.parent.get().map(|uuid| key_of(&[uuid])),
            sink,
        };
        if let Some(key) = key
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
            "attachment" => self.attachment(envelope, &mut out),
            "system" => self.system(&envelope, &mut out),
            "queue-operation" => user::queue_operation(self, &envelope, &mut out),
            "result" if self.format == Format::ClaudeJournal => out.put(Body::Bookkeeping),
            "result" => Self::result(&envelope, &mut out),
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
}

/// What a user text is, as events.
pub(super) fn speak(adapter: &mut Claude, text: Cow<'_, str>, opens: Opens, out: &mut Out<'_>) {
    match spoken::read(&text) {
        Spoken::Operator(own) => {
            let opens = if adapter.is_subagent() {
                Opens::Delegated
            } else {
                opens
            };
            adapter.prompted = true;
            out.put(Body::Operator { text: own, opens });
        }
        Spoken::Injected(kind) => out.put(Body::Injected {
            kind,
            text: text.clone(),
        }),
        Spoken::Interrupt => out.put(Body::Interrupt),
        Spoken::Notification(notice) => {
            out.put(Body::Settled {
                handle: notice.handle.into(),
                outcome: notice.outcome,
                text: text.clone(),
            });
            out.put(Body::Injected {
                kind: Injection::Notification,
                text: text.clone(),
            });
        }
    }
}
