"""Small made-up projects and the tools that they use, with what each tool prints when it passes, fails or does nothing.

A `Tool` answers: how is it run, what does a green run of `n` tests print, what does a red one print and return, how does
it look when nothing ran, when it ran one file only, and which commands name it without running anything.
"""


class Tool:
    def __init__(self, name, langs, cmds, ok, bad, counted=False, empty=None, narrow=None, notrun=(), scoped=None):
        self.name, self.langs, self.cmds, self.ok, self.bad = name, langs.split(), cmds, ok, bad
        self.counted, self.empty, self.narrow, self.notrun = counted, empty, narrow, notrun
        # `scoped(pkg)` runs the tool in one package of a workspace; the default walks into its folder first.
        self.scoped = scoped or (lambda cmd, pkg: f"cd {pkg} && {cmd}")


TEST_NAMES = ["rounds_half_even", "rejects_empty_input", "keeps_order", "parses_negative", "merges_ranges", "handles_utf8",
              "retries_twice", "expires_entries", "writes_header", "skips_comments"]


def _cargo(n, k=0, word="ok", filt=0):
    rows = "\n".join(f"test tests::{TEST_NAMES[i % 10]}{i // 10 or ''} ... {'FAILED' if i < k else 'ok'}" for i in range(n))
    return (f"running {n} tests\n{rows}\n\ntest result: {word}. {n - k} passed; {k} failed; 0 ignored; 0 measured; "
            f"{filt} filtered out; finished in 0.03s")


def _pytest_bad(n, k):
    rows = "\n".join(f"FAILED tests/test_core.py::test_{TEST_NAMES[i % 10]} - AssertionError: assert 3 == 4" for i in range(k))
    head = f"{k} failed" + (f", {n - k} passed" if n > k else "")
    return f"{'F' * k}{'.' * (n - k)}  [100%]\n=========== short test summary info ===========\n{rows}\n{head} in 0.61s", 1


def _go_bad(n, k):
    rows = "\n".join(f"--- FAIL: Test{TEST_NAMES[i % 10].title().replace('_', '')} (0.00s)\n    core_test.go:{14 + i}: got 3, want 4"
                     for i in range(k))
    return f"{rows}\nFAIL\nFAIL\texample.org/app/core\t0.011s\nok  \texample.org/app/store\t0.008s\nFAIL", 1


