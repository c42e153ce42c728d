//! The original's task templates as data: checks, keys and answers of our own.

use std::collections::{BTreeMap, BTreeSet};
use std::path::PathBuf;

use deedcheck::oracle::grammar::Answer;
use deedcheck::oracle::{Asked, Component, Guards, Readings, Status, combine, parse};
use serde_json::Value;

/// Templates that no check kind of this part covers, with what they need.
const SECOND_PART: &[(&str, &str)] = &[
    ("T0", "captured commands"),
    ("T14", "session reports"),
    ("T15", "not graded in the original"),
    ("T31", "changes of a tree"),
    ("T36", "sentinels"),
    ("T39", "not graded in the original"),
];

fn said(result: &Component) -> String {
    let reasons = match result.status {
        Status::Fail => &result.failing,
        _ => &result.unknown,
    };
    let reasons: Vec<&str> = reasons.iter().map(String::as_str).collect();
    format!("{} {}", result.status.as_str(), reasons.join(" "))
        .trim()
        .to_owned()
}

fn readings(table: &Value) -> Readings {
    let entries = table.as_object().into_iter().flatten();
    let chosen: BTreeMap<String, String> = entries
        .map(|(id, value)| (id.clone(), value.as_str().unwrap().to_owned()))
        .collect();
    Readings(chosen)
}

fn ask(file: &Value, answer: &Value) -> String {
    let chosen = match &answer["readings"] {
        Value::Null => &file["readings"],
        own => own,
    };
    let readings = readings(chosen);
    let text = Answer::read(answer["text"].as_str().unwrap());
    let parts: Vec<Component> = file["check"]
        .as_array()
        .unwrap()
        .iter()
        .map(|check| {
            let kind = check["kind"].as_str().unwrap();
            let own = parse(kind, &check["params"]).unwrap();
            own.ask(&Asked {
                key: &check["key"],
                answer: &text,
                readings: &readings,
                guards: Guards::ALL,
            })
        })
        .collect();
    said(&combine(&parts))
}

#[test]
fn every_template_lands_where_it_was_planted() {
    let folder = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tests/oracle/templates");
    let mut covered = BTreeSet::new();
    let mut wrong = Vec::new();
    let mut answers = 0;
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        let name = path.file_stem().unwrap().to_str().unwrap().to_owned();
        let file: Value = toml::from_str(&std::fs::read_to_string(&path).unwrap()).unwrap();
        for template in file["templates"].as_array().unwrap() {
            assert!(
                covered.insert(template.as_str().unwrap().to_owned()),
                "{template} twice"
            );
        }
        let mut seen = BTreeSet::new();
        for answer in file["answer"].as_array().unwrap() {
            answers += 1;
            let (own, expected) = (ask(&file, answer), answer["is"].as_str().unwrap());
            if own != expected {
                wrong.push(format!("{name}: {}: {own}, not {expected}", answer["text"]));
            }
            seen.extend(expected.split(' ').map(str::to_owned));
        }
        let failing = file["failing"].as_array().unwrap().iter();
        let failing = failing.map(|reason| reason.as_str().unwrap());
        for word in failing.chain(["pass", "unknown", "unparsed"]) {
            assert!(seen.contains(word), "{name}: no answer for {word}");
        }
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
    covered.extend(
        SECOND_PART
            .iter()
            .map(|(template, _)| (*template).to_owned()),
    );
    let all: BTreeSet<String> = (0..40).map(|number| format!("T{number}")).collect();
    assert_eq!(covered, all);
    assert!(answers > 120, "{answers}");
}
