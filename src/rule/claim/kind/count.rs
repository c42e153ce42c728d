//! The rule of `count` claims.

use super::ClaimRule;
use crate::rule::claim::Kind;
use crate::rule::claim::guard::{Guard, names};
use crate::rule::claim::judge::count;

const GUARDS: [Guard; 7] = [
    Guard::Count,
    Guard::Narrowed,
    Guard::StaleEdit,
    Guard::Partial,
    Guard::Earlier,
    Guard::ReportedSpeech,
    Guard::UnreadRecord,
];

/// Does the record show the number?
pub const RULE: ClaimRule = ClaimRule {
    kind: Kind::Count,
    id: "count",
    question: "Does the record show the number?",
    guards: &names(GUARDS),
    judge: count::counted,
};
