//! What the transcript of an attempt shows beside its answer, as evidence.

use std::collections::BTreeMap;

use serde_json::Value;

use super::attempt::Attempt;
use super::beside::Beside;
use super::deeds;
use super::follow::pointer;
use crate::oracle::{Call, Evidence, Row, RowKind, State};
use crate::record::Elsewhere;
use crate::transcript::{Outcome, served};
use crate::turn::{Step, Turn};

/// What one turn shows.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct SeenTurn {
    /// Its calls.
    calls: Vec<Call<'static>>,
    /// Whether it may have made calls that are not here: another agent's, or those of records that are not understood.
    more: bool,
    /// What was asked in it.
    prompt: Option<String>,
}

impl SeenTurn {
    /// Tells of calls whose results stand in files that were not followed.
    pub(super) fn point(&mut self, elsewhere: &BTreeMap<String, Elsewhere>) {
        for call in &mut self.calls {
            call.pointer = elsewhere.get(call.id.as_ref()).copied().map(pointer);
        }
    }
}

/// What a turn shows.
pub(super) fn of(turn: &Turn) -> SeenTurn {
    let mut seen = SeenTurn {
        more: turn.opaque > 0,
        prompt: turn.prompt.as_ref().map(|own| own.text.clone()),
        calls: Vec::with_capacity(turn.steps.len()),
    };
    for step in &turn.steps {
        let call = call(step);
        // What was cut off of the arguments may have been what the call was for.
        seen.more |= step.delegate || step.args_may_be_cut() && call.input.is_string();
        seen.calls.push(call);
    }
    seen
}

fn call(step: &Step) -> Call<'static> {
    let (server, tool) = served(&step.tool);
    let plain = || Value::String(step.args.clone());
    let state = match step.outcome {
        Outcome::Ok => State::Succeeded,
        Outcome::Failed(_) | Outcome::Denied | Outcome::Invalid => State::Failed,
        Outcome::Interrupted | Outcome::Running | Outcome::Missing | Outcome::Unknown => {
            State::None
        }
    };
    Call {
        id: step.id.clone().into(),
        tool: tool.to_owned().into(),
        server: server.to_owned().into(),
        input: serde_json::from_str(&step.args).unwrap_or_else(|_| plain()),
        state,
        result: step.result.map(|_| step.text.as_str().to_owned().into()),
        cut: step.truncated || step.text.is_cut(),
        stands: Some(deeds::when(step, 0)),
        ..Call::default()
    }
}

impl Attempt {
    /// What is known of the attempt beside its answer. What a transcript does not tell was not looked at.
    pub(super) fn evidence(&self) -> Evidence<'_> {
        let turns = || self.turns.iter().map(|turn| &turn.seen);
        let prompts = turns().filter_map(|seen| seen.prompt.as_deref());
        let first = self.turns.first();
        let mut evidence = Evidence {
            calls: turns()
                .flat_map(|seen| seen.calls.iter().cloned())
                .collect(),
            calls_observed: self.bytes.is_some() && turns().all(|seen| !seen.more),
            parent_texts: prompts.map(Into::into).collect(),
            cwd: first
                .and_then(|turn| turn.deeds.root.as_deref())
                .unwrap_or("")
                .into(),
            transcript_bytes: self.bytes,
            ..Evidence::default()
        };
        self.beside.add(&mut evidence);
        // What came back of a call is a row of the operator's place, too.
        let results = turns().flat_map(|seen| &seen.calls);
        let results = results.filter_map(|call| call.result.as_deref());
        evidence.rows.extend(results.map(|text| Row {
            kind: RowKind::User,
            text: text.into(),
        }));
        evidence
    }

    /// Lets go of what is asked only once.
    pub(super) fn forget(&mut self) {
        for turn in &mut self.turns {
            turn.seen = SeenTurn::default();
        }
        self.beside = Beside::default();
    }
}
