//! Carriers that are one transcript: a main session, a stream that was printed, a subagent with its
//! hand-back, a teammate.

use super::spoken::{Row, Spoken, is_limit_notice};
use super::{Carried, Carrier, DIFFERS, UNCLASSED};

/// A main session, and what it printed.
#[derive(Debug, Clone, Default)]
pub struct Main<'a> {
    /// Its transcript.
    pub rows: Vec<Row<'a>>,
    /// What was redirected from its standard output.
    pub printed: Option<&'a str>,
}

impl Main<'_> {
    /// What became of the session.
    #[must_use]
    pub fn carried(&self) -> Carried {
        let spoken = Spoken::of(&self.rows);
        let carried = of_transcript(&spoken);
        match (self.printed, spoken.last()) {
            (Some(printed), Some(own)) => carried.against(own, printed),
            _ => carried,
        }
    }
}

/// A session that printed its records as a stream.
#[derive(Debug, Clone, Default)]
pub struct Stream<'a> {
    /// What it printed.
    pub rows: Vec<Row<'a>>,
    /// The record that closes it.
    pub end: Option<StreamEnd<'a>>,
}

/// The record that closes a stream.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct StreamEnd<'a> {
    /// Whether it tells of an error: its other words may say `success` all the same.
    pub error: bool,
    /// The result that it repeats.
    pub text: &'a str,
}

impl Stream<'_> {
    /// What became of the session.
    #[must_use]
    pub fn carried(&self) -> Carried {
        let spoken = Spoken::of(&self.rows);
        let Some(end) = self.end else {
            return of_transcript(&spoken);
        };
        if let Some(fault) = spoken.faulted() {
            return fault;
        }
        if end.error && is_limit_notice(end.text) {
            return Carried::broken_off("usage-limit");
        }
        if end.error {
            return Carried::without("turn-failed");
        }
        match spoken.last() {
            Some(own) => Carried::said(own).against(own, end.text),
            None => Carried::without("empty"),
        }
    }
}

/// A subagent, and what its caller was handed back.
#[derive(Debug, Clone)]
pub struct Child<'a> {
    /// How many files say that they are this call's child.
    pub children: usize,
    /// Its own transcript.
    pub rows: Vec<Row<'a>>,
    /// What its caller was handed back.
    pub handed: Handed<'a>,
}

/// What a caller was handed back.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Handed<'a> {
    /// No result stands there.
    Missing,
    /// What was launched goes on.
    Launched,
    /// The report, without its frame.
    Report(&'a str),
    /// The report lies in a file that cannot be followed, and why.
    Elsewhere(&'static str),
}

impl Child<'_> {
    /// What became of the subagent.
    #[must_use]
    pub fn carried(&self) -> Carried {
        if self.children != 1 {
            return Carried::not_completed(UNCLASSED);
        }
        let spoken = Spoken::of(&self.rows);
        if spoken.last().is_some_and(is_limit_notice) {
            return Carried::broken_off("usage-limit");
        }
        let mut carried = of_transcript(&spoken);
        let Some(own) = spoken.last() else {
            return carried;
        };
        if spoken.torn {
            carried.doubt("parse");
        }
        match self.handed {
            Handed::Missing => carried.doubt(DIFFERS),
            Handed::Launched => carried.carrier = Carrier::Fail("not-inline".into()),
            Handed::Elsewhere(reason) => carried.doubt(reason),
            Handed::Report(report) => return carried.against(own, report),
        }
        carried
    }

    /// How many children more than one claim the call.
    #[must_use]
    pub fn conflicts(&self) -> usize {
        self.children.saturating_sub(1)
    }
}

/// A teammate: what became of it is reported, and never graded.
#[derive(Debug, Clone, Default)]
pub struct Teammate<'a> {
    /// Its transcript. `None` where it is gone.
    pub rows: Option<Vec<Row<'a>>>,
    /// Whether an identity is told of it.
    pub mapped: bool,
}

impl Teammate<'_> {
    /// What became of the teammate.
    #[must_use]
    pub fn carried(&self) -> Carried {
        match &self.rows {
            Some(rows) if self.mapped => of_transcript(&Spoken::of(rows)),
            _ => Carried::not_completed(UNCLASSED),
        }
    }

    /// Whether it is counted as one that belongs to no identity.
    #[must_use]
    pub fn is_unmapped(&self) -> bool {
        !self.mapped || self.rows.is_none()
    }
}

/// What a transcript alone makes of an attempt.
fn of_transcript(spoken: &Spoken<'_>) -> Carried {
    if let Some(fault) = spoken.faulted() {
        return fault;
    }
    match spoken.last() {
        Some(text) => Carried::said(text),
        None if spoken.spoke => Carried::broken_off("interrupted-driver"),
        None => Carried::broken_off("startup-error"),
    }
}
