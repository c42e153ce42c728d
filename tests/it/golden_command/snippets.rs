//! What `docs/golden.md` gives to paste, run as it stands there.

use std::fs;
use std::path::Path;
use std::process::{Command, Output};

use super::{TWO, cases, golden, turn};

/// The fenced block of a language that follows a heading.
fn block(heading: &str, language: &str) -> String {
    let page = concat!(env!("CARGO_MANIFEST_DIR"), "/docs/golden.md");
    let page = fs::read_to_string(page).unwrap();
    let (_, rest) = page
        .split_once(&format!("\n## {heading}\n"))
        .expect(heading);
    let (_, rest) = rest
        .split_once(&format!("```{language}\n"))
        .expect(language);
    let (block, _) = rest.split_once("\n```").expect("an end");
    format!("{block}\n")
}

/// A program with the binary first in its path, in a folder that is no other repository's.
fn command(dir: &Path, program: &str) -> Command {
    let own = Path::new(env!("CARGO_BIN_EXE_deedcheck")).parent().unwrap();
    let path = std::env::var("PATH").unwrap_or_default();
    let mut command = Command::new(program);
    command
        .current_dir(dir)
        .env_clear()
        .env("PATH", format!("{}:{path}", own.display()))
        .env("HOME", dir)
        .env("GIT_CONFIG_NOSYSTEM", "1");
    command
}

fn done(command: &mut Command) -> Output {
    command
        .output()
        .unwrap_or_else(|error| panic!("{command:?}: it is needed here: {error}"))
}

fn git(dir: &Path, args: &[&str]) -> Output {
    let name = ["-c", "user.name=A", "-c", "user.email=a@example.com"];
    done(command(dir, "git").args(name).args(args))
}

/// A repository whose golden cases are as expected.
fn repository() -> tempfile::TempDir {
    let dir = cases(&TWO);
    fs::rename(dir.path().join("cases"), dir.path().join("golden")).unwrap();
    assert_eq!(golden(dir.path(), &["accept", "golden"]).code, 0);
    assert!(git(dir.path(), &["init", "-q"]).status.success());
    dir
}

#[test]
fn the_workflow_fails_where_a_grade_changed() {
    let workflow = block("GitHub Actions", "yaml");
    let runs: Vec<&str> = workflow
        .lines()
        .filter_map(|line| line.trim().strip_prefix("run: "))
        .collect();
    let [install, check, json] = runs.as_slice() else {
        panic!("{workflow}");
    };
    // It needs the network, and so it alone is not run.
    assert!(
        install.starts_with("cargo install --locked --git https://"),
        "{install}"
    );
    let dir = repository();
    let run = |line: &str| done(command(dir.path(), "bash").args(["-e", "-c", line]));
    let said = run(check);
    assert!(said.status.success(), "{said:?}");
    let rows = dir
        .path()
        .join("golden")
        .join(TWO[0])
        .join("expected/grades.jsonl");
    turn(
        &rows,
        r#""verdict":"unsupported""#,
        r#""verdict":"supported""#,
    );
    assert_eq!(run(check).status.code(), Some(1));
    assert!(run(json).status.success());
    let told: serde_json::Value =
        serde_json::from_slice(&fs::read(dir.path().join("golden.json")).unwrap()).unwrap();
    assert_eq!(told["differences"], 1);
}

#[test]
fn the_hook_stops_a_commit_that_changes_a_grade() {
    let dir = repository();
    let hook = dir.path().join(".git/hooks/pre-commit");
    fs::create_dir_all(hook.parent().unwrap()).unwrap();
    crate::cli::executable(&hook, &block("A pre-commit hook", "sh"));
    let commit = || {
        let staged = git(dir.path(), &["add", "-A"]);
        assert!(staged.status.success(), "{staged:?}");
        git(dir.path(), &["commit", "-q", "-m", "x"])
    };
    let said = commit();
    assert!(said.status.success(), "{said:?}");
    let rows = dir
        .path()
        .join("golden")
        .join(TWO[0])
        .join("expected/grades.jsonl");
    turn(
        &rows,
        r#""verdict":"unsupported""#,
        r#""verdict":"supported""#,
    );
    let said = commit();
    assert!(!said.status.success(), "{said:?}");
    let told = [said.stdout, said.stderr].concat();
    let told = String::from_utf8_lossy(&told);
    assert!(told.contains("→ unsupported (stale)"), "{told}");
    // What is not staged is not what is committed.
    assert!(git(dir.path(), &["reset", "-q", "--hard"]).status.success());
    turn(
        &rows,
        r#""verdict":"unsupported""#,
        r#""verdict":"supported""#,
    );
    fs::write(dir.path().join("note"), "x").unwrap();
    assert!(git(dir.path(), &["add", "note"]).status.success());
    let said = git(dir.path(), &["commit", "-q", "-m", "y"]);
    assert!(said.status.success(), "{said:?}");
}
