//! Where a match may begin, told by a byte that every match holds.
//!
//! Nearly all of a result's bytes begin no match. Each finder looks for something rare that a match
//! must hold (a colon, a month's name), and steps back from it to the few places where that match
//! can have begun. The places of one anchor are ascending, and so are those of successive anchors,
//! so that the first match found is the leftmost one, as with a search at every place.

use std::sync::LazyLock;

use aho_corasick::{AhoCorasick, MatchKind};
use memchr::{memchr, memchr2, memmem};

use super::super::python::{is_py_digit, is_py_space};
use super::{AGO_UNITS, MONTHS, WEEKDAYS};

/// An anchor and the places where a match around it can begin.
pub(super) struct Anchor {
    /// Where the search goes on when none of them is a match.
    pub(super) next: usize,
    /// The places, ascending.
    pub(super) starts: [Option<usize>; 3],
}

impl Anchor {
    fn one(next: usize, start: usize) -> Self {
        Self {
            next,
            starts: [Some(start), None, None],
        }
    }
}

/// Finds the next anchor at or after a place.
pub(super) type Finder = fn(&str, usize) -> Option<Anchor>;

static NAMES: LazyLock<Option<AhoCorasick>> = LazyLock::new(|| {
    // Leftmost-first lets the search use its vector form; names of months never overlap.
    AhoCorasick::builder()
        .match_kind(MatchKind::LeftmostFirst)
        .build(MONTHS)
        .ok()
});
static AGO: LazyLock<memmem::Finder<'static>> = LazyLock::new(|| memmem::Finder::new("ago"));

/// The start of the digit that ends at `end`.
fn digit_before(text: &str, end: usize) -> Option<usize> {
    let at = end.checked_sub(1)?;
    let byte = *text.as_bytes().get(at)?;
    if byte.is_ascii() {
        return byte.is_ascii_digit().then_some(at);
    }
    let c = text.get(..end)?.chars().next_back()?;
    is_py_digit(c).then(|| end - c.len_utf8())
}

/// The starts of two digits and of one before `end`.
fn one_or_two(text: &str, end: usize) -> Option<[Option<usize>; 3]> {
    let one = digit_before(text, end)?;
    Some([digit_before(text, one), Some(one), None])
}

fn four_digits(text: &str, end: usize) -> Option<usize> {
    (0..4).try_fold(end, |at, _| digit_before(text, at))
}

/// Walks over the anchors that `find` gives until `starts` finds a place before one.
fn walk<T>(
    text: &str,
    from: usize,
    find: impl Fn(&[u8]) -> Option<usize>,
    starts: impl Fn(usize) -> Option<T>,
) -> Option<(usize, T)> {
    let mut at = from;
    loop {
        let anchor = at + find(text.as_bytes().get(at..)?)?;
        if let Some(starts) = starts(anchor) {
            return Some((anchor + 1, starts));
        }
        at = anchor + 1;
    }
}

/// A digit or two before a colon.
pub(super) fn clock(text: &str, from: usize) -> Option<Anchor> {
    let starts = |at| one_or_two(text, at);
    let (next, starts) = walk(text, from, |rest| memchr(b':', rest), starts)?;
    Some(Anchor { next, starts })
}

/// A digit or two before a slash.
pub(super) fn slash(text: &str, from: usize) -> Option<Anchor> {
    let starts = |at| one_or_two(text, at);
    let (next, starts) = walk(text, from, |rest| memchr(b'/', rest), starts)?;
    Some(Anchor { next, starts })
}

/// Four digits before a hyphen.
pub(super) fn year_hyphen(text: &str, from: usize) -> Option<Anchor> {
    let starts = |at| four_digits(text, at);
    let (next, start) = walk(text, from, |rest| memchr(b'-', rest), starts)?;
    Some(Anchor::one(next, start))
}

/// Four digits before a hyphen or a slash.
pub(super) fn year(text: &str, from: usize) -> Option<Anchor> {
    let starts = |at| four_digits(text, at);
    let (next, start) = walk(text, from, |rest| memchr2(b'-', b'/', rest), starts)?;
    Some(Anchor::one(next, start))
}

/// A month's name.
pub(super) fn month(text: &str, from: usize) -> Option<Anchor> {
    let at = month_at(text, from)?;
    Some(Anchor::one(at + 1, at))
}

fn month_at(text: &str, from: usize) -> Option<usize> {
    let rest = text.as_bytes().get(from..)?;
    let found = NAMES.as_ref()?.find(rest)?;
    Some(from + found.start())
}

fn blanks_before(text: &str, end: usize) -> usize {
    let before = text.as_bytes().get(..end).unwrap_or_default();
    let blank = |byte: &&u8| matches!(byte, b' ' | b'\t');
    end - before.iter().rev().take_while(blank).count()
}

