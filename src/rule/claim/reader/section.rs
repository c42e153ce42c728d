//! What a heading or a lead-in says of the sentences below it.

use core::ops::Range;

use super::model::Reporter;
use super::title;
use crate::text::{Act, BlockKind, Cue, Ender, Prose, Sentence, WordKind, past_act};

/// What the items of a section are, by its title.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(super) enum Mode {
    /// The title says nothing of that.
    #[default]
    Plain,
    /// Checks that went well.
    Check,
    /// Things that were looked at and found so.
    Verified,
    /// Files or things that were made.
    Create,
    /// Changes that were made.
    Change,
    /// Things that were taken away.
    Delete,
    /// Branches and tags that were pushed.
    Push,
    /// What was left as it was.
    Kept,
    /// What is told as background: only plain deeds count.
    Other,
}

/// Under what a sentence stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(super) struct Section {
    /// What its items are.
    pub(super) mode: Mode,
    /// The nearest title says so itself.
    pub(super) direct: bool,
    /// Of checks: the title is a topic, `Testing`, under which plans stand as often as results.
    pub(super) topic: bool,
    /// A plan, an offer, a draft, a problem that was there before: nobody states it.
    pub(super) moot: bool,
    /// Criteria are listed: an item that no tick and no word says to be met is one of them.
    pub(super) criteria: bool,
    /// Whose words it passes on.
    pub(super) reported: Option<Reporter>,
}

/// The section of every sentence.
pub(super) fn sections(prose: &Prose<'_>) -> Vec<Section> {
    let mut own: Vec<Section> = Vec::with_capacity(prose.sentences().len());
    let mut gives: Vec<Section> = Vec::with_capacity(prose.sentences().len());
    for sentence in prose.sentences() {
        let of = |index: Option<usize>| {
            index
                .and_then(|index| gives.get(index))
                .copied()
                .unwrap_or_default()
        };
        let mut scope = within(of(sentence.heading), of(sentence.lead));
        scope.moot |= sentence.drafted || (scope.criteria && !is_met(prose, sentence));
        gives.push(introduced(prose, sentence, scope));
        own.push(scope);
    }
    own
}

/// A criterion is ticked, or said to be met, in its own line.
fn is_met(prose: &Prose<'_>, sentence: &Sentence) -> bool {
    let ticked = matches!(
        sentence.kind,
        BlockKind::Item {
            check: Some(true),
            ..
        }
    );
    let source = prose.source();
    let near = sentence.range.start.saturating_sub(16);
    let before = source.get(near..sentence.range.start).unwrap_or("");
    let before = before.rsplit('\n').next().unwrap_or("");
    let own = source.get(sentence.range.clone()).unwrap_or("");
    let behind = source.get(sentence.range.end..).unwrap_or("");
    let behind = behind
        .chars()
        .take(4)
        .any(|c| super::words::TICKS.contains(&c));
    let item = matches!(sentence.kind, BlockKind::Item { .. } | BlockKind::Row);
    !item
        || ticked
        || behind
        || [before, own]
            .iter()
            .any(|text| text.contains(super::words::TICKS))
        || sentence
            .words
            .clone()
            .any(|at| matches!(prose.form(at), "met" | "done" | "satisfied" | "yes"))
}

/// The nearer title decides where it says anything.
fn within(outer: Section, inner: Section) -> Section {
    let by_inner = inner.mode != Mode::Plain;
    Section {
        mode: if by_inner { inner.mode } else { outer.mode },
        direct: if by_inner { inner.direct } else { outer.direct },
        topic: if by_inner { inner.topic } else { outer.topic },
        moot: outer.moot || inner.moot,
        criteria: outer.criteria || inner.criteria,
        reported: inner.reported.or(outer.reported),
    }
}

/// A longer heading is a sentence that happens to be bold.
const TITLE_WORDS: usize = 14;

