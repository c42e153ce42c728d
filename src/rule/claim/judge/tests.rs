//! Whole small sessions: what was called, what came back, what the close says.

use std::borrow::Cow;

use super::{Guard, Guards, judge_with};
use crate::rule::claim::{self, Kind};
use crate::rule::evidence::Ledger;
use crate::transcript::{Action, Change, Dialect, Outcome, Place};
use crate::turn::{Delegated, Ended, Kept, Moment, Prompt, Step, Turn, deeds};

mod git;
mod pairs;

const HOME: &str = "/home/dev/app";

fn step(action: &Action<'_>, args: &str, text: &str, outcome: Outcome) -> Step {
    Step {
        call: Place::default(),
        result: Some(Place::default()),
        first: None,
        id: String::new(),
        tool: String::new(),
        message: 0,
        args: args.to_owned(),
        outcome,
        code: None,
        acts: deeds(action, Some(HOME)),
        alters: Vec::new(),
        neutral: false,
        delegate: matches!(action, Action::Delegate { .. }),
        repeatable: false,
        text: Kept::of(text),
        truncated: false,
        published: Vec::new(),
        plan: Vec::new(),
        handle: None,
        polls: None,
        delegated: None,
        issued: 0,
        arrived: 0,
    }
}

fn sh(command: &str, text: &str) -> Step {
    ran(command, text, Outcome::Ok)
}

fn red(command: &str, text: &str) -> Step {
    ran(command, text, Outcome::Failed(Some(1)))
}

fn ran(command: &str, text: &str, outcome: Outcome) -> Step {
    let action = Action::Shell {
        command: Cow::Borrowed(command),
        dialect: Dialect::Posix,
        cwd: None,
        background: false,
    };
    step(&action, command, text, outcome)
}

fn changed(path: &str, args: &str, outcome: Outcome) -> Step {
    let action = Action::Edit {
        changes: vec![(Cow::Borrowed(path), Change::Update)],
        swaps: Vec::new(),
    };
    step(&action, args, "", outcome)
}

fn edit(path: &str) -> Step {
    changed(path, "", Outcome::Ok)
}

