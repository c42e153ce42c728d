//! Integers by the words that stand with them.

use std::collections::BTreeSet;

use super::phrase::{any_at, any_before};
use super::single::{Stated, Tone};
use super::token::Kind;
use super::tone::{number_word, tone};
use super::{Answer, Phrase, script, table};

/// On which side of its label a value stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Direction {
    Before,
    After,
    Both,
}

/// Words that may link a label to its value.
const LINKS: [&str; 13] = [
    "is", "are", "was", "were", "of", "equals", "equal", "to", "at", "about", "totals", "total",
    "exactly",
];

/// Words that link a label to its value where a colon follows: `errors found: 9`.
const TOLD: [&str; 9] = [
    "run",
    "found",
    "reported",
    "detected",
    "counted",
    "seen",
    "remaining",
    "left",
    "overall",
];

/// Words that may stand between an alternative and its value.
pub(super) const FILLERS: [&str; 14] = [
    "maybe", "perhaps", "possibly", "even", "about", "roughly", "around", "some", "the", "only",
    "just", "probably", "rather", "actually",
];

/// Words after an integer that make it no other fact's.
const PLAIN_AFTER: [&str; 34] = [
    "or",
    "and",
    "in",
    "of",
    "for",
    "at",
    "but",
    "is",
    "was",
    "were",
    "are",
    "total",
    "so",
    "more",
    "depending",
    "to",
    "if",
    "when",
    "with",
    "without",
    "by",
    "on",
    "as",
    "from",
    "because",
    "unless",
    "than",
    "counting",
    "including",
    "excluding",
    "that",
    "which",
    "where",
    "not",
];

/// What an integer fact is asked with.
#[derive(Debug, Clone)]
pub(crate) struct Asking {
    pub(crate) labels: Vec<Phrase>,
    pub(crate) nouns: Vec<Phrase>,
    /// Phrases that may stand between a value and its label.
    pub(crate) skip: Vec<Phrase>,
    pub(crate) direction: Direction,
    /// A value that one of these follows is no value.
    pub(crate) stop_nouns: Vec<Phrase>,
    pub(crate) min_value: Option<i128>,
    pub(crate) number_words: bool,
    /// A field name such as `latency_sum` is a label where one of its parts is, and the others are
    /// nouns (a repair of the grader that this comes from).
    pub(crate) split_fields: bool,
}

impl Default for Asking {
    fn default() -> Self {
        Self {
            labels: Vec::new(),
            nouns: Vec::new(),
            skip: Vec::new(),
            direction: Direction::Both,
            stop_nouns: Vec::new(),
            min_value: None,
            number_words: false,
            split_fields: false,
        }
    }
}

pub(super) fn is_one_of(words: &[&str], word: &str) -> bool {
    words.iter().any(|own| own.eq_ignore_ascii_case(word))
}

impl Asking {
    /// The values at the labels, with every alternative that their clauses offer.
    pub(crate) fn by_label(&self, answer: &Answer<'_>) -> Vec<Stated> {
        answer.step(answer.len() * (1 + self.labels.len()));
        let mut found = BTreeSet::new();
        for index in 0..answer.len() {
            for label in &self.labels {
                if let Some(end) = label.at(answer, index) {
                    self.around(answer, index, end, label.is_field(), &mut found);
                }
            }
            if self.split_fields && self.is_split_label(answer.word(index)) {
                self.around(answer, index, index + 1, true, &mut found);
            }
        }
        let mut stated = Vec::new();
        for index in found {
            let own = self.stated(answer, BTreeSet::from([index]));
            stated.extend(own.into_iter().map(|mut own| {
                if own.tone == Tone::Plain && self.is_loose(answer, index) {
                    own.tone = Tone::Loose;
                }
                own
            }));
        }
        stated
    }

    /// The integers of the clauses in which one of the anchors stands.
    pub(crate) fn by_clause(&self, answer: &Answer<'_>, anchors: &[Phrase]) -> Vec<Stated> {
        let mut found = BTreeSet::new();
        for clause in 0..answer.clauses() {
            let tokens = answer.clause_tokens(clause);
            let anchored = tokens
                .clone()
                .any(|index| any_at(anchors, answer, index).is_some());
            if anchored {
                found.extend(tokens.filter(|index| self.is_free(answer, *index)));
            }
        }
        answer.step(answer.len() * (1 + anchors.len()));
        self.stated(answer, found)
    }

    /// Every integer of the answer.
    pub(crate) fn everywhere(&self, answer: &Answer<'_>) -> Vec<Stated> {
        answer.step(answer.len());
        let all = (0..answer.len()).filter(|index| self.is_free(answer, *index));
        self.stated(answer, all.collect())
    }

