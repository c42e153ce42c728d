//! Which change a statement is about: the one that shares most names and words with it.

use super::Case;
use crate::rule::evidence::Edit;
use crate::shell::Effect;
use crate::transcript::{Outcome, Place};
use crate::turn::{Act, Step};

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

/// Where the names of a statement stand.
pub(super) enum Bearing {
    /// It has none, or they stand in a change or in a file that was changed.
    Borne,
    /// They stand in a step that may have changed something.
    Stepped(Place),
    /// They stand in no change that the record tells of.
    Untold,
}

/// Whether what the statement names stands in anything that was changed.
pub(super) fn bearing(case: &Case<'_>) -> Bearing {
    let ledger = case.ledger;
    let text = case.text();
    let names: Vec<&str> = Terms::of(case)
        .names
        .into_iter()
        .filter(|name| name.len() > 3 && text.contains(name))
        .collect();
    let cut = case.turn.steps.iter().any(Step::args_may_be_cut);
    if names.is_empty() || cut {
        return Bearing::Borne;
    }
    let own = |edit: &&Edit| edit.turn == ledger.turn;
    let edits: Vec<&Edit> = ledger.edits.iter().rev().take(EDITS).filter(own).collect();
    let mut stepped = None;
    for step in case.turn.steps.iter().rev() {
        let holds = |text: &str| names.iter().any(|name| text.contains(name));
        let place = step.result.unwrap_or(step.call);
        // What another agent did is known by what it was told and says.
        let told = step.delegate && holds(step.text.as_str());
        if told || holds(&step.args) {
            if edits.iter().any(|edit| edit.place == place) {
                return Bearing::Borne;
            }
            let changes = |act: &Act| matches!(act.effect, Effect::Mutate | Effect::Unknown);
            let worked = step.delegate || step.acts.iter().any(changes);
            if step.outcome == Outcome::Ok && worked {
                stepped.get_or_insert(place);
            }
        }
        let mut read = step.acts.iter().flat_map(|act| &act.reads);
        let changed = read.any(|path| edits.iter().any(|edit| edit.path == *path));
        if changed && holds(step.text.as_str()) {
            return Bearing::Borne;
        }
    }
    let in_path = |edit: &Edit| names.iter().any(|name| edit.path.contains(name));
    if edits.iter().any(|edit| in_path(edit)) {
        return Bearing::Borne;
    }
    match stepped {
        Some(place) => Bearing::Stepped(place),
        // What an earlier turn wrote is known by its names only.
        None if names.iter().all(|name| ledger.unwritten(name)) => Bearing::Untold,
        None if ledger.turn == 1 => Bearing::Untold,
        None => Bearing::Borne,
    }
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
        let own = Some(edit.place).filter(|_| !edit.delegated);
        let step = own.and_then(|place| case.step_at(place));
        let shared = terms.shared(edit, step);
        if best.is_none_or(|(most, _)| shared > most) {
            best = Some((shared, edit));
        }
    }
    best.map(|(_, edit)| edit)
}
