//! Case documents: sequences of gate operations in, the same with our answers out.
//!
//! The form is that of the files under `tests/cases/gate-*.json`. `reference` names the package
//! and version whose behaviour is asked for; `cases[]` hold a preset, a starting state and `ops`,
//! and get one `expect` entry an op; `functions[]` hold calls of pure functions and get `out`.
//! Whatever else a document holds stays as and where it was.
//!
//! In a core case `init` and an op `set` assign fields of the state as they stand, without any
//! check; `cap` and `refill` beside `preset` are the constructor's overrides of 0.3.0 and later,
//! which are checked. An op of an unknown name does nothing, as in the package's turn loop.

use std::collections::BTreeSet;

use serde_json::{Map, Value, json};

use super::adapter::{GateHooks, HookCall, HookOptions, StopAnswer};
use super::core::{Call, GateState, Grounding, LEGAL_NEXT, Reasoning, ToolStep, Verdict};
use super::field::{CaseError, Fields};
use super::format::to_case_text;
use super::normalize::{normalize_01, normalize_04};
use super::profile::{ClaimType, Preset, Profile};
use super::python::extract_identifiers;

/// Replays a case document and returns it with every answer filled in, in the files' own layout.
///
/// `profile` overrides what the document's `reference` asks for. Answers already present are
/// replaced, never read.
///
/// # Errors
/// [`CaseError`] names the first field that is missing or of the wrong kind, an unsupported
/// `reference`, or [`Profile::Replay`], which has no case form.
pub fn replay_cases(input: &str, profile: Option<Profile>) -> Result<String, CaseError> {
    let mut document: Value = serde_json::from_str(input).map_err(|e| {
        let what = format!("not JSON at line {} column {}", e.line(), e.column());
        CaseError::new("$", what)
    })?;
    let root = Fields::new(&document, String::new()).map_err(|e| CaseError::new("$", e.what))?;
    let profile = match profile {
        Some(profile) => profile,
        None => profile_of(&root)?,
    };
    if profile == Profile::Replay {
        return Err(CaseError::new("profile", "replay has no case form"));
    }
    let answers = answers(&root, profile)?;
    fill(&mut document, answers);
    to_case_text(&document).map_err(|_| CaseError::new("$", "cannot be written as JSON"))
}

fn profile_of(root: &Fields<'_>) -> Result<Profile, CaseError> {
    Profile::from_reference(root.need_str("reference")?).ok_or_else(|| {
        root.error(
            "reference",
            "expected grounding_gate 0.1.0, 0.4.0 or 0.4.1, or GateHooks of the last two",
        )
    })
}

/// What goes into the document: per case, per function, and the constants it restates.
struct Answers {
    expects: Vec<Value>,
    outs: Vec<Value>,
    constants: Vec<(&'static str, Value)>,
}

fn answers(root: &Fields<'_>, profile: Profile) -> Result<Answers, CaseError> {
    let cases = root.array("cases")?;
    let functions = root.array("functions")?;
    if cases.is_none() && functions.is_none() {
        return Err(root.error("cases", "expected an array"));
    }
    let mut expects = Vec::new();
    for (i, case) in cases.unwrap_or_default().iter().enumerate() {
        let case = Fields::new(case, format!("cases[{i}]"))?;
        expects.push(if profile == Profile::Gg04Hooks {
            hooks_case(&case)?
        } else {
            core_case(&case, profile)?
        });
    }
    let mut outs = Vec::new();
    for (i, function) in functions.unwrap_or_default().iter().enumerate() {
        let function = Fields::new(function, format!("functions[{i}]"))?;
        outs.push(call_function(&function, profile)?);
    }
    let constants = [("legal_next", json!(LEGAL_NEXT)), ("presets", presets())];
    Ok(Answers {
        expects,
        outs,
        constants: constants
            .into_iter()
            .filter(|(key, _)| root.raw(key).is_some())
            .collect(),
    })
}

fn presets() -> Value {
    let entry = |preset: Preset| {
        let limits = json!({
            "CAP": preset.cap(),
            "REFILL": preset.refill(),
            "strict_g": preset.strict_g(),
        });
        (preset.as_str().to_owned(), limits)
    };
    Value::Object(Preset::ALL.into_iter().map(entry).collect())
}

fn fill(document: &mut Value, answers: Answers) {
    let Value::Object(root) = document else {
        return;
    };
    for (key, value) in answers.constants {
        root.insert(key.to_owned(), value);
    }
    for (list, key, values) in [
        ("cases", "expect", answers.expects),
        ("functions", "out", answers.outs),
    ] {
        let items = root.get_mut(list).and_then(Value::as_array_mut);
        for (item, value) in items.into_iter().flatten().zip(values) {
            if let Value::Object(map) = item {
                map.insert(key.to_owned(), value);
            }
        }
    }
}

fn call_function(function: &Fields<'_>, profile: Profile) -> Result<Value, CaseError> {
    match function.need_str("fn")? {
        "normalize" => {
            let text = function.need_text("in")?;
            Ok(json!(match profile {
                Profile::Gg01 => normalize_01(&text),
                Profile::Gg04 | Profile::Gg04Hooks | Profile::Replay => normalize_04(&text),
            }))
        }
        "extract_identifiers" => {
            let (args, result) = (function.need_text("args")?, function.need_text("result")?);
            Ok(json!(extract_identifiers(&args, &result)))
        }
        _ => Err(function.error("fn", "expected normalize or extract_identifiers")),
    }
}

fn preset_of(case: &Fields<'_>) -> Result<Preset, CaseError> {
    match case.str("preset")? {
        None => Ok(Preset::Default),
        Some(name) => Preset::parse(name)
            .ok_or_else(|| case.error("preset", "expected skipper, diverger or default")),
    }
}

fn ops_of<'a>(case: &Fields<'a>) -> Result<Vec<Fields<'a>>, CaseError> {
    let ops = case
        .array("ops")?
        .ok_or_else(|| case.error("ops", "expected an array"))?;
    ops.iter()
        .enumerate()
        .map(|(i, op)| Fields::new(op, format!("{}[{i}]", case.path_of("ops"))))
        .collect()
}

