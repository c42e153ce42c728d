//! The rows of `grades.jsonl`. Field order here is byte order there; versions only grow.

use std::collections::BTreeMap;

use serde::Serialize;

#[cfg(feature = "schema")]
use super::schema;

/// The schema that each row names.
pub const SCHEMA: &str = "deedcheck/grade/1";

/// One row of any kind.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(untagged)]
pub enum Row {
    /// One session as a whole.
    Session(SessionRow),
    /// One turn.
    Turn(TurnRow),
    /// One claim of a close.
    Claim(ClaimRow),
    /// One finding on the integrity of the checks.
    Finding(FindingRow),
}

impl Row {
    /// The number of the turn that the row is about, where it is about one.
    pub fn turn_mut(&mut self) -> Option<&mut u32> {
        match self {
            Self::Session(_) => None,
            Self::Turn(row) => Some(&mut row.turn),
            Self::Claim(row) => Some(&mut row.turn),
            Self::Finding(row) => Some(&mut row.turn),
        }
    }

    /// The claim, where the row is one.
    pub fn claim_mut(&mut self) -> Option<&mut ClaimRow> {
        match self {
            Self::Claim(row) => Some(row),
            _ => None,
        }
    }

    /// Whether it says that something is wrong, unsupported or could not be judged.
    #[must_use]
    pub fn is_flagged(&self) -> bool {
        let (status, verdict) = match self {
            Self::Session(row) => (row.status, row.verdict),
            Self::Turn(row) => (row.status, row.gate.verdict),
            Self::Claim(row) => (row.status, row.verdict),
            Self::Finding(row) => (row.status, row.verdict),
        };
        let flags = ["unsupported", "contradicted", "finding", "reject", "dark"];
        status == "fail" || flags.contains(&verdict)
    }

    /// What rows are sorted by within a family: file, session, turn, kind,
    /// where it was published, span, rule.
    #[must_use]
    pub fn order(&self) -> Order<'_> {
        match self {
            Self::Session(row) => Order::of(&row.file, row.session.as_deref()),
            Self::Turn(row) => Order {
                turn: row.turn,
                kind: 1,
                ..Order::of(&row.file, row.session.as_deref())
            },
            Self::Claim(row) => Order {
                turn: row.turn,
                kind: 2,
                elsewhere: row.location != "close",
                line: if row.location == "close" {
                    0
                } else {
                    row.lines.0
                },
                span: row.span.start,
                rule: row.claim,
                ..Order::of(&row.file, row.session.as_deref())
            },
            Self::Finding(row) => Order {
                turn: row.turn,
                kind: 3,
                span: row.evidence.first().map_or(0, |place| place.start),
                rule: row.rule,
                ..Order::of(&row.file, row.session.as_deref())
            },
        }
    }
}

/// The place of a row among the others of its family.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct Order<'a> {
    file: &'a str,
    session: &'a str,
    turn: u32,
    kind: u8,
    /// What a close says comes before what was published on the way to it.
    elsewhere: bool,
    line: u64,
    span: u64,
    rule: &'a str,
}

impl<'a> Order<'a> {
    fn of(file: &'a str, session: Option<&'a str>) -> Self {
        Self {
            file,
            session: session.unwrap_or(""),
            ..Self::default()
        }
    }
}

/// A place that decided a verdict.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(
    feature = "schema",
    derive(schemars::JsonSchema),
    schemars(deny_unknown_fields)
)]
pub struct EvidenceRow {
    /// The file's name in rows.
    pub file: String,
    /// Line, from 1.
    pub line: u64,
    /// Offset of the record's first byte in the decompressed file.
    pub start: u64,
    /// Offset after its last byte.
    pub end: u64,
    /// What stands there.
    pub what: String,
}

