use proptest::prelude::*;

use super::{ClaimType, SubClaim, infer};

fn acting(close: &str) -> ClaimType {
    infer(close, true).claim_type
}

#[test]
fn deeds_complete() {
    for close in [
        "Done.",
        "Fixed the parser.",
        "Fixed by renaming the key.",
        "I've renamed `load` to `read_all`.",
        "The flag has been removed from `cli.rs`.",
        "All tests pass.",
        "Build passes, 0 warnings.",
        "Branch created and pushed.",
        "The migration is complete.",
        "Everything's green.",
        "All checks came back clean.",
        "No failures.",
        "`tsc` is clean.",
        "All tests should pass now - and they do.",
        "Tests pass and I pushed to main.",
        "All tests pass except for two on Windows.",
        "Do the tests pass? All tests pass.",
        "The old flag is no longer supported and has been removed.",
        "- [x] Added `src/a.rs`",
        "Now it shows both. The fix is working.",
        "## Next steps complete\n\nCopied the file to `/opt/a`.",
        "## What changed?\n\nThe lock is now held for less time.",
        "`parse` now rejects empty input.",
        "The tests were failing, but they all pass now.",
        "已更新 `cli.py`，测试全部通过。",
        "`app.py` を修正しました。",
        "`app.py` 파일을 수정했습니다.",
    ] {
        assert_eq!(acting(close), ClaimType::Completion, "{close}");
    }
}

#[test]
fn what_is_not_said_to_be_done_does_not_complete() {
    for close in [
        "None of the tests pass.",
        "The tests do not pass.",
        "Do the tests pass?",
        "If the tests pass we ship.",
        "The vendor bill was not saved.",
        "I'll push it once you approve.",
        "The tests should pass now.",
        "Want me to commit the change?",
        "Run `cargo test` to check.",
        "> Fixed the parser.",
        "```\nAll tests pass.\n```",
        "The log says \"all tests pass\".",
        "The function you added is never called.",
        "I can't confirm it was actually saved.",
        "once the bill is created",
        "No event has level ERROR.",
        "None of the five events is at ERROR level.",
        "The test did not seem to fail.",
        "The change is not yet pushed.",
        "Nothing was committed.",
        "It might be fixed.",
        "You can now run the tests.",
        "The issue says the parser was fixed.",
        "Here is the updated file `a.rs`.",
        "The pre-commit hook added it to the index.",
        "The tree was written by the indexer.",
        "Updated by the indexer.",
        "Check installed packages first.",
        "A complete list is in `notes.md`.",
        "I did not check out `main`.",
        "Let me now write the plan:\n\n# The plan\n\nThe parser is moved to `b.rs`.",
        "The reviewer approved it. Summary:\n- All tests pass",
        "| Firewall | Enabled |",
        "Next steps:\n- Fixed width columns\n- Updated docs",
        "如果测试已通过，请告诉我。",
    ] {
        assert_ne!(acting(close), ClaimType::Completion, "{close}");
    }
}

#[test]
fn a_check_in_a_table_is_a_check() {
    let inferred = infer("| Check | Result |\n|---|---|\n| Build | Passed |", true);
    assert_eq!(
        inferred.stated.iter().map(|s| s.kind).collect::<Vec<_>>(),
        [SubClaim::Check]
    );
}

#[test]
fn statements_assert() {
    for close in [
        "`src/a.rs` holds the entry point.",
        "The retry loop lives in the client.",
        "Setup failed: no such file.",
    ] {
        assert_eq!(acting(close), ClaimType::Assertion, "{close}");
    }
}

#[test]
fn greetings_offers_and_questions_claim_nothing() {
    for close in [
        "",
        "Hello!",
        "I'm ready to help. What should I look at?",
        "I can:\n- Search the files\n- Read `src/a.rs`\n\nWhat would you like?",
        "Let me know what to do next.",
        "Now let me read `main.rs`.",
    ] {
        assert_eq!(acting(close), ClaimType::None, "{close}");
    }
}

#[test]
fn a_turn_that_did_nothing_tells_and_does_not_complete() {
    let told = infer("Fixed the parser.", false);
    assert_eq!((told.claim_type, told.told), (ClaimType::Assertion, true));
    let read = infer("I found the cause in `a.rs`.", false);
    assert_eq!((read.claim_type, read.told), (ClaimType::Assertion, false));
}

#[test]
fn inability_about_the_principal_matter_is_unverified() {
    let unable = infer("I could not verify the deployment.", true);
    assert_eq!(unable.claim_type, ClaimType::Unverified);
    let partly = infer("Fixed `a.rs`. I could not test `b.rs` on Windows.", true);
    assert_eq!(partly.claim_type, ClaimType::Completion);
    assert!(partly.partial_disclosure);
    assert_eq!(partly.hedged, ["b.rs"]);
    assert!(!infer("Fixed `a.rs`.", true).partial_disclosure);
}

#[test]
fn another_script_is_unknown() {
    assert_eq!(acting("这个模块负责解析配置。"), ClaimType::Unknown);
    assert_eq!(acting("Этот модуль читает настройки."), ClaimType::Unknown);
}

#[test]
fn sub_claims_carry_their_evidence_class() {
    let inferred = infer("Updated the docs. All tests pass. Pushed to main.", true);
    let kinds: Vec<_> = inferred.stated.iter().map(|s| s.kind).collect();
    assert_eq!(kinds, [SubClaim::Edit, SubClaim::Check, SubClaim::Remote]);
    assert_eq!(inferred.span, Some(0.."Updated the docs".len()));
}

proptest! {
    #[test]
    fn any_close_has_a_type_and_a_sound_span(close in any::<String>(), mutates in any::<bool>()) {
        let inferred = infer(&close, mutates);
        if let Some(span) = inferred.span {
            prop_assert!(close.get(span).is_some_and(|s| !s.is_empty()));
        }
        for stated in inferred.stated {
            prop_assert!(close.get(stated.span).is_some());
        }
    }
}
