//! The same bytes for the same input, whatever the machine is like.

use std::path::{Path, PathBuf};
use std::process::Command;

use crate::shared;

struct Way<'w> {
    jobs: &'w str,
    locale: &'w str,
    zone: &'w str,
}

const PLAIN: Way<'_> = Way {
    jobs: "1",
    locale: "C",
    zone: "UTC",
};

fn grade(paths: &[PathBuf], way: &Way<'_>) -> Vec<u8> {
    let run = Command::new(env!("CARGO_BIN_EXE_deedcheck"))
        .args(["grade", "--format", "jsonl", "--jobs", way.jobs])
        .args(paths)
        .env("LC_ALL", way.locale)
        .env("TZ", way.zone)
        .output()
        .expect("the test material is there");
    assert!(
        matches!(run.status.code(), Some(0 | 1)),
        "{}",
        String::from_utf8_lossy(&run.stderr)
    );
    run.stdout
}

fn copy(from: &Path, to: &Path) {
    std::fs::create_dir_all(to).expect("the test material is there");
    for entry in std::fs::read_dir(from).expect("the test material is there") {
        let entry = entry.expect("the test material is there");
        let target = to.join(entry.file_name());
        if entry
            .file_type()
            .expect("the test material is there")
            .is_dir()
        {
            copy(&entry.path(), &target);
        } else {
            std::fs::write(
                &target,
                std::fs::read(entry.path()).expect("the test material is there"),
            )
            .expect("the test material is there");
        }
    }
}

fn holds_for(paths: &[PathBuf]) {
    let plain = grade(paths, &PLAIN);
    assert!(!plain.is_empty());
    for jobs in ["2", "7"] {
        let way = Way {
            jobs,
            locale: "de_DE.UTF-8",
            zone: "Asia/Tokyo",
        };
        assert!(
            grade(paths, &way) == plain,
            "--jobs {jobs}, another locale and zone"
        );
    }
    let mut other: Vec<PathBuf> = paths.to_vec();
    other.reverse();
    other.rotate_left(paths.len() / 3);
    assert!(grade(&other, &PLAIN) == plain, "another order of arguments");
}

/// Rows name files by their paths below the argument, so that a copy elsewhere reads the same.
fn holds_elsewhere(folder: &Path) {
    let elsewhere = tempfile::tempdir().expect("the test material is there");
    let moved = elsewhere
        .path()
        .join("x y")
        .join(folder.file_name().expect("the test material is there"));
    copy(folder, &moved);
    let here = grade(&[folder.to_path_buf()], &PLAIN);
    assert!(grade(&[moved], &PLAIN) == here, "a copy under another path");
}

#[test]
fn the_edge_cases_and_the_golden_transcripts_grade_to_the_same_bytes() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    for folder in [root.join("tests/edge"), root.join("golden")] {
        if !folder.is_dir() {
            continue;
        }
        let mut inside: Vec<PathBuf> = std::fs::read_dir(&folder)
            .expect("the test material is there")
            .map(|entry| entry.expect("the test material is there").path())
            .collect();
        inside.sort();
        holds_for(&inside);
        holds_elsewhere(&folder);
    }
}

#[test]
fn the_corpus_grades_to_the_same_bytes() {
    let Some(corpus) = shared::corpus("the_corpus_grades_to_the_same_bytes") else {
        return;
    };
    let parts: Vec<PathBuf> = ["claude", "codex", "other", "recorded"]
        .iter()
        .map(|part| corpus.join(part))
        .filter(|part| part.is_dir())
        .collect();
    holds_for(&parts);
    holds_elsewhere(&corpus.join("recorded"));
}
