//! Writes a session as a Codex rollout with `item_completed` items.

use std::collections::BTreeMap;

use serde_json::{Value, json};

use super::ids::Ids;
use super::script::{CUT, End, Script, Step, Turn};
use super::{Stored, StoredFile};

struct Writer {
    files: Vec<StoredFile>,
    cwd: String,
    ids: Ids,
    session: String,
    turn: String,
    lines: Vec<Value>,
    /// Tag to session number, call and command.
    launches: BTreeMap<String, (u64, String, String)>,
}

fn path_of(session: &str) -> String {
    format!("codex/sessions/2026/03/02/rollout-2026-03-02T08-00-00-{session}.jsonl")
}

pub(super) fn store(seed: &str, script: &Script) -> Stored {
    let mut ids = Ids::new(seed);
    let session = ids.uuid();
    let mut writer = Writer {
        files: Vec::new(),
        cwd: script.cwd.clone(),
        ids,
        session: session.clone(),
        turn: String::new(),
        lines: Vec::new(),
        launches: BTreeMap::new(),
    };
    writer.head(&Value::Null);
    for turn in &script.turns {
        writer.turn(turn);
    }
    let own = StoredFile::new(path_of(&session), &writer.lines);
    Stored {
        own,
        others: writer.files,
    }
}

impl Writer {
    fn put(&mut self, kind: &str, payload: &Value) {
        let time = self.ids.time();
        let ordinal = self.lines.len();
        self.lines
            .push(json!({"timestamp": time, "ordinal": ordinal, "type": kind, "payload": payload}));
    }

    fn item(&mut self, item: &Value) {
        let payload = json!({"type": "item_completed", "thread_id": self.session, "turn_id": self.turn, "item": item,
            "started_at_ms": 1_772_438_400_000_u64, "completed_at_ms": 1_772_438_400_001_u64});
        self.put("event_msg", &payload);
    }

    /// The session's first record; `parent` is the thread that launched it.
    fn head(&mut self, parent: &Value) {
        let mut meta = json!({"session_id": self.session, "id": self.session, "timestamp": self.ids.time(), "cwd": self.cwd,
            "originator": "codex_exec", "cli_version": "0.171.0", "source": "exec", "thread_source": "user",
            "model_provider": "openai", "base_instructions": {"text": "You are a coding agent."}});
        if !parent.is_null() {
            meta["session_id"] = parent.clone();
            meta["parent_thread_id"] = parent.clone();
            meta["thread_source"] = json!("subagent");
            meta["source"] = json!({"subagent": {"thread_spawn": {"parent_thread_id": parent, "depth": 1, "agent_path": null,
                "agent_nickname": "AgentA", "agent_role": null}}});
        }
        self.put("session_meta", &meta);
    }

    fn turn(&mut self, turn: &Turn) {
        self.start(&turn.prompt);
        for step in &turn.steps {
            self.step(step);
        }
        if let Some(close) = &turn.close {
            self.finish(close);
        } else {
            let text = "<turn_aborted>\nThe user interrupted the previous turn on purpose.\n</turn_aborted>";
            self.put("response_item", &json!({"type": "message", "role": "user", "content": [{"type": "input_text", "text": text}]}));
            let id = self.turn.clone();
            self.put(
                "event_msg",
                &json!({"type": "turn_aborted", "turn_id": id, "reason": "interrupted"}),
            );
        }
    }

    fn start(&mut self, prompt: &str) {
        self.turn = self.ids.uuid();
        let (id, cwd) = (self.turn.clone(), self.cwd.clone());
        self.put(
            "event_msg",
            &json!({"type": "task_started", "turn_id": id, "started_at": 1_772_438_400,
            "model_context_window": 258_400, "collaboration_mode_kind": "default"}),
        );
        self.put(
            "turn_context",
            &json!({"turn_id": id, "cwd": cwd, "workspace_roots": [cwd], "model": "gpt-5.5",
            "approval_policy": "never", "sandbox_policy": {"type": "workspace-write"}}),
        );
        self.put("response_item", &json!({"type": "message", "role": "user", "content": [{"type": "input_text", "text": prompt}]}));
        let item = self.ids.uuid();
        self.item(&json!({"type": "UserMessage", "id": item, "content": [{"type": "text", "text": prompt, "text_elements": []}]}));
    }

    fn finish(&mut self, close: &str) {
        self.message(close, "final_answer");
        let id = self.turn.clone();
        self.put(
            "event_msg",
            &json!({"type": "task_complete", "turn_id": id, "last_agent_message": close}),
        );
    }

    fn message(&mut self, text: &str, phase: &str) {
        let id = format!("msg_{}", self.ids.hex());
        self.item(&json!({"type": "AgentMessage", "id": id, "content": [{"type": "Text", "text": text}], "phase": phase}));
        self.put(
            "response_item",
            &json!({"type": "message", "id": id, "role": "assistant", "phase": phase,
            "content": [{"type": "output_text", "text": text}]}),
        );
    }

