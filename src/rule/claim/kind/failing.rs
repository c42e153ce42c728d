//! The rule of `failing` claims.

use super::ClaimRule;
use crate::rule::claim::Kind;
use crate::rule::claim::guard::{Guard, names};
use crate::rule::claim::judge::failing;

const GUARDS: [Guard; 5] = [
    Guard::OtherStep,
    Guard::Elided,
    Guard::TruncatedText,
    Guard::ReportedSpeech,
    Guard::UnreadRecord,
];

/// Did a run fail?
pub const RULE: ClaimRule = ClaimRule {
    kind: Kind::Failing,
    id: "failing",
    question: "Did a run fail?",
    guards: &names(GUARDS),
    judge: failing::failing,
};
