//! Deeds told as done: result verbs in predicate position, and changes told by their effect.

use core::ops::Range;

use super::model::{Kind, Reporter};
use super::scan::{Found, Scan, is_heading, is_item};
use super::section::{Mode, reporter};
use super::words;
use crate::text::{Act, BlockKind, Clause, Cue, Ident, WordKind, past_act};

/// Reads the deeds of one clause.
pub(super) fn read(scan: &mut Scan<'_, '_>, index: usize, clause: &Clause) {
    let prose = scan.prose;
    let sentence = &prose.sentences()[index];
    let row = sentence.kind == BlockKind::Row;
    let heading = is_heading(sentence);
    let leads = scan.leads_items(index);
    let mut begin = clause.words.start;
    let mut last: Option<usize> = None;
    for at in clause.words.clone() {
        let Some(act) = act_at(scan, index, clause, at) else {
            continue;
        };
        if !predicates(scan, clause, at, act) {
            continue;
        }
        let end = part_end(scan, clause, at);
        let Some(kind) = kind_of(scan, clause, at, end, act) else {
            continue;
        };
        let bold = heading
            && at == clause.words.start
            && clause.words.len() >= 5
            && clause.words.start == prose.sentences()[index].words.start;
        if (row || heading) && !stands_alone(kind) && !(bold && counts_or_names(scan, clause, at)) {
            continue;
        }
        // The items below tell it one by one.
        let vague = scan.prose.sentences()[index].kind == BlockKind::Paragraph
            && object(scan, at, end).is_none();
        if leads
            && (at + 1 == clause.words.end || (vague && matches!(kind, Kind::Edit | Kind::Fixed)))
        {
            last = Some(at);
            continue;
        }
        if last.is_some() {
            begin = at;
        }
        let negated = clause.negates(at);
        if negated && !deniable(kind) {
            continue;
        }
        let reported = doer(scan, clause, at);
        if reported == Some(None) {
            continue;
        }
        let span = scan.span(&(begin..end));
        scan.found.push(Found {
            kind,
            span,
            negated,
            reported: reported.flatten().or(scan.section(index).reported),
            sentence: Some(index),
        });
        last = Some(at);
    }
    if last.is_none() && !row && !heading {
        effect(scan, index, clause);
    }
}

/// The object is a number of things or a named one: a title that tells a deed, and no mere topic.
fn counts_or_names(scan: &Scan<'_, '_>, clause: &Clause, at: usize) -> bool {
    let next = scan
        .prose
        .words()
        .get(at + 1)
        .filter(|_| at + 1 < clause.words.end);
    next.is_some_and(|word| {
        matches!(
            word.kind,
            WordKind::Number | WordKind::Code | WordKind::Path
        )
    })
}

/// Kinds that a heading or a cell of a table may state by itself.
fn stands_alone(kind: Kind) -> bool {
    matches!(
        kind,
        Kind::Commit
            | Kind::Push
            | Kind::Merge
            | Kind::Deploy
            | Kind::Publish
            | Kind::Install
            | Kind::Pr
    )
}

/// Kinds whose denial is a statement that the record can show.
fn deniable(kind: Kind) -> bool {
    matches!(
        kind,
        Kind::Commit | Kind::Push | Kind::Merge | Kind::Deploy | Kind::Publish | Kind::Pr
    )
}

/// The act named at `at`: a past form, a gerund that tells how (`by removing`), or an unknown past
/// form that opens an item.
fn act_at(scan: &Scan<'_, '_>, index: usize, clause: &Clause, at: usize) -> Option<Act> {
    let word = scan.prose.words().get(at)?;
    if word.kind != WordKind::Plain {
        return None;
    }
    let form = scan.form(at);
    if let Some(act) = past_act(form) {
        return Some(act);
    }
    if form.ends_with("ing") {
        return gerund(scan, clause, at);
    }
    let mut opens = at == clause.words.start;
    if at == clause.words.start + 1 {
        let before = scan.back(&clause.words, at, 1);
        opens = matches!(
            before,
            "i" | "we" | "also" | "then" | "now" | "i've" | "and"
        );
    }
    let sentence = &scan.prose.sentences()[index];
    let told = is_item(sentence) || clause.cues.has(Cue::FirstPerson);
    if opens && told && words::unlisted_deed(form) && takes_object(scan, clause, at) {
        return Some(Act::Edit);
    }
    let passive = matches!(
        form,
        "excluded" | "included" | "ignored" | "gated" | "pinned"
    );
    (passive
        && matches!(scan.back(&clause.words, at, 1), "now" | "are" | "is")
        && scan.section(index).mode != Mode::Other
        && clause
            .words
            .clone()
            .take(24)
            .any(|at| scan.form(at) == "now"))
    .then_some(Act::Edit)
}

