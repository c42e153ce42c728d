//! Each planted change is what its name says, and nothing else.

use serde_json::{Value, json};

use super::{Changed, gate, session, text};
use crate::control::session::Script;

fn told<T>(sort: &[Changed<T>]) -> Vec<&str> {
    sort.iter().map(|one| one.what.as_str()).collect()
}

fn ops(changed: &Changed<Value>) -> &Value {
    &changed.made["ops"]
}

#[test]
fn a_gate_case_is_changed_in_four_ways() {
    let write = json!({"op": "tool_call", "tool": "w", "mutating": true});
    let check = json!({"op": "tool_call", "tool": "r", "signals": ["s"]});
    let close = json!({"op": "terminal", "claim_type": "completion"});
    let case = json!({"init": {"claim_surface": ["a", "b"]}, "ops": [write, check, close]});
    let [removed, flipped, swapped, altered] = gate(&case);
    assert_eq!(
        told(&removed),
        [
            "remove-step: ops[0] (tool_call)",
            "remove-step: ops[1] (tool_call)",
            "remove-step: ops[2] (terminal)"
        ]
    );
    assert_eq!(*ops(&removed[1]), json!([write, close]));
    assert_eq!(
        told(&flipped),
        [
            "flip-status: ops[0] (tool_call) mutating false",
            "flip-status: ops[1] (tool_call) mutating true",
            "flip-status: ops[1] (tool_call) exit_ok false"
        ]
    );
    assert_eq!(ops(&flipped[0])[0]["mutating"], json!(false));
    assert_eq!(ops(&flipped[2])[1]["exit_ok"], json!(false));
    assert_eq!(
        told(&swapped)[1],
        "swap-order: ops[1] (tool_call) and ops[2] (terminal)"
    );
    assert_eq!(*ops(&swapped[1]), json!([write, close, check]));
    assert_eq!(altered.len(), 5);
    assert_eq!(altered[1].made["init"]["claim_surface"], json!(["a"]));
    assert_eq!(ops(&altered[2])[2]["claim_type"], json!("assertion"));
}

#[test]
fn a_hooks_case_fails_its_calls_and_loses_its_identifiers() {
    let case = json!({"claim_surface": ["a"], "ops": [{"op": "post"}, {"op": "stop"}]});
    let [_, flipped, _, altered] = gate(&case);
    assert_eq!(ops(&flipped[0])[0]["op"], json!("fail"));
    assert_eq!(flipped.len(), 1);
    assert_eq!(altered[0].made["claim_surface"], json!([]));
}

#[test]
fn the_only_operation_of_a_case_stays() {
    let [removed, _, swapped, _] = gate(&json!({"ops": [{"op": "reasoning"}]}));
    assert!(removed.is_empty() && swapped.is_empty());
}

#[test]
fn a_text_loses_a_character_or_gets_another_digit() {
    let [removed, altered] = text(&json!({"fn": "normalize", "in": "é9"}));
    assert_eq!(removed[0].made["in"], json!("9"));
    assert_eq!(removed[1].made["in"], json!("é"));
    assert_eq!(altered.len(), 1);
    assert_eq!(altered[0].made["in"], json!("é0"));
}

#[test]
fn a_session_is_changed_in_four_ways() {
    let text = "operator: fix it\n\
                $ cargo test\n\
                | ok\n\
                edit src/a.rs\n\
                - a\n\
                + b\n\
                close:\n\
                All 12 tests pass.\n";
    let Ok(script) = Script::parse(text) else {
        panic!("no session");
    };
    let own = &script.turns[0];
    let [removed, flipped, swapped, altered] = session(&script);
    assert_eq!(told(&removed)[0], "remove-step: turn 1 step 1");
    assert_eq!(removed[0].made.turns[0].steps, own.steps[1..]);
    assert_eq!(flipped.len(), own.steps.len());
    assert!(
        flipped
            .iter()
            .all(|one| one.made.turns[0].steps != own.steps)
    );
    let mut other = own.steps.clone();
    other.swap(0, 1);
    assert_eq!(swapped[0].made.turns[0].steps, other);
    let closes: Vec<&str> = altered
        .iter()
        .filter_map(|one| one.made.turns[0].close.as_deref())
        .collect();
    assert!(closes.contains(&"All 13 tests pass."), "{closes:?}");
    assert!(closes.contains(&"All 12 tests fail."), "{closes:?}");
    assert!(closes.contains(&"Some 12 tests pass."), "{closes:?}");
    assert!(closes.iter().all(|close| *close != "All 12 tests pass."));
}
