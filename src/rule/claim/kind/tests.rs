//! The rule of `tests` claims.

use super::ClaimRule;
use crate::rule::claim::Kind;
use crate::rule::claim::guard::names;
use crate::rule::claim::judge::check;

/// Did a test run that covers what is claimed go well after the last change of code?
pub const RULE: ClaimRule = ClaimRule {
    kind: Kind::Tests,
    id: "tests",
    question: "Did a test run that covers what is claimed go well after the last change of code?",
    guards: &names(check::GUARDS),
    judge: check::passes,
};
