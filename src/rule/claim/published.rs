//! What an agent says elsewhere than in its close: commit messages, pull requests, ticked to-do items
//! and what a launched agent hands back.
//!
//! Such words follow other customs than a close. A commit speaks in the imperative and its diff shows
//! what it changes, a pull request speaks of a whole branch and ends in a plan, a to-do item names work:
//! only what they say of checks is read as a claim.

use core::ops::Range;
use std::borrow::Cow;
use std::collections::{HashMap, HashSet};

use super::guard::Guards;
use super::judge::{Judged, Reason, Verdict, judge_with};
use super::{Claim, Kind, read_prose};
use serde::Deserialize;

use crate::rule::evidence::Ledger;
use crate::shell::{self, Verify};
use crate::text::{BlockKind, Prose, Sentence, WordKind};
use crate::transcript::{Outcome, Place, key_of};
use crate::turn::{Published, Step, Turn, Venue};

/// Where a claim was published.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "kebab-case")]
pub enum Location {
    /// The words that end a turn.
    #[default]
    Close,
    /// A commit's message.
    Commit,
    /// A pull request's title and body.
    Pr,
    /// An item of a plan or to-do list.
    Task,
    /// What a launched agent told the one that launched it.
    Handback,
}

impl Location {
    /// Every place, in the order of the documentation.
    pub const ALL: [Self; 5] = [
        Self::Close,
        Self::Commit,
        Self::Pr,
        Self::Task,
        Self::Handback,
    ];

    /// The name in rows.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Close => "close",
            Self::Commit => "commit",
            Self::Pr => "pr",
            Self::Task => "task",
            Self::Handback => "handback",
        }
    }
}

/// A text that is no close, with what it states.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Told<'s> {
    /// Where it was published.
    pub location: Location,
    /// The text that the spans of its claims count in.
    pub text: Cow<'s, str>,
    /// The record that it stands in.
    pub place: Place,
    /// Its claims, each with what would bear it out.
    claims: Vec<(Claim, Bearing)>,
}

/// What bears a statement out.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Bearing {
    /// What bears out the same words in a close.
    Stated,
    /// A run of that kind, whatever it came to.
    Ran(Verify),
    /// Nothing that stands in this record.
    Elsewhere,
}

impl Told<'_> {
    /// Each claim, held against what the session did up to here. `turn` holds the steps up to here.
    #[must_use]
    pub fn judged(&self, guards: Guards, ledger: &Ledger, turn: &Turn) -> Vec<(&Claim, Judged)> {
        let stated: Vec<Claim> = self.claims.iter().map(|(claim, _)| claim.clone()).collect();
        self.claims
            .iter()
            .map(|(claim, bearing)| {
                let judged = match bearing {
                    Bearing::Stated => judge_with(guards, claim, &self.text, &stated, ledger, turn),
                    Bearing::Ran(verify) => was_run(*verify, ledger),
                    Bearing::Elsewhere => answer(Verdict::Unknown, Reason::Elsewhere),
                };
                (claim, judged)
            })
            .collect()
    }
}

/// Whether a step may publish anything.
#[must_use]
pub fn speaks(step: &Step) -> bool {
    !step.published.is_empty() || !step.plan.is_empty() || step.delegate
}

/// What a session published so far.
#[derive(Debug, Clone, Default)]
pub struct Outlets {
    /// The words of to-do items by the keys that their list gives them.
    items: HashMap<String, String>,
    /// Items that were done before, by their words.
    done: HashSet<u64>,
}

