//! The rule of `commit` claims.

use super::ClaimRule;
use crate::rule::claim::Kind;
use crate::rule::claim::guard::{Guard, names, with};
use crate::rule::claim::judge::outward;

/// Was a commit made?
pub const RULE: ClaimRule = ClaimRule {
    kind: Kind::Commit,
    id: "commit",
    question: "Was a commit made?",
    guards: &names::<11>(with(outward::GUARDS, Guard::Retold)),
    judge: outward::done,
};
