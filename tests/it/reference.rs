//! The slow second reader beside the program: `tests/reference`, file by file.

use std::path::Path;
use std::process::Command;

use crate::shared;

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

/// Runs the comparison over a folder and panics with every difference.
fn compare(folder: &Path) {
    let run = Command::new("python3")
        .arg(root().join("tests/reference/compare.py"))
        .arg(env!("CARGO_BIN_EXE_deedcheck"))
        .arg(folder)
        .output()
        .unwrap_or_else(|error| panic!("python3 is needed for the second reader: {error}"));
    let said = String::from_utf8_lossy(&run.stdout);
    assert!(
        run.status.success(),
        "the readers differ on {}:\n{said}{}",
        folder.display(),
        String::from_utf8_lossy(&run.stderr)
    );
}

#[test]
fn the_second_reader_keeps_its_own_contract() {
    let run = Command::new("python3")
        .arg(root().join("tests/reference/test_reader.py"))
        .output()
        .unwrap_or_else(|error| panic!("python3 is needed for the second reader: {error}"));
    assert!(
        run.status.success(),
        "{}",
        String::from_utf8_lossy(&run.stderr)
    );
}

#[test]
fn both_readers_agree_on_every_edge_case() {
    let edge = root().join("tests/edge");
    assert!(edge.is_dir(), "the edge cases are gone");
    compare(&edge);
}

#[test]
fn both_readers_agree_on_the_golden_transcripts() {
    let golden = root().join("golden");
    if golden.is_dir() {
        compare(&golden);
    }
}

#[test]
fn both_readers_agree_on_the_corpus() {
    if let Some(corpus) = shared::corpus("both_readers_agree_on_the_corpus") {
        compare(&corpus);
    }
}
