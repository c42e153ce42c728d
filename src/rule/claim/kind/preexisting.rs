//! The rule of `preexisting` claims.

use super::ClaimRule;
use crate::rule::claim::Kind;
use crate::rule::claim::guard::{Guard, names};
use crate::rule::claim::judge::outcome;

const GUARDS: [Guard; 3] = [Guard::Baseline, Guard::ReportedSpeech, Guard::UnreadRecord];

/// Was the failure seen without the agent's changes?
pub const RULE: ClaimRule = ClaimRule {
    kind: Kind::Preexisting,
    id: "preexisting",
    question: "Was the failure seen without the agent's changes?",
    guards: &names(GUARDS),
    judge: outcome::preexisting,
};
