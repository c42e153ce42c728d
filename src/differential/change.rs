//! Planted changes of a case: what a checker says must turn where the facts do.
//!
//! Four sorts: a step is removed, a status is another one, two steps change places, the claim says
//! something else.

use serde_json::{Value, json};

use crate::control::session::{End, Script, Step, Turn};

/// A changed case.
pub(super) struct Changed<T> {
    /// The change, in words.
    pub(super) what: String,
    /// What came of it.
    pub(super) made: T,
}

/// What a close or a call of a gate may claim.
const CLAIMS: [&str; 4] = ["assertion", "completion", "unverified", "none"];

/// The changes of a gate case, by sort.
pub(super) fn gate(case: &Value) -> [Vec<Changed<Value>>; 4] {
    let ops = case.get("ops").and_then(Value::as_array);
    let ops = ops.map_or(&[][..], Vec::as_slice);
    let name = |at: usize| {
        let name = ops[at].get("op").and_then(Value::as_str);
        format!("ops[{at}] ({})", name.unwrap_or("?"))
    };
    let with = |what: String, change: &dyn Fn(&mut Vec<Value>)| {
        let mut made = case.clone();
        if let Some(ops) = made.get_mut("ops").and_then(Value::as_array_mut) {
            change(ops);
        }
        Changed { what, made }
    };
    let mut sorts = [Vec::new(), Vec::new(), Vec::new(), surfaces(case)];
    for (at, op) in ops.iter().enumerate() {
        if ops.len() > 1 {
            let what = format!("remove-step: {}", name(at));
            sorts[0].push(with(what, &|ops| drop(ops.remove(at))));
        }
        for (key, value) in statuses(op) {
            let what = format!("flip-status: {} {key} {value}", name(at));
            sorts[1].push(with(what, &|ops| ops[at][key] = value.clone()));
        }
        if ops.get(at + 1).is_some_and(|next| next != op) {
            let what = format!("swap-order: {} and {}", name(at), name(at + 1));
            sorts[2].push(with(what, &|ops| ops.swap(at, at + 1)));
        }
        let claim = op.get("claim_type").and_then(Value::as_str);
        for other in CLAIMS
            .iter()
            .filter(|other| claim.is_some_and(|own| own != **other))
        {
            let what = format!("alter-claim: {} claim_type {other}", name(at));
            sorts[3].push(with(what, &|ops| ops[at]["claim_type"] = json!(other)));
        }
    }
    sorts
}

/// How an operation may have gone otherwise: the field, and what it becomes.
fn statuses(op: &Value) -> Vec<(&'static str, Value)> {
    let truth = |key: &str| op.get(key).and_then(Value::as_bool);
    match op.get("op").and_then(Value::as_str) {
        Some("post") => vec![("op", json!("fail"))],
        Some("fail") => vec![("op", json!("post"))],
        Some("classify") => {
            let flipped = truth("read_only").map(|own| ("read_only", json!(!own)));
            flipped.into_iter().collect()
        }
        Some("tool_call") => {
            let mutating = !truth("mutating").unwrap_or(false);
            let mut flipped = vec![("mutating", json!(mutating))];
            // Nothing but its signals hangs on a call's exit status.
            if op.get("signals").is_some() {
                let ok = !truth("exit_ok").unwrap_or(true);
                flipped.push(("exit_ok", json!(ok)));
            }
            flipped
        }
        _ => Vec::new(),
    }
}

/// The case with one identifier fewer among those that the claim is about.
fn surfaces(case: &Value) -> Vec<Changed<Value>> {
    let mut found = Vec::new();
    for pointer in ["/claim_surface", "/init/claim_surface"] {
        let surface = case.pointer(pointer).and_then(Value::as_array);
        for at in 0..surface.map_or(0, Vec::len) {
            let mut made = case.clone();
            let surface = made.pointer_mut(pointer).and_then(Value::as_array_mut);
            if let Some(surface) = surface {
                surface.remove(at);
            }
            let what = format!("alter-claim: without claim_surface[{at}]");
            found.push(Changed { what, made });
        }
    }
    found
}

