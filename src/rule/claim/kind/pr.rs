//! The rule of `pr` claims.

use super::ClaimRule;
use crate::rule::claim::Kind;
use crate::rule::claim::guard::names;
use crate::rule::claim::judge::outward;

/// Was the pull request opened or changed, or has it the state that is told?
pub const RULE: ClaimRule = ClaimRule {
    kind: Kind::Pr,
    id: "pr",
    question: "Was the pull request opened or changed, or has it the state that is told?",
    guards: &names(outward::GUARDS),
    judge: outward::done,
};
