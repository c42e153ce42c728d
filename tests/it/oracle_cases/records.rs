//! Cases of whole attempts, of notices, seals, schemas, and of what is private in what is recorded.

use deedcheck::frozen::{
    Captures, Class, DriverLedger, FrozenRow, IdentityRow, Inputs, Judgments, Ledger, Locator,
    OnDisk, bind, grade, identify, read_attempt, read_bindings, read_identity,
};
use deedcheck::oracle::KINDS;
use deedcheck::private::Canary;
use deedcheck::private::argv::{PLACEHOLDER, looks_like_path, redact};
use deedcheck::spec::{At, Facts, FieldError, Node, Sources, compute, freeze, lookup, read_keys};
use serde_json::{Value, json};

use crate::regression::record;

/// What a case comes to, as the cases write it; `None` where it is none of these.
pub(crate) fn value(case: &Value) -> Option<Value> {
    let input = &case["input"];
    Some(match case["kind"].as_str()? {
        "limit_notice" => json!(limit(input.as_str()?)),
        "wait_notice" => json!(wait(input.as_str()?)),
        "private_shape" => json!(!Canary::new().scan(input.as_str()?).is_empty()),
        "recorded_argv" if case["function"] == "sanitize_argv" => recorded(input),
        "recorded_argv" => issue(input),
        "schema_subset" => shaped(&input["instance"]),
        "seal_table" => seal(input.as_str()?, &case["expect"]),
        "record" => attempt(input)?,
        _ => return None,
    })
}

fn lines(records: &[Value]) -> String {
    records.iter().map(|record| format!("{record}\n")).collect()
}

fn asked() -> Value {
    record(1, "user", &json!({"role": "user", "content": "How many?"}))
}

fn said(text: &str) -> Value {
    let message = json!({
        "id": "msg_2", "role": "assistant", "type": "message", "model": "m",
        "content": [{"type": "text", "text": text}], "stop_reason": "end_turn"
    });
    record(2, "assistant", &message)
}

/// What the client says where the model's service refused.
fn refused(text: &str) -> Value {
    let mut own = said(text);
    own["isApiErrorMessage"] = json!(true);
    own
}

/// What becomes of an attempt whose session holds these records.
fn read(actor: &'static str, records: &[Value]) -> deedcheck::frozen::Attempt {
    let dir = tempfile::tempdir().unwrap();
    let text = lines(records);
    std::fs::write(dir.path().join("s.jsonl"), &text).unwrap();
    let row = IdentityRow {
        through: None,
        identity: "run-of-cases.b.t.1".to_owned(),
        actor,
        locator: Locator {
            root: "r".to_owned(),
            file: "s.jsonl".to_owned(),
            sha256: deedcheck::spec::sha256(text.as_bytes()),
        },
        driver: None,
    };
    read_attempt(&row, dir.path(), "r/s.jsonl")
}

/// Whether what a client says is its notice of a limit.
fn limit(text: &str) -> bool {
    let class = read("main", &[asked(), refused(text)]).class;
    class == Class::Inadmissible("usage-limit")
}

/// Whether what an agent says in the end is no answer.
fn wait(text: &str) -> bool {
    let attempt = read("subagent", &[asked(), said(text)]);
    attempt
        .answer(false)
        .is_err_and(|cause| cause == "wait-notice")
}

/// The arguments that a run records. Our placeholder is one word for every path.
fn recorded(input: &Value) -> Value {
    let words: Vec<&str> = list(input).map(|word| word.as_str().unwrap()).collect();
    let flags = ["--spec", "--join-ledger"];
    let kept = redact(&words, &flags, &["grade"]);
    let mut flag = String::new();
    let mut named = Vec::new();
    for word in kept {
        if let Some(own) = word.strip_prefix("--") {
            own.split('=').next().unwrap().clone_into(&mut flag);
        }
        named.push(word.replace(PLACEHOLDER, &format!("<{flag}>")));
    }
    json!(named)
}

/// What an export would refuse of recorded arguments; the program's own name stands before them.
fn issue(input: &Value) -> Value {
    let Some(words) = input.as_array() else {
        return json!("argv");
    };
    let mut words = words.iter().skip(2).map(|word| word.as_str().unwrap());
    json!(words.any(looks_like_path).then_some("argv"))
}

