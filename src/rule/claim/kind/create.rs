//! The rule of `create` claims.

use super::ClaimRule;
use crate::rule::claim::Kind;
use crate::rule::claim::guard::{Guard, names};
use crate::rule::claim::judge::change;

const GUARDS: [Guard; 10] = [
    Guard::FailedEdit,
    Guard::Reverted,
    Guard::OtherFile,
    Guard::Delegated,
    Guard::MissingResult,
    Guard::UnknownStep,
    Guard::Negated,
    Guard::ReportedSpeech,
    Guard::UnreadRecord,
    Guard::Retold,
];

/// Was the file or thing that the claim names made?
pub const RULE: ClaimRule = ClaimRule {
    kind: Kind::Create,
    id: "create",
    question: "Was the file or thing that the claim names made?",
    guards: &GUARDS,
    guard_names: &names(GUARDS),
    judge: change::made,
};
