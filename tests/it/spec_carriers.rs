//! The example in `golden/frozen/carriers/`: every carrier of an answer, and every class of an
//! attempt, from records to grades.

mod hostile;
mod sessions;

use std::path::PathBuf;

use serde_json::{Value, json};

use crate::cli::Said;
use crate::golden::kept::held;
use crate::spec_golden::Scene;

const MADE: [&str; 3] = ["spec.json", "grades.jsonl", "aggregate.json"];
const GIVEN: &str =
    "--spec spec.json --bindings bindings.json --identity identity.json --keys keys.json";

fn kept() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("golden/frozen/carriers")
}

/// The example outside of every work tree, with its sessions.
struct Carriers(Scene);

impl Carriers {
    fn new() -> Self {
        let own = Self(Scene::new());
        for name in MADE {
            // They may be missing, where they are to be made for the first time.
            let _ = std::fs::remove_file(own.folder().join(name));
        }
        sessions::write_all(&own.folder().join("sessions"));
        let said = own.run("spec freeze spec.toml --out spec.json");
        let seal = said.out.lines().find_map(|line| line.strip_prefix("seal "));
        let launch = own.folder().join("launch.toml");
        let text = std::fs::read_to_string(&launch).unwrap();
        let text = text.replace(&"0".repeat(64), seal.unwrap());
        std::fs::write(&launch, text).unwrap();
        own.done("keys --spec spec.json --out keys.json");
        own.done("bind --spec spec.json --launch launch.toml --out bindings.json");
        own
    }

    fn folder(&self) -> PathBuf {
        self.0.at("golden/frozen/carriers")
    }

    fn run(&self, line: &str) -> Said {
        self.0.run_in(&self.folder(), line)
    }

    fn done(&self, line: &str) -> String {
        let said = self.run(line);
        assert_eq!((said.code, said.err.as_str()), (0, ""), "{line}");
        said.out
    }

    fn identify(&self, records: &str) -> Said {
        std::fs::write(self.folder().join("records.jsonl"), records).unwrap();
        self.run(
            "identity --spec spec.json --bindings bindings.json --launch-records records.jsonl \
             --out identity.json",
        )
    }

    fn records(&self) -> String {
        std::fs::read_to_string(self.folder().join("launch-records.jsonl")).unwrap()
    }
}

/// What a reader of the sessions says of them: the attempt, its class and cause, what its carrier
/// does not bear and what the other copy says, and what the task comes to.
const READ: &[&str] = &[
    "main-printed.1 completed - - equal pass",
    "main-differs.1 completed - carrier-mismatch mismatch unknown",
    "main-document.1 completed - - equal pass",
    "main-stream.1 completed - - equal pass",
    "main-nobody.1 inadmissible startup-error - - na",
    "main-limit.1 inadmissible usage-limit - - na",
    "main-overloaded.1 completed api-error-overloaded - - fail",
    "main-cut.1 inadmissible interrupted-driver - - na",
    "child-framed.1 completed - - equal pass",
    "child-only.1 completed - - equal pass",
    "child-launched.1 completed - not-inline unavailable fail",
    "child-differs.1 completed - carrier-mismatch mismatch unknown",
    "child-elsewhere.1 completed - - equal pass",
    "child-outside.1 completed - pointer-outside-roots unavailable unknown",
    "child-waits.1 completed wait-notice - equal fail",
    "child-twice.1 unresolved attempt-class-unresolved - unavailable unknown",
    "child-unanswered.1 completed - carrier-mismatch unavailable unknown",
    "flow-answer.1 completed - - equal pass",
    "flow-differs.1 completed - carrier-mismatch mismatch unknown",
    "flow-again.1~1 inadmissible usage-limit - unavailable na",
    "flow-again.1 completed - - unavailable pass",
    "flow-shape.1 completed schema - unavailable fail",
    "flow-nothing.1 completed null-result - unavailable fail",
    "flow-capped.1 completed schema-invalid - unavailable fail",
    "flow-open.1 unresolved attempt-class-unresolved - unavailable unknown",
    "flow-stopped.1 inadmissible interrupted-driver - unavailable na",
    "exec-answer.1 completed - - - pass",
    "exec-spawned.1 inadmissible interrupted-driver - - na",
    "exec-late.1 completed timeout - - fail",
    "exec-failed.1 completed turn-failed - - fail",
    "exec-limit.1 inadmissible usage-limit - - na",
    "exec-empty.1 inadmissible startup-error - - na",
    "thread-answer.1 completed - - - pass",
    "thread-silent.1 completed empty - - fail",
    "thread-twice.1 unresolved duplicate-rollout - - unknown",
];

