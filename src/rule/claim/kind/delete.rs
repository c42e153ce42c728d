//! The rule of `delete` claims.

use super::ClaimRule;
use crate::rule::claim::Kind;
use crate::rule::claim::guard::names;
use crate::rule::claim::judge::change;

/// Was the file or thing that the claim names taken away?
pub const RULE: ClaimRule = ClaimRule {
    kind: Kind::Delete,
    id: "delete",
    question: "Was the file or thing that the claim names taken away?",
    guards: &names(change::GUARDS),
    judge: change::made,
};
