//! Cases whose answer is held against what the run left behind.

use deedcheck::oracle::grammar::Answer;
use deedcheck::oracle::{Component, Evidence, Guards, Readings, Weighed, parse, weigh_with};
use deedcheck::shell;
use serde::Deserialize as _;
use serde_json::{Value, json};

use super::adapt::{self, check};

/// A check of evidence, asked.
fn weigh(
    kind: &str,
    params: &Value,
    key: &Value,
    (readings, answer, evidence): (&Value, &str, &Value),
) -> Weighed {
    let chosen = readings.as_object().into_iter().flatten();
    let chosen = chosen.map(|(id, value)| (id.clone(), value.as_str().unwrap().to_owned()));
    let evidence = Evidence::deserialize(evidence).unwrap();
    let check = parse(kind, params).unwrap_or_else(|error| panic!("{kind}: {error}"));
    let (answer, readings) = (Answer::read(answer), Readings(chosen.collect()));
    weigh_with(&*check, (&answer, &evidence), key, &readings, Guards::ALL).unwrap()
}

/// The shells of all cases.
fn shells() -> Value {
    json!([{"tool": "Bash", "field": "command"}])
}

fn bash(command: &str, result: &Value, state: &Value) -> Value {
    let state = state.as_str().unwrap_or("none");
    let mut call =
        json!({"id": "c", "tool": "Bash", "input": {"command": command}, "state": state});
    if !result.is_null() {
        call["result"] = result.clone();
    }
    call
}

/// What a case comes to; `None` where it is none of these.
pub(crate) fn outcome(case: &Value) -> Option<Component> {
    let (key, answer) = (&case["key"], case["answer"].as_str().unwrap_or(""));
    Some(match case["kind"].as_str()? {
        "acceptance_run" if case["component"] == "A" => inventory(key, answer),
        "acceptance_run" => acceptance(key),
        "captured_command_facts" => captured(&case["ctx"]["captures"], answer),
        "memory_hit" => memory(case),
        "reported_sessions" => sessions(case),
        "sentinel_binding" => {
            let params = json!({
                "count-nouns": ["line", "lines"],
                "reasons": {
                    "sentinel-missing": "sentinel_missing", "path-only": "path_only", "sibling-value": "sibling_value",
                    "inventory-missing": "inventory_missing", "count": "before_lines",
                },
            });
            let key = json!({
                "value": key["value"], "siblings": [key["sibling_value"]], "inventory": key["inventory"],
                "count": key["before_lines"],
            });
            weigh("sentinel", &params, &key, (&json!({}), answer, &json!({}))).result
        }
        _ => return None,
    })
}

/// What a case of a plain function comes to, as the cases write it.
pub(crate) fn value(case: &Value) -> Option<Value> {
    let input = &case["input"];
    Some(match case["kind"].as_str()? {
        "encoding_facts" => encoding(input),
        "shell_programs" => {
            let script = shell::read(input.as_str()?);
            let programs = script.commands.iter().map(|own| own.program.to_string());
            let programs: std::collections::BTreeSet<String> = programs.collect();
            json!(programs)
        }
        "survivors" => {
            let calls: Vec<Value> = input["programs"]
                .as_array()?
                .iter()
                .map(|own| bash(own.as_str().unwrap(), &Value::Null, &json!("succeeded")))
                .collect();
            let evidence = json!({
                "calls": calls,
                "processes": input["processes"],
                "lifetime": {"start": input["lifetime"][0], "end": input["lifetime"][1]},
            });
            let told = weigh(
                "session-report",
                &report(),
                &table(&json!({"rk.a": null})),
                (&readings(case), "", &evidence),
            );
            json!([told.facts["owned"], told.facts["unattributed"]])
        }
        _ => return None,
    })
}

fn inventory(key: &Value, answer: &str) -> Component {
    let literals = |items: Value, reason: &str| {
        check(
            "required-literals",
            json!({"mode": "whole-word", "reason": reason}),
            json!({"items": items}),
        )
    };
    let lines = json!([key["wc_l"].to_string()]);
    let exit = json!({
        "labels": ["exit", "exited", "returned"], "nouns": ["code", "status", "with"], "reason": "exit",
    });
    let checks = vec![
        literals(key["ls"].clone(), "inventory"),
        literals(json!([key["summary"]]), "summary_literal"),
        literals(lines, "line_count"),
        check("int-fact", exit, json!({"value": 0})),
    ];
    adapt::ask_all(&checks, answer)
}

fn acceptance(key: &Value) -> Component {
    let params = json!({
        "command": "run", "argv": ["run"], "last-line": key["summary"], "reason": "acceptance_run",
    });
    let run = &key["acceptance"];
    let captures = match run {
        Value::Null => json!([]),
        run => json!([{
            "id": "run", "phase": "post-w", "condition": "plain", "argv": ["run"], "exit": run["exit"],
            "stdout": run["last_line"],
        }]),
    };
    weigh(
        "recorded-run",
        &params,
        &json!({}),
        (&json!({}), "", &json!({"captures": captures})),
    )
    .result
}

