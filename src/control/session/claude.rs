//! Writes a session as Claude Code 2.1 stores it: one line for each content block, results as user lines.

use std::collections::BTreeMap;

use serde_json::{Value, json};

use super::ids::Ids;
use super::script::{CUT, End, Script, Step, Turn};
use super::{Stored, StoredFile};

const DENIED: &str = "The user doesn't want to proceed with this tool use. The tool use was rejected (eg. if it was a file \
    edit, the new_string was NOT written to the file). STOP what you are doing and wait for the user to tell you how to proceed.";

struct Writer {
    files: Vec<StoredFile>,
    file: String,
    cwd: String,
    ids: Ids,
    session: String,
    lines: Vec<Value>,
    parent: Value,
    side: Option<String>,
    launches: BTreeMap<String, String>,
}

pub(super) fn store(seed: &str, script: &Script) -> Stored {
    let mut ids = Ids::new(seed);
    let session = ids.uuid();
    let slug: String = script
        .cwd
        .chars()
        .map(|c| if c.is_ascii_alphanumeric() { c } else { '-' })
        .collect();
    let mut writer = Writer {
        files: Vec::new(),
        file: format!("claude/projects/{slug}/{session}.jsonl"),
        cwd: script.cwd.clone(),
        ids,
        session,
        lines: Vec::new(),
        parent: Value::Null,
        side: None,
        launches: BTreeMap::new(),
    };
    for turn in &script.turns {
        writer.turn(turn);
    }
    let own = StoredFile::new(writer.file, &writer.lines);
    Stored {
        own,
        others: writer.files,
    }
}

impl Writer {
    fn line(&mut self, own: Value) -> String {
        let uuid = self.ids.uuid();
        let mut line = json!({"parentUuid": self.parent, "isSidechain": self.side.is_some()});
        if let Some(side) = &self.side {
            line["agentId"] = json!(side);
        }
        if let (Some(line), Value::Object(own)) = (line.as_object_mut(), own) {
            line.extend(own);
        }
        line["uuid"] = json!(uuid);
        line["timestamp"] = json!(self.ids.time());
        line["userType"] = json!("external");
        line["entrypoint"] = json!("cli");
        line["cwd"] = json!(self.cwd);
        line["sessionId"] = json!(self.session);
        line["version"] = json!("2.1.62");
        line["gitBranch"] = json!("main");
        self.parent = json!(uuid);
        self.lines.push(line);
        uuid
    }

    fn assistant(&mut self, block: &Value, stop: &str) -> String {
        let message = json!({"id": format!("msg_01{}", self.ids.hex()), "type": "message", "role": "assistant",
            "model": "claude-sonnet-4-6", "content": [block], "stop_reason": stop, "stop_sequence": null,
            "usage": {"input_tokens": 12, "cache_read_input_tokens": 900, "output_tokens": 60}});
        let request = format!("req_011{}", self.ids.hex());
        self.line(json!({"type": "assistant", "message": message, "requestId": request}))
    }

    fn call(&mut self, tool: &str, input: &Value) -> (String, String) {
        let id = format!("toolu_01{}", self.ids.hex());
        let block = json!({"type": "tool_use", "id": id, "name": tool, "input": input});
        let source = self.assistant(&block, "tool_use");
        (id, source)
    }

    fn result(
        &mut self,
        call: &(String, String),
        content: &Value,
        detail: &Value,
        error: Option<bool>,
    ) {
        let mut block = json!({"tool_use_id": call.0, "type": "tool_result", "content": content});
        if let Some(error) = error {
            block["is_error"] = json!(error);
        }
        let mut line = json!({"type": "user", "message": {"role": "user", "content": [block]}, "sourceToolAssistantUUID": call.1});
        if self.side.is_none() {
            line["toolUseResult"] = detail.clone();
        }
        self.line(line);
    }

    fn failed(&mut self, call: &(String, String), text: &str) {
        let detail = json!(format!("Error: {text}"));
        self.result(call, &json!(text), &detail, Some(true));
    }

    fn refused(&mut self, call: &(String, String), text: &str) {
        let detail = json!(format!("Error: {text}"));
        let content = json!(format!("<tool_use_error>{text}</tool_use_error>"));
        self.result(call, &content, &detail, Some(true));
    }

    fn prompt(&mut self, text: &str) {
        let id = self.ids.uuid();
        self.line(
            json!({"type": "user", "message": {"role": "user", "content": text}, "promptId": id}),
        );
    }

    fn turn(&mut self, turn: &Turn) {
        self.prompt(&turn.prompt);
        for step in &turn.steps {
            self.step(step);
        }
        if let Some(close) = &turn.close {
            self.assistant(&json!({"type": "text", "text": close}), "end_turn");
        } else {
            let text = "[Request interrupted by user]";
            self.line(json!({"type": "user", "message": {"role": "user", "content": [{"type": "text", "text": text}]}}));
        }
    }

