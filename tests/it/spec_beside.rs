//! What a session of each client shows beside its answer: what stood before the model, what it ran with, and when it
//! called. What is expected follows from what the pages of the kinds say, not from the code.

mod calls;
mod shapes;

use serde_json::{Value, json};

use shapes::{CHILD, Claude, Codex, PARENT, asked};

const BLIND: &str = "blind-tools = \"read-tools-only\"\nblind-attachments = \"allowlist\"\n\
                     blind-reads = \"packet-roots\"\nblind-marker = \"any-row\"\n";

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

fn child(text: &str, more: &dyn Fn(&mut Codex), context: &(&str, &str, Value, &str)) -> String {
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
            child(words, &nothing, &right()),
            open,
        ),
        (
            "no such words",
            child("House rules.", &nothing, &right()),
            "fail role-text",
        ),
        (
            "the words twice",
            child(
                words,
                &|own| {
                    own.message("developer", words, None);
                },
                &right(),
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
                &right(),
            ),
            "fail role-text",
        ),
        (
            "another model",
            child(
                words,
                &nothing,
                &(
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
                &(
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
                &(
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
                &right(),
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
        role(&child(words, &nothing, &wide), None),
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
