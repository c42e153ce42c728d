//! A file that a later step of the turn shows in another state than the one that is told.

use super::open;
use crate::rule::claim::Kind;
use crate::rule::claim::judge::{Case, Judged, Reason};
use crate::transcript::Place;
use crate::turn::{Act, Step};

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
