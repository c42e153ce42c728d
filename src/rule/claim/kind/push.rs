//! The rule of `push` claims.

use super::ClaimRule;
use crate::rule::claim::Kind;
use crate::rule::claim::guard::{Guard, names};
use crate::rule::claim::judge::outward;

const GUARDS: [Guard; 8] = [
    Guard::FailedRun,
    Guard::DryRun,
    Guard::Delegated,
    Guard::MissingResult,
    Guard::UnknownStep,
    Guard::Negated,
    Guard::ReportedSpeech,
    Guard::UnreadRecord,
];

/// Was the branch or tag pushed?
pub const RULE: ClaimRule = ClaimRule {
    kind: Kind::Push,
    id: "push",
    question: "Was the branch or tag pushed?",
    guards: &GUARDS,
    guard_names: &names(GUARDS),
    judge: outward::done,
};
