//! The one table of runners and of the lines by which each sums its run up.
//!
//! Shapes were taken from each program's own output; `scattered` marks those that report unit by
//! unit, so that a failure may stand on any line.

use super::Tally;
use super::count;
use super::shape::{Found, Mark, Shape};

use Mark::{Empty, Failed, Ok};
use Shape::{Bare, Counts, Ends, Own, Starts, Whole, With};

/// One runner.
#[derive(Debug)]
pub struct Runner {
    /// Words by which a command names it: each alternative is one word, or several in a row.
    pub commands: &'static [&'static str],
    /// The lines by which it speaks.
    pub shapes: &'static [Shape],
    /// Whether it reports unit by unit.
    pub scattered: bool,
    /// Whether it only launches what the project says: any other runner may speak in its output.
    pub launches: bool,
}

impl Runner {
    /// Whether a command (its words, joined by spaces) names this runner.
    #[must_use]
    pub fn names(&self, command: &str) -> bool {
        self.commands.iter().any(|name| holds_words(command, name))
    }
}

/// Whether `name` stands in `command` as whole words; a word's own folder does not count.
fn holds_words(command: &str, name: &str) -> bool {
    command.match_indices(name).any(|(at, _)| {
        let before = command
            .get(..at)
            .is_none_or(|head| head.is_empty() || head.ends_with([' ', '/', ':']));
        let after = command
            .get(at + name.len()..)
            .is_none_or(|rest| rest.is_empty() || rest.starts_with(' '));
        before && after
    })
}

const fn runner(commands: &'static [&'static str], shapes: &'static [Shape]) -> Runner {
    Runner {
        commands,
        shapes,
        scattered: false,
        launches: false,
    }
}

const fn scattered(commands: &'static [&'static str], shapes: &'static [Shape]) -> Runner {
    Runner {
        commands,
        shapes,
        scattered: true,
        launches: false,
    }
}

const fn launcher(commands: &'static [&'static str], shapes: &'static [Shape]) -> Runner {
    Runner {
        commands,
        shapes,
        scattered: true,
        launches: true,
    }
}

