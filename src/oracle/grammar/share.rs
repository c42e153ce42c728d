//! Parts of a whole: `12 of the 14 tests`, and what leaves open how much of a number is meant:
//! `none of the 14`, `not all 14`.

use super::Answer;
use super::label::is_one_of;
use super::tone::is_number_word;

/// Words that may stand between `of` and the whole.
const DETERMINERS: [&str; 10] = [
    "all", "its", "my", "our", "the", "their", "these", "those", "total", "your",
];

/// Words that may stand between a part and its `of`: `12 passed of 14`.
const DONE: [&str; 8] = [
    "done",
    "failed",
    "failing",
    "green",
    "passed",
    "passing",
    "red",
    "succeeded",
];

/// How much of a whole is meant, where that is no number.
const AMOUNTS: [&str; 16] = [
    "any", "bulk", "few", "fraction", "half", "majority", "many", "minority", "most", "none",
    "part", "percent", "quarter", "several", "some", "third",
];

/// Words before `all` that leave less than all.
pub(super) const SHORT_OF_ALL: [&str; 7] = [
    "almost",
    "barely",
    "hardly",
    "nearly",
    "not",
    "practically",
    "virtually",
];

/// Words before a part that is what is left out: `all but 2 of the 14`.
const LEFT_OUT: [&str; 4] = ["but", "except", "excluding", "minus"];

/// What is read of an answer around one of its integers.
pub(super) struct Around<'a, 'b> {
    pub(super) answer: &'a Answer<'b>,
    pub(super) index: usize,
}

impl Around<'_, '_> {
    /// A word of the integer's own clause.
    fn word(&self, at: usize) -> &str {
        match self.answer.clause(at) == self.answer.clause(self.index) {
            true => self.answer.word(at),
            false => "",
        }
    }

    fn is(&self, at: Option<usize>, words: &[&str]) -> bool {
        at.is_some_and(|at| is_one_of(words, self.word(at)))
    }

    /// Where the determiners before the integer begin.
    fn determined(&self) -> usize {
        let mut at = self.index;
        for _ in 0..3 {
            self.answer.step(1);
            if !self.is(at.checked_sub(1), &DETERMINERS) {
                break;
            }
            at -= 1;
        }
        at
    }

    /// The token before the `of` or `out of` that the integer, as a whole, stands behind.
    pub(super) fn before_of(&self) -> Option<usize> {
        let of = self.determined().checked_sub(1)?;
        if !self.is(Some(of), &["of"]) {
            return None;
        }
        let before = of.checked_sub(1)?;
        match self.is(Some(before), &["out"]) {
            true => before.checked_sub(1),
            false => Some(before),
        }
    }

    /// The part that the integer is the whole of.
    pub(super) fn part(&self, is_value: &dyn Fn(usize) -> bool) -> Option<usize> {
        let before = self.before_of()?;
        let part = match self.is(Some(before), &DONE) {
            true => before.checked_sub(1)?,
            false => before,
        };
        let near = self.answer.clause(part) == self.answer.clause(self.index);
        (near && is_value(part)).then_some(part)
    }

    /// Whether less than the integer is meant, or nobody can say how much of it.
    pub(super) fn is_open(&self) -> bool {
        let start = self.determined();
        let before = start.checked_sub(1);
        let all = (start..self.index).any(|at| self.is(Some(at), &["all"]));
        // `No, not all 14 pass`, and `didn't all 14 pass`.
        if all && (self.is(before, &SHORT_OF_ALL) || self.is(before, &["t"])) {
            return true;
        }
        if self.is(before, &["half"]) {
            return true;
        }
        let Some(part) = self.before_of() else {
            return false;
        };
        let left_out = || self.is(part.checked_sub(1), &LEFT_OUT);
        self.is(Some(part), &AMOUNTS)
            || self.word(part) == "%"
            || is_number_word(self.word(part))
            || left_out()
    }
}
