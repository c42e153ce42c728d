//! Scoping, offsets and hostile input.

use proptest::prelude::*;

use super::{
    Cue, Ender, NOT_ASSERTED, Prose, RegionKind, WordKind, identifiers, numbers, past_act,
};

fn sentences(text: &str) -> Vec<&str> {
    let prose = Prose::read(text);
    prose
        .sentences()
        .iter()
        .map(|s| &text[s.range.clone()])
        .collect()
}

fn clauses(text: &str) -> Vec<&str> {
    let prose = Prose::read(text);
    prose
        .clauses()
        .iter()
        .map(|c| &text[c.range.clone()])
        .collect()
}

/// Whether some clause states `word` plainly: neither denied nor put under another cue.
fn states(text: &str, word: &str) -> bool {
    let prose = Prose::read(text);
    prose.clauses().iter().any(|clause| {
        clause
            .words
            .clone()
            .any(|at| prose.form(at) == word && !clause.negates(at))
            && !clause.cues.any(NOT_ASSERTED)
    })
}

fn has(text: &str, cue: Cue) -> bool {
    Prose::read(text)
        .clauses()
        .iter()
        .any(|clause| clause.cues.has(cue))
}

#[test]
fn sentences_end_where_a_reader_ends_them() {
    assert_eq!(
        sentences("Changed main.rs to 0.1.0, e.g. v1.2 in 3.5 s. See a/b.c! Done? yes"),
        [
            "Changed main.rs to 0.1.0, e.g. v1.2 in 3.5 s.",
            "See a/b.c!",
            "Done?",
            "yes"
        ]
    );
    assert_eq!(
        sentences("已修复。测试通过！好吗？"),
        ["已修复。", "测试通过！", "好吗？"]
    );
    assert_eq!(
        sentences("# Title\n- one\n- two\n\nlast"),
        ["Title", "one", "two", "last"]
    );
    assert_eq!(
        sentences("Open https://a.b/c.d?e=f. Next."),
        ["Open https://a.b/c.d?e=f.", "Next."]
    );
    assert_eq!(sentences("**Done.** It works."), ["Done.**", "It works."]);
}

#[test]
fn soft_wraps_join_and_hard_breaks_do_not() {
    assert_eq!(
        sentences("I changed the parser,\nthe lexer and\nthe tests."),
        ["I changed the parser,\nthe lexer and\nthe tests."]
    );
    assert_eq!(
        sentences("Branch: x  \nCommit: y"),
        ["Branch: x", "Commit: y"]
    );
    assert_eq!(sentences("Done\nPushed"), ["Done", "Pushed"]);
}

#[test]
fn clauses_split_at_contrast_and_condition() {
    assert_eq!(
        clauses("Tests pass, but lint fails; the build is red"),
        ["Tests pass", "but lint fails", "the build is red"]
    );
    assert_eq!(
        clauses("they should pass now, and they do"),
        ["they should pass now", "and they do"]
    );
    assert_eq!(
        clauses("tests pass except for two"),
        ["tests pass", "except for two"]
    );
    assert_eq!(clauses("We ship if they pass"), ["We ship", "if they pass"]);
}

#[test]
fn negation_reaches_right_and_stays_in_its_clause() {
    assert!(!states("None of the tests pass.", "pass"));
    assert!(!states("The tests do not pass.", "pass"));
    assert!(!states("The test did not seem to pass.", "pass"));
    assert!(!states("The bill was not saved.", "saved"));
    assert!(!states("I can’t confirm it was saved", "saved"));
    assert!(states("Lint does not fail and all tests pass.", "pass"));
    assert!(states("Added the flag, not the option.", "added"));
    assert!(states("Not only the tests pass.", "pass"));
    assert!(!states("It failed to pass.", "pass"));
}

#[test]
fn questions_conditions_and_plans_state_nothing() {
    assert!(!states("Do the tests pass?", "pass"));
    assert!(states("Do the tests pass? All tests pass.", "pass"));
    assert!(!states("If the tests pass we ship.", "pass"));
    assert!(!states("If the tests pass, we ship.", "ship"));
    assert!(!states("once the bill is created", "created"));
    assert!(!states("They should pass now.", "pass"));
    assert!(states("They should pass now, and they do", "do"));
    assert!(!states("Run the tests.", "tests"));
    assert!(!states("Then please run the tests.", "tests"));
    assert!(!states("Clean up what the tests left.", "left"));
    assert!(!states("I'll push it.", "push"));
    assert!(!states("Let me fix that.", "fix"));
    assert!(states("I've updated the plan to match.", "updated"));
    assert!(!states("I plan to have it updated.", "updated"));
    assert!(states("Review agent ran the targeted tests.", "ran"));
    assert!(!states("Review the tests that ran.", "ran"));
    assert!(states("When I ran it, all tests passed.", "passed"));
}

#[test]
fn cues_of_doubt_and_reported_speech() {
    assert!(has("Not tested on Windows.", Cue::Inability));
    assert!(has("I could not verify the link.", Cue::Inability));
    assert!(has("The full suite was not run.", Cue::Inability));
    assert!(has("This is untested.", Cue::Inability));
    assert!(has("It is probably fine.", Cue::Hedge));
    assert!(has("CI says it is green.", Cue::Reported));
    assert!(has("The reviewer approved the change.", Cue::Reported));
    assert!(!has("I reviewed the change.", Cue::Reported));
    assert!(has("All tests pass except for two.", Cue::Exception));
}

