//! The example in `golden/frozen/tides/`: sessions that the real clients recorded, with captures, lanes, an encoding, a blind
//! task and children in a role, from records to grades.

use std::path::PathBuf;

use serde_json::{Value, json};

use crate::cli::Said;
use crate::golden::kept::held;
use crate::spec_golden::{Scene, repository};

const MADE: [&str; 3] = ["spec.json", "grades.jsonl", "aggregate.json"];
const ARMS: [&str; 2] = ["with", "without"];

fn kept() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("golden/frozen/tides")
}

/// The example outside of every work tree, with the trees that its arms worked in.
pub(crate) struct Tides(pub(crate) Scene);

impl Tides {
    /// Everything up to the grade. What the arms did to their trees is done between the captures.
    pub(crate) fn new() -> Self {
        let own = Self(Scene::new());
        for name in MADE {
            // They may be missing, where they are to be made for the first time.
            let _ = std::fs::remove_file(own.folder().join(name));
        }
        for arm in ARMS {
            let tree = own.folder().join(format!("tree-{arm}"));
            let base = repository(&kept().join("tree"), &tree);
            let spec = std::fs::read_to_string(own.folder().join("spec.toml")).unwrap();
            assert!(spec.contains(&base), "the commit is {base} now");
        }
        let out = own.done("spec freeze spec.toml --out spec.json");
        let seal = out.lines().find_map(|line| line.strip_prefix("seal "));
        own.edit("launch.toml", |text| {
            text.replace(&"0".repeat(64), seal.unwrap())
        });
        own.done("keys --spec spec.json --out keys.json");
        own.done("bind --spec spec.json --launch launch.toml --out bindings.json");
        let extra = own.folder().join("tree-without/tables/extra.csv");
        std::fs::write(extra, "station,high\n").unwrap();
        for arm in ARMS {
            own.capture(&format!(
                "pre-arm --arm {arm} --out-private ../../../before-{arm}"
            ));
        }
        own.edit("tree-with/tables/heights.csv", |text| text + "vara,275\n");
        for arm in ARMS {
            let files = format!("--after ../../../before-{arm} --out-private ../../../after-{arm}");
            own.capture(&format!("post-arm --arm {arm} {files}"));
        }
        own.capture("post-w --arm with --out-private ../../../end-with");
        let out = own.done(
            "identity --spec spec.json --bindings bindings.json --launch-records launch-records.jsonl \
             --driver-ledger driver.jsonl --out identity.json",
        );
        assert!(
            out.contains("driver ledger: 3 attempts, 0 of them"),
            "{out}"
        );
        own
    }

    fn edit(&self, name: &str, with: impl FnOnce(String) -> String) {
        let path = self.folder().join(name);
        let text = std::fs::read_to_string(&path).unwrap();
        std::fs::write(path, with(text)).unwrap();
    }

    pub(crate) fn folder(&self) -> PathBuf {
        self.0.at("golden/frozen/tides")
    }

    fn run(&self, line: &str) -> Said {
        self.0.run_in(&self.folder(), line)
    }

    fn done(&self, line: &str) -> String {
        let said = self.run(line);
        assert_eq!((said.code, said.err.as_str()), (0, ""), "{line}");
        said.out
    }

    fn capture(&self, phase: &str) {
        self.done(&format!(
            "capture --spec spec.json --bindings bindings.json --phase {phase}"
        ));
    }

    /// The command that grades it.
    pub(crate) fn line(out: &str, more: &str) -> String {
        let captures = [
            "before-with",
            "after-with",
            "end-with",
            "before-without",
            "after-without",
        ];
        let captures = captures.map(|name| format!("--captures ../../../{name} "));
        format!(
            "grade --spec spec.json --bindings bindings.json --identity identity.json --keys keys.json {}\
             --out-private ../../../{out} --out {out}.json {more}",
            captures.concat()
        )
    }

    fn grade(&self, out: &str, more: &str) -> Said {
        self.run(&Self::line(out, more))
    }

    fn json(&self, name: &str) -> Value {
        let text = std::fs::read_to_string(self.folder().join(name)).unwrap();
        serde_json::from_str(&text).unwrap()
    }

