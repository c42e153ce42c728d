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
        Verdict::Supported if may_turn(kind) => false,
        Verdict::Supported | Verdict::Unknown => return None,
    };
    let told = judged.evidence.iter().map(|(place, _)| place.start).max();
    let unread = case.ledger.unread.iter();
    let mut may = unread.filter(|(verify, (turn, place))| {
        let behind = told.is_none_or(|told| place.start > told);
        let here = by_absence && verify.is_none() && *turn == case.ledger.turn;
        (behind || here) && verify.is_none_or(|verify| bears(kind, verify))
    });
    may.next().map(|(_, (_, place))| *place)
}

/// Whether a later deed can take back what bore a statement of this kind out.
fn may_turn(kind: Kind) -> bool {
    kind.is_check()
        || matches!(
            kind,
            Kind::Count | Kind::Failing | Kind::Fixed | Kind::Run | Kind::Verified
        )
}

/// Whether a run that is known to have begun, and no more, bears on a statement.
fn bears(kind: Kind, verify: Verify) -> bool {
    match kind {
        Kind::Run => true,
        _ if kind.is_check() => exact(kind, verify),
        _ => may_turn(kind) && verify == Verify::Test,
    }
}
