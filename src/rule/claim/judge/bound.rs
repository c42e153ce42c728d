//! Numbers that are no totals: bounds, parts, and those of another time.

use super::count::total;
use crate::rule::claim::Counted;
use crate::rule::evidence::Run;

/// Bytes beside a number that are looked at.
const NEAR: usize = 24;

/// The last words in front of a number, the nearest first.
fn before<'a>(close: &'a str, number: &Counted) -> impl Iterator<Item = String> + use<'a> {
    let from = close.ceil_char_boundary(number.span.start.saturating_sub(NEAR));
    let text = close.get(from..number.span.start).unwrap_or("");
    let text = text.rsplit(['\n', '.', ';', ',']).next().unwrap_or("");
    let words = text
        .split(|c: char| !(c.is_alphanumeric() || matches!(c, '~' | '≥' | '≤' | '>' | '<' | '≈')));
    words
        .rev()
        .filter(|word| !word.is_empty())
        .map(str::to_lowercase)
}

/// What a number bounds.
enum Bound {
    Least,
    Most,
    About,
}

fn of(close: &str, number: &Counted) -> Option<Bound> {
    if close.as_bytes().get(number.span.end) == Some(&b'+') {
        return Some(Bound::Least);
    }
    let mut words = before(close, number);
    let last = words.next().unwrap_or_default();
    let one = words.next().unwrap_or_default();
    Some(match (one.as_str(), last.as_str()) {
        ("at", "least")
        | ("more", "than")
        | ("" | "just" | "now" | "well", "over")
        | (_, ">" | "≥" | "above") => Bound::Least,
        ("at", "most") | ("fewer" | "less", "than") | ("up", "to") | (_, "under" | "<" | "≤") => {
            Bound::Most
        }
        (
            _,
            "about" | "almost" | "approximately" | "around" | "circa" | "nearly" | "roughly" | "~"
            | "≈",
        ) => Bound::About,
        _ => return None,
    })
}

/// Whether a number is a bound, and what a run counts lies within it.
pub(super) fn holds(close: &str, number: &Counted, run: Option<&Run>) -> bool {
    let Some(bound) = of(close, number) else {
        return false;
    };
    let Some(tally) = run.and_then(|run| run.tally.as_ref()) else {
        return true;
    };
    let (value, all) = (number.value, total(tally).saturating_add(tally.skipped));
    match bound {
        Bound::Least => all >= value,
        Bound::Most => tally.passed <= value,
        Bound::About => all.abs_diff(value).saturating_mul(5) <= all,
    }
}

/// Whether a number counts a part, or is of another time: "my 6 new tests", "6 of them", "the first 5
/// tests", "up from 238".
pub(super) fn is_part(close: &str, number: &Counted) -> bool {
    let rest = close.get(number.span.end..).unwrap_or("");
    let rest = rest.strip_prefix(' ').unwrap_or("");
    let mut words = rest
        .split(|c: char| !c.is_alphanumeric())
        .take(2)
        .map(str::to_lowercase);
    let (next, two) = (
        words.next().unwrap_or_default(),
        words.next().unwrap_or_default(),
    );
    let part = matches!(
        next.as_str(),
        "existing" | "more" | "new" | "other" | "others"
    ) || next == "of" && matches!(two.as_str(), "them" | "those" | "these" | "which");
    let last = before(close, number).next().unwrap_or_default();
    part || matches!(last.as_str(), "first" | "last" | "from" | "my")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn number(close: &str, value: &str) -> Counted {
        let start = close.find(value).unwrap();
        Counted {
            value: value.parse().unwrap(),
            noun: "tests",
            span: start..start + value.len(),
        }
    }

    #[test]
    fn bounds_and_parts_are_no_totals() {
        for (close, value) in [
            ("At least 200 tests pass.", "200"),
            ("Well over 200 tests pass.", "200"),
            ("200+ tests pass.", "200"),
            ("Fewer than 250 tests", "250"),
        ] {
            assert!(of(close, &number(close, value)).is_some(), "{close}");
        }
        for (close, value) in [
            ("My 6 new tests pass.", "6"),
            ("240 pass, 6 of them new", "6"),
            ("Up from 238 tests", "238"),
        ] {
            assert!(is_part(close, &number(close, value)), "{close}");
        }
        for close in [
            "All 240 tests pass.",
            "240 of 240 tests pass",
            "Then 240 pass",
        ] {
            let number = number(close, "240");
            assert!(
                of(close, &number).is_none() && !is_part(close, &number),
                "{close}"
            );
        }
    }
}
