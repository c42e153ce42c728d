//! What is or is not the case: nothing changed, not tested, a failure that was there before, the
//! state of a pull request, a quoted error, a cited place.

use core::ops::Range;

use super::model::Kind;
use super::object::is_pr;
use super::quote;
use super::scan::Scan;
use super::section::Mode;
use super::words;
use crate::text::{Clause, Cue, RegionKind, WordKind};

/// Reads the states of one clause.
pub(super) fn read(scan: &mut Scan<'_, '_>, index: usize, clause: &Clause) {
    let heading = scan.is_title(&scan.prose.sentences()[index]);
    if heading {
        return;
    }
    if preexists(scan, clause) {
        scan.push(index, Kind::Preexisting, &clause.words);
    }
    if unchanged(scan, clause) {
        scan.push(index, Kind::Nochange, &clause.words);
    } else if undone(scan, clause) {
        scan.push_as(index, Kind::Disclosure, &clause.words, true);
    }
    if unavailable(scan, clause) {
        scan.push_as(index, Kind::Failing, &clause.words, true);
    }
    if nothing_left(scan, clause) {
        scan.push(index, Kind::Verified, &clause.words);
    }
    if pull_request_state(scan, clause) {
        scan.push(index, Kind::Pr, &clause.words);
    }
    if hash_of_commit(scan, index, clause) {
        scan.push(index, Kind::Commit, &clause.words);
    }
    quote::read(scan, index, clause);
    listed_as_verified(scan, index, clause);
}

/// `No files were changed`, `left untouched`, `I did not touch those`, `made no changes`.
fn unchanged(scan: &Scan<'_, '_>, clause: &Clause) -> bool {
    let words = &clause.words;
    words.clone().any(|at| {
        let form = scan.form(at);
        let before = |n| scan.back(words, at, n);
        match form {
            // `I changed nothing`
            "changed" | "touched" | "modified" | "edited"
                if scan.ahead(words, at, 1) == "nothing" =>
            {
                true
            }
            "untouched" | "unmodified" | "intact" => before(1) != "the",
            "unchanged" => matches!(
                before(1),
                "is" | "are" | "was" | "were" | "left" | "remains" | "remain" | "kept"
            ),
            "touch" | "touched" | "modify" | "modified" | "alter" | "altered" | "changed"
            | "change" | "changes" | "edits" | "edited" => changes_denied(scan, clause, at),
            _ => false,
        }
    })
}

fn changes_denied(scan: &Scan<'_, '_>, clause: &Clause, at: usize) -> bool {
    let words = &clause.words;
    let Some(negator) = clause.negator.filter(|&negator| negator < at) else {
        return false;
    };
    let noun = matches!(scan.form(at), "change" | "changes" | "edits");
    let no = matches!(scan.form(negator), "no" | "nothing" | "none" | "without");
    if noun {
        // `no code changes were made`, `I made no changes`, `no changes needed`.
        let any = scan.form(negator) != "without" || scan.form(at) != "change";
        // `no new changes to pull` tells the state of a remote.
        let left = scan.ahead(words, at, 1) == "to"
            && matches!(
                scan.ahead(words, at, 2),
                "pull" | "push" | "merge" | "sync" | "fetch"
            );
        return no && any && !left && at - negator <= 4;
    }
    let finite = !matches!(scan.form(at), "touch" | "modify" | "alter" | "change");
    let auxiliary = matches!(scan.form(negator), "didn't" | "haven't" | "hasn't")
        || matches!(
            scan.back(words, negator, 1),
            "did" | "have" | "has" | "was" | "were"
        );
    (no || auxiliary || finite) && at - negator <= 5 && !clause.cues.has(Cue::Ability)
}

/// `I wasn't able to push`: an ability that is denied is a disclosure, whatever the deed.
pub(super) fn unable(scan: &Scan<'_, '_>, clause: &Clause) -> bool {
    let words = &clause.words;
    let denied = words
        .clone()
        .take(12)
        .any(|at| scan.form(at) == "able" && clause.negates(at));
    let could = words
        .clone()
        .take(6)
        .any(|at| matches!(scan.form(at), "could" | "can") && scan.ahead(words, at, 1) == "not");
    (denied || (could && unproved(scan, clause) && !finds_nothing(scan, clause)))
        && clause.cues.has(Cue::FirstPerson)
        && !clause.cues.any(&[
            Cue::Question,
            Cue::Condition,
            Cue::Contingent,
            Cue::Future,
            Cue::Modal,
            Cue::SecondPerson,
        ])
}

