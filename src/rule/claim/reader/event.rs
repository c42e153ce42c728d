//! What is told by a noun for it: `the deploy succeeded`, `the edit to x is in`, `x is new`,
//! `PR: https://…`, `that fixes x`.

use super::model::Kind;
use super::object::{is_path, is_pr};
use super::scan::{Scan, is_item};
use super::words;
use crate::text::{Clause, Cue, Sentence, WordKind};

/// A longer clause tells more than one event.
const EVENT_WORDS: usize = 24;

/// Reads the event that one clause tells, where no verb has told it.
pub(super) fn read(scan: &mut Scan<'_, '_>, index: usize, clause: &Clause) {
    let sentence = &scan.prose.sentences()[index];
    if clause.words.len() > EVENT_WORDS
        || clause.negator.is_some()
        || clause.posed.is_some()
        || clause.cues.has(Cue::Open)
    {
        return;
    }
    let told = outward(scan, clause)
        .or_else(|| on_registry(scan, clause))
        .or_else(|| is_there(scan, clause))
        .or_else(|| link(scan, sentence, clause))
        .or_else(|| change(scan, clause))
        .or_else(|| thing(scan, clause))
        .or_else(|| cure(scan, clause))
        .or_else(|| does_now(scan, clause))
        .or_else(|| look(scan, clause));
    // `Looked at a.rs again: the change is there` tells a look and what it showed.
    let seen = |kind| kind == Kind::Verified && is_there(scan, clause).is_some();
    if let Some(kind) = told.filter(|&kind| !scan.states_kind(index, kind) || seen(kind)) {
        scan.push(index, kind, &clause.words);
    }
}

/// `The deploy to staging succeeded`, `the commit is on origin/main`, `it is in commit 3f2a91c`.
fn outward(scan: &Scan<'_, '_>, clause: &Clause) -> Option<Kind> {
    let words = &clause.words;
    words.clone().find_map(|at| {
        let next = scan.ahead(words, at, 1);
        let kind = match scan.form(at) {
            "deploy" | "deployment" | "rollout" => Kind::Deploy,
            "push" => Kind::Push,
            "merge" if next != "request" => Kind::Merge,
            "publish" | "publishing" => Kind::Publish,
            "installation" => Kind::Install,
            "commit" | "commits" | "branch" | "changes" if on_remote(scan, clause, at) => {
                return Some(Kind::Push);
            }
            "commit" => return in_commit(scan, clause, at).then_some(Kind::Commit),
            _ => return None,
        };
        // `the deploy script is done`: of a thing that has the name, nothing is told.
        let event = !matches!(
            next,
            "script" | "workflow" | "job" | "step" | "command" | "key" | "conflict" | "commit"
        );
        let failed = (1..=4).any(|n| matches!(scan.ahead(words, at, n), "failed" | "rejected"));
        if event && failed && matches!(kind, Kind::Push | Kind::Deploy | Kind::Publish) {
            return Some(Kind::Failing);
        }
        (event && ended(scan, clause, at)).then_some(kind)
    })
}

/// The event at `at` is over, and went well.
fn ended(scan: &Scan<'_, '_>, clause: &Clause, at: usize) -> bool {
    let words = &clause.words;
    (at + 1..words.end.min(at + 7)).any(|n| match scan.form(n) {
        "succeeded" | "finished" | "completed" => true,
        "done" | "complete" | "live" | "through" | "successful" => {
            matches!(scan.back(words, n, 1), "is" | "was" | "went")
        }
        _ => false,
    })
}

/// `is on origin/main`, `are on the remote`, `is on GitHub`.
fn on_remote(scan: &Scan<'_, '_>, clause: &Clause, at: usize) -> bool {
    let words = &clause.words;
    let be = matches!(scan.ahead(words, at, 1), "is" | "are");
    let on = matches!(scan.ahead(words, at, 2), "on" | "at");
    let place = (3..=4).any(|n| {
        matches!(
            scan.ahead(words, at, n),
            "remote" | "github" | "gitlab" | "origin"
        ) || text(scan, at + n).is_some_and(|place| place.starts_with("origin/"))
            && words.contains(&(at + n))
    });
    be && on && place
}

fn in_commit(scan: &Scan<'_, '_>, clause: &Clause, at: usize) -> bool {
    let words = &clause.words;
    let told = scan.back(words, at, 1) == "in" && matches!(scan.back(words, at, 2), "is" | "are");
    told && words.contains(&(at + 1)) && text(scan, at + 1).is_some_and(super::state::is_hash)
}

