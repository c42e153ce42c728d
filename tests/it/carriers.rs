//! What each carrier leaves behind, and what must be said of the attempt, by someone who had not
//! seen the code (`calibration/second-part/attempts.toml`).

use std::collections::BTreeMap;
use std::path::{Component, Path, PathBuf};

use deedcheck::frozen::carrier::{
    Carried, Carrier, Child, CrossCheck, DriverTold, Exec, Handed, Main, Row, RunEnd, Spoken,
    Stream, StreamEnd, Teammate, ThreadCopies, Told, WorkflowRun,
};
use deedcheck::transcript::{Fault, HandBack, fault, hand_back, is_usage_limit, key_of, persisted};
use toml::{Table, Value};

fn attempts() -> Vec<Table> {
    let text = include_str!("../../calibration/second-part/attempts.toml");
    let mut file: Table = toml::from_str(text).unwrap();
    let list = file.remove("attempt").unwrap();
    list.try_into().unwrap()
}

fn text<'t>(table: &'t Table, key: &str) -> &'t str {
    table.get(key).and_then(Value::as_str).unwrap_or("")
}

fn events<'t>(attempt: &'t Table, places: &[&str]) -> Vec<&'t Table> {
    let all = attempt["events"].as_array().unwrap();
    let of = all.iter().filter_map(Value::as_table);
    of.filter(|event| places.contains(&text(event, "in")))
        .collect()
}

fn row<'t>(event: &'t Table) -> Option<Row<'t>> {
    Some(match text(event, "type") {
        _ if event.contains_key("synthetic") => return None,
        "assistant" if event.contains_key("tool") => Row::Called {
            answer: (text(event, "tool") == "StructuredOutput").then(|| text(event, "input")),
        },
        "assistant" => Row::Said {
            message: key_of(&[text(event, "message")]),
            text: text(event, "text"),
        },
        "api-error" => Row::Faulted {
            kind: text(event, "error"),
            fault: fault(text(event, "error"), text(event, "text")),
        },
        "torn" => Row::Torn,
        _ => return None,
    })
}

fn spoken(attempt: &Table, place: &str) -> Spoken {
    let rows: Vec<Row<'_>> = events(attempt, &[place])
        .into_iter()
        .filter_map(row)
        .collect();
    Spoken::of(&rows)
}

/// The run of the first key that the journal starts, or that a run record names.
fn workflow(attempt: &Table) -> Carried {
    let all = events(attempt, &["journal", "log", "progress", "record"]);
    let key = all.first().map_or("", |event| text(event, "key"));
    let own = |place: &str, kind: &str| {
        let of = all.iter().copied();
        let of = of.filter(|event| text(event, "in") == place && text(event, "type") == kind);
        of.filter(|event| ["", key].contains(&text(event, "key")))
            .collect::<Vec<_>>()
    };
    let starts = own("journal", "started");
    let results = own("journal", "result");
    let spoken = spoken(attempt, "transcript");
    let run = WorkflowRun {
        started: !starts.is_empty(),
        superseded: starts.len() > 1 && results.is_empty(),
        result: results.first().map(|event| text(event, "result")),
        logged: own("log", "response")
            .first()
            .map(|event| text(event, "text")),
        errors: own("log", "error")
            .into_iter()
            .chain(own("progress", "error"))
            .map(|event| text(event, "text"))
            .collect(),
        end: own("record", "run").first().map(|event| RunEnd {
            status: text(event, "status"),
            error: text(event, "error"),
            capped: text(event, "error").contains("StructuredOutput retry cap"),
        }),
        spoken: &spoken,
    };
    run.carried()
}

/// Follows a pointer as an operator's files would have it.
fn followed<'t>(attempt: &'t Table, path: &str) -> Result<&'t str, &'static str> {
    let mut files: BTreeMap<PathBuf, &Table> = BTreeMap::new();
    for event in events(attempt, &["file"]) {
        files.insert(resolved(text(event, "path")), event);
    }
    let mut at = resolved(path);
    if let Some(link) = files.get(&at).filter(|file| text(file, "type") == "link") {
        at = resolved(text(link, "to"));
    }
    let roots = attempt.get("roots").and_then(Value::as_array);
    let under = |root: &Value| at.starts_with(root.as_str().unwrap());
    if !roots.is_some_and(|roots| roots.iter().any(under)) {
        return Err("pointer-outside-roots");
    }
    files
        .get(&at)
        .map(|file| text(file, "text"))
        .ok_or("pointer-unreadable")
}

