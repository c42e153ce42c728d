//! Plain words for a state that a check or a run shows: `the code is formatted with black`, `the
//! project is lint-free`, `the migration ran without errors`.

use super::model::Kind;
use super::scan::Scan;
use crate::text::{Clause, Cue, WordKind};

/// Reads the state that one clause tells, where nothing else has told it.
pub(super) fn read(scan: &mut Scan<'_, '_>, index: usize, clause: &Clause) {
    let told = formatted(scan, clause)
        .or_else(|| lint_free(scan, clause))
        .or_else(|| ran_well(scan, clause))
        .or_else(|| returned(scan, clause));
    let open = clause.posed.is_some() || clause.cues.has(Cue::Open);
    if let Some(kind) = told.filter(|&kind| !open && !scan.states_kind(index, kind)) {
        scan.push(index, kind, &clause.words);
    }
}

/// A long clause is no plain statement.
const FEW: usize = 16;

fn formatted(scan: &Scan<'_, '_>, clause: &Clause) -> Option<Kind> {
    let words = &clause.words;
    let at = words
        .clone()
        .take(FEW)
        .find(|&at| scan.form(at) == "formatted")?;
    let be = (1..=2).any(|n| matches!(scan.back(words, at, n), "is" | "are"));
    let what = (words.start..at).any(|n| {
        matches!(
            scan.form(n),
            "code" | "files" | "everything" | "sources" | "project" | "codebase"
        )
    });
    let end = matches!(
        scan.ahead(words, at, 1),
        "" | "with" | "using" | "by" | "via" | "now" | "and" | "correctly" | "properly"
    );
    (be && what && end && clause.negator.is_none()).then_some(Kind::Format)
}

fn lint_free(scan: &Scan<'_, '_>, clause: &Clause) -> Option<Kind> {
    let words = &clause.words;
    let at = words
        .clone()
        .take(FEW)
        .find(|&at| scan.form(at) == "lint-free")?;
    let be = (1..=2).any(|n| matches!(scan.back(words, at, n), "is" | "are"));
    (be && clause.negator.is_none()).then_some(Kind::Lint)
}

/// ``The mapping check returns `openai` ``: a look of the agent's own, and what came back.
fn returned(scan: &Scan<'_, '_>, clause: &Clause) -> Option<Kind> {
    let words = &clause.words;
    let at = words.clone().take(FEW).find(|&at| {
        matches!(scan.form(at), "returns" | "returned" | "prints" | "printed")
            && matches!(scan.back(words, at, 1), "check" | "probe" | "run")
    })?;
    let shown = words.contains(&(at + 1))
        && matches!(
            scan.prose.words()[at + 1].kind,
            WordKind::Code | WordKind::Quoted
        );
    let plain = !clause.cues.any(super::scan::MOOT) && clause.negator.is_none();
    (shown && plain).then_some(Kind::Run)
}

fn ran_well(scan: &Scan<'_, '_>, clause: &Clause) -> Option<Kind> {
    let words = &clause.words;
    let at = words.clone().take(FEW).find(|&at| {
        matches!(scan.form(at), "ran" | "runs") && scan.ahead(words, at, 1) == "without"
    })?;
    let well = matches!(scan.ahead(words, at, 2), "error" | "errors" | "failures");
    let denied = clause.negator.is_some_and(|negator| negator != at + 1);
    let plain = !clause.cues.any(&[
        Cue::Question,
        Cue::Condition,
        Cue::Contingent,
        Cue::Future,
        Cue::Modal,
    ]);
    (at > words.start && well && !denied && plain).then_some(Kind::Run)
}
