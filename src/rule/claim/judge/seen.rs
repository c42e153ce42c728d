//! What an answer of the other side says of an outward deed: its number, its version, its place,
//! or that it is done.

use super::case::brief;
use super::{Case, Judged, Reason};
use crate::rule::claim::Kind;
use crate::rule::claim::guard::Guard;
use crate::rule::evidence::{Outward, OutwardKind, git};
use crate::transcript::{Outcome, Place};
use crate::turn::Step;

/// The deed went well, and its answer or its words tell of another one than the statement.
pub(super) fn another(case: &Case<'_>, last: &Outward) -> Option<Judged> {
    let step = case.step_at(last.place)?;
    let text = case.text();
    let what = format!("{} tells of another", brief(&last.words));
    let unknown = || Some(Judged::unknown(Reason::Ambiguous).at(last.place, what));
    match case.claim.kind {
        Kind::Merge if step.text.as_str().contains("will be automatically merged") => unknown(),
        Kind::Pr => (other_number(case, step, text) && last.kind == OutwardKind::Pr)
            .then(unknown)
            .flatten(),
        Kind::Publish => other_version(case, step, text).then(unknown).flatten(),
        Kind::Deploy => other_place(step, last, text).then(unknown).flatten(),
        Kind::Push => other_branch(step, last, text).then(unknown).flatten(),
        _ => None,
    }
}

/// Whether a text stands in a call or an answer of the turn, or in the prompt.
fn known(case: &Case<'_>, text: &str) -> bool {
    let prompt = case.turn.prompt.as_ref();
    let mut steps = case.turn.steps.iter();
    steps.any(|step| step.text.as_str().contains(text) || step.args.contains(text))
        || prompt.is_some_and(|prompt| prompt.text.contains(text))
}

/// "Opened PR #57", and the answer names the pull request 41.
fn other_number(case: &Case<'_>, step: &Step, text: &str) -> bool {
    let Some((_, rest)) = text.split_once('#') else {
        return false;
    };
    let digits: String = rest.chars().take_while(char::is_ascii_digit).collect();
    let told = ["/pull/", "/merge_requests/"]
        .iter()
        .any(|part| step.text.as_str().contains(part));
    !digits.is_empty() && told && !known(case, &digits)
}

/// The first version of three numbers in a text.
pub(super) fn version(text: &str) -> Option<&str> {
    let plain = |c: char| c.is_ascii_digit() || c == '.';
    text.split(|c: char| !plain(c))
        .map(|word| word.trim_matches('.'))
        .find(|word| word.matches('.').count() == 2 && !word.contains(".."))
}

/// "Published 1.5.0", and the answer names another version.
fn other_version(case: &Case<'_>, step: &Step, text: &str) -> bool {
    let (Some(told), Some(_)) = (version(text), version(step.text.as_str())) else {
        return false;
    };
    !known(case, told)
}

/// "Deployed to production", and the command and its answer speak of staging.
fn other_place(step: &Step, last: &Outward, text: &str) -> bool {
    let all = format!("{} {}", last.words, step.text.as_str()).to_ascii_lowercase();
    let text = text.to_ascii_lowercase();
    let (live, trial) = (text.contains("prod"), text.contains("staging"));
    live != trial
        && if live {
            all.contains("staging") && !all.contains("prod")
        } else {
            all.contains("prod") && !all.contains("staging")
        }
}

/// "Pushed to `main`", and another branch was named to git and in its answer.
fn other_branch(step: &Step, last: &Outward, text: &str) -> bool {
    let Some((_, rest)) = text.split_once("to `") else {
        return false;
    };
    let branch = rest.split('`').next().unwrap_or("");
    let branch = branch.rsplit_once('/').map_or(branch, |(_, name)| name);
    let named = |word: &str| word.contains(branch);
    let plain = last.words.strip_prefix("git push ").unwrap_or("");
    let mut given = plain.split(' ').filter(|word| !word.starts_with('-'));
    let explicit = given.clone().count() >= 2;
    let moving = plain.contains("HEAD") || plain.contains("--all") || plain.contains('$');
    !branch.is_empty()
        && explicit
        && !moving
        && !given.any(named)
        && !step.text.as_str().contains(branch)
}

