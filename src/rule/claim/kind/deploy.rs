//! The rule of `deploy` claims.

use super::ClaimRule;
use crate::rule::claim::Kind;
use crate::rule::claim::guard::names;
use crate::rule::claim::judge::outward;

/// Did something go live?
pub const RULE: ClaimRule = ClaimRule {
    kind: Kind::Deploy,
    id: "deploy",
    question: "Did something go live?",
    guards: &names(outward::GUARDS),
    judge: outward::done,
};
