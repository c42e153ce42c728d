//! The gate's state machine, shared by every profile (seed 000 and its 0.4 successor).
//!
//! All counters are whole steps; nothing here knows a clock.

use std::collections::{BTreeSet, HashSet};

use super::normalize::{normalize_01, normalize_04};
use super::novelty::NoveltyKey;
use super::profile::{ClaimType, Preset, Profile};
use super::python::identifiers;

/// What a rejected close may still do.
pub const LEGAL_NEXT: [&str; 2] = ["qualifying_tool_call", "unverified_terminal"];

/// One finished tool call.
#[derive(Debug, Clone, Copy)]
pub struct Call<'a> {
    /// Tool name; compared as it stands.
    pub tool: &'a str,
    /// Arguments as text.
    pub args: &'a str,
    /// Result as text.
    pub result: &'a str,
}

/// What one observation supports.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Grounding {
    /// It supports "X is so".
    pub assertion: bool,
    /// It supports "I changed X".
    pub completion: bool,
}

impl Grounding {
    /// Whether it supports anything.
    #[must_use]
    pub fn qualifies(self) -> bool {
        self.assertion || self.completion
    }
}

/// How much a qualifying observation proves.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Tier {
    /// Seen, with no earlier mutation to verify.
    Observed,
    /// Seen after the last mutation.
    Verified,
}

/// A qualifying observation of this turn.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Qualifying {
    /// Step of the call.
    pub step: i64,
    /// Its tool.
    pub tool: String,
    /// What it proves.
    pub tier: Tier,
}

/// The gate's answer to a close.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Verdict {
    /// The close may be said.
    Accept,
    /// Only [`LEGAL_NEXT`] remains.
    Reject,
}

impl Verdict {
    /// The package's spelling.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Accept => "ACCEPT",
            Self::Reject => "REJECT",
        }
    }

    /// The moves the package names beside the verdict: none after an accept.
    #[must_use]
    pub fn legal_next(self) -> &'static [&'static str] {
        match self {
            Self::Accept => &[],
            Self::Reject => &LEGAL_NEXT,
        }
    }
}

/// The gate's answer to a step of mere thought.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Reasoning {
    /// It may go on.
    Allowed,
    /// A rejected close stands; the step was refused, and paid for all the same.
    Refused,
}

/// A tool call as the turn loop sees it.
#[derive(Debug, Clone)]
pub struct ToolStep<'a> {
    /// The call.
    pub call: Call<'a>,
    /// Whether it changed anything.
    pub mutating: bool,
    /// Signals its command stands for.
    pub signals: Vec<String>,
    /// Whether its command ended well; signals of a failed command are dropped.
    pub exit_ok: bool,
}

/// Budget limits the package refuses: it wants `1 <= refill < cap`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("refill must be at least 1 and below cap")]
pub struct LimitError;

/// The package's telemetry snapshot (0.4), computed from the state alone.
#[derive(Debug, Clone, PartialEq, Eq, serde::Serialize)]
pub struct Progress {
    /// Reasoning steps left.
    pub budget: i64,
    /// Most it can hold.
    pub cap: i64,
    /// What one qualifying observation gives back.
    pub refill: i64,
    /// `cap - budget`.
    pub budget_headroom: i64,
    /// Tool calls so far.
    pub step: i64,
    /// Latch.
    pub grounded_this_turn: bool,
    /// Latch.
    pub verified_this_turn: bool,
    /// Rejected closes over the whole session.
    pub rejection_count: i64,
    /// Nothing when there was no mutation.
    pub steps_since_last_mutation: Option<i64>,
    /// Nothing when nothing was verified.
    pub steps_since_last_verification: Option<i64>,
    /// Whether a rejected close stands.
    pub halted: bool,
    /// Qualifying observations of this turn.
    pub observations_this_turn: usize,
    /// Goal predicates without a signal, in the order declared.
    pub unmet_signals: Vec<String>,
}

