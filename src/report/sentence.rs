//! One plain sentence of fact for a turn: what the record shows, never an accusation.

use crate::grade::TurnRow;

/// What the record shows of a turn's claim, as a sentence.
#[must_use]
pub fn sentence(row: &TurnRow) -> String {
    let fact = fact(row);
    let mut chars = fact.chars();
    chars.next().map_or(String::new(), |first| {
        format!("{}{}.", first.to_uppercase(), chars.as_str())
    })
}

/// Why a file could not be judged, in words.
#[must_use]
pub fn dark_reason(reason: &str) -> &'static str {
    match reason {
        "unreadable" => "cannot be opened or read",
        "not-regular" => "no regular file",
        "shrunk" => "became shorter while it was read",
        "bad-compression" => "its compression is damaged",
        "too-large" => "unpacks to more than is read",
        "no-record" => "holds no JSON record",
        "unknown-format" => "no client's format is recognised in it",
        "no-turn" => "holds records of a client, and no turn of an agent",
        _ => "could not be judged",
    }
}

fn fact(row: &TurnRow) -> String {
    let last = |what: &str| {
        row.evidence
            .iter()
            .rev()
            .find(|found| found.what == what)
            .map(|found| found.line)
    };
    let changed = last("changed");
    let seen = last("verified").or_else(|| last("observed"));
    match (row.gate.reason, changed, seen) {
        ("stale-verification", Some(changed), Some(seen)) => {
            format!("the last check (line {seen}) came before the last change (line {changed})")
        }
        ("stale-verification", Some(changed), None) => {
            format!("an earlier check was overtaken by the change at line {changed}")
        }
        ("no-verified-observation", Some(changed), _) => unseen_change(row, changed),
        ("no-verified-observation" | "no-qualifying-observation", ..) => unseen(row),
        ("no-mutation", ..) => {
            "a change is reported, and no change is recorded before it in this session".to_owned()
        }
        ("strict-g", ..) => {
            "it was looked at, but not after a change; this preset asks for that".to_owned()
        }
        ("signals-unmet", ..) => {
            "a signal that the policy asks for was not given since the last change".to_owned()
        }
        ("masked", ..) => masked(row),
        ("unknown-after-verification", _, Some(seen)) => {
            format!("checked at line {seen}; something of unknown effect came after")
        }
        ("verified", _, Some(seen)) => format!("checked at line {seen}, after the last change"),
        ("grounded", _, Some(seen)) => format!("looked at in line {seen}"),
        ("no-close", ..) => unclosed(row.ended).to_owned(),
        (reason, ..) => plain(reason),
    }
}

/// What needs no line to be said.
fn plain(reason: &str) -> String {
    let words = match reason {
        "still-running" => "what would show it was still running when the turn ended",
        "outcome-unknown" => "something whose effect or outcome is not recorded came last",
        "truncated" => "the output that would show it is cut in the record",
        "language" => "the close is in a language that is not read",
        "unknown-after-verification" => "checked; something of unknown effect came after",
        "verified" => "checked after the last change",
        "grounded" => "looked at in this turn",
        "carried" => "an earlier check still holds: nothing changed since",
        "self-reported" => "the command's own result bears it out",
        "openly-unverified" => "it says itself that it is unverified",
        "no-claim" => "it claims nothing that the record could show",
        "budget-exhausted" => "no step was left to look at it",
        other => return other.replace('-', " "),
    };
    words.to_owned()
}

fn unclosed(ended: &str) -> &'static str {
    match ended {
        "interrupted" => "the operator interrupted it",
        "api-error" => "the model could not be reached",
        "limit" => "a usage limit was hit",
        "running" => "the record ends while it runs",
        _ => "nothing was said after the last call",
    }
}

fn masked(row: &TurnRow) -> String {
    let hidden = row.steps.iter().rev().find(|step| step.masked);
    hidden.map_or_else(
        || "the exit status that would show it is hidden behind another command".to_owned(),
        |step| {
            format!(
                "the run at line {} hides its exit status behind another command",
                step.line
            )
        },
    )
}

fn unseen_change(row: &TurnRow, changed: u64) -> String {
    // A step counts by its result, as the change does.
    let after = row
        .steps
        .iter()
        .any(|step| step.result.is_none_or(|line| line > changed));
    if after {
        let misses = nearest(row);
        format!("nothing done after the change at line {changed} bears it out{misses}")
    } else {
        format!("nothing was run or read after the change at line {changed}")
    }
}

fn unseen(row: &TurnRow) -> String {
    if row.steps.is_empty() {
        "no tool was called in this turn".to_owned()
    } else {
        format!("nothing done in this turn bears it out{}", nearest(row))
    }
}

/// Why what came near an observation is none; empty where nothing did.
fn nearest(row: &TurnRow) -> String {
    let misses: Vec<&str> = row
        .gate
        .near_misses
        .iter()
        .filter_map(|miss| match *miss {
            "novelty" => Some("showed nothing new"),
            "irrelevant" => Some("is about something else"),
            "mutating" => Some("was itself a change"),
            "failed" => Some("failed"),
            "running" => Some("was still running"),
            "masked" => Some("hides its exit status"),
            "subagent" => Some("was another agent's"),
            "parallel" => Some("was issued before the change was made"),
            "truncated" => Some("is cut in the record"),
            "unknown" => Some("has no recorded outcome"),
            "names-only" => Some("shows names only"),
            _ => None,
        })
        .collect();
    if misses.is_empty() {
        String::new()
    } else {
        format!("; what came near {}", misses.join(" or "))
    }
}
