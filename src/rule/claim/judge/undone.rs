//! Changes that did not last: taken back, or refused by their tool.

use super::case::brief;
use super::change::settled;
use super::remains::tells_back;
use super::{Case, Judged, Reason};
use crate::rule::claim::guard::Guard;
use crate::rule::evidence::Edit;
use crate::transcript::Place;

/// What a change of a file that does not stand comes to: it was taken back, or refused.
pub(super) fn not_standing(case: &Case<'_>, edit: &Edit) -> Judged {
    let what = brief(&edit.path);
    let back = edit.undone.or(edit.restores.map(|_| edit.place));
    if let Some(place) = back.filter(|_| case.on(Guard::Reverted) && tells_back(case)) {
        let what = format!("the change of {what} was taken back here, as the close tells");
        return Judged::unknown(Reason::Ambiguous).at(place, what);
    }
    if let Some(place) = edit.undone.filter(|_| case.on(Guard::Reverted)) {
        if case.on(Guard::UnknownStep) && opaque_since(case, place) {
            let what = format!("this took the change of {what} back; what came after is not known");
            return Judged::unknown(Reason::Ambiguous).at(place, what);
        }
        return Judged::contradicted(
            Reason::NotDone,
            place,
            format!("this took the change of {what} back"),
        )
        .at(edit.place, "the change was made here");
    }
    let here = |other: &&Edit| other.turn == case.ledger.turn && other.undone.is_some();
    let undone = case.ledger.edits_of(&edit.path).any(|other| here(&other));
    let open = case.on(Guard::UnknownStep) && opaque_since(case, edit.place);
    if edit.restores.is_some() && undone && open {
        let what = format!("this took a change of {what} back; what came after is not known");
        return Judged::unknown(Reason::Ambiguous).at(edit.place, what);
    }
    if edit.restores.is_some() && undone && case.on(Guard::Reverted) {
        return Judged::contradicted(
            Reason::NotDone,
            edit.place,
            format!("this took a change of {what} back"),
        );
    }
    let ledger = case.ledger;
    let later = |order: u64| order > edit.order;
    let opaque = ledger.unknown.iter().any(|(order, ..)| later(*order))
        || ledger.delegated.iter().any(|(order, ..)| later(*order))
        || ledger
            .edits
            .iter()
            .rev()
            .any(|other| later(other.order) && other.path.is_empty());
    if edit.refused && case.on(Guard::FailedEdit) {
        return if opaque {
            Judged::unknown(Reason::Ambiguous).at(edit.place, "this change was refused")
        } else {
            Judged::contradicted(
                Reason::NotDone,
                edit.place,
                format!("this change of {what} was refused, and no other was made"),
            )
        };
    }
    settled(case, edit)
}

/// Whether something of unknown effect, or another agent's work, came after a place of this turn.
fn opaque_since(case: &Case<'_>, place: Place) -> bool {
    let ledger = case.ledger;
    let later = |at: &Place| at.line > place.line;
    ledger
        .unknown
        .iter()
        .rev()
        .take(LATER)
        .any(|(_, _, at)| later(at))
        || ledger
            .delegated
            .iter()
            .rev()
            .take(LATER)
            .any(|(_, _, at)| later(at))
}

/// Steps that are looked through, the latest first.
const LATER: usize = 4096;
