//! A spec without tasks: its checks are asked of every turn of the recorded sessions.

use std::path::PathBuf;

use serde_json::Value;

use crate::spec_golden::Scene;

/// What is committed of what is made.
const MADE: [&str; 3] = ["spec.json", "grades.jsonl", "aggregate.json"];

fn golden() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("golden/frozen/policy")
}

/// Grades the policy in a scene of its own, with so many threads.
fn graded(scene: &Scene, jobs: u32) -> (i32, String, PathBuf) {
    let folder = scene.at("golden/frozen/policy");
    for name in MADE {
        // They may be missing, where they are to be made for the first time.
        let _ = std::fs::remove_file(folder.join(name));
    }
    let frozen = scene.run_in(&folder, "spec freeze spec.toml --out spec.json");
    assert_eq!(
        (frozen.code, frozen.err.as_str()),
        (0, ""),
        "{}",
        frozen.out
    );
    let said = scene.run_in(
        &folder,
        &format!(
            "grade --spec spec.json --jobs {jobs} --out-private ../../../run{jobs} \
             --out aggregate.json ../.."
        ),
    );
    assert_eq!(said.err, "", "{}", said.out);
    let rows = scene.at(&format!("run{jobs}/grades.jsonl"));
    std::fs::copy(rows, folder.join("grades.jsonl")).unwrap();
    (said.code, said.out, folder)
}

#[test]
fn spec_policy_rows_are_those_committed() {
    let scene = Scene::new();
    let (code, out, folder) = graded(&scene, 1);
    assert_eq!(code, 1, "{out}");
    let accepting = std::env::var_os("DEEDCHECK_ACCEPT").is_some();
    let mut changed = Vec::new();
    let made: Vec<Vec<u8>> = MADE
        .map(|name| std::fs::read(folder.join(name)).unwrap())
        .into();
    for (name, made) in MADE.iter().zip(&made) {
        let kept = golden().join(name);
        if accepting {
            std::fs::write(&kept, made).unwrap();
        } else if std::fs::read(&kept).ok().as_ref() != Some(made) {
            changed.push(*name);
        }
    }
    let (_, again, folder) = graded(&scene, 3);
    assert_eq!(out, again);
    for (name, made) in MADE.iter().zip(&made) {
        assert_eq!(&std::fs::read(folder.join(name)).unwrap(), made, "{name}");
    }
    let hint = "look at each change; if all are meant: DEEDCHECK_ACCEPT=1 cargo test spec_policy";
    assert!(changed.is_empty(), "{changed:?} changed; {hint}");
}

/// Every row that fails names the calls that it rests on, and no turn is told of twice.
#[test]
fn spec_policy_rows_tell_where() {
    let text = std::fs::read_to_string(golden().join("grades.jsonl")).unwrap();
    let mut seen = std::collections::BTreeSet::new();
    let mut tally = std::collections::BTreeMap::<String, u64>::new();
    for line in text.lines() {
        let row: Value = serde_json::from_str(line).unwrap();
        let place = format!(
            "{} {} {} {}",
            row["file"], row["session"], row["turn"], row["check"]
        );
        assert!(seen.insert(place.clone()), "{place}: twice");
        let status = row["status"].as_str().unwrap();
        *tally
            .entry(format!("{} {status}", row["check"]))
            .or_default() += 1;
        assert!(row["task"].is_null() && row["arm"].is_null(), "{place}");
        if status == "fail" {
            assert!(!row["evidence"].as_array().unwrap().is_empty(), "{place}");
        }
        assert_eq!(
            status == "na",
            row["reasons"] == serde_json::json!(["not-asked"]),
            "{place}"
        );
    }
    for word in ["pass", "fail", "unknown", "na"] {
        let key = format!("\"tests-after-edits\" {word}");
        assert!(tally.contains_key(&key), "{tally:?}");
    }
}

#[test]
fn spec_policy_and_tasks_are_not_mixed_up() {
    let scene = Scene::new();
    scene.prepare();
    let said = scene.run("grade --spec spec.json ../..");
    assert_eq!(
        (said.code, said.err.as_str()),
        (2, "E_ARGUMENT field=--bindings kind=missing\n")
    );
    let said = scene.run("grade --spec spec.json --bindings bindings.json ../..");
    assert_eq!(said.code, 2, "{}", said.out);
}
