//! The rule of `site` claims.

use super::ClaimRule;
use crate::rule::claim::Kind;
use crate::rule::claim::guard::{Guard, names};
use crate::rule::claim::judge::word;

const GUARDS: [Guard; 2] = [Guard::ReportedSpeech, Guard::UnreadRecord];

/// Was the cited place looked at?
pub const RULE: ClaimRule = ClaimRule {
    kind: Kind::Site,
    id: "site",
    question: "Was the cited place looked at?",
    guards: &GUARDS,
    guard_names: &names(GUARDS),
    judge: word::site,
};
