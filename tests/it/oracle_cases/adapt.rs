//! Each kind of case as checks with parameters.

use std::collections::{BTreeMap, BTreeSet};

use deedcheck::oracle::grammar::Answer;
use deedcheck::oracle::{Asked, Component, Guards, Readings, combine, parse};
use serde_json::{Value, json};

/// One check: kind, parameters, key.
pub(crate) struct Asking {
    kind: &'static str,
    params: Value,
    key: Value,
}

/// The checks of a case, and the readings that it chooses.
pub(crate) struct Checks {
    checks: Vec<Asking>,
    readings: Readings,
}

pub(crate) fn check(kind: &'static str, params: Value, key: Value) -> Asking {
    Asking { kind, params, key }
}

/// All of them asked of an answer, as one result, where no reading is needed.
pub(crate) fn ask_all(checks: &[Asking], answer: &str) -> Component {
    of(checks, &Readings::default(), answer)
}

/// All of them asked of an answer, as one result.
pub(crate) fn ask(checks: &Checks, answer: &str) -> Component {
    of(&checks.checks, &checks.readings, answer)
}

fn of(checks: &[Asking], readings: &Readings, answer: &str) -> Component {
    let answer = Answer::read(answer);
    let parts: Vec<Component> = checks
        .iter()
        .map(|own| {
            let check = parse(own.kind, &own.params).unwrap();
            check.ask(&Asked {
                key: &own.key,
                answer: &answer,
                readings,
                guards: Guards::ALL,
            })
        })
        .collect();
    combine(&parts)
}

/// The original's readings in our names.
fn readings(case: &Value) -> Readings {
    let ours = [
        ("payload-shape", "R2-01", "root_array"),
        ("object-key-order", "R2-02", "ordered"),
        ("definition-text", "R2-03", "full_segment"),
        ("references", "R2-04", "complete_and_precise"),
        ("callers", "R2-05", "sites_and_functions"),
        ("conversion", "R2-06", "answer_elements"),
        ("lines-containing", "R2-09", "whole_word"),
        ("url-match", "R2-18", "exact_url"),
    ];
    let chosen = ours.map(|(name, id, decided)| {
        let value = case["readings"][id].as_str().unwrap_or(decided);
        let value = match value {
            "full_segment" => "full".to_owned(),
            "def_line_range" => "def-line".to_owned(),
            other => other.replace('_', "-"),
        };
        (name.to_owned(), value)
    });
    Readings(BTreeMap::from(chosen))
}

fn int(labels: &[&str], nouns: &[&str], reason: &str, key: &Value) -> Asking {
    let params = json!({"labels": labels, "nouns": nouns, "reason": reason});
    check("int-fact", params, json!({"value": key}))
}

fn sites(key: &Value, calls: &str, mut params: Value) -> Asking {
    for (ours, theirs) in [
        ("sites-missing", "sites_missing"),
        ("site-excluded", "site_excluded"),
        ("site-spurious", "site_spurious"),
        ("site-duplicated", "site_duplicated"),
        ("definition-missing", "definition_missing"),
        ("functions-missing", "functions_missing"),
    ] {
        params["reasons"][ours] = json!(theirs);
    }
    let own = json!({
        "definition": key["def"],
        "calls": key[calls],
        "attribute-calls": key["attr_calls"],
        "imports": key["imports"],
        "mentions": key["mentions"],
    });
    check("symbol-sites", params, own)
}

fn literals(cited: &[&str], facts: &[&str]) -> Asking {
    let cited = cited.iter().map(|text| json!({"text": text}));
    let facts = facts
        .iter()
        .map(|text| json!({"text": text, "on-absent": "unknown"}));
    let items: Vec<Value> = cited.chain(facts).collect();
    let params = json!({"case": "insensitive", "reason": "citation_missing"});
    check("required-literals", params, json!({"items": items}))
}

fn payload(key: &Value, sum: Option<Value>) -> Asking {
    let mut params = json!({"reasons": {
        "shape": "strict_shape",
        "types": "strict_types",
        "key-order": "key_order",
        "json-strict-decode": "json_strict_decode",
        "toon-strict-decode": "toon_strict_decode",
        "sum": "latency_sum",
    }});
    if let Some(sum) = sum {
        params["sum"] = sum;
    }
    let key = json!({"records": key["records"], "sum": key["latency_sum"]});
    check("payload", params, key)
}

