//! A child of a workflow: the journal holds its result, the runner's log a second copy of it.

use serde_json::Value;

use super::{Carried, CrossCheck, DIFFERS, Spoken, UNCLASSED};
use crate::transcript::{is_limit_notice, is_login_failure};

/// What a workflow leaves behind of one child, under the child's key.
#[derive(Debug, Clone)]
pub struct WorkflowRun<'a> {
    /// Whether the journal tells its start.
    pub started: bool,
    /// Whether the journal starts the same key again later, and tells no result of this start.
    pub superseded: bool,
    /// The journal's result, as JSON.
    pub result: Option<&'a str>,
    /// The response that the runner logged, as JSON.
    pub logged: Option<&'a str>,
    /// What progress and log tell of faults.
    pub errors: Vec<&'a str>,
    /// How its run record says that it ended.
    pub end: Option<RunEnd<'a>>,
    /// What its own transcript comes to.
    pub spoken: &'a Spoken,
}

/// How a run record says that a run ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct RunEnd<'a> {
    /// `completed`, `failed`, `error`, `killed`.
    pub status: &'a str,
    /// What it says of a fault.
    pub error: &'a str,
    /// Whether the fault is that no answer of the asked shape came within the tries.
    pub capped: bool,
}

impl WorkflowRun<'_> {
    /// What became of the child.
    #[must_use]
    pub fn carried(&self) -> Carried {
        if self.superseded {
            return superseded(self.spoken);
        }
        let result = self.result.map(str::trim);
        match result.filter(|result| *result != "null") {
            Some(result) => self.answered(result),
            None => self.unanswered(result.is_some()),
        }
    }

    fn answered(&self, result: &str) -> Carried {
        let Some((answer, value)) = valid(result) else {
            // A result of another shape was given all the same: there is no cause why none was.
            let mut carried = Carried::without("schema");
            carried.cause = None;
            return carried;
        };
        let mut carried = Carried::with(answer);
        if self.spoken.torn {
            carried.doubt("parse");
        }
        let logged = self
            .logged
            .and_then(|text| serde_json::from_str::<Value>(text).ok());
        carried.check = match logged {
            None => CrossCheck::Unavailable,
            Some(logged) if logged == value => CrossCheck::Equal,
            Some(_) => CrossCheck::Mismatch,
        };
        if carried.check == CrossCheck::Mismatch {
            carried.doubt(DIFFERS);
        }
        carried
    }

    /// The order of causes is that of seed 002: what broke a run off explains its missing result.
    fn unanswered(&self, null: bool) -> Carried {
        let spoken = self.spoken;
        let login =
            |carried: &Carried| carried.class == super::Class::Inadmissible("startup-error");
        let recorded = self.end.map(|end| end.error);
        let mut told = self.errors.iter().copied().chain(recorded);
        if spoken.limited() || told.any(is_limit_notice) {
            return Carried::broken_off("usage-limit");
        }
        let fault = spoken.faulted();
        if !self.started || fault.as_ref().is_some_and(login) {
            return Carried::broken_off("startup-error");
        }
        if null {
            return Carried::without("null-result");
        }
        match self.end {
            Some(end) if matches!(end.status, "failed" | "error") => match fault {
                _ if end.capped => Carried::without("schema-invalid"),
                Some(fault) => fault,
                None if is_login_failure(end.error) => Carried::broken_off("interrupted-driver"),
                None => Carried::without("null-result"),
            },
            None => Carried::broken_off("interrupted-driver"),
            Some(end) if end.status == "killed" => Carried::broken_off("interrupted-driver"),
            Some(_) => Carried::not_completed(UNCLASSED),
        }
    }
}

/// A start that another one of the same key took the place of is judged by its own last record.
fn superseded(spoken: &Spoken) -> Carried {
    if let Some(fault) = spoken.faulted() {
        return fault;
    }
    match spoken.answer() {
        Some(input) => match valid(input) {
            Some((answer, _)) => Carried::with(answer),
            None => Carried::without("schema-invalid"),
        },
        None if spoken.last().is_some() => Carried::without("null-result"),
        None => Carried::broken_off("interrupted-driver"),
    }
}

/// The answer of a result that has exactly an `answer` in words and an `evidence` list of words.
fn valid(result: &str) -> Option<(String, Value)> {
    let value: Value = serde_json::from_str(result).ok()?;
    let fields = value.as_object().filter(|fields| fields.len() == 2)?;
    let answer = fields.get("answer")?.as_str()?.to_owned();
    let evidence = fields.get("evidence")?.as_array()?;
    evidence
        .iter()
        .all(Value::is_string)
        .then_some((answer, value))
}
