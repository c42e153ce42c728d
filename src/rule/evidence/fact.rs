//! The facts.

use super::lines::Stretch;
use crate::rule::claim::Kind;
use crate::rule::runner::Tally;
use crate::shell::Verify;
use crate::transcript::{Outcome, Place};

/// What a run of a check shows.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Shown {
    /// It went well.
    Passed,
    /// It went badly.
    Failed,
    /// It ran nothing.
    Empty,
    /// Its status is hidden, and its output does not tell.
    Masked,
    /// It had not ended.
    Running,
    /// The record does not tell how it ended.
    Unknown,
}

/// One run of a check: a test, build, lint, format or type check, or of the program itself.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Run {
    /// Its place among the deeds of the session, from 1.
    pub order: u64,
    /// The turn.
    pub turn: u32,
    /// Where its result stands, or its call where there is none.
    pub place: Place,
    /// What it checks.
    pub verify: Verify,
    /// Its words in normal form.
    pub words: String,
    /// What it shows.
    pub shown: Shown,
    /// Whether its output told, rather than its exit status.
    pub by_output: bool,
    /// What its output counts.
    pub tally: Option<Tally>,
    /// Arguments that narrow it to a part: files, packages, names.
    pub narrowed: Vec<String>,
    /// Whether a launched agent ran it.
    pub delegated: bool,
    /// The folder that it ran in; empty where it is not known.
    pub dir: String,
    /// Whether it ran while the work was laid aside (`git stash`).
    pub base: bool,
    /// Whether only its output tells that it is a run: no known runner is named.
    pub loose: bool,
    /// Whether what it printed stands in what the agent had written itself.
    pub self_made: bool,
}

/// One change of a file under work.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Edit {
    /// Its place among the deeds of the session.
    pub order: u64,
    /// The turn.
    pub turn: u32,
    /// Where its result stands, or its call where there is none.
    pub place: Place,
    /// The path in canonical form; empty where a command does not name what it changes.
    pub path: String,
    /// Whether it is known to have been made.
    pub made: bool,
    /// Whether a launched agent made it.
    pub delegated: bool,
    /// Whether its tool refused it, or the user did.
    pub refused: bool,
    /// Whether a check may read it: code, configuration, data, or what is not named.
    pub checked: bool,
    /// Whether it is a scratch file rather than the work.
    pub scratch: bool,
    /// Where it was taken back.
    pub undone: Option<Place>,
    /// The earliest change that it takes back, by its place, where it is such a step.
    pub restores: Option<u64>,
    /// What it takes out and puts in, as keys, where its call tells.
    pub swap: Option<(u64, u64)>,
    /// The lines that it wrote, where it wrote the file as a whole.
    pub lines: Option<Stretch>,
}

impl Edit {
    /// Whether it was made and stands.
    #[must_use]
    pub fn stands(&self) -> bool {
        self.made && self.undone.is_none()
    }
}

/// A look at a file, a listing or a page.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Look {
    /// Its place among the deeds of the session.
    pub order: u64,
    /// The turn.
    pub turn: u32,
    /// Where its result stands.
    pub place: Place,
    /// Paths that it names.
    pub paths: Vec<String>,
    /// The lines of its one file that it showed, where that can be told.
    pub lines: Option<Stretch>,
}

/// A change of something that no file under work shows.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Outward {
    /// Its place among the deeds of the session.
    pub order: u64,
    /// The turn.
    pub turn: u32,
    /// Where its result stands, or its call where there is none.
    pub place: Place,
    /// What it changes.
    pub kind: OutwardKind,
    /// Whether it is a rehearsal that changes nothing (`--dry-run`).
    pub rehearsal: bool,
    /// Its words in normal form.
    pub words: String,
    /// How it ended; a hidden status counts as unknown where the output does not tell.
    pub outcome: Outcome,
    /// Whether a launched agent made it.
    pub delegated: bool,
}

/// What an outward change changes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum OutwardKind {
    /// A commit.
    Commit,
    /// A push.
    Push,
    /// A pull request.
    Pr,
    /// A merge.
    Merge,
    /// A package or release.
    Publish,
    /// A deployment.
    Deploy,
    /// An installation.
    Install,
    /// A look at what a CI service says.
    Ci,
    /// A look at the state of a pull request.
    State,
    /// Anything else.
    Other,
}

/// Work that was handed to another agent.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Delegation {
    /// Its place among the deeds of the session.
    pub order: u64,
    /// The turn.
    pub turn: u32,
    /// Where its report stands.
    pub place: Place,
    /// Whether the agent's own record is there.
    pub record: bool,
    /// Whether its record shows that it looked at something.
    pub looked: bool,
    /// Whether it says that it could not find something out.
    pub denies: bool,
    /// The kinds of what it reports as done, none twice.
    pub says: Vec<Kind>,
}
