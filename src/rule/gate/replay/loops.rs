//! The turn loop over a finished turn.

use std::collections::HashSet;

use super::super::claim_type::{ClaimType, Inferred, SubClaim, infer_prose};
use super::super::normalize::normalize_04;
use super::super::novelty::NoveltyKey;
use super::super::{Preset, Tier};
use super::answer::{Answer, Evidence, GateVerdict, NearMiss, Reason};
use super::ledger::{Change, Ledger, Outward, Signal};
use super::surface::{Surface, named};
use crate::shell::{Domain, Effect};
use crate::text::{Prose, identifiers};
use crate::transcript::Outcome;
use crate::turn::{Act, Ended, Moment, Step, Turn};

/// Evidence that one answer lists at most.
const EVIDENCE: usize = 6;

/// One session's gate. Latches and budget begin anew with each turn; what was changed, verified
/// and seen stays.
#[derive(Debug)]
pub struct ReplayGate {
    preset: Preset,
    goals: Vec<String>,
    ledger: Ledger,
    seen: HashSet<NoveltyKey>,
    step: i64,
}

/// What one turn has shown so far.
#[derive(Default)]
struct Latches {
    grounded: bool,
    verified: bool,
    budget: i64,
    halted: bool,
    stale: bool,
    unknown_after: bool,
    changed: bool,
    outward: bool,
    reported: bool,
    misses: Vec<NearMiss>,
    evidence: Vec<Evidence>,
    rejected: u64,
}

impl Latches {
    fn miss(&mut self, miss: NearMiss) {
        if !self.misses.contains(&miss) {
            self.misses.push(miss);
        }
    }

    fn note(&mut self, evidence: Evidence) {
        if self.evidence.len() >= EVIDENCE {
            self.evidence.remove(0);
        }
        self.evidence.push(evidence);
    }
}

impl ReplayGate {
    /// A gate for one session. `goals` names signals that a completion needs.
    #[must_use]
    pub fn new(preset: Preset, goals: Vec<String>) -> Self {
        Self {
            preset,
            goals,
            ledger: Ledger::default(),
            seen: HashSet::new(),
            step: 0,
        }
    }

    /// Judges a turn and takes what it did into the session's ledger.
    pub fn judge(&mut self, turn: &Turn) -> Answer {
        let acted = turn
            .steps
            .iter()
            .any(|step| !step.outcome.never_ran() && step.acts.iter().any(may_change));
        let close = turn.closes.last();
        let prose = close.map(|close| Prose::read(&close.text));
        let inferred = prose.as_ref().map(|prose| infer_prose(prose, acted));
        let surface = surface(turn, prose.as_ref(), inferred.as_ref(), &self.ledger);
        let mut latches = Latches {
            budget: self.preset.cap(),
            ..Latches::default()
        };
        let last = turn.closes.len().checked_sub(1);
        let mut answer = None;
        for moment in &turn.moments {
            match *moment {
                Moment::Reasoned => latches.budget = (latches.budget - 1).max(0),
                Moment::Stepped(index) => {
                    self.step(turn, &turn.steps[index], &surface, &mut latches);
                }
                Moment::Hung(index) => self.hung(turn, &turn.steps[index], &mut latches),
                Moment::Attempted(index) if Some(index) == last => {
                    answer = inferred
                        .as_ref()
                        .map(|inferred| self.boundary(turn, inferred, &mut latches));
                }
                Moment::Attempted(index) => {
                    let prose = Prose::read(&turn.closes[index].text);
                    let attempt = self.boundary(turn, &infer_prose(&prose, acted), &mut latches);
                    latches.rejected += u64::from(attempt.verdict == GateVerdict::Reject);
                    latches.halted = attempt.verdict == GateVerdict::Reject;
                }
                Moment::Moved => {}
            }
        }
        match answer {
            Some(answer) if turn.ended == Ended::Closed => answer,
            _ => Answer::without_close(latches.budget),
        }
    }

    fn step(&mut self, turn: &Turn, step: &Step, surface: &Surface, latches: &mut Latches) {
        if step.neutral || step.outcome.never_ran() {
            return;
        }
        self.step += 1;
        if let Some(delegated) = &step.delegated {
            let mut changed = false;
            for (act, outcome) in &delegated.acts {
                if act.changes_work() && !outcome.never_ran() {
                    self.change(turn, step, act, latches);
                    changed = true;
                }
            }
            if changed {
                latches.miss(NearMiss::Subagent);
            }
        }
        if step.delegate && step.outcome == Outcome::Ok {
            // A launched agent's report is testimony: enough for an assertion, never for a change.
            latches.grounded = true;
            latches.reported = true;
        }
        for act in &step.acts {
            self.act(turn, step, act, surface, latches);
        }
    }