fn captured(captures: &Value, answer: &str) -> Component {
    let label = |name: &str| json!({"name": name, "command": "unittest", "read": "label", "labels": [name], "required": false, "reason": format!("test_{name}")});
    let params = json!({
        "commands": ["git-log", "git-status", "git-diff", "grep", "ls", "unittest"],
        "newest": "git-log",
        "fields": [
            {"name": "ran", "command": "unittest", "read": "count", "nouns": ["test", "tests"], "reason": "test_count"},
            {"name": "status", "command": "unittest", "read": "word", "positive": ["OK", "passed"], "negative": ["FAILED", "failed"], "reason": "test_status"},
            label("skipped"), label("failures"), label("errors"),
        ],
        "reasons": {
            "capture-missing": "capture_missing", "subject-missing": "subject_missing", "subject-not-newest": "subject_not_newest",
        },
    });
    let mut all = Vec::new();
    for condition in ["arm", "plain"] {
        for run in captures["pre"][condition]["runs"].as_array().unwrap() {
            let facts = &run["facts"];
            let printed = match run["id"].as_str().unwrap() {
                "git-log" => {
                    let subjects = facts["subjects"].as_array().unwrap().iter();
                    subjects
                        .map(|own| own.as_str().unwrap())
                        .collect::<Vec<_>>()
                        .join("\n")
                }
                "unittest" => format!(
                    "Ran {} tests in 0.1s\n\n{} (skipped={}, failures={}, errors={})",
                    facts["ran"],
                    facts["status"].as_str().unwrap(),
                    facts["skipped"],
                    facts["failures"],
                    facts["errors"],
                ),
                _ => String::new(),
            };
            all.push(json!({
                "id": run["id"], "phase": "pre-arm", "condition": condition, "argv": ["x"], "exit": 0, "stdout": printed,
                "verified": captures["pre"][condition]["conditions"]["verified"],
            }));
        }
    }
    weigh(
        "captured-command",
        &params,
        &json!({}),
        (&json!({}), answer, &json!({"captures": all})),
    )
    .result
}

fn memory(case: &Value) -> Component {
    let params = json!({
        "mode": "record", "predicates": [{"server": "memory"}], "reason": "no_historical_hit",
    });
    let records = case["key"]["records"].as_array().unwrap().iter();
    let records: Vec<Value> = records
        .map(|own| json!({"path": own["path"], "sha256": own["content_sha256"]}))
        .collect();
    let mut call = json!({"id": "c", "tool": "query", "server": "memory", "state": case["state"]});
    if !case["answer"].is_null() {
        call["result"] = case["answer"].clone();
    }
    let evidence = json!({"calls": [call]});
    weigh(
        "call-evidence",
        &params,
        &json!({"records": records}),
        (&json!({}), "", &evidence),
    )
    .result
}

fn report() -> Value {
    json!({
        "archive": {"programs": ["archive"]}, "shells": shells(), "survivors": true,
        "count-nouns": ["session", "sessions", "match", "matches", "identities"],
        "reasons": {
            "no-archive-query": "no_archive_query", "session-outside-table": "session_outside_table",
            "session-not-before-query": "session_not_before_query", "session-missing": "session_missing",
            "count-mismatch": "count_mismatch", "owned-process-survives": "owned_process_survives",
        },
    })
}

fn table(starts: &Value) -> Value {
    let sessions = starts.as_object().unwrap().iter();
    let sessions: Vec<Value> = sessions
        .map(|(id, start)| json!({"id": id, "start": start}))
        .collect();
    json!({"prefix": "rk", "sessions": sessions})
}

fn readings(case: &Value) -> Value {
    let chosen =
        |id: &str, decided: &str| case["readings"][id].as_str().unwrap_or(decided).to_owned();
    json!({
        "reported-sessions": chosen("R2-19", "subset"),
        "surviving-process": chosen("R2-20", "fail"),
    })
}

fn sessions(case: &Value) -> Component {
    let key = &case["key"];
    let mut calls = Vec::new();
    if key["q"].is_string() {
        let mut call = bash("archive list", &Value::Null, &json!("succeeded"));
        call["at"] = key["q"].clone();
        calls.push(call);
    }
    let evidence = json!({
        "calls": calls,
        "calls-observed": key["q_status"] != "unobserved",
        "lifetime": {"start": "2026-10-01T01:00:00Z", "end": "2026-10-01T02:00:00Z"},
        "background-pending": key["background_pending"].as_u64().unwrap_or(0),
    });
    let answer = case["answer"].as_str().unwrap();
    weigh(
        "session-report",
        &report(),
        &table(&key["starts"]),
        (&readings(case), answer, &evidence),
    )
    .result
}

/// Whether it was encoded, why that is not known, what was not worth it, and the round trips.
fn encoding(input: &Value) -> Value {
    let params = json!({
        "program": "toon", "decode": ["-d", "--decode"], "output": ["-o", "--output"], "status-lines": ["Encoded"],
        "eligible-minimum": 5, "seeded": input["seeded"], "shells": shells(),
    });
    let calls = input["calls"].as_array().unwrap().iter();
    let calls: Vec<Value> = calls
        .map(|own| bash(own[0].as_str().unwrap(), &own[1], &own[2]))
        .collect();
    let readings = json!({
        "seeded-encode": "cli-encode", "no-original": "unknown-in-denominator", "payload-shape": "root-array",
    });
    let answer = input["answer"].as_str().unwrap();
    let evidence = json!({"calls": calls});
    let told = weigh(
        "round-trip",
        &params,
        &json!({"records": input["records"]}),
        (&readings, answer, &evidence),
    );
    let word = |value: &Value| json!(value.as_str().unwrap().replace('-', "_"));
    let why = told.result.unknown.first().map(|own| own.replace('-', "_"));
    json!([
        word(&told.facts["encode"]),
        why,
        told.facts["ineligible"],
        told.facts["ineligible-unknown"],
        told.facts["trips"]
    ])
}