fn resolved(path: &str) -> PathBuf {
    let mut to = PathBuf::new();
    for part in Path::new(path).components() {
        match part {
            Component::ParentDir => _ = to.pop(),
            part => to.push(part),
        }
    }
    to
}

fn child(attempt: &Table) -> (Carried, usize) {
    let result = events(attempt, &["parent"])
        .first()
        .map(|event| text(event, "text"));
    let followed = result.map(|result| match persisted(result) {
        Some(path) => followed(attempt, path),
        None => Ok(result),
    });
    let report = match followed {
        Some(Ok(result)) => hand_back(result).text(),
        _ => None,
    };
    let child = Child {
        children: events(attempt, &["meta"]).len(),
        spoken: &spoken(attempt, "child"),
        told: &Told::default(),
        handed: Some(match (followed, &report) {
            (None, _) => Handed::Missing,
            (Some(Err(reason)), _) => Handed::Elsewhere(reason),
            (Some(Ok(_)), Some(report)) => Handed::Report(report),
            (Some(Ok(result)), None) => {
                assert_eq!(hand_back(result), HandBack::Launched);
                Handed::Launched
            }
        }),
    };
    (child.carried(), child.conflicts())
}

fn exec(attempt: &Table) -> Carried {
    let limit = |event: &Table| match is_usage_limit(text(event, "text")) {
        true => Fault::Limit,
        false => Fault::Other,
    };
    let mut spoken = Spoken::default();
    let (mut began, mut unreadable) = (false, false);
    for event in events(attempt, &["events"]) {
        let failed = text(event, "type") == "turn.failed";
        match text(event, "type") {
            "thread.started" => began = true,
            "unreadable" => unreadable = true,
            "item.completed" if text(event, "item") == "agent_message" => spoken.row(Row::Said {
                message: 0,
                text: text(event, "text"),
            }),
            "turn.failed" | "error" => spoken.row(Row::Faulted {
                kind: "",
                fault: limit(event),
            }),
            "turn.completed" => spoken.row(Row::Over { failed: false }),
            "torn" => spoken.row(Row::Torn),
            _ => {}
        }
        if failed {
            spoken.row(Row::Over { failed });
        }
    }
    let told = |event: &&Table| match text(event, "type") {
        "intent" => DriverTold::Intent,
        "spawned" => DriverTold::Spawned,
        "interrupted" => DriverTold::Interrupted,
        _ => DriverTold::Finished {
            exit: event
                .get("exit")
                .map(|code| u32::try_from(code.as_integer().unwrap()).unwrap()),
            timed_out: event
                .get("timed-out")
                .and_then(Value::as_bool)
                .unwrap_or(false),
        },
    };
    let exec = Exec {
        began: began && !unreadable,
        spoken: &spoken,
        told: &Told {
            driver: events(attempt, &["driver"]).iter().map(told).collect(),
            ended: None,
        },
    };
    exec.carried()
}

fn thread(attempt: &Table) -> Carried {
    let row = |event: &'_ Table| match text(event, "type") {
        "task_started" => Some(Row::Begins),
        "message" if text(event, "role") == "assistant" => None,
        "message" => Some(Row::Asked),
        "torn" => Some(Row::Torn),
        _ => None,
    };
    let mut spoken = Spoken::default();
    for event in events(attempt, &["rollout"]) {
        let said = Row::Said {
            message: 0,
            text: text(event, "text"),
        };
        let is_said = text(event, "role") == "assistant";
        if let Some(row) = row(event).or(is_said.then_some(said)) {
            spoken.row(row);
        }
    }
    let files = events(attempt, &["rollouts"]);
    let copies = ThreadCopies {
        thread: text(attempt, "thread"),
        files: files.iter().map(|event| text(event, "name")).collect(),
        last_turn: text(attempt, "boundary") == "last-turn",
        spoken: &spoken,
    };
    copies.carried()
}

fn session(attempt: &Table) -> Carried {
    let printed = events(attempt, &["stdout"]);
    let session = Main {
        spoken: &spoken(attempt, "transcript"),
        printed: printed.first().map(|event| text(event, "text")),
        told: &Told::default(),
    };
    session.carried()
}

