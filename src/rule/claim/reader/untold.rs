//! What is worded like a deed, and tells none: a property, another's doing, a question, a spared
//! expense, a number that only names a thing.

use super::model::Kind;
use super::scan::{Found, Scan};

/// Bytes of a statement and of its line that are looked at.
const MOST: usize = 600;

/// Whether nothing was done by what a statement says, whatever its words are like.
pub(super) fn is_no_deed(scan: &Scan<'_, '_>, found: &Found) -> bool {
    let source = scan.prose.source();
    let text = source.get(found.span.clone()).unwrap_or("");
    if text.len() > MOST || !text.is_ascii() {
        return false;
    }
    let lower = text.to_ascii_lowercase();
    let words: Vec<&str> = lower
        .split(|c: char| !(c.is_ascii_alphanumeric() || matches!(c, '\'' | '-')))
        .filter(|word| !word.is_empty())
        .collect();
    let own = words
        .iter()
        .any(|word| matches!(*word, "i" | "we" | "i've" | "we've" | "i'd"));
    match found.kind {
        Kind::Edit | Kind::Run | Kind::Delete | Kind::Create | Kind::Format => {
            !own && (is_property(&words)
                || of_another(&words, text)
                || attributive(found.kind, &words, text)
                || now_is(&words, text)
                || ground(&words, source, found)
                || !text.contains('`') && leads_in(&words, source, found)
                || no_longer(&words)
                || found.kind == Kind::Edit && refers(&words, text)
                || found.kind == Kind::Create && spares(&words, text))
        }
        Kind::Preexisting => words.contains(&"whether"),
        Kind::Nochange => !own && describes(&words),
        Kind::Disclosure => !own && incapable(&words) || asked_of(source, found),
        Kind::Build | Kind::Tests | Kind::Lint => !own && foretold(source, found),
        Kind::Count => names_only(source, found),
        _ => false,
    }
}

/// `Enabled by default`, `clearly marked`.
fn is_property(words: &[&str]) -> bool {
    matches!(
        words,
        [
            "enabled" | "disabled" | "configured" | "included",
            "by",
            "default",
            ..
        ]
    ) || matches!(
        words,
        [
            ..,
            "clearly" | "well",
            "marked" | "documented" | "structured"
        ]
    )
}

/// `replaced by another path`, `was deleted by condensation`, `triggered by an event`: somebody else's doing, and
/// not a means (`fixed by adding …`).
fn of_another(words: &[&str], text: &str) -> bool {
    const DONE: [&str; 12] = [
        "called",
        "caused",
        "deleted",
        "handled",
        "inserted",
        "introduced",
        "invoked",
        "overwritten",
        "removed",
        "replaced",
        "superseded",
        "triggered",
    ];
    const AGENTS: [&str; 9] = [
        "me", "us", "agent", "agents", "subagent", "worker", "command", "script", "commit",
    ];
    let at = words
        .windows(2)
        .position(|two| DONE.contains(&two[0]) && two[1] == "by");
    let Some(by) = at.and_then(|at| words.get(at + 2..at + 3).map(|next| (at, next[0]))) else {
        return false;
    };
    let (at, next) = by;
    let rest = &words[at + 2..];
    let agent = rest.iter().take(4).any(|word| AGENTS.contains(word));
    let coded = text.contains(" by `") && words[at] != "triggered";
    !next.ends_with("ing") && !agent && !coded
}

/// `Formatted headers and lists`, `Scheduled Tasks`: the participle belongs to the noun.
fn attributive(kind: Kind, words: &[&str], text: &str) -> bool {
    const WORK: [&str; 19] = [
        "all",
        "and",
        "as",
        "but",
        "by",
        "cleanly",
        "code",
        "correctly",
        "everything",
        "file",
        "files",
        "in",
        "now",
        "or",
        "source",
        "sources",
        "the",
        "to",
        "with",
    ];
    let next = words.get(1).copied().unwrap_or("");
    let plain = !text.contains(['`', '/', '.']) && words.len() > 1;
    match words.first() {
        Some(&"formatted") => kind == Kind::Format && plain && !WORK.contains(&next),
        Some(&"scheduled") => {
            kind == Kind::Run && plain && next.ends_with('s') && !WORK.contains(&next)
        }
        _ => false,
    }
}

/// `The call is now at line 918` tells a place; `the project is now a professional one` praises it.
fn now_is(words: &[&str], text: &str) -> bool {
    let Some(at) = words
        .windows(2)
        .position(|two| matches!(two[0], "is" | "are") && two[1] == "now")
    else {
        return false;
    };
    let rest = &words[at + 2..];
    let place = matches!(rest, ["at" | "on", "line" | "lines", ..]);
    let full = matches!(
        rest,
        ["fully" | "completely" | "perfectly", state, ..] if state.ends_with("ed")
    ) && rest.len() > 2;
    let praise = full
        || matches!(rest, ["a" | "an", kind, ..] if kind.ends_with("-grade") || kind.ends_with("-ready") || *kind == "professional");
    place || praise && !text.contains('`')
}

/// `— no longer needed`: the ground that is given for something else.
fn ground(words: &[&str], source: &str, found: &Found) -> bool {
    let tail = matches!(
        words,
        [
            "no",
            "longer",
            "needed" | "used" | "necessary" | "required" | "relevant"
        ]
    );
    let before = source.get(..found.span.start).unwrap_or("").trim_end();
    tail && before.ends_with(['—', '–', '-', ',', '('])
}

