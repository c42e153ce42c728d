//! The kind of a deed, by what it is done to.

use super::deed::PART_WORDS;
use super::model::Kind;
use super::scan::Scan;
use super::words;
use crate::text::{Act, Clause, Ident, WordKind};

/// The kind of claim that the act at `at` makes, by its object.
pub(super) fn kind_of(
    scan: &Scan<'_, '_>,
    clause: &Clause,
    at: usize,
    end: usize,
    act: Act,
) -> Option<Kind> {
    let form = scan.form(at);
    if on_pull_request(scan, clause, at, end)
        && matches!(act, Act::Edit | Act::Create | Act::Publish | Act::Fix)
        && form != "patched"
    {
        return Some(Kind::Pr);
    }
    // `I've opened the repository` makes nothing.
    let looked_into = form == "opened"
        && noun_within(scan, at, end, 5, |form| {
            matches!(
                form,
                "repository"
                    | "repo"
                    | "file"
                    | "page"
                    | "browser"
                    | "editor"
                    | "folder"
                    | "app"
                    | "terminal"
                    | "tab"
            )
        });
    let of_text = form == "amended"
        && (matches!(scan.ahead(&clause.words, at, 1), "on" | "in" | "for" | "by")
            || scan.back(&clause.words, at, 2) == "ratified");
    if looked_into {
        return None;
    }
    if of_text {
        return Some(Kind::Edit);
    }
    Some(match act {
        Act::Edit => edited(scan, clause, at, end, form),
        Act::Create => created(scan, clause, at, form),
        Act::Delete => deleted(scan, clause, at, end, form),
        Act::Fix => repaired(scan, clause, at, end)?,
        Act::Commit if matches!(form, "committed" | "amended") || form.ends_with("committed") => {
            Kind::Commit
        }
        Act::Commit => Kind::Run,
        Act::Push => Kind::Push,
        Act::Merge if form.contains("rebased") || form.contains("picked") => Kind::Run,
        Act::Merge if merges_refs(scan, clause, at) => Kind::Merge,
        Act::Merge => Kind::Edit,
        Act::Publish => published(scan, clause, form)?,
        Act::Install => Kind::Install,
        Act::Run => ran(scan, clause, at, end, form)?,
        Act::Verify => verified(scan, clause, at)?,
        Act::Complete => completed(scan, clause, at, form)?,
        Act::Read => return None,
    })
}

/// Branches or requests are joined, and not records or files.
fn merges_refs(scan: &Scan<'_, '_>, clause: &Clause, at: usize) -> bool {
    let words = &clause.words;
    let things = (words.start..words.end.min(at + 8))
        .rev()
        .take(24)
        .any(|n| {
            matches!(
                scan.form(n),
                "conversations"
                    | "records"
                    | "files"
                    | "entries"
                    | "lists"
                    | "cells"
                    | "tables"
                    | "sections"
                    | "columns"
            )
        });
    !things
}

/// The object of the act is a pull request: `opened PR #4`, `updated the PR body`.
fn on_pull_request(scan: &Scan<'_, '_>, clause: &Clause, at: usize, end: usize) -> bool {
    let object = (at + 1..end.min(at + 5))
        .take_while(|&n| {
            !matches!(
                scan.form(n),
                "for" | "in" | "on" | "to" | "with" | "from" | "by" | "and"
            )
        })
        .any(|n| is_pr(scan, clause, n));
    let passive = at > clause.words.start
        && matches!(
            scan.back(&clause.words, at, 1),
            "was" | "is" | "been" | "now" | ""
        )
        && (clause.words.start..at)
            .rev()
            .take(5)
            .take_while(|&n| scan.form(n) != "and")
            .any(|n| is_pr(scan, clause, n));
    object || passive
}

pub(super) fn is_pr(scan: &Scan<'_, '_>, clause: &Clause, at: usize) -> bool {
    let next = scan.ahead(&clause.words, at, 1);
    match scan.form(at) {
        "pr" | "pr's" => !matches!(next, "feedback" | "review" | "comments" | "comment"),
        "pull" | "merge" => next == "request",
        _ => false,
    }
}

