//! Checks that went well or badly: `Tests pass`, `lint: ✓`, `` `npm test` (all pass) ``, `0 issues`.
//!
//! Subjects wait for a predicate within their sentence, so that `should all pass now, and they do`
//! finds its own, and `all tests and linting pass` states two checks.

use core::ops::Range;

use super::model::{Kind, Reporter};
use super::outcome::{Outcome, about, among, predicate};
use super::scan::{Scan, is_item};
use super::section::{Mode, reporter};
use super::subject::subject;
use super::words;
use crate::text::{BlockKind, Clause, Cue, Sentence, WordKind};

/// A check that is named and not yet judged.
#[derive(Debug, Clone, Copy)]
pub(super) struct Subject {
    pub(super) kind: Kind,
    pub(super) word: usize,
    /// `everything`, `all`, `checks`: gives way to any check that is named.
    pub(super) vague: bool,
}

/// What a sentence has named and judged so far.
#[derive(Default)]
pub(super) struct State {
    pub(super) waiting: Vec<Subject>,
    /// The subjects have their predicate; only a pronoun takes them up again.
    pub(super) judged: bool,
    /// The sentence, or its label, is about checks that went well.
    listed: bool,
    /// The waiting subjects stand in a clause that is denied or sets them aside: a check that is named
    /// in another clause has a predicate of its own.
    aside: bool,
    reported: Option<Reporter>,
}

impl State {
    /// Takes up a check that is named.
    fn take(&mut self, subject: Subject) {
        if self.judged || self.aside {
            self.waiting.clear();
            self.judged = false;
            self.aside = false;
        }
        if !subject.vague {
            self.waiting.retain(|s| !s.vague);
        }
        let known = self.waiting.iter().any(|s| s.kind == subject.kind);
        if !known && self.waiting.len() < MANY {
            self.waiting.push(subject);
        }
    }

    /// The check is named by its predicate.
    fn put(&mut self, kind: Kind, word: usize) {
        self.waiting.clear();
        self.waiting.push(Subject {
            kind,
            word,
            vague: false,
        });
    }
}

/// A clause that lists more subjects than this is no statement.
const MANY: usize = 12;

/// Reads the checks of one sentence.
pub(super) fn read(scan: &mut Scan<'_, '_>, index: usize) {
    let prose = scan.prose;
    let sentence = &prose.sentences()[index];
    let lists = is_item(sentence);
    let mut state = State {
        listed: lists && scan.section(index).mode == Mode::Check,
        ..State::default()
    };
    let heading = scan.is_title(sentence);
    for clause in prose.clauses_of(sentence) {
        // `The badge turns green when lint passes` tells a rule.
        let moot = scan.is_moot(sentence, clause) || clause.cues.has(Cue::Trailing);
        state.reported = if clause.cues.has(Cue::Reported) || names_ci(scan, clause) {
            reporter(prose, &clause.words)
        } else {
            state.reported
        };
        read_clause(scan, index, clause, moot, &mut state);
        state.aside |= sets_aside(scan, clause);
        state.listed |= !moot && proved_with(scan, clause);
        if label(scan, sentence, clause) && !moot {
            state.listed = true;
            state.waiting.clear();
        }
    }
    // Below `Testing` a check without a result, and not as a command, may be a plan.
    let proved = !scan.section(index).topic
        || scan.section(index).mode != Mode::Check
        || state
            .waiting
            .iter()
            .any(|subject| prose.words()[subject.word].kind == WordKind::Code);
    if state.listed && proved && !state.judged && !heading && !scan.leads(index) {
        let words = sentence.words.clone();
        let negated = prose.clauses_of(sentence).iter().any(|clause| {
            scan.is_moot(sentence, clause)
                || clause.negator.is_some()
                || clause.posed.is_some()
                || clause.cues.any(super::scan::MOOT)
                || super::state::undone(scan, clause)
        });
        if !negated {
            judge(scan, index, &words, &mut state, None);
        }
    }
    own_up(scan, index);
}

/// `4 failed and 22 passed`, `0/7 tests pass`: a count that tells of a failure states no success.
fn own_up(scan: &mut Scan<'_, '_>, index: usize) {
    let source = scan.prose.source();
    let sentence = scan.prose.sentences()[index].range.clone();
    let from = scan.before.last().copied().unwrap_or(0);
    for found in scan.found[from..].iter_mut().take(16) {
        if found.kind != Kind::Tests {
            continue;
        }
        let text = source.get(found.span.clone()).unwrap_or("");
        let before = source.get(sentence.start..found.span.start).unwrap_or("");
        if tells_none(text) || tells_failed(text) && !before.contains("now") {
            found.kind = Kind::Failing;
        }
    }
}

