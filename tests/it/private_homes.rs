//! Whose homes and names are private, whose are words of ours, and where no output may lie.

use std::collections::BTreeSet;
use std::fs;

use deedcheck::private::{Canary, Kind};

use crate::cli::{ID, program, run, session};
use crate::private_regression::graded;

/// Home and user were bound from the grading machine only, so that pages could quote those of the session's.
#[test]
fn the_home_of_a_session_from_elsewhere_is_private_too() {
    let below_home = ("/home/annika.lind", "/tide");
    for (home, tree) in [below_home, ("C:\\Users\\annika.lind", "\\tide")] {
        let dir = tempfile::tempdir().unwrap();
        fs::create_dir(dir.path().join("logs")).unwrap();
        let log = session(ID, &format!("{home}{tree}"), "I fixed `src/a.rs`.");
        fs::write(dir.path().join("logs/one.jsonl"), log).unwrap();
        let args = [
            "grade",
            "logs",
            "--fail-on",
            "never",
            "--out-private",
            "run",
        ];
        let said = run(dir.path(), &args);
        assert_eq!((said.code, said.err.as_str()), (0, ""));
        let kept = fs::read(dir.path().join("run/canary.json")).unwrap();
        let kept: serde_json::Value = serde_json::from_slice(&kept).unwrap();
        let holds = |kind: &str, value: &str| {
            let values = kept["values"][kind].as_array().unwrap();
            values.iter().any(|own| own == value)
        };
        assert!(
            holds("user", "annika.lind") && holds("home", home),
            "{kept}"
        );
    }
}

/// A user named like a word that every output holds could publish nothing.
#[test]
fn a_user_named_like_a_word_of_ours_can_publish() {
    let dir = graded("I fixed `src/a.rs` and all 12 tests pass.");
    let empty = tempfile::tempdir().unwrap();
    fs::create_dir(empty.path().join("logs")).unwrap();
    let pages = ["html", "markdown", "json"]
        .map(|format| run(empty.path(), &["grade", "logs", "--format", format]).out);
    let words = pages
        .iter()
        .flat_map(|page| page.split(|c: char| !c.is_alphanumeric() && c != '-'));
    let words: BTreeSet<&str> = words.filter(|word| word.len() >= 8).collect();
    assert!(words.len() > 100, "{}", words.len());
    let mut canary = Canary::new();
    for word in words {
        // What is made of hexadecimal digits is a digest or a colour.
        let digest = word.len() >= 32 && word.bytes().all(|b| b.is_ascii_hexdigit());
        let taken = canary.value(Kind::User, word);
        assert!(digest || !taken, "{word}");
    }
    for user in [
        "completion",
        "verification",
        "disclosure",
        "palatino",
        "color-scheme",
    ] {
        let args = ["grade", "logs", "--fail-on", "never", "--format", "html"];
        let said = program(dir.path())
            .args(args)
            .env("USER", user)
            .env("LOGNAME", user)
            .output()
            .unwrap();
        assert!(
            said.status.success(),
            "{user} {}",
            String::from_utf8_lossy(&said.stderr)
        );
    }
}

/// The private directory could not be written where clients keep their sessions only by `export`.
#[test]
fn no_output_lies_among_the_files_of_a_client() {
    let dir = graded("I fixed `src/a.rs` and all 12 tests pass.");
    let clients = dir.path().join("clients/.claude");
    fs::create_dir_all(&clients).unwrap();
    for (flag, line) in [
        (
            "--out-private",
            "grade logs --out-private clients/.claude/new",
        ),
        ("--out", "grade logs --out clients/.claude/new"),
        (
            "--out-private",
            "regrade --from run --out new --out-private clients/.claude/new",
        ),
        (
            "--out",
            "regrade --from run --out clients/.claude/new --out-private new",
        ),
        (
            "--out-dir",
            "export --from run --out-dir clients/.claude/new",
        ),
    ] {
        let said = program(dir.path())
            .args(line.split(' '))
            .env("HOME", dir.path().join("clients"))
            .env_remove("CLAUDE_CONFIG_DIR")
            .output()
            .unwrap();
        let told = format!("E_PATH field={flag} reason=unwritable detail=within_client\n");
        assert_eq!(String::from_utf8_lossy(&said.stderr), told, "{line}");
        assert!(!dir.path().join("new").exists());
    }
    assert_eq!(fs::read_dir(clients).unwrap().count(), 0);
}