/// "All commits are pushed": one was made after the push.
pub(super) fn after_push(case: &Case<'_>, last: &Outward) -> Option<Judged> {
    let ledger = case.ledger;
    let text = case.text().to_ascii_lowercase();
    let all = ["all commits", "all changes", "everything"]
        .iter()
        .any(|all| text.contains(all));
    let later = |order: u64| order > last.order;
    let opaque = ledger.unknown.iter().any(|(order, ..)| later(*order))
        || ledger.delegated.iter().any(|(order, ..)| later(*order));
    let commit = ledger.outward.iter().rev().find(|other| {
        let made = other.kind == OutwardKind::Commit && other.outcome == Outcome::Ok;
        later(other.order) && made && !other.rehearsal
    })?;
    (case.claim.kind == Kind::Push && all && !opaque).then(|| {
        Judged::unsupported(Reason::Stale).at(commit.place, "this was committed after the push")
    })
}

/// "Pushed": the last push is of an earlier turn, and this one made a commit that it cannot hold.
pub(super) fn older_push(case: &Case<'_>, last: &Outward) -> Option<Judged> {
    let ledger = case.ledger;
    let carried = case.claim.kind == Kind::Push && last.turn != ledger.turn;
    let commit = ledger.outward.iter().rev().find(|other| {
        let made = other.kind == OutwardKind::Commit && other.outcome == Outcome::Ok;
        made && other.order > last.order && !other.rehearsal
    })?;
    (carried && case.on(Guard::StaleEdit) && !case.claim.earlier).then(|| {
        let what = "this was committed after the last push";
        Judged::unknown(Reason::Stale).at(commit.place, what)
    })
}

/// "Committed": the last commit is of an earlier turn, and this one changed files of the work since.
pub(super) fn older_commit(case: &Case<'_>, last: &Outward) -> Option<Judged> {
    let ledger = case.ledger;
    let carried = case.claim.kind == Kind::Commit && last.turn != ledger.turn;
    let mut later = ledger.edits.iter().rev();
    let edit = later
        .by_ref()
        .take_while(|edit| edit.order > last.order)
        .find(|edit| edit.turn == ledger.turn && edit.stands() && !edit.scratch)?;
    (carried && case.on(Guard::StaleEdit) && !case.claim.earlier).then(|| {
        let what = "this was changed after the last commit";
        Judged::unknown(Reason::Stale).at(edit.place, what)
    })
}

/// "The change is committed": the commit was taken back, and none was made since.
pub(super) fn commit_undone(case: &Case<'_>, last: &Outward) -> Option<Judged> {
    let reset = case.ledger.outward.iter().rev().find(|other| {
        let words = other.words.as_str();
        let back = ["HEAD~", "HEAD^", "@~", "@^"]
            .iter()
            .any(|to| words.contains(to));
        let good = other.outcome == Outcome::Ok;
        words.starts_with("git ") && words.contains(" reset ") && back && good
    })?;
    (case.claim.kind == Kind::Commit && reset.order > last.order).then(|| {
        let what = "this took a commit back";
        Judged::unknown(Reason::Ambiguous).at(reset.place, what)
    })
}

/// A merge that stopped at a conflict, and was committed after it was solved.
pub(super) fn conflict_solved(case: &Case<'_>, last: &Outward) -> Option<Judged> {
    if case.claim.kind != Kind::Merge {
        return None;
    }
    let done = case.ledger.outward.iter().rev().find(|other| {
        let good = other.outcome == Outcome::Ok && !other.rehearsal;
        other.order > last.order && good && other.kind == OutwardKind::Commit
    })?;
    let what = "the merge was committed here";
    Some(Judged::supported(case.when(done.turn), done.place, what))
}

/// A commit failed, and git's own answer to a later try shows that one was made, whatever shell it was handed to.
pub(super) fn commit_after(case: &Case<'_>, last: &Outward) -> Option<Judged> {
    if case.claim.kind != Kind::Commit {
        return None;
    }
    // Of an earlier turn's failure every step of this one is a later try.
    let failed = case.step_at(last.place);
    let later = |step: &Step| failed.is_none_or(|failed| step.issued > failed.issued);
    let place = look(case, |step| later(step) && shows_commit(step))?;
    let what = "git shows the commit here";
    Some(Judged::supported(Reason::Readback, place, what))
}

/// Whether a step asks git for a commit, or a tool that is no shell does, and the answer tells of one.
fn shows_commit(step: &Step) -> bool {
    let shell = step.acts.iter().any(|act| act.shell);
    let asks = if shell {
        let mut names = step.acts.iter().flat_map(git::names);
        names.any(|name| name == "commit")
    } else {
        step.args.contains("git commit")
    };
    asks && step.text.as_str().lines().any(git::is_commit)
}

