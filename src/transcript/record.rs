//! The neutral record: what every adapter yields and every rule reads.
//!
//! No vendor's spelling stands here. Text is borrowed from the line that it was decoded from
//! wherever JSON allows it.

use std::borrow::Cow;

use serde::{Deserialize, Serialize};

use super::beside::{Attached, Settings, Tells};
use super::hex;

/// Borrowed or owned text.
pub type Text<'a> = Cow<'a, str>;

/// Which program wrote a file.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "kebab-case")]
pub enum Client {
    /// Claude Code.
    ClaudeCode,
    /// Codex.
    Codex,
    /// None that is known.
    #[default]
    Unknown,
}

impl Client {
    /// The kebab-case spelling that rows carry.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Self::ClaudeCode => "claude-code",
            Self::Codex => "codex",
            Self::Unknown => "unknown",
        }
    }
}

/// Whose words or deeds an event is, within one file.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "kebab-case")]
pub enum Thread {
    /// The session that the file is about.
    #[default]
    Own,
    /// Another agent whose records stand in the same file (an inline sidechain, a progress copy).
    Other,
    /// History of another session that stands copied at the head of this file.
    Copied,
}

/// One event of a transcript with the place that it was read from.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Event<'a> {
    /// The place of the record that holds it.
    pub place: Place,
    /// Whose event it is.
    pub thread: Thread,
    /// A key that copies of the same record share across files (from its uuid or item id), or
    /// `None` where the client gives none.
    pub key: Option<u64>,
    /// The record's own key in the client's own tree, where it has one.
    pub node: Option<u64>,
    /// The key of the record that this one follows in the client's own tree, where it has one.
    pub parent: Option<u64>,
    /// What happened.
    pub body: Body<'a>,
}

/// A record's place in the decompressed file.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Place {
    /// Line, from 1.
    pub line: u64,
    /// Offset of its first byte.
    pub start: u64,
    /// Offset after its last byte.
    pub end: u64,
}

