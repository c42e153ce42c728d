//! What a session of each client shows beside its answer: what stood before the model, what it ran with, and when it
//! called. What is expected follows from what the pages of the kinds say, not from the code.

use serde_json::{Value, json};

use crate::spec_evidence::Run;

/// The values of every reading that these kinds ask for.
const READINGS: &str = "[readings]\nattempt-rule = \"completed-attempts\"\nanswer = \"close\"\n";
const BLIND: &str = "blind-tools = \"read-tools-only\"\nblind-attachments = \"allowlist\"\n\
                     blind-reads = \"packet-roots\"\nblind-marker = \"any-row\"\n";

/// A spec of one task with one check.
fn spec(dispatch: &str, check: &str, readings: &str) -> String {
    format!(
        "schema = \"deedcheck/spec/1\"\ngrammar = \"g1\"\n[experiment]\nid = \"beside\"\ntitle = \"Beside\"\n\
         [[arms]]\nid = \"with\"\n[[tasks]]\nid = \"find\"\nprompt = \"Judge the packet.\"\nfamily = \"tides\"\n\
         opportunity = \"organic\"\ndispatch = \"{dispatch}\"\narms = [\"with\"]\n\
         [[tasks.checks]]\nid = \"own\"\nextract = \"none\"\n{check}\n{READINGS}{readings}"
    )
}