    fn rows(&self, run: &str) -> Vec<Value> {
        let text = std::fs::read_to_string(self.0.at(&format!("{run}/grades.jsonl"))).unwrap();
        text.lines()
            .map(|line| serde_json::from_str(line).unwrap())
            .collect()
    }
}

/// What a reader of the sessions says of them: the attempt, its class and cause, what its carrier does not bear and what
/// the other copy says, and what the answer comes to.
const ATTEMPTS: &[&str] = &[
    "with.merle.1 completed - - equal pass",
    "without.merle.1 completed - - - pass",
    "with.gorm.1 completed - - - pass",
    "without.gorm.1 completed - - - fail",
    "with.selk.1 inadmissible usage-limit - - na",
    "with.selk.2 completed - - - pass",
    "without.selk.1 inadmissible startup-error - - na",
    "with.orla.1 completed api-error-unknown - - fail",
    "without.orla.1 inadmissible interrupted-driver - - na",
    "with.pack.1 completed - - - pass",
    "with.sound.1 completed - - - pass",
    "with.sound.2 completed - - - pass",
    "with.sound-control.1 completed - - - pass",
    "with.flow-merle.1 completed - - equal pass",
    "with.flow-gorm.1 completed schema-invalid - unavailable fail",
    "with.flow-selk.1 inadmissible usage-limit - unavailable na",
    "with.flow-nuun.1 completed schema - unavailable fail",
    "with.flow-orla.1~1 inadmissible usage-limit - unavailable na",
    "with.flow-orla.1 completed - - equal pass",
    "with.back-merle.1 completed - - equal pass",
    "with.back-gorm.1 completed wait-notice - equal fail",
    "with.back-selk.1 completed - not-inline unavailable fail",
    "with.nuun.1 completed - - - pass",
    "without.nuun.1 completed - - - pass",
    "with.exec-orla.1 completed - - - pass",
    "without.exec-orla.1 completed timeout - - fail",
    "without.exec-orla.2 inadmissible usage-limit - - na",
    "with.counted.1 completed - - - pass",
    "without.counted.1 completed - - - fail",
    "with.vara.1 completed - - - pass",
    "with.lowest.1 completed - - - fail",
    "without.lowest.1 completed - - - unknown",
    "with.overview.1 completed - - - na",
];

/// What the same reader says of what stands beside the answers: the tool was used or not, the packet alone was read or not, the
/// role was kept or not, the tree is as it was to become.
const BESIDE: &[&str] = &[
    "with.merle.1 merle-lane pass",
    "without.merle.1 merle-lane fail not-adopted",
    "with.gorm.1 gorm-lane fail not-adopted",
    "without.gorm.1 gorm-lane fail not-adopted",
    "with.selk.1 selk-lane na usage-limit",
    "with.selk.2 selk-lane pass",
    "without.selk.1 selk-lane na startup-error",
    "with.orla.1 orla-lane unknown api-error-unknown",
    "without.orla.1 orla-lane na interrupted-driver",
    "with.pack.1 pack-trips pass",
    "with.pack.1 pack-size pass",
    "with.sound.1 sound-blind fail marker reads",
    "with.sound.2 sound-blind pass",
    "with.sound-control.1 sound-control-read pass",
    "with.nuun.1 nuun-role pass",
    "without.nuun.1 nuun-role fail effort model role-text",
    "with.exec-orla.1 exec-orla-lane pass",
    "without.exec-orla.1 exec-orla-lane unknown timeout",
    "without.exec-orla.2 exec-orla-lane na usage-limit",
    "with.counted.1 counted-stations pass",
    "without.counted.1 counted-stations fail count",
    "with.vara.1 vara-tree pass",
    "with.vara.1 vara-accepted pass",
    "with.lowest.1 lowest-height fail count",
    "without.lowest.1 lowest-height unknown tree-drift",
];

fn told(row: &Value) -> String {
    let word = |key: &str| row[key].as_str().unwrap_or("-").to_owned();
    let identity = word("identity").replace("tides-run-2026-03.", "");
    let reasons = row["reasons"].as_array().unwrap();
    let reasons: Vec<&str> = reasons.iter().map(|own| own.as_str().unwrap()).collect();
    let line = format!(
        "{identity} {} {} {}",
        word("check"),
        word("status"),
        reasons.join(" ")
    );
    line.trim_end().to_owned()
}

