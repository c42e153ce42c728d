//! Small sessions of our own, as the clients would have kept and printed them.

use std::path::Path;

use serde_json::{Value, json};

/// What every right answer says.
pub(super) const RIGHT: &str = "The water stands at 310 cm.";
const ASKED: &str = "How high does the water stand at merle?";
const PROJECT: &str = "projects/-home-dev-tides";
const FRAME: &str = "[Subagent hand-back] The text below is the final report of a subagent this session \
    delegated to. The report follows:";
const LIMIT: &str = "You've hit your session limit · resets 4pm";

/// An agent's id: a word of the tests alone would stand in sums too.
fn id(agent: &str) -> String {
    format!("aa07-{agent}")
}

fn write(root: &Path, name: &str, text: &str) {
    let path = root.join(name);
    std::fs::create_dir_all(path.parent().unwrap()).unwrap();
    std::fs::write(path, text).unwrap();
}

/// A file of Claude Code: a session's own, or one of its agents'.
struct Claude {
    session: String,
    agent: Option<String>,
    lines: Vec<String>,
}

impl Claude {
    fn new(session: &str, agent: Option<&str>) -> Self {
        let mut own = Self {
            session: session.to_owned(),
            agent: agent.map(id),
            lines: Vec::new(),
        };
        own.add(
            "user",
            &json!({"role": "user", "content": ASKED}),
            &json!({}),
        );
        own
    }

    fn add(&mut self, kind: &str, message: &Value, more: &Value) {
        let number = self.lines.len() + 1;
        let name = self.agent.as_deref().unwrap_or(&self.session).to_owned();
        let mut record = json!({
            "parentUuid": (number > 1).then(|| format!("{name}-{}", number - 1)),
            "isSidechain": self.agent.is_some(), "type": kind, "message": message,
            "uuid": format!("{name}-{number}"), "sessionId": self.session, "cwd": "/home/dev/tides",
            "timestamp": format!("2026-03-02T09:00:{number:02}.000Z"), "version": "2.1.332",
        });
        let fields = record.as_object_mut().unwrap();
        fields.extend(
            self.agent
                .iter()
                .map(|agent| ("agentId".to_owned(), json!(agent))),
        );
        fields.extend(more.as_object().unwrap().clone());
        self.lines.push(record.to_string());
    }

    fn said(&mut self, content: &Value, more: &Value) {
        let message = json!({"id": format!("msg_{}_{}", self.session, self.lines.len()),
            "type": "message", "role": "assistant", "model": "claude-model", "content": content});
        self.add("assistant", &message, more);
    }

    fn says(mut self, text: &str) -> Self {
        self.said(&json!([{"type": "text", "text": text}]), &json!({}));
        self
    }

    fn calls(mut self, id: &str, tool: &str, input: &Value) -> Self {
        let block = json!([{"type": "tool_use", "id": id, "name": tool, "input": input}]);
        self.said(&block, &json!({}));
        self
    }

    fn gets(mut self, id: &str, text: &str) -> Self {
        let block = json!([{"type": "tool_result", "tool_use_id": id,
            "content": [{"type": "text", "text": text}]}]);
        self.add(
            "user",
            &json!({"role": "user", "content": block}),
            &json!({}),
        );
        self
    }

    fn faults(mut self, kind: &str, text: &str) -> Self {
        let more = json!({"isApiErrorMessage": true, "error": kind});
        self.said(&json!([{"type": "text", "text": text}]), &more);
        self
    }

    fn keep(self, root: &Path, folder: &str) {
        let name = match &self.agent {
            Some(agent) => format!("{PROJECT}/{}/{folder}/agent-{agent}.jsonl", self.session),
            None => format!("{PROJECT}/{}.jsonl", self.session),
        };
        write(root, &name, &(self.lines.join("\n") + "\n"));
    }
}

fn result(text: &str) -> Value {
    json!({"type": "result", "subtype": "success", "is_error": false, "result": text,
        "session_id": "s-stream"})
}

fn mains(root: &Path) {
    let main = |id: &str| Claude::new(id, None);
    main("s-printed").says(RIGHT).keep(root, "");
    write(root, "out/printed.txt", &format!("{RIGHT}\n"));
    main("s-differs").says(RIGHT).keep(root, "");
    write(root, "out/differs.txt", "The water stands at 295 cm.\n");
    main("s-document").says(RIGHT).keep(root, "");
    write(root, "out/document.json", &result(RIGHT).to_string());
    let init = json!({"type": "system", "subtype": "init", "session_id": "s-stream", "tools": [],
        "model": "claude-model", "cwd": "/home/dev/tides"});
    let said = json!({"type": "assistant", "session_id": "s-stream", "parent_tool_use_id": null,
        "message": {"id": "msg_s", "type": "message", "role": "assistant", "model": "claude-model",
            "content": [{"type": "text", "text": RIGHT}]}});
    let stream = format!("{init}\n{said}\n{}\n", result(RIGHT));
    write(root, "out/stream.jsonl", &stream);
    let nobody = main("s-nobody");
    nobody
        .faults("authentication_failed", "Not logged in · Please run /login")
        .keep(root, "");
    main("s-limit")
        .says("I look at the tables.")
        .faults("rate_limit", LIMIT)
        .keep(root, "");
    main("s-overloaded")
        .says("I look at the tables.")
        .faults("overloaded", "API Error: 529 busy")
        .keep(root, "");
    main("s-cut")
        .says("I look at the tables.")
        .calls("call-cut", "Bash", &json!({"command": "cat merle.csv"}))
        .keep(root, "");
}

