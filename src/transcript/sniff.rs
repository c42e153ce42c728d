//! Which format a file is in, told by several of its records and never by its name
//! (`Digital-Process-Tools/claude-remember#543`).

use serde::Deserialize;

use super::loose::{Content, Flag, Obj, Str};

/// The formats that are read.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Default)]
pub enum Format {
    /// A Claude Code session file.
    ClaudeSession,
    /// `claude -p --output-format stream-json`.
    ClaudeStream,
    /// `claude -p --output-format json`: one document.
    ClaudeJson,
    /// A Claude Code workflow journal.
    ClaudeJournal,
    /// A Codex rollout whose records are wrapped in an envelope.
    CodexRollout,
    /// A Codex rollout from before September 2025.
    CodexRolloutBare,
    /// `codex exec --json`.
    CodexExec,
    /// `codex exec --json` of the first versions: `{id, msg}`.
    CodexExecOld,
    /// None of these.
    #[default]
    Unknown,
}

impl Format {
    /// The kebab-case spelling that rows carry.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Self::ClaudeSession => "claude-session",
            Self::ClaudeStream => "claude-stream",
            Self::ClaudeJson => "claude-json",
            Self::ClaudeJournal => "claude-journal",
            Self::CodexRollout => "codex-rollout",
            Self::CodexRolloutBare => "codex-rollout-bare",
            Self::CodexExec => "codex-exec",
            Self::CodexExecOld => "codex-exec-old",
            Self::Unknown => "unknown",
        }
    }
}

#[derive(Default, Deserialize)]
#[serde(default)]
struct Glance<'a> {
    #[serde(borrow, rename = "type")]
    kind: Str<'a>,
    #[serde(borrow)]
    record_type: Str<'a>,
    payload: Obj<Empty>,
    item: Obj<Empty>,
    #[serde(borrow)]
    thread_id: Str<'a>,
    msg: Obj<Empty>,
    #[serde(borrow)]
    id: Str<'a>,
    #[serde(borrow)]
    key: Str<'a>,
    #[serde(borrow)]
    instructions: Str<'a>,
    git: Obj<Empty>,
    #[serde(borrow)]
    role: Str<'a>,
    #[serde(borrow)]
    content: Content<'a, Empty>,
    #[serde(borrow)]
    timestamp: Str<'a>,
    #[serde(borrow, rename = "sessionId")]
    session_camel: Str<'a>,
    #[serde(borrow, rename = "session_id")]
    session_snake: Str<'a>,
    #[serde(borrow, rename = "agentId")]
    agent: Str<'a>,
    #[serde(borrow)]
    uuid: Str<'a>,
    message: Obj<Empty>,
    #[serde(rename = "isSidechain")]
    sidechain: Flag,
}

#[derive(Default, Deserialize)]
struct Empty {}

const ENVELOPES: [&str; 9] = [
    "session_meta",
    "response_item",
    "event_msg",
    "turn_context",
    "compacted",
    "world_state",
    "inter_agent_communication",
    "inter_agent_communication_metadata",
    "token_usage_record",
];
const BARE: [&str; 8] = [
    "message",
    "reasoning",
    "function_call",
    "function_call_output",
    "local_shell_call",
    "custom_tool_call",
    "custom_tool_call_output",
    "web_search_call",
];

/// What the records looked at so far say.
#[derive(Debug, Default)]
pub(super) struct Sniffer {
    votes: [u32; 8],
    bare_header: bool,
    bare_items: u32,
    conversation: u32,
    sidechain: u32,
    agent: Option<String>,
    agents_differ: bool,
    /// Records looked at.
    pub(super) records: u32,
}

impl Sniffer {
    /// Looks at one record's text.
    pub(super) fn look(&mut self, text: &str) {
        let Ok(glance) = serde_json::from_str::<Glance<'_>>(text) else {
            return;
        };
        self.records += 1;
        if let Some(format) = self.judge(&glance) {
            self.votes[format as usize] += 1;
        }
        let kind = glance.kind.get().unwrap_or("");
        if glance.session_camel.get().is_some() && matches!(kind, "user" | "assistant") {
            self.conversation += 1;
            if glance.sidechain.0 {
                self.sidechain += 1;
            }
            if let Some(agent) = glance.agent.get() {
                self.agents_differ |= self.agent.as_deref().is_some_and(|known| known != agent);
                self.agent.get_or_insert_with(|| agent.to_owned());
            }
        }
    }

    fn judge(&mut self, glance: &Glance<'_>) -> Option<Format> {
        let kind = glance.kind.get().unwrap_or("");
        if glance.payload.0.is_some() && ENVELOPES.contains(&kind) {
            return Some(Format::CodexRollout);
        }
        if glance.msg.0.is_some() && glance.id.get().is_some() {
            return Some(Format::CodexExecOld);
        }
        if matches!(kind, "started" | "result")
            && glance.key.get().is_some()
            && glance.agent.get().is_some()
        {
            return Some(Format::ClaudeJournal);
        }
        if kind == "thread.started" && glance.thread_id.get().is_some()
            || kind.starts_with("item.") && glance.item.0.is_some()
            || matches!(kind, "turn.started" | "turn.completed" | "turn.failed")
                && glance.payload.0.is_none()
        {
            return Some(Format::CodexExec);
        }
        if glance.session_camel.get().is_some()
            || matches!(kind, "summary" | "file-history-snapshot")
            || glance.uuid.get().is_some()
                && glance.message.0.is_some()
                && glance.session_snake.get().is_none()
        {
            return Some(Format::ClaudeSession);
        }
        if glance.session_snake.get().is_some()
            && matches!(
                kind,
                "system" | "assistant" | "user" | "result" | "stream_event" | "rate_limit_event"
            )
        {
            return Some(Format::ClaudeStream);
        }
        self.judge_bare(glance, kind)
    }

    /// The oldest rollouts: a header without a type, then bare items. Items alone are no proof,
    /// since other programs write the like.
    fn judge_bare(&mut self, glance: &Glance<'_>, kind: &str) -> Option<Format> {
        let header =
            kind.is_empty() && glance.id.get().is_some() && glance.timestamp.get().is_some();
        if header && glance.role.get().is_none() && matches!(glance.content, Content::Absent) {
            let marked = glance.instructions.get().is_some() || glance.git.0.is_some();
            self.bare_header |= marked || self.records == 1;
            return None;
        }
        if glance.record_type.is("state") {
            return Some(Format::CodexRolloutBare);
        }
        if BARE.contains(&kind) && (kind != "message" || glance.role.get().is_some()) {
            self.bare_items += 1;
        }
        None
    }

    /// The format that most records speak for.
    pub(super) fn format(&self) -> Format {
        const ORDER: [Format; 8] = [
            Format::ClaudeSession,
            Format::ClaudeStream,
            Format::ClaudeJson,
            Format::ClaudeJournal,
            Format::CodexRollout,
            Format::CodexRolloutBare,
            Format::CodexExec,
            Format::CodexExecOld,
        ];
        let mut best = (0, Format::Unknown);
        for format in ORDER {
            let mut votes = self.votes[format as usize];
            if format == Format::CodexRolloutBare && (self.bare_header || votes > 0) {
                votes += self.bare_items;
            }
            if votes > best.0 {
                best = (votes, format);
            }
        }
        best.1
    }

    /// The agent whose own file this is, when every message in it is one agent's sidechain.
    pub(super) fn subagent(&self) -> Option<String> {
        let own =
            self.conversation > 0 && self.sidechain == self.conversation && !self.agents_differ;
        if own { self.agent.clone() } else { None }
    }
}
