//! Small sessions of both clients in their own shapes, and a spec of one check to ask of them.

use serde_json::{Value, json};

use crate::spec_evidence::Run;

const READINGS: &str = "[readings]\nattempt-rule = \"completed-attempts\"\nanswer = \"close\"\n";

fn spec(dispatch: &str, check: &str, readings: &str) -> String {
    format!(
        "schema = \"deedcheck/spec/1\"\ngrammar = \"g1\"\n[experiment]\nid = \"beside\"\ntitle = \"Beside\"\n\
         [[arms]]\nid = \"with\"\n[[tasks]]\nid = \"find\"\nprompt = \"Judge the packet.\"\nfamily = \"tides\"\n\
         opportunity = \"organic\"\ndispatch = \"{dispatch}\"\narms = [\"with\"]\n\
         [[tasks.checks]]\nid = \"own\"\nextract = \"none\"\n{check}\n{READINGS}{readings}"
    )
}

/// What the only check of a run comes to, and the run: why it fails, or else what is not known.
pub(super) fn asked(
    dispatch: &str,
    (check, readings): (&str, &str),
    files: &[(&str, String)],
) -> (Run, String) {
    let run = Run::over(&spec(dispatch, check, readings), dispatch, files);
    run.graded("out", None).unwrap();
    let text = std::fs::read_to_string(run.at("out-private/grades.jsonl")).unwrap();
    let rows = text
        .lines()
        .map(|line| serde_json::from_str::<Value>(line).unwrap());
    let rows: Vec<Value> = rows.filter(|row| row["kind"] == "check").collect();
    let [row] = rows.as_slice() else {
        panic!("one check of one attempt: {text}")
    };
    let status = row["status"].as_str().unwrap();
    let reasons = match status {
        "fail" => &row["failing"],
        _ => &row["unknown"],
    };
    let reasons = reasons.as_array().unwrap().iter();
    let words = std::iter::once(status).chain(reasons.map(|own| own.as_str().unwrap()));
    let told = words.collect::<Vec<_>>().join(" ");
    (run, told)
}

/// A Claude Code session in the shape of 2.1.197.
pub(super) struct Claude(pub(super) Vec<Value>);

impl Claude {
    pub(super) fn asked(prompt: &str) -> Self {
        let mut own = Self(Vec::new());
        own.user(&json!(prompt));
        own
    }

    pub(super) fn put(&mut self, mut record: Value) -> &mut Self {
        let number = self.0.len() + 1;
        let uuid = |number: usize| format!("00000000-0000-4000-8000-{number:012}");
        record["parentUuid"] = json!((number > 1).then(|| uuid(number - 1)));
        record["uuid"] = json!(uuid(number));
        record["isSidechain"] = json!(false);
        record["sessionId"] = json!(uuid(0));
        record["cwd"] = json!("/packets/p1");
        record["version"] = json!("2.1.197");
        record["timestamp"] = json!(format!("2026-03-02T09:00:{number:02}.500Z"));
        self.0.push(record);
        self
    }

    pub(super) fn user(&mut self, content: &Value) -> &mut Self {
        self.put(json!({"type": "user", "message": {"role": "user", "content": content}}))
    }

    pub(super) fn attachment(&mut self, attachment: &Value) -> &mut Self {
        self.put(json!({"type": "attachment", "attachment": attachment}))
    }

    /// What every session of this version begins with.
    pub(super) fn listings(&mut self) -> &mut Self {
        self.attachment(
            &json!({"type": "skill_listing", "content": "- verify", "skillCount": 1,
            "isInitial": true, "names": ["verify"]}),
        )
    }

    pub(super) fn assistant(&mut self, block: &Value) -> &mut Self {
        let id = format!("msg_{}", self.0.len());
        self.put(json!({"type": "assistant", "message": {"id": id, "type": "message", "role": "assistant",
            "model": "tide-large-4", "content": [block], "stop_reason": null}}))
    }

    pub(super) fn call(&mut self, id: &str, name: &str, input: &Value) -> &mut Self {
        self.assistant(&json!({"type": "tool_use", "id": id, "name": name, "input": input}))
    }

