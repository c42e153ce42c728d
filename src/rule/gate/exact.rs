//! Any profile over finished turns: the exact ones are driven with the very calls of the record.

use std::collections::BTreeSet;

use serde_json::Value;

use super::claim_type::infer;
use super::replay::{Answer, GateVerdict, Guards, Reason, ReplayGate};
use super::{
    Call, ClaimType, GateHooks, GateState, HookCall, HookOptions, Preset, Profile, StopAnswer,
    ToolStep, Verdict,
};
use crate::rule::claim::Reading;
use crate::shell::Effect;
use crate::text::Prose;
use crate::transcript::Outcome;
use crate::turn::{Ended, Moment, Step, Turn};

/// Rejected stops before the adapter's valve opens: its own default.
const MAX_BLOCKS: i64 = 3;

/// One session's gate in the profile that was asked for.
#[derive(Debug)]
pub enum Gate {
    /// The default.
    Replay(Box<ReplayGate>),
    /// The package's core.
    Core(Box<GateState>),
    /// The package's adapter.
    Hooks(Box<GateHooks>),
}

impl Gate {
    /// A gate for one session.
    #[must_use]
    pub fn new(profile: Profile, preset: Preset, goals: &[String]) -> Self {
        match profile {
            Profile::Replay => Self::Replay(Box::new(ReplayGate::new(preset, goals.to_vec()))),
            Profile::Gg01 | Profile::Gg04 => {
                let mut state = GateState::new(profile, preset);
                state.goal_predicates = goals.to_vec();
                Self::Core(Box::new(state))
            }
            Profile::Gg04Hooks => Self::Hooks(Box::new(GateHooks::new(HookOptions {
                preset,
                claim_surface: BTreeSet::new(),
                max_blocks: MAX_BLOCKS,
                goal_predicates: goals.to_vec(),
                gate_subagents: false,
            }))),
        }
    }

    /// Lets some guards of `replay` stand only; the published profiles have none that could go.
    #[must_use]
    pub(crate) fn with_guards(self, guards: Guards) -> Self {
        match self {
            Self::Replay(gate) => Self::Replay(Box::new(gate.with_guards(guards))),
            other => other,
        }
    }

    /// Judges a turn and takes what it did into the session's state.
    pub fn judge(&mut self, turn: &Turn) -> Answer {
        match self {
            Self::Replay(gate) => gate.judge(turn),
            Self::Core(state) => core(state, turn),
            Self::Hooks(hooks) => adapter(hooks, turn),
        }
    }

    /// As [`Self::judge`], for a turn whose last close has been read already.
    pub fn judge_read(&mut self, turn: &Turn, close: Option<(&Prose<'_>, &Reading)>) -> Answer {
        match self {
            Self::Replay(gate) => gate.judge_read(turn, close),
            _ => self.judge(turn),
        }
    }
}

fn mutating(step: &Step) -> bool {
    step.acts.iter().any(|act| act.effect == Effect::Mutate)
}

fn reading(step: &Step) -> bool {
    step.acts.iter().any(|act| act.effect == Effect::Read) && !mutating(step)
}

/// The core has no turn reset of its own: its caller clears the latches.
fn core(state: &mut GateState, turn: &Turn) -> Answer {
    state.start_turn();
    let mut verdict = None;
    let acted = turn.steps.iter().any(mutating);
    for moment in &turn.moments {
        match *moment {
            Moment::Reasoned => {
                state.reasoning();
            }
            Moment::Stepped(index) => {
                let step = &turn.steps[index];
                if mutating(step) {
                    for path in step.acts.iter().flat_map(|act| &act.writes) {
                        state.claim_surface.insert(path.clone());
                    }
                }
                if step.repeatable {
                    state.novelty_exempt.insert(step.tool.clone());
                }
                if mutating(step) || reading(step) {
                    state.tool_call(&ToolStep {
                        call: call(step),
                        mutating: mutating(step),
                        signals: Vec::new(),
                        exit_ok: true,
                    });
                }
            }
            Moment::Attempted(index) => {
                let claim = infer(&turn.closes[index].text, acted);
                verdict = Some((state.boundary(claim.claim_type), claim));
            }
            Moment::Hung(_) | Moment::Unread(_) | Moment::Moved => {}
        }
    }
    let Some((verdict, claim)) = verdict.filter(|_| turn.ended == Ended::Closed) else {
        return Answer::without_close(state.budget);
    };
    let holds = verdict == Verdict::Accept;
    answer(holds, claim.claim_type, claim.span, state.budget)
}

fn adapter(hooks: &mut GateHooks, turn: &Turn) -> Answer {
    hooks.prompt();
    let mut stopped = None;
    for moment in &turn.moments {
        match *moment {
            Moment::Stepped(index) => {
                let step = &turn.steps[index];
                let input = serde_json::from_str(&step.args)
                    .unwrap_or_else(|_| Value::from(step.args.as_str()));
                let response = Value::from(step.text.as_str());
                let call = HookCall {
                    tool: &step.tool,
                    input: &input,
                    response: &response,
                    subagent: false,
                };
                match step.outcome {
                    Outcome::Ok => hooks.post(&call),
                    _ => hooks.fail(&call),
                }
            }
            Moment::Attempted(_) => stopped = Some(hooks.stop()),
            Moment::Reasoned | Moment::Hung(_) | Moment::Unread(_) | Moment::Moved => {}
        }
    }
    let budget = hooks.state().budget;
    let Some(stop) = stopped.filter(|_| turn.ended == Ended::Closed) else {
        return Answer::without_close(budget);
    };
    let claim = if hooks.state().last_mutation_step > 0 {
        ClaimType::Completion
    } else {
        ClaimType::Assertion
    };
    answer(stop == StopAnswer::Allow, claim, None, budget)
}

fn call(step: &Step) -> Call<'_> {
    Call {
        tool: &step.tool,
        args: &step.args,
        result: step.text.as_str(),
    }
}

fn answer(
    holds: bool,
    claim: ClaimType,
    span: Option<core::ops::Range<usize>>,
    budget: i64,
) -> Answer {
    let reason = match (holds, claim) {
        (true, ClaimType::None) => Reason::NoClaim,
        (true, ClaimType::Unverified) => Reason::OpenlyUnverified,
        (true, ClaimType::Unknown) => Reason::Language,
        (true, ClaimType::Assertion) => Reason::Grounded,
        (true, ClaimType::Completion) => Reason::Verified,
        (false, _) if budget <= 0 => Reason::BudgetExhausted,
        (false, ClaimType::Completion) => Reason::NoVerifiedObservation,
        (false, _) => Reason::NoQualifyingObservation,
    };
    Answer {
        claim_type: claim,
        span,
        verdict: if holds {
            GateVerdict::Accept
        } else {
            GateVerdict::Reject
        },
        reason,
        ..Answer::without_close(budget)
    }
}