/// One gate. Sets persist over turns; only [`GateState::start_turn`] clears the latches.
#[derive(Debug, Clone)]
pub struct GateState {
    /// The rule book.
    pub profile: Profile,
    /// Reasoning steps left; below zero only in [`Profile::Gg01`].
    pub budget: i64,
    /// Most the budget can hold.
    pub cap: i64,
    /// What one qualifying observation gives back.
    pub refill: i64,
    /// Whether an assertion needs the verified tier.
    pub strict_g: bool,
    /// Tools whose results are never compared with earlier ones.
    pub novelty_exempt: BTreeSet<String>,
    /// Identifiers the claims are about.
    pub claim_surface: BTreeSet<String>,
    /// Step of the last mutation; 0 when there was none.
    pub last_mutation_step: i64,
    /// Tool calls so far.
    pub current_step: i64,
    /// Step of the last verified observation; 0 when there was none.
    pub last_verification_step: i64,
    /// Rejected closes over the whole session.
    pub rejection_count: i64,
    /// A qualifying observation was made this turn.
    pub grounded_this_turn: bool,
    /// An observation after the last mutation was made this turn.
    pub verified_this_turn: bool,
    /// Qualifying observations of this turn.
    pub turn_observations: Vec<Qualifying>,
    /// Signals seen; never taken back.
    pub verified_signals: BTreeSet<String>,
    /// Signals a completion needs.
    pub goal_predicates: Vec<String>,
    /// A rejected close stands.
    pub halted: bool,
    seen: HashSet<NoveltyKey>,
}

impl GateState {
    /// A fresh gate with the preset's limits.
    #[must_use]
    pub fn new(profile: Profile, preset: Preset) -> Self {
        Self {
            profile,
            budget: preset.cap(),
            cap: preset.cap(),
            refill: preset.refill(),
            strict_g: preset.strict_g(),
            novelty_exempt: BTreeSet::new(),
            claim_surface: BTreeSet::new(),
            last_mutation_step: 0,
            current_step: 0,
            last_verification_step: 0,
            rejection_count: 0,
            grounded_this_turn: false,
            verified_this_turn: false,
            turn_observations: Vec::new(),
            verified_signals: BTreeSet::new(),
            goal_predicates: Vec::new(),
            halted: false,
            seen: HashSet::new(),
        }
    }

    /// A fresh gate with other limits than the preset's (possible since 0.3.0).
    ///
    /// # Errors
    /// [`LimitError`] unless `1 <= refill < cap`.
    pub fn with_limits(
        profile: Profile,
        preset: Preset,
        cap: Option<i64>,
        refill: Option<i64>,
    ) -> Result<Self, LimitError> {
        let mut state = Self::new(profile, preset);
        state.cap = cap.unwrap_or(state.cap);
        state.refill = refill.unwrap_or(state.refill);
        state.budget = state.cap;
        if state.refill < 1 || state.refill >= state.cap {
            return Err(LimitError);
        }
        Ok(state)
    }

    /// How many novelty keys are held.
    #[must_use]
    pub fn seen(&self) -> usize {
        self.seen.len()
    }

    /// Classifies a call, relevance being exact equality of one identifier with the surface.
    pub fn classify(&mut self, call: &Call<'_>, read_only: bool) -> Grounding {
        self.classify_when(call, read_only, |surface| {
            identifiers(call.args)
                .chain(identifiers(call.result))
                .any(|id| surface.contains(id))
        })
    }

    /// Classifies a call with the caller's own test of relevance against the claim surface.
    ///
    /// The order is the rule: novelty is tested first, but recorded only for a relevant call, and
    /// recorded for a relevant mutating call too although that can never qualify.
    pub fn classify_when(
        &mut self,
        call: &Call<'_>,
        read_only: bool,
        relevant: impl FnOnce(&BTreeSet<String>) -> bool,
    ) -> Grounding {
        let key = self.novelty_key(call);
        if key.is_some_and(|k| self.seen.contains(&k)) || !relevant(&self.claim_surface) {
            return Grounding::default();
        }
        self.seen.extend(key);
        let after_mutation =
            self.last_mutation_step > 0 && self.current_step > self.last_mutation_step;
        Grounding {
            assertion: read_only,
            completion: read_only && after_mutation,
        }
    }

    fn novelty_key(&self, call: &Call<'_>) -> Option<NoveltyKey> {
        if self.novelty_exempt.contains(call.tool) {
            return None;
        }
        let epoch = self
            .profile
            .keys_hold_epoch()
            .then_some(self.last_mutation_step);
        let normalize = match self.profile {
            Profile::Gg01 => normalize_01,
            Profile::Gg04 | Profile::Gg04Hooks | Profile::Replay => normalize_04,
        };
        Some(NoveltyKey::new(
            call.tool,
            epoch,
            &normalize(call.args),
            &normalize(call.result),
        ))
    }

