//! What the program says of a recorded session.

use std::path::Path;
use std::process::Command;

use serde_json::Value;

/// Standard output of `deedcheck grade` in a folder, with nothing of the user's surroundings.
pub(super) fn grade(folder: &Path, arguments: &[&str]) -> Vec<u8> {
    let output = Command::new(env!("CARGO_BIN_EXE_deedcheck"))
        .arg("grade")
        .args(arguments)
        .args(["--fail-on", "never"])
        .current_dir(folder)
        .env_clear()
        .output()
        .expect("the program starts");
    let errors = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{arguments:?}: {errors}");
    assert!(!output.stdout.is_empty(), "{arguments:?}: no row; {errors}");
    output.stdout
}

/// The rows that it prints of these files and folders.
pub(super) fn rows(folder: &Path, paths: &[&str]) -> Vec<Value> {
    let mut arguments = vec!["--format", "jsonl"];
    arguments.extend(paths);
    parse(&grade(folder, &arguments))
}

/// Rows from their lines.
pub(super) fn parse(lines: &[u8]) -> Vec<Value> {
    let text = String::from_utf8_lossy(lines);
    text.lines()
        .map(|line| serde_json::from_str(line).unwrap_or_else(|e| panic!("{e}: {line}")))
        .collect()
}

/// The rows of one kind about one file.
pub(super) fn about<'a>(rows: &'a [Value], kind: &str, file: &str) -> Vec<&'a Value> {
    rows.iter()
        .filter(|row| row["kind"] == kind && row["file"] == file)
        .collect()
}
