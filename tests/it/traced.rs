//! Grading, and grading again, start no program, open no socket and ask no clock: the system's own record of their calls shows it.
//!
//! A clock that the kernel maps into the process is asked without a call. That none is asked is held by reading the source:
//! `house::the_library_prints_nothing_and_knows_no_surroundings`.

use std::path::Path;
use std::process::Command;

use crate::spec_golden::{GIVEN, Scene};
use crate::spec_tides::Tides;

/// What is looked for.
const TRACED: &str = "trace=%network,%process,%clock";

/// Runs the program under `strace`: how it ended, and the calls that it must not make.
fn traced(scene: &Scene, folder: &Path, line: &str) -> (i32, Vec<String>) {
    let trace = scene.at("trace");
    let run = Command::new("strace")
        .args([
            "--quiet=attach,exit,thread-execve",
            "--follow-forks",
            "-e",
            TRACED,
            "-o",
        ])
        .arg(&trace)
        .arg(env!("CARGO_BIN_EXE_deedcheck"))
        .args(line.split(' '))
        .current_dir(folder)
        .env("HOME", scene.at("home"))
        .output()
        .expect("strace is needed for this test: apt-get install -y strace");
    let told = String::from_utf8_lossy(&run.stderr).into_owned();
    let text = std::fs::read_to_string(&trace).unwrap_or_default();
    let calls: Vec<&str> = text.lines().filter_map(call).collect();
    // Where it may not look at others, strace says so and there is nothing to read.
    assert!(calls.iter().any(|own| own.starts_with("execve(")), "{told}");
    let mut started = 0;
    let mut wrong = Vec::new();
    for own in calls {
        let name = own.split('(').next().unwrap_or("");
        started += usize::from(name == "execve");
        let thread = name.starts_with("clone") && own.contains("CLONE_THREAD");
        if !thread && !["execve", "exit", "exit_group"].contains(&name) || started > 1 {
            wrong.push(own.to_owned());
        }
    }
    (run.status.code().unwrap_or(-1), wrong)
}

/// The call of a line of the trace, behind the number of its process; none where the line goes on with one, or tells of a signal.
fn call(line: &str) -> Option<&str> {
    let (number, call) = line.split_once(' ')?;
    let call = call.trim_start();
    let is_call = call.starts_with(|c: char| c.is_ascii_lowercase());
    (number.bytes().all(|byte| byte.is_ascii_digit()) && is_call).then_some(call)
}

#[test]
fn traced_grading_starts_nothing_and_asks_no_clock() {
    let scene = Scene::new();
    scene.prepare();
    let frozen = scene.at("golden/frozen");
    let policy = scene.at("golden/frozen/policy");
    for name in ["spec.json", "aggregate.json"] {
        std::fs::remove_file(policy.join(name)).unwrap();
    }
    let made = scene.run_in(&policy, "spec freeze spec.toml --out spec.json");
    assert_eq!((made.code, made.err.as_str()), (0, ""));
    let runs = [
        (&frozen, format!("grade {GIVEN} --out-private ../../tasks --out ../../tasks.json")),
        (&frozen, "regrade --from ../../tasks --out-private ../../tasks-again --out ../../tasks-again.json".to_owned()),
        (&policy, "grade --spec spec.json --out-private ../../../policy --out ../../../policy.json ../..".to_owned()),
        (&policy, "regrade --from ../../../policy --out-private ../../../policy-again --out ../../../policy-again.json".to_owned()),
        (&frozen, "grade --out-private ../../plain --out ../../plain.json --jobs 3 ../claude-stale-run ../codex-stale-run".to_owned()),
        (&frozen, "regrade --from ../../plain --out-private ../../plain-again --out ../../plain-again.json".to_owned()),
    ];
    for (folder, line) in runs {
        let (code, wrong) = traced(&scene, folder, &line);
        assert!(matches!(code, 0 | 1), "{code}: {line}");
        assert!(wrong.is_empty(), "{line}: {wrong:#?}");
    }
}

/// Captures, lanes and carriers are only read, too.
#[test]
fn traced_grading_with_captures_starts_nothing() {
    let tides = Tides::new();
    let again =
        "regrade --from ../../../traced --out-private ../../../traced-again --out again.json";
    for line in [Tides::line("traced", "--jobs 2"), again.to_owned()] {
        let (code, wrong) = traced(&tides.0, &tides.folder(), &line);
        assert_eq!(code, 1, "{line}");
        assert!(wrong.is_empty(), "{line}: {wrong:#?}");
    }
}

/// The same eyes see a program that is started.
#[test]
fn traced_keys_start_git() {
    let scene = Scene::new();
    scene.prepare();
    let line = "keys --spec spec.json --repo ../../repo --files files --facts facts-open.json \
                --facts facts-close.json --out ../../keys-again.json";
    let (code, wrong) = traced(&scene, &scene.at("golden/frozen"), line);
    assert_eq!(code, 0, "{wrong:?}");
    assert!(wrong.iter().any(|own| own.contains("git")), "{wrong:?}");
}