/// `0/7`, `0 of 7`.
fn tells_none(text: &str) -> bool {
    let rest = text
        .strip_prefix("0/")
        .or_else(|| text.strip_prefix("0 of "))
        .map(|rest| rest.trim_start_matches("the "));
    rest.is_some_and(|rest| rest.starts_with(|c: char| ('1'..='9').contains(&c)))
}

/// `4 failed and 22 passed`: the figures, and no more.
fn tells_failed(text: &str) -> bool {
    let mut words = text.split(|c: char| c.is_whitespace() || matches!(c, ',' | '|'));
    let mut next = || {
        words
            .find(|word| !word.is_empty() && *word != "and")
            .unwrap_or("")
    };
    let number = |word: &str| word.parse::<u64>().is_ok_and(|value| value > 0);
    let (failed, verb) = (next(), next());
    let (passed, well) = (next(), next());
    number(failed) && verb == "failed" && number(passed) && well == "passed"
}

/// A clause that says what is not so (`I haven't run the linter`), that leaves something aside
/// (`Unlike the tests`), or that ends in a semicolon: what it names waits for no predicate of the next.
fn sets_aside(scan: &Scan<'_, '_>, clause: &Clause) -> bool {
    let words = &clause.words;
    let first = scan.form(words.start);
    let left = matches!(first, "unlike" | "leaving" | "besides")
        || matches!(first, "i'm" | "we're") && scan.ahead(words, words.start, 1) == "leaving";
    let own = clause.negator.is_some() && clause.cues.has(Cue::FirstPerson);
    let sentence = &scan.prose.sentences()[clause.sentence];
    let ended = scan.gap(sentence, words.end - 1).contains([';', '；']);
    left || own || ended || matches!(first, "no" | "neither")
}

fn names_ci(scan: &Scan<'_, '_>, clause: &Clause) -> bool {
    clause.words.clone().any(|at| scan.form(at) == "ci")
}

/// `Verification:` or `Checks:` in front of a list on the same line.
fn label(scan: &Scan<'_, '_>, sentence: &Sentence, clause: &Clause) -> bool {
    let last = clause.words.end - 1;
    clause.words.start == sentence.words.start
        && clause.words.len() <= 2
        && last + 1 < sentence.words.end
        && scan.gap(sentence, last).contains([':', '：'])
        && matches!(
            scan.form(last),
            "verification"
                | "validation"
                | "verified"
                | "checks"
                | "testing"
                | "passed"
                | "passing"
        )
}

/// `verified with `npm test` and Biome`: what follows is a list of checks that went well.
fn proved_with(scan: &Scan<'_, '_>, clause: &Clause) -> bool {
    clause.negator.is_none()
        && clause.words.clone().any(|at| {
            matches!(
                scan.form(at),
                "verified" | "validated" | "tested" | "checked"
            ) && matches!(
                scan.ahead(&clause.words, at, 1),
                "with" | "by" | "via" | "using"
            ) && !matches!(scan.back(&clause.words, at, 1), "be" | "to")
        })
}

fn read_clause(
    scan: &mut Scan<'_, '_>,
    index: usize,
    clause: &Clause,
    moot: bool,
    state: &mut State,
) {
    let prose = scan.prose;
    let sentence = &prose.sentences()[index];
    // `### Missing unit tests ✓` names a task that is done.
    let titled = scan.is_title(sentence)
        && matches!(
            scan.form(clause.words.start),
            "missing" | "item" | "add" | "fix"
        );
    for at in clause.words.clone() {
        if let Some(subject) = subject(scan, clause, at) {
            if leaves_behind(scan, clause, at) {
                state.aside = true;
            }
            state.take(subject);
        } else if resumes(scan, clause, at) {
            state.judged = false;
        }
        if moot || clause.poses(at) {
            continue;
        }
        apply(scan, index, clause, at, state);
        if !titled {
            marks(scan, index, clause, at, state);
        }
    }
}

/// `I'm leaving the failing test to you, and ruff …`, `Unlike mypy, ruff …`: what is left stands in front
/// of the word at `at`.
fn leaves_behind(scan: &Scan<'_, '_>, clause: &Clause, at: usize) -> bool {
    let words = &clause.words;
    let head = words.start..at.min(words.start + 8);
    let left = head
        .clone()
        .take(4)
        .any(|n| matches!(scan.form(n), "leaving" | "left" | "unlike"));
    let sentence = &scan.prose.sentences()[clause.sentence];
    let comma = || head.clone().any(|n| scan.gap(sentence, n).contains(','));
    let yours = || (1..=3).any(|n| scan.back(words, at, n) == "you");
    left && (yours() || scan.form(words.start) != "i'm" && comma())
}