impl Outlets {
    /// What a step published, as far as it states anything that a record could show.
    pub fn of<'s>(&mut self, step: &'s Step) -> Vec<Told<'s>> {
        if step.outcome.never_ran() {
            return Vec::new();
        }
        let mut out = Vec::new();
        let went = |published: &&Published| carried_out(step, published);
        for published in step.published.iter().filter(went) {
            let location = match published.venue {
                Venue::Commit => Location::Commit,
                Venue::Pr => Location::Pr,
            };
            let claims = message(&published.text, location);
            put(
                &mut out,
                location,
                Cow::Borrowed(&published.text),
                step.call,
                claims,
            );
        }
        self.tasks(step, &mut out);
        if step.delegate && step.delegated.is_none() && !step.text.is_cut() {
            let text = step.text.as_str();
            let place = step.result.unwrap_or(step.call);
            put(
                &mut out,
                Location::Handback,
                Cow::Borrowed(text),
                place,
                handed_back(text),
            );
        }
        out
    }

    /// Takes in what a step published where it is told elsewhere: in the record that it was copied from.
    pub fn pass(&mut self, step: &Step) {
        if !step.outcome.never_ran() {
            self.tasks(step, &mut Vec::new());
        }
    }

    /// To-do items that a step ticks and that were not ticked before.
    fn tasks<'s>(&mut self, step: &'s Step, out: &mut Vec<Told<'s>>) {
        for item in &step.plan {
            // A list that numbers its items itself tells the number in its answer.
            let key = item.key.clone().or_else(|| number_of(step.text.as_str()));
            if let (Some(key), Some(text)) = (&key, &item.text) {
                self.items.insert(key.clone(), text.clone());
            }
            if !item.done || step.outcome != Outcome::Ok {
                continue;
            }
            let known = || key.as_ref().and_then(|key| self.items.get(key)).cloned();
            let Some(text) = item.text.clone().or_else(known) else {
                continue;
            };
            if self.done.insert(key_of(&[&text])) {
                let prose = Prose::read(&text);
                let claims = prose.sentences().first().and_then(|sentence| {
                    if prose.form(sentence.words.start) == "push" && sentence.words.len() <= 5 {
                        let push = Claim::of(Kind::Push, sentence.range.clone());
                        return Some((push, Bearing::Stated));
                    }
                    let verify = told_to_run(&prose, sentence)?;
                    Some(ran(sentence.range.clone(), verify))
                });
                let claims: Vec<_> = claims.into_iter().collect();
                put(out, Location::Task, Cow::Owned(text), step.call, claims);
            }
        }
    }
}

fn put<'s>(
    out: &mut Vec<Told<'s>>,
    location: Location,
    text: Cow<'s, str>,
    place: Place,
    claims: Vec<(Claim, Bearing)>,
) {
    if !claims.is_empty() {
        out.push(Told {
            location,
            text,
            place,
            claims,
        });
    }
}

/// Whether a text went out. A command that failed may have failed behind the commit, whose own
/// line then says that it was made.
fn carried_out(step: &Step, published: &Published) -> bool {
    let subject = published.text.lines().next().unwrap_or("").trim();
    match step.outcome {
        Outcome::Failed(_) | Outcome::Interrupted => {
            published.venue == Venue::Commit
                && !subject.is_empty()
                && step.text.as_str().contains(&format!("] {subject}"))
        }
        _ => true,
    }
}

/// The number behind the first `#` of an answer.
fn number_of(text: &str) -> Option<String> {
    let rest = &text[text.find('#')? + 1..];
    let digits: String = rest
        .chars()
        .take_while(char::is_ascii_digit)
        .take(9)
        .collect();
    (!digits.is_empty()).then_some(digits)
}

/// What a commit's message or a pull request says of checks.
fn message(text: &str, location: Location) -> Vec<(Claim, Bearing)> {
    let end = footer(text);
    let prose = Prose::read(text);
    let read = read_prose(&prose).claims;
    let mut out: Vec<(Claim, Bearing)> = Vec::new();
    for sentence in prose.sentences() {
        if sentence.range.start >= end || planned(&prose, sentence) {
            continue;
        }
        let from = read.partition_point(|claim| claim.span.start < sentence.range.start);
        let own = read[from..]
            .iter()
            .take_while(|claim| claim.span.start < sentence.range.end);
        let own: Vec<&Claim> = own.filter(|claim| !claim.negated).collect();
        let ticked = matches!(
            sentence.kind,
            BlockKind::Item {
                check: Some(true),
                ..
            }
        );
        let checks = own.iter().any(|claim| of_checks(claim.kind));
        if checks && (ticked || !is_imperative(&prose, sentence)) {
            let kept = own
                .iter()
                .filter(|claim| of_checks(claim.kind) || counts_checks(claim));
            out.extend(kept.map(|claim| ((*claim).clone(), Bearing::Stated)));
        } else if let Some(behind) = ticked.then(|| behind(&prose, sentence)).flatten() {
            out.extend(behind);
        } else if ticked && location == Location::Pr {
            let verify = told_to_run(&prose, sentence).or_else(|| names_check(&prose, sentence));
            out.extend(verify.map(|verify| ran(sentence.range.clone(), verify)));
        }
    }
    out
}