/// What the only check of a run comes to, and the run: why it fails, or else what is not known.
fn asked(
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
struct Claude(Vec<Value>);

impl Claude {
    fn asked(prompt: &str) -> Self {
        let mut own = Self(Vec::new());
        own.user(&json!(prompt));
        own
    }

    fn put(&mut self, mut record: Value) -> &mut Self {
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

    fn user(&mut self, content: &Value) -> &mut Self {
        self.put(json!({"type": "user", "message": {"role": "user", "content": content}}))
    }

    fn attachment(&mut self, attachment: &Value) -> &mut Self {
        self.put(json!({"type": "attachment", "attachment": attachment}))
    }

    /// What every session of this version begins with.
    fn listings(&mut self) -> &mut Self {
        self.attachment(
            &json!({"type": "skill_listing", "content": "- verify", "skillCount": 1,
            "isInitial": true, "names": ["verify"]}),
        )
    }

    fn assistant(&mut self, block: &Value) -> &mut Self {
        let id = format!("msg_{}", self.0.len());
        self.put(json!({"type": "assistant", "message": {"id": id, "type": "message", "role": "assistant",
            "model": "tide-large-4", "content": [block], "stop_reason": null}}))
    }

    fn call(&mut self, id: &str, name: &str, input: &Value) -> &mut Self {
        self.assistant(&json!({"type": "tool_use", "id": id, "name": name, "input": input}))
    }

    fn result(&mut self, id: &str, text: &str) -> &mut Self {
        self.user(&json!([{"tool_use_id": id, "type": "tool_result", "content": text, "is_error": false}]))
    }

    fn says(&mut self, text: &str) -> &mut Self {
        self.assistant(&json!({"type": "text", "text": text}))
    }

    fn text(&self) -> String {
        self.0.iter().map(|record| format!("{record}\n")).collect()
    }
}

/// A Codex rollout in the shape of 0.171.
struct Codex {
    records: Vec<Value>,
    thread: &'static str,
}

const PARENT: &str = "01a22c08-0000-7000-8000-000000000001";
const CHILD: &str = "01a22c09-0000-7000-8000-000000000002";

impl Codex {
    fn of(thread: &'static str) -> Self {
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
        own.put("session_meta", meta);
        own.put(
            "event_msg",
            json!({"type": "task_started", "turn_id": own.turn(), "started_at": 1}),
        );
        own
    }

    fn turn(&self) -> String {
        format!("{}3", &self.thread[..self.thread.len() - 1])
    }

    fn put(&mut self, kind: &str, payload: Value) -> &mut Self {
        let number = self.records.len();
        self.records.push(
            json!({"timestamp": format!("2026-03-02T09:00:{number:02}.500Z"), "ordinal": number,
            "type": kind, "payload": payload}),
        );
        self
    }

    fn message(&mut self, role: &str, text: &str, about: Option<Value>) -> &mut Self {
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
        self.put("response_item", message)
    }

    /// A message of the client, or of a hook, as newer versions mark it.
    fn harness(&mut self, text: &str, hook: bool) -> &mut Self {
        let about = json!({"content_item_kinds": ["permissions.instructions"],
            "content_item_metadata": [{"provenance": {"type": "harness", "hook": hook}}]});
        self.message("developer", text, Some(about))
    }

    fn context(&mut self, model: &str, effort: &str, sandbox: &Value, cwd: &str) -> &mut Self {
        let turn = self.turn();
        self.put(
            "turn_context",
            json!({"turn_id": turn, "cwd": cwd, "approval_policy": "never", "model": model,
            "effort": effort, "summary": "none", "sandbox_policy": sandbox}),
        )
    }

    fn call(&mut self, id: &str, payload: &Value, output: &str) -> &mut Self {
        let mut call = payload.clone();
        call["type"] = json!("function_call");
        call["call_id"] = json!(id);
        self.put("response_item", call);
        self.put(
            "response_item",
            json!({"type": "function_call_output", "call_id": id, "output": output}),
        )
    }

    fn says(&mut self, text: &str) -> &mut Self {
        self.message("assistant", text, None);
        let turn = self.turn();
        self.put(
            "event_msg",
            json!({"type": "task_complete", "turn_id": turn, "last_agent_message": text}),
        )
    }

    fn text(&self) -> String {
        let lines = self.records.iter();
        lines.map(|record| format!("{record}\n")).collect()
    }
}

const PACKET: &str = "kind = \"blindness\"\nparams = { allowed-tools = [\"Read\", \"exec_command\"], forbidden-tools = [\"Bash\"], \
    forbidden-servers = [\"*\"], reads = [{ tool = \"Read\", path = \"file_path\" }], packet-roots = [\"/packets/p1\"], \
    marker = \"EBB-ROUTE-5\", anchors = [\"Always call tidegrep first.\"], attachments = [\"skill_listing\"] }";

/// A blind session of Claude Code with a change before the first answer, and one behind it.
fn judged(before: &dyn Fn(&mut Claude), behind: &dyn Fn(&mut Claude)) -> String {
    let mut own = Claude::asked("Judge the packet.");
    own.listings();
    before(&mut own);
    own.call(
        "toolu_1",
        "Read",
        &json!({"file_path": "/packets/p1/table.csv"}),
    );
    own.result("toolu_1", "merle,310");
    behind(&mut own);
    own.says("Verdict: yes.");
    own.text()
}

fn blind(text: String) -> String {
    asked("main", (PACKET, BLIND), &[("s.jsonl", text)]).1
}

#[test]
fn spec_beside_a_blind_session_of_claude_code_is_read_row_by_row() {
    let nothing = |_: &mut Claude| {};
    let before = |attachment: Value| {
        judged(
            &|own| {
                own.attachment(&attachment);
            },
            &nothing,
        )
    };
    let hook = |event: &str, content: &str| {
        before(
            json!({"type": "hook_success", "hookName": event, "hookEvent": event, "toolUseID": "h",
            "content": content, "stdout": content, "stderr": "", "exitCode": 0, "command": "hook"}),
        )
    };
    for (name, text, told) in [
        ("nothing beside it", judged(&nothing, &nothing), "pass"),
        (
            "a hook that put in nothing",
            hook("SessionStart", ""),
            "pass",
        ),
        (
            "a hook whose words the operator sees",
            hook("PostToolUse", "formatted"),
            "pass",
        ),
        (
            "a hook that put in words",
            hook("SessionStart", "tide notes"),
            "fail injection",
        ),
        (
            "a hook that added context later",
            judged(&nothing, &|own| {
                own.attachment(&json!({"type": "hook_additional_context", "hookName": "h", "hookEvent": "PostToolUse",
                    "toolUseID": "h", "content": ["see EBB-ROUTE-5"]}));
            }),
            "fail injection marker",
        ),
        (
            "an attachment that is not allowed",
            before(
                json!({"type": "nested_memory", "path": "/m", "content": {"type": "memory", "content": "notes"}}),
            ),
            "fail first-prompt",
        ),
        (
            "the same after the first answer",
            judged(&nothing, &|own| {
                own.attachment(&json!({"type": "nested_memory", "path": "/m", "content": {"content": "notes"}}));
            }),
            "pass",
        ),
        (
            "the marker within an attachment",
            judged(&nothing, &|own| {
                own.attachment(&json!({"type": "nested_memory", "path": "/m", "content": {"content": "on EBB-ROUTE-5."}}));
            }),
            "fail marker",
        ),
        (
            "an anchor in what the client put beside the prompt",
            judged(
                &|own| {
                    own.user(&json!([{"type": "text",
                        "text": "<system-reminder>\nAlways call tidegrep first.\n</system-reminder>\nOnce more."}]));
                },
                &nothing,
            ),
            "fail first-prompt",
        ),
        (
            "the marker in what a call brought back",
            judged(&nothing, &|own| {
                own.call("toolu_2", "Read", &json!({"file_path": "route.md"}))
                    .result("toolu_2", "EBB-ROUTE-5");
            }),
            "fail marker",
        ),
        (
            "a read outside of the packet",
            judged(&nothing, &|own| {
                own.call("toolu_2", "Read", &json!({"file_path": "/trees/x"}))
                    .result("toolu_2", "x");
            }),
            "fail reads",
        ),
        (
            "a server's tool",
            judged(&nothing, &|own| {
                own.call("toolu_2", "mcp__logbook__search", &json!({}))
                    .result("toolu_2", "x");
            }),
            "fail calls",
        ),
        (
            "a call whose outcome nobody tells",
            judged(&nothing, &|own| {
                own.call("toolu_2", "Bash", &json!({"command": "ls"}));
            }),
            "unknown call-state-unknown",
        ),
        (
            "an older version, which tells only that a hook ran",
            judged(
                &|own| {
                    own.put(json!({"type": "progress", "data": {"type": "hook_progress",
                "hookEvent": "SessionStart", "hookName": "SessionStart:startup", "command": "hook"}}));
                },
                &nothing,
            ),
            "unknown injection-unobserved",
        ),
        (
            "an older version, which writes no attachments",
            {
                let mut own = Claude::asked("Judge the packet.");
                own.says("Verdict: yes.").text()
            },
            "unknown first-prompt-unobserved injection-unobserved marker-unobserved",
        ),
    ] {
        assert_eq!(blind(text), told, "{name}");
    }
}

#[test]
fn spec_beside_a_blind_session_of_codex_is_read_row_by_row() {
    let rollout = |more: &dyn Fn(&mut Codex)| {
        let mut own = Codex::of(PARENT);
        own.harness("Filesystem sandboxing is off.", false);
        own.message(
            "user",
            "<environment_context>\n  <cwd>/packets/p1</cwd>\n</environment_context>",
            None,
        );
        own.context(
            "tide-large-4",
            "high",
            &json!({"type": "read-only"}),
            "/packets/p1",
        );
        own.message("user", "Judge the packet.", None);
        let cat = json!({"name": "exec_command", "arguments": "{\"cmd\": \"cat table.csv\"}"});
        own.call(
            "call_1",
            &cat,
            "Chunk ID: 1\nProcess exited with code 0\nOutput:\nmerle,310\n",
        );
        more(&mut own);
        own.says("Verdict: yes.").text()
    };
    let served = json!({"name": "search", "namespace": "mcp__logbook", "arguments": "{}"});
    for (name, text, told) in [
        ("nothing beside it", rollout(&|_| {}), "pass"),
        (
            "a hook's words in the developer's name",
            rollout(&|own| {
                own.harness("tide notes", true);
            }),
            "fail injection",
        ),
        (
            "words in the developer's name that nobody signed",
            rollout(&|own| {
                own.message("developer", "tide notes", None);
            }),
            "unknown injection-unobserved",
        ),
        (
            "the client's own words of an older version",
            rollout(&|own| {
                own.message("developer", "<permissions instructions>\nx", None);
            }),
            "pass",
        ),
        (
            "the marker in the developer's name",
            rollout(&|own| {
                own.harness("on EBB-ROUTE-5", false);
            }),
            "fail marker",
        ),
        (
            "a server's tool in a namespace of its own",
            rollout(&|own| {
                own.call("call_2", &served, "[]");
            }),
            "fail calls",
        ),
    ] {
        assert_eq!(blind(text), told, "{name}");
    }
}

#[test]
fn spec_beside_what_a_client_printed_tells_of_no_row() {
    let printed = [
        json!({"type": "thread.started", "thread_id": PARENT}),
        json!({"type": "turn.started"}),
        json!({"type": "item.completed", "item": {"id": "item_0", "type": "agent_message", "text": "Verdict: yes."}}),
        json!({"type": "turn.completed", "usage": {}}),
    ];
    let text = printed.iter().map(|record| format!("{record}\n")).collect();
    assert_eq!(
        blind(text),
        "unknown first-prompt-unobserved injection-unobserved marker-unobserved"
    );
}

const ROLE: &str = "kind = \"role-config\"\nparams = { role = \"proofer\" }\n\
    key = { value = { role-text = \"You proof tide tables.\", model = \"tide-small-2\", effort = \"high\" } }";

fn role(child: &str, parent: Option<&str>) -> String {
    let mut files = vec![("rollout-2026-03-02T09-00-01-child.jsonl", child.to_owned())];
    let name = format!("rollout-2026-03-02T09-00-00-{PARENT}.jsonl");
    if let Some(parent) = parent {
        files.push((&name, parent.to_owned()));
    }
    asked("subagent", (ROLE, ""), &files).1
}

fn parent() -> String {
    let mut own = Codex::of(PARENT);
    own.context(
        "tide-large-4",
        "low",
        &json!({"type": "read-only"}),
        "/packets/p1",
    );
    own.message("user", "Have it proofed.", None);
    own.says("It is.").text()
}

fn child(text: &str, more: &dyn Fn(&mut Codex), context: (&str, &str, Value, &str)) -> String {
    let mut own = Codex::of(CHILD);
    own.message("developer", text, None);
    own.context(context.0, context.1, &context.2, context.3);
    own.message("user", "Proof the table.", None);
    more(&mut own);
    own.says("Heights are right.").text()
}

#[test]
fn spec_beside_a_child_of_codex_is_held_against_its_role_and_its_parent() {
    let words = "House rules.\n\nYou proof tide tables.\n";
    let right = || {
        (
            "tide-small-2",
            "high",
            json!({"mode": "read-only"}),
            "/packets/p1/",
        )
    };
    let nothing = |_: &mut Codex| {};
    let open = "unknown parent-unobserved";
    for (name, child, told) in [
        // No record of this client tells which servers a session may call.
        (
            "all that is told is right",
            child(words, &nothing, right()),
            open,
        ),
        (
            "no such words",
            child("House rules.", &nothing, right()),
            "fail role-text",
        ),
        (
            "the words twice",
            child(
                words,
                &|own| {
                    own.message("developer", words, None);
                },
                right(),
            ),
            "fail role-text",
        ),
        (
            "the words in the operator's name only",
            child(
                "House rules.",
                &|own| {
                    own.message("user", words, None);
                },
                right(),
            ),
            "fail role-text",
        ),
        (
            "another model",
            child(
                words,
                &nothing,
                (
                    "tide-small-21",
                    "high",
                    json!({"type": "read-only"}),
                    "/packets/p1",
                ),
            ),
            "fail model",
        ),
        (
            "another effort",
            child(
                words,
                &nothing,
                (
                    "tide-small-2",
                    "low",
                    json!({"type": "read-only"}),
                    "/packets/p1",
                ),
            ),
            "fail effort",
        ),
        (
            "more than its parent may touch",
            child(
                words,
                &nothing,
                (
                    "tide-small-2",
                    "high",
                    json!({"type": "workspace-write"}),
                    "/packets/p2",
                ),
            ),
            "fail cwd sandbox",
        ),
        (
            "another model in a later turn",
            child(
                words,
                &|own| {
                    own.message("assistant", "One more look.", None);
                    own.context(
                        "tide-large-4",
                        "high",
                        &json!({"type": "read-only"}),
                        "/packets/p1",
                    );
                },
                right(),
            ),
            "fail model",
        ),
    ] {
        assert_eq!(role(&child, Some(&parent())), told, "{name}");
    }
    let wide = (
        "tide-small-2",
        "high",
        json!({"type": "workspace-write"}),
        "/packets/p2",
    );
    assert_eq!(
        role(&child(words, &nothing, wide), None),
        open,
        "nobody to be held against"
    );
}

/// No record of this client holds what a model was told in another's name, nor what it may touch.
#[test]
fn spec_beside_a_child_of_claude_code_shows_its_model_only() {
    let session = |model: &str, effort: Option<&str>| {
        let mut own = Claude::asked("Proof the table.");
        own.listings();
        own.says("Heights are right.");
        for record in &mut own.0 {
            record["isSidechain"] = json!(true);
            record["agentId"] = json!("a1b2c3d4e5f60718");
            if record["type"] == "assistant" {
                record["message"]["model"] = json!(model);
                record["effort"] = json!(effort);
            }
        }
        own.text()
    };
    let main = || {
        let mut own = Claude::asked("Have it proofed.");
        own.says("It is.").text()
    };
    let told = |text: String| {
        let file = "00000000-0000-4000-8000-000000000000/subagents/agent-a1b2c3d4e5f60718.jsonl";
        let above = "00000000-0000-4000-8000-000000000000.jsonl";
        asked("subagent", (ROLE, ""), &[(file, text), (above, main())]).1
    };
    let open = "messages-unobserved parent-unobserved";
    assert_eq!(
        told(session("tide-small-2", Some("high"))),
        format!("unknown {open}")
    );
    assert_eq!(
        told(session("tide-small-2", None)),
        format!("unknown {open} turn-unobserved")
    );
    assert_eq!(told(session("tide-large-4", None)), "fail model");
}

const RECALL: &str = "kind = \"call-evidence\"\nparams = { mode = \"record\", predicates = [{ server = \"logbook\", tool = \"search\" }], \
    window = { since = \"2026-03-02T09:00:00Z\", until = \"2026-03-02T09:00:30Z\" } }\n\
    key = { value = { records = [{ path = \"decisions/datum.md\", title = \"Datum shift\" }] } }";
const URLS: &str = "url-match = \"exact-url\"\n";

#[test]
fn spec_beside_calls_are_told_with_their_server_their_state_and_their_time() {
    let claude = |result: Option<&str>, at: &str| {
        let mut own = Claude::asked("Judge the packet.");
        own.listings();
        own.call(
            "toolu_1",
            "mcp__logbook__search",
            &json!({"query": "datum"}),
        );
        own.0.last_mut().unwrap()["timestamp"] = json!(at);
        if let Some(result) = result {
            own.result("toolu_1", result);
        }
        own.says("Verdict: yes.").text()
    };
    let told = |text: String| asked("main", (RECALL, URLS), &[("s.jsonl", text)]).1;
    let (inside, late) = ("2026-03-02T09:00:03Z", "2026-03-02T09:00:30.000Z");
    for (result, at, wanted) in [
        (Some("see decisions/datum.md"), inside, "pass"),
        (Some("see decisions/datum.md"), late, "fail missing"),
        (Some("1 hit: Datum shift"), inside, "unknown title-only"),
        (Some("no hits"), inside, "fail missing"),
        (None, inside, "unknown call-state-unknown"),
    ] {
        assert_eq!(told(claude(result, at)), wanted, "{result:?} {at}");
    }
    // A namespace need not end in what parts a server from its tool, and an item tells the two apart.
    let rollout = |name: Value| {
        let mut own = Codex::of(PARENT);
        own.message("user", "Judge the packet.", None);
        own.call("call_1", &name, "see decisions/datum.md");
        own.says("Verdict: yes.").text()
    };
    for name in [
        json!({"name": "search", "namespace": "mcp__logbook", "arguments": "{}"}),
        json!({"name": "search", "namespace": "mcp__logbook__", "arguments": "{}"}),
        json!({"name": "mcp__logbook__search", "arguments": "{}"}),
    ] {
        assert_eq!(told(rollout(name.clone())), "pass", "{name}");
    }
    let printed = |status: &str, error: Value| {
        let item = json!({"id": "item_0", "type": "mcp_tool_call", "server": "logbook", "tool": "search",
            "arguments": {}, "result": {"content": [{"type": "text", "text": "see decisions/datum.md"}]},
            "error": error, "status": status});
        let own = [
            json!({"type": "thread.started", "thread_id": PARENT}),
            json!({"type": "turn.started"}),
            json!({"type": "item.completed", "item": item}),
            json!({"type": "item.completed", "item": {"id": "item_1", "type": "agent_message", "text": "Yes."}}),
            json!({"type": "turn.completed", "usage": {}}),
        ];
        own.iter()
            .map(|record| format!("{record}\n"))
            .collect::<String>()
    };
    assert_eq!(told(printed("completed", Value::Null)), "pass");
    assert_eq!(
        told(printed("failed", json!({"message": "gone"}))),
        "fail missing"
    );
}

const LANE: &str = "kind = \"lane-use\"\nparams = { lane = \"tidegrep\", predicates = [{ program = \"tidegrep\" }], \
    shells = [{ tool = \"Bash\", field = \"command\" }, { tool = \"exec_command\", field = \"cmd\" }, \
    { tool = \"command_execution\", field = \"command\" }] }";
const TRIP: &str = "kind = \"round-trip\"\nparams = { program = \"tidepack\", seeded = true, \
    shells = [{ tool = \"command_execution\", field = \"command\" }] }\n\
    key = { value = { records = [{ a = 1 }, { a = 2 }] } }";
const TRIPS: &str = "seeded-encode = \"cli-encode\"\nno-original = \"unknown-in-denominator\"\npayload-shape = \"root-array\"\n";

fn printed(command: &str, output: &str, exit: Option<i32>) -> String {
    let status = match exit {
        Some(0) => "completed",
        Some(_) => "failed",
        None => "in_progress",
    };
    let kind = if exit.is_some() {
        "item.completed"
    } else {
        "item.started"
    };
    let item = json!({"id": "item_0", "type": "command_execution", "command": command, "aggregated_output": output,
        "exit_code": exit, "status": status});
    let own = [
        json!({"type": "thread.started", "thread_id": PARENT}),
        json!({"type": "turn.started"}),
        json!({"type": kind, "item": item}),
        json!({"type": "item.completed", "item": {"id": "item_1", "type": "agent_message", "text": "Done."}}),
        json!({"type": "turn.completed", "usage": {}}),
    ];
    own.iter().map(|record| format!("{record}\n")).collect()
}

#[test]
fn spec_beside_a_command_that_stands_as_text_is_read_like_any_other() {
    let lane = |text| asked("main", (LANE, ""), &[("s.jsonl", text)]).1;
    assert_eq!(
        lane(printed("/bin/bash -lc 'tidegrep find merle'", "3", Some(0))),
        "pass"
    );
    assert_eq!(
        lane(printed("bash -lc 'echo tidegrep'", "tidegrep", Some(0))),
        "fail not-adopted"
    );
    assert_eq!(
        lane(printed("tidegrep find merle", "", Some(2))),
        "fail not-adopted"
    );
    assert_eq!(
        lane(printed("tidegrep find merle", "", None)),
        "unknown call-state-unknown"
    );
    let mut own = Codex::of(PARENT);
    own.message("user", "Judge the packet.", None);
    let call =
        json!({"name": "exec_command", "arguments": "{\"cmd\": \"cd x && tidegrep find merle\"}"});
    own.call(
        "call_1",
        &call,
        "Chunk ID: 1\nProcess exited with code 0\nOutput:\n3\n",
    );
    assert_eq!(lane(own.says("Done.").text()), "pass");
    let trip = |text| asked("main", (TRIP, TRIPS), &[("s.jsonl", text)]).1;
    assert_eq!(
        trip(printed(
            "tidepack rows.json",
            "[2]{a}:\n  1\n  2\n",
            Some(0)
        )),
        "pass"
    );
    assert_eq!(
        trip(printed(
            "tidepack rows.json",
            "[2]{a}:\n  1\n  3\n",
            Some(0)
        )),
        "fail not-encoded"
    );
}

const ARCHIVE: &str = "kind = \"session-report\"\nparams = { archive = { programs = [\"harbourlog\"] }, count-nouns = [\"sessions\"], \
    shells = [{ tool = \"Bash\", field = \"command\" }, { tool = \"command_execution\", field = \"command\" }] }\n\
    key = { value = { prefix = \"tw7\", sessions = [{ id = \"tw7.a\", start = \"2026-03-02T08:00:00Z\" }, \
    { id = \"tw7.b\", start = \"2026-03-02T09:00:05Z\" }] } }";
const ARCHIVES: &str = "reported-sessions = \"subset\"\nsurviving-process = \"fail\"\n";

#[test]
fn spec_beside_an_archive_is_asked_at_a_time_that_the_record_tells() {
    let told = |text| asked("main", (ARCHIVE, ARCHIVES), &[("s.jsonl", text)]).1;
    let session = |answer: &str| {
        let mut own = Claude::asked("Which sessions?");
        own.listings();
        own.call("toolu_1", "Bash", &json!({"command": "harbourlog list"}));
        own.result("toolu_1", "tw7.a\ntw7.b").says(answer).text()
    };
    assert_eq!(told(session("tw7.a")), "pass");
    assert_eq!(told(session("tw7.b")), "fail session-not-before-query");
    assert_eq!(told(session("tw7.c")), "fail session-outside-table");
    // What a client prints tells no times.
    assert_eq!(
        told(printed("harbourlog list", "tw7.a\n", Some(0)).replace("Done.", "tw7.a")),
        "unknown archive-query-unobserved"
    );
}

const SENTINEL: &str = "kind = \"sentinel\"\nkey = { value = { value = \"ebb-17\", siblings = [\"ebb-18\"], inventory = [] } }\n\
    params = { count-nouns = [\"lines\"] }";

#[test]
fn spec_beside_a_child_that_was_told_another_tree_s_value_was_not_blind_to_it() {
    let told = |prompt: &str| {
        let mut own = Claude::asked(prompt);
        own.listings();
        for record in &mut own.0 {
            record["isSidechain"] = json!(true);
            record["agentId"] = json!("a1b2c3d4e5f60718");
        }
        own.says("ebb-17");
        for record in &mut own.0 {
            record["isSidechain"] = json!(true);
            record["agentId"] = json!("a1b2c3d4e5f60718");
        }
        asked(
            "subagent",
            (SENTINEL, ""),
            &[("agent-a1b2c3d4e5f60718.jsonl", own.text())],
        )
        .1
    };
    assert_eq!(told("Name the value of your tree."), "pass");
    assert_eq!(
        told("Name the value of your tree; theirs is ebb-18."),
        "fail sibling-value"
    );
}

/// The record keeps all of it: nothing of the transcripts is needed to grade again, and none of their words is told.
#[test]
fn spec_beside_everything_is_kept_and_none_of_it_is_published() {
    let mut own = Codex::of(CHILD);
    own.message("developer", "You proof tide tables.", None);
    own.context(
        "tide-small-2",
        "high",
        &json!({"type": "workspace-write"}),
        "/packets/p2",
    );
    own.message("user", "Proof the table.", None);
    let text = own.says("Heights are right.").text();
    let name = format!("rollout-2026-03-02T09-00-00-{PARENT}.jsonl");
    let files = [("child.jsonl", text), (name.as_str(), parent())];
    let (run, told) = asked("subagent", (ROLE, ""), &files);
    assert_eq!(told, "fail cwd sandbox");
    let sums = std::fs::read_to_string(run.at("out.json")).unwrap();
    for private in [
        "proof tide",
        "/packets",
        "workspace-write",
        "tide-small-2",
        PARENT,
        CHILD,
    ] {
        assert!(!sums.contains(private), "{private}");
    }
    run.graded_again("out", &["sessions"], &[]);
    let blind = judged(
        &|own| {
            own.attachment(&json!({"type": "hook_additional_context", "hookName": "h", "hookEvent": "SessionStart",
                "toolUseID": "h", "content": "tide notes"}));
        },
        &|_| {},
    );
    let (run, told) = asked("main", (PACKET, BLIND), &[("s.jsonl", blind)]);
    assert_eq!(told, "fail injection");
    run.graded_again("out", &["sessions"], &[]);
}
