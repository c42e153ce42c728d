use super::*;

/// Each claim that a message makes: its kind, its words, and `?` where only the run itself is told.
fn told(text: &str, location: Location) -> Vec<String> {
    message(text, location)
        .into_iter()
        .map(|(claim, bearing)| {
            let run = if matches!(bearing, Bearing::Ran(_)) {
                "?"
            } else {
                ""
            };
            format!("{}{run}: {}", claim.kind.as_str(), &text[claim.span])
        })
        .collect()
}

fn commit(text: &str) -> Vec<String> {
    told(text, Location::Commit)
}

#[test]
fn a_commit_claims_its_checks_and_not_its_subject() {
    for text in [
        "Fix the parser",
        "Add tests",
        "Make all tests pass",
        "fix: make the build green",
        "test: ensure that all tests pass on Windows",
        "Fix failing tests in CI",
        "Add 49 tests for the reader",
        "Show the formatted output\n\n- Added a parser\n- Removed the old one",
        "Set n\n\nCo-Authored-By: All tests pass <a@b.c>",
    ] {
        assert_eq!(commit(text), Vec::<String>::new(), "{text}");
    }
    assert_eq!(
        commit("Set n\n\nAll tests pass."),
        ["tests: All tests pass"]
    );
    let counted = "Set n\n\nAll 49 tests pass.\n\nCo-Authored-By: A <a@b.c>";
    assert_eq!(commit(counted), ["tests: All 49 tests pass"]);
    assert_eq!(commit("Set n; all tests pass"), ["tests: all tests pass"]);
}

#[test]
fn boxes_that_are_ticked_are_claims_and_a_plan_is_none() {
    let pr = |text| told(text, Location::Pr);
    let plan = "Set n\n\n## Test plan\n- Run cargo test\n- All unit tests pass\n- [ ] lint passes";
    assert_eq!(pr(plan), Vec::<String>::new());
    let ticked = "## Test plan\n- [x] Run cargo test - all tests pass\n- [x] Run the linter\n- [x] `cargo build`\n- [x] Unit tests";
    assert_eq!(
        pr(ticked),
        [
            "tests: all tests pass",
            "run?: Run the linter",
            "run?: `cargo build`",
            "run?: Unit tests"
        ]
    );
    assert_eq!(
        pr("## Testing\n\nAll tests pass."),
        ["tests: All tests pass"]
    );
}

#[test]
fn an_item_of_a_list_claims_a_run_where_it_asks_for_one() {
    let verify = |text: &str| {
        let prose = Prose::read(text);
        told_to_run(&prose, &prose.sentences()[0])
    };
    assert_eq!(verify("Run the full test suite"), Some(Verify::Test));
    assert_eq!(verify("Run `cargo clippy`"), Some(Verify::Lint));
    assert_eq!(verify("Verify that the build passes"), Some(Verify::Build));
    for none in [
        "Write tests",
        "Add a lint rule",
        "Fix the failing tests",
        "Check the test coverage report",
        "Build the dashboard",
        "Run the migration",
    ] {
        assert_eq!(verify(none), None, "{none}");
    }
}

#[test]
fn an_item_is_told_once_by_its_words_or_its_number() {
    let step = |args: &[(Option<&str>, Option<&str>, bool)], answer: &str| Step {
        plan: args
            .iter()
            .map(|(key, text, done)| crate::turn::Planned {
                key: key.map(str::to_owned),
                text: text.map(str::to_owned),
                done: *done,
            })
            .collect(),
        outcome: Outcome::Ok,
        text: crate::turn::Kept::of(answer),
        ..Step::default()
    };
    let mut outlets = Outlets::default();
    let count = |outlets: &mut Outlets, step: &Step| outlets.of(step).len();
    let made = step(
        &[(None, Some("Run tests"), false)],
        "Task #2 created successfully",
    );
    assert_eq!(count(&mut outlets, &made), 0);
    let done = step(&[(Some("2"), None, true)], "Updated task #2 status");
    assert_eq!(outlets.of(&done)[0].text, "Run tests");
    assert_eq!(count(&mut outlets, &done), 0);
    let list = step(
        &[
            (None, Some("Run the linter"), true),
            (None, Some("Write docs"), true),
        ],
        "",
    );
    assert_eq!(count(&mut outlets, &list), 1);
    assert_eq!(count(&mut outlets, &list), 0);
}

#[test]
fn a_commit_that_failed_says_nothing_unless_its_own_line_stands_there() {
    let step = |outcome, answer: &str| Step {
        published: vec![Published {
            venue: Venue::Commit,
            text: "Set n\n\nAll tests pass.".to_owned(),
        }],
        outcome,
        text: crate::turn::Kept::of(answer),
        ..Step::default()
    };
    let count = |outcome, answer| Outlets::default().of(&step(outcome, answer)).len();
    assert_eq!(count(Outcome::Ok, ""), 1);
    assert_eq!(count(Outcome::Denied, ""), 0);
    assert_eq!(count(Outcome::Failed(Some(1)), "hook failed"), 0);
    assert_eq!(
        count(Outcome::Failed(Some(1)), "[main 1a2b] Set n\nrejected"),
        1
    );
}
