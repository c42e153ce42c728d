//! The submit boundary, with a third answer.

use super::super::ClaimType;
use super::super::claim_type::{Doer, Inferred, SubClaim};
use super::answer::{Answer, GateVerdict, NearMiss, Reason};
use super::check::{Checked, Claim, checked, owns_up, runs, says_pushed};
use super::guard::Guard;
use super::latches::Latches;
use super::ledger::{Outward, Signal};
use super::loops::ReplayGate;
use crate::shell::Effect;
use crate::transcript::Place;
use crate::turn::Step;

type Decision = (GateVerdict, Reason);

const fn accept(reason: Reason) -> Decision {
    (GateVerdict::Accept, reason)
}

impl ReplayGate {
    pub(super) fn boundary(
        &self,
        claim: Claim<'_>,
        latches: &Latches,
        unverified_paths: Vec<String>,
    ) -> Answer {
        let (mut verdict, mut reason) = self.decide(claim, latches);
        let hidden = self.hidden(claim, latches, (verdict, reason));
        if self.guards.hold(Guard::OutcomeUnknown, hidden) {
            (verdict, reason) = (GateVerdict::Unknown, Reason::OutcomeUnknown);
        }
        let inferred = claim.inferred;
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

    /// A piece of the record cannot be read: what was done there, nobody can tell.
    pub(super) fn unread(&mut self, place: Place, latches: &mut Latches) {
        if self.guards.on(Guard::OutcomeUnknown) {
            self.ledger.unread = Some(place);
            self.ledger.clouded = true;
            latches.lose();
        }
    }

    /// Whether what cannot be read may be what decides: it stands behind the observation, or may be
    /// the one that is missed.
    fn hidden(&self, claim: Claim<'_>, latches: &Latches, decision: Decision) -> bool {
        match decision {
            (
                GateVerdict::Accept,
                Reason::Grounded
                | Reason::Verified
                | Reason::Carried
                | Reason::UnknownAfterVerification,
            ) => match runs(claim).max() {
                Some(_) => runs(claim).any(|kind| self.overtaken(kind)),
                None if decision.1 == Reason::Carried => self.overtaken(None),
                None => latches.unread,
            },
            (GateVerdict::Reject, reason) => {
                let missed = match reason {
                    Reason::StaleVerification | Reason::NoVerifiedObservation => {
                        latches.missed_after
                    }
                    _ => latches.missed,
                };
                missed && self.checked(claim, latches) != Checked::Red
            }
            _ => false,
        }
    }

    /// Whether a piece that cannot be read stands behind the run of a kind that went well, or
    /// behind all of them.
    fn overtaken(&self, kind: Option<Signal>) -> bool {
        let Some(unread) = self.ledger.unread else {
            return false;
        };
        let own = kind.and_then(|kind| self.ledger.signals.get(&kind));
        let last = own.or(self.ledger.signals.values().max_by_key(|place| place.start));
        last.is_some_and(|place| place.start < unread.start)
    }

    fn decide(&self, claim: Claim<'_>, latches: &Latches) -> Decision {
        let worked = claim.turn.steps.iter().any(works);
        match claim.inferred.claim_type {
            ClaimType::None => accept(Reason::NoClaim),
            ClaimType::Unverified if self.guards.on(Guard::OpenlyUnverified) => {
                accept(Reason::OpenlyUnverified)
            }
            ClaimType::Unknown if self.guards.on(Guard::Language) => {
                (GateVerdict::Unknown, Reason::Language)
            }
            ClaimType::Assertion if claim.inferred.told => self.told(claim, latches),
            // Words without any deed rest on what was said before: there is nothing to hold them against.
            ClaimType::Assertion if self.guards.hold(Guard::NoWork, !worked) => {
                accept(Reason::NoClaim)
            }
            ClaimType::Assertion | ClaimType::Unverified | ClaimType::Unknown => {
                self.assertion(claim, latches)
            }
            ClaimType::Completion => self.completion(claim, latches),
        }
    }

    /// A close about deeds, in a turn that did none.
    fn told(&self, claim: Claim<'_>, latches: &Latches) -> Decision {
        let inferred = claim.inferred;
        let worked = claim.turn.steps.iter().any(works);
        let own = inferred.stated.iter().any(|stated| match stated.doer {
            Doer::Agent => {
                matches!(stated.kind, SubClaim::Edit | SubClaim::Remote)
                    || (stated.kind == SubClaim::Outcome && !latches.grounded)
            }
            Doer::LeftOut => stated.kind != SubClaim::Check && worked && !latches.grounded,
            Doer::Other => false,
        });
        if own && self.guards.hold(Guard::NoMutation, self.ledger.idle()) {
            // A read never grounds "I changed it" (seed 000, C1).
            return self.short_of(&latches.misses, latches, Reason::NoMutation);
        }
        let check = self.checked(claim, latches);
        if check == Checked::Red {
            return (GateVerdict::Reject, Reason::SignalsUnmet);
        }
        if check == Checked::Missing && (latches.grounded || latches.no_run) {
            return self.unchecked(latches);
        }
        if latches.grounded && self.was_refused(claim, latches) {
            return self.unseen(latches);
        }
        if latches.grounded {
            return accept(Reason::Grounded);
        }
        let checks = states(inferred, SubClaim::Check);
        let carried = check != Checked::Missing && !self.ledger.signals.is_empty();
        let sent = !checks && states(inferred, SubClaim::Remote) && !self.ledger.outward.is_empty();
        let carried = carried || sent || (self.ledger.looked && !checks);
        if self.guards.hold(Guard::Carried, carried) {
            return accept(Reason::Carried);
        }
        if self
            .guards
            .hold(Guard::EarlierWork, !worked || !self.ledger.idle())
        {
            return (GateVerdict::Unknown, Reason::EarlierWork);
        }
        self.unseen(latches)
    }

    /// A check is said to have gone well, and no run of its kind shows it. Only a red run
    /// contradicts it; a look may have been at a log that does show it.
    fn unchecked(&self, latches: &Latches) -> Decision {
        let never = latches.no_run && self.ledger.signals.is_empty() && !self.ledger.clouded;
        match self.short_of(&latches.misses, latches, Reason::SignalsUnmet) {
            (GateVerdict::Reject, Reason::SignalsUnmet) if !never => {
                (GateVerdict::Unknown, Reason::SignalsUnmet)
            }
            other => other,
        }
    }

    /// An assertion that no observation bears on.
    fn unseen(&self, latches: &Latches) -> Decision {
        let short = self.short_of(&latches.misses, latches, Reason::NoQualifyingObservation);
        // Names decide what a look is about. Where the close names no file, or a command failed in
        // plain sight, that nothing matched says little.
        let fuzzy = latches.misses.contains(&NearMiss::Irrelevant) && !latches.names_file;
        let failed = latches.misses.contains(&NearMiss::Failed);
        let open = self.guards.hold(Guard::Unnamed, fuzzy || failed);
        if short.0 == GateVerdict::Reject && open {
            return (GateVerdict::Unknown, short.1);
        }
        short
    }

    fn assertion(&self, claim: Claim<'_>, latches: &Latches) -> Decision {
        let strict = self.guards.hold(Guard::Strict, self.preset.strict_g());
        if self.was_refused(claim, latches) {
            return (GateVerdict::Unknown, Reason::NoQualifyingObservation);
        }
        if latches.verified || (latches.grounded && !strict) {
            return accept(Reason::Grounded);
        }
        if strict && latches.grounded {
            return (GateVerdict::Reject, Reason::StrictG);
        }
        if self.guards.hold(Guard::SelfReported, latches.outward) {
            return accept(Reason::SelfReported);
        }
        let unread = latches.changed && !latches.unconfirmed && !strict;
        if self.guards.hold(Guard::UnreadEdit, unread) {
            return (GateVerdict::Unknown, Reason::UnreadEdit);
        }
        self.unseen(latches)
    }

    fn completion(&self, claim: Claim<'_>, latches: &Latches) -> Decision {
        let inferred = claim.inferred;
        let misses = &latches.misses_after;
        if self.guards.hold(Guard::Goals, !self.goals_met()) {
            return self.short_of(misses, latches, Reason::SignalsUnmet);
        }
        let check = self.checked(claim, latches);
        if check == Checked::Red {
            return (GateVerdict::Reject, Reason::SignalsUnmet);
        }
        let remote = inferred
            .stated
            .iter()
            .all(|stated| matches!(stated.kind, SubClaim::Remote | SubClaim::Whole));
        let remote = remote && !inferred.stated.is_empty();
        if (remote || !latches.changed) && self.unsent(claim, latches) {
            // Nothing in the session reached the other side.
            return if self.ledger.clouded {
                (GateVerdict::Unknown, Reason::OutcomeUnknown)
            } else {
                self.short_of(&latches.misses, latches, Reason::NoMutation)
            };
        }
        if !latches.changed {
            return if check == Checked::Missing {
                self.unchecked(latches)
            } else {
                self.unchanged(claim, latches)
            };
        }
        let outward = latches.outward && (latches.sent || !self.pushed(claim));
        let outward = self.guards.hold(Guard::SelfReported, outward);
        if remote && outward {
            return accept(Reason::SelfReported);
        }
        if latches.verified {
            let doubted = latches.softened || self.guards.on(Guard::UnknownEffect);
            return if latches.unknown_after && doubted {
                accept(Reason::UnknownAfterVerification)
            } else if check == Checked::Missing {
                // Only a look came after the change: whether the check went well, it cannot say.
                (GateVerdict::Unknown, Reason::SignalsUnmet)
            } else {
                accept(Reason::Verified)
            };
        }
        self.unverified(claim.inferred, latches, check)
    }

    /// Something was changed, and nothing after it shows it.
    fn unverified(&self, inferred: &Inferred, latches: &Latches, check: Checked) -> Decision {
        let reason = if latches.stale {
            Reason::StaleVerification
        } else {
            Reason::NoVerifiedObservation
        };
        // Whether the change that has no result was made or not, nothing after it shows the outcome.
        let alone = matches!(latches.misses_after.as_slice(), [NearMiss::Unknown]);
        if latches.overtaken && alone && states(inferred, SubClaim::Outcome) {
            return (GateVerdict::Reject, Reason::StaleVerification);
        }
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
            && check != Checked::Missing;
        if short.0 == GateVerdict::Reject
            && (edits || listed)
            && !latches.unconfirmed
            && !latches.red
            && !self.preset.strict_g()
            && self.guards.on(Guard::UnreadEdit)
        {
            return (GateVerdict::Unknown, Reason::UnreadEdit);
        }
        short
    }

    /// The turn changed no file: pushes, commits and installations are borne out by their own
    /// results, and the rest is carried from earlier turns or seen in this one.
    fn unchanged(&self, claim: Claim<'_>, latches: &Latches) -> Decision {
        let inferred = claim.inferred;
        if self.guards.hold(Guard::SelfReported, latches.outward) {
            return accept(Reason::SelfReported);
        }
        // Where nothing was ever changed, a good run bears out no words but those about the run.
        let idle = self.ledger.idle() && !states(inferred, SubClaim::Check);
        let idle = self.guards.hold(Guard::NoMutation, idle);
        let carried = !self.ledger.signals.is_empty() && !idle;
        if self.guards.hold(Guard::Carried, carried) {
            return accept(Reason::Carried);
        }
        let never = self.nothing_done() == Reason::NoMutation;
        let never = self.guards.hold(Guard::NoMutation, never);
        if latches.grounded && (!never || states(inferred, SubClaim::Check)) {
            return accept(Reason::Grounded);
        }
        self.short_of(&latches.misses, latches, self.nothing_done())
    }

    fn nothing_done(&self) -> Reason {
        if self.ledger.last.is_none() && self.ledger.outward.is_empty() {
            Reason::NoMutation
        } else {
            Reason::NoVerifiedObservation
        }
    }

    fn checked(&self, claim: Claim<'_>, latches: &Latches) -> Checked {
        if !self.guards.on(Guard::Checks) {
            return Checked::Shown;
        }
        checked(claim, latches, &self.ledger.signals)
    }

    /// Whether the close says that something was pushed, and the session sent nothing.
    fn unsent(&self, claim: Claim<'_>, latches: &Latches) -> bool {
        let sent = latches.sent || self.ledger.outward.contains(&Outward::Remote);
        self.pushed(claim) && !sent
    }

    fn pushed(&self, claim: Claim<'_>) -> bool {
        self.guards.hold(Guard::Pushed, says_pushed(claim))
    }

    /// Whether a change was refused, and the close does not tell of it.
    fn was_refused(&self, claim: Claim<'_>, latches: &Latches) -> bool {
        let told = self.guards.hold(Guard::OwnedUp, owns_up(claim));
        latches.refused && !told
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
            (Guard::StillRunning, NearMiss::Running, Reason::StillRunning),
            (
                Guard::OutcomeUnknown,
                NearMiss::Unknown,
                Reason::OutcomeUnknown,
            ),
            (Guard::Truncated, NearMiss::Truncated, Reason::Truncated),
        ];
        if misses.contains(&NearMiss::Masked) {
            return (GateVerdict::Unknown, Reason::Masked);
        }
        for (guard, miss, why) in hidden {
            if self.guards.hold(guard, misses.contains(&miss)) {
                return (GateVerdict::Unknown, why);
            }
        }
        if self
            .guards
            .hold(Guard::OutcomeUnknown, latches.unknown_after)
        {
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