fn stream(attempt: &Table) -> Carried {
    let all = events(attempt, &["stream"]);
    let end = all.iter().find(|event| text(event, "type") == "result");
    let stream = Stream {
        spoken: &spoken(attempt, "stream"),
        end: end.map(|event| StreamEnd {
            error: event["is-error"].as_bool().unwrap(),
            text: text(event, "text"),
        }),
        told: &Told::default(),
    };
    stream.carried()
}

fn teammate(attempt: &Table) -> (Carried, bool) {
    let there = !events(attempt, &["transcript"]).is_empty();
    let spoken = spoken(attempt, "transcript");
    let mate = Teammate {
        spoken: there.then_some(&spoken),
        mapped: attempt
            .get("identity")
            .is_none_or(|own| own.as_str() != Some("")),
        told: &Told::default(),
    };
    (mate.carried(), mate.is_unmapped())
}

/// As the controls write it.
fn shown(carried: &Carried) -> String {
    let cause = carried
        .cause
        .as_deref()
        .or(carried.class.cause())
        .unwrap_or("");
    let carrier = match &carried.carrier {
        Carrier::Pass => "pass []".to_owned(),
        Carrier::Fail(reason) => format!("fail [{reason}]"),
        Carrier::Unknown(reason) => format!("unknown [{reason}]"),
        Carrier::None => "none []".to_owned(),
    };
    let check = match carried.check {
        CrossCheck::Equal => "equal",
        CrossCheck::Mismatch => "mismatch",
        CrossCheck::Unavailable => "unavailable",
    };
    let answer = carried.answer.as_deref().unwrap_or("");
    format!(
        "{} {cause:?} {carrier} {answer:?} {check}",
        carried.class.as_str()
    )
}

fn expected(expect: &Table) -> String {
    let carrier = expect["carrier"].as_table().unwrap();
    let reasons: Vec<&str> = carrier["reasons"]
        .as_array()
        .unwrap()
        .iter()
        .filter_map(Value::as_str)
        .collect();
    format!(
        "{} {:?} {} [{}] {:?} {}",
        text(expect, "class"),
        text(expect, "cause"),
        text(carrier, "status"),
        reasons.join(" "),
        text(expect, "answer"),
        text(expect, "cross-check")
    )
}

#[test]
fn attempts_land_where_a_reader_planted_them() {
    let mut tally: BTreeMap<String, usize> = BTreeMap::new();
    let mut wrong = Vec::new();
    for attempt in attempts() {
        let carrier = text(&attempt, "carrier").to_owned();
        let expect = attempt["expect"].as_table().unwrap();
        let fact = |name: &str| {
            expect
                .get("facts")
                .and_then(|facts| facts.get(name))
                .cloned()
        };
        let carried = match carrier.as_str() {
            "workflow-child" | "superseded" => workflow(&attempt),
            "agent-child" => {
                let (carried, conflicts) = child(&attempt);
                let told = fact("binding-conflicts").map_or(0, |count| count.as_integer().unwrap());
                assert_eq!(
                    conflicts.to_string(),
                    told.to_string(),
                    "{}",
                    text(&attempt, "id")
                );
                carried
            }
            "codex-exec" => exec(&attempt),
            "codex-subagent" => thread(&attempt),
            "main" => session(&attempt),
            "stream" => stream(&attempt),
            "teammate" => {
                let (carried, unmapped) = teammate(&attempt);
                let told = fact("unmapped").unwrap().as_integer().unwrap();
                assert_eq!(i64::from(unmapped), told, "{}", text(&attempt, "id"));
                carried
            }
            other => panic!("an unknown carrier: {other}"),
        };
        *tally.entry(carrier).or_default() += 1;
        let (seen, asked) = (shown(&carried), expected(expect));
        if seen != asked {
            wrong.push(format!(
                "{}\n  is    {seen}\n  asked {asked}",
                text(&attempt, "id")
            ));
        }
    }
    assert!(
        wrong.is_empty(),
        "{} wrong\n{}",
        wrong.len(),
        wrong.join("\n")
    );
    assert_eq!(tally.values().sum::<usize>(), 153, "{tally:?}");
}
