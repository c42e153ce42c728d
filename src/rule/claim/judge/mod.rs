//! A statement held against the record.
//!
//! `contradicted` is said only where the record itself shows the opposite; what nothing shows is
//! `unsupported`, and what the record cannot show is `unknown`.

mod absent;
mod bound;
mod by_git;
mod case;
pub(super) mod change;
pub(super) mod check;
mod ci;
pub(super) mod count;
mod doubt;
pub(super) mod failing;
mod figure;
mod first;
mod held;
mod none;
mod numeral;
mod other_agent;
pub(super) mod outcome;
pub(super) mod outward;
mod place;
pub(super) mod ran;
mod relevance;
mod remains;
mod scope;
mod seen;
mod size;
mod undone;
mod unfit;
mod unread;
mod verdict;
pub(super) mod verified;
mod witness;
pub(super) mod word;
mod written;

#[cfg(test)]
mod tests;

use super::guard::{Guard, Guards};
use super::{Claim, Kind, kind};
use crate::rule::evidence::Ledger;
use crate::turn::Turn;

pub(super) use case::Case;
pub use verdict::{Judged, Reason, Verdict};

/// Holds one statement against the record up to the end of its turn.
#[must_use]
pub fn judge(claim: &Claim, close: &str, others: &[Claim], ledger: &Ledger, turn: &Turn) -> Judged {
    judge_with(Guards::default(), claim, close, others, ledger, turn)
}

/// What is said of a statement that is not held against the record, because its close makes more of
/// them than are.
#[must_use]
pub fn unjudged() -> Judged {
    Judged::unknown(Reason::Truncated)
}

/// Does so with some guards only, to see what the others are for.
#[must_use]
pub fn judge_with(
    guards: Guards,
    claim: &Claim,
    close: &str,
    others: &[Claim],
    ledger: &Ledger,
    turn: &Turn,
) -> Judged {
    let case = Case {
        claim,
        close,
        others,
        ledger,
        turn,
        guards,
    };
    let mut judged = (kind::rule(claim.kind).judge)(&case);
    let changes = matches!(claim.kind, Kind::Edit | Kind::Create | Kind::Filelist);
    if changes && judged.verdict == Verdict::Supported && !claim.negated {
        judged = count::fewer_files(&case).unwrap_or(judged);
    }
    judged = other_agent::doubt(&case, &judged).unwrap_or(judged);
    judged = doubt::doubt(&case, &judged).unwrap_or(judged);
    // A certificate shows where it stands; only what was left undone stands nowhere.
    let absent = matches!(claim.kind, Kind::Nochange | Kind::Disclosure);
    if judged.verdict == Verdict::Supported && judged.evidence.is_empty() && !absent {
        judged = Judged::unknown(Reason::Ambiguous);
    }
    let open = matches!(judged.verdict, Verdict::Unsupported | Verdict::Contradicted);
    // What is said of another time or place, this turn's deeds cannot belie.
    if claim.elsewhere && open {
        return Judged::unknown(Reason::Elsewhere);
    }
    // What others are said to have found need not stand in this record at all.
    if guards.on(Guard::ReportedSpeech) && claim.reported.is_some() && open {
        return Judged::unknown(Reason::Elsewhere);
    }
    // What could not be read may be the very deed.
    let unread = guards.on(Guard::UnreadRecord) && ledger.opaque > 0;
    let by_absence = claim.kind == Kind::Nochange && judged.verdict == Verdict::Supported;
    if unread && (judged.verdict == Verdict::Unsupported || by_absence) {
        return Judged::unknown(Reason::Elsewhere);
    }
    if guards.on(Guard::UnreadRecord)
        && let Some(place) = unread::opens(&case, &judged)
    {
        judged.verdict = Verdict::Unknown;
        judged.reason = Reason::MissingResult;
        return judged.at(place, "what was done here cannot be read");
    }
    // A turn that only looked may retell what was done before or how a thing works.
    let retold = guards.on(Guard::Retold) && case.retells();
    if retold && judged.verdict == Verdict::Unsupported && judged.reason == Reason::NeverRun {
        return Judged::unknown(Reason::Elsewhere);
    }
    judged
}
