//! What a row of a check shows of the answer and of its key, where that is told, and where it is not.

use serde_json::{Value, json};

use crate::cli::run;
use crate::regression::record;
use crate::spec_evidence::Run;

const SPEC: &str = r#"schema = "deedcheck/spec/1"
grammar = "g1"
[experiment]
id = "shown"
title = "What is shown"
[[arms]]
id = "with"
[[tasks]]
id = "count"
prompt = "How many errors are there?"
family = "claude"
opportunity = "organic"
dispatch = "main"
arms = ["with"]
[[tasks.checks]]
id = "errors"
kind = "int-fact"
extract = "none"
params = { labels = ["errors"] }
key = { value = 9173 }
[[tasks.checks]]
id = "flat-errors"
kind = "int-fact"
extract = "none"
params = { labels = ["errors"], text = "flat" }
key = { value = 12 }
[[tasks.checks]]
id = "files"
kind = "required-literals"
extract = "none"
key = { value = ["quay.py", "berth.py"] }
[[tasks.checks]]
id = "verdict"
kind = "word-class"
extract = "none"
params = { positive = ["green"], negative = ["red"] }
key = { value = "positive" }
[readings]
attempt-rule = "completed-attempts"
answer = "close"
"#;

fn session(prompt: &str, blocks: &[&str]) -> String {
    let asked = json!({"role": "user", "content": prompt});
    let mut records = vec![record(1, "user", &asked)];
    for (at, text) in (2_u32..).zip(blocks) {
        let said = json!({
            "id": "msg_1", "role": "assistant", "type": "message", "model": "m",
            "content": [{"type": "text", "text": text}], "stop_reason": "end_turn"
        });
        records.push(record(at, "assistant", &said));
    }
    records.iter().map(|record| format!("{record}\n")).collect()
}

const PROMPT: &str = "How many errors are there?";

fn graded(prompt: &str) -> (Run, Vec<Value>) {
    let text = session(
        prompt,
        &[
            "I looked at quay.py.",
            "It is **green**.\nThere are\n**12** errors.",
        ],
    );
    let run = Run::with(SPEC, &[("count.1", "finished", text)]);
    run.graded("g", []).unwrap();
    let rows = std::fs::read_to_string(run.at("g-private/grades.jsonl")).unwrap();
    let rows = rows.lines().map(|line| serde_json::from_str(line).unwrap());
    (run, rows.collect())
}

fn row<'r>(rows: &'r [Value], check: &str) -> &'r Value {
    let own = |row: &&Value| row["check"] == check;
    rows.iter().find(own).expect("a row")
}

#[test]
fn a_row_tells_what_was_read_where_and_what_its_key_holds() {
    let (_run, rows) = graded(PROMPT);
    let answer = "I looked at quay.py.\n\nIt is **green**.\nThere are\n**12** errors.";
    let at = answer.find("12").unwrap();
    let read = json!([{"text": "12", "line": 5, "start": at, "end": at + 2, "said": "plain"}]);
    let errors = row(&rows, "errors");
    assert_eq!(errors["status"], "fail");
    assert_eq!((&errors["read"], &errors["key"]), (&read, &json!("9173")));
    // The value stands in the second block, which is the record of line 3.
    assert_eq!(errors["evidence"].as_array().unwrap().len(), 1);
    assert_eq!(errors["evidence"][0]["line"], 3);
    // On one line the words are the same, and are told where the answer has them.
    let flat = row(&rows, "flat-errors");
    assert_eq!((&flat["status"], &flat["read"]), (&json!("pass"), &read));
    let files = row(&rows, "files");
    assert_eq!(files["absent"], json!(["berth.py"]));
    assert_eq!(files["read"][0]["text"], "quay.py");
    assert_eq!(files["evidence"][0]["line"], 2);
}

#[test]
fn the_sums_hold_neither_an_answer_nor_a_key_and_a_page_no_key() {
    let (run, _) = graded(PROMPT);
    let sums = std::fs::read_to_string(run.at("g.json")).unwrap();
    for word in ["9173", "berth.py", "quay.py", "\"read\"", "\"absent\""] {
        assert!(!sums.contains(word), "{word}");
    }
    for format in ["html", "markdown"] {
        let page = self::run(
            run.dir.path(),
            &[
                "regrade",
                "--from",
                "g-private",
                "--out-private",
                &format!("{format}-private"),
                "--out",
                &format!("{format}.json"),
                "--format",
                format,
            ],
        );
        // A summary for a comment names what fails, not what was read.
        let cells = page.out.split(['>', '<', '|', '“', '”', '`']);
        let read = cells.filter(|cell| cell.trim() == "12").count();
        assert_eq!(read > 0, format == "html", "{}", page.out);
        assert!(!page.out.contains("9173"), "{}", page.out);
    }
}

