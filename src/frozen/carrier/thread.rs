//! A thread that another one started, by the copy of it that was kept.

use super::{Carried, Spoken, UNCLASSED};
use crate::frozen::Class;
use crate::transcript::copy_of;

/// What was kept of a thread.
#[derive(Debug, Clone)]
pub struct ThreadCopies<'a> {
    /// The thread's id.
    pub thread: &'a str,
    /// The names of the files that may be copies of it.
    pub files: Vec<&'a str>,
    /// Whether only what follows the last start of a task counts.
    pub last_turn: bool,
    /// What the copy comes to.
    pub spoken: &'a Spoken,
}

impl ThreadCopies<'_> {
    /// What became of the thread.
    #[must_use]
    pub fn carried(&self) -> Carried {
        let copies = self.files.iter();
        let (packed, plain): (Vec<bool>, Vec<bool>) = copies
            .filter_map(|name| copy_of(name, self.thread))
            .partition(|packed| *packed);
        match plain.len() {
            // A packed copy alone may be another moment of the thread.
            0 if !packed.is_empty() => return Carried::not_completed(Class::Unresolved("parse")),
            0 => return Carried::not_completed(UNCLASSED),
            1 => {}
            _ => return Carried::not_completed(Class::Unresolved("duplicate-rollout")),
        }
        if self.spoken.torn {
            return Carried::not_completed(Class::Unresolved("parse"));
        }
        Carried::said(self.spoken.ever(self.last_turn).unwrap_or(""))
    }
}