/// What stands behind the check that a ticked box names: `Run cargo test - all tests pass`.
fn behind(prose: &Prose<'_>, sentence: &Sentence) -> Option<Vec<(Claim, Bearing)>> {
    let text = prose.source().get(sentence.range.clone())?;
    let marks = [" - ", " — ", " – ", ": ", " ("];
    let at = marks
        .iter()
        .filter_map(|mark| Some(text.find(mark)? + mark.len()))
        .min()?;
    let base = sentence.range.start + at;
    let claims = super::read(&text[at..]).claims.into_iter();
    let claims: Vec<(Claim, Bearing)> = claims
        .filter(|claim| !claim.negated && (of_checks(claim.kind) || counts_checks(claim)))
        .map(|claim| (moved(claim, base), Bearing::Stated))
        .collect();
    (!claims.is_empty()).then_some(claims)
}

/// A claim of a part of a text, in bytes of the whole.
fn moved(mut claim: Claim, by: usize) -> Claim {
    let shift = |span: &mut Range<usize>| *span = span.start + by..span.end + by;
    shift(&mut claim.span);
    claim
        .numbers
        .iter_mut()
        .for_each(|number| shift(&mut number.span));
    claim
        .sites
        .iter_mut()
        .for_each(|site| shift(&mut site.span));
    claim.quote.iter_mut().for_each(shift);
    claim
}

/// Where the lines begin that a tool puts under a message.
fn footer(text: &str) -> usize {
    let marks = [
        "co-authored-by:",
        "signed-off-by:",
        "generated with",
        "\u{1f916}",
    ];
    let mut at = 0;
    for line in text.split_inclusive('\n') {
        let head: String = line
            .trim_start()
            .chars()
            .take(24)
            .collect::<String>()
            .to_lowercase();
        if marks.iter().any(|mark| head.starts_with(mark)) {
            return at;
        }
        at += line.len();
    }
    text.len()
}

/// Whether a sentence stands in a list of checks that are still to be made: below `Test plan`, or as
/// a box that is not ticked.
fn planned(prose: &Prose<'_>, sentence: &Sentence) -> bool {
    let BlockKind::Item { check, .. } = sentence.kind else {
        return false;
    };
    let title = sentence
        .heading
        .and_then(|heading| prose.sentences().get(heading));
    let plan = title.is_some_and(|title| {
        let mut forms = title.words.clone().map(|at| prose.form(at));
        forms.any(|form| matches!(form, "plan" | "todo" | "checklist" | "steps"))
    });
    check == Some(false) || check.is_none() && plan
}

/// `Make all tests pass`, `fix: ensure the build is clean`: what a change is for, not what was seen.
fn is_imperative(prose: &Prose<'_>, sentence: &Sentence) -> bool {
    let words = sentence.words.clone();
    let label = words.clone().take(3).find(|at| {
        let end = prose.words()[*at].range.end;
        prose
            .masked()
            .get(end..)
            .is_some_and(|rest| rest.starts_with(':') || rest.starts_with("):"))
    });
    let first = label.map_or(words.start, |at| at + 1);
    [words.start, first].iter().any(|at| {
        matches!(
            prose.form(*at),
            "make"
                | "ensure"
                | "fix"
                | "add"
                | "get"
                | "keep"
                | "let"
                | "check"
                | "verify"
                | "require"
                | "allow"
                | "update"
                | "remove"
                | "use"
                | "skip"
                | "run"
                | "test"
                | "report"
                | "show"
                | "mark"
                | "treat"
                | "improve"
                | "handle"
                | "prevent"
                | "avoid"
                | "wait"
                | "build"
        )
    })
}

/// A figure of tests, next to what is said of them.
fn counts_checks(claim: &Claim) -> bool {
    let nouns = ["tests", "passed", "failed", "skipped", "errors", "warnings"];
    claim.kind == Kind::Count
        && claim
            .numbers
            .iter()
            .any(|number| nouns.contains(&number.noun))
}

/// What a message may state of a check. `Formatted the output` is what a change does.
fn of_checks(kind: Kind) -> bool {
    kind.is_check() && kind != Kind::Format || matches!(kind, Kind::Verified | Kind::Run)
}

/// The statements of a launched agent: what it did is in a record of its own. Reports describe code
/// at length, so that of changes only those count that it says to have made itself.
fn handed_back(text: &str) -> Vec<(Claim, Bearing)> {
    let own = |claim: &Claim| {
        let words = text.get(claim.span.clone()).unwrap_or("");
        matches!(
            words.split_whitespace().next(),
            Some("I" | "I've" | "We" | "We've")
        )
    };
    let stated = |claim: &Claim| match claim.kind {
        Kind::Edit | Kind::Create | Kind::Delete | Kind::Run => own(claim),
        Kind::Fixed
        | Kind::Commit
        | Kind::Push
        | Kind::Pr
        | Kind::Merge
        | Kind::Deploy
        | Kind::Publish
        | Kind::Install
        | Kind::Verified => true,
        kind => kind.is_check() && kind != Kind::Format,
    };
    let claims = super::read(text).claims.into_iter();
    claims
        .filter(|claim| !claim.negated && stated(claim))
        .map(|claim| (claim, Bearing::Elsewhere))
        .collect()
}