fn launched(root: &Path, session: &str, agent: &str, call: &str, text: &str) {
    Claude::new(session, Some(agent))
        .says(text)
        .keep(root, "subagents");
    let beside = json!({"agentType": "general-purpose", "toolUseId": call, "spawnDepth": 1});
    let name = format!(
        "{PROJECT}/{session}/subagents/agent-{}.meta.json",
        id(agent)
    );
    write(root, &name, &beside.to_string());
}

fn children(root: &Path) {
    let counts = "<usage>subagent_tokens: 12\ntool_uses: 1\nduration_ms: 3</usage>";
    let trailer =
        |agent: &str| format!("agentId: {} (to continue this agent)\n{counts}", id(agent));
    let elsewhere = |path: &Path| {
        let path = path.display();
        format!(
            "<persisted-output>\nOutput too large. Full output saved to: {path}\n\nPreview:\nThe"
        )
    };
    write(root, "tool-results/report.txt", RIGHT);
    let outside = root.parent().unwrap().join("outside.txt");
    std::fs::write(&outside, RIGHT).unwrap();
    let handed = [
        (
            "framed",
            RIGHT,
            Some(format!("{FRAME}\n  {RIGHT}\n{}", trailer("framed"))),
        ),
        (
            "launched",
            RIGHT,
            Some("Async agent launched successfully.\nagentId: launched".to_owned()),
        ),
        (
            "differs",
            RIGHT,
            Some(format!(
                "The water stands at 295 cm.\n{}",
                trailer("differs")
            )),
        ),
        (
            "elsewhere",
            RIGHT,
            Some(elsewhere(&root.join("tool-results/report.txt"))),
        ),
        ("outside", RIGHT, Some(elsewhere(&outside))),
        (
            "waits",
            "Waiting for the tide gauge.",
            Some("Waiting for the tide gauge.".to_owned()),
        ),
        ("twice", RIGHT, Some(RIGHT.to_owned())),
        ("unanswered", RIGHT, None),
    ];
    let mut harness = Claude::new("s-harness", None);
    for (agent, text, back) in handed {
        let call = format!("call-{agent}");
        let input =
            json!({"description": agent, "prompt": ASKED, "subagent_type": "general-purpose"});
        harness = harness.calls(&call, "Agent", &input);
        launched(root, "s-harness", agent, &call, text);
        if let Some(back) = back {
            harness = harness.gets(&call, &back);
        }
    }
    launched(root, "s-harness", "twice-again", "call-twice", RIGHT);
    harness.says("All were asked.").keep(root, "");
    let input =
        json!({"description": "alone", "prompt": ASKED, "subagent_type": "general-purpose"});
    Claude::new("s-alone", None)
        .calls("call-alone", "Agent", &input)
        .gets("call-alone", &format!("{RIGHT}\n{}", trailer("alone")))
        .says("It was asked.")
        .keep(root, "");
    launched(root, "s-alone", "alone", "call-alone", RIGHT);
    for agent in ["mate", "stray"] {
        Claude::new("s-team", Some(agent))
            .says(RIGHT)
            .keep(root, "subagents");
        let beside = json!({"agentType": "general-purpose", "taskKind": "in_process_teammate",
            "teamName": "tides", "name": agent});
        let name = format!("{PROJECT}/s-team/subagents/agent-{}.meta.json", id(agent));
        write(root, &name, &beside.to_string());
    }
}

