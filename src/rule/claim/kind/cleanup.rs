//! The rule of `cleanup` claims.

use super::ClaimRule;
use crate::rule::claim::Kind;
use crate::rule::claim::guard::names;
use crate::rule::claim::judge::change;

/// Were the leftovers taken away?
pub const RULE: ClaimRule = ClaimRule {
    kind: Kind::Cleanup,
    id: "cleanup",
    question: "Were the leftovers taken away?",
    guards: &names(change::GUARDS),
    judge: change::made,
};