    fn call(&mut self, name: &str, input: &Value) -> String {
        let id = format!("call_{}", self.ids.hex());
        let own = format!("fc_{}", self.ids.hex());
        self.put("response_item", &json!({"type": "function_call", "id": own, "name": name, "arguments": input.to_string(),
            "call_id": id}));
        id
    }

    fn output(&mut self, call: &str, text: &str) {
        self.put(
            "response_item",
            &json!({"type": "function_call_output", "call_id": call, "output": text}),
        );
    }

    fn printed(&mut self, state: &str, out: &str) -> String {
        let id = &self.ids.hex()[18..];
        let tokens = out.len() / 4;
        let end = if out.is_empty() { "" } else { "\n" };
        format!(
            "Chunk ID: {id}\nWall time: 0.4120 seconds\n{state}\nOriginal token count: {tokens}\nOutput:\n{out}{end}"
        )
    }

    fn execution(&mut self, call: &str, cmd: &str, out: &str, code: &Value) {
        let cwd = format!("file://{}", self.cwd);
        self.item(&json!({"type": "CommandExecution", "id": call, "process_id": "4101", "command": ["/bin/bash", "-lc", cmd],
            "cwd": cwd, "parsed_cmd": [{"type": "unknown", "cmd": cmd}], "source": "unified_exec_startup",
            "status": if code.as_i64().unwrap_or(0) == 0 { "completed" } else { "failed" }, "aggregated_output": out, "exit_code": code,
            "duration": {"secs": 0, "nanos": 412_000_000}}));
    }

    fn step(&mut self, step: &Step) {
        match step {
            Step::Say(text) => self.message(text, "commentary"),
            Step::Command { cmd, out, end } => self.bash(cmd, out, *end),
            Step::Launch { tag, cmd } => self.launch(tag, cmd),
            Step::Poll { tag, out, end } => self.poll(tag, out, *end),
            Step::Edit { path, old, new, ok } => self.edit(path, old, new, *ok),
            Step::Write { path, text, ok } => self.write(path, text, *ok),
            Step::Read { path, text, end } => self.read(path, text, *end),
            Step::Delete { path } => {
                let full = self.full(path);
                let change = json!({full: {"type": "delete", "content": ""}});
                self.patch(
                    &format!("*** Delete File: {path}"),
                    path,
                    "D",
                    Some(&change),
                );
            }
            Step::Todo(items) => self.todo(items),
            Step::Agent {
                task,
                steps,
                answer,
            } => self.agent(task, steps.as_deref(), answer),
            Step::Tool {
                name,
                input,
                out,
                end,
            } => {
                let call = self.call(name, input);
                match end {
                    End::Denied => self.output(&call, "tool call rejected by user"),
                    End::Missing | End::Running | End::Null => {}
                    End::Code(0) => self.output(&call, out),
                    End::Code(_) => self.output(&call, &format!("tool call error: {out}")),
                }
            }
            Step::Strange(kind) => self.put(kind, &json!({})),
            Step::Compact(summary) => {
                self.put(
                    "compacted",
                    &json!({"message": summary, "replacement_history": []}),
                );
                self.put("event_msg", &json!({"type": "context_compacted"}));
            }
        }
    }

    fn exec(&mut self, cmd: &str, wait: u64) -> String {
        let cwd = self.cwd.clone();
        self.call(
            "exec_command",
            &json!({"cmd": cmd, "workdir": cwd, "yield_time_ms": wait, "max_output_tokens": 12000}),
        )
    }

    fn bash(&mut self, cmd: &str, out: &str, end: End) {
        let call = self.exec(cmd, 10_000);
        match end {
            End::Code(code) => {
                let shown = out.replace(CUT, "…3127 tokens truncated…");
                self.execution(&call, cmd, &shown, &json!(code));
                let text = self.printed(&format!("Process exited with code {code}"), &shown);
                self.output(&call, &text);
            }
            End::Denied => self.output(&call, "exec command rejected by user"),
            End::Null => {
                self.execution(&call, cmd, out, &Value::Null);
                let text = self.printed("Process exited", out);
                self.output(&call, &text);
            }
            End::Missing | End::Running => {}
        }
    }

    fn launch(&mut self, tag: &str, cmd: &str) {
        let call = self.exec(cmd, 1000);
        let number = 10_000 + self.lines.len() as u64;
        let text = self.printed(&format!("Process running with session ID {number}"), "");
        self.output(&call, &text);
        self.launches
            .insert(tag.to_owned(), (number, call, cmd.to_owned()));
    }

    fn poll(&mut self, tag: &str, out: &str, end: End) {
        let Some((number, first, cmd)) = self.launches.get(tag).cloned() else {
            return;
        };
        let call = self.call(
            "write_stdin",
            &json!({"session_id": number, "chars": "", "yield_time_ms": 30000}),
        );
        let state = if let End::Code(code) = end {
            self.execution(&first, &cmd, out, &json!(code));
            format!("Process exited with code {code}")
        } else {
            format!("Process running with session ID {number}")
        };
        let text = self.printed(&state, out);
        self.output(&call, &text);
    }

