//! What is said of a check: that it went well, badly, or found nothing.

use super::check::{State, resumes};
use super::model::Kind;
use super::scan::Scan;
use super::section::Mode;
use super::words;
use crate::text::{BlockKind, Clause, Sentence, WordKind, past_act};

/// What a word says of the waiting checks.
pub(super) enum Outcome {
    /// They went well.
    Well,
    /// It is a check of this kind itself, and it went well: `the project builds`.
    As(Kind),
    /// Nothing was found, by the check named behind the word or by the waiting one.
    Clean,
    /// They went badly.
    Badly,
    /// A row of a table of checks whose check is not known.
    Ran,
}

/// Whether the word at `at` judges the waiting subjects.
pub(super) fn predicate(
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
    // `applied cleanly` tells of a patch, and not of a check.
    let patch = matches!(
        scan.back(words, at, 1),
        "applied"
            | "merged"
            | "rebased"
            | "picked"
            | "installed"
            | "pushed"
            | "removed"
            | "created"
    );
    let manner = matches!(form, "successfully" | "cleanly") && (past_act(next).is_some() || patch);
    let told = |well: Outcome| Some(if denied { Outcome::Badly } else { well });
    if words::went_well(form) && !manner && !is_attribute(scan, sentence, clause, at) {
        match went_well(scan, sentence, clause, at, state) {
            Some(Outcome::Ran) => return Some(Outcome::Ran),
            Some(well) => return told(well),
            None => {}
        }
    }
    if waiting && matches!(form, "do" | "does" | "did") && at + 1 == words.end && !denied {
        return resumes(scan, clause, at.saturating_sub(1)).then_some(Outcome::Well);
    }
    if waiting && form == "came" && next == "back" {
        return None;
    }
    if form == "compiles" && !denied && state.waiting.is_empty() && ends_verb(next) {
        return Some(Outcome::Well);
    }
    if let Some(well) = well_by_itself(scan, clause, at, denied, state) {
        return told(well);
    }
    if waiting && words::finds(form) && matches!(next, "nothing" | "zero" | "0" | "no") {
        return finds_none(scan, clause, at).then_some(Outcome::Well);
    }
    if zero_faults(scan, clause, at, waiting || !state.waiting.is_empty()) {
        return Some(Outcome::Clean);
    }
    if waiting && matches!(form, "resolved" | "fixed") && cleared(scan, clause, at) && !denied {
        return Some(Outcome::Well);
    }
    (badly(scan, sentence, clause, at, waiting)
        || finds_some(scan, clause, at, waiting)
        || faults_stand(scan, clause, at))
    .then_some(Outcome::Badly)
}

/// The check is told by a verb of its own, by what stands behind it, or by its mood.
fn well_by_itself(
    scan: &Scan<'_, '_>,
    clause: &Clause,
    at: usize,
    denied: bool,
    state: &State,
) -> Option<Outcome> {
    if let Some(kind) = verb_of_check(scan, clause, at) {
        return Some(Outcome::As(kind));
    }
    if !denied
        && state.waiting.iter().all(is_open)
        && let Some(kind) = passes_check(scan, clause, at)
    {
        return Some(Outcome::As(kind));
    }
    let waiting = !state.waiting.is_empty() && !state.judged;
    (waiting && contents(scan, clause, at, state)).then_some(Outcome::Well)
}

/// Whether a subject gives way to a check that is named.
fn is_open(subject: &super::check::Subject) -> bool {
    subject.vague || subject.kind == Kind::Run
}

/// What a word for success says: of the waiting checks, of a count of tests, of a row.
fn went_well(
    scan: &Scan<'_, '_>,
    sentence: &Sentence,
    clause: &Clause,
    at: usize,
    state: &State,
) -> Option<Outcome> {
    let form = scan.form(at);
    let words = scan.prose.words();
    // `Result: the code is clean under rubocop` speaks of what is named behind the word.
    if form == "clean"
        && state.waiting.iter().all(is_open)
        && let Some(kind) = passes_check(scan, clause, at)
    {
        return Some(Outcome::As(kind));
    }
    let waiting = !state.waiting.is_empty() && !state.judged;
    let figure = at > clause.words.start && words[at - 1].kind == WordKind::Number;
    let row = sentence.kind == BlockKind::Row
        && matches!(form, "passed" | "succeeded")
        && at == clause.words.start
        && scan.section(clause.sentence).mode == Mode::Check;
    if row && state.waiting.is_empty() {
        return Some(Outcome::Ran);
    }
    // `` `make check`: 38 passed `` counts tests, whatever the task is called.
    let counts = figure
        && matches!(form, "passed" | "passing")
        && state
            .waiting
            .iter()
            .all(|subject| words[subject.word].kind == WordKind::Code);
    if waiting && counts {
        return Some(Outcome::As(Kind::Tests));
    }
    let tests = figure && matches!(form, "passed" | "passing" | "pass") && state.waiting.is_empty();
    (waiting || tests).then_some(Outcome::Well)
}

