//! A file that a later step of the turn shows in another state than the one that is told.

use super::open;
use crate::rule::claim::Kind;
use crate::rule::claim::guard::Guard;
use crate::rule::claim::judge::count::figure_of;
use crate::rule::claim::judge::relevance::terms;
use crate::rule::claim::judge::{Case, Judged, Reason};
use crate::rule::evidence::Term;
use crate::transcript::{Change, Place};
use crate::turn::{Act, Side, Step};

/// "Deleted the first-run notices": the change that is cited puts the words in, or takes out nothing that has
/// them. A thing that is gone must have stood there.
pub(super) fn put_in(case: &Case<'_>, at: Place) -> Option<Judged> {
    let step = case.step_at(at).filter(|_| case.on(Guard::OtherContent))?;
    let own = step
        .alters
        .iter()
        .any(|alter| alter.change == Change::Delete);
    let edits = !step.acts.is_empty()
        && step
            .acts
            .iter()
            .all(|act| !act.shell && !act.writes.is_empty());
    let written = |change: Change| matches!(change, Change::Write | Change::Create);
    let whole = step.alters.iter().any(|alter| written(alter.change));
    let cut = step.alters.iter().any(|alter| alter.cut);
    if case.claim.kind != Kind::Delete || own || !edits || cut && !whole {
        return None;
    }
    let terms: Vec<String> = terms(case.text()).iter().map(Term::beginning).collect();
    let holds = |text: &str| {
        let lower = text.to_lowercase();
        terms.iter().any(|term| lower.contains(term.as_str()))
    };
    let side = |side: Side| step.alters.iter().flat_map(move |alter| alter.side(side));
    let shown = if whole {
        rewritten(case, step, &terms)
    } else {
        let counted = counts(case.text()) && side(Side::Removed).next().is_none();
        side(Side::Removed).any(holds) || !side(Side::Added).any(holds) && !counted
    };
    (!terms.is_empty() && !shown).then(|| {
        let what = "this change does not show that it took it out";
        open(Reason::Ambiguous, at, what)
    })
}

/// Whether a text tells of several.
fn counts(text: &str) -> bool {
    let many = |word: &str| figure_of(&word.to_lowercase()).is_some_and(|many| many > 1);
    text.split(|c: char| !c.is_alphanumeric()).any(many)
}

/// Whether the rewriting of a whole file shows that some words are gone: one of them stood in the old text,
/// as far as it is known, and not in the new one. Of how many it tells nothing.
fn rewritten(case: &Case<'_>, step: &Step, terms: &[String]) -> bool {
    let paths = || step.acts.iter().flat_map(|act| &act.writes);
    let reads = |other: &&Step| {
        let mut read = other.acts.iter().flat_map(|act| &act.reads);
        other.call.line < step.call.line && read.any(|own| paths().any(|path| path == own))
    };
    let steps = case.turn.steps.iter();
    let mut old = steps
        .filter(reads)
        .map(|other| other.text.as_str().to_lowercase());
    let new = step.args.to_lowercase();
    let removed = step.alters.iter();
    let removed = removed.flat_map(|alter| alter.side(Side::Removed));
    let removed: Vec<String> = removed.map(str::to_lowercase).collect();
    let stood = |term: &String| {
        removed.iter().any(|line| line.contains(term.as_str()))
            || old.any(|text| text.contains(term.as_str()))
    };
    let mut left = terms.iter().filter(|term| !new.contains(term.as_str()));
    !counts(case.text()) && !step.args_may_be_cut() && left.any(stood)
}

pub(super) fn doubt(case: &Case<'_>) -> Option<Judged> {
    let files = case.files();
    files.into_iter().find_map(|file| match case.claim.kind {
        Kind::Delete => still_listed(case, file),
        Kind::Create | Kind::Edit => swept(case, file),
        _ => None,
    })
}

/// The path of a file that was changed in this turn, and the steps after the last change of it.
fn since<'a>(case: &Case<'a>, file: &'a str) -> Option<(&'a str, impl Iterator<Item = &'a Step>)> {
    let mut edits = case.ledger.edits_of(file);
    let edit = edits.next().filter(|edit| edit.turn == case.ledger.turn)?;
    let line = edit.place.line;
    let steps = case.turn.steps.iter();
    Some((
        edit.path.as_str(),
        steps.filter(move |step| place(step).line > line),
    ))
}

fn place(step: &Step) -> Place {
    step.result.unwrap_or(step.call)
}

/// Deleted, and a later listing of its folder holds it.
fn still_listed<'a>(case: &Case<'a>, file: &'a str) -> Option<Judged> {
    let (path, mut steps) = since(case, file)?;
    let (folder, name) = path.rsplit_once('/')?;
    let lists = |act: &Act| {
        let here = || {
            let dir = act.dir.as_deref().unwrap_or("");
            act.reads
                .iter()
                .any(|read| read.trim_end_matches('/') == folder)
                || act.reads.is_empty() && dir == folder
        };
        act.shell && act.program == "ls" && here()
    };
    let step = steps.find(|step| {
        let [act] = step.acts.as_slice() else {
            return false;
        };
        let mut lines = step.text.as_str().lines();
        lists(act) && lines.any(|line| line.split_whitespace().next_back() == Some(name))
    })?;
    Some(open(
        Reason::Ambiguous,
        place(step),
        "it is still listed here",
    ))
}

/// Written, and swept away by git afterwards, which names it.
fn swept<'a>(case: &Case<'a>, file: &'a str) -> Option<Judged> {
    let (path, mut steps) = since(case, file)?;
    let step = steps.find(|step| {
        let cleans = |act: &Act| act.program == "git" && act.words.split(' ').any(|w| w == "clean");
        let named = |line: &str| {
            let gone = line.trim().strip_prefix("Removing ");
            gone.is_some_and(|gone| {
                let gone = gone.trim_end_matches('/');
                path.ends_with(&format!("/{gone}")) || path.contains(&format!("/{gone}/"))
            })
        };
        step.acts.iter().any(cleans) && step.text.as_str().lines().any(named)
    })?;
    Some(open(
        Reason::Ambiguous,
        place(step),
        "it was taken away again here",
    ))
}
