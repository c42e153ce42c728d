//! What the program writes, held against the schemas that are published for it.

use std::collections::BTreeSet;
use std::ffi::OsString;
use std::path::{Path, PathBuf};

use deedcheck::cli::{self, Exit, Surroundings};
use deedcheck::control::FILES;
use deedcheck::pipeline::Policy;
use jsonschema::Validator;
use serde_json::{Value, json};

fn root() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR"))
}

fn json_file(path: &Path) -> Value {
    let text =
        std::fs::read_to_string(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    serde_json::from_str(&text).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

pub(crate) fn validator(name: &str) -> Validator {
    let schema = json_file(&root().join("schemas").join(name));
    assert_eq!(
        schema["$schema"],
        "https://json-schema.org/draft/2020-12/schema"
    );
    jsonschema::draft202012::new(&schema).unwrap_or_else(|error| panic!("{name}: {error}"))
}

/// Runs the program and gives back what it printed.
fn run(args: &[&str], paths: &[PathBuf]) -> Vec<u8> {
    let mut argv: Vec<OsString> = vec!["deedcheck".into()];
    argv.extend(args.iter().map(OsString::from));
    argv.extend(paths.iter().map(OsString::from));
    let (mut out, mut err) = (Vec::new(), Vec::new());
    let exit = cli::run(
        &argv,
        &Surroundings::default(),
        &mut std::io::empty(),
        &mut out,
        &mut err,
    )
    .unwrap();
    assert_ne!(exit, Exit::Refused, "{}", String::from_utf8_lossy(&err));
    out
}

/// The inputs of the edge cases and the golden transcripts.
fn inputs() -> Vec<PathBuf> {
    let mut inputs: Vec<PathBuf> = std::fs::read_dir(root().join("tests/edge"))
        .unwrap()
        .map(|entry| entry.unwrap().path().join("in"))
        .filter(|folder| folder.is_dir())
        .collect();
    assert!(inputs.len() > 100, "{} edge cases", inputs.len());
    let golden = root().join("golden");
    if golden.is_dir() {
        inputs.push(golden);
    }
    inputs.sort();
    inputs
}

fn rows(profile: &str) -> Vec<Value> {
    let args = ["grade", "--format", "jsonl", "--profile", profile];
    String::from_utf8(run(&args, &inputs()))
        .unwrap()
        .lines()
        .map(|line| serde_json::from_str(line).unwrap())
        .collect()
}

fn complain(schema: &Validator, value: &Value) {
    if let Some(error) = schema.iter_errors(value).next() {
        panic!("{error} at {} of {value}", error.instance_path());
    }
}

#[test]
fn every_row_is_as_its_schema_says() {
    let schema = validator("grade.v1.schema.json");
    let mut kinds = BTreeSet::new();
    for profile in ["replay", "gg-0.1", "gg-0.4", "gg-0.4-hooks"] {
        let rows = rows(profile);
        assert!(rows.len() > 250, "{} rows", rows.len());
        for row in &rows {
            complain(&schema, row);
            kinds.insert(row["kind"].as_str().unwrap().to_owned());
        }
    }
    let all = ["session", "turn", "claim", "finding"];
    assert_eq!(kinds, all.map(str::to_owned).into());
}

/// Changes to a row that its schema must not let through: each is a way in which a row could be
/// wrong without any reader of JSON noticing.
fn spoiled(row: &Value) -> Vec<(String, Value)> {
    let mut spoiled = Vec::new();
    let mut change = |what: String, edit: &dyn Fn(&mut Value)| {
        let mut other = row.clone();
        edit(&mut other);
        spoiled.push((what, other));
    };
    for key in row.as_object().unwrap().keys() {
        change(format!("without {key}"), &|row| {
            row.as_object_mut().unwrap().shift_remove(key);
        });
    }
    change("with a key more".into(), &|row| row["more"] = json!(1));
    for key in ["schema", "kind", "status", "verdict", "client", "agent"] {
        change(format!("with another {key}"), &|row| {
            row[key] = json!("other");
        });
    }
    change("with an unknown reason".into(), &|row| {
        row["reasons"] = json!(["other"]);
    });
    change("with one line".into(), &|row| row["lines"] = json!([1]));
    if row["kind"] == "session" {
        change("with a negative count".into(), &|row| {
            row["counts"]["records"] = json!(-1);
        });
        change("with an unknown ending".into(), &|row| {
            row["counts"]["ended"]["other"] = json!(1);
        });
        change("with a short digest".into(), &|row| {
            row["sha256"] = json!("ab");
        });
    } else {
        change("with a key more in the gate".into(), &|row| {
            row["gate"]["more"] = json!(1);
        });
        for key in ["profile", "preset", "claim_type", "verdict", "reason"] {
            change(format!("with another gate.{key}"), &|row| {
                row["gate"][key] = json!("other");
            });
        }
        change("with an unknown outcome".into(), &|row| {
            row["steps"] = json!([{
                "line": 1, "result": null, "call": "x", "outcome": "fine", "code": null,
                "masked": false, "effect": "read", "domain": null, "verify": null
            }]);
        });
    }
    spoiled
}

#[test]
fn a_spoiled_row_is_refused() {
    let schema = validator("grade.v1.schema.json");
    let rows = rows("replay");
    for kind in ["session", "turn"] {
        let row = rows.iter().find(|row| row["kind"] == kind).unwrap();
        complain(&schema, row);
        for (what, other) in spoiled(row) {
            assert!(!schema.is_valid(&other), "a {kind} row {what} passes");
        }
    }
}

#[test]
fn the_aggregate_and_the_context_are_as_their_schemas_say() {
    let folder = tempfile::tempdir().unwrap();
    let (private, public) = (
        folder.path().join("private"),
        folder.path().join("sums.json"),
    );
    let flags = [
        "--out-private",
        private.to_str().unwrap(),
        "--out",
        public.to_str().unwrap(),
    ];
    let args = [&["grade", "--quiet"], flags.as_slice()].concat();
    run(&args, &[root().join("tests/edge")]);
    let aggregate = validator("aggregate.v1.schema.json");
    let sums = json_file(&public);
    complain(&aggregate, &sums);
    assert!(sums["cells"]["turns"].as_u64().unwrap() > 100);
    let printed = run(&["grade", "--format", "json"], &[root().join("tests/edge")]);
    complain(&aggregate, &serde_json::from_slice(&printed).unwrap());
    let schema = validator("context.v1.schema.json");
    let context = json_file(&private.join("context.json"));
    complain(&schema, &context);
    assert!(context["inputs"].as_object().unwrap().len() > 100);
    for (key, value) in [
        ("cells", json!({"a/b": 1})),
        ("cells", json!({"a": 0})),
        ("id", json!(1)),
    ] {
        let mut other = sums.clone();
        other[key] = value;
        assert!(!aggregate.is_valid(&other), "{key} passes");
    }
    for (key, value) in [
        ("profile", json!("x")),
        ("seal", json!("x")),
        ("x", json!(1)),
    ] {
        let mut other = context.clone();
        other[key] = value;
        assert!(!schema.is_valid(&other), "{key} passes");
    }
}

#[test]
fn a_policy_is_valid_where_it_is_read() {
    let schema = validator("policy.v1.schema.json");
    for text in [
        "",
        "profile = \"gg-0.4\"\npreset = \"skipper\"\n",
        "profile = \"gg-replay\"\n",
        "goal-signals = [\"tests-passed\"]\nscratch-paths = [\"out/\"]\n",
        "read-only-tools = [\"Look\"]\nmutating-tools = []\nneutral-tools = [\"Note\"]\n",
        "[runners]\ntest = [\"make t\"]\nrun = [\"./go\"]\n",
        "profile = \"gg-9\"\n",
        "preset = \"bold\"\n",
        "typo = 1\n",
        "goal_signals = [\"tests\"]\n",
        "goal-signals = \"tests\"\n",
        "goal-signals = [\"tests\"]\n",
        "[runners]\nfly = []\n",
        "[runners]\ntest = [1]\n",
    ] {
        let value: Value = toml::from_str(text).unwrap();
        let read = Policy::parse(text);
        assert_eq!(schema.is_valid(&value), read.is_ok(), "{text:?}: {read:?}");
    }
}

/// What a person or a driver hands in to frozen checks.
#[test]
fn what_is_handed_in_is_as_its_schema_says() {
    let golden = root().join("golden/frozen");
    let lines = |file: &str| -> Vec<Value> {
        let text = std::fs::read_to_string(golden.join(file)).unwrap();
        text.lines()
            .map(|line| serde_json::from_str(line).unwrap())
            .collect()
    };
    for (schema, file) in [
        ("launch-record", "launch-records.jsonl"),
        ("judgment", "judgments.jsonl"),
        ("facts", "facts-open.json"),
    ] {
        let schema = validator(&format!("{schema}.v1.schema.json"));
        let rows = if file.ends_with('l') {
            lines(file)
        } else {
            vec![json_file(&golden.join(file))]
        };
        assert!(!rows.is_empty(), "{file}");
        for row in &rows {
            complain(&schema, row);
            let mut more = row.clone();
            more["more"] = json!(1);
            assert!(!schema.is_valid(&more), "{file}: a field more passes");
            for field in row.as_object().unwrap().keys() {
                let mut less = row.clone();
                less.as_object_mut().unwrap().shift_remove(field);
                let optional = ["driver", "turn"].contains(&field.as_str());
                assert_eq!(schema.is_valid(&less), optional, "{file} without {field}");
            }
        }
    }
    let launch = validator("launch-record.v1.schema.json");
    let mut two = lines("launch-records.jsonl").remove(0);
    two["session"] = json!("x");
    two["file"] = json!("y");
    assert!(!launch.is_valid(&two), "two ways to name a transcript pass");
}

/// A file of controls, whatever its rule; and what is no evidence in any place of it.
#[test]
fn a_file_of_controls_is_as_its_schema_says() {
    let schema = validator("control.v1.schema.json");
    let (mut weighed, mut whole) = (0, 0);
    for (_, rule, text) in FILES {
        let file: Value = toml::from_str(text).unwrap();
        complain(&schema, &file);
        for run in ["/run", "/control/0/input/run"] {
            let mut other = file.clone();
            let own = other.pointer_mut(run).and_then(Value::as_object_mut);
            let Some(own) = own else { continue };
            weighed += 1;
            own.insert("more".to_owned(), json!(1));
            assert!(
                !schema.is_valid(&other),
                "{rule}: {run} of any shape passes"
            );
        }
        whole += 1;
    }
    assert!(
        whole > 60 && weighed > 10,
        "{whole} files, {weighed} of evidence"
    );
}

#[test]
fn the_program_prints_its_schemas() {
    let listed = String::from_utf8(run(&["schema"], &[])).unwrap();
    for file in std::fs::read_dir(root().join("schemas")).unwrap() {
        let path = file.unwrap().path();
        let name = path.file_name().unwrap().to_str().unwrap();
        let name = name.strip_suffix(".v1.schema.json").unwrap();
        assert!(listed.lines().any(|line| line.starts_with(name)), "{name}");
        assert_eq!(run(&["schema", name], &[]), std::fs::read(&path).unwrap());
    }
}

/// Everything that can be explained is listed, and everything that is listed can be explained.
#[test]
fn every_topic_is_explained() {
    let listed = String::from_utf8(run(&["explain"], &[])).unwrap();
    let kinds = deedcheck::oracle::KINDS.iter().map(|kind| kind.id);
    let rules = deedcheck::rule::registry::RULES.iter().map(|rule| rule.id);
    let commands = ["grade", "regrade", "keys", "bind", "identity", "schema"];
    let pages = ["spec", "controls", "check-html", "g1"];
    let all = kinds.chain(rules).chain(commands).chain(pages);
    for topic in all {
        let mut words = listed.split(|c: char| !(c.is_ascii_alphanumeric() || c == '-'));
        assert!(words.any(|word| word == topic), "{topic} is not listed");
        assert!(run(&["explain", topic], &[]).len() > 100, "{topic}");
    }
}
