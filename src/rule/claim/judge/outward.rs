//! Statements of commits, pushes, pull requests, merges, releases and installations: borne out by
//! the command's own good result.

use super::super::Kind;
use super::{Case, Judged, Reason};
use crate::rule::evidence::OutwardKind;
use crate::transcript::Outcome;

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
    if case.claim.negated {
        let none = !ledger
            .outward
            .iter()
            .any(|found| found.kind == wanted && found.turn == ledger.turn);
        return if none {
            Judged::new(super::Verdict::Supported, Reason::Direct)
        } else {
            Judged::unknown(Reason::Ambiguous)
        };
    }
    let found = ledger
        .outward
        .iter()
        .rev()
        .filter(|found| found.kind == wanted);
    let Some(last) = found.clone().next() else {
        return without(case);
    };
    let good = found.clone().find(|found| found.outcome == Outcome::Ok);
    // What failed may have been done another way afterwards.
    let later = |order: u64| order > last.order;
    let again = ledger.unknown.iter().any(|(order, ..)| later(*order))
        || ledger.delegated.iter().any(|(order, ..)| later(*order))
        || ledger.commands.iter().any(|(order, ..)| later(*order));
    if again && matches!(last.outcome, Outcome::Failed(_)) {
        return Judged::unknown(Reason::Ambiguous).at(last.place, "this command failed");
    }
    match (last.outcome, good) {
        (Outcome::Ok, _) => {
            let reason = if last.turn == ledger.turn {
                Reason::Direct
            } else {
                Reason::Carried
            };
            Judged::supported(reason, last.place, "this command ended well")
        }
        (Outcome::Failed(_), None) => {
            Judged::contradicted(Reason::Failed, last.place, "this command failed")
        }
        (Outcome::Failed(_), Some(good))
            if good.turn != ledger.turn && last.turn == ledger.turn =>
        {
            Judged::contradicted(Reason::Failed, last.place, "this command failed")
        }
        (_, Some(good)) => Judged::supported(Reason::Direct, good.place, "this command ended well"),
        (Outcome::Running, None) => {
            Judged::unknown(Reason::MissingResult).at(last.place, "this command had not ended")
        }
        _ => Judged::supported(
            Reason::OutputOnly,
            last.place,
            "this command ran; its exit status is hidden",
        ),
    }
}

/// No such command stands in the record: a tool server, another agent or a script may have done it.
fn without(case: &Case<'_>) -> Judged {
    let ledger = case.ledger;
    if let Some((_, _, place)) = ledger.delegated.last() {
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
    if let Some((_, _, place)) = ledger.unknown.last() {
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