#[test]
fn spec_tides_is_graded_as_a_reader_does() {
    let scene = Tides::new();
    let said = scene.grade("run", "--jobs 2");
    assert_eq!((said.code, said.err.as_str()), (1, ""), "{}", said.out);
    let rows = scene.rows("run");
    let tasks = rows.iter().filter(|row| row["kind"] == "task");
    let attempts: Vec<String> = tasks
        .flat_map(|task| task["attempts"].as_array().unwrap())
        .map(|own| {
            let word = |key: &str| own[key].as_str().unwrap_or("-").to_owned();
            let identity = word("identity").replace("tides-run-2026-03.", "");
            format!(
                "{identity} {}",
                ["class", "cause", "carrier", "copy", "status"]
                    .map(word)
                    .join(" ")
            )
        })
        .collect();
    assert_eq!(attempts, ATTEMPTS);
    let evidence = |row: &&Value| {
        let kind = row["check_kind"].as_str().unwrap_or("");
        let answer = ["count-before-noun", "payload", "choice-in-clause"].contains(&kind);
        row["kind"] == "check" && (!answer || row["task"] == "lowest")
    };
    let beside: Vec<String> = rows.iter().filter(evidence).map(told).collect();
    assert_eq!(beside, BESIDE);
    // The block of the answer: a header and five rows, without the last line's end.
    let size = rows.iter().find(|row| row["check"] == "pack-size").unwrap();
    assert_eq!(size["facts"]["bytes"], json!([74]));
    let sums = scene.json("run.json");
    // What is not graded stands in the sums, and beside what was planned.
    let files = &sums["tasks"]["with.files"]["cells"];
    assert_eq!(
        (&files["planned"], &files["not-graded"]),
        (&json!(3), &json!(1))
    );
    let last = rows.last().unwrap();
    assert_eq!(
        (&last["status"], &last["verdict"]),
        (&json!("na"), &json!("not-graded"))
    );
    let gates = &sums["gates"];
    let gate = |id: &str| {
        let own = &gates[id];
        json!([
            own["status"],
            own["sensitive"],
            own["population"],
            own["lower"],
            own["upper"]
        ])
    };
    // Nineteen organic tasks of the arm: twelve pass, and one has no attempt that counts.
    assert_eq!(gate("quality"), json!(["fail", false, 19, 12, 13]));
    // Both arms do eight: six pass with the tool; without it two, and three more may.
    assert_eq!(gate("not-worse"), json!(["pass", false, 8, 6, 6]));
    let other = ["baseline_lower", "baseline_upper"].map(|key| gates["not-worse"][key].clone());
    assert_eq!(other, [json!(2), json!(5)]);
    // Six attempts could have used it: three did and are right, and nobody knows of the one that a limit broke off.
    assert_eq!(gate("tidegrep"), json!(["pass", false, 6, 3, 4]));
    assert_eq!(gate("whole"), json!(["pass", false, 1, 1, 1]));
    assert_eq!(gate("blind"), json!(["pass", false, 1, 1, 1]));
    assert_eq!(gates["per-task"]["status"], "told");
    let divisor = |key: &str| gates["per-task"]["groups"][key]["cells"].clone();
    let cells = |[lower, upper, both, most]: [Value; 4]| json!({"lower": lower, "upper": upper, "matched-lower": both, "matched-upper": most});
    assert_eq!(
        divisor("with.files"),
        cells([json!(2), json!(2), json!(1), json!(1)])
    );
    // Nothing is ever divided by nothing.
    assert_eq!(
        divisor("without.files"),
        cells([Value::Null, json!(1), Value::Null, json!(1)])
    );
}

