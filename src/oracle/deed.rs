//! What a turn did, as checks of turns see it: one deed for each simple command or call.
//!
//! The words are those of a spec, so that nothing here knows how a transcript is read.

use std::sync::atomic::{AtomicU64, Ordering};

/// What an effect may be, in a spec.
pub const EFFECTS: [&str; 4] = ["none", "read", "mutate", "unknown"];
/// What an effect may be on, in a spec.
pub const DOMAINS: [&str; 5] = ["workspace", "repo", "scratch", "environment", "remote"];
/// What a check of the work may be, in a spec.
pub const VERIFIES: [&str; 6] = ["test", "build", "lint", "typecheck", "format", "run"];

/// How a deed ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum How {
    /// Well.
    Ok,
    /// Badly.
    Failed,
    /// It never began: the client could not take the call.
    Never,
    /// It never began: the operator, or what speaks for him, refused it.
    Refused,
    /// The record does not tell. `ran` says whether it is known to have been run at all.
    Unsure {
        /// Why.
        reason: &'static str,
        /// Whether it was run.
        ran: bool,
    },
}

/// Where a deed stands among the others of its session: when its call was issued and when its
/// result came, in events. Two calls that were out at the same time have no order.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct When {
    /// Events before its call.
    pub issued: u64,
    /// Events before its result; the greatest number where none came.
    pub arrived: u64,
    /// Its place within its call.
    pub within: usize,
    /// The line of its call.
    pub line: u64,
    /// The first byte of the record of its call, and the one after its last.
    pub span: (u64, u64),
}

/// Whether one deed came after another.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum After {
    Yes,
    No,
    Unclear,
}

impl When {
    pub(crate) fn after(&self, other: &Self) -> After {
        if (self.issued, self.arrived, self.line) == (other.issued, other.arrived, other.line) {
            return match self.within > other.within {
                true => After::Yes,
                false => After::No,
            };
        }
        if self.issued >= other.arrived {
            After::Yes
        } else if other.issued >= self.arrived {
            After::No
        } else {
            After::Unclear
        }
    }
}

/// One deed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Deed {
    /// Of [`EFFECTS`].
    pub effect: &'static str,
    /// Of [`DOMAINS`].
    pub domain: Option<&'static str>,
    /// Of [`VERIFIES`].
    pub verify: Option<&'static str>,
    /// The command's words, the program first; empty where no shell ran it.
    pub words: Vec<String>,
    /// Paths that it changes.
    pub writes: Vec<String>,
    /// Paths that it names otherwise.
    pub reads: Vec<String>,
    /// Whether it was done on another machine or in a container: its paths are that one's.
    pub elsewhere: bool,
    /// How it ended.
    pub how: How,
    /// Where it stands.
    pub when: When,
}

/// Where the record does not show what was done.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Gap {
    /// Why.
    pub reason: &'static str,
    /// Where; `None` for anywhere in the turn.
    pub when: Option<When>,
}

/// How often something of a turn was looked at, for tests of linearity. It is no part of the turn.
#[derive(Debug, Default)]
pub(crate) struct Looks(AtomicU64);

impl Clone for Looks {
    fn clone(&self) -> Self {
        Self::default()
    }
}

impl PartialEq for Looks {
    fn eq(&self, _: &Self) -> bool {
        true
    }
}

impl Eq for Looks {}

/// Everything that a turn did.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Deeds {
    /// The deeds, in the order of their calls.
    pub all: Vec<Deed>,
    /// Where something may be missing.
    pub gaps: Vec<Gap>,
    /// The folder that the session works in, in canonical form.
    pub root: Option<String>,
    /// Whether the turn was cut off, so that what is missing in it may have been to come.
    pub cut_off: bool,
    pub(crate) looks: Looks,
}

impl Deeds {
    pub(crate) fn look(&self, count: usize) {
        self.looks.0.fetch_add(count as u64, Ordering::Relaxed);
    }

    /// How many words, characters and patterns were looked at so far.
    #[must_use]
    pub fn looked_at(&self) -> u64 {
        self.looks.0.load(Ordering::Relaxed)
    }
}

/// What a check of turns found.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Seen {
    /// What it comes to.
    pub result: super::Component,
    /// The calls that it rests on, each with what it is to the check.
    pub places: Vec<(When, &'static str)>,
}
