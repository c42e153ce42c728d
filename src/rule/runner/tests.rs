//! One clean, one failing and one empty run of each kind of runner, as they print.

use super::*;

fn speech(command: &str, output: &str) -> Speech {
    read(command, output).speech
}

const CASES: &[(&str, &str, Speech)] = &[
    (
        "cargo test",
        "running 2 tests\ntest result: ok. 2 passed; 0 failed; 1 ignored; 0 measured; 3 filtered out; finished in 0.00s",
        Speech::Ok,
    ),
    (
        "cargo test",
        "test result: ok. 2 passed; 0 failed; 0 ignored\ntest result: FAILED. 1 passed; 1 failed; 0 ignored\nerror: test failed, to rerun pass `--lib`",
        Speech::Failed,
    ),
    (
        "cargo test",
        "test result: ok. 0 passed; 0 failed; 0 ignored; 0 measured; 9 filtered out; finished in 0.00s",
        Speech::Empty,
    ),
    (
        "cargo nextest run",
        "     Summary [   0.011s] 3 tests run: 3 passed, 1 skipped",
        Speech::Ok,
    ),
    (
        "cargo nextest run",
        "     Summary [   0.011s] 3 tests run: 2 passed, 1 failed, 0 skipped",
        Speech::Failed,
    ),
    (
        "cargo clippy",
        "    Finished `dev` profile [unoptimized] target(s) in 0.5s",
        Speech::Ok,
    ),
    (
        "cargo build",
        "error: could not compile `a` (lib) due to 1 previous error",
        Speech::Failed,
    ),
    (
        "go test ./...",
        "ok  \texample.com/a\t0.003s\n?   \texample.com/b\t[no test files]",
        Speech::Ok,
    ),
    (
        "go test ./...",
        "ok  \texample.com/a\t(cached)\n--- FAIL: TestB (0.00s)\nFAIL\texample.com/b\t0.1s\nFAIL",
        Speech::Failed,
    ),
    (
        "go test ./...",
        "?   \texample.com/b\t[no test files]",
        Speech::Empty,
    ),
    (
        "go test -run X ./...",
        "ok  \texample.com/a\t0.003s [no tests to run]",
        Speech::Empty,
    ),
    (
        "pytest -q",
        "....\n4 passed, 1 warning in 0.12s",
        Speech::Ok,
    ),
    (
        "python -m pytest",
        "===== 1 failed, 3 passed in 0.30s =====",
        Speech::Failed,
    ),
    ("pytest", "===== no tests ran in 0.01s =====", Speech::Empty),
    ("pytest", "===== 2 deselected in 0.01s =====", Speech::Empty),
    (
        "python -m unittest",
        "Ran 3 tests in 0.001s\n\nOK",
        Speech::Ok,
    ),
    (
        "python -m unittest",
        "Ran 3 tests in 0.001s\n\nFAILED (failures=1)",
        Speech::Failed,
    ),
    (
        "python -m unittest",
        "Ran 0 tests in 0.000s\n\nNO TESTS RAN",
        Speech::Empty,
    ),
    (
        "npx jest",
        "Test Suites: 1 passed, 1 total\nTests:       2 passed, 2 total",
        Speech::Ok,
    ),
    (
        "npx jest",
        "Test Suites: 1 failed, 1 total\nTests:       1 failed, 2 passed, 3 total",
        Speech::Failed,
    ),
    (
        "npx jest x",
        "No tests found, exiting with code 1",
        Speech::Empty,
    ),
    (
        "npx vitest run",
        " Test Files  1 passed (1)\n      Tests  3 passed (3)",
        Speech::Ok,
    ),
    (
        "npx vitest run",
        " Test Files  1 failed (1)\n      Tests  1 failed | 2 passed (3)",
        Speech::Failed,
    ),
    (
        "npx vitest run",
        "No test files found, exiting with code 1",
        Speech::Empty,
    ),
    (
        "npx mocha",
        "  5 passing (12ms)\n  1 failing",
        Speech::Failed,
    ),
    ("npx mocha", "  5 passing (12ms)", Speech::Ok),
    ("npx mocha", "  0 passing (1ms)", Speech::Empty),
    ("node --test", "# tests 3\n# pass 3\n# fail 0", Speech::Ok),
    (
        "node --test",
        "ℹ tests 3\nℹ pass 2\nℹ fail 1",
        Speech::Failed,
    ),
    (
        "node --test",
        "# tests 0\n# pass 0\n# fail 0",
        Speech::Empty,
    ),
    (
        "bundle exec rspec",
        "5 examples, 0 failures, 1 pending",
        Speech::Ok,
    ),
    ("rspec", "5 examples, 2 failures", Speech::Failed),
    ("rspec", "0 examples, 0 failures", Speech::Empty),
    (
        "mvn test",
        "[INFO] Tests run: 5, Failures: 0, Errors: 0, Skipped: 1\n[INFO] BUILD SUCCESS",
        Speech::Ok,
    ),
    (
        "mvn test",
        "[ERROR] Tests run: 5, Failures: 1, Errors: 0, Skipped: 0\n[INFO] BUILD FAILURE",
        Speech::Failed,
    ),
    ("./gradlew test", "BUILD SUCCESSFUL in 3s", Speech::Ok),
    (
        "./gradlew test",
        "FAILURE: Build failed with an exception.\nBUILD FAILED in 3s",
        Speech::Failed,
    ),
    (
        "ctest",
        "100% tests passed, 0 tests failed out of 5",
        Speech::Ok,
    ),
    (
        "ctest",
        "80% tests passed, 1 tests failed out of 5",
        Speech::Failed,
    ),
    (
        "dotnet test",
        "Passed!  - Failed:     0, Passed:     5, Skipped:     0, Total:     5, Duration: 1 s",
        Speech::Ok,
    ),
    (
        "dotnet test",
        "Failed!  - Failed:     1, Passed:     4, Skipped:     0, Total:     5, Duration: 1 s",
        Speech::Failed,
    ),
    (
        "vendor/bin/phpunit",
        "OK (5 tests, 10 assertions)",
        Speech::Ok,
    ),
    (
        "vendor/bin/phpunit",
        "FAILURES!\nTests: 5, Assertions: 10, Failures: 1.",
        Speech::Failed,
    ),
    (
        "swift test",
        "Executed 5 tests, with 0 failures (0 unexpected) in 0.1 (0.1) seconds",
        Speech::Ok,
    ),
    (
        "swift test",
        "Executed 5 tests, with 1 failure (0 unexpected) in 0.1 (0.1) seconds",
        Speech::Failed,
    ),
    (
        "npx tsc --noEmit",
        "src/a.ts(1,2): error TS2304: Cannot find name 'x'.",
        Speech::Failed,
    ),
    ("npx tsc --noEmit", "", Speech::Silent),
    (
        "npx eslint .",
        "✖ 3 problems (2 errors, 1 warning)",
        Speech::Failed,
    ),
    (
        "npx eslint .",
        "✖ 1 problem (0 errors, 1 warning)",
        Speech::Ok,
    ),
    ("ruff check .", "All checks passed!", Speech::Ok),
    ("ruff check .", "Found 3 errors.", Speech::Failed),
    (
        "mypy .",
        "Success: no issues found in 3 source files",
        Speech::Ok,
    ),
    (
        "mypy .",
        "Found 2 errors in 1 file (checked 3 source files)",
        Speech::Failed,
    ),
    ("golangci-lint run", "0 issues.", Speech::Ok),
    (
        "golangci-lint run",
        "3 issues:\n* errcheck: 3",
        Speech::Failed,
    ),
    (
        "bun test",
        " 5 pass\n 0 fail\nRan 5 tests across 1 file. [12.00ms]",
        Speech::Ok,
    ),
    (
        "npm test",
        "\u{1b}[32mTests:       2 passed, 2 total\u{1b}[0m",
        Speech::Ok,
    ),
    (
        "npm test",
        "npm ERR! Test failed.  See above for more details.",
        Speech::Failed,
    ),
    (
        "make test",
        "test result: ok. 2 passed; 0 failed; 0 ignored",
        Speech::Ok,
    ),
    (
        "make test",
        "make: *** [Makefile:2: test] Error 1",
        Speech::Failed,
    ),
    ("mise run test", "ok  \texample.com/a\t0.003s", Speech::Ok),
];