/// `by deleting a.rs and removing its entry`.
fn gerund(scan: &Scan<'_, '_>, clause: &Clause, at: usize) -> Option<Act> {
    let before = scan.back(&clause.words, at, 1);
    let deed_before = (clause.words.start..at.saturating_sub(1))
        .rev()
        .take(16)
        .any(|at| past_act(scan.form(at)).is_some());
    if !(matches!(before, "by" | "and") && deed_before) {
        return None;
    }
    let stem = scan.form(at).strip_suffix("ing")?;
    let act = past_act(&format!("{stem}ed"))?;
    matches!(act, Act::Edit | Act::Delete | Act::Create).then_some(act)
}

fn takes_object(scan: &Scan<'_, '_>, clause: &Clause, at: usize) -> bool {
    let Some(word) = scan
        .prose
        .words()
        .get(at + 1)
        .filter(|_| at + 1 < clause.words.end)
    else {
        return false;
    };
    let own = clause.cues.has(Cue::FirstPerson);
    matches!(
        word.kind,
        WordKind::Code | WordKind::Path | WordKind::Quoted | WordKind::Url
    ) || is_determiner(scan.form(at + 1))
        || matches!(scan.form(at + 1), "it" | "them" | "all" | "both" | "up")
        || (own && is_noun(scan.form(at + 1)))
}

/// Where the statement of the predicate at `at` ends: before the next one, or with the clause.
fn part_end(scan: &Scan<'_, '_>, clause: &Clause, at: usize) -> usize {
    let limit = clause.words.end.min(at + PART_WORDS);
    (at + 2..limit)
        .find(|&next| scan.form(next - 1) == "and" && past_act(scan.form(next)).is_some())
        .map_or(clause.words.end, |next| next - 1)
}

/// How far the end of a part is looked for; keeps a clause of many verbs linear.
const PART_WORDS: usize = 40;

/// Whether the past form at `at` is a predicate and not an attribute (`the updated file`), another's
/// deed (`the flag you added`) or a state (`already added`).
fn predicates(scan: &Scan<'_, '_>, clause: &Clause, at: usize, act: Act) -> bool {
    let words = &clause.words;
    let first = scan.back(words, at, 1);
    let before = if is_adverb(first) {
        scan.back(words, at, 2)
    } else {
        first
    };
    if matches!(
        first,
        "being" | "get" | "gets" | "existing" | "newly" | "recently" | "formerly"
    ) {
        return false;
    }
    let gerund = scan.form(at).ends_with("ing");
    if !gerund
        && matches!(
            before,
            "be" | "to"
                | "of"
                | "for"
                | "in"
                | "on"
                | "by"
                | "as"
                | "from"
                | "than"
                | "into"
                | "how"
                | "with"
                | "when"
        )
    {
        return false;
    }
    if is_determiner(before) && act != Act::Complete {
        return false;
    }
    if is_attribute(scan, clause, at)
        || describes(scan, clause, at, act)
        || is_theirs(scan, clause, at, act)
    {
        return false;
    }
    let relative = (1..=4).any(|n| {
        matches!(
            scan.back(words, at, n),
            "you" | "you've" | "that" | "which" | "who" | "where" | "what" | "whether" | "user"
        )
    });
    // `Git status shows that …` is a report, `I verified that I added …` is told.
    if scan.back(words, at, 1) == "i"
        && !scan.back(words, at, 2).is_empty()
        && matches!(act, Act::Run | Act::Edit)
        && !matches!(
            scan.back(words, at, 2),
            "and" | "then" | "so" | "but" | "also" | "that" | "here" | "so"
        )
    {
        return false;
    }
    if (2..=3).any(|n| scan.back(words, at, n) == "what") {
        return false;
    }
    let told = (1..=2).any(|n| matches!(scan.back(words, at, n), "i" | "i've" | "we"));
    (!relative || told) && !states_noun(scan, clause, at, act)
}

