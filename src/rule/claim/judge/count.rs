//! Numbers that a record can show: tests, failures, files.

use super::case::brief;
use super::{Case, Judged, Reason, Verdict, check};
use crate::rule::claim::Counted;
use crate::rule::claim::guard::Guard;
use crate::rule::evidence::{OutwardKind, Run};
use crate::rule::runner::Tally;
use crate::shell::Verify;

/// "49 tests pass", "3 files changed".
pub(in crate::rule::claim) fn counted(case: &Case<'_>) -> Judged {
    let told = told(case);
    if told.is_empty() {
        return shown_elsewhere(case);
    }
    let runs = counting(case);
    let Some(last) = runs.last() else {
        let judged = shown_elsewhere(case);
        let closed = judged.verdict != Verdict::Supported && nothing_ran(case);
        return if closed {
            Judged::unsupported(Reason::NeverRun)
        } else {
            judged
        };
    };
    let fit = runs
        .iter()
        .rev()
        .find(|run| told.iter().all(|number| fits(run, number.value)));
    let of_faults = case.sentence().to_ascii_lowercase().contains("fail");
    let faults = |run: &&&Run| {
        let failed = run
            .tally
            .as_ref()
            .map(|tally| tally.failed.saturating_add(tally.errors));
        told.iter().all(|number| failed == Some(number.value))
    };
    let fit = fit.or_else(|| runs.iter().rev().filter(|_| of_faults).find(faults));
    if let Some(run) = fit {
        // "Zero failures across 94 tests" says that they pass.
        let sentence = case.sentence().to_ascii_lowercase();
        if sentence.contains("zero fail") || sentence.contains("no fail") {
            return check::passed(case, run);
        }
        let what = format!("{} counts as many", brief(&run.words));
        return Judged::supported(case.why(run), run.place, what);
    }
    against(case, last).unwrap_or_else(|| shown_elsewhere(case))
}

/// Whether nothing in the record could have run a test.
fn nothing_ran(case: &Case<'_>) -> bool {
    let ledger = case.ledger;
    ledger.runs.is_empty()
        && ledger.unknown.is_empty()
        && ledger.delegated.is_empty()
        && !ledger.outward.iter().any(|one| one.kind == OutwardKind::Ci)
        && !ledger.edits.is_empty()
}

fn at_least(case: &Case<'_>, number: &Counted) -> bool {
    case.close.as_bytes().get(number.span.end) == Some(&b'+')
}

/// Runs that counted tests.
fn counting<'a>(case: &Case<'a>) -> Vec<&'a Run> {
    let runs = case.ledger.runs.iter();
    runs.filter(|run| run.verify == Verify::Test && run.tally.is_some())
        .collect()
}

fn total(tally: &Tally) -> u64 {
    let faults = tally.failed.saturating_add(tally.errors);
    tally.passed.saturating_add(faults)
}

fn fits(run: &Run, value: u64) -> bool {
    run.tally.as_ref().is_some_and(|tally| {
        let total = total(tally);
        [tally.passed, total, total.saturating_add(tally.skipped)].contains(&value)
    })
}

/// Whether a red run counts just what a statement tells: "44 of 46 tests pass".
pub(super) fn tells_part(case: &Case<'_>, run: &Run) -> bool {
    let numbers = told(case);
    let Some(tally) = run.tally.as_ref() else {
        return numbers.len() == 1 && !case.of_all() && stands_by_tests(case, numbers[0].value);
    };
    if numbers.is_empty() {
        let own = |word: &str| word.parse() == Ok(tally.passed);
        return tally.passed > 0 && case.text().split_whitespace().any(own);
    }
    let zero = case
        .numbers()
        .any(|number| number.value == 0 && matches!(number.noun, "failed" | "failures" | "errors"));
    numbers.iter().any(|number| number.value == tally.passed)
        && !zero
        && !case.of_all()
        && numbers.iter().all(|number| fits(run, number.value))
        && (numbers.len() < 2 || numbers.iter().any(|number| number.value != tally.passed))
}

