//! Carriers that are one transcript: a main session, a stream that was printed, a subagent with its
//! hand-back, a teammate.

use super::{Carried, Carrier, DIFFERS, NO_CLOSE, RECORD_ENDS, Spoken, Told, UNCLASSED};
use crate::frozen::Class;
use crate::transcript::is_limit_notice;
use crate::turn::Ended;

/// A main session, and what it printed.
#[derive(Debug, Clone)]
pub struct Main<'a> {
    /// What its transcript comes to.
    pub spoken: &'a Spoken,
    /// What was redirected from its standard output.
    pub printed: Option<&'a str>,
    /// What else is told of it.
    pub told: &'a Told,
}

impl Main<'_> {
    /// What became of the session.
    #[must_use]
    pub fn carried(&self) -> Carried {
        let carried = of_transcript(self.spoken, self.told);
        match (self.printed, self.spoken.last()) {
            (Some(printed), Some(own)) => carried.against(own, printed),
            _ => carried,
        }
    }
}

/// A session that printed its records as a stream.
#[derive(Debug, Clone)]
pub struct Stream<'a> {
    /// What it printed comes to.
    pub spoken: &'a Spoken,
    /// The record that closes it.
    pub end: Option<StreamEnd<'a>>,
    /// What else is told of it.
    pub told: &'a Told,
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
        let Some(end) = self.end else {
            return of_transcript(self.spoken, self.told);
        };
        if end.error && is_limit_notice(end.text) {
            return Carried::broken_off("usage-limit");
        }
        if let Some(stopped) = stopped(self.spoken, self.told) {
            return stopped;
        }
        if let Some(fault) = self.spoken.faulted() {
            return fault;
        }
        if end.error {
            return Carried::without("turn-failed");
        }
        match self.spoken.last() {
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
    /// What its own transcript comes to.
    pub spoken: &'a Spoken,
    /// What its caller was handed back. `None` where nobody says who the caller is.
    pub handed: Option<Handed<'a>>,
    /// What else is told of it.
    pub told: &'a Told,
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
        let spoken = self.spoken;
        let mut carried = whatever_is_torn(spoken, self.told);
        let Some(own) = spoken.last() else {
            return carried;
        };
        if spoken.torn {
            carried.doubt("parse");
        }
        match self.handed {
            None => {}
            Some(Handed::Missing) => carried.doubt(DIFFERS),
            Some(Handed::Launched) => carried.carrier = Carrier::Fail("not-inline".into()),
            Some(Handed::Elsewhere(reason)) => carried.doubt(reason),
            Some(Handed::Report(report)) => return carried.against(own, report),
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
#[derive(Debug, Clone)]
pub struct Teammate<'a> {
    /// What its transcript comes to. `None` where it is gone.
    pub spoken: Option<&'a Spoken>,
    /// Whether an identity is told of it.
    pub mapped: bool,
    /// What else is told of it.
    pub told: &'a Told,
}

impl Teammate<'_> {
    /// What became of the teammate.
    #[must_use]
    pub fn carried(&self) -> Carried {
        match self.spoken {
            Some(spoken) if self.mapped => of_transcript(spoken, self.told),
            _ => Carried::not_completed(UNCLASSED),
        }
    }

    /// Whether it is counted as one that belongs to no identity.
    #[must_use]
    pub fn is_unmapped(&self) -> bool {
        !self.mapped || self.spoken.is_none()
    }
}

/// What stops a run whatever was said in it. A usage limit comes first: it makes the driver stop
/// and the record end, and not the other way round.
fn stopped(spoken: &Spoken, told: &Told) -> Option<Carried> {
    let off = || Carried::broken_off("interrupted-driver");
    let driven = || told.interrupted().then(off);
    let late = || told.timed_out().then(|| Carried::without("timeout"));
    spoken.broken_off().or_else(driven).or_else(late)
}

/// What a transcript alone makes of an attempt.
fn of_transcript(spoken: &Spoken, told: &Told) -> Carried {
    if spoken.torn {
        return Carried::not_completed(Class::Unresolved("parse"));
    }
    whatever_is_torn(spoken, told)
}

fn whatever_is_torn(spoken: &Spoken, told: &Told) -> Carried {
    if let Some(stopped) = stopped(spoken, told) {
        return stopped;
    }
    let open = match told.ended {
        Some(Ended::Running) => true,
        Some(Ended::NoClose) => !spoken.over && told.finished().is_none(),
        _ => false,
    };
    if open {
        // A record that stops behind a result may be whole, or may have lost its answer. A client
        // that frames its turns may leave a command running behind one that is over.
        return match spoken.calling && !spoken.framed {
            true => Carried::broken_off("interrupted-driver"),
            false => Carried::not_completed(Class::Unresolved(RECORD_ENDS)),
        };
    }
    if let Some(fault) = spoken.faulted() {
        return fault;
    }
    let closed = told.ended == Some(Ended::Closed);
    let text = spoken.last().or(spoken.text().filter(|_| closed));
    match text {
        Some(text) if !text.trim().is_empty() || !told.failed() => Carried::said(text),
        _ if told.ended.is_some() && told.failed() => Carried::without("exit-nonzero"),
        _ if told.ended.is_some() => Carried::without(NO_CLOSE),
        _ if spoken.spoke => Carried::broken_off("interrupted-driver"),
        _ => Carried::broken_off("startup-error"),
    }
}
