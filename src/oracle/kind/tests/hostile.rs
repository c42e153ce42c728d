//! Answers that are made to be slow to read.

use std::collections::BTreeMap;

use proptest::prelude::*;
use serde::Deserialize as _;
use serde_json::json;

use super::super::super::check::{Asked, parse};
use super::super::super::deed::Deeds;
use super::super::super::evidence::Evidence;
use super::super::super::grammar::Answer;
use super::super::super::guard::Guards;
use super::super::super::verdict::{Component, Status};
use super::super::KINDS;
use super::{proposed, samples};

/// Answers that a scanner may stumble over, each about so many bytes long.
fn hostile(size: usize) -> BTreeMap<&'static str, String> {
    let mut texts = BTreeMap::new();
    for (name, unit) in [
        ("brackets", "([{"),
        ("closing", ")]}"),
        ("labels", "errors "),
        ("labels and values", "errors: 7 or 8, "),
        ("one line of values", "7/8 or 9 - 10 errors x "),
        ("digits", "1234567890"),
        ("groups", "123,"),
        ("dotted", "1.2."),
        ("spaced groups", "123 456 "),
        ("bracketed groups", "(1,234,567"),
        ("code spans", "`x` "),
        ("runs of backticks", "` `` ``` ```` "),
        ("nested fences", "```\n~~~~\n"),
        ("fences and citations", "src/a.py:5:\n```\nx\n```\n"),
        ("citations", "src/a.py:5, call src/a.py:6 and "),
        ("cited spans", "src/a.py:1 `x y` "),
        ("right to left", "\u{202e}שגיאות 10 \u{202c}"),
        ("combining", "e\u{301}\u{327}1\u{336}"),
        ("negators", "not no never without errors, "),
        ("header rows", "| errors | x |\n|---|---|\n"),
        ("json", "[{\"id\": 1}\n"),
        ("open json", "[{\n"),
        ("toon", "[1]{id}:\n  1\n"),
        ("csv", "id,x\n"),
        ("toon groups", "[1]{id{"),
        ("toon counts", "[99999999999999999999]{id}:\n  1\n"),
        ("paths", "a.py:1,2,3 and lines 4 of b.py "),
        ("urls", "https://e.org/a/b or "),
        ("emphasis", "*_[x](y)!"),
        ("lists", "- x\n  1. y\n"),
        ("dashes", "- -1 -- --2 "),
        ("quotes", "\"event\": 1, '"),
        ("expanding", "\u{fdfa}"),
        ("newlines", "\n"),
        ("ranges", "errors 1-9999, "),
        ("events", "errors [1, 2], "),
        ("names", "x, errors, a, "),
    ] {
        texts.insert(name, unit.repeat(size / unit.len()));
    }
    texts
}

/// The scanner steps of every kind on one answer.
fn steps(text: &str, kinds: &[&str]) -> u64 {
    let answer = Answer::read(text);
    let readings = proposed();
    for (kind, params, key) in samples() {
        if !kinds.is_empty() && !kinds.contains(&kind) {
            continue;
        }
        let check = parse(kind, &params).unwrap_or_else(|error| panic!("{kind}: {error}"));
        let _ = check.ask(&Asked {
            key: &key,
            answer: &answer,
            readings: &readings,
            guards: Guards::ALL,
        });
    }
    answer.steps()
}

#[test]
fn four_times_the_answer_takes_four_times_the_steps() {
    let long = hostile(100_000);
    for (name, short) in hostile(25_000) {
        let (few, many) = (steps(&short, &[]), steps(&long[name], &[]));
        assert!(many <= few * 9 / 2, "{name}: {few}, then {many}");
        assert!(many < 400 * long[name].len() as u64, "{name}: {many}");
    }
}

/// At this size anything that is not linear would not come to an end.
#[test]
fn ten_megabytes_are_read() {
    let long = hostile(10_000_000);
    for name in [
        "brackets",
        "labels and values",
        "digits",
        "nested fences",
        "code spans",
        "right to left",
        "combining",
    ] {
        let text = &long[name];
        let steps = steps(text, &["int-fact"]);
        assert!(steps < 100 * text.len() as u64, "{name}: {steps}");
    }
}

/// Turns that are made to be slow to judge, each of so many lines.
fn hostile_turns(lines: usize) -> BTreeMap<&'static str, Vec<String>> {
    let deep = "a/".repeat(500);
    let path = format!("edit src/{deep}x");
    let mut turns = BTreeMap::new();
    for (name, unit) in [
        ("edits", vec!["edit src/a.rs"]),
        ("edits and runs", vec!["edit src/a.rs", "test cargo test"]),
        (
            "refused and failed",
            vec![
                "test cargo test -> refused",
                "test cargo test -> failed",
                "edit src/a.rs -> outcome-hidden",
            ],
        ),
        ("at once", vec!["edit src/a.rs", "& test cargo test"]),
        ("one call", vec!["test cargo test", "+ edit src/a.rs"]),
        ("gaps", vec!["edit src/a.rs", "gap unread-command"]),
        ("pushes", vec!["mutate/remote git push -> outcome-unknown"]),
        ("deep paths", vec![path.as_str()]),
    ] {
        let all = unit.iter().cycle().take(lines);
        turns.insert(name, all.map(|line| (*line).to_owned()).collect());
    }
    turns
}

