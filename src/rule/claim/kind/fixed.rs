//! The rule of `fixed` claims.

use super::ClaimRule;
use crate::rule::claim::Kind;
use crate::rule::claim::guard::{Guard, names};
use crate::rule::claim::judge::outcome;

const GUARDS: [Guard; 8] = [
    Guard::StaleEdit,
    Guard::OtherStep,
    Guard::ByHand,
    Guard::SelfAuthored,
    Guard::Delegated,
    Guard::Hearsay,
    Guard::ReportedSpeech,
    Guard::UnreadRecord,
];

/// Did a run or a look after the change show that it works now?
pub const RULE: ClaimRule = ClaimRule {
    kind: Kind::Fixed,
    id: "fixed",
    question: "Did a run or a look after the change show that it works now?",
    guards: &names(GUARDS),
    judge: outcome::fixed,
};