    fn full(&self, path: &str) -> String {
        if path.starts_with('/') {
            path.to_owned()
        } else {
            format!("{}/{path}", self.cwd)
        }
    }

    /// A patch; without a change the tool refused it.
    fn patch(&mut self, body: &str, path: &str, mark: &str, change: Option<&Value>) {
        let call = format!("call_{}", self.ids.hex());
        let own = format!("ctc_{}", self.ids.hex());
        let text = format!("*** Begin Patch\n{body}\n*** End Patch\n");
        self.put(
            "response_item",
            &json!({"type": "custom_tool_call", "id": own, "status": "completed", "call_id": call,
            "name": "apply_patch", "input": text}),
        );
        let full = self.full(path);
        let out = if let Some(change) = change {
            self.item(&json!({"type": "FileChange", "id": call, "changes": change, "status": "completed"}));
            format!(
                "Exit code: 0\nWall time: 0 seconds\nOutput:\nSuccess. Updated the following files:\n{mark} {full}\n"
            )
        } else {
            format!("apply_patch verification failed: Failed to find expected lines in {full}:")
        };
        self.put(
            "response_item",
            &json!({"type": "custom_tool_call_output", "call_id": call, "output": out}),
        );
    }

    fn edit(&mut self, path: &str, old: &str, new: &str, ok: bool) {
        let mut diff = String::new();
        for (mark, rows) in [('-', old), ('+', new)] {
            for row in rows.split('\n') {
                diff.push(mark);
                diff.push_str(row);
                diff.push('\n');
            }
        }
        let body = format!(
            "*** Update File: {path}\n@@\n{}",
            diff.trim_end_matches('\n')
        );
        let full = self.full(path);
        let change = json!({full: {"type": "update", "unified_diff": format!("@@ -1 +1 @@\n{diff}"), "move_path": null}});
        self.patch(&body, path, "M", ok.then_some(&change));
    }

    fn write(&mut self, path: &str, text: &str, ok: bool) {
        let rows: Vec<String> = text
            .trim_end()
            .split('\n')
            .map(|row| format!("+{row}"))
            .collect();
        let full = self.full(path);
        let change = json!({full: {"type": "add", "content": text}});
        let body = format!("*** Add File: {path}\n{}", rows.join("\n"));
        self.patch(&body, path, "A", ok.then_some(&change));
    }

    fn read(&mut self, path: &str, text: &str, end: End) {
        let cmd = format!("sed -n '1,200p' {path}");
        match end {
            End::Code(code) if code != 0 => {
                let out = format!("sed: can't read {path}: No such file or directory");
                self.bash(&cmd, &out, end);
            }
            _ => self.bash(&cmd, text, end),
        }
    }

    fn todo(&mut self, items: &[(char, String)]) {
        let plan: Vec<Value> = items
            .iter()
            .map(|(state, text)| {
                let status = match state {
                    'x' => "completed",
                    '~' => "in_progress",
                    _ => "pending",
                };
                json!({"step": text, "status": status})
            })
            .collect();
        let call = self.call("update_plan", &json!({"plan": plan}));
        self.output(&call, "Plan updated");
    }

    fn collab(&mut self, call: &str, tool: &str, id: &str, task: &str, state: &Value) {
        let session = self.session.clone();
        self.item(&json!({"type": "CollabAgentToolCall", "id": call, "tool": tool, "status": "completed",
            "sender_thread_id": session, "receiver_thread_ids": [id],
            "receiver_agents": [{"thread_id": id, "agent_nickname": "AgentA"}], "prompt": task, "agents_states": {id: state}}));
    }

    fn agent(&mut self, task: &str, steps: Option<&[Step]>, answer: &str) {
        let call = self.call("spawn_agent", &json!({"message": task}));
        let id = self.ids.uuid();
        self.collab(&call, "spawn_agent", &id, task, &json!("pending_init"));
        self.output(
            &call,
            &json!({"agent_id": id, "nickname": "AgentA"}).to_string(),
        );
        if let Some(steps) = steps {
            let lines = std::mem::take(&mut self.lines);
            let (session, turn) = (self.session.clone(), self.turn.clone());
            self.session.clone_from(&id);
            self.head(&json!(session));
            self.start(task);
            for step in steps {
                self.step(step);
            }
            self.finish(answer);
            let own = std::mem::replace(&mut self.lines, lines);
            (self.session, self.turn) = (session, turn);
            self.files.push(StoredFile::new(path_of(&id), &own));
        }
        let call = self.call("wait_agent", &json!({"targets": [id], "timeout_ms": 20000}));
        self.collab(&call, "wait", &id, "", &json!({"completed": answer}));
        let text = json!({"status": {&id: {"completed": answer}}, "timed_out": false}).to_string();
        self.output(&call, &text);
    }
}
