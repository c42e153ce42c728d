//! Whose words a clause passes on.

use core::ops::Range;

use super::lexicon::{is_reporter, is_said};
use super::prose::Prose;
use super::word::WordKind;

/// A third party, within the first words of the clause, that says something.
pub(crate) fn is_reported(prose: &Prose<'_>, words: &Range<usize>) -> bool {
    let form = |n: usize| {
        if words.start + n < words.end {
            prose.form(words.start + n)
        } else {
            ""
        }
    };
    let source = |at: usize| at < words.end && is_source(prose, at);
    let attributed = match (form(0), form(1)) {
        ("according", "to") | ("by" | "on", "your") => true,
        // `As you put it`, `from what you describe`; `as you asked` tells a wish.
        ("as", "you") => is_told(form(2)),
        ("from", "what") => form(2) == "you",
        ("per", _) => (1..=3).any(|n| source(words.start + n)),
        _ => false,
    };
    if attributed {
        return true;
    }
    let subject = (words.start..words.end.min(words.start + 5)).find(|&at| source(at));
    subject.is_some_and(|at| {
        let you = matches!(prose.form(at), "you" | "you've");
        (at + 1..words.end.min(at + 5)).any(|verb| {
            let form = prose.form(verb);
            if you {
                is_told(form)
            } else {
                is_said(form) || is_told(form)
            }
        })
    })
}

/// Somebody or something whose words are passed on: a third party, the user, a document.
fn is_source(prose: &Prose<'_>, at: usize) -> bool {
    let form = prose.form(at);
    let document = || {
        let word = &prose.words[at];
        matches!(word.kind, WordKind::Code | WordKind::Path)
            && prose
                .source()
                .get(word.range.clone())
                .is_some_and(is_document)
    };
    is_reporter(form)
        || matches!(
            form,
            "you" | "you've" | "changelog" | "guide" | "wiki" | "manual" | "handbook" | "faq"
        )
        || document()
}

/// The name of a file of prose.
#[must_use]
pub fn is_document(name: &str) -> bool {
    let name = name.trim_matches('`');
    [".md", ".txt", ".rst", ".adoc"]
        .iter()
        .any(|&extension| name.ends_with(extension))
}

/// Verbs by which the words of somebody are passed on.
fn is_told(form: &str) -> bool {
    matches!(
        form,
        "said"
            | "say"
            | "mentioned"
            | "mention"
            | "wrote"
            | "write"
            | "writes"
            | "reported"
            | "noted"
            | "describe"
            | "described"
            | "put"
            | "claimed"
    ) || matches!(
        form,
        "holds" | "promise" | "promises" | "tells" | "asserts" | "insists" | "reads" | "states"
    )
}