#[test]
fn spec_carriers_are_read_as_a_reader_does() {
    let scene = Carriers::new();
    let said = scene.identify(&scene.records());
    assert_eq!((said.code, said.err.as_str()), (0, ""));
    let said = scene.run(&format!(
        "grade {GIVEN} --out-private ../../../run --out aggregate.json"
    ));
    assert_eq!((said.code, said.err.as_str()), (0, ""), "{}", said.out);
    let text = std::fs::read_to_string(scene.0.at("run/grades.jsonl")).unwrap();
    let rows = text
        .lines()
        .map(|line| serde_json::from_str::<Value>(line).unwrap());
    let tasks: Vec<Value> = rows.filter(|row| row["kind"] == "task").collect();
    let attempts = tasks
        .iter()
        .flat_map(|task| task["attempts"].as_array().unwrap());
    let told: Vec<String> = attempts
        .map(|own| {
            let word = |key: &str| own[key].as_str().unwrap_or("-").to_owned();
            let identity = word("identity").replace("carriers-2026.only.", "");
            let rest = ["class", "cause", "carrier", "copy", "status"].map(word);
            format!("{identity} {}", rest.join(" "))
        })
        .collect();
    assert_eq!(told, READ);
    let sums = std::fs::read_to_string(scene.folder().join("aggregate.json")).unwrap();
    let sums: Value = serde_json::from_str(&sums).unwrap();
    let cells = &sums["attempts"]["only.claude"]["cells"];
    for (cell, wanted) in [
        ("recorded", 26),
        ("superseded", 1),
        ("conflicts", 1),
        ("copy.mismatch", 3),
        ("carrier.not-inline", 1),
        ("no-answer.schema", 1),
    ] {
        assert_eq!(cells[cell], wanted, "{cell} of {cells}");
    }
    let mates = &sums["teammates"]["only"]["cells"];
    assert_eq!(
        (&mates["completed"], &mates["unmapped"]),
        (&1.into(), &1.into())
    );
    // Graded again without a single source.
    std::fs::remove_dir_all(scene.folder().join("sessions")).unwrap();
    let said =
        scene.run("regrade --from ../../../run --out-private ../../../again --out again.json");
    assert_eq!((said.code, said.err.as_str()), (0, ""), "{}", said.out);
    let again = std::fs::read_to_string(scene.0.at("again/grades.jsonl")).unwrap();
    assert_eq!(again, text);
    let sums = |name: &str| std::fs::read(scene.folder().join(name)).unwrap();
    assert_eq!(sums("aggregate.json"), sums("again.json"));
    std::fs::write(scene.folder().join("grades.jsonl"), text).unwrap();
    held(&kept(), &scene.folder(), &MADE);
}

#[test]
fn spec_carriers_are_never_guessed() {
    let scene = Carriers::new();
    let all = scene.records();
    let with = |old: &str, new: &str| {
        assert!(all.contains(old), "{old}");
        all.replacen(old, new, 1)
    };
    let cases = [
        // Several agents were launched in that session.
        (
            with(
                "\"session\": \"s-harness\", \"call\": \"call-framed\"",
                "\"session\": \"s-harness\"",
            ),
            "E_IDENTITY_SOURCE kind=subagent row=9 reason=ambiguous",
        ),
        (
            with("call-launched", "call-none"),
            "E_IDENTITY_SOURCE kind=subagent row=11 reason=missing",
        ),
        (
            with("\"key\": \"v2:answer\"", "\"key\": \"v2:none\""),
            "E_IDENTITY_SOURCE kind=workflow-child row=18 reason=missing",
        ),
        (
            with(
                "\"workflow\": \"wf_tides-one\"",
                "\"workflow\": \"wf_tides-two\"",
            ),
            "E_IDENTITY_SOURCE kind=workflow-child row=21 reason=missing",
        ),
        (
            with("\"session\": \"s-limit\"", "\"session\": \"s-flows\""),
            "E_IDENTITY_SOURCE kind=main row=6 reason=host",
        ),
        (
            with("\"agent\": \"aa07-mate\"", "\"agent\": \"aa07-alone\""),
            "E_IDENTITY_SOURCE kind=teammate row=34 reason=not-in-process",
        ),
        (
            with("\"agent\": \"aa07-stray\"", "\"agent\": \"aa07-mate\""),
            "E_IDENTITY_SOURCE kind=teammate row=35 reason=shared",
        ),
        (
            with(
                "\"boundary\": \"last-turn\"",
                "\"boundary\": \"first-turn\"",
            ),
            "E_IDENTITY_INVALID row=31 field=boundary kind=unknown-value",
        ),
        (
            with(
                "\"copies\": \"rollouts/answer\"",
                "\"copies\": \"rollouts/silent\"",
            ),
            "E_IDENTITY_SOURCE kind=subagent row=31 reason=missing",
        ),
    ];
    for (records, wanted) in cases {
        let said = scene.identify(&records);
        assert_eq!((said.code, said.err.trim_end()), (2, wanted));
        assert!(!scene.folder().join("identity.json").exists());
    }
    // The same key in another workflow's journal: nobody can say which of the two it was.
    let flows = scene
        .folder()
        .join("sessions/projects/-home-dev-tides/s-flows/subagents/workflows");
    let journal = flows.join("wf_tides-two/journal.jsonl");
    let mut text = std::fs::read_to_string(&journal).unwrap();
    text += "{\"type\":\"started\",\"key\":\"v2:answer\",\"agentId\":\"aa07-stopped\"}\n";
    std::fs::write(&journal, text).unwrap();
    let said = scene.identify(&all);
    let wanted = "E_IDENTITY_SOURCE kind=workflow-child row=18 reason=ambiguous";
    assert_eq!((said.code, said.err.trim_end()), (2, wanted));
}

