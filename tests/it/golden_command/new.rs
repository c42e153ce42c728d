//! `deedcheck golden new`: a case from somebody's own session.

use std::fs;
use std::path::Path;

use serde_json::{Value, json};

use super::{files, golden, recorded};
use crate::cli::{ID, Said, program, session};

/// A session that tells who and where in every way that is looked for.
fn telling() -> String {
    let cwd = "/home/alicesmith/src/quill";
    let mut text = session(ID, cwd, "Fixed it. All tests pass.");
    let output = "alicesmith@falcon9:~/src$ ls -l\n-rw-r--r-- 1 alicesmith staff 9 a.rs\n\
                  \u{1b}[0malicesmith <alice.smith@corp.example.net>\n\
                  at C:\\Users\\Jürgen Groß\\code and -home-alicesmith-src-quill\n\
                  alicesmith wrote it\n\
                  key sk-ant-KEY and 5f0c7c1e\n\
                  git@github.com:alicesmith/quill.git icon@2x.png\n@app.route";
    // In parts, so that whoever cleans sources of secrets leaves the made-up one as it is.
    let output = output.replace("KEY", &["api03", "AB3d5F7h9Jk2Lm4Np6"].join("-"));
    let inner = json!({"agentId": "a34e15671af38feda", "cwd": cwd, "said": output}).to_string();
    let mut records: Vec<Value> = text
        .lines()
        .map(|line| serde_json::from_str(line).unwrap())
        .collect();
    records[1]["requestId"] = json!("req_011CV8zYcNq9vQXe7p2wT4uJ");
    records[1]["message"]["content"][0]["id"] = json!("toolu_01A09q90qw90lq917835lq9");
    records[2]["message"]["content"][0]["tool_use_id"] = json!("toolu_01A09q90qw90lq917835lq9");
    records[2]["message"]["content"][0]["content"] = json!(format!("{output}\n{inner}"));
    text.clear();
    for record in records {
        text.push_str(&record.to_string());
        text.push('\n');
    }
    text
}

/// Everything of it that must not be left, in any letter case.
const PRIVATE: [&str; 13] = [
    "alicesmith",
    "alice.smith",
    "corp.example",
    "falcon9",
    "jürgen",
    "j\\u00fcrgen",
    "groß",
    "ab3d5f7h9",
    "5f0c7c1e",
    "944444444444",
    "a34e15671af38feda",
    "01a09q90",
    "011cv8zy",
];

fn write(dir: &Path, name: &str, text: impl AsRef<[u8]>) {
    let path = dir.join(name);
    fs::create_dir_all(path.parent().unwrap()).unwrap();
    fs::write(path, text).unwrap();
}

fn new(dir: &Path, from: &str, args: &[&str]) -> Said {
    let mut all = vec!["new", from, "--case", "cases/one"];
    all.extend(args);
    golden(dir, &all)
}

#[test]
fn golden_new_replaces_alike_and_proves_it() {
    let dir = tempfile::tempdir().unwrap();
    let name = format!("own/{ID}.jsonl");
    write(dir.path(), &name, telling());
    let said = new(dir.path(), &name, &[]);
    assert_eq!(said.code, 0, "{}", said.err);
    for words in [
        "replaced: ",
        "1 UUID at",
        "user names at",
        "1 secret at",
        "not replaced: ",
        "Read the case",
        "expected/ holds the grades of today",
    ] {
        assert!(said.out.contains(words), "{words}: {}", said.out);
    }
    let case = dir.path().join("cases/one");
    let made = files(&case);
    assert_eq!(made.len(), 3, "{:?}", made.keys());
    for (path, bytes) in &made {
        let text = format!("{} {}", path.display(), String::from_utf8_lossy(bytes)).to_lowercase();
        for private in PRIVATE {
            assert!(!text.contains(private), "{private}: {text}");
        }
    }
    let copy = case.join("d0000001-deed-4eed-8eed-deed00000001.jsonl");
    let text = fs::read_to_string(&copy).unwrap();
    for stand_in in [
        r#""cwd":"/home/user1/src/quill""#,
        r"\nuser1 wrote",
        r"\u001b[0muser1 <",
        "user1@host1:~/src$",
        "1 user1 staff 9",
        "<person1@example.com>",
        r"C:\\Users\\User2\\code",
        "-home-user1-src-quill",
        "sk-ant-aaa00-AA0a0",
        "and d0000001\\n",
        r#"\"agentId\":\"a000000000000000"#,
        "toolu_x000",
        "git@github.com:user1/quill.git icon@2x.png\\n@app.route",
    ] {
        assert!(text.contains(stand_in), "{stand_in}: {text}");
    }
    // Every line is JSON as before, and as many.
    assert_eq!(text.lines().count(), 4);
    assert!(
        text.lines()
            .all(|line| serde_json::from_str::<Value>(line).is_ok())
    );
    assert_eq!(golden(dir.path(), &["check", "cases"]).code, 0);
    // The same session gives the same bytes, and a copy of the copy is the copy.
    let first = made.values().collect::<Vec<_>>();
    let again = golden(dir.path(), &["new", &name, "--case", "again/one"]);
    assert_eq!(again.code, 0, "{}", again.err);
    assert_eq!(
        files(&dir.path().join("again/one"))
            .values()
            .collect::<Vec<_>>(),
        first
    );
    let copied = copy.to_str().unwrap();
    let said = golden(dir.path(), &["new", copied, "--case", "twice/one"]);
    assert_eq!(said.code, 0, "{}", said.err);
    assert_eq!(
        files(&dir.path().join("twice/one"))
            .values()
            .collect::<Vec<_>>(),
        first
    );
    // Nothing is replaced that is there.
    let said = new(dir.path(), &name, &[]);
    assert_eq!(
        (said.code, said.err.as_str()),
        (2, "E_GOLDEN argument=--case kind=exists\n")
    );
}