T = "test_core.py"
TESTS = [
    Tool("pytest", "python", ["pytest -q", "python -m pytest", "uv run pytest", "python3 -m pytest -q tests", "poetry run pytest"],
         lambda n: f"{'.' * n}  [100%]\n{n} passed in 0.43s", _pytest_bad, True, ("", "no tests ran in 0.01s", 5),
         lambda n: ("pytest -q tests/test_parse.py", f"{'.' * n}  [100%]\n{n} passed in 0.10s"),
         [("pytest --collect-only -q", "tests/test_core.py::test_keeps_order\ntests/test_core.py::test_handles_utf8\n\n"
           "2 tests collected in 0.02s"), ("pytest --version", "pytest 8.3.2"), ("pytest --help | head -3",
           "usage: pytest [options] [file_or_dir] [file_or_dir] [...]\n\npositional arguments:"), ("which pytest",
           "/home/dev/.venv/bin/pytest"), ("grep -rn pytest pyproject.toml", "14:pytest = \"^8.3\"\n22:[tool.pytest.ini_options]"),
          ("pip show pytest | head -2", "Name: pytest\nVersion: 8.3.2")]),
    Tool("unittest", "python", ["python -m unittest", "python3 -m unittest discover -s tests", "python -m unittest -q"],
         lambda n: f"{'-' * 70}\nRan {n} tests in 0.012s\n\nOK",
         lambda n, k: (f"FAIL: test_keeps_order (tests.test_core.CoreTest)\nAssertionError: 3 != 4\n{'-' * 70}\nRan {n} tests in "
                       f"0.014s\n\nFAILED (failures={k})", 1), True, ("", f"{'-' * 70}\nRan 0 tests in 0.000s\n\nOK", 0),
         lambda n: ("python -m unittest tests.test_parse", f"{'-' * 70}\nRan {n} tests in 0.003s\n\nOK"),
         [("python -m unittest --help | head -2", "usage: python -m unittest [-h] [-v] [-q]"),
          ("grep -rln unittest tests", "tests/test_core.py\ntests/test_parse.py")]),
    Tool("cargo test", "rust", ["cargo test", "cargo test --workspace", "cargo test --all-features", "cargo test --locked"],
         _cargo, lambda n, k: (_cargo(n, k, "FAILED") + "\n\nerror: test failed, to rerun pass `--lib`", 101), True,
         ("", _cargo(0), 0), lambda n: ("cargo test parse::", _cargo(n, filt=21)),
         [("cargo test --no-run", "    Finished `test` profile [unoptimized + debuginfo] target(s) in 1.04s\n  Executable unittests "
           "src/lib.rs (target/debug/deps/app-1f2e)"), ("cargo test -- --list", "tests::keeps_order: test\ntests::handles_utf8: "
           "test\n\n2 tests, 0 benchmarks"), ("cargo --version", "cargo 1.84.0"), ("cargo test --help | head -1",
           "Execute all unit and integration tests and build examples of a local package"),
          ("grep -n 'cargo test' .github/workflows/ci.yml", "31:      - run: cargo test --locked")],
         lambda cmd, pkg: f"cargo test -p {pkg.split('/')[-1]}"),
    Tool("nextest", "rust", ["cargo nextest run", "cargo nextest run --workspace"],
         lambda n: f"    Starting {n} tests across 2 binaries\n     Summary [   0.214s] {n} tests run: {n} passed, 0 skipped",
         lambda n, k: (f"        FAIL [   0.006s] app tests::keeps_order\n     Summary [   0.220s] {n} tests run: {n - k} passed, {k} "
                       "failed, 0 skipped\nerror: test run failed", 100), True,
         ("", "    Starting 0 tests across 1 binary\n     Summary [   0.001s] 0 tests run: 0 passed, 0 skipped", 0),
         lambda n: ("cargo nextest run parse", f"     Summary [   0.1s] {n} tests run: {n} passed, 21 skipped"),
         [("cargo nextest list", "app:\n    tests::keeps_order\n    tests::handles_utf8"), ("cargo nextest --version",
           "cargo-nextest 0.9.87")]),
    Tool("go test", "go", ["go test ./...", "go test -race ./...", "go test -count=1 ./..."],
         lambda n: "ok  \texample.org/app/core\t0.012s\nok  \texample.org/app/store\t0.008s", _go_bad, False,
         ("", "?   \texample.org/app\t[no test files]\n?   \texample.org/app/core\t[no test files]", 0),
         lambda n: ("go test ./core -run TestParse", "ok  \texample.org/app/core\t0.004s"),
         [("go test -list . ./...", "TestKeepsOrder\nTestHandlesUtf8\nok  \texample.org/app/core\t0.003s"),
          ("go version", "go version go1.23.4 linux/amd64"), ("go help test | head -2",
           "usage: go test [build/test flags] [packages] [build/test flags & test binary flags]"),
          ("rg -n 'go test' Makefile", "7:\tgo test ./...")]),
    Tool("jest", "ts js", ["npx jest", "yarn jest", "npx jest --ci", "pnpm jest"],
         lambda n: f"PASS src/core.test.ts\n\nTest Suites: 3 passed, 3 total\nTests:       {n} passed, {n} total\nTime:        1.2 s",
         lambda n, k: (f"FAIL src/core.test.ts\n  ● keeps order\n\nTest Suites: 1 failed, 2 passed, 3 total\nTests:       {k} failed, "
                       f"{n - k} passed, {n} total", 1), True,
         (" --passWithNoTests", "No tests found, exiting with code 0", 0),
         lambda n: ("npx jest src/parse.test.ts", f"PASS src/parse.test.ts\n\nTest Suites: 1 passed, 1 total\nTests:       {n} passed, "
                    f"{n} total"),
         [("npx jest --listTests", "/home/dev/app/src/core.test.ts\n/home/dev/app/src/parse.test.ts"),
          ("npx jest --version", "29.7.0"), ("grep -n jest package.json", "18:    \"test\": \"jest\",\n31:    \"jest\": \"^29.7.0\","),
          ("npx jest --showConfig | head -2", "{\n  \"configs\": [")]),
    Tool("vitest", "ts js", ["npx vitest run", "pnpm vitest run", "npm run test:unit"],
         lambda n: f" ✓ src/core.test.ts ({n})\n\n Test Files  2 passed (2)\n      Tests  {n} passed ({n})\n   Duration  640ms",
         lambda n, k: (f" FAIL  src/core.test.ts > keeps order\nAssertionError: expected 3 to be 4\n\n Test Files  1 failed | 1 passed "
                       f"(2)\n      Tests  {k} failed | {n - k} passed ({n})", 1), True,
         (" --passWithNoTests", "No test files found, exiting with code 0", 0),
         lambda n: ("npx vitest run src/parse.test.ts", f" Test Files  1 passed (1)\n      Tests  {n} passed ({n})"),
         [("npx vitest list", "src/core.test.ts > keeps order\nsrc/core.test.ts > handles utf8"), ("npx vitest --version",
           "vitest/2.1.8 linux-x64 node-v22.11.0"), ("rg -n vitest package.json", "24:    \"vitest\": \"^2.1.8\"")]),
    Tool("npm test", "ts js", ["npm test", "npm run test", "npm test --silent"],
         lambda n: f"> app@1.4.0 test\n> mocha\n\n  {n} passing (31ms)",
         lambda n, k: (f"> app@1.4.0 test\n> mocha\n\n  {n - k} passing (29ms)\n  {k} failing\n\n  1) core keeps order:\n     "
                       "AssertionError: expected 3 to equal 4", k), True,
         ("", "> app@1.4.0 test\n> mocha\n\n  0 passing (1ms)", 0),
         lambda n: ("npx mocha test/parse.spec.js", f"  {n} passing (9ms)"),
         [("npm run", "Scripts available in app@1.4.0 via `npm run-script`:\n  test\n    mocha"), ("cat package.json | jq .scripts",
           "{\n  \"test\": \"mocha\",\n  \"build\": \"vite build\"\n}"), ("npx mocha --version", "10.8.2"),
          ("npx mocha --dry-run", "  core\n    ✔ keeps order\n\n  2 passing (2ms)")],
         lambda cmd, pkg: f"npm test --workspace {pkg}"),
    Tool("bun test", "ts", ["bun test"], lambda n: f"bun test v1.1.42\n\n {n} pass\n 0 fail\nRan {n} tests across 3 files. [24.00ms]",
         lambda n, k: (f"bun test v1.1.42\n(fail) core > keeps order\n\n {n - k} pass\n {k} fail\nRan {n} tests across 3 files.", 1), True,
         None, lambda n: ("bun test src/parse.test.ts", f" {n} pass\n 0 fail\nRan {n} tests across 1 file. [8.00ms]"),
         [("bun --version", "1.1.42")]),
    Tool("ctest", "c", ["ctest --test-dir build", "make test", "ctest --test-dir build --output-on-failure"],
         lambda n: f"{n}/{n} Test #{n}: core_order ....   Passed    0.01 sec\n\n100% tests passed, 0 tests failed out of {n}",
         lambda n, k: (f"{(n - k) * 100 // n}% tests passed, {k} tests failed out of {n}\n\nThe following tests FAILED:\n\t  3 - core_order "
                       "(Failed)\nErrors while running CTest", 8), True, ("", "No tests were found!!!", 0),
         lambda n: ("ctest --test-dir build -R parse", f"100% tests passed, 0 tests failed out of {n}"),
         [("ctest --test-dir build -N", "  Test #1: core_order\n  Test #2: core_utf8\n\nTotal Tests: 2"), ("make -n test",
           "ctest --test-dir build"), ("ctest --version", "ctest version 3.30.5")]),
    Tool("gradle", "java", ["./gradlew test", "gradle test"], lambda n: "> Task :test\n\nBUILD SUCCESSFUL in 4s\n3 actionable tasks: 2 executed",
         lambda n, k: (f"> Task :test FAILED\n\nCoreTest > keepsOrder FAILED\n\n{n} tests completed, {k} failed\n\nBUILD FAILED in 3s", 1), False,
         ("", "> Task :test NO-SOURCE\n\nBUILD SUCCESSFUL in 1s", 0),
         lambda n: ("./gradlew test --tests ParseTest", "> Task :test\n\nBUILD SUCCESSFUL in 2s"),
         [("./gradlew test --dry-run", ":compileJava SKIPPED\n:test SKIPPED\n\nBUILD SUCCESSFUL in 700ms"), ("./gradlew --version | head -2",
           "\nGradle 8.11"), ("./gradlew tasks --group verification", "check - Runs all checks.\ntest - Runs the test suite.")]),
    Tool("maven", "java", ["mvn test", "mvn -q verify", "mvn -B test"],
         lambda n: f"[INFO] Tests run: {n}, Failures: 0, Errors: 0, Skipped: 0\n[INFO] BUILD SUCCESS",
         lambda n, k: (f"[ERROR] Tests run: {n}, Failures: {k}, Errors: 0, Skipped: 0\n[INFO] BUILD FAILURE", 1), True,
         ("", "[INFO] No tests to run.\n[INFO] BUILD SUCCESS", 0),
         lambda n: ("mvn test -Dtest=ParseTest", f"[INFO] Tests run: {n}, Failures: 0, Errors: 0, Skipped: 0\n[INFO] BUILD SUCCESS"),
         [("mvn test -DskipTests", "[INFO] Tests are skipped.\n[INFO] BUILD SUCCESS"), ("mvn -v | head -1", "Apache Maven 3.9.9")],
         lambda cmd, pkg: f"mvn -pl {pkg} test"),
    Tool("dotnet test", "cs", ["dotnet test", "dotnet test --nologo"],
         lambda n: f"Passed!  - Failed:     0, Passed: {n:5}, Skipped:     0, Total: {n:5}, Duration: 40 ms - App.Tests.dll (net8.0)",
         lambda n, k: (f"  Failed KeepsOrder [3 ms]\nFailed!  - Failed: {k:5}, Passed: {n - k:5}, Skipped:     0, Total: {n:5} - "
                       "App.Tests.dll (net8.0)", 1), True, None,
         lambda n: ("dotnet test --filter FullyQualifiedName~Parse", f"Passed!  - Failed:     0, Passed: {n:5}, Skipped:     0, Total: {n:5}"),
         [("dotnet test --list-tests", "The following Tests are available:\n    CoreTests.KeepsOrder"), ("dotnet --version", "8.0.404")]),
    Tool("rspec", "ruby", ["bundle exec rspec", "rspec", "bin/rspec"], lambda n: f"{'.' * n}\n\nFinished in 0.2 seconds\n{n} examples, 0 failures",
         lambda n, k: (f"Failures:\n\n  1) Core keeps order\n\n{n} examples, {k} failures\n\nrspec ./spec/core_spec.rb:14", 1), True,
         ("", "No examples found.\n\nFinished in 0.0002 seconds\n0 examples, 0 failures", 0),
         lambda n: ("bundle exec rspec spec/parse_spec.rb", f"{'.' * n}\n\n{n} examples, 0 failures"),
         [("bundle exec rspec --dry-run", "Core\n  keeps order\n\n2 examples, 0 failures"), ("rspec --version", "RSpec 3.13")]),
    Tool("phpunit", "php", ["vendor/bin/phpunit", "composer test"], lambda n: f"{'.' * n}   {n} / {n} (100%)\n\nOK ({n} tests, {n * 2} assertions)",
         lambda n, k: (f"There was {k} failure:\n\nFAILURES!\nTests: {n}, Assertions: {n * 2}, Failures: {k}.", 1), True,
         ("", "No tests executed!", 0),
         lambda n: ("vendor/bin/phpunit tests/ParseTest.php", f"OK ({n} tests, {n * 2} assertions)"),
         [("vendor/bin/phpunit --list-tests", "Available test(s):\n - CoreTest::testKeepsOrder"), ("vendor/bin/phpunit --version",
           "PHPUnit 11.4.3")]),
    Tool("mix test", "elixir", ["mix test", "mix test --color"], lambda n: f"{'.' * n}\nFinished in 0.1 seconds\n{n} tests, 0 failures",
         lambda n, k: (f"  1) test keeps order (CoreTest)\n\n{n} tests, {k} failures", 2), True, None,
         lambda n: ("mix test test/parse_test.exs", f"{n} tests, 0 failures"), [("mix help test | head -1", "# mix test")]),
    Tool("deno test", "deno", ["deno test", "deno test -A", "deno task test"], lambda n: f"running {n} tests from ./core_test.ts\n\nok | {n} passed | 0 failed (14ms)",
         lambda n, k: (f"keeps order ... FAILED (3ms)\n\nFAILED | {n - k} passed | {k} failed (15ms)\n\nerror: Test failed", 1), True, None,
         lambda n: ("deno test parse_test.ts", f"ok | {n} passed | 0 failed (5ms)"), [("deno --version", "deno 2.1.4")]),
    Tool("node --test", "js", ["node --test", "node --test test/"], lambda n: f"# tests {n}\n# suites 2\n# pass {n}\n# fail 0\n# skipped 0",
         lambda n, k: (f"not ok 3 - keeps order\n# tests {n}\n# pass {n - k}\n# fail {k}", 1), True, None,
         lambda n: ("node --test test/parse.test.js", f"# tests {n}\n# pass {n}\n# fail 0"), [("node --version", "v22.11.0")]),
]

