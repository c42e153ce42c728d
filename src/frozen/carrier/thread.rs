//! A thread that another one started, by the copy of it that was kept.

use super::{Carried, UNCLASSED};
use crate::frozen::Class;

/// What was kept of a thread.
#[derive(Debug, Clone, Default)]
pub struct ThreadCopies<'a> {
    /// The thread's id.
    pub thread: &'a str,
    /// The names of the files that may be copies of it.
    pub files: Vec<&'a str>,
    /// Whether only what follows the last start of a task counts.
    pub last_turn: bool,
    /// What the copy holds.
    pub rows: Vec<ThreadRow<'a>>,
}

/// One row of a kept thread.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ThreadRow<'a> {
    /// A task begins.
    Begins,
    /// The agent says something.
    Said(&'a str),
    /// Anything else.
    Other,
    /// The row cannot be read.
    Torn,
}

impl ThreadCopies<'_> {
    /// What became of the thread.
    #[must_use]
    pub fn carried(&self) -> Carried {
        let is = |name: &&&str, end: &str| {
            name.strip_suffix(end)
                .and_then(|name| name.strip_suffix(self.thread))
                .is_some_and(|head| head.starts_with("rollout-") && head.ends_with('-'))
        };
        let copies = self.files.iter().filter(|name| is(name, ".jsonl")).count();
        let packed = self.files.iter().any(|name| is(&name, ".jsonl.zst"));
        match copies {
            // A packed copy alone may be another moment of the thread.
            0 if packed => return Carried::not_completed(Class::Unresolved("parse")),
            0 => return Carried::not_completed(UNCLASSED),
            1 => {}
            _ => return Carried::not_completed(Class::Unresolved("duplicate-rollout")),
        }
        if self.rows.contains(&ThreadRow::Torn) {
            return Carried::not_completed(Class::Unresolved("parse"));
        }
        let begin = self.rows.iter().rposition(|row| *row == ThreadRow::Begins);
        let from = begin.filter(|_| self.last_turn).unwrap_or(0);
        let last = self.rows[from..].iter().rev().find_map(|row| match row {
            ThreadRow::Said(text) => Some(*text),
            _ => None,
        });
        Carried::said(last.unwrap_or(""))
    }
}
