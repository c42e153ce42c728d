//! A turn that changed one file.

use super::sort::of_a_sort;
use super::{edits_of, left, names};
use crate::rule::claim::judge::Case;
use crate::rule::evidence::Term;
use crate::turn::Step;

/// Whether all that changed since the last close is one file, and nothing in the statement's line
/// tells of another.
pub(super) fn one_file(case: &Case<'_>) -> bool {
    let ledger = case.ledger;
    let own = ledger.edits.iter().rev();
    let own = own.take_while(|edit| edit.order > ledger.closed);
    let own = own.filter(|edit| left(edit));
    let mut paths = own.clone().map(|edit| edit.path.as_str());
    let Some(first) = paths.next().filter(|first| !first.is_empty()) else {
        return false;
    };
    paths.all(|path| path == first)
        && own.clone().any(|edit| edit.made)
        && of_a_sort(case.text(), core::iter::once(first))
        && holds_a_name(case, first)
}

/// Whether a name of the statement's line stands in a change of a file or in what was shown of it;
/// so it does where the line spells none.
fn holds_a_name(case: &Case<'_>, path: &str) -> bool {
    let ledger = case.ledger;
    let names = names(case.sentence());
    let of_it = |number: &usize| {
        let deed = ledger.mentions.deeds().get(*number);
        deed.is_some_and(|deed| edits_of(case, deed).iter().any(|edit| edit.path == path))
    };
    let touches = |step: &&Step| {
        let mut acts = step.acts.iter();
        acts.any(|act| act.reads.iter().chain(&act.writes).any(|own| own == path))
    };
    let held = |name: &String| {
        let (numbers, _) = ledger.mentions.holding(&Term::Name(name.clone()));
        let mut steps = case.turn.steps.iter().filter(touches);
        numbers.iter().any(of_it) || steps.any(|step| step.text.as_str().contains(name.as_str()))
    };
    names.is_empty() || names.iter().any(held)
}
