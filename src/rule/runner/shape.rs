//! Shapes of summary lines, and what the lines of an output come to together.

use super::count;
use super::table::Runner;
use super::{Speech, Summary, Tally};

/// What a fixed phrase says.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Mark {
    /// All went well.
    Ok,
    /// Something failed.
    Failed,
    /// Nothing was run.
    Empty,
    /// Nothing was run, however well the build around it ended.
    Void,
}

/// Where and how a line speaks.
#[derive(Debug, Clone, Copy)]
pub enum Shape {
    /// The line is exactly this.
    Whole(&'static str, Mark),
    /// The line begins with this.
    Starts(&'static str, Mark),
    /// The line begins with the first and holds the second.
    With(&'static str, &'static str, Mark),
    /// The line ends with this.
    Ends(&'static str, Mark),
    /// A list of counts between a beginning (may be empty) and an end; where the end is `T`, the
    /// rest of the line is a time.
    Counts(&'static str, &'static str),
    /// `N word` is the whole line.
    Bare(&'static str),
    /// A runner's own reader.
    Own(fn(&str) -> Option<Found>),
}

/// What one line says.
#[derive(Debug, Clone, Copy)]
pub enum Found {
    /// A phrase.
    Mark(Mark),
    /// Counts.
    Tally(Tally),
    /// How many checks there were, whatever became of each.
    Ran(u64),
}

impl Shape {
    fn read(self, line: &str) -> Option<Found> {
        match self {
            Self::Whole(text, mark) => (line == text).then_some(Found::Mark(mark)),
            Self::Starts(text, mark) => line.starts_with(text).then_some(Found::Mark(mark)),
            Self::With(text, held, mark) => {
                (line.starts_with(text) && line.contains(held)).then_some(Found::Mark(mark))
            }
            Self::Ends(text, mark) => line.ends_with(text).then_some(Found::Mark(mark)),
            Self::Counts(lead, end) => {
                let rest = line.strip_prefix(lead)?;
                let list = if end == "T" {
                    timed(rest)?
                } else {
                    rest.strip_suffix(end)?
                };
                count::list(list).map(Found::Tally)
            }
            Self::Bare(word) => {
                let (number, own) = line.split_once(' ')?;
                let own = own.split(" (").next().unwrap_or(own);
                let own = own.trim();
                if own != word {
                    return None;
                }
                count::number(number)?;
                count::list(line.split(" (").next().unwrap_or(line)).map(Found::Tally)
            }
            Self::Own(read) => read(line),
        }
    }
}

/// `LIST in TIME`, `LIST (TIME)` or `LIST; finished in TIME`: the list.
fn timed(rest: &str) -> Option<&str> {
    let cut = [" in ", "; finished in ", " after ", " ("]
        .iter()
        .filter_map(|join| {
            let at = rest.rfind(join)?;
            count::is_time(rest.get(at + join.len()..)?).then_some(at)
        })
        .min()?;
    let list = rest.get(..cut)?;
    Some(list.strip_suffix("; finished").unwrap_or(list))
}

/// What the lines read so far come to.
#[derive(Debug, Default)]
pub(super) struct Reading {
    ok: bool,
    failed: bool,
    empty: bool,
    void: bool,
    ran: Option<u64>,
    tally: Option<Tally>,
}

impl Reading {
    /// Reads a line by the first shape that fits.
    pub(super) fn line<'r>(&mut self, runners: impl Iterator<Item = &'r Runner>, line: &str) {
        let found = runners
            .flat_map(|runner| runner.shapes)
            .find_map(|shape| shape.read(line));
        match found {
            Some(Found::Mark(Mark::Ok)) => self.ok = true,
            Some(Found::Mark(Mark::Failed)) => self.failed = true,
            Some(Found::Mark(Mark::Empty)) => self.empty = true,
            Some(Found::Mark(Mark::Void)) => self.void = true,
            Some(Found::Ran(ran)) => {
                self.ran = Some(ran.saturating_add(self.ran.unwrap_or(0)));
            }
            Some(Found::Tally(tally)) => self.tally.get_or_insert_default().add(tally),
            None => {}
        }
    }

    pub(super) fn finish(mut self, scattered: bool) -> Summary {
        if let Some(ran) = self.ran {
            let tally = self.tally.get_or_insert_default();
            let others = tally.failed.saturating_add(tally.errors);
            tally.passed = ran.saturating_sub(others.saturating_add(tally.skipped));
        }
        let tally = self.tally.unwrap_or_default();
        let speech = if self.failed || tally.failed > 0 || tally.errors > 0 {
            Speech::Failed
        } else if tally.passed > 0 || (!self.void && self.ok && self.tally.is_none()) {
            Speech::Ok
        } else if self.empty || self.void || self.tally.is_some() {
            Speech::Empty
        } else {
            Speech::Silent
        };
        Summary {
            speech,
            tally: self.tally,
            scattered,
        }
    }
}