fn core_case(case: &Fields<'_>, profile: Profile) -> Result<Value, CaseError> {
    let preset = preset_of(case)?;
    let mut state = if profile == Profile::Gg01 {
        GateState::new(profile, preset)
    } else {
        GateState::with_limits(profile, preset, case.int("cap")?, case.int("refill")?)
            .map_err(|_| case.error("refill", "expected 1 <= refill < cap"))?
    };
    if let Some(init) = case.get("init") {
        assign(&mut state, &Fields::new(init, case.path_of("init"))?)?;
    }
    let mut expect = Vec::new();
    for op in ops_of(case)? {
        let answer = core_op(&mut state, &op)?;
        expect.push(answer.into_value(&state));
    }
    Ok(Value::Array(expect))
}

/// Sets the state's fields that an `init` or a `set` op names.
fn assign(state: &mut GateState, from: &Fields<'_>) -> Result<(), CaseError> {
    for (key, field) in [
        ("budget", &mut state.budget),
        ("cap", &mut state.cap),
        ("refill", &mut state.refill),
        ("last_mutation_step", &mut state.last_mutation_step),
        ("current_step", &mut state.current_step),
        ("last_verification_step", &mut state.last_verification_step),
        ("rejection_count", &mut state.rejection_count),
    ] {
        *field = from.int(key)?.unwrap_or(*field);
    }
    for (key, field) in [
        ("strict_g", &mut state.strict_g),
        ("grounded_this_turn", &mut state.grounded_this_turn),
        ("verified_this_turn", &mut state.verified_this_turn),
        ("halted", &mut state.halted),
    ] {
        *field = from.bool(key)?.unwrap_or(*field);
    }
    for (key, field) in [
        ("novelty_exempt", &mut state.novelty_exempt),
        ("claim_surface", &mut state.claim_surface),
        ("verified_signals", &mut state.verified_signals),
    ] {
        if let Some(set) = from.strings(key)? {
            *field = set;
        }
    }
    if let Some(goals) = from.strings("goal_predicates")? {
        state.goal_predicates = goals;
    }
    Ok(())
}

/// One answer of the core; what an op has no answer for stays null.
#[derive(Default)]
struct CoreAnswer {
    trace: Value,
    obs: Value,
    verdict: Value,
    legal_next: Value,
    emitted: Value,
}

impl CoreAnswer {
    fn into_value(self, state: &GateState) -> Value {
        json!({
            "trace": self.trace,
            "obs": self.obs,
            "verdict": self.verdict,
            "legal_next": self.legal_next,
            "emitted": self.emitted,
            "state": {
                "budget": state.budget,
                "cap": state.cap,
                "refill": state.refill,
                "strict_g": state.strict_g,
                "current_step": state.current_step,
                "last_mutation_step": state.last_mutation_step,
                "grounded_this_turn": state.grounded_this_turn,
                "verified_this_turn": state.verified_this_turn,
                "halted": state.halted,
                "verified_signals": state.verified_signals,
                "seen": state.seen(),
            },
        })
    }

    fn of_verdict(verdict: Verdict) -> Self {
        Self {
            verdict: json!(verdict.as_str()),
            legal_next: json!(verdict.legal_next()),
            ..Self::default()
        }
    }
}

