mod hostile;

use std::collections::BTreeSet;

use serde::Deserialize as _;
use serde_json::{Value, json};

use super::super::check::{Asked, Form, Readings, Reads, Text, parse};
use super::super::deed::Deeds;
use super::super::evidence::{Evidence, FIELDS};
use super::super::grammar::Answer;
use super::super::guard::Guards;
use super::KINDS;

/// The proposed readings of every kind.
fn proposed() -> Readings {
    let all = KINDS.iter().flat_map(|kind| kind.readings);
    Readings(
        all.map(|reading| (reading.id.to_owned(), reading.values[0].to_owned()))
            .collect(),
    )
}

/// One check of every kind, with a key of its shape.
fn samples() -> Vec<(&'static str, Value, Value)> {
    let mut all = textual_samples();
    all.extend(structural_samples());
    all
}

fn textual_samples() -> Vec<(&'static str, Value, Value)> {
    vec![
        (
            "int-fact",
            json!({"labels": ["errors", "a_b"], "nouns": ["x"], "fallback": "any-int", "number-words": true}),
            json!({"value": 7}),
        ),
        (
            "count-before-noun",
            json!({"nouns": ["errors", "lines"]}),
            json!({"allowed": [7, 8]}),
        ),
        (
            "ordered-literals",
            json!({}),
            json!({"items": ["errors", "x 1", "(("]}),
        ),
        (
            "required-literals",
            json!({"mode": "whole-word"}),
            json!({"items": ["errors", "zz"]}),
        ),
        (
            "word-class",
            json!({"positive": ["match"], "negative": ["errors"], "phrases": ["not match"]}),
            json!({"class": "positive"}),
        ),
        (
            "choice-in-clause",
            json!({"anchor": "errors", "choices": ["x", "y"], "fallback": "unique-anywhere"}),
            json!({"value": "x"}),
        ),
        (
            "hex-digest",
            json!({"length": 64}),
            json!({"value": "ab".repeat(32)}),
        ),
        (
            "citation-at",
            json!({}),
            json!({"path": "src/a.py", "line": 5}),
        ),
        (
            "quoted-source",
            json!({}),
            json!({"path": "src/a.py", "line": 1, "end-line": 9, "files": {"src/a.py": ["x", "y"]}}),
        ),
    ]
}

fn structural_samples() -> Vec<(&'static str, Value, Value)> {
    let site = json!({"path": "src/a.py", "line": 5});
    vec![
        (
            "source-segment",
            json!({}),
            json!({"text": "def x():\n    pass"}),
        ),
        (
            "symbol-sites",
            json!({}),
            json!({"calls": [site], "definition": site}),
        ),
        (
            "name-set",
            json!({"count-labels": ["errors"]}),
            json!({"names": ["errors"], "distractors": ["x", "a"]}),
        ),
        (
            "payload",
            json!({"formats": ["json", "toon", "csv"], "sum": {}}),
            json!({"records": [{"id": 1}], "sum": 7}),
        ),
        (
            "row-filter",
            json!({"anchor": "errors", "field": "event", "bracketed": true}),
            json!({"values": [1, 2]}),
        ),
        (
            "level-assertion",
            json!({"forbidden": ["ERROR", "x"]}),
            json!({"expected": "INFO"}),
        ),
        (
            "url-cited",
            json!({"words": ["x"]}),
            json!({"url": "https://e.org/a/b"}),
        ),
        (
            "structure-elements",
            json!({"elements": ["heading", "table", "emphasis", "link"]}),
            json!({}),
        ),
        (
            "page-facts",
            json!({"facts": [{"name": "a"}, {"name": "b", "kind": "int", "labels": ["errors"]}]}),
            json!({"a": "x", "b": 7}),
        ),
    ]
}

#[test]
fn the_registry_is_whole() {
    let mut ids = BTreeSet::new();
    let kebab = |id: &str| {
        id.split('-').all(|word| {
            !word.is_empty()
                && word
                    .bytes()
                    .all(|b| b.is_ascii_lowercase() || b.is_ascii_digit())
        })
    };
    for kind in KINDS {
        assert!(kebab(kind.id) && ids.insert(kind.id), "{}", kind.id);
        assert!(kind.question.ends_with('?'), "{}", kind.id);
        assert!(
            kind.page.starts_with(&format!("# {}\n", kind.id)),
            "{}",
            kind.id
        );
        let readings = kind.readings.iter();
        let values = readings.flat_map(|own| own.values.iter().chain(std::iter::once(&own.id)));
        let named = [kind.failing, kind.unknown, kind.guards].concat();
        for word in named.iter().chain(values) {
            assert!(kebab(word), "{}: {word}", kind.id);
            let told = kind.page.contains(&format!("`{word}`"));
            assert!(told, "{}: its page says nothing of {word}", kind.id);
        }
        for list in [kind.failing, kind.unknown, kind.guards] {
            let set: BTreeSet<_> = list.iter().collect();
            assert_eq!(set.len(), list.len(), "{}: a word twice", kind.id);
        }
    }
    let sampled: BTreeSet<_> = samples().iter().map(|own| own.0).collect();
    ids.retain(|id| {
        KINDS
            .iter()
            .any(|kind| kind.id == *id && kind.reads == Reads::Text)
    });
    assert_eq!(sampled, ids);
}

