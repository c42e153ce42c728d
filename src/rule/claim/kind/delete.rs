//! The rule of `delete` claims.

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

/// Was the file or thing that the claim names taken away?
pub const RULE: ClaimRule = ClaimRule {
    kind: Kind::Delete,
    id: "delete",
    question: "Was the file or thing that the claim names taken away?",
    guards: &GUARDS,
    guard_names: &names(GUARDS),
    judge: change::made,
};
