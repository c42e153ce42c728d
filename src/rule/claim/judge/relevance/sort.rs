//! What sort of file a statement without names is about.

use super::near::above;
use super::{edits_of, left};
use crate::rule::claim::judge::Case;
use crate::rule::evidence::{Deed, Weight, weight};

/// Words for what is written in prose, by their beginnings.
const WRITTEN: [&str; 34] = [
    "agents.md",
    "announce",
    "article",
    "audit",
    "backlog",
    "bead",
    "changelog",
    "chapter",
    "claude.md",
    "comment",
    "contribut",
    "descri",
    "doc",
    "draft",
    "example",
    "faq",
    "guid",
    "handbook",
    "instruct",
    "issue",
    "journal",
    "licen",
    "link",
    "note",
    "page",
    "paragraph",
    "plan",
    "prompt",
    "readme",
    "report",
    "skill",
    "spec",
    "summar",
    "wording",
];

/// Whether a path is of prose. What a tool keeps in a hidden folder is none for that.
fn is_prose(path: &str) -> bool {
    let data = [".yml", ".yaml", ".json", ".toml", ".sh"];
    weight(path) == Weight::Prose && !data.iter().any(|ending| path.ends_with(ending))
}

/// Whether a step wrote nothing but prose, of which the statement does not speak, in a turn that changed
/// something else as well: what the agent wrote of its work is not the work.
pub(super) fn only_writes_of_it(case: &Case<'_>, deed: &Deed) -> bool {
    let edits = edits_of(case, deed);
    let told = |path: &str| path.is_empty() || !is_prose(path);
    if edits.is_empty() || deed.delegate || edits.iter().any(|edit| told(&edit.path)) {
        return false;
    }
    let mut all = case.ledger.edits.iter();
    let works =
        all.any(|edit| edit.turn == deed.turn && left(edit) && !edit.scratch && told(&edit.path));
    if !works {
        return false;
    }
    let lower = case.sentence().to_lowercase();
    let mut words = lower.split(|c: char| !(c.is_alphanumeric() || c == '.'));
    if words.any(|word| WRITTEN.iter().any(|own| word.starts_with(own))) {
        return false;
    }
    const TITLES: [&str; 6] = [".md", "doc", "readme", "changelog", "guide", "report"];
    let mut lines = above(case);
    lines.push(case.sentence());
    let named = |line: &str| {
        let lower = line.to_lowercase();
        TITLES.iter().any(|word| lower.contains(word))
            || edits.iter().any(|edit| {
                let name = edit.path.rsplit('/').next().unwrap_or("");
                line.contains(name)
            })
    };
    !lines.into_iter().any(named)
}

/// Whether a step changed tests only, and neither the statement's line nor the one above speaks of any.
pub(super) fn is_test_beside(case: &Case<'_>, deed: &Deed) -> bool {
    let edits = edits_of(case, deed);
    let test = |path: &str| {
        let name = path.rsplit('/').next().unwrap_or(path).to_lowercase();
        name.contains("test") || name.contains("spec.")
    };
    let speaks = |line: &str| {
        let lower = line.to_lowercase();
        lower.contains("test") || lower.contains("spec")
    };
    !edits.is_empty()
        && edits.iter().all(|edit| test(&edit.path))
        && !speaks(case.sentence())
        && !above(case).into_iter().any(speaks)
}

/// Nouns of what is no prose.
const CODE: &str = "\
class classes component components endpoint endpoints function functions handler handlers method \
methods module modules script scripts struct structs workflow workflows";

/// Nouns of what a change of tests is called.
pub(super) const TESTS: &str = "suite test tests";

/// Nouns of prose about the code.
const DOCS: &str = "changelog docs documentation readme";

/// Whether a text speaks of one of these things itself: of a script, and not of "script usage".
pub(super) fn speaks_of(text: &str, nouns: &str) -> bool {
    const AFTER: &str = "and by for from in is now of on so that to was with";
    let lower = text.to_ascii_lowercase();
    let words = lower.split(|c: char| !c.is_ascii_alphabetic());
    let words: Vec<&str> = words.filter(|word| !word.is_empty()).collect();
    let ends = |next: Option<&&str>| {
        next.is_none_or(|next| next.ends_with("ed") || AFTER.split(' ').any(|word| word == *next))
    };
    let mut all = words.iter().enumerate();
    all.any(|(at, word)| nouns.split(' ').any(|noun| noun == *word) && ends(words.get(at + 1)))
}

/// Whether files of these paths may be what a statement without names tells of: one of a script, or
/// of how a thing now behaves, is borne out by no change of prose, one of the documentation alone
/// by no change of code.
pub(super) fn of_a_sort<'a>(text: &str, mut paths: impl Iterator<Item = &'a str> + Clone) -> bool {
    let docs = speaks_of(text, DOCS) && !text.contains(" and ");
    let code = speaks_of(text, CODE) || text.to_ascii_lowercase().starts_with("now ");
    let told = || paths.clone().all(|path| !path.is_empty());
    if docs == code || paths.clone().next().is_none() || !told() {
        return true;
    }
    let prose = is_prose;
    if docs {
        paths.any(|path| prose(path) || path.to_ascii_lowercase().contains("doc"))
    } else {
        paths.any(|path| !prose(path))
    }
}
