//! Files that Claude Code keeps beside transcripts: what an agent was launched by, what a workflow
//! did, and what a run printed. Their shapes are those of release 2.1.332.

use std::collections::BTreeSet;

use serde::Deserialize;
use serde_json::Value;
use serde_json::value::RawValue;

/// What lies beside an agent's transcript.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Launch {
    /// The call that launched it.
    pub call: Option<String>,
    /// Whether it is a teammate that runs in its leader's own process.
    pub teammate: bool,
}

/// Reads what lies beside an agent's transcript.
#[must_use]
pub fn launch(text: &str) -> Option<Launch> {
    let value: Value = serde_json::from_str(text).ok()?;
    let word = |name: &str| value.get(name).and_then(Value::as_str);
    Some(Launch {
        call: word("toolUseId").map(str::to_owned),
        teammate: word("taskKind") == Some("in_process_teammate"),
    })
}

/// A start in a workflow's journal.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Start {
    /// What is asked, as the client keys it.
    pub key: String,
    /// The agent that was started for it.
    pub agent: String,
}

/// A workflow's journal.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Journal {
    /// What was started, in order.
    pub starts: Vec<Start>,
    /// What came back, as JSON, each beside its start.
    pub results: Vec<(Start, String)>,
}

impl Journal {
    /// The last result of a start, as JSON.
    #[must_use]
    pub fn result(&self, start: &Start) -> Option<&str> {
        let own =
            |of: &Start| of.key == start.key && [start.agent.as_str(), ""].contains(&&*of.agent);
        let mut results = self.results.iter().rev();
        let found = results.find(|(of, _)| own(of))?;
        Some(&found.1)
    }
}

#[derive(Deserialize)]
struct Entry<'a> {
    #[serde(rename = "type")]
    kind: String,
    #[serde(default)]
    key: String,
    #[serde(default, rename = "agentId")]
    agent: String,
    #[serde(borrow, default)]
    result: Option<&'a RawValue>,
}

/// Reads a workflow's journal. Lines that are none are passed over, as the client does.
#[must_use]
pub fn journal(text: &str) -> Journal {
    let mut journal = Journal::default();
    for line in text.lines() {
        let Ok(entry) = serde_json::from_str::<Entry<'_>>(line) else {
            continue;
        };
        let start = Start {
            key: entry.key,
            agent: entry.agent,
        };
        match (entry.kind.as_str(), entry.result) {
            ("started", _) => journal.starts.push(start),
            // A null reads as nothing, and is a result all the same.
            ("result", result) => {
                let json = result.map_or("null", RawValue::get).to_owned();
                journal.results.push((start, json));
            }
            _ => {}
        }
    }
    journal
}

/// What a workflow's own record says of one agent.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct WorkflowEnd {
    /// How the agent or else the workflow ended: `completed`, `failed`, `error`, `killed`.
    pub status: String,
    /// What is said of a fault.
    pub error: String,
    /// Whether the fault is that no answer of the asked shape came within the tries.
    pub capped: bool,
    /// Further faults that are told.
    pub errors: Vec<String>,
    /// The response that the workflow logged of the agent, as JSON.
    pub logged: Option<String>,
}

/// The label and the agent of each agent that a workflow's own record names.
#[must_use]
pub fn workflow_labels(text: &str) -> Vec<(String, String)> {
    let value: Value = serde_json::from_str(text).unwrap_or_default();
    let entry = |entry: &Value| {
        let word = |name: &str| Some(entry.get(name)?.as_str()?.to_owned());
        Some((word("label")?, word("agentId")?))
    };
    progress(&value).filter_map(entry).collect()
}

fn progress(record: &Value) -> impl Iterator<Item = &Value> {
    let list = record.get("workflowProgress").and_then(Value::as_array);
    list.into_iter().flatten()
}

fn word<'v>(value: &'v Value, name: &str) -> &'v str {
    value.get(name).and_then(Value::as_str).unwrap_or("")
}