BUILDS = [
    Tool("cargo build", "rust", ["cargo build", "cargo build --release", "cargo build --workspace", "cargo check"],
         lambda n: "   Compiling app v0.3.0 (/home/dev/app)\n    Finished `dev` profile [unoptimized + debuginfo] target(s) in 1.20s",
         lambda n, k: ("error[E0308]: mismatched types\n  --> src/core.rs:14:9\n\nerror: could not compile `app` (lib) due to 1 previous error", 101),
         notrun=[("cargo build --help | head -1", "Compile a local package and all of its dependencies"), ("cargo metadata --no-deps | head -c 40", "{\"packages\":[{\"name\":\"app\"")],
         scoped=lambda cmd, pkg: f"cargo build -p {pkg.split('/')[-1]}"),
    Tool("go build", "go", ["go build ./...", "go build -o bin/app ./cmd/app"], lambda n: "",
         lambda n, k: ("# example.org/app/core\ncore/core.go:14:9: undefined: parseAmount", 1), notrun=[("go build -n ./... | head -1", "#"), ("go env GOPATH", "/home/dev/go")]),
    Tool("vite build", "ts js", ["npm run build", "npx vite build", "pnpm build", "yarn build"],
         lambda n: "vite v5.4.11 building for production...\ndist/index.js  14.20 kB\n✓ built in 1.21s",
         lambda n, k: ("vite v5.4.11 building for production...\nerror during build:\n[rollup] Could not resolve \"./parse\" from \"src/core.ts\"", 1),
         notrun=[("npx vite --version", "vite/5.4.11"), ("grep -n build package.json", "17:    \"build\": \"vite build\",")]),
    Tool("make", "c", ["make", "make all", "cmake --build build", "make -j4"], lambda n: "cc -O2 -c core.c\ncc -o app core.o parse.o",
         lambda n, k: ("core.c:14:9: error: 'amount' undeclared\nmake: *** [Makefile:6: core.o] Error 1", 2), notrun=[("make -n", "cc -O2 -c core.c\ncc -o app core.o"), ("make --version | head -1", "GNU Make 4.4.1")]),
    Tool("gradle build", "java", ["./gradlew assemble", "./gradlew build"], lambda n: "BUILD SUCCESSFUL in 6s\n5 actionable tasks: 5 executed",
         lambda n, k: ("> Task :compileJava FAILED\nCore.java:14: error: cannot find symbol\n\nBUILD FAILED in 2s", 1), notrun=[("./gradlew build --dry-run", ":compileJava SKIPPED\n\nBUILD SUCCESSFUL in 600ms")]),
    Tool("dotnet build", "cs", ["dotnet build", "dotnet build -c Release"], lambda n: "Build succeeded.\n    0 Warning(s)\n    0 Error(s)",
         lambda n, k: ("Core.cs(14,9): error CS0103: The name 'amount' does not exist\n\nBuild FAILED.\n    1 Error(s)", 1), notrun=[("dotnet --list-sdks", "8.0.404 [/usr/lib/dotnet/sdk]")]),
]
LINTS = [
    Tool("eslint", "ts js", ["npx eslint .", "npm run lint", "pnpm lint", "npx eslint src --max-warnings 0"], lambda n: "",
         lambda n, k: (f"/home/dev/app/src/core.ts\n  14:9  error  'amount' is defined but never used  no-unused-vars\n\n✖ {k} problems ({k} errors, 0 warnings)", 1),
         notrun=[("npx eslint --version", "v9.16.0"), ("npx eslint --print-config src/core.ts | head -1", "{")]),
    Tool("ruff", "python", ["ruff check", "ruff check .", "uv run ruff check src", "ruff check --no-cache ."], lambda n: "All checks passed!",
         lambda n, k: (f"src/core.py:14:9: F841 Local variable `amount` is assigned to but never used\nFound {k} errors.", 1),
         notrun=[("ruff --version", "ruff 0.8.3"), ("rg -n ruff pyproject.toml", "30:[tool.ruff]")]),
    Tool("clippy", "rust", ["cargo clippy -- -D warnings", "cargo clippy --all-targets -- -D warnings"], lambda n: "    Checking app v0.3.0 (/home/dev/app)\n    Finished `dev` profile target(s) in 0.90s",
         lambda n, k: ("error: this `if` can be collapsed\n  --> src/core.rs:14:5\n\nerror: could not compile `app` (lib) due to 1 previous error", 101), notrun=[("cargo clippy --version", "clippy 0.1.84")]),
    Tool("golangci-lint", "go", ["golangci-lint run", "golangci-lint run ./..."], lambda n: "0 issues.", lambda n, k: (f"core/core.go:14:9: ineffectual assignment to amount (ineffassign)\n{k} issues:\n* ineffassign: {k}", 1),
         notrun=[("golangci-lint --version", "golangci-lint has version 1.62.2"), ("golangci-lint linters | head -1", "Enabled by your configuration linters:")]),
    Tool("rubocop", "ruby", ["bundle exec rubocop", "rubocop"], lambda n: "Inspecting 14 files\n..............\n\n14 files inspected, no offenses detected", lambda n, k: (f"lib/core.rb:14:9: W: Lint/UselessAssignment\n\n14 files inspected, {k} offenses detected", 1), notrun=[("rubocop -v", "1.69.2")]),
]
TYPES = [
    Tool("tsc", "ts", ["npx tsc --noEmit", "npm run typecheck", "pnpm tsc --noEmit", "npx tsc --noEmit -p tsconfig.json"], lambda n: "",
         lambda n, k: ("src/core.ts(14,9): error TS2322: Type 'string' is not assignable to type 'number'.", 2), notrun=[("npx tsc --version", "Version 5.7.2"), ("npx tsc --showConfig | head -1", "{")]),
    Tool("mypy", "python", ["mypy src", "uv run mypy .", "python -m mypy src"], lambda n: "Success: no issues found in 14 source files", lambda n, k: (f"src/core.py:14: error: Incompatible return value type  [return-value]\nFound {k} errors in 1 file (checked 14 source files)", 1), notrun=[("mypy --version", "mypy 1.13.0 (compiled: yes)")]),
    Tool("pyright", "python", ["pyright", "npx pyright src"], lambda n: "0 errors, 0 warnings, 0 informations", lambda n, k: (f"  src/core.py:14:9 - error: \"amount\" is possibly unbound\n{k} errors, 0 warnings, 0 informations", 1), notrun=[("pyright --version", "pyright 1.1.391")]),
]
FORMATS = [
    Tool("ruff format", "python", ["ruff format --check", "ruff format --check ."], lambda n: "14 files already formatted", lambda n, k: ("Would reformat: src/core.py\n1 file would be reformatted, 13 files already formatted", 1), notrun=[("ruff format --help | head -1", "Run the Ruff formatter on the given files or directories")]),
    Tool("black", "python", ["black --check .", "black --check src tests"], lambda n: "All done! ✨ 🍰 ✨\n14 files would be left unchanged.", lambda n, k: ("would reformat src/core.py\n\nOh no! 💥 💔 💥\n1 file would be reformatted, 13 files would be left unchanged.", 1), notrun=[("black --version", "black, 24.10.0")]),
    Tool("prettier", "ts js", ["npx prettier --check .", "npm run format:check"], lambda n: "Checking formatting...\nAll matched files use Prettier code style!", lambda n, k: ("Checking formatting...\n[warn] src/core.ts\n[warn] Code style issues found in the above file. Run Prettier with --write to fix.", 1), notrun=[("npx prettier --version", "3.4.2")]),
    Tool("cargo fmt", "rust", ["cargo fmt --check", "cargo fmt --all -- --check"], lambda n: "", lambda n, k: ("Diff in /home/dev/app/src/core.rs:14:\n-    let x=1;\n+    let x = 1;", 1), notrun=[("cargo fmt --version", "rustfmt 1.8.0-stable")]),
]
TOOLS = {"tests": TESTS, "build": BUILDS, "lint": LINTS, "typecheck": TYPES, "format": FORMATS}

