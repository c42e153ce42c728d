use proptest::prelude::*;

use super::phrase::Phrase;
use super::single::{Stated, Tone};
use super::token::Kind;
use super::{Answer, Asking, Polarity, is_word, normal};

fn text_of(letters: &[usize]) -> String {
    const ALPHABET: [char; 30] = [
        '0', '1', '2', '7', '9', ',', ',', '.', '.', '-', '+', '(', ')', '[', ']', '{', '}', ' ',
        ' ', '\n', 'a', 'b', '_', '²', '\u{301}', ';', ':', '/', '\u{200b}', '?',
    ];
    letters
        .iter()
        .map(|letter| ALPHABET[letter % ALPHABET.len()])
        .collect()
}

/// A number of digits that are all there.
fn value(chars: &[char]) -> i128 {
    chars.iter().fold(0, |sum, c| {
        sum * 10 + i128::from(c.to_digit(10).unwrap_or(0))
    })
}

/// A line that is asked about as a whole, however often.
struct Line(Vec<char>);

impl Line {
    fn at(&self, index: usize) -> Option<char> {
        self.0.get(index).copied()
    }

    fn before(&self, index: usize, back: usize) -> Option<char> {
        index.checked_sub(back).and_then(|index| self.at(index))
    }

    fn word_end(&self, from: usize) -> usize {
        let mut places = from..self.0.len();
        places
            .find(|i| !is_word(self.0[*i]))
            .unwrap_or(self.0.len())
    }

    /// Where a dot and a word go on.
    fn goes_on(&self, i: usize) -> bool {
        self.at(i) == Some('.') && self.at(i + 1).is_some_and(is_word)
    }

    fn chain(&self, mut end: usize) -> usize {
        while self.goes_on(end) {
            end = self.word_end(end + 1);
        }
        end
    }

    fn is_group(&self, i: usize) -> bool {
        let digit = |i| self.at(i).is_some_and(|c: char| c.is_ascii_digit());
        self.at(i) == Some(',') && (i + 1..i + 4).all(digit) && !self.at(i + 4).is_some_and(is_word)
    }

    fn depth(&self, i: usize) -> usize {
        self.0[..i].iter().fold(0, |depth: usize, c| match c {
            '(' | '[' | '{' => depth + 1,
            ')' | ']' | '}' => depth.saturating_sub(1),
            _ => depth,
        })
    }

    /// The groups of the integer that starts here, and its end; no groups where it is none.
    fn integer(&self, i: usize) -> (Vec<i128>, usize) {
        let mut end = self.word_end(i);
        let split =
            |c: Option<char>| c.is_some_and(|c| normal::is_raised(c) || normal::is_invisible(c));
        let digits = self.0[i..end].iter().all(char::is_ascii_digit);
        let dotted =
            self.before(i, 1) == Some('.') && self.before(i, 2) != Some('.') || self.goes_on(end);
        if !digits {
            return (Vec::new(), end);
        }
        if dotted || split(self.before(i, 1)) || split(self.at(end)) {
            return (Vec::new(), if dotted { self.chain(end) } else { end });
        }
        let mut parts = vec![value(&self.0[i..end])];
        while end - i <= 3 + 4 * (parts.len() - 1)
            && self.word_end(i) - i <= 3
            && self.depth(i) == 0
            && self.is_group(end)
        {
            parts.push(value(&self.0[end + 1..end + 4]));
            end += 4;
        }
        if self.goes_on(end) {
            return (Vec::new(), self.chain(end));
        }
        (parts, end)
    }
}