/// What speaks against a statement that a check went well, where it names a number of tests.
pub(super) fn against(case: &Case<'_>, run: &Run) -> Option<Judged> {
    let told = told(case);
    let ledger = case.ledger;
    if told.is_empty() || run.delegated || told.iter().any(|number| at_least(case, number)) {
        return None;
    }
    let runs = counting(case);
    let together = |value: u64| {
        let own = runs.iter().filter(|run| run.turn == ledger.turn);
        let sum = |part: fn(&Tally) -> u64| {
            own.clone()
                .filter_map(|run| run.tally.as_ref())
                .fold(0_u64, |sum, tally| sum.saturating_add(part(tally)))
        };
        value == sum(|tally| tally.passed) || value == sum(total)
    };
    let odd = told.iter().find(|number| {
        let value = number.value;
        !runs.iter().any(|run| fits(run, value)) && !together(value)
    })?;
    if stands_by_tests(case, odd.value) {
        return None;
    }
    let Some(last) = runs.last() else {
        return Some(Judged::unknown(Reason::Ambiguous).at(run.place, "this run counts nothing"));
    };
    let what = format!("{} counts otherwise", brief(&last.words));
    let more = last
        .tally
        .as_ref()
        .is_some_and(|tally| odd.value > total(tally));
    if !last.narrowed.is_empty() && more && case.on(Guard::Narrowed) {
        return Some(Judged::unsupported(Reason::WrongScope).at(last.place, what));
    }
    let flat = !case.partial() && !case.claim.earlier;
    let sure = last.turn == ledger.turn && !ledger.cut && flat;
    Some(if sure {
        Judged::contradicted(Reason::CountMismatch, last.place, what)
    } else {
        Judged::unknown(Reason::Ambiguous).at(last.place, what)
    })
}

/// Numbers of the statement that count tests.
fn told<'a>(case: &Case<'a>) -> Vec<&'a Counted> {
    let bytes = case.close.as_bytes();
    let pair = |number: &Counted| {
        let before = number
            .span
            .start
            .checked_sub(1)
            .and_then(|at| bytes.get(at));
        let rest = case.close.get(number.span.end..).unwrap_or("");
        before == Some(&b'/') || rest.starts_with('/') || rest.starts_with(" of ")
    };
    let close = case.close;
    let passes = |number: &Counted| {
        let rest = close.get(number.span.end..).unwrap_or("").trim_start();
        let word = rest.get(..4).unwrap_or("").to_ascii_lowercase();
        ["pass", "test", "spec"].contains(&word.as_str())
    };
    let lower = case.text().to_lowercase();
    let named = lower.contains("test") && (lower.contains("count") || lower.contains("total"));
    case.numbers()
        .filter(|number| {
            let bare = || pair(number) || named || passes(number);
            (number.value > 0 || pair(number))
                && (is_tests(number.noun) || number.noun.is_empty() && bare())
        })
        .collect()
}

/// Whether a number is of tests that something else is told of: "I broke 2 tests, fixed them".
fn beside(close: &str, number: &Counted) -> bool {
    let before = close.get(..number.span.start).unwrap_or("").trim_end();
    let word = before.rsplit([' ', '\n']).next().unwrap_or("");
    matches!(
        word.to_ascii_lowercase().as_str(),
        "broke"
            | "added"
            | "wrote"
            | "fixed"
            | "fixing"
            | "another"
            | "new"
            | "updated"
            | "skipped"
    )
}

/// Whether a noun counts tests.
pub(super) fn is_tests(noun: &str) -> bool {
    matches!(
        noun,
        "tests" | "test" | "passed" | "passing" | "specs" | "cases" | "checks" | "scenarios"
    )
}

/// Whether the number stands in what the agent was shown in this turn.
fn shown_elsewhere(case: &Case<'_>) -> Judged {
    let Some(number) = case.numbers().next().or(case.claim.numbers.first()) else {
        return Judged::unknown(Reason::Ambiguous);
    };
    match stands_in_text(case, number.value) {
        Some(place) => Judged::supported(Reason::Direct, place, "the number stands here"),
        None => Judged::unknown(Reason::Ambiguous),
    }
}

fn stands_in_text(case: &Case<'_>, value: u64) -> Option<crate::transcript::Place> {
    let digits = value.to_string();
    let steps = case.turn.steps.iter().rev();
    let mut holding = steps.filter(|step| holds_number(step.text.as_str(), &digits));
    holding.next().map(|step| step.result.unwrap_or(step.call))
}

/// Whether the number stands in a line that tells of tests.
fn stands_by_tests(case: &Case<'_>, value: u64) -> bool {
    let digits = value.to_string();
    let tells = |line: &str| {
        let lower = line.to_ascii_lowercase();
        ["test", "pass", "spec", "case", "check"]
            .iter()
            .any(|word| lower.contains(word))
    };
    let mut steps = case.turn.steps.iter();
    steps.any(|step| {
        let mut lines = step.text.as_str().lines();
        lines.any(|line| holds_number(line, &digits) && tells(line))
    })
}

fn holds_number(text: &str, digits: &str) -> bool {
    text.match_indices(digits).any(|(at, _)| {
        let before = text[..at].chars().next_back();
        let after = text[at + digits.len()..].chars().next();
        !before.is_some_and(|c| c.is_ascii_digit() || c == '.')
            && !after.is_some_and(|c| c.is_ascii_digit())
    })
}