/// `the previous pushed commit`, `excluding closed issues`, `Recorded worktree is gone`, `prepared/trace`.
fn is_attribute(scan: &Scan<'_, '_>, clause: &Clause, at: usize) -> bool {
    let words = &clause.words;
    let noun = at + 1 < words.end
        && scan.prose.words()[at + 1].kind == WordKind::Plain
        && is_noun(scan.form(at + 1));
    let text = scan.prose.masked();
    if text.as_bytes().get(scan.prose.words()[at].range.end) == Some(&b'/') {
        return true;
    }
    // `cleaned generated artifacts`
    if past_act(scan.back(words, at, 1)).is_some() && !scan.back(words, at, 1).is_empty() && noun {
        return true;
    }
    if !noun {
        return false;
    }
    let outward = matches!(
        past_act(scan.form(at)),
        Some(Act::Commit | Act::Push | Act::Merge | Act::Publish | Act::Install | Act::Verify)
    );
    if outward
        && at > words.start
        && !is_subject(scan.back(words, at, 1))
        && !is_adverb(scan.back(words, at, 1))
    {
        return true;
    }
    let before = scan.back(words, at, 1);
    let framed = is_determiner(scan.back(words, at, 2))
        && !is_subject(before)
        && !before.is_empty()
        && scan.prose.words()[at - 1].kind == WordKind::Plain
        && past_act(before).is_none()
        && !before.ends_with("ly");
    let qualifies = matches!(
        before,
        "excluding"
            | "including"
            | "last"
            | "without"
            | "only"
            | "all"
            | "any"
            | "no"
            | "some"
            | "more"
            | "two"
            | "three"
    );
    let stated = at == words.start
        && (2..=4).any(|n| {
            matches!(
                scan.ahead(words, at, n),
                "is" | "are" | "was" | "were" | "has" | "have" | "will"
            )
        });
    (framed
        && matches!(
            before,
            "previous"
                | "new"
                | "old"
                | "last"
                | "last"
                | "latest"
                | "recently"
                | "original"
                | "first"
                | "current"
                | "only"
        ))
        || qualifies
        || stated
}

fn is_noun(form: &str) -> bool {
    !matches!(
        form,
        "and"
            | "to"
            | "in"
            | "on"
            | "at"
            | "with"
            | "for"
            | "as"
            | "by"
            | "from"
            | "now"
            | "or"
            | "into"
            | "so"
            | "via"
            | "it"
            | "them"
            | "both"
            | "also"
            | "up"
            | "off"
            | "out"
            | "down"
            | "over"
            | "again"
            | "successfully"
    ) && !is_determiner(form)
        && !form.ends_with("ly")
}

fn is_subject(form: &str) -> bool {
    matches!(
        form,
        "i" | "we"
            | "and"
            | "or"
            | "have"
            | "has"
            | "had"
            | "been"
            | "was"
            | "were"
            | "is"
            | "are"
            | "i've"
            | "we've"
            | "then"
            | "also"
            | "not"
            | "now"
    )
}

/// `X is defined in a.rs`, `protection enabled`: a state of affairs, unless it is said to be new.
fn describes(scan: &Scan<'_, '_>, clause: &Clause, at: usize, act: Act) -> bool {
    if !matches!(act, Act::Edit | Act::Create | Act::Fix | Act::Delete) {
        return false;
    }
    let words = &clause.words;
    let form = scan.form(at);
    let near = |n: usize| scan.back(words, at, n);
    let new = (1..=4).any(|n| matches!(near(n), "now" | "been" | "newly" | "all"))
        || scan.ahead(words, at, 1) == "now"
        || (words.start..at)
            .rev()
            .take(24)
            .any(|n| scan.form(n) == "now");
    let present = (1..=2).any(|n| matches!(near(n), "is" | "are" | "isn't" | "aren't"));
    let bare = at > words.start
        && words::stative(form)
        && !is_subject(near(1))
        && past_act(near(1)).is_none()
        && !matches!(scan.ahead(words, at, 1), "to" | "the" | "a" | "it");
    let alone = words.len() == 1 && words::stative(form);
    let next = scan.ahead(words, at, 1);
    let ends = (next.is_empty() || next == "and") && !words::stative(form);
    (present && !new && !ends && !matches!(form, "fixed" | "resolved" | "done" | "excluded"))
        || (bare && !present && !new)
        || alone
}

