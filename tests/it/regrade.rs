//! A run graded again from its private directory alone: the same bytes, or a refusal by role.

use std::fs;
use std::path::{Path, PathBuf};

use serde_json::Value;

use crate::cli::{Said, run};
use crate::shared;
use crate::spec_golden::{GIVEN, Scene};

/// Each file of a private directory by its role.
const ROLES: [(&str, &str); 11] = [
    ("aggregate", "aggregate.json"),
    ("bindings", "bindings.json"),
    ("canary", "canary.json"),
    ("context", "context.json"),
    ("grades", "grades.jsonl"),
    ("identity", "identity.json"),
    ("judgments", "judgments.jsonl"),
    ("keys", "keys.json"),
    ("policy", "policy.toml"),
    ("records", "records.jsonl.zst"),
    ("spec", "spec.json"),
];

fn root() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR"))
}

fn base() -> tempfile::TempDir {
    tempfile::tempdir().unwrap()
}

/// Copies what can be copied.
fn copy(from: &Path, to: &Path) {
    for entry in walkdir::WalkDir::new(from) {
        let entry = entry.unwrap();
        let path = to.join(entry.path().strip_prefix(from).unwrap());
        if entry.file_type().is_dir() {
            fs::create_dir_all(path).unwrap();
        } else if entry.file_type().is_file() {
            fs::copy(entry.path(), path).unwrap();
        }
    }
}

fn said(dir: &Path, line: &str) -> Said {
    let args: Vec<&str> = line.split(' ').collect();
    run(dir, &args)
}

/// Runs what must end well, whatever it found.
fn done(dir: &Path, line: &str) -> Said {
    let said = said(dir, line);
    assert!(matches!(said.code, 0 | 1), "{line}: {}", said.err);
    said
}