/// The checks of a case; `None` where none is mapped.
pub(crate) fn checks(case: &Value) -> Option<Checks> {
    let key = &case["key"];
    let kind = case["kind"].as_str()?;
    let template = case["template"].as_str().unwrap_or("");
    let checks = match (kind, template) {
        ("ordered_list_and_counts", _) => headings(key),
        ("digest_and_size", _) | ("probe", "T2") => digest(key),
        ("source_segment", _) => segment(case, key),
        ("name_set", _) => vec![check(
            "name-set",
            json!({
                "count-labels": ["total", "functions", "names"],
                "reasons": {"names-missing": "names_missing", "name-excluded": "name_excluded"},
            }),
            json!({"names": key["names"], "distractors": key["distractors"]}),
        )],
        ("structured_payload", _) => vec![payload(key, None)],
        ("structured_payload_with_sum_and_source", _) => sum_and_source(case, key),
        ("literal_and_facts", _) => catalog(template),
        ("single_count", _) | ("probe", "T34") => vec![check(
            "int-fact",
            json!({
                "labels": ["error", "errors", "count", "records"],
                "fallback": "any-int",
                "reason": "count",
            }),
            json!({"value": key["count"]}),
        )],
        ("verdict_and_fields", _) => verdict(key),
        ("first_and_last", _) => vec![end(key, "first", 1), end(key, "last", 2)],
        ("page_fact", _) => page(case),
        ("words_present", _) | ("probe", "T37") => vec![check(
            "required-literals",
            json!({"case": "insensitive", "reason": "names_missing"}),
            json!({"items": [key["function"], {"any-of": ["!", "exclamation"]}]}),
        )],
        ("diff_facts", _) => vec![
            check(
                "required-literals",
                json!({"reason": "files"}),
                json!({"items": key["files"]}),
            ),
            int(&["hunks", "hunk"], &[], "hunks", &key["hunks"]),
            int(&["added"], &["lines", "line"], "added", &key["added"]),
            int(
                &["deleted", "removed"],
                &["lines", "line"],
                "deleted",
                &key["deleted"],
            ),
        ],
        ("element_contents", _) => vec![check(
            "structure-elements",
            json!({"elements": ["heading", "table", "image"], "reason": "elements_missing"}),
            json!({"contents": key["contents"]}),
        )],
        ("exit_status", _) => vec![int(
            &["exit", "exited", "returned"],
            &["code", "status", "with"],
            "exit",
            &key["exit"],
        )],
        ("filtered_rows_and_sites", _) => vec![
            check(
                "row-filter",
                json!({
                    "anchor": "error",
                    "stop-words": ["sum", "value", "total"],
                    "bounds": key["range"],
                    "reason": "events",
                }),
                json!({"values": key["error_events"]}),
            ),
            int(&["sum", "total"], &[], "value_sum", &key["value_sum"]),
            sites(
                key,
                "name_calls",
                json!({"complete": "always", "once": true}),
            ),
        ],
        ("inventory_counts", _) => inventory(key),
        ("listed_values_with_levels", _) => listed(key),
        ("occurrence_count", _) => occurrences(key),
        ("quoted_citations", _) => vec![check(
            "quoted-source",
            json!({"reasons": {"missing": "citation_missing", "unresolved": "citation_unresolved"}}),
            json!({
                "path": key["path"],
                "line": key["lineno"],
                "end-line": key["end_lineno"],
                "files": key["files"],
            }),
        )],
        ("symbol_sites", _) => vec![sites(key, "name_calls", json!({}))],
        ("call_sites_with_function", _) => vec![sites(
            key,
            "sites",
            json!({"definition": false, "function-names": true, "complete": "always"}),
        )],
        _ => return None,
    };
    Some(Checks {
        checks,
        readings: readings(case),
    })
}

fn headings(key: &Value) -> Vec<Asking> {
    let lines: serde_json::Map<String, Value> = key["token_lines"]
        .as_object()
        .unwrap()
        .iter()
        .map(|(reading, count)| (reading.replace('_', "-"), count.clone()))
        .collect();
    vec![
        check(
            "ordered-literals",
            json!({"reasons": {"missing": "headings_missing", "order": "headings_order"}}),
            json!({"items": key["first_ten"]}),
        ),
        check(
            "int-fact",
            json!({"labels": ["headings"], "skip": ["second-level"], "reason": "heading_count"}),
            json!({"value": key["heading_count"]}),
        ),
        check(
            "int-fact",
            json!({"anchors": ["token"], "reason": "token_lines"}),
            json!({"value": lines}),
        ),
    ]
}

fn digest(key: &Value) -> Vec<Asking> {
    vec![
        check(
            "hex-digest",
            json!({"length": 64, "reasons": {"digest": "sha256", "missing": "digest_missing"}}),
            json!({"value": key["sha256"]}),
        ),
        check(
            "int-fact",
            json!({
                "fallback": "any-int",
                "min-value": 1000,
                "on-absent": "fail",
                "reasons": {"value": "bytes", "missing": "bytes_missing"},
            }),
            json!({"value": key["bytes"]}),
        ),
        check(
            "word-class",
            json!({
                "positive": ["match", "matches", "matched", "identical", "equal", "verified"],
                "negative": ["mismatch", "mismatched", "differ", "differs", "differed"],
            }),
            Value::Null,
        ),
    ]
}

