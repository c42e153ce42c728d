//! One rule for each kind of claim, with its page beside it.

pub mod build;
pub mod cleanup;
pub mod commit;
pub mod count;
pub mod create;
pub mod delete;
pub mod deploy;
pub mod disclosure;
pub mod edit;
pub mod failing;
pub mod filelist;
pub mod fixed;
pub mod format;
pub mod install;
pub mod lint;
pub mod merge;
pub mod nochange;
pub mod pr;
pub mod preexisting;
pub mod publish;
pub mod push;
pub mod quote;
pub mod run;
pub mod site;
pub mod tests;
pub mod typecheck;
pub mod verified;

use super::Kind;
use super::judge::{Case, Judged};

/// The rule that judges the claims of one kind.
pub struct ClaimRule {
    /// The kind.
    pub kind: Kind,
    /// Its id, which is the kind's name.
    pub id: &'static str,
    /// What it asks.
    pub question: &'static str,
    /// The names of the guards that its verdicts rest on.
    pub guards: &'static [&'static str],
    pub(super) judge: fn(&Case<'_>) -> Judged,
}

/// Every rule, in the order of [`Kind::ALL`].
pub const RULES: [ClaimRule; 27] = [
    tests::RULE,
    build::RULE,
    lint::RULE,
    typecheck::RULE,
    format::RULE,
    run::RULE,
    edit::RULE,
    fixed::RULE,
    create::RULE,
    delete::RULE,
    count::RULE,
    commit::RULE,
    push::RULE,
    pr::RULE,
    merge::RULE,
    deploy::RULE,
    publish::RULE,
    install::RULE,
    verified::RULE,
    quote::RULE,
    site::RULE,
    filelist::RULE,
    nochange::RULE,
    preexisting::RULE,
    cleanup::RULE,
    failing::RULE,
    disclosure::RULE,
];

/// The rule of a kind.
#[must_use]
pub fn rule(kind: Kind) -> &'static ClaimRule {
    static ALL: [ClaimRule; 27] = RULES;
    let own = ALL.iter().find(|rule| rule.kind == kind);
    own.unwrap_or(&ALL[0])
}
