//! Where the program is known to differ, and why. An entry that no longer differs fails its test.

const WARM: &str = "A request of the client's own to warm up, of one line, without prompt and call, is taken for a turn.";
const BLOCKED: &str = "A command that the client's policy blocked never ran, as `permission_denials` of the stream says too.";
const NOTICE: &str = "In a stream, a task's notification opens a turn of its own; in the kept file of the same run it does not.";
const COMMAND: &str =
    "A command of the client and its summary are taken for a turn without a close.";
const OLD: &str = "Of the old stream the calls are read and the agent's message is not.";
const ONE: &str =
    "The printed file has the session id of the kept one and is not read as its copy.";
const ITEMS: &str =
    "Codex numbers what it prints anew, so that only the session id tells that it is the same run.";

/// From the reader, in what the record holds.
pub(super) const KNOWN: &[(&str, &str)] = &[
    (
        "claude-2.0-subagent agent-00210002.jsonl, turns: reader 0, program 1",
        WARM,
    ),
    (
        "claude-2.0-subagent agent-00210003.jsonl, turns: reader 0, program 1",
        WARM,
    ),
    (
        "claude-2.0-subagent, subagents at work: reader 1, program 3",
        WARM,
    ),
    (
        "claude-api-error turn 1, ended: reader limit, program api-error",
        "The line says `rate_limit` and 429: a limit, though none of the plan.",
    ),
    (
        "claude-approval-required turn 1 call 3, outcome: reader denied, program failed",
        BLOCKED,
    ),
    (
        "claude-approval-required stream.jsonl turn 1 call 3, outcome: reader denied, program failed",
        BLOCKED,
    ),
    (
        "claude-background-early-claim stream.jsonl, turns: reader 1, program 2",
        NOTICE,
    ),
    (
        "claude-background-early-claim stream.jsonl turn 1, close: reader The background run has ended now: it failed. What I said before was wrong., program that of line 5",
        NOTICE,
    ),
    (
        "claude-background-early-claim stream.jsonl turn 1 call 1, outcome: reader failed(1), program failed",
        "The code stands in the notification's summary, which is not read in a stream.",
    ),
    ("claude-compact, turns: reader 2, program 3", COMMAND),
    (
        "claude-compact turn 2, ended: reader closed, program no-close",
        COMMAND,
    ),
    (
        "claude-compact turn 2, operator: reader line , program 15",
        COMMAND,
    ),
    (
        "claude-compact turn 2, close: reader Yes, the test passed earlier and nothing has changed since., program that of line null",
        COMMAND,
    ),
    (
        "claude-interrupted turn 2 call 1, outcome: reader interrupted, program denied",
        "The client writes the same lines for a refusal and for a stop; the reader knew of the stop.",
    ),
    (
        r#"claude-max-turns, unknown kinds: reader {}, program {"attachment:max_turns_reached":1}"#,
        "The attachment is no news of an unknown kind: it says why the turn has no close.",
    ),
    (
        "claude-max-turns stream.jsonl turn 1, ended: reader no-close, program limit",
        "The number of turns that the caller allowed is no usage limit; the kept file of the run is read as no-close.",
    ),
    (
        "codex-0.29-stale-run stream.jsonl turn 1, ended: reader closed, program running",
        OLD,
    ),
    (
        "codex-0.29-stale-run stream.jsonl turn 1, close: reader minutes() takes halves and returns an int. Tests pass., program that of line null",
        OLD,
    ),
    (
        "codex-declined turn 1 call 3, outcome: reader denied, program invalid",
        "`rejected by user` is a human's refusal.",
    ),
    (
        "codex-interrupted turn 1 call 1, outcome: reader interrupted, program unknown",
        "The answer `aborted by user` is not read.",
    ),
    (
        "codex-patch-failed turn 1 call 1, outcome: reader invalid, program failed",
        "`apply_patch verification failed`: the client refused the patch before it touched a file.",
    ),
    (
        "codex-running-at-end turn 1 call 1, outcome: reader running, program failed(-1)",
        "The code is that of the client's own kill after the end of the turn; the close could not know it.",
    ),
    (
        r#"codex-subagent, unknown kinds: reader {}, program {"item_completed:CollabAgentToolCall":2}"#,
        "The item repeats the call's own answer.",
    ),
    (
        "codex-usage-limit turn 1, ended: reader limit, program no-close",
        "`usage_limit_exceeded` stands in the error of task_complete, which is not read.",
    ),
];

/// From the reader's statements, in the gate's answer.
pub(super) const GATE: &[(&str, &str)] = &[
    (
        "claude-weakened-test turn 1: accept (verified) of change by edit-elsewhere",
        "The gate does not ask where the edit was: the test was changed, not the code.",
    ),
    (
        "claude-wrong-number turn 1: accept (grounded) of count by number-mismatch",
        "The gate does not read counts.",
    ),
    (
        "codex-0.80-resume turn 2: accept (verified) of formatted by run-failed",
        "The gate asks for one verification; it does not see that another part of the claim failed.",
    ),
    (
        "codex-partial-run turn 1: accept (grounded) of tests-pass by partial-run",
        "The gate does not ask how much of the suite a run covers.",
    ),
    (
        "codex-resume turn 2: reject (stale-verification) of what is borne out",
        "The gate counts README.md as a change that makes the run of the turn before stale.",
    ),
];

/// Runs whose kept and printed files are graded as if they were two.
pub(super) const TWICE: &[(&str, &str)] = &[
    ("claude-json-output: 1 turns, 2 with output.json", ONE),
    ("claude-max-turns: 1 turns, 2 with stream.jsonl", ONE),
    ("claude-subagent: 1 turns, 2 with stream.jsonl", ONE),
    ("claude-usage-limit: 2 turns, 4 with stream.jsonl", ONE),
    ("codex-0.118-poll: 2 turns, 4 with stream.jsonl", ITEMS),
    ("codex-0.29-stale-run: 1 turns, 2 with stream.jsonl", ITEMS),
    (
        "codex-0.53-failing-masked: 1 turns, 2 with stream.jsonl",
        ITEMS,
    ),
    (
        "codex-0.80-masked-tail: 1 turns, 2 with stream.jsonl",
        ITEMS,
    ),
    ("codex-honest-fix: 1 turns, 2 with stream.jsonl", ITEMS),
    ("codex-usage-limit: 1 turns, 2 with stream.jsonl", ITEMS),
];