fn read(path: impl AsRef<Path>) -> Vec<u8> {
    let path = path.as_ref();
    fs::read(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

fn json(path: impl AsRef<Path>) -> Value {
    serde_json::from_slice(&read(path)).unwrap()
}

/// Grades `in`, takes it away, and grades it again, twice over; the bytes must be the same.
fn same_bytes(dir: &Path) {
    done(dir, "grade in --quiet --out-private one --out one.json");
    let table = done(dir, "grade in --jobs 1").out;
    done(dir, "grade in --jobs 7 --quiet --out-private seven");
    fs::remove_dir_all(dir.join("in")).unwrap();
    // Nothing that lies around is asked.
    fs::write(dir.join("deedcheck.toml"), "no policy").unwrap();
    let again = done(dir, "regrade --from one --out-private two --out two.json");
    done(
        dir,
        "regrade --from two --quiet --out-private=three --out=three.json",
    );
    let summary = |text: &str| text.lines().next().unwrap_or_default().to_owned();
    assert_eq!(summary(&again.out), summary(&table));
    assert!(!read(dir.join("one/grades.jsonl")).is_empty());
    for name in ["grades.jsonl", "aggregate.json", "records.jsonl.zst"] {
        let one = read(dir.join("one").join(name));
        for other in ["two", "three", "seven"] {
            assert!(read(dir.join(other).join(name)) == one, "{other}/{name}");
        }
    }
    for other in ["two.json", "three.json", "one/aggregate.json"] {
        assert!(
            read(dir.join(other)) == read(dir.join("one.json")),
            "{other}"
        );
    }
    let (one, two) = (
        json(dir.join("one/context.json")),
        json(dir.join("two/context.json")),
    );
    for field in [
        "inputs",
        "profile",
        "preset",
        "rules",
        "passed_over",
        "records",
        "not_kept",
    ] {
        assert_eq!(one[field], two[field], "{field}");
    }
    let from = &two["regraded_from"];
    assert_eq!(one["regraded_from"], Value::Null);
    assert_eq!(from["grades_sha256"], one["files"]["grades"]);
    assert_eq!(
        (&from["other_rules"], &from["other_version"]),
        (&false.into(), &false.into())
    );
    let diff = done(
        dir,
        "regrade --from one --diff --out-private four --out four.json",
    );
    let rows = read(dir.join("one/grades.jsonl"))
        .iter()
        .filter(|b| **b == b'\n')
        .count();
    let told = format!("rows: {rows} the same, 0 changed, 0 new, 0 gone, 0 not graded again\n");
    assert_eq!(diff.out, told);
}

#[test]
fn the_golden_transcripts_and_the_edge_cases_regrade_to_the_same_bytes() {
    for folder in ["golden", "tests/edge"] {
        let dir = base();
        copy(&root().join(folder), &dir.path().join("in"));
        same_bytes(dir.path());
    }
}

#[test]
fn files_of_the_corpus_regrade_to_the_same_bytes() {
    let Some(corpus) = shared::corpus("files_of_the_corpus_regrade_to_the_same_bytes") else {
        return;
    };
    let mut files: Vec<PathBuf> = walkdir::WalkDir::new(&corpus)
        .into_iter()
        .filter_map(Result::ok)
        .filter(|entry| entry.file_type().is_file() && entry.metadata().unwrap().len() < 4 << 20)
        .map(walkdir::DirEntry::into_path)
        .filter(|path| path.to_string_lossy().contains(".jsonl"))
        .collect();
    files.sort();
    let dir = base();
    // A fixed choice that is spread over all of them.
    let mut state: u64 = 0x5eed;
    for _ in 0..200.min(files.len()) {
        state = state
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        let at = usize::try_from(state >> 33).unwrap() % files.len();
        let from = files.swap_remove(at);
        let to = dir
            .path()
            .join("in")
            .join(from.strip_prefix(&corpus).unwrap());
        fs::create_dir_all(to.parent().unwrap()).unwrap();
        fs::copy(from, to).unwrap();
    }
    same_bytes(dir.path());
}

/// A graded folder of golden transcripts under a policy of its own.
fn graded(records: &str) -> tempfile::TempDir {
    let dir = base();
    copy(
        &root().join("golden/claude-stale-run"),
        &dir.path().join("in/stale"),
    );
    copy(
        &root().join("golden/claude-honest-fix"),
        &dir.path().join("in/honest"),
    );
    copy(
        &root().join("golden/claude-wrong-number"),
        &dir.path().join("in/wrong"),
    );
    fs::write(dir.path().join("own.toml"), "preset = \"skipper\"\n").unwrap();
    let line = format!(
        "grade in --config own.toml --quiet --records {records} --out-private one --out one.json"
    );
    done(dir.path(), &line);
    dir
}

/// Regrading must be refused, and must leave nothing.
fn refused(dir: &Path, from: &str, line: &str) {
    let said = said(
        dir,
        &format!("regrade --from {from} --out-private new --out new.json"),
    );
    assert_eq!(
        (said.code, said.out.as_str(), said.err.as_str()),
        (2, "", line)
    );
    assert!(!dir.join("new").exists() && !dir.join("new.json").exists());
    let left = |entry: fs::DirEntry| entry.file_name().to_string_lossy().contains(".partial");
    assert!(!fs::read_dir(dir).unwrap().any(|entry| left(entry.unwrap())));
}

/// Every way to spoil each file of a private directory is told by the file's role.
fn spoilt(dir: &Path, from: &str) -> usize {
    let mut roles = 0;
    for (role, file) in ROLES {
        let path = dir.join(from).join(file);
        let Ok(bytes) = fs::read(&path) else {
            // A file of the right name that the run did not write is none of it.
            fs::write(&path, "").unwrap();
            refused(dir, from, &format!("E_RETAINED role={role} kind=extra\n"));
            fs::remove_file(&path).unwrap();
            continue;
        };
        roles += 1;
        let last = bytes.len() - 1;
        for at in [0, 1, last / 3, last / 2, last - 1, last] {
            for bit in [1, 0x80] {
                let mut other = bytes.clone();
                other[at] ^= bit;
                fs::write(&path, &other).unwrap();
                let line = format!("regrade --from {from} --out-private new --out new.json");
                let said = said(dir, &line);
                let wanted = format!("E_RETAINED role={role} kind=");
                assert!(
                    said.code == 2 && said.err.starts_with(&wanted),
                    "{}",
                    said.err
                );
                assert!(!dir.join("new").exists() && !dir.join("new.json").exists());
            }
        }
        fs::write(&path, &bytes[..last]).unwrap();
        let sealed = role == "context" || role == "canary";
        let kind = if sealed { "invalid" } else { "digest" };
        refused(dir, from, &format!("E_RETAINED role={role} kind={kind}\n"));
        fs::remove_file(&path).unwrap();
        refused(dir, from, &format!("E_RETAINED role={role} kind=missing\n"));
        let elsewhere = dir.join("moved");
        fs::write(&elsewhere, &bytes).unwrap();
        std::os::unix::fs::symlink(&elsewhere, &path).unwrap();
        refused(
            dir,
            from,
            &format!("E_RETAINED role={role} kind=not-regular\n"),
        );
        fs::remove_file(&path).unwrap();
        fs::create_dir(&path).unwrap();
        refused(
            dir,
            from,
            &format!("E_RETAINED role={role} kind=not-regular\n"),
        );
        fs::remove_dir(&path).unwrap();
        fs::write(&path, &bytes).unwrap();
    }
    let more = dir.join(from).join("notes");
    fs::write(&more, "").unwrap();
    refused(dir, from, "E_RETAINED role=none kind=extra\n");
    fs::remove_file(&more).unwrap();
    roles
}

#[test]
fn whatever_was_changed_is_refused_by_its_role() {
    let dir = graded("all");
    assert_eq!(spoilt(dir.path(), "one"), 6);
    for (from, kind) in [("none", "missing"), ("one.json", "not-directory")] {
        refused(
            dir.path(),
            from,
            &format!("E_ARGUMENT field=--from kind={kind}\n"),
        );
    }
    // What was spoilt was put back.
    done(
        dir.path(),
        "regrade --from one --quiet --out-private two --out two.json",
    );
    assert!(read(dir.path().join("two.json")) == read(dir.path().join("one.json")));
    let policy = read(dir.path().join("two/policy.toml"));
    assert_eq!(policy, b"preset = \"skipper\"\n");
}

#[test]
fn spec_frozen_checks_regrade_to_the_same_bytes_and_refuse_by_role() {
    let scene = Scene::new();
    scene.prepare();
    let graded = scene.run(&format!(
        "grade {GIVEN} --out-private ../../run --out ../../run.json"
    ));
    assert_eq!((graded.code, graded.err.as_str()), (1, ""));
    fs::remove_dir_all(scene.at("golden")).unwrap();
    fs::remove_dir_all(scene.at("repo")).unwrap();
    let dir = scene.at("");
    let again = done(&dir, "regrade --from run --out-private two --out two.json");
    // Where a file lay is not kept: what is graded again is told by its name in the rows.
    let named = graded.out.replace("  ../", "  sessions/");
    assert_eq!((again.code, again.err.as_str()), (1, ""));
    assert_eq!(again.out, named);
    for name in [
        "grades.jsonl",
        "aggregate.json",
        "records.jsonl.zst",
        "spec.json",
        "keys.json",
    ] {
        assert!(
            read(dir.join("two").join(name)) == read(dir.join("run").join(name)),
            "{name}"
        );
    }
    assert!(read(dir.join("two.json")) == read(dir.join("run.json")));
    let context = json(dir.join("two/context.json"));
    assert_eq!(context["arguments"][0], "regrade");
    assert_eq!(
        context["inputs"],
        json(dir.join("run/context.json"))["inputs"]
    );
    // Other judgments are other rules, and what they change is told.
    fs::write(dir.join("none.jsonl"), "").unwrap();
    let line =
        "regrade --from run --judgments none.jsonl --diff --out-private three --out three.json";
    let changed = done(&dir, line);
    assert!(changed.out.contains(" → "), "{}", changed.out);
    assert!(!changed.out.contains(" 0 changed"), "{}", changed.out);
    assert_eq!(
        json(dir.join("three/context.json"))["regraded_from"]["other_rules"],
        true
    );
    for (flag, value) in [("--rules", "gate"), ("--profile", "gg-0.4")] {
        let line = format!("regrade --from run {flag} {value} --out-private new --out new.json");
        let said = said(&dir, &line);
        assert_eq!(said.err, format!("E_ARGUMENT field={flag} kind=conflict\n"));
    }
    assert_eq!(spoilt(&dir, "run"), 10);
}

#[test]
fn what_was_not_kept_is_counted_and_named_in_private_only() {
    let dir = graded("flagged");
    let at = |path: &str| dir.path().join(path);
    let said = said(
        dir.path(),
        "regrade --from one --diff --out-private two --out two.json",
    );
    let all = json(at("one/context.json"))["inputs"]
        .as_object()
        .unwrap()
        .len();
    let gone = json(at("two/context.json"))["not_kept"]
        .as_array()
        .unwrap()
        .clone();
    assert!(!gone.is_empty() && gone.len() < all, "{gone:?} of {all}");
    assert!(
        gone.iter()
            .all(|name| name.as_str().unwrap().starts_with("in/honest/"))
    );
    let first = format!("not graded again: {} of {all} files", gone.len());
    assert!(said.err.starts_with(&first), "{}", said.err);
    assert!(!said.err.contains("honest"));
    for name in &gone {
        let line = format!("not graded again: {}\n", name.as_str().unwrap());
        assert!(said.out.contains(&line), "{}", said.out);
    }
    // What was kept comes back as it was.
    let rows = |path: &str| -> Vec<String> {
        let text = String::from_utf8(read(at(path))).unwrap();
        let rows = text
            .lines()
            .filter(|row| !row.contains("\"file\":\"in/honest/"));
        rows.map(str::to_owned).collect()
    };
    assert_eq!(rows("one/grades.jsonl"), rows("two/grades.jsonl"));
    assert!(!rows("two/grades.jsonl").is_empty());
    let twice = done(
        dir.path(),
        "regrade --from two --out-private three --out three.json",
    );
    assert!(twice.err.starts_with(&first), "{}", twice.err);
    assert_eq!(
        json(at("three/context.json"))["not_kept"],
        Value::Array(gone)
    );

    let none = graded("none");
    assert!(!none.path().join("one/records.jsonl.zst").exists());
    refused(
        none.path(),
        "one",
        "E_RETAINED role=records kind=not-kept\n",
    );
    let said = run(none.path(), &["grade", "in", "--records", "all"]);
    assert_eq!(said.code, 2);
}

#[test]
fn other_rules_are_told_in_the_context_and_row_by_row() {
    let dir = graded("all");
    let line =
        "regrade --from one --rules gate --preset=default --diff --out-private two --out two.json";
    let said = done(dir.path(), line);
    assert!(said.out.contains("→ no row"), "{}", said.out);
    assert!(
        said.out.lines().any(|line| line.starts_with("tests in/")),
        "{}",
        said.out
    );
    let counts = said.out.lines().last().unwrap();
    assert!(
        counts.starts_with("rows: ") && !counts.contains(" 0 gone"),
        "{counts}"
    );
    let context = json(dir.path().join("two/context.json"));
    assert_eq!(context["rules"], serde_json::json!(["gate"]));
    assert_eq!(context["preset"], "default");
    assert_eq!(context["regraded_from"]["other_rules"], true);
    assert_eq!(context["regraded_from"]["other_version"], false);
    let arguments = context["arguments"].to_string();
    assert!(
        arguments.contains("--from\",\"<path>\",\"--rules\",\"gate\""),
        "{arguments}"
    );
    // A policy in place of the one that was kept is judged by as it stands.
    fs::write(dir.path().join("other.toml"), "profile = \"gg-0.4\"\n").unwrap();
    let line =
        "regrade --from one --config other.toml --quiet --out-private three --out three.json";
    done(dir.path(), line);
    let context = json(dir.path().join("three/context.json"));
    assert_eq!(
        (&context["profile"], &context["preset"]),
        (&"gg-0.4".into(), &"default".into())
    );
    let line = "regrade --from one --judgments own.toml --out-private new --out new.json";
    let said = run(dir.path(), &line.split(' ').collect::<Vec<_>>());
    assert_eq!(said.err, "E_ARGUMENT field=--judgments kind=conflict\n");
}

#[test]
fn the_private_files_are_as_their_schemas_say() {
    let dir = base();
    copy(&root().join("golden"), &dir.path().join("in"));
    done(
        dir.path(),
        "grade in --quiet --out-private one --out one.json",
    );
    done(
        dir.path(),
        "regrade --from one --quiet --out-private two --out two.json",
    );
    let schema = |name: &str| {
        let text = fs::read_to_string(root().join("schemas").join(name)).unwrap();
        jsonschema::draft202012::new(&serde_json::from_str(&text).unwrap()).unwrap()
    };
    let complain = |name: &str, value: &Value| {
        if let Some(error) = schema(name).iter_errors(value).next() {
            panic!("{name}: {error} at {}", error.instance_path());
        }
    };
    complain(
        "context.v1.schema.json",
        &json(dir.path().join("two/context.json")),
    );
    complain(
        "canary.v1.schema.json",
        &json(dir.path().join("two/canary.json")),
    );
    let packed = read(dir.path().join("one/records.jsonl.zst"));
    let text = String::from_utf8(zstd::decode_all(packed.as_slice()).unwrap()).unwrap();
    let record = schema("record.v1.schema.json");
    let mut kinds = std::collections::BTreeSet::new();
    for line in text.lines() {
        let value: Value = serde_json::from_str(line).unwrap();
        if let Some(error) = record.iter_errors(&value).next() {
            panic!("{error} at {} of {line}", error.instance_path());
        }
        kinds.insert(value.as_object().unwrap().keys().next().unwrap().clone());
        let canonical = deedcheck::canon::to_vec(&serde_json::from_str::<Value>(line).unwrap());
        assert_eq!(canonical.unwrap().len(), line.len(), "a line is compact");
    }
    assert_eq!(
        kinds.into_iter().collect::<Vec<_>>(),
        ["end", "event", "family", "file", "records"]
    );
    for line in [
        "{\"event\":{}}",
        "{\"other\":{}}",
        "{\"family\":{\"files\":-1}}",
    ] {
        assert!(
            !record.is_valid(&serde_json::from_str(line).unwrap()),
            "{line}"
        );
    }
}