/// The first identifier behind the word at `at`, up to the word `end`.
pub(super) fn object<'i, 'p>(
    scan: &'i Scan<'_, 'p>,
    at: usize,
    end: usize,
) -> Option<&'i Ident<'p>> {
    let words = scan.prose.words();
    let from = words.get(at)?.range.end;
    let to = words.get(end.checked_sub(1)?)?.range.end;
    let index = scan
        .idents
        .partition_point(|ident| ident.range.start < from);
    scan.idents
        .get(index)
        .filter(|ident| ident.range.start < to)
}

/// The object is a file or folder, named within the next few words.
fn names_path(scan: &Scan<'_, '_>, clause: &Clause, at: usize) -> bool {
    let near = clause.words.end.min(at + 4);
    let path = object(scan, at, near).is_some_and(|ident| is_path(ident.text));
    // `Added a flag to a.rs` adds no file.
    let within = (at + 1..near)
        .any(|n| matches!(scan.form(n), "to" | "in" | "from" | "into" | "for" | "of"));
    path && !within
}

pub(super) fn is_path(text: &str) -> bool {
    let name = text.rsplit('/').next().unwrap_or(text);
    let extension = name.rsplit_once('.').is_some_and(|(stem, ext)| {
        !stem.is_empty()
            && !ext.is_empty()
            && ext.len() <= 5
            && ext
                .chars()
                .all(|c| c.is_ascii_lowercase() || c.is_ascii_digit())
    });
    extension || text.contains('/')
}

fn noun_within(
    scan: &Scan<'_, '_>,
    at: usize,
    end: usize,
    reach: usize,
    noun: fn(&str) -> bool,
) -> bool {
    (at + 1..end.min(at + 1 + reach)).any(|n| noun(scan.form(n)))
}

fn edited(scan: &Scan<'_, '_>, clause: &Clause, at: usize, end: usize, form: &str) -> Kind {
    let temporary = noun_within(scan, at, end, 5, words::leftover);
    // What changes the clone, the windows or the remote refs is an action, no edit.
    if matches!(
        form,
        "switched" | "closed" | "reverted" | "restored" | "synced" | "reopened"
    ) && noun_within(scan, at, end, 5, words::of_the_clone)
    {
        return Kind::Run;
    }
    // ``closed `x` with `tmux kill-session` ``: a command did it.
    let by_command = form == "closed"
        && (at + 1..end).any(|n| {
            matches!(scan.form(n), "with" | "via" | "using")
                && scan.prose.words().get(n + 1).is_some_and(|word| {
                    n + 1 < end && word.kind == WordKind::Code && word.range.len() > 6
                })
        });
    if by_command {
        return Kind::Run;
    }
    if form == "switched"
        && scan.ahead(&clause.words, at, 1) == "to"
        && clause.words.start == at
        && !noun_within(scan, at, end, 3, |form| form == "from")
        && scan
            .prose
            .words()
            .get(at + 2)
            .is_some_and(|w| w.kind == WordKind::Code)
    {
        return Kind::Run;
    }
    if form == "cleaned" && scan.ahead(&clause.words, at, 1) != "up" && temporary {
        return Kind::Delete;
    }
    let lying = temporary
        || noun_within(scan, at, end, 5, |form| {
            words::of_the_clone(form) || matches!(form, "container" | "containers" | "sandbox")
        });
    let up = form == "cleaned" && scan.ahead(&clause.words, at, 1) == "up";
    if up && (lying || was_lying(scan, clause, at, end)) {
        return Kind::Cleanup;
    }
    if form == "formatted" || form == "reformatted" {
        return Kind::Format;
    }
    if form == "added" {
        let file = noun_within(scan, at, end, 3, |form| {
            matches!(form, "file" | "files" | "package")
        });
        let new = noun_within(scan, at, end, 3, |form| form == "new");
        if names_path(scan, clause, at) || (file && new) {
            return Kind::Create;
        }
    }
    Kind::Edit
}

