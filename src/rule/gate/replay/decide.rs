//! The submit boundary, with a third answer.

use super::super::ClaimType;
use super::super::claim_type::{Inferred, SubClaim};
use super::answer::{Answer, GateVerdict, NearMiss, Reason};
use super::latches::Latches;
use super::loops::ReplayGate;
use crate::turn::Turn;

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
        let worked = turn
            .steps
            .iter()
            .any(|step| !step.neutral && !step.outcome.never_ran());
        match inferred.claim_type {
            ClaimType::None => accept(Reason::NoClaim),
            ClaimType::Unverified => accept(Reason::OpenlyUnverified),
            ClaimType::Unknown => (GateVerdict::Unknown, Reason::Language),
            ClaimType::Assertion if inferred.told => self.told(inferred, latches, worked),
            // Words without any deed rest on what was said before: there is nothing to hold them against.
            ClaimType::Assertion if !worked => accept(Reason::NoClaim),
            ClaimType::Assertion => self.assertion(latches),
            ClaimType::Completion => self.completion(inferred, latches),
        }
    }

    /// A close about deeds, in a turn that did none.
    fn told(&self, inferred: &Inferred, latches: &Latches, worked: bool) -> Decision {
        let own = inferred
            .stated
            .iter()
            .any(|stated| stated.own && stated.kind != SubClaim::Check);
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
        if !self.ledger.signals.is_empty() || (self.ledger.looked && !checks) {
            return accept(Reason::Carried);
        }
        if !worked {
            return (GateVerdict::Unknown, Reason::EarlierWork);
        }
        let reason = if self.ledger.idle() {
            Reason::NoQualifyingObservation
        } else {
            Reason::NoVerifiedObservation
        };
        self.short_of(&latches.misses, latches, reason)
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
        self.short_of(&latches.misses, latches, Reason::NoQualifyingObservation)
    }

    fn completion(&self, inferred: &Inferred, latches: &Latches) -> Decision {
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
            let checked = !self.ledger.signals.is_empty() || latches.remote_checks;
            return if latches.unknown_after {
                accept(Reason::UnknownAfterVerification)
            } else if checks && !checked {
                // Only a look came after the change: whether the check went well, it cannot say.
                (GateVerdict::Unknown, Reason::SignalsUnmet)
            } else {
                accept(Reason::Verified)
            };
        }
        self.unverified(inferred, latches)
    }

    /// Something was changed, and nothing after it shows it.
    fn unverified(&self, inferred: &Inferred, latches: &Latches) -> Decision {
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
        let edits = edits && states(inferred, SubClaim::Edit);
        if short.0 == GateVerdict::Reject
            && edits
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

fn states(inferred: &Inferred, kind: SubClaim) -> bool {
    inferred.stated.iter().any(|stated| stated.kind == kind)
}
