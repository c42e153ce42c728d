//! The rule of `format` claims.

use super::ClaimRule;
use crate::rule::claim::Kind;
use crate::rule::claim::guard::{Guard, names};
use crate::rule::claim::judge::check;

const GUARDS: [Guard; 21] = [
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
    Guard::Retold,
];

/// Did a formatter leave or find the code as it should be?
pub const RULE: ClaimRule = ClaimRule {
    kind: Kind::Format,
    id: "format",
    question: "Did a formatter leave or find the code as it should be?",
    guards: &GUARDS,
    guard_names: &names(GUARDS),
    judge: check::passes,
};