/// `1.4.1 is on the registry`, `` `a` is on npm ``.
fn on_registry(scan: &Scan<'_, '_>, clause: &Clause) -> Option<Kind> {
    let words = &clause.words;
    let last = words.end - 1;
    let place = matches!(
        scan.form(last),
        "registry" | "npm" | "pypi" | "crates.io" | "rubygems"
    );
    let on = (1..=2).any(|n| {
        scan.back(words, last, n) == "on" && matches!(scan.back(words, last, n + 1), "is" | "are")
    });
    (place && on && !clause.cues.has(Cue::SecondPerson)).then_some(Kind::Publish)
}

/// `The change is there`, `the new line is in place`.
fn is_there(scan: &Scan<'_, '_>, clause: &Clause) -> Option<Kind> {
    let words = &clause.words;
    let last = words.end - 1;
    let end = match scan.form(last) {
        "there" | "present" => last,
        "place" if scan.back(words, last, 1) == "in" => last - 1,
        _ => return None,
    };
    let be = matches!(scan.back(words, end, 1), "is" | "are")
        || (scan.back(words, end, 1) == "now" && matches!(scan.back(words, end, 2), "is" | "are"));
    let change = words.clone().take(8).any(|at| {
        matches!(
            scan.form(at),
            "change" | "changes" | "edit" | "edits" | "guard" | "line" | "lines" | "fix"
        )
    });
    (be && change).then_some(Kind::Verified)
}

/// The text of the word at `at`, without backticks.
fn text<'s>(scan: &'s Scan<'_, '_>, at: usize) -> Option<&'s str> {
    let word = scan.prose.words().get(at)?;
    let text = scan.prose.source().get(word.range.clone())?;
    Some(text.trim_matches('`'))
}

/// The title or lead-in above the sentence lists a state: no deed is told there.
fn lists_state(scan: &Scan<'_, '_>, sentence: &Sentence) -> bool {
    [sentence.lead, sentence.heading]
        .into_iter()
        .flatten()
        .filter_map(|above| scan.prose.sentences().get(above))
        .any(|above| {
            above
                .words
                .clone()
                .take(16)
                .any(|at| matches!(scan.form(at), "status" | "state"))
        })
}

/// `PR: https://…`, `PR is https://…`.
fn link(scan: &Scan<'_, '_>, sentence: &Sentence, clause: &Clause) -> Option<Kind> {
    let words = &clause.words;
    let all = scan.prose.words();
    // `…/pull/new/branch` offers to open one.
    let is_url = |at: usize| {
        all.get(at).is_some_and(|word| word.kind == WordKind::Url)
            && text(scan, at)
                .is_some_and(|url| !url.contains("/pull/new") && !url.contains("/compare/"))
            && !lists_state(scan, sentence)
    };
    let named = |from: usize, to: usize| {
        (from..to).any(|at| {
            matches!(scan.form(at), "pr" | "pull" | "mr")
                && (is_pr(scan, clause, at) || to - from <= 3)
        })
    };
    if is_url(words.start) && words.start > sentence.words.start {
        let label = words.start.saturating_sub(3).max(sentence.words.start);
        let joined = scan.gap(sentence, words.start - 1).contains(':');
        return (joined && named(label, words.start)).then_some(Kind::Pr);
    }
    let be = words.clone().take(4).find(|&at| scan.form(at) == "is")?;
    (is_url(be + 1) && words.contains(&(be + 1)) && named(words.start, be)).then_some(Kind::Pr)
}

/// `The change to x is in`, `made the change in a.rs`, `a.rs has the change`.
fn change(scan: &Scan<'_, '_>, clause: &Clause) -> Option<Kind> {
    let words = &clause.words;
    let noun = |at: usize| {
        matches!(
            scan.form(at),
            "change" | "edit" | "fix" | "update" | "edits" | "changes"
        )
    };
    let told = words.clone().any(|at| {
        if !noun(at) {
            return false;
        }
        let made = matches!(scan.back(words, at, 2), "made" | "applied")
            && matches!(scan.back(words, at, 1), "the" | "this" | "that" | "these");
        let has = matches!(scan.back(words, at, 2), "has" | "have")
            && scan.back(words, at, 1) == "the"
            && named_before(scan, clause, at - 2);
        let last = words.end - 1;
        let stands = matches!(scan.form(last), "in" | "made" | "applied")
            && last > at + 1
            && matches!(scan.back(words, last, 1), "is" | "are" | "now");
        made || has || stands
    });
    // `libcosmic integration complete`: an item of what is done.
    let last = words.end - 1;
    let complete = matches!(
        scan.form(last),
        "complete" | "completed" | "done" | "implemented"
    ) && words.len() >= 2
        && words.len() <= 6
        && is_item(&scan.prose.sentences()[clause.sentence])
        && matches!(
            scan.back(words, last, 1),
            "integration"
                | "implementation"
                | "migration"
                | "refactor"
                | "refactoring"
                | "cleanup"
                | "setup"
        );
    (told || complete).then_some(Kind::Edit)
}