/// A driver that keeps a ledger of its own says there what launch records say otherwise.
#[test]
fn spec_carriers_follow_a_driver_s_ledger() {
    let scene = Carriers::new();
    let all = scene.records();
    let table = || std::fs::read_to_string(scene.folder().join("identity.json")).unwrap();
    assert_eq!(scene.identify(&all).code, 0);
    let told = table();
    let without = |line: &str| match line.split_once(", \"driver\": ") {
        Some((head, _)) => format!("{head}}}\n"),
        None => format!("{line}\n"),
    };
    let bare: String = all.lines().map(without).collect();
    let event = |task: &str, more: Value| {
        let mut own = json!({"schema": "deedcheck/driver/1", "run": "carriers-2026", "arm": "only",
            "task": task, "attempt": 1});
        own.as_object_mut()
            .unwrap()
            .extend(more.as_object().unwrap().clone());
        format!("{own}\n")
    };
    let ran = |task: &str, end: Value| {
        let begun = ["intent", "spawned"].map(|word| event(task, json!({"event": word})));
        begun.concat() + &event(task, end)
    };
    let begun = ["intent", "spawned"].map(|word| event("exec-spawned", json!({"event": word})));
    let ledger = [
        ran("exec-answer", json!({"event": "finished", "exit": 0})),
        begun.concat(),
        ran(
            "exec-late",
            json!({"event": "finished", "exit": 124, "timed-out": true}),
        ),
        ran("exec-failed", json!({"event": "finished", "exit": 1})),
        ran("exec-limit", json!({"event": "finished", "exit": 1})),
    ]
    .concat();
    let identify = |records: &str, ledger: &str| {
        let _ = std::fs::remove_file(scene.folder().join("identity.json"));
        std::fs::write(scene.folder().join("records.jsonl"), records).unwrap();
        std::fs::write(scene.folder().join("driver.jsonl"), ledger).unwrap();
        scene.run(
            "identity --spec spec.json --bindings bindings.json --launch-records records.jsonl \
             --driver-ledger driver.jsonl --out identity.json",
        )
    };
    let said = identify(&bare, &ledger);
    assert_eq!((said.code, said.err.as_str()), (0, ""));
    assert_eq!(table(), told);
    assert!(
        said.out
            .contains("driver ledger: 5 attempts, 0 of them without"),
        "{}",
        said.out
    );
    // An interrupt is never unsaid, and an attempt that was never launched is counted.
    let more = event("exec-failed", json!({"event": "interrupted"}))
        + &event("exec-failed", json!({"event": "finished", "exit": 0}));
    let none = bare.replace(
        "\"exec-late\", \"attempt\": 1",
        "\"exec-late\", \"attempt\": 2",
    );
    let said = identify(&none, &format!("{more}{ledger}"));
    assert_eq!((said.code, said.err.as_str()), (0, ""));
    assert!(
        said.out.contains("5 attempts, 1 of them without"),
        "{}",
        said.out
    );
    let rows: Value = serde_json::from_str(&table()).unwrap();
    let driver = |task: &str| {
        let rows = rows["rows"].as_array().unwrap();
        let own = rows
            .iter()
            .find(|row| row["identity"].as_str().unwrap().contains(task));
        own.unwrap()["driver"].clone()
    };
    assert_eq!(
        driver("exec-failed"),
        json!({"state": "interrupted", "exit": 1})
    );
    assert_eq!(driver("exec-late"), Value::Null);
    // What the launch record says stands beside it, and must be the same.
    let said = identify(&all, &event("exec-answer", json!({"event": "interrupted"})));
    let wanted = "E_IDENTITY_INVALID row=26 field=driver kind=other-than-ledger";
    assert_eq!((said.code, said.err.trim_end()), (2, wanted));
    for (line, wanted) in [
        (
            event("exec-none", json!({"event": "intent"})),
            "field=task line=1 kind=unknown-task",
        ),
        (
            event("exec-late", json!({"event": "begun"})),
            "field=event line=1 kind=unknown-value",
        ),
        (
            event("exec-late", json!({"event": "spawned", "exit": 0})),
            "field=exit line=1 kind=not-finished",
        ),
        (
            event("exec-late", json!({"event": "intent"})).replace("carriers-2026", "others-2026"),
            "field=run line=1 kind=other-run",
        ),
    ] {
        let said = identify(&bare, &line);
        let told = format!("E_DRIVER_LEDGER {wanted}");
        assert_eq!(
            (said.code, said.err.trim_end()),
            (2, told.as_str()),
            "{line}"
        );
    }
    let schema = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("schemas/driver.v1.schema.json");
    let schema = serde_json::from_str(&std::fs::read_to_string(schema).unwrap()).unwrap();
    let schema = jsonschema::draft202012::new(&schema).unwrap();
    for line in ledger.lines() {
        assert!(
            schema.is_valid(&serde_json::from_str(line).unwrap()),
            "{line}"
        );
    }
}

