//! The rule of `verified` claims.

use super::ClaimRule;
use crate::rule::claim::Kind;
use crate::rule::claim::guard::{Guard, names};
use crate::rule::claim::judge::verified;

const GUARDS: [Guard; 7] = [
    Guard::StaleEdit,
    Guard::OtherStep,
    Guard::ByHand,
    Guard::Delegated,
    Guard::Hearsay,
    Guard::ReportedSpeech,
    Guard::UnreadRecord,
];

/// Was something run or looked at after the last change?
pub const RULE: ClaimRule = ClaimRule {
    kind: Kind::Verified,
    id: "verified",
    question: "Was something run or looked at after the last change?",
    guards: &names(GUARDS),
    judge: verified::verified,
};