/// `All temp files are cleaned up`, `Cleaned up the data folder`, and a bare `Cleaned up`.
fn was_lying(scan: &Scan<'_, '_>, clause: &Clause, at: usize, end: usize) -> bool {
    let words = &clause.words;
    let bare = at == words.start && at + 2 >= words.end;
    let subject = (words.start..at)
        .rev()
        .take(6)
        .any(|n| words::leftover(scan.form(n)));
    let folder = noun_within(scan, at, end, 5, |form| {
        matches!(form, "folder" | "folders" | "directory" | "directories")
    });
    bare || subject || folder
}

fn created(scan: &Scan<'_, '_>, clause: &Clause, at: usize, form: &str) -> Kind {
    let _ = (scan, clause, at);
    match form {
        "recorded" | "established" | "duplicated" => Kind::Edit,
        "downloaded" | "cloned" => Kind::Run,
        _ => Kind::Create,
    }
}

fn deleted(scan: &Scan<'_, '_>, clause: &Clause, at: usize, end: usize, form: &str) -> Kind {
    if matches!(form, "pruned" | "purged" | "cleared")
        && noun_within(scan, at, end, 4, words::of_the_clone)
    {
        return Kind::Run;
    }
    let thing = noun_within(scan, at, end, 5, |form| {
        matches!(
            form,
            "file"
                | "files"
                | "folder"
                | "directory"
                | "branch"
                | "worktree"
                | "plugin"
                | "package"
                | "script"
        )
    });
    if form == "uninstalled"
        || names_path(scan, clause, at)
        || thing
        || form == "deleted"
        || form == "deleting"
    {
        Kind::Delete
    } else {
        Kind::Edit
    }
}

/// `Fixed the crash` is an outcome; `Fixed the doc comment` is a change.
fn repaired(scan: &Scan<'_, '_>, clause: &Clause, at: usize, end: usize) -> Option<Kind> {
    let bare = clause.words.len() <= 2
        && clause
            .words
            .clone()
            .all(|n| scan.prose.words()[n].kind == WordKind::Plain);
    let form = scan.form(at);
    let defect = noun_within(scan, at, end, 8, words::defect);
    let passive = matches!(
        scan.back(&clause.words, at, 1),
        "is" | "are" | "been" | "now" | "was" | "were"
    ) && (clause.words.start..at)
        .rev()
        .take(6)
        .any(|n| words::defect(scan.form(n)));
    let cures = matches!(form, "fixed" | "resolved" | "solved" | "eliminated");
    // A change of words is its own proof.
    let wording = noun_within(scan, at, end, 5, |form| {
        matches!(form, "typo" | "typos" | "spelling" | "wording")
    });
    if wording {
        return Some(Kind::Edit);
    }
    let red = noun_within(scan, at, end, 4, |form| {
        matches!(form, "failing" | "broken" | "flaky")
    });
    let defect = defect || red || (form == "fixed" && works_now(scan, clause, at, end));
    // `All lint issues are resolved` states the check.
    let check = passive
        && (clause.words.start..at)
            .rev()
            .take(6)
            .any(|n| words::check_word(scan.form(n)).is_some());
    if check {
        return None;
    }
    Some(
        if cures && (defect || passive || (bare && form == "fixed")) {
            Kind::Fixed
        } else {
            Kind::Edit
        },
    )
}

/// `I fixed the call action: the game moves on now`.
fn works_now(scan: &Scan<'_, '_>, clause: &Clause, at: usize, end: usize) -> bool {
    let sentence = &scan.prose.sentences()[clause.sentence];
    let own = matches!(scan.back(&clause.words, at, 1), "i" | "i've" | "we");
    let told = scan.gap(sentence, end - 1).contains(':');
    let last = sentence.words.end - 1;
    own && told && last > end && last - end < 10 && scan.form(last) == "now"
}

