//! The rows of frozen checks in `grades.jsonl`. Field order here is byte order there.

use std::collections::{BTreeMap, BTreeSet};

use serde::Serialize;
use serde_json::Value;

use crate::grade::{EvidenceRow, SCHEMA};
use crate::oracle::Component;

/// What a check tells beside its verdict, by name.
pub type Facts = BTreeMap<&'static str, Value>;

fn nothing(facts: &Facts) -> bool {
    facts.is_empty()
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde asks for it so")]
fn is_true(flag: &bool) -> bool {
    *flag
}

/// One row of either kind.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(untagged)]
pub enum FrozenRow {
    /// One check asked of one answer or turn.
    Check(Box<CheckRow>),
    /// One task in one arm.
    Task(Box<TaskRow>),
}

/// One check asked of one answer or turn.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(
    feature = "schema",
    derive(schemars::JsonSchema),
    schemars(deny_unknown_fields)
)]
pub struct CheckRow {
    /// The format of the row: `deedcheck/grade/1`.
    pub schema: &'static str,
    /// `check`.
    pub kind: &'static str,
    /// The file of the answer: the root's name, and the path under it.
    pub file: String,
    /// The session's own id, where the file tells one.
    pub session: Option<String>,
    /// The turn that was asked, or whose close is the answer; null for turns that could not be read.
    pub turn: Option<u32>,
    /// Its first and last line.
    pub lines: Option<(u64, u64)>,
    /// `pass`, `fail`, `unknown` or `na`.
    pub status: &'static str,
    /// The same, or `pending` where a judge has still to speak.
    pub verdict: &'static str,
    /// Why, sorted.
    pub reasons: BTreeSet<String>,
    /// What decided it.
    pub evidence: Vec<EvidenceRow>,
    /// `<run>.<arm>.<task>.<attempt>`. With a spec that has no tasks this and the next four are null.
    pub identity: Option<String>,
    /// The task.
    pub task: Option<String>,
    /// The arm.
    pub arm: Option<String>,
    /// The task's family.
    pub family: Option<String>,
    /// The attempt, from 1.
    pub attempt: Option<u32>,
    /// The check's id.
    pub check: String,
    /// The check's kind.
    pub check_kind: String,
    /// `answer` or `turn`.
    pub subject: &'static str,
    /// Why it fails.
    pub failing: BTreeSet<String>,
    /// What is not known.
    pub unknown: BTreeSet<String>,
    /// Whether a judge decided it.
    pub judged: bool,
    /// SHA-256 of the text that was asked.
    pub answer_sha256: Option<String>,
    /// Whether the answer passes and fails by it; it stands here where it does not.
    #[serde(skip_serializing_if = "is_true")]
    #[cfg_attr(feature = "schema", schemars(default))]
    pub decides: bool,
    /// What the key holds, as JSON text, cut at 400 bytes.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub key: Option<String>,
    /// What was read in the answer, or in the turn's close; at most eight places.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    #[cfg_attr(feature = "schema", schemars(default))]
    pub read: Vec<ReadRow>,
    /// Texts that were looked for in vain; at most eight.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    #[cfg_attr(feature = "schema", schemars(default))]
    pub absent: Vec<String>,
    /// What a check tells beside its verdict.
    #[serde(skip_serializing_if = "nothing")]
    pub facts: Box<Facts>,
}

/// Words of an answer that a check read.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(
    feature = "schema",
    derive(schemars::JsonSchema),
    schemars(deny_unknown_fields)
)]
pub struct ReadRow {
    /// The words as they stand there, cut at 160 bytes.
    pub text: String,
    /// The line of the answer that they begin in, from 1.
    pub line: u64,
    /// Offset of their first byte in the answer.
    pub start: u64,
    /// Offset after their last byte.
    pub end: u64,
    /// How they are said: `plain`; `hedged` as a bound, a condition or one of several; `denied`; `loose`, where they may be of
    /// something else.
    pub said: &'static str,
}

/// One task in one arm.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(
    feature = "schema",
    derive(schemars::JsonSchema),
    schemars(deny_unknown_fields)
)]
pub struct TaskRow {
    /// The format of the row: `deedcheck/grade/1`.
    pub schema: &'static str,
    /// `task`.
    pub kind: &'static str,
    /// `pass`, `fail` or `unknown`.
    pub status: &'static str,
    /// The same, `not-launched`, or `incomplete-control` for a control that does not show what it was planted for.
    pub verdict: &'static str,
    /// Why, sorted.
    pub reasons: BTreeSet<String>,
    /// What decided it.
    pub evidence: Vec<EvidenceRow>,
    /// The task.
    pub task: String,
    /// The arm.
    pub arm: String,
    /// The task's family.
    pub family: String,
    /// What the task is for.
    pub opportunity: &'static str,
    /// Its attempts in order.
    pub attempts: Vec<AttemptRow>,
    /// Readings that were not chosen and would change the status.
    pub alternatives: Vec<OtherwiseRow>,
}

/// One attempt of a task.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(
    feature = "schema",
    derive(schemars::JsonSchema),
    schemars(deny_unknown_fields)
)]
pub struct AttemptRow {
    /// `<run>.<arm>.<task>.<attempt>`, with `~` and the number of the start where a workflow started it
    /// again later.
    pub identity: String,
    /// Who answered.
    pub actor: &'static str,
    /// The file of the answer.
    pub file: String,
    /// `completed`, `inadmissible` or `unresolved`.
    pub class: &'static str,
    /// Why it is not completed, or has no answer.
    pub cause: Option<String>,
    /// Why its carrier does not bear the answer, where it does not.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub carrier: Option<String>,
    /// What the answer's other copy says of it, where one is told of: `equal`, `mismatch`, or
    /// `unavailable` where there is none that can be read.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub copy: Option<&'static str>,
    /// What its checks come to, or `na`.
    pub status: &'static str,
    /// Why it fails.
    pub failing: BTreeSet<String>,
    /// What is not known.
    pub unknown: BTreeSet<String>,
}

/// What a task comes to under another reading.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(
    feature = "schema",
    derive(schemars::JsonSchema),
    schemars(deny_unknown_fields)
)]
pub struct OtherwiseRow {
    /// The rule's id.
    pub reading: String,
    /// The value.
    pub value: String,
    /// The status under it.
    pub status: &'static str,
}

/// The schema that rows name.
pub(super) const ROW_SCHEMA: &str = SCHEMA;

/// The reasons of a component, failing and unknown ones together.
pub(super) fn reasons(component: &Component) -> BTreeSet<String> {
    component
        .failing
        .union(&component.unknown)
        .cloned()
        .collect()
}
