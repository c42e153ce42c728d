//! The check that a word names.

use super::check::Subject;
use super::model::Kind;
use super::scan::Scan;
use super::words;
use crate::shell::{self, Verify};
use crate::text::{Clause, WordKind};

/// The check that is named at `at`.
pub(super) fn subject(scan: &Scan<'_, '_>, clause: &Clause, at: usize) -> Option<Subject> {
    let prose = scan.prose;
    let word = prose.words().get(at)?;
    let next = scan.ahead(&clause.words, at, 1);
    let kind = (word.kind == WordKind::Code)
        .then(|| prose.source().get(word.range.clone()))
        .flatten()
        .and_then(|code| coded(code, next));
    let form = scan.form(at);
    let before = scan.back(&clause.words, at, 1);
    let named = kind
        .or_else(|| named(form, before, next))
        .or_else(|| by_context(scan, clause, at));
    if let Some(kind) = named {
        return Some(Subject {
            kind,
            word: at,
            vague: false,
        });
    }
    // `now all 22 pass`
    let counted = at + 2 < clause.words.end
        && prose.words()[at + 1].kind == WordKind::Number
        && words::went_well(scan.ahead(&clause.words, at, 2));
    let all =
        form != "all" || words::went_well(next) || counted || matches!(next, "came" | "tested");
    let ci = form != "ci"
        || next.is_empty()
        || words::went_well(next)
        || words::went_badly(next)
        || matches!(
            next,
            "is" | "checks" | "has" | "now" | "and" | "all" | "run" | "runs"
        );
    let checks = form != "checks"
        || matches!(
            before,
            "" | "all"
                | "the"
                | "ci"
                | "github"
                | "quality"
                | "pr"
                | "these"
                | "status"
                | "local"
                | "and"
        );
    let every = words::every_check(form)
        && all
        && ci
        && checks
        && !(form == "checks" && next.is_empty() && before.is_empty());
    every.then_some(Subject {
        kind: Kind::Tests,
        word: at,
        vague: true,
    })
}

fn named(form: &str, before: &str, next: &str) -> Option<Kind> {
    if form == "smoke" || (matches!(form, "test" | "check") && before == "manual") {
        return Some(Kind::Run);
    }
    if (form == "result" || (matches!(form, "workflow" | "job") && before != "the"))
        && (next.is_empty() || words::went_well(next))
    {
        return Some(Kind::Run);
    }
    if matches!(form, "verification" | "validation") {
        return Some(Kind::Verified);
    }
    if form == "type" && matches!(next, "check" | "checks" | "checking" | "checker") {
        return Some(Kind::Typecheck);
    }
    if form == "types" && matches!(next, "check" | "are" | "all" | "pass") {
        return Some(Kind::Typecheck);
    }
    if form == "format" && matches!(next, "check" | "checks" | "step") {
        return Some(Kind::Format);
    }
    if form == "ruff" && next == "format" {
        return Some(Kind::Format);
    }
    if form == "race" && next == "detector" {
        return Some(Kind::Tests);
    }
    if form == "conflict" || form == "merge" {
        return None;
    }
    // `the build script`, `test file`: the thing, not the check.
    let thing = matches!(
        next,
        "file"
            | "files"
            | "script"
            | "scripts"
            | "helper"
            | "helpers"
            | "data"
            | "fixture"
            | "fixtures"
            | "config"
            | "coverage"
            | "artifact"
            | "artifacts"
            | "folder"
    );
    words::check_word(form).filter(|_| !thing)
}

/// Names that stand for a check only where they are its subject: `black is happy`, `Format: ✅`,
/// `the focused run passes`.
fn by_context(scan: &Scan<'_, '_>, clause: &Clause, at: usize) -> Option<Kind> {
    let words = &clause.words;
    let next = scan.ahead(words, at, 1);
    let predicate = words::went_well(next)
        || words::finds(next)
        || matches!(
            next,
            "is" | "was" | "has" | "came" | "stays" | "still" | "finished" | "completed" | "ended"
        );
    let sentence = &scan.prose.sentences()[clause.sentence];
    let label = at + 1 == words.end
        && words.len() <= 6
        && scan.gap(sentence, at).contains([':', '|', '：']);
    match scan.form(at) {
        "black" | "dprint" | "yapf" | "autopep8" | "isort" => predicate.then_some(Kind::Format),
        "mocha" | "cypress" | "jasmine" | "karma" => predicate.then_some(Kind::Tests),
        "format" if label => Some(Kind::Format),
        "types" if label => Some(Kind::Typecheck),
        "run" => {
            let about = (1..=3).any(|n| {
                matches!(
                    scan.back(words, at, n),
                    "focused"
                        | "test"
                        | "targeted"
                        | "regression"
                        | "unit"
                        | "maven"
                        | "gradle"
                        | "pytest"
                        | "jest"
                        | "vitest"
                        | "rspec"
                )
            });
            (about && predicate).then_some(Kind::Tests)
        }
        _ => None,
    }
}

/// The check that is named in backticks: a command, or a test that is said to pass.
fn coded(code: &str, next: &str) -> Option<Kind> {
    let test = || names_test(code) && matches!(next, "passes" | "pass" | "passed");
    command(code).or_else(|| test().then_some(Kind::Tests))
}

/// Whether a name in backticks is a test's or a file of tests: `test_total`, `src/cart.test.ts`.
fn names_test(code: &str) -> bool {
    let name = code.trim_matches('`').trim_end_matches("()");
    let last = name.rsplit(['/', ':']).next().unwrap_or(name);
    let stem = last.split('.').next().unwrap_or(last);
    let plain = !name.contains(' ') && name.len() < 120;
    plain
        && (stem.starts_with("test_")
            || stem.ends_with("_test")
            || stem.ends_with("_spec")
            || last.contains(".test.")
            || last.contains(".spec."))
}

/// The check that a command in backticks runs.
pub(super) fn command(code: &str) -> Option<Kind> {
    let command = code.trim_matches('`').trim();
    if !command.contains([' ', '-']) {
        // `bin/rspec`, `vendor/bin/phpunit`: the program behind its folder.
        let command = match command.rsplit_once('/') {
            Some((folder, name))
                if folder == "bin" || folder.ends_with("/bin") || folder.ends_with("/.bin") =>
            {
                name
            }
            _ => command,
        };
        return words::check_word(command).filter(|_| command.len() > 3 || command == "tsc");
    }
    if command.len() > COMMAND_BYTES {
        return None;
    }
    let known = shell::read(command)
        .verify()
        .and_then(|verify| match verify {
            Verify::Test => Some(Kind::Tests),
            Verify::Build => Some(Kind::Build),
            Verify::Lint => Some(Kind::Lint),
            Verify::Typecheck => Some(Kind::Typecheck),
            Verify::Format => Some(Kind::Format),
            Verify::Run => None,
        });
    // A task that the table of runners does not know still says what it is: `mise run fmt`.
    let spoken = || {
        let runner = command
            .split(' ')
            .next()
            .is_some_and(|first| first.chars().all(|c| c.is_ascii_lowercase() || c == '-'));
        let named = command.split([' ', ':']).find_map(words::check_word);
        named.filter(|_| runner)
    };
    known.or_else(spoken)
}

/// A longer code span is an excerpt.
const COMMAND_BYTES: usize = 300;
