//! What a verification run says of itself: the summaries of test runners, linters and builders.
//!
//! More than half of the failing runs of real sessions end with a clean exit flag, because a pipe or
//! `|| true` hides their status. Their own summary line tells the truth all the same, so it outranks
//! the flag. Each runner is read by its own shapes only, and only in the output of a command that
//! names it: program output that happens to hold such words is not a summary.
//!
//! Everything is one pass over the lines; nothing is a regular expression.

mod count;
mod own;
mod shape;
mod table;
mod via;

#[cfg(test)]
mod tests;

use std::borrow::Cow;

pub use table::{RUNNERS, Runner};
pub use via::Via;

/// How many checks went how.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Tally {
    /// Checks that passed.
    pub passed: u64,
    /// Checks that failed.
    pub failed: u64,
    /// Checks that were left out.
    pub skipped: u64,
    /// Faults outside of single checks.
    pub errors: u64,
}

impl Tally {
    fn add(&mut self, other: Self) {
        self.passed = self.passed.saturating_add(other.passed);
        self.failed = self.failed.saturating_add(other.failed);
        self.skipped = self.skipped.saturating_add(other.skipped);
        self.errors = self.errors.saturating_add(other.errors);
    }
}

/// What the output of a run comes to.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Speech {
    /// It says that all went well.
    Ok,
    /// It says that something failed.
    Failed,
    /// It says that nothing was run.
    Empty,
    /// It holds no summary.
    #[default]
    Silent,
}

/// A summary read from the output of a run.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Summary {
    /// What it comes to.
    pub speech: Speech,
    /// The counts of all summary lines together; `None` where no line counted anything.
    pub tally: Option<Tally>,
    /// Whether a failure could stand on a line that is not the last: a filter may have hidden it.
    pub scattered: bool,
}

/// Reads the output of `command` (its words, joined by spaces). A command that names no runner of
/// the table may call any of them (`make test`, `./ci.sh`), so all shapes are tried.
#[must_use]
pub fn read(command: &str, output: &str) -> Summary {
    let named: Vec<&Runner> = RUNNERS
        .iter()
        .filter(|runner| runner.names(command))
        .collect();
    let launched = named.iter().all(|runner| runner.launches);
    let mut reading = shape::Reading::default();
    for line in output.lines() {
        let line = plain(line);
        let line = line.trim();
        if line.is_empty() || line.len() > LONGEST {
            continue;
        }
        if launched {
            reading.line(RUNNERS.iter(), line);
        } else {
            reading.line(named.iter().copied(), line);
        }
    }
    reading.finish(launched || named.iter().any(|runner| runner.scattered))
}

/// No summary line is longer, in bytes.
const LONGEST: usize = 400;

/// A line without terminal escapes.
fn plain(line: &str) -> Cow<'_, str> {
    if !line.contains('\u{1b}') {
        return Cow::Borrowed(line);
    }
    let mut out = String::with_capacity(line.len());
    let mut chars = line.chars();
    while let Some(c) = chars.next() {
        if c != '\u{1b}' {
            out.push(c);
            continue;
        }
        if chars.as_str().starts_with('[') {
            chars.next();
            chars.by_ref().find(|c| ('@'..='~').contains(c));
        }
    }
    Cow::Owned(out)
}
