//! `check-html` as a user runs it, over pages that `grade` makes.

use std::fs;
use std::path::{Path, PathBuf};

use serde_json::Value;

use crate::cli::{ID, run, session};

/// A folder with a graded run: `run`, `sums.json`, `page.html` and `page.md`.
fn graded() -> tempfile::TempDir {
    let dir = tempfile::tempdir().unwrap();
    let logs = dir.path().join("logs");
    fs::create_dir(&logs).unwrap();
    let close = "I fixed `src/a.rs` and all 12 tests pass.";
    fs::write(
        logs.join("quillon-farrowmere.jsonl"),
        session(ID, "/srv/larkspur/tree", close),
    )
    .unwrap();
    for (format, page, out) in [
        (
            "html",
            "page.html",
            &["--out", "sums.json", "--out-private", "run"][..],
        ),
        ("markdown", "page.md", &[]),
    ] {
        let args = ["grade", "logs", "--fail-on", "never", "--format", format];
        let said = run(dir.path(), &[&args[..], out].concat());
        assert_eq!((said.code, said.err.as_str()), (0, ""), "{format}");
        fs::write(dir.path().join(page), said.out).unwrap();
    }
    dir
}

const AGAINST: [&str; 4] = ["--from", "run", "--aggregate", "sums.json"];

fn schema(name: &str) -> jsonschema::Validator {
    let path = PathBuf::from(env!("CARGO_MANIFEST_DIR"))
        .join("schemas")
        .join(name);
    let schema: Value = serde_json::from_slice(&fs::read(path).unwrap()).unwrap();
    jsonschema::validator_for(&schema).unwrap()
}

fn checked(dir: &Path, page: &str) -> (i32, Value) {
    let said = run(
        dir,
        &[&["check-html", page, "--json"], &AGAINST[..]].concat(),
    );
    assert_eq!(said.err, "");
    let told: Value = serde_json::from_str(&said.out).unwrap();
    assert!(
        schema("page-check.v1.schema.json").is_valid(&told),
        "{told}"
    );
    (said.code, told)
}

#[test]
fn pages_of_ours_are_clean_and_tell_of_the_run() {
    let dir = graded();
    for page in ["page.html", "page.md"] {
        let (code, told) = checked(dir.path(), page);
        assert_eq!((code, &told["clean"]), (0, &Value::Bool(true)), "{told}");
        let page = &told["pages"][0];
        for count in ["numbers", "rows", "fields", "digests"] {
            assert!(page[count].as_u64() > Some(0), "{count} {page}");
        }
    }
    let said = run(dir.path(), &["check-html", "page.html", "page.md"]);
    assert_eq!(
        (said.code, said.out.lines().count()),
        (0, 2),
        "{}",
        said.out
    );
    assert!(
        said.out
            .contains("not checked: numbers: no --aggregate; rows: no --from"),
        "{}",
        said.out
    );
}

#[test]
fn a_run_keeps_what_its_pages_must_not_hold() {
    let dir = graded();
    let kept = fs::read_to_string(dir.path().join("run/canary.json")).unwrap();
    for value in [ID, "quillon-farrowmere.jsonl", "/srv/larkspur/tree"] {
        assert!(kept.contains(value), "{value}");
    }
    let page = fs::read_to_string(dir.path().join("page.html")).unwrap();
    for (leak, kind) in [
        (ID.to_uppercase(), "session"),
        ("/srv/larkspur/<wbr>tree/b.rs".to_owned(), "work-tree"),
        ("-srv-larkspur-tree".to_owned(), "work-tree"),
        ("quillon&#45;farrowmere.jsonl".to_owned(), "base-name"),
        ("toolu_01ABCDEFGHIJ".to_owned(), "call-id-shape"),
    ] {
        let spoiled = page.replace("</body>", &format!("<p>{leak}</p></body>"));
        fs::write(dir.path().join("spoiled.html"), &spoiled).unwrap();
        let (code, told) = checked(dir.path(), "spoiled.html");
        let findings = told["pages"][0]["findings"].as_array().unwrap();
        assert_eq!(code, 1);
        assert!(
            findings.iter().any(|finding| finding["kind"] == kind),
            "{leak} {told}"
        );
        let said = run(dir.path(), &["check-html", "spoiled.html", "--from", "run"]);
        let place = format!(
            "spoiled.html:{}:",
            spoiled.split(&leak).next().unwrap().lines().count()
        );
        assert!(said.out.starts_with(&place), "{place} {}", said.out);
        assert!(!said.out.to_lowercase().contains("farrowmere") && !said.out.contains(ID));
    }
}