    fn act(
        &mut self,
        turn: &Turn,
        step: &Step,
        act: &Act,
        surface: &Surface,
        latches: &mut Latches,
    ) {
        match act.effect {
            Effect::None => {}
            Effect::Unknown if act.verify.is_none() => {
                latches.unknown_after = true;
            }
            Effect::Mutate => self.mutate(turn, step, act, latches),
            Effect::Read | Effect::Unknown => self.observe(step, act, surface, latches),
        }
    }

    fn mutate(&mut self, turn: &Turn, step: &Step, act: &Act, latches: &mut Latches) {
        // The client's own edit tools change all or nothing; a failed command may have done half.
        let failed = matches!(step.outcome, Outcome::Failed(_));
        if failed && !act.shell {
            latches.miss(NearMiss::Failed);
            return;
        }
        match act.domain {
            Some(Domain::Workspace) | None => {
                latches.miss(NearMiss::Mutating);
                self.change(turn, step, act, latches);
            }
            Some(Domain::Scratch) => {}
            Some(domain) => {
                let ok = step.outcome == Outcome::Ok && !act.masked;
                let kind = match domain {
                    Domain::Repo => Outward::Repo,
                    Domain::Remote => Outward::Remote,
                    _ => Outward::Environment,
                };
                if ok {
                    self.ledger.outward.insert(kind);
                    latches.outward = true;
                    latches.note(evidence(step, "changed", None));
                } else {
                    latches.miss(miss_of(step, act));
                }
            }
        }
    }

    fn change(&mut self, turn: &Turn, step: &Step, act: &Act, latches: &mut Latches) {
        let change = Change {
            step: self.step,
            arrived: step.arrived,
            place: step.result.unwrap_or(step.call),
            turn: turn.number,
        };
        latches.stale |= latches.verified || !self.ledger.signals.is_empty();
        latches.verified = false;
        latches.unknown_after = false;
        latches.changed = true;
        self.ledger.change(change, &act.writes);
        latches.note(evidence(step, "changed", None));
    }

    fn hung(&mut self, turn: &Turn, step: &Step, latches: &mut Latches) {
        if step.neutral {
            return;
        }
        for act in &step.acts {
            if act.changes_work() {
                self.change(turn, step, act, latches);
            }
        }
    }

    fn observe(&mut self, step: &Step, act: &Act, surface: &Surface, latches: &mut Latches) {
        if act.noop {
            return;
        }
        let failed = matches!(step.outcome, Outcome::Failed(_));
        if act.verify.is_some() && failed && !act.masked {
            // A red run is an observation, and it takes back what an earlier green one showed.
            let signal = act.verify.map(Signal::of);
            signal.map(|signal| self.ledger.signals.remove(&signal));
            latches.grounded = true;
            latches.verified = false;
            latches.miss(NearMiss::Failed);
            latches.note(evidence(step, "failed", Some(Tier::Observed)));
            return;
        }
        let verifies = act.verify.is_some();
        let shown = step.outcome == Outcome::Ok && !(verifies && act.masked);
        if !shown {
            latches.miss(miss_of(step, act));
            return;
        }
        if !verifies && !relevant(step, act, surface) {
            latches.miss(if step.text.is_cut() || step.truncated {
                NearMiss::Truncated
            } else {
                NearMiss::Irrelevant
            });
            return;
        }
        if !self.novel(step, act) && !verifies {
            latches.miss(NearMiss::Novelty);
            return;
        }
        latches.grounded = true;
        latches.budget = (latches.budget + self.preset.refill()).min(self.preset.cap());
        latches.halted = false;
        let Some(change) = self.ledger.last else {
            if let Some(verify) = act.verify {
                self.signal(step, verify);
            }
            latches.note(evidence(step, "observed", Some(Tier::Observed)));
            return;
        };
        let after = self.step > change.step || (self.step == change.step && act.shell);
        let known = step.issued >= change.arrived || self.step == change.step;
        if !after || !known {
            latches.miss(NearMiss::Parallel);
            return;
        }
        if names_only(act) {
            latches.miss(NearMiss::NamesOnly);
            latches.note(evidence(step, "observed", Some(Tier::Observed)));
            return;
        }
        self.verify(step, act, latches);
    }

