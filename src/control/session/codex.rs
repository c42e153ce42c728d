//! Writes a session as a Codex rollout with `item_completed` items.

use std::collections::BTreeMap;

use super::ids::Ids;
use super::json::{Json, list, object};
use super::script::{CUT, End, Script, Step, Turn};
use super::{Stored, StoredFile};

/// Lines of a file that are written already.
#[derive(Default)]
struct Lines {
    bytes: Vec<u8>,
    count: usize,
}

impl Lines {
    fn put(&mut self, time: &str, kind: &str, payload: Json<'_>) {
        let line = object! {
            "timestamp": time, "ordinal": self.count, "type": kind, "payload": payload
        };
        line.write(&mut self.bytes);
        self.bytes.push(b'\n');
        self.count += 1;
    }
}

struct Writer {
    files: Vec<StoredFile>,
    cwd: String,
    ids: Ids,
    session: String,
    turn: String,
    lines: Lines,
    /// Tag to session number, call and command.
    launches: BTreeMap<String, (usize, String, String)>,
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
        lines: Lines::default(),
        launches: BTreeMap::new(),
    };
    writer.head(None);
    for turn in &script.turns {
        writer.turn(turn);
    }
    Stored {
        own: StoredFile {
            path: path_of(&session),
            bytes: writer.lines.bytes,
        },
        others: writer.files,
    }
}

impl Writer {
    fn put(&mut self, kind: &str, payload: Json<'_>) {
        let time = self.ids.time();
        self.lines.put(&time, kind, payload);
    }

    fn item(&mut self, item: Json<'_>) {
        let payload = object! {
            "type": "item_completed", "thread_id": &self.session, "turn_id": &self.turn, "item": item,
            "started_at_ms": 1_772_438_400_000_i64, "completed_at_ms": 1_772_438_400_001_i64
        };
        let time = self.ids.time();
        self.lines.put(&time, "event_msg", payload);
    }

    /// The session's first record; `parent` is the thread that launched it.
    fn head(&mut self, parent: Option<&str>) {
        let began = self.ids.time();
        let spawned = object! {
            "parent_thread_id": parent.unwrap_or_default(), "depth": 1_i64, "agent_path": Json::Null,
            "agent_nickname": "AgentA", "agent_role": Json::Null
        };
        let spawned = object! {"thread_spawn": spawned};
        let spawned = object! {"subagent": spawned};
        let told = object! {"text": "You are a coding agent."};
        let (source, thread) = match parent {
            Some(_) => (spawned, "subagent"),
            None => (Json::Text("exec"), "user"),
        };
        let fields = [
            ("session_id", parent.unwrap_or(&self.session).into()),
            ("id", Json::Text(&self.session)),
            ("timestamp", Json::Text(&began)),
            ("cwd", Json::Text(&self.cwd)),
            ("originator", "codex_exec".into()),
            ("cli_version", "0.171.0".into()),
            ("source", source),
            ("thread_source", thread.into()),
            ("model_provider", "openai".into()),
            ("base_instructions", told),
            ("parent_thread_id", parent.unwrap_or_default().into()),
        ];
        let kept = fields.len() - usize::from(parent.is_none());
        let time = self.ids.time();
        let meta = Json::Object(&fields[..kept]);
        self.lines.put(&time, "session_meta", meta);
    }

