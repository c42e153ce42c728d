//! Parameters that the clauses of a claim give: whole or part, place, parts of a count, run or state.

use core::ops::Range;

use super::model::{Claim, Kind, Place, Tally};
use super::object::is_path;
use super::scan::{Found, Scan};
use super::words;
use crate::text::{Cue, Number, WordKind};

/// A claim looks at no more words than this.
const WINDOW: usize = 48;

/// Fills in what the clauses that hold the claim say of it.
pub(super) fn fill(scan: &Scan<'_, '_>, found: &Found, claim: &mut Claim) {
    if matches!(claim.kind, Kind::Site | Kind::Quote) {
        return;
    }
    let clauses = scan.prose.clauses();
    let from = clauses.partition_point(|clause| clause.range.end <= found.span.start);
    let to = clauses.partition_point(|clause| clause.range.start < found.span.end);
    let (Some(first), Some(last)) = (clauses.get(from), clauses.get(to.max(from + 1) - 1)) else {
        return;
    };
    let words = first.words.start..last.words.end.min(first.words.start + WINDOW);
    extent(scan, &words, claim);
    let sentence = found
        .sentence
        .and_then(|index| scan.prose.sentences().get(index))
        .map_or(words.clone(), |sentence| {
            let near = words.start.saturating_sub(WINDOW / 4);
            sentence.words.start.max(near)..sentence.words.end.min(words.end + WINDOW / 4)
        });
    if claim.kind.is_check() || matches!(claim.kind, Kind::Failing | Kind::Count) {
        // What is said before a check's own words may be of an earlier run: `4 failed, now all pass`.
        let start = if claim.kind.is_check() {
            words.start.max(sentence.start)
        } else {
            sentence.start
        };
        claim.tally = tally(scan, &(start..sentence.end));
        let part = matches!(
            (claim.tally.passed, claim.tally.total),
            (Some(passed), Some(total)) if passed < total
        );
        claim.partial |= part;
    }
    claim.place = place(scan, &sentence);
    claim.ran = sentence.clone().any(|at| is_run(scan, &sentence, at));
    claim.outcome = !claim.kind.is_check() || says_how(scan, found, &words);
    let then = matches!(scan.form(words.start), "before" | "previously")
        || sentence.clone().any(|at| {
            scan.form(at) == "before"
                && matches!(scan.form(at + 1), "the" | "my" | "this" | "these" | "any")
                && at + 1 < sentence.end
                && clauses[from].cues.has(Cue::Condition)
        });
    claim.earlier |= then;
}

/// Whether the claim speaks of the whole, and the words that narrow it.
fn extent(scan: &Scan<'_, '_>, words: &Range<usize>, claim: &mut Claim) {
    let all = scan.prose.words();
    for at in words.clone() {
        match scan.form(at) {
            "full" | "entire" | "whole" | "complete" | "everything" | "everything's" => {
                claim.whole = true;
            }
            "all" | "every" => {
                // `all parser tests` is a part; `all tests pass` is not.
                let noun = (at + 1..words.end.min(at + 6))
                    .find(|&n| words::check_word(scan.form(n)).is_some());
                let narrow: Vec<String> = noun
                    .map(|noun| {
                        (at + 1..noun)
                            .filter(|&n| all[n].kind == WordKind::Plain && narrows(scan.form(n)))
                            .map(|n| scan.form(n).to_owned())
                            .collect()
                    })
                    .unwrap_or_default();
                claim.whole |= narrow.is_empty();
                claim.about.extend(narrow);
            }
            _ => {}
        }
    }
    if !claim.kind.is_check() {
        return;
    }
    for at in words.clone().skip(1) {
        let form = scan.form(at - 1);
        let noun = matches!(scan.form(at), "tests" | "test" | "suite" | "specs");
        if noun
            && claim.about.is_empty()
            && all[at - 1].kind == WordKind::Plain
            && !words::went_well(form)
            && narrows(form)
        {
            claim.about.push(form.to_owned());
        }
    }
    if !claim.about.is_empty() {
        claim.whole = false;
    }
}

