//! The table of mutants: what is committed says what became of each.

use std::collections::BTreeMap;
use std::path::PathBuf;

use serde::Deserialize;

/// Mutants of a sample at least.
const SAMPLE: usize = 175;
/// Survivors at most that no test tells from the program yet. The list only shrinks.
const OPEN: usize = 13;
/// Characters of a reason at least: a word is none.
const REASON: usize = 30;

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Table {
    seed: u64,
    places: usize,
    sample: usize,
    stages: Vec<String>,
    do_not_compile: usize,
    noticed: BTreeMap<String, usize>,
    mutant: Vec<Mutant>,
    #[serde(default)]
    does_not_compile: Vec<Place>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Place {
    file: String,
    line: usize,
    function: String,
    change: String,
    nth: Option<usize>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Mutant {
    file: String,
    line: usize,
    function: String,
    change: String,
    nth: Option<usize>,
    noticed: String,
    by: Option<String>,
    reached_by: Option<usize>,
    equivalent: Option<String>,
    killed_by: Option<String>,
}

fn read(path: &str) -> String {
    let root = PathBuf::from(env!("CARGO_MANIFEST_DIR"));
    std::fs::read_to_string(root.join(path)).unwrap()
}

fn table() -> Table {
    toml::from_str(&read("calibration/mutants.toml")).unwrap()
}

#[test]
fn the_counts_are_those_of_the_mutants() {
    let table = table();
    assert!(table.sample >= SAMPLE && table.places > table.sample);
    assert_eq!(table.mutant.len(), table.sample);
    assert_eq!(table.does_not_compile.len(), table.do_not_compile);
    let mut counted: BTreeMap<String, usize> = BTreeMap::new();
    for mutant in &table.mutant {
        *counted.entry(mutant.noticed.clone()).or_default() += 1;
    }
    assert_eq!(counted, table.noticed);
    let asked = |stage: &String| *stage == "nobody" || table.stages.contains(stage);
    assert!(counted.keys().all(asked), "{counted:?}");
    let page = read("calibration/mutants.md");
    assert!(page.contains(&format!("--seed {}`", table.seed)));
    for (stage, count) in &counted {
        assert!(page.contains(&format!("| {stage} | {count} |")), "{stage}");
    }
}

#[test]
fn every_place_is_one_of_the_rule_modules_and_none_is_told_twice() {
    let table = table();
    let all = table.mutant.iter().map(|mutant| {
        let nth = mutant.nth.unwrap_or(1);
        (
            &mutant.file,
            mutant.line,
            &mutant.function,
            &mutant.change,
            nth,
        )
    });
    let dropped = table.does_not_compile.iter().map(|place| {
        let nth = place.nth.unwrap_or(1);
        (&place.file, place.line, &place.function, &place.change, nth)
    });
    let mut seen = std::collections::BTreeSet::new();
    for place in all.chain(dropped) {
        let folders = ["src/oracle/", "src/rule/", "src/shell/", "src/text/"];
        assert!(
            folders.iter().any(|folder| place.0.starts_with(folder)),
            "{place:?}"
        );
        assert!(place.1 > 0 && !place.2.is_empty() && !place.3.is_empty());
        assert!(seen.insert(place), "{place:?} twice");
    }
}

#[test]
fn nobody_survives_without_a_reason() {
    let page = read("calibration/mutants.md");
    let mut open = 0;
    for mutant in table().mutant {
        let place = format!("{}:{} {}", mutant.file, mutant.line, mutant.change);
        if mutant.noticed == "nobody" && mutant.equivalent.is_none() {
            open += 1;
            let line = format!("* `{}` `{}`: ", mutant.file, mutant.function);
            assert!(page.contains(&line), "{place}: it is not on the page");
        } else if mutant.noticed == "nobody" {
            let reason = mutant.equivalent.unwrap_or_default();
            assert!(reason.chars().count() >= REASON, "{place}: no reason");
            assert!(
                page.contains(&reason),
                "{place}: its reason is not on the page"
            );
            assert!(
                mutant.by.is_none() && mutant.reached_by.is_some(),
                "{place}"
            );
            assert!(mutant.killed_by.is_none(), "{place}: it lives");
        } else {
            assert!(mutant.by.is_some_and(|by| !by.is_empty()), "{place}");
            assert!(mutant.equivalent.is_none(), "{place}: it is noticed");
            assert!(mutant.reached_by.is_none(), "{place}");
        }
    }
    assert_eq!(open, OPEN, "survivors without a test or a reason");
}

#[test]
fn what_was_written_against_a_survivor_is_there() {
    for mutant in table().mutant {
        let Some(test) = mutant.killed_by else {
            continue;
        };
        let (file, name) = test.split_once(": ").unwrap();
        let text = read(file);
        assert!(text.contains(name), "{test}");
    }
}
