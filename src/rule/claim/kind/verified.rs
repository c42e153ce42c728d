//! The rule of `verified` claims.

use super::ClaimRule;
use crate::rule::claim::Kind;
use crate::rule::claim::guard::{Guard, names};
use crate::rule::claim::judge::outcome;

const GUARDS: [Guard; 5] = [
    Guard::StaleEdit,
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
    judge: outcome::verified,
};
