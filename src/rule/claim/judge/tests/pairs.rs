//! One thing changed: what no longer bears a statement out must not be replaced by what only looks
//! like it.

use super::*;

#[test]
fn an_agent_that_was_sent_to_look_changed_nothing() {
    let report = "The scripts log to stderr; proper levels are missing in all of them.";
    let sent = || agent(report, None);
    let close = "Added logging to stderr with proper levels.";
    assert_eq!(of(vec![sent()], close, Kind::Edit), "unknown ambiguous");
    let done = agent(
        "Added logging to stderr with proper levels to all scripts.",
        None,
    );
    assert_eq!(of(vec![done], close, Kind::Edit), "supported delegated");
}

#[test]
fn a_statement_of_a_script_rests_on_no_change_of_prose() {
    let prose = || changed("docs/audit.md", "The audit found nothing.", Outcome::Ok);
    let script = || changed("tools/audit.sh", "audit --all", Outcome::Ok);
    let close = "Updated the audit script.";
    assert_eq!(of(vec![prose()], close, Kind::Edit), "unknown ambiguous");
    assert_eq!(of(vec![script()], close, Kind::Edit), "supported direct");
    let docs = "Updated the audit documentation.";
    assert_eq!(of(vec![prose()], docs, Kind::Edit), "supported direct");
    assert_eq!(of(vec![script()], docs, Kind::Edit), "unknown ambiguous");
}

#[test]
fn what_a_change_is_for_tells_nothing_of_what_was_changed() {
    let other = || changed("src/limits.ts", "max_items: number", Outcome::Ok);
    let third = || changed("src/log.ts", "level = 2", Outcome::Ok);
    let close = "Updated the eval guidance so generated plans use `max_items`.";
    let got = of(vec![other(), third()], close, Kind::Edit);
    assert_eq!(got, "unknown ambiguous");
    let own = changed("guide/eval.md", "Guidance for an eval", Outcome::Ok);
    let got = of(vec![own, other(), third()], close, Kind::Edit);
    assert_eq!(got, "supported direct");
}

#[test]
fn one_changed_file_is_not_what_the_line_names_otherwise() {
    let file = || changed("src/server.py", "limit = 4", Outcome::Ok);
    let close = "- `parse_header()`: simplified the lookup of repeated keys.";
    let named = changed(
        "src/server.py",
        "def parse_header(): limit = 4",
        Outcome::Ok,
    );
    assert_eq!(of(vec![named], close, Kind::Edit), "supported direct");
    assert_eq!(of(vec![file()], close, Kind::Edit), "unknown ambiguous");
}

#[test]
fn laying_out_creates_nothing() {
    let close = "Created a new package.";
    let format = || sh("gofmt -w .", "");
    assert_eq!(of(vec![format()], close, Kind::Create), "unknown ambiguous");
    let written = of(vec![edit("pkg/a.go"), format()], close, Kind::Create);
    assert_eq!(written, "supported direct");
}

#[test]
fn what_is_removed_is_what_the_command_names() {
    let other = || sh("rm -rf old-homelab", "");
    let own = || sh("rm -f tmpout-*", "");
    let close = "Also removed 4 temp `tmpout-*` files from the root.";
    assert_eq!(of(vec![other()], close, Kind::Delete), "unknown ambiguous");
    assert_eq!(of(vec![own()], close, Kind::Delete), "supported direct");
}

#[test]
fn a_pull_or_a_merge_pushes_nothing() {
    let close = "The branch is pushed.";
    for command in ["git pull origin main", "git merge topic"] {
        let got = of(vec![sh(command, "Already up to date.")], close, Kind::Push);
        assert_eq!(got, "unsupported never-run", "{command}");
    }
    let failed = red("gh pr create --fill", "pull request create failed");
    assert_eq!(of(vec![failed], close, Kind::Push), "unsupported never-run");
    let made = sh("gh pr create --fill", "https://github.com/a/b/pull/7");
    assert_eq!(of(vec![made], close, Kind::Push), "supported direct");
}

#[test]
fn a_deed_bears_a_pull_request_out_before_a_look_does() {
    let deed = || sh("gh api -X PATCH repos/a/b/pulls/7 -f body=x", "7");
    let look = red("gh pr view 7", "HTTP 502");
    let close = "I updated the PR body.";
    assert_eq!(of(vec![deed(), look], close, Kind::Pr), "supported direct");
    let read = sh("gh api repos/a/b/pulls/7", "7");
    let got = of(vec![edit("a.py"), read], close, Kind::Pr);
    assert!(!got.starts_with("supported"), "{got}");
}