    /// A message between operator and model.
    fn user(&mut self, text: &str) {
        let text = object! {"type": "input_text", "text": text};
        let content = list![text];
        self.put(
            "response_item",
            object! {"type": "message", "role": "user", "content": content},
        );
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
            self.user(text);
            let id = self.turn.clone();
            self.put(
                "event_msg",
                object! {"type": "turn_aborted", "turn_id": &id, "reason": "interrupted"},
            );
        }
    }

    fn start(&mut self, prompt: &str) {
        self.turn = self.ids.uuid();
        let (id, cwd) = (self.turn.clone(), self.cwd.clone());
        self.put(
            "event_msg",
            object! {"type": "task_started", "turn_id": &id, "started_at": 1_772_438_400_i64,
            "model_context_window": 258_400_i64, "collaboration_mode_kind": "default"},
        );
        let policy = object! {"type": "workspace-write"};
        self.put(
            "turn_context",
            object! {"turn_id": &id, "cwd": &cwd, "workspace_roots": list![&cwd], "model": "gpt-5.5",
            "approval_policy": "never", "sandbox_policy": policy},
        );
        self.user(prompt);
        let item = self.ids.uuid();
        let text = object! {"type": "text", "text": prompt, "text_elements": Json::List(&[])};
        let content = list![text];
        self.item(object! {"type": "UserMessage", "id": &item, "content": content});
    }

    fn finish(&mut self, close: &str) {
        self.message(close, "final_answer");
        let id = self.turn.clone();
        self.put(
            "event_msg",
            object! {"type": "task_complete", "turn_id": &id, "last_agent_message": close},
        );
    }

    fn message(&mut self, text: &str, phase: &str) {
        let id = format!("msg_{}", self.ids.hex());
        let said = object! {"type": "Text", "text": text};
        self.item(
            object! {"type": "AgentMessage", "id": &id, "content": list![said], "phase": phase},
        );
        let said = object! {"type": "output_text", "text": text};
        self.put(
            "response_item",
            object! {"type": "message", "id": &id, "role": "assistant", "phase": phase, "content": list![said]},
        );
    }

    fn call(&mut self, name: &str, input: Json<'_>) -> String {
        let id = format!("call_{}", self.ids.hex());
        let own = format!("fc_{}", self.ids.hex());
        let input = input.text();
        self.put(
            "response_item",
            object! {"type": "function_call", "id": &own, "name": name, "arguments": &input, "call_id": &id},
        );
        id
    }

    fn output(&mut self, call: &str, text: &str) {
        self.put(
            "response_item",
            object! {"type": "function_call_output", "call_id": call, "output": text},
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

    fn execution(&mut self, call: &str, cmd: &str, out: &str, code: Option<i64>) {
        let cwd = format!("file://{}", self.cwd);
        let command = list!["/bin/bash", "-lc", cmd];
        let parsed = object! {"type": "unknown", "cmd": cmd};
        let status = if code.unwrap_or(0) == 0 {
            "completed"
        } else {
            "failed"
        };
        let duration = object! {"secs": 0_i64, "nanos": 412_000_000_i64};
        self.item(object! {
            "type": "CommandExecution", "id": call, "process_id": "4101", "command": command, "cwd": &cwd,
            "parsed_cmd": list![parsed], "source": "unified_exec_startup", "status": status,
            "aggregated_output": out, "exit_code": code.map_or(Json::Null, Json::Number), "duration": duration
        });
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
                let change = object! {"type": "delete", "content": ""};
                let change = [(full.as_str(), change)];
                self.patch(
                    &format!("*** Delete File: {path}"),
                    path,
                    "D",
                    Some(Json::Object(&change)),
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
                let call = self.call(name, input.into());
                match end {
                    End::Denied => self.output(&call, "tool call rejected by user"),
                    End::Missing | End::Running | End::Null => {}
                    End::Code(0) => self.output(&call, out),
                    End::Code(_) => self.output(&call, &format!("tool call error: {out}")),
                }
            }
            Step::Strange(kind) => self.put(kind, object! {}),
            Step::Compact(summary) => {
                self.put(
                    "compacted",
                    object! {"message": summary, "replacement_history": Json::List(&[])},
                );
                self.put("event_msg", object! {"type": "context_compacted"});
            }
        }
    }

    fn exec(&mut self, cmd: &str, wait: i64) -> String {
        let cwd = self.cwd.clone();
        self.call(
            "exec_command",
            object! {"cmd": cmd, "workdir": &cwd, "yield_time_ms": wait, "max_output_tokens": 12_000_i64},
        )
    }

    fn bash(&mut self, cmd: &str, out: &str, end: End) {
        let call = self.exec(cmd, 10_000);
        match end {
            End::Code(code) => {
                let shown = out.replace(CUT, "…3127 tokens truncated…");
                self.execution(&call, cmd, &shown, Some(code));
                let text = self.printed(&format!("Process exited with code {code}"), &shown);
                self.output(&call, &text);
            }
            End::Denied => self.output(&call, "exec command rejected by user"),
            End::Null => {
                self.execution(&call, cmd, out, None);
                let text = self.printed("Process exited", out);
                self.output(&call, &text);
            }
            End::Missing | End::Running => {}
        }
    }

    fn launch(&mut self, tag: &str, cmd: &str) {
        let call = self.exec(cmd, 1000);
        let number = 10_000 + self.lines.count;
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
            object! {"session_id": number, "chars": "", "yield_time_ms": 30_000_i64},
        );
        let state = if let End::Code(code) = end {
            self.execution(&first, &cmd, out, Some(code));
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
    fn patch(&mut self, body: &str, path: &str, mark: &str, change: Option<Json<'_>>) {
        let call = format!("call_{}", self.ids.hex());
        let own = format!("ctc_{}", self.ids.hex());
        let text = format!("*** Begin Patch\n{body}\n*** End Patch\n");
        self.put(
            "response_item",
            object! {"type": "custom_tool_call", "id": &own, "status": "completed", "call_id": &call,
            "name": "apply_patch", "input": &text},
        );
        let full = self.full(path);
        let out = if let Some(change) = change {
            self.item(object! {
                "type": "FileChange", "id": &call, "changes": change, "status": "completed"
            });
            format!(
                "Exit code: 0\nWall time: 0 seconds\nOutput:\nSuccess. Updated the following files:\n{mark} {full}\n"
            )
        } else {
            format!("apply_patch verification failed: Failed to find expected lines in {full}:")
        };
        self.put(
            "response_item",
            object! {"type": "custom_tool_call_output", "call_id": &call, "output": &out},
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
        let diff = format!("@@ -1 +1 @@\n{diff}");
        let change = object! {"type": "update", "unified_diff": &diff, "move_path": Json::Null};
        let change = [(full.as_str(), change)];
        self.patch(&body, path, "M", ok.then_some(Json::Object(&change)));
    }

    fn write(&mut self, path: &str, text: &str, ok: bool) {
        let rows: Vec<String> = text
            .trim_end()
            .split('\n')
            .map(|row| format!("+{row}"))
            .collect();
        let full = self.full(path);
        let change = object! {"type": "add", "content": text};
        let change = [(full.as_str(), change)];
        let body = format!("*** Add File: {path}\n{}", rows.join("\n"));
        self.patch(&body, path, "A", ok.then_some(Json::Object(&change)));
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
        let status = |state| match state {
            'x' => "completed",
            '~' => "in_progress",
            _ => "pending",
        };
        let plan: Vec<[(&str, Json<'_>); 2]> = items
            .iter()
            .map(|(state, text)| [("step", text.into()), ("status", status(*state).into())])
            .collect();
        let plan: Vec<Json<'_>> = plan.iter().map(|step| Json::Object(step)).collect();
        let call = self.call("update_plan", object! {"plan": plan.as_slice()});
        self.output(&call, "Plan updated");
    }

    fn collab(&mut self, call: &str, tool: &str, id: &str, task: &str, state: Json<'_>) {
        let session = self.session.clone();
        let agent = object! {"thread_id": id, "agent_nickname": "AgentA"};
        let states = [(id, state)];
        self.item(object! {
            "type": "CollabAgentToolCall", "id": call, "tool": tool, "status": "completed",
            "sender_thread_id": &session, "receiver_thread_ids": list![id], "receiver_agents": list![agent],
            "prompt": task, "agents_states": Json::Object(&states)
        });
    }

    fn agent(&mut self, task: &str, steps: Option<&[Step]>, answer: &str) {
        let call = self.call("spawn_agent", object! {"message": task});
        let id = self.ids.uuid();
        self.collab(&call, "spawn_agent", &id, task, "pending_init".into());
        let launched = object! {"agent_id": &id, "nickname": "AgentA"};
        self.output(&call, &launched.text());
        if let Some(steps) = steps {
            let lines = std::mem::take(&mut self.lines);
            let session = std::mem::replace(&mut self.session, id.clone());
            let turn = self.turn.clone();
            self.head(Some(&session));
            self.start(task);
            for step in steps {
                self.step(step);
            }
            self.finish(answer);
            let own = std::mem::replace(&mut self.lines, lines);
            (self.session, self.turn) = (session, turn);
            self.files.push(StoredFile {
                path: path_of(&id),
                bytes: own.bytes,
            });
        }
        let call = self.call(
            "wait_agent",
            object! {"targets": list![&id], "timeout_ms": 20_000_i64},
        );
        let state = object! {"completed": answer};
        self.collab(&call, "wait", &id, "", state);
        let states = [(id.as_str(), state)];
        let text = object! {"status": Json::Object(&states), "timed_out": false}.text();
        self.output(&call, &text);
    }
}