    fn verify(&mut self, step: &Step, act: &Act, latches: &mut Latches) {
        latches.verified = true;
        latches.stale = false;
        latches.unknown_after = false;
        if let Some(verify) = act.verify {
            self.signal(step, verify);
            self.ledger.observe_all();
        } else {
            let reads = act.reads.iter().map(String::as_str);
            let texts = [act.words.as_str(), step.text.as_str()];
            self.ledger
                .observe(reads.chain(texts.into_iter().flat_map(named)));
        }
        latches.note(evidence(step, "verified", Some(Tier::Verified)));
    }

    fn signal(&mut self, step: &Step, verify: crate::shell::Verify) {
        let place = step.result.unwrap_or(step.call);
        self.ledger.signals.insert(Signal::of(verify), (place, 0));
    }

    fn novel(&mut self, step: &Step, act: &Act) -> bool {
        let epoch = self.ledger.last.map(|change| change.step);
        let args = if act.shell { &act.words } else { &step.args };
        let key = NoveltyKey::new(
            &step.tool,
            Some(epoch.unwrap_or(0)),
            &normalize_04(args),
            &normalize_04(step.text.as_str()),
        );
        self.seen.insert(key)
    }

    /// The submit boundary, with a third answer.
    fn boundary(&self, turn: &Turn, inferred: &Inferred, latches: &mut Latches) -> Answer {
        let (verdict, reason) = self.decide(turn, inferred, latches);
        Answer {
            claim_type: effective(inferred),
            span: inferred.span.clone(),
            verdict,
            reason,
            near_misses: latches.misses.clone(),
            partial_disclosure: inferred.partial_disclosure,
            unverified_paths: self.ledger.unverified(turn.number),
            evidence: latches.evidence.clone(),
            budget: latches.budget,
            rejected_attempts: latches.rejected,
        }
    }

    fn decide(&self, turn: &Turn, inferred: &Inferred, latches: &Latches) -> (GateVerdict, Reason) {
        match inferred.claim_type {
            ClaimType::None => (GateVerdict::Accept, Reason::NoClaim),
            ClaimType::Unverified => (GateVerdict::Accept, Reason::OpenlyUnverified),
            ClaimType::Unknown => (GateVerdict::Unknown, Reason::Language),
            ClaimType::Assertion if inferred.told => self.told(inferred, latches),
            ClaimType::Assertion => self.assertion(turn, latches),
            ClaimType::Completion => self.completion(inferred, latches),
        }
    }

    /// A close about what was done before, in a turn that changed nothing.
    fn told(&self, inferred: &Inferred, latches: &Latches) -> (GateVerdict, Reason) {
        if latches.grounded {
            return (GateVerdict::Accept, Reason::Grounded);
        }
        let changes = inferred
            .stated
            .iter()
            .any(|stated| stated.kind == SubClaim::Edit);
        if !self.ledger.signals.is_empty() {
            return (GateVerdict::Accept, Reason::Carried);
        }
        if self.ledger.last.is_some() || !self.ledger.outward.is_empty() {
            return self.short_of(latches, Reason::NoVerifiedObservation);
        }
        let reason = if changes {
            Reason::NoMutation
        } else {
            Reason::NoQualifyingObservation
        };
        self.short_of(latches, reason)
    }

    fn assertion(&self, turn: &Turn, latches: &Latches) -> (GateVerdict, Reason) {
        if turn.steps.iter().all(|step| step.neutral) {
            // Words without any deed rest on what was said before: there is nothing to hold them against.
            return (GateVerdict::Accept, Reason::NoClaim);
        }
        let holds = if self.preset.strict_g() {
            latches.verified
        } else {
            latches.grounded
        };
        if holds {
            return (GateVerdict::Accept, Reason::Grounded);
        }
        if self.preset.strict_g() && latches.grounded {
            return (GateVerdict::Reject, Reason::StrictG);
        }
        self.short_of(latches, Reason::NoQualifyingObservation)
    }

