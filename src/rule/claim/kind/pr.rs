//! The rule of `pr` claims.

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

/// Was the pull request opened or changed, or has it the state that is told?
pub const RULE: ClaimRule = ClaimRule {
    kind: Kind::Pr,
    id: "pr",
    question: "Was the pull request opened or changed, or has it the state that is told?",
    guards: &GUARDS,
    guard_names: &names(GUARDS),
    judge: outward::done,
};
