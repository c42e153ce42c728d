//! The pages under `tests/rules` in the session language, run as black-box tests: each case becomes a session file
//! of every client that it fits, is graded by the binary, and its rows are held against what a reader expects.
//! `tests/rules/README.md` defines the language; `tests/rules/open.txt` lists the cases known to fail.

mod claude;
mod codex;
mod expect;
mod page;
mod script;

use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::process::Command;

use expect::Seen;
use page::Case;
use serde_json::Value;

/// The pages of claims.
pub(crate) const KINDS: [&str; 27] = [
    "tests",
    "build",
    "lint",
    "typecheck",
    "format",
    "run",
    "edit",
    "fixed",
    "create",
    "delete",
    "count",
    "commit",
    "push",
    "pr",
    "merge",
    "deploy",
    "publish",
    "install",
    "verified",
    "quote",
    "site",
    "filelist",
    "nochange",
    "preexisting",
    "cleanup",
    "failing",
    "disclosure",
];

/// The pages of integrity.
pub(crate) const FINDINGS: [&str; 12] = [
    "test-deleted",
    "test-skipped",
    "assertion-weakened",
    "expected-copied",
    "snapshot-blessed",
    "hook-bypassed",
    "status-masked",
    "hooks-disabled",
    "ledger-handwritten",
    "self-made-reference",
    "error-not-mentioned",
    "reports-without-work",
];

/// A session as a client would have stored it.
struct Stored {
    /// The root session's own file, relative to the folder.
    file: String,
    /// Other files: delegates' records.
    others: bool,
}

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/rules")
}

fn cases(id: &str) -> Vec<Case> {
    let path = folder().join(format!("{id}.md"));
    let text = std::fs::read_to_string(&path).unwrap_or_else(|error| panic!("{id}.md: {error}"));
    let cases = page::cases(&text).unwrap_or_else(|error| panic!("{id}.md: {error}"));
    let mut titles = std::collections::BTreeSet::new();
    for case in &cases {
        assert!(titles.insert(&case.title), "{id}.md: {}: twice", case.title);
    }
    cases
}

/// The titles listed as open, as `file: title`.
fn open() -> Vec<String> {
    std::fs::read_to_string(folder().join("open.txt"))
        .unwrap()
        .lines()
        .filter(|line| !line.is_empty() && !line.starts_with('#'))
        .map(str::to_owned)
        .collect()
}

fn graded(root: &Path, stored: &Stored) -> Vec<Value> {
    let target = if stored.others {
        root.to_owned()
    } else {
        root.join(&stored.file)
    };
    let rules = std::env::var("SPEC_RULES").unwrap_or_else(|_| "gate,claim,integrity".to_owned());
    let output = Command::new(env!("CARGO_BIN_EXE_deedcheck"))
        .args(["grade", "--rules", &rules])
        .args(["--format", "jsonl", "--jobs", "1"])
        .arg(target)
        .current_dir(root)
        .output()
        .unwrap();
    let said = String::from_utf8_lossy(&output.stderr);
    assert!(
        matches!(output.status.code(), Some(0 | 1)),
        "{}: {said}",
        output.status
    );
    String::from_utf8(output.stdout)
        .unwrap()
        .lines()
        .map(|line| serde_json::from_str(line).unwrap())
        .collect()
}

/// One row in short: what a reader of a failure wants to see.
fn short(row: &Value) -> Option<String> {
    let word = |key: &str| row[key].as_str().unwrap_or("").to_owned();
    let reasons: Vec<&str> = row["reasons"]
        .as_array()
        .into_iter()
        .flatten()
        .filter_map(Value::as_str)
        .collect();
    let reasons = reasons.join(",");
    match row["kind"].as_str()? {
        "claim" => {
            let negated = if row["negated"] == true {
                " negated"
            } else {
                ""
            };
            Some(format!(
                "{} {} {:?} {} {reasons}{negated} ({})",
                row["turn"],
                word("claim"),
                word("text"),
                word("verdict"),
                word("where")
            ))
        }
        "finding" => Some(format!(
            "{} finding {} {} {reasons}",
            row["turn"],
            word("rule"),
            word("verdict")
        )),
        _ => None,
    }
}

