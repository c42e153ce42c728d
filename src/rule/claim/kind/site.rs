//! The rule of `site` claims.

use super::ClaimRule;
use crate::rule::claim::Kind;
use crate::rule::claim::guard::names;
use crate::rule::claim::judge::word;

/// Was the cited place looked at?
pub const RULE: ClaimRule = ClaimRule {
    kind: Kind::Site,
    id: "site",
    question: "Was the cited place looked at?",
    guards: &names(word::SITE_GUARDS),
    judge: word::site,
};
