//! Whether a past form is the predicate of its clause, and whose deed it tells.

use super::model::Reporter;
use super::scan::{Scan, is_item};
use super::section::reporter;
use super::words;
use crate::text::{Act, Clause, Cue, WordKind, past_act};

/// Whether the past form at `at` is a predicate and not an attribute (`the updated file`), another's
/// deed (`the flag you added`) or a state (`already added`).
pub(super) fn predicates(scan: &Scan<'_, '_>, clause: &Clause, at: usize, act: Act) -> bool {
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
    // `Files changed:` is a title.
    if act == Act::Edit && matches!(before, "files" | "file") && words.len() <= 3 {
        return false;
    }
    if is_determiner(before) && act != Act::Complete {
        return false;
    }
    if qualifies(scan, clause, at, act)
        || is_attribute(scan, clause, at)
        || describes(scan, clause, at, act)
        || is_theirs(scan, clause, at, act)
    {
        return false;
    }
    !is_relative(scan, clause, at, act) && !states_noun(scan, clause, at, act)
}

/// A participle behind its noun, or a quality: `has three commits authored as x`, `written in Rust`,
/// `total committed`, `"logs-only" (committed) checkpoints`, `hash matches → committed`.
fn qualifies(scan: &Scan<'_, '_>, clause: &Clause, at: usize, act: Act) -> bool {
    let words = &clause.words;
    let (before, next) = (scan.back(words, at, 1), scan.ahead(words, at, 1));
    if matches!(before, "total" | "fully" | "both" | "either") && act == Act::Commit {
        return true;
    }
    let form = scan.form(at);
    let sentence = &scan.prose.sentences()[clause.sentence];
    let made_of = matches!(
        form,
        "written" | "built" | "implemented" | "compiled" | "linked"
    ) && matches!(next, "in" | "on" | "with" | "for")
        && at == words.start;
    let outward = matches!(act, Act::Commit | Act::Push | Act::Merge);
    let gap = if words.start > sentence.words.start {
        scan.gap(sentence, words.start - 1)
    } else {
        ""
    };
    let aside = outward
        && words.len() <= 3
        && (gap.contains('→')
            || gap.contains('=')
            || (gap.contains('(') && words.end < sentence.words.end));
    let holds = |n: usize| {
        matches!(
            scan.form(n),
            "has" | "have" | "contains" | "shows" | "includes" | "lists" | "with"
        )
    };
    // `the ones changed in that commit`, `exported but unused`
    let ones = matches!(before, "ones" | "those" | "only" | "anything")
        && matches!(next, "in" | "by" | "on" | "from" | "with");
    let quality = form == "exported" && !takes_object(scan, clause, at);
    let reduced = matches!(next, "as" | "by" | "in" | "from" | "with")
        && at > words.start + 2
        && before.ends_with('s')
        && is_noun(before)
        && (words.start..at).rev().take(8).skip(1).any(holds);
    // `(formatted entries)` tells how they look.
    let shaped = matches!(form, "formatted" | "reformatted")
        && at == words.start
        && gap.trim_end().ends_with('(');
    made_of || aside || reduced || ones || quality || shaped || is_second(scan, clause, at)
}

/// The participle is not the main verb: `transcripts sent via x are encrypted`, `a well-made and
/// documented tool`, `with the bloat removed`, `need the path corrected`.
fn is_second(scan: &Scan<'_, '_>, clause: &Clause, at: usize) -> bool {
    let words = &clause.words;
    let back = |n: usize| scan.back(words, at, n);
    let all = scan.prose.words();
    let noun = at > words.start
        && all[at - 1].kind == WordKind::Plain
        && !is_subject(back(1))
        && !is_adverb(back(1))
        && past_act(back(1)).is_none();
    let finite = |form: &str| matches!(form, "is" | "are" | "was" | "were" | "has" | "have");
    let prepositional = matches!(
        scan.ahead(words, at, 1),
        "via" | "by" | "through" | "with" | "from" | "in" | "on" | "to" | "for"
    );
    let held = noun
        && prepositional
        && !(words.start..at)
            .rev()
            .take(8)
            .any(|n| finite(scan.form(n)))
        && (at + 2..words.end.min(at + 8))
            .take_while(|&n| scan.form(n) != "and")
            .any(|n| finite(scan.form(n)));
    let paired = back(1) == "and"
        && back(2).ends_with("ed")
        && (3..=5).any(|n| matches!(back(n), "a" | "an" | "the"))
        && at + 2 == words.end;
    let ends = at + 1 == words.end;
    let wished = (1..=8).any(|n| matches!(back(n), "need" | "needs" | "want" | "wants"));
    let absolute =
        ends && noun && (2..=8).any(|n| back(n) == "with") && scan.form(words.start) != "with";
    held || paired || absolute || (wished && noun)
}

