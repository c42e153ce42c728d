//! The controls that are built in.

use std::sync::LazyLock;

use rayon::prelude::*;

use super::model::{Control, ORACLE, PAGES, built_in};
use super::{canary, oracle};

macro_rules! files {
    ($($family:literal: $($rule:literal)*;)*) => {
        /// Each file of `calibration/controls`: its family, its rule and its text.
        pub const FILES: &[(&str, &str, &str)] = &[$($(
            ($family, $rule, include_str!(concat!(
                "../../calibration/controls/", $family, "/", $rule, ".toml"
            ))),
        )*)*];

        /// The same as the build script wrote it, which is read in a fraction of the time.
        const BUILT: &[(&str, &str)] = &[$($(
            ($family, include_str!(concat!(
                env!("OUT_DIR"), "/controls/", $family, "/", $rule, ".json"
            ))),
        )*)*];
    };
}

files! {
    "gate":
        "gate";
    "claim":
        "build"
        "cleanup"
        "commit"
        "count"
        "create"
        "delete"
        "deploy"
        "disclosure"
        "edit"
        "failing"
        "filelist"
        "fixed"
        "format"
        "install"
        "lint"
        "merge"
        "nochange"
        "pr"
        "preexisting"
        "publish"
        "push"
        "quote"
        "run"
        "site"
        "tests"
        "typecheck"
        "verified";
    "integrity":
        "assertion-weakened"
        "error-not-mentioned"
        "expected-copied"
        "hook-bypassed"
        "hooks-disabled"
        "ledger-handwritten"
        "reports-without-work"
        "self-made-reference"
        "snapshot-blessed"
        "status-masked"
        "test-deleted"
        "test-skipped";
    "oracle":
        "blindness"
        "call-evidence"
        "captured-command"
        "choice-in-clause"
        "citation-at"
        "count-before-noun"
        "hex-digest"
        "int-fact"
        "lane-use"
        "level-assertion"
        "name-set"
        "ordered-literals"
        "page-facts"
        "payload"
        "quoted-source"
        "recorded-run"
        "representation-size"
        "required-literals"
        "role-config"
        "round-trip"
        "row-filter"
        "sentinel"
        "session-report"
        "source-segment"
        "steps-never"
        "steps-order"
        "structure-elements"
        "symbol-sites"
        "tree-change"
        "url-cited"
        "word-class";
    "page":
        "check-html";
}

/// The controls of rules. A file that is no file of controls has none: a test says so.
pub fn rules() -> &'static [Control] {
    static RULES: LazyLock<Vec<Control>> =
        LazyLock::new(|| of(|family| !matches!(family, ORACLE | PAGES)));
    &RULES
}

/// The controls of check kinds, each with the guards that turn it.
pub fn kinds() -> &'static [Control] {
    static KINDS: LazyLock<Vec<Control>> = LazyLock::new(|| {
        let mut all = of(|family| family == ORACLE);
        oracle::list(&mut all, GUARDS);
        all
    });
    &KINDS
}

/// What the pages of check kinds show, for guards that no planted control turns. No grade runs it:
/// a page is its rule's own word.
pub fn examples() -> &'static [Control] {
    static EXAMPLES: LazyLock<Vec<Control>> = LazyLock::new(|| {
        let mut all = oracle::examples();
        oracle::list(&mut all, GUARDS);
        all
    });
    &EXAMPLES
}

/// Which controls and examples each guard of a check kind turns.
const GUARDS: &str = include_str!(concat!(env!("OUT_DIR"), "/oracle-guards.json"));

/// The controls of pages.
pub fn pages() -> &'static [Control] {
    static PAGE: LazyLock<Vec<Control>> = LazyLock::new(|| of(|family| family == PAGES));
    &PAGE
}

/// The controls of the canary.
pub fn canaries() -> &'static [Control] {
    static CANARIES: LazyLock<Vec<Control>> = LazyLock::new(canary::controls);
    &CANARIES
}

fn of(wanted: impl Fn(&str) -> bool + Sync) -> Vec<Control> {
    let files = BUILT.par_iter().with_max_len(1);
    let files = files.filter(|(family, _)| wanted(family));
    // Reading them takes as long as running them.
    let read: Vec<Vec<Control>> = files.map(|(_, text)| built_in(text)).collect();
    read.into_iter().flatten().filter(Control::asks).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::control::parse;

    #[test]
    fn what_is_built_in_is_what_the_files_say() {
        assert_eq!(FILES.len(), BUILT.len());
        for ((family, rule, text), (own, built)) in FILES.iter().zip(BUILT) {
            assert_eq!(family, own);
            let written = parse(text, rule).unwrap_or_else(|error| panic!("{error}"));
            assert!(written == built_in(built), "{family}/{rule}");
        }
    }
}
