//! What pages tell of rows, held against the rows.

use std::io::BufRead;

use serde_json::Value;

use super::fault::Fault;
use super::truth::MOST;
use crate::private::canary::UNREAD;
use crate::private::{Canary, Kind};
use crate::report::fact::{QUOTED, WITHHELD, field};

/// No field's text is longer; a page's is cut there, and is wrong then.
const LONGEST: usize = 8192;
/// A line of rows that is longer was written by no grade.
const LINE: u64 = 1 << 28;

/// What a page tells of one row. Small, because a page may tell of millions.
#[derive(Debug)]
struct Claim {
    at: u32,
    row: u32,
    /// The field's name and its text, as places in the arena; nothing where only the row is named.
    field: Option<(u32, u32, u32)>,
}

/// Everything that a page tells of rows.
#[derive(Debug, Default)]
pub(super) struct Claims {
    all: Vec<Claim>,
    arena: String,
}

/// An untruth about a row.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Told {
    pub(super) at: usize,
    pub(super) fault: Fault,
}

impl Claims {
    /// An element stands for this row.
    pub(super) fn row(&mut self, at: usize, row: u64) {
        self.all.push(Claim {
            at: small(at),
            row: u32::try_from(row).unwrap_or(u32::MAX),
            field: None,
        });
    }

    /// An element shows this field of a row.
    pub(super) fn field(&mut self, at: usize, row: u64, name: &str, text: &str) {
        let start = small(self.arena.len());
        self.arena.push_str(cut(name, 64));
        let middle = small(self.arena.len());
        for (index, word) in cut(text, LONGEST).split_whitespace().enumerate() {
            if index > 0 {
                self.arena.push(' ');
            }
            self.arena.push_str(word);
        }
        let field = Some((start, middle, small(self.arena.len())));
        self.all.push(Claim {
            at: small(at),
            row: u32::try_from(row).unwrap_or(u32::MAX),
            field,
        });
    }

    /// What a page that stands within an element at `at` tells.
    pub(super) fn within(&mut self, inner: Self, at: usize) {
        let shift = small(self.arena.len());
        self.arena.push_str(&inner.arena);
        self.all.extend(inner.all.into_iter().map(|claim| Claim {
            at: small(at),
            row: claim.row,
            field: claim.field.map(|(start, middle, end)| {
                let [start, middle, end] = [start, middle, end].map(|at| at.saturating_add(shift));
                (start, middle, end)
            }),
        }));
    }

    pub(super) fn is_empty(&self) -> bool {
        self.all.is_empty()
    }

    fn part(&self, start: u32, end: u32) -> &str {
        self.arena
            .get(start as usize..end as usize)
            .unwrap_or_default()
    }

    fn fault(&self, claim: &Claim, row: &Value, canary: Option<&Canary>) -> Option<Fault> {
        let (start, middle, end) = claim.field?;
        let (name, shown) = (self.part(start, middle), self.part(middle, end));
        let Some(expected) = field(row, name) else {
            return Some(Fault::UnknownField);
        };
        let mut words = expected.split_whitespace();
        let same = shown
            .split(' ')
            .filter(|word| !word.is_empty())
            .eq(words.by_ref());
        if same || is_withheld(name, shown, &expected, canary) {
            return None;
        }
        Some(Fault::WrongText)
    }
}

/// Pages are smaller than that.
fn small(at: usize) -> u32 {
    u32::try_from(at).unwrap_or(u32::MAX)
}

/// Whether a quoted text is withheld for what the canary finds in it. Without a canary that knows
/// what that run knew, the page is believed.
fn is_withheld(name: &str, shown: &str, expected: &str, canary: Option<&Canary>) -> bool {
    let Some(kind) = shown
        .strip_prefix(WITHHELD)
        .filter(|_| QUOTED.contains(&name))
    else {
        return false;
    };
    let known = kind == UNREAD || Kind::ALL.iter().any(|known| known.as_str() == kind);
    known && canary.is_none_or(|canary| canary.look(expected).refused().is_some())
}

fn cut(text: &str, most: usize) -> &str {
    if text.len() <= most {
        return text;
    }
    let at = (0..=most).rev().find(|at| text.is_char_boundary(*at));
    text.get(..at.unwrap_or(0)).unwrap_or_default()
}

/// Holds what a page tells against the rows, which are read once; nothing where they are none.
///
/// `canary` knows the values of the run that made the rows, where they are kept.
pub(super) fn check(
    claims: &Claims,
    rows: &mut dyn BufRead,
    canary: Option<&Canary>,
) -> Option<Vec<Told>> {
    let numbered = claims.all.iter().enumerate();
    let mut order: Vec<(u32, u32)> = numbered
        .map(|(index, claim)| (claim.row, small(index)))
        .collect();
    order.sort_unstable();
    let of = |index: u32| claims.all.get(index as usize);
    let mut out = Vec::new();
    let mut order = order.into_iter().peekable();
    let mut line = Vec::new();
    let mut number = 0_u32;
    while order.peek().is_some() {
        line.clear();
        let read = std::io::Read::take(&mut *rows, LINE).read_until(b'\n', &mut line);
        if read.ok()? == 0 {
            break;
        }
        number = number.saturating_add(1);
        let mut row = None;
        while let Some((_, index)) = order.next_if(|(wanted, _)| *wanted <= number) {
            if row.is_none() {
                row = Some(serde_json::from_slice::<Value>(&line).ok()?);
            }
            let (Some(claim), Some(row)) = (of(index), row.as_ref()) else {
                continue;
            };
            let fault = match claim.row == number {
                true => claims.fault(claim, row, canary),
                // Rows count from 1.
                false => Some(Fault::UnknownRow),
            };
            push(&mut out, claim, fault);
        }
    }
    for claim in order.filter_map(|(_, index)| of(index)) {
        push(&mut out, claim, Some(Fault::UnknownRow));
    }
    Some(out)
}

fn push(out: &mut Vec<Told>, claim: &Claim, fault: Option<Fault>) {
    // A field of a row that is not there says nothing more.
    let fault = fault.filter(|fault| *fault != Fault::UnknownRow || claim.field.is_none());
    // Nobody reads on; and the list stays small on a page that is wrong throughout.
    if let Some(fault) = fault.filter(|_| out.len() < MOST) {
        out.push(Told {
            at: claim.at as usize,
            fault,
        });
    }
}
