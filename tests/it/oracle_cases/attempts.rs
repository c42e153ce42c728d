//! Cases of what becomes of an attempt, and of what its carrier wraps around an answer.

use deedcheck::frozen::carrier::{Row, Spoken, WorkflowRun};
use deedcheck::frozen::{identity_parts, is_wait_notice};
use deedcheck::transcript::{HandBack, fault, hand_back, is_answering, is_limit_notice, key_of};
use serde_json::{Value, json};

/// What a case comes to, in the shape of its expectation; `None` where it is none of these.
pub(crate) fn value(case: &Value) -> Option<Value> {
    let input = &case["input"];
    let text = || input.as_str().unwrap();
    Some(match case["kind"].as_str()? {
        "attempt_class" => superseded(input.as_array().unwrap()),
        "harness_frame" => frame(text()),
        "identity_format" => identity(text()),
        "limit_notice" => json!(is_limit_notice(text())),
        "wait_notice" => json!(is_wait_notice(text())),
        _ => return None,
    })
}

fn superseded(records: &[Value]) -> Value {
    let mut spoken = Spoken::default();
    for record in records {
        let message = &record["message"];
        let key = key_of(&[message["id"].as_str().unwrap()]);
        for block in message["content"].as_array().unwrap() {
            let text = block["text"].as_str().unwrap_or("");
            let input = block["input"].to_string();
            let kind = record["error"].as_str().unwrap_or("");
            let answering = is_answering(block["name"].as_str().unwrap_or(""));
            spoken.row(match block["type"].as_str().unwrap() {
                _ if record["isApiErrorMessage"] == true => Row::Faulted {
                    kind,
                    fault: fault(kind, text),
                },
                "tool_use" => Row::Called {
                    answer: answering.then_some(&input),
                },
                _ => Row::Said { message: key, text },
            });
        }
    }
    let run = WorkflowRun {
        started: true,
        superseded: true,
        result: None,
        logged: None,
        errors: Vec::new(),
        end: None,
        spoken: &spoken,
    };
    let carried = run.carried();
    let word = |word: &str| word.replace('-', "_");
    json!([
        carried.class.as_str(),
        carried.class.cause().map(word),
        carried.cause.as_deref().map(word)
    ])
}

fn frame(text: &str) -> Value {
    let back = hand_back(text);
    let status = match back {
        HandBack::Launched => "async",
        HandBack::Inline(_) => "inline",
        HandBack::Framed(_) => "framed",
        HandBack::Unrecognized(_) => "unrecognized",
    };
    json!({"status": status, "text": back.text()})
}

/// The original's arms are single capitals; ids of ours are small letters.
fn identity(text: &str) -> Value {
    let text = text.replace(".B.", ".b.");
    match identity_parts(&text) {
        None => Value::Null,
        Some((run, arm, task, attempt)) => {
            json!({"run": run, "arm": arm.to_uppercase(), "task": task, "attempt": attempt})
        }
    }
}
