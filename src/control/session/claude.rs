//! Writes a session as Claude Code 2.1 stores it: one line for each content block, results as user lines.

use std::collections::BTreeMap;

use super::ids::Ids;
use super::json::{Json, list, object, write_fields};
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
    lines: Vec<u8>,
    parent: Option<String>,
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
        parent: None,
        side: None,
        launches: BTreeMap::new(),
    };
    for turn in &script.turns {
        writer.turn(turn);
    }
    Stored {
        own: StoredFile {
            path: writer.file,
            bytes: writer.lines,
        },
        others: writer.files,
    }
}

impl Writer {
    fn line(&mut self, own: &[(&str, Json<'_>)]) -> String {
        let (uuid, time) = (self.ids.uuid(), self.ids.time());
        let out = &mut self.lines;
        let parent = self.parent.as_deref().map_or(Json::Null, Json::Text);
        out.push(b'{');
        write_fields(
            &[
                ("parentUuid", parent),
                ("isSidechain", self.side.is_some().into()),
            ],
            out,
        );
        let side = self.side.as_ref().map(|side| ("agentId", side.into()));
        for fields in [side.as_slice(), own] {
            if !fields.is_empty() {
                out.push(b',');
                write_fields(fields, out);
            }
        }
        out.push(b',');
        let tail = [
            ("uuid", Json::Text(&uuid)),
            ("timestamp", Json::Text(&time)),
            ("userType", Json::Text("external")),
            ("entrypoint", Json::Text("cli")),
            ("cwd", Json::Text(&self.cwd)),
            ("sessionId", Json::Text(&self.session)),
            ("version", Json::Text("2.1.62")),
            ("gitBranch", Json::Text("main")),
        ];
        write_fields(&tail, out);
        out.extend_from_slice(b"}\n");
        self.parent = Some(uuid.clone());
        uuid
    }

    /// A record of someone's words: `content` is the message's.
    fn user(&mut self, content: Json<'_>, more: &[(&str, Json<'_>)]) {
        let message = object! {"role": "user", "content": content};
        let own = [("type", "user".into()), ("message", message)];
        self.line(&[&own, more].concat());
    }

    fn assistant(&mut self, block: Json<'_>, stop: &str) -> String {
        let id = format!("msg_01{}", self.ids.hex());
        let request = format!("req_011{}", self.ids.hex());
        let content = list![block];
        let usage = object! {
            "input_tokens": 12_i64, "cache_read_input_tokens": 900_i64, "output_tokens": 60_i64
        };
        let message = object! {
            "id": &id, "type": "message", "role": "assistant", "model": "claude-sonnet-4-6",
            "content": content, "stop_reason": stop, "stop_sequence": Json::Null, "usage": usage
        };
        self.line(&[
            ("type", "assistant".into()),
            ("message", message),
            ("requestId", Json::Text(&request)),
        ])
    }

    fn call(&mut self, tool: &str, input: Json<'_>) -> (String, String) {
        let id = format!("toolu_01{}", self.ids.hex());
        let block = object! {"type": "tool_use", "id": &id, "name": tool, "input": input};
        let source = self.assistant(block, "tool_use");
        (id, source)
    }

    fn result(
        &mut self,
        call: &(String, String),
        content: Json<'_>,
        detail: Json<'_>,
        error: Option<bool>,
    ) {
        let block = [
            ("tool_use_id", Json::Text(&call.0)),
            ("type", "tool_result".into()),
            ("content", content),
            ("is_error", error.unwrap_or_default().into()),
        ];
        let told = if error.is_some() { 4 } else { 3 };
        let more = [
            ("sourceToolAssistantUUID", Json::Text(&call.1)),
            ("toolUseResult", detail),
        ];
        let kept = if self.side.is_some() { 1 } else { 2 };
        self.user(list![Json::Object(&block[..told])], &more[..kept]);
    }

    fn failed(&mut self, call: &(String, String), text: &str) {
        let detail = format!("Error: {text}");
        self.result(call, text.into(), Json::Text(&detail), Some(true));
    }

    fn refused(&mut self, call: &(String, String), text: &str) {
        let detail = format!("Error: {text}");
        let content = format!("<tool_use_error>{text}</tool_use_error>");
        let (content, detail) = (Json::Text(&content), Json::Text(&detail));
        self.result(call, content, detail, Some(true));
    }

    fn prompt(&mut self, text: &str) {
        let id = self.ids.uuid();
        self.user(text.into(), &[("promptId", Json::Text(&id))]);
    }

