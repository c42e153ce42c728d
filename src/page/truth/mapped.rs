//! Numbers of a mapping that are found by the id of their element.

use super::{Reader, Watch};
use crate::page::beside::{self, Shows};
use crate::page::fault::Fault;
use crate::page::map;

impl Reader<'_> {
    /// What the mapping says of an element with this id.
    pub(super) fn mapped(&mut self, at: usize, id: &str) -> Option<String> {
        let map = self.map?;
        let (index, number) = map.by_id(id)?;
        let seen = self.ids.get_mut(index)?;
        if std::mem::replace(seen, true) {
            // An id stands for one element; which of two a reader takes for it, nobody knows.
            self.fault(at, Fault::NoSuchPlace);
            return None;
        }
        Some(number.shows.clone())
    }

    /// A number of the mapping, among the words of its element.
    pub(super) fn mapped_number(&mut self, watch: &Watch, expression: &str, text: &str) {
        let number = map::first_number(text);
        self.number(watch.at, expression, &number);
        let (start, end) = map::place(text);
        let (before, behind) = (text.get(..start), text.get(end..));
        let (before, behind) = (before.unwrap_or_default(), behind.unwrap_or_default());
        let glued = match before.trim().is_empty() {
            true => watch.touched,
            false => beside::is_glued(before, "", false),
        };
        if glued || beside::is_glued("", behind, number.ends_with('%')) {
            self.fault(watch.at, Fault::Beside);
        } else if behind.trim().is_empty() {
            self.beside.ended(watch.at, Shows::Number, &number);
        }
    }
}