fn introduced(prose: &Prose<'_>, sentence: &Sentence, scope: Section) -> Section {
    let heading = matches!(sentence.kind, BlockKind::Heading(_));
    let leads = sentence.ender == Ender::Colon;
    let item = matches!(sentence.kind, BlockKind::Item { .. });
    if !(heading || leads || item) {
        return scope;
    }
    let Some(last) = prose.clauses_of(sentence).last() else {
        return scope;
    };
    let mut gives = scope;
    gives.direct = false;
    // `What is ready:` can do nothing, though `ready` is an ability.
    let able = last
        .words
        .clone()
        .any(|at| matches!(prose.form(at), "can" | "could" | "able"));
    let open = last.cues.any(&[
        Cue::Question,
        Cue::Condition,
        Cue::Contingent,
        Cue::Future,
        Cue::Modal,
        Cue::Imperative,
        Cue::Open,
    ]);
    let open = !heading && (open || able);
    gives.moot |= open && (leads || item);
    if sentence.words.len() > TITLE_WORDS {
        return gives;
    }
    // Of a sentence with a lead-in at its end, the whole sentence titles; an item titles only where
    // it ends in a colon.
    if heading || leads {
        let title = if heading {
            sentence.words.clone()
        } else {
            last_words(prose, sentence)
        };
        gives.criteria = title
            .clone()
            .any(|at| matches!(prose.form(at), "criteria" | "criterion"));
        match titled(prose, &title, heading) {
            Title::Moot => gives.moot = true,
            Title::Mode(mode) => {
                gives.mode = mode;
                gives.direct = true;
                gives.topic = title.clone().all(|at| {
                    !title::titles_check(prose.form(at)) || title::is_topic(prose.form(at))
                });
            }
            Title::Silent => {}
        }
        if last.cues.has(Cue::Reported) {
            gives.reported = reporter(prose, &sentence.words);
        }
    }
    gives
}

fn last_words(prose: &Prose<'_>, sentence: &Sentence) -> Range<usize> {
    let clauses = prose.clauses_of(sentence);
    // `On branch x: Changes made:` is titled by its end; a bare `:` clause by all of it.
    match clauses.last() {
        Some(last) if last.words.len() > 1 => last.words.clone(),
        _ => sentence.words.clone(),
    }
}

/// Who speaks, by the first noun for a third party among `words`.
pub(super) fn reporter(prose: &Prose<'_>, words: &Range<usize>) -> Option<Reporter> {
    words.clone().find_map(|at| {
        let form = prose.form(at);
        let form = form.strip_suffix("'s").unwrap_or(form);
        match form {
            "ci" | "pipeline" | "actions" => Some(Reporter::Ci),
            "reviewer" | "reviewers" | "review" | "copilot" | "maintainer" | "coderabbit" => {
                Some(Reporter::Reviewer)
            }
            "agent" | "agents" | "subagent" | "subagents" | "worker" | "workers" | "delegate" => {
                Some(Reporter::Delegate)
            }
            "you" | "your" | "you've" | "user" => Some(Reporter::User),
            "docs" | "documentation" | "readme" | "changelog" | "guide" | "wiki" | "manual"
            | "handbook" | "faq" | "issue" | "ticket" | "author" => Some(Reporter::Docs),
            _ if is_document(prose, at) => Some(Reporter::Docs),
            _ => crate::text::is_reporter(form).then_some(Reporter::Other),
        }
    })
}

/// A file of prose.
fn is_document(prose: &Prose<'_>, at: usize) -> bool {
    prose.words().get(at).is_some_and(|word| {
        matches!(word.kind, WordKind::Code | WordKind::Path)
            && prose
                .source()
                .get(word.range.clone())
                .is_some_and(crate::text::is_document)
    })
}

enum Title {
    Moot,
    Mode(Mode),
    Silent,
}

#[derive(Default)]
struct Signs {
    moot: bool,
    file: bool,
    part: bool,
    new: bool,
    made: bool,
    gone: bool,
    check: bool,
    proved: bool,
    change: bool,
    kept: bool,
    other: bool,
    change_noun: bool,
    /// The title names logs, reports or guides.
    papers: bool,
    /// `Low severity`: faults are listed, unless a deed says what became of them.
    severity: bool,
    told: bool,
    pushed: bool,
    refs: bool,
}

fn signs(prose: &Prose<'_>, title: &Range<usize>, heading: bool) -> Signs {
    let mut signs = Signs::default();
    // `X is mostly aligned with the spec:` tells a state; a short lead-in, or one that opens with its
    // verb, tells a deed.
    let opens =
        (title.start..title.end.min(title.start + 3)).any(|at| past_act(prose.form(at)).is_some());
    let deeds = heading || title.len() <= 5 || opens;
    for at in title.clone() {
        let form = prose.form(at);
        signs.moot |= title::titles_moot(form);
        signs.file |= matches!(form, "file" | "files" | "scripts" | "documents" | "docs");
        signs.new |= form == "new";
        signs.pushed |= form == "pushed" && at + 1 == title.end && title.len() <= 3;
        signs.severity |= form == "severity";
        signs.told |= past_act(form).is_some();
        signs.papers |= matches!(form, "logs" | "reports" | "guides" | "details");
        signs.refs |= matches!(form, "branches" | "tags") && title.len() <= 3;
        signs.part |= matches!(
            form,
            "features" | "modules" | "components" | "utilities" | "commands" | "endpoints"
        );
        signs.check |= title::titles_check(form);
        signs.proved |= at + 1 == title.end && matches!(form, "verified" | "confirmed");
        signs.other |= title::titles_other(form);
        signs.kept |= matches!(
            form,
            "kept" | "skipped" | "unchanged" | "untouched" | "deferred" | "intact" | "not"
        );
        signs.change |= title::titles_change(form);
        signs.change_noun |= title::titles_change(form);
        match past_act(form).filter(|_| deeds) {
            Some(Act::Create) => signs.made = true,
            Some(Act::Delete) => signs.gone = true,
            // `Applets are defined in lists:` tells what is there.
            Some(Act::Edit) if super::words::stative(form) && is_there(prose, title, at) => {}
            Some(Act::Edit | Act::Fix | Act::Merge) => signs.change = true,
            _ => {}
        }
    }
    signs
}