#[test]
fn what_is_untrue_is_told_with_both_numbers() {
    let dir = graded();
    let page = fs::read_to_string(dir.path().join("page.md")).unwrap();
    let right = "data-deed=\"turns\">1<";
    assert!(page.contains(right), "{page}");
    fs::write(
        dir.path().join("page.md"),
        page.replace(right, "data-deed=\"turns\">2<"),
    )
    .unwrap();
    let said = run(
        dir.path(),
        &[&["check-html", "page.md"], &AGAINST[..]].concat(),
    );
    assert_eq!(said.code, 1);
    assert!(
        said.out
            .contains("untrue wrong-number in tag span; shows 2; should be 1\n"),
        "{}",
        said.out
    );
    let map = "schema = \"deedcheck/page-map/1\"\n[[number]]\nshows = \"turns\"\nafter = \"turns in all:\"\n";
    fs::write(dir.path().join("map.toml"), map).unwrap();
    fs::write(
        dir.path().join("theirs.html"),
        "<p>turns in all: <b>3</b></p>",
    )
    .unwrap();
    let args = [
        "check-html",
        "theirs.html",
        "--aggregate",
        "sums.json",
        "--map",
        "map.toml",
    ];
    let said = run(dir.path(), &args);
    assert!(
        said.code == 1 && said.out.contains("shows 3; should be 1"),
        "{}",
        said.out
    );
}

#[test]
fn what_cannot_be_checked_is_refused_in_one_line() {
    let dir = graded();
    let at = |name: &str| dir.path().join(name);
    fs::write(at("old.html"), "<meta charset=shift_jis>").unwrap();
    fs::write(at("map.toml"), "schema = \"x\"\nnumber = []").unwrap();
    fs::create_dir(at("empty")).unwrap();
    for (args, line) in [
        (&["none.html"][..], "E_PAGE file=1 kind=missing"),
        (&["page.html", "logs"], "E_PAGE file=2 kind=not-regular"),
        (&["old.html"], "E_PAGE file=1 kind=charset"),
        (
            &["page.html", "--from", "empty"],
            "E_RETAINED role=context kind=missing",
        ),
        (
            &["page.html", "--aggregate", "page.md"],
            "E_ARGUMENT field=--aggregate kind=no-aggregate",
        ),
        (
            &["page.html", "--map", "map.toml"],
            "E_MAP field=schema kind=unknown-value",
        ),
    ] {
        let said = run(dir.path(), &[&["check-html"], args].concat());
        assert_eq!(
            (said.code, said.out.as_str(), said.err.trim_end()),
            (2, "", line)
        );
    }
    for (file, role) in [("canary.json", "canary"), ("grades.jsonl", "grades")] {
        let path = at("run").join(file);
        let whole = fs::read(&path).unwrap();
        let mut spoiled = whole.clone();
        spoiled[10] ^= 1;
        fs::write(&path, spoiled).unwrap();
        let said = run(dir.path(), &["check-html", "page.html", "--from", "run"]);
        let line = format!("E_RETAINED role={role} kind=digest\n");
        assert_eq!((said.code, said.err), (2, line));
        fs::write(&path, whole).unwrap();
    }
}
