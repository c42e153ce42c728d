//! Cases of gates: what becomes of a run's outcomes, and of opportunities, payloads and verdicts.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use deedcheck::frozen::gate::{BlindTask, Encoded, Launched, Opportunity, blind, encoding, lane};
use deedcheck::frozen::outcome::{Spoken, Watched, outcome};
use deedcheck::frozen::{
    Captures, Class, DriverLedger, FrozenGrades, GateResult, Inputs, Judgments, Ledger, OnDisk,
    bind, grade, identify, read_bindings, read_identity,
};
use deedcheck::oracle::{Component, Entry, Joined, KINDS, Status, settle_drift};
use deedcheck::spec::{Facts, Sources, compute, freeze, read_keys};
use serde_json::{Value, json};

use crate::gate_counts::terms;

/// What a case comes to, as the cases write it; `None` where it is of no gate.
pub(crate) fn value(case: &Value) -> Option<Value> {
    let input = &case["input"];
    Some(match case["kind"].as_str()? {
        "attempt_rule" => attempt_rule(input),
        "quality_gate" => quality(input),
        "denominators" => denominators(input),
        "lane_rate" => lane_rate(input),
        "encoding_gate" => encoding_gate(input),
        "blind_gate" => blind_gate(input),
        "tree_drift" => tree_drift(input),
        _ => return None,
    })
}

/// A word of ours as the cases spell it.
fn word(own: &str) -> String {
    own.replace('-', "_")
}

fn list(value: &Value) -> impl Iterator<Item = &Value> {
    value.as_array().unwrap().iter()
}

fn quality(input: &Value) -> Value {
    let population = match input["readings"]["R2-07"].as_str() {
        Some("organic_only") => "organic-only",
        _ => "all-tasks",
    };
    let graded = graded(input, population);
    let gates = &graded.sums.gates;
    let (every, matched) = (&gates["every"], &gates["matched"]);
    let both = match (every.status, matched.status) {
        ("pass", "pass") => "pass",
        _ => "fail",
    };
    json!([
        both,
        every.status,
        every.lower,
        every.upper,
        every.sensitive,
        matched.status,
        matched.sensitive,
        every.failed_control,
    ])
}

/// The original leaves out a family and arm of which nothing is recorded.
fn denominators(input: &Value) -> Value {
    let graded = graded(input, "all-tasks");
    let told = &graded.sums.gates["costs"];
    let mut all = serde_json::Map::new();
    for (key, group) in &told.groups {
        let tasks = &graded.sums.tasks[key];
        if tasks.cell("planned") == tasks.cell("not-launched") {
            continue;
        }
        let cells = group
            .cells
            .iter()
            .map(|(cell, count)| (word(cell), json!(count)));
        let (arm, family) = key.split_once('.').unwrap();
        let arm = arm.to_uppercase();
        all.insert(format!("{family}.{arm}"), Value::Object(cells.collect()));
    }
    Value::Object(all)
}

/// The answer that comes to a status: the first check decides, the second one may not know.
fn answer(status: &str) -> &'static str {
    match status {
        "pass" => "GOOD SURE",
        "unknown" => "GOOD",
        // A control that shows nothing fails the check that it is planted for.
        "fail" | "incomplete_control" => "BAD",
        other => panic!("{other}"),
    }
}

fn spec_of(input: &Value, population: &str) -> String {
    let mut spec = String::from(
        "schema = \"deedcheck/spec/1\"\ngrammar = \"g1\"\n[experiment]\nid = \"gates\"\ntitle = \"Gates\"\n\
         [[arms]]\nid = \"a\"\n[[arms]]\nid = \"b\"\n[thresholds]\nall = \"1/1\"\n",
    );
    for task in list(&input["tasks"]) {
        let arms: Vec<String> = list(&task["arms"])
            .map(|arm| arm.as_str().unwrap().to_lowercase())
            .collect();
        let (id, family) = (
            task["id"].as_str().unwrap(),
            task["family"].as_str().unwrap(),
        );
        let opportunity = task["opportunity"].as_str().unwrap();
        write!(
            spec,
            "[[tasks]]\nid = \"{id}\"\nprompt = \"p\"\nfamily = \"{family}\"\nopportunity = \"{opportunity}\"\n\
             dispatch = \"file\"\narms = {arms:?}\n\
             [[tasks.checks]]\nid = \"{id}-good\"\nkind = \"required-literals\"\nkey = {{ value = [\"GOOD\"] }}\nextract = \"none\"\n\
             [[tasks.checks]]\nid = \"{id}-sure\"\nkind = \"required-literals\"\n\
             key = {{ value = [{{ text = \"SURE\", on-absent = \"unknown\" }}] }}\nextract = \"none\"\n"
        )
        .unwrap();
    }
    write!(
        spec,
        "[readings]\nattempt-rule = \"completed-attempts\"\npopulation = \"{population}\"\npairing = \"families-and-pooled\"\n\
         [[gates]]\nid = \"every\"\nkind = \"rate\"\narm = \"b\"\nthreshold = \"all\"\n\
         [[gates]]\nid = \"matched\"\nkind = \"not-worse\"\narm = \"b\"\nbaseline = \"a\"\n\
         [[gates]]\nid = \"costs\"\nkind = \"denominators\"\narm = \"b\"\nbaseline = \"a\"\n"
    )
    .unwrap();
    spec
}