    fn step(&mut self, step: &Step) {
        match step {
            Step::Say(text) => {
                self.assistant(&json!({"type": "text", "text": text}), "tool_use");
            }
            Step::Command { cmd, out, end } => self.bash(cmd, out, *end),
            Step::Launch { tag, cmd } => self.launch(tag, cmd),
            Step::Poll { tag, out, end } => self.poll(tag, out, *end),
            Step::Edit { path, old, new, ok } => self.edit(path, old, new, *ok),
            Step::Write { path, text, ok } => self.write(path, text, *ok),
            Step::Read { path, text, end } => self.read(path, text, *end),
            Step::Delete { path } => self.bash(&format!("rm {path}"), "", End::Code(0)),
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
                    End::Code(0) => self.result(&call, &json!(out), &json!(out), None),
                    End::Code(_) => self.failed(&call, out),
                    _ => self.ended(&call, out, *end, &json!(out)),
                }
            }
            Step::Compact(summary) => self.compact(summary),
            Step::Strange(kind) => {
                self.line(json!({"type": kind}));
            }
        }
    }

    fn ended(&mut self, call: &(String, String), out: &str, end: End, detail: &Value) {
        let out = out.replace(CUT, "... [412 lines truncated] ...");
        match end {
            End::Code(0) => self.result(call, &json!(out), detail, Some(false)),
            End::Code(code) if out.is_empty() => self.failed(call, &format!("Exit code {code}")),
            End::Code(code) => self.failed(call, &format!("Exit code {code}\n{out}")),
            End::Denied => self.failed(call, DENIED),
            End::Missing | End::Running | End::Null => {}
        }
    }

    fn bash(&mut self, cmd: &str, out: &str, end: End) {
        let call = self.call(
            "Bash",
            &json!({"command": cmd, "description": "Run a command"}),
        );
        let detail = json!({"stdout": out, "stderr": "", "interrupted": false, "isImage": false});
        self.ended(&call, out, end, &detail);
    }

    fn launch(&mut self, tag: &str, cmd: &str) {
        let input =
            json!({"command": cmd, "description": "Run in background", "run_in_background": true});
        let call = self.call("Bash", &input);
        let id = format!("b{:06x}", self.ids.count);
        self.launches.insert(tag.to_owned(), id.clone());
        let out = format!(
            "Command running in background with ID: {id}. Output is being written to: /tmp/claude/tasks/{id}.output"
        );
        let detail = json!({"stdout": "", "stderr": "", "interrupted": false, "isImage": false, "backgroundTaskId": id});
        self.result(&call, &json!(out), &detail, Some(false));
    }

    fn poll(&mut self, tag: &str, out: &str, end: End) {
        let Some(id) = self.launches.get(tag).cloned() else {
            return;
        };
        let call = self.call(
            "TaskOutput",
            &json!({"task_id": id, "block": true, "timeout": 60000}),
        );
        let (got, status, code) = match end {
            End::Code(0) => ("success", "completed", json!(0)),
            End::Code(code) => ("success", "failed", json!(code)),
            _ => ("timeout", "running", Value::Null),
        };
        let mut text = format!(
            "<retrieval_status>{got}</retrieval_status>\n\n<task_id>{id}</task_id>\n\n<task_type>local_bash</task_type>\n\n\
             <status>{status}</status>\n\n"
        );
        if !code.is_null() {
            text.push_str(&format!("<exit_code>{code}</exit_code>\n\n"));
        }
        text.push_str(&format!("<output>\n{out}\n</output>"));
        let detail = json!({"retrieval_status": got, "task": {"task_id": id, "task_type": "local_bash", "status": status,
            "description": "Run in background", "output": format!("{out}\n"), "exitCode": code}});
        self.result(&call, &json!(text), &detail, None);
    }

    fn full(&self, path: &str) -> String {
        if path.starts_with('/') {
            path.to_owned()
        } else {
            format!("{}/{path}", self.cwd)
        }
    }

    fn edit(&mut self, path: &str, old: &str, new: &str, ok: bool) {
        let path = self.full(path);
        let input =
            json!({"replace_all": false, "file_path": path, "old_string": old, "new_string": new});
        let call = self.call("Edit", &input);
        if !ok {
            self.refused(
                &call,
                &format!("String to replace not found in file.\nString: {old}"),
            );
            return;
        }
        let text = format!("The file {path} has been updated successfully.");
        let rows: Vec<String> = old
            .split('\n')
            .map(|row| format!("-{row}"))
            .chain(new.split('\n').map(|row| format!("+{row}")))
            .collect();
        let detail = json!({"filePath": path, "oldString": old, "newString": new, "originalFile": format!("{old}\n"),
            "userModified": false, "replaceAll": false, "structuredPatch": [{"oldStart": 1, "oldLines": old.split('\n').count(),
            "newStart": 1, "newLines": new.split('\n').count(), "lines": rows}]});
        self.result(&call, &json!(text), &detail, None);
    }

    fn write(&mut self, path: &str, text: &str, ok: bool) {
        let path = self.full(path);
        let call = self.call("Write", &json!({"file_path": path, "content": text}));
        if ok {
            let said = format!("File created successfully at: {path}");
            let detail = json!({"type": "create", "filePath": path, "content": text, "structuredPatch": [], "originalFile": null});
            self.result(&call, &json!(said), &detail, None);
        } else {
            self.refused(
                &call,
                "File has not been read yet. Read it first before writing to it.",
            );
        }
    }

    fn read(&mut self, path: &str, text: &str, end: End) {
        let path = self.full(path);
        let call = self.call("Read", &json!({"file_path": path}));
        match end {
            End::Code(0) => {
                let rows: Vec<&str> = text.split('\n').collect();
                let body: Vec<String> = rows
                    .iter()
                    .enumerate()
                    .map(|(at, row)| format!("{:6}→{row}", at + 1))
                    .collect();
                let detail = json!({"type": "text", "file": {"filePath": path, "content": text, "numLines": rows.len(),
                    "startLine": 1, "totalLines": rows.len()}});
                self.result(&call, &json!(body.join("\n")), &detail, None);
            }
            End::Denied => self.failed(&call, DENIED),
            End::Code(_) => self.refused(&call, "File does not exist."),
            End::Missing | End::Running | End::Null => {}
        }
    }

    fn todo(&mut self, items: &[(char, String)]) {
        let todos: Vec<Value> = items
            .iter()
            .map(|(state, text)| {
                let status = match state {
                    'x' => "completed",
                    '~' => "in_progress",
                    _ => "pending",
                };
                json!({"content": text, "status": status, "activeForm": text})
            })
            .collect();
        let call = self.call("TodoWrite", &json!({"todos": todos}));
        let text = "Todos have been modified successfully. Ensure that you continue to use the todo list to track your progress.";
        self.result(
            &call,
            &json!(text),
            &json!({"oldTodos": [], "newTodos": todos}),
            None,
        );
    }

    fn agent(&mut self, task: &str, steps: Option<&[Step]>, answer: &str) {
        let input = json!({"description": "Delegated part", "prompt": task, "subagent_type": "general-purpose"});
        let call = self.call("Task", &input);
        let id = format!("a{}", &self.ids.hex()[7..]);
        if let Some(steps) = steps {
            let lines = std::mem::take(&mut self.lines);
            let parent = std::mem::replace(&mut self.parent, Value::Null);
            self.side = Some(id.clone());
            self.prompt(task);
            for step in steps {
                self.step(step);
            }
            self.assistant(&json!({"type": "text", "text": answer}), "end_turn");
            let own = std::mem::replace(&mut self.lines, lines);
            (self.parent, self.side) = (parent, None);
            let base = format!("{}/subagents", self.file.trim_end_matches(".jsonl"));
            let path = format!("{base}/agent-{id}.jsonl");
            self.files.push(StoredFile::new(path, &own));
            let meta = json!({"agentType": "general-purpose", "description": "Delegated part", "toolUseId": call.0, "spawnDepth": 1});
            let path = format!("{base}/agent-{id}.meta.json");
            self.files.push(StoredFile::new(path, &[meta]));
        }
        let body = json!([{"type": "text", "text": answer}]);
        let detail = json!({"status": "completed", "prompt": task, "agentId": id, "content": body,
            "totalToolUseCount": steps.map_or(3, <[Step]>::len), "totalDurationMs": 900, "totalTokens": 400});
        self.result(&call, &body, &detail, None);
    }

    fn compact(&mut self, summary: &str) {
        let before = std::mem::replace(&mut self.parent, Value::Null);
        self.line(json!({"type": "system", "subtype": "compact_boundary", "content": "Conversation compacted", "isMeta": false,
            "level": "info", "logicalParentUuid": before, "compactMetadata": {"trigger": "auto", "preTokens": 160_000}}));
        let text = format!(
            "This session is being continued from a previous conversation that ran out of context. The conversation is \
             summarized below:\n{summary}"
        );
        self.line(json!({"type": "user", "message": {"role": "user", "content": text}, "isCompactSummary": true,
            "isVisibleInTranscriptOnly": true}));
    }
}
