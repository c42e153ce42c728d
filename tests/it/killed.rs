//! A run that is killed wherever it stands leaves nothing that passes for a run.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Child, Stdio};
use std::time::{Duration, Instant};

use crate::cli::{program, run};

/// What a killed run had come to when it was killed.
const STAGES: [&str; 7] = [
    ".partial",
    "records.jsonl.zst",
    "grades.jsonl",
    "aggregate.json",
    "canary.json",
    "context.json",
    "run",
];

fn start(dir: &Path) -> Child {
    program(dir)
        .args([
            "grade",
            "in",
            "--quiet",
            "--out-private",
            "out/run",
            "--out",
            "out/sums.json",
        ])
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .unwrap()
}

/// The unfinished folders of killed runs.
fn partials(dir: &Path) -> Vec<PathBuf> {
    let Ok(entries) = fs::read_dir(dir.join("out")) else {
        return Vec::new();
    };
    let paths = entries.map(|entry| entry.unwrap().path());
    paths
        .filter(|path| path.is_dir() && path.to_string_lossy().ends_with(".partial"))
        .collect()
}

/// Whether a run has come to a stage, as far as its files show.
fn has_come_to(dir: &Path, stage: &str) -> bool {
    match stage {
        "run" => dir.join("out/run").exists(),
        ".partial" => !partials(dir).is_empty(),
        file => partials(dir)
            .iter()
            .any(|partial| partial.join(file).exists()),
    }
}

/// Kills a run at a moment of its own and looks at what is left; true where it was not through.
fn killed(dir: &Path, wait: impl FnOnce(&mut Child)) -> bool {
    fs::create_dir(dir.join("out")).unwrap();
    let mut child = start(dir);
    wait(&mut child);
    child.kill().unwrap();
    child.wait().unwrap();
    let left = fs::read_dir(dir.join("out"))
        .unwrap()
        .map(|entry| entry.unwrap().path());
    let left: Vec<PathBuf> = left.collect();
    let whole = dir.join("out/run").exists();
    for path in &left {
        let name = path.file_name().unwrap().to_string_lossy().into_owned();
        let partial = name.starts_with(".deedcheck-") && name.ends_with(".partial");
        assert!(
            partial || whole && (name == "run" || name == "sums.json"),
            "{name}"
        );
        if partial && path.is_dir() {
            let path = path.to_str().unwrap();
            let args = [
                "regrade",
                "--from",
                path,
                "--out-private",
                "new",
                "--out",
                "new.json",
            ];
            let said = run(dir, &args);
            assert_eq!(said.code, 2, "{path} is accepted");
            assert!(!dir.join("new").exists());
        }
    }
    // Beside a whole run there may be its unfinished sums.
    assert!(left.len() <= 1 + usize::from(whole), "{left:?}");
    let from = [
        "regrade",
        "--quiet",
        "--from",
        "out/run",
        "--out-private",
        "new",
        "--out",
        "new.json",
    ];
    let said = run(dir, &from);
    assert_eq!(
        matches!(said.code, 0 | 1),
        whole,
        "a run is there as a whole or not at all"
    );
    for path in ["new", "new.json"] {
        let path = dir.join(path);
        let _ = fs::remove_dir_all(&path);
        let _ = fs::remove_file(&path);
    }
    if !whole {
        let again = start(dir).wait().unwrap();
        assert!(matches!(again.code(), Some(0 | 1)), "a second run works");
        assert!(dir.join("out/run/context.json").exists() && dir.join("out/sums.json").exists());
    }
    fs::remove_dir_all(dir.join("out")).unwrap();
    !whole
}

#[test]
fn a_killed_run_leaves_nothing_that_is_taken_for_one() {
    let base = tempfile::tempdir().unwrap();
    let dir = base.path();
    let golden = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("golden");
    for entry in walkdir::WalkDir::new(&golden) {
        let entry = entry.unwrap();
        let to = dir
            .join("in")
            .join(entry.path().strip_prefix(&golden).unwrap());
        if entry.file_type().is_dir() {
            fs::create_dir_all(to).unwrap();
        } else {
            fs::copy(entry.path(), to).unwrap();
        }
    }
    fs::create_dir(dir.join("out")).unwrap();
    let begun = Instant::now();
    start(dir).wait().unwrap();
    let length = begun.elapsed();
    fs::remove_dir_all(dir.join("out")).unwrap();
    let mut stopped = 0;
    // Spread over the length of a run, at moments that no clock makes even.
    let mut state: u64 = 0xdead;
    for point in 0..36_u32 {
        state = state
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        let jitter = u32::try_from(state >> 40).unwrap() % 1000;
        let delay = length * (point * 1000 + jitter) / 36_000;
        stopped += u32::from(killed(dir, |_| std::thread::sleep(delay)));
    }
    // And right after each file that a run makes has come into being.
    for stage in STAGES.iter().chain(&STAGES) {
        stopped += u32::from(killed(dir, |child| {
            let patience = Instant::now() + Duration::from_secs(60);
            while !has_come_to(dir, stage) && child.try_wait().unwrap().is_none() {
                assert!(Instant::now() < patience, "no {stage}");
            }
        }));
    }
    assert!(
        stopped >= 25,
        "only {stopped} of 50 runs were stopped before their end"
    );
}