/// What an event says.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "kebab-case")]
pub enum Body<'a> {
    /// Words that a human typed, with injected text removed.
    Operator {
        /// The words.
        text: Text<'a>,
        /// Whether they begin a turn.
        opens: Opens,
    },
    /// Words that a program put into the operator's place.
    Injected {
        /// What kind of words.
        kind: Injection,
        /// The words.
        text: Text<'a>,
    },
    /// Words of the agent to its reader.
    Said {
        /// The words.
        text: Text<'a>,
        /// A key of the message that the words belong to; 0 where there is none.
        #[serde(default, with = "hex::key", skip_serializing_if = "hex::is_zero")]
        #[cfg_attr(feature = "schema", schemars(with = "String"))]
        message: u64,
        /// Whether the client marks them as words on the way, not as an answer.
        #[serde(default, skip_serializing_if = "hex::is_false")]
        aside: bool,
    },
    /// Thinking, whose text no rule may read as a claim.
    Thought {
        /// A key of the message that it belongs to; 0 where there is none.
        #[serde(default, with = "hex::key", skip_serializing_if = "hex::is_zero")]
        #[cfg_attr(feature = "schema", schemars(with = "String"))]
        message: u64,
    },
    /// A tool call.
    Call(Call<'a>),
    /// What came back of a call.
    Outcome(Reply<'a>),
    /// The end of something that ran in the background, told outside of any call.
    Settled {
        /// The handle that its launch gave.
        handle: Text<'a>,
        /// How it ended.
        outcome: Outcome,
        /// What it printed, as far as told.
        text: Text<'a>,
    },
    /// The client's own frame around a turn.
    Frame(Frame),
    /// The folder that the session works in from here on.
    Workdir {
        /// Its path, as the client spells it.
        path: Text<'a>,
    },
    /// Another session begins in the same file.
    Begins {
        /// Its id.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        session: Option<Text<'a>>,
    },
    /// Words told before, now at the place where the model's own record tells them.
    Told {
        /// Whether they are the agent's; else the operator's.
        #[serde(default, skip_serializing_if = "hex::is_false")]
        agent: bool,
        /// The words.
        text: Text<'a>,
        /// Whether the model's record marks them as words on the way, not as an answer.
        #[serde(default, skip_serializing_if = "hex::is_false")]
        aside: bool,
    },
    /// What the session runs with from here on.
    Settings(Settings<'a>),
    /// Words that were put before the model beside the conversation.
    Attached(Attached<'a>),
    /// The operator stopped the agent.
    Interrupt,
    /// History was summarised here.
    Compaction,
    /// The model could not be reached, or refused.
    ApiError {
        /// Whether a usage limit was the reason.
        #[serde(default, skip_serializing_if = "hex::is_false")]
        limit: bool,
        /// The client's own word for what went wrong, where it has one.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        kind: Option<Text<'a>>,
        /// Its words.
        text: Text<'a>,
    },
    /// A recognised record that has no place in the conversation.
    Bookkeeping,
    /// A record or block of a kind that is not known; kept and counted by name.
    Opaque {
        /// The kind's own name.
        name: Text<'a>,
    },
    /// Bytes that are no record: what stood there cannot be read.
    Unread,
}

/// Whether an operator's words begin a turn.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "kebab-case")]
pub enum Opens {
    /// They do.
    Always,
    /// They do unless the agent is in the middle of one (words typed ahead or steering).
    IfIdle,
    /// They do, and they were counted already when the human typed them ahead.
    Again,
    /// They do if the agent acts on them: a command that the client may carry out by itself.
    Command,
    /// They do unless the client's frame is already open and nothing was done in it yet.
    Frame,
    /// A parent agent's prompt: a turn begins, and no human spoke.
    Delegated,
    /// A parent agent's prompt, in a file whose client frames its turns.
    FrameDelegated,
}

/// What kind of words a program injected.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "kebab-case")]
pub enum Injection {
    /// A stop hook's feedback: the close before it was an attempt, and the turn goes on.
    StopFeedback,
    /// News of a background task.
    Notification,
    /// A summary that stands for compacted history.
    Summary,
    /// Instructions, environment, reminders, skill bodies.
    Context,
    /// What a command of the human printed.
    CommandOutput,
}

/// A client's frame around a turn.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "kebab-case")]
pub enum Frame {
    /// A turn began.
    Started,
    /// The client is ready: its first prompt or deed begins a turn.
    Ready,
    /// The client takes the last turn up again, for news that came after its end.
    Resumed,
    /// The answer that ends the turn is said. What the client has still to write of its end may
    /// be missing where the record was cut.
    Answered,
    /// A turn ended by itself.
    Completed,
    /// A turn was cut off.
    Aborted,
    /// A turn failed (the model refused or could not be reached).
    Failed,
}

/// A tool call as the client recorded it, with what it asks for in neutral words.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Call<'a> {
    /// The id that its result names.
    pub id: Text<'a>,
    /// The tool's own name.
    pub tool: Text<'a>,
    /// A key of the message that issued it; calls of one message run in parallel.
    #[serde(default, with = "hex::key", skip_serializing_if = "hex::is_zero")]
    #[cfg_attr(feature = "schema", schemars(with = "String"))]
    pub message: u64,
    /// What it asks for.
    pub action: Action<'a>,
    /// Its arguments as recorded: JSON text, or plain text where the tool takes such.
    pub args: Text<'a>,
    /// Whether it is one with other calls.
    #[serde(default, skip_serializing_if = "Part::is_whole")]
    pub part: Part,
    /// When it was made, as the client spells it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub at: Option<Text<'a>>,
    /// The server that the tool is of, where the client tells it apart from the tool's name.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub server: Option<Text<'a>>,
}

/// Whether a call is one with others.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "kebab-case")]
pub enum Part {
    /// It stands for itself.
    #[default]
    Whole,
    /// A script, whose deeds are told as calls of their own where they are told at all.
    Script,
    /// A deed of the script that is running.
    Inner,
}

impl Part {
    /// Whether it stands for itself.
    fn is_whole(&self) -> bool {
        *self == Self::Whole
    }
}

/// What a call asks for.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "kebab-case")]
pub enum Action<'a> {
    /// A command for a shell.
    Shell {
        /// The command's text.
        command: Text<'a>,
        /// Which shell's language.
        dialect: Dialect,
        /// The folder that it runs in, when the call names one.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        cwd: Option<Text<'a>>,
        /// Whether it was launched in the background.
        #[serde(default, skip_serializing_if = "hex::is_false")]
        background: bool,
    },
    /// A look at files, listings, pages or images.
    Read {
        /// The paths that it names.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        paths: Vec<Text<'a>>,
        /// Whether the thing lies outside this machine.
        #[serde(default, skip_serializing_if = "hex::is_false")]
        remote: bool,
    },
    /// Changes of files.
    Edit {
        /// Each path with its change.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        changes: Vec<(Text<'a>, Change)>,
        /// The stretches of text that are changed, where the call tells them.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        swaps: Vec<Swap<'a>>,
    },
    /// A look at something that runs in the background.
    Poll {
        /// The handle of the launch.
        handle: Text<'a>,
    },
    /// Input for something that runs.
    Input {
        /// The handle of the launch.
        handle: Text<'a>,
        /// What was typed.
        text: Text<'a>,
    },
    /// An order to end something that runs.
    Kill {
        /// The handle of the launch.
        handle: Text<'a>,
    },
    /// Work handed to another agent.
    Delegate {
        /// The prompt.
        prompt: Text<'a>,
    },
    /// Plans, to-dos, questions: no step of work.
    Neutral,
    /// Items of a plan or to-do list, set anew or changed: no step of work either.
    Plan {
        /// The items, in order.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        items: Vec<Item<'a>>,
    },
    /// A pull request, opened or reworded through a tool of its own.
    Propose {
        /// Its title and its body, apart by a blank line.
        text: Text<'a>,
    },
    /// A tool whose effect is not known.
    Unknown,
}

/// An item of a plan or to-do list.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Item<'a> {
    /// The list's own key of the item, where the call names one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub key: Option<Text<'a>>,
    /// Its words, where the call gives them.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub text: Option<Text<'a>>,
    /// Whether the call says that it is done.
    #[serde(default, skip_serializing_if = "hex::is_false")]
    pub done: bool,
}

