//! Canaries and look-alikes that a generator makes which knows nothing of this program's source.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::Command;

use deedcheck::page::{Against, Syntax, What, check};
use deedcheck::private::canary::Armed;
use deedcheck::private::{Canary, Kind};
use rayon::prelude::*;
use serde_json::Value;

/// A line of the generator.
struct Case {
    id: u64,
    format: String,
    text: String,
    kinds: Vec<String>,
    hit: bool,
    why: String,
}

/// The generator's cases and the private values of the run that they tell of.
fn generated(dir: &Path) -> (Vec<(Kind, String)>, Vec<Case>) {
    let script = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tests/canary/generate.py");
    let done = Command::new("python3")
        .arg(script)
        .arg(dir)
        .output()
        .expect("this test needs python3");
    assert!(done.status.success(), "the generator failed");
    let read =
        |name: &str| std::fs::read_to_string(dir.join(name)).expect("the generator wrote it");
    let values: Vec<Value> = serde_json::from_str(&read("values.json")).unwrap();
    let text = |value: &Value, key: &str| value[key].as_str().unwrap_or_default().to_owned();
    let values = values.iter().map(|value| {
        let word = text(value, "kind");
        let kind = Kind::ALL.iter().find(|kind| kind.as_str() == word);
        (*kind.expect("a kind of ours"), text(value, "value"))
    });
    let cases = read("cases.jsonl");
    let cases = cases.lines().map(|line| {
        let case: Value = serde_json::from_str(line).unwrap();
        let also = case["also"].as_array().into_iter().flatten();
        let also = also.filter_map(|kind| kind.as_str().map(str::to_owned));
        Case {
            id: case["id"].as_u64().unwrap_or_default(),
            format: text(&case, "format"),
            text: text(&case, "text"),
            kinds: also.chain([text(&case, "kind")]).collect(),
            hit: case["expect"] == "hit",
            why: text(&case, "why"),
        }
    });
    (values.collect(), cases.collect())
}

/// The kinds that are found in a case.
fn found(case: &Case, public: &Canary, pages: &Canary) -> Vec<Kind> {
    let syntax = match case.format.as_str() {
        "json" => return public.scan(&case.text).iter().map(|hit| hit.kind).collect(),
        "html" => Syntax::Html,
        "markdown" => Syntax::Markdown,
        other => panic!("no format {other}"),
    };
    let against = Against {
        canary: Some(pages),
        sums: None,
        map: None,
        rows: None,
    };
    let page = check(case.text.as_bytes(), syntax, &against).expect("the page can be read");
    let leaks = page
        .findings
        .iter()
        .filter_map(|finding| match finding.what {
            What::Leak(kind, _) => Some(kind),
            What::Untrue(_) | What::Missed(_) => None,
        });
    leaks.collect()
}

/// Whether something was found as one of the kinds that a case tells of.
fn is_one_of(found: &[Kind], kinds: &[String]) -> bool {
    let told = |kind: &Kind| {
        let word = kind.as_str();
        let word = word.strip_suffix("-shape").unwrap_or(word);
        kinds.iter().any(|told| told == word)
    };
    found.iter().any(told)
}

#[test]
fn every_generated_canary_is_caught_and_no_look_alike() {
    let dir = tempfile::tempdir().unwrap();
    let (values, cases) = generated(dir.path());
    let mut public = Canary::new();
    let mut pages = Canary::new().for_pages();
    for (kind, value) in &values {
        assert!(public.value(*kind, value), "{value}");
        assert!(pages.value(*kind, value), "{value}");
    }
    let wrong: Vec<(&Case, Vec<Kind>)> = cases
        .par_iter()
        .filter_map(|case| {
            let found = found(case, &public, &pages);
            let right = match case.hit {
                true => is_one_of(&found, &case.kinds),
                false => found.is_empty(),
            };
            (!right).then_some((case, found))
        })
        .collect();
    let hits = cases.iter().filter(|case| case.hit).count();
    assert_eq!((hits, cases.len()), (10_000, 20_000));
    let mut groups: BTreeMap<String, Vec<String>> = BTreeMap::new();
    for (case, found) in &wrong {
        let word = if case.hit { "missed" } else { "alarmed" };
        let group = groups
            .entry(format!("{word} {} {}", case.format, case.why))
            .or_default();
        group.push(format!("{} {found:?} {}", case.id, case.text));
    }
    let told: Vec<String> = groups
        .iter()
        .map(|(why, cases)| format!("{why} ×{}\n  {}", cases.len(), cases[0]))
        .collect();
    assert!(
        wrong.is_empty(),
        "{} of 20000\n{}",
        wrong.len(),
        told.join("\n")
    );
}

/// With one kind switched off, exactly the cases that hold nothing else get through.
#[test]
fn a_kind_switched_off_lets_exactly_its_own_canaries_through() {
    let dir = tempfile::tempdir().unwrap();
    let (values, cases) = generated(dir.path());
    let mut tried = 0;
    for off in Kind::ALL {
        let armed = Armed::default().without_kind(*off);
        let mut public = Canary::new().with_armed(armed);
        let mut pages = Canary::new().for_pages().with_armed(armed);
        for (kind, value) in &values {
            public.value(*kind, value);
            pages.value(*kind, value);
        }
        let word = off.as_str();
        let word = word.strip_suffix("-shape").unwrap_or(word);
        let hits = || cases.iter().filter(|case| case.hit);
        // What a line break leaves of `C:\Users` is a path of the other kind by itself.
        let cut = |case: &Case| *off == Kind::WindowsPath && case.why.contains("lines");
        let own = hits()
            .filter(|case| case.kinds == [word] && !cut(case))
            .take(40);
        let others = hits().filter(|case| !case.kinds.iter().any(|kind| kind == word));
        let others = others.step_by(97).take(60);
        let chosen: Vec<(&Case, bool)> = own
            .map(|case| (case, false))
            .chain(others.map(|case| (case, true)))
            .collect();
        tried += chosen.len();
        let wrong: Vec<String> = chosen
            .par_iter()
            .filter_map(|(case, caught)| {
                let found = found(case, &public, &pages);
                (found.is_empty() == *caught)
                    .then(|| format!("{} {} {found:?} {}", case.id, case.why, case.text))
            })
            .collect();
        assert!(wrong.is_empty(), "{off:?}: {} {}", wrong.len(), wrong[0]);
    }
    assert!(tried > 1500, "{tried}");
}
