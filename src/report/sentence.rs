//! One plain sentence of fact for a turn: what the record shows, never an accusation.

use super::seen::{Seen, sentence_of};
use crate::grade::TurnRow;

/// What the record shows of a turn's claim, as a sentence.
#[must_use]
pub fn sentence(row: &TurnRow) -> String {
    sentence_of(&turn_fact(&Seen::from(row)))
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

/// What the record shows of a turn's claim.
pub(super) fn turn_fact(row: &Seen<'_>) -> String {
    let last = |what: &str| {
        row.evidence
            .iter()
            .rev()
            .find(|found| found.what == what)
            .map(|found| found.line)
    };
    let changed = last("changed");
    let seen = last("verified").or_else(|| last("observed"));
    match (row.reason, changed, seen) {
        ("stale-verification", Some(changed), Some(seen)) => {
            format!("the last check (line {seen}) came before the last change (line {changed})")
        }
        ("stale-verification", Some(changed), None) => {
            format!("an earlier check was overtaken by the change at line {changed}")
        }
        ("no-verified-observation", Some(changed), _) => unseen_change(row, changed),
        ("no-verified-observation" | "no-qualifying-observation", ..) => unseen(row),
        ("unread-edit", Some(changed), _) => format!(
            "the client confirmed the edits, and nothing was run or read after the one at line {changed}"
        ),
        ("no-mutation", ..) => {
            "a change is reported, and no change is recorded before it in this session".to_owned()
        }
        ("strict-g", ..) => {
            "it was looked at, but not after a change; this preset asks for that".to_owned()
        }
        ("signals-unmet", ..) => unmet(row).to_owned(),
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
    match gate_reason(reason) {
        "" => format!("the gate says {reason}"),
        words => words.to_owned(),
    }
}

/// A reason of the gate in words, where it has some that hold for every turn; empty otherwise.
pub(super) fn gate_reason(reason: &str) -> &'static str {
    match reason {
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
        "unread-edit" => "the client confirmed the edits, and nothing looked at them since",
        "earlier-work" => {
            "this turn did nothing that shows it; it speaks of what earlier turns did"
        }
        "empty-run" => "the run that would show it ran no check at all",
        "stale-verification" => "an earlier check was overtaken by a later change",
        _ => "",
    }
}

/// Why a check that is said to have gone well is not shown, or a goal of the policy not met.
fn unmet(row: &Seen<'_>) -> &'static str {
    let failed = row.evidence.iter().any(|found| found.what == "failed");
    match row.verdict {
        "reject" if failed => "a run that would show the check failed, and none went well since",
        "reject" => "no run that went well shows what the close or the policy asks for",
        _ => {
            "a check is said to have gone well, and no run of its kind shows it since the last change"
        }
    }
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

fn masked(row: &Seen<'_>) -> String {
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

fn unseen_change(row: &Seen<'_>, changed: u64) -> String {
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

fn unseen(row: &Seen<'_>) -> String {
    if row.steps.is_empty() {
        "no tool was called in this turn".to_owned()
    } else {
        format!("nothing done in this turn bears it out{}", nearest(row))
    }
}

/// Why what came near an observation is none; empty where nothing did.
fn nearest(row: &Seen<'_>) -> String {
    let misses: Vec<&str> = row
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

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;
    use crate::grade::{GateRow, SCHEMA};
    use crate::rule::gate::replay::Reason;

    fn row(reason: &'static str, verdict: &'static str) -> TurnRow {
        TurnRow {
            schema: SCHEMA,
            kind: "turn",
            file: "a.jsonl".to_owned(),
            session: None,
            turn: 1,
            lines: (1, 9),
            status: "unknown",
            verdict,
            reasons: vec![reason.to_owned()],
            evidence: Vec::new(),
            client: "codex",
            client_version: None,
            agent: "main",
            ended: "closed",
            operator: None,
            close: None,
            steps: Vec::new(),
            gate: GateRow {
                profile: "replay",
                preset: "default",
                claim_type: "completion",
                claim_source: "inferred",
                span: None,
                text: String::new(),
                verdict,
                reason,
                near_misses: Vec::new(),
                legal_next: Vec::new(),
                partial_disclosure: false,
                unverified_paths: Vec::new(),
                budget: 0,
                rejected_attempts: 0,
            },
        }
    }

    #[test]
    fn each_reason_has_a_sentence_of_its_own() {
        let mut told = BTreeSet::new();
        for reason in Reason::ALL {
            let reason = reason.as_str();
            let said = sentence(&row(reason, "reject"));
            assert!(said.ends_with('.'), "{reason}: {said}");
            for bare in [reason.to_owned(), reason.replace('-', " ")] {
                let alone = said.to_lowercase().trim_end_matches('.') == bare;
                assert!(
                    !alone && !said.contains("The gate says"),
                    "{reason}: {said}"
                );
            }
            // Without a single step, what was not seen and what was not seen after a change is the same.
            let same = reason == Reason::NoQualifyingObservation.as_str();
            assert!(told.insert(said.clone()) || same, "{reason}: {said}");
        }
    }

    #[test]
    fn a_missing_run_is_not_called_a_failed_one() {
        let unmet = |verdict| sentence(&row("signals-unmet", verdict));
        assert!(unmet("unknown").contains("no run of its kind"));
        assert!(!unmet("reject").contains("failed"));
        let mut red = row("signals-unmet", "reject");
        red.evidence.push(crate::grade::EvidenceRow {
            file: "a.jsonl".to_owned(),
            line: 3,
            start: 0,
            end: 1,
            what: "failed".to_owned(),
        });
        assert!(sentence(&red).contains("failed"));
    }
}
