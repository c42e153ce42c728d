//! `deedcheck differential`: another checker side by side.

use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use serde_json::Value;

const CASES: &str = r#"{"reference":"grounding_gate 0.4.1 (PyPI sdist)","cases":[
  {"id":"read","preset":"default","init":{"claim_surface":["file.txt"]},"ops":[
    {"op":"tool_call","tool":"write","args":"file.txt","result":"ok","mutating":true},
    {"op":"tool_call","tool":"read","args":"file.txt","result":"new"},
    {"op":"terminal","claim_type":"completion","content":"done"}]},
  {"id":"claimed","preset":"default","init":{"claim_surface":["file.txt"]},"ops":[
    {"op":"terminal","claim_type":"completion","content":"done"}]}],
 "functions":[{"fn":"normalize","in":"at 2026-01-02 10:11:12"}]}"#;

fn root() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR"))
}

fn deedcheck(arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_deedcheck"))
        .args(arguments)
        .current_dir(root())
        .output()
        .unwrap()
}

fn own() -> String {
    format!("{} differential --answer", env!("CARGO_BIN_EXE_deedcheck"))
}

/// The cases in a file, and a checker that is a shell script over our own answers.
fn against(folder: &Path, script: &str, arguments: &[&str]) -> Output {
    let cases = folder.join("cases.json");
    std::fs::write(&cases, CASES).unwrap();
    let checker = folder.join("the checker");
    let script = script.replace("OWN", &own());
    crate::cli::executable(&checker, &format!("#!/bin/sh\n{script}\n"));
    let command = format!("'{}'", checker.display());
    let mut all = vec!["differential", "--against", &command];
    all.extend(["--cases", cases.to_str().unwrap()]);
    all.extend(arguments);
    deedcheck(&all)
}

fn out(output: &Output) -> String {
    String::from_utf8(output.stdout.clone()).unwrap()
}

fn err(output: &Output) -> String {
    String::from_utf8(output.stderr.clone()).unwrap()
}

#[test]
fn a_checker_that_says_the_same_agrees_on_changes_too() {
    let folder = tempfile::tempdir().unwrap();
    let found = against(folder.path(), "exec OWN", &["--json"]);
    assert_eq!(found.status.code(), Some(0), "{}", err(&found));
    let told: Value = serde_json::from_slice(&found.stdout).unwrap();
    assert_eq!(
        told["as_they_stand"],
        serde_json::json!({"agree": 3, "of": 3})
    );
    let planted = told["planted"]["of"].as_u64().unwrap();
    assert_eq!(told["planted"]["agree"], planted);
    assert!(planted >= 8, "{told}");
    let turned = told["turned"].as_u64().unwrap();
    assert!(turned > 0 && turned <= planted, "{told}");
    assert_eq!(told["disagreements"], serde_json::json!([]));
}

#[test]
fn a_checker_that_lets_everything_pass_is_found_out_by_a_change_with_both_sides() {
    let folder = tempfile::tempdir().unwrap();
    let yes = r#"OWN | sed -u 's/"verdict":"REJECT"/"verdict":"ACCEPT"/g'"#;
    let found = against(folder.path(), yes, &[]);
    assert_eq!(found.status.code(), Some(1), "{}", err(&found));
    let told = out(&found);
    assert!(told.contains("as they stand    2 of 3"), "{told}");
    assert!(
        told.contains("1/claimed  as it stands\n  [0].verdict: ours \"REJECT\", theirs \"ACCEPT\""),
        "{told}"
    );
    assert!(told.contains("1/read#1  "), "{told}");
    let found = against(folder.path(), yes, &["--json"]);
    let told: Value = serde_json::from_slice(&found.stdout).unwrap();
    let planted = &told["disagreements"].as_array().unwrap();
    let change = planted.iter().find_map(|one| one["change"].as_str());
    let sorts = [
        "remove-step: ",
        "flip-status: ",
        "swap-order: ",
        "alter-claim: ",
    ];
    assert!(
        sorts.iter().any(|sort| change.unwrap().starts_with(sort)),
        "{told}"
    );
}

#[test]
fn the_seed_alone_decides_which_changes_are_planted() {
    let folder = tempfile::tempdir().unwrap();
    let record = |seed: &str| {
        let asked = folder.path().join("asked");
        let script = format!("tee '{}' | OWN", asked.display());
        against(folder.path(), &script, &["--seed", seed, "--count", "2"]);
        std::fs::read_to_string(asked).unwrap()
    };
    let (first, again, other) = (record("1"), record("1"), record("2"));
    assert_eq!(first, again);
    assert_ne!(first, other);
    assert!(!first.contains("expect"), "the answer is asked along");
}

#[test]
fn what_a_checker_cannot_judge_is_counted_and_is_no_agreement() {
    let folder = tempfile::tempdir().unwrap();
    let script = r#"while read -r line; do case "$line" in
        *'"kind":"function"'*) printf '%s\n' "$line" | OWN;;
        *) printf '%s\n' "$line" | sed 's/^[^,]*,"id":"\([^"]*\)".*/{"id":"\1","unable":"no gate"}/';;
        esac; done"#;
    let found = against(folder.path(), script, &["--count", "0"]);
    let told = out(&found);
    assert!(told.starts_with("agree 1 of 1\n"), "{told}{}", err(&found));
    assert!(told.contains("cannot judge     2"), "{told}");
    let script = r#"sed -u 's/^[^,]*,"id":"\([^"]*\)".*/{"id":"\1","unable":"x"}/'"#;
    let found = against(folder.path(), script, &["--count", "0"]);
    assert_eq!(found.status.code(), Some(2));
    assert_eq!(err(&found), "E_CASES kind=nothing-compared\n");
}

