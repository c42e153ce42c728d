//! What a session changed and verified so far.

use std::collections::{BTreeMap, BTreeSet};

use crate::shell::Verify;
use crate::transcript::Place;

/// A check that went well. It lives until the next change of the work, and a red run takes it back.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Signal {
    /// Tests passed.
    TestsPassed,
    /// A build passed.
    BuildPassed,
    /// A linter found nothing.
    LintClean,
    /// A type checker found nothing.
    TypecheckClean,
    /// A format check found nothing.
    FormatClean,
    /// The program ran.
    RanClean,
}

impl Signal {
    /// Every signal.
    pub const ALL: [Self; 6] = [
        Self::TestsPassed,
        Self::BuildPassed,
        Self::LintClean,
        Self::TypecheckClean,
        Self::FormatClean,
        Self::RanClean,
    ];

    /// The signal of a verification.
    #[must_use]
    pub fn of(verify: Verify) -> Self {
        match verify {
            Verify::Test => Self::TestsPassed,
            Verify::Build => Self::BuildPassed,
            Verify::Lint => Self::LintClean,
            Verify::Typecheck => Self::TypecheckClean,
            Verify::Format => Self::FormatClean,
            Verify::Run => Self::RanClean,
        }
    }

    /// The name that policies use for it.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Self::TestsPassed => "tests-passed",
            Self::BuildPassed => "build-passed",
            Self::LintClean => "lint-clean",
            Self::TypecheckClean => "typecheck-clean",
            Self::FormatClean => "format-clean",
            Self::RanClean => "ran-clean",
        }
    }
}

/// A change of the work.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Change {
    /// The step that made it; steps count from 1 over the session.
    pub(super) step: i64,
    /// How many events of the session came before it was known to be made.
    pub(super) arrived: u64,
}

/// What a session changed and verified so far.
#[derive(Debug, Clone, Default)]
pub(super) struct Ledger {
    /// The last change, if there was any.
    pub(super) last: Option<Change>,
    /// The last piece of the record that could not be read.
    pub(super) unread: Option<Place>,
    /// Signals that hold, with where they were given.
    pub(super) signals: BTreeMap<Signal, Place>,
    /// Whether the last change was looked at.
    pub(super) looked: bool,
    /// What else than files was changed, with a good result.
    pub(super) outward: BTreeSet<Outward>,
    /// Whether anything of unknown effect, or by another agent, was ever done.
    pub(super) clouded: bool,
}

/// A change of something that no file shows.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Outward {
    /// The repository's own bookkeeping.
    Repo,
    /// Another machine.
    Remote,
    /// Packages, processes, services.
    Environment,
}

impl Ledger {
    /// Notes a change of the work; where it undoes it, what was verified before says nothing of it.
    pub(super) fn change(&mut self, change: Change, undoes: bool) {
        self.last = Some(change);
        if undoes {
            self.signals.clear();
        }
        self.looked = false;
    }

    /// Whether the session never did anything that a claim of a change could mean.
    pub(super) fn idle(&self) -> bool {
        self.last.is_none() && self.outward.is_empty() && !self.clouded
    }
}
