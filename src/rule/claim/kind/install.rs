//! The rule of `install` claims.

use super::ClaimRule;
use crate::rule::claim::Kind;
use crate::rule::claim::guard::{Guard, names, with};
use crate::rule::claim::judge::outward;

/// Was it installed?
pub const RULE: ClaimRule = ClaimRule {
    kind: Kind::Install,
    id: "install",
    question: "Was it installed?",
    guards: &names::<11>(with(outward::GUARDS, Guard::Retold)),
    judge: outward::done,
};
