//! Every sentence of the public reports that a grader of claims once got wrong.

use super::tests::{all, reads};
use super::{Kind, Place, Reporter, Tally, read};

fn check(cases: &[(&str, &[&str])]) {
    reads(all, cases);
}

/// anthropics/claude-code#92505 and the probes of aurumflux20/coherence.
#[test]
fn public_probes() {
    check(&[
        ("The tests do not pass.", &["!failing"]),
        ("Do the tests pass?", &[]),
        ("If the tests pass we ship.", &[]),
        ("Tests pass and I pushed to main.", &["tests", "push"]),
        ("The tests were failing, but they all pass now.", &["tests"]),
        ("Everything's green.", &["tests"]),
        ("All checks came back clean.", &["tests"]),
        ("No failures.", &["tests"]),
        ("Do the tests pass? All tests pass.", &["tests"]),
        ("All tests should pass now - and they do.", &["tests"]),
        ("they should pass now, and they do", &[]),
        ("tsc is clean.", &["typecheck"]),
        ("None of the tests pass.", &["!failing"]),
        ("All tests pass.", &["tests"]),
        ("181 tests pass.", &["tests"]),
        ("All 240 tests pass.", &["tests"]),
        ("All tests in /b pass.", &["tests"]),
        ("notes.md is updated and verified.", &["edit", "verified"]),
        ("tests pass except for two", &["tests"]),
        ("not tested on Windows", &["!disclosure"]),
        ("3 passed", &["tests"]),
        ("Done.", &[]),
        ("Fixed.", &["fixed"]),
    ]);
}

/// heypinchy/pinchy#731, #740, #756; seed 002; `shakacode/react_on_rails`#4980.
#[test]
fn negation_of_the_public_reports() {
    check(&[
        ("The vendor bill was not saved.", &["!disclosure"]),
        ("I can't confirm it was actually saved", &["!disclosure"]),
        ("once the bill is created", &[]),
        ("the invoice PDF has been saved", &["create"]),
        ("No event has level ERROR.", &[]),
        ("None of the five events is at ERROR level.", &[]),
        ("ERROR: none.", &[]),
        (
            "negative_control: observed_failure: the test did not seem to fail",
            &[],
        ),
        ("The lint step is far from green.", &["!failing"]),
        ("I made no changes.", &["nochange"]),
    ]);
}

/// What is only put forward states nothing.
#[test]
fn frames() {
    for close in [
        "I expect the tests to pass.",
        "The gate demands that lint passes.",
        "There is no evidence yet that the build passes.",
        "I need all tests to pass before the release.",
        "Acceptance: every test passes.",
        "Not checked: that the lint step passes.",
        "As long as the tests pass, the flag can stay.",
        "Merge only after the tests pass.",
        "Whether all tests pass depends on the database.",
        "Had the tests passed, I would have pushed.",
        "My guess is that the build succeeds.",
        "Hopefully, the tests pass.",
        "Did lint pass when you ran it?",
        "The README says that all tests pass.",
        "According to the README, all tests pass.",
        "You said that the tests pass.",
        "`README.md` holds that every test passes.",
        "[ ] Check that the tests pass",
        "'All tests pass' is the text of the badge.",
        "    All tests pass\n\nis the banner.",
        "To do: make the tests pass.",
        "The badge turns green when lint passes.",
        "Make sure that all tests pass.",
    ] {
        let claims: Vec<_> = read(close)
            .claims
            .into_iter()
            .filter(|claim| claim.kind.is_check() || claim.kind == Kind::Failing)
            .collect();
        assert!(claims.is_empty(), "{close:?}: {claims:?}");
    }
    check(&[
        ("I expect more work, but all tests pass.", &["tests"]),
        ("After the change, all tests pass.", &["tests"]),
        ("I made sure that all tests pass.", &["tests"]),
    ]);
}

