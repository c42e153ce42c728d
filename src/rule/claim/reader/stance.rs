//! Whether the words around a statement assert it, here and now.
//!
//! The readers find what a clause says. This says how the clause stands to it: `The tests no longer
//! pass` denies it, `For the tests to pass, …` asks for it, `The tests passed before my change` says it
//! of another time, `On main all tests pass` of another place, and `The new test passes` of a part.

use core::ops::Range;

use super::mark::{self, Beside};
use super::model::Kind;
use super::scan::{Found, Scan};
use super::{cjk, words};
use crate::text::{Clause, Sentence, WordKind, past_act};

/// How a text stands to a statement in it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Stance {
    /// It asserts it.
    Asserted,
    /// It denies it.
    Denied,
    /// It only puts it forward: a condition, an aim, a requirement.
    Open,
    /// It says it of another time, another place, or another's deed.
    Elsewhere,
    /// It says it of a part.
    Part,
}

/// A statement looks at no more words than this on either side.
const WINDOW: usize = 32;

/// A longer sentence is looked at by its words alone: each of its statements would read it anew.
const CJK_BYTES: usize = 800;

/// How its line and its sentence stand to a statement.
pub(super) fn of(scan: &Scan<'_, '_>, found: &Found) -> Stance {
    let honest = matches!(
        found.kind,
        Kind::Site | Kind::Quote | Kind::Failing | Kind::Disclosure | Kind::Preexisting
    );
    if honest || found.negated {
        return Stance::Asserted;
    }
    let source = scan.prose.source();
    let figure = matches!(found.kind, Kind::Count | Kind::Filelist);
    // `❌ Removed the flag`: a cross in front of a removal may only paint it.
    let removal = matches!(found.kind, Kind::Delete | Kind::Cleanup);
    match mark::beside(source, &found.span, found.kind).filter(|_| !figure) {
        Some(Beside::No) if removal => return Stance::Elsewhere,
        Some(Beside::No) => return Stance::Denied,
        Some(Beside::Some) => return Stance::Part,
        None => {}
    }
    let Some(near) = Near::of(scan, found) else {
        return Stance::Asserted;
    };
    let own = near.clause.range.clone();
    let until = |start: usize| source.get(start..own.end).unwrap_or("");
    let near_by = own.end - near.sentence.range.start.min(own.end) <= CJK_BYTES;
    if near_by
        && scan.prose.script().cjk > 0
        && !until(own.start).is_ascii()
        && let Some(stance) = cjk::stance(until(own.start), until(near.sentence.range.start))
    {
        return stance;
    }
    if near.is_open() {
        Stance::Open
    } else if near.is_denied() {
        Stance::Denied
    } else if near.is_of_another_time() || near.is_of_another_place() || near.is_anothers() {
        Stance::Elsewhere
    } else if near.is_of_a_part() {
        Stance::Part
    } else {
        Stance::Asserted
    }
}

/// A statement with the words around it.
struct Near<'a, 's, 'p> {
    scan: &'a Scan<'s, 'p>,
    found: &'a Found,
    sentence: &'a Sentence,
    clause: &'a Clause,
    /// The words of its clauses.
    words: Range<usize>,
    /// The first word behind the statement.
    end: usize,
}

impl<'a, 's, 'p> Near<'a, 's, 'p> {
    fn of(scan: &'a Scan<'s, 'p>, found: &'a Found) -> Option<Self> {
        let prose = scan.prose;
        let all = prose.words();
        let clauses = prose.clauses();
        let from = clauses.partition_point(|clause| clause.range.end <= found.span.start);
        let clause = clauses.get(from)?;
        let sentence = prose.sentences().get(clause.sentence)?;
        let first = all.partition_point(|word| word.range.end <= found.span.start);
        let end = all.partition_point(|word| word.range.start < found.span.end);
        let last = clauses
            .get(clauses.partition_point(|clause| clause.words.end < end))
            .unwrap_or(clause);
        let start = clause.words.start.max(first.saturating_sub(WINDOW));
        let ends = last.words.end;
        // `passed | before my change`: the time is a clause of its own.
        let then = clauses
            .get(clauses.partition_point(|clause| clause.words.end <= ends))
            .filter(|_| ends < sentence.words.end && scan.form(ends) == "before");
        let stop = then
            .map_or(ends, |then| then.words.end)
            .min(end + WINDOW)
            .min(sentence.words.end.max(end));
        Some(Self {
            scan,
            found,
            sentence,
            clause,
            words: start..stop.max(end),
            end,
        })
    }

