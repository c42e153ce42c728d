//! Specs, seals and keys with a check kind of the tests' own.
#![expect(
    clippy::too_many_lines,
    reason = "a table of refusals is read from top to bottom"
)]

mod fitting;

use serde_json::{Value, json};

use super::*;
use crate::oracle::{Asked, Check, Component, KeyShape, KindInfo, ParamError, Reading, Reads};

/// Asks whether an answer holds the key's text.
struct Holds {
    word: String,
}

impl Check for Holds {
    fn ask(&self, asked: &Asked<'_>) -> Component {
        let text = asked.answer.raw();
        let wanted = match asked.key {
            Value::String(key) => key.clone(),
            key => key.to_string(),
        };
        let found = match asked.readings.get("letter-case") {
            "folded" => text.to_lowercase().contains(&wanted.to_lowercase()),
            _ => text.contains(&wanted),
        };
        if found {
            Component::pass()
        } else if text.contains(&self.word) {
            Component::fail("wrong")
        } else {
            Component::unknown("unparsed")
        }
    }
}

fn parse_holds(params: &Value) -> Result<Box<dyn Check>, ParamError> {
    let word = params["word"].as_str().ok_or_else(|| ParamError {
        field: "word".to_owned(),
        kind: "missing",
    })?;
    Ok(Box::new(Holds {
        word: word.to_owned(),
    }))
}

/// A check kind for tests: it passes where the key's text stands in the answer, fails where the
/// word of its parameters does, and knows nothing otherwise.
pub(crate) const KINDS: &[KindInfo] = &[KindInfo {
    id: "holds",
    question: "Does the answer hold the key?",
    failing: &["wrong"],
    unknown: &["unparsed"],
    guards: &[],
    readings: &[Reading {
        id: "letter-case",
        values: &["exact", "folded"],
        question: "Does the case of letters matter?",
    }],
    reads: Reads::Text,
    page: "",
    key: KeyShape::Any,
    parse: parse_holds,
}];

/// A spec of two arms and two tasks.
pub(crate) const SPEC: &str = r##"
schema = "deedcheck/spec/1"
grammar = "g1"

[experiment]
id = "harbour"
title = "Does the map help?"

[[arms]]
id = "with"
[[arms]]
id = "without"
title = "No map"

[[tasks]]
id = "berths"
prompt = "How many berths are there?"
family = "files"
opportunity = "organic"
dispatch = "file"
arms = ["with", "without"]
[[tasks.checks]]
id = "berths-count"
kind = "holds"
params = { word = "berths" }
key = { source = "plan", recipe = { take = "lines-with", word = "berth" } }
extract = "judge"

[[tasks]]
id = "colour"
prompt = "What colour is the buoy?"
family = "files"
opportunity = "organic"
dispatch = "file"
arms = ["with", "without"]
[[tasks.checks]]
id = "buoy-colour"
kind = "holds"
params = { word = "buoy" }
key = { value = "Green" }
extract = "none"

[readings]
attempt-rule = "completed-attempts"
letter-case = "exact"
lines-with-word = "whole-word"
pairing = "families-and-pooled"
population = "all-tasks"

[thresholds]
most = "1/2"

[[gates]]
id = "quality"
kind = "rate"
arm = "with"
threshold = "most"
[[gates]]
id = "no-loss"
kind = "not-worse"
arm = "with"
baseline = "without"

[[sources]]
id = "plan"
kind = "inline"
text = """
one berth
berths
a berth, a berth
berth_size
"""
"##;

/// A change that makes something wrong.
type Edit<'e> = &'e dyn Fn(&mut Value);

fn said(text: &str) -> String {
    match freeze(text, KINDS) {
        Ok(_) => "sealed".to_owned(),
        Err(error) => error.to_string(),
    }
}

fn without(line: &str) -> String {
    assert_eq!(SPEC.matches(line).count(), 1, "{line}");
    SPEC.replace(line, "")
}

fn with(old: &str, new: &str) -> String {
    assert!(SPEC.contains(old), "{old}");
    SPEC.replacen(old, new, 1)
}

