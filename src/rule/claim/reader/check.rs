//! Checks that went well or badly: `Tests pass`, `lint: ✓`, `` `npm test` (all pass) ``, `0 issues`.
//!
//! Subjects wait for a predicate within their sentence, so that `should all pass now, and they do`
//! finds its own, and `all tests and linting pass` states two checks.

use core::ops::Range;

use super::model::{Kind, Reporter};
use super::scan::{Scan, is_item};
use super::section::{Mode, reporter};
use super::words;
use crate::shell::{self, Verify};
use crate::text::{BlockKind, Clause, Cue, Sentence, WordKind, past_act};

/// A check that is named and not yet judged.
#[derive(Debug, Clone, Copy)]
struct Subject {
    kind: Kind,
    word: usize,
    /// `everything`, `all`, `checks`: gives way to any check that is named.
    vague: bool,
}

#[derive(Default)]
struct State {
    waiting: Vec<Subject>,
    /// The subjects have their predicate; only a pronoun takes them up again.
    judged: bool,
    /// The sentence, or its label, is about checks that went well.
    listed: bool,
    reported: Option<Reporter>,
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
    let heading = super::scan::is_heading(sentence);
    for clause in prose.clauses_of(sentence) {
        let moot = scan.is_moot(sentence, clause);
        state.reported = if clause.cues.has(Cue::Reported) || names_ci(scan, clause) {
            reporter(prose, &clause.words)
        } else {
            state.reported
        };
        read_clause(scan, index, clause, moot, &mut state);
        state.listed |= !moot && proved_with(scan, clause);
        if label(scan, sentence, clause) && !moot {
            state.listed = true;
            state.waiting.clear();
        }
    }
    if state.listed && !state.judged && !heading && !scan.leads(index) {
        let words = sentence.words.clone();
        let negated = prose
            .clauses_of(sentence)
            .iter()
            .any(|clause| {
                clause.negator.is_some()
                    || clause.posed.is_some()
                    || clause.cues.any(super::scan::MOOT)
            });
        if !negated {
            judge(scan, index, &words, &mut state, None);
        }
    }
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
    for at in clause.words.clone() {
        if let Some(subject) = subject(scan, clause, at) {
            if state.judged {
                state.waiting.clear();
                state.judged = false;
            }
            if !subject.vague {
                state.waiting.retain(|s| !s.vague);
            }
            let known = state.waiting.iter().any(|s| s.kind == subject.kind);
            if !known && state.waiting.len() < MANY {
                state.waiting.push(subject);
            }
        } else if resumes(scan, clause, at) {
            state.judged = false;
        }
        if moot || clause.poses(at) {
            continue;
        }
        let words = clause.words.start..at + 1;
        match predicate(scan, sentence, clause, at, state) {
            Some(Outcome::Well) => judge(scan, index, &words, state, Some(at)),
            Some(Outcome::Ran) => scan.push(index, Kind::Run, &clause.words),
            Some(Outcome::Clean) => {
                let ahead =
                    (1..=3).find_map(|n| words::check_word(scan.ahead(&clause.words, at, n)));
                if let Some(kind) = ahead {
                    state.waiting.clear();
                    state.waiting.push(Subject {
                        kind,
                        word: at,
                        vague: false,
                    });
                }
                let words = clause.words.start..clause.words.end.min(at + 4);
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
        marks(scan, index, clause, at, state);
    }
}

/// Takes up the subjects of the clause before: `and they do`, `it passes`.
fn resumes(scan: &Scan<'_, '_>, clause: &Clause, at: usize) -> bool {
    at <= clause.words.start + 1 && matches!(scan.form(at), "they" | "it" | "both" | "those")
}

/// The check that is named at `at`.
fn subject(scan: &Scan<'_, '_>, clause: &Clause, at: usize) -> Option<Subject> {
    let prose = scan.prose;
    let word = prose.words().get(at)?;
    let kind = if word.kind == WordKind::Code {
        command(prose.source().get(word.range.clone())?)
    } else {
        None
    };
    let form = scan.form(at);
    let next = scan.ahead(&clause.words, at, 1);
    let before = scan.back(&clause.words, at, 1);
    let named = kind.or_else(|| named(form, before, next));
    if let Some(kind) = named {
        return Some(Subject {
            kind,
            word: at,
            vague: false,
        });
    }
    let all = form != "all" || words::went_well(next) || next == "came" || next == "tested";
    let ci = form != "ci"
        || next.is_empty()
        || words::went_well(next)
        || words::went_badly(next)
        || matches!(
            next,
            "is" | "checks" | "has" | "now" | "and" | "all" | "run" | "runs"
        );
    let checks = form != "checks"
        || matches!(
            before,
            "" | "all"
                | "the"
                | "ci"
                | "github"
                | "quality"
                | "pr"
                | "these"
                | "status"
                | "local"
                | "and"
        );
    let every = words::every_check(form)
        && all
        && ci
        && checks
        && !(form == "checks" && next.is_empty() && before.is_empty());
    every.then_some(Subject {
        kind: Kind::Tests,
        word: at,
        vague: true,
    })
}

fn named(form: &str, before: &str, next: &str) -> Option<Kind> {
    if form == "smoke" || (matches!(form, "test" | "check") && before == "manual") {
        return Some(Kind::Run);
    }
    if (form == "result" || (matches!(form, "workflow" | "job") && before != "the"))
        && (next.is_empty() || words::went_well(next))
    {
        return Some(Kind::Run);
    }
    if matches!(form, "verification" | "validation") {
        return Some(Kind::Verified);
    }
    if form == "type" && matches!(next, "check" | "checks" | "checking") {
        return Some(Kind::Typecheck);
    }
    if form == "race" && next == "detector" {
        return Some(Kind::Tests);
    }
    if form == "conflict" || form == "merge" {
        return None;
    }
    // `the build script`, `test file`: the thing, not the check.
    let thing = matches!(
        next,
        "file"
            | "files"
            | "script"
            | "scripts"
            | "helper"
            | "helpers"
            | "data"
            | "fixture"
            | "fixtures"
            | "config"
            | "coverage"
            | "artifact"
            | "artifacts"
            | "folder"
    );
    words::check_word(form).filter(|_| !thing)
}

/// The check that a command in backticks runs.
pub(super) fn command(code: &str) -> Option<Kind> {
    let command = code.trim_matches('`').trim();
    if !command.contains([' ', '-']) {
        return words::check_word(command).filter(|_| command.len() > 3 || command == "tsc");
    }
    if command.len() > COMMAND_BYTES {
        return None;
    }
    let known = shell::read(command)
        .verify()
        .and_then(|verify| match verify {
            Verify::Test => Some(Kind::Tests),
            Verify::Build => Some(Kind::Build),
            Verify::Lint => Some(Kind::Lint),
            Verify::Typecheck => Some(Kind::Typecheck),
            Verify::Format => Some(Kind::Format),
            Verify::Run => None,
        });
    // A task that the table of runners does not know still says what it is: `mise run fmt`.
    let spoken = || {
        let runner = command
            .split(' ')
            .next()
            .is_some_and(|first| first.chars().all(|c| c.is_ascii_lowercase() || c == '-'));
        let named = command.split([' ', ':']).find_map(words::check_word);
        named.filter(|_| runner)
    };
    known.or_else(spoken)
}

/// A longer code span is an excerpt.
const COMMAND_BYTES: usize = 300;

enum Outcome {
    Well,
    /// Nothing was found, by the check named behind the word or by the waiting one.
    Clean,
    Badly,
    /// A row of a table of checks whose check is not known.
    Ran,
}

/// Whether the word at `at` judges the waiting subjects.
fn predicate(
    scan: &Scan<'_, '_>,
    sentence: &Sentence,
    clause: &Clause,
    at: usize,
    state: &State,
) -> Option<Outcome> {
    let form = scan.form(at);
    let words = &clause.words;
    let next = scan.ahead(words, at, 1);
    let waiting = !state.waiting.is_empty() && !state.judged;
    let denied = clause.negates(at) && !(1..=3).any(|n| scan.back(words, at, n) == "failures");
    let manner = matches!(form, "successfully" | "cleanly") && past_act(next).is_some();
    if words::went_well(form) && !manner && !is_attribute(scan, sentence, clause, at) {
        let figure =
            scan.prose.words()[at.saturating_sub(1)].kind == WordKind::Number && at > words.start;
        let tests =
            matches!(form, "passed" | "passing" | "pass") && figure && state.waiting.is_empty();
        let row = sentence.kind == BlockKind::Row
            && matches!(form, "passed" | "succeeded")
            && at == words.start
            && scan.section(clause.sentence).mode == Mode::Check;
        if row && state.waiting.is_empty() {
            return Some(Outcome::Ran);
        }
        if waiting || tests {
            return Some(if denied {
                Outcome::Badly
            } else {
                Outcome::Well
            });
        }
    }
    if waiting && matches!(form, "do" | "does" | "did") && at + 1 == words.end && !denied {
        return resumes(scan, clause, at.saturating_sub(1)).then_some(Outcome::Well);
    }
    if waiting && form == "came" && next == "back" {
        return None;
    }
    if form == "compiles" && !denied && state.waiting.is_empty() {
        return Some(Outcome::Well);
    }
    if zero_faults(scan, clause, at, waiting || !state.waiting.is_empty()) {
        return Some(Outcome::Clean);
    }
    if waiting && matches!(form, "resolved" | "fixed") && cleared(scan, clause, at) && !denied {
        return Some(Outcome::Well);
    }
    badly(scan, sentence, clause, at, waiting).then_some(Outcome::Badly)
}

/// Whether the word at `at` says that its subject failed, here and now.
fn badly(
    scan: &Scan<'_, '_>,
    sentence: &Sentence,
    clause: &Clause,
    at: usize,
    waiting: bool,
) -> bool {
    let words = &clause.words;
    let relative = matches!(scan.form(words.start), "which" | "that" | "where" | "who");
    let past = matches!(
        scan.back(words, at, 1),
        "was"
            | "were"
            | "no"
            | "0"
            | "zero"
            | "the"
            | "a"
            | "that"
            | "been"
            | "previously"
            | "already"
    );
    let subject = waiting || at == words.start + 1 || is_figure(scan, clause, at);
    words::went_badly(scan.form(at))
        && at > words.start
        && subject
        && !relative
        && !past
        && !clause.negates(at)
        && scan.ahead(words, at, 1) != "to"
        && !is_attribute(scan, sentence, clause, at)
}

fn is_figure(scan: &Scan<'_, '_>, clause: &Clause, at: usize) -> bool {
    at > clause.words.start && scan.prose.words()[at - 1].kind == WordKind::Number
}

/// `passing tests`, `a clean build`, `the failed run`: the word qualifies the noun behind it.
fn is_attribute(scan: &Scan<'_, '_>, sentence: &Sentence, clause: &Clause, at: usize) -> bool {
    let next = at + 1;
    if next >= clause.words.end || !scan.gap(sentence, at).trim().is_empty() {
        return false;
    }
    let noun = scan.form(next);
    let figure = is_figure(scan, clause, at);
    let after_be = matches!(
        scan.back(&clause.words, at, 1),
        "is" | "are" | "all" | "still"
    );
    !figure
        && !after_be
        && (words::check_word(noun).is_some()
            || matches!(
                noun,
                "run"
                    | "runs"
                    | "workflow"
                    | "attempt"
                    | "state"
                    | "slate"
                    | "job"
                    | "jobs"
                    | "case"
                    | "cases"
                    | "path"
                    | "tree"
                    | "up"
                    | "code"
                    | "room"
                    | "light"
                    | "command"
                    | "commands"
                    | "args"
                    | "through"
                    | "via"
            ))
}

/// `0 issues`, `no errors`, `no linting issues`, `zero warnings`.
fn zero_faults(scan: &Scan<'_, '_>, clause: &Clause, at: usize, waiting: bool) -> bool {
    if !matches!(scan.form(at), "0" | "no" | "zero" | "without") {
        return false;
    }
    let plain = |n: usize| {
        let behind = scan.ahead(&clause.words, at, n + 1);
        let ends = behind.is_empty()
            || words::went_well(behind)
            || matches!(
                behind,
                "in" | "on"
                    | "from"
                    | "found"
                    | "remain"
                    | "remaining"
                    | "left"
                    | "and"
                    | "or"
                    | "with"
                    | "across"
                    | "reported"
                    | "at"
                    | "now"
            );
        let joined = (1..n).all(|n| {
            !matches!(
                scan.ahead(&clause.words, at, n),
                "on" | "in" | "of" | "for" | "to" | "more" | "longer"
            )
        });
        let glued = scan
            .prose
            .masked()
            .as_bytes()
            .get(scan.prose.words()[at + n].range.end)
            == Some(&b'/');
        ends && joined && !glued
    };
    let fault = (1..=3).find(|&n| words::fault(scan.ahead(&clause.words, at, n)) && plain(n));
    let failed = matches!(
        scan.ahead(&clause.words, at, 1),
        "failed" | "failing" | "failures"
    );
    let about = (1..=3).any(|n| words::check_word(scan.ahead(&clause.words, at, n)).is_some());
    let none_failed = (2..=3).any(|n| {
        matches!(scan.ahead(&clause.words, at, n), "failed" | "fail")
            && words::check_word(scan.ahead(&clause.words, at, n - 1)).is_some()
    });
    let bare = clause.words.len() <= 5 && at <= clause.words.start + 1;
    let found = (1..=3).any(|n| matches!(scan.ahead(&clause.words, at, n), "review" | "markers"));
    !found
        && ((fault.is_some() && ((waiting && at < clause.words.start + 16) || about))
            || (failed && bare)
            || none_failed)
}

/// `All lint issues are resolved`: what the check found is gone.
fn cleared(scan: &Scan<'_, '_>, clause: &Clause, at: usize) -> bool {
    (1..=5).any(|n| words::fault(scan.back(&clause.words, at, n)))
        && (1..=5).any(|n| {
            matches!(
                scan.back(&clause.words, at, n),
                "are" | "is" | "been" | "all"
            )
        })
}

/// `Unit tests: ✓`, `✅ lint`, `✗ build`.
fn marks(scan: &mut Scan<'_, '_>, index: usize, clause: &Clause, at: usize, state: &mut State) {
    let sentence = &scan.prose.sentences()[index];
    if state.judged || state.waiting.is_empty() {
        return;
    }
    let gap = scan.gap(sentence, at);
    if gap.contains(words::TICKS) {
        let words = clause.words.start..at + 1;
        judge(scan, index, &words, state, None);
    } else if gap.contains(['✗', '✘', '❌']) {
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