fn core_op(state: &mut GateState, op: &Fields<'_>) -> Result<CoreAnswer, CaseError> {
    match op.need_str("op")? {
        "set" => {
            assign(state, op)?;
            Ok(CoreAnswer::default())
        }
        "classify" => {
            let read_only = op
                .bool("read_only")?
                .ok_or_else(|| op.error("read_only", "expected true or false"))?;
            let texts = CallTexts::read(op)?;
            let grounding = state.classify(&texts.call(), read_only);
            Ok(CoreAnswer {
                obs: obs_value(grounding),
                ..CoreAnswer::default()
            })
        }
        "boundary" => Ok(CoreAnswer::of_verdict(state.boundary(claim_of(op)?))),
        "terminal" => {
            let verdict = state.boundary(claim_of(op)?);
            let content = match verdict {
                Verdict::Accept => op.raw("content").cloned().unwrap_or_default(),
                Verdict::Reject => Value::Null,
            };
            Ok(CoreAnswer {
                trace: json!(["terminal", verdict.as_str()]),
                emitted: content,
                ..CoreAnswer::of_verdict(verdict)
            })
        }
        "tool_call" => tool_call(state, op),
        "reasoning" => Ok(match state.reasoning() {
            Reasoning::Allowed => CoreAnswer {
                trace: json!(["reasoning", null]),
                ..CoreAnswer::default()
            },
            Reasoning::Refused => CoreAnswer {
                trace: json!(["refused_reasoning", LEGAL_NEXT]),
                legal_next: json!(LEGAL_NEXT),
                ..CoreAnswer::default()
            },
        }),
        _ => Ok(CoreAnswer::default()),
    }
}

fn tool_call(state: &mut GateState, op: &Fields<'_>) -> Result<CoreAnswer, CaseError> {
    let texts = CallTexts::read(op)?;
    let step = ToolStep {
        call: texts.call(),
        mutating: op.bool("mutating")?.unwrap_or(false),
        signals: op.strings("signals")?.unwrap_or_default(),
        // A null here is falsy in the package, while an absent field means success.
        exit_ok: match op.raw("exit_ok") {
            None => true,
            Some(_) => op.bool("exit_ok")?.unwrap_or(false),
        },
    };
    let obs = obs_value(state.tool_call(&step));
    Ok(CoreAnswer {
        trace: json!(["tool_call", obs]),
        obs,
        ..CoreAnswer::default()
    })
}

struct CallTexts<'a> {
    tool: &'a str,
    args: String,
    result: String,
}

impl<'a> CallTexts<'a> {
    fn read(op: &Fields<'a>) -> Result<Self, CaseError> {
        Ok(Self {
            tool: op.need_str("tool")?,
            args: op.need_text("args")?,
            result: op.need_text("result")?,
        })
    }

    fn call(&self) -> Call<'_> {
        Call {
            tool: self.tool,
            args: &self.args,
            result: &self.result,
        }
    }
}

fn obs_value(grounding: Grounding) -> Value {
    json!({
        "grounds_assertion": grounding.assertion,
        "grounds_completion": grounding.completion,
    })
}

/// The claim of a close. Null is a value like any unknown one; an absent field is an error.
fn claim_of(op: &Fields<'_>) -> Result<ClaimType, CaseError> {
    match op.raw("claim_type") {
        Some(Value::Null) => Ok(ClaimType::Unknown),
        _ => op.need_str("claim_type").map(ClaimType::parse),
    }
}

fn hooks_case(case: &Fields<'_>) -> Result<Value, CaseError> {
    let mut hooks = GateHooks::new(HookOptions {
        preset: preset_of(case)?,
        claim_surface: case
            .strings::<BTreeSet<_>>("claim_surface")?
            .unwrap_or_default(),
        max_blocks: case.int("max_blocks")?.unwrap_or(3),
        goal_predicates: case.strings("goal_predicates")?.unwrap_or_default(),
        gate_subagents: case.bool("gate_subagents")?.unwrap_or(false),
    });
    let mut expect = Vec::new();
    for op in ops_of(case)? {
        let out = hooks_op(&mut hooks, &op)?;
        expect.push(json!({"out": out, "state": hooks_state(&hooks)}));
    }
    Ok(Value::Array(expect))
}

fn hooks_state(hooks: &GateHooks) -> Value {
    let mut state = json!(hooks.progress());
    if let Value::Object(map) = &mut state {
        map.insert(
            "claim_surface".to_owned(),
            json!(hooks.state().claim_surface),
        );
        map.insert("seen".to_owned(), json!(hooks.state().seen()));
    }
    state
}

fn hooks_op(hooks: &mut GateHooks, op: &Fields<'_>) -> Result<Value, CaseError> {
    // The adapter reads an absent input or response as the empty string.
    let empty = Value::String(String::new());
    let call = || -> Result<HookCall<'_>, CaseError> {
        Ok(HookCall {
            tool: op.str("tool")?.unwrap_or_default(),
            input: op.raw("input").unwrap_or(&empty),
            response: op.raw("response").unwrap_or(&empty),
            subagent: op.str("agent_id")?.is_some_and(|id| !id.is_empty()),
        })
    };
    let mut out = Map::new();
    match op.need_str("op")? {
        "post" => hooks.post(&call()?),
        "fail" => hooks.fail(&call()?),
        "prompt" => hooks.prompt(),
        "stop" => match hooks.stop() {
            StopAnswer::Allow => {}
            StopAnswer::Block(reason) => {
                out.insert("decision".to_owned(), json!("block"));
                out.insert("reason".to_owned(), json!(reason));
            }
            StopAnswer::ExitUnverified => {
                out.insert("systemMessage".to_owned(), json!(StopAnswer::BANNER));
            }
        },
        _ => return Err(op.error("op", "expected post, fail, stop or prompt")),
    }
    Ok(Value::Object(out))
}

#[cfg(test)]
mod tests;