/// A form of `be` stands in front of the participle.
fn is_there(prose: &Prose<'_>, title: &Range<usize>, at: usize) -> bool {
    at > title.start && matches!(prose.form(at - 1), "is" | "are")
}

/// `Without this fix:` tells what would be, `these scenarios are missing:` what is not there, and `Medium Value
/// Additions` what might be.
fn tells_of_none(prose: &Prose<'_>, title: &Range<usize>) -> bool {
    let last = title.end.saturating_sub(1).max(title.start);
    let (first, last) = (prose.form(title.start), prose.form(last));
    let deed = title.clone().any(|at| past_act(prose.form(at)).is_some());
    let lacks = || {
        first.starts_with("area")
            && title
                .clone()
                .any(|at| prose.form(at).starts_with("improvement"))
    };
    // `Complete documentation of all changes is in:` points to where it stands.
    let points = || {
        let before = last_but_one(title).map_or("", |at| prose.form(at));
        let papers = |at| matches!(prose.form(at), "documentation" | "documented" | "details");
        last == "in"
            && matches!(before, "is" | "are" | "found")
            && title.clone().take(3).any(papers)
    };
    let wished = || last == "additions" && title.clone().any(|at| prose.form(at) == "value");
    first == "without" && title.len() <= 6
        || first == "excellent" && (2..=3).contains(&title.len())
        || !deed && (first == "missing" || last == "missing")
        || wished()
        || lacks()
        || points()
}

fn last_but_one(title: &Range<usize>) -> Option<usize> {
    title.end.checked_sub(2).filter(|at| *at >= title.start)
}

fn titled(prose: &Prose<'_>, title: &Range<usize>, heading: bool) -> Title {
    // `For a small change:` weighs something up.
    if prose.form(title.start) == "for" {
        return Title::Silent;
    }
    if tells_of_none(prose, title) {
        return Title::Moot;
    }
    let signs = signs(prose, title, heading);
    let deed = signs.made || signs.gone || signs.change;
    // `Not done yet:`
    let undone = prose.form(title.start) == "not"
        && matches!(prose.form(title.start + 1), "done" | "yet" | "started")
        && title.len() <= 4;
    if undone {
        return Title::Moot;
    }
    let complete = |at: usize| past_act(prose.form(at)) == Some(Act::Complete);
    // `Next steps complete` looks back.
    let done = title.clone().any(complete);
    if signs.moot && !done && !(deed && !signs.kept && title.len() <= 3) {
        return Title::Moot;
    }
    if signs.pushed || (signs.refs && signs.change) {
        return Title::Mode(Mode::Push);
    }
    if signs.severity && !signs.told {
        return Title::Moot;
    }
    let left = title
        .clone()
        .any(|at| matches!(prose.form(at), "untouched" | "unchanged" | "intact"));
    if signs.kept {
        return Title::Mode(if left { Mode::Kept } else { Mode::Other });
    }
    if signs.made
        || (title.len() > 1
            && !signs.change_noun
            && title.len() <= 4
            && prose.form(title.end - 1) == "added")
        || (signs.new && (signs.file || signs.part || title.len() == 1))
        || (signs.file && added(prose, title))
    {
        return Title::Mode(Mode::Create);
    }
    if signs.gone && !signs.change && (title.len() <= 2 || signs.file) {
        return Title::Mode(Mode::Delete);
    }
    if signs.check && !signs.change {
        return Title::Mode(Mode::Check);
    }
    if signs.proved {
        return Title::Mode(Mode::Verified);
    }
    // `Configuration & Cleanup Logs`: papers, and no changes.
    if signs.papers && signs.change_noun && !signs.made {
        return Title::Mode(Mode::Other);
    }
    if deed {
        return Title::Mode(Mode::Change);
    }
    if signs.other {
        return Title::Mode(Mode::Other);
    }
    Title::Silent
}

fn added(prose: &Prose<'_>, title: &Range<usize>) -> bool {
    title.clone().any(|at| prose.form(at) == "added")
        && !title.clone().any(|at| title::titles_change(prose.form(at)))
}
