//! The rule of `format` claims.

use super::ClaimRule;
use crate::rule::claim::Kind;
use crate::rule::claim::guard::{Guard, names, with};
use crate::rule::claim::judge::check;

/// Did a formatter leave or find the code as it should be?
pub const RULE: ClaimRule = ClaimRule {
    kind: Kind::Format,
    id: "format",
    question: "Did a formatter leave or find the code as it should be?",
    guards: &names::<22>(with(check::GUARDS, Guard::Retold)),
    judge: check::passes,
};
