//! List items and tables whose title carries the verb: `Files created:`, `Changes`, `Removed:`.

use core::ops::Range;

use super::model::Kind;
use super::scan::{Scan, is_item};
use super::section::Mode;
use super::{object, title, words};
use crate::text::{Act, BlockKind, Clause, Sentence, WordKind, past_act};

/// Reads one sentence as an item of its section.
pub(super) fn read(scan: &mut Scan<'_, '_>, index: usize) {
    let sentence = &scan.prose.sentences()[index];
    if scan.is_title(sentence) || (scan.leads(index) && !is_item(sentence)) {
        return file_list(scan, index);
    }
    file_list_inline(scan, index);
    if listed_file(scan, index) {
        return scan.push(index, Kind::Filelist, &sentence.words.clone());
    }
    let stated = scan
        .prose
        .clauses_of(sentence)
        .iter()
        .all(|clause| !scan.is_moot(sentence, clause));
    if renamed(scan, sentence) && stated && !scan.claimed(index) {
        return scan.push(index, Kind::Edit, &sentence.words.clone());
    }
    if !opens_item(scan, index) {
        return;
    }
    if says_nothing(scan, sentence) {
        return;
    }
    if labelled_change(scan, sentence) && !edited(scan, index) {
        return scan.push(index, Kind::Edit, &sentence.words.clone());
    }
    if let Some(words) = labelled_path(scan, sentence).filter(|_| scan.made)
        && !edited_in(scan, index, &words)
    {
        return scan.push(index, Kind::Create, &words);
    }
    // Below `Created package x` without a colon, files are listed all the same.
    if scan.made
        && sentence.lead.is_none()
        && opens_with_file(scan, sentence)
        && !edited(scan, index)
    {
        return create(scan, index);
    }
    match scan.section(index).mode {
        Mode::Create => create(scan, index),
        Mode::Delete => delete(scan, index),
        Mode::Push if leading_name(scan, sentence) && !scan.claimed(index) => {
            scan.push(index, Kind::Push, &sentence.words.clone());
        }
        Mode::Change => change(scan, index),
        Mode::Kept if !scan.states_kind(index, Kind::Nochange) => {
            scan.push(index, Kind::Nochange, &sentence.words.clone());
        }
        Mode::Plain | Mode::Check | Mode::Verified | Mode::Other | Mode::Kept | Mode::Push => {}
    }
}

/// What an item says is moot, or denied in the agent's own voice. Behind a label stands what it
/// says: `Note: the tests should pass`, `a.py: I have not added it yet`.
fn says_nothing(scan: &Scan<'_, '_>, sentence: &Sentence) -> bool {
    let clauses = scan.prose.clauses_of(sentence);
    let moot = |clause: &Clause| {
        scan.is_moot(sentence, clause) || clause.negator.is_some() || clause.posed.is_some()
    };
    let denied = |clause: &Clause| {
        let first = scan.form(clause.words.start);
        clause.negator.is_some() && matches!(first, "i" | "we")
    };
    let labelled = clauses
        .first()
        .is_some_and(|label| label.words.len() <= 5 && is_plain_label(scan, sentence, label));
    let behind = clauses.get(1);
    clauses.first().is_none_or(moot)
        || labelled && behind.is_some_and(moot)
        || behind.is_some_and(denied)
}

/// A bare path below `Changed files:`.
fn listed_file(scan: &Scan<'_, '_>, index: usize) -> bool {
    let sentence = &scan.prose.sentences()[index];
    let word = &scan.prose.words()[sentence.words.start];
    let text = scan.prose.source().get(word.range.clone()).unwrap_or("");
    let path = text.trim_matches('`');
    is_item(sentence)
        && sentence.words.len() == 1
        && matches!(word.kind, WordKind::Code | WordKind::Path)
        && object::is_path(path)
        && path.contains('.')
        && !path.contains([' ', '*'])
        && !scan.claimed(index)
        && sentence
            .lead
            .is_some_and(|lead| claimed_by(scan, lead, Kind::Filelist))
}

/// A label of plain words, and not the name of a file or a thing in code.
fn is_plain_label(scan: &Scan<'_, '_>, sentence: &Sentence, label: &Clause) -> bool {
    let words = scan.prose.words();
    scan.gap(sentence, label.words.end - 1)
        .contains([':', '：'])
        && label
            .words
            .clone()
            .all(|at| words[at].kind == WordKind::Plain)
}

