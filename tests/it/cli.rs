//! The program as a user runs it: what it reads, prints, writes and ends with.

use std::fs;
use std::io::{BufRead as _, BufReader, Write as _};
use std::os::unix::fs::symlink;
use std::os::unix::net::UnixListener;
use std::path::Path;
use std::process::{Command, Stdio};

use serde_json::{Value, json};

/// A Claude Code session of one turn: asked, a file changed, and a claim about it that nothing
/// bears out.
pub(crate) fn session(id: &str, cwd: &str, close: &str) -> String {
    let records = [
        json!({"type": "user", "message": {"role": "user", "content": "Fix it"}}),
        json!({"type": "assistant", "message": {"id": "m1", "role": "assistant", "content": [
            {"type": "tool_use", "id": "t1", "name": "Edit",
             "input": {"file_path": format!("{cwd}/a.rs"), "old_string": "1", "new_string": "2"}}]}}),
        json!({"type": "user", "message": {"role": "user", "content": [
            {"type": "tool_result", "tool_use_id": "t1", "content": "done", "is_error": false}]}}),
        json!({"type": "assistant", "message": {"id": "m2", "role": "assistant", "content": [
            {"type": "text", "text": close}]}}),
    ];
    let mut out = String::new();
    for (at, mut record) in records.into_iter().enumerate() {
        let uuid = |at: usize| format!("{id}-{at}");
        record["uuid"] = json!(uuid(at));
        record["parentUuid"] = at.checked_sub(1).map_or(Value::Null, |at| json!(uuid(at)));
        record["sessionId"] = json!(id);
        record["cwd"] = json!(cwd);
        record["isSidechain"] = json!(false);
        record["version"] = json!("2.1.22");
        record["timestamp"] = json!(format!("2026-03-02T09:00:0{at}.000Z"));
        out.push_str(&record.to_string());
        out.push('\n');
    }
    out
}

/// Writes a program by another process's hand. One that this process has open for writing, or had
/// when another test's thread forked, cannot be started (`ETXTBSY`).
pub(crate) fn executable(path: &Path, text: &str) {
    let mut written = Command::new("sh")
        .args(["-c", "cat > \"$0\" && chmod 755 \"$0\""])
        .arg(path)
        .stdin(Stdio::piped())
        .spawn()
        .unwrap();
    let mut input = written.stdin.take().unwrap();
    input.write_all(text.as_bytes()).unwrap();
    drop(input);
    assert!(written.wait().unwrap().success());
}

/// A session's id that looks like one.
pub(crate) const ID: &str = "5f0c7c1e-1111-4222-8333-944444444444";

/// How a run ended and what it said.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Said {
    pub(crate) code: i32,
    pub(crate) out: String,
    pub(crate) err: String,
}

/// The program in an empty home, so that nothing of the machine's is read.
pub(crate) fn program(dir: &Path) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_deedcheck"));
    command
        .current_dir(dir)
        .env_clear()
        .env("HOME", dir.join("home"))
        .stdin(Stdio::null());
    command
}

pub(crate) fn run(dir: &Path, args: &[&str]) -> Said {
    end(program(dir).args(args))
}

fn end(command: &mut Command) -> Said {
    let output = command.output().expect("the program can be started");
    Said {
        code: output.status.code().expect("the program is not killed"),
        out: String::from_utf8(output.stdout).expect("what is printed is UTF-8"),
        err: String::from_utf8(output.stderr).expect("what is printed is UTF-8"),
    }
}

fn fed(dir: &Path, args: &[&str], input: &[u8]) -> Said {
    let mut child = program(dir)
        .args(args)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the program can be started");
    let mut stdin = child.stdin.take().expect("it is piped");
    stdin.write_all(input).expect("the program reads its input");
    drop(stdin);
    let output = child.wait_with_output().expect("the program ends");
    Said {
        code: output.status.code().expect("the program is not killed"),
        out: String::from_utf8_lossy(&output.stdout).into_owned(),
        err: String::from_utf8_lossy(&output.stderr).into_owned(),
    }
}

fn rows(said: &Said) -> Vec<Value> {
    said.out
        .lines()
        .map(|line| serde_json::from_str(line).expect("each line is a row"))
        .collect()
}

fn base() -> tempfile::TempDir {
    tempfile::tempdir().expect("a temporary folder")
}

