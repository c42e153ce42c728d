//! An outcome that is borne out by a step which cannot show it: a listing, a commit, a linter.

use super::{open, own_edits};
use crate::rule::claim::Kind;
use crate::rule::claim::guard::Guard;
use crate::rule::claim::judge::outcome::is_test;
use crate::rule::claim::judge::{Case, Judged, Reason};
use crate::rule::evidence::{Edit, Run, Shown, Weight, weight};
use crate::shell::{Effect, Verify};
use crate::transcript::{Outcome, Place, printed};
use crate::turn::{Act, Step};

/// Words of what only a run shows.
const BEHAVES: [&str; 14] = [
    "crash",
    "bug",
    "deadlock",
    "leak",
    "race condition",
    "hang",
    "no longer happens",
    "no longer occurs",
    "no longer crashes",
    "no longer fails",
    "no longer throws",
    "endpoint",
    "regression",
    "panic",
];

pub(super) fn doubt(case: &Case<'_>, at: Place) -> Option<Judged> {
    if let Some(judged) = red(case, at).or_else(|| failed(case, at)) {
        return Some(judged);
    }
    let told = behaves(case.text());
    let fixed = told && case.claim.kind == Kind::Fixed;
    if let Some(judged) = fixed.then(|| beside(case)).flatten() {
        return Some(judged);
    }
    let last = last_edit(case)?;
    if told && let Some(last) = boundary(case).filter(|edit| !shown_after(case, edit)) {
        let what = "nothing that was run after this change shows how it behaves";
        return Some(open(Reason::NoReadback, last.place, what));
    }
    (case.claim.kind == Kind::Verified)
        .then(|| another(case, last, at))
        .flatten()
}

/// Whether a text tells how a thing behaves, by words that begin so.
fn behaves(text: &str) -> bool {
    let lower = text.to_lowercase();
    BEHAVES.iter().any(|word| {
        lower.match_indices(word).any(|(at, _)| {
            let before = lower[..at].chars().next_back();
            before.is_none_or(|c| !c.is_alphanumeric())
        })
    })
}

/// The step itself tells of a failure.
fn red(case: &Case<'_>, at: Place) -> Option<Judged> {
    let step = case.step_at(at)?;
    let [act] = step.acts.as_slice() else {
        return None;
    };
    let text = printed(step.text.as_str()).trim();
    let asks = matches!(act.program.as_str(), "curl" | "wget" | "http" | "xh");
    let status = text.len() == 3 && text.starts_with(['4', '5']) && text.parse::<u16>().is_ok();
    let line = text.lines().next().unwrap_or("");
    let told = status
        || [
            "Internal Server Error",
            "Bad Gateway",
            "Service Unavailable",
        ]
        .contains(&text)
        || line.starts_with("HTTP/") && line.split(' ').nth(1).is_some_and(|c| c.starts_with('5'));
    (asks && told).then(|| {
        open(
            Reason::Ambiguous,
            at,
            "what answers here tells of a failure",
        )
    })
}

/// "Fixed the redaction": the very step that is cited failed, or only moved the work from place to place.
fn failed(case: &Case<'_>, at: Place) -> Option<Judged> {
    const MOVES: [&str; 9] = [
        "add", "checkout", "commit", "fetch", "merge", "pull", "push", "rebase", "stash",
    ];
    let step = case
        .step_at(at)
        .filter(|_| case.claim.kind == Kind::Fixed)?;
    let moves = |act: &Act| {
        let mut words = act.words.split(' ').skip(1);
        act.program == "git" && words.any(|word| MOVES.contains(&word))
    };
    let works = || {
        step.acts
            .iter()
            .filter(|act| act.shell && !act.noop && act.program != "cd")
    };
    let what = if matches!(step.outcome, Outcome::Failed(_)) {
        "this failed after the change"
    } else if works().next().is_some() && works().all(moves) {
        "this only moves the work, and shows nothing of it"
    } else {
        return None;
    };
    case.on(Guard::OtherStep)
        .then(|| open(Reason::Ambiguous, at, what))
}

fn last_edit<'a>(case: &Case<'a>) -> Option<&'a Edit> {
    own_edits(case).find(|edit| edit.turn == case.ledger.turn)
}

/// The change that a run must come after: the last one of code where all are of one file. Of many
/// files any may be the one that is told of, so that the first must do.
fn boundary<'a>(case: &Case<'a>) -> Option<&'a Edit> {
    let own = || own_edits(case).filter(|edit| edit.turn == case.ledger.turn && edit.checked);
    let last = own().next()?;
    if own().all(|edit| edit.path == last.path) {
        return Some(last);
    }
    own().last()
}

