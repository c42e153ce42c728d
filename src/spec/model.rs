//! The spec: what is asked, of whom, and what a right answer is, settled before any run.

use std::collections::BTreeMap;

use serde::Serialize;
use serde_json::Value;

use super::capture::CaptureSpec;
use super::fraction::Fraction;

/// The format of a spec that a person writes.
pub const SPEC_SCHEMA: &str = "deedcheck/spec/1";
/// The version of the text grammar that answers are read with.
pub use crate::oracle::grammar::GRAMMAR;

/// An experiment with frozen checks, as a person writes it in TOML or JSON. A field that is not
/// here is refused.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(
    feature = "schema",
    derive(schemars::JsonSchema),
    schemars(deny_unknown_fields)
)]
pub struct Spec {
    /// The format: `deedcheck/spec/1`.
    #[cfg_attr(feature = "schema", schemars(schema_with = "super::schema::format"))]
    pub schema: &'static str,
    /// The version of the text grammar: `g1`.
    #[cfg_attr(feature = "schema", schemars(schema_with = "super::schema::grammar"))]
    pub grammar: &'static str,
    /// What is tried.
    pub experiment: Experiment,
    /// The arms, such as one with a tool and one without. A spec without tasks has none.
    #[cfg_attr(feature = "schema", schemars(default))]
    pub arms: Vec<Arm>,
    /// The tasks. Without any, the checks below are a policy that any run can be held against.
    #[cfg_attr(feature = "schema", schemars(default))]
    pub tasks: Vec<Task>,
    /// Checks that are asked of every turn of every attempt, whatever its task.
    #[cfg_attr(feature = "schema", schemars(default))]
    pub checks: Vec<CheckSpec>,
    /// The chosen reading of each rule that can be read in several ways, by the rule's id. Every
    /// such rule that the spec uses is named, and no other.
    #[cfg_attr(feature = "schema", schemars(default))]
    pub readings: BTreeMap<String, String>,
    /// Exact fractions by name, such as `3/4`.
    #[cfg_attr(feature = "schema", schemars(default))]
    pub thresholds: BTreeMap<String, Fraction>,
    /// What decides the experiment.
    #[cfg_attr(feature = "schema", schemars(default))]
    pub gates: Vec<Gate>,
    /// Where keys are taken from.
    #[cfg_attr(feature = "schema", schemars(default))]
    pub sources: Vec<Source>,
    /// What is captured while the runs go on, by `deedcheck capture`.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    #[cfg_attr(feature = "schema", schemars(default))]
    pub captures: Vec<CaptureSpec>,
}

/// What is tried.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(
    feature = "schema",
    derive(schemars::JsonSchema),
    schemars(deny_unknown_fields)
)]
pub struct Experiment {
    /// Its id.
    #[cfg_attr(feature = "schema", schemars(schema_with = "super::schema::name"))]
    pub id: String,
    /// Its title.
    pub title: String,
}

/// One way in which the tasks are done.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(
    feature = "schema",
    derive(schemars::JsonSchema),
    schemars(deny_unknown_fields)
)]
pub struct Arm {
    /// Its id.
    #[cfg_attr(feature = "schema", schemars(schema_with = "super::schema::name"))]
    pub id: String,
    /// What it is.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub title: Option<String>,
}

/// One task.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(
    feature = "schema",
    derive(schemars::JsonSchema),
    schemars(deny_unknown_fields)
)]
pub struct Task {
    /// Its id.
    #[cfg_attr(feature = "schema", schemars(schema_with = "super::schema::name"))]
    pub id: String,
    /// What the agent is asked, word for word.
    pub prompt: String,
    /// The group that it is summed up in, such as a client's name.
    #[cfg_attr(feature = "schema", schemars(schema_with = "super::schema::name"))]
    pub family: String,
    /// `organic` counts; `control` is planted to show that the checks work; `optional` never
    /// decides anything.
    #[cfg_attr(
        feature = "schema",
        schemars(schema_with = "super::schema::opportunity")
    )]
    pub opportunity: &'static str,
    /// Who answers: `main` for a session of its own, `subagent`, `workflow-child`, `codex-exec` or `file`.
    #[cfg_attr(feature = "schema", schemars(schema_with = "super::schema::dispatch"))]
    pub dispatch: &'static str,
    /// The arms that do it.
    #[cfg_attr(feature = "schema", schemars(length(min = 1)))]
    pub arms: Vec<String>,
    /// What a right answer is. All of them must hold. With an empty list the task is recorded and not graded.
    pub checks: Vec<CheckSpec>,
}

