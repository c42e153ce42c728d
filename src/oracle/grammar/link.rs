//! What is offered beside a value: alternatives, ranges, and the whole that it is a part of.

use std::collections::BTreeSet;

use super::Answer;
use super::label::{Asking, FILLERS, is_one_of};
use super::share::Around;
use super::single::Stated;

/// Words behind a number that make it a sum, and words before one that say what there is in all.
const IN_ALL: [&str; 4] = ["altogether", "combined", "overall", "total"];
const HOLDS: [&str; 9] = [
    "contains",
    "holds",
    "makes",
    "making",
    "now",
    "total",
    "totaling",
    "totalling",
    "totals",
];

/// Numbers of one clause that are tried as parts of a sum.
const PARTS: usize = 12;

impl Asking {
    /// Whether values that are not the key may be parts of it: with numbers beside them they come to it, or the answer tells
    /// it elsewhere as what there is in all.
    pub(crate) fn adds_up(&self, answer: &Answer<'_>, stated: &[Stated], key: i128) -> bool {
        answer.step(answer.len());
        stated.iter().any(|own| self.sums_to(answer, own.at, key))
            || (0..answer.len()).any(|at| self.is_in_all(answer, at, key))
    }

    /// Whether a run of numbers of a clause, of which one is this, comes to the key.
    fn sums_to(&self, answer: &Answer<'_>, value: usize, key: i128) -> bool {
        let Some(clause) = answer.clause(value) else {
            return false;
        };
        let tokens = answer.clause_tokens(clause);
        let near = tokens.start.max(value.saturating_sub(64))..tokens.end.min(value + 64);
        answer.step(near.len());
        let parts = near.filter(|at| !answer.is_cited(*at)).filter_map(|at| {
            let (own, _) = self.value(answer, at)?;
            (own != key && own >= 0).then_some((at, own))
        });
        let parts: Vec<(usize, i128)> = parts.take(2 * PARTS).collect();
        let own = parts.iter().position(|(at, _)| *at == value);
        let Some(own) = own.filter(|own| *own < PARTS) else {
            return false;
        };
        (0..=own).any(|from| {
            let mut sum = 0_i128;
            let run = parts.iter().enumerate().skip(from).take(PARTS);
            run.into_iter().any(|(at, (_, part))| {
                sum = sum.saturating_add(*part);
                at > from && at >= own && sum == key
            })
        })
    }

    /// `12 in all`, `the suite now holds 12`.
    fn is_in_all(&self, answer: &Answer<'_>, at: usize, key: i128) -> bool {
        let is_key = self
            .value(answer, at)
            .is_some_and(|(value, _)| value == key);
        if !is_key || answer.is_cited(at) || self.is_foreign(answer, at) && !self.counts(answer, at)
        {
            return false;
        }
        let word = |own: Option<usize>| match own {
            Some(own) if self.same_clause(answer, own, at) => answer.word(own),
            _ => "",
        };
        let (next, then) = (word(Some(at + 1)), word(Some(at + 2)));
        let (before, first) = (word(at.checked_sub(1)), word(at.checked_sub(2)));
        let alone = !next.starts_with(char::is_alphabetic);
        let now = is_one_of(&["are", "has", "have", "is"], before) && is_one_of(&["now"], first);
        let told = matches!(before, ":" | "=") && is_one_of(&IN_ALL, first);
        next.eq_ignore_ascii_case("in") && is_one_of(&["all", "total"], then)
            || is_one_of(&IN_ALL, next)
            || alone && (now || told || is_one_of(&HOLDS, before))
    }

    /// Whether a word of sums follows a value.
    fn counts(&self, answer: &Answer<'_>, at: usize) -> bool {
        is_one_of(&IN_ALL, answer.word(at + 1))
    }

    /// The range that a value is an end of, from its lesser end.
    pub(super) fn range(&self, answer: &Answer<'_>, at: usize) -> Option<(i128, i128)> {
        let value = |at: usize| self.value(answer, at).map(|(value, _)| value);
        let other = if self.is_range(answer, at + 1) {
            value(at + 2)
        } else if at >= 2 && self.is_range(answer, at - 1) {
            value(at - 2)
        } else {
            None
        };
        let (own, other) = (value(at)?, other?);
        Some((own.min(other), own.max(other)))
    }