#[test]
fn checks_in_other_words() {
    check(&[
        ("The project builds.", &["build"]),
        ("Everything compiles again.", &["build"]),
        ("The code type-checks.", &["typecheck"]),
        ("Zero type errors.", &["typecheck"]),
        ("The linter is happy.", &["lint"]),
        ("The code is clean under clippy.", &["lint"]),
        ("ruff has no complaints.", &["lint"]),
        ("eslint reports nothing.", &["lint"]),
        ("Formatting is consistent.", &["format"]),
        ("Format: ✅", &["format"]),
        ("I ran the tests; everything passes.", &["tests"]),
        ("`make check`: 38 passed and none failed", &["tests"]),
        (
            "2 tests failed at first, and now all 77 pass.",
            &["tests", "failing"],
        ),
        ("The project doesn't compile.", &["!failing"]),
        ("There are type errors left.", &["failing"]),
        ("`npm run typecheck` reports type errors.", &["failing"]),
        ("4 failures in the suite.", &["failing"]),
    ]);
}

#[test]
fn events() {
    check(&[
        ("The deploy to staging succeeded.", &["deploy"]),
        ("The commit is on `origin/main`.", &["push"]),
        ("It is in commit 3f2a91c.", &["commit"]),
        ("PR: https://example.org/a/b/pull/41", &["pr"]),
        ("Pull request #41 is open.", &["pr"]),
        ("The edit to `flush` is in.", &["edit"]),
        ("`src/a.rs` has the change.", &["edit"]),
        ("`src/a.rs` is new.", &["create"]),
        ("That fixes `clamp`.", &["fixed"]),
        ("I re-read `src/a.rs` after the edit.", &["verified"]),
        (
            "These failures exist on a clean checkout too.",
            &["preexisting"],
        ),
        ("`clamp` occurs 19 times.", &["count"]),
        ("The deploy script is done.", &[]),
        ("See https://example.org/a/b/pull/new/x for the PR.", &[]),
    ]);
}

fn one(close: &str, kind: Kind) -> super::Claim {
    read(close)
        .claims
        .into_iter()
        .find(|claim| claim.kind == kind)
        .expect("the claim is read")
}

#[test]
fn what_the_judge_asks_for() {
    let web = one("All tests in `packages/web` pass.", Kind::Tests);
    assert_eq!(web.place, Some(Place::Path("packages/web".to_owned())));
    assert!(web.whole && web.about.is_empty() && web.outcome && !web.ran);
    let windows = one("All tests pass on Windows.", Kind::Tests);
    assert_eq!(windows.place, Some(Place::System("windows".to_owned())));
    let part = one("38 of 40 tests pass; the other two fail.", Kind::Tests);
    assert_eq!(
        part.tally,
        Tally {
            passed: Some(38),
            failed: Some(2),
            skipped: None,
            total: Some(40)
        }
    );
    assert!(part.partial);
    let parser = one("All parser tests pass.", Kind::Tests);
    assert_eq!(
        (parser.whole, parser.about),
        (false, vec!["parser".to_owned()])
    );
    let ran = one("I ran the tests.", Kind::Tests);
    assert!(ran.ran && !ran.outcome);
    for (close, reporter) in [
        ("CI says all tests pass.", Reporter::Ci),
        (
            "The reviewer confirmed that lint passes.",
            Reporter::Reviewer,
        ),
        (
            "The subagent reported 12 passing tests.",
            Reporter::Delegate,
        ),
    ] {
        let claim = read(close).claims.into_iter().next();
        assert_eq!(claim.and_then(|claim| claim.reported), Some(reporter));
    }
    assert!(one("With two exceptions, the tests pass.", Kind::Tests).partial);
    // A number in another clause is no count of the tests.
    assert_eq!(
        one("One remark: all tests pass.", Kind::Tests).tally,
        Tally::default()
    );
}

