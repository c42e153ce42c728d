//! A list of things, of which the record shows some only.

use super::{opaque, open};
use crate::rule::claim::Kind;
use crate::rule::claim::judge::case::{brief, is_file};
use crate::rule::claim::judge::{Case, Judged, Reason};
use crate::rule::evidence::{Outward, OutwardKind};
use crate::shell::Effect;
use crate::transcript::Outcome;
use crate::turn::Step;

/// The names of the first list in a text, two or more with nothing but commas and "and" between
/// them.
fn listed(text: &str) -> Vec<&str> {
    let mut names: Vec<&str> = Vec::new();
    for (number, piece) in text.split('`').enumerate() {
        if number % 2 == 1 {
            names.push(piece);
            continue;
        }
        let joins = matches!(
            piece.trim(),
            "," | "and" | ", and" | "&" | "、" | "和" | "と" | "및" | "以及"
        );
        if number > 0 && !joins {
            if names.len() > 1 {
                break;
            }
            names.clear();
        }
    }
    if names.len() > 1 { names } else { Vec::new() }
}

/// The statement with what it lists behind a colon.
fn spoken<'a>(case: &Case<'a>) -> &'a str {
    let tail = super::tail(case);
    let end = if tail.starts_with(": `") {
        case.claim.span.end + tail.len()
    } else {
        case.claim.span.end
    };
    case.close.get(case.claim.span.start..end).unwrap_or("")
}

/// "Updated `a` and `b`": each of them must have been changed.
pub(super) fn of_files(case: &Case<'_>) -> Option<Judged> {
    let ledger = case.ledger;
    let names = listed(spoken(case));
    let unnamed = ledger.edits.iter().any(|edit| edit.path.is_empty());
    if names.is_empty() || !names.iter().all(|name| is_file(name)) || opaque(case) || unnamed {
        return None;
    }
    let spoken = |file: &str| {
        let last = file.rsplit('/').next().unwrap_or(file);
        let mut steps = case.turn.steps.iter();
        steps.any(|step| changes(step) && step.args.contains(last))
    };
    let stands = |file: &str| {
        let mut edits = ledger.edits_of(file);
        edits.any(|edit| !edit.refused && edit.undone.is_none())
    };
    let missed = names
        .into_iter()
        .find(|name| !stands(name) && !spoken(name))?;
    let last = ledger.edits.iter().rev().find(|edit| edit.made)?;
    let what = format!(
        "the last change; none of {} stands in the record",
        brief(missed)
    );
    Some(open(Reason::Ambiguous, last.place, what))
}

/// Whether a step changed something, or may have.
fn changes(step: &Step) -> bool {
    let changes = |act: &crate::turn::Act| {
        !act.writes.is_empty() || matches!(act.effect, Effect::Mutate | Effect::Unknown)
    };
    let done = matches!(step.outcome, Outcome::Ok | Outcome::Unknown);
    done && step.acts.iter().any(changes)
}

/// "Installed `zod` and `yup`", "Committed `a` and `b`".
pub(super) fn of_deed(case: &Case<'_>, deed: &Outward) -> Option<Judged> {
    let names = listed(case.text());
    if names.is_empty() || opaque(case) {
        return None;
    }
    let what = match case.claim.kind {
        Kind::Install => {
            let missed = names.into_iter().find(|name| !installed(case, name))?;
            format!("no installation names {}", brief(missed))
        }
        Kind::Commit if names.iter().all(|name| is_file(name)) => {
            let step = case.step_at(deed.place)?;
            let many = files_of(step.text.as_str())?;
            let told = names.len() as u64;
            if many >= told {
                return None;
            }
            format!("git counts {many} of them here")
        }
        _ => return None,
    };
    Some(open(Reason::Ambiguous, deed.place, what))
}

/// Whether an installation, or a change of a file, names a package.
fn installed(case: &Case<'_>, name: &str) -> bool {
    let ledger = case.ledger;
    let bare = name
        .trim_start_matches('@')
        .split(['@', '=', '<', '>', '~', '[', ' '])
        .next();
    let bare = bare.filter(|bare| bare.len() > 1).unwrap_or(name);
    let mut deeds = ledger.outward.iter();
    let by_command = deeds.any(|deed| {
        let good = !matches!(deed.outcome, Outcome::Failed(_));
        deed.kind == OutwardKind::Install && good && deed.words.contains(bare)
    });
    let mut steps = case.turn.steps.iter();
    by_command
        || ledger.turn > 1
        || steps.any(|step| {
            let here = step.text.as_str().contains(bare) || step.args.contains(bare);
            step.outcome == Outcome::Ok && here
        })
}

/// How many files git says that it committed.
fn files_of(text: &str) -> Option<u64> {
    let line = text.lines().find(|line| {
        line.contains(" changed") && (line.contains(" file ") || line.contains(" files "))
    })?;
    line.split_whitespace().next()?.parse().ok()
}

#[cfg(test)]
mod tests {
    use super::listed;

    #[test]
    fn a_list_is_told_from_names_apart() {
        assert_eq!(listed("Updated `a`, `b` and `c`"), ["a", "b", "c"]);
        assert_eq!(listed("Moved `x` from `a` and `b` to `c`"), ["a", "b"]);
        assert!(listed("Renamed `a` to `b`").is_empty());
        assert!(listed("Updated `a`").is_empty());
    }
}