/// The integers of a text by the letter of the page.
fn reference(text: &str) -> Vec<i128> {
    let mut out = Vec::new();
    for line in text.split('\n') {
        let line = Line(line.chars().collect());
        // Whether the last token is an integer with a plus before it.
        let mut plus = false;
        let mut i = 0;
        while let Some(c) = line.at(i) {
            if !is_word(c) {
                let sign = c == '-' && line.at(i + 1).is_some_and(|c| c.is_ascii_digit());
                plus &= c.is_whitespace() || sign;
                i += 1;
                continue;
            }
            let (parts, end) = line.integer(i);
            let two = line.before(i, 2);
            let opens = two.is_none_or(|c| c.is_whitespace() || "([{=:,\"'|".contains(c));
            let negative = line.before(i, 1) == Some('-') && opens && !plus;
            let whole = parts.iter().fold(0, |sum, part| sum * 1000 + part);
            if !parts.is_empty() {
                out.push(if negative { -whole } else { whole });
            }
            plus = !parts.is_empty() && line.before(i, 1) == Some('+');
            if parts.len() > 1 {
                out.extend(parts);
            }
            i = end;
        }
    }
    out
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(2000) })]

    #[test]
    fn integers_are_those_of_the_letter(letters in prop::collection::vec(0_usize..30, 0..40)) {
        let text = text_of(&letters);
        // The normaliser takes marks out; the reference reads what is left.
        let answer = Answer::read(&text);
        prop_assert_eq!(answer.int_values(), reference(answer.text()), "{:?}", text);
    }

    #[test]
    fn tokens_tile_the_text(text in "[a-z0-9 .,;!?*`~_\\-\\n\u{5d0}²]{0,60}") {
        let answer = Answer::read(&text);
        let mut end = 0;
        let mut seen = String::new();
        for index in 0..answer.len() {
            let (from, to) = answer.range(index);
            prop_assert!(from >= end && to > from);
            seen.push_str(answer.word(index));
            end = to;
        }
        let whole: String = answer.text().chars().filter(|c| !c.is_whitespace()).collect();
        prop_assert_eq!(seen, whole);
    }
}

fn asked(text: &str, asking: &Asking) -> Vec<(i128, Tone)> {
    let stated = asking.by_label(&Answer::read(text)).into_iter();
    stated.map(|own: Stated| (own.value, own.tone)).collect()
}

fn errors(text: &str) -> Vec<(i128, Tone)> {
    let asking = Asking {
        labels: vec![Phrase::new("errors"), Phrase::new("error_count")],
        nouns: vec![Phrase::new("parse")],
        ..Asking::default()
    };
    asked(text, &asking)
}

#[test]
fn values_stand_at_their_labels() {
    use Tone::{Conditioned, Denied, Hedged, Loose, Plain};
    for (text, expected) in [
        ("9 errors", vec![(9, Plain)]),
        ("errors: **9**", vec![(9, Plain)]),
        ("9 parse errors", vec![(9, Plain)]),
        ("errors is about 9", vec![(9, Hedged)]),
        ("{\"error_count\": 9}", vec![(9, Plain)]),
        ("9 error_count", vec![]),
        ("errors: 9 warnings: 3", vec![(9, Plain)]),
        ("warnings: 3 errors: 9", vec![(9, Plain)]),
        ("9 errors (10 warnings)", vec![(9, Plain)]),
        ("3 errors (2 in a, 1 in b)", vec![(3, Plain)]),
        ("9 errors (10)", vec![(9, Plain), (10, Plain)]),
        ("errors of 3 kinds", vec![(3, Loose)]),
        ("errors found: 9", vec![(9, Plain)]),
        ("9 total errors", vec![(9, Plain)]),
        ("errors total 9", vec![(9, Plain)]),
        ("9/9 errors", vec![(9, Plain), (9, Plain)]),
        ("8 or 9 errors", vec![(8, Plain), (9, Plain)]),
        (
            "9 errors, or 10 if warnings count",
            vec![(9, Conditioned), (10, Conditioned)],
        ),
        ("9 errors or 10 warnings", vec![(9, Plain)]),
        ("between 8 and 9 errors", vec![(8, Plain), (9, Plain)]),
        ("8-9 errors", vec![(8, Plain), (9, Plain)]),
        ("8 of 9 errors", vec![(8, Plain), (9, Plain)]),
        ("errors: 8 of 9", vec![(8, Plain)]),
        ("at least 9 errors", vec![(9, Hedged)]),
        ("9+ errors", vec![(9, Hedged)]),
        ("perhaps 9 errors", vec![(9, Hedged)]),
        ("9 errors?", vec![(9, Hedged)]),
        ("It did not print 9 errors", vec![(9, Denied)]),
        ("without 9 errors", vec![(9, Denied)]),
        ("None of the 9 errors", vec![(9, Hedged)]),
        ("8 of the 9 errors", vec![(8, Plain), (9, Plain)]),
        ("8 failed of all 9 errors", vec![(8, Plain), (9, Plain)]),
        ("All 9 errors", vec![(9, Plain)]),
        ("Not all 9 errors", vec![(9, Hedged)]),
        ("not 8 errors but 9 errors", vec![(8, Denied), (9, Plain)]),
        ("| errors | 9 |", vec![(9, Plain)]),
        ("| x | errors |\n|---|---|\n| 1 | 9 |", vec![(9, Plain)]),
        ("I ran `lint --errors 9 x`", vec![]),
        ("src/a.py:9 errors", vec![]),
        ("1. errors", vec![]),
        ("errors\n9", vec![]),
        ("\u{202e}9 errors", vec![]),
        ("errors: -9", vec![(-9, Plain)]),
    ] {
        assert_eq!(errors(text), expected, "{text}");
    }
}

