//! The turn loop over a finished turn.

use super::super::claim_type::{Inferred, infer_claims, infer_prose};
use super::super::normalize::normalize_04;
use super::super::{ClaimType, Preset, Tier};
use super::answer::{Answer, GateVerdict, NearMiss};
use super::check::Claim;
use super::guard::{Guard, Guards};
use super::latches::{
    Latches, asks, is_soft, may_change, may_miss, miss_of, names_only, remote_checks,
};
use super::ledger::{Change, Ledger, Outward, Signal};
use super::surface::{Surface, names_file};
use crate::rule::claim::{Reading, read_prose};
use crate::rule::runner::{self, Speech, Via};
use crate::shell::{Domain, Effect, Verify};
use crate::text::{Prose, identifiers};
use crate::transcript::{Outcome, key_of};
use crate::turn::{Act, Ended, Moment, Step, Turn};

/// One session's gate. Latches and budget begin anew with each turn; what was changed and verified
/// stays.
#[derive(Debug)]
pub struct ReplayGate {
    pub(super) preset: Preset,
    pub(super) goals: Vec<String>,
    pub(super) ledger: Ledger,
    pub(super) guards: Guards,
    step: i64,
}

/// What a turn's steps are held against.
struct Watch<'t> {
    turn: &'t Turn,
    /// What the claim is about; `None` where nothing is claimed, and no result needs to be read.
    surface: Option<Surface<'t>>,
}

/// One act in its place.
#[derive(Clone, Copy)]
struct At<'t> {
    step: &'t Step,
    step_index: usize,
    act: &'t Act,
    act_index: usize,
}

impl ReplayGate {
    /// A gate for one session. `goals` names signals that a completion needs.
    #[must_use]
    pub fn new(preset: Preset, goals: Vec<String>) -> Self {
        Self {
            preset,
            goals,
            ledger: Ledger::default(),
            guards: Guards::default(),
            step: 0,
        }
    }

    /// Lets some guards stand only, to see what the others are for.
    #[must_use]
    pub(crate) fn with_guards(mut self, guards: Guards) -> Self {
        self.guards = guards;
        self
    }

    /// Judges a turn and takes what it did into the session's ledger.
    pub fn judge(&mut self, turn: &Turn) -> Answer {
        let prose = turn.closes.last().map(|close| Prose::read(&close.text));
        let reading = prose.as_ref().map(read_prose);
        self.judge_read(turn, prose.as_ref().zip(reading.as_ref()))
    }

