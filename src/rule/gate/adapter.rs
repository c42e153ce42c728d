//! The agent-SDK adapter `GateHooks` of 0.4.1: tool results, failures, stops and prompts.
//!
//! It differs from the turn loop in what it is told. A tool is read-only or mutating by its name
//! alone, and `Bash` always mutates; a tool in neither list does neither. What a mutation touched
//! joins the claim surface. The claim at a stop is a completion once anything was ever mutated.
//! No event stands for thought, so only rejected stops cost budget.

use std::collections::BTreeSet;

use serde_json::Value;

use super::core::{Call, GateState, Progress, Verdict};
use super::profile::{ClaimType, Preset, Profile};
use super::pyjson::{dumps, scalar_str};
use super::python::identifiers;

const READ_ONLY_TOOLS: [&str; 6] = [
    "Read",
    "Glob",
    "Grep",
    "WebFetch",
    "WebSearch",
    "NotebookRead",
];
const MUTATING_TOOLS: [&str; 5] = ["Write", "Edit", "MultiEdit", "NotebookEdit", "Bash"];
/// Input keys whose values name what a call touched.
const PATH_KEYS: [&str; 5] = ["file_path", "path", "notebook_path", "filename", "file"];

/// How a hooks gate is set up.
#[derive(Debug, Clone)]
pub struct HookOptions {
    /// Budget and strictness.
    pub preset: Preset,
    /// Identifiers the session is about; mutations add to them.
    pub claim_surface: BTreeSet<String>,
    /// Rejected stops before the valve opens.
    pub max_blocks: i64,
    /// Signals a completion needs; no event can supply one.
    pub goal_predicates: Vec<String>,
    /// Whether a subagent's calls count for its parent.
    pub gate_subagents: bool,
}

/// One tool event.
#[derive(Debug, Clone, Copy)]
pub struct HookCall<'a> {
    /// Tool name.
    pub tool: &'a str,
    /// Tool input as the event carries it.
    pub input: &'a Value,
    /// Tool response as the event carries it; unused for a failed call.
    pub response: &'a Value,
    /// Whether a subagent made the call.
    pub subagent: bool,
}

/// The adapter's answer to a stop.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum StopAnswer {
    /// The stop is let through: accepted, or in a turn without tool calls.
    Allow,
    /// The stop is blocked, for this reason.
    Block(String),
    /// The stop is let through unverified, the valve having opened.
    ExitUnverified,
}

impl StopAnswer {
    /// What the user is shown when the valve opens.
    pub const BANNER: &'static str = "grounding-gate: exiting UNVERIFIED — the agent finished \
        without a qualifying observation backing its claims.";
}

/// The adapter's telemetry: the state's and its own counters.
#[derive(Debug, Clone, PartialEq, Eq, serde::Serialize)]
pub struct HookProgress {
    /// The state's part.
    #[serde(flatten)]
    pub state: Progress,
    /// Rejected stops since the last accepted one, prompt or opened valve.
    pub blocks: i64,
    /// Rejected stops before the valve opens.
    pub max_blocks: i64,
    /// Tool calls since the last prompt.
    pub tool_calls_this_turn: i64,
    /// Whether the last stop let through went out by the valve.
    pub exited_unverified: bool,
}

/// A gate fed by agent-SDK events.
#[derive(Debug, Clone)]
pub struct GateHooks {
    state: GateState,
    max_blocks: i64,
    gate_subagents: bool,
    blocks: i64,
    tool_calls_this_turn: i64,
    exited_unverified: bool,
}

impl GateHooks {
    /// A fresh gate.
    #[must_use]
    pub fn new(options: HookOptions) -> Self {
        let mut state = GateState::new(Profile::Gg04Hooks, options.preset);
        state.claim_surface = options.claim_surface;
        state.goal_predicates = options.goal_predicates;
        Self {
            state,
            max_blocks: options.max_blocks,
            gate_subagents: options.gate_subagents,
            blocks: 0,
            tool_calls_this_turn: 0,
            exited_unverified: false,
        }
    }

    /// The state behind the hooks.
    #[must_use]
    pub fn state(&self) -> &GateState {
        &self.state
    }

    /// A call that succeeded.
    pub fn post(&mut self, call: &HookCall<'_>) {
        if self.ignores(call) {
            return;
        }
        self.tool_calls_this_turn = self.tool_calls_this_turn.saturating_add(1);
        let args = serialize(call.input);
        let result = serialize(call.response);
        let observed = Call {
            tool: call.tool,
            args: &args,
            result: &result,
        };
        self.state
            .observe(&observed, READ_ONLY_TOOLS.contains(&call.tool));
        self.note_mutation(call);
    }

