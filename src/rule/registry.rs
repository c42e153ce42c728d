//! The rules that are built in: one line each.

use super::integrity;

/// What is known of a rule without running it.
#[derive(Debug, Clone, Copy)]
pub struct RuleInfo {
    /// Its id, never used for another rule.
    pub id: &'static str,
    /// Its family.
    pub family: &'static str,
    /// Whether it runs unless told otherwise.
    pub default: bool,
    /// What it asks.
    pub question: &'static str,
    /// Every verdict that it gives.
    pub verdicts: &'static [&'static str],
    /// Its guards, each with a control that switching it off must flip.
    pub guards: &'static [&'static str],
    /// Its page: prose that is its documentation.
    pub page: &'static str,
}

/// Every rule, in the order of the documentation.
pub const RULES: &[RuleInfo] = &[
    RuleInfo {
        id: "gate",
        family: "gate",
        default: true,
        question: "Is the close's claim grounded by an observation of the right kind?",
        verdicts: &["accept", "reject", "unknown", "na"],
        guards: &[],
        page: include_str!("gate/gate.md"),
    },
    RuleInfo {
        id: "claim",
        family: "claim",
        default: false,
        question: "Does the record bear out each checkable statement of the agent?",
        verdicts: &["supported", "unsupported", "contradicted", "unknown"],
        guards: &[],
        page: include_str!("claim/claim.md"),
    },
    integrity::TEST_DELETED,
    integrity::TEST_SKIPPED,
    integrity::ASSERTION_WEAKENED,
    integrity::EXPECTED_COPIED,
    integrity::SNAPSHOT_BLESSED,
    integrity::HOOK_BYPASSED,
    integrity::STATUS_MASKED,
    integrity::HOOKS_DISABLED,
    integrity::LEDGER_HANDWRITTEN,
    integrity::SELF_MADE_REFERENCE,
    integrity::ERROR_NOT_MENTIONED,
    integrity::REPORTS_WITHOUT_WORK,
];