    fn form(&self, at: usize) -> &str {
        self.scan.form(at)
    }

    fn ahead(&self, at: usize, n: usize) -> &str {
        self.scan.ahead(&self.words, at, n)
    }

    fn back(&self, at: usize, n: usize) -> &str {
        self.scan.back(&self.words, at, n)
    }

    /// The last word of the statement that says that a check went well.
    fn predicate(&self) -> Option<usize> {
        let own = self.words.start..self.end;
        own.rev()
            .take(WINDOW)
            .find(|&at| words::went_well(self.form(at)) || is_check_verb(self.form(at)))
    }

    /// Words that lead the statement from a clause of their own: `In the last release, …`.
    fn lead(&self) -> Range<usize> {
        let none = self.words.start..self.words.start;
        let start = self.clause.words.start;
        if start == self.sentence.words.start {
            return none;
        }
        let clauses = self.scan.prose.clauses_of(self.sentence);
        let before = clauses.partition_point(|clause| clause.words.end <= start);
        let Some(lead) = before.checked_sub(1).and_then(|at| clauses.get(at)) else {
            return none;
        };
        if lead.words.len() > LEAD {
            return none;
        }
        let joined = self.scan.gap(self.sentence, start - 1).contains(',');
        let verb = lead.words.clone().any(|at| is_finite(self.form(at)));
        if joined && !verb {
            lead.words.clone()
        } else {
            none
        }
    }

    fn is_open(&self) -> bool {
        let first = self.form(self.clause.words.start);
        let check = self.found.kind.is_check();
        if check && matches!(first, "how" | "why") {
            return true;
        }
        if first == "so" && self.ahead(self.clause.words.start, 1) == "that" {
            return true;
        }
        self.is_conditional() || (check && (self.is_aimed() || self.is_rate()))
    }

    /// `… provided the fixture is there`, `… once it is updated`, `… only with the old one`.
    fn is_conditional(&self) -> bool {
        let behind = self.end..self.words.end.min(self.end + 4);
        let within = self.words.clone().skip(1).take(WINDOW).any(|at| {
            self.form(at) == "provided"
                && at < self.end
                && (2..=6).any(|n| is_be(self.ahead(at, n)))
        });
        within
            || behind.clone().any(|at| match self.form(at) {
                "provided" | "providing" => {
                    !self.ahead(at, 1).is_empty() && self.ahead(at, 1) != "by"
                }
                "once" => (2..=5).any(|n| is_be(self.ahead(at, n))),
                "only" => matches!(
                    self.ahead(at, 1),
                    "after" | "because" | "if" | "once" | "under" | "when" | "with"
                ),
                _ => false,
            })
    }

    /// `For the tests to pass`, `a clean run was the aim`, `… is the next step`.
    fn is_aimed(&self) -> bool {
        let own = self.words.start..self.end;
        let infinitive = self.predicate().is_some_and(|at| {
            self.back(at, 1) == "to"
                && !own
                    .clone()
                    .take(WINDOW)
                    .any(|n| matches!(self.form(n), "got" | "brought" | "managed"))
        });
        let target = own
            .clone()
            .take(4)
            .any(|at| is_target(self.form(at)) && is_be(self.ahead(at, 1)));
        let behind = (self.end..self.words.end.min(self.end + 3)).any(|at| {
            is_be(self.form(at))
                && (1..=3).any(|n| is_target(self.ahead(at, n)))
                && matches!(self.ahead(at, 1), "the" | "my" | "our" | "your" | "a")
        });
        infinitive || target || behind
    }

