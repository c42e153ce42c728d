//! What is asked of the ledger once it is written.

use super::super::fact::{Edit, Look};
use super::super::named::names;
use super::{Ledger, TAKEN};

impl Ledger {
    /// The changes that a name may be about, the latest first.
    pub fn edits_of<'a>(&'a self, name: &'a str) -> impl Iterator<Item = &'a Edit> {
        let own = self
            .edited
            .of(name)
            .filter_map(|number| self.edits.get(number));
        own.filter(move |edit| names(name, &edit.path))
    }

    /// The looks at what a name may be about, the latest first.
    pub fn looks_of<'a>(&'a self, name: &'a str) -> impl Iterator<Item = &'a Look> {
        let own = self
            .looked
            .of(name)
            .filter_map(|number| self.looks.get(number));
        own.filter(move |look| look.paths.iter().any(|path| names(name, path)))
    }

    /// Changes of code or configuration after a place among the deeds, the latest first, less those
    /// that were taken back again.
    pub fn code_changes_after(&self, order: u64) -> impl Iterator<Item = &Edit> {
        self.edits
            .iter()
            .rev()
            .take_while(move |edit| edit.order > order)
            .take(TAKEN)
            .filter(|edit| edit.checked && !edit.refused && !edit.scratch)
            .filter(|edit| edit.undone.is_none())
            .filter(move |edit| edit.restores.is_none_or(|earliest| earliest < order))
    }

    /// The last change of code or configuration, if there was one after a place among the deeds.
    #[must_use]
    pub fn code_change_after(&self, order: u64) -> Option<&Edit> {
        self.code_changes_after(order).next()
    }

    /// Whether something of unknown effect happened in a turn.
    #[must_use]
    pub fn unknown_in(&self, turn: u32) -> bool {
        self.unknown
            .iter()
            .rev()
            .take_while(|(_, at, _)| *at >= turn)
            .any(|(_, at, _)| *at == turn)
    }
}