#[test]
fn each_runner_is_read_by_its_own_lines() {
    for (command, output, expected) in CASES {
        assert_eq!(speech(command, output), *expected, "{command}: {output}");
    }
}

#[test]
fn words_of_a_summary_in_other_text_are_no_summary() {
    for output in [
        "All 12 tests passed, said the manual in 2019.",
        "# How to read: 3 passed means good",
        "we passed 4 values in 3 calls",
        "fn pass() {}",
        "the test result: ok",
    ] {
        assert_eq!(speech("pytest", output), Speech::Silent, "{output}");
        assert_eq!(speech("make test", output), Speech::Silent, "{output}");
    }
    // Another runner's words in this one's output count for nothing.
    assert_eq!(speech("cargo test", "4 passed in 0.12s"), Speech::Silent);
}

#[test]
fn counts_add_up() {
    let two = "test result: ok. 2 passed; 0 failed; 1 ignored\ntest result: ok. 40 passed; 0 failed; 0 ignored";
    let tally = read("cargo test", two).tally.unwrap();
    assert_eq!((tally.passed, tally.failed, tally.skipped), (42, 0, 1));
    let minitest = read(
        "rake test",
        "5 runs, 8 assertions, 1 failures, 1 errors, 1 skips",
    )
    .tally
    .unwrap();
    assert_eq!(
        (minitest.passed, minitest.failed, minitest.errors),
        (2, 1, 1)
    );
}

#[test]
fn a_filter_that_may_hide_failures_proves_no_clean_run() {
    let go = read("go test ./...", "ok  \texample.com/a\t0.003s");
    assert_eq!(go.seen_through(Via::of("tail", "tail -5")), Speech::Ok);
    assert_eq!(go.seen_through(Via::of("grep", "grep ^ok")), Speech::Silent);
    assert_eq!(
        go.seen_through(Via::of("grep", "grep -E ok|FAIL")),
        Speech::Ok
    );
    assert_eq!(
        go.seen_through(Via::of("grep", "grep -v FAIL")),
        Speech::Silent
    );
    assert_eq!(go.seen_through(Via::of("head", "head -3")), Speech::Silent);
    let pytest = read("pytest", "4 passed in 0.12s");
    assert_eq!(pytest.seen_through(Via::of("grep", "grep in")), Speech::Ok);
    let red = read("go test ./...", "--- FAIL: TestA (0.00s)");
    assert_eq!(red.seen_through(Via::of("head", "head -3")), Speech::Failed);
}

#[test]
fn what_a_linter_mended_is_no_fault_and_a_count_needs_no_cross() {
    assert_eq!(
        speech(
            "ruff check --fix .",
            "Found 3 errors (3 fixed, 0 remaining)."
        ),
        Speech::Ok
    );
    assert_eq!(
        speech(
            "ruff check --fix .",
            "Found 3 errors (2 fixed, 1 remaining)."
        ),
        Speech::Failed
    );
    assert_eq!(
        speech("npx eslint src", "1 problem (1 error, 0 warnings)"),
        Speech::Failed
    );
}