#[test]
fn golden_new_knows_the_names_of_where_it_runs() {
    let dir = tempfile::tempdir().unwrap();
    let text =
        session(ID, "/srv/quill", "Fixed it.").replace("done", "built by zebulon on Zebulon-PC");
    write(dir.path(), "s.jsonl", text);
    let output = program(dir.path())
        .env("USER", "zebulon")
        .args(["golden", "new", "s.jsonl", "--case", "cases/one"])
        .output()
        .unwrap();
    assert!(output.status.success(), "{output:?}");
    let text = fs::read_to_string(dir.path().join("cases/one/s.jsonl")).unwrap();
    assert!(text.contains("built by user1 on User1-PC"), "{text}");
}

#[test]
fn golden_new_refuses_what_it_cannot_prove() {
    let dir = tempfile::tempdir().unwrap();
    // The copy must not hold what a spelling hides.
    let hidden = telling().replace("and 5f0c7c1e", "and alice.smith&#64;corp.example.net");
    write(dir.path(), "hidden.jsonl", hidden);
    let said = new(dir.path(), "hidden.jsonl", &[]);
    assert_eq!(said.code, 2, "{}", said.out);
    assert!(
        said.err.starts_with("E_GOLDEN kind=canary what="),
        "{}",
        said.err
    );
    assert!(said.err.ends_with(" file=1 line=3\n"), "{}", said.err);
    // A policy that names a home judges the copy otherwise.
    write(
        dir.path(),
        "own.jsonl",
        session(ID, "/home/alicesmith/tmp", "Fixed it."),
    );
    write(
        dir.path(),
        "own.toml",
        "scratch-paths = [\"/home/alicesmith/tmp\"]\n",
    );
    let said = new(dir.path(), "own.jsonl", &["--config", "own.toml"]);
    assert_eq!(said.code, 2, "{}", said.out);
    assert!(
        said.err.starts_with("E_GOLDEN kind=verdict rule="),
        "{}",
        said.err
    );
    let left = fs::read_dir(dir.path().join("cases"));
    assert_eq!(left.map_or(0, Iterator::count), 0, "nothing is written");
    assert_eq!(new(dir.path(), "own.jsonl", &[]).code, 0);
    for (from, kind) in [
        ("absent", "missing"),
        (".", "not-regular"),
        ("own.toml", "no-session"),
    ] {
        let said = golden(dir.path(), &["new", from, "--case", "cases/two"]);
        assert_eq!(
            said.err,
            format!("E_GOLDEN argument=<FROM> kind={kind}\n"),
            "{from}"
        );
    }
    for case in ["cases/.hid", "cases/a b", "cases/a%41", ".."] {
        let said = golden(dir.path(), &["new", "own.jsonl", "--case", case]);
        assert_eq!(said.err, "E_GOLDEN argument=--case kind=name\n", "{case}");
    }
}