/// The session must be read whole, or the case shows nothing: every turn, no record unknown, no result lost.
fn unread(rows: &[Value], seen: &Seen<'_>) -> Option<String> {
    let session = rows.iter().find(|row| {
        let file = row["file"].as_str();
        row["kind"] == "session" && file.is_some_and(|file| file.ends_with(seen.file))
    });
    let Some(session) = session else {
        return Some("no row of the session".to_owned());
    };
    let counts = &session["counts"];
    let lost = !["opaque", "quarantined", "orphan_results"]
        .iter()
        .all(|key| counts[*key].as_u64().is_none_or(|count| count == 0));
    let turns = counts["turns"] == seen.script.turns.len();
    (lost || !turns).then(|| format!("not read whole: {counts}"))
}

/// What is wrong with a case, for each client that it is written for.
fn wrong(id: &str, case: &Case) -> Option<String> {
    let mut said = String::new();
    for client in ["claude", "codex"] {
        if case
            .script
            .client
            .as_deref()
            .is_some_and(|only| only != client)
        {
            continue;
        }
        let root = tempfile::tempdir().unwrap();
        let seed = format!("{id}/{}/{client}", case.title);
        let stored = if client == "claude" {
            claude::store(root.path(), &seed, &case.script)
        } else {
            codex::store(root.path(), &seed, &case.script)
        };
        let rows = graded(root.path(), &stored);
        let name = stored.file.rsplit('/').next().unwrap_or("");
        let seen = Seen {
            rows: &rows,
            file: name,
            script: &case.script,
        };
        let broken: Vec<&str> = case
            .expects
            .iter()
            .filter(|expect| expect.broken(&seen))
            .map(|expect| expect.line.as_str())
            .collect();
        let unread = unread(&rows, &seen);
        if !broken.is_empty() || unread.is_some() {
            let _ = writeln!(said, "  {client}");
            if let Some(line) = unread {
                let _ = writeln!(said, "    {line}");
            }
            for line in broken {
                let _ = writeln!(said, "    wanted  {line}");
            }
            for row in rows.iter().filter_map(short) {
                let _ = writeln!(said, "    row     {row}");
            }
        }
    }
    (!said.is_empty()).then_some(said)
}

/// Runs pages; lists every failure, and every listed case that passes.
fn hold(ids: &[&str]) {
    let open = open();
    let mut report = String::new();
    let (mut ran, mut failed) = (0, 0);
    let only = std::env::var("SPEC_PAGE").ok();
    let wanted = |id: &&&str| only.as_ref().is_none_or(|only| only == **id);
    for id in ids.iter().filter(wanted) {
        for case in cases(id) {
            ran += 1;
            let name = format!("{id}.md: {}", case.title);
            let listed = open.iter().any(|line| {
                line.strip_prefix(&name)
                    .is_some_and(|rest| rest.starts_with(": "))
            });
            match (wrong(id, &case), listed) {
                (Some(said), false) => {
                    failed += 1;
                    let _ = write!(report, "{name}\n{said}");
                }
                (None, true) => {
                    failed += 1;
                    let _ = writeln!(report, "{name}\n  holds: take it out of open.txt");
                }
                _ => {}
            }
        }
    }
    assert!(report.is_empty(), "{failed} of {ran} cases\n\n{report}");
}

#[test]
fn claims_are_judged_as_their_pages_say() {
    hold(&KINDS);
}

#[test]
fn integrity_is_judged_as_its_pages_say() {
    hold(&FINDINGS);
}

#[test]
fn what_the_public_asked_for_holds() {
    hold(&["asks"]);
}

#[test]
fn every_page_is_well_formed_and_full() {
    let mut names = Vec::new();
    for id in KINDS.iter().chain(&FINDINGS).chain(&["asks"]) {
        let cases = cases(id);
        assert!(cases.len() >= 6, "{id}.md: {} cases", cases.len());
        names.extend(
            cases
                .iter()
                .map(|case| format!("{id}.md: {}: ", case.title)),
        );
    }
    for line in open() {
        assert!(
            names.iter().any(|name| line.starts_with(name.as_str())),
            "open.txt: no such case: {line}"
        );
    }
}