/// One check.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(
    feature = "schema",
    derive(schemars::JsonSchema),
    schemars(deny_unknown_fields)
)]
pub struct CheckSpec {
    /// Its id, once in the whole spec.
    #[cfg_attr(feature = "schema", schemars(schema_with = "super::schema::name"))]
    pub id: String,
    /// The check kind.
    #[cfg_attr(feature = "schema", schemars(schema_with = "super::schema::kind"))]
    pub kind: String,
    /// The kind's own parameters.
    #[cfg_attr(
        feature = "schema",
        schemars(default, schema_with = "super::schema::params")
    )]
    pub params: Value,
    /// What a right answer holds.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub key: Option<KeySpec>,
    /// What may become of a fact that the grammar could not read: `none` leaves it unknown,
    /// `judge` leaves it to a judge.
    #[cfg_attr(feature = "schema", schemars(schema_with = "super::schema::extract"))]
    pub extract: &'static str,
    /// What is looked at: `answer`, or `turn` for every turn of a run.
    #[cfg_attr(
        feature = "schema",
        schemars(default, schema_with = "super::schema::subject")
    )]
    pub subject: &'static str,
    /// Whether the answer passes and fails by it. With `false` it is asked and told, and only gates read it.
    #[serde(skip_serializing_if = "is_true")]
    #[cfg_attr(feature = "schema", schemars(default))]
    pub decides: bool,
    /// Folders that what it asks about lies in, where every arm's tree has them. Where one of them had drifted from the base
    /// before the arm ran, a fail is unknown.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    #[cfg_attr(feature = "schema", schemars(default))]
    pub scope: Vec<String>,
}

/// For what is told only where it is not the rule.
#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde asks for it so")]
fn is_true(flag: &bool) -> bool {
    *flag
}

/// Where a check's key comes from: exactly one of `value`, `source` with `recipe`, and `fields`.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
#[cfg_attr(
    feature = "schema",
    derive(schemars::JsonSchema),
    schemars(deny_unknown_fields)
)]
pub struct KeySpec {
    /// The key itself. Of an object the order of keys is lost; where it matters, write it as
    /// text in an inline source.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub value: Option<Value>,
    /// The id of a source.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub source: Option<String>,
    /// How the key is taken from the source.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub recipe: Option<Recipe>,
    /// A key of several parts, each with its own origin.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub fields: Option<BTreeMap<String, KeySpec>>,
}

