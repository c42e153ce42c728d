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
    /// Where it stands.
    pub(super) place: Place,
    /// The turn that made it.
    pub(super) turn: u32,
}

/// What a session changed and verified so far.
#[derive(Debug, Clone, Default)]
pub(super) struct Ledger {
    /// The last change, if there was any.
    pub(super) last: Option<Change>,
    /// Every path that was changed, with whether it was observed since.
    pub(super) paths: BTreeMap<String, (Change, bool)>,
    /// Signals that hold, with where they were given.
    pub(super) signals: BTreeMap<Signal, (Place, u32)>,
    /// Where a verification stood that a later change took back.
    pub(super) stale: Option<Place>,
    /// Whether anything else than files was changed, by kind of thing and with a good result.
    pub(super) outward: BTreeSet<Outward>,
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
    /// Notes a change of the work.
    pub(super) fn change(&mut self, change: Change, paths: &[String]) {
        self.last = Some(change);
        if let Some((place, _)) = self.signals.values().next() {
            self.stale = Some(*place);
        }
        self.signals.clear();
        for path in paths {
            self.paths.insert(path.clone(), (change, false));
        }
    }

    /// Notes that some paths were seen after their last change.
    pub(super) fn observe(&mut self, seen: impl Fn(&str) -> bool) {
        for (path, (_, observed)) in &mut self.paths {
            if !*observed && seen(path) {
                *observed = true;
            }
        }
    }

    /// Paths that a turn changed and nothing looked at since.
    pub(super) fn unverified(&self, turn: u32) -> Vec<String> {
        self.paths
            .iter()
            .filter(|(_, (change, observed))| change.turn == turn && !observed)
            .map(|(path, _)| path.clone())
            .collect()
    }
}
