//! Which format a file is in, told by several of its records and never by its name
//! (`Digital-Process-Tools/claude-remember#543`).

use serde::de::IgnoredAny;
use serde::{Deserialize, Deserializer, Serialize};

use super::loose::{Content, Flag, Obj, Str};

/// The formats that are read.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "kebab-case")]
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
    /// Whether it is what a client prints of a run, beside the file that it keeps of the session.
    #[must_use]
    pub fn is_printed(self) -> bool {
        matches!(
            self,
            Self::ClaudeStream | Self::ClaudeJson | Self::CodexExec | Self::CodexExecOld
        )
    }

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
    #[serde(deserialize_with = "present")]
    instructions: bool,
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
    message: Content<'a, Said>,
    #[serde(borrow)]
    summary: Content<'a, Empty>,
    #[serde(borrow)]
    call_id: Str<'a>,
    #[serde(rename = "isSidechain")]
    sidechain: Flag,
}

#[derive(Default, Deserialize)]
struct Empty {}

/// A message, as far as it tells whose it is: words in `parts` are those of clients that took over
/// the envelope and not the content.
#[derive(Default, Deserialize)]
#[serde(default)]
struct Said {
    #[serde(deserialize_with = "present")]
    parts: bool,
}

/// Whether a field is there, whatever it holds: `null` counts.
fn present<'de, D: Deserializer<'de>>(d: D) -> Result<bool, D::Error> {
    IgnoredAny::deserialize(d).map(|_| true)
}

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
const SESSION: [&str; 23] = [
    "user",
    "assistant",
    "system",
    "progress",
    "attachment",
    "queue-operation",
    "summary",
    "file-history-snapshot",
    "last-prompt",
    "ai-title",
    "custom-title",
    "mode",
    "permission-mode",
    "agent-name",
    "agent-setting",
    "pr-link",
    "bridge-session",
    "worktree-state",
    "frame-link",
    "relocated",
    "atis-latch",
    "tag",
    "content-replacement",
];
const STREAM: [&str; 8] = [
    "system",
    "assistant",
    "user",
    "result",
    "stream_event",
    "rate_limit_event",
    "control_request",
    "control_response",
];
const BARE: [&str; 9] = [
    "message",
    "reasoning",
    "function_call",
    "function_call_output",
    "local_shell_call",
    "local_shell_call_output",
    "custom_tool_call",
    "custom_tool_call_output",
    "web_search_call",
];

/// What the records looked at so far say.
#[derive(Debug, Default)]
pub(super) struct Sniffer {
    votes: [u32; 8],
    conversation: u32,
    sidechain: u32,
    agent: Option<String>,
    agents_differ: bool,
    /// Records that hold the answer of a whole run.
    answers: u32,
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
        self.answers += u32::from(kind == "result" && glance.session_snake.get().is_some());
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

    /// The format that one record speaks for.
    fn judge(&self, glance: &Glance<'_>) -> Option<Format> {
        let kind = glance.kind.get().unwrap_or("");
        let session = glance.session_camel.get().is_some();
        let stream = glance.session_snake.get().is_some();
        let says = |content: &Content<'_, Empty>| !matches!(content, Content::Absent);
        let enveloped = glance.timestamp.get().is_some() || ENVELOPES.contains(&kind);
        if glance.payload.0.is_some() && !kind.is_empty() && enveloped {
            return Some(Format::CodexRollout);
        }
        let fault = kind == "error" && matches!(glance.message, Content::Text(_)) && !stream;
        if ["thread.", "turn.", "item."]
            .iter()
            .any(|lead| kind.starts_with(lead))
            || fault
        {
            return Some(Format::CodexExec);
        }
        if glance.msg.0.is_some() && glance.id.get().is_some() {
            return Some(Format::CodexExecOld);
        }
        if stream && !session && STREAM.contains(&kind) {
            return Some(Format::ClaudeStream);
        }
        if matches!(kind, "started" | "result")
            && glance.key.get().is_some()
            && glance.agent.get().is_some()
        {
            return Some(Format::ClaudeJournal);
        }
        let foreign =
            matches!(&glance.message, Content::Items(said) if said.iter().any(|said| said.parts));
        let known = session && SESSION.contains(&kind) && !foreign;
        let loose = kind == "summary" && says(&glance.summary) || kind == "file-history-snapshot";
        if known || loose {
            return Some(Format::ClaudeSession);
        }
        self.is_bare(glance, kind)
            .then_some(Format::CodexRolloutBare)
    }

    /// Whether a record is of the oldest rollouts: a header without a type, a state, or an item
    /// without an envelope.
    fn is_bare(&self, glance: &Glance<'_>, kind: &str) -> bool {
        let says = |content: &Content<'_, Empty>| !matches!(content, Content::Absent);
        if kind.is_empty() {
            let header = self.records == 1
                && glance.id.get().is_some()
                && glance.timestamp.get().is_some()
                && (glance.instructions || glance.git.0.is_some());
            return header || glance.record_type.is("state");
        }
        if glance.session_camel.get().is_some() || !BARE.contains(&kind) {
            return false;
        }
        match kind {
            "message" => glance.role.get().is_some() && says(&glance.content),
            "reasoning" => says(&glance.summary) || says(&glance.content),
            "web_search_call" => true,
            _ => glance.call_id.get().is_some(),
        }
    }

    /// The format that most records speak for, where at least half of them do.
    pub(super) fn format(&self) -> Format {
        const ORDER: [Format; 8] = [
            Format::ClaudeJson,
            Format::CodexRollout,
            Format::CodexRolloutBare,
            Format::CodexExec,
            Format::CodexExecOld,
            Format::ClaudeStream,
            Format::ClaudeSession,
            Format::ClaudeJournal,
        ];
        let mut best = (0, Format::Unknown);
        for format in ORDER {
            let votes = self.votes[format as usize];
            if votes > best.0 {
                best = (votes, format);
            }
        }
        if best.0 * 2 < self.records {
            return Format::Unknown;
        }
        best.1
    }

    /// Whether the only record is the answer of a whole run.
    pub(super) fn is_lone_answer(&self) -> bool {
        self.records == 1 && self.answers == 1
    }

    /// Whether the file is a launched agent's own: every message in it is sidechain.
    pub(super) fn is_subagent(&self) -> bool {
        self.conversation > 0 && self.sidechain == self.conversation
    }

    /// The id of the agent whose own file it is.
    pub(super) fn agent(&self) -> Option<String> {
        let one = self.is_subagent() && !self.agents_differ;
        if one { self.agent.clone() } else { None }
    }
}
