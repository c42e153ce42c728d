//! The rule of `nochange` claims.

use super::ClaimRule;
use crate::rule::claim::Kind;
use crate::rule::claim::guard::{Guard, names};
use crate::rule::claim::judge::change;

const GUARDS: [Guard; 2] = [Guard::ReportedSpeech, Guard::UnreadRecord];

/// Did the turn leave it alone?
pub const RULE: ClaimRule = ClaimRule {
    kind: Kind::Nochange,
    id: "nochange",
    question: "Did the turn leave it alone?",
    guards: &names(GUARDS),
    judge: change::nothing,
};