/// An admission of the agent's own, which holds wherever it stands: `I did not run those here`.
pub(super) fn admits(scan: &Scan<'_, '_>, clause: &Clause) -> bool {
    let own = clause.cues.has(Cue::FirstPerson)
        && clause.words.clone().take(8).any(|at| {
            matches!(scan.form(at), "didn't" | "haven't" | "couldn't")
                || (scan.form(at) == "not"
                    && matches!(scan.back(&clause.words, at, 1), "did" | "have" | "could"))
        });
    own && undone(scan, clause)
}

/// `I did not run the tests`, `not tested`, `could not verify`, `untested`, `skipped the suite`.
pub(super) fn undone(scan: &Scan<'_, '_>, clause: &Clause) -> bool {
    let words = &clause.words;
    if clause.cues.has(Cue::Inability)
        && !clause.cues.has(Cue::SecondPerson)
        && unproved(scan, clause)
    {
        return !finds_nothing(scan, clause);
    }
    words.clone().any(|at| {
        let form = scan.form(at);
        match form {
            "skipped" => (1..=3).any(|n| words::check_word(scan.ahead(words, at, n)).is_some()),
            "left" if scan.ahead(words, at, 1) == "out" => {
                (2..=4).any(|n| words::check_word(scan.ahead(words, at, n)).is_some())
            }
            "unresolved" | "incomplete" => {
                matches!(scan.back(words, at, 1), "still" | "is" | "remains" | "are")
            }
            "saved" | "captured" | "recorded" | "generated" | "covered" | "exercised"
            | "executed" => {
                clause.negates(at)
                    && (1..=2).any(|n| matches!(scan.back(words, at, n), "was" | "were" | "been"))
            }
            "blocked" => matches!(scan.back(words, at, 1), "was" | "were" | "is" | "are"),
            _ => false,
        }
    })
}

/// The denial reaches a verb of finding out, not a noun that looks like one: `no test needs it`.
fn unproved(scan: &Scan<'_, '_>, clause: &Clause) -> bool {
    let words = &clause.words;
    let Some(negator) = clause.negator else {
        return true;
    };
    if matches!(scan.form(negator), "no" | "none" | "nothing") {
        let done = (negator + 1..words.end).take(8).any(|at| {
            matches!(scan.back(words, at, 1), "was" | "were" | "been")
                && matches!(
                    scan.form(at),
                    "run" | "executed" | "tested" | "verified" | "performed" | "ran" | "checked"
                )
        });
        return done && !clause.cues.has(Cue::Ability);
    }
    if matches!(scan.form(negator), "doesn't" | "don't")
        || matches!(scan.back(words, negator, 1), "does" | "do")
    {
        return false;
    }
    (negator + 1..words.end).take(4).any(|at| {
        let before = scan.back(words, at, 1);
        let noun = matches!(before, "the" | "a" | "an" | "any" | "this")
            || (scan.form(at) == "access" && at > negator + 2);
        !noun && finds_out(scan.form(at))
    })
}

fn finds_out(form: &str) -> bool {
    matches!(
        form,
        "verify"
            | "verified"
            | "confirm"
            | "confirmed"
            | "test"
            | "tested"
            | "run"
            | "ran"
            | "rerun"
            | "re-run"
            | "reproduce"
            | "reproduced"
            | "validate"
            | "validated"
            | "check"
            | "checked"
            | "execute"
            | "executed"
    ) || matches!(
        form,
        "access"
            | "reach"
            | "open"
            | "fetch"
            | "load"
            | "connect"
            | "download"
            | "retrieve"
            | "exercise"
            | "browse"
    )
}

/// `I could not find it` tells a finding.
fn finds_nothing(scan: &Scan<'_, '_>, clause: &Clause) -> bool {
    clause
        .words
        .clone()
        .any(|at| matches!(scan.form(at), "find" | "found" | "locate"))
}

/// A longer clause is no plain statement; keeps the looks within it linear.
const STATE_WORDS: usize = 120;