    /// As [`Self::judge`], for a turn whose last close has been read already.
    pub fn judge_read(&mut self, turn: &Turn, close: Option<(&Prose<'_>, &Reading)>) -> Answer {
        let acted = turn.steps.iter().any(|step| {
            !step.outcome.never_ran()
                && (step.acts.iter().any(may_change)
                    || step.delegated.as_ref().is_some_and(|delegated| {
                        delegated.acts.iter().any(|(act, _)| may_change(act))
                    }))
        });
        let inferred = close.map(|(prose, reading)| infer_claims(prose, reading, acted));
        let prose = close.map(|(prose, _)| prose);
        let claims = inferred.as_ref().is_some_and(|inferred| {
            matches!(
                inferred.claim_type,
                ClaimType::Assertion | ClaimType::Completion
            )
        });
        let claims = claims && turn.ended == Ended::Closed || turn.closes.len() > 1;
        let watch = Watch {
            turn,
            surface: claims.then(|| surface(turn, prose, inferred.as_ref())),
        };
        let mut latches = Latches::new(self.preset);
        latches.names_file = prose.is_some_and(names_file);
        let last = turn.closes.len().checked_sub(1);
        let mut answer = None;
        for moment in &turn.moments {
            match *moment {
                Moment::Reasoned => latches.budget = (latches.budget - 1).max(0),
                Moment::Stepped(index) => self.step(&watch, index, &mut latches),
                Moment::Hung(index) => self.hung(&watch, index, &mut latches),
                Moment::Attempted(index) if Some(index) == last => {
                    answer = inferred.as_ref().map(|inferred| {
                        let claim = Claim {
                            turn,
                            said: &turn.closes[index].text,
                            inferred,
                        };
                        self.boundary(claim, &latches, unseen(&watch, &latches))
                    });
                }
                Moment::Attempted(index) => {
                    let said = turn.closes[index].text.as_str();
                    let inferred = &infer_prose(&Prose::read(said), acted);
                    let claim = Claim {
                        turn,
                        said,
                        inferred,
                    };
                    let attempt = self.boundary(claim, &latches, Vec::new());
                    latches.rejected += u64::from(attempt.verdict == GateVerdict::Reject);
                }
                Moment::Unread(place) => self.unread(place, &mut latches),
                Moment::Moved => {}
            }
        }
        match answer {
            Some(answer) if turn.ended == Ended::Closed || !self.guards.on(Guard::NoClose) => {
                answer
            }
            _ => Answer::without_close(latches.budget),
        }
    }

    fn step(&mut self, watch: &Watch<'_>, step_index: usize, latches: &mut Latches) {
        let step = &watch.turn.steps[step_index];
        if step.neutral {
            return;
        }
        if step.outcome.never_ran() {
            let changes = step.acts.iter().any(Act::changes_work);
            latches.refuse(step, self.guards.on(Guard::RefusedChange));
            if changes || self.guards.on(Guard::NeverRan) {
                return;
            }
        }
        self.step += 1;
        self.delegated(watch, step, latches);
        if step.delegate {
            self.ledger.clouded = true;
            if step.outcome == Outcome::Ok {
                // Its report is testimony: enough for an assertion, never for a change.
                latches.grounded = true;
                latches.verified |= !self.guards.on(Guard::Testimony);
                latches.reported |= step.delegated.is_none();
            } else {
                latches.miss(match step.outcome {
                    Outcome::Running => NearMiss::Running,
                    Outcome::Failed(_) | Outcome::Interrupted => NearMiss::Failed,
                    _ => NearMiss::Unknown,
                });
            }
        }
        for (act_index, act) in step.acts.iter().enumerate() {
            let at = At {
                step,
                step_index,
                act,
                act_index,
            };
            match act.effect {
                Effect::None if !act.shell || self.guards.on(Guard::NoDeed) => {}
                Effect::Unknown if act.verify.is_none() => self.unknown(at, latches),
                Effect::Mutate => {
                    self.mutate(watch, at, latches);
                    // `pytest > log` and `eslint --fix` write first and end with what they found.
                    if let Some(verify) = act.verify.filter(|verify| *verify != Verify::Format) {
                        self.run(at, verify, latches);
                    }
                }
                Effect::Read | Effect::Unknown | Effect::None => self.observe(watch, at, latches),
            }
        }
    }

    /// What a launched agent changed and ran stands at its result; it is in its own file.
    fn delegated(&mut self, watch: &Watch<'_>, step: &Step, latches: &mut Latches) {
        let Some(delegated) = &step.delegated else {
            return;
        };
        for (act, outcome) in &delegated.acts {
            if outcome.never_ran() {
                continue;
            }
            if act.changes_work() {
                self.change(watch, step, act, step.arrived, latches);
                latches.unconfirmed |= *outcome != Outcome::Ok;
                latches.miss(NearMiss::Subagent);
            } else if let Some(verify) = act.verify {
                match outcome {
                    Outcome::Ok if !act.masked => self.verified(step, Some(verify), latches),
                    Outcome::Failed(_) if !act.masked => self.red(step, verify, latches),
                    _ => latches.miss(NearMiss::Masked),
                }
            }
        }
    }

    fn unknown(&mut self, at: At<'_>, latches: &mut Latches) {
        self.ledger.clouded = true;
        if matches!(at.step.outcome, Outcome::Failed(_)) {
            // That it failed is plain to see, whatever it was meant to do.
            latches.grounded = true;
            latches.note(at.step, "failed", Some(Tier::Observed));
        }
        latches.unknown_after = true;
    }

    fn mutate(&mut self, watch: &Watch<'_>, at: At<'_>, latches: &mut Latches) {
        let At { step, act, .. } = at;
        // The client's own edit tools change all or nothing; a failed command may have done half.
        let failed = matches!(step.outcome, Outcome::Failed(_));
        if self.guards.hold(Guard::FailedEdit, failed && !act.shell) {
            latches.refused = true;
            latches.miss(NearMiss::Failed);
            return;
        }
        let ok = step.outcome == Outcome::Ok && !act.masked;
        let soft = self.guards.hold(Guard::SoftChange, is_soft(act));
        match self.domain(act) {
            Some(Domain::Workspace) | None if ok && latches.verified && soft => {
                latches.unknown_after = true;
                latches.softened = true;
                latches.note(step, "changed", None);
            }
            Some(Domain::Workspace) | None => {
                let refused = latches.refused;
                self.change(watch, step, act, step.arrived, latches);
                // A command that failed makes nothing good.
                latches.refused = refused && failed;
                latches.unconfirmed |= !ok || may_miss(act);
                latches.pathless |= act.writes.is_empty();
                latches.miss(NearMiss::Mutating);
                if matches!(
                    step.outcome,
                    Outcome::Unknown | Outcome::Missing | Outcome::Running
                ) {
                    latches.miss(miss_of(step, act));
                }
            }
            Some(Domain::Scratch) => {}
            Some(_) if !ok => latches.miss(miss_of(step, act)),
            Some(domain) => {
                if !self.guards.on(Guard::Outward) {
                    self.change(watch, step, act, step.arrived, latches);
                }
                self.ledger.outward.insert(match domain {
                    Domain::Repo => Outward::Repo,
                    Domain::Remote => Outward::Remote,
                    _ => Outward::Environment,
                });
                latches.outward = true;
                latches.sent |= domain == Domain::Remote;
                latches.note(step, "changed", None);
            }
        }
    }

    /// `arrived`: how many events came before it was known to be made.
    fn change(
        &mut self,
        watch: &Watch<'_>,
        step: &Step,
        act: &Act,
        arrived: u64,
        latches: &mut Latches,
    ) {
        let stale = self.guards.on(Guard::Stale);
        latches.change(!self.ledger.signals.is_empty(), stale);
        let change = Change {
            step: self.step,
            arrived,
        };
        self.ledger.change(change, stale);
        if let Some(surface) = &watch.surface {
            let ids = act.writes.iter().filter_map(|path| surface.id(path));
            latches.unseen.extend(ids);
        }
        latches.note(step, "changed", None);
    }

    /// A call without a result is no step, but what it may have changed is changed.
    fn hung(&mut self, watch: &Watch<'_>, step_index: usize, latches: &mut Latches) {
        let step = &watch.turn.steps[step_index];
        if step.neutral {
            return;
        }
        let changes = |act: &&Act| self.guards.hold(Guard::MissingResult, act.changes_work());
        let acts: Vec<&Act> = step.acts.iter().filter(changes).collect();
        // What changes shows nothing, whatever its result would have been.
        let only = acts.len() == step.acts.len() && acts.iter().all(|act| act.verify.is_none());
        let overtaken = only && (latches.verified || latches.overtaken);
        // What the agent asked for in a later message came after it.
        let later = watch.turn.steps[step_index..].iter();
        let later = later.filter(|other| other.message != step.message);
        let arrived = later.map(|other| other.issued).min().unwrap_or(u64::MAX);
        for act in acts {
            self.change(watch, step, act, arrived, latches);
            latches.unconfirmed = true;
        }
        latches.overtaken = overtaken;
        latches.hang(step);
        latches.miss(NearMiss::Unknown);
    }

    fn observe(&mut self, watch: &Watch<'_>, at: At<'_>, latches: &mut Latches) {
        let At { step, act, .. } = at;
        if self.guards.hold(Guard::NoDeed, act.noop) {
            return;
        }
        if let Some(verify) = act.verify {
            self.run(at, verify, latches);
            return;
        }
        let Some(surface) = &watch.surface else {
            self.ledger.looked = true;
            return;
        };
        let found_nothing = step.outcome == Outcome::Failed(Some(1)) && asks(act);
        if step.outcome != Outcome::Ok && !found_nothing {
            latches.miss(miss_of(step, act));
            return;
        }
        let cut = step.text.is_cut() || step.truncated;
        let irrelevant = !relevant(at, surface, latches);
        if irrelevant && (self.guards.on(Guard::Irrelevant) || !plain(watch.turn, at, latches)) {
            latches.miss(if cut {
                NearMiss::Truncated
            } else {
                NearMiss::Irrelevant
            });
            return;
        }
        if !novel(watch.turn, at, latches) && self.guards.on(Guard::Novelty) {
            latches.miss(NearMiss::Novelty);
            return;
        }
        latches.qualify(self.preset);
        latches.remote_checks |= remote_checks(act);
        let heard = |gate: &Self| gate.guards.hold(Guard::Testimony, hears(watch.turn, step));
        if self.ledger.last.is_none() || heard(self) {
            latches.note(step, "observed", Some(Tier::Observed));
        } else if !self.after_change(step, act) {
            latches.miss(NearMiss::Parallel);
        } else if self.guards.hold(Guard::NamesOnly, names_only(act)) {
            latches.miss(NearMiss::NamesOnly);
            latches.note(step, "observed", Some(Tier::Observed));
        } else {
            self.verified(step, None, latches);
        }
    }

    /// A verification run. Its own summary outranks its exit flag.
    fn run(&mut self, at: At<'_>, verify: Verify, latches: &mut Latches) {
        let At { step, act, .. } = at;
        let failed = matches!(step.outcome, Outcome::Failed(_));
        let (speech, filtered) = match verify {
            Verify::Run => (Speech::Silent, false),
            _ if failed || step.outcome == Outcome::Ok => self.speech(at),
            _ => (Speech::Silent, false),
        };
        let masked = act.masked && (filtered || self.guards.on(Guard::Masked));
        // A status that shows may belong to what came after it in the same command.
        let own_status = !act.masked && last_act(at);
        let counts = self.guards.on(Guard::FailedRun);
        let fell = failed && counts;
        let open = step.outcome != Outcome::Ok && (fell || !failed);
        match speech {
            Speech::Failed if counts => self.red(step, verify, latches),
            Speech::Ok if fell && own_status => self.red(step, verify, latches),
            Speech::Empty if self.guards.on(Guard::EmptyRun) => latches.miss(NearMiss::Empty),
            Speech::Silent if fell && !act.masked => self.red(step, verify, latches),
            Speech::Silent if open || masked => {
                latches.no_run |= step.outcome == Outcome::Interrupted;
                latches.miss(miss_of(step, act));
            }
            Speech::Ok | Speech::Silent | Speech::Empty | Speech::Failed => {
                latches.qualify(self.preset);
                if self.ledger.last.is_some() && !self.after_change(step, act) {
                    latches.miss(NearMiss::Parallel);
                    latches.hang(step);
                } else {
                    self.verified(step, Some(verify), latches);
                }
            }
        }
    }

    /// A red run is an observation, and it takes back what an earlier green one showed.
    fn red(&mut self, step: &Step, verify: Verify, latches: &mut Latches) {
        self.ledger.signals.remove(&Signal::of(verify));
        latches.grounded = true;
        latches.verified = false;
        latches.red = true;
        latches.reds.insert(Signal::of(verify));
        latches.miss(NearMiss::Failed);
        latches.note(step, "failed", Some(Tier::Observed));
    }

    fn verified(&mut self, step: &Step, verify: Option<Verify>, latches: &mut Latches) {
        let after = self.ledger.last.is_some();
        self.ledger.looked = after;
        latches.grounded = true;
        latches.refused = false;
        latches.verified |= after;
        latches.unknown_after = false;
        latches.softened = false;
        if let Some(verify) = verify {
            let place = step.result.unwrap_or(step.call);
            let signal = Signal::of(verify);
            self.ledger.signals.insert(signal, place);
            latches.unseen.clear();
            latches.red = false;
            latches.no_run = false;
            latches.reds.remove(&signal);
            // What ran was built, too.
            latches.reds.remove(&Signal::RanClean);
            if signal == Signal::TestsPassed {
                latches.reds.remove(&Signal::BuildPassed);
            }
        }
        let (what, tier) = if after {
            ("verified", Tier::Verified)
        } else {
            ("observed", Tier::Observed)
        };
        latches.note(step, what, Some(tier));
    }

    /// Whether a look was asked for when the last change was known to be made. What stands behind
    /// the change in one command comes after it.
    fn after_change(&self, step: &Step, act: &Act) -> bool {
        let Some(change) = self.ledger.last else {
            return false;
        };
        if self.step == change.step {
            return act.shell;
        }
        step.issued >= change.arrived || !self.guards.on(Guard::Parallel)
    }

    /// What an act works on; scratch files pass for the work where their guard is off.
    fn domain(&self, act: &Act) -> Option<Domain> {
        let scratch = act.domain == Some(Domain::Scratch);
        act.domain
            .filter(|_| !scratch || self.guards.on(Guard::Scratch))
    }

    /// What the output says of the run, behind the filters that stand after it, and whether they
    /// are why it says nothing.
    fn speech(&self, at: At<'_>) -> (Speech, bool) {
        let behind = at.step.acts.iter().skip(at.act_index + 1);
        let via = behind.map(|act| Via::of(&act.program, &act.words)).max();
        let via = via.filter(|_| self.guards.on(Guard::Filtered));
        let said = runner::read(&at.act.words, at.step.text.as_str());
        let speech = said.seen_through(via.unwrap_or(Via::Whole));
        let filtered = speech == Speech::Silent && said.seen_through(Via::Whole) != speech;
        match speech {
            Speech::Empty => (speech, filtered),
            _ if self.guards.on(Guard::Summary) => (speech, filtered),
            _ => (Speech::Silent, false),
        }
    }
}

/// Whether a step waits for a launched agent: what it hands back is its word.
fn hears(turn: &Turn, step: &Step) -> bool {
    let mut launched = turn.steps.iter().filter(|other| other.delegate);
    step.polls.as_ref().is_some_and(|handle| {
        handle.is_empty() || launched.any(|other| other.handle.as_ref() == Some(handle))
    })
}

fn last_act(at: At<'_>) -> bool {
    at.step
        .acts
        .iter()
        .skip(at.act_index + 1)
        .all(|act| act.noop || act.effect == Effect::None)
}

/// Whether a look touches what the claim is about. A result is read once at most, and only while it
/// can still decide something.
fn relevant(at: At<'_>, surface: &Surface<'_>, latches: &mut Latches) -> bool {
    if surface.is_empty() || (latches.pathless && at.act.program == "git") {
        return true;
    }
    let mut seen = Vec::new();
    let mut hit = |id: u32| seen.push(id);
    let mut any = false;
    for path in &at.act.reads {
        any |= surface.matches(path, &mut hit);
    }
    let asked = if at.act.shell {
        &at.act.words
    } else {
        &at.step.args
    };
    any |= surface.scan(asked, &mut hit);
    let first = at
        .step
        .acts
        .iter()
        .position(|act| act.effect == Effect::Read && act.verify.is_none() && !act.noop);
    let wanted = !any || !latches.unseen.is_empty();
    // The acts of one command share its output: it is read for the first of them, or the last that
    // needs it.
    if wanted && (first == Some(at.act_index) || last_act(at)) {
        any |= surface.scan(at.step.text.as_str(), &mut hit);
    }
    for id in seen {
        latches.unseen.remove(&id);
    }
    any
}

/// Whether that a look is irrelevant is for no other guard: what stands behind a pipe looks at nothing
/// of its own, what is cut may be relevant, and beside a failure, or for a close that names no file,
/// it says little.
fn plain(turn: &Turn, at: At<'_>, latches: &Latches) -> bool {
    let cut = at.step.text.is_cut() || at.step.truncated;
    let looks = !at.act.shell || !at.act.reads.is_empty();
    let failed = |step: &Step| matches!(step.outcome, Outcome::Failed(_));
    looks && !cut && latches.names_file && !turn.steps.iter().any(failed)
}

/// Whether the same question got another answer than before. A change begins the count anew: what
/// is seen again after it is news.
fn novel(turn: &Turn, at: At<'_>, latches: &mut Latches) -> bool {
    if at.step.repeatable {
        return true;
    }
    let args = if at.act.shell {
        &at.act.words
    } else {
        &at.step.args
    };
    let key = key_of(&[&at.step.tool, args]);
    let Some(before) = latches.asked.insert(key, at.step_index) else {
        return true;
    };
    let before = &turn.steps[before];
    normalize_04(before.text.as_str()) != normalize_04(at.step.text.as_str())
}

fn unseen(watch: &Watch<'_>, latches: &Latches) -> Vec<String> {
    let Some(surface) = &watch.surface else {
        return Vec::new();
    };
    let mut paths: Vec<String> = latches
        .unseen
        .iter()
        .map(|id| surface.name(*id).to_owned())
        .collect();
    paths.sort_unstable();
    paths
}

fn surface<'t>(
    turn: &'t Turn,
    prose: Option<&Prose<'t>>,
    inferred: Option<&Inferred>,
) -> Surface<'t> {
    let mut surface = Surface::default();
    let own = turn.steps.iter().flat_map(|step| &step.acts);
    let theirs = turn
        .steps
        .iter()
        .filter_map(|step| step.delegated.as_ref())
        .flat_map(|delegated| delegated.acts.iter().map(|(act, _)| act));
    for act in own.chain(theirs).filter(|act| act.changes_work()) {
        for path in &act.writes {
            surface.add(path);
        }
    }
    let hedged = inferred.map_or(&[][..], |inferred| &inferred.hedged);
    if let Some(prose) = prose {
        for ident in identifiers(prose) {
            if !hedged.iter().any(|name| name == ident.text) {
                surface.add(ident.text);
            }
        }
    }
    surface
}
