//! Summary lines that are more than a phrase or a plain list of counts.

use super::Tally;
use super::count;
use super::shape::{Found, Mark};

use Mark::{Empty, Failed, Ok};

fn mark(mark: Mark) -> Option<Found> {
    Some(Found::Mark(mark))
}

pub(super) fn cargo_test(line: &str) -> Option<Found> {
    let rest = line.strip_prefix("test result: ")?;
    let (word, counts) = rest.split_once(". ")?;
    let counts = counts.split("; finished in").next().unwrap_or(counts);
    let kept: Vec<&str> = counts
        .split(';')
        .filter(|item| !item.contains("filtered out"))
        .collect();
    let tally = count::list(&kept.join(";"))?;
    if word == "FAILED" && tally.failed == 0 {
        return mark(Failed);
    }
    Some(Found::Tally(tally))
}

pub(super) fn nextest(line: &str) -> Option<Found> {
    let rest = line.strip_prefix("Summary [")?;
    let (_, rest) = rest.split_once(']')?;
    let (run, counts) = rest.split_once(':')?;
    if !run.contains("run") {
        return None;
    }
    count::list(counts).map(Found::Tally)
}

pub(super) fn go_test(line: &str) -> Option<Found> {
    if line == "FAIL" || line.starts_with("--- FAIL: ") || line.starts_with("FAIL\t") {
        return mark(Failed);
    }
    if line.starts_with("panic: ") || line.ends_with("[build failed]") {
        return mark(Failed);
    }
    if line.ends_with("[no test files]") || line.ends_with("[no tests to run]") {
        return mark(Empty);
    }
    let rest = line.strip_prefix("ok ")?.trim_start();
    if rest.starts_with('|') {
        return None;
    }
    let (_, time) = rest.split_once(['\t', ' '])?;
    let time = time.trim();
    (time.starts_with("(cached)") || count::is_time(time.split_whitespace().next().unwrap_or("")))
        .then_some(Found::Mark(Ok))
}

pub(super) fn gotestsum(line: &str) -> Option<Found> {
    let rest = line.strip_prefix("DONE ")?;
    let list = rest.split(" in ").next().unwrap_or(rest);
    count::list(list).map(Found::Tally)
}

/// `file.go:12:3: message`.
pub(super) fn compiler(line: &str) -> Option<Found> {
    let (path, rest) = line.split_once(".go:")?;
    let position = rest.split(':').next()?;
    (!path.contains(' ') && count::number(position).is_some()).then_some(Found::Mark(Failed))
}

pub(super) fn pytest(line: &str) -> Option<Found> {
    let bare = line.trim_matches('=').trim();
    let (list, time) = bare.rsplit_once(" in ")?;
    if !count::is_time(time) || !list.starts_with(|c: char| c.is_ascii_digit()) {
        return None;
    }
    count::list(list).map(Found::Tally)
}

pub(super) fn jest_total(line: &str) -> Option<Found> {
    let list = line.strip_prefix("Tests:")?;
    count::list(list).map(Found::Tally)
}

/// `Tests  1 failed | 2 passed (3)`.
pub(super) fn vitest(line: &str) -> Option<Found> {
    let rest = line.strip_prefix("Tests ")?;
    let list = rest.split(" (").next().unwrap_or(rest);
    if list.trim() == "no tests" {
        return mark(Empty);
    }
    count::list(list).map(Found::Tally)
}

/// `# pass 3`, `ℹ fail 0`.
pub(super) fn node_test(line: &str) -> Option<Found> {
    let rest = line
        .strip_prefix("# ")
        .or_else(|| line.strip_prefix("ℹ "))?;
    let (word, number) = rest.split_once(' ')?;
    let number = count::number(number)?;
    let mut tally = Tally::default();
    match word {
        "pass" => tally.passed = number,
        "fail" | "cancelled" => tally.failed = number,
        "skipped" | "todo" | "skip" => tally.skipped = number,
        _ => return None,
    }
    Some(Found::Tally(tally))
}

pub(super) fn ava(line: &str) -> Option<Found> {
    let (number, word) = line.split_once(' ')?;
    let number = count::number(number)?;
    match word {
        "test failed" | "tests failed" => Some(Found::Tally(Tally {
            failed: number,
            ..Tally::default()
        })),
        "test passed" | "tests passed" => Some(Found::Tally(Tally {
            passed: number,
            ..Tally::default()
        })),
        _ => None,
    }
}

/// `5 tests, 0 failures`, `5 examples, 0 failures, 1 pending`, `5 runs, 8 assertions, 0 failures`.
pub(super) fn elixir(line: &str) -> Option<Found> {
    let (number, _) = line.split_once(' ')?;
    count::number(number)?;
    if !line.contains(" failure") {
        return None;
    }
    count::list(line).map(Found::Tally)
}

/// `Tests run: 5, Failures: 0, Errors: 0, Skipped: 0`; the lines of single classes carry a time.
pub(super) fn maven(line: &str) -> Option<Found> {
    let at = line.find("Tests run: ")?;
    if line.contains("Time elapsed") || at > 12 {
        return None;
    }
    let rest = line.get(at + "Tests run: ".len()..)?;
    let (total, rest) = rest.split_once(',')?;
    let total = count::number(total)?;
    let mut tally = count::list(rest)?;
    tally.passed = total.saturating_sub(tally.failed + tally.errors + tally.skipped);
    Some(Found::Tally(tally))
}

