//! The rule of `publish` claims.

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

/// Was the package or release published?
pub const RULE: ClaimRule = ClaimRule {
    kind: Kind::Publish,
    id: "publish",
    question: "Was the package or release published?",
    guards: &GUARDS,
    guard_names: &names(GUARDS),
    judge: outward::done,
};
