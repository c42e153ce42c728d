//! Which languages a close is in.

use core::ops::Range;

use super::model::Language;
use crate::text::{BlockKind, Ender, Prose, WordKind};

/// Above this share of letters outside Latin, Han, kana and hangul nothing is read.
const FOREIGN_PERCENT: usize = 30;

/// Whether the close is mostly in a language that is not read at all.
pub(super) fn is_other(prose: &Prose<'_>) -> bool {
    let script = prose.script();
    let alien = script.foreign.saturating_sub(script.cjk);
    alien.saturating_mul(100) > script.letters.saturating_mul(FOREIGN_PERCENT)
        || is_foreign_latin(prose)
}

/// The sentences of a close in another language that state something, one range each: no titles, no
/// questions, no lines of code, and none that are in English.
pub(super) fn stated(prose: &Prose<'_>) -> Vec<Range<usize>> {
    let script = prose.script();
    let latin = script
        .foreign
        .saturating_sub(script.cjk)
        .saturating_mul(100)
        <= script.letters.saturating_mul(FOREIGN_PERCENT);
    prose
        .sentences()
        .iter()
        .filter(|sentence| {
            let title = matches!(sentence.kind, BlockKind::Heading(_) | BlockKind::Row);
            !title && !matches!(sentence.ender, Ender::Question | Ender::Colon)
        })
        .filter(|sentence| {
            let (mut plain, mut english, mut foreign) = (0_usize, 0_usize, 0_usize);
            for at in sentence.words.clone() {
                let word = &prose.words()[at];
                if word.kind != WordKind::Plain {
                    continue;
                }
                let form = prose.form(at);
                plain += 1;
                english += usize::from(is_english(form));
                foreign += usize::from(if latin {
                    is_foreign(form)
                } else {
                    !form.is_ascii()
                });
            }
            plain >= 2 && foreign > 0 && foreign >= english
        })
        .map(|sentence| {
            let last = &prose.words()[sentence.words.end - 1];
            sentence.range.start..last.range.end
        })
        .collect()
}

/// Whether a close of few words is in another language: too short to be told by how many of its words
/// are function words, it has one that is surely none of English, and none of English at all.
pub(super) fn is_short_foreign(prose: &Prose<'_>) -> bool {
    const SURE: [&str; 22] = [
        "alle", "alles", "sind", "wurde", "wurden", "nicht", "und", "tous", "toutes", "les",
        "sont", "été", "todos", "todas", "está", "están", "são", "não", "foi", "pruebas", "tutti",
        "sono",
    ];
    let mut words = prose
        .words()
        .iter()
        .filter(|word| word.kind == WordKind::Plain);
    let forms = || words.clone().map(|word| prose.text_of(word));
    let sure = forms().any(|form| SURE.contains(&form));
    sure && !forms().any(is_english) && words.by_ref().take(LONG).count() < LONG
}

/// Words of a close that is long enough to be told by its function words.
const LONG: usize = 40;

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
    let (mut english, mut foreign, mut plain) = (0_usize, 0_usize, 0_usize);
    for word in prose.words().iter().filter(|w| w.kind == WordKind::Plain) {
        let form = prose.text_of(word);
        plain += 1;
        english += usize::from(is_english(form));
        foreign += usize::from(is_foreign(form));
    }
    // Lists of names hold few function words of any language.
    foreign >= 3 && foreign > english && foreign.saturating_mul(FUNCTION_SHARE) > plain
}

/// Of a text in a language, more than one word in so many is a function word of the list.
const FUNCTION_SHARE: usize = 12;

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
    "el", "la", "los", "las", "que", "una", "del", "para", "con", "por", "está", "y", "se", "han",
    "todos", "todas", "pruebas", "le", "les", "des", "du", "et", "est", "une", "dans", "pour",
    "avec", "sont", "tous", "été", "ont", "der", "das", "und", "ist", "sind", "nicht", "mit",
    "für", "ein", "eine", "wurde", "wurden", "habe", "auf", "alle", "ich", "uma", "foi", "não",
    "il", "gli", "sono", "di", "che", "het", "een", "van", "zijn", "się", "nie", "bir", "için",
    "og", "på", "som", "och", "är", "att", "pro", "jsou", "není",
];

fn is_foreign(form: &str) -> bool {
    FOREIGN.contains(&form)
}