/// Where no command of the kind stands in the record, and an answer shows that the deed is done.
pub(super) fn shown(case: &Case<'_>) -> Option<Judged> {
    let place = match case.claim.kind {
        Kind::Merge => {
            // The sign may stand before the statement's first word: "#12 merged into …".
            let before = case.close.get(..case.claim.span.start).unwrap_or("");
            let sign = if before.ends_with('#') { "#" } else { "" };
            // So may its number: "after PR #12 was merged".
            let text = match number_before(before).filter(|_| !case.text().contains('#')) {
                Some(number) => format!("#{number}"),
                None => format!("{sign}{}", case.text()),
            };
            look(case, |step| shows_merged(&text, step))
        }
        Kind::Publish => version(case.text())
            .and_then(|told| {
                let package = package(case.text());
                look(case, |step| {
                    let own = package.is_none_or(|name| {
                        step.args.contains(name) || step.text.as_str().contains(name)
                    });
                    own && asks_registry(step) && step.text.as_str().contains(told)
                })
            })
            .or_else(|| watched(case, "publish")),
        Kind::Deploy => watched(case, "deploy"),
        _ => None,
    }?;
    let reason = case.when(case.ledger.turn);
    Some(Judged::supported(reason, place, "it is shown as done here"))
}

/// The number of a request right before a statement, with nothing but its verb between.
fn number_before(before: &str) -> Option<&str> {
    const VERBS: [&str; 8] = [
        "already", "been", "had", "has", "is", "now", "request", "was",
    ];
    let line = before.lines().next_back().unwrap_or("");
    let (_, rest) = line.rsplit_once('#')?;
    let digits = rest.bytes().take_while(u8::is_ascii_digit).count();
    let (number, between) = rest.split_at(digits);
    let mut words = between.trim_start_matches('`').split_whitespace();
    (digits > 0 && words.all(|word| VERBS.contains(&word))).then_some(number)
}

/// The scoped package that a text names: `@scope/name`.
fn package(text: &str) -> Option<&str> {
    let at = text.find('@').filter(|at| text[*at..].contains('/'))?;
    let plain = |c: char| c.is_ascii_alphanumeric() || matches!(c, '@' | '/' | '-' | '_');
    let rest = &text[at..];
    let end = rest
        .char_indices()
        .find(|(at, c)| !plain(*c) || *at > 0 && *c == '@')
        .map_or(rest.len(), |(at, _)| at);
    rest.get(..end).filter(|name| name.contains('/'))
}

/// An answer of a code host that the pull request is merged: of the number that the statement
/// names, or of the one that was looked at.
fn shows_merged(text: &str, step: &Step) -> bool {
    const SIGNS: [&str; 3] = ["MERGED", "\"merged\":true", "\"merged\": true"];
    let number = text.split_once('#').map(|(_, rest)| {
        let digits = rest.bytes().take_while(u8::is_ascii_digit).count();
        &rest[..digits]
    });
    let views = |words: &str| words.starts_with("gh pr view") || words.starts_with("glab mr view");
    let lists = |words: &str| words.starts_with("gh pr list") || words.contains("/pulls/");
    let asks = step.acts.iter().any(|act| match number {
        Some(number) => {
            // What a view of another request says of this one tells nothing of its state.
            let asked = step.args.contains(number);
            let here = asked || step.text.as_str().contains(number);
            asked && views(&act.words) || here && lists(&act.words)
        }
        None => views(&act.words),
    });
    asks && SIGNS.iter().any(|sign| step.text.as_str().contains(sign))
}

/// Where the last step of the turn that ended well and shows something was answered.
pub(super) fn look(case: &Case<'_>, shows: impl Fn(&Step) -> bool) -> Option<Place> {
    let mut steps = case.turn.steps.iter().rev();
    let step = steps.find(|step| step.outcome == Outcome::Ok && shows(step))?;
    Some(step.result.unwrap_or(step.call))
}

fn asks_registry(step: &Step) -> bool {
    const ASKS: [&str; 9] = [
        "npm view",
        "npm info",
        "npm show",
        "pnpm view",
        "yarn info",
        "pip index",
        "cargo search",
        "cargo info",
        "gh release",
    ];
    step.acts
        .iter()
        .any(|act| ASKS.iter().any(|head| act.words.starts_with(head)) || act.program == "curl")
}

/// A run on another machine that was watched to its good end, of a job of this name.
fn watched(case: &Case<'_>, job: &str) -> Option<Place> {
    look(case, |step| {
        let text = step.text.as_str();
        let watches =
            |words: &str| words.starts_with("gh run watch") || words.starts_with("gh run view");
        let red = text.contains('✗') || text.contains("failure") || text.contains("X ");
        let good = text.lines().any(|line| {
            line.trim_start().starts_with('✓') && line.to_ascii_lowercase().contains(job)
        });
        step.acts.iter().any(|act| watches(&act.words)) && good && !red
    })
}
