//! The example experiment in `golden/frozen/`: every file of it that is made is made anew here.

use std::path::{Path, PathBuf};
use std::process::Command;

use serde_json::Value;

use crate::cli::{Said, program};
use crate::golden::kept::held;

/// What is committed of what is made.
const MADE: [&str; 6] = [
    "spec.json",
    "keys.json",
    "bindings.json",
    "identity.json",
    "grades.jsonl",
    "aggregate.json",
];

fn golden() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("golden")
}

fn copy(from: &Path, to: &Path) {
    for entry in walkdir::WalkDir::new(from) {
        let entry = entry.unwrap();
        let path = to.join(entry.path().strip_prefix(from).unwrap());
        if entry.file_type().is_dir() {
            std::fs::create_dir_all(path).unwrap();
        } else {
            std::fs::copy(entry.path(), path).unwrap();
        }
    }
}

/// A repository of the example's sources, with the same commit wherever it is made.
pub(crate) fn repository(from: &Path, at: &Path) -> String {
    copy(from, at);
    let git = |args: &[&str]| {
        let mut command = Command::new("git");
        for role in ["AUTHOR", "COMMITTER"] {
            command
                .env(format!("GIT_{role}_NAME"), "Harbour")
                .env(format!("GIT_{role}_EMAIL"), "harbour@example.com")
                .env(format!("GIT_{role}_DATE"), "2026-03-01T00:00:00Z");
        }
        let output = command
            .arg("-C")
            .arg(at)
            .args(args)
            .env("GIT_CONFIG_GLOBAL", "/dev/null")
            .env("GIT_CONFIG_NOSYSTEM", "1")
            .output()
            .expect("git is needed for this test");
        let told = String::from_utf8_lossy(&output.stderr).into_owned();
        assert!(output.status.success(), "git {args:?}: {told}");
        String::from_utf8(output.stdout).unwrap().trim().to_owned()
    };
    git(&["init", "-q", "-b", "main", "--object-format=sha1"]);
    git(&["add", "."]);
    git(&["commit", "-q", "-m", "The harbour"]);
    git(&["rev-parse", "HEAD"])
}

/// A copy of the golden folder outside of every work tree, and the example's repository.
pub(crate) struct Scene {
    dir: tempfile::TempDir,
}

impl Scene {
    pub(crate) fn new() -> Self {
        let scene = Self {
            dir: tempfile::tempdir().unwrap(),
        };
        copy(&golden(), &scene.at("golden"));
        for name in MADE {
            // They may be missing, where they are to be made for the first time.
            let _ = std::fs::remove_file(scene.at("golden/frozen").join(name));
        }
        let commit = repository(&golden().join("frozen/repo"), &scene.at("repo"));
        let spec = std::fs::read_to_string(scene.at("golden/frozen/spec.toml")).unwrap();
        assert!(spec.contains(&commit), "the commit is {commit} now");
        scene
    }

    pub(crate) fn at(&self, path: &str) -> PathBuf {
        self.dir.path().join(path)
    }

    /// Runs the program in the example's folder, with `git` to be found.
    pub(crate) fn run(&self, line: &str) -> Said {
        self.run_in(&self.at("golden/frozen"), line)
    }

    pub(crate) fn run_in(&self, folder: &Path, line: &str) -> Said {
        let output = program(folder)
            .env("HOME", self.at("home"))
            .env("PATH", std::env::var_os("PATH").unwrap_or_default())
            .args(line.split(' '))
            .output()
            .unwrap();
        Said {
            code: output.status.code().unwrap(),
            out: String::from_utf8(output.stdout).unwrap(),
            err: String::from_utf8(output.stderr).unwrap(),
        }
    }

    fn done(&self, line: &str) -> String {
        let said = self.run(line);
        assert_eq!((said.code, said.err.as_str()), (0, ""), "{line}");
        said.out
    }

    /// Everything up to the grade.
    pub(crate) fn prepare(&self) {
        let out = self.done("spec freeze spec.toml --out spec.json");
        let seal = out.lines().find_map(|line| line.strip_prefix("seal "));
        let launch = self.at("golden/frozen/launch.toml");
        let text = std::fs::read_to_string(&launch).unwrap();
        let lines: Vec<String> = text
            .lines()
            .map(|line| match line.starts_with("spec = ") {
                true => format!("spec = \"{}\"", seal.unwrap()),
                false => line.to_owned(),
            })
            .collect();
        std::fs::write(&launch, lines.join("\n") + "\n").unwrap();
        self.done(
            "keys --spec spec.json --repo ../../repo --files files --facts facts-open.json \
             --facts facts-close.json --out keys.json",
        );
        self.done("bind --spec spec.json --launch launch.toml --out bindings.json");
        self.done(
            "identity --spec spec.json --bindings bindings.json \
             --launch-records launch-records.jsonl --out identity.json",
        );
    }
}

