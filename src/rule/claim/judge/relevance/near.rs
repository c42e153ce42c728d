//! Where a statement's thing stands: in the file that the line which it is listed under names.

use super::own::Own;
use super::{Sum, edits_of, held, is_named, label, left, live, names, terms, told};
use crate::rule::claim::judge::Case;
use crate::rule::evidence::{Deed, Edit, Mentions, Term};
use crate::turn::Act;

/// Lines above a statement that are looked at for the one that it is listed under.
const LINES: usize = 40;

/// The lines that a statement is listed under: "**`a.rs`**:", then the heading above that.
pub(super) fn above<'a>(case: &Case<'a>) -> Vec<&'a str> {
    let before = case.close.get(..case.claim.span.start).unwrap_or("");
    let start = before.rfind('\n').map_or(0, |at| at + 1);
    let own = case.close.get(start..).unwrap_or("");
    if is_heading(own) {
        return Vec::new();
    }
    let mut depth = indent(own);
    let mut bullet = is_item(own);
    let mut found = Vec::new();
    // Whether a line in front of the margin was passed that may be a paragraph, and not the rest of an item.
    let mut plain = false;
    for line in before[..start].lines().rev().take(LINES) {
        if line.trim().is_empty() {
            if plain {
                // A paragraph ends the list above it; what a heading stands over goes on.
                (depth, bullet, plain) = (0, false, false);
            }
            continue;
        }
        let heading = is_heading(line);
        plain = indent(line) == 0 && !(heading || is_item(line) || is_lead(line));
        let leads = bullet && indent(line) <= depth && is_lead(line);
        let deeper = indent(line) < depth && is_item(line);
        if heading || leads || deeper {
            found.push(line);
            depth = indent(line);
            bullet = is_item(line);
        }
        if heading {
            break;
        }
    }
    found
}

fn indent(line: &str) -> usize {
    line.len() - line.trim_start().len()
}

fn is_heading(line: &str) -> bool {
    let line = line.trim();
    let rest = line.trim_start_matches('#');
    // `#12` is the number of a request.
    rest.len() < line.len() && (rest.is_empty() || rest.starts_with([' ', '\t']))
}

fn is_lead(line: &str) -> bool {
    line.trim_end().trim_end_matches(['*', '_']).ends_with(':') || line.trim_end().ends_with("**")
}

fn is_item(line: &str) -> bool {
    let line = line.trim_start();
    let digits = line.trim_start_matches(|c: char| c.is_ascii_digit());
    let numbered = digits.len() < line.len() && digits.starts_with(['.', ')']);
    numbered
        || ["- ", "* ", "+ ", "• "]
            .iter()
            .any(|mark| line.starts_with(mark))
}

/// The one file that the nearest line above names.
fn file(lines: &[&str]) -> Option<String> {
    for line in lines {
        let mut files: Vec<String> = Vec::new();
        for word in line.split(|c: char| c.is_whitespace() || "`*()[],".contains(c)) {
            let word = word.trim_end_matches([':', '.', ';']);
            let path = word.split(':').next().unwrap_or(word);
            if super::super::case::is_file(path) && !files.iter().any(|own| own == path) {
                files.push(path.to_owned());
            }
        }
        match files.len() {
            0 => {}
            1 => return files.pop(),
            _ => return None,
        }
    }
    None
}

/// Whether an id is a word of a command of a step: `bd note av-rje.2 …`.
pub(super) fn is_given(case: &Case<'_>, deed: &Deed, id: &str) -> bool {
    let mut acts = case
        .step_at(deed.place)
        .into_iter()
        .flat_map(|step| &step.acts);
    let given = |act: &Act| act.shell && act.argv().any(|word| word == id);
    id.bytes().any(|byte| byte.is_ascii_digit()) && acts.any(given)
}

/// What tells which of several changes is meant.
pub(super) struct Near {
    file: Option<String>,
    /// The file was changed since the last close, and the statement names no other.
    binding: bool,
    /// The names of the label in front of it.
    label: Vec<Term>,
    labelled: Vec<usize>,
    /// The steps that hold a name of the line above.
    holding: Vec<usize>,
}