/// A day of the month before a month's name, and a weekday before it.
pub(super) fn day_month(text: &str, from: usize) -> Option<Anchor> {
    let mut at = from;
    loop {
        let month = month_at(text, at)?;
        at = month + 1;
        let day_end = blanks_before(text, month);
        if day_end == month {
            continue;
        }
        let Some([two, one, _]) = one_or_two(text, day_end) else {
            continue;
        };
        // The weekday comes before all digits of the day.
        let weekday = two.or(one).and_then(|day| weekday_before(text, day));
        return Some(Anchor {
            next: at,
            starts: [weekday, two, one],
        });
    }
}

fn weekday_before(text: &str, day: usize) -> Option<usize> {
    let end = blanks_before(text, day);
    if end == day {
        return None;
    }
    let before = text.get(..end)?;
    let before = before.strip_suffix(',').unwrap_or(before);
    let name = WEEKDAYS.iter().find(|name| before.ends_with(**name))?;
    Some(before.len() - name.len())
}

/// A number, a unit and white space before `ago`.
pub(super) fn ago(text: &str, from: usize) -> Option<Anchor> {
    let find = |rest: &[u8]| AGO.find(rest);
    let (next, start) = walk(text, from, find, |at| counted(text, at))?;
    Some(Anchor::one(next, start))
}

fn counted(text: &str, ago: usize) -> Option<usize> {
    let before = text.get(..ago)?;
    let unit_end = before.trim_end_matches(is_py_space);
    if unit_end.len() == ago {
        return None;
    }
    // No unit is longer than this, and a longer run of letters is no unit.
    let letters = unit_end.bytes().rev().take("minutes".len() + 1);
    let letters = letters.take_while(u8::is_ascii_lowercase).count();
    let (before, unit) = unit_end.split_at(unit_end.len() - letters);
    AGO_UNITS.iter().find(|known| **known == unit)?;
    let end = before.trim_end_matches(is_py_space);
    let start = end.trim_end_matches(is_py_digit).len();
    (start < end.len()).then_some(start)
}

/// Eight hexadecimal digits before a hyphen.
pub(super) fn uuid(text: &str, from: usize) -> Option<Anchor> {
    let starts = |at: usize| {
        let start = at.checked_sub(8)?;
        let digits = text.as_bytes().get(start..at)?;
        digits.iter().all(u8::is_ascii_hexdigit).then_some(start)
    };
    let (next, start) = walk(text, from, |rest| memchr(b'-', rest), starts)?;
    Some(Anchor::one(next, start))
}

/// A zero before an `x`.
pub(super) fn address(text: &str, from: usize) -> Option<Anchor> {
    let starts = |at: usize| {
        let start = at.checked_sub(1)?;
        (text.as_bytes().get(start) == Some(&b'0')).then_some(start)
    };
    let (next, start) = walk(text, from, |rest| memchr2(b'x', b'X', rest), starts)?;
    Some(Anchor::one(next, start))
}

/// A run of eight hexadecimal digits or more.
pub(super) fn hex(text: &str, from: usize) -> Option<Anchor> {
    hex_run(text, from, &HEX)
}

/// The same of small letters only.
pub(super) fn small_hex(text: &str, from: usize) -> Option<Anchor> {
    hex_run(text, from, &SMALL_HEX)
}

static HEX: [bool; 256] = hex_table(true);
static SMALL_HEX: [bool; 256] = hex_table(false);

const fn hex_table(capitals: bool) -> [bool; 256] {
    let mut table = [false; 256];
    let mut byte = 0;
    while byte < 128 {
        let b = byte as u8;
        table[byte] =
            b.is_ascii_digit() || b.is_ascii_hexdigit() && (capitals || b.is_ascii_lowercase());
        byte += 1;
    }
    table
}

fn hex_run(text: &str, from: usize, table: &[bool; 256]) -> Option<Anchor> {
    let bytes = text.as_bytes();
    let is_hex = |at: usize| bytes.get(at).is_some_and(|byte| table[usize::from(*byte)]);
    // Every eighth byte is looked at: a long enough run cannot lie between two of them.
    let mut low = from;
    let mut at = from + 7;
    while at < bytes.len() {
        if !is_hex(at) {
            low = at + 1;
            at += 8;
            continue;
        }
        let mut start = at;
        while start > low && is_hex(start - 1) {
            start -= 1;
        }
        let mut end = at + 1;
        while is_hex(end) {
            end += 1;
        }
        if end - start >= 8 {
            return Some(Anchor::one(end, start));
        }
        low = end;
        at = end + 7;
    }
    None
}
