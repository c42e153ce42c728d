//! Which runs are of what a statement names, and of how much of it.

use super::Case;
use super::doubt::sorts;
use crate::rule::claim::guard::Guard;
use crate::rule::evidence::{Run, Shown};
use crate::transcript::Place;

/// Whether a run may be that of a command that is named: all its words stand in it.
pub(super) fn is_of(run: &Run, command: &str) -> bool {
    let own = |word: &str| run.words.split([' ', '/']).any(|other| other == word);
    let words = command.split([' ', '/']);
    run.delegated || words.filter(|word| !word.starts_with('-')).all(own)
}

/// The runs of the very command that a statement names, where there are any: of a list of commands each item
/// rests on its own.
pub(super) fn of_command<'a>(case: &Case<'a>, runs: Vec<&'a Run>) -> Vec<&'a Run> {
    let mut spans = case.text().split('`').skip(1).step_by(2);
    let Some(command) = spans.find(|span| span.contains(' ')) else {
        return runs;
    };
    let own: Vec<&Run> = runs
        .iter()
        .copied()
        .filter(|run| !run.delegated && is_of(run, command))
        .collect();
    good_or(own, runs)
}

/// The chosen runs, where the last of them went well: what a choice may be wrong about shall accuse nobody.
fn good_or<'a>(own: Vec<&'a Run>, all: Vec<&'a Run>) -> Vec<&'a Run> {
    let good = own.last().is_some_and(|run| run.shown == Shown::Passed);
    if good { own } else { all }
}

/// The runs that may be of the sort of tests that is named, where there are any.
pub(super) fn of_sort<'a>(case: &Case<'a>, runs: Vec<&'a Run>) -> Vec<&'a Run> {
    let told = sorts(case.text());
    if told.is_empty() || !case.on(Guard::Narrowed) {
        return runs;
    }
    let own: Vec<&Run> = runs
        .iter()
        .copied()
        .filter(|run| {
            let sorts = sorts(&run.words);
            let any = sorts.is_empty() && run.narrowed.is_empty();
            any || run.delegated || told.iter().any(|sort| sorts.contains(sort))
        })
        .collect();
    good_or(own, runs)
}

/// Whether a run is narrowed to a part. A folder with all below it (`./cmd/...`) is what some
/// projects call all of it.
pub(super) fn is_part(run: &Run) -> bool {
    run.narrowed.iter().any(|part| !part.ends_with("/..."))
}

/// Whether a run is of more than one that names folders with all below them.
pub(super) fn is_wider(run: &Run, than: &Run) -> bool {
    let all_below = |part: &String| part.ends_with("/...");
    let tree = !than.narrowed.is_empty() && than.narrowed.iter().all(all_below);
    let holds = |part: &String| {
        let head = part.trim_end_matches('.');
        than.narrowed
            .iter()
            .all(|inner| inner.len() > part.len() && inner.starts_with(head))
    };
    tree && !run.delegated
        && (run.narrowed.is_empty() && sorts(&run.words).is_empty()
            || run
                .narrowed
                .iter()
                .any(|part| all_below(part) && holds(part)))
}

/// The line on which what ended at a place was begun.
pub(super) fn begun(case: &Case<'_>, place: Place) -> u64 {
    let step = case.step_at(place);
    step.map_or(place.line, |step| step.call.line)
}

/// Takes away, from the end, red runs of which only the end is told late: the same command was begun after them
/// and had gone well before.
pub(super) fn without_late<'a>(case: &Case<'a>, mut runs: Vec<&'a Run>) -> Vec<&'a Run> {
    while let Some((last, rest)) = runs.split_last() {
        let newer = |other: &&&Run| {
            other.words == last.words
                && other.shown == Shown::Passed
                && begun(case, other.place) > begun(case, last.place)
        };
        if last.shown != Shown::Failed || !rest.iter().rev().take(NEAR).any(|run| newer(&run)) {
            break;
        }
        runs.pop();
    }
    runs
}

/// Runs that are looked through for one that was begun later.
const NEAR: usize = 64;