#[test]
fn a_spec_is_sealed_the_same_from_toml_and_json() {
    let sealed = freeze(SPEC, KINDS).unwrap();
    let again = freeze(&format!("# a note\n{SPEC}"), KINDS).unwrap();
    assert_eq!(sealed.bytes, again.bytes);
    let document: Value = serde_json::from_slice(&sealed.bytes).unwrap();
    let mut spec = document["spec"].clone();
    spec["tasks"][0]["checks"][0]
        .as_object_mut()
        .unwrap()
        .shift_remove("subject");
    let json = freeze(&spec.to_string(), KINDS).unwrap();
    assert_eq!(sealed.bytes, json.bytes);
    let others: Vec<String> = sealed
        .alternatives
        .iter()
        .map(|other| format!("{}={}", other.reading, other.value))
        .collect();
    assert_eq!(
        others,
        [
            "attempt-rule=every-recorded",
            "attempt-rule=last-attempt",
            "letter-case=folded",
            "lines-with-word=substring",
            "lines-with-word=alnum-boundary",
            "pairing=pooled-only",
            "population=organic-only",
        ]
    );
    assert_eq!(document["inventory"]["answers"], 4);
    assert_eq!(open(&sealed.bytes, KINDS).unwrap(), sealed);
    assert!(compare(&sealed, SPEC, KINDS).is_ok());
}

#[test]
fn each_wrong_field_is_named_with_its_line() {
    let cases = [
        (
            with("params = { word = \"berths\" }", "params = { wor = 1 }"),
            "E_SPEC field=tasks.0.checks.0.params.word line=25 kind=missing",
        ),
        (
            without("prompt = \"What colour is the buoy?\"\n"),
            "E_SPEC field=tasks.1.prompt line=29 kind=missing",
        ),
        (
            with("kind = \"holds\"", "kind = \"held\""),
            "E_SPEC field=tasks.0.checks.0.kind line=24 kind=unknown-value",
        ),
        (
            with("id = \"without\"", "id = \"with\""),
            "E_SPEC field=arms.1.id line=12 kind=duplicate",
        ),
        (
            with("id = \"buoy-colour\"", "id = \"berths-count\""),
            "E_SPEC field=tasks.1.checks.0.id line=37 kind=duplicate",
        ),
        (
            with(
                "arms = [\"with\", \"without\"]",
                "arms = [\"with\", \"other\"]",
            ),
            "E_SPEC field=tasks.0.arms.1 line=21 kind=unknown-arm",
        ),
        (
            with("source = \"plan\"", "source = \"map\""),
            "E_SPEC field=tasks.0.checks.0.key.source line=26 kind=unknown-source",
        ),
        (
            with("extract = \"none\"", "extract = \"maybe\""),
            "E_SPEC field=tasks.1.checks.0.extract line=41 kind=unknown-value",
        ),
        (
            without("letter-case = \"exact\"\n"),
            "E_SPEC field=readings.letter-case line=43 kind=missing",
        ),
        (
            with("letter-case = \"exact\"", "letter-case = \"any\""),
            "E_SPEC field=readings.letter-case line=45 kind=unknown-value",
        ),
        (
            with("[readings]", "[readings]\nanswer = \"close\""),
            "E_SPEC field=readings.answer line=44 kind=unused",
        ),
        (
            with("most = \"1/2\"", "most = 0.5"),
            "E_SPEC field=thresholds.most line=51 kind=type",
        ),
        (
            with("most = \"1/2\"", "most = \"3/2\""),
            "E_SPEC field=thresholds.most line=51 kind=fraction",
        ),
        (
            with("threshold = \"most\"", "threshold = \"more\""),
            "E_SPEC field=gates.0.threshold line=57 kind=unknown-threshold",
        ),
        (
            with("baseline = \"without\"", "baseline = \"with\""),
            "E_SPEC field=gates.1.baseline line=62 kind=same-arm",
        ),
        (
            with("key = { value = \"Green\" }", "key = { value = 1.5 }"),
            "E_SPEC field=tasks.1.checks.0.key.value line=40 kind=float",
        ),
        (
            with(
                "key = { value = \"Green\" }",
                "key = { value = 1, source = \"plan\" }",
            ),
            "E_SPEC field=tasks.1.checks.0.key line=40 kind=one-origin",
        ),
        (
            with(
                "extract = \"none\"",
                "extract = \"none\"\nsubject = \"turn\"",
            ),
            "E_SPEC field=tasks.1.checks.0.subject line=42 kind=no-turns",
        ),
        (
            with("title = \"No map\"", "\"/home/x\" = 1"),
            "E_SPEC field=arms.1.? line=13 kind=unknown-field",
        ),
        (
            SPEC.replace("[[arms]]", "[[arms"),
            "E_SPEC line=9 kind=syntax",
        ),
    ];
    for (text, wanted) in cases {
        assert_eq!(said(&text), wanted);
    }
    assert_eq!(
        said("{\"a\":1,\"a\":2}"),
        "E_SPEC line=1 kind=duplicate-key"
    );
    assert_eq!(said("{}"), "E_SPEC field=schema line=1 kind=missing");
}