    fn completion(&self, inferred: &Inferred, latches: &Latches) -> (GateVerdict, Reason) {
        let only = |kind: SubClaim| {
            !inferred.stated.is_empty()
                && inferred
                    .stated
                    .iter()
                    .all(|stated| stated.kind == kind || stated.kind == SubClaim::Whole)
        };
        let goals_met = self.goals.iter().all(|goal| {
            self.ledger
                .signals
                .keys()
                .any(|signal| signal.as_str() == goal)
        });
        if !goals_met {
            return self.short_of(latches, Reason::SignalsUnmet);
        }
        let checks = inferred
            .stated
            .iter()
            .any(|stated| stated.kind == SubClaim::Check);
        if !latches.changed {
            // Pushes, commits and installations are borne out by their own results: no read shows them.
            if latches.outward {
                return (GateVerdict::Accept, Reason::SelfReported);
            }
            if !self.ledger.signals.is_empty() {
                return (GateVerdict::Accept, Reason::Carried);
            }
            if latches.grounded && (checks || self.ledger.last.is_some()) {
                return (GateVerdict::Accept, Reason::Grounded);
            }
            let never = self.ledger.last.is_none() && self.ledger.outward.is_empty();
            let reason = if never {
                Reason::NoMutation
            } else {
                Reason::NoVerifiedObservation
            };
            return self.short_of(latches, reason);
        }
        if only(SubClaim::Remote) && latches.outward {
            return (GateVerdict::Accept, Reason::SelfReported);
        }
        if latches.verified {
            if latches.unknown_after {
                return (GateVerdict::Accept, Reason::UnknownAfterVerification);
            }
            return (GateVerdict::Accept, Reason::Verified);
        }
        let reason = if latches.stale {
            Reason::StaleVerification
        } else {
            Reason::NoVerifiedObservation
        };
        self.short_of(latches, reason)
    }

    /// What is short of grounding is rejected, unless the record hides what would decide it.
    fn short_of(&self, latches: &Latches, reason: Reason) -> (GateVerdict, Reason) {
        let hidden = [
            (NearMiss::Masked, Reason::Masked),
            (NearMiss::Running, Reason::StillRunning),
            (NearMiss::Unknown, Reason::OutcomeUnknown),
            (NearMiss::Truncated, Reason::Truncated),
        ];
        for (miss, why) in hidden {
            if latches.misses.contains(&miss) {
                return (GateVerdict::Unknown, why);
            }
        }
        if latches.unknown_after {
            return (GateVerdict::Unknown, Reason::OutcomeUnknown);
        }
        (GateVerdict::Reject, reason)
    }
}

fn effective(inferred: &Inferred) -> ClaimType {
    inferred.claim_type
}

/// Whether an act has, or may have, an effect that a close can report as done.
fn may_change(act: &Act) -> bool {
    match act.effect {
        Effect::Mutate => act.domain != Some(Domain::Scratch),
        Effect::Unknown => act.verify.is_none(),
        Effect::Read | Effect::None => false,
    }
}

fn miss_of(step: &Step, act: &Act) -> NearMiss {
    match step.outcome {
        Outcome::Running => NearMiss::Running,
        Outcome::Failed(_) | Outcome::Interrupted if !act.masked => NearMiss::Failed,
        Outcome::Unknown | Outcome::Missing => NearMiss::Unknown,
        _ => NearMiss::Masked,
    }
}

/// `git status` and `git diff --stat` show names and no content (GATE, pitfall 1).
fn names_only(act: &Act) -> bool {
    act.program == "git"
        && (act.words.starts_with("git status")
            || act.words.contains(" --stat")
            || act.words.contains(" --name-"))
}

fn relevant(step: &Step, act: &Act, surface: &Surface) -> bool {
    if surface.is_empty() {
        return true;
    }
    act.reads.iter().any(|path| surface.holds(path))
        || surface.touches(if act.shell { &act.words } else { &step.args })
        || surface.touches(step.text.as_str())
}

fn surface(
    turn: &Turn,
    prose: Option<&Prose<'_>>,
    inferred: Option<&Inferred>,
    ledger: &Ledger,
) -> Surface {
    let mut surface = Surface::default();
    let hedged = inferred.map_or(&[][..], |inferred| &inferred.hedged);
    for act in turn
        .steps
        .iter()
        .flat_map(|step| &step.acts)
        .filter(|act| act.changes_work())
    {
        act.writes.iter().for_each(|path| surface.add(path));
    }
    for delegated in turn.steps.iter().filter_map(|step| step.delegated.as_ref()) {
        for (act, _) in &delegated.acts {
            act.writes.iter().for_each(|path| surface.add(path));
        }
    }
    if let Some(prose) = prose {
        for ident in identifiers(prose) {
            if !hedged.iter().any(|name| name == ident.text) {
                surface.add(ident.text);
            }
        }
    }
    surface.widen(&ledger.changed);
    surface
}

fn evidence(step: &Step, what: &'static str, tier: Option<Tier>) -> Evidence {
    Evidence {
        place: step.result.unwrap_or(step.call),
        what,
        tier,
    }
}
