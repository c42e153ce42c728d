//! The pages under `tests/rules` in the session language: each case becomes a session file
//! of every client that it fits, is graded by the very pipeline of the program, and its rows are held against what a
//! reader expects.
//! `tests/rules/README.md` defines the language; `tests/rules/open.txt` lists the cases known to fail.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};

use deedcheck::control::page::{self, Case};
use deedcheck::control::session::Client;
use deedcheck::control::{About, Shown, grade_script};

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

/// One row in short: what a reader of a failure wants to see.
fn short(row: &Shown) -> Option<String> {
    match row.about {
        About::Claim => Some(format!("{} {row} {:?} ({})", row.turn, row.text, row.place)),
        About::Finding => Some(format!("{} finding {row}", row.turn)),
        About::Gate => None,
    }
}

/// What is wrong with a case, for each client that it is written for.
fn wrong(id: &str, case: &Case) -> Option<String> {
    let mut said = String::new();
    for client in Client::ALL {
        if case.script.client.is_some_and(|only| only != client) {
            continue;
        }
        let seed = format!("{id}/{}/{}", case.title, client.as_str());
        let graded = grade_script(client, &seed, &case.script, None);
        let unread = graded.unread();
        let broken = graded.broken(&case.expects);
        if !broken.is_empty() || unread.is_some() {
            let _ = writeln!(said, "  {}", client.as_str());
            if let Some(line) = unread {
                let _ = writeln!(said, "    {line}");
            }
            for at in broken {
                let _ = writeln!(said, "    wanted  {}", case.lines[at]);
            }
            for row in graded.shown().iter().filter_map(short) {
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

/// The pages of cases that were written for guards.
fn for_guards() -> Vec<String> {
    let folder = std::fs::read_dir(folder().join("controls")).unwrap();
    let mut pages: Vec<String> = folder
        .map(|entry| entry.unwrap().path())
        .map(|path| format!("controls/{}", path.file_stem().unwrap().to_string_lossy()))
        .collect();
    pages.sort();
    pages
}

#[test]
fn what_was_written_for_guards_holds() {
    let pages = for_guards();
    hold(&pages.iter().map(String::as_str).collect::<Vec<_>>());
}

#[test]
fn every_page_is_well_formed_and_full() {
    let mut names = Vec::new();
    for id in for_guards() {
        let cases = cases(&id).into_iter();
        names.extend(cases.map(|case| format!("{id}.md: {}: ", case.title)));
    }
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