/// A word in front of `tests` that names a part of them.
fn narrows(form: &str) -> bool {
    !COMMON.contains(&form)
        && form.chars().all(char::is_alphabetic)
        && words::check_word(form).is_none()
        && crate::text::past_act(form).is_none()
}

/// Words in front of `tests` that name no part of them.
const COMMON: &[&str] = &[
    "the",
    "of",
    "all",
    "existing",
    "new",
    "old",
    "single",
    "unit",
    "automated",
    "other",
    "our",
    "my",
    "your",
    "these",
    "those",
    "its",
    "a",
    "an",
    "most",
    "nearly",
    "almost",
    "remaining",
    "and",
    "or",
    "full",
    "whole",
    "entire",
    "complete",
    "test",
    "tests",
    "project",
    "current",
    "ran",
    "re-ran",
    "reran",
    "run",
    "running",
    "no",
    "any",
    "both",
    "now",
    "that",
    "each",
    "every",
    "in",
    "on",
    "with",
    "are",
    "is",
    "local",
    "same",
    "final",
    "only",
    "but",
    "so",
    "also",
    "to",
    "by",
    "for",
    "added",
    "updated",
];

/// `I ran`, `Ran`, `after running`, a command that is said to have been run.
fn is_run(scan: &Scan<'_, '_>, words: &Range<usize>, at: usize) -> bool {
    let form = scan.form(at);
    let before = scan.back(words, at, 1);
    match form {
        "ran" | "re-ran" | "reran" | "executed" => {
            at == words.start
                || matches!(
                    before,
                    "i" | "we" | "and" | "then" | "also" | "only" | "just" | "i've"
                )
        }
        "finished" | "ended" => true,
        _ => false,
    }
}

/// The claim says how the check went.
fn says_how(scan: &Scan<'_, '_>, found: &Found, words: &Range<usize>) -> bool {
    let first = words
        .clone()
        .take(3)
        .any(|at| matches!(scan.form(at), "ran" | "re-ran" | "reran" | "executed"));
    if !first {
        return true;
    }
    let all = scan.prose.words();
    let ticked = scan
        .prose
        .source()
        .get(found.span.clone())
        .is_some_and(|text| text.contains(words::TICKS));
    ticked
        || words
            .clone()
            .filter(|&at| all[at].range.start < found.span.end)
            .any(|at| {
                words::went_well(scan.form(at))
                    || matches!(
                        scan.form(at),
                        "no" | "zero" | "0" | "without" | "happy" | "nothing" | "do" | "fine"
                    )
            })
}

/// The parts of a count of tests within `words`.
fn tally(scan: &Scan<'_, '_>, words: &Range<usize>) -> Tally {
    let mut tally = Tally::default();
    let from = scan
        .numbers
        .partition_point(|number| number.word < words.start);
    let near = scan.numbers.get(from..).unwrap_or(&[]);
    let near = &near[..near.len().min(WINDOW / 4)];
    for number in near {
        if number.word >= words.end {
            break;
        }
        if !number.percent {
            part(scan, words, near, number, &mut tally);
        }
    }
    tally
}

/// What one number says: `38 of 40 pass`, `all but 2`, `3 failed`.
fn part(
    scan: &Scan<'_, '_>,
    words: &Range<usize>,
    near: &[Number],
    number: &Number,
    tally: &mut Tally,
) {
    let at = number.word;
    let value = |at: usize| near.iter().find(|n| n.word == at).map(|n| n.value);
    let back = |n: usize| scan.back(words, at, n);
    // `All but 2 of the 46 tests pass.`
    if back(1) == "but" && back(2) == "all" {
        tally.failed = tally.failed.or(Some(number.value));
        tally.total = tally.total.or((2..=4).find_map(|n| value(at + n)));
        return;
    }
    let source = scan.prose.source();
    let slash = source
        .get(number.range.end..)
        .is_some_and(|rest| rest.starts_with('/'));
    let of = if slash {
        Some(1)
    } else {
        // `38 of the 40 tests`, `11 out of 12 tests`
        let of =
            scan.form(at + 1) == "of" || scan.form(at + 1) == "out" && scan.form(at + 2) == "of";
        (2..=4).find(|&n| of && value(at + n).is_some())
    };
    let whole = of
        .filter(|n| at + n < words.end)
        .and_then(|n| Some((n, value(at + n)?)));
    if let Some((n, total)) = whole {
        if let Some(part) = verdict(scan, words, at + n + 1) {
            tally.put(&part, number.value);
            tally.total = tally.total.or(Some(total));
        }
        return;
    }
    let follows = back(1) == "of"
        || back(2) == "of"
        || source
            .get(..number.range.start)
            .is_some_and(|before| before.ends_with('/'));
    if follows && tally.total.is_some() {
        return;
    }
    if let Some(part) = verdict(scan, words, at + 1) {
        tally.put(&part, number.value);
        if matches!(part, Part::Passed) && back(1) == "all" {
            tally.total = tally.total.or(Some(number.value));
        }
    }
}

