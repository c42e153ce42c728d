//! The controls that are built in.

use std::sync::LazyLock;

use super::canary;
use super::model::{Control, ORACLE, parse};

macro_rules! files {
    ($($family:literal: $($rule:literal)*;)*) => {
        /// Each file of `calibration/controls`: its family, its rule and its text.
        pub const FILES: &[(&str, &str, &str)] = &[$($(
            ($family, $rule, include_str!(concat!(
                "../../calibration/controls/", $family, "/", $rule, ".toml"
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
        "choice-in-clause"
        "citation-at"
        "count-before-noun"
        "hex-digest"
        "int-fact"
        "level-assertion"
        "name-set"
        "ordered-literals"
        "page-facts"
        "payload"
        "quoted-source"
        "required-literals"
        "row-filter"
        "source-segment"
        "steps-never"
        "steps-order"
        "structure-elements"
        "symbol-sites"
        "url-cited"
        "word-class";
}

/// The controls of rules. A file that is no file of controls has none: a test says so.
pub fn rules() -> &'static [Control] {
    static RULES: LazyLock<Vec<Control>> = LazyLock::new(|| of(|family| family != ORACLE));
    &RULES
}

/// The controls of check kinds.
pub fn kinds() -> &'static [Control] {
    static KINDS: LazyLock<Vec<Control>> = LazyLock::new(|| of(|family| family == ORACLE));
    &KINDS
}

/// The controls of the canary.
pub fn canaries() -> &'static [Control] {
    static CANARIES: LazyLock<Vec<Control>> = LazyLock::new(canary::controls);
    &CANARIES
}

fn of(wanted: impl Fn(&str) -> bool) -> Vec<Control> {
    let files = FILES.iter().enumerate();
    files
        .filter(|(_, (family, _, _))| wanted(family))
        .flat_map(|(at, (_, _, text))| parse(text, at + 1).unwrap_or_default())
        .filter(Control::asks)
        .collect()
}
