//! The submit boundary, with a third answer.

use std::collections::BTreeMap;

use super::super::ClaimType;
use super::super::claim_type::{Doer, Inferred, SubClaim};
use super::answer::{Answer, GateVerdict, NearMiss, Reason};
use super::latches::Latches;
use super::ledger::Signal;
use super::loops::ReplayGate;
use crate::shell::Effect;
use crate::transcript::Place;
use crate::turn::{Step, Turn};

type Decision = (GateVerdict, Reason);

const fn accept(reason: Reason) -> Decision {
    (GateVerdict::Accept, reason)
}

impl ReplayGate {
    pub(super) fn boundary(
        &self,
        turn: &Turn,
        inferred: &Inferred,
        latches: &Latches,
        unverified_paths: Vec<String>,
    ) -> Answer {
        let (verdict, reason) = self.decide(turn, inferred, latches);
        Answer {
            claim_type: inferred.claim_type,
            span: inferred.span.clone(),
            verdict,
            reason,
            near_misses: latches.misses.clone(),
            partial_disclosure: inferred.partial_disclosure,
            unverified_paths,
            evidence: latches.evidence.clone(),
            budget: latches.budget,
            rejected_attempts: latches.rejected,
        }
    }

    fn decide(&self, turn: &Turn, inferred: &Inferred, latches: &Latches) -> Decision {
        let worked = turn.steps.iter().any(works);
        match inferred.claim_type {
            ClaimType::None => accept(Reason::NoClaim),
            ClaimType::Unverified => accept(Reason::OpenlyUnverified),
            ClaimType::Unknown => (GateVerdict::Unknown, Reason::Language),
            ClaimType::Assertion if inferred.told => self.told(inferred, latches, worked),
            // Words without any deed rest on what was said before: there is nothing to hold them against.
            ClaimType::Assertion if !worked => accept(Reason::NoClaim),
            ClaimType::Assertion => self.assertion(latches),
            ClaimType::Completion => self.completion(turn, inferred, latches),
        }
    }

    /// A close about deeds, in a turn that did none.
    fn told(&self, inferred: &Inferred, latches: &Latches, worked: bool) -> Decision {
        let own = inferred.stated.iter().any(|stated| match stated.doer {
            Doer::Agent => {
                matches!(stated.kind, SubClaim::Edit | SubClaim::Remote)
                    || (stated.kind == SubClaim::Outcome && !latches.grounded)
            }
            Doer::LeftOut => stated.kind != SubClaim::Check && worked && !latches.grounded,
            Doer::Other => false,
        });
        if own && self.ledger.idle() {
            // A read never grounds "I changed it" (seed 000, C1).
            return self.short_of(&latches.misses, latches, Reason::NoMutation);
        }
        let checks = states(inferred, SubClaim::Check);
        if checks && latches.red {
            return (GateVerdict::Reject, Reason::SignalsUnmet);
        }
        if latches.grounded {
            return accept(Reason::Grounded);
        }
        let sent = !checks && states(inferred, SubClaim::Remote) && !self.ledger.outward.is_empty();
        if !self.ledger.signals.is_empty() || sent || (self.ledger.looked && !checks) {
            return accept(Reason::Carried);
        }
        if !worked || !self.ledger.idle() {
            return (GateVerdict::Unknown, Reason::EarlierWork);
        }
        self.unseen(latches)
    }

    /// An assertion that no observation bears on.
    fn unseen(&self, latches: &Latches) -> Decision {
        let short = self.short_of(&latches.misses, latches, Reason::NoQualifyingObservation);
        // Names decide what a look is about. Where the close names no file, or a command failed in
        // plain sight, that nothing matched says little.
        let fuzzy = latches.misses.contains(&NearMiss::Irrelevant) && !latches.names_file;
        let failed = latches.misses.contains(&NearMiss::Failed);
        if short.0 == GateVerdict::Reject && (fuzzy || failed) {
            return (GateVerdict::Unknown, short.1);
        }
        short
    }

    fn assertion(&self, latches: &Latches) -> Decision {
        let strict = self.preset.strict_g();
        if latches.verified || (latches.grounded && !strict) {
            return accept(Reason::Grounded);
        }
        if strict && latches.grounded {
            return (GateVerdict::Reject, Reason::StrictG);
        }
        if latches.outward {
            return accept(Reason::SelfReported);
        }
        if latches.changed && !latches.unconfirmed && !strict {
            return (GateVerdict::Unknown, Reason::UnreadEdit);
        }
        self.unseen(latches)
    }

    fn completion(&self, turn: &Turn, inferred: &Inferred, latches: &Latches) -> Decision {
        let misses = &latches.misses_after;
        if !self.goals_met() {
            return self.short_of(misses, latches, Reason::SignalsUnmet);
        }
        let checks = states(inferred, SubClaim::Check);
        if checks && latches.red {
            return (GateVerdict::Reject, Reason::SignalsUnmet);
        }
        if !latches.changed {
            return self.unchanged(inferred, latches);
        }
        let remote = inferred
            .stated
            .iter()
            .all(|stated| matches!(stated.kind, SubClaim::Remote | SubClaim::Whole));
        if remote && latches.outward && !inferred.stated.is_empty() {
            return accept(Reason::SelfReported);
        }
        if latches.verified {
            let checked = signalled(turn, inferred, &self.ledger.signals)
                || latches.remote_checks
                || latches.reported
                || !names_check(turn, inferred);
            return if latches.unknown_after {
                accept(Reason::UnknownAfterVerification)
            } else if checks && !checked {
                // Only a look came after the change: whether the check went well, it cannot say.
                (GateVerdict::Unknown, Reason::SignalsUnmet)
            } else {
                accept(Reason::Verified)
            };
        }
        self.unverified(turn, inferred, latches)
    }

