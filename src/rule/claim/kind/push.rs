//! The rule of `push` claims.

use super::ClaimRule;
use crate::rule::claim::Kind;
use crate::rule::claim::guard::names;
use crate::rule::claim::judge::outward;

/// Was the branch or tag pushed?
pub const RULE: ClaimRule = ClaimRule {
    kind: Kind::Push,
    id: "push",
    question: "Was the branch or tag pushed?",
    guards: &names(outward::GUARDS),
    judge: outward::done,
};