#[test]
fn a_seal_is_looked_at_before_anything_else() {
    let sealed = freeze(SPEC, KINDS).unwrap();
    let text = String::from_utf8(sealed.bytes.clone()).unwrap();
    let said = |text: &str| open(text.as_bytes(), KINDS).unwrap_err().to_string();
    let mismatch = |reason, field| format!("E_SPEC_MISMATCH reason={reason} field={field}");
    for unsealed in [
        SPEC,
        "",
        "{}",
        "[1]",
        "{\"schema\":\"deedcheck/sealed-spec/1\"}",
    ] {
        assert_eq!(said(unsealed), mismatch("unsealed", "seal"));
    }
    assert_eq!(
        said(&text.replace("\"most\":\"1/2\"", "\"most\":\"1/3\"")),
        mismatch("hand-edited", "spec")
    );
    assert_eq!(
        said(&text.replace("\"spec\":", "\"spec\": ")),
        mismatch("hand-edited", "bytes")
    );
    // Another registry, under a seal that is right for it.
    let other = [KindInfo {
        failing: &["wrong", "more"],
        ..KINDS[0]
    }];
    let elsewhere = freeze(SPEC, &other).unwrap();
    assert_eq!(
        said(std::str::from_utf8(&elsewhere.bytes).unwrap()),
        mismatch("stale", "registry")
    );
    // A forged seal over a spec that this program would not have sealed.
    let forged = |edit: &dyn Fn(&mut Value)| {
        let mut document: Value = serde_json::from_slice(&sealed.bytes).unwrap();
        edit(&mut document);
        document["seal"]
            .as_object_mut()
            .unwrap()
            .shift_remove("sha256");
        let seal = sha256(&crate::canon::to_vec(&document).unwrap());
        document["seal"]["sha256"] = json!(seal);
        let mut bytes = Vec::new();
        crate::canon::append_line(&mut bytes, &document).unwrap();
        said(std::str::from_utf8(&bytes).unwrap())
    };
    let edits: [(Edit<'_>, &str); 3] = [
        (&|doc| doc["seal"]["tool"] = json!("0.0.9"), "tool"),
        (&|doc| doc["inventory"]["tasks"] = json!(3), "spec"),
        (
            &|doc| doc["spec"]["readings"]["letter-case"] = json!("any"),
            "spec",
        ),
    ];
    for (edit, field) in edits {
        assert_eq!(forged(edit), mismatch("stale", field));
    }
    let other = with("Does the map help?", "Does it?");
    assert_eq!(
        compare(&sealed, &other, KINDS).unwrap_err().to_string(),
        mismatch("source-differs", "spec")
    );
}

/// The spec with other sources and another key.
fn keyed(key: &str, sources: &str) -> Sealed {
    let text = with("key = { value = \"Green\" }", &format!("key = {key}"));
    freeze(&format!("{text}\n{sources}"), KINDS).unwrap()
}

fn key_of(sealed: &Sealed, files: Option<&std::path::Path>, facts: &[&str]) -> String {
    let mut all = Facts::default();
    for facts in facts {
        all.add(facts).unwrap();
    }
    let sources = Sources::read(&sealed.spec, None, files, &all).unwrap();
    let made = compute(sealed, &sources, KINDS).unwrap();
    let keys = read_keys(std::str::from_utf8(&made.bytes).unwrap(), sealed).unwrap();
    match keys.get("buoy-colour", None) {
        Ok(key) => key.to_string(),
        Err(reason) => reason.to_owned(),
    }
}

#[test]
fn a_key_is_known_or_says_why_not() {
    let dir = tempfile::tempdir().unwrap();
    std::fs::write(dir.path().join("a.json"), "{\"n\":[{\"z\":1,\"a\":2.5}]}").unwrap();
    let digest = sha256(&std::fs::read(dir.path().join("a.json")).unwrap());
    let file = |path: &str, digest: &str| {
        let source = format!(
            "[[sources]]\nid = \"f\"\nkind = \"file\"\npath = \"{path}\"\nsha256 = \"{digest}\"\n"
        );
        let key = "{ source = \"f\", recipe = { take = \"json\", pointer = \"/n/0\" } }";
        keyed(key, &source)
    };
    let (known, changed) = (file("a.json", &digest), file("a.json", &"0".repeat(64)));
    let files = Some(dir.path());
    assert_eq!(key_of(&known, files, &[]), "{\"z\":1,\"a\":2.5}");
    assert_eq!(key_of(&changed, files, &[]), "input-hash");
    assert_eq!(
        key_of(&file("b.json", &digest), files, &[]),
        "input-missing"
    );
    std::os::unix::fs::symlink("/etc/hostname", dir.path().join("out")).unwrap();
    assert_eq!(key_of(&file("out", &digest), files, &[]), "input-missing");
    let fact = keyed(
        "{ fields = { \"any key\" = { source = \"p\", recipe = { take = \"lines\", count = true } }, b = { value = 2 } } }",
        "[[sources]]\nid = \"p\"\nkind = \"fact\"\nfact = \"page\"\nphases = [\"open\", \"close\"]\n",
    );
    let facts = |phase: &str, page: &str| {
        json!({"schema": "deedcheck/facts/1", "phase": phase, "facts": {"page": page}}).to_string()
    };
    let open = facts("open", "a\nb");
    assert_eq!(key_of(&fact, None, &[&open]), "key-missing");
    // Other bytes, the same fact.
    let close = facts("close", "c\nd");
    assert_eq!(
        key_of(&fact, None, &[&open, &close]),
        "{\"any key\":2,\"b\":2}"
    );
    let close = facts("close", "c");
    assert_eq!(key_of(&fact, None, &[&open, &close]), "key-drift");
    let mut twice = Facts::default();
    twice.add(&open).unwrap();
    assert_eq!(
        twice.add(&open).unwrap_err().to_string(),
        "E_FACTS field=phase kind=duplicate"
    );
}

#[test]
fn keys_follow_the_reading_of_lines_with_a_word() {
    let sealed = freeze(SPEC, KINDS).unwrap();
    let sources = Sources::read(&sealed.spec, None, None, &Facts::default()).unwrap();
    let made = compute(&sealed, &sources, KINDS).unwrap();
    assert_eq!((made.known, made.unknown.len(), made.keyless), (2, 0, 0));
    let text = String::from_utf8(made.bytes).unwrap();
    let keys = read_keys(&text, &sealed).unwrap();
    let under = |value: &str| Alternative {
        reading: "lines-with-word".to_owned(),
        value: value.to_owned(),
    };
    let key = |other: Option<&Alternative>| keys.get("berths-count", other).unwrap().clone();
    assert_eq!(key(None), json!(2));
    assert_eq!(key(Some(&under("substring"))), json!(4));
    assert_eq!(key(Some(&under("alnum-boundary"))), json!(3));
    assert!(keys.depends("berths-count", &under("substring")));
    assert!(!keys.depends("buoy-colour", &under("substring")));
    let refused = |text: &str| read_keys(text, &sealed).unwrap_err().to_string();
    assert_eq!(
        refused(&text.replace("\"key\":\"2\"", "\"key\":\"3\"")),
        "E_KEYS_MISMATCH field=key"
    );
    // A digest of the file's own making does not make a key right that the seal holds.
    let forged = text.replace("\"key\":\"2\"", "\"key\":\"3\"");
    let forged = forged.replace(&sha256(b"2"), &sha256(b"3"));
    assert_eq!(refused(&forged), "E_KEYS_MISMATCH field=key");
    assert_eq!(
        refused(&text.replace(&sealed.seal, &"0".repeat(64))),
        "E_KEYS_MISMATCH field=spec"
    );
    assert_eq!(
        refused(&text.replace("buoy-colour", "berths-count")),
        "E_KEYS_MISMATCH field=check"
    );
    assert_eq!(refused("[]"), "E_KEYS kind=type");
    assert_eq!(
        refused(&text.replace("\"keys\"", "\"kees\"")),
        "E_KEYS field=keys kind=missing"
    );
}