fn printed(run: &Run, out: &str, bindings: &str) -> crate::cli::Said {
    self::run(
        run.dir.path(),
        &[
            "grade",
            "--spec",
            "spec.json",
            "--bindings",
            bindings,
            "--identity",
            "identity.json",
            "--keys",
            "keys.json",
            "--out-private",
            &format!("{out}-private"),
            "--out",
            &format!("{out}.json"),
        ],
    )
}

#[test]
fn the_table_tells_it_and_names_a_place_that_show_takes() {
    let (run, _) = graded(PROMPT);
    let said = printed(&run, "t", "bindings.json");
    let told = "read “12” (line 5); the key holds 9173";
    assert!(said.out.contains(told), "{}", said.out);
    assert!(said.out.contains("not there: berth.py"), "{}", said.out);
    let place = said
        .out
        .lines()
        .find(|line| line.ends_with("count.1.jsonl:1"));
    let place = place.expect("a place").trim();
    let shown = self::run(run.dir.path(), &["show", place]);
    assert_eq!(shown.code, 0, "{}", shown.err);
    assert!(shown.out.contains("12"), "{}", shown.out);
    for line in said.out.lines() {
        assert!(
            line.chars().count() <= 100 || line.ends_with(":1"),
            "{line}"
        );
    }
}

#[test]
fn show_takes_a_name_of_rows_with_what_was_graded() {
    let (run, rows) = graded(PROMPT);
    let name = row(&rows, "errors")["file"].as_str().unwrap().to_owned();
    let dir = tempfile::tempdir().unwrap();
    let graded = run.at("sessions");
    let target = format!("{name}:1");
    let said = self::run(dir.path(), &["show", &target, graded.to_str().unwrap()]);
    assert_eq!((said.code, said.err.as_str()), (0, ""));
    // A root has a name of its own, and what it leads to another.
    let target = target.replace("sessions/", "root/");
    let said = self::run(dir.path(), &["show", &target, graded.to_str().unwrap()]);
    assert_eq!(said.code, 0, "{}", said.err);
    let said = self::run(
        dir.path(),
        &["show", "sessions/other.jsonl:1", graded.to_str().unwrap()],
    );
    assert_eq!(
        said.err,
        "E_ARGUMENT field=<FILE[:TURN]> kind=no-such-file\n"
    );
}

/// Binds the run to a tree and to other folders; what became of the attempt then.
fn bound(run: &Run, name: &str, tree: &str, folders: &str) -> (String, Value) {
    let launch = std::fs::read_to_string(run.at("launch.toml")).unwrap();
    let launch = launch.replace("tree = \".\"\n", &format!("tree = \"{tree}\"\n{folders}"));
    run.write(&format!("{name}.toml"), &launch);
    let bindings = format!("{name}.bindings");
    let said = self::run(
        run.dir.path(),
        &[
            "bind",
            "--spec",
            "spec.json",
            "--launch",
            &format!("{name}.toml"),
            "--out",
            &bindings,
        ],
    );
    assert_eq!((said.code, said.err.as_str()), (0, ""));
    let said = printed(run, name, &bindings);
    assert_eq!(said.code, 0, "{}", said.err);
    let rows = std::fs::read_to_string(run.at(&format!("{name}-private/grades.jsonl"))).unwrap();
    let last = rows.lines().last().unwrap();
    let task: Value = serde_json::from_str(last).unwrap();
    let attempt = &task["attempts"][0];
    let told = format!(
        "{} {}",
        attempt["class"].as_str().unwrap(),
        attempt["cause"]
    );
    (told, task)
}

#[test]
fn a_session_of_another_folder_is_nobodys() {
    let (run, _) = graded(PROMPT);
    let completed = "completed null";
    let foreign = "unresolved \"foreign-folder\"";
    let cases = [
        ("a", "/home/dev/project", "", completed),
        ("b", "/home/dev", "", completed),
        ("c", "/home/dev/proj", "", foreign),
        ("d", "/srv/other", "", foreign),
        (
            "e",
            "/srv/other",
            "folders = [\"/home/dev/project\"]\n",
            completed,
        ),
        // Where a relative tree lies is not told, and is held against nobody.
        ("f", "sessions", "", completed),
    ];
    for (name, tree, folders, expected) in cases {
        let (told, task) = bound(&run, name, tree, folders);
        assert_eq!(told, expected, "{tree}");
        let status = if expected == foreign {
            "unknown"
        } else {
            "fail"
        };
        assert_eq!(task["status"], status, "{tree}");
    }
}

#[test]
fn a_session_that_was_asked_something_else_is_nobodys() {
    let asked = |prompt: &str| {
        let (_run, rows) = graded(prompt);
        let attempt = rows.last().unwrap()["attempts"][0].clone();
        format!(
            "{} {}",
            attempt["class"].as_str().unwrap(),
            attempt["cause"]
        )
    };
    assert_eq!(asked("Paint the fence."), "unresolved \"foreign-prompt\"");
    assert_eq!(
        asked("Be brief.\n\nHow many  *errors*\nare there?\n\nThanks."),
        "completed null"
    );
}
