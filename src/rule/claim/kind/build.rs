//! The rule of `build` claims.

use super::ClaimRule;
use crate::rule::claim::Kind;
use crate::rule::claim::guard::{Guard, names};
use crate::rule::claim::judge::check;

const GUARDS: [Guard; 20] = [
    Guard::StaleEdit,
    Guard::MaskedStatus,
    Guard::EmptyRun,
    Guard::Narrowed,
    Guard::WrongDirectory,
    Guard::WrongCheck,
    Guard::Count,
    Guard::FailedRun,
    Guard::Delegated,
    Guard::Hearsay,
    Guard::SelfAuthored,
    Guard::MissingResult,
    Guard::UnknownStep,
    Guard::Negated,
    Guard::Partial,
    Guard::Earlier,
    Guard::Disclosed,
    Guard::Baseline,
    Guard::ReportedSpeech,
    Guard::UnreadRecord,
];

/// Did a build that covers what is claimed go well after the last change of code?
pub const RULE: ClaimRule = ClaimRule {
    kind: Kind::Build,
    id: "build",
    question: "Did a build that covers what is claimed go well after the last change of code?",
    guards: &GUARDS,
    guard_names: &names(GUARDS),
    judge: check::passes,
};
