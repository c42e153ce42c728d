//! The rule of `filelist` claims.

use super::ClaimRule;
use crate::rule::claim::Kind;
use crate::rule::claim::guard::names;
use crate::rule::claim::judge::change;

/// Were the listed files changed?
pub const RULE: ClaimRule = ClaimRule {
    kind: Kind::Filelist,
    id: "filelist",
    question: "Were the listed files changed?",
    guards: &names(change::GUARDS),
    judge: change::listed,
};