impl Near {
    /// `lines` are those that the statement is listed under.
    pub(super) fn of(case: &Case<'_>, lines: &[&str]) -> Self {
        let ledger = case.ledger;
        let mentions: &Mentions = &ledger.mentions;
        let held = |name: &Term| mentions.holding(name).0;
        let holding = |names: &[Term]| {
            let mut own: Vec<usize> = names.iter().flat_map(held).collect();
            own.sort_unstable();
            own.dedup();
            own
        };
        let named = |text: &str| -> Vec<Term> { names(text).into_iter().map(Term::Name).collect() };
        let label = named(label::label(case));
        let line = lines.first().map_or_else(Vec::new, |line| named(line));
        let file = file(lines);
        // "Updated two tests" may stand under the file that they are of.
        let of_tests = case.text().to_lowercase().contains("test");
        let changed = |name: &String| {
            let mut edits = ledger.edits_of(name);
            edits.any(|edit| edit.order > ledger.closed && left(edit))
        };
        Self {
            binding: case.files().is_empty() && !of_tests && file.as_ref().is_some_and(changed),
            file,
            labelled: holding(&label),
            holding: holding(&line),
            label,
        }
    }

    /// Whether a step speaks of what the label names, in its own words where it hands a message on.
    pub(super) fn of_label(&self, number: usize, deed: &Deed) -> bool {
        self.labelled.binary_search(&number).is_ok()
            && self.label.iter().any(|name| deed.is_named_by(name))
    }

    /// Whether a command is told the one id that the label is.
    pub(super) fn is_to_label(&self, case: &Case<'_>, number: usize, deed: &Deed) -> bool {
        let [Term::Name(name)] = self.label.as_slice() else {
            return false;
        };
        self.labelled.binary_search(&number).is_ok() && is_given(case, deed, name)
    }

    /// Whether a step changes the file that the statement is listed under.
    pub(super) fn in_file(&self, case: &Case<'_>, deed: &Deed) -> bool {
        let mut edits = edits_of(case, deed).iter();
        let here = |name: &String| edits.any(|edit| is_named(name, &edit.path));
        self.file.as_ref().is_some_and(here)
    }

    /// Whether a step changes other files than that one only.
    pub(super) fn elsewhere(&self, case: &Case<'_>, deed: &Deed) -> bool {
        self.binding && !edits_of(case, deed).is_empty() && !self.in_file(case, deed)
    }

    /// Whether it speaks of what the line above names.
    pub(super) fn speaks(&self, number: usize) -> bool {
        self.holding.binary_search(&number).is_ok()
    }
}

/// The change of the file that a statement is listed under which holds half of it in its own lines, or
/// where the statement has no words of its own, the last.
pub(in crate::rule::claim::judge) fn under_its_file<'a>(case: &Case<'a>) -> Option<&'a Edit> {
    let ledger = case.ledger;
    if !case.files().is_empty() {
        return None;
    }
    let file = file(&above(case))?;
    let fits = |edit: &&Edit| {
        let now = edit.order > ledger.closed && edit.made && !edit.path.is_empty();
        now && left(edit) && is_named(&file, &edit.path)
    };
    let told = told(case);
    let own = terms(told);
    if own.is_empty() {
        let edits = ledger.edits.iter().rev();
        let mut own = edits.take_while(|edit| edit.order > ledger.closed);
        return own.find(fits);
    }
    let changed = Own::of(case, told, &own);
    let (_, sums) = held(case, &own);
    let deeds = ledger.mentions.deeds();
    let best = sums.iter().filter_map(|(number, sum): (&usize, &Sum)| {
        let deed = deeds.get(*number)?;
        let edit = edits_of(case, deed).iter().rev().find(fits)?;
        (changed.half(*number) && live(case, deed)).then_some((
            changed.weight(*number),
            sum.rare,
            deed.order,
            edit,
        ))
    });
    best.max_by_key(|(own, rare, order, _)| (*own, *rare, *order))
        .map(|(.., edit)| edit)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn items_and_leads_are_told_by_their_marks() {
        assert!(is_item("- a") && is_item("  2. a") && !is_item("a - b") && !is_item("2 a"));
        assert!(is_heading("## a") && is_heading("#\ta") && !is_heading("#12 is open"));
        assert!(is_lead("**`a.rs`**:") && is_lead("**Parser**") && !is_lead("Parser"));
    }
}
