//! The rule of `quote` claims.

use super::ClaimRule;
use crate::rule::claim::Kind;
use crate::rule::claim::guard::{Guard, names};
use crate::rule::claim::judge::word;

const GUARDS: [Guard; 5] = [
    Guard::Elided,
    Guard::TruncatedText,
    Guard::Delegated,
    Guard::ReportedSpeech,
    Guard::UnreadRecord,
];

/// Do the quoted words stand in what the agent was shown?
pub const RULE: ClaimRule = ClaimRule {
    kind: Kind::Quote,
    id: "quote",
    question: "Do the quoted words stand in what the agent was shown?",
    guards: &names(GUARDS),
    judge: word::quoted,
};