/// `Run the tests`, ``Execute `cargo clippy` ``, `Verify that the build passes`: the check that an item
/// tells somebody to make.
fn told_to_run(prose: &Prose<'_>, sentence: &Sentence) -> Option<Verify> {
    let mut forms = sentence.words.clone().map(|at| prose.form(at));
    match forms.next()? {
        "run" | "rerun" | "re-run" | "execute" => {}
        "verify" | "check" | "ensure" | "confirm" | "validate" => {
            let outcome = |form: &str| {
                matches!(
                    form,
                    "pass" | "passes" | "passing" | "succeeds" | "green" | "compiles" | "clean"
                )
            };
            if !forms.any(outcome) {
                return None;
            }
        }
        "" => return command(prose, sentence.words.start),
        _ => return None,
    }
    named(
        prose,
        sentence.words.start + 1..sentence.words.end.min(sentence.words.start + 7),
    )
}

/// A ticked box that only names a check: `Unit tests`, `Lint`.
fn names_check(prose: &Prose<'_>, sentence: &Sentence) -> Option<Verify> {
    let words = sentence.words.clone();
    (words.len() <= 3).then(|| named(prose, words)).flatten()
}

fn named(prose: &Prose<'_>, mut words: Range<usize>) -> Option<Verify> {
    words.find_map(|at| match prose.form(at) {
        "tests" | "test" | "suite" | "pytest" | "jest" | "vitest" => Some(Verify::Test),
        "build" | "builds" => Some(Verify::Build),
        "lint" | "linter" | "linting" | "linters" | "clippy" | "eslint" | "ruff" => {
            Some(Verify::Lint)
        }
        "typecheck" | "type-check" | "tsc" | "mypy" | "typechecking" => Some(Verify::Typecheck),
        _ => command(prose, at),
    })
}

/// What a command in a code span verifies.
fn command(prose: &Prose<'_>, at: usize) -> Option<Verify> {
    let word = prose
        .words()
        .get(at)
        .filter(|word| word.kind == WordKind::Code)?;
    let text = prose.source().get(word.range.clone())?.trim_matches('`');
    let script = shell::read(text);
    script.commands.iter().find_map(|simple| simple.verify)
}

fn ran(span: Range<usize>, verify: Verify) -> (Claim, Bearing) {
    let claim = Claim::of(Kind::Run, span);
    (claim, Bearing::Ran(verify))
}

fn answer(verdict: Verdict, reason: Reason) -> Judged {
    Judged {
        verdict,
        reason,
        evidence: Vec::new(),
        settle: None,
    }
}

/// Whether a check was run at all.
fn was_run(verify: Verify, ledger: &Ledger) -> Judged {
    let fits = |own: Verify| {
        own == verify
            || matches!(
                (verify, own),
                (
                    Verify::Build,
                    Verify::Test | Verify::Run | Verify::Typecheck
                ) | (Verify::Typecheck, Verify::Build | Verify::Lint)
                    | (Verify::Lint, Verify::Format)
            )
    };
    if let Some(run) = ledger.runs.iter().rev().find(|run| fits(run.verify)) {
        let reason = if run.delegated {
            Reason::Delegated
        } else if run.turn == ledger.turn {
            Reason::Direct
        } else {
            Reason::Carried
        };
        let mut judged = answer(Verdict::Supported, reason);
        judged
            .evidence
            .push((run.place, "this run was made".into()));
        return judged;
    }
    if let Some((_, _, place)) = ledger.delegated.last() {
        let mut judged = answer(Verdict::Unknown, Reason::Elsewhere);
        judged
            .evidence
            .push((*place, "another agent reported".into()));
        return judged;
    }
    // Whatever the list counts as running it may have been done by a command of unknown effect.
    if let Some((_, _, place)) = ledger.unknown.last() {
        let mut judged = answer(Verdict::Unknown, Reason::Ambiguous);
        judged
            .evidence
            .push((*place, "what this command runs is not known".into()));
        return judged;
    }
    answer(Verdict::Unsupported, Reason::NeverRun)
}

#[cfg(test)]
mod tests;
