//! The rule of `create` claims.

use super::ClaimRule;
use crate::rule::claim::Kind;
use crate::rule::claim::guard::{Guard, names, with};
use crate::rule::claim::judge::change;

/// Was the file or thing that the claim names made?
pub const RULE: ClaimRule = ClaimRule {
    kind: Kind::Create,
    id: "create",
    question: "Was the file or thing that the claim names made?",
    guards: &names::<13>(with(change::GUARDS, Guard::Retold)),
    judge: change::made,
};
