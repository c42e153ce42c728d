//! Deeds told as done: result verbs in predicate position, and changes told by their effect.

use super::effect::effect;
use super::model::Kind;
use super::object::{kind_of, object};
use super::predicate::{Doer, doer, is_determiner, is_noun, predicates};
use super::scan::{Found, Scan, is_item};
use super::section::Mode;
use super::words;
use crate::text::{Act, BlockKind, Clause, Cue, WordKind, past_act};

/// Reads the deeds of one clause.
pub(super) fn read(scan: &mut Scan<'_, '_>, index: usize, clause: &Clause) {
    let prose = scan.prose;
    let sentence = &prose.sentences()[index];
    let row = sentence.kind == BlockKind::Row;
    let heading = scan.is_title(sentence);
    let leads = scan.leads_items(index);
    let mut begin = clause.words.start;
    let mut last: Option<usize> = None;
    for at in clause.words.clone() {
        let Some(act) = act_at(scan, index, clause, at) else {
            continue;
        };
        let nothing = scan.ahead(&clause.words, at, 1) == "nothing";
        if nothing || clause.poses(at) || !predicates(scan, clause, at, act) {
            continue;
        }
        if tells_always(scan, clause, at, act) {
            continue;
        }
        let end = part_end(scan, clause, at);
        let Some(kind) = kind_of(scan, clause, at, end, act) else {
            continue;
        };
        if (row || heading) && !stands_out(scan, clause, at, kind) {
            continue;
        }
        // The items below tell it one by one.
        let vague = sentence.kind == BlockKind::Paragraph && object(scan, at, end).is_none();
        if leads
            && (at + 1 == clause.words.end || (vague && matches!(kind, Kind::Edit | Kind::Fixed)))
        {
            last = Some(at);
            continue;
        }
        // `I ran the tests; they all pass` is stated by what it says of the tests.
        if kind.is_check() && act == Act::Run && scan.states_kind(index, kind) {
            continue;
        }
        if last.is_some() {
            begin = at;
        }
        let negated = clause.negates(at);
        if negated && !deniable(kind) {
            continue;
        }
        let by = match doer(scan, clause, at) {
            Doer::Own => None,
            Doer::Passed(reporter) => reporter,
            Doer::Foreign => continue,
        };
        let span = scan.span(&(begin..end));
        scan.found.push(Found {
            kind,
            span,
            negated,
            reported: by.or(scan.section(index).reported),
            sentence: Some(index),
        });
        last = Some(at);
    }
    if last.is_none() && !row && !heading {
        effect(scan, index, clause);
    }
}

/// What is so in general, and no deed: `A transaction is committed in two phases`, `the bug is
/// fixed when …`, `…; deleted rows stay in the archive`.
fn tells_always(scan: &Scan<'_, '_>, clause: &Clause, at: usize, act: Act) -> bool {
    let words = &clause.words;
    let sentence = &scan.prose.sentences()[clause.sentence];
    let present = matches!(scan.back(words, at, 1), "is" | "are");
    let outward = matches!(
        act,
        Act::Commit | Act::Push | Act::Merge | Act::Publish | Act::Install
    );
    let any = matches!(scan.form(words.start), "a" | "an" | "each" | "every");
    let behind = sentence
        .words
        .contains(&(at + 1))
        .then(|| scan.form(at + 1));
    let once = act == Act::Fix && present && matches!(behind, Some("when" | "once" | "if"));
    let things = at == words.start
        && at > sentence.words.start
        && scan.ahead(words, at, 1).ends_with('s')
        && matches!(
            scan.ahead(words, at, 2),
            "stay" | "remain" | "are" | "were" | "live" | "go" | "keep" | "have" | "get" | "come"
        );
    (present && outward && any) || once || things
}

/// Whether a title or a cell of a table tells the deed at `at` all the same.
fn stands_out(scan: &Scan<'_, '_>, clause: &Clause, at: usize, kind: Kind) -> bool {
    let sentence = &scan.prose.sentences()[clause.sentence];
    let row = sentence.kind == BlockKind::Row;
    let bold = !row
        && at == clause.words.start
        && clause.words.len() >= 5
        && clause.words.start == sentence.words.start
        && counts_or_names(scan, clause, at);
    // `| Script fixed | ✅ |`: the tick says that the cell tells a deed.
    let ticked = row
        && at + 1 == clause.words.end
        && clause.words.len() > 1
        && scan.gap(sentence, at).contains(words::TICKS);
    // `## Published Security Reports`: a topic.
    let topic = !row
        && at == clause.words.start
        && matches!(kind, Kind::Publish | Kind::Install)
        && scan.prose.words().get(at + 1).is_some_and(|next| {
            at + 1 < clause.words.end && next.kind == WordKind::Plain && is_noun(scan.form(at + 1))
        });
    bold || ticked || (stands_alone(kind) && !topic)
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
    let denied = matches!(
        scan.ahead(&clause.words, at, 1),
        "no" | "nothing" | "sure" | "certain"
    );
    if opens && told && !denied && words::unlisted_deed(form) && takes_object(scan, clause, at) {
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
pub(super) const PART_WORDS: usize = 40;
