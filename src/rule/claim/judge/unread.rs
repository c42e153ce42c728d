//! What could not be read: any such piece may be the very deed.

use super::check::exact;
use super::{Case, Judged, Reason, Verdict};
use crate::rule::claim::Kind;
use crate::shell::Verify;
use crate::transcript::Place;

/// A piece of the record that could not be read, or a run without a result, that may turn an
/// answer.
pub(super) fn opens(case: &Case<'_>, judged: &Judged) -> Option<Place> {
    let kind = case.claim.kind;
    let by_absence = match judged.verdict {
        Verdict::Unsupported => true,
        Verdict::Contradicted => matches!(judged.reason, Reason::FabricatedQuote | Reason::NotDone),
        Verdict::Supported if kind == Kind::Nochange => true,
        Verdict::Supported if may_turn(case) => false,
        Verdict::Supported | Verdict::Unknown => return None,
    };
    let told = judged.evidence.iter().map(|(place, _)| place.start).max();
    let unread = case.ledger.unread.iter();
    let mut may = unread.filter(|(verify, (turn, place))| {
        let behind = told.is_none_or(|told| place.start > told);
        let here = by_absence && verify.is_none() && *turn == case.ledger.turn;
        (behind || here) && verify.is_none_or(|verify| bears(case, verify))
    });
    may.next().map(|(_, (_, place))| *place)
}

/// Whether a later deed can take back what bore a statement out. The number of files in a listing stays what was listed;
/// how many tests passed is told by the last run.
fn may_turn(case: &Case<'_>) -> bool {
    let kind = case.claim.kind;
    let tally = &case.claim.tally;
    let of_a_run = tally.passed.is_some() || tally.failed.is_some();
    kind.is_check()
        || matches!(
            kind,
            Kind::Failing | Kind::Fixed | Kind::Run | Kind::Verified
        )
        || kind == Kind::Count && of_a_run
}

/// Whether a run that is known to have begun, and no more, bears on a statement.
fn bears(case: &Case<'_>, verify: Verify) -> bool {
    match case.claim.kind {
        Kind::Run => true,
        kind if kind.is_check() => exact(kind, verify),
        _ => may_turn(case) && verify == Verify::Test,
    }
}
