//! Of how much a word is said, and whether it is said to be so yet: `11 of 12 passed`, `all but two pass`, `will pass`.

use super::Answer;
use super::label::is_one_of;
use super::share::{Around, SHORT_OF_ALL};
use super::token::Kind;
use super::tone::number_word;

/// Tokens that are looked at before a word, and behind it.
const BEFORE: usize = 40;
const BEHIND: usize = 24;

/// Words behind which something new is spoken of.
const BOUNDS: [&str; 15] = [
    "although", "and", "because", "but", "however", "now", "or", "since", "so", "still", "that",
    "then", "though", "while", "with",
];

const WHOLE: [&str; 8] = [
    "all",
    "both",
    "each",
    "entire",
    "every",
    "everyone",
    "everything",
    "whole",
];

/// What leaves less than all wherever it stands.
const PART: [&str; 14] = [
    "almost",
    "few",
    "half",
    "largely",
    "majority",
    "minority",
    "most",
    "mostly",
    "nearly",
    "partially",
    "partly",
    "practically",
    "several",
    "virtually",
];

/// What does so as the beginning of what is spoken of: `some tests`, but not `I made some changes`.
const LEADING: [&str; 6] = ["fraction", "many", "part", "quarter", "some", "third"];

/// What does so behind the word.
const BEHIND_PART: [&str; 9] = [
    "almost",
    "intermittently",
    "most",
    "mostly",
    "nearly",
    "occasionally",
    "partially",
    "partly",
    "sometimes",
];

/// Words between an auxiliary verb and the one that it goes with.
const BETWEEN: [&str; 26] = [
    "again",
    "all",
    "also",
    "always",
    "be",
    "become",
    "been",
    "being",
    "both",
    "come",
    "each",
    "even",
    "eventually",
    "ever",
    "finally",
    "get",
    "go",
    "have",
    "just",
    "now",
    "once",
    "only",
    "soon",
    "stay",
    "still",
    "turn",
];

const MODALS: [&str; 8] = [
    "can", "ll", "may", "must", "ought", "shall", "should", "will",
];

/// Verbs after which `to pass` tells what was seen.
const SETTLED: [&str; 26] = [
    "able",
    "back",
    "came",
    "changed",
    "confirmed",
    "continue",
    "continued",
    "continues",
    "flipped",
    "found",
    "goes",
    "happened",
    "known",
    "managed",
    "moved",
    "observed",
    "out",
    "proved",
    "proven",
    "reported",
    "returned",
    "seen",
    "shown",
    "switched",
    "verified",
    "went",
];

/// Words before which nothing is known yet of what follows.
const WANTED: [&str; 22] = [
    "assuming",
    "await",
    "awaiting",
    "ensure",
    "ensures",
    "ensuring",
    "expect",
    "expecting",
    "expects",
    "hope",
    "hopefully",
    "hopes",
    "hoping",
    "likely",
    "presumably",
    "probably",
    "provided",
    "supposedly",
    "till",
    "until",
    "want",
    "wants",
];

/// Verbs that look into a thing, and verbs that bring it about.
const LOOK: [&str; 4] = ["check", "confirm", "see", "verify"];
const BRING: [&str; 4] = ["get", "help", "let", "make"];

/// A place in the clause of a word.
struct Clause<'a, 'b> {
    answer: &'a Answer<'b>,
    first: usize,
    end: usize,
}

impl<'a, 'b> Clause<'a, 'b> {
    fn of(answer: &'a Answer<'b>, index: usize) -> Option<Self> {
        let tokens = answer.clause_tokens(answer.clause(index)?);
        Some(Self {
            answer,
            first: tokens.start.max(index.saturating_sub(BEFORE)),
            end: tokens.end.min(index + BEHIND),
        })
    }

    /// A word of the clause that is no code.
    fn word(&self, at: usize) -> &str {
        let own = (self.first..self.end).contains(&at) && !self.answer.is_code(at);
        if own { self.answer.word(at) } else { "" }
    }

    fn before(&self, at: usize) -> &str {
        at.checked_sub(1).map_or("", |at| self.word(at))
    }

    fn is(&self, at: usize, words: &[&str]) -> bool {
        is_one_of(words, self.word(at))
    }

    fn value(&self, at: usize) -> Option<i128> {
        if !(self.first..self.end).contains(&at) || self.answer.is_cited(at) {
            return None;
        }
        match self.answer.kind(at)? {
            Kind::Int(int) => self.answer.ints().get(int as usize).map(|int| int.value),
            Kind::Word => number_word(self.answer, at),
            _ => None,
        }
    }

    /// The part and the whole of `11 of 12`, `11 tests out of 12`, `11/12`, where a token is the whole.
    fn share(&self, at: usize) -> Option<(i128, i128)> {
        let whole = self.value(at)?;
        if self.before(at) == "/" {
            let part = self.value(at.checked_sub(2)?)?;
            // A date has more than two.
            let chained = self.before(at - 2) == "/" || self.word(at + 1) == "/";
            return (!chained).then_some((part, whole));
        }
        let around = Around {
            answer: self.answer,
            index: at,
        };
        let before = around.before_of()?;
        let parts = (0..=2).filter_map(|back| self.value(before.checked_sub(back)?));
        parts.into_iter().next().map(|part| (part, whole))
    }

