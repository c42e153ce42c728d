//! Frames: words that put what follows them forward without asserting it.
//!
//! `I expect the tests to pass`, `the gate demands that lint passes`, `there is no evidence that …`: the
//! statement stands in the sentence, and nobody makes it. A frame reaches from its word to the end of
//! the clause, as a negation does.

use core::ops::Range;

use super::lexicon::{is_base_verb, past_act};
use super::prose::Prose;

/// The first word of `words` from which on nothing is asserted.
pub(crate) fn posed(prose: &Prose<'_>, words: &Range<usize>) -> Option<usize> {
    let frame = Frame { prose, words };
    words.clone().find_map(|at| frame.opens(at))
}

struct Frame<'a, 'p> {
    prose: &'a Prose<'p>,
    words: &'a Range<usize>,
}

impl Frame<'_, '_> {
    fn form(&self, at: usize) -> &str {
        if self.words.contains(&at) {
            self.prose.form(at)
        } else {
            ""
        }
    }

    fn back(&self, at: usize, n: usize) -> &str {
        at.checked_sub(n).map_or("", |at| self.form(at))
    }

    /// Where the frame that the word at `at` opens begins to reach.
    fn opens(&self, at: usize) -> Option<usize> {
        let (form, next) = (self.form(at), self.form(at + 1));
        let that = next == "that";
        let opens = match form {
            // `Not checked: that lint passes`.
            "that" => {
                (at == self.words.start
                    || (at == self.words.start + 1 && self.back(at, 1) == "and"))
                    && self.whole_statement(at + 1)
            }
            "whether" | "suppose" | "supposing" | "assuming" | "providing" | "until" => true,
            "expect" | "expects" | "hope" | "hopes" | "hoping" | "expecting" | "believe"
            | "believes" | "think" | "thinks" | "assume" | "assumes" | "suspect" | "suspects"
            | "imagine" | "anticipate" | "reckon" | "doubt" => !next.is_empty(),
            "expected" => next == "to" || self.subject_to_verb(at + 1),
            "supposed" | "meant" | "yet" => next == "to",
            // `The script checks that the tests pass` tells what it is for.
            "checks" | "ensures" if that => true,
            "demands" | "demand" | "requires" | "require" | "required" | "asks" | "asked"
            | "insists" | "promises" | "guarantees" | "wants" => {
                that || self.whole_statement(at + 1)
            }
            "need" | "needs" | "want" => self.subject_to_verb(at + 1),
            "get" | "getting" | "see" | "seeing" | "make" | "making" | "have" | "let" => {
                self.is_aimed(at) && (that || self.subject_to_verb(at + 1))
            }
            "sure" | "certain" => !matches!(self.back(at, 1), "made") && !next.is_empty(),
            "check" | "checks" | "verify" | "verifies" | "confirm" | "confirms" | "ensure"
            | "ensures" | "validate" | "establish" | "determine" | "know" | "say" | "claim"
            | "tell" | "call" | "prove" | "show" | "suggest" | "assert" => {
                (that || self.whole_statement(at + 1)) && self.is_aimed(at)
            }
            "means" => {
                at > self.words.start
                    && !matches!(
                        self.form(self.words.start),
                        "this" | "that" | "which" | "it"
                    )
            }
            "long" => self.back(at, 1) == "as" && next == "as" || self.back(at, 1) == "so",
            "time" | "moment" => {
                matches!(self.back(at, 1), "each" | "every" | "the") && self.whole_statement(at + 1)
            }
            // `I take back that …`
            "back" => that && matches!(self.back(at, 1), "take" | "took" | "taking"),
            "event" => self.back(at, 1) == "the" && that,
            "case" => self.back(at, 1) == "in",
            "enough" | "certainty" => that,
            "only" => matches!(next, "if" | "when" | "after" | "once"),
            _ => is_aim(form) && self.introduces(at),
        };
        opens.then_some(at + 1)
    }

    /// A noun for an aim or a doubt with its content: `the goal is that …`, `a chance that …`.
    fn introduces(&self, at: usize) -> bool {
        (1..=3).any(|n| self.form(at + n) == "that")
            || (self.form(at + 1) == "is" && matches!(self.form(at + 2), "to" | "that"))
    }

