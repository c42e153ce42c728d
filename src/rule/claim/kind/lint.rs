//! The rule of `lint` claims.

use super::ClaimRule;
use crate::rule::claim::Kind;
use crate::rule::claim::guard::names;
use crate::rule::claim::judge::check;

/// Did a linter that covers what is claimed find nothing after the last change of code?
pub const RULE: ClaimRule = ClaimRule {
    kind: Kind::Lint,
    id: "lint",
    question: "Did a linter that covers what is claimed find nothing after the last change of code?",
    guards: &names(check::GUARDS),
    judge: check::passes,
};