/// `the hook added the flag`: a noun does it, and something has it done to it.
fn is_theirs(scan: &Scan<'_, '_>, clause: &Clause, at: usize, act: Act) -> bool {
    let words = &clause.words;
    let mut by = at;
    while by > words.start && is_adverb(scan.form(by - 1)) {
        by -= 1;
    }
    if by == words.start
        || scan
            .gap(&scan.prose.sentences()[clause.sentence], by - 1)
            .contains(',')
    {
        return false;
    }
    let subject = scan.form(by - 1);
    let next = scan.ahead(words, at, 1);
    let object = is_determiner(next) || matches!(next, "it" | "them" | "you" | "us" | "me");
    let noun = scan.prose.words()[by - 1].kind == WordKind::Plain
        && !is_subject(subject)
        && past_act(subject).is_none()
        && !matches!(
            subject,
            "this"
                | "change"
                | "commit"
                | "patch"
                | "fix"
                | "update"
                | "pr"
                | "done"
                | "but"
                | "agent"
                | "worker"
                | "subagent"
        );
    let runs = act == Act::Run && !next.is_empty() && is_noun(next) && !subject.ends_with("'ve");
    noun && (object || runs)
}

/// `updated files`, `Installed applets`, `added latency`: an attribute of a plural without an article.
fn states_noun(scan: &Scan<'_, '_>, clause: &Clause, at: usize, act: Act) -> bool {
    let next = scan.ahead(&clause.words, at, 1);
    act == Act::Install
        && at == clause.words.start
        && clause.words.len() <= 3
        && next.ends_with('s')
}

fn is_adverb(form: &str) -> bool {
    (form.len() > 3 && form.ends_with("ly"))
        || matches!(
            form,
            "also" | "now" | "just" | "then" | "since" | "both" | "fully" | "already" | "squash"
        )
}

fn is_determiner(form: &str) -> bool {
    matches!(
        form,
        "the"
            | "a"
            | "an"
            | "this"
            | "that"
            | "these"
            | "those"
            | "its"
            | "their"
            | "your"
            | "my"
            | "our"
            | "each"
            | "every"
            | "any"
            | "some"
            | "other"
            | "no"
    )
}

/// Whose deed it is: `None` the agent's own, `Some(None)` an outsider's, which states nothing,
/// `Some(Some(_))` somebody's who works for the agent or is passed on.
#[expect(
    clippy::option_option,
    reason = "own, passed on and foreign are three answers"
)]
fn doer(scan: &Scan<'_, '_>, clause: &Clause, at: usize) -> Option<Option<Reporter>> {
    let words = &clause.words;
    let end = words.end.min(at + 12);
    let agent = (at + 1..end).find(|&by| scan.form(by) == "by");
    if let Some(by) = agent {
        let form = scan.ahead(words, by, 1);
        let doer = if is_determiner(form) {
            scan.ahead(words, by, 2)
        } else {
            form
        };
        if matches!(doer, "you" | "user" | "user's") {
            return Some(None);
        }
        if crate::text::is_reporter(doer) {
            return Some(reporter(scan.prose, &(by..end)));
        }
    }
    let subject = words.start..at;
    let near = subject.start..subject.end.min(subject.start + 5);
    if clause.cues.has(Cue::Reported) {
        return Some(reporter(scan.prose, &near));
    }
    if near.clone().any(|at| {
        matches!(
            scan.form(at),
            "user" | "hook" | "hooks" | "author" | "upstream"
        )
    }) {
        return Some(None);
    }
    let delegate = reporter(scan.prose, &near).filter(|_| !clause.cues.has(Cue::FirstPerson));
    match delegate {
        Some(Reporter::Delegate | Reporter::Reviewer) => Some(delegate),

        _ => None,
    }
}

