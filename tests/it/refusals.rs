//! Each refusal is one line that names a field and a kind, ends with 2, and writes nothing.

use std::fs;
use std::os::unix::ffi::OsStrExt as _;
use std::os::unix::fs::symlink;
use std::path::Path;
use std::process::Command;

use crate::cli::{ID, Said, program, run, session};

/// A folder to be refused in: a session, a work tree, and things in the way.
fn scene() -> tempfile::TempDir {
    let dir = tempfile::Builder::new()
        .prefix("alice-secret")
        .tempdir()
        .expect("a folder");
    let at = |name: &str| dir.path().join(name);
    fs::write(at("s.jsonl"), session(ID, "/home/alice/w", "Fixed.")).unwrap();
    fs::create_dir_all(at("tree/.git")).unwrap();
    fs::write(at("there"), "x").unwrap();
    symlink("nowhere", at("dangling")).unwrap();
    symlink("loop", at("loop")).unwrap();
    let fifo = Command::new("mkfifo").arg(at("fifo")).status();
    assert!(fifo.expect("mkfifo is there").success());
    fs::write(at("bad.toml"), "colour = 1\n").unwrap();
    fs::write(at("word.toml"), "profile = \"alice-secret\"\n").unwrap();
    fs::write(at("no.toml"), "[[[").unwrap();
    fs::write(at("bytes.toml"), [0xFF, 0xFE]).unwrap();
    fs::write(at("blank.toml"), "scratch-paths = [\"\"]\n").unwrap();
    dir
}

fn listing(dir: &Path) -> Vec<String> {
    let mut all: Vec<String> = walkdir::WalkDir::new(dir)
        .into_iter()
        .map(|entry| {
            entry
                .expect("it can be listed")
                .path()
                .display()
                .to_string()
        })
        .collect();
    all.sort();
    all
}

#[test]
fn every_refusal_is_one_line_and_leaves_nothing() {
    let dir = scene();
    let before = listing(dir.path());
    let cases = [
        "",
        "alice-secret",
        "grad",
        "grade --alice/secret",
        "grade --form json s.jsonl",
        "grade --out-priv run s.jsonl",
        "grade -x",
        "grade --format xml s.jsonl",
        "grade --fail-on contradicted,alice-secret s.jsonl",
        "grade --fail-on never,dark s.jsonl",
        "grade --jobs -1 s.jsonl",
        "grade --jobs 99999999999999999999 s.jsonl",
        "grade --all s.jsonl",
        "grade --demo s.jsonl",
        "grade --profile gg-9 s.jsonl",
        "grade --preset alice s.jsonl",
        "grade --config none.toml s.jsonl",
        "grade --config tree s.jsonl",
        "grade --config fifo s.jsonl",
        "grade --config bad.toml s.jsonl",
        "grade --config word.toml s.jsonl",
        "grade --config no.toml s.jsonl",
        "grade --config bytes.toml s.jsonl",
        "grade --config blank.toml s.jsonl",
        "grade alice-none.jsonl --out-private run --out sums.json",
        "grade s.jsonl dangling --out-private run",
        "grade loop",
        "grade fifo --out sums.json",
        "grade s.jsonl/x",
        "grade s.jsonl --out there",
        "grade s.jsonl --out dangling",
        "grade s.jsonl --out-private there",
        "grade s.jsonl --out-private tree",
        "grade s.jsonl --out-private tree/run",
        "grade s.jsonl --out-private run --out run",
        "grade s.jsonl --out none/sums.json",
        "grade --demo --out there",
        "show",
        "show none.jsonl:1",
        "show s.jsonl:9",
        "show s.jsonl:0",
        "show s.jsonl:99999999999999999999",
        "show there",
        "show tree",
        "show fifo",
        "show s.jsonl --preset alice",
        "explain alice",
        "rules alice",
        "replay none.json",
        "replay fifo",
        "replay there",
        "replay s.jsonl --profile alice",
    ];
    let mut all = String::new();
    for case in cases {
        let args: Vec<&str> = case.split(' ').filter(|word| !word.is_empty()).collect();
        let Said { code, out, err } = run(dir.path(), &args);
        assert_eq!(code, 2, "{case}: {err}");
        assert_eq!(out, "", "{case}");
        assert_eq!(err.lines().count(), 1, "{case}: {err}");
        assert!(err.starts_with("E_"), "{case}: {err}");
        for private in ["alice", "secret", ID, "/tmp", "none", ".jsonl"] {
            assert!(!err.contains(private), "{case}: {err}");
        }
        all.push_str(&format!("deedcheck {case}\n    {err}"));
    }
    assert_eq!(listing(dir.path()), before);
    insta::assert_snapshot!(all);
}

#[test]
fn a_flag_of_control_characters_is_not_repeated() {
    let dir = scene();
    let hostile = ["--\u{1b}[31mred", "--a\nE_OK", "--\u{202e}x", "-\u{1b}"];
    for word in hostile {
        let said = run(dir.path(), &["grade", word]);
        assert_eq!(said.code, 2);
        assert_eq!(
            said.err,
            "E_USAGE kind=unknown-argument help=\"deedcheck grade --help\"\n"
        );
    }
    let bytes = std::ffi::OsStr::from_bytes(b"--\xff\xfe");
    let output = program(dir.path())
        .arg("grade")
        .arg(bytes)
        .output()
        .unwrap();
    assert_eq!(output.status.code(), Some(2));
    assert_eq!(String::from_utf8_lossy(&output.stderr).lines().count(), 1);
}

#[test]
fn a_policy_beside_the_run_is_read_and_refused_like_a_named_one() {
    let dir = scene();
    fs::write(dir.path().join("deedcheck.toml"), "preset = \"skipper\"\n").unwrap();
    let said = run(dir.path(), &["grade", "s.jsonl"]);
    assert!(
        said.out
            .contains("skipper preset) · claim · integrity · deedcheck.toml"),
        "{}",
        said.out
    );
    fs::write(dir.path().join("deedcheck.toml"), "\nx = 1\n").unwrap();
    let said = run(dir.path(), &["grade", "s.jsonl"]);
    assert_eq!(
        (said.code, said.err.as_str()),
        (2, "E_POLICY line=2 field=x kind=unknown-key\n")
    );
    let demo = run(dir.path(), &["grade", "--demo"]);
    assert_eq!(demo.code, 0);
}
