//! What is handed in to frozen checks one JSON object a line, as its JSON Schema tells it. It is read
//! field by field elsewhere, so that a refusal can name the field.

use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::Deserialize;

use super::driver::{DRIVER_SCHEMA, EVENTS};
use super::identity::STATES;
use super::judgment::JUDGMENT_SCHEMA;
use super::ledger::{ADOPTED, JOIN_SCHEMA};
use super::through::BOUNDARIES;
use crate::spec::DISPATCHES;

/// What a driver says of one attempt: one line of `--launch-records`.
#[derive(Deserialize, JsonSchema)]
#[expect(dead_code, reason = "only its schema is made")]
#[schemars(deny_unknown_fields)]
#[schemars(extend("oneOf" = [
    {"required": ["session"]}, {"required": ["agent"]}, {"required": ["thread"]}, {"required": ["file"]},
    {"required": ["key"]}, {"required": ["label"]},
]))]
#[schemars(extend(
    "if" = {"properties": {"actor": {"not": {"const": "teammate"}}}},
    "then" = {"required": ["task", "attempt"]},
))]
pub(crate) struct LaunchRecord {
    /// The run's own id, as the launch file tells it.
    run: String,
    /// The arm.
    arm: String,
    /// The task. Only a teammate may have none.
    #[serde(default)]
    #[schemars(with = "String")]
    task: Option<String>,
    /// The attempt, from 1. Only a teammate may have none.
    #[serde(default)]
    #[schemars(with = "u32", range(min = 1))]
    attempt: Option<u32>,
    /// Who answered: the dispatch of the task, or `teammate`.
    #[schemars(schema_with = "actor")]
    actor: String,
    /// The root that the transcript or answer lies under.
    root: String,
    /// The id of a main session; for `main`, and of who launched the agent for `subagent`.
    #[serde(default)]
    #[schemars(with = "String")]
    session: Option<String>,
    /// The id of a launched agent; for `subagent` and `teammate`.
    #[serde(default)]
    #[schemars(with = "String")]
    agent: Option<String>,
    /// The id of a thread; for `codex-exec`, `main` and `subagent`.
    #[serde(default)]
    #[schemars(with = "String")]
    thread: Option<String>,
    /// The key of a workflow's journal; for `workflow-child`.
    #[serde(default)]
    #[schemars(with = "String")]
    key: Option<String>,
    /// The label that a workflow's script gave; for `workflow-child`.
    #[serde(default)]
    #[schemars(with = "String")]
    label: Option<String>,
    /// A path under the root.
    #[serde(default)]
    #[schemars(with = "String")]
    file: Option<String>,
    /// What was redirected from the standard output of a main session: a path under the root.
    #[serde(default)]
    #[schemars(with = "String")]
    printed: Option<String>,
    /// The call that launched a subagent of `session`.
    #[serde(default)]
    #[schemars(with = "String")]
    call: Option<String>,
    /// The workflow's id, where several know the key or label.
    #[serde(default)]
    #[schemars(with = "String")]
    workflow: Option<String>,
    /// The folder in which the copies of `thread` were kept: a path under the root.
    #[serde(default)]
    #[schemars(with = "String")]
    copies: Option<String>,
    /// What counts of the copy: `whole`, or `last-turn`.
    #[serde(default)]
    #[schemars(schema_with = "boundary")]
    boundary: Option<String>,
    /// How the driver says that the run ended.
    #[serde(default)]
    #[schemars(with = "DriverLine")]
    driver: Option<DriverLine>,
}

/// How a driver says that a run ended.
#[derive(Deserialize, JsonSchema)]
#[expect(dead_code, reason = "only its schema is made")]
#[schemars(deny_unknown_fields)]
struct DriverLine {
    /// `finished`, `interrupted` or `timed-out`; `intent` or `spawned` where no end was seen.
    #[schemars(schema_with = "state")]
    state: String,
    /// The exit code, where there is one.
    #[serde(default)]
    #[schemars(with = "u32")]
    exit: Option<u32>,
}