fn published(scan: &Scan<'_, '_>, clause: &Clause, form: &str) -> Option<Kind> {
    let live = clause
        .words
        .clone()
        .take(24)
        .any(|at| matches!(scan.form(at), "production" | "staging" | "live" | "prod"));
    let packed = clause.words.clone().take(24).any(|at| {
        matches!(
            scan.form(at),
            "package" | "packages" | "release" | "version" | "registry" | "pypi" | "npm" | "crate"
        )
    });
    Some(match form {
        "deployed" | "redeployed" => Kind::Deploy,
        "uploaded" if !packed => Kind::Run,
        "published" | "released" | "uploaded" => Kind::Publish,
        "launched" | "rolled" | "shipped" if live => Kind::Deploy,
        "posted" | "submitted" | "sent" | "launched" => Kind::Run,
        _ => return None,
    })
}

fn ran(scan: &Scan<'_, '_>, clause: &Clause, at: usize, end: usize, form: &str) -> Option<Kind> {
    // `Ran the tests` says that they passed, unless the sentence goes on otherwise.
    if matches!(form, "ran" | "re-ran" | "reran") {
        let sentence = &scan.prose.sentences()[clause.sentence];
        let badly = (at..sentence.words.end.min(at + PART_WORDS)).any(|n| {
            words::went_badly(scan.form(n))
                || matches!(
                    scan.form(n),
                    "not" | "but" | "error" | "errors" | "failures"
                )
        });
        let check = (at + 1..end.min(at + 5)).find_map(|n| words::check_word(scan.form(n)));
        if let Some(kind) = check.filter(|_| !badly) {
            return Some(kind);
        }
    }
    if matches!(form, "built" | "rebuilt" | "compiled") {
        let words = &clause.words;
        let next = scan.ahead(words, at, 1);
        let on = matches!(next, "on" | "around" | "for" | "into" | "with" | "in");
        return (!on).then_some(Kind::Build);
    }
    // `I stopped here`, `it stopped with an error`: no process is meant.
    let next = scan.ahead(&clause.words, at, 1);
    let bare = form == "stopped"
        && matches!(
            next,
            "here"
                | "there"
                | "at"
                | "with"
                | "short"
                | "before"
                | "because"
                | "when"
                | "without"
                | ""
        )
        && !matches!(
            scan.back(&clause.words, at, 1),
            "was" | "were" | "is" | "are" | "been"
        );
    (!bare).then_some(Kind::Run)
}

fn verified(scan: &Scan<'_, '_>, clause: &Clause, at: usize) -> Option<Kind> {
    let form = scan.form(at);
    let attribute = at > clause.words.start && scan.back(&clause.words, at, 1) == "self";
    if attribute || (form == "tested" && clause.words.len() == 1) {
        return None;
    }
    // A box that is ticked is a change of a list.
    let boxes = (1..=3).any(|n| {
        matches!(
            scan.back(&clause.words, at, n),
            "item" | "items" | "box" | "boxes" | "checkbox" | "checkboxes" | "task" | "tasks"
        )
    });
    if form == "checked" && boxes && at + 1 == clause.words.end {
        return Some(Kind::Edit);
    }
    Some(Kind::Verified)
}

/// `The fix is complete`: an outcome. A bare `Done.` has no kind of its own.
fn completed(scan: &Scan<'_, '_>, clause: &Clause, at: usize, form: &str) -> Option<Kind> {
    let passive = matches!(
        scan.back(&clause.words, at, 1),
        "is" | "are" | "now" | "successfully"
    );
    let subject = (clause.words.start..at).rev().take(5).any(|n| {
        matches!(
            scan.form(n),
            "fix"
                | "implementation"
                | "integration"
                | "migration"
                | "feature"
                | "refactor"
                | "refactoring"
        )
    });
    let last = at + 1 == clause.words.end;
    (passive && subject && last && matches!(form, "complete" | "done" | "completed" | "finished"))
        .then_some(Kind::Fixed)
}