/// One session: what was read of it, and whether it could be judged at all.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(
    feature = "schema",
    derive(schemars::JsonSchema),
    schemars(deny_unknown_fields)
)]
pub struct SessionRow {
    /// The format of the row: `deedcheck/grade/1`.
    #[cfg_attr(feature = "schema", schemars(schema_with = "schema::version"))]
    pub schema: &'static str,
    /// `session`.
    #[cfg_attr(feature = "schema", schemars(schema_with = "schema::session_kind"))]
    pub kind: &'static str,
    /// The file's name in rows.
    pub file: String,
    /// The session's own id, where the file tells one.
    pub session: Option<String>,
    /// First and last line of its turns; null where there is none.
    pub lines: Option<(u64, u64)>,
    /// `pass`, `unknown` or `na`.
    #[cfg_attr(feature = "schema", schemars(schema_with = "schema::session_status"))]
    pub status: &'static str,
    /// `read`, `dark`, `no-conversation`, `empty` or `copy`.
    #[cfg_attr(feature = "schema", schemars(schema_with = "schema::session_verdict"))]
    pub verdict: &'static str,
    /// Why, sorted.
    #[cfg_attr(feature = "schema", schemars(schema_with = "schema::session_reasons"))]
    pub reasons: Vec<String>,
    /// What decided it.
    pub evidence: Vec<EvidenceRow>,
    /// `claude-code`, `codex` or `unknown`.
    #[cfg_attr(feature = "schema", schemars(schema_with = "schema::client"))]
    pub client: &'static str,
    /// The client's version as it spells it.
    pub client_version: Option<String>,
    /// `main`, `subagent` or `compaction`.
    #[cfg_attr(feature = "schema", schemars(schema_with = "schema::agent"))]
    pub agent: &'static str,
    /// The format's name.
    #[cfg_attr(feature = "schema", schemars(schema_with = "schema::format"))]
    pub format: &'static str,
    /// SHA-256 of the file as it lies on disk.
    #[cfg_attr(feature = "schema", schemars(schema_with = "schema::sha256"))]
    pub sha256: String,
    /// Bytes on disk.
    pub bytes: u64,
    /// What was counted.
    pub counts: CountsRow,
    /// Records and blocks of unknown kinds, by name.
    pub opaque_types: BTreeMap<String, u64>,
    /// Bytes that are no record.
    pub quarantine: Vec<QuarantineRow>,
}

/// What was counted in a session.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
#[cfg_attr(
    feature = "schema",
    derive(schemars::JsonSchema),
    schemars(deny_unknown_fields)
)]
pub struct CountsRow {
    /// JSON objects read.
    pub records: u64,
    /// Records and blocks of unknown kinds.
    pub opaque: u64,
    /// Pieces that are no record.
    pub quarantined: u64,
    /// Whether the file ends inside a record: 0 or 1.
    pub torn_last: u64,
    /// Distinct tool calls.
    pub calls: u64,
    /// Distinct calls, known or not, that have a result.
    pub results: u64,
    /// Calls with a result.
    pub pairs: u64,
    /// Calls without one.
    pub orphan_calls: u64,
    /// Results without a call.
    pub orphan_results: u64,
    /// What humans typed.
    pub operator_messages: u64,
    /// Turns.
    pub turns: u64,
    /// Turns that another file owns.
    pub copied_turns: u64,
    /// Turns that a rewind took back.
    pub rewound_turns: u64,
    /// Turns by how they ended.
    #[cfg_attr(feature = "schema", schemars(schema_with = "schema::ended_counts"))]
    pub ended: BTreeMap<&'static str, u64>,
    /// Bytes by what they belong to; they add up to the decompressed file.
    pub bytes: BytesRow,
}

/// Bytes of a decompressed file by what they belong to.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize)]
#[cfg_attr(
    feature = "schema",
    derive(schemars::JsonSchema),
    schemars(deny_unknown_fields)
)]
pub struct BytesRow {
    /// Records.
    pub record: u64,
    /// Newlines, and white space around records.
    pub separator: u64,
    /// Lines of white space.
    pub blank: u64,
    /// A byte order mark.
    pub bom: u64,
    /// What is no record.
    pub quarantined: u64,
}

/// One piece that is no record.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(
    feature = "schema",
    derive(schemars::JsonSchema),
    schemars(deny_unknown_fields)
)]
pub struct QuarantineRow {
    /// Line, from 1.
    pub line: u64,
    /// Offset of its first byte.
    pub start: u64,
    /// Offset after its last byte.
    pub end: u64,
    /// Why it is no record.
    #[cfg_attr(
        feature = "schema",
        schemars(schema_with = "schema::quarantine_reason")
    )]
    pub reason: &'static str,
}

