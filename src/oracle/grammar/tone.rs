//! How a value is said, and numbers in words.

use super::Answer;
use super::label::is_one_of;
use super::polarity::Polarity;
use super::share::Around;
use super::single::Tone;

const NUMBER_WORDS: [&str; 11] = [
    "zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten",
];

/// Number words that are not read as values, but that make the next one a part of a larger number.
const TENS: [&str; 10] = [
    "twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety", "hundred",
    "thousand",
];

/// Whether a word is a number from zero to ten.
pub(super) fn is_number_word(word: &str) -> bool {
    is_one_of(&NUMBER_WORDS, word)
}

/// How a value is said: denied, open or bounded, or plainly.
pub(super) fn tone(answer: &Answer<'_>, index: usize) -> Tone {
    match answer.said_int(index) {
        Polarity::Denied => Tone::Denied,
        Polarity::Open => Tone::Hedged,
        Polarity::Asserted if is_bounded(answer, index) => Tone::Hedged,
        Polarity::Asserted if (Around { answer, index }).is_open() => Tone::Hedged,
        Polarity::Asserted if is_untold(answer, index) => Tone::Hedged,
        Polarity::Asserted if answer.is_conditioned(index) => Tone::Conditioned,
        Polarity::Asserted => Tone::Plain,
    }
}

/// `no exit code was printed`: of one thing, `no` counts nothing.
fn is_untold(answer: &Answer<'_>, index: usize) -> bool {
    let clause = answer.clause(index);
    answer.word(index).eq_ignore_ascii_case("no")
        && (index + 2..index + 5).any(|at| {
            answer.clause(at) == clause && is_one_of(&["was", "is", "has"], answer.word(at))
        })
}

/// `at least 10`, `> 10`, `10+`, `10 or more`.
pub(super) fn is_bounded(answer: &Answer<'_>, index: usize) -> bool {
    let clause = answer.clause(index);
    let word = |back: usize| match index.checked_sub(back) {
        Some(at) if answer.clause(at) == clause => answer.word(at),
        _ => "",
    };
    let (one, two) = (word(1), word(2));
    let pair = is_one_of(&["least", "most"], one) && two.eq_ignore_ascii_case("at")
        || one.eq_ignore_ascii_case("than")
            && is_one_of(&["more", "less", "fewer", "greater"], two)
        || one.eq_ignore_ascii_case("to") && two.eq_ignore_ascii_case("up");
    let quoted = index
        .checked_sub(1)
        .is_some_and(|at| answer.clause_tokens(clause.unwrap_or(0)).start == at);
    let sign = matches!(one, "<" | "≤" | "≥") || one == ">" && !quoted;
    let single = is_one_of(
        &["over", "under", "above", "exceed", "exceeds", "exceeding"],
        one,
    ) || is_roughly(answer, index);
    let most = is_one_of(&EXTREMES, one)
        || is_shortened(answer, index)
        || one.eq_ignore_ascii_case("of") && is_one_of(&EXTREMES, two);
    let close = one.eq_ignore_ascii_case("less") && two.eq_ignore_ascii_case("or")
        || one.eq_ignore_ascii_case("to") && two.eq_ignore_ascii_case("close")
        || one.eq_ignore_ascii_case("as") && is_one_of(&["many", "few", "much"], two);
    // `non-0`.
    let other = one == "-" && two.eq_ignore_ascii_case("non");
    let plus = matches!(answer.word(index + 1), "+" | "±")
        && answer.range(index + 1).0 == answer.range(index).1;
    pair || sign || single || most || close || other || plus || bounds_behind(answer, index)
}

/// `max. 10`: the dot ends a clause.
fn is_shortened(answer: &Answer<'_>, index: usize) -> bool {
    index >= 2
        && answer.word(index - 1) == "."
        && answer.range(index - 1).0 == answer.range(index - 2).1
        && is_one_of(&["max", "min"], answer.word(index - 2))
}

const EXTREMES: [&str; 6] = ["max", "maximum", "min", "minimum", "maximally", "upwards"];

/// Words between a number and its bound: `10 parse errors or more`.
const BEHIND: usize = 5;

/// `10 or more`, `10 errors at least`, `10 errors, give or take one`; not the bound of another number: `10 errors, at least 3 of
/// them new`.
fn bounds_behind(answer: &Answer<'_>, index: usize) -> bool {
    let clause = answer.clause(index);
    let word = |at: usize| match answer.clause(at) == clause {
        true => answer.word(at),
        false => "",
    };
    let number = |at: usize| word(at).starts_with(|c: char| c.is_ascii_digit());
    for at in index + 1..index + BEHIND {
        answer.step(1);
        let (own, next) = (word(at), word(at + 1));
        if own.is_empty() || number(at) || matches!(own, "(" | "|" | ":" | "=") {
            return false;
        }
        let more = ["more", "fewer", "less", "so", "thereabouts"];
        let bound = own.eq_ignore_ascii_case("or") && is_one_of(&more, next)
            || own.eq_ignore_ascii_case("at") && is_one_of(&["least", "most"], next)
            || own.eq_ignore_ascii_case("give") && next.eq_ignore_ascii_case("or")
            || own == "±";
        if bound && (!number(at + 2) || own.eq_ignore_ascii_case("give")) {
            return true;
        }
    }
    false
}

/// Words that give a number as an estimate.
const ROUGHLY: [&str; 11] = [
    "about",
    "almost",
    "approx",
    "approximately",
    "around",
    "ca",
    "circa",
    "near",
    "nearly",
    "roughly",
    "some",
];

/// `roughly 10`, `~10`, `approx. 10`, `10 (approximately)`, `10-ish`.
fn is_roughly(answer: &Answer<'_>, index: usize) -> bool {
    let clause = answer.clause(index);
    let word = |at: Option<usize>| match at {
        Some(at) if answer.clause(at) == clause => answer.word(at),
        _ => "",
    };
    let one = word(index.checked_sub(1));
    let dotted = one == "." && is_one_of(&["approx", "ca"], word(index.checked_sub(2)));
    let next = index + 1 + usize::from(matches!(word(Some(index + 1)), "(" | "-" | ","));
    is_one_of(&ROUGHLY, one)
        || matches!(one, "~" | "≈" | "∼" | "～")
        || dotted
        || is_one_of(
            &["approx", "approximately", "circa", "ish", "roughly"],
            word(Some(next)),
        )
}

/// `zero` to `ten`, and `no` before what it counts; not as a part of a larger number.
pub(super) fn number_word(answer: &Answer<'_>, index: usize) -> Option<i128> {
    let word = answer.word(index);
    if word.len() > 5 {
        return None;
    }
    let before = index.checked_sub(1).map_or("", |at| answer.word(at));
    let after = answer.word(index + 1);
    let touched = before == "-" && answer.range(index - 1).1 == answer.range(index).0
        || after == "-" && answer.range(index + 1).0 == answer.range(index).1;
    if touched || is_one_of(&TENS, before) || is_one_of(&TENS, after) {
        return None;
    }
    if word.eq_ignore_ascii_case("no") {
        return Some(0);
    }
    let value = NUMBER_WORDS
        .iter()
        .position(|own| own.eq_ignore_ascii_case(word))?;
    i128::try_from(value).ok()
}