fn list(value: &Value) -> impl Iterator<Item = &Value> {
    value.as_array().unwrap().iter()
}

/// A table that is read field by field, as specs are, with the fields of the case's schema.
fn shaped(instance: &Value) -> Value {
    let node = Node::of(instance.clone());
    let read = || -> Result<(), FieldError> {
        let mut root = At::root(&node).table()?;
        root.need("a")?.count(0)?;
        for item in root.need("b")?.some()? {
            item.text()?;
        }
        root.done()
    };
    let told = read().err().map(|error| match error.field.as_str() {
        "" => "E_GRADING_BLOCK field=block".to_owned(),
        field => format!("E_GRADING_BLOCK field={field}"),
    });
    json!(told)
}

/// What the newest seal says of a file; its number is told by the digest, which stands in one table only.
fn seal(readme: &str, expected: &Value) -> Value {
    let digest = lookup(readme, "p.json").unwrap();
    let (before, _) = readme.split_once(digest).unwrap();
    let number = before.rsplit("Amendment ").next().unwrap();
    let number: u64 = number.split(' ').next().unwrap().parse().unwrap();
    assert_eq!(readme.matches(digest).count(), 1, "{expected}");
    json!([number, {"p.json": digest}])
}

const SPEC: &str = r#"schema = "deedcheck/spec/1"
grammar = "g1"
[experiment]
id = "records"
title = "Records"
[[arms]]
id = "b"
[[tasks]]
id = "t"
prompt = "How many?"
family = "claude"
opportunity = "organic"
dispatch = "ACTOR"
arms = ["b"]
[[tasks.checks]]
id = "a"
kind = "int-fact"
params = { labels = ["count"], fallback = "any-int", reason = "count" }
key = { source = "count", recipe = { take = "json", pointer = "" } }
extract = "none"
JUDGED
[[sources]]
id = "count"
kind = "file"
path = "count.json"
sha256 = "DIGEST"
[readings]
attempt-rule = "completed-attempts"
"#;

/// A clause that only a judge can decide: the words are never in the answer.
const JUDGED: &str = r#"[[tasks.checks]]
id = "d"
kind = "required-literals"
params = { on-absent = "unknown" }
key = { value = ["as the page says"] }
extract = "judge"
"#;

