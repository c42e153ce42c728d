//! The rule of `install` claims.

use super::ClaimRule;
use crate::rule::claim::Kind;
use crate::rule::claim::guard::{Guard, names};
use crate::rule::claim::judge::outward;

const GUARDS: [Guard; 9] = [
    Guard::FailedRun,
    Guard::DryRun,
    Guard::Delegated,
    Guard::MissingResult,
    Guard::UnknownStep,
    Guard::Negated,
    Guard::ReportedSpeech,
    Guard::UnreadRecord,
    Guard::Retold,
];

/// Was it installed?
pub const RULE: ClaimRule = ClaimRule {
    kind: Kind::Install,
    id: "install",
    question: "Was it installed?",
    guards: &GUARDS,
    guard_names: &names(GUARDS),
    judge: outward::done,
};