/// A run whose tasks come to what a case says.
fn graded(input: &Value, population: &str) -> FrozenGrades {
    let dir = tempfile::tempdir().unwrap();
    let sealed = freeze(&spec_of(input, population), KINDS).unwrap();
    std::fs::create_dir_all(dir.path().join("answers")).unwrap();
    let arm = || json!({"tree": ".", "base": "0".repeat(40), "inputs": []});
    let launch = json!({
        "schema": "deedcheck/launch/1", "spec": sealed.seal, "run": "run-of-gates",
        "arms": {"a": arm(), "b": arm()},
        "windows": [{"id": "w", "since": "2026-03-02T09:00:00Z", "until": "2026-03-02T10:00:00Z"}],
        "roots": {"answers": "answers"},
    });
    let bound = bind(&launch.to_string(), &sealed, dir.path(), &|_, _| None)
        .unwrap()
        .0;
    let bytes = serde_json::to_string(&bound).unwrap();
    let bindings = read_bindings(&bytes, &sealed).unwrap();
    let mut records = String::new();
    for (key, status) in input["outcomes"].as_object().unwrap() {
        let (arm, task) = key.split_once(':').unwrap();
        let file = format!("{arm}-{task}.md");
        let text = answer(status.as_str().unwrap());
        std::fs::write(dir.path().join("answers").join(&file), text).unwrap();
        let record = json!({"run": "run-of-gates", "arm": arm.to_lowercase(), "task": task, "attempt": 1,
            "actor": "file", "root": "answers", "file": file});
        writeln!(records, "{record}").unwrap();
    }
    let table = identify(
        &records,
        &sealed,
        &bindings,
        dir.path(),
        &DriverLedger::default(),
    )
    .unwrap();
    let table = serde_json::to_string(&table).unwrap();
    let identity = read_identity(&table, &sealed, &bindings).unwrap();
    let sources = Sources::read(&sealed.spec, None, None, &Facts::default()).unwrap();
    let made = compute(&sealed, &sources, KINDS).unwrap();
    let keys = read_keys(std::str::from_utf8(&made.bytes).unwrap(), &sealed).unwrap();
    grade(&Inputs {
        sealed: &sealed,
        kinds: KINDS,
        bindings: &bindings,
        attempts: &OnDisk::new(&bindings, dir.path()),
        identity: &identity,
        keys: &keys,
        judgments: &Judgments::default(),
        captures: &Captures::default(),
        ledger: &Ledger::default(),
    })
    .unwrap()
}

fn lane_rate(input: &Value) -> Value {
    let opportunity = |own: &Value| Opportunity {
        launched: match own["kind"].as_str().unwrap() {
            "attempt" => Launched::Attempt,
            "inadmissible" => Launched::Inadmissible,
            "not_launched" => Launched::No,
            other => panic!("{other}"),
        },
        adopted: match own["adopted"].as_str().unwrap() {
            "adopted" => Joined::Adopted,
            "not_adopted" => Joined::NotAdopted,
            _ => Joined::Unknown,
        },
        correct: match own["grade"].as_str().unwrap() {
            "pass" => Status::Pass,
            "fail" => Status::Fail,
            _ => Status::Unknown,
        },
    };
    let all: Vec<Opportunity> = list(&input["opportunities"]).map(opportunity).collect();
    let reading = input["readings"]["R2-21"].as_str();
    let reading = reading
        .unwrap_or("unknown_in_denominator")
        .replace('_', "-");
    // The experiment's own threshold and minimum, which it seals beside its checks.
    let told = lane(terms("lane", Some("4/5"), Some(5)), &all, &reading);
    json!({
        "O": told.population, "R": told.recorded, "correct_lower": told.lower, "correct_upper": told.upper,
        "status": told.status, "sensitive": told.sensitive,
    })
}

