//! What sort of file a statement without names is about.

use std::collections::BTreeMap;

use super::{edits_of, left};
use crate::rule::claim::judge::Case;
use crate::rule::evidence::{Deed, Edit, Weight, weight};

/// Words for what is written in prose.
const WRITTEN: &str = "\
announce announced announcement announcements article articles audit audits backlog bead beads changelog \
changelogs chapter chapters comment comments contributing contribution contributions contributor contributors \
describe described describes describing description descriptions doc docs document documentation documented documenting \
documents draft drafted drafts example examples faq faqs guidance guide guideline guidelines guides handbook \
handbooks instruction instructions issue issues journal journals licence licences license licenses link links \
note noted notes page pages paragraph paragraphs plan plans prompt prompts readme readmes report reported reports \
skill skills spec specification specifications specs summaries summarised summarized summary wording";

/// Words for what a file of prose is called.
const TITLES: &str = "\
changelog changelogs doc docs document documentation documented documents guide guides readme readmes report \
reports";

/// Whether a text holds one of some words, as a word.
fn holds(text: &str, words: &str) -> bool {
    let lower = text.to_lowercase();
    let mut own = lower.split(|c: char| !c.is_alphanumeric());
    own.any(|word| !word.is_empty() && words.split(' ').any(|other| other == word))
}

/// Whether a path is of prose. What a tool keeps in a hidden folder is none for that.
fn is_prose(path: &str) -> bool {
    let data = [".yml", ".yaml", ".json", ".toml", ".sh"];
    weight(path) == Weight::Prose && !data.iter().any(|ending| path.ends_with(ending))
}

/// What a statement's line and those above it tell of the sort of file that it is about; the same for every step.
pub(super) struct Sort<'a> {
    case: &'a Case<'a>,
    lines: Vec<&'a str>,
    prose: bool,
    tests: bool,
    /// Whether a turn changed what is no prose, by its number.
    works: BTreeMap<u32, bool>,
}

impl<'a> Sort<'a> {
    /// `lines` are those that the statement is listed under.
    pub(super) fn of(case: &'a Case<'a>, mut lines: Vec<&'a str>) -> Self {
        lines.push(case.sentence());
        let lower: Vec<String> = lines.iter().map(|line| line.to_lowercase()).collect();
        let mut all = lower.iter();
        let titled = |line: &String| line.contains(".md") || holds(line, TITLES);
        Self {
            prose: holds(case.sentence(), WRITTEN) || lower.iter().any(titled),
            tests: all.any(|line| line.contains("test") || line.contains("spec")),
            works: BTreeMap::new(),
            lines,
            case,
        }
    }

    /// Whether a step wrote nothing but prose, of which the statement does not speak, in a turn that changed
    /// something else as well: what the agent wrote of its work is not the work.
    pub(super) fn only_writes_of_it(&mut self, deed: &Deed) -> bool {
        let edits = edits_of(self.case, deed);
        let told = |path: &str| path.is_empty() || !is_prose(path);
        let others = edits.iter().any(|edit| told(&edit.path));
        if self.prose || edits.is_empty() || deed.delegate || others {
            return false;
        }
        let named = |edit: &Edit| {
            let name = edit.path.rsplit('/').next().unwrap_or("");
            self.lines.iter().any(|line| line.contains(name))
        };
        if edits.iter().any(named) {
            return false;
        }
        let all = &self.case.ledger.edits;
        *self.works.entry(deed.turn).or_insert_with(|| {
            let from = all.partition_point(|edit| edit.turn < deed.turn);
            let mut own = all[from..].iter().take_while(|edit| edit.turn == deed.turn);
            own.any(|edit| left(edit) && !edit.scratch && told(&edit.path))
        })
    }

    /// Whether a step changed tests only, and neither the statement's line nor the one above speaks of any.
    pub(super) fn is_test_beside(&self, deed: &Deed) -> bool {
        let edits = edits_of(self.case, deed);
        let test = |path: &str| {
            let name = path.rsplit('/').next().unwrap_or(path).to_lowercase();
            name.contains("test") || name.contains("spec.")
        };
        !self.tests && !edits.is_empty() && edits.iter().all(|edit| test(&edit.path))
    }
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_for_prose_are_whole_words() {
        for text in [
            "Updated the docs.",
            "Added two examples",
            "See the README",
            "changed a link",
        ] {
            assert!(holds(text, WRITTEN), "{text}");
        }
        for text in [
            "Added docker support",
            "It handles the special case",
            "Fixed what was planned",
            "Moved the pager",
            "Sped up the linker",
            "A token is issued",
        ] {
            assert!(!holds(text, WRITTEN) && !holds(text, TITLES), "{text}");
        }
    }
}