/// Takes up what the word at `at` says of the waiting checks.
fn apply(scan: &mut Scan<'_, '_>, index: usize, clause: &Clause, at: usize, state: &mut State) {
    let sentence = &scan.prose.sentences()[index];
    let words = clause.words.start..at + 1;
    match predicate(scan, sentence, clause, at, state) {
        Some(Outcome::Well) => judge(scan, index, &words, state, Some(at)),
        Some(Outcome::As(kind)) => {
            state.put(kind, clause.words.start);
            let end = (at + 1..clause.words.end.min(at + 4))
                .find(|&n| words::check_word(scan.form(n)) == Some(kind))
                .map_or(at + 1, |n| n + 1);
            judge(scan, index, &(clause.words.start..end), state, Some(at));
        }
        Some(Outcome::Ran) => scan.push(index, Kind::Run, &clause.words),
        Some(Outcome::Clean) => {
            let ahead = (1..=3).find_map(|n| about(scan, clause, at + n));
            let among = among(scan, clause, at);
            if let Some(kind) = ahead.or(among) {
                state.put(kind, at);
            }
            let reach = if among.is_some() { 7 } else { 4 };
            let words = clause.words.start..clause.words.end.min(at + reach);
            judge(scan, index, &words, state, Some(at));
        }
        Some(Outcome::Badly) => {
            scan.push_as(
                index,
                Kind::Failing,
                &clause.words,
                clause.negator.is_some(),
            );
            state.judged = true;
        }
        None => {}
    }
}

/// Takes up the subjects of the clause before: `and they do`, `it passes`.
pub(super) fn resumes(scan: &Scan<'_, '_>, clause: &Clause, at: usize) -> bool {
    at <= clause.words.start + 1 && matches!(scan.form(at), "they" | "it" | "both" | "those")
}

/// `Unit tests: ✓`, `✅ lint`, `✗ build`.
fn marks(scan: &mut Scan<'_, '_>, index: usize, clause: &Clause, at: usize, state: &mut State) {
    let sentence = &scan.prose.sentences()[index];
    if state.judged || state.waiting.is_empty() {
        return;
    }
    let gap = scan.gap(sentence, at);
    if gap.contains(words::TICKS) {
        // The cell behind the tick tells how many: `| Tests | ✅ 9 passed |`.
        let rest = sentence.words.end - (at + 1);
        let told = sentence.kind == BlockKind::Row
            && (1..=3).contains(&rest)
            && (at + 1..sentence.words.end).any(|n| words::went_well(scan.form(n)));
        let end = if told { sentence.words.end } else { at + 1 };
        let words = clause.words.start..end;
        judge(scan, index, &words, state, None);
    } else if gap.contains(words::CROSSES) {
        scan.push(index, Kind::Failing, &clause.words.clone());
        state.judged = true;
    }
}

/// States the waiting subjects as having gone well.
fn judge(
    scan: &mut Scan<'_, '_>,
    index: usize,
    words: &Range<usize>,
    state: &mut State,
    at: Option<usize>,
) {
    let named = state.waiting.iter().any(|subject| !subject.vague);
    let listed = at.is_none();
    let mut stated: Vec<Subject> = state
        .waiting
        .iter()
        .copied()
        .filter(|subject| !((named || listed) && subject.vague))
        .filter(|subject| !listed || subject.kind.is_check())
        .collect();
    if stated.is_empty() && at.is_none() {
        return;
    }
    if stated.is_empty() {
        let kind = match at.map(|at| scan.form(at)) {
            Some("compiles") => Kind::Build,
            _ => Kind::Tests,
        };
        stated.push(Subject {
            kind,
            word: words.start,
            vague: true,
        });
    }
    let listed = scan.leads_items(index);
    let several = stated.len() > 1;
    for subject in stated {
        if listed && subject.kind == Kind::Verified {
            continue;
        }
        let start = words.start.min(subject.word);
        // Of a list of checks each one is its own statement.
        let span = if several && at.is_none() {
            scan.span(&(subject.word..subject.word + 1))
        } else {
            scan.span(&(start..words.end))
        };
        let reported = state.reported.or(scan.section(index).reported);
        scan.found.push(super::scan::Found {
            kind: subject.kind,
            span,
            negated: false,
            reported,
            sentence: Some(index),
        });
    }
    state.judged = true;
}