fn encoding_gate(input: &Value) -> Value {
    let yes = |value: &Value, yes: &str| match value.as_str().unwrap() {
        "unknown" => None,
        own => Some(own == yes),
    };
    let attempt = |own: &Value| Encoded {
        seeded: own["seeded"] == true,
        encoded: yes(&own["encode"], "encoded"),
        trips: list(&own["roundtrip"])
            .map(|trip| yes(&trip["status"], "equal"))
            .collect(),
        ineligible: own["ineligible"].as_u64().unwrap(),
        ineligible_unknown: own["ineligible_unknown"].as_u64().unwrap(),
    };
    let all: Vec<Encoded> = list(input).map(attempt).collect();
    let told = encoding(terms("encoding", None, Some(5)), &all);
    // Their names of the same parts.
    let names = BTreeMap::from([
        ("seeded-below-minimum", "seeded_payloads_below_minimum"),
        ("seeded-encode-rate", "seeded_encode_rate"),
        ("strict-round-trip", "strict_roundtrip"),
        ("ineligible-encodes", "ineligible_encodes"),
    ]);
    let reasons: Vec<&str> = told.failing.iter().map(|own| names[own]).collect();
    json!({"status": told.status, "reasons": reasons, "sensitive": told.sensitive})
}

fn blind_gate(input: &Value) -> Value {
    let task = |own: &Value| BlindTask {
        clean: own["clean"].as_u64().unwrap(),
        unknown: own["unknown"].as_u64().unwrap(),
        ..BlindTask::default()
    };
    let tasks: Vec<BlindTask> = input["blind"]
        .as_object()
        .unwrap()
        .values()
        .map(task)
        .collect();
    let control = match input["read_rows"].as_u64() {
        None => Status::Unknown,
        Some(0) => Status::Fail,
        Some(_) => Status::Pass,
    };
    let told: GateResult = blind(terms("blind", None, None), &tasks, control);
    let reason = told.reason.map(|own| match own {
        "failed-control" => "failed_positive_control".to_owned(),
        "control-unobserved" => "control_rows_unobserved".to_owned(),
        other => word(other),
    });
    json!([told.status, reason, told.sensitive])
}

/// The templates whose key is taken from a tree that all arms share, and the folders that it is taken from.
fn tree_drift(input: &Value) -> Value {
    let shared = ["T1", "T3", "T5", "T8", "T10", "T26"];
    let scope: Vec<String> = match shared.contains(&input["template"].as_str().unwrap()) {
        true => ["scripts", "tests", "fixtures", "docs"]
            .map(str::to_owned)
            .into(),
        false => Vec::new(),
    };
    let entries: Vec<Entry<'_>> = list(&input["entries"])
        .map(|own| serde::Deserialize::deserialize(own).unwrap())
        .collect();
    let told = match input["status"].as_str().unwrap() {
        "pass" => Component::pass(),
        "fail" => Component::fail("x"),
        _ => Component::unknown("x"),
    };
    let own = settle_drift(told, &scope, &entries);
    let reasons = own.failing.iter().chain(&own.unknown);
    let reasons: Vec<String> = reasons.map(|own| word(own)).collect();
    json!([own.status.as_str(), reasons])
}

/// The attempts of a task; the reason is told of what is not known alone.
fn attempt_rule(input: &Value) -> Value {
    let pass = Component::pass();
    let (fail, unknown) = (Component::fail("x"), Component::unknown("x"));
    let seen = match input["read_rows"].as_u64() {
        None => Status::Unknown,
        Some(0) => Status::Fail,
        Some(_) => Status::Pass,
    };
    let spoken = |own: &Value| {
        let class = match own["class"].as_str().unwrap() {
            "inadmissible" => Class::Inadmissible("usage-limit"),
            "unresolved" => Class::Unresolved("parse"),
            _ => Class::Completed,
        };
        Spoken {
            class,
            component: (class == Class::Completed).then(|| match own["status"].as_str().unwrap() {
                "pass" => &pass,
                "fail" => &fail,
                _ => &unknown,
            }),
            watched: match (input["kind"].as_str().unwrap(), own["clean"].as_str()) {
                ("control", _) => Watched::Control(seen),
                ("blind", Some("clean")) => Watched::Blind(Status::Pass),
                ("blind", Some("contaminated")) => Watched::Blind(Status::Fail),
                ("blind", _) => Watched::Blind(Status::Unknown),
                _ => Watched::No,
            },
        }
    };
    let attempts: Vec<Spoken<'_>> = list(&input["attempts"]).map(spoken).collect();
    let rule = input["reading"].as_str().unwrap().replace('_', "-");
    let told = outcome(&rule, &attempts);
    let reason = match told.status {
        Status::Unknown => told.reasons.first().map(|own| match own.as_str() {
            "control-unobserved" => "control_rows_unobserved".to_owned(),
            // A task without any attempt is told apart here.
            "not-launched" => "no_completed_attempt".to_owned(),
            other => word(other),
        }),
        _ => None,
    };
    json!([told.status.as_str(), reason])
}