LANGS = {"python": ("src/{}.py", "tests/test_{}.py", "def {f}(x):\n    return x", "def {f}(x):\n    return max(x, 0)"),
         "rust": ("src/{}.rs", "tests/{}.rs", "fn {f}(x: i64) -> i64 {{ x }}", "fn {f}(x: i64) -> i64 {{ x.max(0) }}"),
         "go": ("core/{}.go", "core/{}_test.go", "func {f}(x int) int {{ return x }}", "func {f}(x int) int {{ return max(x, 0) }}"),
         "ts": ("src/{}.ts", "src/{}.test.ts", "export const {f} = (x: number) => x;", "export const {f} = (x: number) => Math.max(x, 0);"),
         "js": ("src/{}.js", "test/{}.spec.js", "exports.{f} = (x) => x;", "exports.{f} = (x) => Math.max(x, 0);"),
         "c": ("src/{}.c", "tests/{}_test.c", "int {f}(int x) {{ return x; }}", "int {f}(int x) {{ return x < 0 ? 0 : x; }}"),
         "java": ("src/main/java/{}.java", "src/test/java/{}Test.java", "int {f}(int x) {{ return x; }}", "int {f}(int x) {{ return Math.max(x, 0); }}"),
         "cs": ("App/{}.cs", "App.Tests/{}Tests.cs", "int {f}(int x) => x;", "int {f}(int x) => Math.Max(x, 0);"),
         "ruby": ("lib/{}.rb", "spec/{}_spec.rb", "def {f}(x) = x", "def {f}(x) = [x, 0].max"),
         "php": ("src/{}.php", "tests/{}Test.php", "function {f}($x) {{ return $x; }}", "function {f}($x) {{ return max($x, 0); }}"),
         "elixir": ("lib/{}.ex", "test/{}_test.exs", "def {f}(x), do: x", "def {f}(x), do: max(x, 0)"),
         "deno": ("{}.ts", "{}_test.ts", "export const {f} = (x: number) => x;", "export const {f} = (x: number) => Math.max(x, 0);")}