    /// Whether a number of percent is less than all.
    fn percent(&self, at: usize) -> bool {
        let sign = self.word(at) == "%" || self.is(at, &["percent"]);
        sign && !matches!(self.before(at), "100" | "100.0" | "100.00")
    }

    /// Whether something is left out here: `except a`, `apart from a`, `all but two`.
    fn leaves_out(&self, at: usize) -> bool {
        let next = self.word(at + 1);
        match self.word(at).to_ascii_lowercase().as_str() {
            "except" | "excepting" | "excluding" | "barring" | "minus" => true,
            "apart" | "aside" => next.eq_ignore_ascii_case("from"),
            "other" => next.eq_ignore_ascii_case("than"),
            "save" => next.eq_ignore_ascii_case("for"),
            "exception" | "exceptions" => next.eq_ignore_ascii_case("of") || next == ":",
            "but" => {
                let all =
                    is_one_of(&WHOLE, self.before(at)) || is_one_of(&["any"], self.before(at));
                let last = !self.word(at + 2).starts_with(char::is_alphabetic);
                all || self.value(at + 1).is_some() && last
            }
            _ => false,
        }
    }

    /// Whether the beginning of what is spoken of stands here.
    fn leads(&self, at: usize) -> bool {
        let before = match self.before(at) {
            "the" | "a" | "The" | "A" | "only" | "Only" | "just" | "Just" => at.saturating_sub(2),
            _ => at.saturating_sub(1),
        };
        let word = self.word(before);
        at == self.first
            || before < self.first
            || word.is_empty()
            || !word.starts_with(char::is_alphanumeric)
            || is_one_of(&BOUNDS, word)
            || self.word(at + 1).eq_ignore_ascii_case("of")
    }

    /// Whether a word before another one speaks of all (`false`) or of a part (`true`) of what that is said of.
    fn amount(&self, at: usize, index: usize, joined: bool) -> Option<bool> {
        if let Some((part, whole)) = self.share(at) {
            return Some(part != whole);
        }
        if self.is(at, &WHOLE) {
            return Some(is_one_of(&SHORT_OF_ALL, self.before(at)));
        }
        let percent =
            self.percent(at) && (index - at <= 3 || self.word(at + 1).eq_ignore_ascii_case("of"));
        let only = !joined
            && self.is(at, &["only", "just", "merely"])
            && (self.value(at + 1).is_some()
                || self.is(at, &["only"])
                    && self.leads(at)
                    && self.is(at + 1, &["the", "a", "some", "these", "those", "one"]));
        let part = self.is(at, &PART) || self.is(at, &LEADING) && self.leads(at);
        (percent || only || part).then_some(true)
    }

    fn is_part_before(&self, index: usize) -> bool {
        let mut joined = false;
        for at in (self.first..index).rev() {
            if self.is(at, &["but", "whereas", "because", "so"]) {
                return false;
            }
            joined |= self.is(at, &["and"]);
            if let Some(part) = self.amount(at, index, joined) {
                return part;
            }
        }
        false
    }

    fn is_part_behind(&self, end: usize) -> bool {
        let alone = |at: usize| !self.word(at + 1).starts_with(char::is_alphanumeric);
        for at in end..self.end {
            if self.is(at, &["and", "but", "so", "because", "while"]) {
                return false;
            }
            if self.word(at) == "," {
                // `passed, 11 of 12`, but not `passed, 2 of 14 skipped`.
                let ends = (at + 2..self.end.min(at + 7)).find(|at| self.share(*at).is_some());
                let share = ends.filter(|at| alone(*at)).and_then(|at| self.share(at));
                return share.is_some_and(|(part, whole)| part != whole);
            }
            let share = self.share(at).is_some_and(|(part, whole)| part != whole);
            let most = self.is(at, &BEHIND_PART) && !self.before(at).eq_ignore_ascii_case("at");
            if share || most || self.percent(at) {
                return true;
            }
        }
        false
    }
}

impl Answer<'_> {
    /// Whether the words from one token to before another are said of a part only, or nobody can say of how much.
    pub(crate) fn is_partial(&self, index: usize, end: usize) -> bool {
        let Some(clause) = Clause::of(self, index) else {
            return false;
        };
        self.step(3 * (BEFORE + BEHIND));
        let mut around = (clause.first..index).chain(end..clause.end);
        around.any(|at| clause.leaves_out(at))
            || clause.is_part_before(index)
            || clause.is_part_behind(end)
    }

    /// Whether a word is only wanted, expected or still to come.
    pub(crate) fn is_wanted(&self, index: usize) -> bool {
        let Some(clause) = Clause::of(self, index) else {
            return false;
        };
        self.step(2 * BEFORE);
        let mut at = index;
        while at > clause.first {
            let word = clause.before(at);
            if !is_one_of(&BETWEEN, word) && !word.ends_with("ly") {
                break;
            }
            at -= 1;
        }
        is_one_of(&MODALS, clause.before(at)) && !is_month(&clause, at)
            || clause.is_aimed_at(at)
            || clause.is_hoped_for(index)
    }
}