/// Reads what a workflow's own record says of one start. A line of its log that is a JSON object with
/// the start's `agentId`, `key` or `label` tells the `response` or the `error` of it; other lines are of all.
#[must_use]
pub fn workflow_end(text: &str, start: &Start) -> Option<WorkflowEnd> {
    let record: Value = serde_json::from_str(text).ok()?;
    let own = progress(&record).filter(|entry| word(entry, "agentId") == start.agent);
    let entry = own.last();
    let failed = entry.filter(|entry| matches!(word(entry, "state"), "error" | "failed"));
    let mut end = WorkflowEnd {
        status: match failed {
            Some(_) => "failed".to_owned(),
            None => word(&record, "status").to_owned(),
        },
        error: match failed {
            Some(entry) => word(entry, "error").to_owned(),
            None => word(&record, "error").to_owned(),
        },
        ..WorkflowEnd::default()
    };
    end.errors
        .extend(entry.map(|entry| word(entry, "error").to_owned()));
    end.capped = end.error.contains("StructuredOutput retry cap");
    // A script knows the labels that it gives, and neither agents nor keys. One that it gave twice names nobody.
    let label = entry.map(|entry| word(entry, "label"));
    let label = label.filter(|label| {
        let own = progress(&record).filter(|other| word(other, "label") == *label);
        let agents = own.map(|other| word(other, "agentId"));
        agents.collect::<BTreeSet<_>>().len() == 1
    });
    let mut responses: Vec<String> = Vec::new();
    let logs = record.get("logs").and_then(Value::as_array);
    for line in logs.into_iter().flatten().filter_map(Value::as_str) {
        let told: Value = serde_json::from_str(line).unwrap_or_default();
        if !told.is_object() {
            end.errors.push(line.to_owned());
            continue;
        }
        let named = |name: &str, own: &str| word(&told, name) == own && !own.is_empty();
        let labelled = label.is_some_and(|label| named("label", label));
        if !named("agentId", &start.agent) && !named("key", &start.key) && !labelled {
            continue;
        }
        end.errors.push(word(&told, "error").to_owned());
        responses.extend(told.get("response").map(|value| match value {
            Value::String(text) => text.clone(),
            value => value.to_string(),
        }));
    }
    // Of two that say different things one at least differs from the answer, and so does a list of both. Text that is no
    // JSON says what it says: `see file` is not nothing, and not what another text is.
    let said = |own: &String| serde_json::from_str(own).unwrap_or(Value::String(own.clone()));
    let all: Vec<Value> = responses.iter().map(said).collect();
    end.logged = match all.iter().any(|own| Some(own) != all.first()) {
        true => Some(Value::Array(all).to_string()),
        false => responses.pop(),
    };
    end.errors.retain(|error| !error.is_empty());
    Some(end)
}

/// The record that closes what a run printed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PrintedEnd {
    /// Whether it tells of an error.
    pub error: bool,
    /// The result that it repeats.
    pub text: String,
}

/// The last record that closes what a run printed as records: one document, a list of them, or one a
/// line. `None` where the text is none of these, or was never closed.
#[must_use]
pub fn printed_end(text: &str) -> Option<PrintedEnd> {
    let of = |value: &Value| {
        (word(value, "type") == "result").then(|| PrintedEnd {
            error: value.get("is_error") == Some(&Value::Bool(true))
                || word(value, "subtype") != "success",
            text: word(value, "result").to_owned(),
        })
    };
    match serde_json::from_str::<Value>(text) {
        Ok(Value::Array(records)) => records.iter().rev().find_map(of),
        Ok(record) => of(&record),
        Err(_) => text.lines().rev().find_map(|line| {
            let record: Value = serde_json::from_str(line).ok()?;
            of(&record)
        }),
    }
}

/// The name of an agent's transcript.
#[must_use]
pub fn agent_file(agent: &str) -> String {
    format!("agent-{agent}.jsonl")
}

/// The path of the file that lies beside an agent's transcript.
#[must_use]
pub fn launch_file(transcript: &str) -> Option<String> {
    let stem = transcript.strip_suffix(".jsonl")?;
    let name = stem.rsplit('/').next()?;
    name.starts_with("agent-")
        .then(|| format!("{stem}.meta.json"))
}

