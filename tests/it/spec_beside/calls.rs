//! Calls, with their server, their state, their time and their command.

use serde_json::{Value, json};

use super::shapes::{Claude, Codex, PARENT, asked};

const RECALL: &str = "kind = \"call-evidence\"\nparams = { mode = \"record\", predicates = [{ server = \"logbook\", tool = \"search\" }], \
    window = { since = \"2026-03-02T09:00:00Z\", until = \"2026-03-02T09:00:30Z\" } }\n\
    key = { value = { records = [{ path = \"decisions/datum.md\", title = \"Datum shift\" }] } }";
const URLS: &str = "url-match = \"exact-url\"\nrecovery-not-shown = \"fail\"\n";

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
        let mut own = Claude::asked("Judge the packet.");
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
