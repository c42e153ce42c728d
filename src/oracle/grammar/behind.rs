//! A denial that follows what it denies: `ERROR: none`, `WARN and ERROR never appear`.

use super::token::{Tokens, is_word};

/// Nouns that may stand between a word and what is said of it.
const NOUNS: [&str; 19] = [
    "level", "levels", "event", "events", "entry", "entries", "line", "lines", "row", "rows",
    "record", "records", "count", "counts", "total", "number", "messages", "message", "rate",
];

/// A denial that follows: `ERROR: none`, `ERROR does not occur`, `ERROR never appears`.
pub(super) fn denied_after(text: &str, tokens: &Tokens, index: usize) -> bool {
    let clause = tokens.all[index].clause;
    let word = |at: usize| match tokens.all.get(at) {
        Some(token) if token.clause == clause => tokens.text(text, at).to_ascii_lowercase(),
        _ => String::new(),
    };
    let mut at = joined_end(text, tokens, index, &word);
    for _ in 0..6 {
        let own = word(at);
        if NOUNS.contains(&own.as_str()) || matches!(own.as_str(), "\"" | "'" | ")" | "×") {
            at += 1;
        } else {
            break;
        }
    }
    // `failed tests: 0`.
    let plain = |at: usize| word(at).starts_with(char::is_alphabetic);
    let told =
        |at: usize| matches!(word(at).as_str(), ":" | "=") && denied_at(text, tokens, at, &word);
    plain(at) && (told(at + 1) || plain(at + 1) && told(at + 2))
        || denied_at(text, tokens, at, &word)
}

/// The token behind a level and those that are joined to it: `WARN/ERROR: none`, `WARN and ERROR never appear`. A comma
/// joins only what its clause begins with, for `All INFO, ERROR: none` says two things.
fn joined_end(text: &str, tokens: &Tokens, index: usize, word: &dyn Fn(usize) -> String) -> usize {
    let leads = index == tokens.clauses[tokens.all[index].clause as usize].first as usize
        || tokens
            .text(text, index - 1)
            .starts_with(|c: char| !is_word(c));
    let mut at = index + 1;
    for _ in 0..8 {
        let joins = match word(at).as_str() {
            "/" | "and" | "or" | "&" | "nor" => true,
            "," => leads,
            _ => false,
        };
        if !joins || !level_like(text, tokens, at + 1) || !level_like(text, tokens, index) {
            break;
        }
        at += 2;
    }
    at
}

/// Whether what stands at a token denies what stood before it.
fn denied_at(text: &str, tokens: &Tokens, at: usize, word: &dyn Fn(usize) -> String) -> bool {
    let own = word(at);
    let ends = |at: usize| word(at).is_empty() || word(at).starts_with(|c: char| !is_word(c));
    match own.as_str() {
        ":" | "=" | "|" | "(" => match word(at + 1).as_str() {
            "nothing" if own != "|" => true,
            "none" | "0" | "nil" | "absent" | "never" => true,
            "no" | "zero" => ends(at + 2),
            _ => false,
        },
        // `passed: 0`, `passed 0 of 14`.
        "0" | "zero" => ends(at + 1) || matches!(word(at + 1).as_str(), "of" | "out"),
        "is" | "are" | "was" | "were" | "does" | "do" | "did" | "has" | "have" | "can"
        | "could" | "doesn" | "don" | "didn" | "isn" | "aren" | "wasn" | "weren" | "hasn"
        | "haven" => {
            let at = at + usize::from(matches!(word(at + 1).as_str(), "both" | "all" | "also"));
            let next = word(at + 1);
            let contracted = matches!(next.as_str(), "'" | "’") && word(at + 2) == "t";
            contracted && own.ends_with('n')
                || matches!(
                    next.as_str(),
                    "not"
                        | "never"
                        | "absent"
                        | "none"
                        | "nowhere"
                        | "missing"
                        | "excluded"
                        | "omitted"
                        | "zero"
                        | "0"
                ) && !level_like(text, tokens, at + 2)
        }
        "not" => matches!(
            word(at + 1).as_str(),
            "found"
                | "present"
                | "seen"
                | "there"
                | "included"
                | "observed"
                | "logged"
                | "counted"
                | "used"
                | "confirmed"
                | "verified"
                | "a"
        ),
        "never" | "nowhere" | "absent" | "excluded" | "omitted" => true,
        // `ERROR-free`.
        "-" => word(at + 1) == "free",
        _ => false,
    }
}

/// `ERROR is not INFO` denies the other level.
fn level_like(text: &str, tokens: &Tokens, index: usize) -> bool {
    let own = tokens.text(text, index);
    own.len() > 2 && own.bytes().all(|byte| byte.is_ascii_uppercase())
}