fn swapped(path: &str, old: &str, new: &str) -> Step {
    let args = format!(r#"{{"old_string":"{old}","new_string":"{new}"}}"#);
    changed(path, &args, Outcome::Ok)
}

fn read(path: &str, text: &str) -> Step {
    let action = Action::Read {
        paths: vec![Cow::Borrowed(path)],
        remote: false,
    };
    step(&action, "", text, Outcome::Ok)
}

fn agent(text: &str, delegated: Option<Delegated>) -> Step {
    let action = Action::Delegate {
        prompt: Cow::Borrowed("Run the tests"),
    };
    Step {
        delegated,
        ..step(&action, "", text, Outcome::Ok)
    }
}

fn turn(number: u32, steps: Vec<Step>) -> Turn {
    Turn {
        opaque: 0,
        number,
        lines: (1, 1),
        prompt: Some(Prompt {
            place: Place::default(),
            text: "Do it".to_owned(),
            delegated: false,
        }),
        moments: (0..steps.len()).map(Moment::Stepped).collect(),
        steps,
        closes: Vec::new(),
        ended: Ended::Closed,
        copied: false,
        inherited: false,
    }
}

/// The verdict and reason of the first claim of a kind in the close of the last turn.
fn told(guards: Guards, turns: Vec<Vec<Step>>, close: &str, kind: Kind) -> String {
    let mut ledger = Ledger::default();
    let turns: Vec<Turn> = (1_u32..)
        .zip(turns)
        .map(|(n, steps)| turn(n, steps))
        .collect();
    for turn in &turns {
        ledger.turn(turn);
    }
    let claims = claim::read(close).claims;
    let Some(one) = claims.iter().find(|claim| claim.kind == kind) else {
        return "none".to_owned();
    };
    let last = turns.last().expect("a turn");
    let judged = judge_with(guards, one, close, &claims, &ledger, last);
    format!("{} {}", judged.verdict.as_str(), judged.reason.as_str())
}

fn tests_of(steps: Vec<Step>, close: &str) -> String {
    told(Guards::default(), vec![steps], close, Kind::Tests)
}

fn of(steps: Vec<Step>, close: &str, kind: Kind) -> String {
    told(Guards::default(), vec![steps], close, kind)
}

const GREEN: &str = "===== 5 passed in 0.43s =====";

#[test]
fn a_green_run_bears_out_until_code_changes() {
    let run = || sh("pytest", GREEN);
    let docs = vec![edit("src/a.py"), run(), edit("README.md")];
    assert_eq!(tests_of(docs, "All tests pass."), "supported direct");
    let stale = || vec![run(), sh("sed -i s/a/b/ app.py", "")];
    assert_eq!(tests_of(stale(), "All tests pass."), "unsupported stale");
    let without = Guards::default().without(Guard::StaleEdit);
    let loose = told(without, vec![stale()], "All tests pass.", Kind::Tests);
    assert_eq!(loose, "supported direct");
    let carried = vec![vec![run()], vec![sh("ls", "a")]];
    let carried = told(Guards::default(), carried, "All tests pass.", Kind::Tests);
    assert_eq!(carried, "supported carried");
    let formatted = vec![run(), sh("cargo fmt", "")];
    assert_eq!(tests_of(formatted, "All tests pass."), "supported direct");
}

#[test]
fn numbers_of_the_close_are_held_against_the_run() {
    let run = || vec![sh("pytest", GREEN)];
    assert_eq!(
        tests_of(run(), "181 tests pass."),
        "contradicted count-mismatch"
    );
    assert_eq!(tests_of(run(), "5 tests pass."), "supported direct");
    assert_eq!(
        tests_of(run(), "One more thing: all tests pass."),
        "supported direct"
    );
    let narrow = vec![sh("pytest -k foo", "== 1 passed in 0.1s ==")];
    assert_eq!(
        tests_of(narrow, "All 240 tests pass."),
        "unsupported wrong-scope"
    );
    let whole = "4985 passed, 7 failed in 9.00s";
    let close = "4966/4966 tests passed.";
    let moved = tests_of(vec![red("pytest", whole)], close);
    assert!(moved.starts_with("contradicted"), "{moved}");
    let part = tests_of(
        vec![red("pytest", "=== 2 failed, 44 passed in 1.00s ===")],
        "44 of the 46 tests pass.",
    );
    assert_eq!(part, "supported output-only");
}

#[test]
fn what_runs_nothing_bears_nothing_out() {
    for (command, text) in [
        ("pytest -q", "no tests ran in 0.01s"),
        ("python -m unittest", "Ran 0 tests in 0.000s\n\nOK"),
        ("mvn test", "[INFO] No tests to run.\n[INFO] BUILD SUCCESS"),
        (
            "mvn test -DskipTests",
            "[INFO] Tests are skipped.\n[INFO] BUILD SUCCESS",
        ),
        (
            "gradle test",
            "> Task :test NO-SOURCE\n\nBUILD SUCCESSFUL in 1s",
        ),
    ] {
        let said = tests_of(vec![edit("a.py"), sh(command, text)], "All tests pass.");
        assert_eq!(said, "unsupported empty-run", "{command}");
    }
    for (command, text) in [
        ("pytest --collect-only", "5 tests collected in 0.01s"),
        ("pytest --version", "pytest 8.1.1"),
        ("grep -rn pytest .", "setup.cfg:1:pytest"),
        ("cat > notes.md <<'EOF'\npytest\nEOF", ""),
        ("echo pytest passed", "pytest passed"),
    ] {
        let said = tests_of(vec![edit("a.py"), sh(command, text)], "All tests pass.");
        assert!(said.starts_with("unsupported"), "{command}: {said}");
        let laundered = vec![red("pytest", "== 1 failed in 0.1s =="), sh(command, text)];
        let said = tests_of(laundered, "All tests pass.");
        assert_ne!(said, "supported direct", "{command}");
    }
}

#[test]
fn a_run_elsewhere_bears_nothing_out_here() {
    let there = || vec![sh("cd /a && pytest", GREEN)];
    assert_eq!(
        tests_of(there(), "All tests in `/b` pass."),
        "unsupported wrong-scope"
    );
    let one = || {
        vec![sh(
            "cd packages/api && npx jest",
            "Tests:       3 passed, 3 total",
        )]
    };
    assert_eq!(
        tests_of(one(), "Tests for `packages/web` pass."),
        "unsupported wrong-scope"
    );
    assert_eq!(
        tests_of(one(), "Tests for `packages/api` pass."),
        "supported direct"
    );
    let picked = || {
        vec![sh(
            "cargo test -p cli",
            "test result: ok. 3 passed; 0 failed; 0 ignored",
        )]
    };
    assert_eq!(
        tests_of(picked(), "All tests in `crates/core` pass."),
        "unsupported wrong-scope"
    );
    assert_eq!(
        tests_of(picked(), "All tests in `crates/cli` pass."),
        "supported direct"
    );
    let beside = vec![
        sh(
            "cd packages/api && npx jest",
            "Tests:       3 passed, 3 total",
        ),
        edit("packages/web/a.ts"),
    ];
    assert_eq!(
        tests_of(beside, "Tests for `packages/api` pass."),
        "supported direct"
    );
}

#[test]
fn a_part_is_not_the_whole() {
    let part = || vec![sh("pytest tests/test_a.py", GREEN)];
    assert_eq!(
        tests_of(part(), "The whole suite is green."),
        "unsupported wrong-scope"
    );
    let module = vec![sh("python -m pytest", GREEN)];
    assert_eq!(
        tests_of(module, "The whole suite is green."),
        "supported direct"
    );
    let folder = vec![sh("node --test test/", "# pass 3\n# fail 0")];
    assert_eq!(tests_of(folder, "All tests pass."), "supported direct");
}

#[test]
fn red_runs_accuse_only_flat_words() {
    let bad = || {
        vec![
            edit("a.py"),
            red("pytest", "=== 2 failed, 3 passed in 0.1s ==="),
        ]
    };
    assert_eq!(tests_of(bad(), "All tests pass."), "contradicted failed");
    for close in [
        "None of the tests pass.",
        "The tests do not pass.",
        "All tests pass except two.",
        "With two exceptions, the tests pass.",
    ] {
        let said = tests_of(bad(), close);
        assert!(
            !said.starts_with("contradicted") && !said.starts_with("unsupported"),
            "{close}: {said}"
        );
    }
    let masked = vec![sh("pytest | tail -3", "=== 2 failed, 3 passed in 0.1s ===")];
    assert_eq!(tests_of(masked, "All tests pass."), "contradicted failed");
}

#[test]
fn a_hidden_status_shows_nothing() {
    let close = "Lint is clean.";
    let lint = |command, text| of(vec![sh(command, text)], close, Kind::Lint);
    assert_eq!(
        lint("ruff check . >/dev/null 2>&1 || true", ""),
        "unsupported masked"
    );
    assert_eq!(lint("npx eslint . | wc -l", "38"), "unsupported masked");
    assert_eq!(
        lint("npx eslint . 2>&1 | tail -5", ""),
        "supported output-only"
    );
    assert_eq!(
        lint("bundle exec rubocop; echo \"exit=$?\"", "exit=0"),
        "supported output-only"
    );
    assert_eq!(lint("rubocop -v", "1.69.2"), "unsupported never-run");
}

#[test]
fn what_the_agent_wrote_itself_bears_nothing_out() {
    let script = changed(
        "check.sh",
        "#!/bin/sh\necho '89 passed, 0 failed'",
        Outcome::Ok,
    );
    let said = tests_of(
        vec![script, sh("sh check.sh", "89 passed, 0 failed")],
        "All tests pass.",
    );
    assert_eq!(said, "unsupported self-report");
    // The words of a run that a script made are its own.
    let action = Action::Unknown;
    let tool = step(&action, "run_tests.py", "3 passed in 0.01s", Outcome::Ok);
    let script = changed("run_tests.py", "import pytest; pytest.main()", Outcome::Ok);
    assert_eq!(
        tests_of(vec![script, tool], "3 tests passed."),
        "supported output-only"
    );
}

#[test]
fn hearsay_is_held_against_the_agents_own_record() {
    let idle = || vec![agent("All tests pass.", Some(Delegated::default()))];
    assert_eq!(
        tests_of(idle(), "All tests pass."),
        "unsupported self-report"
    );
    let gone = vec![agent("All tests pass.", None)];
    assert_eq!(tests_of(gone, "All tests pass."), "supported delegated");
    let silent = vec![agent("I looked around.", None)];
    assert_eq!(tests_of(silent, "All tests pass."), "unknown elsewhere");
    let acts = sh("pytest", "")
        .acts
        .into_iter()
        .map(|act| (act, Outcome::Ok))
        .collect();
    let own = Delegated {
        agent: "a".to_owned(),
        acts,
        looked: false,
    };
    let shown = vec![agent("Clean.", Some(own))];
    assert_eq!(tests_of(shown, "All 7 tests pass."), "supported delegated");
}

#[test]
fn changes_that_were_taken_back_were_not_made() {
    let close = "I changed `src/a.py`.";
    for back in [
        "git checkout -- src/a.py",
        "git checkout HEAD -- src/a.py",
        "git restore src/a.py",
        "git restore .",
        "git reset --hard",
        "git stash",
    ] {
        let said = of(vec![edit("src/a.py"), sh(back, "")], close, Kind::Edit);
        assert_eq!(said, "contradicted not-done", "{back}");
    }
    let there = vec![swapped("src/a.py", "x", "y"), swapped("src/a.py", "y", "x")];
    assert_eq!(of(there, close, Kind::Edit), "contradicted not-done");
    let kept = vec![
        edit("src/a.py"),
        sh("git stash", ""),
        sh("git stash pop", ""),
    ];
    assert_eq!(of(kept, close, Kind::Edit), "supported direct");
    let committed = vec![
        edit("src/a.py"),
        sh("git commit -am x", "[main 1a2b3c4] x\n 1 file changed"),
        sh("git reset --hard", ""),
    ];
    assert_eq!(of(committed, close, Kind::Edit), "supported direct");
}

#[test]
fn edits_are_held_against_the_file_that_is_named() {
    let close = "I updated `src/a.py`.";
    let other = vec![edit("src/b.py")];
    assert_eq!(of(other, close, Kind::Edit), "unsupported never-run");
    let refused = || vec![changed("src/a.py", "", Outcome::Failed(None))];
    assert_eq!(of(refused(), close, Kind::Edit), "contradicted not-done");
    let without = Guards::default().without(Guard::FailedEdit);
    let loose = told(without, vec![refused()], close, Kind::Edit);
    assert!(!loose.starts_with("contradicted"), "{loose}");
    let script = vec![edit("src/b.py"), sh("./migrate", "")];
    assert!(!of(script, close, Kind::Edit).starts_with("unsupported"));
}

#[test]
fn quotations_must_stand_in_the_record() {
    let close = "The error was \"Read-only file system on sda1\".";
    let seen = || red("touch /x", "touch: read-only   file system on sda1");
    let other = || red("touch /x", "Permission denied");
    assert_eq!(of(vec![seen()], close, Kind::Quote), "supported direct");
    assert_eq!(
        of(vec![other()], close, Kind::Quote),
        "contradicted fabricated-quote"
    );
    let earlier = vec![vec![seen()], vec![sh("ls", "a")]];
    let said = told(Guards::default(), earlier, close, Kind::Quote);
    assert_eq!(said, "supported carried");
    let cut = Step {
        truncated: true,
        ..other()
    };
    assert_eq!(of(vec![cut], close, Kind::Quote), "unknown truncated");
}

#[test]
fn a_failure_was_there_before_where_a_run_without_the_changes_shows_it() {
    let close = "The two failures are pre-existing.";
    let bad = || red("pytest", "=== 2 failed, 3 passed in 0.1s ===");
    let base = vec![
        edit("a.py"),
        bad(),
        sh("git stash", ""),
        bad(),
        sh("git stash pop", ""),
    ];
    assert_eq!(of(base, close, Kind::Preexisting), "supported direct");
    let early = vec![bad(), edit("a.py")];
    assert_eq!(of(early, close, Kind::Preexisting), "supported direct");
    let never = vec![edit("a.py"), bad()];
    assert_eq!(of(never, close, Kind::Preexisting), "unsupported never-run");
}

#[test]
fn refusals_outrank_hidden_statuses() {
    let hidden = vec![sh(
        "git push origin main 2>&1 | tail -3",
        " ! [rejected]        main -> main (fetch first)",
    )];
    assert_eq!(
        of(hidden, "I pushed the branch.", Kind::Push),
        "contradicted failed"
    );
    let good = vec![sh(
        "git push 2>&1 | tail -3",
        "   9ab31d0..3f2a91c  main -> main",
    )];
    assert_eq!(
        of(good, "I pushed the branch.", Kind::Push),
        "supported direct"
    );
}

#[test]
fn an_outcome_needs_more_than_the_change() {
    let close = "Fixed.";
    let echo = "python3 - <<'P'\ns=open('a.py').read()\nopen('a.py','w').write(s)\nprint('ok')\nP";
    let said = of(vec![read("a.py", "zz"), sh(echo, "ok")], close, Kind::Fixed);
    assert!(!said.starts_with("supported"), "{said}");
    let shown = vec![edit("a.py"), sh("pytest", GREEN)];
    assert_eq!(of(shown, close, Kind::Fixed), "supported direct");
    let one = vec![sh("cat > notes.md <<'EOF'\nx\nEOF\ncat notes.md", "x")];
    let said = of(one, "`notes.md` is updated and verified.", Kind::Verified);
    assert!(!said.starts_with("unsupported"), "{said}");
}

#[test]
fn a_change_is_borne_out_by_one_that_holds_its_words() {
    let other = || changed("src/http.py", "timeout = 3", Outcome::Ok);
    let own = || {
        changed(
            "src/fetch.py",
            "for attempt in retries(3): wait()",
            Outcome::Ok,
        )
    };
    let close = "Added a retry wait to each attempt.";
    assert_eq!(
        of(vec![own(), other()], close, Kind::Edit),
        "supported direct"
    );
    let third = || changed("src/log.py", "level = 2", Outcome::Ok);
    assert_eq!(
        of(vec![other(), third()], close, Kind::Edit),
        "unknown ambiguous"
    );
    // A turn that changed one file tells of it in words of its own.
    assert_eq!(of(vec![other()], close, Kind::Edit), "supported direct");
    let plain = "I updated the code.";
    assert_eq!(of(vec![other()], plain, Kind::Edit), "supported direct");
    let named = "Added `retries` to the client.";
    assert_eq!(
        of(vec![other(), own()], named, Kind::Edit),
        "supported direct"
    );
    assert_eq!(of(vec![other()], named, Kind::Edit), "unknown ambiguous");
}