/// Nothing but prose was changed, or nothing but tests since a run of them was red.
fn beside(case: &Case<'_>) -> Option<Judged> {
    let last = last_edit(case)?;
    let named = |edit: &Edit| !edit.path.is_empty();
    let lower = case.text().to_lowercase();
    let of = |words: &[&str]| words.iter().any(|word| lower.contains(word));
    let prose = own_edits(case).all(|edit| named(edit) && weight(&edit.path) == Weight::Prose);
    if prose && !of(&["doc", "readme", "link", "typo"]) {
        return Some(open(
            Reason::Ambiguous,
            last.place,
            "only prose was changed, up to here",
        ));
    }
    let red = |run: &&Run| run.verify == Verify::Test && run.shown == Shown::Failed;
    let red = case.ledger.runs.iter().rev().find(red)?;
    let mut since = own_edits(case)
        .take_while(|edit| edit.order > red.order)
        .peekable();
    let any = since.peek().is_some();
    let tests = since.all(|edit| named(edit) && is_test(&edit.path));
    let of_test = of(&["test", "spec", "assert", "flak", "fixture"]);
    (any && tests && !of_test && red.turn == case.ledger.turn).then(|| {
        open(
            Reason::Ambiguous,
            last.place,
            "only tests were changed since a run of them failed",
        )
    })
}

/// Whether anything was run after a change that may show how the thing behaves.
fn shown_after(case: &Case<'_>, edit: &Edit) -> bool {
    let lower = case.text().to_lowercase();
    let compiles = ["build", "compil", "type", "lint", "import"]
        .iter()
        .any(|word| lower.contains(word));
    let place = |step: &Step| step.result.unwrap_or(step.call);
    let after = |step: &&Step| place(step).line > edit.place.line || step.delegate;
    let mut steps = case.turn.steps.iter().filter(after);
    steps.any(|step| {
        let ran = !step.neutral && !step.outcome.never_ran();
        ran && (step.delegate
            || step.acts.iter().any(|act| runs(act, compiles))
            || step.acts.is_empty())
    })
}

/// Whether an act runs something: a program, a test, a tool of its own. Git's own deeds, a look at
/// files and a check of their form show nothing of how a thing behaves.
fn runs(act: &Act, compiles: bool) -> bool {
    let parses = ["py_compile", "compileall", "node --check"]
        .iter()
        .any(|word| act.words.contains(word));
    if act.noop || act.program == "git" || parses {
        return compiles && parses;
    }
    match act.verify {
        Some(Verify::Test | Verify::Run) => true,
        Some(_) => compiles,
        None if act.shell => act.effect != Effect::Read && act.writes.is_empty() || asks(act),
        None => act.effect != Effect::Read && act.writes.is_empty(),
    }
}

/// Programs that ask a running thing.
fn asks(act: &Act) -> bool {
    matches!(
        act.program.as_str(),
        "curl"
            | "wget"
            | "http"
            | "xh"
            | "psql"
            | "sqlite3"
            | "mysql"
            | "docker"
            | "kubectl"
            | "journalctl"
    )
}

/// "I verified the change": what was looked at after it is another file.
fn another(case: &Case<'_>, last: &Edit, at: Place) -> Option<Judged> {
    let ledger = case.ledger;
    let ran = ledger
        .worked
        .iter()
        .chain(&ledger.unknown)
        .any(|(order, ..)| *order > last.order)
        || ledger.runs.iter().any(|run| run.order > last.order)
        || ledger
            .delegated
            .iter()
            .any(|(order, ..)| *order > last.order);
    let mut looks = ledger
        .looks
        .iter()
        .filter(|look| look.order > last.order)
        .peekable();
    looks.peek()?;
    let edited = |path: &String| {
        let mut own = own_edits(case);
        own.any(|edit| edit.path.is_empty() || crate::rule::evidence::names(path, &edit.path))
    };
    let other = looks.all(|look| !look.paths.is_empty() && !look.paths.iter().any(edited));
    let change = ["change", "edit", "fix"]
        .iter()
        .any(|word| case.text().to_lowercase().contains(word));
    (change && other && !ran).then(|| {
        open(
            Reason::NoReadback,
            at,
            "another file was looked at after the change",
        )
    })
}