#[test]
fn voices_that_are_not_the_agents_are_masked() {
    let text =
        "It said \"all tests pass\" and `git push` at https://x.y\n> quoted\n```\ncode\n```\n";
    let prose = Prose::read(text);
    let kinds: Vec<_> = prose.regions().iter().map(|r| r.kind).collect();
    assert_eq!(
        kinds[..4],
        [
            RegionKind::Quoted,
            RegionKind::Code,
            RegionKind::Url,
            RegionKind::BlockQuote
        ]
    );
    assert!(
        !prose.masked().contains("pass")
            && !prose.masked().contains("quoted")
            && !prose.masked().contains("push")
    );
    assert_eq!(prose.masked().len(), text.len());
    assert!(!prose.masked().contains("code"));
    assert!(
        Prose::read("“it’s done”")
            .words()
            .iter()
            .all(|w| w.kind == WordKind::Quoted)
    );
}

#[test]
fn a_stray_quotation_mark_hides_nothing() {
    assert!(
        Prose::read("a 5\" disk, tests pass")
            .masked()
            .contains("tests pass")
    );
    let long = format!("\"{} tests pass\"", "x ".repeat(150));
    assert!(Prose::read(&long).masked().contains("tests pass"));
}

#[test]
fn leads_and_headings_are_kept() {
    let prose = Prose::read("## Next steps\n\nI can:\n- a b\n  - c d\n\nOther text.");
    let leads: Vec<_> = prose.sentences().iter().map(|s| s.lead).collect();
    assert_eq!(leads, [None, None, Some(1), Some(2), None]);
    assert!(prose.sentences()[1..].iter().all(|s| s.heading == Some(0)));
    assert_eq!(prose.sentences()[1].ender, Ender::Colon);
}

#[test]
fn a_lead_governs_what_stands_right_below_it() {
    let lead = |text: &str| Prose::read(text).sentences().last().unwrap().lead;
    assert_eq!(lead("I can:\n```\nx\n```\nAnd other text."), Some(0));
    for blank in ["\n\n", "\n\n\n", "\n\n \n\n"] {
        assert_eq!(lead(&format!("I can:{blank}Other text.")), None);
    }
}

#[test]
fn an_announced_plan_is_a_draft() {
    let prose = Prose::read("Let me write the plan:\n\n# The plan\n\nFiles are added.\n");
    assert_eq!(
        prose
            .sentences()
            .iter()
            .map(|s| s.drafted)
            .collect::<Vec<_>>(),
        [false, true, true]
    );
    let report = Prose::read("Here's the report:\n\n# Report\n\nFiles were added.\n");
    assert!(report.sentences().iter().all(|s| !s.drafted));
}

#[test]
fn result_verbs_have_an_act() {
    assert!(past_act("added").is_some() && past_act("force-pushed").is_some());
    assert!(past_act("add").is_none() && past_act("adding").is_none());
}

/// Spans lie within the text, on character boundaries and in order.
fn well_formed(text: &str) {
    let prose = Prose::read(text);
    assert_eq!(prose.masked().len(), text.len());
    let mut last = 0;
    for word in prose.words() {
        assert!(word.range.start >= last && word.range.end > word.range.start);
        assert!(text.get(word.range.clone()).is_some());
        last = word.range.end;
    }
    let mut last = 0;
    for region in prose.regions() {
        assert!(region.range.start >= last && text.get(region.range.clone()).is_some());
        last = region.range.end;
    }
    let mut last = 0;
    for (number, sentence) in prose.sentences().iter().enumerate() {
        assert!(sentence.range.start >= last && text.get(sentence.range.clone()).is_some());
        assert!(!sentence.words.is_empty() && !sentence.clauses.is_empty());
        assert!(sentence.lead.is_none_or(|lead| lead < number));
        assert!(
            prose
                .clauses_of(sentence)
                .iter()
                .all(|c| text.get(c.range.clone()).is_some() && c.sentence == number)
        );
        last = sentence.range.end;
    }
    for ident in identifiers(&prose) {
        assert_eq!(text.get(ident.range.clone()), Some(ident.text));
    }
    for number in numbers(&prose) {
        assert!(text.get(number.range).is_some());
    }
}

proptest! {
    #[test]
    fn any_text_can_be_read(text in any::<String>()) {
        well_formed(&text);
    }

    #[test]
    fn any_markdown_can_be_read(
        text in "([`\"“”*#>|.!?:;,(\\[\\])~/\\-_ \\n\\t'’已。（]|tests|pass|not|if|v1\\.2|http://|a/b\\.rs|\u{1}|- |é){0,80}"
    ) {
        well_formed(&text);
    }
}

/// Runs of the marks that invite backtracking: the inner scanners may look at each byte a few
/// times, never at each pair.
#[test]
fn hostile_runs_are_linear() {
    for unit in [
        "`", "\"", ">", "[", "](", "](a", "“", "``` ", "*", "a ", "- ", "http://", "|", "`` ` ",
        "\"a ", "(", ". ", "a,", "not ",
    ] {
        let text = unit.repeat(200_000 / unit.len());
        let prose = Prose::read(&text);
        assert!(
            prose.steps() <= 8 * text.len(),
            "{unit:?}: {} steps for {} bytes",
            prose.steps(),
            text.len()
        );
    }
}