/// Every runner that is known.
pub const RUNNERS: &[Runner] = &[
    scattered(
        &["cargo test", "cargo t", "cargo nextest", "cargo llvm-cov"],
        &[
            Own(cargo_test),
            Own(nextest),
            Starts("error: test failed", Failed),
            Starts("error: could not compile", Failed),
            Starts("error: doctest failed", Failed),
            Starts("error: no tests to run", Empty),
            Starts("error[E", Failed),
        ],
    ),
    scattered(
        &[
            "cargo build",
            "cargo check",
            "cargo clippy",
            "cargo b",
            "cargo c",
            "cargo doc",
        ],
        &[
            Starts("error[E", Failed),
            Starts("error: ", Failed),
            Starts("Finished `", Ok),
            Starts("Finished dev", Ok),
            Starts("Finished release", Ok),
        ],
    ),
    scattered(
        &["go test", "gotestsum"],
        &[
            Own(go_test),
            With("DONE ", " failure", Failed),
            Own(gotestsum),
        ],
    ),
    scattered(
        &["go build", "go vet", "go install"],
        &[
            With("# ", "/", Failed),
            Own(compiler),
            Starts("vet: ", Failed),
        ],
    ),
    runner(
        &["pytest", "py.test"],
        &[
            Own(pytest),
            With("=", "no tests ran", Empty),
            Starts("no tests ran in ", Empty),
            With("FAILED ", "::", Failed),
            With("ERROR ", ".py", Failed),
        ],
    ),
    runner(
        &["unittest", "manage.py test", "nose2"],
        &[
            Starts("Ran 0 tests in ", Empty),
            Starts("NO TESTS RAN", Empty),
            With("Ran ", " in ", Ok),
            Starts("FAILED (", Failed),
        ],
    ),
    runner(
        &["jest", "react-scripts test", "craco test"],
        &[
            Own(jest_total),
            With("Test Suites:", " failed", Failed),
            Starts("No tests found", Empty),
        ],
    ),
    runner(
        &["vitest"],
        &[
            Own(vitest),
            With("Test Files", " failed", Failed),
            Starts("No test files found", Empty),
            Starts("No test suite found", Failed),
        ],
    ),
    runner(
        &["mocha", "cypress"],
        &[Bare("passing"), Bare("failing"), Bare("pending")],
    ),
    runner(
        &[
            "node --test",
            "tsx --test",
            "tap",
            "tape",
            "prove",
            "bats",
            "c8 node",
        ],
        &[
            Own(node_test),
            Starts("not ok ", Failed),
            Whole("All tests successful.", Ok),
            Whole("Result: PASS", Ok),
            Whole("Result: FAIL", Failed),
            Whole("Result: NOTESTS", Empty),
            Own(elixir),
        ],
    ),
    runner(
        &["bun test", "bun run test"],
        &[Bare("pass"), Bare("fail"), Bare("skip")],
    ),
    runner(
        &["deno test"],
        &[Counts("ok |", "T"), Counts("FAILED |", "T")],
    ),
    runner(&["ava"], &[Bare("tests passed"), Own(ava)]),
    runner(
        &["playwright test"],
        &[
            Bare("passed"),
            Bare("failed"),
            Bare("flaky"),
            Bare("skipped"),
            Starts("Error: No tests found", Empty),
        ],
    ),
    runner(
        &[
            "rspec",
            "mix test",
            "rake test",
            "rails test",
            "minitest",
            "ruby",
        ],
        &[Own(elixir), Starts("No examples found.", Empty)],
    ),
    scattered(
        &["mvn", "mvnw", "./mvnw"],
        &[
            Own(maven),
            With("[INFO] BUILD SUCCESS", "SUCCESS", Ok),
            With("[INFO] BUILD FAILURE", "FAILURE", Failed),
            With("[ERROR] ", "COMPILATION ERROR", Failed),
        ],
    ),
    runner(
        &["gradle", "gradlew", "./gradlew"],
        &[
            Starts("BUILD SUCCESSFUL in ", Ok),
            Starts("BUILD FAILED in ", Failed),
            Starts("FAILURE: Build ", Failed),
        ],
    ),
    runner(
        &["ctest", "make check", "ninja test"],
        &[Own(ctest), Starts("No tests were found", Empty)],
    ),
    scattered(
        &["dotnet test", "dotnet build", "dotnet publish", "msbuild"],
        &[
            Own(dotnet),
            Starts("No test is available in ", Empty),
            Starts("Build succeeded", Ok),
            Starts("Build FAILED", Failed),
            With("", ": error ", Failed),
        ],
    ),
    runner(
        &["phpunit", "pest", "artisan test", "composer test"],
        &[
            Own(phpunit),
            Whole("FAILURES!", Failed),
            Whole("ERRORS!", Failed),
            Starts("No tests executed!", Empty),
            Own(pest),
        ],
    ),
    scattered(
        &["swift test", "swift build", "xcodebuild"],
        &[
            Own(swift),
            Starts("** TEST SUCCEEDED **", Ok),
            Starts("** TEST FAILED **", Failed),
            Starts("** BUILD SUCCEEDED **", Ok),
            Starts("** BUILD FAILED **", Failed),
            Starts("Build complete!", Ok),
            Starts("error: fatalError", Failed),
        ],
    ),
    runner(
        &["flutter test", "dart test"],
        &[
            Ends(": All tests passed!", Ok),
            Ends(": Some tests failed.", Failed),
            Ends("No tests ran.", Empty),
        ],
    ),
    scattered(
        &["tsc", "vue-tsc", "tsgo"],
        &[
            With("", ": error TS", Failed),
            Starts("error TS", Failed),
            Starts("Found 0 errors", Ok),
            Own(found_errors),
        ],
    ),
    scattered(
        &["eslint", "oxlint", "stylelint", "standard", "xo"],
        &[
            Own(eslint),
            With("Found 0 warnings and 0 errors", "", Ok),
            Own(found_errors),
        ],
    ),
    runner(
        &["biome", "rome"],
        &[
            With("Checked ", ". No fixes applied", Ok),
            Own(found_errors),
        ],
    ),
    scattered(
        &["ruff"],
        &[
            Whole("All checks passed!", Ok),
            Own(found_errors),
            Starts("Would reformat: ", Failed),
            Ends(" would be reformatted", Failed),
            Ends(" already formatted", Ok),
        ],
    ),
    scattered(
        &["black", "isort"],
        &[
            Starts("would reformat ", Failed),
            Starts("All done!", Ok),
            With("ERROR: ", "incorrectly sorted", Failed),
        ],
    ),
    scattered(
        &["mypy", "dmypy"],
        &[
            Starts("Success: no issues found", Ok),
            Own(found_errors),
            With("", ": error: ", Failed),
        ],
    ),
    runner(&["pyright", "basedpyright"], &[Own(pyright)]),
    runner(
        &["prettier"],
        &[
            Starts("All matched files use Prettier", Ok),
            Starts("[warn] Code style issues", Failed),
            Starts("[error] ", Failed),
        ],
    ),
    runner(
        &["golangci-lint"],
        &[
            Whole("0 issues.", Ok),
            Own(golangci),
            With("level=error", "", Failed),
        ],
    ),
    scattered(
        &["pre-commit"],
        &[Ends("....Passed", Ok), Ends("....Failed", Failed)],
    ),
    runner(
        &["vite build", "webpack", "next build", "rollup", "esbuild"],
        &[
            Starts("✓ built in ", Ok),
            With("webpack ", " compiled successfully", Ok),
            Starts("✓ Compiled successfully", Ok),
            Starts("Failed to compile", Failed),
            Starts("ERROR in ", Failed),
            With("error during build", "", Failed),
        ],
    ),
    launcher(
        &["npm", "pnpm", "yarn", "bun"],
        &[
            Starts("npm ERR! ", Failed),
            Starts("npm error ", Failed),
            Starts("error Command failed with exit code", Failed),
            With("ELIFECYCLE", "", Failed),
            Starts("ERR_PNPM_", Failed),
        ],
    ),
    launcher(
        &[
            "make", "gmake", "mise", "just", "task", "tox", "nox", "turbo", "nx", "lerna",
            "composer", "rake", "hatch", "pdm", "poetry", "uv",
        ],
        &[
            With("make: *** ", "", Failed),
            With("make[", ": *** ", Failed),
            With("[", " ERROR task failed", Failed),
            Starts("error: Recipe ", Failed),
            Starts("task: Failed to run task", Failed),
        ],
    ),
];