/// An object stands behind the verb: a name, an article, a number, or where it went.
fn takes_object(scan: &Scan<'_, '_>, clause: &Clause, at: usize) -> bool {
    let next = scan.ahead(&clause.words, at, 1);
    let named = scan.prose.words().get(at + 1).is_some_and(|word| {
        at + 1 < clause.words.end
            && matches!(
                word.kind,
                WordKind::Code | WordKind::Path | WordKind::Number
            )
    });
    named || is_determiner(next) || matches!(next, "to" | "as" | "all" | "both")
}

/// `the flag you added`, `the command I ran`, `what I changed`; `I verified that I added …` is told.
fn is_relative(scan: &Scan<'_, '_>, clause: &Clause, at: usize, act: Act) -> bool {
    let back = |n: usize| scan.back(&clause.words, at, n);
    let joins = matches!(
        back(2),
        "" | "and" | "then" | "so" | "but" | "also" | "that" | "here"
    );
    if matches!(back(1), "i" | "we") && !joins && matches!(act, Act::Run | Act::Edit | Act::Create)
    {
        return true;
    }
    if (2..=3).any(|n| back(n) == "what") {
        return true;
    }
    let opened = (1..=4).any(|n| {
        matches!(
            back(n),
            "you" | "you've" | "that" | "which" | "who" | "where" | "what" | "whether" | "user"
        )
    });
    opened && !(1..=2).any(|n| matches!(back(n), "i" | "i've" | "we"))
}

/// `the previous pushed commit`, `excluding closed issues`, `Recorded worktree is gone`, `prepared/trace`.
fn is_attribute(scan: &Scan<'_, '_>, clause: &Clause, at: usize) -> bool {
    let words = &clause.words;
    let all = scan.prose.words();
    let bytes = scan.prose.masked().as_bytes();
    let glued = all[at].range.start > 0 && bytes.get(all[at].range.start - 1) == Some(&b'/');
    if bytes.get(all[at].range.end) == Some(&b'/') || (glued && at > words.start) {
        return true;
    }
    let next = at + 1;
    // ``committed `a.json` does not name it``
    let named = next + 1 < words.end
        && at == words.start
        && all[next].kind == WordKind::Code
        && matches!(
            scan.form(next + 1),
            "does" | "is" | "has" | "was" | "contains" | "doesn't" | "isn't"
        );
    if named {
        return true;
    }
    if next >= words.end || all[next].kind != WordKind::Plain || !is_noun(scan.form(next)) {
        return false;
    }
    let before = scan.back(words, at, 1);
    // `cleaned generated artifacts`, `uploads generated artifacts`
    let verb = at > words.start && words::third_person(before) && before.contains('-')
        || words::effect_verb(before)
        || before.ends_with("ing")
        || (scan.back(words, at, 2) == "to" && all[at - 1].kind == WordKind::Plain)
        || matches!(
            before,
            "updates"
                | "uploads"
                | "processes"
                | "displays"
                | "deletes"
                | "generates"
                | "keeps"
                | "syncs"
        );
    if past_act(before).is_some() || verb || QUALIFIERS.contains(&before) {
        return true;
    }
    let outward = matches!(
        past_act(scan.form(at)),
        Some(Act::Commit | Act::Push | Act::Merge | Act::Publish | Act::Install | Act::Verify)
    );
    if outward && at > words.start && !is_subject(before) && !is_adverb(before) {
        return true;
    }
    let framed = is_determiner(scan.back(words, at, 2)) && AGES.contains(&before);
    let stated = at == words.start
        && (2..=4).any(|n| {
            matches!(
                scan.ahead(words, at, n),
                "is" | "are" | "was" | "were" | "has" | "have" | "will"
            )
        });
    framed || stated
}