/// What the kinds that read steps look at in a turn.
fn looks(lines: &[String]) -> u64 {
    let lines: Vec<&str> = lines.iter().map(String::as_str).collect();
    let deeds = Deeds::told(&lines).unwrap();
    let globs = ["src/**", "**/*a/**/x", "?*/**/?*"];
    let edits = json!({"effect": "mutate", "paths": globs});
    let runs = json!([{"verify": "test"}, {"command": "cargo test", "outcome": "any"}]);
    for (kind, params) in [
        ("steps-order", json!({"when": edits, "then": runs})),
        (
            "steps-order",
            json!({"when": edits, "then": runs, "order": "before"}),
        ),
        ("steps-order", json!({"then": runs, "order": "any"})),
        (
            "steps-never",
            json!({"what": [{"command": "git push"}, {"effect": "mutate", "paths": ["/etc/**"]}]}),
        ),
    ] {
        let check = parse(kind, &params).unwrap();
        let _ = check.ask_steps(&deeds, Guards::ALL);
    }
    deeds.looked_at()
}

/// A turn of four times the steps takes four times the work, with a bound for each step.
#[test]
fn four_times_the_turn_takes_four_times_the_looks() {
    let long = hostile_turns(8_000);
    for (name, short) in hostile_turns(2_000) {
        let (few, many) = (looks(&short), looks(&long[name]));
        assert!(few > 2_000, "{name}: {few}");
        assert!(many <= few * 9 / 2, "{name}: {few}, then {many}");
        let bytes: usize = long[name].iter().map(String::len).sum();
        assert!(many < 400 * bytes as u64, "{name}: {many}");
    }
}

/// At this length a pipe that is gone through anew for each of its commands would not come to an end.
#[test]
fn a_long_pipe_is_read() {
    let params = json!({
        "lane": "a",
        "predicates": [{"program": "b"}, {"program": "a"}],
        "shells": [{"tool": "Bash", "field": "command"}],
    });
    let check = parse("lane-use", &params).unwrap_or_else(|error| panic!("{error}"));
    for (end, status) in [("", Status::Pass), ("; true", Status::Unknown)] {
        let command = format!("{}head{end}", "a|".repeat(100_000));
        let evidence = json!({"calls": [
            {"id": "c1", "tool": "Bash", "input": {"command": command}, "state": "succeeded"},
        ]});
        let evidence = Evidence::deserialize(&evidence).unwrap_or_else(|error| panic!("{error}"));
        let asked = Asked {
            key: &json!({}),
            answer: &Answer::read(""),
            readings: &proposed(),
            guards: Guards::ALL,
        };
        let weighed = check.weigh(&asked, &evidence);
        assert_eq!(weighed.map(|own| own.result.status), Some(status), "{end}");
    }
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(1500) })]

    /// Any answer is read, twice the same, and its reasons fit its value.
    #[test]
    fn any_answer_is_graded(parts in prop::collection::vec(0_usize..64, 0..24)) {
        const PARTS: [&str; 32] = [
            "errors", " ", ": ", "7", "-7", "\n", "`", "```json\n", "[{\"id\": 1}]", "{", "}", "src/a.py:5",
            "-9", " or ", "not ", "| ", "|---|---|\n", ", ", "x", "ERROR", "INFO", "https://e.org/a/b",
            "[1]{id}:\n  1\n", "**", "(", ")", "\u{202e}", "½", "e\u{301}", "שגיאה", "\"event\": 1", "?",
        ];
        let text: String = parts.iter().map(|part| PARTS[part % PARTS.len()]).collect();
        let readings = proposed();
        for (kind, params, key) in samples() {
            let check = parse(kind, &params).unwrap_or_else(|error| panic!("{kind}: {error}"));
            let ask = || {
                let answer = Answer::read(&text);
                check.ask(&Asked { key: &key, answer: &answer, readings: &readings, guards: Guards::ALL })
            };
            let (one, two) = (ask(), ask());
            prop_assert_eq!(&one, &two);
            let expected = Component::of(one.failing.clone(), one.unknown.clone());
            prop_assert_eq!(one.status, expected.status);
            let info = KINDS.iter().find(|info| info.id == kind).map(|info| (info.failing, info.unknown));
            let (failing, unknown) = info.unwrap_or_default();
            prop_assert!(one.failing.iter().all(|own| failing.contains(&own.as_str())), "{kind}");
            prop_assert!(one.unknown.iter().all(|own| unknown.contains(&own.as_str())), "{kind}");
        }
    }
}