fn said(text: &str, word: &str) -> Polarity {
    let answer = Answer::read(text);
    let place = Phrase::with_case(word, true).places(&answer)[0];
    answer.said(place)
}

#[test]
fn a_denial_reaches_its_clause_and_no_further() {
    use Polarity::{Asserted, Denied, Open};
    for (text, expected) in [
        ("No event has level ERROR.", Denied),
        ("None of the five events is at ERROR level.", Denied),
        ("ERROR: none.", Denied),
        ("ERROR 0, INFO 5", Denied),
        ("ERROR does not occur", Denied),
        ("no WARN, DEBUG or ERROR", Denied),
        ("neither WARN nor ERROR", Denied),
        ("INFO rather than ERROR", Denied),
        ("there isn't an ERROR", Denied),
        ("with 0 ERROR rows", Denied),
        ("ERROR ×0", Denied),
        ("ERROR rows seen: 0", Denied),
        ("I looked for ERROR", Open),
        ("not WARN, ERROR", Open),
        ("unless it is ERROR", Open),
        ("Is it ERROR?", Open),
        ("it is not so that ERROR occurs", Open),
        ("the third is not INFO, it is ERROR", Asserted),
        ("no WARN. ERROR stands", Asserted),
        ("not INFO but ERROR", Asserted),
        ("no doubt it is ERROR", Asserted),
        ("No: it is ERROR", Asserted),
        ("(no WARN) ERROR", Asserted),
        ("exit code 0 ERROR", Asserted),
        ("`if not x` at ERROR", Asserted),
    ] {
        assert_eq!(said(text, "ERROR"), expected, "{text}");
    }
}

#[test]
fn clauses_end_where_the_page_says() {
    let count = |text: &str| Answer::read(text).clauses();
    assert_eq!(count("a. b; c\nd"), 4);
    assert_eq!(count("1.5 vs. 2.0.0, e.g. x"), 1);
    assert_eq!(count("they are not\nidentical"), 1);
    assert_eq!(count("they are\n- identical"), 1);
    let answer = Answer::read("3. x");
    assert!(matches!(answer.kind(0), Some(Kind::Int(_))));
    assert!(answer.ints()[0].marker);
}

#[test]
fn an_underscore_belongs_to_the_word_behind_it_and_a_mark_to_the_character_before() {
    for (raw, phrase) in [
        ("测试_a", "测试"),
        ("调用 测试_a 一次", "_a"),
        ("测\u{301}试", "试"),
    ] {
        let answer = Answer::verbatim(raw);
        assert_eq!(Phrase::new(phrase).places(&answer).len(), 1, "{raw}");
    }
    let answer = Answer::verbatim("测\u{301}试_a");
    let words: Vec<&str> = (0..answer.len()).map(|at| answer.word(at)).collect();
    assert_eq!(words, ["测\u{301}", "试", "_a"]);
}