#[test]
fn what_a_walk_finds_and_cannot_use_is_dark_and_stops_nothing() {
    let dir = base();
    let logs = dir.path().join("logs");
    fs::create_dir(&logs).unwrap();
    fs::write(logs.join("good.jsonl"), session(ID, "/w", "Fixed.")).unwrap();
    let fifo = Command::new("mkfifo").arg(logs.join("fifo.jsonl")).status();
    assert!(fifo.expect("mkfifo is there").success());
    let _socket = UnixListener::bind(logs.join("socket.jsonl")).unwrap();
    fs::write(logs.join("cut.jsonl"), [0x28, 0xB5, 0x2F, 0xFD, 1, 2]).unwrap();
    fs::write(logs.join("words.jsonl"), "no record\n").unwrap();
    fs::write(logs.join("empty.jsonl"), "").unwrap();
    symlink("loop.jsonl", logs.join("loop.jsonl")).unwrap();
    symlink("..", logs.join("up")).unwrap();
    let said = run(dir.path(), &["grade", "logs", "--format", "jsonl"]);
    assert_eq!((said.code, said.err.as_str()), (0, ""));
    let sessions: Vec<String> = rows(&said)
        .iter()
        .filter(|row| row["kind"] == "session")
        .map(|row| {
            let reasons = row["reasons"].to_string();
            format!("{} {} {reasons}", row["file"], row["verdict"])
        })
        .collect();
    insta::assert_snapshot!(sessions.join("\n"), @r#"
    "logs/cut.jsonl" "dark" ["bad-compression"]
    "logs/empty.jsonl" "empty" []
    "logs/fifo.jsonl" "dark" ["not-regular"]
    "logs/good.jsonl" "read" []
    "logs/socket.jsonl" "dark" ["not-regular"]
    "logs/words.jsonl" "dark" ["no-record"]
    "#);
    let dark = run(
        dir.path(),
        &["grade", "logs", "--fail-on", "reject,dark", "--quiet"],
    );
    assert_eq!(
        (dark.code, dark.out.as_str(), dark.err.as_str()),
        (1, "", "")
    );
}

/// Root may enter every folder, so the folder is one whose path has grown too long to be entered.
#[test]
fn a_folder_that_cannot_be_entered_is_dark() {
    let dir = base();
    let part = "d".repeat(200);
    let script =
        format!("mkdir logs && cd logs && for i in $(seq 30); do mkdir {part} && cd {part}; done");
    let made = Command::new("bash")
        .arg("-c")
        .arg(script)
        .current_dir(dir.path())
        .status();
    assert!(made.expect("bash is there").success());
    fs::write(
        dir.path().join("logs/good.jsonl"),
        session(ID, "/w", "Fixed."),
    )
    .unwrap();
    let said = run(dir.path(), &["grade", "logs", "--format", "jsonl"]);
    assert_eq!((said.code, said.err.as_str()), (0, ""));
    let rows = rows(&said);
    let dark: Vec<_> = rows.iter().filter(|row| row["verdict"] == "dark").collect();
    assert_eq!(dark.len(), 1);
    assert_eq!(dark[0]["reasons"], json!(["unreadable"]));
    let kinds: Vec<&str> = rows.iter().filter_map(|row| row["kind"].as_str()).collect();
    assert_eq!(kinds, ["session", "session", "turn", "claim"]);
}

#[test]
fn a_file_that_shrinks_while_it_is_read_is_told_of() {
    let dir = base();
    let path = dir.path().join("a.jsonl");
    fs::write(&path, "x\n".repeat(1 << 20)).unwrap();
    let mut reader = deedcheck::source::LineReader::open(&path).unwrap();
    assert!(reader.next_line().is_some());
    fs::OpenOptions::new()
        .write(true)
        .open(&path)
        .unwrap()
        .set_len(1 << 19)
        .unwrap();
    while reader.next_line().is_some() {}
    assert_eq!(
        reader.finish().2,
        Some(deedcheck::source::ReadFault::Shrunk)
    );
}

#[test]
fn paths_come_from_standard_input_whatever_ends_them() {
    let dir = base();
    fs::write(dir.path().join("a.jsonl"), session(ID, "/w", "Fixed.")).unwrap();
    fs::write(
        dir.path().join("b\nc.jsonl"),
        session("other-session-1234", "/w", "Fixed."),
    )
    .unwrap();
    let files = |said: &Said| -> Vec<String> {
        let rows = rows(said);
        let sessions = rows.iter().filter(|row| row["kind"] == "session");
        sessions
            .map(|row| row["file"].as_str().unwrap().to_owned())
            .collect()
    };
    let args = ["grade", "--format", "jsonl", "-"];
    assert_eq!(
        files(&fed(dir.path(), &args, b"a.jsonl\r\n\n")),
        ["a.jsonl"]
    );
    let nul = fed(dir.path(), &args, b"a.jsonl\0b\nc.jsonl\0");
    assert_eq!(files(&nul), ["a.jsonl", "b\nc.jsonl"]);
    let gone = fed(dir.path(), &args, b"a.jsonl\nsecret-name.jsonl\n");
    assert_eq!(gone.err, "E_INPUT argument=2 kind=missing\n");
    assert_eq!((gone.code, gone.out.as_str()), (2, ""));
    let none = fed(dir.path(), &args, b"");
    assert_eq!((none.code, none.out.as_str()), (0, ""));
}

#[test]
fn ones_own_sessions_are_those_of_this_directory() {
    let dir = base();
    let real = fs::canonicalize(dir.path()).unwrap();
    let here = real.to_str().unwrap();
    let projects = real.join("claude/projects/-p");
    fs::create_dir_all(&projects).unwrap();
    fs::write(projects.join("here.jsonl"), session(ID, here, "Fixed.")).unwrap();
    let below = format!("{here}/below");
    fs::write(
        projects.join("below.jsonl"),
        session("other-session-1234", &below, "Fixed."),
    )
    .unwrap();
    let codex = real.join("codex/archived_sessions");
    fs::create_dir_all(&codex).unwrap();
    fs::write(
        codex.join("c.jsonl"),
        session("third-session-1234", "/w", "Fixed."),
    )
    .unwrap();
    let own = |args: &[&str]| {
        end(program(&real)
            .env("CLAUDE_CONFIG_DIR", real.join("claude"))
            .env("CODEX_HOME", real.join("codex"))
            .args(["grade", "--format", "jsonl"])
            .args(args))
    };
    let files = |said: &Said| -> Vec<String> {
        let rows = rows(said);
        let turns = rows.iter().filter(|row| row["kind"] == "turn");
        turns
            .map(|row| row["file"].as_str().unwrap().to_owned())
            .collect()
    };
    assert_eq!(files(&own(&[])), ["projects/-p/here.jsonl"]);
    assert_eq!(
        files(&own(&["--all"])),
        [
            "archived_sessions/c.jsonl",
            "projects/-p/below.jsonl",
            "projects/-p/here.jsonl"
        ]
    );
    let nothing = run(&real, &["grade"]);
    assert_eq!((nothing.code, nothing.out.as_str()), (0, ""));
    insta::assert_snapshot!(nothing.err, @"nothing to grade: no session of this working directory; name a file or folder, or use --all or --demo");
}

#[test]
fn nothing_found_is_one_line() {
    let dir = base();
    fs::create_dir(dir.path().join("logs")).unwrap();
    let none = run(dir.path(), &["grade", "logs"]);
    assert_eq!((none.code, none.out.as_str()), (0, ""));
    insta::assert_snapshot!(none.err, @"nothing to grade: no session under the paths that were named");
    fs::write(dir.path().join("logs/notes.txt"), "x").unwrap();
    let other = run(dir.path(), &["grade", "logs"]);
    insta::assert_snapshot!(other.err, @"nothing to grade: no session among 1 other file");
    assert_eq!(run(dir.path(), &["grade", "logs", "--quiet"]).err, "");
}

#[test]
fn a_reader_who_goes_away_is_no_failure() {
    let dir = base();
    let logs = dir.path().join("logs");
    fs::create_dir(&logs).unwrap();
    for at in 0..500 {
        let name = format!("{at}.jsonl");
        fs::write(
            logs.join(&name),
            session(&format!("session-number-{at}"), "/w", "Fixed."),
        )
        .unwrap();
    }
    let mut child = program(dir.path())
        .args(["grade", "logs", "--format", "jsonl", "--fail-on", "reject"])
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let mut line = String::new();
    let mut reader = BufReader::with_capacity(64, child.stdout.take().unwrap());
    reader.read_line(&mut line).unwrap();
    drop(reader);
    let output = child.wait_with_output().unwrap();
    assert_eq!(output.status.code(), Some(0));
    assert_eq!(String::from_utf8_lossy(&output.stderr), "");
}

#[test]
fn exit_codes_follow_what_the_run_was_asked_to_fail_on() {
    let dir = base();
    fs::write(
        dir.path().join("a.jsonl"),
        session(ID, "/w", "I fixed it and all tests pass."),
    )
    .unwrap();
    let code = |on: &str| {
        run(
            dir.path(),
            &["grade", "a.jsonl", "--quiet", "--fail-on", on],
        )
        .code
    };
    assert_eq!(code("never"), 0);
    assert_eq!(code("contradicted"), 0);
    assert_eq!(code("dark"), 0);
    assert_eq!(code("contradicted,reject"), 1);
    let demo = run(
        dir.path(),
        &["grade", "--demo", "--fail-on", "reject,dark,contradicted"],
    );
    assert_eq!((demo.code, demo.err.as_str()), (0, ""));
    assert!(demo.out.contains("would have ended with"));
}

#[test]
fn the_number_of_threads_changes_no_byte() {
    let dir = base();
    let logs = dir.path().join("logs");
    fs::create_dir(&logs).unwrap();
    for at in 0..20 {
        let name = format!("{at}.jsonl");
        fs::write(
            logs.join(&name),
            session(&format!("session-number-{at}"), "/w", "Fixed."),
        )
        .unwrap();
    }
    let jobs = |n: &str| {
        run(
            dir.path(),
            &["grade", "logs", "--format", "jsonl", "--jobs", n],
        )
    };
    let one = jobs("1");
    assert_eq!(one.code, 0);
    assert_eq!(one.out.matches("\"kind\":\"turn\"").count(), 20);
    assert_eq!(one.out.matches("\"kind\":\"claim\"").count(), 20);
    for many in ["0", "2", "999999999"] {
        assert_eq!(jobs(many), one);
    }
}

#[test]
fn ten_thousand_empty_files_are_ten_thousand_rows() {
    let dir = base();
    let logs = dir.path().join("logs");
    fs::create_dir(&logs).unwrap();
    for at in 0..10_000 {
        fs::write(logs.join(format!("{at}.jsonl")), "").unwrap();
    }
    let said = run(dir.path(), &["grade", "logs"]);
    assert_eq!(said.code, 0);
    assert!(
        said.out.starts_with("deedcheck  10,000 sessions"),
        "{}",
        said.out
    );
    assert!(said.out.lines().count() < 10, "{}", said.out);
}

#[test]
fn outputs_hold_what_they_promise_and_nothing_else_is_left() {
    let dir = base();
    let secret = dir.path().join("secret-client");
    fs::create_dir(&secret).unwrap();
    fs::write(
        secret.join("secret-session.jsonl"),
        session(ID, "/home/alice/w", "Fixed."),
    )
    .unwrap();
    let args = [
        "grade",
        "--quiet",
        "secret-client",
        "--out-private",
        "run",
        "--out=sums.json",
    ];
    let said = run(dir.path(), &args);
    assert_eq!(
        said,
        Said {
            code: 0,
            out: String::new(),
            err: String::new()
        }
    );
    let mut names: Vec<_> = fs::read_dir(dir.path().join("run"))
        .unwrap()
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .collect();
    names.sort();
    assert_eq!(
        names,
        [
            "aggregate.json",
            "canary.json",
            "context.json",
            "grades.jsonl",
            "records.jsonl.zst"
        ]
    );
    let mut around: Vec<_> = fs::read_dir(dir.path())
        .unwrap()
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .collect();
    around.sort();
    assert_eq!(around, ["run", "secret-client", "sums.json"]);
    let context: Value =
        serde_json::from_slice(&fs::read(dir.path().join("run/context.json")).unwrap()).unwrap();
    assert_eq!(
        context["arguments"],
        json!([
            "grade",
            "--quiet",
            "<path>",
            "--out-private",
            "<path>",
            "--out=<path>"
        ])
    );
    let printed = run(dir.path(), &["grade", "secret-client", "--format", "jsonl"]);
    assert_eq!(
        fs::read_to_string(dir.path().join("run/grades.jsonl")).unwrap(),
        printed.out
    );
    let sums = fs::read_to_string(dir.path().join("sums.json")).unwrap();
    for private in ["secret", ID, "alice", "Fixed", "a.rs"] {
        assert!(!sums.contains(private), "{private} in {sums}");
    }
    let json = run(dir.path(), &["grade", "secret-client", "--format", "json"]);
    assert_eq!(json.out, sums);
}

/// Every name that a transcript can bring along stays out of the sums: their keys are our own.
#[test]
fn no_name_of_a_transcript_becomes_a_key_of_the_sums() {
    let dir = base();
    let mut text = session(ID, "/w", "Fixed.").replace("2.1.22", "9.9.9-alice-secret");
    text = text.replace("\"Edit\"", "\"alice-secret-tool\"");
    text.push_str("{\"type\":\"alice-secret-record\",\"sessionId\":\"x\"}\n{\"alice-secret\": \n");
    fs::write(dir.path().join("a.jsonl"), &text).unwrap();
    let rows = run(dir.path(), &["grade", "a.jsonl", "--format", "jsonl"]);
    assert!(rows.out.contains("alice-secret-tool") && rows.out.contains("alice-secret-record"));
    let sums = run(dir.path(), &["grade", "a.jsonl", "--format", "json"]);
    assert_eq!(sums.code, 0);
    assert!(sums.out.contains("records.opaque"));
    assert!(!sums.out.contains("alice"), "{}", sums.out);
}

#[test]
fn something_private_withholds_the_public_file_alone() {
    let dir = base();
    // A session that calls itself what a key of the sums is called.
    let id = "no-verified-observation";
    let text = session(id, "/w", "I fixed it and all tests pass.");
    fs::write(dir.path().join("a.jsonl"), text).unwrap();
    let args = [
        "grade",
        "a.jsonl",
        "--quiet",
        "--out-private",
        "run",
        "--out",
        "sums.json",
    ];
    let said = run(dir.path(), &args);
    assert_eq!((said.code, said.out.as_str()), (2, ""));
    assert!(
        said.err
            .starts_with("E_PRIVACY output=--out kind=session at="),
        "{}",
        said.err
    );
    assert_eq!(said.err.lines().count(), 1);
    assert!(!dir.path().join("sums.json").exists());
    let grades = fs::read_to_string(dir.path().join("run/grades.jsonl")).unwrap();
    assert_eq!(grades.matches("\"kind\":\"turn\"").count(), 1);
    assert!(dir.path().join("run/context.json").is_file());
    let printed = run(dir.path(), &["grade", "a.jsonl", "--format", "json"]);
    assert_eq!((printed.code, printed.out.as_str()), (2, ""));
    assert!(
        printed
            .err
            .starts_with("E_PRIVACY output=--format kind=session at=")
    );
    let table = run(dir.path(), &["grade", "a.jsonl"]);
    assert_eq!(table.code, 0);
}

#[test]
fn a_whole_disk_under_standard_output_is_named() {
    let dir = base();
    for args in [
        &["grade", "--demo"][..],
        &["rules"],
        &["--help"],
        &["explain", "gate"],
    ] {
        let full = fs::OpenOptions::new()
            .write(true)
            .open("/dev/full")
            .unwrap();
        let output = program(dir.path())
            .args(args)
            .stdout(full)
            .output()
            .unwrap();
        assert_eq!(output.status.code(), Some(2), "{args:?}");
        assert_eq!(
            String::from_utf8_lossy(&output.stderr),
            "E_WRITE role=stdout kind=disk_full\n"
        );
    }
}

#[test]
fn help_fits_a_screen() {
    let dir = base();
    let help = run(dir.path(), &["--help"]);
    assert_eq!(help.code, 0);
    assert!(help.out.lines().count() <= 24, "{}", help.out);
    for of in [
        "grade",
        "show",
        "explain",
        "rules",
        "controls",
        "replay",
        "differential",
        "spec",
        "keys",
        "bind",
        "identity",
        "export",
    ] {
        let help = run(dir.path(), &[of, "--help"]).out;
        assert!(
            help.lines().all(|line| line.chars().count() <= 80),
            "{help}"
        );
        assert!(help.contains("Usage: deedcheck"), "{help}");
    }
}
