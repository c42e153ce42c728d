//! A page held against everything that is known of its run.

use std::io::BufRead;

use super::charset;
use super::fault::Fault;
use super::leak::Leaks;
use super::map::Map;
use super::markdown;
use super::place::{self, Place};
use super::row;
use super::sums::Sums;
use super::truth::{self, Counts, Untruth};
use crate::private::canary::{Spellings, UNREAD};
use crate::private::{Canary, Kind};

/// The largest page that is read, in bytes.
pub(super) const LARGEST: usize = 1 << 30;

/// How a page is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Syntax {
    /// HTML, SVG or other XML.
    Html,
    /// Markdown with HTML in it.
    Markdown,
}

/// What a page is held against.
#[derive(Debug)]
pub struct Against<'a> {
    /// Private values, and the shapes of private things in pages; without it, a page is held
    /// against the aggregate and the rows only.
    pub canary: Option<&'a Canary>,
    /// The aggregate that its numbers are of.
    pub sums: Option<&'a Sums>,
    /// Which of its numbers are graded quantities, where it does not say so itself.
    pub map: Option<&'a Map>,
    /// The rows that it lists some of.
    pub rows: Option<Rows<'a>>,
}

/// The rows of a run, as its private directory holds them.
pub struct Rows<'a> {
    /// Opens them at their beginning.
    pub open: &'a dyn Fn() -> std::io::Result<Box<dyn BufRead>>,
    /// What that run kept out of its own pages, where that is known.
    pub canary: Option<&'a Canary>,
}

impl std::fmt::Debug for Rows<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Rows").finish_non_exhaustive()
    }
}

/// Why a page was not read.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum PageError {
    /// It is larger than a gibibyte.
    #[error("too-large")]
    TooLarge,
    /// It declares characters that are not known here.
    #[error("charset")]
    Charset,
    /// The rows that it is held against cannot be read, or are none.
    #[error("rows")]
    Rows,
}

/// What is wrong at a place.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum What {
    /// Something private, in some spelling.
    Leak(Kind, Spellings),
    /// Something untrue.
    Untrue(Fault),
    /// Something that was not looked at.
    Missed(Missed),
}

/// What was not looked at. A page of which that is so is not vouched for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Missed {
    /// From here on, escapes lie so thick within each other that they were not undone to the end.
    Unread,
    /// From here on, findings were left out, as there were too many of their kind.
    Cut,
}

impl Missed {
    /// Its word in outputs.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Unread => UNREAD,
            Self::Cut => "cut",
        }
    }
}

/// One finding. It holds nothing of the page but names of its elements and plain numbers.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Finding {
    /// What it is.
    pub what: What,
    /// Line, from 1.
    pub line: u64,
    /// Column in characters, from 1.
    pub column: u64,
    /// Byte of the file, from 0.
    pub byte: u64,
    /// The part of the page, such as `attribute href of a`.
    pub context: String,
    /// The number that stands there.
    pub shown: Option<String>,
    /// The number that should stand there.
    pub expected: Option<String>,
}

/// What came of a page.
#[derive(Debug, Default)]
pub struct Checked {
    /// Its findings, by place.
    pub findings: Vec<Finding>,
    /// What was held against the aggregate and the rows.
    pub counts: Counts,
    /// Parts that could not be looked into for leaks: too large, too deep, or in other characters.
    pub unread: u64,
    /// Bytes of the page.
    pub bytes: u64,
}

/// Checks a page.
///
/// # Errors
/// A page that cannot be read; nothing of it was checked then.
pub fn check(bytes: &[u8], syntax: Syntax, against: &Against<'_>) -> Result<Checked, PageError> {
    if bytes.len() > LARGEST {
        return Err(PageError::TooLarge);
    }
    let charset = charset::charset(bytes).ok_or(PageError::Charset)?;
    let text = charset::decoded(bytes, charset);
    let markdown = syntax == Syntax::Markdown;
    let masked = markdown.then(|| markdown::masked(&text));
    let masked = masked.as_deref().unwrap_or(&text);
    let leaks = against.canary.map_or_else(Leaks::default, |canary| {
        Leaks::of(canary, &text, masked, markdown)
    });
    let mut truth = truth::read(masked, against.sums, against.map, markdown);
    if let Some(rows) = &against.rows
        && !truth.claims.is_empty()
    {
        let mut lines = (rows.open)().map_err(|_| PageError::Rows)?;
        let told = row::check(&truth.claims, &mut lines, rows.canary);
        truth.told(told.ok_or(PageError::Rows)?);
    }
    let mut found: Vec<(usize, What, Option<Untruth>)> = Vec::new();
    for ((at, kind), spelling) in leaks.hits {
        found.push((at, What::Leak(kind, spelling), None));
    }
    for (missed, at) in [
        (Missed::Unread, leaks.partly.unread),
        (Missed::Cut, leaks.partly.cut),
    ] {
        found.extend(at.map(|at| (at, What::Missed(missed), None)));
    }
    // No more than so many are told of, and that is said.
    if let Some(last) = truth.untruths.get(truth::MOST - 1) {
        found.push((last.at, What::Missed(Missed::Cut), None));
    }
    for untruth in truth.untruths {
        found.push((untruth.at, What::Untrue(untruth.fault), Some(untruth)));
    }
    found.sort_by_key(|(at, what, _)| (*at, *what));
    let offsets: Vec<usize> = found.iter().map(|(at, ..)| *at).collect();
    let places = place::places(&text, &offsets, charset);
    let contexts = place::contexts(masked, &offsets, against.canary);
    let findings = found
        .into_iter()
        .zip(places.into_iter().zip(contexts))
        .map(|((_, what, untruth), (place, context))| finding(what, untruth, place, context));
    Ok(Checked {
        findings: findings.collect(),
        counts: truth.counts,
        unread: leaks.unread,
        bytes: bytes.len() as u64,
    })
}

fn finding(what: What, untruth: Option<Untruth>, place: Place, context: String) -> Finding {
    let (shown, expected) = untruth.map_or((None, None), |told| (told.shown, told.expected));
    Finding {
        what,
        line: place.line,
        column: place.column,
        byte: place.byte,
        context,
        shown,
        expected,
    }
}