    /// The only integer of an answer that holds nothing else.
    pub(crate) fn bare(&self, answer: &Answer<'_>) -> Vec<Stated> {
        let mut words = (0..answer.len()).filter(|index| !matches!(answer.word(*index), "." | "#"));
        match (words.next(), words.next()) {
            (Some(only), None) if self.is_value(answer, only) => {
                self.stated(answer, BTreeSet::from([only]))
            }
            _ => Vec::new(),
        }
    }

    /// The integers right before one of the nouns, each with the alternatives beside it.
    pub(crate) fn before_nouns(&self, answer: &Answer<'_>) -> Vec<Vec<Stated>> {
        answer.step(answer.len() * (1 + self.nouns.len()));
        let mut out = Vec::new();
        for index in 0..answer.len() {
            if any_at(&self.nouns, answer, index).is_none() {
                continue;
            }
            let value = index.checked_sub(1);
            let counted = value.filter(|at| script::counts(answer.word(*at)));
            let value = counted.map_or(value, |at| at.checked_sub(1));
            let value = value.filter(|at| self.same_clause(answer, *at, index));
            let Some(value) = value else { continue };
            if !self.is_value(answer, value) || answer.is_cited(value) {
                continue;
            }
            let mut found = BTreeSet::from([value]);
            self.link(answer, value, &mut found);
            out.push(self.stated(answer, found));
        }
        out
    }

    pub(super) fn same_clause(&self, answer: &Answer<'_>, a: usize, b: usize) -> bool {
        answer.clause(a).is_some() && answer.clause(a) == answer.clause(b)
    }

    /// Whether a token is a value: an integer or, where they are asked for, a number word.
    pub(super) fn is_value(&self, answer: &Answer<'_>, index: usize) -> bool {
        self.value(answer, index).is_some()
    }

    pub(super) fn value(&self, answer: &Answer<'_>, index: usize) -> Option<(i128, Option<i128>)> {
        if answer.is_shown(index) {
            return None;
        }
        match answer.kind(index)? {
            Kind::Int(int) => {
                let int = answer.ints().get(int as usize)?;
                (!int.marker).then_some((int.value, int.joined))
            }
            Kind::Word if self.number_words => {
                number_word(answer, index).map(|value| (value, None))
            }
            _ => None,
        }
    }

    /// A value that no citation holds and that no stop noun follows.
    fn is_free(&self, answer: &Answer<'_>, index: usize) -> bool {
        self.is_value(answer, index)
            && !answer.is_cited(index)
            && any_at(&self.stop_nouns, answer, index + 1).is_none()
    }

    /// Whether a name is one for this fact: a label, or a field name made of labels and nouns.
    pub(crate) fn names(&self, name: &str) -> bool {
        let lower = name.to_lowercase();
        let label = |phrase: &Phrase| phrase.only_word() == Some(lower.as_str());
        self.labels.iter().any(label) || self.is_split_label(name)
    }

    fn is_split_label(&self, word: &str) -> bool {
        if !word.contains('_') || word.len() > 80 {
            return false;
        }
        let word = word.to_lowercase();
        let is = |phrases: &[Phrase], part: &str| {
            phrases
                .iter()
                .any(|phrase| phrase.only_word() == Some(part))
        };
        let labelled = word.split('_').any(|part| is(&self.labels, part));
        labelled
            && word
                .split('_')
                .all(|part| part.is_empty() || is(&self.labels, part) || is(&self.nouns, part))
    }

    /// The values right before and after a label that spans `[index, end)`.
    fn around(
        &self,
        answer: &Answer<'_>,
        index: usize,
        end: usize,
        field: bool,
        found: &mut BTreeSet<usize>,
    ) {
        if let Some(cells) = table::below(answer, index).filter(|cells| !cells.is_empty()) {
            found.extend(cells.into_iter().filter(|cell| self.is_free(answer, *cell)));
            return;
        }
        let mut before = None;
        if self.direction != Direction::After && !field {
            before = self.before_label(answer, index);
        }
        let mut after = None;
        if self.direction != Direction::Before {
            after = self.after_label(answer, end);
        }
        let direct = matches!(answer.word(end), ":" | "=");
        if let (Some(value), Some(_)) = (before, after) {
            let taken = value > 0 && matches!(answer.word(value - 1), ":" | "=");
            if direct && taken {
                // `errors: 9 warnings: 3`: each value follows its label.
                before = None;
            } else if !direct && after.is_some_and(|value| !closes(answer, value)) {
                // `9 errors (10 warnings)`: the second value is another fact's, or a part.
                after = None;
            }
        }
        for value in [before, after].into_iter().flatten() {
            if self.is_free(answer, value) {
                found.insert(value);
                self.link(answer, value, found);
            }
        }
    }

    fn before_label(&self, answer: &Answer<'_>, index: usize) -> Option<usize> {
        let mut at = self.skip_back(answer, index);
        at -= usize::from(at > 0 && script::counts(answer.word(at - 1)));
        // `9+ errors` is a bound, which is told where the value is stated.
        at -= usize::from(at > 0 && answer.word(at - 1) == "+");
        let mut value = at.checked_sub(1)?;
        if !self.is_value(answer, value) {
            at = any_before(&self.nouns, answer, at)?;
            at = self.skip_back(answer, at);
            value = at.checked_sub(1)?;
        }
        let near = self.is_value(answer, value) && self.same_clause(answer, value, index);
        near.then_some(value)
    }

