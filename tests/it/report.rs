//! What a person sees: safe, measured, and true.

use std::fs;
use std::os::unix::ffi::OsStrExt as _;

use deedcheck::aggregate::Aggregate;
use deedcheck::pipeline::{Policy, grade};
use deedcheck::report::{Listing, Style, TableView, table};
use deedcheck::source::discover;
use unicode_width::UnicodeWidthStr as _;

use crate::cli::{ID, run, session};

/// What a terminal would obey, in a name and in words.
const HOSTILE: &str = "\u{1b}[2J\u{1b}]0;owned\u{7}\u{9b}31m\u{202e}evil\u{2066}\r\u{8}\u{feff}";

fn obeyed(text: &str) -> Vec<char> {
    let turns =
        |c: char| matches!(c, '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}' | '\u{feff}');
    text.chars()
        .filter(|c| (c.is_control() && *c != '\n') || turns(*c))
        .collect()
}

#[test]
fn nothing_that_a_terminal_obeys_comes_out_of_a_transcript_or_a_name() {
    let dir = tempfile::tempdir().unwrap();
    let logs = dir.path().join("logs");
    fs::create_dir(&logs).unwrap();
    let close = format!("I fixed {HOSTILE} it and all tests pass.");
    let names: [&[u8]; 6] = [
        format!("{HOSTILE}\n.jsonl").as_bytes(),
        b"-leading.jsonl",
        b"\xff\xfe.jsonl",
        b"%FF%FE.jsonl",
        "日本語".repeat(25).as_bytes(),
        "x".repeat(240).as_bytes(),
    ]
    .map(|name| name.to_vec().leak() as &[u8]);
    for (at, name) in names.iter().enumerate() {
        let mut name = name.to_vec();
        if !name.ends_with(b".jsonl") {
            name.extend_from_slice(b".jsonl");
        }
        let id = format!("session-number-{at}{HOSTILE}");
        let path = logs.join(std::ffi::OsStr::from_bytes(&name));
        fs::write(path, session(&id, "/w", &close)).unwrap();
    }
    fs::write(logs.join(format!("dark{HOSTILE}.jsonl")), "no record").unwrap();
    let said = run(dir.path(), &["grade", "logs", "--show", "gate"]);
    assert_eq!((said.code, said.err.as_str()), (0, ""));
    assert_eq!(obeyed(&said.out), [], "{}", said.out);
    assert_eq!(said.out.matches("  turn 1\n").count(), 6, "{}", said.out);
    assert!(said.out.contains("  turn 1 · tests\n"), "{}", said.out);
    let rows = run(dir.path(), &["grade", "logs", "--format", "jsonl"]);
    assert_eq!(rows.out.matches("\"kind\":\"session\"").count(), 7);
    assert_eq!(rows.out.matches("\"kind\":\"turn\"").count(), 6);
    for name in [&b"-leading.jsonl"[..], b"\xff\xfe.jsonl", b"%FF%FE.jsonl"] {
        let target = [b"logs/", name].concat();
        let shown = crate::cli::program(dir.path())
            .arg("show")
            .arg(std::ffi::OsStr::from_bytes(&[&target[..], b":1"].concat()))
            .output()
            .unwrap();
        let text = String::from_utf8(shown.stdout).unwrap();
        assert_eq!(shown.status.code(), Some(0));
        assert_eq!(obeyed(&text), [], "{text}");
        assert!(text.contains("evil"), "{text}");
    }
    let list = run(dir.path(), &["show", "logs/%FF%FE.jsonl"]);
    assert_eq!((list.code, obeyed(&list.out)), (0, Vec::new()));
}

/// Grades a folder and writes its table at a width.
fn at_width(root: &std::path::Path, width: usize, show_gate: bool) -> String {
    let found = discover(&[root.to_path_buf()]).unwrap();
    let graded = grade(&found.files, &Policy::default(), &|_| {});
    let aggregate = Aggregate::of(&graded.rows);
    table(&TableView {
        rows: &graded.rows,
        aggregate: &aggregate,
        passed_over: found.passed_over + graded.passed_over,
        judged_by: &["gate", "replay"],
        listing: Listing {
            gate: show_gate,
            ..Listing::default()
        },
        first: None,
        demo: None,
        style: Style {
            colour: false,
            width,
        },
    })
}

