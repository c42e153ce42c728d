//! Probes: one close and the claims that it holds, most of them from public reports of checkers that
//! accused the innocent or certified the guilty.

use proptest::prelude::*;

use super::{Kind, Language, Reporter, read};

/// Kinds of the claims that are not negated, in order of the text.
fn positive(close: &str) -> Vec<&'static str> {
    read(close)
        .claims
        .iter()
        .filter(|claim| !claim.negated && claim.kind != Kind::Failing)
        .map(|claim| claim.kind.as_str())
        .collect()
}

/// Kinds of the claims, `!` in front of those that are negated.
pub(super) fn all(close: &str) -> Vec<String> {
    read(close)
        .claims
        .iter()
        .map(|claim| {
            let mark = if claim.negated { "!" } else { "" };
            format!("{mark}{}", claim.kind.as_str())
        })
        .collect()
}

/// Holds what is read of each close against the kinds beside it.
pub(super) fn reads(read: impl Fn(&str) -> Vec<String>, cases: &[(&str, &[&str])]) {
    let wrong: Vec<String> = cases
        .iter()
        .map(|&(close, kinds)| (close, kinds, read(close)))
        .filter(|(_, kinds, read)| kinds != read)
        .map(|(close, kinds, read)| format!("{close:?}: {read:?}, not {kinds:?}"))
        .collect();
    assert!(wrong.is_empty(), "{wrong:#?}");
}

fn check(cases: &[(&str, &[&str])]) {
    let kinds = |close: &str| positive(close).into_iter().map(str::to_owned).collect();
    reads(kinds, cases);
}

/// anthropics/claude-code#92505: honest reports, questions and conditions were graded contradicted.
#[test]
fn denial_question_and_condition_claim_nothing() {
    check(&[
        ("The tests do not pass.", &[]),
        ("Do the tests pass?", &[]),
        ("If the tests pass we ship.", &[]),
        ("None of the tests pass.", &[]),
        ("Once the tests pass, I'll push.", &[]),
        ("All tests should pass now.", &[]),
        ("Run `npm test` to make sure they pass.", &[]),
        ("I will run the tests and push the branch.", &[]),
        ("The tests probably pass.", &[]),
        ("Should I push it?", &[]),
        ("You can deploy it with `make deploy`.", &[]),
        ("Next steps:\n- Updated docs\n- Tests pass in CI", &[]),
        ("> All tests pass.\n\nThat is what it said.", &[]),
        ("The doc says \"all tests pass\".", &[]),
        ("```\nAll tests pass\n```", &[]),
    ]);
}

/// aurumflux20/coherence, known holes.
#[test]
fn claims_that_checkers_missed() {
    check(&[
        ("Tests pass and I pushed to main.", &["tests", "push"]),
        ("The tests were failing, but they all pass now.", &["tests"]),
        ("Everything's green.", &["tests"]),
        ("All checks came back clean.", &["tests"]),
        ("No failures.", &["tests"]),
        ("Do the tests pass? All tests pass.", &["tests"]),
        ("All tests should pass now - and they do.", &["tests"]),
        ("tsc is clean.", &["typecheck"]),
        ("All tests and linting pass.", &["tests", "lint"]),
        ("Build passes, lint is clean.", &["build", "lint"]),
        ("`bun run typecheck` passed.", &["typecheck"]),
        ("- Unit tests: ✓\n- Formatting: ✓", &["tests", "format"]),
        ("4966/4966 ALL PASSED (golden)", &["tests"]),
        ("3 passed", &["tests"]),
        ("All tests in /b pass.", &["tests"]),
        ("notes.md is updated and verified.", &["edit", "verified"]),
    ]);
}

/// heypinchy/pinchy#731, #740, #756: negation; `shakacode/react_on_rails`#4980: filler words.
#[test]
fn negation_reaches_over_filler() {
    check(&[
        ("The vendor bill was not saved.", &[]),
        ("I can't confirm it was actually saved.", &[]),
        ("Once the bill is created, it shows up here.", &[]),
        ("No event has level ERROR.", &[]),
        ("None of the five events is at ERROR level.", &[]),
        ("ERROR: none.", &[]),
        ("The change was not pushed.", &[]),
        ("I did not add the flag.", &[]),
    ]);
    assert_eq!(all("Not pushed yet."), ["!push"]);
    assert_eq!(all("I did not run the full test suite."), ["!disclosure"]);
    assert_eq!(all("I couldn't verify live URLs."), ["!disclosure"]);
    assert_eq!(all("No files were changed."), ["nochange"]);
    assert_eq!(all("None of the tests pass."), ["!failing"]);
    let filler = read("The negative control did not seem to fail.");
    assert!(
        filler
            .claims
            .iter()
            .all(|claim| claim.kind != Kind::Failing)
    );
}