    fn skip_back(&self, answer: &Answer<'_>, index: usize) -> usize {
        let mut at = index;
        for _ in 0..4 {
            answer.step(1);
            match any_before(&self.skip, answer, at) {
                Some(start) => at = start,
                // `9 total errors`.
                None if at > 1 && answer.word(at - 1).eq_ignore_ascii_case("total") => at -= 1,
                None => break,
            }
        }
        at
    }

    fn after_label(&self, answer: &Answer<'_>, end: usize) -> Option<usize> {
        let clause = answer.clause(end.checked_sub(1)?);
        let mut at = end;
        if matches!(answer.word(at), "\"" | "'") {
            at += 1;
        }
        let mut cells = 0;
        for _ in 0..16 {
            answer.step(1);
            if answer.clause(at) != clause {
                return None;
            }
            if self.is_value(answer, at) {
                return Some(self.outcome(answer, at));
            }
            match answer.word(at) {
                ":" | "=" | "-" | "(" | "~" | "≈" => at += 1,
                "|" if cells == 0 => {
                    cells += 1;
                    at += 1;
                }
                word => at = self.linked(answer, at, word)?,
            }
        }
        None
    }

    /// What a sum that is written out comes to: `9 + 14 = 23`.
    fn outcome(&self, answer: &Answer<'_>, value: usize) -> usize {
        let mut at = value;
        for _ in 0..16 {
            answer.step(1);
            let next = at + 2;
            if !self.is_value(answer, next) || !self.same_clause(answer, value, next) {
                break;
            }
            match answer.word(at + 1) {
                "+" => at = next,
                "=" if at > value => return next,
                _ => break,
            }
        }
        value
    }

    fn linked(&self, answer: &Answer<'_>, at: usize, word: &str) -> Option<usize> {
        let told = is_one_of(&TOLD, word) && matches!(answer.word(at + 1), ":" | "=");
        if told || is_one_of(&LINKS, word) || script::links(word) {
            return Some(at + 1);
        }
        any_at(&self.nouns, answer, at).or_else(|| any_at(&self.skip, answer, at))
    }

    /// A word of this fact's own at a token; the token after it.
    pub(super) fn own(&self, answer: &Answer<'_>, at: usize) -> Option<usize> {
        any_at(&self.labels, answer, at)
            .or_else(|| any_at(&self.nouns, answer, at))
            .or_else(|| any_at(&self.skip, answer, at))
    }

    /// Whether a word follows that makes the value another fact's.
    pub(super) fn is_foreign(&self, answer: &Answer<'_>, value: usize) -> bool {
        let next = value + 1;
        self.same_clause(answer, value, next)
            && answer.kind(next) == Some(Kind::Word)
            && self.own(answer, next).is_none()
            && !is_one_of(&PLAIN_AFTER, answer.word(next))
            && !is_one_of(&LINKS, answer.word(next))
            && !is_one_of(&FILLERS, answer.word(next))
    }

    /// `errors of 3 kinds`: a preposition, and another noun.
    fn is_loose(&self, answer: &Answer<'_>, value: usize) -> bool {
        value > 0
            && is_one_of(&["of", "at", "to"], answer.word(value - 1))
            && self.is_foreign(answer, value)
    }

    pub(super) fn own_before(&self, answer: &Answer<'_>, end: usize) -> Option<usize> {
        any_before(&self.labels, answer, end)
            .or_else(|| any_before(&self.nouns, answer, end))
            .or_else(|| any_before(&self.skip, answer, end))
    }

    fn stated(&self, answer: &Answer<'_>, found: BTreeSet<usize>) -> Vec<Stated> {
        let mut out = Vec::new();
        for index in found {
            let Some((value, joined)) = self.value(answer, index) else {
                continue;
            };
            let least = joined.unwrap_or(value).max(value);
            if self.min_value.is_some_and(|min| least < min) {
                continue;
            }
            out.push(Stated {
                value,
                joined,
                range: self.range(answer, index),
                tone: match tone(answer, index) {
                    // How another script goes on is not known: that it is not the key says nothing.
                    Tone::Plain if answer.is_unspaced(index) => Tone::Loose,
                    tone => tone,
                },
                at: index,
            });
        }
        out
    }
}

/// Whether nothing follows a value in its clause, or the end of its brackets.
fn closes(answer: &Answer<'_>, value: usize) -> bool {
    let next = value + 1;
    answer.clause(next) != answer.clause(value)
        || matches!(answer.word(next), ")" | "." | "!" | "?" | ";")
        || answer.word(next).eq_ignore_ascii_case("or")
}