/// `The failure is pre-existing`, `was failing before my change`, `also fails on main`.
fn preexists(scan: &Scan<'_, '_>, clause: &Clause) -> bool {
    let start = before_start(scan, clause);
    let words = &(start..clause.words.end.min(start + STATE_WORDS));
    let ill = words.clone().any(|at| {
        let form = scan.form(at);
        words::defect(form) || words::went_badly(form) || words::check_word(form).is_some()
    });
    words.clone().any(|at| {
        let form = scan.form(at);
        let next = scan.ahead(words, at, 1);
        match form {
            "predate" | "predates" | "predated" => ill,
            "checkout" | "base" | "stashed" | "baseline" | "upstream" => {
                ill && likened(scan, words)
            }
            "without" => {
                matches!(next, "my" | "this" | "the" | "these")
                    && fails(scan, words)
                    && likened(scan, words)
            }
            "pre-existing" | "preexisting" => {
                ill || matches!(scan.back(words, at, 1), "is" | "are" | "was" | "were")
                    || (1..=3).any(|n| matches!(scan.back(words, at, n), "has" | "have"))
            }
            "already" => matches!(next, "failing" | "failed" | "broken" | "red"),
            "existed" => next == "before",
            "unrelated" => {
                ill && next == "to"
                    && words
                        .clone()
                        .any(|n| matches!(scan.form(n), "change" | "changes" | "work"))
            }
            // `The 2 failures were there before`
            "before"
                if next.is_empty()
                    && scan.back(words, at, 1) == "there"
                    && matches!(scan.back(words, at, 2), "was" | "were") =>
            {
                ill
            }
            "before" => {
                let change = matches!(
                    scan.ahead(words, at, 2),
                    "edit" | "change" | "changes" | "fix"
                );
                ill && (matches!(next, "my" | "this" | "these") || (next == "the" && change))
                    && !clause.cues.has(Cue::Condition)
                    && fails(scan, words)
            }
            "main" | "master" => {
                scan.back(words, at, 1) == "on"
                    && likened(scan, words)
                    && (fails(scan, words) || words.clone().any(|n| words::defect(scan.form(n))))
            }
            _ => false,
        }
    }) && clause
        .negator
        .is_none_or(|negator| scan.form(negator) == "without")
}

fn fails(scan: &Scan<'_, '_>, words: &Range<usize>) -> bool {
    words.clone().any(|n| words::went_badly(scan.form(n)))
}

/// One state is likened to another: `also fails on main`, `the same tests fail`.
fn likened(scan: &Scan<'_, '_>, words: &Range<usize>) -> bool {
    words
        .clone()
        .any(|n| matches!(scan.form(n), "also" | "too" | "same" | "already"))
}

/// `2 tests fail, as they did | before the edit`: the failure stands in the clause before.
fn before_start(scan: &Scan<'_, '_>, clause: &Clause) -> usize {
    let start = clause.words.start;
    let sentence = &scan.prose.sentences()[clause.sentence];
    let as_then = matches!(
        scan.back(&sentence.words, start, 1),
        "did" | "already" | "too"
    );
    if scan.form(start) == "before" && as_then {
        start.saturating_sub(12).max(sentence.words.start)
    } else {
        start
    }
}

/// `Not found in PATH`, `not connecting yet`: a clause that opens with the denial of a state.
fn unavailable(scan: &Scan<'_, '_>, clause: &Clause) -> bool {
    let words = &clause.words;
    let start = words.start;
    let joined = start > 0
        && scan
            .prose
            .masked()
            .get(scan.prose.words()[start - 1].range.end..clause.range.start)
            .is_some_and(|gap| gap.contains(','));
    scan.form(start) == "not"
        && !joined
        && matches!(
            scan.ahead(words, start, 1),
            "found"
                | "connecting"
                | "connected"
                | "working"
                | "available"
                | "running"
                | "reachable"
                | "responding"
                | "recognized"
        )
}

/// `No conflict markers remain`, `returns no matches`.
fn nothing_left(scan: &Scan<'_, '_>, clause: &Clause) -> bool {
    let words = &clause.words;
    let Some(negator) = clause
        .negator
        .filter(|&at| matches!(scan.form(at), "no" | "none" | "nothing"))
    else {
        return false;
    };
    let remains = (negator + 1..words.end)
        .take(6)
        .any(|at| matches!(scan.form(at), "remain" | "remains" | "left"));
    let search = (words.start..negator).rev().take(4).any(|at| {
        matches!(
            scan.form(at),
            "returns" | "returned" | "finds" | "found" | "shows"
        )
    }) && (negator + 1..words.end).take(3).any(|at| {
        matches!(
            scan.form(at),
            "matches" | "results" | "hits" | "references" | "occurrences"
        )
    });
    remains || search
}