#[test]
fn golden_new_replaces_ids_that_are_words() {
    let dir = tempfile::tempdir().unwrap();
    // One that is a word of the text too is an id under keys and in the name of the file only.
    let said = "Fixed it in the harbour; resume it with ses_stage0_large.";
    for (id, own, prose) in [
        ("harbour", "h000001", "in the harbour;"),
        (
            "ses_stage0_large",
            "s_s0000000000001",
            "with s_s0000000000001.",
        ),
    ] {
        let name = format!("own/{id}.jsonl");
        write(dir.path(), &name, session(id, "/srv/x", said));
        let target = format!("cases/{id}");
        let made = golden(dir.path(), &["new", &name, "--case", &target]);
        assert_eq!(made.code, 0, "{id}: {}", made.err);
        let copy = dir.path().join(&target).join(format!("{own}.jsonl"));
        let text = fs::read_to_string(&copy).unwrap();
        assert!(!text.contains(&format!("\"{id}\"")), "{text}");
        for stand_in in [&format!("\"sessionId\":\"{own}\""), prose] {
            assert!(text.contains(stand_in), "{stand_in}: {text}");
        }
        // A copy of the copy is the copy.
        let from = copy.to_str().unwrap();
        let again = format!("again/{id}");
        let made = golden(dir.path(), &["new", from, "--case", &again]);
        assert_eq!(made.code, 0, "{id}: {}", made.err);
        let twice = dir.path().join(&again).join(format!("{own}.jsonl"));
        assert_eq!(fs::read_to_string(twice).unwrap(), text);
    }
}

#[test]
fn golden_new_replaces_ids_of_other_sessions_that_were_only_read() {
    let dir = tempfile::tempdir().unwrap();
    // Drawn by chance so that their letters change seldom, or have no digit at all.
    let drawn = [
        "toolu_01TGhiceGSQpCHprmnVUMQVs",
        "toolu_01CwTNNiowzUQFXD96kvUJU7",
        "toolu_016uwi7u",
        "call_LcFqdbWwqBNTWUgxnLShkxLB",
        "call_hsRTTbqNwpLkVUMgQsnwiceG",
        "0b4f1a2c-77aa-4c1e-9e5d-0123456789ab",
    ];
    let names = [
        "call_implementation_of",
        "call_Http2ConnectionPoolManager",
        "toolu_prefix",
        "syscall_info_2",
    ];
    let read = format!(
        "seen {} and {}; {}.",
        drawn.join(" "),
        names.join(" "),
        drawn.join(",")
    );
    let text = session(ID, "/srv/x", "Fixed it.").replace("done", &read);
    write(dir.path(), "s.jsonl", text);
    let said = new(dir.path(), "s.jsonl", &[]);
    assert_eq!(said.code, 0, "{}", said.err);
    let copy = fs::read_to_string(dir.path().join("cases/one/s.jsonl")).unwrap();
    for id in drawn {
        assert!(!copy.contains(id), "{id}: {copy}");
    }
    for name in names {
        assert!(copy.contains(name), "{name}: {copy}");
    }
    // Each stands for itself at both of its places, and keeps its vendor's prefix where it has digits.
    let words = copy.split("seen ").nth(1).unwrap();
    let (first, rest) = words.split_once(" and ").unwrap();
    let again = rest
        .split_once("; ")
        .unwrap()
        .1
        .split_once(".\"")
        .unwrap()
        .0;
    assert_eq!(first.replace(' ', ","), again);
    assert_eq!(first.matches("toolu_x0").count(), 3, "{first}");
    let different: std::collections::BTreeSet<&str> = first.split(' ').collect();
    assert_eq!(different.len(), drawn.len(), "{first}");
}