    fn turn(&mut self, turn: &Turn) {
        self.prompt(&turn.prompt);
        for step in &turn.steps {
            self.step(step);
        }
        if let Some(close) = &turn.close {
            self.assistant(object! {"type": "text", "text": close}, "end_turn");
        } else {
            let text = "[Request interrupted by user]";
            self.user(list![object! {"type": "text", "text": text}], &[]);
        }
    }

    fn step(&mut self, step: &Step) {
        match step {
            Step::Say(text) => {
                self.assistant(object! {"type": "text", "text": text}, "tool_use");
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
                let call = self.call(name, input.into());
                match end {
                    End::Code(0) => self.result(&call, out.into(), out.into(), None),
                    End::Code(_) => self.failed(&call, out),
                    _ => self.ended(&call, out, *end, out.into()),
                }
            }
            Step::Compact(summary) => self.compact(summary),
            Step::Strange(kind) => {
                self.line(&[("type", kind.into())]);
            }
        }
    }

    fn ended(&mut self, call: &(String, String), out: &str, end: End, detail: Json<'_>) {
        let out = out.replace(CUT, "... [412 lines truncated] ...");
        match end {
            End::Code(0) => self.result(call, Json::Text(&out), detail, Some(false)),
            End::Code(code) if out.is_empty() => self.failed(call, &format!("Exit code {code}")),
            End::Code(code) => self.failed(call, &format!("Exit code {code}\n{out}")),
            End::Denied => self.failed(call, DENIED),
            End::Missing | End::Running | End::Null => {}
        }
    }

    fn bash(&mut self, cmd: &str, out: &str, end: End) {
        let input = object! {"command": cmd, "description": "Run a command"};
        let call = self.call("Bash", input);
        let detail = object! {"stdout": out, "stderr": "", "interrupted": false, "isImage": false};
        self.ended(&call, out, end, detail);
    }

    fn launch(&mut self, tag: &str, cmd: &str) {
        let input = object! {
            "command": cmd, "description": "Run in background", "run_in_background": true
        };
        let call = self.call("Bash", input);
        let id = format!("b{:06x}", self.ids.count);
        self.launches.insert(tag.to_owned(), id.clone());
        let out = format!(
            "Command running in background with ID: {id}. Output is being written to: /tmp/claude/tasks/{id}.output"
        );
        let detail = object! {
            "stdout": "", "stderr": "", "interrupted": false, "isImage": false, "backgroundTaskId": &id
        };
        self.result(&call, Json::Text(&out), detail, Some(false));
    }

    fn poll(&mut self, tag: &str, out: &str, end: End) {
        let Some(id) = self.launches.get(tag).cloned() else {
            return;
        };
        let input = object! {"task_id": &id, "block": true, "timeout": 60_000_i64};
        let call = self.call("TaskOutput", input);
        let (got, status, code) = match end {
            End::Code(0) => ("success", "completed", Some(0)),
            End::Code(code) => ("success", "failed", Some(code)),
            _ => ("timeout", "running", None),
        };
        let mut text = format!(
            "<retrieval_status>{got}</retrieval_status>\n\n<task_id>{id}</task_id>\n\n<task_type>local_bash</task_type>\n\n\
             <status>{status}</status>\n\n"
        );
        if let Some(code) = code {
            text.push_str(&format!("<exit_code>{code}</exit_code>\n\n"));
        }
        text.push_str(&format!("<output>\n{out}\n</output>"));
        let output = format!("{out}\n");
        let task = object! {
            "task_id": &id, "task_type": "local_bash", "status": status,
            "description": "Run in background", "output": &output, "exitCode": code.map_or(Json::Null, Json::Number)
        };
        let detail = object! {"retrieval_status": got, "task": task};
        self.result(&call, Json::Text(&text), detail, None);
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
        let input = object! {
            "replace_all": false, "file_path": &path, "old_string": old, "new_string": new
        };
        let call = self.call("Edit", input);
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
        let rows: Vec<Json<'_>> = rows.iter().map(Json::from).collect();
        let original = format!("{old}\n");
        let hunk = object! {
            "oldStart": 1_i64, "oldLines": old.split('\n').count(),
            "newStart": 1_i64, "newLines": new.split('\n').count(), "lines": rows.as_slice()
        };
        let hunks = list![hunk];
        let detail = object! {
            "filePath": &path, "oldString": old, "newString": new, "originalFile": &original,
            "userModified": false, "replaceAll": false, "structuredPatch": hunks
        };
        self.result(&call, Json::Text(&text), detail, None);
    }