#[test]
fn no_line_is_wider_than_the_terminal() {
    let dir = tempfile::tempdir().unwrap();
    let root = dir.path().join("日本語-folder-with-a-long-name");
    fs::create_dir(&root).unwrap();
    let close = format!("I fixed it and all tests pass {}.", "全部通过".repeat(60));
    for at in 0..7 {
        let id = format!("session-number-{at}");
        fs::write(
            root.join(format!("{at}-日本語-{}.jsonl", "n".repeat(90))),
            session(&id, "/w", &close),
        )
        .unwrap();
        fs::write(root.join(format!("{at}-dark.jsonl")), "no record").unwrap();
    }
    for width in [40, 41, 80, 120, 200] {
        let text = at_width(&root, width, true);
        for line in text.lines() {
            assert!(line.width() <= width, "{width}: {line}");
        }
        assert!(
            text.contains("nnnn.jsonl line 4  turn 1"),
            "the end of a name stays:\n{text}"
        );
    }
}

#[test]
fn the_table_says_where_to_look_and_what_to_do() {
    let dir = tempfile::tempdir().unwrap();
    let root = dir.path().join("logs");
    fs::create_dir(&root).unwrap();
    fs::write(
        root.join("a.jsonl"),
        session(ID, "/w", "I fixed it and all tests pass."),
    )
    .unwrap();
    fs::write(root.join("b.jsonl"), "no record").unwrap();
    insta::assert_snapshot!(at_width(&root, 80, false), @r#"
    deedcheck  2 sessions · 1 turn · 1 tool call

    Unsupported: nothing in the record shows it (1)
      logs/a.jsonl line 4  turn 1 · tests
        “all tests pass”
        No run of the kind stands in the record before it.

    Dark: could not be judged (1)
      1 no-record: holds no JSON record
        logs/b.jsonl

    sessions       1 dark · 1 read
    turns          1 closed
    claims         1 supported · 1 unsupported
      unsupported  1 never-run
    closes claim   1 completion
    gate           1 reject
      reject       1 no-verified-observation
    not read       1 unreadable piece
    judged by      gate · replay

    next: deedcheck show FILE:TURN lays one turn out
    "#);
    insta::assert_snapshot!(at_width(&root, 40, true), @r#"
    deedcheck
    2 sessions · 1 turn · 1 tool call

    Unsupported: nothing in the record shows
    it (1)
      logs/a.jsonl line 4  turn 1 · tests
        “all tests pass”
        No run of the kind stands in the
        record before it.

    Rejected by the gate: nothing in the
    record shows it (1)
      logs/a.jsonl line 4  turn 1
        “I fixed it”
        Nothing was run or read after the
        change at line 3.

    Dark: could not be judged (1)
      1 no-record: holds no JSON record
        logs/b.jsonl

    sessions       1 dark · 1 read
    turns          1 closed
    claims         1 supported
                   1 unsupported
      unsupported  1 never-run
    closes claim   1 completion
    gate           1 reject
      reject       1 no-verified-observation
    not read       1 unreadable piece
    judged by      gate · replay

    next: deedcheck show FILE:TURN lays
      one turn out
    "#);
    let said = run(dir.path(), &["grade", "logs", "--show", "gate"]);
    assert!(
        said.out.ends_with("next: deedcheck show logs/a.jsonl:1\n"),
        "{}",
        said.out
    );
    let shown = run(dir.path(), &["show", "logs/a.jsonl:1"]);
    insta::assert_snapshot!(shown.out, @r#"
    a.jsonl turn 1
         1  asked
            Fix it
         2  Edit · changes files · ok at line 3
            /w/a.rs
         4  closed with
            I fixed it and all tests pass.

    claim   supported · direct · edit
            “I fixed it”
            `/w/a.rs` was changed here (line 3).
    claim   unsupported · never-run · tests
            “all tests pass”
            No run of the kind stands in the record before it.
    gate    reject · no-verified-observation · claim: completion
            “I fixed it”
            Nothing was run or read after the change at line 3.
            not looked at since: /w/a.rs
            what was left to do: look at it with a tool, or say that it is unverified
    "#);
    let list = run(dir.path(), &["show", "logs/a.jsonl"]);
    insta::assert_snapshot!(list.out, @r#"
    1  reject · no-verified-observation  lines 1–4 · 1 call · closed
       “I fixed it”
    "#);
}

#[test]
fn many_dark_files_are_counted_by_their_reason() {
    let dir = tempfile::tempdir().unwrap();
    let root = dir.path().join("logs");
    fs::create_dir(&root).unwrap();
    for at in 0..20 {
        fs::write(root.join(format!("words-{at}.jsonl")), "no record").unwrap();
        fs::write(root.join(format!("other-{at}.jsonl")), "{\"a\":1}\n").unwrap();
    }
    insta::assert_snapshot!(at_width(&root, 80, false), @r#"
    deedcheck  40 sessions · 0 turns · 0 tool calls

    Dark: could not be judged (40)
      20 no-record: holds no JSON record
        e.g. logs/words-0.jsonl
      20 unknown-format: no client's format is recognised in it
        e.g. logs/other-0.jsonl

    sessions       40 dark
    not read       20 unreadable pieces
    judged by      gate · replay

    next: --format jsonl names every dark file
    "#);
}

#[test]
fn show_keeps_a_command_as_it_was_written_and_sessions_apart() {
    let dir = tempfile::tempdir().unwrap();
    let edge = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/edge");
    let first = |case: &str| {
        let mut files: Vec<_> = fs::read_dir(edge.join(case).join("in"))
            .unwrap()
            .map(|entry| entry.unwrap().path())
            .filter(|path| path.extension().is_some_and(|end| end == "jsonl"))
            .collect();
        files.sort();
        files.remove(0).to_str().unwrap().to_owned()
    };
    let piped = run(
        dir.path(),
        &["show", &format!("{}:1", first("62a-pipe-ate-failure"))],
    );
    insta::assert_snapshot!(piped.out, @r#"
    ccbfa48c-df1f-53cb-9938-23cdf7f8c72c.jsonl turn 1
         1  asked
            Run it
         2  Bash · test run · ok at line 3
            cargo test 2>&1 | tail -20
            another command's exit status stands in front of the check's
         4  closed with
            All tests pass.

    claim   contradicted · failed · tests
            “All tests pass”
            The last run (line 3) failed.
            Run: cargo test
    gate    reject · signals-unmet · claim: assertion
            “All tests pass”
            A run that would show the check failed, and none went well since.
            what was left to do: look at it with a tool, or say that it is unverified
    "#);
    let many = run(
        dir.path(),
        &["show", &format!("{}:1", first("70a-many-runs"))],
    );
    insta::assert_snapshot!(many.out, @r#"
    run.jsonl turn 1
         2  closed with
            First run done.

    gate    unknown · earlier-work · claim: assertion
            “First run done”
            This turn did nothing that shows it; it speaks of what earlier turns did.

    run.jsonl turn 1
         5  Bash · failed with 1 at line 6
            false
         7  closed with
            It exits 1.

    gate    accept · no-claim · claim: assertion
            “It exits 1.”
            It claims nothing that the record could show.
    "#);
    let list = run(dir.path(), &["show", &first("70a-many-runs")]);
    insta::assert_snapshot!(list.out, @r#"
    session 1a000000-0000-4000-8000-000000000070
       1  unknown · earlier-work  lines 2–3 · 0 calls · closed
          “First run done”
    session 2b000000-0000-4000-8000-000000000070
       1  accept · no-claim  lines 5–8 · 1 call · closed
          “It exits 1.”
    "#);
}
