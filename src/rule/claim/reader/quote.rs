//! Quoted errors and outputs.

use super::model::Kind;
use super::scan::{Found, Scan};
use crate::text::{Act, Clause, Cue, WordKind, past_act};

/// Longest string that is looked at for a quotation.
const QUOTE_BYTES: usize = 400;

/// A quoted error, or a quotation that is said to have been printed or reported.
pub(super) fn read(scan: &mut Scan<'_, '_>, index: usize, clause: &Clause) {
    let prose = scan.prose;
    let says = clause_says(scan, index, clause);
    for at in clause.words.clone() {
        let word = &prose.words()[at];
        let Some(text) = prose.source().get(word.range.clone()) else {
            continue;
        };
        if text.len() > QUOTE_BYTES {
            continue;
        }
        let inner = text.trim_matches(['`', '"', '“', '”']);
        let error = is_error(inner);
        let quote = match word.kind {
            WordKind::Quoted => error || (says && inner.contains(' ')),
            WordKind::Code => {
                // The quotation may stand behind a colon, as a clause of its own.
                let words = &prose.sentences()[index].words;
                let message = matches!(scan.back(words, at, 1), "is" | "was" | "reads" | "said")
                    && matches!(
                        scan.back(words, at, 2),
                        "message" | "error" | "output" | "tool" | "shell"
                    );
                (error && (says || inner.contains(' '))) || (message && says && inner.contains(' '))
            }
            _ => false,
        };
        if quote && inner.len() >= 4 && !is_gloss(scan, clause, at) && !is_template(inner) {
            scan.found.push(Found {
                kind: Kind::Quote,
                span: word.range.clone(),
                negated: false,
                reported: None,
                sentence: Some(index),
            });
        }
    }
}

/// `The error means "…"`, `is German for "…"`, `I suggest the message "…"`: the agent's own words.
fn is_gloss(scan: &Scan<'_, '_>, clause: &Clause, at: usize) -> bool {
    let from = clause.words.start.max(at.saturating_sub(12));
    let put = (from..at).any(|n| {
        matches!(
            scan.form(n),
            "mean"
                | "meaning"
                | "means"
                | "propose"
                | "suggest"
                | "suggested"
                | "translated"
                | "translates"
                | "translation"
        )
    });
    put || scan.back(&clause.words, at, 1) == "for"
}

/// `Order {id} has no items`: what is printed has a value there.
fn is_template(text: &str) -> bool {
    let inner = text
        .split_once('{')
        .and_then(|(_, rest)| rest.split_once('}'))
        .map(|(inner, _)| inner);
    inner.is_some_and(|inner| {
        !inner.is_empty()
            && inner
                .bytes()
                .all(|b| b.is_ascii_alphanumeric() || b"_.:!".contains(&b))
    })
}

/// The clause, or the one before it, tells of an error, a message or an output.
fn clause_says(scan: &Scan<'_, '_>, index: usize, clause: &Clause) -> bool {
    let sentence = &scan.prose.sentences()[index];
    let from = clause
        .words
        .start
        .saturating_sub(8)
        .max(sentence.words.start);
    let change = (from..clause.words.end).take(24).any(|at| {
        matches!(
            past_act(scan.form(at)),
            Some(Act::Edit | Act::Create | Act::Delete)
        )
    });
    let says = (from..clause.words.end)
        .take(24)
        .any(|at| tells_output(scan.form(at)));
    // `The message was "…"`; `with a message "…"` tells what the program will say.
    let message = (from..clause.words.end).take(24).any(|at| {
        scan.form(at) == "message"
            && matches!(scan.form(at + 1), "is" | "was" | "reads" | "read" | "said")
    });
    let speaks = message
        || (from + 1..clause.words.end).take(24).any(|at| {
            matches!(scan.form(at), "said" | "says")
                && (matches!(
                    scan.form(at - 1),
                    "tool"
                        | "shell"
                        | "command"
                        | "compiler"
                        | "server"
                        | "script"
                        | "terminal"
                        | "process"
                        | "licence"
                        | "license"
                        | "readme"
                        | "documentation"
                        | "it"
                ) || scan.prose.words()[at - 1].kind == WordKind::Code)
        });
    (says || speaks) && !change && clause.negator.is_none() && !clause.cues.has(Cue::Reported)
}

/// Words by which an error or an output is told.
fn tells_output(form: &str) -> bool {
    matches!(
        form,
        "show"
            | "shows"
            | "got"
            | "error"
            | "errors"
            | "failed"
            | "fails"
            | "returned"
            | "printed"
            | "reported"
            | "prints"
            | "showed"
            | "output"
            | "stderr"
            | "complained"
            | "threw"
            | "exception"
            | "reads"
            | "answered"
            | "stopped"
            | "died"
            | "aborted"
    )
}

/// The text opens as error messages do.
pub(super) fn is_error(text: &str) -> bool {
    let head = text.get(..text.len().min(24)).unwrap_or("");
    let lower = head.to_ascii_lowercase();
    [
        "error:",
        "error[",
        "fatal:",
        "panic:",
        "traceback",
        "failed:",
        "fail:",
        "exception:",
    ]
    .iter()
    .any(|opening| lower.starts_with(opening))
        || text
            .split(' ')
            .next()
            .is_some_and(|first| first.len() > 6 && first.ends_with("Error:"))
}