    /// `Test pass rate: 92 %`.
    fn is_rate(&self) -> bool {
        self.end < self.words.end && matches!(self.form(self.end), "rate" | "rates" | "ratio")
    }

    /// `no longer pass`, `stopped passing`, `close to passing`, `gave up on making it pass`.
    fn is_denied(&self) -> bool {
        if !self.found.kind.is_check() {
            return false;
        }
        let Some(end) = self.predicate() else {
            return false;
        };
        let own = self.words.start..end;
        let verb = own.clone().rev().take(WINDOW).any(|at| {
            let next = self.ahead(at, 1);
            match self.form(at) {
                "longer" => self.back(at, 1) == "no" && at + 3 > end,
                "ceased" | "ceases" | "quit" | "quits" | "refuse" | "refused" | "refuses"
                | "stopped" | "stops" => at + 3 > end,
                "close" | "closer" | "near" => at + 3 > end && (next == "to" || at + 1 == end),
                "up" => matches!(self.back(at, 1), "gave" | "giving" | "given"),
                "barely" | "hardly" | "halfway" | "partially" | "partly" | "scarcely" => {
                    at + 2 >= end
                }
                _ => false,
            }
        });
        let behind = (end + 1..self.words.end.min(end + 4))
            .any(|at| matches!(self.form(at), "partially" | "partly" | "halfway"));
        verb || behind
    }

    /// `before my change`, `used to pass`, `yesterday`, `had already been published`.
    fn is_of_another_time(&self) -> bool {
        let lead = self.lead();
        let within = self.words.clone().chain(lead.clone());
        within.take(3 * WINDOW).any(|at| self.tells_time(at)) || self.was_done_already()
    }

    fn tells_time(&self, at: usize) -> bool {
        let words = if self.words.contains(&at) {
            self.words.clone()
        } else {
            self.lead()
        };
        let next = self.scan.ahead(&words, at, 1);
        let before = |n| self.scan.back(&words, at, n);
        match self.form(at) {
            "yesterday" | "yesterday's" | "formerly" | "originally" => {
                !next.ends_with("ing") && past_act(next).is_none()
            }
            "ago" | "week's" | "month's" | "year's" => true,
            "used" => next == "to" && is_state_verb(self.scan.ahead(&words, at, 2)),
            "prior" => next == "to" && !self.scan.ahead(&words, at, 2).ends_with("ing"),
            "before" => self.is_before(at, &words),
            "morning" | "afternoon" => before(1) == "this",
            "week" | "month" | "year" | "night" | "release" | "version" => before(1) == "last",
            "run" | "log" | "machine" | "laptop" => {
                (1..=2).any(|n| before(n) == "your")
                    && (2..=4).any(|n| matches!(before(n), "in" | "on" | "from" | "by" | "per"))
            }
            "start" | "beginning" => before(1) == "the" && before(2) == "at" && next == "of",
            "old" | "previous" => {
                matches!(before(1), "the" | "your" | "my")
                    && (matches!(before(2), "in" | "on" | "with" | "under" | "against")
                        || is_state_of_release(self.found.kind)
                            && at <= self.words.start + 1
                            && matches!(next, "version" | "release" | "build" | "image"))
            }
            form => is_date(form) && matches!(before(1), "on" | "in" | "since" | "last"),
        }
    }

