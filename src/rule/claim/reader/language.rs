//! Which languages a close is in.

use core::ops::Range;

use super::model::Language;
use crate::text::{Prose, WordKind};

/// Above this share of letters outside Latin, Han, kana and hangul nothing is read.
const FOREIGN_PERCENT: usize = 30;

/// Whether the close is mostly in a language that is not read at all.
pub(super) fn is_other(prose: &Prose<'_>) -> bool {
    let script = prose.script();
    let alien = script.foreign.saturating_sub(script.cjk);
    alien.saturating_mul(100) > script.letters.saturating_mul(FOREIGN_PERCENT)
        || is_foreign_latin(prose)
}

/// The verdict on the language, given the clauses that could not be read.
pub(super) fn verdict(prose: &Prose<'_>, other: bool, unread: &[Range<usize>]) -> Language {
    let letters = prose.script().letters > 0;
    if letters && (other || !unread.is_empty()) {
        Language::Other
    } else {
        Language::Read
    }
}

/// Function words tell English from its neighbours in the same script: they are the most frequent
/// words of any text, and names and code have none.
fn is_foreign_latin(prose: &Prose<'_>) -> bool {
    let (mut english, mut foreign) = (0_usize, 0_usize);
    for word in prose.words().iter().filter(|w| w.kind == WordKind::Plain) {
        let form = prose.text_of(word);
        english += usize::from(is_english(form));
        foreign += usize::from(is_foreign(form));
    }
    foreign >= 3 && foreign > english
}

fn is_english(form: &str) -> bool {
    matches!(
        form,
        "the"
            | "a"
            | "an"
            | "of"
            | "to"
            | "and"
            | "in"
            | "is"
            | "are"
            | "was"
            | "for"
            | "with"
            | "it"
            | "that"
            | "this"
            | "on"
            | "be"
            | "not"
            | "all"
            | "i"
            | "you"
            | "from"
            | "now"
            | "has"
            | "have"
            | "by"
            | "as"
            | "or"
    )
}
/// Spanish, Portuguese, French, German, Italian, Dutch, Polish and Turkish function words.
const FOREIGN: &[&str] = &[
    "el", "la", "los", "las", "que", "una", "del", "para", "con", "por", "está", "y", "se", "ha",
    "han", "todos", "todas", "pruebas", "le", "les", "des", "du", "et", "est", "une", "dans",
    "pour", "avec", "sont", "tous", "été", "ai", "ont", "der", "das", "und", "ist", "sind",
    "nicht", "mit", "für", "ein", "eine", "wurde", "wurden", "habe", "auf", "im", "alle", "ich",
    "os", "um", "uma", "foi", "não", "em", "il", "gli", "sono", "di", "che", "het", "een", "van",
    "zijn", "się", "nie", "bir", "ve", "için",
];

fn is_foreign(form: &str) -> bool {
    FOREIGN.contains(&form)
}
