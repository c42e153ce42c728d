//! The rule of `merge` claims.

use super::ClaimRule;
use crate::rule::claim::Kind;
use crate::rule::claim::guard::names;
use crate::rule::claim::judge::outward;

/// Were the branches joined?
pub const RULE: ClaimRule = ClaimRule {
    kind: Kind::Merge,
    id: "merge",
    question: "Were the branches joined?",
    guards: &names(outward::GUARDS),
    judge: outward::done,
};
