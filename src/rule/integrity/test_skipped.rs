//! A failing test left out between a red and a green run.

use super::VERDICTS;
use super::delta::Delta;
use super::finding::{Reason, Rule};
use super::guard::{Guard, Guards};
use super::mark::is_conditional;
use super::scene::Sketch;
use crate::rule::registry::RuleInfo;
use crate::turn::{Act, Alter, Side};

/// The registry's line.
pub const INFO: RuleInfo = RuleInfo {
    id: Rule::TestSkipped.as_str(),
    family: "integrity",
    default: true,
    question: "Was a failing test left out between a red and a green run?",
    verdicts: VERDICTS,
    guards: &[
        Guard::OperatorAsked.as_str(),
        Guard::AlreadyThere.as_str(),
        Guard::Conditional.as_str(),
        Guard::SelectedBefore.as_str(),
        Guard::WholeRunLater.as_str(),
        Guard::Restored.as_str(),
        Guard::OwnTest.as_str(),
        Guard::NotFailing.as_str(),
        Guard::Disclosed.as_str(),
        Guard::CodeChanged.as_str(),
    ],
    page: include_str!("test-skipped.md"),
};

/// Marks that a change of a test file puts in.
pub(super) fn changed(delta: &Delta, guards: Guards) -> Vec<Sketch> {
    let there = delta.skips_out.len() >= delta.skips_in.len();
    if guards.hold(Guard::AlreadyThere, there) {
        return Vec::new();
    }
    let conditional =
        |at: usize| is_conditional(&delta.skips_in[at].line) || delta.conditioned.contains(&at);
    delta
        .skips_in
        .iter()
        .enumerate()
        .filter(|(at, _)| !guards.hold(Guard::Conditional, conditional(*at)))
        .map(|(_, told)| told)
        // A test that comes in marked never failed.
        .filter(|told| {
            told.under
                .as_ref()
                .is_none_or(|name| !delta.tests_in.contains(name))
        })
        .map(|told| {
            let names = told.under.iter().cloned().collect();
            Sketch::new(Rule::TestSkipped, Reason::SkipMarked, names, "", &told.line)
        })
        .collect()
}

/// Whether a file holds settings of a test runner.
pub(super) fn is_setting(path: &str) -> bool {
    const FILES: [&str; 12] = [
        "pytest.ini",
        "pyproject.toml",
        "setup.cfg",
        "tox.ini",
        "conftest.py",
        "jest.config",
        "vitest.config",
        "package.json",
        "playwright.config",
        ".mocharc",
        "Makefile",
        "justfile",
    ];
    let name = path.rsplit('/').next().unwrap_or("");
    FILES.iter().any(|file| name.starts_with(file))
}

/// Settings of a runner that leave tests out.
pub(super) fn configured(alter: &Alter) -> Vec<Sketch> {
    const MARKS: [&str; 9] = [
        "--deselect",
        "--ignore=",
        "--ignore ",
        "-k 'not ",
        "-k \"not ",
        "-k \\\"not ",
        "testPathIgnorePatterns",
        "collect_ignore",
        "testIgnore",
    ];
    if !is_setting(&alter.path) {
        return Vec::new();
    }
    let marked = |line: &&str| MARKS.iter().any(|mark| line.contains(mark));
    let before = alter.side(Side::Removed).filter(marked).count();
    let lines: Vec<&str> = alter.side(Side::Added).filter(marked).collect();
    if lines.len() <= before {
        return Vec::new();
    }
    lines
        .into_iter()
        .map(|line| {
            let names = line
                .split(|c: char| !(c.is_alphanumeric() || matches!(c, '_' | '.')))
                .filter(|word| word.len() > 4 && word.contains("test"))
                .map(str::to_owned)
                .collect();
            Sketch::new(
                Rule::TestSkipped,
                Reason::Deselected,
                names,
                "",
                line.trim(),
            )
        })
        .collect()
}

/// Options of a run that leave a part out: each as its words.
pub(super) fn deselected(act: &Act) -> Vec<String> {
    let words: Vec<&str> = act.argv().collect();
    let mut found = Vec::new();
    for (at, word) in words.iter().enumerate().skip(1) {
        let (option, own) = word
            .split_once('=')
            .map_or((*word, None), |(a, b)| (a, Some(b)));
        let value = own.or_else(|| words.get(at + 1).copied()).unwrap_or("");
        let negative =
            value.starts_with("not ") || value.contains(" not ") || value.starts_with("not(");
        let leaves = match option {
            "-k" | "-m" | "-E" | "--filter-expr" => negative,
            "--grep-invert"
            | "--invert"
            | "--deselect"
            | "--ignore-glob"
            | "--skip"
            | "-skip"
            | "--testPathIgnorePatterns"
            | "--exclude-tests" => true,
            // Other tools know `--ignore` and `--exclude` too, for other things than tests.
            "--ignore" | "--exclude" => act.verify == Some(crate::shell::Verify::Test),
            _ => false,
        };
        if leaves && !value.is_empty() {
            found.push(format!("{option} {value}"));
        }
    }
    found
}

/// The names that an option leaves out: of a path or a test's full name the last part, else each
/// word of it.
pub(super) fn left_out(option: &str) -> Vec<String> {
    let (_, value) = option.split_once(' ').unwrap_or(("", option));
    let value = value.rsplit("::").next().unwrap_or(value);
    let value = value.rsplit('/').next().unwrap_or(value);
    value
        .split(|c: char| !(c.is_alphanumeric() || matches!(c, '_' | '.')))
        .filter(|word| word.len() > 2 && !matches!(*word, "not" | "and" | "test" | "tests"))
        .map(str::to_owned)
        .collect()
}