/// What a judge says of one check: one line of `--judgments`.
#[derive(Deserialize, JsonSchema)]
#[expect(dead_code, reason = "only its schema is made")]
#[schemars(deny_unknown_fields)]
pub(crate) struct JudgmentLine {
    /// The format: `deedcheck/judgment/1`; it may be left out.
    #[serde(default)]
    #[schemars(schema_with = "format")]
    schema: Option<String>,
    /// The attempt, or the file under a policy without tasks.
    identity: String,
    /// The check; its `extract` is `judge`.
    check: String,
    /// The turn, for a check of turns.
    #[serde(default)]
    #[schemars(with = "u32", range(min = 1))]
    turn: Option<u32>,
    /// `pass`, `fail` or `unknown`.
    #[schemars(schema_with = "verdict")]
    verdict: String,
    /// Passages of the answer, word for word. A verdict that is not `unknown` needs one.
    quotes: Vec<String>,
    /// What the judge was told. It is not read.
    #[serde(default)]
    #[schemars(schema_with = "object")]
    about: Option<serde_json::Value>,
}

/// What another program says of one opportunity to use a lane's tool: one line of `--join-ledger`.
#[derive(Deserialize, JsonSchema)]
#[expect(dead_code, reason = "only its schema is made")]
#[schemars(deny_unknown_fields)]
pub(crate) struct JoinLine {
    /// The format: `deedcheck/join/1`.
    #[schemars(schema_with = "join_format")]
    schema: String,
    /// The run's own id, as the bindings tell it.
    run: String,
    /// The lane, as `lane-use` checks and gates name it.
    lane: String,
    /// The arm.
    arm: String,
    /// The task.
    task: String,
    /// The attempt, from 1; null where none was launched.
    #[schemars(schema_with = "attempt")]
    attempt: Option<u32>,
    /// Whether the tool was used: `adopted`, `not-adopted` or `unknown`.
    #[schemars(schema_with = "adopted")]
    adopted: String,
}

/// What a driver recorded of one attempt: one line of `--driver-ledger`.
#[derive(Deserialize, JsonSchema)]
#[expect(dead_code, reason = "only its schema is made")]
#[schemars(deny_unknown_fields)]
pub(crate) struct DriverEvent {
    /// The format: `deedcheck/driver/1`.
    #[schemars(schema_with = "driver_format")]
    schema: String,
    /// The run's own id, as the bindings tell it.
    run: String,
    /// The arm.
    arm: String,
    /// The task.
    task: String,
    /// The attempt, from 1.
    #[schemars(range(min = 1))]
    attempt: u32,
    /// `intent` (the run is about to be started), `spawned` (it was), `interrupted` (the driver was), `finished`.
    #[schemars(schema_with = "event")]
    event: String,
    /// The exit code of a run that is `finished`, where there is one.
    #[serde(default)]
    #[schemars(with = "u32")]
    exit: Option<u32>,
    /// Whether the driver ended a run that is `finished` for its time.
    #[serde(default, rename = "timed-out")]
    #[schemars(with = "bool")]
    timed_out: Option<bool>,
}

fn driver_format(_: &mut SchemaGenerator) -> Schema {
    json_schema!({ "type": "string", "const": DRIVER_SCHEMA })
}

fn event(_: &mut SchemaGenerator) -> Schema {
    json_schema!({ "type": "string", "enum": EVENTS })
}

fn join_format(_: &mut SchemaGenerator) -> Schema {
    json_schema!({ "type": "string", "const": JOIN_SCHEMA })
}

fn attempt(_: &mut SchemaGenerator) -> Schema {
    json_schema!({ "type": ["integer", "null"], "minimum": 1 })
}

fn adopted(_: &mut SchemaGenerator) -> Schema {
    json_schema!({ "type": "string", "enum": ADOPTED })
}

fn actor(_: &mut SchemaGenerator) -> Schema {
    let actors: Vec<&str> = DISPATCHES.into_iter().chain(["teammate"]).collect();
    json_schema!({ "type": "string", "enum": actors })
}

fn boundary(_: &mut SchemaGenerator) -> Schema {
    json_schema!({ "type": "string", "enum": BOUNDARIES })
}

fn state(_: &mut SchemaGenerator) -> Schema {
    json_schema!({ "type": "string", "enum": STATES })
}

fn format(_: &mut SchemaGenerator) -> Schema {
    json_schema!({ "type": "string", "const": JUDGMENT_SCHEMA })
}

fn verdict(_: &mut SchemaGenerator) -> Schema {
    json_schema!({ "type": "string", "enum": ["pass", "fail", "unknown"] })
}

fn object(_: &mut SchemaGenerator) -> Schema {
    json_schema!({ "type": "object" })
}