impl Tally {
    /// The first figure of a part holds.
    fn put(&mut self, part: &Part, value: u64) {
        let slot = match part {
            Part::Passed => &mut self.passed,
            Part::Failed => &mut self.failed,
            Part::Skipped => &mut self.skipped,
        };
        *slot = slot.or(Some(value));
    }
}

enum Part {
    Passed,
    Failed,
    Skipped,
}

/// What is said of the number in front of the word at `from`, before the next number.
fn verdict(scan: &Scan<'_, '_>, words: &Range<usize>, from: usize) -> Option<Part> {
    let all = scan.prose.words();
    let end = words.end.min(from + 5);
    for (at, word) in all.iter().enumerate().take(end).skip(from) {
        if word.kind == WordKind::Number {
            return None;
        }
        let form = scan.form(at);
        if matches!(form, "skipped" | "ignored" | "todo" | "xfailed") {
            return Some(Part::Skipped);
        }
        if words::went_badly(form) || matches!(form, "failures" | "failure") {
            return Some(Part::Failed);
        }
        if words::went_well(form) {
            return Some(Part::Passed);
        }
        let joins = words::check_word(form).is_some()
            || matches!(
                form,
                "are"
                    | "is"
                    | "all"
                    | "the"
                    | "cases"
                    | "of"
                    | "still"
                    | "now"
                    | "have"
                    | "were"
                    | "unit"
                    | "integration"
                    | "existing"
                    | "new"
                    | "total"
            );
        if !joins {
            return None;
        }
    }
    None
}

/// Where or under what the claim holds: the nearest place that the sentence names.
fn place(scan: &Scan<'_, '_>, words: &Range<usize>) -> Option<Place> {
    let all = scan.prose.words();
    let source = scan.prose.source();
    words.clone().find_map(|at| {
        let before = scan.back(words, at, 1);
        let form = scan.form(at);
        let word = &all[at];
        if matches!(word.kind, WordKind::Code | WordKind::Path) {
            let text = source.get(word.range.clone())?.trim_matches('`');
            let named = text.contains('/') || is_path(text);
            let plain = !text.contains(' ') && !text.is_empty();
            let preposed = matches!(before, "in" | "under" | "of" | "for" | "inside" | "within");
            let noun = matches!(
                scan.ahead(words, at, 1),
                "tests" | "suite" | "builds" | "compiles" | "build" | "package" | "crate"
            );
            let label = at == words.start;
            let branch = before == "on" && !named;
            return if plain
                && ((preposed && (named || noun || text.starts_with('@')))
                    || noun
                    || (label && named))
            {
                Some(Place::Path(text.to_owned()))
            } else if branch && plain {
                Some(Place::Branch(text.to_owned()))
            } else {
                None
            };
        }
        let on = (1..=3).any(|n| matches!(scan.back(words, at, n), "on" | "at" | "under"));
        match form {
            "windows" | "linux" | "macos" | "mac" | "ubuntu" | "wsl" | "android" | "ios" if on => {
                Some(Place::System(form.to_owned()))
            }
            "main" | "master" | "develop" | "trunk" if on => Some(Place::Branch(form.to_owned())),
            "base" | "baseline" | "checkout" | "stashed" if on || form == "stashed" => {
                Some(Place::Base)
            }
            "without" if matches!(scan.ahead(words, at, 1), "my" | "this" | "these") => {
                Some(Place::Base)
            }
            _ => None,
        }
    })
}
