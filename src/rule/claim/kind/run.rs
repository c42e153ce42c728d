//! The rule of `run` claims.

use super::ClaimRule;
use crate::rule::claim::Kind;
use crate::rule::claim::guard::{Guard, names};
use crate::rule::claim::judge::ran;

const GUARDS: [Guard; 6] = [
    Guard::OtherStep,
    Guard::Delegated,
    Guard::Elided,
    Guard::TruncatedText,
    Guard::ReportedSpeech,
    Guard::UnreadRecord,
];

/// Did a command run, and end as told?
pub const RULE: ClaimRule = ClaimRule {
    kind: Kind::Run,
    id: "run",
    question: "Did a command run, and end as told?",
    guards: &names(GUARDS),
    judge: ran::ran,
};