fn workflows(root: &Path) {
    let (one, two) = (
        "subagents/workflows/wf_tides-one",
        "subagents/workflows/wf_tides-two",
    );
    let answer = json!({"answer": RIGHT, "evidence": ["tables/merle.csv:4"]});
    let results = [
        ("answer", "answer", Some(answer.clone())),
        ("differs", "differs", Some(answer.clone())),
        ("again", "again-one", None),
        ("again", "again-two", Some(answer.clone())),
        ("shape", "shape", Some(json!({"answer": RIGHT}))),
        ("nothing", "nothing", Some(Value::Null)),
        ("capped", "capped", None),
        ("open", "open", None),
    ];
    let (mut journal, mut progress) = (String::new(), Vec::new());
    for (key, agent, came) in results {
        let started = json!({"type": "started", "key": format!("v2:{key}"), "agentId": id(agent)});
        journal += &format!("{started}\n");
        if let Some(came) = came {
            let result = json!({"type": "result", "key": format!("v2:{key}"), "agentId": id(agent),
                "result": came});
            journal += &format!("{result}\n");
        }
        let mut told = json!({"type": "workflow_agent", "label": key, "agentId": id(agent),
            "state": "done"});
        if agent == "capped" {
            told["state"] = json!("error");
            told["error"] = json!("agent({schema}): StructuredOutput retry cap (5) exceeded");
        }
        progress.push(told);
        let own = Claude::new("s-flows", Some(agent)).says("I look at the tables.");
        match agent {
            "again-one" => own.faults("rate_limit", LIMIT).keep(root, one),
            _ => own
                .calls("call-answer", "StructuredOutput", &answer)
                .keep(root, one),
        }
    }
    write(
        root,
        &format!("{PROJECT}/s-flows/{one}/journal.jsonl"),
        &journal,
    );
    let other = json!({"answer": "The water stands at 295 cm.", "evidence": []});
    let record = json!({"runId": "wf_tides-one", "status": "completed", "workflowProgress": progress,
        "logs": ["every station is asked",
            json!({"agentId": id("answer"), "response": answer}).to_string(),
            json!({"agentId": id("differs"), "response": other}).to_string()]});
    write(
        root,
        &format!("{PROJECT}/s-flows/workflows/wf_tides-one.json"),
        &record.to_string(),
    );
    let started = json!({"type": "started", "key": "v2:stopped", "agentId": id("stopped")});
    write(
        root,
        &format!("{PROJECT}/s-flows/{two}/journal.jsonl"),
        &format!("{started}\n"),
    );
    Claude::new("s-flows", Some("stopped"))
        .says("I look at the tables.")
        .keep(root, two);
    Claude::new("s-flows", None)
        .says("The workflow is over.")
        .keep(root, "");
}

fn codex(root: &Path) {
    let lines = |records: &[Value]| -> String {
        records.iter().map(|record| format!("{record}\n")).collect()
    };
    let began = |thread: &str| {
        [
            json!({"type": "thread.started", "thread_id": thread}),
            json!({"type": "turn.started"}),
        ]
    };
    let said = |text: &str| json!({"type": "item.completed", "item": {"id": "item_0", "type": "agent_message", "text": text}});
    let failed = |text: &str| json!({"type": "turn.failed", "error": {"message": text}});
    let over = json!({"type": "turn.completed", "usage": {"input_tokens": 1, "output_tokens": 1}});
    let limit = "You've hit your usage limit. Try again later.";
    let runs: [(&str, Vec<Value>); 5] = [
        ("answer", vec![said(RIGHT), over.clone()]),
        ("spawned", vec![said(RIGHT), over.clone()]),
        ("late", vec![said(RIGHT)]),
        ("failed", vec![said("I look."), failed("stream closed")]),
        (
            "limit",
            vec![
                json!({"type": "error", "message": limit}),
                failed("stopped"),
            ],
        ),
    ];
    for (name, rest) in runs {
        let all: Vec<Value> = began(&format!("e-{name}"))
            .into_iter()
            .chain(rest)
            .collect();
        write(root, &format!("exec/{name}.jsonl"), &lines(&all));
    }
    // A run that never came to print anything.
    write(root, "exec/empty.jsonl", "");
    let thread = |id: &str, texts: &[Option<&str>]| {
        let record = |kind: &str, payload: Value| json!({"timestamp": "2026-03-02T09:00:00.000Z", "type": kind, "payload": payload});
        let mut all = vec![record(
            "session_meta",
            json!({"id": id, "cwd": "/home/dev/tides",
            "timestamp": "2026-03-02T09:00:00.000Z", "originator": "codex_exec",
            "cli_version": "0.171.0", "parent_thread_id": "t-parent"}),
        )];
        for (turn, text) in texts.iter().enumerate() {
            let turn = format!("{id}-{turn}");
            all.push(record(
                "event_msg",
                json!({"type": "task_started", "turn_id": turn}),
            ));
            all.push(record(
                "response_item",
                json!({"type": "message", "role": "user",
                "content": [{"type": "input_text", "text": ASKED}]}),
            ));
            if let Some(text) = text {
                all.push(record(
                    "response_item",
                    json!({"type": "message", "role": "assistant",
                    "content": [{"type": "output_text", "text": text}]}),
                ));
            }
            all.push(record(
                "event_msg",
                json!({"type": "task_complete", "turn_id": turn}),
            ));
        }
        lines(&all)
    };
    let copy = |folder: &str, at: &str, id: &str, texts: &[Option<&str>]| {
        let name = format!("rollouts/{folder}/rollout-2026-03-02T{at}-{id}.jsonl");
        write(root, &name, &thread(id, texts));
    };
    copy(
        "answer",
        "09-00-00",
        "t-answer",
        &[Some("I look."), Some(RIGHT)],
    );
    // The id of another thread ends alike.
    copy("answer", "09-00-00", "last-t-answer", &[Some("I look.")]);
    copy("silent", "09-00-00", "t-silent", &[Some(RIGHT), None]);
    copy("twice", "09-00-00", "t-twice", &[Some(RIGHT)]);
    copy("twice", "10-00-00", "t-twice", &[Some(RIGHT)]);
}

/// Writes every session under a root.
pub(super) fn write_all(root: &Path) {
    mains(root);
    children(root);
    workflows(root);
    codex(root);
}
