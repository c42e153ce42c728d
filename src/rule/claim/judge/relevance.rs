//! Which change a statement is about: the one that shares most names and words with it.

use super::Case;
use crate::rule::evidence::Edit;
use crate::turn::Step;

/// Changes that are compared, the latest first.
const EDITS: usize = 64;
/// Names and words of a statement that are looked for.
const TERMS: usize = 8;

/// Words that say that something was changed, or tell nothing of what it was.
const PLAIN: [&str; 64] = [
    "added",
    "changed",
    "created",
    "updated",
    "modified",
    "implemented",
    "removed",
    "deleted",
    "renamed",
    "replaced",
    "moved",
    "fixed",
    "wrote",
    "written",
    "made",
    "introduced",
    "included",
    "adjusted",
    "refactored",
    "extended",
    "improved",
    "converted",
    "simplified",
    "with",
    "from",
    "into",
    "that",
    "this",
    "these",
    "those",
    "have",
    "been",
    "also",
    "both",
    "each",
    "when",
    "where",
    "which",
    "while",
    "will",
    "would",
    "should",
    "there",
    "their",
    "they",
    "your",
    "only",
    "more",
    "than",
    "then",
    "them",
    "file",
    "files",
    "code",
    "function",
    "method",
    "class",
    "line",
    "lines",
    "support",
    "uses",
    "using",
    "instead",
    "after",
];

/// What a statement is about.
struct Terms<'a> {
    names: Vec<&'a str>,
    words: Vec<String>,
}

impl<'a> Terms<'a> {
    fn of(case: &Case<'a>) -> Self {
        let names = case.claim.scope.iter().filter_map(|name| {
            let pieces = name.split(|c: char| !(c.is_alphanumeric() || "_-.".contains(c)));
            pieces
                .filter(|piece| piece.len() > 2)
                .max_by_key(|piece| piece.len())
        });
        let words = case
            .text()
            .split(|c: char| !c.is_alphabetic())
            .filter(|word| word.len() > 3)
            .map(str::to_lowercase)
            .filter(|word| !PLAIN.contains(&word.as_str()))
            .map(stem);
        Self {
            names: names.take(TERMS).collect(),
            words: words.take(TERMS).collect(),
        }
    }

    /// How much a change shares with the statement.
    fn shared(&self, edit: &Edit, step: Option<&Step>) -> usize {
        let path = edit.path.to_lowercase();
        let file = path.rsplit('/').next().unwrap_or(&path);
        let args = step.map_or("", |step| step.args.as_str());
        let mut sum = 0;
        for name in &self.names {
            sum += 4 * usize::from(args.contains(name));
            sum += 4 * usize::from(path.contains(&name.to_lowercase()));
        }
        for word in &self.words {
            sum += 2 * usize::from(file.contains(word.as_str()));
            sum += usize::from(holds(args, word));
        }
        sum
    }
}

/// The beginning of a word that its forms share.
fn stem(word: String) -> String {
    match word.char_indices().nth(5) {
        Some((at, _)) => word[..at].to_owned(),
        None => word,
    }
}

/// Whether a text holds a word in small letters, or with a capital.
fn holds(text: &str, word: &str) -> bool {
    let rest = word.get(1..).unwrap_or("");
    let first = word.get(..1).unwrap_or("");
    text.contains(word) || !rest.is_empty() && text.contains(&(first.to_uppercase() + rest))
}

/// The change among `edits`, the latest first, that shares most with the statement; the latest of
/// several that share as much.
pub(super) fn closest<'e>(
    case: &Case<'_>,
    edits: impl Iterator<Item = &'e Edit>,
) -> Option<&'e Edit> {
    let terms = Terms::of(case);
    let mut best: Option<(usize, &Edit)> = None;
    for edit in edits.take(EDITS) {
        let step = case
            .turn
            .steps
            .iter()
            .rev()
            .find(|step| step.result.unwrap_or(step.call) == edit.place && !edit.delegated);
        let shared = terms.shared(edit, step);
        if best.is_none_or(|(most, _)| shared > most) {
            best = Some((shared, edit));
        }
    }
    best.map(|(_, edit)| edit)
}