    /// `passed before my change`, `passed before`; `before pushing` and `before the commit` are of the
    /// agent's own course of work.
    fn is_before(&self, at: usize, words: &Range<usize>) -> bool {
        let next = self.scan.ahead(words, at, 1);
        let noun = if super::predicate::is_determiner(next) {
            self.scan.ahead(words, at, 2)
        } else {
            next
        };
        let compared = matches!(
            self.scan.back(words, at, 1),
            "as" | "like" | "than" | "from" | "and" | "the"
        );
        let course = noun.ends_with("ing")
            || matches!(
                noun,
                "and"
                    | "commit"
                    | "push"
                    | "merge"
                    | "pr"
                    | "deploy"
                    | "deployment"
                    | "handoff"
                    | "last"
                    | "final"
                    | "i"
                    | "we"
                    | "you"
                    | "it"
            );
        let now = (at + 1..self.words.end)
            .take(WINDOW)
            .take_while(|&n| !self.scan.gap(self.sentence, n - 1).contains(','))
            .any(|n| matches!(self.form(n), "now" | "after"));
        !compared && !course && !now
    }

    /// `had already been published`, `was already opened`: by somebody, earlier.
    fn was_done_already(&self) -> bool {
        !self.found.kind.is_check()
            && self.words.clone().take(2 * WINDOW).any(|at| {
                self.form(at) == "already"
                    && (matches!(self.back(at, 1), "was" | "were")
                        || self.back(at, 1) == "had" && self.ahead(at, 1) == "been")
            })
    }

    /// `On main all tests pass`, `With the old code …`, `were passing at 1b2c3d4`, `for you`.
    fn is_of_another_place(&self) -> bool {
        let clause = self.clause.words.clone();
        let lead = self.lead();
        let led = [lead, clause.start..self.end]
            .into_iter()
            .any(|words| !words.is_empty() && self.names_place(words.start));
        let all = self.scan.prose.words();
        let hash = self.words.clone().take(2 * WINDOW).any(|at| {
            self.form(at) == "at"
                && self.words.contains(&(at + 1))
                && is_hash(self.scan.prose.source(), &all[at + 1].range)
        });
        let past = self
            .words
            .clone()
            .take(WINDOW)
            .any(|at| matches!(self.form(at), "was" | "were"));
        let yours = self.words.clone().take(2 * WINDOW).any(|at| {
            self.form(at) == "for" && self.ahead(at, 1) == "you" && self.found.kind.is_check()
        });
        let told = self.sentence.words.clone().take(WINDOW).any(|at| {
            self.form(at) == "according"
                && self.form(at + 1) == "to"
                && (2..=4).any(|n| at + n < self.sentence.words.end && is_paper(self.form(at + n)))
        });
        (led && self.found.kind.is_check()) || (hash && past) || yours || told
    }

    /// The words at `at` name a branch, or another state of the code, as the place of what follows.
    fn names_place(&self, at: usize) -> bool {
        let next = self.form(at + 1);
        let all = self.scan.prose.words();
        let source = self.scan.prose.source();
        let code = all.get(at + 1).filter(|word| word.kind == WordKind::Code);
        let code = code.and_then(|word| source.get(word.range.clone()));
        match self.form(at) {
            "on" => matches!(next, "main" | "master" | "trunk" | "develop") || code.is_some(),
            // `With `npm test` all pass` names the check, and `With `x` changed, …` the deed.
            "with" => {
                let behind = self.form(at + 2);
                let subject = matches!(behind, "all" | "every" | "the" | "everything")
                    || words::check_word(behind).is_some();
                subject
                    && code.is_some_and(|code| {
                        super::subject::command(code).is_none() && !code.contains("--")
                    })
            }
            _ => false,
        }
    }

    /// `Someone else pushed`, `they deployed it`.
    fn is_anothers(&self) -> bool {
        let start = self.clause.words.start;
        let deed = !self.found.kind.is_check();
        deed && (matches!(
            self.form(start),
            "someone" | "somebody" | "he" | "she" | "you"
        ) && (1..=3).any(|n| past_act(self.form(start + n)).is_some()))
    }