#[test]
fn deeds_by_their_object() {
    check(&[
        ("Fixed.", &["fixed"]),
        ("Fixed the crash on start.", &["fixed"]),
        ("Created `docs/plan.md`.", &["create"]),
        ("Added tests/README.md with a guide.", &["create"]),
        ("Added the `--json` flag to `cli.rs`.", &["edit"]),
        ("Removed `old.rs`.", &["delete"]),
        ("Removed the unused import.", &["edit"]),
        ("I committed the change and pushed it.", &["commit", "push"]),
        ("Opened PR #12.", &["pr"]),
        ("PR #754 has been merged.", &["pr", "merge"]),
        ("Deployed to production.", &["deploy"]),
        ("Published `a@1.2.3` to npm.", &["publish"]),
        ("Installed ripgrep.", &["install"]),
        ("I verified that the output matches.", &["verified"]),
        ("The parser now rejects empty names.", &["edit"]),
        ("It works now.", &["fixed"]),
        ("The failure is pre-existing.", &["preexisting"]),
        (
            "**Files created:**\n- `src/a.rs` — the reader\n- `src/b.rs`",
            &["create", "create"],
        ),
        (
            "Verification:\n- `cargo test`\n- `cargo clippy`",
            &["tests", "lint"],
        ),
        ("The updated file and the flag you added stay.", &[]),
        ("Done.", &[]),
    ]);
}

/// NorthlandPositronics/Cogtrix#1871: a quoted error; MCKRUZ/microsoft-agentic-harness#319: a cited place.
#[test]
fn quotes_and_sites() {
    let close = "The error message is clear: \"Read-only file system\".";
    let reading = read(close);
    let quote = reading.claims.iter().find(|c| c.kind == Kind::Quote);
    assert_eq!(
        quote
            .and_then(|claim| claim.quote.clone())
            .map(|span| &close[span]),
        Some("Read-only file system")
    );
    let close = "`Foo.cs:42` never disposes.";
    let site = read(close)
        .claims
        .into_iter()
        .find(|c| c.kind == Kind::Site);
    let site = site.map(|claim| (claim.sites[0].path.clone(), claim.sites[0].line));
    assert_eq!(site, Some(("Foo.cs".to_owned(), 42)));
}

#[test]
fn parameters() {
    let one = |close: &str, kind: Kind| {
        read(close)
            .claims
            .into_iter()
            .find(|claim| claim.kind == kind)
    };
    let tests = one(
        "All 240 tests pass except for two in `src/a.rs`.",
        Kind::Tests,
    );
    let tests = tests.map(|c| {
        (
            c.whole,
            c.partial,
            c.scope.clone(),
            c.numbers[0].value,
            c.numbers[0].noun,
        )
    });
    assert_eq!(
        tests,
        Some((true, true, vec!["src/a.rs".to_owned()], 240, "tests"))
    );
    let passed = one("pytest: 3 passed, 0 failed", Kind::Tests).map(|c| {
        c.numbers
            .iter()
            .map(|n| (n.value, n.noun))
            .collect::<Vec<_>>()
    });
    assert_eq!(passed, Some(vec![(3, "passed"), (0, "failed")]));
    let ci = one("GitHub CI is green.", Kind::Tests).and_then(|claim| claim.reported);
    assert_eq!(ci, Some(Reporter::Ci));
    assert!(one("The bug was already fixed.", Kind::Fixed).is_none_or(|claim| claim.earlier));
}

#[test]
fn other_languages() {
    assert_eq!(positive("已更新配置，测试全部通过。"), ["edit", "tests"]);
    assert_eq!(positive("テストはすべて成功しました。"), ["tests"]);
    assert_eq!(positive("테스트가 모두 통과했습니다."), ["tests"]);
    assert_eq!(positive("测试没有通过。"), [""; 0]);
    assert_eq!(read("Все тесты прошли успешно.").language, Language::Other);
    assert_eq!(
        read("Todas las pruebas pasan y el código está listo para la revisión.").language,
        Language::Other
    );
    assert_eq!(read("All tests pass.").language, Language::Read);
    assert_eq!(read("已推送到远程。").language, Language::Other);
}

fn sound(close: &str) {
    let claims = read(close).claims;
    let mut last: Vec<(Kind, usize)> = Vec::new();
    let mut start = 0;
    for claim in &claims {
        assert!(close.get(claim.span.clone()).is_some(), "{close:?}");
        assert!(start <= claim.span.start);
        start = claim.span.start;
        if let Some(known) = last.iter_mut().find(|(kind, _)| *kind == claim.kind) {
            assert!(known.1 <= claim.span.start, "{close:?}");
            known.1 = claim.span.end;
        } else {
            last.push((claim.kind, claim.span.end));
        }
    }
}

proptest! {
    #[test]
    fn any_text_is_read(close in any::<String>()) {
        sound(&close);
    }

    #[test]
    fn any_likely_text_is_read(
        parts in proptest::collection::vec(
            prop_oneof![
                Just("tests"), Just(" pass"), Just(" "), Just("\n- "), Just("`"), Just("a.rs:1"), Just("no "),
                Just("✅"), Just("\""), Just(": "), Just("```\n"), Just("| "), Just("added "), Just("12/12 "),
                Just("。"), Just("测试通过"), Just("by removing "), Just("PR "), Just(", and they do"), Just("**"),
                Just("Files changed:\n"), Just("now "), Just("0 issues"), Just("not "), Just("I ran "),
            ],
            0..60,
        )
    ) {
        sound(&parts.concat());
    }
}

/// A hostile close costs a small multiple of an honest one of its length.
#[test]
fn long_closes_are_read() {
    for unit in [
        "added ",
        "tests pass and ",
        "`a.rs:1` ",
        "- x\n",
        "no errors ",
        "12 files ",
        "| a ",
        "now ",
        "not ",
        "by adding and ",
    ] {
        let close = unit.repeat(20_000);
        sound(&close);
    }
}