/// `The project builds`, `everything compiles again`, `the code type-checks`, `types all check`.
fn verb_of_check(scan: &Scan<'_, '_>, clause: &Clause, at: usize) -> Option<Kind> {
    let words = &clause.words;
    let kind = match scan.form(at) {
        "compiles" | "builds" | "compile" | "build" => Kind::Build,
        "type-checks" | "typechecks" | "check" => Kind::Typecheck,
        _ => return None,
    };
    let ends = ends_verb(scan.ahead(words, at, 1));
    let mut by = at;
    while by > words.start
        && matches!(
            scan.form(by - 1),
            "now" | "still" | "also" | "all" | "cleanly" | "again"
        )
    {
        by -= 1;
    }
    if by == words.start || !ends {
        return None;
    }
    let subject = scan.form(by - 1);
    let named = matches!(
        scan.prose.words()[by - 1].kind,
        WordKind::Code | WordKind::Path
    );
    let denied = matches!(subject, "not" | "doesn't" | "don't" | "didn't");
    let third = scan.form(at).ends_with('s');
    let thing = is_built(subject);
    let plural = matches!(
        subject,
        "they" | "both" | "packages" | "crates" | "modules" | "targets"
    );
    let stands = match scan.form(at) {
        "check" => subject == "types",
        _ if third => thing || named,
        _ => plural || denied,
    };
    stands.then_some(kind)
}

/// What may stand behind `builds` or `type-checks` where it is the verb.
fn ends_verb(next: &str) -> bool {
    matches!(
        next,
        "" | "cleanly"
            | "fine"
            | "again"
            | "without"
            | "successfully"
            | "on"
            | "in"
            | "now"
            | "and"
            | "with"
            | "yet"
            | "ok"
            | "as"
            | "too"
            | "locally"
    )
}

/// Nouns for what is built.
fn is_built(form: &str) -> bool {
    matches!(
        form,
        "project"
            | "code"
            | "codebase"
            | "tree"
            | "workspace"
            | "everything"
            | "it"
            | "app"
            | "package"
            | "crate"
            | "site"
            | "solution"
            | "module"
            | "program"
            | "repo"
            | "application"
            | "library"
            | "binary"
            | "image"
            | "container"
            | "server"
            | "client"
            | "frontend"
            | "backend"
            | "extension"
            | "plugin"
            | "bundle"
            | "target"
    )
}

/// `passes clippy`, `is clean under ruff`: the check stands behind its predicate.
fn passes_check(scan: &Scan<'_, '_>, clause: &Clause, at: usize) -> Option<Kind> {
    let words = &clause.words;
    if at == words.start || !matches!(scan.form(at), "passes" | "pass" | "passed" | "clean") {
        return None;
    }
    // `A clean build takes four minutes`: of which sort it is, and not how it went.
    let before = scan.back(words, at, 1);
    if scan.form(at) == "clean" && matches!(before, "a" | "the" | "each" | "every" | "any") {
        return None;
    }
    let joined = |n: usize| {
        (1..n).all(|n| {
            matches!(
                scan.ahead(words, at, n),
                "the" | "under" | "with" | "for" | "by" | "all" | "both" | "to" | "according"
            )
        })
    };
    // `passes the tests folder to main` hands something over.
    let handed = |n: usize| {
        matches!(
            scan.ahead(words, at, n + 1),
            "folder"
                | "directory"
                | "file"
                | "files"
                | "path"
                | "config"
                | "name"
                | "script"
                | "data"
                | "to"
                | "into"
        )
    };
    (1..=3)
        .filter(|&n| joined(n) && !handed(n))
        .find_map(|n| about(scan, clause, at + n))
}

/// The check that the word at `at` is about: `lint`, `type errors`, `formatting`.
pub(super) fn about(scan: &Scan<'_, '_>, clause: &Clause, at: usize) -> Option<Kind> {
    if !clause.words.contains(&at) {
        return None;
    }
    let form = scan.form(at);
    let next = scan.ahead(&clause.words, at, 1);
    if matches!(form, "type" | "types")
        && (words::fault(next) || matches!(next, "check" | "checks" | "checking" | "checker"))
    {
        return Some(Kind::Typecheck);
    }
    if form == "format" {
        return Some(Kind::Format);
    }
    words::check_word(form)
}

/// `The linter is happy`, `formatting is fine`, `the build works`.
fn contents(scan: &Scan<'_, '_>, clause: &Clause, at: usize, state: &State) -> bool {
    let words = &clause.words;
    let be = (1..=3).any(|n| matches!(scan.back(words, at, n), "is" | "are" | "stays" | "remains"));
    match scan.form(at) {
        "happy" | "fine" | "consistent" => be,
        "works" => {
            at > words.start
                && state
                    .waiting
                    .iter()
                    .all(|subject| subject.kind == Kind::Build)
        }
        _ => false,
    }
}