#[test]
fn spec_tides_tells_the_bounds_of_every_other_reading() {
    let scene = Tides::new();
    assert_eq!(scene.grade("run", "--jobs 2").code, 1);
    let sums = scene.json("run.json");
    let figures = |reading: &str, value: &str, gate: &str| {
        let all = sums["alternatives"].as_array().unwrap().iter();
        let mut own = all.filter(|own| own["reading"] == reading && own["value"] == value);
        let gate = &own.next().unwrap()["figures"][gate];
        json!([
            gate["status"],
            gate["sensitive"],
            gate["population"],
            gate["lower"],
            gate["upper"]
        ])
    };
    // Without the attempt that was broken off five are left, and nothing is open.
    assert_eq!(
        figures("lane-inadmissible", "excluded", "tidegrep"),
        json!(["pass", false, 5, 3, 3])
    );
    // Where every recorded attempt counts, a limit fails its task.
    assert_eq!(
        figures("attempt-rule", "every-recorded", "quality"),
        json!(["fail", false, 19, 10, 10])
    );
    for other in sums["alternatives"].as_array().unwrap() {
        let gates = other["gates"].as_object().unwrap();
        assert_eq!(gates.len(), sums["gates"].as_object().unwrap().len());
        for (id, status) in gates {
            assert_eq!(&other["figures"][id]["status"], status, "{id}");
            assert!(other["figures"][id]["upper"].is_u64(), "{id}");
        }
    }
}

#[test]
fn spec_tides_is_graded_again_from_what_is_kept() {
    let scene = Tides::new();
    assert_eq!(scene.grade("run", "--jobs 2").code, 1);
    // The same bytes with any number of threads.
    assert_eq!(scene.grade("one", "--jobs 1").code, 1);
    for name in ["grades.jsonl", "captures.json", "context.json"] {
        let read = |run: &str| std::fs::read(scene.0.at(&format!("{run}/{name}"))).unwrap();
        assert!(read("run") == read("one"), "{name}");
    }
    for gone in [
        "sessions",
        "answers",
        "tree-with",
        "tree-without",
        "driver.jsonl",
    ] {
        let path = scene.folder().join(gone);
        let _ = std::fs::remove_dir_all(&path).or_else(|_| std::fs::remove_file(&path));
    }
    let said =
        scene.run("regrade --from ../../../run --out-private ../../../again --out again.json");
    assert_eq!((said.code, said.err.as_str()), (1, ""), "{}", said.out);
    let read = |name: &str| std::fs::read(scene.0.at(name)).unwrap();
    assert_eq!(read("run/grades.jsonl"), read("again/grades.jsonl"));
    let sums = |name: &str| std::fs::read(scene.folder().join(name)).unwrap();
    assert_eq!(sums("run.json"), sums("again.json"));
    std::fs::copy(
        scene.0.at("run/grades.jsonl"),
        scene.folder().join("grades.jsonl"),
    )
    .unwrap();
    std::fs::copy(
        scene.folder().join("run.json"),
        scene.folder().join("aggregate.json"),
    )
    .unwrap();
    held(&kept(), &scene.folder(), &MADE);
}

#[test]
fn spec_tides_files_are_as_their_schemas_say() {
    let schemas = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("schemas");
    let holds = |schema: &str, text: &str| {
        let schema = std::fs::read_to_string(schemas.join(schema)).unwrap();
        let schema = jsonschema::draft202012::new(&serde_json::from_str(&schema).unwrap()).unwrap();
        for line in text.lines() {
            let value: Value = serde_json::from_str(line).unwrap();
            if let Some(error) = schema.iter_errors(&value).next() {
                panic!("{error} at {}: {line}", error.instance_path());
            }
        }
    };
    let scene = Tides::new();
    let file = |name: &str| std::fs::read_to_string(scene.folder().join(name)).unwrap();
    holds("driver.v1.schema.json", &file("driver.jsonl"));
    holds("bindings.v1.schema.json", &file("bindings.json"));
    holds("identity.v1.schema.json", &file("identity.json"));
    holds(
        "launch-record.v1.schema.json",
        &file("launch-records.jsonl"),
    );
    let kept = |name: &str| std::fs::read_to_string(kept().join(name)).unwrap();
    holds("frozen-rows.v1.schema.json", &kept("grades.jsonl"));
    holds("frozen-aggregate.v1.schema.json", &kept("aggregate.json"));
}
