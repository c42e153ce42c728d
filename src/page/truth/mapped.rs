//! Numbers of a mapping that are found by the id of their element.

use super::tag::{STYLE, Tag};
use super::{Reader, Watch};
use crate::page::bar;
use crate::page::beside::{self, Shows};
use crate::page::fault::Fault;
use crate::page::map;

impl Reader<'_> {
    /// Takes what the mapping says of an element with this id.
    pub(super) fn mapped(&mut self, tag: &Tag, id: &str, watch: &mut Watch) {
        let Some(map) = self.map else {
            return;
        };
        for index in map.by_id(id) {
            let (Some(number), Some(seen)) = (map.numbers.get(*index), self.ids.get_mut(*index))
            else {
                continue;
            };
            if std::mem::replace(seen, true) {
                // An id stands for one element; which of two a reader takes for it, nobody knows.
                self.fault(tag.at, Fault::NoSuchPlace);
            } else if number.measure.is_some() {
                self.bar(tag, number, watch);
            } else {
                watch.mapped = Some(number.shows.clone());
            }
        }
    }

    /// A bar, whose length is what a reader sees.
    fn bar(&mut self, tag: &Tag, number: &map::Number, watch: &mut Watch) {
        self.truth.counts.shapes += 1;
        watch.told.of(&number.shows);
        let (Some(sums), Some(measure)) = (self.sums, &number.measure) else {
            return;
        };
        let quantity = match sums.value(&number.shows) {
            Ok(_) => sums.quantity(&number.shows),
            Err(fault) => return self.fault(tag.at, fault),
        };
        let named = |name| self.bytes(name).eq_ignore_ascii_case(measure.as_bytes());
        let own = tag.measures.iter().find(|(name, _)| named(*name));
        let own = own.map(|(_, value)| self.decoded(*value));
        let style = self.value(tag, STYLE).unwrap_or_default();
        let fault = quantity.and_then(|quantity| {
            bar::fault(&quantity, measure, number.scale(), own.as_deref(), &style)
        });
        if let Some(fault) = fault {
            self.fault(tag.at, fault);
        } else if self.is_bent(tag) {
            self.fault(tag.at, Fault::Distorted);
        }
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
