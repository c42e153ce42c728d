//! `deedcheck golden`: cases are held against what was accepted for them.

mod new;
mod proof;
mod snippets;

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use serde_json::Value;

use crate::cli::{Said, run};

/// The repository's own golden sessions.
fn recorded() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("golden")
}

fn copy(from: &Path, to: &Path) {
    fs::create_dir_all(to).unwrap();
    for entry in fs::read_dir(from).unwrap() {
        let entry = entry.unwrap();
        let target = to.join(entry.file_name());
        if entry.file_type().unwrap().is_dir() {
            copy(&entry.path(), &target);
        } else {
            fs::copy(entry.path(), target).unwrap();
        }
    }
}

/// A folder with cases of recorded sessions, without expectations.
fn cases(names: &[&str]) -> tempfile::TempDir {
    let dir = tempfile::tempdir().unwrap();
    for name in names {
        copy(&recorded().join(name), &dir.path().join("cases").join(name));
    }
    dir
}

fn golden(dir: &Path, args: &[&str]) -> Said {
    let mut all = vec!["golden"];
    all.extend(args);
    run(dir, &all)
}

/// Every file below a folder with its bytes.
fn files(dir: &Path) -> BTreeMap<PathBuf, Vec<u8>> {
    let mut found = BTreeMap::new();
    for entry in walkdir::WalkDir::new(dir) {
        let entry = entry.unwrap();
        if entry.file_type().is_file() {
            found.insert(entry.path().to_path_buf(), fs::read(entry.path()).unwrap());
        }
    }
    found
}

/// Turns the first row that holds `from` in a file of rows.
fn turn(path: &Path, from: &str, to: &str) {
    let text = fs::read_to_string(path).unwrap();
    assert!(text.contains(from), "{from}: {text}");
    fs::write(path, text.replacen(from, to, 1)).unwrap();
}

const TWO: [&str; 2] = ["claude-stale-run", "codex-stale-run"];

#[test]
fn golden_cases_are_accepted_and_then_as_expected() {
    let dir = cases(&TWO);
    let before = files(dir.path());
    let said = golden(dir.path(), &["check", "cases"]);
    assert_eq!(said.code, 1, "{}", said.err);
    assert!(said.out.contains("golden accept"), "{}", said.out);
    assert!(
        said.out
            .ends_with("golden: 2 differences in 2 of 2 cases\n"),
        "{}",
        said.out
    );
    assert_eq!(files(dir.path()), before, "a check writes nothing");

    let said = golden(dir.path(), &["accept", "cases", TWO[0]]);
    assert_eq!(said.code, 0, "{}", said.err);
    assert!(said.out.ends_with("accepted: 1 case\n"), "{}", said.out);
    assert!(
        !dir.path()
            .join("cases")
            .join(TWO[1])
            .join("expected")
            .exists()
    );
    assert_eq!(golden(dir.path(), &["accept", "cases"]).code, 0);

    let after = files(dir.path());
    let fresh: Vec<_> = after
        .keys()
        .filter(|path| !before.contains_key(*path))
        .collect();
    assert_eq!(fresh.len(), 4, "{fresh:?}");
    assert!(
        before.iter().all(|(path, bytes)| after[path] == *bytes),
        "nothing else is touched"
    );
    // What is expected is what `grade` prints of the case.
    let graded = run(
        &dir.path().join("cases"),
        &["grade", TWO[0], "--format", "jsonl", "--fail-on", "never"],
    );
    let kept = dir
        .path()
        .join("cases")
        .join(TWO[0])
        .join("expected/grades.jsonl");
    let own: Vec<&str> = graded
        .out
        .lines()
        .filter(|row| !row.contains("expected/"))
        .collect();
    assert_eq!(
        fs::read_to_string(kept)
            .unwrap()
            .lines()
            .collect::<Vec<_>>(),
        own
    );

    for jobs in ["1", "8"] {
        let said = golden(dir.path(), &["check", "cases", "--jobs", jobs]);
        assert_eq!(
            (said.code, said.out.as_str()),
            (0, "golden: 2 cases, as expected\n")
        );
    }
    let said = golden(dir.path(), &["accept", "cases"]);
    assert_eq!(
        (said.code, files(dir.path()) == after),
        (0, true),
        "{}",
        said.out
    );
    // One case may be named by itself.
    let own = format!("cases/{}", TWO[1]);
    assert_eq!(golden(dir.path(), &["check", &own]).code, 0);
}