/// What stands in front of a participle that qualifies a noun.
const QUALIFIERS: &[&str] = &[
    "excluding",
    "including",
    "last",
    "without",
    "only",
    "all",
    "any",
    "no",
    "some",
    "more",
    "two",
    "three",
];

/// Between an article and a participle: `the previous pushed commit`.
const AGES: &[&str] = &[
    "previous", "new", "old", "last", "latest", "recently", "original", "first", "current", "only",
];

pub(super) fn is_noun(form: &str) -> bool {
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
    // `Git is installed at …` tells the state of a machine.
    let machine = act == Act::Install
        && matches!(scan.back(&clause.words, at, 1), "is" | "are")
        && matches!(
            scan.ahead(&clause.words, at, 1),
            "at" | "in" | "under" | "via" | "as"
        )
        && !matches!(scan.back(&clause.words, at, 2), "binary" | "executable");
    if machine {
        return true;
    }
    // `Events are published on a queue` tells what a program does.
    let always = act == Act::Publish
        && scan.back(&clause.words, at, 1) == "are"
        && scan.ahead(&clause.words, at, 1) == "on";
    if always {
        return true;
    }
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
    let item = is_item(&scan.prose.sentences()[clause.sentence]);
    let named = near(1) == "is"
        && at > words.start + 1
        && matches!(
            scan.prose.words()[at - 2].kind,
            WordKind::Code | WordKind::Path
        );
    let ends = (next.is_empty() || next == "and") && !words::stative(form) && (!item || named);
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
    // `` `resume.go` removed `x` from … `` tells what a change of somebody's does.
    let code = matches!(
        scan.prose.words()[by - 1].kind,
        WordKind::Code | WordKind::Path
    );
    let things = scan
        .prose
        .words()
        .get(at + 1)
        .is_some_and(|word| at + 1 < words.end && word.kind == WordKind::Code);
    if code && (things || object) && matches!(act, Act::Edit | Act::Delete | Act::Create) {
        return true;
    }
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
                | "force"
                | "branch"
                | "commits"
                | "changes"
        );
    let runs = act == Act::Run && !next.is_empty() && is_noun(next) && !subject.ends_with("'ve");
    let opens = scan.form(at) == "opened" && !object;
    // `` Dana pushed `1b2c3d4` ``
    let outward = matches!(
        act,
        Act::Commit | Act::Push | Act::Merge | Act::Publish | Act::Install
    );
    noun && (object || runs || opens || things && outward)
}

/// `updated files`, `Installed applets`, `added latency`: an attribute of a plural without an article.
fn states_noun(scan: &Scan<'_, '_>, clause: &Clause, at: usize, act: Act) -> bool {
    let next = scan.ahead(&clause.words, at, 1);
    act == Act::Install
        && at == clause.words.start
        && clause.words.len() <= 3
        && (next.ends_with('s') || next == "size")
}

fn is_adverb(form: &str) -> bool {
    (form.len() > 3 && form.ends_with("ly"))
        || matches!(
            form,
            "also" | "now" | "just" | "then" | "since" | "both" | "fully" | "already" | "squash"
        )
}

pub(super) fn is_determiner(form: &str) -> bool {
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

/// Whose deed a clause tells.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Doer {
    /// The agent's own.
    Own,
    /// Of somebody who works for the agent, or who is passed on.
    Passed(Option<Reporter>),
    /// An outsider's, which states nothing.
    Foreign,
}

/// Whose deed the past form at `at` tells.
pub(super) fn doer(scan: &Scan<'_, '_>, clause: &Clause, at: usize) -> Doer {
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
            return Doer::Foreign;
        }
        if crate::text::is_reporter(doer) {
            return Doer::Passed(reporter(scan.prose, &(by..end)));
        }
    }
    let subject = words.start..at;
    let near = subject.start..subject.end.min(subject.start + 5);
    if clause.cues.has(Cue::Reported) {
        return Doer::Passed(reporter(scan.prose, &near));
    }
    if near.clone().any(|at| {
        matches!(
            scan.form(at),
            "user" | "hook" | "hooks" | "author" | "upstream"
        )
    }) {
        return Doer::Foreign;
    }
    let delegate = reporter(scan.prose, &near).filter(|_| !clause.cues.has(Cue::FirstPerson));
    match delegate {
        Some(Reporter::Delegate | Reporter::Reviewer) => Doer::Passed(delegate),

        _ => Doer::Own,
    }
}