/// The sentence is the first of a list item.
fn opens_item(scan: &Scan<'_, '_>, index: usize) -> bool {
    let sentences = scan.prose.sentences();
    let sentence = &sentences[index];
    let Some(before) = index
        .checked_sub(1)
        .and_then(|before| sentences.get(before))
    else {
        return is_item(sentence);
    };
    let between = scan
        .prose
        .source()
        .get(before.range.end..sentence.range.start)
        .unwrap_or("");
    is_item(sentence) && (between.contains('\n') || !is_item(before))
}

/// Any claim of a change so far in this sentence.
fn edited(scan: &Scan<'_, '_>, index: usize) -> bool {
    let from = scan.before.get(index).copied().unwrap_or(0);
    scan.found[from..]
        .iter()
        .any(|found| is_change_kind(found.kind))
}

/// The same, of some words of the sentence alone.
fn edited_in(scan: &Scan<'_, '_>, index: usize, words: &Range<usize>) -> bool {
    let from = scan.before.get(index).copied().unwrap_or(0);
    let all = scan.prose.words();
    let (start, end) = (all[words.start].range.start, all[words.end - 1].range.end);
    scan.found[from..]
        .iter()
        .any(|found| is_change_kind(found.kind) && found.span.start < end && start < found.span.end)
}

fn is_change_kind(kind: Kind) -> bool {
    matches!(
        kind,
        Kind::Edit | Kind::Create | Kind::Delete | Kind::Fixed | Kind::Nochange | Kind::Cleanup
    )
}

/// The item's first words name a file or a code word.
fn leading_name(scan: &Scan<'_, '_>, sentence: &Sentence) -> bool {
    sentence.words.clone().take(3).any(|at| {
        scan.prose.words().get(at).is_some_and(|word| {
            matches!(word.kind, WordKind::Code | WordKind::Path | WordKind::Url)
        })
    })
}

/// The item is a file and what it is for: `` `a.rs` - the reader ``.
fn opens_with_file(scan: &Scan<'_, '_>, sentence: &Sentence) -> bool {
    let first = &scan.prose.words()[sentence.words.start];
    let gap = scan.gap(sentence, sentence.words.start);
    first.kind == WordKind::Code
        && (gap.contains(" - ") || gap.contains('—'))
        && scan
            .prose
            .source()
            .get(first.range.clone())
            .is_some_and(|text| text.contains('.') && object::is_path(text.trim_matches('`')))
}

/// `Documentation updates: docs/a.md`: a label that names a change, and paths.
fn labelled_change(scan: &Scan<'_, '_>, sentence: &Sentence) -> bool {
    let clauses = scan.prose.clauses_of(sentence);
    let (Some(label), Some(place)) = (clauses.first(), clauses.get(1)) else {
        return false;
    };
    let last = scan.form(label.words.end - 1);
    let word = &scan.prose.words()[place.words.start];
    let path = scan
        .prose
        .source()
        .get(word.range.clone())
        .is_some_and(|text| object::is_path(text.trim_matches('`')));
    label.words.len() <= 4 && title::titles_change(last) && path
}

/// `Plan: specs/plan.md`, `Checklist: specs/list.md (all items checked)`: a short label and a path,
/// and no more but an aside.
fn labelled_path(scan: &Scan<'_, '_>, sentence: &Sentence) -> Option<Range<usize>> {
    let clauses = scan.prose.clauses_of(sentence);
    let (label, place) = (clauses.first()?, clauses.get(1)?);
    let text = scan.prose.source().get(place.range.clone())?;
    let path = object::is_path(text.trim_matches('`')) && !text.contains(' ') && text.contains('.');
    let aside = clauses.len() == 2 || scan.gap(sentence, place.words.end - 1).contains('(');
    let all = if clauses.len() == 2 {
        sentence.words.clone()
    } else {
        label.words.start..place.words.end
    };
    (label.words.len() <= 3 && place.words.len() == 1 && path && aside).then_some(all)
}

