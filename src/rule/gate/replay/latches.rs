//! What one turn has shown so far.

use std::collections::{BTreeSet, HashMap};

use super::super::{Preset, Tier};
use super::answer::{Evidence, NearMiss};
use super::ledger::Signal;
use crate::shell::{Domain, Effect};
use crate::transcript::Outcome;
use crate::turn::{Act, Step};

/// Evidence that one answer lists at most.
const EVIDENCE: usize = 6;

/// The latches of a turn; they begin anew with each.
#[derive(Default)]
pub(super) struct Latches {
    pub(super) grounded: bool,
    pub(super) verified: bool,
    pub(super) budget: i64,
    /// There was a verification, and a change came after it.
    pub(super) stale: bool,
    /// The last run since the last change failed.
    pub(super) red: bool,
    /// The kinds of run whose last one since the last change failed.
    pub(super) reds: BTreeSet<Signal>,
    /// A run was asked for and refused, or was ended before it told anything.
    pub(super) no_run: bool,
    /// A change was refused, or its tool failed, and nothing was changed or looked at since.
    pub(super) refused: bool,
    /// Another machine was changed in this turn.
    pub(super) sent: bool,
    /// A remote's checks were looked at since the last change.
    pub(super) remote_checks: bool,
    /// An agent without a record of its own reported since the last change.
    pub(super) reported: bool,
    pub(super) unknown_after: bool,
    /// A formatter or a merge came after the verification.
    pub(super) softened: bool,
    pub(super) changed: bool,
    /// A change was made whose own result does not confirm it.
    pub(super) unconfirmed: bool,
    /// A change without a result came after what was verified, and nothing after it.
    pub(super) overtaken: bool,
    /// A piece of the turn cannot be read, and nothing was observed after it.
    pub(super) unread: bool,
    /// A piece of the turn, or the result of a run that came after a red one, cannot be read.
    pub(super) missed: bool,
    /// The same, and nothing was changed since.
    pub(super) missed_after: bool,
    pub(super) outward: bool,
    /// A change was made that names no path (`git merge`): any look of git's is about it.
    pub(super) pathless: bool,
    /// Whether the close names a file.
    pub(super) names_file: bool,
    /// Everything that was no observation.
    pub(super) misses: Vec<NearMiss>,
    /// The same since the last change.
    pub(super) misses_after: Vec<NearMiss>,
    pub(super) evidence: Vec<Evidence>,
    pub(super) rejected: u64,
    /// Changed paths that nothing looked at since, by their numbers on the surface.
    pub(super) unseen: BTreeSet<u32>,
    /// The last step that asked each question since the last change.
    pub(super) asked: HashMap<u64, usize>,
}

impl Latches {
    pub(super) fn new(preset: Preset) -> Self {
        Self {
            budget: preset.cap(),
            ..Self::default()
        }
    }

    pub(super) fn miss(&mut self, miss: NearMiss) {
        for list in [&mut self.misses, &mut self.misses_after] {
            if !list.contains(&miss) {
                list.push(miss);
            }
        }
    }

    pub(super) fn note(&mut self, step: &Step, what: &'static str, tier: Option<Tier>) {
        if self.evidence.len() >= EVIDENCE {
            self.evidence.remove(0);
        }
        self.evidence.push(Evidence {
            place: step.result.unwrap_or(step.call),
            what,
            tier,
        });
    }

    /// A call that never ran: what was seen before it does not show what it was to bring about.
    pub(super) fn refuse(&mut self, step: &Step, undoes: bool) {
        self.refused |= undoes && step.acts.iter().any(Act::changes_work);
        self.no_run |= step.acts.iter().any(|act| act.verify.is_some());
    }

    /// A piece that cannot be read may be a run that went well, or anything else.
    pub(super) fn lose(&mut self) {
        self.unread = true;
        self.missed = true;
        self.missed_after = true;
        self.red = false;
        self.reds.clear();
    }

