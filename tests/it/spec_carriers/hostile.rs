//! Sessions whose words, copies and ledgers are not to be taken at their word.

use serde_json::{Value, json};

use super::Carriers;
use super::sessions::RIGHT;

const PROJECT: &str = "sessions/projects/-home-dev-tides";

impl Carriers {
    fn edit(&self, name: &str, edit: impl FnOnce(String) -> String) {
        let path = self.folder().join(name);
        let text = std::fs::read_to_string(&path).unwrap();
        let new = edit(text.clone());
        assert_ne!(new, text, "{name}");
        std::fs::write(path, new).unwrap();
    }

    /// Class, cause, carrier, copy and status of each attempt that is asked for, after all of them are graded.
    fn attempts(&self, wanted: &[&str]) -> Vec<String> {
        let said = self.identify(&self.records());
        assert_eq!((said.code, said.err.as_str()), (0, ""));
        let said = self.run(&format!(
            "grade {} --out-private ../../../run --out aggregate.json",
            super::GIVEN
        ));
        assert_eq!((said.code, said.err.as_str()), (0, ""), "{}", said.out);
        let text = std::fs::read_to_string(self.0.at("run/grades.jsonl")).unwrap();
        let rows = text.lines().map(|line| serde_json::from_str(line).unwrap());
        let rows: Vec<Value> = rows.filter(|row: &Value| row["kind"] == "task").collect();
        let attempts = || {
            rows.iter()
                .flat_map(|row| row["attempts"].as_array().unwrap())
        };
        let told = |name: &&str| {
            let identity = format!("carriers-2026.only.{name}");
            let own = attempts().find(|own| own["identity"] == *identity).unwrap();
            let word = |key: &str| own[key].as_str().unwrap_or("-").to_owned();
            let rest = ["class", "cause", "carrier", "copy", "status"].map(word);
            format!("{name} {}", rest.join(" "))
        };
        wanted.iter().map(told).collect()
    }
}

/// A child's answer that began with the words of a limit took the attempt out of the grading, though no record
/// was marked as the client's error. And: an empty last message of a printed run was passed over for the one
/// before; of two responses in a workflow's log the first one ruled; a torn transcript of a workflow's child went unsaid.
#[test]
fn spec_carriers_are_not_taken_at_their_word() {
    let scene = Carriers::new();
    let child = format!("{PROJECT}/s-harness/subagents/agent-aa07-framed.jsonl");
    let limit = |text: String| text.replace(RIGHT, "You've hit your limit: 310 cm.");
    scene.edit(&child, limit);
    scene.edit(&format!("{PROJECT}/s-harness.jsonl"), |text| {
        let framed = |line: &str| match line.contains("[Subagent hand-back]") {
            true => limit(line.to_owned()),
            false => line.to_owned(),
        };
        text.lines().map(|line| framed(line) + "\n").collect()
    });
    scene.edit("sessions/out/document.json", |text| {
        text[..text.len() - 2].to_owned()
    });
    scene.edit("sessions/out/printed.txt", |_| String::new());
    scene.edit("sessions/exec/answer.jsonl", |text| {
        let empty = json!({"type": "item.completed",
            "item": {"id": "item_1", "type": "agent_message", "text": "  "}});
        text.replace(
            "{\"type\":\"turn.completed\"",
            &format!("{empty}\n{{\"type\":\"turn.completed\""),
        )
    });
    let other = json!({"agentId": "aa07-answer", "response": {"answer": "no", "evidence": []}});
    scene.edit(
        &format!("{PROJECT}/s-flows/workflows/wf_tides-one.json"),
        |text| {
            let mut record: Value = serde_json::from_str(&text).unwrap();
            let logs = record["logs"].as_array_mut().unwrap();
            logs.insert(0, other.to_string().into());
            record.to_string()
        },
    );
    let torn = "subagents/workflows/wf_tides-one/agent-aa07-again-two.jsonl";
    scene.edit(&format!("{PROJECT}/s-flows/{torn}"), |text| {
        let cut = |(at, line): (usize, &str)| match at {
            1 => line[..80].to_owned() + "\n",
            _ => line.to_owned() + "\n",
        };
        text.lines().enumerate().map(cut).collect()
    });
    let told = [
        "child-framed.1 completed - - equal pass",
        "main-document.1 completed - carrier-mismatch mismatch unknown",
        "main-printed.1 completed - carrier-mismatch mismatch unknown",
        "exec-answer.1 completed empty - - fail",
        "flow-answer.1 completed - carrier-mismatch mismatch unknown",
        "flow-again.1 completed - parse unavailable unknown",
    ];
    let names = told.map(|line| line.split(' ').next().unwrap());
    assert_eq!(scene.attempts(&names), told);
}

/// Of two ends the last one ruled, and what began behind its end passed for over.
#[test]
fn spec_carriers_refuse_a_driver_s_ledger_that_contradicts_itself() {
    let scene = Carriers::new();
    let event = |more: Value| {
        let mut own = json!({"schema": "deedcheck/driver/1", "run": "carriers-2026", "arm": "only",
            "task": "exec-answer", "attempt": 1});
        own.as_object_mut()
            .unwrap()
            .extend(more.as_object().unwrap().clone());
        format!("{own}\n")
    };
    let over = || event(json!({"event": "finished", "exit": 0}));
    let late = || event(json!({"event": "finished", "exit": 124, "timed-out": true}));
    let begun = || event(json!({"event": "spawned"}));
    let records: String = scene
        .records()
        .lines()
        .map(|line| match line.split_once(", \"driver\": ") {
            Some((head, _)) => format!("{head}}}\n"),
            None => format!("{line}\n"),
        })
        .collect();
    std::fs::write(scene.folder().join("records.jsonl"), records).unwrap();
    for (ledger, wanted) in [
        (late() + &over(), "field=event line=2 kind=other-end"),
        (over() + &late(), "field=event line=2 kind=other-end"),
        (
            begun() + &over() + &begun(),
            "field=event line=3 kind=after-end",
        ),
        (
            over() + &event(json!({"event": "intent"})),
            "field=event line=2 kind=after-end",
        ),
        (begun() + &over() + &over(), ""),
        (
            event(json!({"event": "interrupted"})) + &over() + &begun(),
            "",
        ),
    ] {
        let _ = std::fs::remove_file(scene.folder().join("identity.json"));
        std::fs::write(scene.folder().join("driver.jsonl"), &ledger).unwrap();
        let said = scene.run(
            "identity --spec spec.json --bindings bindings.json --launch-records records.jsonl \
             --driver-ledger driver.jsonl --out identity.json",
        );
        match wanted {
            "" => assert_eq!((said.code, said.err.as_str()), (0, ""), "{ledger}"),
            wanted => {
                let told = format!("E_DRIVER_LEDGER {wanted}");
                assert_eq!((said.code, said.err.trim_end()), (2, &*told), "{ledger}");
            }
        }
    }
}
