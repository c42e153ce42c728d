//! What a spec may name: the check kinds, the rules around them, and one digest of it all.

use serde::Serialize;

use super::model::{GRAMMAR, Recipe, Spec};
use crate::canon;
use crate::oracle::{KindInfo, Reading, TOON};

/// Which attempts of a task speak for it.
pub const ATTEMPTS: Reading = Reading {
    id: "attempt-rule",
    values: &["completed-attempts", "every-recorded", "last-attempt"],
    question: "Which attempts of a task decide it: all that were completed, every recorded one \
               (one that is inadmissible or unresolved fails then), or the last alone?",
};
/// Which words of a session are its answer.
pub const ANSWER: Reading = Reading {
    id: "answer",
    values: &["close", "last-message"],
    question: "Is the answer all that the agent says after its last call, or the last message \
               that it says at all?",
};
/// Which tasks decide a gate.
pub const POPULATION: Reading = Reading {
    id: "population",
    values: &["all-tasks", "organic-only"],
    question: "Do planted controls count in a gate beside the organic tasks?",
};
/// How two arms are compared.
pub const PAIRING: Reading = Reading {
    id: "pairing",
    values: &["families-and-pooled", "pooled-only"],
    question: "Must an arm hold its own in each family and in all together, or in all together \
               alone?",
};
/// What an attempt is to a lane that something outside of it broke off.
pub const BROKEN_OFF: Reading = Reading {
    id: "lane-inadmissible",
    values: &["unknown-in-denominator", "excluded"],
    question: "Is an inadmissible attempt an opportunity of its lane of which nothing is known, or none \
               at all?",
};
/// When a line holds a word.
pub const LINES_WITH: Reading = Reading {
    id: "lines-with-word",
    values: &["whole-word", "substring", "alnum-boundary"],
    question: "Does a line hold a word where it stands as a whole (an underscore belongs to \
               words), anywhere, or as a whole with underscores around it?",
};

/// The rules outside of check kinds that can be read in several ways.
pub const FRAME: [Reading; 6] = [
    ATTEMPTS, ANSWER, POPULATION, PAIRING, BROKEN_OFF, LINES_WITH,
];

/// The readings that a spec must choose, in the order of their ids. A spec whose checks name an
/// unknown kind is refused elsewhere.
pub(super) fn used(spec: &Spec, kinds: &[KindInfo]) -> Vec<Reading> {
    let mut used = Vec::new();
    if !spec.tasks.is_empty() {
        used.push(ATTEMPTS);
    }
    if spec.tasks.iter().any(|task| task.dispatch != "file") {
        used.push(ANSWER);
    }
    let gated = |kinds: &[&str]| spec.gates.iter().any(|gate| kinds.contains(&gate.kind));
    if gated(&["rate", "not-worse"]) {
        used.push(POPULATION);
    }
    if gated(&["not-worse"]) {
        used.push(PAIRING);
    }
    if gated(&["lane"]) {
        used.push(BROKEN_OFF);
    }
    for (_, check) in spec.checks() {
        let recipes = check.key.iter().flat_map(|key| key.recipes());
        if recipes.into_iter().any(counts_words) {
            used.push(LINES_WITH);
        }
        let kind = kinds.iter().find(|kind| kind.id == check.kind);
        used.extend(kind.iter().flat_map(|kind| kind.readings).copied());
    }
    used.sort_by_key(|reading| reading.id);
    used.dedup_by_key(|reading| reading.id);
    used
}

/// Whether a recipe counts the lines that hold a word.
pub(super) fn counts_words(recipe: &Recipe) -> bool {
    matches!(recipe, Recipe::LinesWith { .. })
}

/// The SHA-256 of everything that a spec may lean on without saying so: the check kinds with
/// their reasons, guards and readings, the rules around them, and the grammar. A sealed spec of
/// another registry is stale.
pub(super) fn digest(kinds: &[KindInfo]) -> String {
    #[derive(Serialize)]
    struct Rule {
        id: &'static str,
        values: &'static [&'static str],
    }
    #[derive(Serialize)]
    struct Kind<'k> {
        id: &'static str,
        failing: &'static [&'static str],
        unknown: &'static [&'static str],
        guards: &'static [&'static str],
        readings: &'k [Rule],
    }
    let rules = |readings: &[Reading]| -> Vec<Rule> {
        let rule = |reading: &Reading| Rule {
            id: reading.id,
            values: reading.values,
        };
        readings.iter().map(rule).collect()
    };
    let mut bytes = Vec::new();
    // Words of our own always have canonical bytes; were one not to, the digest would still tell
    // the registries apart that can be written down.
    for info in kinds {
        let kind = Kind {
            id: info.id,
            failing: info.failing,
            unknown: info.unknown,
            guards: info.guards,
            readings: &rules(info.readings),
        };
        let _ = canon::append_line(&mut bytes, &kind);
    }
    let _ = canon::append_line(&mut bytes, &rules(&FRAME));
    let _ = canon::append_line(&mut bytes, GRAMMAR);
    let _ = canon::append_line(&mut bytes, TOON);
    super::sha256(&bytes)
}