/// The grade's arguments, without its outputs.
pub(crate) const GIVEN: &str = "--spec spec.json --bindings bindings.json --identity identity.json --keys keys.json \
     --judgments judgments.jsonl";

#[test]
fn spec_golden_files_are_those_committed() {
    let scene = Scene::new();
    scene.prepare();
    let said = scene.run(&format!(
        "grade {GIVEN} --out-private ../../run --out aggregate.json"
    ));
    assert_eq!((said.code, said.err.as_str()), (1, ""), "{}", said.out);
    let folder = scene.at("golden/frozen");
    let awaited = std::fs::read_to_string(scene.at("run/awaited.jsonl")).unwrap();
    let sums = std::fs::read_to_string(folder.join("aggregate.json")).unwrap();
    let sums: Value = serde_json::from_str(&sums).unwrap();
    let pending = sums["judgments"]["cells"]["pending"].as_u64().unwrap();
    assert!(pending > 0);
    assert_eq!(awaited.lines().count() as u64, pending, "{awaited}");
    for line in awaited.lines() {
        let own: Value = serde_json::from_str(line).unwrap();
        assert!(own["identity"].is_string() && own["check"].is_string());
        assert!(own["verdict"].is_null() && own["quotes"].as_array().unwrap().is_empty());
        for field in ["prompt", "kind", "question", "key", "answer"] {
            assert!(own["about"][field].is_string(), "{field}: {own}");
        }
    }
    std::fs::copy(scene.at("run/grades.jsonl"), folder.join("grades.jsonl")).unwrap();
    let mut names = MADE.to_vec();
    names.push("launch.toml");
    held(&golden().join("frozen"), &folder, &names);
}

/// What a reader of the answers says of them, written down apart from the grade.
#[test]
fn spec_golden_grades_are_a_reader_s() {
    let text = std::fs::read_to_string(golden().join("frozen/grades.jsonl")).unwrap();
    let rows: Vec<Value> = text
        .lines()
        .map(|line| serde_json::from_str(line).unwrap())
        .collect();
    let tasks: Vec<String> = rows
        .iter()
        .filter(|row| row["kind"] == "task")
        .map(|row| {
            let word = |key: &str| row[key].as_str().unwrap().to_owned();
            format!("{} {} {}", word("arm"), word("task"), word("verdict"))
        })
        .collect();
    let wanted = [
        "old glow unknown",
        "new glow pass",
        "old quill pass",
        "new quill pass",
        "old quill-agent pass",
        "new quill-agent pass",
        "old orchard pass",
        "new orchard fail",
        "new teapot unknown",
        "old gull not-launched",
        "new gull fail",
        "new slow-check unknown",
        "old minutes pass",
        "new minutes pass",
        "old slow-tests fail",
        "new slow-tests unknown",
        "new raft-agent pass",
        "new drift-check unknown",
        "old catalogue fail",
        "new catalogue pass",
        "old berth-lines fail",
        "new berth-lines pass",
        "old price fail",
        "new price pass",
        "old tides unknown",
        "new tides unknown",
        "new planted fail",
    ];
    assert_eq!(tasks, wanted);
}

#[test]
fn spec_golden_bytes_do_not_depend_on_threads_place_or_order() {
    let scene = Scene::new();
    scene.prepare();
    copy(&scene.at("golden"), &scene.at("elsewhere/deep/golden"));
    let other = scene.at("elsewhere/deep/golden/frozen");
    let runs = [
        (scene.at("golden/frozen"), format!("grade {GIVEN} --jobs 1")),
        (scene.at("golden/frozen"), format!("grade --jobs 7 {GIVEN}")),
        (
            other,
            "grade --judgments judgments.jsonl --keys=keys.json --jobs 2 --identity identity.json \
             --bindings bindings.json --spec=spec.json"
                .to_owned(),
        ),
    ];
    let mut seen: Vec<Vec<Vec<u8>>> = Vec::new();
    for (index, (folder, line)) in runs.iter().enumerate() {
        let (run, sums) = (format!("run{index}"), format!("sums{index}.json"));
        let (run, sums) = (scene.at(&run), scene.at(&sums));
        let line = format!(
            "{line} --out-private {} --out {}",
            run.display(),
            sums.display()
        );
        let said = scene.run_in(folder, &line);
        assert_eq!((said.code, said.err.as_str()), (1, ""));
        let mut files = vec![std::fs::read(sums).unwrap(), said.out.into_bytes()];
        for name in [
            "grades.jsonl",
            "context.json",
            "spec.json",
            "keys.json",
            "bindings.json",
            "identity.json",
            "judgments.jsonl",
        ] {
            files.push(std::fs::read(run.join(name)).unwrap());
        }
        seen.push(files);
    }
    assert_eq!(seen[0], seen[1]);
    assert_eq!(seen[0], seen[2]);
    let private = scene.dir.path().display().to_string();
    for bytes in &seen[0] {
        assert!(!String::from_utf8_lossy(bytes).contains(&private));
    }
}

