//! The rule of `filelist` claims.

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

/// Were the listed files changed?
pub const RULE: ClaimRule = ClaimRule {
    kind: Kind::Filelist,
    id: "filelist",
    question: "Were the listed files changed?",
    guards: &GUARDS,
    guard_names: &names(GUARDS),
    judge: change::listed,
};
