//! A deed that was done before what it is said to hold.

use super::{opaque, open, own_edits};
use crate::rule::claim::Kind;
use crate::rule::claim::judge::{Case, Judged, Reason};
use crate::rule::evidence::{Edit, Outward, OutwardKind, names};
use crate::transcript::Outcome;

pub(super) fn doubt(case: &Case<'_>, deed: &Outward) -> Option<Judged> {
    if case.claim.earlier {
        return None;
    }
    let what = "this came after it";
    if let Some(place) = after(case, deed) {
        return Some(open(Reason::Stale, place, what));
    }
    let edit = left_out(case, deed)?;
    let what = "this change is not among what was added to the commit";
    Some(open(Reason::WrongScope, edit.place, what))
}

/// Work that came after a deed and that the statement takes in: all that the turn did, where the
/// deed is an earlier turn's, or else what the statement names or calls all of it.
fn after(case: &Case<'_>, deed: &Outward) -> Option<crate::transcript::Place> {
    let kind = case.claim.kind;
    let outdated = matches!(
        kind,
        Kind::Commit | Kind::Push | Kind::Deploy | Kind::Publish
    );
    let carried = deed.order <= case.ledger.closed && deed.turn != case.ledger.turn;
    if !(outdated || kind == Kind::Pr && carried && opens(case)) {
        return None;
    }
    let all = of_all(case.sentence());
    let files = case.files();
    let told = |edit: &&Edit| {
        let named = || files.iter().any(|file| names(file, &edit.path));
        edit.order > deed.order && !edit.path.is_empty() && (carried || all || named())
    };
    if let Some(edit) = own_edits(case).find(told) {
        return Some(edit.place);
    }
    let commits = case.ledger.outward.iter().rev();
    let mut commits = commits.take_while(|other| other.order > deed.order);
    let commit = commits.find(|other| {
        other.kind == OutwardKind::Commit && other.outcome == Outcome::Ok && !other.rehearsal
    })?;
    (kind == Kind::Push && carried).then_some(commit.place)
}

/// Whether a statement speaks of all that was done.
fn of_all(text: &str) -> bool {
    let lower = text.to_lowercase();
    [
        "all changes",
        "all the changes",
        "all my changes",
        "everything",
        "all commits",
        "all work",
    ]
    .iter()
    .any(|all| lower.contains(all))
}

/// Whether a statement tells that a pull request was opened, and names none.
fn opens(case: &Case<'_>) -> bool {
    let lower = case.text().to_lowercase();
    let made = ["opened", "created", "raised", "submitted"];
    made.iter().any(|word| lower.contains(word)) && !lower.contains('#') && !lower.contains("http")
}

/// "Committed all changes": only named files were added, and this one is none of them.
fn left_out<'a>(case: &Case<'a>, deed: &Outward) -> Option<&'a Edit> {
    if case.claim.kind != Kind::Commit || !of_all(case.sentence()) || opaque(case) {
        return None;
    }
    let flags = |words: &str| {
        let mut words = words.split(' ').skip(2);
        words.any(|word| {
            matches!(word, "--all" | "--update" | "." | "./" | ":/" | "*")
                || word.starts_with('-')
                    && !word.starts_with("--")
                    && word.contains(['a', 'A', 'u'])
        })
    };
    let acts = || case.turn.steps.iter().flat_map(|step| &step.acts);
    let adds = || acts().filter(|act| act.words.starts_with("git add"));
    let whole = adds().next().is_none()
        || adds().any(|act| flags(&act.words) || act.words.contains(['$', '*']))
        || acts().any(|act| act.words.starts_with("git commit") && flags(&act.words));
    if whole {
        return None;
    }
    let added = |edit: &Edit| {
        let mut words = adds().flat_map(|act| act.words.split(' ').skip(2));
        words.any(|word| names(word, &edit.path))
    };
    own_edits(case).find(|edit| edit.order < deed.order && !edit.path.is_empty() && !added(edit))
}
