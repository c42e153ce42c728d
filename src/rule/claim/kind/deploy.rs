//! The rule of `deploy` claims.

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

/// Did something go live?
pub const RULE: ClaimRule = ClaimRule {
    kind: Kind::Deploy,
    id: "deploy",
    question: "Did something go live?",
    guards: &GUARDS,
    guard_names: &names(GUARDS),
    judge: outward::done,
};
