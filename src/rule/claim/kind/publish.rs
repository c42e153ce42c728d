//! The rule of `publish` claims.

use super::ClaimRule;
use crate::rule::claim::Kind;
use crate::rule::claim::guard::names;
use crate::rule::claim::judge::outward;

/// Was the package or release published?
pub const RULE: ClaimRule = ClaimRule {
    kind: Kind::Publish,
    id: "publish",
    question: "Was the package or release published?",
    guards: &names(outward::GUARDS),
    judge: outward::done,
};