/// `in May`.
fn is_month(clause: &Clause<'_, '_>, at: usize) -> bool {
    clause.before(at) == "May"
        && at >= 2
        && is_one_of(&["in", "since", "last"], clause.before(at - 1))
}

impl Clause<'_, '_> {
    /// `need to pass`, `have yet to pass`, but not `found to pass` or `went from red to green`.
    fn is_aimed_at(&self, at: usize) -> bool {
        let Some(to) = at.checked_sub(1).filter(|to| self.is(*to, &["to"])) else {
            return false;
        };
        let from = (to.saturating_sub(6).max(self.first)..to).any(|at| self.is(at, &["from"]));
        !from && !is_one_of(&SETTLED, self.before(to))
    }

    /// `make sure the tests pass`, `until they pass`, `run it to check that they pass`.
    fn is_hoped_for(&self, index: usize) -> bool {
        for at in (self.first..index).rev() {
            let word = self.word(at);
            if matches!(word, "," | ":" | "(" | ")" | "|") || is_one_of(&["but", "and"], word) {
                return false;
            }
            let before = self.before(at);
            let aimed = is_one_of(&MODALS, before)
                || is_one_of(&["please"], before)
                || self.is_aimed_at(at);
            let told = is_one_of(&WANTED, word)
                || is_one_of(&["sure"], word)
                    && is_one_of(&["make", "makes", "making", "be"], before)
                || is_one_of(&["expected"], word) && self.is(at + 1, &["that"])
                || is_one_of(&LOOK, word) && (aimed || at == self.first)
                || is_one_of(&BRING, word) && aimed;
            if told {
                return true;
            }
        }
        false
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(raw: &str) -> (bool, bool) {
        let answer = Answer::read(raw);
        let stem = |index: &usize| {
            let word = answer.word(*index);
            word.starts_with("pass") || word.starts_with("match") || word == "identical"
        };
        let index = (0..answer.len()).find(stem).unwrap();
        (answer.is_partial(index, index + 1), answer.is_wanted(index))
    }

    #[test]
    fn a_part_is_told_from_the_whole() {
        for raw in [
            "Only 3 of 14 tests pass",
            "11 of 12 passed",
            "11 of the 12 tests passed",
            "11 tests out of 12 passed",
            "Three of the 14 tests pass",
            "passed 11/12",
            "Tests passed: 11/12",
            "Tests passed (11 of 12)",
            "passed, 11 of 12",
            "Most tests pass",
            "Most of the unit and integration tests pass",
            "Some of the tests pass",
            "Some tests pass",
            "I ran it and some tests pass",
            "Half of the tests pass",
            "Half the tests pass",
            "The majority of the tests pass",
            "Nearly all tests pass",
            "Not all tests pass",
            "All but two pass",
            "All but test_a pass",
            "All tests pass but one",
            "passed, except test_a",
            "All tests pass apart from test_a",
            "Except for test_a, all tests pass",
            "Everything passes except the slow ones",
            "93% of the tests pass",
            "93 % pass",
            "The tests pass, with the exception of test_a",
            "The tests mostly pass",
            "The tests pass for the most part",
            "The tests pass sometimes",
            "Only the first test passes",
            "Only two pass",
            "almost identical",
        ] {
            assert!(read(raw).0, "{raw}");
        }
        for raw in [
            "All tests pass",
            "All 12 tests pass",
            "12 of 12 tests pass",
            "12/12 pass",
            "passed: 12/12",
            "100% of the tests pass",
            "I made some changes and the tests pass",
            "I narrowed the `except` clause and the tests pass",
            "After some work the tests pass",
            "I only changed the parser and the tests pass",
            "On 2024/05/12 the tests pass",
            "All tests pass, 2 of 14 skipped",
            "The tests pass in a.py:3",
            "They match without exception",
            "Each of the 12 tests passes",
            "Most of it is new code, but every test passes",
        ] {
            assert!(!read(raw).0, "{raw}");
        }
    }

    #[test]
    fn what_is_to_come_is_told_from_what_is() {
        for raw in [
            "The tests will pass",
            "They'll pass",
            "The tests may pass",
            "They must all pass",
            "The tests need to pass",
            "They have yet to pass",
            "They are expected to pass",
            "They are expected to be identical",
            "make sure the tests pass",
            "Please make sure that the tests pass",
            "I am waiting until the tests pass",
            "I expect that the tests pass",
            "Run it to check that the tests pass",
            "This is to make the tests pass",
            "The tests should now pass",
            "They probably match",
        ] {
            assert!(read(raw).1, "{raw}");
        }
        for raw in [
            "The tests pass",
            "I made sure the tests pass",
            "As expected, the tests pass",
            "The expected and actual digests match",
            "They were found to match",
            "They turned out to be identical",
            "They went from failing to passing",
            "I ran the suite to the end and the tests pass",
            "In May the tests pass",
            "I checked that they match",
            "I verified that they are now identical",
        ] {
            assert!(!read(raw).1, "{raw}");
        }
    }
}