    /// A run without a result, or one beside the change: it shows nothing, and no red run of its kind
    /// is the last one any more.
    pub(super) fn hang(&mut self, step: &Step) {
        for verify in step.acts.iter().filter_map(|act| act.verify) {
            if self.reds.remove(&Signal::of(verify)) {
                self.red = !self.reds.is_empty();
                self.missed = true;
                self.missed_after = true;
            }
        }
    }

    /// A change was made: what was seen before it says nothing of it.
    pub(super) fn change(&mut self, carried: bool, undoes: bool) {
        self.stale |= undoes && (self.verified || carried);
        self.verified &= !undoes;
        self.unknown_after = false;
        self.softened = false;
        self.red = false;
        self.reds.clear();
        self.no_run = false;
        self.refused = false;
        self.remote_checks = false;
        self.reported = false;
        self.overtaken = false;
        self.missed_after = false;
        self.changed = true;
        self.misses_after.clear();
        self.asked.clear();
    }

    /// An observation counts: the budget is refilled.
    pub(super) fn qualify(&mut self, preset: Preset) {
        self.grounded = true;
        self.refused = false;
        self.unread = false;
        self.budget = (self.budget + preset.refill()).min(preset.cap());
    }
}

/// Whether an act has, or may have, an effect that a close can report as done.
pub(super) fn may_change(act: &Act) -> bool {
    match act.effect {
        Effect::Mutate => act.domain != Some(Domain::Scratch),
        Effect::Unknown => act.verify.is_none(),
        Effect::Read | Effect::None => false,
    }
}

/// Why an act whose outcome does not show is no observation.
pub(super) fn miss_of(step: &Step, act: &Act) -> NearMiss {
    match step.outcome {
        Outcome::Running => NearMiss::Running,
        Outcome::Failed(_) | Outcome::Interrupted if !act.masked => NearMiss::Failed,
        Outcome::Unknown | Outcome::Missing => NearMiss::Unknown,
        _ => NearMiss::Masked,
    }
}

/// `git status` and `git diff --stat` show names and no content.
pub(super) fn names_only(act: &Act) -> bool {
    act.program == "git"
        && (act.words.starts_with("git status")
            || act.words.contains(" --stat")
            || act.words.contains(" --name-"))
}

/// Whether exit code 1 only says that nothing was found, or that two things differ.
pub(super) fn asks(act: &Act) -> bool {
    matches!(
        act.program.as_str(),
        "grep"
            | "egrep"
            | "fgrep"
            | "rg"
            | "ag"
            | "diff"
            | "cmp"
            | "test"
            | "["
            | "[["
            | "which"
            | "pgrep"
    ) || act.words.starts_with("git grep")
        || act.words.starts_with("git diff")
}

/// A look at what a remote's own checks came to.
pub(super) fn remote_checks(act: &Act) -> bool {
    [
        "gh pr checks",
        "gh run ",
        "gh pr view",
        "glab ci ",
        "glab pipeline ",
    ]
    .iter()
    .any(|lead| act.words.starts_with(lead))
}

/// Changes that keep what was verified in doubt rather than undo it: a formatter's, and git's own
/// when it brings work together.
pub(super) fn is_soft(act: &Act) -> bool {
    const GIT: [&str; 7] = [
        "git rebase",
        "git merge",
        "git pull",
        "git stash",
        "git cherry-pick",
        "git switch",
        "git commit",
    ];
    let words = act.words.as_str();
    let formats = matches!(
        act.program.as_str(),
        "gofmt" | "goimports" | "rustfmt" | "black" | "isort" | "prettier" | "shfmt" | "gofumpt"
    ) || words
        .split(' ')
        .skip(1)
        .take(3)
        .any(|word| matches!(word, "fmt" | "format" | "prettier"));
    let branches = words.starts_with("git checkout") && !words.contains(" -- ");
    formats || branches || GIT.iter().any(|lead| words.starts_with(lead))
}

/// Programs that may end well and change nothing: a pattern that matches nowhere is no error.
pub(super) fn may_miss(act: &Act) -> bool {
    matches!(
        act.program.as_str(),
        "sed" | "perl" | "awk" | "find" | "xargs" | "python" | "python3"
    )
}