#[test]
fn a_key_of_another_shape_is_unknown() {
    let answer = Answer::read("errors: 7");
    let readings = proposed();
    for (kind, params, _) in samples() {
        let check = parse(kind, &params).unwrap_or_else(|error| panic!("{kind}: {error}"));
        let mut keys = vec![json!([[1]]), json!({"value": {}}), json!(true)];
        if kind != "word-class" {
            keys.push(Value::Null);
        }
        if kind == "structure-elements" {
            // Its proposed reading asks the answer alone.
            continue;
        }
        for key in keys {
            let result = check.ask(&Asked {
                key: &key,
                answer: &answer,
                readings: &readings,
                guards: Guards::ALL,
            });
            let reasons: Vec<&str> = result.unknown.iter().map(String::as_str).collect();
            let shape = reasons == ["key-shape"] || reasons == ["key-missing"];
            assert!(
                shape && result.failing.is_empty(),
                "{kind}: {key} {result:?}"
            );
        }
    }
}

/// A page's example, its answers merged over the shared tables.
fn examples(page: &str) -> (String, Vec<(Value, String)>) {
    let block = page.rsplit("```toml\n").next().expect("an example");
    let block = block.rsplit_once("\n```").expect("its end").0;
    let table: Value = toml::from_str(block).expect("TOML");
    let all = table.get("answer").or(table.get("turn"));
    let answers = all.and_then(Value::as_array).expect("answers").iter();
    let answers = answers.map(|answer| {
        let mut own = json!({
            "params": table["params"],
            "holds": table["holds"],
            "readings": table["readings"],
            "text": answer["text"],
            "did": answer["did"],
        });
        let evidence = reads(table["kind"].as_str().expect("a kind")) == Reads::Evidence;
        for name in ["params", "holds", "readings"] {
            match answer[name].as_object() {
                // Beside evidence an answer replaces single entries of the tables that all share.
                Some(fields) if evidence && own[name].is_object() => {
                    let fields = fields.clone();
                    own[name].as_object_mut().expect("a table").extend(fields);
                }
                Some(_) => own[name] = answer[name].clone(),
                None => {}
            }
        }
        if evidence {
            own["evidence"] = json!({});
        }
        for name in FIELDS {
            let value = answer.get(name).or(table.get(name));
            if let (true, Some(value)) = (evidence, value) {
                own["evidence"][name] = value.clone();
            }
        }
        (own, answer["is"].as_str().expect("an outcome").to_owned())
    });
    (
        table["kind"].as_str().expect("a kind").to_owned(),
        answers.collect(),
    )
}

fn outcome(kind: &str, example: &Value) -> String {
    let params = match &example["params"] {
        Value::Null => json!({}),
        params => params.clone(),
    };
    let check = parse(kind, &params).unwrap_or_else(|error| panic!("{kind}: {error}"));
    let result = match example["did"].as_array() {
        Some(lines) => {
            let lines: Vec<&str> = lines.iter().filter_map(Value::as_str).collect();
            let deeds = Deeds::told(&lines).expect("a turn");
            match check.ask_steps(&deeds, Guards::ALL) {
                Some(seen) => seen.result,
                None => return "na".to_owned(),
            }
        }
        None if reads(kind) == Reads::Evidence => {
            let nothing = json!({});
            let evidence = example.get("evidence").unwrap_or(&nothing);
            let evidence = Evidence::deserialize(evidence).expect("evidence");
            match asked(example, |asked| check.weigh(asked, &evidence)) {
                Some(weighed) => weighed.result,
                None => return "na".to_owned(),
            }
        }
        None => asked(example, |asked| check.ask(asked)),
    };
    let words = result.failing.iter().chain(&result.unknown);
    let words: Vec<&str> = words.map(String::as_str).collect();
    format!("{} {}", result.status.as_str(), words.join(" "))
        .trim()
        .to_owned()
}

fn reads(kind: &str) -> Reads {
    let info = KINDS.iter().find(|info| info.id == kind);
    info.expect("a kind").reads
}

fn asked<T>(example: &Value, ask: impl Fn(&Asked<'_>) -> T) -> T {
    let chosen = example["readings"].as_object().into_iter().flatten();
    let chosen = chosen.map(|(id, value)| (id.clone(), value.as_str().unwrap_or("").to_owned()));
    let text = Text::new(example["text"].as_str().expect("a text"), true);
    let answer = text.read(Form::of(&example["params"]));
    ask(&Asked {
        key: &example["holds"],
        answer: &answer,
        readings: &Readings(chosen.collect()),
        guards: Guards::ALL,
    })
}

/// Each page shows a right answer, one for each reason to fail, and one for each reason not to
/// know; and what it shows is so.
#[test]
fn the_pages_say_what_is_so() {
    let mut wrong = Vec::new();
    for kind in KINDS {
        let (id, examples) = examples(kind.page);
        assert_eq!(id, kind.id);
        let mut seen = BTreeSet::new();
        for (example, expected) in &examples {
            let own = outcome(kind.id, example);
            if own != *expected {
                wrong.push(format!("{id}: {}: {own}, not {expected}", example["text"]));
            }
            seen.extend(expected.split(' ').map(str::to_owned));
        }
        let needed = [kind.failing, kind.unknown, &["pass"]].concat();
        for word in needed {
            if !seen.contains(word) {
                wrong.push(format!("{id}: no example of {word}"));
            }
        }
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
}
