//! The rule of `cleanup` claims.

use super::ClaimRule;
use crate::rule::claim::Kind;
use crate::rule::claim::guard::{Guard, names};
use crate::rule::claim::judge::change;

const GUARDS: [Guard; 9] = [
    Guard::FailedEdit,
    Guard::Reverted,
    Guard::OtherFile,
    Guard::Delegated,
    Guard::MissingResult,
    Guard::UnknownStep,
    Guard::Negated,
    Guard::ReportedSpeech,
    Guard::UnreadRecord,
];

/// Were the leftovers taken away?
pub const RULE: ClaimRule = ClaimRule {
    kind: Kind::Cleanup,
    id: "cleanup",
    question: "Were the leftovers taken away?",
    guards: &GUARDS,
    guard_names: &names(GUARDS),
    judge: change::made,
};
