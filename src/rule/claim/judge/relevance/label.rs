//! A statement behind a label that says what it is about: "`av-rje`: clarified …".

use super::{Sum, edits_of, held, holding, live, terms};
use crate::rule::claim::judge::Case;
use crate::rule::evidence::{Deed, Term};

/// Bytes of what stands in front of a statement as its label.
const LABEL: usize = 80;

/// What a statement's line puts in front of it as a label: "`av-rje`: …", "`CheckoutBranch` — …".
pub(super) fn label<'a>(case: &Case<'a>) -> &'a str {
    let before = case.close.get(..case.claim.span.start).unwrap_or("");
    let line = before.rfind('\n').map_or(0, |at| at + 1);
    let head = before[line..].trim_end().trim_end_matches(['*', '_', ' ']);
    let ends = head.ends_with([':', '—', '–', '→']) || head.ends_with(" -");
    let own = head.rsplit(". ").next().unwrap_or(head);
    if ends && own.len() <= LABEL { own } else { "" }
}

/// "`GetCommonDir`: uses `filepath.Abs()`": the label says where, and what stands behind it says
/// what. The change that holds every name behind it and half of all words there, where the label
/// is a thing that some change of the session speaks of or that the changed file was shown to hold.
pub(super) fn labelled<'a>(case: &Case<'a>, told: &str) -> Option<&'a Deed> {
    let ledger = case.ledger;
    let (head, rest) = told
        .split_once(':')
        .filter(|(head, _)| head.len() <= LABEL)?;
    let label = terms(head);
    let own = terms(rest);
    let named = |term: &&Term| matches!(term, Term::Name(_));
    let names: Vec<Term> = own.iter().filter(named).cloned().collect();
    let place = label
        .first()
        .filter(|_| label.iter().all(|term| named(&term)))?;
    if label.len() != 1 || names.is_empty() || !rest.starts_with([' ', '*']) {
        return None;
    }
    let (_, known) = holding(&ledger.mentions, place);
    let (whole, by_name) = held(case, &names);
    let (all, sums) = held(case, &own);
    let deeds = ledger.mentions.deeds();
    let fits = |(number, sum): (&usize, &Sum)| {
        let deed = deeds.get(*number).filter(|_| sum.plain == whole.plain)?;
        let half = sums
            .get(number)
            .is_some_and(|own| own.plain * 2 >= all.plain);
        let edits = edits_of(case, deed);
        let here = || {
            known > 0
                || edits
                    .iter()
                    .any(|edit| shown_to_hold(case, &edit.path, place))
        };
        (half && !deed.vague && !edits.is_empty() && live(case, deed) && here())
            .then_some((deed.order > ledger.closed, deed))
    };
    let best = by_name.iter().filter_map(fits);
    best.max_by_key(|(own, deed)| (*own, deed.order))
        .map(|(_, deed)| deed)
}

/// Whether a name stands in what this turn was shown of a file.
fn shown_to_hold(case: &Case<'_>, path: &str, name: &Term) -> bool {
    let Term::Name(name) = name else {
        return false;
    };
    let mut steps = case.turn.steps.iter();
    steps.any(|step| {
        let mut reads = step.acts.iter().flat_map(|act| &act.reads);
        reads.any(|own| own == path) && step.text.as_str().contains(name.as_str())
    })
}