/// How a key is taken from a source's bytes.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(
    feature = "schema",
    derive(schemars::JsonSchema),
    schemars(deny_unknown_fields)
)]
#[serde(tag = "take", rename_all = "kebab-case")]
pub enum Recipe {
    /// The text as it stands, without its last line end.
    Text,
    /// The lines, from one to another where these are told, counted from 1.
    Lines {
        /// The first.
        #[serde(skip_serializing_if = "Option::is_none")]
        from: Option<u32>,
        /// The last.
        #[serde(skip_serializing_if = "Option::is_none")]
        to: Option<u32>,
        /// Whether their number is taken rather than they themselves.
        #[serde(skip_serializing_if = "std::ops::Not::not")]
        #[cfg_attr(feature = "schema", schemars(default))]
        count: bool,
        /// Which one is taken rather than all, counted from 1.
        #[serde(skip_serializing_if = "Option::is_none")]
        pick: Option<u32>,
    },
    /// A value of a JSON text.
    Json {
        /// Where it stands, as RFC 6901 writes it; empty for the whole text.
        pointer: String,
    },
    /// A column of a CSV text with a head line, or all of it as objects.
    Csv {
        /// The column's name.
        #[serde(skip_serializing_if = "Option::is_none")]
        column: Option<String>,
        /// Whether cells are taken for integers where they are some.
        #[serde(skip_serializing_if = "std::ops::Not::not")]
        #[cfg_attr(feature = "schema", schemars(default))]
        integers: bool,
        /// Which one is taken rather than all, counted from 1.
        #[serde(skip_serializing_if = "Option::is_none")]
        pick: Option<u32>,
    },
    /// The SHA-256 of the bytes, in hexadecimal digits.
    Sha256,
    /// The number of bytes.
    Bytes,
    /// The number of lines that hold a word, as the reading `lines-with-word` says.
    LinesWith {
        /// The word.
        word: String,
    },
    /// The headings of a Markdown text.
    Headings {
        /// Only those of this level.
        #[serde(skip_serializing_if = "Option::is_none")]
        level: Option<u32>,
        /// Whether their number is taken rather than they themselves.
        #[serde(skip_serializing_if = "std::ops::Not::not")]
        #[cfg_attr(feature = "schema", schemars(default))]
        count: bool,
        /// Which one is taken rather than all, counted from 1.
        #[serde(skip_serializing_if = "Option::is_none")]
        pick: Option<u32>,
    },
    /// The names that follow one of some literal texts at the beginning of a line.
    Names {
        /// The literal texts.
        after: Vec<String>,
        /// Whether their number is taken rather than they themselves.
        #[serde(skip_serializing_if = "std::ops::Not::not")]
        #[cfg_attr(feature = "schema", schemars(default))]
        count: bool,
        /// Which one is taken rather than all, counted from 1.
        #[serde(skip_serializing_if = "Option::is_none")]
        pick: Option<u32>,
    },
}

/// Something that decides the experiment.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(
    feature = "schema",
    derive(schemars::JsonSchema),
    schemars(deny_unknown_fields)
)]
pub struct Gate {
    /// Its id.
    #[cfg_attr(feature = "schema", schemars(schema_with = "super::schema::name"))]
    pub id: String,
    /// `rate`: enough tasks of an arm pass. `not-worse`: of the tasks that both arms do, `arm`
    /// passes at least as many as `baseline`. `turns`: enough turns of an arm pass a check. `lane`: in
    /// enough attempts of an arm a tool was used and the answer passes. `encoding`: records were written in
    /// an encoding, each time and whole. `blind`: each blind task has a verdict that is clean. `denominators`:
    /// how many tasks pass, to divide a cost by; it decides nothing.
    #[cfg_attr(feature = "schema", schemars(schema_with = "super::schema::gate"))]
    pub kind: &'static str,
    /// The arm; none in a spec that has no arms.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub arm: Option<String>,
    /// The arm that it is held against, for `not-worse`; beside which the tasks of both are counted, for
    /// `denominators`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub baseline: Option<String>,
    /// The check, for `turns`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub check: Option<String>,
    /// The tool that its tasks are meant for, for `lane`: the `lane` of their `lane-use` checks.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub lane: Option<String>,
    /// A check of a control task, for `blind`: it passes where what blind tasks are watched for is seen at all.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub control: Option<String>,
    /// Only tasks of this family; not for `not-worse` and `denominators`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub family: Option<String>,
    /// The name of the threshold, for `rate`, `turns` and `lane`; a `lane` that decides nothing may have none.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub threshold: Option<String>,
    /// With fewer tasks that were tried, fewer turns or attempts, it is `incomplete`; an `encoding` with fewer
    /// records that were to be written fails.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub minimum: Option<u32>,
    /// Whether the experiment is decided by it. With `false` it is told, and decides nothing; a `lane` counts optional
    /// tasks then, too.
    #[serde(skip_serializing_if = "is_true")]
    #[cfg_attr(feature = "schema", schemars(default))]
    pub decides: bool,
}