/// The kind of claim that the act at `at` makes, by its object.
fn kind_of(scan: &Scan<'_, '_>, clause: &Clause, at: usize, end: usize, act: Act) -> Option<Kind> {
    let form = scan.form(at);
    if on_pull_request(scan, clause, at, end)
        && matches!(act, Act::Edit | Act::Create | Act::Publish | Act::Fix)
        && form != "patched"
    {
        return Some(Kind::Pr);
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
        Act::Merge => Kind::Merge,
        Act::Publish => published(scan, clause, form)?,
        Act::Install => Kind::Install,
        Act::Run => ran(scan, clause, at, end, form)?,
        Act::Verify => verified(scan, clause, at)?,
        Act::Complete => completed(scan, clause, at, form)?,
        Act::Read => return None,
    })
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
            .take(3)
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
fn object<'i, 'p>(scan: &'i Scan<'_, 'p>, at: usize, end: usize) -> Option<&'i Ident<'p>> {
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
    if form == "cleaned" && (scan.ahead(&clause.words, at, 1) == "up" && temporary) {
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

fn published(scan: &Scan<'_, '_>, clause: &Clause, form: &str) -> Option<Kind> {
    let live = clause
        .words
        .clone()
        .take(24)
        .any(|at| matches!(scan.form(at), "production" | "staging" | "live" | "prod"));
    Some(match form {
        "deployed" | "redeployed" => Kind::Deploy,
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
    Some(Kind::Run)
}

fn verified(scan: &Scan<'_, '_>, clause: &Clause, at: usize) -> Option<Kind> {
    let form = scan.form(at);
    let attribute = at > clause.words.start && scan.back(&clause.words, at, 1) == "self";
    if attribute || (form == "tested" && clause.words.len() == 1) {
        return None;
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

/// `The parser now rejects …`, `they are now public`, `no longer crashes`: a change told by its effect.
fn effect(scan: &mut Scan<'_, '_>, index: usize, clause: &Clause) {
    if clause.cues.any(&[Cue::FirstPerson, Cue::Inability]) {
        return;
    }
    let words: Range<usize> = clause.words.clone();
    let Some((at, kind)) = words
        .clone()
        .find_map(|at| told_by_effect(scan, clause, at).map(|kind| (at, kind)))
    else {
        return;
    };
    let subject = at > words.start || is_item(&scan.prose.sentences()[index]);
    let status = words.clone().any(|at| {
        let form = scan.form(at);
        words::check_word(form).is_some() || matches!(form, "you" | "your" | "ready" | "there")
    });
    if subject && !status {
        scan.push(index, kind, &words);
    }
}

fn told_by_effect(scan: &Scan<'_, '_>, clause: &Clause, at: usize) -> Option<Kind> {
    let words = &clause.words;
    let (before, after) = (scan.back(words, at, 1), scan.ahead(words, at, 1));
    match scan.form(at) {
        "now" => {
            let works = matches!(before, "works" | "working")
                || matches!(after, "works" | "work" | "working");
            if works && !clause.negates(at) {
                return Some(Kind::Fixed);
            }
            let version = scan
                .prose
                .words()
                .get(at + 1)
                .is_some_and(|w| w.kind == WordKind::Version)
                && at + 1 < words.end;
            let state = version
                || matches!(before, "is" | "are")
                || matches!(
                    after,
                    "is" | "are" | "has" | "have" | "only" | "include" | "use" | "returns" | "uses"
                );
            let verb = after.len() > 3 && after.ends_with('s') && !after.ends_with("ss");
            let tells = matches!(before, "i" | "we" | "you" | "i'm" | "right") || after.is_empty();
            ((state || verb) && !tells).then_some(Kind::Edit)
        }
        "no" if after == "longer" => {
            let verb = scan.ahead(words, at, 2);
            let faults = words::went_badly(verb)
                || matches!(
                    verb,
                    "hangs" | "errors" | "occurs" | "throws" | "panics" | "happens" | "reproduces"
                );
            Some(if faults { Kind::Fixed } else { Kind::Edit })
        }
        "works" | "working"
            if (at == words.end - 1 || matches!(after, "now" | "correctly" | "again" | "as"))
                && !clause.negates(at) =>
        {
            let subject = (words.start..at)
                .rev()
                .take(24)
                .any(|n| matches!(scan.form(n), "it" | "everything" | "fix" | "feature"));
            subject.then_some(Kind::Fixed)
        }
        "worked" if at > words.start && !clause.negates(at) => Some(Kind::Run),
        _ => None,
    }
}