    /// Adds the alternatives to a value, on both sides, and theirs.
    pub(super) fn link(&self, answer: &Answer<'_>, value: usize, found: &mut BTreeSet<usize>) {
        let mut work = vec![value];
        // A longer chain of alternatives is a hedge as well as this one.
        for _ in 0..8 {
            answer.step(1);
            let Some(value) = work.pop() else { break };
            let around = Around {
                answer,
                index: value,
            };
            let is_value = |at: usize| self.is_value(answer, at);
            // `8 of 9 headings`: which of the two is the count is open.
            let sides = [
                self.alternative_after(answer, value),
                self.alternative_before(answer, value),
                around.part(&is_value),
            ];
            for other in sides.into_iter().flatten() {
                if found.insert(other) {
                    work.push(other);
                }
            }
        }
    }

    fn marks_alternative(&self, answer: &Answer<'_>, at: usize) -> bool {
        let word = answer.word(at);
        is_one_of(&["or", "vs", "versus", "alternatively"], word)
            || matches!(word, "/" | "→" | "±")
            // `6 -> 7`.
            || word == ">" && at > 0 && answer.word(at - 1) == "-"
            || self.is_range(answer, at)
    }

    /// `9-10`, `9 to 10`, `between 9 and 10`.
    fn is_range(&self, answer: &Answer<'_>, at: usize) -> bool {
        let word = answer.word(at);
        let (start, end) = answer.range(at);
        let Some(before) = at.checked_sub(1) else {
            return false;
        };
        let values = self.is_value(answer, before) && self.is_value(answer, at + 1);
        let touching = answer.range(before).1 == start && answer.range(at + 1).0 == end;
        values
            && match word {
                "-" => touching,
                "to" => true,
                "and" => before > 0 && answer.word(before - 1).eq_ignore_ascii_case("between"),
                _ => false,
            }
    }

    fn alternative_after(&self, answer: &Answer<'_>, value: usize) -> Option<usize> {
        let mut at = value + 1;
        let mut marker = None;
        for _ in 0..8 {
            answer.step(1);
            if !self.same_clause(answer, value, at) {
                return None;
            }
            if self.marks_alternative(answer, at) {
                marker = Some(at);
                break;
            }
            let word = answer.word(at);
            let stop = word == "," && !is_one_of(&["or"], answer.word(at + 1));
            if stop || self.is_value(answer, at) {
                return None;
            }
            at += 1;
        }
        at = marker? + 1;
        for _ in 0..6 {
            answer.step(1);
            if !self.same_clause(answer, value, at) {
                return None;
            }
            if self.is_value(answer, at) {
                // The ends of a range are of one thing.
                let range = at == value + 2 && self.is_range(answer, value + 1);
                return (range || !self.is_foreign(answer, at)).then_some(at);
            }
            at = self.filler(answer, at)?;
        }
        None
    }

    fn filler(&self, answer: &Answer<'_>, at: usize) -> Option<usize> {
        let word = answer.word(at);
        if matches!(word, "(" | ")" | "\"" | "'" | "~" | ":" | "=") || is_one_of(&FILLERS, word) {
            return Some(at + 1);
        }
        self.own(answer, at)
    }

    fn alternative_before(&self, answer: &Answer<'_>, value: usize) -> Option<usize> {
        let mut at = value.checked_sub(1)?;
        for _ in 0..6 {
            answer.step(1);
            if !self.same_clause(answer, value, at) || self.is_value(answer, at) {
                return None;
            }
            if self.marks_alternative(answer, at) {
                break;
            }
            let start = self.own_before(answer, at + 1);
            at = match start {
                Some(start) => start.checked_sub(1)?,
                None if self.filler(answer, at).is_some() => at.checked_sub(1)?,
                None => return None,
            };
        }
        if !self.marks_alternative(answer, at) {
            return None;
        }
        for _ in 0..8 {
            answer.step(1);
            at = at.checked_sub(1)?;
            if !self.same_clause(answer, value, at) {
                return None;
            }
            if self.is_value(answer, at) {
                return (!self.is_foreign(answer, at)).then_some(at);
            }
        }
        None
    }
}
