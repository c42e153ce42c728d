//! Statements of commits, pushes, pull requests, merges, releases and installations: borne out by
//! the command's own good result.

use super::case::brief;
use super::{Case, Judged, Reason, Verdict};
use crate::rule::claim::Kind;
use crate::rule::claim::guard::Guard;
use crate::rule::evidence::{Outward, OutwardKind, words as words_of};
use crate::transcript::{Outcome, Place};

fn wanted(kind: Kind) -> OutwardKind {
    match kind {
        Kind::Commit => OutwardKind::Commit,
        Kind::Push => OutwardKind::Push,
        Kind::Pr => OutwardKind::Pr,
        Kind::Merge => OutwardKind::Merge,
        Kind::Publish => OutwardKind::Publish,
        Kind::Deploy => OutwardKind::Deploy,
        _ => OutwardKind::Install,
    }
}

pub(in crate::rule::claim) fn done(case: &Case<'_>) -> Judged {
    let ledger = case.ledger;
    let wanted = wanted(case.claim.kind);
    if case.claim.negated && case.on(Guard::Negated) {
        let none = !ledger
            .outward
            .iter()
            .any(|found| found.kind == wanted && found.turn == ledger.turn && !found.rehearsal);
        return if none {
            Judged::new(Verdict::Supported, Reason::Direct)
        } else {
            Judged::unknown(Reason::Ambiguous)
        };
    }
    if let Some(place) = shown_commit(case) {
        return Judged::supported(Reason::Readback, place, "the commit is shown here");
    }
    let found = || {
        let all = ledger.outward.iter().rev();
        let real = |found: &&Outward| !found.rehearsal || !case.on(Guard::DryRun);
        all.filter(real)
            .filter(|found| fits(case.claim.kind, found.kind))
    };
    let Some(last) = found().next() else {
        return without(case);
    };
    let good = found().find(|found| found.outcome == Outcome::Ok);
    let failed = matches!(last.outcome, Outcome::Failed(_));
    if failed && again(case, last) && case.on(Guard::UnknownStep) {
        let what = format!("{} failed here", brief(&last.words));
        return Judged::unknown(Reason::Ambiguous).at(last.place, what);
    }
    by_outcome(case, last, good)
}

/// Whether what failed may have been done another way afterwards.
fn again(case: &Case<'_>, last: &Outward) -> bool {
    let ledger = case.ledger;
    let later = |order: u64| order > last.order;
    let mended =
        case.claim.kind == Kind::Merge && ledger.edits.last().is_some_and(|edit| later(edit.order));
    mended
        || ledger.unknown.iter().any(|(order, ..)| later(*order))
        || ledger.delegated.iter().any(|(order, ..)| later(*order))
        || ledger.outward.iter().rev().any(|other| {
            let bad = matches!(other.outcome, Outcome::Failed(_));
            later(other.order) && !bad && !other.rehearsal && changes(other.kind)
        })
}

/// What the last command of the kind, and the last good one, come to.
fn by_outcome(case: &Case<'_>, last: &Outward, good: Option<&Outward>) -> Judged {
    let ledger = case.ledger;
    let words = brief(&last.words);
    let failed = || format!("{words} failed here");
    match (last.outcome, good) {
        (Outcome::Ok, _) => Judged::supported(
            case.when(last.turn),
            last.place,
            format!("{words} ended well here"),
        ),
        (Outcome::Failed(_), _) if !case.on(Guard::FailedRun) => Judged::supported(
            case.when(last.turn),
            last.place,
            format!("{words} ran here"),
        ),
        (Outcome::Failed(_), _) if case.claim.kind == Kind::Install && !named(case, last) => {
            Judged::unknown(Reason::Ambiguous).at(last.place, failed())
        }
        (Outcome::Failed(_), None) => Judged::contradicted(Reason::Failed, last.place, failed()),
        (Outcome::Failed(_), Some(good))
            if good.turn != ledger.turn && last.turn == ledger.turn =>
        {
            Judged::contradicted(Reason::Failed, last.place, failed())
        }
        (_, Some(good)) => Judged::supported(
            case.when(good.turn),
            good.place,
            format!("{} ended well here", brief(&good.words)),
        ),
        (Outcome::Running | Outcome::Missing, None) if case.on(Guard::MissingResult) => {
            Judged::unknown(Reason::MissingResult).at(last.place, format!("{words} had not ended"))
        }
        _ => Judged::supported(
            Reason::OutputOnly,
            last.place,
            format!("{words} ran here; its exit status is hidden"),
        ),
    }
}

/// Whether a command installs what a statement names; so it does where the statement names nothing.
fn named(case: &Case<'_>, found: &Outward) -> bool {
    const OWN: [&str; 12] = [
        "install",
        "installed",
        "the",
        "and",
        "all",
        "dependencies",
        "packages",
        "package",
        "successfully",
        "now",
        "added",
        "is",
    ];
    let words = found.words.to_lowercase();
    let named: Vec<String> = words_of(case.text())
        .filter(|word| word.len() > 2 && !OWN.contains(&word.as_str()))
        .collect();
    named.is_empty() || named.iter().any(|word| words.contains(word.as_str()))
}

/// Where the commit that a statement names by its hash is shown in this turn.
fn shown_commit(case: &Case<'_>) -> Option<Place> {
    if case.claim.kind != Kind::Commit {
        return None;
    }
    let hash = |name: &&String| {
        (7..=40).contains(&name.len())
            && name.bytes().all(|byte| byte.is_ascii_hexdigit())
            && name.bytes().any(|byte| byte.is_ascii_digit())
    };
    let named = case.claim.scope.iter().find(hash)?;
    let mut steps = case.turn.steps.iter();
    let step = steps.find(|step| step.text.as_str().contains(named.as_str()))?;
    step.result
}

/// Whether an outward change bears a kind of statement out.
fn fits(kind: Kind, found: OutwardKind) -> bool {
    found == wanted(kind)
        || kind == Kind::Pr && matches!(found, OutwardKind::State | OutwardKind::Merge)
}

fn changes(kind: OutwardKind) -> bool {
    !matches!(kind, OutwardKind::Ci | OutwardKind::State)
}

/// No such command stands in the record: a tool server, another agent or a script may have done it.
fn without(case: &Case<'_>) -> Judged {
    let ledger = case.ledger;
    if let Some((_, _, place)) = ledger
        .delegated
        .last()
        .filter(|_| case.on(Guard::Delegated))
    {
        return Judged::supported(Reason::Delegated, *place, "another agent reported");
    }
    if case.claim.kind == Kind::Push {
        // Some commands push as a part of what they do.
        let pr = ledger
            .outward
            .iter()
            .rev()
            .find(|found| matches!(found.kind, OutwardKind::Pr | OutwardKind::Merge));
        if let Some(pr) = pr {
            return Judged::supported(Reason::Direct, pr.place, "this command reached the remote");
        }
    }
    let opaque = ledger.unknown.last();
    if let Some((_, _, place)) = opaque.filter(|_| case.on(Guard::UnknownStep)) {
        return Judged::unknown(Reason::Ambiguous).at(*place, "what this step did is not known");
    }
    if let Some(other) = ledger
        .outward
        .iter()
        .rev()
        .find(|found| found.kind == OutwardKind::Other)
    {
        return Judged::unknown(Reason::Ambiguous)
            .at(other.place, "what this command did is not known");
    }
    Judged::unsupported(Reason::NeverRun)
}