fn segment(case: &Value, key: &Value) -> Vec<Asking> {
    let whole = case["readings"]["R2-03"] != "def_line_range";
    vec![
        check(
            "citation-at",
            json!({
                "end": if whole { "either" } else { "range" },
                "reason": "definition_location",
            }),
            json!({"path": key["path"], "line": key["lineno"], "end-line": key["end_lineno"]}),
        ),
        check(
            "source-segment",
            json!({"reason": "definition_text"}),
            json!({"text": key["segment"], "def-line": key["def_line"]}),
        ),
    ]
}

fn sum_and_source(case: &Value, key: &Value) -> Vec<Asking> {
    let url = case["params"]["urls"][1].as_str();
    let url = url.unwrap_or("https://docs.python.org/3/library/pathlib.html");
    let sum = json!({"field": "latency", "nouns": ["latency_ms", "ms"]});
    vec![
        payload(key, Some(sum)),
        check(
            "url-cited",
            json!({"words": ["read_text", "encoding"], "reason": "citation_missing"}),
            json!({"url": url}),
        ),
    ]
}

fn catalog(template: &str) -> Vec<Asking> {
    let defaults = "docs/harness-defaults.md";
    vec![match template {
        "T4" => literals(
            &["adoption/update.md"],
            &["release_tag", "release_commit", "bootstrap"],
        ),
        "T7" => literals(&["recipes/host-request-lane.md"], &[]),
        "T21" => literals(
            &["catalogs/us-equities/README.md"],
            &[defaults, "NautilusTrader", "2.0.0rc5", "IBKR", "Alpaca"],
        ),
        "T22" => literals(
            &["catalogs/us-equities/agents-operations.md"],
            &[defaults, "native_proven"],
        ),
        "T24" => literals(
            &["catalogs/us-equities/native-workflows.md"],
            &[defaults, "us-equities-catalog", "us-equities-foundation"],
        ),
        _ => literals(
            &["catalogs/us-equities/"],
            &[defaults, "memory store", "retrieval lane"],
        ),
    }]
}

fn verdict(key: &Value) -> Vec<Asking> {
    vec![
        check(
            "choice-in-clause",
            json!({
                "anchor": "verdict",
                "choices": ["yes", "no"],
                "fallback": "unique-anywhere",
                "reason": "verdict",
            }),
            json!({"value": key["verdict"]}),
        ),
        int(&["id", "record_id"], &[], "record_id", &key["record_id"]),
        int(
            &["latency", "ms", "latency_ms"],
            &["ms", "milliseconds"],
            "latency",
            &key["latency_ms"],
        ),
    ]
}

fn end(key: &Value, label: &str, position: u64) -> Asking {
    let params = json!({
        "labels": [label],
        "direction": "after",
        "fallback": "positional",
        "position": position,
        "positions": 2,
        "unless": ["first", "last"],
        "reason": label,
    });
    check("int-fact", params, json!({"value": key[label]}))
}

fn page(case: &Value) -> Vec<Asking> {
    let params = json!({"facts": [
        {"name": "idempotency_key_header", "text": "Idempotency-Key"},
        {"name": "retention_hours", "kind": "int", "labels": ["hours"], "reason": "retention"},
    ]});
    let key = case["ctx"]["facts"]
        .as_object()
        .cloned()
        .unwrap_or_default();
    vec![check("page-facts", params, Value::Object(key))]
}

fn inventory(key: &Value) -> Vec<Asking> {
    vec![
        check(
            "required-literals",
            json!({"mode": "whole-word", "reason": "name_missing"}),
            json!({"items": [key["function"]]}),
        ),
        check(
            "count-before-noun",
            json!({"nouns": ["line", "lines"], "number-words": true, "reason": "line_count"}),
            json!({"allowed": [key["before_lines"], key["after_lines"]]}),
        ),
    ]
}

fn listed(key: &Value) -> Vec<Asking> {
    vec![
        check(
            "row-filter",
            json!({
                "anchor": ["event", "events"],
                "field": "event",
                "bracketed": true,
                "order": true,
                "reason": "events",
            }),
            json!({"values": key["events"]}),
        ),
        check(
            "level-assertion",
            json!({"forbidden": ["WARN", "WARNING", "ERROR", "DEBUG"]}),
            json!({"expected": "INFO"}),
        ),
    ]
}

fn occurrences(key: &Value) -> Vec<Asking> {
    let sites_of = key["sites"].as_array().unwrap();
    let files: BTreeSet<&str> = sites_of
        .iter()
        .map(|site| site[0].as_str().unwrap())
        .collect();
    vec![
        check(
            "required-literals",
            json!({"reason": "files_missing"}),
            json!({"items": files}),
        ),
        check(
            "int-fact",
            json!({
                "anchors": ["subprocess", "count", "total", "calls", "invocations", "occurrences"],
                "stop-nouns": ["files", "file", "scripts", "modules"],
                "reason": "count",
            }),
            json!({"value": key["count"]}),
        ),
        sites(
            key,
            "sites",
            json!({"definition": false, "complete": "when-cited"}),
        ),
    ]
}
