//! What a reader sees of a page, on its way to the canary: a stretch at a time, so that no more
//! than that is held.

use crate::private::{Canary, Hit};

/// Characters that are looked at together.
const STRETCH: usize = 1 << 19;
/// What two stretches share.
const OVERLAP: usize = 1 << 14;
/// Hits so near to a cut are left to the other stretch, which sees what stands around them.
const MARGIN: usize = 1 << 11;

/// What was not looked at to the end, and hits that were left out: where they begin in the page.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Partly {
    pub(super) unread: Option<usize>,
    pub(super) cut: Option<usize>,
}

/// Text with the place of each of its parts in the page.
#[derive(Debug, Default)]
pub(super) struct Feed {
    text: String,
    /// Where a part begins here, and where in the page.
    parts: Vec<(usize, usize)>,
    cut: bool,
}

impl Feed {
    /// Adds text that stands at `source` in the page.
    pub(super) fn push(&mut self, part: &str, source: usize) {
        if !part.is_empty() {
            self.parts.push((self.text.len(), source));
            self.text.push_str(part);
        }
    }

    /// Whether there is enough for a look.
    pub(super) fn is_full(&self) -> bool {
        self.text.len() >= STRETCH || self.parts.len() >= STRETCH
    }

    /// Hands what there is to the canary and keeps what the next stretch shares with it.
    /// What could not be looked at to the end comes with its place in the page, too.
    pub(super) fn look(
        &mut self,
        canary: &Canary,
        last: bool,
        found: &mut impl FnMut(Hit, usize),
    ) -> Partly {
        let low = if self.cut { MARGIN } else { 0 };
        let high = match last {
            true => usize::MAX,
            false => self.text.len().saturating_sub(MARGIN),
        };
        let look = canary.look(&self.text);
        for hit in look.hits {
            if (low..high).contains(&hit.at) {
                found(hit, self.source(hit.at));
            }
        }
        let partly = Partly {
            unread: look.unread.map(|at| self.source(at)),
            cut: look.cut.map(|at| self.source(at)),
        };
        let from = self
            .text
            .floor_char_boundary(self.text.len().saturating_sub(OVERLAP));
        let source = self.source(from);
        let rest = self.text.split_off(from);
        let mut parts: Vec<_> = self
            .parts
            .iter()
            .filter(|(at, _)| *at > from)
            .map(|(at, source)| (at - from, *source))
            .collect();
        if !rest.is_empty() {
            parts.insert(0, (0, source));
        }
        *self = Self {
            text: rest,
            parts,
            cut: true,
        };
        partly
    }

    /// Where in the page the text at `at` stands.
    fn source(&self, at: usize) -> usize {
        let next = self.parts.partition_point(|(start, _)| *start <= at);
        let part = next.checked_sub(1).and_then(|index| self.parts.get(index));
        part.map_or(0, |(start, source)| source + (at - start))
    }
}