/// An attempt with its checks. What judges do beyond a verdict, and what carriers do beyond an answer, is not asked here.
fn attempt(input: &Value) -> Option<Value> {
    let (told, judgment) = (&input["record"], &input["judgment"]);
    if judgment["status"] == "unknown" || told["carrier"]["status"] == "unknown" {
        return None;
    }
    let dir = tempfile::tempdir().unwrap();
    let judged = input["classes"].as_str()?.contains('D');
    let count = input["key"]["key"]["count"]
        .as_u64()
        .unwrap_or(10)
        .to_string();
    // Only a plain file can be whole and hold nothing.
    let empty = told["answer"].is_null() && told["reason"].is_null();
    let actor = if empty { "file" } else { "main" };
    let reading = if empty { "" } else { "answer = \"close\"\n" };
    let spec = format!("{SPEC}{reading}")
        .replace("ACTOR", actor)
        .replace("JUDGED", if judged { JUDGED } else { "" })
        .replace("DIGEST", &deedcheck::spec::sha256(count.as_bytes()));
    let sealed = freeze(&spec, KINDS).unwrap();
    // A file that is not the pinned one leaves its key unknown.
    let pinned = input["key"]["status"] == "ok";
    std::fs::write(
        dir.path().join("count.json"),
        if pinned { &count } else { "0" },
    )
    .unwrap();
    let sources = Sources::read(&sealed.spec, None, Some(dir.path()), &Facts::default()).unwrap();
    let made = compute(&sealed, &sources, KINDS).unwrap();
    let keys = read_keys(std::str::from_utf8(&made.bytes).unwrap(), &sealed).unwrap();
    let end = || match (told["reason"].as_str(), told["answer"]["text"].as_str()) {
        (Some("usage_limit"), _) => refused("You've hit your usage limit"),
        (None, text) => said(text.unwrap_or("")),
        (Some(other), _) => panic!("{other}"),
    };
    let session = match empty {
        true => String::new(),
        false => lines(&[asked(), end()]),
    };
    std::fs::write(dir.path().join("s.jsonl"), session).unwrap();
    let launch = json!({
        "schema": "deedcheck/launch/1", "spec": sealed.seal, "run": "run-of-cases",
        "arms": {"b": {"tree": ".", "base": "0".repeat(40), "inputs": []}},
        "windows": [{"id": "w", "since": "2026-03-02T00:00:00Z", "until": "2026-03-03T00:00:00Z"}],
        "roots": {"sessions": "."},
    });
    let bound = bind(&launch.to_string(), &sealed, dir.path(), &|_, _| None)
        .unwrap()
        .0;
    let bindings = read_bindings(&serde_json::to_string(&bound).unwrap(), &sealed).unwrap();
    let launched = json!({"run": "run-of-cases", "arm": "b", "task": "t", "attempt": 1, "actor": actor,
        "root": "sessions", "file": "s.jsonl"});
    let table = identify(
        &launched.to_string(),
        &sealed,
        &bindings,
        dir.path(),
        &DriverLedger::default(),
    )
    .unwrap();
    let table = serde_json::to_string(&table).unwrap();
    let clause = list(&judgment.get("clauses").cloned().unwrap_or(json!([])))
        .map(|clause| {
            let verdict = if clause["holds"] == true {
                "pass"
            } else {
                "fail"
            };
            let row = json!({"identity": "run-of-cases.b.t.1", "check": "d", "verdict": verdict,
                "quotes": [told["answer"]["text"]]});
            format!("{row}\n")
        })
        .collect::<String>();
    let graded = grade(&Inputs {
        sealed: &sealed,
        kinds: KINDS,
        bindings: &bindings,
        attempts: &OnDisk::new(&bindings, dir.path()),
        identity: &read_identity(&table, &sealed, &bindings).unwrap(),
        keys: &keys,
        judgments: &Judgments::read(&clause, &sealed).unwrap(),
        captures: &Captures::default(),
        ledger: &Ledger::default(),
    })
    .unwrap();
    Some(spelled(&graded.rows))
}

/// Rows as the cases write them: `A` is the check, `C` the carrier, `D` the judge, who is not asked of an answer that fails.
fn spelled(rows: &[FrozenRow]) -> Value {
    let mut parts = serde_json::Map::new();
    let mut whole = json!(null);
    let mut answered = true;
    for row in rows {
        match row {
            FrozenRow::Check(row) => {
                let name = row.check.to_uppercase();
                let fails = parts.get("A") == Some(&json!("fail"));
                if row.status != "na" && !(name == "D" && fails) {
                    parts.insert(name, json!(row.status));
                }
            }
            FrozenRow::Task(row) => {
                let attempt = serde_json::to_value(&row.attempts[0]).unwrap();
                let cause = attempt["cause"].as_str();
                answered = cause.is_none() && attempt["class"] == "completed";
                let status = match attempt["status"].as_str().unwrap() {
                    "na" => "unknown",
                    other => other,
                };
                let own = if status == "fail" {
                    "failing"
                } else {
                    "unknown"
                };
                let mut reasons: Vec<String> = list(&attempt[own])
                    .map(|own| own.as_str().unwrap().replace('-', "_"))
                    .collect();
                if attempt["status"] == "na" {
                    reasons.extend(cause.map(|cause| cause.replace('-', "_")));
                }
                // A judge who says that a clause does not hold is its reason here.
                let reasons = reasons.into_iter().map(|own| match own.as_str() {
                    "judged" => "clause".to_owned(),
                    _ => own,
                });
                whole = json!([status, reasons.collect::<Vec<_>>(), attempt["class"]]);
            }
        }
    }
    // Where the carrier bears no answer, nothing else is asked.
    if !answered {
        parts.clear();
    }
    if whole[2] == "completed" {
        parts.insert(
            "C".to_owned(),
            json!(if answered { "pass" } else { "fail" }),
        );
    }
    json!([whole[0], whole[1], parts])
}