/// The word left of `at` is a name in code or a path.
fn named_before(scan: &Scan<'_, '_>, clause: &Clause, at: usize) -> bool {
    at > clause.words.start
        && matches!(
            scan.prose.words()[at - 1].kind,
            WordKind::Code | WordKind::Path
        )
}

/// `a.rs is new`, `a.rs is gone`, `New file: a.rs`.
fn thing(scan: &Scan<'_, '_>, clause: &Clause) -> Option<Kind> {
    let words = &clause.words;
    let last = words.end - 1;
    let be = matches!(scan.back(words, last, 1), "is" | "are");
    if last > words.start + 1 && be && named_before(scan, clause, last - 1) {
        let path = text(scan, last - 2).is_some_and(is_path);
        return match scan.form(last) {
            "new" if path => Some(Kind::Create),
            "gone" if path => Some(Kind::Delete),
            _ => None,
        };
    }
    let sentence = &scan.prose.sentences()[clause.sentence];
    let labelled = words.start >= sentence.words.start + 2
        && scan.form(words.start - 2) == "new"
        && matches!(
            scan.form(words.start - 1),
            "file" | "files" | "test" | "tests" | "module"
        )
        && scan.gap(sentence, words.start - 1).contains(':');
    let path = text(scan, words.start).is_some_and(|text| is_path(text) && !text.contains(' '));
    (labelled && path).then_some(Kind::Create)
}

/// `That fixes x`, `` `x` works now ``.
fn cure(scan: &Scan<'_, '_>, clause: &Clause) -> Option<Kind> {
    let words = &clause.words;
    let fixes = matches!(scan.form(words.start), "that" | "this" | "it" | "which")
        && matches!(
            scan.ahead(words, words.start, 1),
            "fixes" | "resolves" | "cures"
        )
        && words.len() > 2;
    let works = words.clone().any(|at| {
        let mut by = at;
        while by > words.start && matches!(scan.form(by - 1), "now" | "again") {
            by -= 1;
        }
        scan.form(at) == "works"
            && named_before(scan, clause, by)
            && (by < at
                || matches!(
                    scan.ahead(words, at, 1),
                    "now" | "again" | "as" | "correctly"
                ))
    });
    (fixes || works).then_some(Kind::Fixed)
}

/// `The uploader retries now`: a thing does what it did not do before.
fn does_now(scan: &Scan<'_, '_>, clause: &Clause) -> Option<Kind> {
    let words = &clause.words;
    let last = words.end - 1;
    let verb = scan.back(words, last, 1);
    let subject = scan.back(words, last, 2);
    let state = matches!(
        verb,
        "fails" | "passes" | "works" | "builds" | "runs" | "stands" | "exists" | "lives" | "looks"
    ) || words::check_word(subject).is_some();
    let told = scan.form(last) == "now"
        && (4..=6).contains(&words.len())
        && scan.form(words.start) == "the"
        && words::third_person(verb)
        && !state;
    told.then_some(Kind::Edit)
}

/// `I re-read a.rs`, `looked at a.rs again`, `a look at the diff confirms it`.
fn look(scan: &Scan<'_, '_>, clause: &Clause) -> Option<Kind> {
    let words = &clause.words;
    let own = clause.cues.has(Cue::FirstPerson)
        || is_item(&scan.prose.sentences()[clause.sentence])
        || matches!(
            scan.form(words.start),
            "re-read" | "reread" | "looked" | "read" | "re-checked"
        );
    let told = words.clone().any(|at| {
        let by = scan.back(words, at, 1);
        let opens = at == words.start || matches!(by, "i" | "we" | "also" | "then" | "and");
        match scan.form(at) {
            "re-read" | "reread" | "re-checked" | "double-checked" | "re-inspected" => own && opens,
            "looked" | "read" | "checked" => {
                own && opens && scan.form(words.end - 1) == "again" && words.len() > 2
            }
            "confirms" | "confirmed" => (1..=5).any(|n| {
                matches!(
                    scan.back(words, at, n),
                    "look" | "diff" | "reread" | "re-read" | "grep"
                )
            }),
            _ => false,
        }
    });
    let check = words
        .clone()
        .any(|at| words::check_word(scan.form(at)).is_some());
    (told && !check).then_some(Kind::Verified)
}
