//! What shows that something was not committed, pushed or merged: the state that git or a code host tells, or
//! the last deed that it would have followed.

use super::outward::fits;
use super::seen::look;
use super::{Case, Judged, Reason};
use crate::rule::claim::Kind;
use crate::rule::evidence::OutwardKind;
use crate::transcript::{Outcome, Place};

/// "Nothing was pushed": no deed of the kind stands in the turn.
pub(super) fn none_done(case: &Case<'_>) -> Judged {
    if let Some(place) = told(case) {
        return Judged::supported(Reason::Direct, place, "it is shown as not done here");
    }
    match last_before(case) {
        Some((order, turn, place)) if !done_since(case, order) => {
            let what = "nothing of the kind was done after this";
            Judged::supported(case.when(turn), place, what)
        }
        _ => Judged::unknown(Reason::Ambiguous),
    }
}

/// Whether a deed of the kind came after a place among the deeds.
fn done_since(case: &Case<'_>, order: u64) -> bool {
    let later = case.ledger.outward.iter().rev();
    later
        .take_while(|one| one.order > order)
        .any(|one| fits(case.claim.kind, one) && one.outcome == Outcome::Ok && !one.rehearsal)
}

/// Where an answer of this turn tells the state: a change that is not committed, commits that the other side
/// lacks, a request that is open.
fn told(case: &Case<'_>) -> Option<Place> {
    let signs: (&[&str], &[&str]) = match case.claim.kind {
        Kind::Commit => (
            &["git status"],
            &["Changes not staged", "Changes to be committed"],
        ),
        Kind::Push => (&["git status", "git branch"], &["ahead of", "[ahead "]),
        Kind::Merge | Kind::Pr => (
            &["gh pr view", "gh pr list", "glab mr view"],
            &["OPEN", "open"],
        ),
        _ => return None,
    };
    look(case, |step| {
        let mut acts = step.acts.iter();
        let asks = acts.any(|act| signs.0.iter().any(|head| act.words.starts_with(head)));
        let text = step.text.as_str();
        asks && signs.1.iter().any(|sign| text.contains(sign))
    })
}

/// The last deed of the session that one of this kind would have followed.
fn last_before(case: &Case<'_>) -> Option<(u64, u32, Place)> {
    let ledger = case.ledger;
    let deed = |kinds: &[OutwardKind]| {
        let mut all = ledger.outward.iter().rev();
        let found = all.find(|one| {
            kinds.contains(&one.kind) && one.outcome == Outcome::Ok && !one.rehearsal
        })?;
        Some((found.order, found.turn, found.place))
    };
    let edit = || {
        let edit = ledger.edits.iter().rev().find(|edit| edit.stands())?;
        Some((edit.order, edit.turn, edit.place))
    };
    match case.claim.kind {
        Kind::Commit => edit(),
        Kind::Push => deed(&[OutwardKind::Commit]).or_else(edit),
        Kind::Merge => deed(&[OutwardKind::Pr, OutwardKind::Push, OutwardKind::Commit]),
        Kind::Pr => deed(&[OutwardKind::Push, OutwardKind::Commit]),
        _ => None,
    }
}
