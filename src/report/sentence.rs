//! One plain sentence of fact for a turn: what the record shows, never an accusation.

use crate::grade::TurnRow;

/// What the record shows of a turn's claim.
#[must_use]
pub fn sentence(row: &TurnRow) -> String {
    let last = |what: &str| {
        row.evidence
            .iter()
            .rev()
            .find(|found| found.what == what)
            .map(|found| found.line)
    };
    let changed = last("changed");
    let seen = last("verified").or_else(|| last("observed"));
    let hidden = row
        .steps
        .iter()
        .rev()
        .find(|step| step.masked)
        .map(|step| step.line);
    match (row.gate.reason, changed, seen) {
        ("stale-verification", Some(changed), Some(seen)) => {
            format!("the last check (line {seen}) came before the last change (line {changed})")
        }
        ("stale-verification", Some(changed), None) => {
            format!("an earlier check was overtaken by the change at line {changed}")
        }
        ("no-verified-observation", Some(changed), _) => {
            format!("nothing was run or read after the change at line {changed}")
        }
        ("no-verified-observation", None, _) => {
            "nothing was run or read in this turn that shows it".to_owned()
        }
        ("no-mutation", ..) => {
            "a change is reported, and nothing in this session changed anything".to_owned()
        }
        ("no-qualifying-observation", ..) => {
            "nothing that it names was looked at in this turn".to_owned()
        }
        ("strict-g", ..) => {
            "it was looked at, but not after a change; this preset asks for that".to_owned()
        }
        ("signals-unmet", ..) => {
            "a signal that the policy asks for was not given since the last change".to_owned()
        }
        ("masked", ..) => match hidden {
            Some(line) => {
                format!("the run at line {line} hides its exit status behind another command")
            }
            None => {
                "the exit status that would show it is hidden behind another command".to_owned()
            }
        },
        ("still-running", ..) => {
            "what would show it was still running when the turn ended".to_owned()
        }
        ("outcome-unknown", ..) => {
            "something whose effect or outcome is not recorded came last".to_owned()
        }
        ("truncated", ..) => "the output that would show it is cut in the record".to_owned(),
        ("language", ..) => "the close is in a language that is not read".to_owned(),
        ("unknown-after-verification", ..) => match seen {
            Some(seen) => format!("checked at line {seen}; something of unknown effect came after"),
            None => "checked; something of unknown effect came after".to_owned(),
        },
        ("verified", _, Some(seen)) => format!("checked at line {seen}, after the last change"),
        ("grounded", _, Some(seen)) => format!("looked at in line {seen}"),
        ("carried", ..) => "an earlier check still holds: nothing changed since".to_owned(),
        ("self-reported", ..) => "the command's own result bears it out".to_owned(),
        ("openly-unverified", ..) => "it says itself that it is unverified".to_owned(),
        ("no-claim", ..) => "it claims nothing that the record could show".to_owned(),
        ("no-close", ..) => match row.ended {
            "interrupted" => "the operator interrupted it".to_owned(),
            "api-error" => "the model could not be reached".to_owned(),
            "limit" => "a usage limit was hit".to_owned(),
            "running" => "the record ends while it runs".to_owned(),
            _ => "nothing was said after the last call".to_owned(),
        },
        (reason, ..) => reason.replace('-', " "),
    }
}