/// A pinned source of keys.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(
    feature = "schema",
    derive(schemars::JsonSchema),
    schemars(deny_unknown_fields)
)]
pub struct Source {
    /// Its id.
    #[cfg_attr(feature = "schema", schemars(schema_with = "super::schema::name"))]
    pub id: String,
    /// Where it lies.
    #[serde(flatten)]
    pub origin: Origin,
}

/// Where a source lies.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(tag = "kind", rename_all = "kebab-case")]
pub enum Origin {
    /// A file of a git commit.
    Git {
        /// The commit: 40 hexadecimal digits.
        commit: String,
        /// The file's path in it.
        path: String,
        /// The SHA-256 of the file, where it is pinned too.
        #[serde(skip_serializing_if = "Option::is_none")]
        sha256: Option<String>,
    },
    /// A file under the folder that `--files` names.
    File {
        /// Its path there.
        path: String,
        /// Its SHA-256.
        sha256: String,
    },
    /// A fact that was captured while the runs went on.
    Fact {
        /// Its name.
        fact: String,
        /// The phases in which it was captured. Where they do not agree, the key is unknown.
        phases: Vec<String>,
    },
    /// A text that stands here.
    Inline {
        /// The text.
        text: String,
    },
}

/// Who may have answered a task, by its dispatch.
pub const DISPATCHES: [&str; 5] = ["main", "subagent", "workflow-child", "codex-exec", "file"];
/// What a task is for.
pub(super) const OPPORTUNITIES: [&str; 3] = ["organic", "control", "optional"];
/// What a check looks at.
pub(super) const SUBJECTS: [&str; 2] = ["answer", "turn"];
/// What may become of a fact that the grammar could not read.
pub(super) const EXTRACTS: [&str; 2] = ["none", "judge"];
/// The kinds of gates.
pub(super) const GATES: [&str; 7] = [
    "rate",
    "not-worse",
    "turns",
    "lane",
    "encoding",
    "blind",
    "denominators",
];

impl Spec {
    /// Every check with the index of its task, those of turns without one last.
    pub fn checks(&self) -> impl Iterator<Item = (Option<usize>, &CheckSpec)> {
        let of_tasks = self.tasks.iter().enumerate().flat_map(|(index, task)| {
            let checks = task.checks.iter();
            checks.map(move |check| (Some(index), check))
        });
        of_tasks.chain(self.checks.iter().map(|check| (None, check)))
    }

    /// The dotted field of a check.
    #[must_use]
    pub fn field_of(&self, id: &str) -> Option<String> {
        for (index, task) in self.tasks.iter().enumerate() {
            if let Some(at) = task.checks.iter().position(|check| check.id == id) {
                return Some(format!("tasks.{index}.checks.{at}"));
            }
        }
        let at = self.checks.iter().position(|check| check.id == id)?;
        Some(format!("checks.{at}"))
    }
}

impl Gate {
    /// The checks of a task whose own results the gate counts.
    pub fn reads<'t>(&'t self, task: &'t Task) -> impl Iterator<Item = &'t CheckSpec> {
        task.checks.iter().filter(|check| match self.kind {
            "lane" => {
                let lane = check.params.get("lane").and_then(Value::as_str);
                check.kind == "lane-use" && lane == self.lane.as_deref()
            }
            "encoding" => check.kind == "round-trip",
            "blind" => check.kind == "blindness",
            _ => false,
        })
    }
}

impl KeySpec {
    /// Every source in it.
    #[must_use]
    pub fn sources(&self) -> Vec<&str> {
        let below = self.fields.iter().flat_map(BTreeMap::values);
        self.source
            .as_deref()
            .into_iter()
            .chain(below.flat_map(Self::sources))
            .collect()
    }

    /// Every recipe in it.
    #[must_use]
    pub fn recipes(&self) -> Vec<&Recipe> {
        let below = self.fields.iter().flat_map(BTreeMap::values);
        self.recipe
            .iter()
            .chain(below.flat_map(Self::recipes))
            .collect()
    }
}