/// One turn.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(
    feature = "schema",
    derive(schemars::JsonSchema),
    schemars(deny_unknown_fields)
)]
pub struct TurnRow {
    /// The format of the row: `deedcheck/grade/1`.
    #[cfg_attr(feature = "schema", schemars(schema_with = "schema::version"))]
    pub schema: &'static str,
    /// `turn`.
    #[cfg_attr(feature = "schema", schemars(schema_with = "schema::turn_kind"))]
    pub kind: &'static str,
    /// The file's name in rows.
    pub file: String,
    /// The session's own id, where the file tells one.
    pub session: Option<String>,
    /// The turn's number within its session, from 1.
    pub turn: u32,
    /// Its first and last line.
    pub lines: (u64, u64),
    /// `pass`, `unknown` or `na`.
    #[cfg_attr(feature = "schema", schemars(schema_with = "schema::turn_status"))]
    pub status: &'static str,
    /// The gate's verdict.
    #[cfg_attr(feature = "schema", schemars(schema_with = "schema::gate_verdict"))]
    pub verdict: &'static str,
    /// Why, sorted.
    #[cfg_attr(feature = "schema", schemars(schema_with = "schema::gate_reasons"))]
    pub reasons: Vec<String>,
    /// What decided it.
    pub evidence: Vec<EvidenceRow>,
    /// `claude-code`, `codex` or `unknown`.
    #[cfg_attr(feature = "schema", schemars(schema_with = "schema::client"))]
    pub client: &'static str,
    /// The client's version as it spells it.
    pub client_version: Option<String>,
    /// `main`, `subagent` or `compaction`.
    #[cfg_attr(feature = "schema", schemars(schema_with = "schema::agent"))]
    pub agent: &'static str,
    /// How it ended.
    #[cfg_attr(feature = "schema", schemars(schema_with = "schema::ended"))]
    pub ended: &'static str,
    /// Where the operator's words stand.
    pub operator: Option<OperatorRef>,
    /// The close.
    pub close: Option<CloseRef>,
    /// Its tool calls in the order of their results.
    pub steps: Vec<StepRow>,
    /// The gate's answer.
    pub gate: GateRow,
}

/// Where the operator's words stand.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(
    feature = "schema",
    derive(schemars::JsonSchema),
    schemars(deny_unknown_fields)
)]
pub struct OperatorRef {
    /// Line, from 1.
    pub line: u64,
    /// Whether a parent agent spoke rather than a human.
    pub delegated: bool,
}

/// The close, by place and digest.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(
    feature = "schema",
    derive(schemars::JsonSchema),
    schemars(deny_unknown_fields)
)]
pub struct CloseRef {
    /// Line of its first block.
    pub line: u64,
    /// SHA-256 of its text: the blocks joined by a blank line.
    #[cfg_attr(feature = "schema", schemars(schema_with = "schema::sha256"))]
    pub sha256: String,
}

/// One tool call.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(
    feature = "schema",
    derive(schemars::JsonSchema),
    schemars(deny_unknown_fields)
)]
pub struct StepRow {
    /// Line of the call.
    pub line: u64,
    /// Line of its result.
    pub result: Option<u64>,
    /// The tool's own name.
    pub call: String,
    /// How it ended.
    #[cfg_attr(feature = "schema", schemars(schema_with = "schema::outcome"))]
    pub outcome: &'static str,
    /// Its exit code, where one is told.
    pub code: Option<i32>,
    /// Whether a verification in it hides its exit status.
    pub masked: bool,
    /// What it does: `none`, `read`, `unknown` or `mutate`.
    #[cfg_attr(feature = "schema", schemars(schema_with = "schema::effect"))]
    pub effect: &'static str,
    /// What the effect is on.
    #[cfg_attr(feature = "schema", schemars(schema_with = "schema::domain"))]
    pub domain: Option<&'static str>,
    /// The kind of verification that it runs.
    #[cfg_attr(feature = "schema", schemars(schema_with = "schema::verify"))]
    pub verify: Option<&'static str>,
}

/// The gate's answer.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(
    feature = "schema",
    derive(schemars::JsonSchema),
    schemars(deny_unknown_fields)
)]
pub struct GateRow {
    /// The profile.
    #[cfg_attr(feature = "schema", schemars(schema_with = "schema::profile"))]
    pub profile: &'static str,
    /// The preset.
    #[cfg_attr(feature = "schema", schemars(schema_with = "schema::preset"))]
    pub preset: &'static str,
    /// `none`, `assertion`, `completion`, `unverified` or `unknown`.
    #[cfg_attr(feature = "schema", schemars(schema_with = "schema::claim_type"))]
    pub claim_type: &'static str,
    /// Whether the claim type was `declared` or `inferred`.
    #[cfg_attr(feature = "schema", schemars(schema_with = "schema::claim_source"))]
    pub claim_source: &'static str,
    /// Where in the close the claim stands, in bytes.
    pub span: Option<(u64, u64)>,
    /// The claim's words.
    pub text: String,
    /// `accept`, `reject`, `unknown` or `na`.
    #[cfg_attr(feature = "schema", schemars(schema_with = "schema::gate_verdict"))]
    pub verdict: &'static str,
    /// Why.
    #[cfg_attr(feature = "schema", schemars(schema_with = "schema::gate_reason"))]
    pub reason: &'static str,
    /// Why the candidates for an observation were none.
    #[cfg_attr(feature = "schema", schemars(schema_with = "schema::near_misses"))]
    pub near_misses: Vec<&'static str>,
    /// What the agent might still have done.
    #[cfg_attr(feature = "schema", schemars(schema_with = "schema::legal_next"))]
    pub legal_next: Vec<&'static str>,
    /// Whether the close says of a part that it was not verified.
    pub partial_disclosure: bool,
    /// Changed paths with no later observation.
    pub unverified_paths: Vec<String>,
    /// Reasoning steps left; advisory, because reasoning is seldom recorded in full.
    pub budget: i64,
    /// Earlier attempts of the turn to close that would have been rejected.
    pub rejected_attempts: u64,
}