/// `reports nothing`, `has no complaints`, `finds no differences`.
fn finds_none(scan: &Scan<'_, '_>, clause: &Clause, at: usize) -> bool {
    let words = &clause.words;
    if scan.ahead(words, at, 1) == "nothing" {
        return matches!(
            scan.ahead(words, at, 2),
            "" | "to"
                | "else"
                | "new"
                | "wrong"
                | "and"
                | "on"
                | "in"
                | "now"
                | "as"
                | "locally"
                | "here"
                | "anymore"
        );
    }
    (2..=4).any(|n| complaint(scan.ahead(words, at, n)))
}

fn complaint(form: &str) -> bool {
    words::fault(form)
        || matches!(
            form,
            "complaints" | "differences" | "diagnostics" | "diffs" | "offences" | "changes"
        )
}

/// `reports type errors`, `found 2 problems`: the waiting check went badly.
fn finds_some(scan: &Scan<'_, '_>, clause: &Clause, at: usize, waiting: bool) -> bool {
    let words = &clause.words;
    waiting
        && words::finds(scan.form(at))
        && at > words.start
        && clause.negator.is_none()
        && scan.form(at) != "has"
        && (1..=3).any(|n| words::fault(scan.ahead(words, at, n)))
        && !(1..=3).any(|n| {
            matches!(
                scan.ahead(words, at, n),
                "no" | "nothing" | "0" | "zero" | "and" | "if" | "the" | "any" | "all"
            )
        })
}

/// `There are type errors left`, `2 lint errors remain`, `4 failures in the suite`.
fn faults_stand(scan: &Scan<'_, '_>, clause: &Clause, at: usize) -> bool {
    let words = &clause.words;
    if !words::fault(scan.form(at)) || clause.negator.is_some() {
        return false;
    }
    let told = (words.start..at).any(|n| past_act(scan.form(n)).is_some());
    let named = (1..=2).any(|n| at >= words.start + n && about(scan, clause, at - n).is_some());
    let there = scan.form(words.start) == "there"
        && matches!(scan.ahead(words, words.start, 1), "are" | "were" | "is");
    let next = scan.ahead(words, at, 1);
    let stays = matches!(next, "remain" | "remains" | "remaining")
        || (matches!(next, "are" | "is") && scan.ahead(words, at, 2) == "left");
    let counted = (1..=2).any(|n| at >= words.start + n && is_some_number(scan, at - n));
    let suite = matches!(scan.form(at), "failures")
        && counted
        && (named || (next == "in" && (2..=4).any(|n| scan.ahead(words, at, n) == "suite")));
    !told && ((named && (there || stays)) || suite)
}

/// A number above nought.
fn is_some_number(scan: &Scan<'_, '_>, at: usize) -> bool {
    scan.prose.words()[at].kind == WordKind::Number && !matches!(scan.form(at), "0" | "zero")
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
    let fault = (1..=3).find(|&n| {
        let form = scan.ahead(&clause.words, at, n);
        (words::fault(form) || (n > 1 && complaint(form) && form != "changes"))
            && stands_plain(scan, clause, at, n)
    });
    let failed = matches!(
        scan.ahead(&clause.words, at, 1),
        "failed" | "failing" | "failures"
    );
    let about =
        (1..=3).any(|n| about(scan, clause, at + n).is_some()) || among(scan, clause, at).is_some();
    // `finishes with no failing tests`
    let failing = matches!(
        scan.ahead(&clause.words, at, 1),
        "failed" | "failing" | "broken"
    ) && words::check_word(scan.ahead(&clause.words, at, 2)).is_some();
    let none_failed = failing
        || (2..=3).any(|n| {
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

/// `Zero failures in 92 tests`: the check whose cases are counted behind the fault.
pub(super) fn among(scan: &Scan<'_, '_>, clause: &Clause, at: usize) -> Option<Kind> {
    let words = &clause.words;
    let joins = |n: usize| {
        matches!(
            scan.ahead(words, at, n),
            "in" | "across" | "of" | "among" | "out" | "all" | "the"
        ) || words.contains(&(at + n)) && scan.prose.words()[at + n].kind == WordKind::Number
    };
    let fault = words::fault(scan.ahead(words, at, 1));
    (3..=6)
        .find(|&n| fault && (2..n).all(joins) && about(scan, clause, at + n) == Some(Kind::Tests))
        .map(|_| Kind::Tests)
}

/// Nothing behind or within the `n` words of the denied fault turns it into something else: `no error
/// handling`, `no more than`, `no issues/PRs`.
fn stands_plain(scan: &Scan<'_, '_>, clause: &Clause, at: usize, n: usize) -> bool {
    let ahead = |n: usize| scan.ahead(&clause.words, at, n);
    let behind = ahead(n + 1);
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
                | "after"
                | "locally"
                | "anywhere"
                | "as"
        )
        || (behind == "to" && matches!(ahead(n + 2), "report" | "speak" | "see" | "fix"));
    let joined = (1..n).all(|n| {
        !matches!(
            ahead(n),
            "on" | "in" | "of" | "for" | "to" | "more" | "longer"
        )
    });
    let end = scan.prose.words()[at + n].range.end;
    let glued = scan.prose.masked().as_bytes().get(end) == Some(&b'/');
    ends && joined && !glued
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
