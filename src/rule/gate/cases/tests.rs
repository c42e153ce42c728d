use super::*;

const HEAD: &str = r#""reference": "grounding_gate 0.4.1""#;

fn error(input: &str) -> String {
    replay_cases(input, None).unwrap_err().to_string()
}

fn case_error(case: &str) -> String {
    error(&format!(r#"{{{HEAD}, "cases": [{case}]}}"#))
}

#[test]
fn errors_name_the_place_on_one_line() {
    let start = |text: String, path: &str| {
        assert!(
            text.starts_with(&format!("E_CASE field={path}: ")),
            "{text}"
        );
        assert!(!text.contains('\n'), "{text}");
    };
    start(error("{"), "$");
    start(error("[]"), "$");
    start(error("{}"), "reference");
    start(error(r#"{"reference": "grounding_gate 9\n"}"#), "reference");
    start(error(&format!("{{{HEAD}}}")), "cases");
    start(error(&format!("{{{HEAD}, \"cases\": {{}}}}")), "cases");
    start(case_error("1"), "cases[0]");
    start(case_error("{}"), "cases[0].ops");
    start(
        case_error(r#"{"preset": "brave", "ops": []}"#),
        "cases[0].preset",
    );
    start(case_error(r#"{"ops": [{}]}"#), "cases[0].ops[0].op");
    start(
        case_error(r#"{"ops": [{"op": "boundary"}]}"#),
        "cases[0].ops[0].claim_type",
    );
    start(
        case_error(r#"{"ops": [{"op": "tool_call", "tool": "t", "args": [], "result": ""}]}"#),
        "cases[0].ops[0].args",
    );
    start(
        case_error(r#"{"init": {"claim_surface": ["a", 1]}, "ops": []}"#),
        "cases[0].init.claim_surface[1]",
    );
    start(case_error(r#"{"cap": 2, "ops": []}"#), "cases[0].refill");
    start(
        case_error(r#"{"init": {"budget": 9223372036854775808}, "ops": []}"#),
        "cases[0].init.budget",
    );
    start(
        error(&format!(r#"{{{HEAD}, "functions": [{{"fn": "x"}}]}}"#)),
        "functions[0].fn",
    );
    start(
        replay_cases("{\"cases\": []}", Some(Profile::Replay))
            .unwrap_err()
            .to_string(),
        "profile",
    );
    start(
        replay_cases(
            r#"{"cases": [{"ops": [{"op": "classify"}]}]}"#,
            Some(Profile::Gg04Hooks),
        )
        .unwrap_err()
        .to_string(),
        "cases[0].ops[0].op",
    );
}

#[test]
fn nesting_is_bounded() {
    let deep = format!("{{{HEAD}, \"x\": {}", "[".repeat(100_000));
    assert!(error(&deep).starts_with("E_CASE field=$: "));
}

#[test]
fn answers_are_added_and_all_else_stays() {
    let input = r#"{"z": 1.5, "cases": [{"why": null, "ops": [{"op": "boundary", "claim_type":
        "none", "note": []}], "tail": {}}], "functions": [{"out": 7, "fn": "normalize",
        "in": "deadbeef"}], "presets": 0, "a": ""}"#;
    let output = replay_cases(input, Some(Profile::Gg01)).unwrap();
    let ours: Value = serde_json::from_str(&output).unwrap();
    let keys = |value: &Value| {
        value
            .as_object()
            .unwrap()
            .keys()
            .cloned()
            .collect::<Vec<_>>()
    };
    assert_eq!(keys(&ours), ["z", "cases", "functions", "presets", "a"]);
    assert_eq!(keys(&ours["cases"][0]), ["why", "ops", "tail", "expect"]);
    assert_eq!(keys(&ours["functions"][0]), ["out", "fn", "in"]);
    assert_eq!(ours["functions"][0]["out"], "<HEX>");
    assert_eq!(ours["cases"][0]["expect"][0]["verdict"], "ACCEPT");
    assert_eq!(ours["cases"][0]["ops"][0]["note"], json!([]));
    assert_eq!(ours["presets"]["diverger"]["REFILL"], 1);
}

#[test]
fn the_profile_overrides_the_reference() {
    let input = format!(
        r#"{{{HEAD}, "functions": [{{"fn": "normalize", "in": "DEADBEEF"}}],
           "cases": [{{"cap": 9, "ops": [{{"op": "reasoning"}}, {{"op": "pause"}}]}}]}}"#
    );
    let of = |profile| -> Value {
        serde_json::from_str(&replay_cases(&input, profile).unwrap()).unwrap()
    };
    let (new, old) = (of(None), of(Some(Profile::Gg01)));
    assert_eq!(new["functions"][0]["out"], "<HEX>");
    assert_eq!(old["functions"][0]["out"], "DEADBEEF");
    let budgets = |v: &Value| [0, 1].map(|i| v["cases"][0]["expect"][i]["state"]["budget"].clone());
    assert_eq!(budgets(&new), [json!(8), json!(8)]);
    assert_eq!(budgets(&old), [json!(5), json!(5)]);
}
