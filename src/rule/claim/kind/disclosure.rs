//! The rule of `disclosure` claims.

use super::ClaimRule;
use crate::rule::claim::Kind;
use crate::rule::claim::guard::names;
use crate::rule::claim::judge::word;

/// Does the close say what was not done?
pub const RULE: ClaimRule = ClaimRule {
    kind: Kind::Disclosure,
    id: "disclosure",
    question: "Does the close say what was not done?",
    guards: &names(word::GUARDS),
    judge: word::disclosure,
};