/// The changes of a function's call: one character of a text is gone, or a digit is another one.
pub(super) fn text(call: &Value) -> [Vec<Changed<Value>>; 2] {
    let mut sorts = [Vec::new(), Vec::new()];
    for key in ["in", "args", "result"] {
        let Some(text) = call.get(key).and_then(Value::as_str) else {
            continue;
        };
        let with = |what: &str, at: usize, place: usize, other: &str| {
            let end = at + text[at..].chars().next().map_or(0, char::len_utf8);
            let mut made = call.clone();
            made[key] = json!(format!("{}{other}{}", &text[..at], &text[end..]));
            Changed {
                what: format!("{what}: {key}, character {}", place + 1),
                made,
            }
        };
        for (place, (at, c)) in text.char_indices().enumerate() {
            sorts[0].push(with("remove-character", at, place, ""));
            if let Some(digit) = c.to_digit(10) {
                let other = ((digit + 1) % 10).to_string();
                sorts[1].push(with("alter-digit", at, place, &other));
            }
        }
    }
    sorts
}

/// The changes of a session, by sort.
pub(super) fn session(script: &Script) -> [Vec<Changed<Script>>; 4] {
    let mut sorts = [const { Vec::new() }; 4];
    for (turn, own) in script.turns.iter().enumerate() {
        let with = |what: String, change: &dyn Fn(&mut Turn)| {
            let mut made = script.clone();
            change(&mut made.turns[turn]);
            let what = what.replacen(':', &format!(": turn {}", turn + 1), 1);
            Changed { what, made }
        };
        for (at, step) in own.steps.iter().enumerate() {
            if stands_alone(step) {
                let what = format!("remove-step: step {}", at + 1);
                sorts[0].push(with(what, &|turn| drop(turn.steps.remove(at))));
            }
            if let Some(flipped) = flipped(step) {
                let what = format!("flip-status: step {}", at + 1);
                sorts[1].push(with(what, &|turn| turn.steps[at] = flipped.clone()));
            }
            let next = own.steps.get(at + 1);
            if next.is_some_and(|next| next != step && stands_alone(next)) && stands_alone(step) {
                let what = format!("swap-order: steps {} and {}", at + 1, at + 2);
                sorts[2].push(with(what, &|turn| turn.steps.swap(at, at + 1)));
            }
        }
        for (what, close) in own.close.iter().flat_map(|close| closes(close)) {
            let what = format!("alter-claim: close, {what}");
            sorts[3].push(with(what, &|turn| turn.close = Some(close.clone())));
        }
    }
    sorts
}

/// A look at a background call names the call.
fn stands_alone(step: &Step) -> bool {
    !matches!(step, Step::Launch { .. } | Step::Poll { .. })
}

/// The step with the opposite outcome, where it has one.
fn flipped(step: &Step) -> Option<Step> {
    let mut step = step.clone();
    match &mut step {
        Step::Command { end, .. }
        | Step::Poll { end, .. }
        | Step::Read { end, .. }
        | Step::Tool { end, .. } => match end {
            End::Code(code) => *code = i64::from(*code == 0),
            _ => return None,
        },
        Step::Edit { ok, .. } | Step::Write { ok, .. } => *ok = !*ok,
        _ => return None,
    }
    Some(step)
}

/// Other closes, each with what is other about it.
fn closes(close: &str) -> Vec<(&'static str, String)> {
    let mut found = Vec::new();
    if let Some(start) = close.find(|c: char| c.is_ascii_digit()) {
        let rest = &close[start..];
        let length = rest
            .find(|c: char| !c.is_ascii_digit())
            .unwrap_or(rest.len());
        if let Ok(number) = rest[..length].parse::<u32>() {
            let other = u64::from(number) + 1;
            let made = format!("{}{other}{}", &close[..start], &rest[length..]);
            found.push(("another number", made));
        }
    }
    for (word, other) in [
        (" pass", " fail"),
        (" fail", " pass"),
        ("All ", "Some "),
        (" is ", " is not "),
        (" are ", " are not "),
    ] {
        if close.contains(word) {
            found.push(("another word", close.replacen(word, other, 1)));
        }
    }
    found.push(("nothing claimed", "Here is what I looked at.".to_owned()));
    found
}

#[cfg(test)]
mod tests;
