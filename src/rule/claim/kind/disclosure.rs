//! The rule of `disclosure` claims.

use super::ClaimRule;
use crate::rule::claim::Kind;
use crate::rule::claim::guard::{Guard, names};
use crate::rule::claim::judge::word;

const GUARDS: [Guard; 2] = [Guard::ReportedSpeech, Guard::UnreadRecord];

/// Does the close say what was not done?
pub const RULE: ClaimRule = ClaimRule {
    kind: Kind::Disclosure,
    id: "disclosure",
    question: "Does the close say what was not done?",
    guards: &GUARDS,
    guard_names: &names(GUARDS),
    judge: word::disclosure,
};