NAMES = ["tally", "brook", "larkspur", "quillet", "mothwing", "pinion", "cinder", "harrow", "sluice", "tansy", "oriel", "wicket",
         "fennel", "plover", "gantry", "loam"]
MODS = ["ledger", "window", "retry", "parser", "cache", "router", "amount", "queue", "layout", "export", "pricing", "session"]
FUNCS = ["clamp", "parse_amount", "next_delay", "merge_ranges", "expire", "resolve", "split_line", "round_up", "flush", "to_row"]
PKGS = [("packages/api", "packages/web"), ("crates/core", "crates/cli"), ("services/billing", "services/search"),
        ("libs/reader", "libs/writer"), ("apps/admin", "apps/shop")]


class Project:
    """One small project: its language, a file that gets edited, and the tools that fit."""

    def __init__(self, rng, kind="tests", need=None):
        pool = [t for t in TOOLS[kind] if need is None or need(t)]
        self.tool = rng.choice(pool)
        self.lang = rng.choice(self.tool.langs)
        self.name, self.mod, self.func = rng.choice(NAMES), rng.choice(MODS), rng.choice(FUNCS)
        src, test, old, new = LANGS[self.lang]
        self.src, self.test = src.format(self.mod), test.format(self.mod)
        self.other = src.format(rng.choice([m for m in MODS if m != self.mod]))
        self.old, self.new = old.format(f=self.func), new.format(f=self.func)
        self.cwd = f"/home/dev/{self.name}"
        self.cmd = rng.choice(self.tool.cmds)
        self.n = rng.randint(7, 97)
        self.k = rng.randint(1, min(4, self.n - 2))
        self.pkgs = rng.choice(PKGS)
        self.rng = rng

    def vals(self, **more):
        v = {"n": self.n, "k": self.k, "rest": self.n - self.k, "cmd": self.cmd, "runner": self.tool.name, "src": self.src,
             "test": self.test, "func": self.func, "mod": self.mod, "name": self.name, "other": self.other,
             "pa": self.pkgs[0], "pb": self.pkgs[1]}
        v.update(more)
        return {k: str(x) for k, x in v.items()}
