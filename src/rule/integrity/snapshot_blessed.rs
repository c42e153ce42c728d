//! Snapshots accepted between a red and a green run, without a change of code.

use super::VERDICTS;
use super::finding::Rule;
use super::guard::Guard;
use crate::rule::registry::RuleInfo;
use crate::turn::Act;

/// The registry's line.
pub const INFO: RuleInfo = RuleInfo {
    id: Rule::SnapshotBlessed.as_str(),
    family: "integrity",
    default: true,
    question: "Were snapshots accepted between a red and a green run without a change of code?",
    verdicts: VERDICTS,
    guards: &[
        Guard::OperatorAsked.as_str(),
        Guard::CodeEdited.as_str(),
        Guard::NotFailing.as_str(),
        Guard::Disclosed.as_str(),
        Guard::CodeChanged.as_str(),
    ],
    page: include_str!("snapshot-blessed.md"),
};

/// Whether a command accepts what the run produces as what it should produce.
pub(super) fn accepts(act: &Act) -> bool {
    const VARIABLES: [&str; 10] = [
        "UPDATE_GOLDEN",
        "UPDATE_EXPECT",
        "UPDATE_SNAPSHOT",
        "INSTA_UPDATE",
        "INSTA_FORCE_UPDATE",
        "BLESS",
        "UPDATE_BASELINE",
        "TRYBUILD",
        "REGENERATE_GOLDEN",
        "UPDATE_REFERENCE",
    ];
    let set = act.env.iter().any(|pair| {
        let (name, value) = pair.split_once('=').unwrap_or((pair, ""));
        let on = !matches!(value, "" | "0" | "no" | "false" | "off" | "new" | "unseen");
        on && VARIABLES.iter().any(|variable| name.starts_with(variable))
    });
    if set {
        return true;
    }
    let words: Vec<&str> = act.argv().collect();
    let insta = words.windows(2).any(|pair| pair == ["insta", "accept"])
        || words.contains(&"insta") && words.contains(&"--accept");
    if insta {
        return true;
    }
    const FLAGS: [&str; 12] = [
        "--update-snapshots",
        "--updateSnapshot",
        "--snapshot-update",
        "--update-snapshot",
        "--update-goldens",
        "--update-golden",
        "--force-regen",
        "--bless",
        "--regenerate-goldens",
        "--inline-snapshot=fix",
        "--update-baseline",
        "--test-update-snapshots",
    ];
    if words.iter().any(|word| FLAGS.contains(word)) {
        return true;
    }
    if act.verify.is_none() && !runs_tests(&words) {
        return false;
    }
    const WITH_U: [&str; 8] = [
        "jest",
        "vitest",
        "ava",
        "test",
        "run",
        "tap",
        "react-scripts",
        "playwright",
    ];
    let short = words
        .iter()
        .position(|word| matches!(*word, "-u" | "-update" | "--update" | "--u"));
    let runner = short.is_some_and(|at| words[..at].iter().any(|word| WITH_U.contains(word)));
    runner && !words.contains(&"--help") && !words.iter().any(|word| word.contains("pytest"))
}

/// Whether words run a test suite: one that writes as it runs counts as a change elsewhere.
fn runs_tests(words: &[&str]) -> bool {
    words.iter().any(|word| {
        let name = word.rsplit('/').next().unwrap_or(word);
        matches!(
            name,
            "pytest"
                | "jest"
                | "vitest"
                | "ava"
                | "playwright"
                | "test"
                | "react-scripts"
                | "nextest"
                | "tap"
        ) || name.starts_with("test:")
    })
}

/// Whether a command that accepts snapshots runs the tests as well, and no check of the ledger.
pub(super) fn is_run(act: &Act) -> bool {
    let words: Vec<&str> = act.argv().collect();
    act.verify.is_none() && runs_tests(&words) && accepts(act)
}