fn create(scan: &mut Scan<'_, '_>, index: usize) {
    let sentence = &scan.prose.sentences()[index];
    let told = sentence.lead.is_some_and(|lead| {
        let last = scan.prose.sentences()[lead].words.end - 1;
        scan.leads(lead) && past_act(scan.form(last)) == Some(Act::Create)
    });
    let from = scan.before.get(index).copied().unwrap_or(0);
    let commit = scan.found[from..]
        .iter()
        .any(|found| found.kind == Kind::Commit);
    // `I've added:` above a list of sections or flags tells edits.
    let added = sentence.lead.is_some_and(|lead| {
        let last = scan.prose.sentences()[lead].words.end - 1;
        scan.leads(lead) && scan.form(last) == "added"
    });
    if commit || edited(scan, index) {
        return;
    }
    if added
        && !leading_name(scan, sentence)
        && !is_item(&scan.prose.sentences()[sentence.lead.unwrap_or(index)])
    {
        let first = first_clause(scan, sentence);
        return scan.push(index, Kind::Edit, &first);
    }
    if !(told || leading_name(scan, sentence)) {
        return;
    }
    // A list nested below a file that was created explains it.
    let nested = sentence.lead.is_some_and(|lead| {
        is_item(&scan.prose.sentences()[lead]) && claimed_by(scan, lead, Kind::Create)
    });
    if !nested {
        // `**Search** - a.py - the reader`: up to the clause that names the file.
        let named = sentence.words.clone().take(3).find(|&at| {
            matches!(
                scan.prose.words()[at].kind,
                WordKind::Code | WordKind::Path | WordKind::Url
            )
        });
        let first = first_clause(scan, sentence);
        let end = first.end.max(named.map_or(0, |at| at + 1));
        scan.push(index, Kind::Create, &(first.start..end));
    }
}

fn delete(scan: &mut Scan<'_, '_>, index: usize) {
    let sentence = &scan.prose.sentences()[index];
    if edited(scan, index) {
        return;
    }
    let path = scan
        .idents
        .get(
            scan.idents
                .partition_point(|ident| ident.range.start < sentence.range.start),
        )
        .is_some_and(|ident| ident.range.start < sentence.range.end && object::is_path(ident.text));
    let kind = if path { Kind::Delete } else { Kind::Edit };
    let first = first_clause(scan, sentence);
    scan.push(index, kind, &first);
}

/// An item below `Changes` tells a change, whatever its verb.
fn change(scan: &mut Scan<'_, '_>, index: usize) {
    let sentence = &scan.prose.sentences()[index];
    if scan.claimed(index)
        || tells_rule(scan, sentence)
        || !is_change(scan, sentence, scan.section(index).direct)
    {
        return;
    }
    let nested = sentence.lead.is_some_and(|lead| {
        let above = &scan.prose.sentences()[lead];
        is_item(above)
            && (claimed_by(scan, lead, Kind::Edit) || claimed_by(scan, lead, Kind::Create))
    });
    if nested && scan.form(sentence.words.start) != "after" {
        return;
    }
    let words = sentence.words.clone();
    let request = scan
        .prose
        .clauses_of(sentence)
        .first()
        .is_some_and(|clause| object::is_pr(scan, clause, words.start));
    let kind = if request { Kind::Pr } else { Kind::Edit };
    scan.push(index, kind, &words);
}