#[test]
fn spec_carriers_files_are_as_their_schemas_say() {
    let scene = Carriers::new();
    assert_eq!(scene.identify(&scene.records()).code, 0);
    let schemas = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("schemas");
    let file = |path: PathBuf| std::fs::read_to_string(path).unwrap();
    let holds = |schema: &str, text: &str| {
        let schema = file(schemas.join(schema));
        let schema = serde_json::from_str(&schema).unwrap();
        let schema = jsonschema::draft202012::new(&schema).unwrap();
        for line in text.lines() {
            let value: Value = serde_json::from_str(line).unwrap();
            if let Some(error) = schema.iter_errors(&value).next() {
                panic!("{error} at {}: {line}", error.instance_path());
            }
        }
    };
    let table = file(scene.folder().join("identity.json"));
    holds("identity.v1.schema.json", &table);
    holds("launch-record.v1.schema.json", &scene.records());
    holds(
        "frozen-rows.v1.schema.json",
        &file(kept().join("grades.jsonl")),
    );
    holds(
        "frozen-aggregate.v1.schema.json",
        &file(kept().join("aggregate.json")),
    );
}

/// The controls of a user's own were not kept with frozen checks, so that a run graded again had
/// other sums.
#[test]
fn spec_carriers_keep_controls_of_ones_own() {
    let scene = Carriers::new();
    assert_eq!(scene.identify(&scene.records()).code, 0);
    let built_in = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("calibration/controls");
    let files = walkdir::WalkDir::new(built_in).sort_by_file_name();
    let file = files
        .into_iter()
        .filter_map(Result::ok)
        .find(|entry| {
            let path = entry.path().to_string_lossy().into_owned();
            path.ends_with(".toml") && path.contains("claim")
        })
        .unwrap();
    let own = scene.folder().join("own");
    std::fs::create_dir(&own).unwrap();
    std::fs::copy(file.path(), own.join("a.toml")).unwrap();
    let private = |name: &str| format!("--quiet --out-private ../../../{name} --out {name}.json");
    let done = |line: String| {
        let said = scene.run(&line);
        assert_eq!((said.code, said.err.as_str()), (0, ""), "{line}");
    };
    done(format!("grade {GIVEN} --controls own {}", private("one")));
    done(format!("grade {GIVEN} {}", private("plain")));
    std::fs::remove_dir_all(&own).unwrap();
    done(format!("regrade --from ../../../one {}", private("two")));
    let read = |name: &str| std::fs::read(scene.folder().join(name)).unwrap();
    assert_ne!(read("one.json"), read("plain.json"));
    assert_eq!(read("one.json"), read("two.json"));
}
