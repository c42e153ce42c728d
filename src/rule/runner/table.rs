//! The one table of runners and of the lines by which each sums its run up.
//!
//! Shapes were taken from each program's own output; `scattered` marks those that report unit by
//! unit, so that a failure may stand on any line.

use super::own::{
    ava, cargo_test, compiler, ctest, dotnet, elixir, eslint, found_errors, go_test, golangci,
    gotestsum, jest_total, maven, nextest, node_test, pest, phpunit, pyright, pytest, swift,
    unittest, vitest,
};
use super::shape::{Mark, Shape};

use Mark::{Empty, Failed, Ok, Void};
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
            Starts("Ran 0 tests in ", Void),
            Starts("NO TESTS RAN", Empty),
            Own(unittest),
            Whole("OK", Ok),
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
            Starts("[INFO] No tests to run", Void),
            Starts("[INFO] Tests are skipped", Void),
            With("[INFO] BUILD SUCCESS", "SUCCESS", Ok),
            With("[INFO] BUILD FAILURE", "FAILURE", Failed),
            With("[ERROR] ", "COMPILATION ERROR", Failed),
        ],
    ),
    runner(
        &["gradle", "gradlew", "./gradlew"],
        &[
            Starts("> Task :test NO-SOURCE", Void),
            Starts("> Task :test SKIPPED", Void),
            Starts("BUILD SUCCESSFUL in ", Ok),
            Starts("BUILD FAILED in ", Failed),
            Starts("FAILURE: Build ", Failed),
        ],
    ),
    runner(
        &["ctest", "ninja test"],
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
    runner(&["cargo fmt", "rustfmt"], &[Starts("Diff in ", Failed)]),
    scattered(
        &["rubocop", "standardrb"],
        &[
            Ends(", no offenses detected", Ok),
            Ends(" offenses detected", Failed),
            Ends(" offense detected", Failed),
        ],
    ),
    scattered(
        &["cmake --build", "ninja", "meson compile"],
        &[
            With("make: *** ", "", Failed),
            With("make[", ": *** ", Failed),
            Starts("ninja: build stopped", Failed),
            With("", ": error: ", Failed),
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
