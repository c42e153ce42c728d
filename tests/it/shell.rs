//! The shell reader against labelled commands.

use std::path::PathBuf;

use deedcheck::shell::{self, Domain, Effect, Mask, Simple, Verify, Visible};
use serde_json::Value;

/// Cases of this folder, or of the one that `DEEDCHECK_CASES` names.
fn cases(name: &str) -> Vec<Value> {
    let own = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tests/cases");
    let path = std::env::var_os("DEEDCHECK_CASES")
        .map(|folder| PathBuf::from(folder).join(name))
        .filter(|path| path.exists())
        .unwrap_or_else(|| own.join(name));
    let text = std::fs::read_to_string(&path)
        .unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    let document: Value = serde_json::from_str(&text).unwrap();
    document["cases"].as_array().unwrap().clone()
}

fn effect(effect: Effect) -> &'static str {
    match effect {
        Effect::None => "none",
        Effect::Read => "read",
        Effect::Unknown => "unknown",
        Effect::Mutate => "mutate",
    }
}

fn domain(domain: Option<Domain>) -> Value {
    match domain {
        None => Value::Null,
        Some(Domain::Workspace) => "workspace".into(),
        Some(Domain::Repo) => "repo".into(),
        Some(Domain::Scratch) => "scratch".into(),
        Some(Domain::Environment) => "environment".into(),
        Some(Domain::Remote) => "remote".into(),
    }
}

#[test]
fn every_label_of_the_shell_cases_holds() {
    let cases = cases("shell.json");
    let mut wrong = Vec::new();
    for case in &cases {
        let command = case["cmd"].as_str().unwrap();
        let script = shell::read(command);
        let got = (
            effect(script.effect()),
            script.verify().is_some(),
            domain(script.domain()),
        );
        let want = (
            case["effect"].as_str().unwrap(),
            case["verify"].as_bool().unwrap(),
            case["domain"].clone(),
        );
        if got != want || !script.parsed {
            wrong.push(format!(
                "{command:?}: got {got:?}, want {want:?}, parsed {}",
                script.parsed
            ));
        }
    }
    println!("shell.json: {} cases", cases.len());
    assert!(!cases.is_empty(), "no cases");
    assert!(
        wrong.is_empty(),
        "{} of {} wrong:\n{}",
        wrong.len(),
        cases.len(),
        wrong.join("\n")
    );
}