    pub(super) fn result(&mut self, id: &str, text: &str) -> &mut Self {
        self.user(&json!([{"tool_use_id": id, "type": "tool_result", "content": text, "is_error": false}]))
    }

    pub(super) fn says(&mut self, text: &str) -> &mut Self {
        self.assistant(&json!({"type": "text", "text": text}))
    }

    pub(super) fn text(&self) -> String {
        self.0.iter().map(|record| format!("{record}\n")).collect()
    }
}

/// A Codex rollout in the shape of 0.171.
pub(super) struct Codex {
    records: Vec<Value>,
    thread: &'static str,
}

pub(super) const PARENT: &str = "01a22c08-0000-7000-8000-000000000001";
pub(super) const CHILD: &str = "01a22c09-0000-7000-8000-000000000002";

impl Codex {
    pub(super) fn of(thread: &'static str) -> Self {
        let mut own = Self {
            records: Vec::new(),
            thread,
        };
        let source = match thread == CHILD {
            true => json!({"subagent": {"thread_spawn": {"parent_thread_id": PARENT, "depth": 1}}}),
            false => json!("exec"),
        };
        let mut meta = json!({"id": thread, "session_id": thread, "timestamp": "2026-03-02T09:00:00.000Z",
            "cwd": "/packets/p1", "originator": "codex_exec", "cli_version": "0.171.0", "source": source});
        if thread == CHILD {
            meta["parent_thread_id"] = json!(PARENT);
            meta["thread_source"] = json!("subagent");
        }
        own.put("session_meta", &meta);
        own.put(
            "event_msg",
            &json!({"type": "task_started", "turn_id": own.turn(), "started_at": 1}),
        );
        own
    }

    pub(super) fn turn(&self) -> String {
        format!("{}3", &self.thread[..self.thread.len() - 1])
    }

    pub(super) fn put(&mut self, kind: &str, payload: &Value) -> &mut Self {
        let number = self.records.len();
        self.records.push(
            json!({"timestamp": format!("2026-03-02T09:00:{number:02}.500Z"), "ordinal": number,
            "type": kind, "payload": payload}),
        );
        self
    }

    pub(super) fn message(&mut self, role: &str, text: &str, about: Option<Value>) -> &mut Self {
        let kind = if role == "assistant" {
            "output_text"
        } else {
            "input_text"
        };
        let number = self.records.len();
        let mut message = json!({"type": "message", "id": format!("msg_{number}"), "role": role,
            "content": [{"type": kind, "text": text}]});
        if let Some(about) = about {
            message["internal_chat_message_metadata_passthrough"] = about;
        }
        self.put("response_item", &message)
    }

    /// A message of the client, or of a hook, as newer versions mark it.
    pub(super) fn harness(&mut self, text: &str, hook: bool) -> &mut Self {
        let about = json!({"content_item_kinds": ["permissions.instructions"],
            "content_item_metadata": [{"provenance": {"type": "harness", "hook": hook}}]});
        self.message("developer", text, Some(about))
    }

    pub(super) fn context(
        &mut self,
        model: &str,
        effort: &str,
        sandbox: &Value,
        cwd: &str,
    ) -> &mut Self {
        let turn = self.turn();
        self.put(
            "turn_context",
            &json!({"turn_id": turn, "cwd": cwd, "approval_policy": "never", "model": model,
            "effort": effort, "summary": "none", "sandbox_policy": sandbox}),
        )
    }

    pub(super) fn call(&mut self, id: &str, payload: &Value, output: &str) -> &mut Self {
        let mut call = payload.clone();
        call["type"] = json!("function_call");
        call["call_id"] = json!(id);
        self.put("response_item", &call);
        self.put(
            "response_item",
            &json!({"type": "function_call_output", "call_id": id, "output": output}),
        )
    }

    pub(super) fn says(&mut self, text: &str) -> &mut Self {
        self.message("assistant", text, None);
        let turn = self.turn();
        self.put(
            "event_msg",
            &json!({"type": "task_complete", "turn_id": turn, "last_agent_message": text}),
        )
    }

    pub(super) fn text(&self) -> String {
        let lines = self.records.iter();
        lines.map(|record| format!("{record}\n")).collect()
    }
}
