//! The rule of `edit` claims.

use super::ClaimRule;
use crate::rule::claim::Kind;
use crate::rule::claim::guard::{Guard, names, with};
use crate::rule::claim::judge::change;

/// Was the file or thing that the claim names changed?
pub const RULE: ClaimRule = ClaimRule {
    kind: Kind::Edit,
    id: "edit",
    question: "Was the file or thing that the claim names changed?",
    guards: &names::<13>(with(change::GUARDS, Guard::Retold)),
    judge: change::made,
};
