//! The lines of a record.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use crate::source::Found;
use crate::transcript::{Body, Event, FileReport, Glance, Place, Thread, hex};

/// The schema that a record names.
pub const RECORD_SCHEMA: &str = "deedcheck/records/1";

/// One line of `records.jsonl.zst`, told by its only key.
#[derive(Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "kebab-case")]
pub(crate) enum Line<'a> {
    /// The first line.
    Records(Head),
    /// A family begins: its files follow in the order in which they are read.
    Family(FamilyLine),
    /// A file begins: its events follow.
    File(FileLine),
    /// One event of a file.
    Event(EventLine<'a>),
    /// A file ends: what was read of it.
    End(FileReport),
    /// A plain file that is an answer as a whole.
    Answer(AnswerLine),
    /// The times that the last turn of an attempt's transcript tells, to the second.
    Dated(DatedLine),
    /// What the session ran with that launched an attempt's.
    Parent(ParentLine),
    /// A file that was named and could not be read.
    Absent(AbsentLine),
    /// What an attempt left beside its transcript.
    Left(LeftLine),
}

/// The first line of a record.
#[derive(Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub(crate) struct Head {
    /// The format: `deedcheck/records/1`.
    pub(crate) schema: String,
}

/// The beginning of a family.
#[derive(Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub(crate) struct FamilyLine {
    /// How many files follow.
    pub(crate) files: u64,
}

/// The beginning of a file.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct FileLine {
    /// Its name in rows.
    pub name: String,
    /// Whether the command line named it.
    pub named: bool,
    /// Whether its ending says that it holds JSON lines.
    pub expected: bool,
    /// Its size in bytes when it was found.
    pub size: u64,
    /// What its head says of its kin.
    pub glance: Glance,
}

impl FileLine {
    /// What is kept of a file that was found.
    #[must_use]
    pub fn of(found: &Found, glance: &Glance) -> Self {
        Self {
            name: found.name.clone(),
            named: found.named,
            expected: found.expected,
            size: found.size,
            glance: glance.clone(),
        }
    }

    /// The file as if it had been found. Where it lay is not kept.
    #[must_use]
    pub fn found(&self) -> Found {
        Found {
            path: std::path::PathBuf::new(),
            name: self.name.clone(),
            named: self.named,
            expected: self.expected,
            size: self.size,
            built_in: None,
        }
    }
}

/// One event.
#[derive(Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub(crate) struct EventLine<'a> {
    /// The transcript's record that holds it; that of the event before where this is left out.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) record: Option<Holder>,
    /// What happened.
    pub(crate) body: Body<'a>,
}

/// The record of a transcript that holds an event.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub(crate) struct Holder {
    /// Line, from 1.
    line: u64,
    /// Offset of its first byte in the decompressed file.
    start: u64,
    /// Offset after its last byte.
    end: u64,
    /// Whose event it is; `own` where this is left out.
    #[serde(default, skip_serializing_if = "is_own")]
    thread: Thread,
    /// A key that copies of the record share across files.
    #[serde(
        default,
        with = "hex::some_key",
        skip_serializing_if = "Option::is_none"
    )]
    #[cfg_attr(feature = "schema", schemars(with = "Option<String>"))]
    key: Option<u64>,
    /// The record's own key in the client's own tree.
    #[serde(
        default,
        with = "hex::some_key",
        skip_serializing_if = "Option::is_none"
    )]
    #[cfg_attr(feature = "schema", schemars(with = "Option<String>"))]
    node: Option<u64>,
    /// The key of the record that it follows there.
    #[serde(
        default,
        with = "hex::some_key",
        skip_serializing_if = "Option::is_none"
    )]
    #[cfg_attr(feature = "schema", schemars(with = "Option<String>"))]
    parent: Option<u64>,
}

#[expect(
    clippy::trivially_copy_pass_by_ref,
    reason = "serde asks with a reference"
)]
fn is_own(thread: &Thread) -> bool {
    *thread == Thread::Own
}

impl Holder {
    /// The record that holds an event.
    pub(crate) fn of(event: &Event<'_>) -> Self {
        Self {
            line: event.place.line,
            start: event.place.start,
            end: event.place.end,
            thread: event.thread,
            key: event.key,
            node: event.node,
            parent: event.parent,
        }
    }

    /// An event that it holds.
    pub(crate) fn event<'a>(&self, body: Body<'a>) -> Event<'a> {
        Event {
            place: Place {
                line: self.line,
                start: self.start,
                end: self.end,
            },
            thread: self.thread,
            key: self.key,
            node: self.node,
            parent: self.parent,
            body,
        }
    }
}

/// A plain file that is an answer as a whole.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct AnswerLine {
    /// The file's name in rows.
    pub name: String,
    /// Its text; null where its bytes are no UTF-8.
    pub text: Option<String>,
}

/// The times that the last turn of an attempt's transcript tells, to the second.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct DatedLine {
    /// The file's name in rows.
    pub name: String,
    /// The first.
    pub first: String,
    /// The last.
    pub last: String,
}

/// What the session ran with that launched an attempt's. What differs between its turns is left out.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct ParentLine {
    /// The name in rows of the file that it launched.
    pub name: String,
    /// What its commands may touch.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub sandbox: Option<String>,
    /// The folder that it works in.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cwd: Option<String>,
    /// The tool servers that it may call.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub servers: Option<Vec<String>>,
}

/// A file that was named and could not be read.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct AbsentLine {
    /// The file's name in rows.
    pub name: String,
    /// Why, as rows say it.
    pub cause: String,
}

/// What an attempt left beside its transcript, as far as its grading reads it.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(default)]
pub struct LeftLine {
    /// The file's name in rows.
    pub name: String,
    /// What it printed.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub printed: Option<Printed>,
    /// How many files say that they are the child of the call.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub children: Option<u64>,
    /// What the caller was handed back.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub handed: Option<HandedBack>,
    /// What a workflow left of it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub workflow: Option<Workflow>,
    /// The names of the files that may be copies of its thread.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub copies: Option<Vec<String>>,
    /// Results that stand in other files and were not followed, by the id of the call, and why.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub elsewhere: BTreeMap<String, Elsewhere>,
    /// How its last message ends, where that is no end of an answer.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub ending: Option<Ending>,
}

/// How a last message ends that is no whole answer.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "kebab-case")]
pub enum Ending {
    /// It was cut off.
    Cut,
    /// It says nothing.
    Silent,
}

/// What a run printed at its end.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Printed {
    /// Whether it tells of an error.
    pub error: bool,
    /// Its text.
    pub text: String,
}

/// What a caller was handed back.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "kebab-case")]
pub enum HandedBack {
    /// No result.
    Missing,
    /// What was launched went on.
    Launched,
    /// The report, without its frame.
    Report(String),
    /// A report in a file that was not followed.
    Elsewhere(Elsewhere),
}

/// Why a text that stands in another file was not followed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "kebab-case")]
pub enum Elsewhere {
    /// The file lies under no declared root.
    OutsideRoots,
    /// The file cannot be read.
    Unreadable,
}

/// What a workflow left of one start.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Workflow {
    /// Whether the same was started again later, and nothing came of this start.
    pub superseded: bool,
    /// The result in the journal, as JSON.
    pub result: Option<String>,
    /// The response that the workflow logged, as JSON.
    pub logged: Option<String>,
    /// Faults that are told of it.
    pub errors: Vec<String>,
    /// How it ended: a status, what is said of a fault, and whether the fault is that no answer of the
    /// asked shape came. Null where the workflow kept no record of itself.
    pub end: Option<(String, String, bool)>,
}