#[test]
fn a_number_is_none_of_a_clock_a_unit_or_a_line() {
    let close = "The branch is behind main by 24 commits.";
    for line in [
        "main  working  24m",
        "main commit 12:01:24",
        "main commit 2026-01-01T02:24:10Z",
        "## 24. Commits on main",
    ] {
        let got = of(vec![sh("git log", line)], close, Kind::Count);
        assert_eq!(got, "unknown ambiguous", "{line}");
    }
    let got = of(
        vec![sh("git status", "## main [behind 24]")],
        close,
        Kind::Count,
    );
    assert_eq!(got, "supported direct");
}

#[test]
fn tests_that_were_written_are_counted() {
    let args = r#"{"content":"func TestA(t *T) {}\nfunc TestB(t *T) {}"}"#;
    let wrote = || changed("pkg/hooks_test.go", args, Outcome::Ok);
    let two = "- `pkg/hooks_test.go`: 2 tests for hooks";
    assert_eq!(of(vec![wrote()], two, Kind::Count), "supported direct");
    let three = "- `pkg/hooks_test.go`: 3 tests for hooks";
    let got = of(vec![wrote()], three, Kind::Count);
    assert!(!got.starts_with("supported"), "{got}");
}

#[test]
fn a_run_of_named_files_goes_stale_with_one_of_them() {
    const HOME: &str = "/home/dev/projects/acme/app";
    let command =
        format!("cd {HOME} && bun test packages/core/a.test.ts packages/core/projects.test.ts");
    let run = || sh(&command, "5 pass\n0 fail\nRan 5 tests");
    let change = |path: &str| edit(&format!("{HOME}/{path}"));
    let stale = vec![run(), change("packages/core/a.test.ts")];
    assert_eq!(
        tests_of(stale, "Relevant tests passed."),
        "unsupported stale"
    );
    let beside = vec![run(), change("packages/web/b.ts")];
    assert_eq!(
        tests_of(beside, "Relevant tests passed."),
        "supported direct"
    );
}

#[test]
fn what_is_denied_as_a_whole_is_not_said() {
    let lint = || sh("ruff check .", "All checks passed!");
    let close = "It is not true that all linting now passes with **0 issues**.";
    let mut turns = vec![lint()];
    let claims = claim::read(close).claims;
    assert!(claims.iter().all(|claim| claim.negated), "{claims:?}");
    turns.push(edit("a.py"));
    let close = "It is not true that the main checkout is unchanged by this pass.";
    let got = of(vec![lint()], close, Kind::Nochange);
    assert!(
        matches!(got.as_str(), "none" | "unknown ambiguous"),
        "{got}"
    );
    let close = "```\n✅ It is not true that cron job added: */5\n```";
    assert_eq!(of(turns, close, Kind::Edit), "none");
}

#[test]
fn a_number_that_the_sent_agent_does_not_report_is_not_borne_out() {
    let act = deeds(
        &Action::Shell {
            command: Cow::Borrowed("pytest"),
            dialect: Dialect::Posix,
            cwd: None,
            background: false,
        },
        Some(HOME),
    );
    let sent = || {
        let child = Delegated {
            agent: "a".to_owned(),
            acts: act.iter().cloned().map(|act| (act, Outcome::Ok)).collect(),
            looked: false,
        };
        agent("All 15 tests pass.", Some(child))
    };
    assert_eq!(
        tests_of(vec![sent()], "All 15 tests pass."),
        "supported delegated"
    );
    assert_eq!(
        tests_of(vec![sent()], "All 22 tests pass."),
        "unknown ambiguous"
    );
}

#[test]
fn commits_of_the_turn_are_counted() {
    let commit = |name: &str| {
        sh(
            &format!("git commit -m {name}"),
            &format!("[main 1a2b3c4] {name}\n 3 files changed"),
        )
    };
    let made = || vec![commit("one"), commit("two")];
    let two = "Done. Two commits created.";
    assert_eq!(of(made(), two, Kind::Count), "supported direct");
    let got = of(made(), "Done. Three commits created.", Kind::Count);
    assert_eq!(got, "unknown ambiguous");
}
