//! Lists of counts: `3 passed, 1 failed`, `Failures: 0, Skipped: 2`, `pass 3`.

use super::Tally;

/// What a counted word counts.
enum Counted {
    Passed,
    Failed,
    Errors,
    Skipped,
    /// All of them, whatever became of each.
    Total,
    /// Something that is no check (`12 assertions`, `2 warnings`).
    Beside,
}

fn counted(word: &str) -> Option<Counted> {
    let word = word.trim_end_matches(['.', ')', '!']);
    let is = |words: &[&str]| words.iter().any(|own| word.eq_ignore_ascii_case(own));
    Some(if is(&["passed", "pass", "passing", "succeeded", "ok"]) {
        Counted::Passed
    } else if is(&["failed", "fail", "failing", "failure", "failures"]) {
        Counted::Failed
    } else if is(&["error", "errors", "broken", "crashed"]) {
        Counted::Errors
    } else if is(&[
        "skipped",
        "skip",
        "skips",
        "ignored",
        "pending",
        "todo",
        "deselected",
        "xfailed",
        "disabled",
        "incomplete",
        "cancelled",
        "canceled",
        "omissions",
        "notifications",
    ]) {
        Counted::Skipped
    } else if is(&[
        "total", "tests", "test", "examples", "example", "runs", "doctests", "doctest",
    ]) {
        Counted::Total
    } else if is(&[
        "assertions",
        "assertion",
        "warnings",
        "warning",
        "measured",
        "filtered",
        "xpassed",
        "rerun",
        "leaky",
        "slow",
        "flaky",
        "suites",
        "subtests",
        "property",
        "properties",
        "excluded",
        "expect",
        "risky",
        "deprecations",
        "deprecation",
        "steps",
        "retried",
    ]) {
        Counted::Beside
    } else {
        return None;
    })
}

/// Reads a list of counts. Every item must be one, and one of them must count checks; else it is
/// no list.
pub(super) fn list(text: &str) -> Option<Tally> {
    let mut tally = Tally::default();
    let (mut total, mut any) = (None, false);
    for item in text.split([',', ';', '|', '(', ')']) {
        let item = item.trim().trim_end_matches('.');
        if item.is_empty() {
            continue;
        }
        let (number, word) = item_of(item)?;
        match counted(word)? {
            Counted::Passed => tally.passed = tally.passed.saturating_add(number),
            Counted::Failed => tally.failed = tally.failed.saturating_add(number),
            Counted::Errors => tally.errors = tally.errors.saturating_add(number),
            Counted::Skipped => tally.skipped = tally.skipped.saturating_add(number),
            Counted::Total => total = Some(number.saturating_add(total.unwrap_or(0))),
            Counted::Beside => continue,
        }
        any = true;
    }
    if !any {
        return None;
    }
    if let Some(total) = total.filter(|_| tally.passed == 0) {
        let others = tally.failed.saturating_add(tally.errors);
        tally.passed = total.saturating_sub(others.saturating_add(tally.skipped));
    }
    Some(tally)
}

/// `3 passed`, `Failures: 0`, `failures=1`, `pass 3`.
fn item_of(item: &str) -> Option<(u64, &str)> {
    let mut words = item
        .split(|c: char| c.is_whitespace() || c == ':' || c == '=')
        .filter(|word| !word.is_empty());
    let (first, second) = (words.next()?, words.next()?);
    if let Some(number) = number(first) {
        return Some((number, second));
    }
    let number = number(second)?;
    // `Failed: 1` stands alone; `Tests run: 5` has its number behind two words.
    Some((number, first))
}

/// A decimal number, with or without separators of thousands.
pub(super) fn number(text: &str) -> Option<u64> {
    let digits = text
        .bytes()
        .all(|byte| byte.is_ascii_digit() || byte == b',');
    let starts = text
        .bytes()
        .next()
        .is_some_and(|byte| byte.is_ascii_digit());
    if !digits || !starts || text.len() > 18 {
        return None;
    }
    Some(
        text.bytes()
            .filter(u8::is_ascii_digit)
            .fold(0, |sum, digit| sum * 10 + u64::from(digit - b'0')),
    )
}

/// Whether a text is a time as runners print it: `0.12s`, `12ms`, `1.5 s`, `0:00:03`, `2 minutes`.
pub(super) fn is_time(text: &str) -> bool {
    let text = text.trim().trim_end_matches(['.', ')', '=']).trim();
    let numeric = text
        .trim_start_matches('(')
        .starts_with(|c: char| c.is_ascii_digit());
    let unit = text
        .trim_start_matches(|c: char| c.is_ascii_digit() || ".:,(".contains(c))
        .split_whitespace()
        .next()
        .unwrap_or("");
    numeric
        && (unit.is_empty()
            || [
                "s", "ms", "m", "seconds", "second", "sec", "min", "minutes", "µs", "us",
            ]
            .contains(&unit.trim_end_matches([',', ')'])))
}
