use serde_json::json;

use super::*;

fn hooks(preset: Preset, max_blocks: i64) -> GateHooks {
    GateHooks::new(HookOptions {
        preset,
        claim_surface: BTreeSet::new(),
        max_blocks,
        goal_predicates: Vec::new(),
        gate_subagents: false,
    })
}

fn post(gate: &mut GateHooks, tool: &str, input: &Value, response: &str, subagent: bool) {
    gate.post(&HookCall {
        tool,
        input,
        response: &json!(response),
        subagent,
    });
}

fn touched(input: &Value) -> Vec<String> {
    let mut surface = BTreeSet::new();
    add_touched(&mut surface, input);
    surface.into_iter().collect()
}

#[test]
fn path_values_are_preferred_and_keys_never_count() {
    assert_eq!(
        touched(&json!({"file_path": "a.rs", "content": "b c"})),
        ["a.rs"]
    );
    assert_eq!(
        touched(&json!({"content": "b c", "n": 1.5})),
        ["1.5", "b", "c"]
    );
    assert_eq!(
        touched(&json!({"path": null, "x": [true, {"path": "p", "y": "q"}]})),
        ["True", "p"]
    );
    assert_eq!(touched(&json!({"path": false, "x": "y"})), ["False"]);
    assert_eq!(touched(&json!({"path": ["p"], "x": "y"})), ["p", "y"]);
    assert_eq!(touched(&json!("a b")), ["a", "b"]);
    assert!(touched(&Value::Null).is_empty());
}

#[test]
fn a_name_outside_ascii_is_not_seen_in_an_object() {
    let input = json!({"file_path": "é.txt"});
    let mut gate = hooks(Preset::Default, 3);
    post(&mut gate, "Write", &input, "ok", false);
    assert!(gate.state().claim_surface.contains("é.txt"));
    post(&mut gate, "Read", &input, "text", false);
    assert!(
        !gate.state().grounded_this_turn,
        "the object is hashed with ASCII escapes"
    );
    post(&mut gate, "Read", &json!("é.txt"), "text", false);
    assert!(gate.state().verified_this_turn);
}

#[test]
fn the_valve_opens_after_the_blocks_or_with_the_budget() {
    let input = json!({"file_path": "a.rs"});
    let mut gate = hooks(Preset::Default, 1);
    assert_eq!(gate.stop(), StopAnswer::Allow, "no tool call, no gate");
    post(&mut gate, "Edit", &input, "ok", false);
    assert!(matches!(gate.stop(), StopAnswer::Block(_)));
    assert_eq!(gate.stop(), StopAnswer::ExitUnverified);
    assert!(gate.progress().exited_unverified && !gate.state().halted);

    let mut gate = hooks(Preset::Diverger, 99);
    post(&mut gate, "Edit", &input, "ok", false);
    let blocks = (0..3).filter(|_| matches!(gate.stop(), StopAnswer::Block(_)));
    assert_eq!(blocks.count(), 3);
    assert_eq!(gate.stop(), StopAnswer::ExitUnverified);
}

#[test]
fn a_failed_edit_must_be_verified_and_a_subagent_does_not_count() {
    let input = json!({"file_path": "a.rs"});
    let mut gate = hooks(Preset::Default, 3);
    gate.fail(&HookCall {
        tool: "Edit",
        input: &input,
        response: &Value::Null,
        subagent: false,
    });
    post(&mut gate, "Read", &input, "text", true);
    assert_eq!(gate.progress().tool_calls_this_turn, 1);
    assert!(matches!(gate.stop(), StopAnswer::Block(_)));
    post(&mut gate, "Read", &input, "text", false);
    assert_eq!(gate.stop(), StopAnswer::Allow);
    gate.prompt();
    assert_eq!(gate.progress().state.steps_since_last_verification, Some(0));
    assert!(!gate.state().verified_this_turn);
}