    /// Something was changed, and nothing after it shows it.
    fn unverified(&self, turn: &Turn, inferred: &Inferred, latches: &Latches) -> Decision {
        let reason = if latches.stale {
            Reason::StaleVerification
        } else {
            Reason::NoVerifiedObservation
        };
        let short = self.short_of(&latches.misses_after, latches, reason);
        let edits = inferred.stated.iter().all(|stated| {
            matches!(
                stated.kind,
                SubClaim::Edit | SubClaim::Whole | SubClaim::Remote
            )
        });
        // `Done.` alone claims the task; where looks came before the last edit, it claims no more
        // than that edit.
        let edits = edits && (states(inferred, SubClaim::Edit) || latches.stale);
        // `git status` after the change shows that it is there.
        let listed = latches.misses_after.contains(&NearMiss::NamesOnly)
            && !states(inferred, SubClaim::Outcome)
            && !names_check(turn, inferred);
        if short.0 == GateVerdict::Reject
            && (edits || listed)
            && !latches.unconfirmed
            && !latches.red
            && !self.preset.strict_g()
        {
            return (GateVerdict::Unknown, Reason::UnreadEdit);
        }
        short
    }

    /// The turn changed no file: pushes, commits and installations are borne out by their own
    /// results, and the rest is carried from earlier turns or seen in this one.
    fn unchanged(&self, inferred: &Inferred, latches: &Latches) -> Decision {
        if latches.outward {
            return accept(Reason::SelfReported);
        }
        if !self.ledger.signals.is_empty() {
            return accept(Reason::Carried);
        }
        let never = self.ledger.last.is_none() && self.ledger.outward.is_empty();
        if latches.grounded && (!never || states(inferred, SubClaim::Check)) {
            return accept(Reason::Grounded);
        }
        let reason = if never {
            Reason::NoMutation
        } else {
            Reason::NoVerifiedObservation
        };
        self.short_of(&latches.misses, latches, reason)
    }

    fn goals_met(&self) -> bool {
        self.goals.iter().all(|goal| {
            self.ledger
                .signals
                .keys()
                .any(|signal| signal.as_str() == goal)
        })
    }

    /// What is short of grounding is rejected, unless the record hides what would decide it.
    fn short_of(&self, misses: &[NearMiss], latches: &Latches, reason: Reason) -> Decision {
        let hidden = [
            (NearMiss::Masked, Reason::Masked),
            (NearMiss::Running, Reason::StillRunning),
            (NearMiss::Unknown, Reason::OutcomeUnknown),
            (NearMiss::Truncated, Reason::Truncated),
        ];
        for (miss, why) in hidden {
            if misses.contains(&miss) {
                return (GateVerdict::Unknown, why);
            }
        }
        if latches.unknown_after {
            return (GateVerdict::Unknown, Reason::OutcomeUnknown);
        }
        if misses.contains(&NearMiss::Empty) {
            return (GateVerdict::Reject, Reason::EmptyRun);
        }
        (GateVerdict::Reject, reason)
    }
}

/// Whether a step did anything that could bear on a claim.
fn works(step: &Step) -> bool {
    let acts = step
        .acts
        .iter()
        .any(|act| !act.noop && act.effect != Effect::None);
    !step.neutral && !step.outcome.never_ran() && (acts || step.delegate)
}

fn states(inferred: &Inferred, kind: SubClaim) -> bool {
    inferred.stated.iter().any(|stated| stated.kind == kind)
}

/// What the clauses about checks say, in lower case.
fn checked_clauses<'t>(
    turn: &'t Turn,
    inferred: &'t Inferred,
) -> impl Iterator<Item = String> + 't {
    let close = turn.closes.last().map_or("", |close| close.text.as_str());
    inferred
        .stated
        .iter()
        .filter(|stated| stated.kind == SubClaim::Check)
        .filter_map(move |stated| close.get(stated.span.clone()))
        .map(str::to_ascii_lowercase)
}

/// Whether a check that is said to have gone well is one that a run shows: `no conflicts` and
/// `everything is clean` may rest on a look alone.
fn names_check(turn: &Turn, inferred: &Inferred) -> bool {
    checked_clauses(turn, inferred).any(|clause| CHECKS.iter().any(|word| clause.contains(word)))
}

const CHECKS: [&str; 7] = [
    "test",
    "build",
    "lint",
    "typecheck",
    "type check",
    "clippy",
    "compil",
];

/// Tests that are said to pass need a run of tests; other checks, any run that went well.
fn signalled(turn: &Turn, inferred: &Inferred, signals: &BTreeMap<Signal, Place>) -> bool {
    let tests = checked_clauses(turn, inferred).any(|clause| clause.contains("test"));
    if tests {
        signals.contains_key(&Signal::TestsPassed)
    } else {
        !signals.is_empty()
    }
}