/// `The plan now contains:`, `It now includes - …`: what it tells stands below.
fn leads_in(words: &[&str], source: &str, found: &Found) -> bool {
    let verb = matches!(
        words.last(),
        Some(&("contains" | "includes" | "covers" | "has" | "holds"))
    );
    let behind = source.get(found.span.end..).unwrap_or("");
    let behind = behind.trim_start_matches(['*', '_', ' ']);
    verb && behind.starts_with([':', '\n', '：'])
}

/// `x is no longer valid`: how things are, and nobody is said to have made them so.
fn no_longer(words: &[&str]) -> bool {
    let state = |word: &str| {
        matches!(
            word,
            "valid" | "supported" | "accepted" | "allowed" | "available"
        )
    };
    // "No longer supported and has been removed" tells of a deed behind it.
    let tells = words.contains(&"and") || words.contains(&"been");
    let is_gone = |four: &[&str]| {
        matches!(four[0], "is" | "are") && four[1] == "no" && four[2] == "longer" && state(four[3])
    };
    !tells && words.windows(4).any(is_gone)
}

/// `fixed in NOTES.md`: a document tells of it.
fn refers(words: &[&str], text: &str) -> bool {
    let rest = text.trim_end_matches([')', '.', '*']).to_ascii_lowercase();
    matches!(
        words,
        [
            "fixed" | "described" | "covered" | "addressed" | "documented",
            "in",
            ..
        ]
    ) && !text.contains('`')
        && words.len() <= 6
        && rest.ends_with(".md")
}

/// `Saved about 35,000 entries a day`, `your inbox is saved`: nothing was written.
fn spares(words: &[&str], text: &str) -> bool {
    const SPARED: [&str; 7] = [
        "bandwidth",
        "day",
        "hours",
        "inbox",
        "minutes",
        "money",
        "tokens",
    ];
    let saved = words.contains(&"saved") || words.contains(&"saves");
    saved && !text.contains('`') && words.iter().any(|word| SPARED.contains(word))
}

/// `lets you accept new fields without code changes`, `no code changes needed`, `doesn't remember it touched`.
fn describes(words: &[&str]) -> bool {
    let past = |word: &&str| matches!(*word, "was" | "were");
    let needed =
        matches!(words, ["no", .., "needed" | "required" | "necessary"]) && !words.iter().any(past);
    let way = matches!(
        words,
        [
            ..,
            "without",
            "code" | "any" | "further",
            "change" | "changes"
        ]
    ) && !words
        .iter()
        .any(|word| matches!(*word, "was" | "were" | "done"));
    let forgets = words.contains(&"remember");
    let habit = matches!(words, ["it" | "this" | "that", verb, ..] if verb.ends_with('s') && !matches!(*verb, "is" | "was" | "has"))
        && words.contains(&"leaving");
    needed || way || forgets || habit
}

/// `Can't easily test new features`: how a thing is, and not what was left undone.
fn incapable(words: &[&str]) -> bool {
    matches!(
        words,
        ["can't" | "cannot", "easily" | "simply" | "readily", ..]
    )
}

/// `It should be displayed as text, not executed`.
fn asked_of(source: &str, found: &Found) -> bool {
    before(source, found).contains(" should be ")
}

/// `You see warnings but builds pass`: it is told to the reader how it will be.
fn foretold(source: &str, found: &Found) -> bool {
    let before = before(source, found);
    let start = before.trim_start_matches(|c: char| !c.is_ascii_alphabetic());
    start.starts_with("you see ") || start.starts_with("you get ") || start.starts_with("you'll ")
}

/// What stands in front of a statement in its sentence, in small letters.
fn before(source: &str, found: &Found) -> String {
    let text = source.get(..found.span.start).unwrap_or("");
    let from = text.ceil_char_boundary(text.len().saturating_sub(MOST));
    let line = text[from..].rsplit('\n').next().unwrap_or("");
    let sentence = line.rsplit(". ").next().unwrap_or("");
    sentence.to_ascii_lowercase()
}

/// `issue 14`, `Node 20`, `phases 1–5`: a number that names one thing, or ends a range.
fn names_only(source: &str, found: &Found) -> bool {
    const NAMED: [&str; 17] = [
        "chapter",
        "go",
        "issue",
        "issues",
        "java",
        "milestone",
        "node",
        "php",
        "port",
        "pr",
        "python",
        "ruby",
        "story",
        "task",
        "ticket",
        "version",
        "release",
    ];
    let lower = before(source, found);
    let ranged = lower.ends_with(['–', '-'])
        && lower
            .trim_end_matches(['–', '-'])
            .ends_with(|c: char| c.is_ascii_digit());
    let text = source.get(found.span.clone()).unwrap_or("");
    let starts = text.starts_with(|c: char| c.is_ascii_digit());
    // `a_test.go`: and what ends a clause name nothing.
    let beside = lower.strip_suffix(' ').unwrap_or("");
    let last = beside.rsplit(' ').next().unwrap_or("");
    let last = last.trim_start_matches(|c: char| !c.is_ascii_alphanumeric());
    starts && (ranged || NAMED.contains(&last))
}