/// `PR is still draft`, `PR #4 is open`, `PR #4 remains mergeable`.
fn pull_request_state(scan: &Scan<'_, '_>, clause: &Clause) -> bool {
    let words = &clause.words;
    let Some(at) = words.clone().take(4).find(|&at| is_pr(scan, clause, at)) else {
        return false;
    };
    let be = (at + 1..words.end.min(at + 5))
        .find(|&n| matches!(scan.form(n), "is" | "remains" | "was" | "has"));
    let Some(be) = be else { return false };
    words.clone().skip_while(|&n| n <= be).take(5).any(|n| {
        matches!(
            scan.form(n),
            "draft"
                | "open"
                | "mergeable"
                | "closed"
                | "merged"
                | "created"
                | "opened"
                | "updated"
                | "up"
                | "approved"
                | "ready"
        ) || scan.prose.words()[n].kind == WordKind::Code
    })
}

/// `Commit: 8dc5394f`, `` Commit pushed: `8dc5394 …` ``, or a hash that opens a row.
fn hash_of_commit(scan: &Scan<'_, '_>, index: usize, clause: &Clause) -> bool {
    let prose = scan.prose;
    let sentence = &prose.sentences()[index];
    let start = clause.words.start;
    let hashed = clause.words.clone().take(3).any(|at| {
        let word = &prose.words()[at];
        word.kind == WordKind::Code
            && prose
                .source()
                .get(word.range.clone())
                .is_some_and(|code| is_hash(code.trim_matches('`')))
            || (word.kind == WordKind::Plain && is_hash(scan.form(at)))
    });
    if !hashed {
        return false;
    }
    let titled = (sentence.words.start..start)
        .chain(clause.words.clone())
        .rev()
        .take(6)
        .any(|at| matches!(scan.form(at), "commit" | "commits" | "committed" | "sha"));
    let opens = (start == sentence.words.start
        || scan.prose.words()[start - 1].kind == WordKind::Number)
        && start <= sentence.words.start + 1;
    let lead = sentence
        .lead
        .or(sentence.heading)
        .and_then(|lead| prose.sentences().get(lead));
    let commits = lead.is_some_and(|lead| {
        lead.words
            .clone()
            .any(|at| matches!(scan.form(at), "commit" | "commits"))
    });
    let above = sentence.words.start.checked_sub(1).is_some()
        && index > 0
        && scan.leads(index - 1)
        && prose.sentences()[index - 1]
            .words
            .clone()
            .any(|at| matches!(scan.form(at), "commit" | "commits"));
    let row = opens
        && (above
            || sentence.kind == crate::text::BlockKind::Row
            || (super::scan::is_item(sentence) && commits));
    let placed = scan.back(&sentence.words, start, 1);
    (titled && !matches!(placed, "in" | "at" | "from" | "since")) || row
}

/// The first word of `text` is a hash of 7 to 40 hexadecimal digits, with a digit and a letter among them.
pub(super) fn is_hash(text: &str) -> bool {
    let first = text.split(' ').next().unwrap_or("");
    (7..=40).contains(&first.len())
        && first.bytes().all(|b| b.is_ascii_hexdigit())
        && first.bytes().any(|b| b.is_ascii_digit())
}

/// Items below `Verified:`.
fn listed_as_verified(scan: &mut Scan<'_, '_>, index: usize, clause: &Clause) {
    let sentence = &scan.prose.sentences()[index];
    let first = sentence.words.start == clause.words.start;
    if first
        && scan.section(index).mode == Mode::Verified
        && super::scan::is_item(sentence)
        && !scan.claimed(index)
    {
        scan.push(index, Kind::Verified, &sentence.words.clone());
    }
}

/// Cited places, `path:line`, of one sentence in the agent's own voice.
pub(super) fn site_at(text: &str) -> Option<(Range<usize>, u64)> {
    let colon = text.rfind(':')?;
    let (path, line) = (text.get(..colon)?, text.get(colon + 1..)?);
    let digits = line.len() - line.trim_start_matches(|c: char| c.is_ascii_digit()).len();
    let rest = &line[digits..];
    let tail = rest
        .chars()
        .all(|c| c.is_ascii_digit() || matches!(c, '-' | '–' | ','));
    if digits == 0
        || digits > 7
        || !tail
        || !super::object::is_path(path)
        || path.contains(' ')
        || path.contains("//")
    {
        return None;
    }
    line[..digits].parse().ok().map(|line| (0..colon, line))
}

/// Whether a region can hold a citation.
pub(super) fn may_cite(kind: RegionKind) -> bool {
    matches!(kind, RegionKind::Code)
}
