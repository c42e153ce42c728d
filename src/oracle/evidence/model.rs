//! The shapes of evidence. Their spelling in files is theirs here.

use std::borrow::Cow;

use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::super::deed::When;

type Text<'a> = Cow<'a, str>;

/// What is known of how a call ended.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "kebab-case")]
pub enum State {
    /// Well.
    Succeeded,
    /// Badly, or it was refused.
    Failed,
    /// Nothing: there is no record of its outcome.
    #[default]
    None,
}

/// Why a result that stands elsewhere is not here.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "kebab-case")]
pub enum Pointer {
    /// It leads out of the roots in which it may be followed.
    OutsideRoots,
    /// What it leads to cannot be read.
    Unreadable,
}

/// A call of a tool.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub struct Call<'a> {
    /// Its id.
    #[serde(borrow)]
    pub id: Text<'a>,
    /// The tool's name, without its server's.
    #[serde(borrow)]
    pub tool: Text<'a>,
    /// The server that the tool is of; empty where it is of none.
    #[serde(borrow, default)]
    pub server: Text<'a>,
    /// Its arguments.
    #[serde(default)]
    pub input: Value,
    /// How it ended.
    #[serde(default)]
    pub state: State,
    /// What came back, where it was seen.
    #[serde(borrow, default)]
    pub result: Option<Text<'a>>,
    /// Whether a part of the result is missing.
    #[serde(default)]
    pub cut: bool,
    /// When it was made.
    #[serde(borrow, default)]
    pub at: Option<Text<'a>>,
    /// Whose call it is, where it is not the run's own.
    #[serde(borrow, default)]
    pub owner: Option<Text<'a>>,
    /// Why its result is not here.
    #[serde(default)]
    pub pointer: Option<Pointer>,
    /// Where it stands in a transcript, where it was read from one.
    #[serde(skip)]
    pub stands: Option<When>,
}

/// When a command was captured.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "kebab-case")]
pub enum Phase {
    /// When the window opens.
    WOpen,
    /// Before an arm's run.
    PreArm,
    /// After an arm's run.
    PostArm,
    /// When the window closes.
    WClose,
    /// After the window.
    PostW,
}

/// Under which conditions a command was captured.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "kebab-case")]
pub enum Condition {
    /// The arm's own.
    Arm,
    /// Plain ones.
    Plain,
}

fn yes() -> bool {
    true
}

/// A command that the operator had run, and what it printed.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub struct Capture<'a> {
    /// The command's id in the spec.
    #[serde(borrow)]
    pub id: Text<'a>,
    /// When it was run.
    pub phase: Phase,
    /// Under which conditions.
    pub condition: Condition,
    /// The command, word by word.
    #[serde(borrow)]
    pub argv: Vec<Text<'a>>,
    /// Its exit code, where one is known.
    #[serde(default)]
    pub exit: Option<i32>,
    /// What it printed.
    #[serde(borrow, default)]
    pub stdout: Option<Text<'a>>,
    /// SHA-256 of all that it printed, where `stdout` is cut.
    #[serde(borrow, default)]
    pub sha256: Option<Text<'a>>,
    /// What the tree was before.
    #[serde(borrow, default)]
    pub tree_before: Option<Text<'a>>,
    /// What the tree was after.
    #[serde(borrow, default)]
    pub tree_after: Option<Text<'a>>,
    /// Whether it was stopped because it took too long.
    #[serde(default)]
    pub timed_out: bool,
    /// Whether the conditions were verified.
    #[serde(default = "yes")]
    pub verified: bool,
}

impl Capture<'_> {
    /// Whether the tree changed while it ran.
    #[must_use]
    pub fn moved(&self) -> bool {
        self.tree_before != self.tree_after
    }

    /// Whether it came to an end that is known.
    #[must_use]
    pub fn ended(&self) -> bool {
        self.exit.is_some() && !self.timed_out
    }
}

/// A process that was there.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub struct Process<'a> {
    /// Its id.
    pub pid: u64,
    /// Its parent's.
    pub ppid: u64,
    /// Its program.
    #[serde(borrow)]
    pub comm: Text<'a>,
    /// When it started.
    #[serde(borrow, default)]
    pub start: Option<Text<'a>>,
}

/// A path that a tree has and its base has not so.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub struct Entry<'a> {
    /// The path.
    #[serde(borrow)]
    pub path: Text<'a>,
    /// Its letters in a porcelain status.
    #[serde(borrow)]
    pub status: Text<'a>,
    /// SHA-256 of its bytes, where they were kept.
    #[serde(borrow, default)]
    pub sha256: Option<Text<'a>>,
    /// The path that it was moved from.
    #[serde(borrow, default)]
    pub from: Option<Text<'a>>,
}

/// Which tree was looked at.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub struct Tree<'a> {
    /// Its name, where it was looked at.
    #[serde(borrow, default)]
    pub observed: Option<Text<'a>>,
    /// The revision that it was made from.
    #[serde(borrow, default)]
    pub base: Option<Text<'a>>,
    /// The revision that it is at.
    #[serde(borrow, default)]
    pub head: Option<Text<'a>>,
}

/// Words that a model was given.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub struct Message<'a> {
    /// Whose words they are.
    #[serde(borrow)]
    pub role: Text<'a>,
    /// The words.
    #[serde(borrow)]
    pub text: Text<'a>,
}

/// The kinds of rows of a transcript that are not the agent's own.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "kebab-case")]
pub enum RowKind {
    /// Of the operator, or of a result.
    User,
    /// Of the client.
    Attachment,
    /// Of a hook.
    Hook,
}

