use super::*;

fn gate(profile: Profile) -> GateState {
    let mut state = GateState::new(profile, Preset::Default);
    state.claim_surface.insert("file.txt".to_owned());
    state
}

fn step<'a>(tool: &'a str, result: &'a str, mutating: bool) -> ToolStep<'a> {
    ToolStep {
        call: Call {
            tool,
            args: "file.txt",
            result,
        },
        mutating,
        signals: Vec::new(),
        exit_ok: true,
    }
}

const NONE: Grounding = Grounding {
    assertion: false,
    completion: false,
};
const ASSERTS: Grounding = Grounding {
    assertion: true,
    completion: false,
};
const COMPLETES: Grounding = Grounding {
    assertion: true,
    completion: true,
};

#[test]
fn only_the_old_profile_keeps_verification_over_a_new_mutation() {
    for (profile, verdict) in [
        (Profile::Gg01, Verdict::Accept),
        (Profile::Gg04, Verdict::Reject),
        (Profile::Replay, Verdict::Reject),
    ] {
        let mut state = gate(profile);
        state.tool_call(&step("write", "1", true));
        assert_eq!(state.tool_call(&step("read", "a", false)), COMPLETES);
        state.tool_call(&step("write", "2", true));
        assert_eq!(state.boundary(ClaimType::Completion), verdict);
    }
}

#[test]
fn a_mutation_opens_novelty_again_since_epochs() {
    for (profile, second) in [(Profile::Gg01, NONE), (Profile::Gg04, COMPLETES)] {
        let mut state = gate(profile);
        assert_eq!(state.tool_call(&step("read", "d", false)), ASSERTS);
        state.tool_call(&step("write", "ok", true));
        assert_eq!(state.tool_call(&step("read", "d", false)), second);
        assert_eq!(state.tool_call(&step("read", "d", false)), NONE);
    }
}

#[test]
fn only_the_old_profile_has_a_pit_below_zero() {
    for (profile, low, after) in [(Profile::Gg01, -2, 0), (Profile::Gg04, 0, 2)] {
        let mut state = gate(profile);
        for _ in 0..8 {
            state.reasoning();
        }
        assert_eq!(state.budget, low);
        state.tool_call(&step("read", "d", false));
        assert_eq!(state.budget, after);
    }
}

#[test]
fn a_relevant_mutating_call_burns_its_key() {
    let mut state = gate(Profile::Gg01);
    let call = step("sh", "x", false).call;
    assert_eq!(state.classify(&call, false), NONE);
    assert_eq!(state.seen(), 1);
    assert_eq!(state.classify(&call, true), NONE);
}

#[test]
fn an_irrelevant_call_burns_nothing() {
    let mut state = gate(Profile::Gg04);
    let call = step("read", "x", false).call;
    assert_eq!(state.classify_when(&call, true, |_| false), NONE);
    assert_eq!(state.seen(), 0);
    assert_eq!(state.classify(&call, true), ASSERTS);
}

#[test]
fn refused_thought_is_paid_for_and_a_typed_exit_is_always_open() {
    let mut state = gate(Profile::Gg04);
    assert_eq!(state.boundary(ClaimType::Assertion), Verdict::Reject);
    assert_eq!(state.reasoning(), Reasoning::Refused);
    assert_eq!(state.budget, 5);
    state.budget = 0;
    assert_eq!(state.boundary(ClaimType::Unknown), Verdict::Accept);
    assert!(state.halted, "an unknown claim leaves the halt standing");
    assert_eq!(state.boundary(ClaimType::Unverified), Verdict::Accept);
    assert!(!state.halted);
    assert_eq!(state.rejection_count, 1);
}

#[test]
fn strictness_and_signals_bind_where_the_package_has_them_bind() {
    let mut state = GateState::new(Profile::Gg04, Preset::Skipper);
    state.grounded_this_turn = true;
    assert_eq!(state.boundary(ClaimType::Assertion), Verdict::Reject);
    state.verified_this_turn = true;
    state.goal_predicates = vec!["t".to_owned(), "u".to_owned()];
    assert_eq!(state.boundary(ClaimType::Assertion), Verdict::Accept);
    assert_eq!(state.boundary(ClaimType::Completion), Verdict::Reject);
    let mut failed = step("sh", "", false);
    failed.signals = state.goal_predicates.clone();
    failed.exit_ok = false;
    state.tool_call(&failed);
    assert_eq!(state.unmet_signals().collect::<Vec<_>>(), ["t", "u"]);
    failed.exit_ok = true;
    state.tool_call(&failed);
    assert_eq!(state.boundary(ClaimType::Completion), Verdict::Accept);
}

#[test]
fn limits_are_checked_and_filled_from_the_preset() {
    let limits = |cap, refill| GateState::with_limits(Profile::Gg04, Preset::Default, cap, refill);
    assert!(limits(Some(2), None).is_err());
    assert!(limits(None, Some(0)).is_err());
    let state = limits(Some(9), None).unwrap();
    assert_eq!((state.budget, state.cap, state.refill), (9, 9, 2));
}

#[test]
fn counters_at_their_ends_do_not_overflow() {
    let mut state = gate(Profile::Gg01);
    (state.budget, state.current_step, state.rejection_count) = (i64::MIN, i64::MAX, i64::MAX);
    state.reasoning();
    state.boundary(ClaimType::Completion);
    state.refill = i64::MIN;
    state.tool_call(&step("read", "x", false));
    assert_eq!(state.progress().budget_headroom, i64::MAX);
}
