//! What a change itself put in or took out, told from the text that stood around it.

use std::collections::BTreeMap;

use super::{NAME, WORD, edits_of};
use crate::rule::claim::judge::Case;
use crate::rule::evidence::{Deed, Term};
use crate::text::past_act;

/// What the changes of a session hold of a statement in their own lines.
pub(super) struct Own {
    held: BTreeMap<usize, usize>,
    named: BTreeMap<usize, usize>,
    all: usize,
    adds: bool,
}

impl Own {
    /// Looks the words of a statement up.
    pub(super) fn of(case: &Case<'_>, told: &str, terms: &[Term]) -> Self {
        let mut held: BTreeMap<usize, usize> = BTreeMap::new();
        // Where it was put need not stand in it: "Added `x` to the parser".
        let adds = adds(told);
        let object = if adds { object(told) } else { told };
        let mut wanted = super::terms(object);
        wanted.retain(|term| terms.contains(term));
        if wanted.is_empty() {
            wanted = terms.to_vec();
        }
        let mut all = 0;
        let mut named: BTreeMap<usize, usize> = BTreeMap::new();
        for term in &wanted {
            let (numbers, weight) = match term {
                Term::Name(name) => (of_name(case, name), NAME),
                Term::Word(_) => (case.ledger.mentions.changing(term), WORD),
            };
            all += weight;
            for number in numbers {
                *held.entry(number).or_default() += weight;
                if weight == NAME {
                    *named.entry(number).or_default() += 1;
                }
            }
        }
        for name in numbered(told) {
            for number in case.ledger.mentions.changing(&Term::Name(name)) {
                *named.entry(number).or_default() += 1;
            }
        }
        Self {
            held,
            named,
            all,
            adds,
        }
    }

    /// How much of the statement a step's own lines hold.
    pub(super) fn weight(&self, number: usize) -> usize {
        self.held.get(&number).copied().unwrap_or(0)
    }

    /// How many names of the statement a step's own lines hold.
    pub(super) fn names(&self, number: usize) -> usize {
        self.named.get(&number).copied().unwrap_or(0)
    }

    /// Whether a change of files holds some of the statement in its own lines; half of what is said to
    /// have been added.
    pub(super) fn bears(&self, case: &Case<'_>, number: usize, deed: &Deed) -> bool {
        let held = self.weight(number);
        edits_of(case, deed).is_empty()
            || deed.delegate
            || deed.cut
            || held > 0 && (!self.adds || held * 2 >= self.all)
    }

    /// Whether they hold half of it.
    pub(super) fn half(&self, number: usize) -> bool {
        self.all > 0 && self.weight(number) * 2 >= self.all
    }
}

/// Names that are a word with its number: "Scenario 6", "Phase 2".
fn numbered(told: &str) -> impl Iterator<Item = String> + '_ {
    let bare = |word: &'_ str| word.trim_matches(|c: char| !c.is_alphanumeric()).to_owned();
    let words = move || told.split(' ').map(bare);
    words().zip(words().skip(1)).filter_map(|(word, number)| {
        let titled = word.len() > 3 && word.starts_with(|c: char| c.is_ascii_uppercase());
        let plain = word.bytes().all(|byte| byte.is_ascii_alphabetic());
        let digits = !number.is_empty() && number.bytes().all(|byte| byte.is_ascii_digit());
        let verb = past_act(&word.to_lowercase()).is_some();
        (titled && plain && digits && !verb).then(|| format!("{word} {number}"))
    })
}

/// A name that is a plain word stands within others, too.
fn of_name(case: &Case<'_>, name: &str) -> Vec<usize> {
    let mentions = &case.ledger.mentions;
    let found = mentions.changing(&Term::Name(name.to_owned()));
    if found.is_empty() && name.bytes().all(|byte| byte.is_ascii_alphabetic()) {
        return mentions.changing(&Term::Word(name.to_owned()));
    }
    found
}

/// Whether a statement says that something was put in.
fn adds(told: &str) -> bool {
    const ADDS: [&str; 4] = ["added", "adds", "introduced", "inserted"];
    let lower = told.to_ascii_lowercase();
    let mut words = lower.split(|c: char| !c.is_ascii_alphabetic());
    words
        .by_ref()
        .filter(|word| !word.is_empty())
        .take(3)
        .any(|word| ADDS.contains(&word))
}

/// What is said to have been added, without where or for what.
fn object(told: &str) -> &str {
    const BEHIND: [&str; 9] = [
        " to ", " in ", " into ", " for ", " when ", " so ", " on ", " at ", " where ",
    ];
    let ends = BEHIND.iter().filter_map(|word| told.find(word));
    told.get(..ends.min().unwrap_or(told.len())).unwrap_or(told)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn where_a_thing_was_added_is_no_part_of_it() {
        assert_eq!(object("Added a hint to the warning"), "Added a hint");
        assert!(adds("I have added a hint") && !adds("It is said to be added"));
    }
}
