//! The exact gate profiles against answers of the packages they imitate.

use std::fs;
use std::io::Write as _;
use std::path::{Path, PathBuf};

use deedcheck::rule::gate::replay_cases;
use serde_json::Value;

/// The folder of the case files; `DEEDCHECK_CASES` points elsewhere to put other cases through.
fn case_folder() -> PathBuf {
    std::env::var_os("DEEDCHECK_CASES").map_or_else(
        || Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/cases"),
        PathBuf::from,
    )
}

fn case_files() -> Vec<PathBuf> {
    let folder = case_folder();
    let mut files: Vec<PathBuf> = fs::read_dir(&folder)
        .unwrap_or_else(|e| panic!("cannot list {}: {e}", folder.display()))
        .flatten()
        .map(|entry| entry.path())
        .filter(|path| {
            let name = path.file_name().unwrap_or_default().to_string_lossy();
            name.starts_with("gate") && name.ends_with(".json")
        })
        .collect();
    files.sort();
    assert!(!files.is_empty(), "no gate-*.json in {}", folder.display());
    files
}

/// The document without its answers.
fn stripped(document: &Value) -> Value {
    let mut document = document.clone();
    for (list, key) in [("cases", "expect"), ("functions", "out")] {
        let items = document.get_mut(list).and_then(Value::as_array_mut);
        for item in items.into_iter().flatten() {
            if let Some(map) = item.as_object_mut() {
                map.shift_remove(key);
            }
        }
    }
    document
}

/// Compares list against list, item by item; returns how many are equal.
fn compare(file: &str, list: &str, key: &str, ours: &Value, theirs: &Value) -> usize {
    let items = |document: &Value| document[list].as_array().cloned().unwrap_or_default();
    let (ours, theirs) = (items(ours), items(theirs));
    assert_eq!(ours.len(), theirs.len(), "{file}: {list} lost items");
    for (i, (our, their)) in ours.iter().zip(&theirs).enumerate() {
        assert_eq!(
            our[key], their[key],
            "{file}: {list}[{i}] id {}",
            their["id"]
        );
        assert_eq!(our, their, "{file}: {list}[{i}] changed beside {key}");
    }
    ours.len()
}

#[test]
fn gate_exact() {
    for path in case_files() {
        let file = path.file_name().unwrap().to_string_lossy().into_owned();
        let text = fs::read_to_string(&path).unwrap();
        let theirs: Value = serde_json::from_str(&text).unwrap();
        let input = serde_json::to_string(&stripped(&theirs)).unwrap();
        let output = replay_cases(&input, None).unwrap_or_else(|e| panic!("{file}: {e}"));
        let ours: Value = serde_json::from_str(&output).unwrap();
        let cases = compare(&file, "cases", "expect", &ours, &theirs);
        let functions = compare(&file, "functions", "out", &ours, &theirs);
        assert_eq!(ours, theirs, "{file}: changed outside its lists");
        // Written past the harness's capture, so that a passing run still tells what it covered.
        let report = format!("{file}: {cases} cases, {functions} functions equal");
        writeln!(std::io::stderr(), "{report}").unwrap();
    }
}

/// Replaying a file that has its answers gives the file back, byte for byte.
#[test]
fn gate_layout_is_kept() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/cases");
    for name in ["gate-0.1.0", "gate-0.4.1", "gate-adapter-0.4.1"] {
        let text = fs::read_to_string(folder.join(format!("{name}.json"))).unwrap();
        let output = replay_cases(&text, None).unwrap();
        assert!(output == text.trim_end(), "{name} was laid out anew");
    }
}
