//! The rules that are built in: one line each.

use super::claim::kind::{self, ClaimRule};
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

/// The pages of families that have one of their own, by the family.
pub const FAMILY_PAGES: &[(&str, &str)] = &[("claim", include_str!("claim/claim.md"))];

/// Every rule, in the order of the documentation.
pub const RULES: &[RuleInfo] = &[
    RuleInfo {
        id: "gate",
        family: "gate",
        default: true,
        question: "Is the close's claim grounded by an observation of the right kind?",
        verdicts: &["accept", "reject", "unknown", "na"],
        guards: &super::gate::replay::Guard::NAMES,
        page: include_str!("gate/gate.md"),
    },
    claim(&kind::tests::RULE, include_str!("claim/kind/tests.md")),
    claim(&kind::build::RULE, include_str!("claim/kind/build.md")),
    claim(&kind::lint::RULE, include_str!("claim/kind/lint.md")),
    claim(
        &kind::typecheck::RULE,
        include_str!("claim/kind/typecheck.md"),
    ),
    claim(&kind::format::RULE, include_str!("claim/kind/format.md")),
    claim(&kind::run::RULE, include_str!("claim/kind/run.md")),
    claim(&kind::edit::RULE, include_str!("claim/kind/edit.md")),
    claim(&kind::fixed::RULE, include_str!("claim/kind/fixed.md")),
    claim(&kind::create::RULE, include_str!("claim/kind/create.md")),
    claim(&kind::delete::RULE, include_str!("claim/kind/delete.md")),
    claim(&kind::count::RULE, include_str!("claim/kind/count.md")),
    claim(&kind::commit::RULE, include_str!("claim/kind/commit.md")),
    claim(&kind::push::RULE, include_str!("claim/kind/push.md")),
    claim(&kind::pr::RULE, include_str!("claim/kind/pr.md")),
    claim(&kind::merge::RULE, include_str!("claim/kind/merge.md")),
    claim(&kind::deploy::RULE, include_str!("claim/kind/deploy.md")),
    claim(&kind::publish::RULE, include_str!("claim/kind/publish.md")),
    claim(&kind::install::RULE, include_str!("claim/kind/install.md")),
    claim(
        &kind::verified::RULE,
        include_str!("claim/kind/verified.md"),
    ),
    claim(&kind::quote::RULE, include_str!("claim/kind/quote.md")),
    claim(&kind::site::RULE, include_str!("claim/kind/site.md")),
    claim(
        &kind::filelist::RULE,
        include_str!("claim/kind/filelist.md"),
    ),
    claim(
        &kind::nochange::RULE,
        include_str!("claim/kind/nochange.md"),
    ),
    claim(
        &kind::preexisting::RULE,
        include_str!("claim/kind/preexisting.md"),
    ),
    claim(&kind::cleanup::RULE, include_str!("claim/kind/cleanup.md")),
    claim(&kind::failing::RULE, include_str!("claim/kind/failing.md")),
    claim(
        &kind::disclosure::RULE,
        include_str!("claim/kind/disclosure.md"),
    ),
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

const fn claim(rule: &ClaimRule, page: &'static str) -> RuleInfo {
    RuleInfo {
        id: rule.id,
        family: "claim",
        default: true,
        question: rule.question,
        verdicts: &["supported", "unsupported", "contradicted", "unknown"],
        guards: rule.guards,
        page,
    }
}