#[test]
fn golden_new_takes_the_agents_along() {
    let dir = tempfile::tempdir().unwrap();
    for (case, below, count) in [
        (
            "claude-subagent",
            "claude/projects/-home-dev-quill/5e550007-0001-4000-8000-000000000001.jsonl",
            3,
        ),
        (
            "codex-subagent",
            "codex/sessions/2026/03/04/rollout-2026-03-04T07-00-00-019cb7a5-7580-7001-8000-003700000001.jsonl",
            2,
        ),
    ] {
        let from = recorded().join(case).join(below);
        let target = format!("cases/{case}");
        let said = golden(
            dir.path(),
            &["new", from.to_str().unwrap(), "--case", &target],
        );
        assert_eq!(said.code, 0, "{case}: {}", said.err);
        let made = files(&dir.path().join(&target));
        assert_eq!(made.len(), count + 2, "{:?}", made.keys());
    }
    let rows = dir
        .path()
        .join("cases/claude-subagent/expected/grades.jsonl");
    assert!(
        fs::read_to_string(rows)
            .unwrap()
            .contains(r#""agent":"subagent""#)
    );
    assert_eq!(golden(dir.path(), &["check", "cases"]).code, 0);
}

#[test]
fn golden_new_cuts_after_a_turn_and_moves_days() {
    let dir = tempfile::tempdir().unwrap();
    let text = session(ID, "/home/dev/x", "Fixed it.");
    let other = text
        .replace("Fix it", "And now?")
        .replace(&format!("{ID}-"), "6f0c7c1e-1111-4222-8333-944444444444-");
    write(dir.path(), "s.jsonl", format!("{text}{other}"));
    let said = new(
        dir.path(),
        "s.jsonl",
        &["--turn", "1", "--shift-days", "-2"],
    );
    assert_eq!(said.code, 0, "{}", said.err);
    let copy = fs::read_to_string(dir.path().join("cases/one/s.jsonl")).unwrap();
    assert_eq!(copy.lines().count(), 4);
    assert!(
        copy.contains("2026-02-28T09:00:00.000Z") && !copy.contains("2026-03-02"),
        "{copy}"
    );
    let said = golden(
        dir.path(),
        &["new", "s.jsonl", "--case", "cases/two", "--turn", "9"],
    );
    assert_eq!(said.err, "E_GOLDEN argument=<FROM> kind=no-turn\n");
}

/// What a session's file is called says nothing of what it holds; in its case it must be found again.
#[test]
fn golden_new_makes_a_case_that_finds_its_session() {
    for name in ["noending", "notes.txt", "old.jsonl.bak"] {
        let dir = tempfile::tempdir().unwrap();
        write(dir.path(), name, telling());
        let said = new(dir.path(), name, &[]);
        assert_eq!(said.code, 0, "{name}: {}", said.err);
        let rows = fs::read_to_string(dir.path().join("cases/one/expected/grades.jsonl")).unwrap();
        assert!(rows.lines().count() > 1, "{name}: {rows}");
        assert_eq!(golden(dir.path(), &["check", "cases"]).code, 0, "{name}");
    }
}

#[test]
fn golden_new_survives_hostile_names_and_torn_files() {
    let dir = tempfile::tempdir().unwrap();
    let whole = telling();
    let mut texts: Vec<(String, Vec<u8>)> = vec![
        (
            "- odd \u{1b}[31m\n'\"$(x)`.jsonl".to_owned(),
            whole.clone().into_bytes(),
        ),
        (
            "bytes.jsonl".to_owned(),
            [whole.as_bytes(), b"\xff\xfe\x00{\"id\":\"", b"\\"].concat(),
        ),
        (
            "slashes.jsonl".to_owned(),
            [whole.as_bytes(), "\\".repeat(10_000).as_bytes()].concat(),
        ),
        (
            "signs.jsonl".to_owned(),
            [whole.as_bytes(), "@_-:\"id\":\"".repeat(2_000).as_bytes()].concat(),
        ),
        (
            "homes.jsonl".to_owned(),
            [
                whole.as_bytes(),
                "/home/C:\\Users\\%2fhome%2f-home-".repeat(500).as_bytes(),
            ]
            .concat(),
        ),
        (
            "keys.jsonl".to_owned(),
            [whole.as_bytes(), b"PRIVATE KEY-----AAAA-----END"].concat(),
        ),
        ("empty.jsonl".to_owned(), Vec::new()),
    ];
    for cut in (1..whole.len()).step_by(997) {
        texts.push((
            format!("torn-{cut}.jsonl"),
            whole.as_bytes()[..cut].to_vec(),
        ));
    }
    let mut made = 0;
    for (number, (name, bytes)) in texts.iter().enumerate() {
        fs::write(dir.path().join(name), bytes).unwrap();
        let from = format!("./{name}");
        let said = golden(
            dir.path(),
            &["new", &from, "--case", &format!("cases/c{number}")],
        );
        assert!(
            matches!(said.code, 0 | 2),
            "{name:?}: {} {}",
            said.code,
            said.err
        );
        assert_eq!(
            said.code == 2,
            said.err.starts_with("E_GOLDEN "),
            "{name:?}: {}",
            said.err
        );
        made += usize::from(said.code == 0);
    }
    assert!(made >= 4, "{made}");
    let folder = dir.path().join("cases");
    // Names of cases are the user's, whatever is in them.
    fs::create_dir_all(folder.join("\u{1b}[2J\n-x/expected")).unwrap();
    fs::write(folder.join("\u{1b}[2J\n-x/own.jsonl"), &whole).unwrap();
    let said = golden(dir.path(), &["check", "cases"]);
    assert_eq!(said.code, 1, "{}", said.err);
    assert!(!said.out.contains('\u{1b}'), "{:?}", said.out);
}
