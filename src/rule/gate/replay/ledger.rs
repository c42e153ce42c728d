//! What a session changed and verified so far.

use std::collections::{BTreeMap, BTreeSet};

use super::surface::Surface;
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
    /// Every path that was changed.
    pub(super) changed: Surface,
    /// Those that nothing looked at since.
    unseen: Surface,
    /// Those that the turn of the last change changed.
    latest: BTreeSet<String>,
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
        if self.last.is_none_or(|last| last.turn != change.turn) {
            self.latest.clear();
        }
        self.last = Some(change);
        if let Some((place, _)) = self.signals.values().next() {
            self.stale = Some(*place);
        }
        self.signals.clear();
        for path in paths {
            self.changed.add(path);
            self.unseen.add(path);
            self.latest.insert(path.clone());
        }
    }

    /// Notes that everything was seen after its last change.
    pub(super) fn observe_all(&mut self) {
        self.unseen = Surface::default();
    }

    /// Notes that the paths were seen which any of the identifiers names.
    pub(super) fn observe<'a>(&mut self, names: impl Iterator<Item = &'a str>) {
        // A session may have changed thousands of files, so what was seen is looked up by its name
        // and no path is compared with a whole text.
        if self.unseen.is_empty() {
            return;
        }
        for name in names {
            self.unseen.remove(name);
        }
    }

    /// Paths that a turn changed and nothing looked at since.
    pub(super) fn unverified(&self, turn: u32) -> Vec<String> {
        if self.last.is_none_or(|last| last.turn != turn) {
            return Vec::new();
        }
        let unseen = |path: &&String| self.unseen.contains(path);
        self.latest.iter().filter(unseen).cloned().collect()
    }
}