#[test]
fn a_checker_that_breaks_the_protocol_is_refused_by_name_of_the_case() {
    let folder = tempfile::tempdir().unwrap();
    let first = "E_PEER case=1 id=1/read kind=";
    let second = "E_PEER case=2 id=1/read#1 kind=";
    for (script, wanted) in [
        ("exit 0", format!("{first}died")),
        ("head -n 1 | OWN", format!("{second}died")),
        ("exec sleep 60", format!("{first}timeout")),
        ("echo yes", format!("{first}not-json")),
        ("echo '[1]'", format!("{first}malformed")),
        (r#"echo '{"id":"1/read"}'"#, format!("{first}malformed")),
        (
            r#"echo '{"id":"1/read","answer":1,"unable":"x"}'"#,
            format!("{first}malformed"),
        ),
        ("sed -u 1d | OWN", format!("{first}out-of-order")),
        (
            "OWN; echo more",
            "E_PEER after=last-case kind=too-much".to_owned(),
        ),
        (
            "OWN; exit 3",
            "E_PEER after=last-case kind=failed".to_owned(),
        ),
        (
            "OWN; exec sleep 60 >&-",
            "E_PEER after=last-case kind=timeout".to_owned(),
        ),
    ] {
        let found = against(folder.path(), script, &["--timeout", "2"]);
        assert_eq!(found.status.code(), Some(2), "{script}");
        assert_eq!(err(&found).trim_end(), wanted, "{script}");
        assert_eq!(out(&found), "", "{script}");
    }
}

#[test]
fn no_shell_reads_the_command() {
    let folder = tempfile::tempdir().unwrap();
    let touched = folder.path().join("touched");
    let command = format!("/nowhere/checker; touch {}", touched.display());
    let found = deedcheck(&["differential", "--against", &command]);
    assert_eq!(found.status.code(), Some(2));
    assert_eq!(err(&found), "E_PEER kind=not-started\n");
    assert!(!touched.exists());
    let found = deedcheck(&["differential", "--against", "'open"]);
    assert_eq!(err(&found), "E_PEER kind=command\n");
}

#[test]
fn the_planted_controls_are_cases_as_their_clients_would_have_stored_them() {
    let own = own();
    let arguments = [
        "differential",
        "--against",
        &own,
        "--rule",
        "push",
        "--json",
    ];
    let found = deedcheck(&arguments);
    assert_eq!(found.status.code(), Some(0), "{}", err(&found));
    let told: Value = serde_json::from_slice(&found.stdout).unwrap();
    assert!(told["as_they_stand"]["of"].as_u64().unwrap() > 0, "{told}");
    assert!(told["turned"].as_u64().unwrap() > 0, "{told}");
}

#[test]
fn files_that_are_no_cases_are_refused_by_number() {
    let folder = tempfile::tempdir().unwrap();
    let own = own();
    for (text, wanted) in [
        ("{", "E_CASES file=1 kind=not-json\n"),
        ("{\"cases\":[]}", "E_CASES file=1 kind=unknown-reference\n"),
        (
            "{\"reference\":\"grounding_gate 0.1.0\",\"cases\":[{\"ops\":1}]}",
            "E_CASES file=1 kind=case\n",
        ),
        (
            "{\"reference\":\"grounding_gate 0.1.0\",\"functions\":[{\"fn\":\"x\"}]}",
            "E_CASES file=1 kind=function\n",
        ),
        (
            "{\"reference\":\"grounding_gate 0.1.0\",\"cases\":[]}",
            "E_CASES kind=nothing-compared\n",
        ),
    ] {
        let file = folder.path().join("cases.json");
        std::fs::write(&file, text).unwrap();
        let file = file.to_str().unwrap();
        let found = deedcheck(&["differential", "--against", &own, "--cases", file]);
        assert_eq!(err(&found), wanted, "{text}");
        assert_eq!(found.status.code(), Some(2));
    }
}

#[test]
fn the_page_is_the_documentation() {
    let told = out(&deedcheck(&["explain", "differential"]));
    let page = std::fs::read_to_string(root().join("docs/differential.md")).unwrap();
    assert_eq!(told, page);
}

#[test]
fn no_other_command_comes_near_the_other_checker() {
    let named: Vec<String> = walkdir::WalkDir::new(root().join("src"))
        .sort_by_file_name()
        .into_iter()
        .map(|entry| entry.unwrap().into_path())
        .filter(|path| path.extension().is_some_and(|end| end == "rs"))
        .filter(|path| !path.starts_with(root().join("src/differential")))
        .filter(|path| {
            let text = std::fs::read_to_string(path).unwrap();
            text.contains("differential::")
        })
        .map(|path| path.file_name().unwrap().to_string_lossy().into_owned())
        .collect();
    // The command itself, its page, its errors and its place in the table, and its schema.
    assert_eq!(
        named,
        [
            "args.rs",
            "differential.rs",
            "explain.rs",
            "mod.rs",
            "schema.rs"
        ]
    );
}