    fn write(&mut self, path: &str, text: &str, ok: bool) {
        let path = self.full(path);
        let call = self.call("Write", object! {"file_path": &path, "content": text});
        if ok {
            let said = format!("File created successfully at: {path}");
            let detail = object! {
                "type": "create", "filePath": &path, "content": text, "structuredPatch": Json::List(&[]),
                "originalFile": Json::Null
            };
            self.result(&call, Json::Text(&said), detail, None);
        } else {
            self.refused(
                &call,
                "File has not been read yet. Read it first before writing to it.",
            );
        }
    }

    fn read(&mut self, path: &str, text: &str, end: End) {
        let path = self.full(path);
        let call = self.call("Read", object! {"file_path": &path});
        match end {
            End::Code(0) => {
                let rows: Vec<&str> = text.split('\n').collect();
                let body: Vec<String> = rows
                    .iter()
                    .enumerate()
                    .map(|(at, row)| format!("{:6}→{row}", at + 1))
                    .collect();
                let file = object! {
                    "filePath": &path, "content": text, "numLines": rows.len(), "startLine": 1_i64,
                    "totalLines": rows.len()
                };
                let detail = object! {"type": "text", "file": file};
                self.result(&call, Json::Text(&body.join("\n")), detail, None);
            }
            End::Denied => self.failed(&call, DENIED),
            End::Code(_) => self.refused(&call, "File does not exist."),
            End::Missing | End::Running | End::Null => {}
        }
    }

    fn todo(&mut self, items: &[(char, String)]) {
        let status = |state| match state {
            'x' => "completed",
            '~' => "in_progress",
            _ => "pending",
        };
        let todos: Vec<[(&str, Json<'_>); 3]> = items
            .iter()
            .map(|(state, text)| {
                [
                    ("content", text.into()),
                    ("status", status(*state).into()),
                    ("activeForm", text.into()),
                ]
            })
            .collect();
        let todos: Vec<Json<'_>> = todos.iter().map(|todo| Json::Object(todo)).collect();
        let call = self.call("TodoWrite", object! {"todos": todos.as_slice()});
        let text = "Todos have been modified successfully. Ensure that you continue to use the todo list to track your progress.";
        let detail = object! {"oldTodos": Json::List(&[]), "newTodos": todos.as_slice()};
        self.result(&call, text.into(), detail, None);
    }

    fn agent(&mut self, task: &str, steps: Option<&[Step]>, answer: &str) {
        let input = object! {
            "description": "Delegated part", "prompt": task, "subagent_type": "general-purpose"
        };
        let call = self.call("Task", input);
        let id = format!("a{}", &self.ids.hex()[7..]);
        if let Some(steps) = steps {
            let lines = std::mem::take(&mut self.lines);
            let parent = self.parent.take();
            self.side = Some(id.clone());
            self.prompt(task);
            for step in steps {
                self.step(step);
            }
            self.assistant(object! {"type": "text", "text": answer}, "end_turn");
            let own = std::mem::replace(&mut self.lines, lines);
            (self.parent, self.side) = (parent, None);
            let base = format!("{}/subagents", self.file.trim_end_matches(".jsonl"));
            self.files.push(StoredFile {
                path: format!("{base}/agent-{id}.jsonl"),
                bytes: own,
            });
            let meta = object! {
                "agentType": "general-purpose", "description": "Delegated part", "toolUseId": &call.0,
                "spawnDepth": 1_i64
            };
            self.files.push(StoredFile {
                path: format!("{base}/agent-{id}.meta.json"),
                bytes: (meta.text() + "\n").into_bytes(),
            });
        }
        let text = object! {"type": "text", "text": answer};
        let body = list![text];
        let detail = object! {
            "status": "completed", "prompt": task, "agentId": &id, "content": body,
            "totalToolUseCount": steps.map_or(3, <[Step]>::len), "totalDurationMs": 900_i64,
            "totalTokens": 400_i64
        };
        self.result(&call, body, detail, None);
    }

    fn compact(&mut self, summary: &str) {
        let before = self.parent.take();
        let before = before.as_deref().map_or(Json::Null, Json::Text);
        self.line(&[
            ("type", "system".into()),
            ("subtype", "compact_boundary".into()),
            ("content", "Conversation compacted".into()),
            ("isMeta", false.into()),
            ("level", "info".into()),
            ("logicalParentUuid", before),
            (
                "compactMetadata",
                object! {"trigger": "auto", "preTokens": 160_000_i64},
            ),
        ]);
        let text = format!(
            "This session is being continued from a previous conversation that ran out of context. The conversation is \
             summarized below:\n{summary}"
        );
        let more = [
            ("isCompactSummary", true.into()),
            ("isVisibleInTranscriptOnly", true.into()),
        ];
        self.user(Json::Text(&text), &more);
    }
}