/// The path of the record that a workflow keeps of itself, by that of its journal, and the workflow's
/// id.
#[must_use]
pub fn workflow_file(journal: &str) -> Option<(String, String)> {
    let folder = journal.strip_suffix("/journal.jsonl")?;
    let (before, run) = folder.rsplit_once('/')?;
    let session = before.strip_suffix("subagents/workflows")?;
    Some((format!("{session}workflows/{run}.json"), run.to_owned()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_journal_tells_starts_and_results() {
        let text = r#"{"type":"launched"}
{"type":"started","key":"k1","agentId":"a1"}
{"type":"started","key":"k1","agentId":"a2"}
not json
{"type":"result","key":"k1","agentId":"a2","result":null}
"#;
        let journal = journal(text);
        assert_eq!(journal.starts.len(), 2);
        assert_eq!(journal.result(&journal.starts[0]), None);
        assert_eq!(journal.result(&journal.starts[1]), Some("null"));
    }

    #[test]
    fn a_workflow_tells_how_each_agent_ended() {
        let text = r#"{"status":"completed","logs":["ready","{\"agentId\":\"a1\",\"response\":{\"answer\":\"7\"}}"],
            "workflowProgress":[{"type":"workflow_agent","label":"tides","agentId":"a1","state":"done"},
            {"type":"workflow_agent","label":"tides","agentId":"a2","state":"error",
             "error":"agent({schema}): StructuredOutput retry cap (3) exceeded"}]}"#;
        let start = |agent: &str| Start {
            key: "k1".to_owned(),
            agent: agent.to_owned(),
        };
        let end = workflow_end(text, &start("a1")).unwrap();
        assert_eq!((end.status.as_str(), end.capped), ("completed", false));
        assert_eq!(end.logged.as_deref(), Some(r#"{"answer":"7"}"#));
        let end = workflow_end(text, &start("a2")).unwrap();
        assert_eq!((end.status.as_str(), end.capped), ("failed", true));
        assert_eq!(end.logged, None);
        assert_eq!(workflow_labels(text).len(), 2);
        // A label tells whose response was logged where no other agent has it.
        let labelled = text.replace(r#"{\"agentId\":\"a1\""#, r#"{\"label\":\"tides\""#);
        assert_eq!(workflow_end(&labelled, &start("a1")).unwrap().logged, None);
        let alone = labelled.replace(r#""label":"tides","agentId":"a2""#, r#""agentId":"a2""#);
        let end = workflow_end(&alone, &start("a1")).unwrap();
        assert_eq!(end.logged.as_deref(), Some(r#"{"answer":"7"}"#));
        assert_eq!(workflow_end(&alone, &start("a2")).unwrap().logged, None);
    }

    #[test]
    fn responses_that_differ_are_a_list_of_what_they_say() {
        let logged = |responses: &[&str]| {
            let line =
                |own: &&str| serde_json::json!({"agentId": "a1", "response": own}).to_string();
            let logs: Vec<String> = responses.iter().map(line).collect();
            let record = serde_json::json!({"status": "completed", "logs": logs});
            let start = Start {
                key: "k1".to_owned(),
                agent: "a1".to_owned(),
            };
            workflow_end(&record.to_string(), &start).unwrap().logged
        };
        for (responses, told) in [
            (&[][..], None),
            (&[r#"{"a":1}"#], Some(r#"{"a":1}"#)),
            (&["see file"], Some("see file")),
            (&["see file", "see file"], Some("see file")),
            (&[r#"{"a":1}"#, r#"{ "a": 1 }"#], Some(r#"{ "a": 1 }"#)),
            (&[r#"{"a":2}"#, "see file"], Some(r#"[{"a":2},"see file"]"#)),
            (&["see file", "see log"], Some(r#"["see file","see log"]"#)),
            (&["null", "see file"], Some(r#"[null,"see file"]"#)),
            (&["1", "2", "1"], Some("[1,2,1]")),
        ] {
            assert_eq!(logged(responses).as_deref(), told, "{responses:?}");
        }
    }

    #[test]
    fn what_was_printed_is_closed_by_its_last_result() {
        let end = |text: &str| printed_end(text).map(|end| (end.error, end.text));
        let record = |text: &str| {
            format!(r#"{{"type":"result","subtype":"success","is_error":false,"result":"{text}"}}"#)
        };
        assert_eq!(end(&record("7")), Some((false, "7".to_owned())));
        let list = format!(r#"[{{"type":"system"}},{}]"#, record("7"));
        assert_eq!(end(&list), Some((false, "7".to_owned())));
        let stream = format!(
            "{{\"type\":\"system\"}}\n{}\n{}\n",
            record("7"),
            record("8")
        );
        assert_eq!(end(&stream), Some((false, "8".to_owned())));
        assert_eq!(
            end(r#"{"type":"result","subtype":"error_max_turns"}"#),
            Some((true, String::new()))
        );
        assert_eq!(end("7"), None);
    }

    #[test]
    fn a_workflow_s_own_record_lies_beside_its_session() {
        assert_eq!(
            workflow_file("p/s1/subagents/workflows/wf_1/journal.jsonl"),
            Some(("p/s1/workflows/wf_1.json".to_owned(), "wf_1".to_owned()))
        );
        assert_eq!(workflow_file("p/journal.jsonl"), None);
        assert_eq!(
            launch_file("p/agent-a1.jsonl").as_deref(),
            Some("p/agent-a1.meta.json")
        );
    }
}
