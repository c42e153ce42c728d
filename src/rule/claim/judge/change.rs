//! Statements that something was changed, created, removed, or left alone.

use super::{Case, Judged, Reason};
use crate::rule::evidence::Edit;
use crate::transcript::Outcome;

/// Whether a path is what an identifier of a close names: equal, or one the last components of
/// the other.
pub(super) fn names(identifier: &str, path: &str) -> bool {
    let identifier = identifier.trim_start_matches("./").trim_end_matches('/');
    let short = |short: &str, long: &str| {
        long.strip_suffix(short)
            .is_some_and(|before| before.is_empty() || before.ends_with('/'))
    };
    !identifier.is_empty()
        && (short(identifier, path) || short(path, identifier) || stands_within(identifier, path))
}

/// Whether an identifier is whole components in the middle of a path.
fn stands_within(identifier: &str, path: &str) -> bool {
    path.match_indices(identifier).any(|(at, found)| {
        let before = path[..at].ends_with('/');
        before && path[at + found.len()..].starts_with('/')
    })
}

/// "Added X to `src/a.rs`": the change was made.
pub(in crate::rule::claim) fn made(case: &Case<'_>) -> Judged {
    let ledger = case.ledger;
    if case.claim.negated {
        return Judged::unknown(Reason::Ambiguous);
    }
    let paths: Vec<&String> = case
        .claim
        .scope
        .iter()
        .filter(|name| name.contains(['/', '.']))
        .collect();
    let touches = |edit: &&Edit| paths.iter().any(|path| names(path, &edit.path));
    let named = ledger.edits.iter().rev().find(touches);
    let any = ledger
        .edits
        .iter()
        .rev()
        .find(|edit| edit.made)
        .or(ledger.edits.last());
    if let Some(edit) = named {
        return settled(case, edit);
    }
    if let Some(edit) = any {
        // A name in the close need not be a path; only a file that is surely one is missed.
        return settled(case, edit);
    }
    if let Some((_, turn, place)) = ledger.delegated.last() {
        let reason = if *turn == ledger.turn {
            Reason::Delegated
        } else {
            Reason::Carried
        };
        return Judged::supported(reason, *place, "another agent reported");
    }
    if let Some(done) = ledger
        .outward
        .iter()
        .rev()
        .find(|done| done.outcome == Outcome::Ok)
    {
        return Judged::supported(Reason::Direct, done.place, "this command changed something");
    }
    if let Some((_, _, place)) = ledger.unknown.last() {
        return Judged::unknown(Reason::Ambiguous)
            .at(*place, "what this step changes is not known");
    }
    if ledger.turn > 1 && ledger.order == 0 {
        return Judged::unknown(Reason::Elsewhere);
    }
    Judged::unsupported(Reason::NeverRun)
}

fn settled(case: &Case<'_>, edit: &Edit) -> Judged {
    let ledger = case.ledger;
    if !edit.made {
        return Judged::unknown(Reason::MissingResult)
            .at(edit.place, "the outcome of this change is not recorded");
    }
    let read = ledger
        .looks
        .iter()
        .rev()
        .take_while(|look| look.order > edit.order)
        .any(|look| look.paths.iter().any(|path| names(path, &edit.path)));
    let reason = if edit.delegated {
        Reason::Delegated
    } else if edit.turn != ledger.turn {
        Reason::Carried
    } else if read {
        Reason::Readback
    } else {
        Reason::Direct
    };
    Judged::supported(reason, edit.place, "this change was made")
}

/// "No files were changed."
pub(in crate::rule::claim) fn nothing(case: &Case<'_>) -> Judged {
    let ledger = case.ledger;
    let changed = ledger
        .edits
        .iter()
        .rev()
        .find(|edit| edit.turn == ledger.turn && edit.made && !edit.path.is_empty());
    match changed {
        Some(edit) if case.claim.scope.is_empty() => {
            Judged::unknown(Reason::Ambiguous).at(edit.place, "this turn changed something")
        }
        Some(edit) if case.claim.scope.iter().any(|name| names(name, &edit.path)) => {
            Judged::contradicted(Reason::NotDone, edit.place, "this turn changed it")
        }
        _ => Judged::new(super::Verdict::Supported, Reason::Direct),
    }
}

/// A list of changed files.
pub(in crate::rule::claim) fn listed(case: &Case<'_>) -> Judged {
    let ledger = case.ledger;
    let paths: Vec<&String> = case
        .claim
        .scope
        .iter()
        .filter(|name| name.contains(['/', '.']))
        .collect();
    let missing = paths
        .iter()
        .filter(|path| !ledger.edits.iter().any(|edit| names(path, &edit.path)))
        .count();
    let Some(edit) = ledger.edits.last() else {
        return made(case);
    };
    if missing == 0 {
        return settled(case, edit);
    }
    if ledger.unknown.is_empty()
        && ledger.delegated.is_empty()
        && ledger.edits.iter().all(|edit| !edit.path.is_empty())
    {
        return Judged::unsupported(Reason::NeverRun).at(
            edit.place,
            "the last change; a listed file was not among them",
        );
    }
    Judged::unknown(Reason::Ambiguous)
}