fn mark(mark: Mark) -> Option<Found> {
    Some(Found::Mark(mark))
}

fn cargo_test(line: &str) -> Option<Found> {
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

fn nextest(line: &str) -> Option<Found> {
    let rest = line.strip_prefix("Summary [")?;
    let (_, rest) = rest.split_once(']')?;
    let (run, counts) = rest.split_once(':')?;
    if !run.contains("run") {
        return None;
    }
    count::list(counts).map(Found::Tally)
}

fn go_test(line: &str) -> Option<Found> {
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
    let (_, time) = rest.split_once(['\t', ' '])?;
    let time = time.trim();
    (time.starts_with("(cached)") || count::is_time(time.split_whitespace().next().unwrap_or("")))
        .then_some(Found::Mark(Ok))
}

fn gotestsum(line: &str) -> Option<Found> {
    let rest = line.strip_prefix("DONE ")?;
    let list = rest.split(" in ").next().unwrap_or(rest);
    count::list(list).map(Found::Tally)
}

/// `file.go:12:3: message`.
fn compiler(line: &str) -> Option<Found> {
    let (path, rest) = line.split_once(".go:")?;
    let position = rest.split(':').next()?;
    (!path.contains(' ') && count::number(position).is_some()).then_some(Found::Mark(Failed))
}

fn pytest(line: &str) -> Option<Found> {
    let bare = line.trim_matches('=').trim();
    let (list, time) = bare.rsplit_once(" in ")?;
    if !count::is_time(time) || !list.starts_with(|c: char| c.is_ascii_digit()) {
        return None;
    }
    count::list(list).map(Found::Tally)
}

fn jest_total(line: &str) -> Option<Found> {
    let list = line.strip_prefix("Tests:")?;
    count::list(list).map(Found::Tally)
}

/// `Tests  1 failed | 2 passed (3)`.
fn vitest(line: &str) -> Option<Found> {
    let rest = line.strip_prefix("Tests ")?;
    let list = rest.split(" (").next().unwrap_or(rest);
    if list.trim() == "no tests" {
        return mark(Empty);
    }
    count::list(list).map(Found::Tally)
}

/// `# pass 3`, `ℹ fail 0`.
fn node_test(line: &str) -> Option<Found> {
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

fn ava(line: &str) -> Option<Found> {
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
fn elixir(line: &str) -> Option<Found> {
    let (number, _) = line.split_once(' ')?;
    count::number(number)?;
    if !line.contains(" failure") {
        return None;
    }
    count::list(line).map(Found::Tally)
}

/// `Tests run: 5, Failures: 0, Errors: 0, Skipped: 0`; the lines of single classes carry a time.
fn maven(line: &str) -> Option<Found> {
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
fn ctest(line: &str) -> Option<Found> {
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
fn dotnet(line: &str) -> Option<Found> {
    let rest = line
        .strip_prefix("Passed!")
        .or_else(|| line.strip_prefix("Failed!"))
        .or_else(|| line.strip_prefix("Skipped!"))?;
    let rest = rest.trim_start_matches([' ', '-']);
    let list = rest.split(", Duration").next().unwrap_or(rest);
    count::list(list).map(Found::Tally)
}

/// `OK (5 tests, 10 assertions)` and `Tests: 5, Assertions: 10, Failures: 1.`
fn phpunit(line: &str) -> Option<Found> {
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

fn pest(line: &str) -> Option<Found> {
    let rest = line.strip_prefix("Tests:")?;
    let list = rest.split(" (").next().unwrap_or(rest);
    count::list(list).map(Found::Tally)
}

/// `Executed 5 tests, with 0 failures (0 unexpected) in …`, `Test run with 5 tests passed after …`.
fn swift(line: &str) -> Option<Found> {
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
fn found_errors(line: &str) -> Option<Found> {
    let rest = line.strip_prefix("Found ")?;
    let mut words = rest.split(' ');
    let number = count::number(words.next()?)?;
    let what = words.next()?.trim_end_matches(['.', ',']);
    let faults = matches!(what, "error" | "errors" | "problem" | "problems");
    (faults && number > 0).then_some(Found::Mark(Failed))
}

/// `✖ 3 problems (2 errors, 1 warning)`: warnings alone are no failure.
fn eslint(line: &str) -> Option<Found> {
    let rest = line.strip_prefix("✖ ").or_else(|| line.strip_prefix("✖"))?;
    let (_, inner) = rest.split_once(" (")?;
    let errors = inner.split(' ').next().and_then(count::number)?;
    mark(if errors > 0 { Failed } else { Ok })
}

/// `0 errors, 0 warnings, 0 informations`.
fn pyright(line: &str) -> Option<Found> {
    let (number, rest) = line.split_once(' ')?;
    let errors = count::number(number)?;
    if !(rest.starts_with("error") && rest.contains("warning")) {
        return None;
    }
    mark(if errors > 0 { Failed } else { Ok })
}

/// `3 issues:`.
fn golangci(line: &str) -> Option<Found> {
    let number = line
        .strip_suffix(" issues:")
        .or_else(|| line.strip_suffix(" issue:"))?;
    (count::number(number)? > 0).then_some(Found::Mark(Failed))
}