/// The item says something of a thing: a name with more words behind it, or a label and a predicate.
fn is_change(scan: &Scan<'_, '_>, sentence: &Sentence, direct: bool) -> bool {
    if scan.leads_words(sentence) || is_aside(scan.form(sentence.words.start)) {
        return false;
    }
    // `The handler resets the offset - could lead to …` weighs up what is there.
    let weighs = scan
        .prose
        .clauses_of(sentence)
        .iter()
        .take(3)
        .any(|clause| {
            clause
                .cues
                .any(&[crate::text::Cue::Modal, crate::text::Cue::Hedge])
                || clause
                    .words
                    .clone()
                    .take(2)
                    .any(|at| scan.form(at) == "could")
        });
    if weighs {
        return false;
    }
    let start = sentence.words.start;
    let listed = sentence.lead.is_some_and(|lead| {
        let last = scan.prose.sentences()[lead].words.end - 1;
        scan.leads(lead) && past_act(scan.form(last)).is_some()
    });
    let words = scan.prose.words();
    let source = scan.prose.source();
    let bold = source
        .get(..words[start].range.start)
        .is_some_and(|before| before.ends_with("**"));
    let described =
        bold && direct && scan.prose.clauses_of(sentence).len() > 1 && sentence.words.len() >= 4;
    // `✅ Main scan: Non-blocking`, `` `a.rs`: the reader ``: a label, and what was made of it.
    let clauses = scan.prose.clauses_of(sentence);
    let label = clauses
        .first()
        .map_or("", |label| scan.gap(sentence, label.words.end - 1));
    let parted = label.contains([':', '：', '—']) || label.contains(" - ");
    let marked = parted && sentence.words.len() >= 3 && ticked(scan, sentence);
    let file = direct && clauses.len() > 1 && opens_with_path(scan, sentence);
    let replaced = described
        || marked
        || file
        || scan.form(start) == "after"
            && sentence.words.len() > 1
            && words[start + 1].kind == WordKind::Code;
    let placed = leading_name(scan, sentence)
        && sentence
            .words
            .clone()
            .take(4)
            .any(|at| scan.form(at) == "in");
    if replaced || placed || (listed && sentence.words.len() >= 2) {
        return true;
    }
    sentence.words.len() >= 3 && finite(scan, sentence)
}

/// `CI merges after the tests pass`: the item speaks of a check's outcome, and nothing was read as
/// stating it. It tells what is done on which condition, and no change.
fn tells_rule(scan: &Scan<'_, '_>, sentence: &Sentence) -> bool {
    let words = sentence.words.clone();
    words.clone().take(48).any(|at| {
        words::check_word(scan.form(at)).is_some()
            && (1..=3).any(|n| matches!(scan.ahead(&words, at, n), "pass" | "passes" | "green"))
    })
}

/// Labels of what is told beside a change.
fn is_aside(form: &str) -> bool {
    matches!(
        form,
        "before"
            | "old"
            | "problem"
            | "note"
            | "reason"
            | "why"
            | "impact"
            | "benefit"
            | "result"
            | "risk"
            | "status"
            | "severity"
            | "recommendation"
            | "issue"
            | "finding"
            | "effort"
            | "cost"
            | "exposure"
            | "example"
            | "purpose"
            | "location"
            | "concern"
            | "with"
            | "for"
            | "initial"
            | "final"
            | "score"
            | "rating"
    )
}

/// The item opens with a tick.
fn ticked(scan: &Scan<'_, '_>, sentence: &Sentence) -> bool {
    let start = scan.prose.words()[sentence.words.start].range.start;
    let source = scan.prose.source();
    let from = source.ceil_char_boundary(start.saturating_sub(12));
    let head = source.get(from..start).unwrap_or("");
    head.rsplit('\n')
        .next()
        .is_some_and(|head| head.contains(words::TICKS))
}

/// The item opens with a path, and a colon or a dash behind it.
fn opens_with_path(scan: &Scan<'_, '_>, sentence: &Sentence) -> bool {
    let start = sentence.words.start;
    let word = &scan.prose.words()[start];
    let gap = scan.gap(sentence, start);
    matches!(word.kind, WordKind::Code | WordKind::Path)
        && (gap.contains([':', '：', '—']) || gap.contains(" - "))
        && scan
            .prose
            .source()
            .get(word.range.clone())
            .is_some_and(|text| object::is_path(text.trim_matches('`')) && !text.contains(' '))
}

/// A word in third person or a past form: the item has a predicate.
fn finite(scan: &Scan<'_, '_>, sentence: &Sentence) -> bool {
    let clauses = scan.prose.clauses_of(sentence);
    clauses.iter().take(3).any(|clause| {
        clause.words.clone().take(8).any(|at| {
            let form = scan.form(at);
            let next = scan.ahead(&clause.words, at, 1);
            // A verb has an object that starts as objects do; a plural has none.
            let named = at + 1 < clause.words.end
                && matches!(
                    scan.prose.words()[at + 1].kind,
                    WordKind::Code | WordKind::Quoted | WordKind::Path
                );
            let object = named
                || matches!(
                    next,
                    "the" | "a" | "an" | "all" | "its" | "it" | "only" | "both"
                );
            let listed = words::effect_verb(form)
                && !matches!(
                    next,
                    "" | "is" | "are" | "and" | "or" | "of" | "for" | "with" | "to" | "from"
                );
            listed || (words::third_person(form) && object)
        })
    })
}