#[test]
fn golden_check_shows_a_changed_verdict_a_gone_row_and_a_new_one() {
    let dir = cases(&TWO);
    assert_eq!(golden(dir.path(), &["accept", "cases"]).code, 0);
    let rows = dir
        .path()
        .join("cases")
        .join(TWO[0])
        .join("expected/grades.jsonl");
    let good = fs::read_to_string(&rows).unwrap();
    turn(
        &rows,
        r#""verdict":"unsupported","reasons":["stale"]"#,
        r#""verdict":"supported","reasons":["direct"]"#,
    );
    let said = golden(dir.path(), &["check", "cases"]);
    assert_eq!(said.code, 1);
    let told = said.out.as_str();
    assert!(
        told.contains("supported (direct) → unsupported (stale)"),
        "{told}"
    );
    assert!(told.contains("turn 1 · tests"), "{told}");
    assert!(told.contains("“"), "its words: {told}");
    assert!(
        told.contains("came before the change at line"),
        "its evidence: {told}"
    );
    assert!(
        told.ends_with("golden: 1 difference in 1 of 2 cases\n"),
        "{told}"
    );
    assert_eq!(golden(dir.path(), &["check", "cases", "--jobs", "1"]), said);

    let said = golden(dir.path(), &["check", "cases", "--format", "json"]);
    let told: Value = serde_json::from_str(&said.out).unwrap();
    assert_eq!((said.code, &told["differences"]), (1, &Value::from(1)));
    let found = &told["cases"][0]["differences"][0];
    assert_eq!(found["kind"], "changed");
    assert_eq!(found["rule"], "tests");
    assert_eq!(found["after"], "unsupported (stale)");
    let schema = fs::read(concat!(
        env!("CARGO_MANIFEST_DIR"),
        "/schemas/golden-check.v1.schema.json"
    ));
    let schema: Value = serde_json::from_slice(&schema.unwrap()).unwrap();
    assert!(
        jsonschema::draft202012::new(&schema)
            .unwrap()
            .is_valid(&told)
    );

    // A row less is expected than came, and then a row more.
    let lines: Vec<&str> = good.lines().collect();
    fs::write(&rows, lines[..lines.len() - 1].join("\n")).unwrap();
    let said = golden(dir.path(), &["check", "cases"]);
    assert!(
        said.code == 1 && said.out.contains("no row → "),
        "{}",
        said.out
    );
    let more = lines[lines.len() - 1].replace("\"turn\":1", "\"turn\":7");
    fs::write(&rows, format!("{good}{more}\n")).unwrap();
    let said = golden(dir.path(), &["check", "cases"]);
    assert!(
        said.code == 1 && said.out.contains(" → no row"),
        "{}",
        said.out
    );
    // Another field than the verdict is named.
    fs::write(
        &rows,
        good.replacen("\"masked\":false", "\"masked\":true", 1),
    )
    .unwrap();
    let said = golden(dir.path(), &["check", "cases"]);
    assert!(said.out.contains("masked: true → steps"), "{}", said.out);
    // Sums are held against each other too.
    fs::write(&rows, &good).unwrap();
    let sums = dir
        .path()
        .join("cases")
        .join(TWO[0])
        .join("expected/aggregate.json");
    turn(&sums, r#""turns":1"#, r#""turns":3"#);
    let said = golden(dir.path(), &["check", "cases"]);
    assert!(
        said.code == 1 && said.out.contains("  turns\n    3 → 1"),
        "{}",
        said.out
    );
    // Accepting says the same and takes it.
    let accepted = golden(dir.path(), &["accept", "cases"]);
    assert!(
        accepted.out.starts_with(said.out.as_str()),
        "{}",
        accepted.out
    );
    assert_eq!(golden(dir.path(), &["check", "cases"]).code, 0);
}

/// What stands in no transcript cannot have been read by whoever accepts it.
#[test]
fn golden_accept_refuses_a_case_whose_transcripts_are_missing() {
    let dir = cases(&["frozen"]);
    let before = files(dir.path());
    let said = golden(dir.path(), &["accept", "cases"]);
    assert_eq!(
        (said.code, said.out.as_str(), said.err.as_str()),
        (
            2,
            "",
            "E_GOLDEN case=1 file=transcript line=0 kind=missing\n"
        )
    );
    assert_eq!(files(dir.path()), before, "nothing is written");
    let empty = tempfile::tempdir().unwrap();
    fs::create_dir_all(empty.path().join("cases/none")).unwrap();
    let said = golden(empty.path(), &["accept", "cases"]);
    assert_eq!(
        said.err,
        "E_GOLDEN case=1 file=session line=0 kind=no-session\n"
    );
}

/// A case without frozen checks, whose rows tell of transcripts that were removed, emptied, edited or renamed since.
#[test]
fn golden_accept_refuses_transcripts_that_are_not_what_they_were() {
    let dir = cases(&TWO);
    assert_eq!(golden(dir.path(), &["accept", "cases"]).code, 0);
    let before = files(dir.path());
    let session = before
        .keys()
        .find(|path| path.ends_with("session.jsonl") || path.to_string_lossy().ends_with(".jsonl"))
        .filter(|path| !path.to_string_lossy().contains("expected"))
        .unwrap();
    let path = dir.path().join(session);
    let text = fs::read_to_string(&path).unwrap();
    let refused = |kind: &str| {
        for command in ["accept", "check"] {
            let said = golden(dir.path(), &[command, "cases"]);
            match command {
                "accept" => assert_eq!(
                    (said.code, said.err),
                    (
                        2,
                        format!("E_GOLDEN case=1 file=transcript line=0 kind={kind}\n")
                    )
                ),
                _ => assert_eq!(said.code, 1, "{}", said.err),
            }
        }
    };
    fs::write(&path, text.replacen("pytest", "pytesu", 1) + "\n").unwrap();
    refused("changed");
    let other = path.with_file_name("renamed.jsonl");
    fs::rename(&path, &other).unwrap();
    refused("missing");
    fs::rename(&other, &path).unwrap();
    fs::write(&path, text).unwrap();
    assert_eq!(golden(dir.path(), &["check", "cases"]).code, 0);
    assert_eq!(files(dir.path()), before);
}

#[test]
fn golden_check_refuses_a_case_without_a_session() {
    let dir = tempfile::tempdir().unwrap();
    let expected = dir.path().join("cases/none/expected");
    fs::create_dir_all(&expected).unwrap();
    fs::write(expected.join("grades.jsonl"), "").unwrap();
    fs::write(
        expected.join("aggregate.json"),
        "{\"cells\":{},\"schema\":\"deedcheck/golden/1\"}\n",
    )
    .unwrap();
    let said = golden(dir.path(), &["check", "cases"]);
    assert_eq!(
        (said.code, said.err.as_str()),
        (2, "E_GOLDEN case=1 file=session line=0 kind=no-session\n")
    );
}

#[test]
fn golden_cases_with_frozen_checks_are_graded_by_their_spec() {
    // Its answers stand in the sessions beside it, which are cases of their own.
    let identity = fs::read(recorded().join("frozen/identity.json")).unwrap();
    let identity: Value = serde_json::from_slice(&identity).unwrap();
    let locators = identity["rows"].as_array().unwrap().iter();
    let mut names: Vec<&str> = locators
        .map(|row| &row["locator"])
        .filter(|locator| locator["root"] == "sessions")
        .filter_map(|locator| locator["file"].as_str()?.split('/').next())
        .collect();
    names.push("frozen");
    names.sort_unstable();
    names.dedup();
    let dir = cases(&names);
    let one = "cases/frozen";
    let accepted = golden(dir.path(), &["accept", "cases", "frozen"]);
    assert_eq!(accepted.code, 0, "{}", accepted.err);
    let own = dir.path().join("cases/frozen/expected/grades.jsonl");
    assert_eq!(
        fs::read(&own).unwrap(),
        fs::read(recorded().join("frozen/grades.jsonl")).unwrap(),
        "the rows of `grade --spec`"
    );
    assert_eq!(golden(dir.path(), &["check", one]).code, 0);
    turn(&own, r#""verdict":"pass""#, r#""verdict":"fail""#);
    let said = golden(dir.path(), &["check", one]);
    assert!(
        said.code == 1 && said.out.contains("fail → pass"),
        "{}",
        said.out
    );
    fs::remove_file(dir.path().join("cases/frozen/keys.json")).unwrap();
    let said = golden(dir.path(), &["check", one]);
    assert_eq!((said.code, said.out.as_str()), (2, ""));
    assert_eq!(
        said.err,
        "E_GOLDEN case=1 file=keys.json line=0 kind=missing\n"
    );
}

#[test]
fn golden_refusals_name_a_place_and_no_value() {
    let dir = cases(&TWO);
    let refused = |args: &[&str], line: &str| {
        let said = golden(dir.path(), args);
        assert_eq!(
            (said.code, said.out.as_str(), said.err.trim()),
            (2, "", line),
            "{args:?}"
        );
    };
    refused(&["check", "absent"], "E_GOLDEN argument=<DIR> kind=missing");
    fs::create_dir(dir.path().join("empty")).unwrap();
    refused(&["check", "empty"], "E_GOLDEN argument=<DIR> kind=no-case");
    let file = format!("cases/{}/case.json", TWO[0]);
    refused(
        &["check", &file],
        "E_GOLDEN argument=<DIR> kind=not-regular",
    );
    refused(
        &["accept", "cases", "other"],
        "E_GOLDEN argument=<CASE> kind=unknown-case",
    );
    assert_eq!(golden(dir.path(), &["accept", "cases"]).code, 0);
    let rows = dir
        .path()
        .join("cases")
        .join(TWO[1])
        .join("expected/grades.jsonl");
    let mut text = fs::read_to_string(&rows).unwrap();
    text.truncate(text.len() - 20);
    let line = text.lines().count();
    fs::write(&rows, text).unwrap();
    let torn = format!("E_GOLDEN case=2 file=grades.jsonl line={line} kind=expected");
    refused(&["check", "cases"], &torn);
    fs::remove_file(&rows).unwrap();
    fs::create_dir(&rows).unwrap();
    refused(
        &["check", "cases"],
        "E_GOLDEN case=2 file=grades.jsonl line=0 kind=not-regular",
    );
}
