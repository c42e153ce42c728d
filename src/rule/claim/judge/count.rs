//! Numbers that a record can show: tests, failures, files.

use super::{Case, Judged, Reason};
use crate::rule::evidence::{Run, Shown};
use crate::rule::runner::Tally;
use crate::shell::Verify;

/// "49 tests pass", "3 files changed".
pub(in crate::rule::claim) fn counted(case: &Case<'_>) -> Judged {
    let tests = case
        .claim
        .numbers
        .iter()
        .find(|number| is_tests(number.noun));
    let Some(number) = tests else {
        return shown_elsewhere(case);
    };
    let runs: Vec<&Run> = case
        .ledger
        .runs
        .iter()
        .filter(|run| run.verify == Verify::Test && run.tally.is_some())
        .collect();
    let Some(last) = runs.last() else {
        return shown_elsewhere(case);
    };
    let fits = |tally: &Tally| {
        let total = tally.passed + tally.failed + tally.errors;
        [tally.passed, total, total + tally.skipped].contains(&number.value)
    };
    let found = runs
        .iter()
        .rev()
        .find(|run| run.tally.as_ref().is_some_and(fits));
    if let Some(run) = found {
        let reason = if run.delegated {
            Reason::Delegated
        } else if run.turn == case.ledger.turn {
            Reason::Direct
        } else {
            Reason::Carried
        };
        return Judged::supported(reason, run.place, "this run counts as many");
    }
    let in_text = shown_elsewhere(case);
    if in_text.verdict == super::Verdict::Supported {
        return in_text;
    }
    mismatched(case, last, &runs)
}

/// What speaks against a statement that a check went well, where it names a number of tests.
pub(super) fn against(case: &Case<'_>) -> Option<Judged> {
    let numbers = &case.claim.numbers;
    let named = numbers.iter().any(|number| is_tests(number.noun));
    let judged = named.then(|| counted(case))?;
    (judged.verdict != super::Verdict::Supported).then_some(judged)
}

fn is_tests(noun: &str) -> bool {
    matches!(
        noun,
        "tests" | "test" | "passed" | "passing" | "specs" | "assertions" | "cases"
    )
}

/// Only a single whole run of this turn, after which nothing changed, counts against the words.
fn mismatched(case: &Case<'_>, last: &Run, runs: &[&Run]) -> Judged {
    let turn = case.ledger.turn;
    let alone = runs.iter().filter(|run| run.turn == turn).count() == 1;
    let current = last.turn == turn && case.ledger.code_change_after(last.order).is_none();
    let whole = last.narrowed.is_empty() && last.shown == Shown::Passed;
    let flat = case.claim.scope.is_empty() && !case.claim.partial && !case.claim.earlier;
    if alone && current && whole && flat {
        return Judged::contradicted(
            Reason::CountMismatch,
            last.place,
            "this run counts otherwise",
        );
    }
    Judged::unknown(Reason::Ambiguous)
}

/// Whether the number stands in what the agent was shown in this turn.
fn shown_elsewhere(case: &Case<'_>) -> Judged {
    let Some(number) = case.claim.numbers.first() else {
        return Judged::unknown(Reason::Ambiguous);
    };
    let digits = number.value.to_string();
    for step in case.turn.steps.iter().rev() {
        if holds_number(step.text.as_str(), &digits) {
            return Judged::supported(
                Reason::Direct,
                step.result.unwrap_or(step.call),
                "the number stands here",
            );
        }
    }
    Judged::unknown(Reason::Ambiguous)
}

fn holds_number(text: &str, digits: &str) -> bool {
    text.match_indices(digits).any(|(at, _)| {
        let before = text[..at].chars().next_back();
        let after = text[at + digits.len()..].chars().next();
        !before.is_some_and(|c| c.is_ascii_digit() || c == '.')
            && !after.is_some_and(|c| c.is_ascii_digit())
    })
}