/// `100% tests passed, 0 tests failed out of 5`.
pub(super) fn ctest(line: &str) -> Option<Found> {
    let (_, rest) = line.split_once("% tests passed, ")?;
    let mut words = rest.split(' ');
    let failed = count::number(words.next()?)?;
    let total = words.next_back().and_then(count::number)?;
    Some(Found::Tally(Tally {
        passed: total.saturating_sub(failed),
        failed,
        ..Tally::default()
    }))
}

/// `Passed!  - Failed: 0, Passed: 5, Skipped: 0, Total: 5, Duration: …`.
pub(super) fn dotnet(line: &str) -> Option<Found> {
    let rest = line
        .strip_prefix("Passed!")
        .or_else(|| line.strip_prefix("Failed!"))
        .or_else(|| line.strip_prefix("Skipped!"))?;
    let rest = rest.trim_start_matches([' ', '-']);
    let list = rest.split(", Duration").next().unwrap_or(rest);
    let list = list.split(" - ").next().unwrap_or(list);
    count::list(list).map(Found::Tally)
}

/// `OK (5 tests, 10 assertions)` and `Tests: 5, Assertions: 10, Failures: 1.`
pub(super) fn phpunit(line: &str) -> Option<Found> {
    let ok = line
        .strip_prefix("OK (")
        .and_then(|rest| rest.strip_suffix(')'));
    if let Some(list) = ok {
        return count::list(list).map(Found::Tally);
    }
    line.strip_prefix("Tests: ")
        .filter(|_| line.contains("Assertions: "))?;
    count::list(line).map(Found::Tally)
}

pub(super) fn pest(line: &str) -> Option<Found> {
    let rest = line.strip_prefix("Tests:")?;
    let list = rest.split(" (").next().unwrap_or(rest);
    count::list(list).map(Found::Tally)
}

/// `Executed 5 tests, with 0 failures (0 unexpected) in …`, `Test run with 5 tests passed after …`.
pub(super) fn swift(line: &str) -> Option<Found> {
    if let Some(rest) = line.strip_prefix("Executed ") {
        let (list, _) = rest.split_once(" (")?;
        return count::list(&list.replace("with ", "")).map(Found::Tally);
    }
    let at = line.find("Test run with ")?;
    if at > 8 {
        return None;
    }
    let rest = line.get(at + "Test run with ".len()..)?;
    let number = count::number(rest.split(' ').next()?)?;
    if rest.contains(" failed after ") {
        return mark(Failed);
    }
    rest.contains(" passed after ")
        .then_some(Found::Tally(Tally {
            passed: number,
            ..Tally::default()
        }))
}

/// `Found 3 errors`, `Found 3 errors in 2 files (checked 5 source files)`.
pub(super) fn found_errors(line: &str) -> Option<Found> {
    let rest = line.strip_prefix("Found ")?;
    let mut words = rest.split(' ');
    let number = count::number(words.next()?)?;
    let what = words.next()?.trim_end_matches(['.', ',']);
    let faults = matches!(what, "error" | "errors" | "problem" | "problems");
    // What a fixer found and mended is gone.
    if faults && rest.contains(" fixed, 0 remaining") {
        return mark(Ok);
    }
    (faults && number > 0).then_some(Found::Mark(Failed))
}

/// `✖ 3 problems (2 errors, 1 warning)`, with or without the cross: warnings alone are no failure.
pub(super) fn eslint(line: &str) -> Option<Found> {
    let rest = line.strip_prefix('✖').unwrap_or(line).trim_start();
    let (problems, inner) = rest.split_once(" (")?;
    let (number, noun) = problems.split_once(' ')?;
    count::number(number)?;
    if !noun.starts_with("problem") {
        return None;
    }
    let errors = inner.split(' ').next().and_then(count::number)?;
    mark(if errors > 0 { Failed } else { Ok })
}

/// `0 errors, 0 warnings, 0 informations`.
pub(super) fn pyright(line: &str) -> Option<Found> {
    let (number, rest) = line.split_once(' ')?;
    let errors = count::number(number)?;
    if !(rest.starts_with("error") && rest.contains("warning")) {
        return None;
    }
    mark(if errors > 0 { Failed } else { Ok })
}

/// `3 issues:`.
pub(super) fn golangci(line: &str) -> Option<Found> {
    let number = line
        .strip_suffix(" issues:")
        .or_else(|| line.strip_suffix(" issue:"))?;
    (count::number(number)? > 0).then_some(Found::Mark(Failed))
}

/// `Ran 5 tests in 0.01s`, `FAILED (failures=1, errors=2)`, `OK (skipped=1)`.
pub(super) fn unittest(line: &str) -> Option<Found> {
    if let Some(rest) = line.strip_prefix("Ran ") {
        let number = count::number(rest.split(' ').next()?)?;
        return (number > 0 && rest.contains(" in ")).then_some(Found::Ran(number));
    }
    let list = line
        .strip_prefix("FAILED (")
        .or_else(|| line.strip_prefix("OK ("))?;
    let list = list.strip_suffix(')')?;
    let found = count::list(list).map(Found::Tally);
    found.or_else(|| line.starts_with("FAILED").then_some(Found::Mark(Failed)))
}