#[test]
fn spec_golden_files_are_as_their_schemas_say() {
    let frozen = golden().join("frozen");
    let schema = |name: &str| {
        let path = golden().join("../schemas").join(name);
        let text = std::fs::read_to_string(path).unwrap();
        jsonschema::draft202012::new(&serde_json::from_str(&text).unwrap()).unwrap()
    };
    let file = |name: &str| std::fs::read_to_string(frozen.join(name)).unwrap();
    let json = |text: &str| -> Value { serde_json::from_str(text).unwrap() };
    let spec: toml::Value = toml::from_str(&file("spec.toml")).unwrap();
    let spec = serde_json::to_value(spec).unwrap();
    let sealed = json(&file("spec.json"))["spec"].clone();
    let mut cases = vec![
        ("spec.v1.schema.json", spec.clone()),
        ("spec.v1.schema.json", sealed),
        ("keys.v1.schema.json", json(&file("keys.json"))),
        ("bindings.v1.schema.json", json(&file("bindings.json"))),
        ("identity.v1.schema.json", json(&file("identity.json"))),
        (
            "frozen-aggregate.v1.schema.json",
            json(&file("aggregate.json")),
        ),
    ];
    for line in file("grades.jsonl").lines() {
        cases.push(("frozen-rows.v1.schema.json", json(line)));
    }
    for (name, value) in &cases {
        if let Some(error) = schema(name).iter_errors(value).next() {
            panic!("{name}: {error} at {}", error.instance_path());
        }
    }
    let spoiled: [&dyn Fn(&mut Value); 6] = [
        &|spec| spec["more"] = json("1"),
        &|spec| spec["tasks"][0]["dispatch"] = json("\"human\""),
        &|spec| spec["tasks"][0]["checks"][0]["kind"] = json("\"none-such\""),
        &|spec| spec["tasks"][0]["checks"][0]["more"] = json("1"),
        &|spec| spec["sources"][0]["more"] = json("1"),
        &|spec| spec["thresholds"]["half"] = json("\"0.5\""),
    ];
    for (index, edit) in spoiled.iter().enumerate() {
        let mut other = spec.clone();
        edit(&mut other);
        assert!(
            !schema("spec.v1.schema.json").is_valid(&other),
            "edit {index} passes"
        );
    }
}

/// The page tells how to write a spec; what it shows must be one.
#[test]
fn spec_page_shows_a_spec_that_can_be_sealed() {
    let page = deedcheck::spec::PAGE;
    let from = page.find("```toml\n").unwrap() + "```toml\n".len();
    let shown = &page[from..from + page[from..].find("```").unwrap()];
    let sealed = deedcheck::spec::freeze(shown, deedcheck::oracle::KINDS).unwrap();
    assert_eq!(sealed.spec.tasks.len(), 1);
    // Every reading that the frame knows stands in the page's table.
    for reading in deedcheck::spec::FRAME {
        for word in reading.values.iter().chain([&reading.id]) {
            assert!(page.contains(&format!("`{word}`")), "{word}");
        }
    }
}

#[test]
fn spec_small_cells_are_withheld_on_request() {
    let scene = Scene::new();
    scene.prepare();
    let grade = format!("grade {GIVEN} --out-private ../../run --out sums.json --min-cell 5");
    assert_eq!(scene.run(&grade).code, 1);
    let text = std::fs::read_to_string(scene.at("golden/frozen/sums.json")).unwrap();
    let sums: Value = serde_json::from_str(&text).unwrap();
    assert!(sums["suppressed"].as_u64().unwrap() > 20);
    for group in sums["tasks"].as_object().unwrap().values() {
        assert_eq!(group["suppressed"], true);
        assert!(
            group["cells"]
                .as_object()
                .unwrap()
                .values()
                .all(Value::is_null)
        );
    }
    assert_eq!(sums["gates"]["new-is-good"]["status"], "pass");
}