    /// Judges a close. Changes `halted` and the rejection count, never the budget.
    pub fn boundary(&mut self, claim: ClaimType) -> Verdict {
        let holds = match claim {
            // An unknown or empty claim is let through with `halted` left as it was.
            ClaimType::None | ClaimType::Unknown => return Verdict::Accept,
            ClaimType::Unverified => true,
            ClaimType::Completion => {
                self.budget > 0 && self.verified_this_turn && self.unmet_signals().next().is_none()
            }
            ClaimType::Assertion => {
                self.budget > 0
                    && if self.strict_g {
                        self.verified_this_turn
                    } else {
                        self.grounded_this_turn
                    }
            }
        };
        self.halted = !holds;
        if holds {
            return Verdict::Accept;
        }
        self.rejection_count = self.rejection_count.saturating_add(1);
        Verdict::Reject
    }

    /// Goal predicates without a signal, in the order declared.
    pub fn unmet_signals(&self) -> impl Iterator<Item = &str> {
        self.goal_predicates
            .iter()
            .filter(|goal| !self.verified_signals.contains(*goal))
            .map(String::as_str)
    }

    /// Takes one step of mere thought, which costs budget even when refused.
    pub fn reasoning(&mut self) -> Reasoning {
        self.pay();
        if self.halted {
            Reasoning::Refused
        } else {
            Reasoning::Allowed
        }
    }

    /// Takes one unit off the budget.
    pub(super) fn pay(&mut self) {
        self.budget = self.budget.saturating_sub(1);
        if self.profile.floors_budget() {
            self.budget = self.budget.max(0);
        }
    }

    /// Counts, classifies and latches one finished call, refilling the budget if it qualifies.
    pub fn observe(&mut self, call: &Call<'_>, read_only: bool) -> Grounding {
        self.count_step();
        let grounding = self.classify(call, read_only);
        self.latch(call.tool, grounding);
        grounding
    }

    /// Moves on to the next step.
    pub fn count_step(&mut self) {
        self.current_step = self.current_step.saturating_add(1);
    }

    /// Latches a classified call of the current step and, if it qualifies, refills the budget.
    pub fn latch(&mut self, tool: &str, grounding: Grounding) {
        self.grounded_this_turn |= grounding.assertion;
        self.verified_this_turn |= grounding.completion;
        if !grounding.qualifies() {
            return;
        }
        self.budget = self.budget.saturating_add(self.refill).min(self.cap);
        self.halted = false;
        let tier = if grounding.completion {
            self.last_verification_step = self.current_step;
            Tier::Verified
        } else {
            Tier::Observed
        };
        self.turn_observations.push(Qualifying {
            step: self.current_step,
            tool: tool.to_owned(),
            tier,
        });
    }

    /// Notes that the current step changed something.
    pub fn record_mutation(&mut self) {
        self.last_mutation_step = self.current_step;
        if self.profile.mutation_clears_verified() {
            self.verified_this_turn = false;
        }
    }

    /// Takes a tool call of the turn loop.
    ///
    /// Signals count whether or not the call qualified, and the mutation is noted last: a mutating
    /// call is judged by the mutations before it.
    pub fn tool_call(&mut self, step: &ToolStep<'_>) -> Grounding {
        let grounding = self.observe(&step.call, !step.mutating);
        if step.exit_ok {
            self.verified_signals.extend(step.signals.iter().cloned());
        }
        if step.mutating {
            self.record_mutation();
        }
        grounding
    }

    /// Opens a new turn as the adapter does: latches, halt and budget start over; novelty keys,
    /// surface, signals and step marks stay.
    pub fn start_turn(&mut self) {
        self.grounded_this_turn = false;
        self.verified_this_turn = false;
        self.halted = false;
        self.budget = self.cap;
        self.turn_observations.clear();
    }

    /// The telemetry snapshot of 0.4.
    #[must_use]
    pub fn progress(&self) -> Progress {
        let since = |mark: i64| (mark > 0).then(|| self.current_step.saturating_sub(mark));
        Progress {
            budget: self.budget,
            cap: self.cap,
            refill: self.refill,
            budget_headroom: self.cap.saturating_sub(self.budget),
            step: self.current_step,
            grounded_this_turn: self.grounded_this_turn,
            verified_this_turn: self.verified_this_turn,
            rejection_count: self.rejection_count,
            steps_since_last_mutation: since(self.last_mutation_step),
            steps_since_last_verification: since(self.last_verification_step),
            halted: self.halted,
            observations_this_turn: self.turn_observations.len(),
            unmet_signals: self.unmet_signals().map(str::to_owned).collect(),
        }
    }
}

#[cfg(test)]
mod tests;
