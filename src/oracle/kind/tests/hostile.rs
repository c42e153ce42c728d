//! Answers that are made to be slow to read.

use std::collections::BTreeMap;

use super::super::super::check::{Asked, parse};
use super::super::super::grammar::Answer;
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
        ("urls", "https://e.org/a/b or "),
        ("emphasis", "*_[x](y)!"),
        ("lists", "- x\n  1. y\n"),
        ("dashes", "- -1 -- --2 "),
        ("quotes", "\"event\": 1, '"),
        ("expanding", "\u{fdfa}"),
        ("newlines", "\n"),
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
