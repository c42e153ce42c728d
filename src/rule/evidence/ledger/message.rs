//! Files that only hold the text of a message.

use std::collections::BTreeMap;

use super::{Ledger, TAKEN};
use crate::rule::evidence::fact::Edit;
use crate::rule::evidence::named::names;
use crate::rule::evidence::outward;
use crate::turn::Act;

impl Ledger {
    /// What a message is taken from is no part of the work, if it was written for that: a file that stood there
    /// before, or went into a commit, is.
    pub(super) fn handed_on(&mut self, act: &Act) {
        let Some(path) = outward::message_file(act) else {
            return;
        };
        let named = |number: &usize| {
            let edit = self.edits.get(*number);
            edit.is_some_and(|edit| names(path, &edit.path))
        };
        let numbers: Vec<usize> = self.edited.of(path).filter(named).take(TAKEN).collect();
        // The first change of a file tells whether it was written for this.
        let mut own: BTreeMap<&str, bool> = BTreeMap::new();
        for number in numbers.iter().rev() {
            let edit = &self.edits[*number];
            own.entry(&edit.path).or_insert_with(|| self.begins(edit));
        }
        let scratch: Vec<usize> = numbers
            .into_iter()
            .filter(|number| own[self.edits[*number].path.as_str()])
            .collect();
        for number in scratch {
            self.edits[number].scratch = true;
        }
    }

    /// Whether the first change of a file wrote it as a whole, nothing had looked at it before, and nothing was
    /// committed since.
    fn begins(&self, first: &Edit) -> bool {
        let looked = |number: usize| {
            let look = self.looks.get(number);
            look.is_some_and(|look| look.order < first.order && look.paths.contains(&first.path))
        };
        first.lines.is_some()
            && first.order > self.committed
            && !self.looked.of(&first.path).any(looked)
    }
}