    /// The verb at `at` stands for an aim, an order, a doubt or an ability, and not for a deed.
    fn is_aimed(&self, at: usize) -> bool {
        if at == self.words.start {
            return true;
        }
        let gerund = self.form(at).ends_with("ing");
        let before = |n: usize| self.back(at, n);
        let past = (1..=4).any(|n| past_act(before(n)).is_some());
        (gerund && !past)
            || matches!(
                before(1),
                "to" | "will"
                    | "i'll"
                    | "can"
                    | "could"
                    | "cannot"
                    | "can't"
                    | "please"
                    | "should"
                    | "must"
                    | "would"
                    | "you"
                    | "not"
                    | "don't"
                    | "didn't"
                    | "never"
                    | "then"
                    | "next"
                    | "couldn't"
                    | "wouldn't"
                    | "or"
            )
            || (before(1) == "and" && !past && is_base_verb(self.form(at)))
    }

    /// `the tests to pass`, `every test green`: a subject, and a verb that it is to do.
    fn subject_to_verb(&self, from: usize) -> bool {
        let opens = is_quantified(self.form(from)) || is_check_noun(self.form(from));
        opens
            && (from + 1..self.words.end.min(from + 6)).any(|at| {
                self.form(at) == "to"
                    || matches!(
                        self.form(at),
                        "pass" | "succeed" | "green" | "clean" | "passing" | "build" | "compile"
                    )
            })
    }

    /// `the tests pass`: a subject with a verb of its own, where `that` has been left out.
    fn whole_statement(&self, from: usize) -> bool {
        let opens = is_quantified(self.form(from)) || is_check_noun(self.form(from));
        opens
            && (from + 1..self.words.end.min(from + 6)).any(|at| {
                matches!(
                    self.form(at),
                    "pass" | "passes" | "succeed" | "succeeds" | "is" | "are" | "builds" | "green"
                )
            })
    }
}

fn is_quantified(form: &str) -> bool {
    matches!(
        form,
        "the" | "all" | "every" | "each" | "any" | "both" | "everything" | "it" | "they" | "these"
    )
}

fn is_check_noun(form: &str) -> bool {
    matches!(
        form,
        "tests" | "lint" | "linting" | "ci" | "type" | "types" | "builds" | "checks" | "clippy"
    )
}

/// Nouns for what is wished, asked for or open.
fn is_aim(form: &str) -> bool {
    matches!(
        form,
        "goal"
            | "aim"
            | "hope"
            | "plan"
            | "chance"
            | "odds"
            | "evidence"
            | "proof"
            | "reason"
            | "rule"
            | "idea"
            | "assumption"
            | "expectation"
            | "requirement"
            | "condition"
            | "criterion"
            | "question"
            | "possibility"
            | "bet"
            | "wish"
            | "guess"
            | "sign"
            | "guarantee"
            | "statement"
            | "step"
            | "state"
            | "hypothesis"
            | "theory"
    )
}

/// Labels that put the rest of their sentence forward: `Acceptance: the tests pass`.
pub(crate) fn is_posing_label(prose: &Prose<'_>, words: &Range<usize>) -> bool {
    words.len() <= 5
        && words.clone().any(|at| {
            let next = if at + 1 < words.end {
                prose.form(at + 1)
            } else {
                ""
            };
            let undone = next.ends_with("ed") || matches!(next, "run" | "done" | "yet");
            let severity = words.len() == 1
                && matches!(prose.form(at), "medium" | "critical" | "minor" | "nit");
            // `Checklist: a.md` names a file, `Merge checklist: …` what has to hold.
            let listed = words.len() > 1 && prose.form(at) == "checklist";
            severity
                || listed
                || (matches!(prose.form(at), "not" | "never") && undone)
                || matches!(
                    prose.form(at),
                    "acceptance"
                        | "criteria"
                        | "criterion"
                        | "definition"
                        | "requirement"
                        | "requirements"
                        | "required"
                        | "rule"
                        | "goal"
                        | "aim"
                        | "todo"
                        | "do"
                        | "remaining"
                        | "open"
                        | "unverified"
                        | "untested"
                        | "unchecked"
                        | "unconfirmed"
                        | "expected"
                        | "expectation"
                        | "conditions"
                        | "precondition"
                        | "prerequisite"
                        | "gate"
                        | "policy"
                        | "example"
                        | "draft"
                        | "title"
                        | "subject"
                        | "proposal"
                        | "suggestion"
                        | "suggested"
                        | "suppose"
                        | "pending"
                )
        })
}

/// A short clause without a verb in front of a statement: `In theory, …`, `Per the README, …`.
pub(crate) fn is_lead(prose: &Prose<'_>, words: &Range<usize>) -> bool {
    words.len() <= 7
        && !words.clone().any(|at| {
            let form = prose.form(at);
            past_act(form).is_some()
                || matches!(
                    form,
                    "is" | "are"
                        | "was"
                        | "were"
                        | "has"
                        | "have"
                        | "pass"
                        | "passes"
                        | "passed"
                        | "do"
                        | "does"
                        | "did"
                )
        })
}