/// A row of a transcript that is not the agent's own.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub struct Row<'a> {
    /// What it is.
    pub kind: RowKind,
    /// What it says.
    #[serde(borrow)]
    pub text: Text<'a>,
}

/// What a turn ran with.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub struct TurnSeen<'a> {
    /// Whether it is the session's own, and not history of another.
    pub own: bool,
    /// The model.
    #[serde(borrow, default)]
    pub model: Option<Text<'a>>,
    /// Its effort.
    #[serde(borrow, default)]
    pub effort: Option<Text<'a>>,
    /// What it may touch.
    #[serde(borrow, default)]
    pub sandbox: Option<Text<'a>>,
    /// Where it works.
    #[serde(borrow, default)]
    pub cwd: Option<Text<'a>>,
    /// The servers that it may call.
    #[serde(borrow, default)]
    pub servers: Option<Vec<Text<'a>>>,
    /// Which of these its record does not tell at all.
    #[serde(borrow, default)]
    pub untold: Vec<Text<'a>>,
}

/// What the session ran with that launched this one.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub struct Parent<'a> {
    /// What it may touch.
    #[serde(borrow, default)]
    pub sandbox: Option<Text<'a>>,
    /// Where it works.
    #[serde(borrow, default)]
    pub cwd: Option<Text<'a>>,
    /// The servers that it may call.
    #[serde(borrow, default)]
    pub servers: Option<Vec<Text<'a>>>,
}

/// From when to when a run lasted.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub struct Lifetime<'a> {
    /// Its start.
    #[serde(borrow)]
    pub start: Text<'a>,
    /// Its end.
    #[serde(borrow)]
    pub end: Text<'a>,
}

/// What a ledger says of the use of a tool.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "kebab-case")]
pub enum Joined {
    /// It was used.
    Adopted,
    /// It was not.
    NotAdopted,
    /// The ledger does not know.
    Unknown,
}

/// A row of a ledger about a run.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub struct Join {
    /// What it says of the use of the tool.
    pub adopted: Joined,
}

/// Everything that is known of a run beside its answer. The default is that nothing was looked at.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub struct Evidence<'a> {
    /// Its calls in order.
    #[serde(borrow, default)]
    pub calls: Vec<Call<'a>>,
    /// Whether its calls are known.
    #[serde(default = "yes")]
    pub calls_observed: bool,
    /// What was captured around it.
    #[serde(borrow, default)]
    pub captures: Vec<Capture<'a>>,
    /// The processes that were there when it was over.
    #[serde(borrow, default)]
    pub processes: Vec<Process<'a>>,
    /// Whether anyone looked for processes.
    #[serde(default = "yes")]
    pub processes_observed: bool,
    /// What changed in its tree.
    #[serde(borrow, default)]
    pub entries: Vec<Entry<'a>>,
    /// Whether anyone told of changes in it.
    #[serde(default = "yes")]
    pub entries_observed: bool,
    /// Its tree.
    #[serde(borrow, default)]
    pub tree: Tree<'a>,
    /// What its model was given.
    #[serde(borrow, default)]
    pub messages: Vec<Message<'a>>,
    /// Whether all that it was given is known.
    #[serde(default = "yes")]
    pub messages_observed: bool,
    /// What its turns ran with.
    #[serde(borrow, default)]
    pub turns: Vec<TurnSeen<'a>>,
    /// Rows that are not its own.
    #[serde(borrow, default)]
    pub rows: Vec<Row<'a>>,
    /// Whether those rows are known.
    #[serde(default = "yes")]
    pub rows_observed: bool,
    /// How many rows of hooks there are.
    #[serde(default)]
    pub hook_rows: u64,
    /// Whether rows of hooks would have been seen.
    #[serde(default = "yes")]
    pub hook_rows_observed: bool,
    /// What it was asked first.
    #[serde(borrow, default)]
    pub prompt: Text<'a>,
    /// Whether that is known.
    #[serde(default = "yes")]
    pub prompt_observed: bool,
    /// Kinds of what the client put in before the first answer.
    #[serde(borrow, default)]
    pub attachments: Vec<Text<'a>>,
    /// Where it works; empty where that is not known.
    #[serde(borrow, default)]
    pub cwd: Text<'a>,
    /// What it was told by whoever launched it.
    #[serde(borrow, default)]
    pub parent_texts: Vec<Text<'a>>,
    /// From when to when it lasted.
    #[serde(borrow, default)]
    pub lifetime: Option<Lifetime<'a>>,
    /// Jobs that were still going on in the background.
    #[serde(default)]
    pub background_pending: u64,
    /// Whether it launched a child in a role.
    #[serde(default)]
    pub child: Option<bool>,
    /// Copies of the child's record.
    #[serde(default)]
    pub rollouts: u64,
    /// What the launching session ran with.
    #[serde(borrow, default)]
    pub parent: Parent<'a>,
    /// A ledger's row about it.
    #[serde(default)]
    pub join: Option<Join>,
    /// The length of its transcript.
    #[serde(default)]
    pub transcript_bytes: Option<u64>,
}

/// The names of what evidence is made of, in files.
pub const FIELDS: [&str; 27] = [
    "attachments",
    "background-pending",
    "calls",
    "calls-observed",
    "captures",
    "child",
    "cwd",
    "entries",
    "entries-observed",
    "hook-rows",
    "hook-rows-observed",
    "join",
    "lifetime",
    "messages",
    "messages-observed",
    "parent",
    "parent-texts",
    "processes",
    "processes-observed",
    "prompt",
    "prompt-observed",
    "rollouts",
    "rows",
    "rows-observed",
    "transcript-bytes",
    "tree",
    "turns",
];
