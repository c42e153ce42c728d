//! Changes told by their effect.

use core::ops::Range;

use super::model::Kind;
use super::scan::{Scan, is_item};
use super::words;
use crate::text::{Clause, Cue, WordKind};

/// `The parser now rejects …`, `they are now public`, `no longer crashes`: a change told by its effect.
pub(super) fn effect(scan: &mut Scan<'_, '_>, index: usize, clause: &Clause) {
    if clause.cues.any(&[Cue::FirstPerson, Cue::Inability]) {
        return;
    }
    let words: Range<usize> = clause.words.clone();
    let Some((at, kind)) = words
        .clone()
        .take_while(|&at| !clause.poses(at))
        .find_map(|at| told_by_effect(scan, clause, at).map(|kind| (at, kind)))
    else {
        return;
    };
    // `` `f` (`a.rs`) now has a guard ``: the subject stands in front of the parenthesis.
    let sentence = &scan.prose.sentences()[index];
    let aside =
        words.start > sentence.words.start && scan.gap(sentence, words.start - 1).contains(')');
    let subject = at > words.start || is_item(sentence) || aside;
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
            if after == "running" {
                return (!clause.negates(at)).then_some(Kind::Run);
            }
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
            let state = version || matches!(before, "is" | "are") || tells_state(after);
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
            let how = (words.start..at)
                .rev()
                .take(6)
                .any(|n| scan.form(n) == "how");
            let subject = !how
                && (words.start..at)
                    .rev()
                    .take(24)
                    .any(|n| matches!(scan.form(n), "it" | "everything" | "fix" | "feature"));
            subject.then_some(Kind::Fixed)
        }
        "worked" if at > words.start && !clause.negates(at) => Some(Kind::Run),
        _ => None,
    }
}

/// Verbs behind `now` that tell what a thing is or does.
fn tells_state(form: &str) -> bool {
    matches!(
        form,
        "is" | "are"
            | "has"
            | "have"
            | "only"
            | "include"
            | "use"
            | "returns"
            | "uses"
            | "say"
            | "show"
            | "return"
            | "accept"
            | "reject"
            | "require"
            | "handle"
            | "support"
    )
}