    /// A call that failed: it grounds nothing, yet may have changed something on the way.
    pub fn fail(&mut self, call: &HookCall<'_>) {
        if self.ignores(call) {
            return;
        }
        self.tool_calls_this_turn = self.tool_calls_this_turn.saturating_add(1);
        self.state.count_step();
        self.note_mutation(call);
    }

    /// A new prompt opens a new turn.
    pub fn prompt(&mut self) {
        self.state.start_turn();
        self.exited_unverified = false;
        self.blocks = 0;
        self.tool_calls_this_turn = 0;
    }

    /// The agent wants to stop.
    pub fn stop(&mut self) -> StopAnswer {
        if self.tool_calls_this_turn == 0 {
            return StopAnswer::Allow;
        }
        let claim = if self.state.last_mutation_step > 0 {
            ClaimType::Completion
        } else {
            ClaimType::Assertion
        };
        if self.state.boundary(claim) == Verdict::Accept {
            self.blocks = 0;
            self.exited_unverified = false;
            return StopAnswer::Allow;
        }
        self.blocks = self.blocks.saturating_add(1);
        self.state.pay();
        if self.blocks > self.max_blocks || self.state.budget <= 0 {
            self.blocks = 0;
            self.exited_unverified = true;
            self.state.halted = false;
            return StopAnswer::ExitUnverified;
        }
        StopAnswer::Block(self.reason(claim))
    }

    /// The telemetry snapshot.
    #[must_use]
    pub fn progress(&self) -> HookProgress {
        HookProgress {
            state: self.state.progress(),
            blocks: self.blocks,
            max_blocks: self.max_blocks,
            tool_calls_this_turn: self.tool_calls_this_turn,
            exited_unverified: self.exited_unverified,
        }
    }

    fn ignores(&self, call: &HookCall<'_>) -> bool {
        call.subagent && !self.gate_subagents
    }

    fn note_mutation(&mut self, call: &HookCall<'_>) {
        if MUTATING_TOOLS.contains(&call.tool) {
            self.state.record_mutation();
            add_touched(&mut self.state.claim_surface, call.input);
        }
    }

    /// The package's text for a blocked stop. Two of its parts cannot occur here: with the budget
    /// spent the valve is already open, and without a missing part the stop was accepted.
    fn reason(&self, claim: ClaimType) -> String {
        let mut missing = Vec::new();
        if claim == ClaimType::Completion && !self.state.verified_this_turn {
            missing.push(
                "no verified-tier observation: re-read what you modified \
                 (a fresh read of the changed files, AFTER the change)"
                    .to_owned(),
            );
        }
        if claim == ClaimType::Assertion && !self.state.grounded_this_turn {
            missing.push(
                "no qualifying observation this turn: read the thing your \
                 answer makes claims about (a novel, relevant read)"
                    .to_owned(),
            );
        }
        if claim == ClaimType::Assertion && self.state.strict_g && !self.state.verified_this_turn {
            missing.push(
                "strict-G preset: even assertions need verified-tier \
                 grounding (an observation taken after your change)"
                    .to_owned(),
            );
        }
        let unmet: Vec<&str> = self.state.unmet_signals().collect();
        if !unmet.is_empty() {
            missing.push(format!(
                "declared signals not verified: {}",
                unmet.join(", ")
            ));
        }
        format!(
            "grounding-gate REJECTED this finish ({}). Legal next moves: make the qualifying \
             observation and finish again, or state explicitly that your result is UNVERIFIED.",
            missing.join("; ")
        )
    }
}

/// A value as the adapter hashes it: text as it stands, anything else as sorted JSON.
fn serialize(value: &Value) -> String {
    match value {
        Value::String(text) => text.clone(),
        other => dumps(other),
    }
}

/// Adds the identifiers of what a mutation touched: the scalars under path keys of an object if it
/// has any, else every value below; never the keys.
fn add_touched(surface: &mut BTreeSet<String>, input: &Value) {
    match input {
        Value::Object(map) => {
            let paths: Vec<String> = map
                .iter()
                .filter(|(key, value)| PATH_KEYS.contains(&key.as_str()) && !value.is_null())
                .filter_map(|(_, value)| scalar_str(value))
                .collect();
            if paths.is_empty() {
                map.values().for_each(|value| add_touched(surface, value));
            } else {
                paths.iter().for_each(|path| add_identifiers(surface, path));
            }
        }
        Value::Array(items) => items.iter().for_each(|item| add_touched(surface, item)),
        Value::Null => {}
        scalar => {
            if let Some(text) = scalar_str(scalar) {
                add_identifiers(surface, &text);
            }
        }
    }
}

fn add_identifiers(surface: &mut BTreeSet<String>, text: &str) {
    surface.extend(identifiers(text).map(str::to_owned));
}

#[cfg(test)]
mod tests;