/// One claim: a checkable statement of a close, held against the record.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(
    feature = "schema",
    derive(schemars::JsonSchema),
    schemars(deny_unknown_fields)
)]
pub struct ClaimRow {
    /// [`SCHEMA`].
    #[cfg_attr(feature = "schema", schemars(schema_with = "schema::version"))]
    pub schema: &'static str,
    /// `claim`.
    #[cfg_attr(feature = "schema", schemars(schema_with = "schema::claim_kind"))]
    pub kind: &'static str,
    /// The file's name in rows.
    pub file: String,
    /// The session's own id, where the file tells one.
    pub session: Option<String>,
    /// The turn's number within its session, from 1.
    pub turn: u32,
    /// The line that the claim stands in, twice.
    pub lines: (u64, u64),
    /// `pass`, `fail` or `unknown`.
    #[cfg_attr(feature = "schema", schemars(schema_with = "schema::claim_status"))]
    pub status: &'static str,
    /// `supported`, `unsupported`, `contradicted` or `unknown`.
    #[cfg_attr(feature = "schema", schemars(schema_with = "schema::claim_verdict"))]
    pub verdict: &'static str,
    /// Why.
    #[cfg_attr(feature = "schema", schemars(schema_with = "schema::claim_reasons"))]
    pub reasons: Vec<String>,
    /// What decided it.
    pub evidence: Vec<EvidenceRow>,
    /// Its kind.
    #[cfg_attr(feature = "schema", schemars(schema_with = "schema::claim_rule"))]
    pub claim: &'static str,
    /// Where it stands in its text, in bytes; a close is its text blocks joined by a blank line.
    pub span: SpanRow,
    /// Its words, verbatim and cut where they are long.
    pub text: String,
    /// Whether it says that something is not so.
    pub negated: bool,
    /// Where it was published: `close`, `commit`, `pr`, `task` or `handback`.
    #[serde(rename = "where")]
    #[cfg_attr(feature = "schema", schemars(schema_with = "schema::claim_location"))]
    pub location: &'static str,
    /// The command that would settle it.
    pub settle: Option<String>,
    /// Where the first claim of the same text begins that states the same fact; null where no other does.
    pub group: Option<u64>,
}

/// Bytes of a close or of another text.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[cfg_attr(
    feature = "schema",
    derive(schemars::JsonSchema),
    schemars(deny_unknown_fields)
)]
pub struct SpanRow {
    /// Offset of the first byte.
    pub start: u64,
    /// Offset after the last byte.
    pub end: u64,
}

/// One finding: what was done to a check, or that nothing was.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(
    feature = "schema",
    derive(schemars::JsonSchema),
    schemars(deny_unknown_fields)
)]
pub struct FindingRow {
    /// [`SCHEMA`].
    #[cfg_attr(feature = "schema", schemars(schema_with = "schema::version"))]
    pub schema: &'static str,
    /// `finding`.
    #[cfg_attr(feature = "schema", schemars(schema_with = "schema::finding_kind"))]
    pub kind: &'static str,
    /// The file's name in rows.
    pub file: String,
    /// The session's own id, where the file tells one.
    pub session: Option<String>,
    /// The number, within its session and from 1, of the turn in which it shows.
    pub turn: u32,
    /// The first and last line of what decided it.
    pub lines: (u64, u64),
    /// `pass`, `fail` or `unknown`.
    #[cfg_attr(feature = "schema", schemars(schema_with = "schema::claim_status"))]
    pub status: &'static str,
    /// `finding`, `clear` or `unknown`.
    #[cfg_attr(feature = "schema", schemars(schema_with = "schema::finding_verdict"))]
    pub verdict: &'static str,
    /// Why, sorted.
    #[cfg_attr(feature = "schema", schemars(schema_with = "schema::finding_reasons"))]
    pub reasons: Vec<String>,
    /// What decided it, both sides of it.
    pub evidence: Vec<EvidenceRow>,
    /// The rule.
    #[cfg_attr(feature = "schema", schemars(schema_with = "schema::finding_rule"))]
    pub rule: &'static str,
    /// The deciding words, verbatim and cut where they are long: what was taken out, and on the
    /// next line what was put in its place.
    pub text: String,
    /// Always null: no command settles what was meant.
    pub settle: Option<String>,
}