/// A shell's language.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "kebab-case")]
pub enum Dialect {
    /// POSIX shells and bash.
    Posix,
    /// PowerShell.
    PowerShell,
}

/// A change of one file.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "kebab-case")]
pub enum Change {
    /// Written anew.
    Write,
    /// Changed in place.
    Update,
    /// Created.
    Create,
    /// Removed.
    Delete,
    /// Moved here.
    Move,
}

/// A stretch of a file's text and what stands in its place.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Swap<'a> {
    /// The file's path, as the call spells it.
    pub path: Text<'a>,
    /// The text before; empty where there was none, or where nobody tells it.
    pub old: Text<'a>,
    /// The text after.
    pub new: Text<'a>,
    /// Whether `new` is the file's whole text.
    #[serde(default, skip_serializing_if = "hex::is_false")]
    pub whole: bool,
}

/// What came back of a call.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Reply<'a> {
    /// The id of the call.
    pub id: Text<'a>,
    /// What the agent was shown.
    pub text: Text<'a>,
    /// How it ended.
    pub outcome: Outcome,
    /// The exit code, where one is told; a failure carries its own.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub code: Option<i32>,
    /// The handle under which something goes on running.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub handle: Option<Text<'a>>,
    /// Whether what the agent was shown was cut.
    #[serde(default, skip_serializing_if = "hex::is_false")]
    pub truncated: bool,
    /// The id of the agent that did delegated work.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub child: Option<Text<'a>>,
    /// Paths that the reply says were changed, where only the reply tells.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub changes: Vec<(Text<'a>, Change)>,
    /// The stretches of text that were changed, where the reply tells more than the call.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub swaps: Vec<Swap<'a>>,
}

impl<'a> Reply<'a> {
    /// A reply with nothing but its id, text and outcome.
    #[must_use]
    pub fn new(id: Text<'a>, text: Text<'a>, outcome: Outcome) -> Self {
        Self {
            id,
            text,
            outcome,
            code: None,
            handle: None,
            truncated: false,
            child: None,
            changes: Vec::new(),
            swaps: Vec::new(),
        }
    }
}

/// How a call ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "kebab-case")]
pub enum Outcome {
    /// It ended well, as far as its own status tells.
    Ok,
    /// It ended badly; with the exit code where one is told.
    Failed(Option<i32>),
    /// It was refused by the operator or a policy and never ran.
    Denied,
    /// Its arguments were refused by the client and it never ran.
    Invalid,
    /// It was cut off.
    Interrupted,
    /// It goes on running.
    Running,
    /// No reply stands in the file.
    Missing,
    /// A reply stands there and does not tell.
    #[default]
    Unknown,
}

impl Outcome {
    /// The kebab-case spelling that rows carry.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Ok => "ok",
            Self::Failed(_) => "failed",
            Self::Denied => "denied",
            Self::Invalid => "invalid",
            Self::Interrupted => "interrupted",
            Self::Running => "running",
            Self::Missing => "missing",
            Self::Unknown => "unknown",
        }
    }

    /// Whether the call never ran.
    #[must_use]
    pub fn never_ran(self) -> bool {
        matches!(self, Self::Denied | Self::Invalid)
    }

    /// Whether nothing later can change it.
    #[must_use]
    pub fn is_final(self) -> bool {
        !matches!(self, Self::Running | Self::Missing | Self::Unknown)
    }
}

/// What a file says of the session that it holds.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Header {
    /// The client that wrote it.
    pub client: Client,
    /// The client's version, as it spells it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub version: Option<String>,
    /// The session's own id.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub session: Option<String>,
    /// The id of the agent, when the file is a subagent's.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub agent: Option<String>,
    /// The session or thread that this one was launched by or forked from.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub parent: Option<String>,
    /// Whether the file is one that another agent launched, whether or not it has an id.
    #[serde(default, skip_serializing_if = "hex::is_false")]
    pub subagent: bool,
    /// Whether the agent only summarised its parent's history.
    #[serde(default, skip_serializing_if = "hex::is_false")]
    pub compaction: bool,
    /// Whether that parent's history stands copied at the file's head.
    #[serde(default, skip_serializing_if = "hex::is_false")]
    pub forked: bool,
    /// The working directory.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cwd: Option<String>,
    /// The model, as first named.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub model: Option<String>,
    /// What its records tell beside the conversation.
    #[serde(default, skip_serializing_if = "Tells::is_nothing")]
    pub tells: Tells,
}

/// FNV-1a over parts with their lengths: a key for equality within one run, written into
/// kept records only.
#[must_use]
pub fn key_of(parts: &[&str]) -> u64 {
    let mut hash: u64 = 0xcbf2_9ce4_8422_2325;
    let mut eat = |bytes: &[u8]| {
        for byte in bytes {
            hash ^= u64::from(*byte);
            hash = hash.wrapping_mul(0x0100_0000_01b3);
        }
    };
    for part in parts {
        eat(&(part.len() as u64).to_le_bytes());
        eat(part.as_bytes());
    }
    hash
}