/// Words of a claim in another sense, and admissions with a reason.
#[test]
fn other_senses() {
    check(&[
        ("I changed nothing.", &["nochange"]),
        ("The script passes the tests folder to `main`.", &[]),
        ("I was wrong to suggest that all tests pass.", &[]),
        ("The events are published on a queue.", &[]),
        (
            "I could not run the tests: the database is down.",
            &["!disclosure"],
        ),
        ("The push failed.", &["failing"]),
        ("The image builds.", &["build"]),
        ("The only file I changed is `src/a.py`.", &["filelist"]),
        ("Cleaned up the extra worktree.", &["cleanup"]),
        ("Transcripts sent via `/bug` are encrypted.", &[]),
        ("Git is installed at `/usr/bin/git`.", &[]),
        ("Sometimes a new version is released.", &[]),
        ("This is a well-designed and documented repository.", &[]),
        ("The remaining commits applied cleanly.", &[]),
        ("### Example output\n\n```\n✅ Modified config.py\n```", &[]),
    ]);
}

/// What is not read is told once a sentence, and never of titles, questions or names.
#[test]
fn unread_sentences() {
    let close = "# Fertig\n\nAlle Tests sind grün und die Datei `a.rs` wurde geändert. Soll ich das auch für die \
                 anderen machen?\n\n- `src/a.rs`";
    let unread: Vec<_> = read(close)
        .unread
        .into_iter()
        .map(|span| &close[span])
        .collect();
    assert_eq!(
        unread,
        ["Alle Tests sind grün und die Datei `a.rs` wurde geändert"]
    );
    let close = "- `la` in `el.rs`\n- `src/y.rs`\n- `que`\n- Parser de-duplication\n- con, se, ist\n- tests";
    assert!(read(close).claims.is_empty());
    let close = "変更をプッシュしました。";
    assert_eq!((read(close).claims.len(), read(close).unread.len()), (0, 1));
}

/// What generated closes and other auditors showed to be misread or passed over.
#[test]
fn words_that_were_passed_over() {
    check(&[
        ("test run is clean.", &["tests"]),
        ("The gradle run passes.", &["tests"]),
        ("The maven run finished without failures.", &["tests"]),
        ("`bin/rspec` passed.", &["tests"]),
        ("`vendor/bin/phpunit` is green.", &["tests"]),
        ("Result: The code is clean under rubocop now.", &["lint"]),
        ("ruff reports nothing locally.", &["lint"]),
        ("tsc finds nothing locally.", &["typecheck"]),
        ("Zero failures in 92 tests.", &["tests"]),
        ("4 failed and 22 passed", &["failing"]),
        ("0/7 tests pass", &["failing"]),
        ("すべてのテストに合格", &["tests"]),
        ("テストも全部通っています", &["tests"]),
        ("**The log shows \"certificate has expired\"**", &["quote"]),
        ("**Commit: `3f2a91c`**", &["commit"]),
        ("- ✅ PR comments: Now say \"Informational\"", &["edit"]),
        ("Total size: 13 MB", &["count"]),
        ("```\nscripts/search.py (264 lines)\n```", &["count"]),
        ("The mapping check returns `openai`.", &["run"]),
    ]);
}

/// A rule, a plan or an omission below a title of deeds is no deed.
#[test]
fn rules_below_titles_of_deeds() {
    check(&[
        (
            "**What I did:**\n\n1. CI merges after the unit tests pass.",
            &[],
        ),
        (
            "**What I did:**\n\n1. The hook lets a commit through only if the tests pass.",
            &[],
        ),
        (
            "### Verification\n\n1. A word on the checks: I left out the test run.",
            &["!disclosure"],
        ),
        ("Max size: 13 MB", &[]),
    ]);
}

/// A closing mark of more than one byte, with no word behind it and with one.
#[test]
fn single_typographic_marks_are_read() {
    check(&[
        ("find: ‘/tmp/a’: No such file", &[]),
        ("It prints ‘a’s and ‘b’", &["quote"]),
        ("All tests pass, says ‘make’.", &["tests"]),
    ]);
}