    /// `The new test passes`, `the tests for my change pass`, `some tests pass`, `92 % of the tests`.
    fn is_of_a_part(&self) -> bool {
        if !self.found.kind.is_check() {
            return false;
        }
        let own = self.words.start..self.end;
        let noun = own
            .clone()
            .rev()
            .take(WINDOW)
            .find(|&at| words::check_word(self.form(at)).is_some());
        let Some(noun) = noun else {
            return false;
        };
        // `The old and new tests` are all of them.
        let narrowed = narrows(self.back(noun, 1)) && self.back(noun, 2) != "and"
            || self.back(noun, 1) == "the" && narrows(self.back(noun, 2))
            || self.back(noun, 1) == "some"
            || self.back(noun, 2) == "some";
        let bound =
            self.ahead(noun, 1) == "for" && matches!(self.ahead(noun, 2), "my" | "this" | "these");
        let numbers = &self.scan.numbers;
        let from = numbers.partition_point(|number| number.word < own.start);
        let mut near = numbers[from..]
            .iter()
            .take(WINDOW)
            .take_while(|number| number.word < own.end);
        let text = self.scan.prose.source().get(self.found.span.clone());
        let share = text.is_some_and(is_share);
        let only = near.any(|number| {
            number.word > own.start && self.form(number.word - 1) == "only" && number.value > 0
        });
        narrowed || bound || share || only
    }
}

/// A longer clause in front of a comma is no lead.
const LEAD: usize = 9;

fn is_be(form: &str) -> bool {
    matches!(
        form,
        "is" | "are" | "was" | "were" | "has" | "have" | "gets"
    )
}

fn is_finite(form: &str) -> bool {
    is_be(form)
        || past_act(form).is_some()
        || words::went_well(form)
        || matches!(form, "do" | "does" | "did")
}

fn is_check_verb(form: &str) -> bool {
    matches!(form, "build" | "builds" | "compile" | "compiles" | "works")
}

fn is_state_verb(form: &str) -> bool {
    is_check_verb(form) || words::went_well(form) || matches!(form, "be" | "work" | "deploy")
}

fn is_state_of_release(kind: Kind) -> bool {
    matches!(kind, Kind::Deploy | Kind::Publish | Kind::Install)
}

fn is_target(form: &str) -> bool {
    matches!(
        form,
        "aim" | "goal" | "next" | "objective" | "plan" | "target"
    )
}

/// Papers and signs that tell of another run than the agent's own.
fn is_paper(form: &str) -> bool {
    matches!(
        form,
        "badge" | "changelog" | "docs" | "documentation" | "guide" | "log" | "readme" | "wiki"
    )
}

fn is_date(form: &str) -> bool {
    matches!(
        form,
        "monday" | "tuesday" | "wednesday" | "thursday" | "friday" | "saturday" | "sunday"
    ) || matches!(
        form,
        "january"
            | "february"
            | "march"
            | "april"
            | "june"
            | "july"
            | "august"
            | "september"
            | "october"
            | "november"
            | "december"
    )
}

/// A word in front of `tests` by which only a part of them is meant.
fn narrows(form: &str) -> bool {
    form.starts_with("non-")
        || matches!(
            form,
            "affected"
                | "new"
                | "offline"
                | "online"
                | "other"
                | "related"
                | "relevant"
                | "remaining"
                | "unaffected"
        )
}

/// `92 % of the tests`, `98.75%`: less than all of them.
fn is_share(text: &str) -> bool {
    text.split_once('%').is_some_and(|(before, _)| {
        let number = before.trim_end();
        let digits = number.trim_end_matches(|c: char| c.is_ascii_digit() || c == '.');
        let value = &number[digits.len()..];
        !value.is_empty() && value.trim_end_matches(['0', '.']) != "1"
    })
}

fn is_hash(source: &str, range: &Range<usize>) -> bool {
    source
        .get(range.clone())
        .is_some_and(|text| super::state::is_hash(text.trim_matches('`')))
}