fn first_clause(scan: &Scan<'_, '_>, sentence: &Sentence) -> Range<usize> {
    scan.prose
        .clauses_of(sentence)
        .first()
        .map_or(sentence.words.clone(), |clause: &Clause| {
            clause.words.clone()
        })
}

fn claimed_by(scan: &Scan<'_, '_>, sentence: usize, kind: Kind) -> bool {
    let from = scan.before.get(sentence).copied().unwrap_or(0);
    let to = scan
        .before
        .get(sentence + 1)
        .copied()
        .unwrap_or(scan.found.len());
    scan.found
        .get(from..to)
        .is_some_and(|found| found.iter().take(32).any(|found| found.kind == kind))
}

/// `` `old` → `new` ``, or a row of a table of old and new names.
fn renamed(scan: &Scan<'_, '_>, sentence: &Sentence) -> bool {
    if !(is_item(sentence) || sentence.kind == BlockKind::Row) {
        return false;
    }
    let words = scan.prose.words();
    let quoted = |at: usize| {
        words
            .get(at)
            .is_some_and(|word| matches!(word.kind, WordKind::Code | WordKind::Quoted))
    };
    let row = sentence.kind == BlockKind::Row;
    if row && !heads_change(scan, sentence) {
        return false;
    }
    sentence.words.clone().skip(1).any(|at| {
        let gap = scan.gap(sentence, at - 1);
        let joined = gap.contains('→')
            || gap.contains("->")
            || (row && gap.contains('|') && at >= sentence.words.start + 2);
        joined && quoted(at - 1) && quoted(at)
    })
}

/// The title above the table tells changes: elsewhere a row of two names compares or lists them.
fn heads_change(scan: &Scan<'_, '_>, sentence: &Sentence) -> bool {
    let above = [sentence.lead, sentence.heading];
    above.into_iter().flatten().any(|above| {
        scan.prose.sentences()[above]
            .words
            .clone()
            .take(16)
            .any(|at| {
                let form = scan.form(at);
                title::titles_change(form)
                    || matches!(form, "renames" | "renaming" | "mapping" | "rename")
                    || matches!(past_act(form), Some(Act::Edit | Act::Fix))
            })
    })
}

/// `Key files touched include a.rs and b.rs.`
fn file_list_inline(scan: &mut Scan<'_, '_>, index: usize) {
    let sentence = &scan.prose.sentences()[index];
    let words = sentence.words.clone();
    let head = words.start..words.end.min(words.start + 6);
    // `The only file I changed is a.py`
    let only = head.clone().any(|at| scan.form(at) == "only")
        && head.clone().any(|at| scan.form(at) == "file")
        && words.clone().take(8).any(|at| scan.form(at) == "is");
    let files = only || head.clone().any(|at| scan.form(at) == "files");
    let changed = head
        .clone()
        .any(|at| matches!(scan.form(at), "changed" | "modified" | "touched"));
    let lists = only
        || head
            .clone()
            .any(|at| matches!(scan.form(at), "include" | "are" | "were"))
        || scan
            .prose
            .clauses_of(sentence)
            .first()
            .is_some_and(|clause| {
                clause.words.end <= head.end
                    && scan.gap(sentence, clause.words.end - 1).contains(':')
            });
    let from = scan
        .idents
        .partition_point(|ident| ident.range.start < sentence.range.start);
    let named = scan.idents[from..]
        .iter()
        .take(1)
        .any(|ident| ident.range.start < sentence.range.end && object::is_path(ident.text));
    if files && changed && lists && named {
        scan.push(index, Kind::Filelist, &words);
    }
}

/// `New Files (16):` above a block, `Files changed:` above or before a list.
fn file_list(scan: &mut Scan<'_, '_>, index: usize) {
    let prose = scan.prose;
    let sentence = &prose.sentences()[index];
    let words = sentence.words.clone();
    if words.len() > 6 {
        return;
    }
    let files = words
        .clone()
        .any(|at| matches!(scan.form(at), "files" | "file"));
    let changed = words.clone().any(|at| {
        matches!(
            scan.form(at),
            "changed" | "modified" | "touched" | "new" | "edited" | "updated"
        )
    });
    if files && changed {
        scan.push(index, Kind::Filelist, &words);
    }
}
