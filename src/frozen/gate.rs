//! Gates: what decides an experiment, with a lower and an upper bound.

use std::collections::{BTreeMap, BTreeSet};

use serde::Serialize;

use super::outcome::Outcome;
use crate::oracle::Readings;
use crate::spec::{Gate, PAIRING, POPULATION, Spec, Task};

/// What a gate comes to.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(
    feature = "schema",
    derive(schemars::JsonSchema),
    schemars(deny_unknown_fields)
)]
pub struct GateResult {
    /// `rate`, `not-worse` or `turns`.
    pub kind: &'static str,
    /// `pass`, `fail`, `incomplete` (too few were tried) or `undefined` (there is nothing to
    /// count).
    pub status: &'static str,
    /// Why nothing is decided: `nothing-asked` (no turn is one that the check asks of), `no-task`, or
    /// `too-few` (less than the gate's `minimum` was tried).
    pub reason: Option<&'static str>,
    /// Whether what is not known could turn it.
    pub sensitive: bool,
    /// What it counts: tasks or turns.
    pub population: Option<u64>,
    /// Those of which something is recorded.
    pub recorded: Option<u64>,
    /// Those that pass for certain.
    pub lower: Option<u64>,
    /// Those that may pass.
    pub upper: Option<u64>,
    /// The least that passes of the population, as an exact fraction; null of nothing.
    pub lower_rate: Option<String>,
    /// The most that passes of the population, as an exact fraction; null of nothing.
    pub upper_rate: Option<String>,
    /// Those of the baseline that pass for certain, for `not-worse`.
    pub baseline_lower: Option<u64>,
    /// Those of the baseline that may pass, for `not-worse`.
    pub baseline_upper: Option<u64>,
    /// Families in which the arm falls behind, for `not-worse`.
    pub behind: Vec<String>,
}

/// Turns of one check in one arm and family.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(super) struct TurnCount {
    pub(super) asked: u64,
    pub(super) pass: u64,
    pub(super) fail: u64,
}

/// Turns by check, arm and family.
pub(super) type Turns = BTreeMap<(String, String, String), TurnCount>;
/// Tasks by task and arm, as indices.
pub(super) type Outcomes = BTreeMap<(usize, usize), Outcome>;

/// Everything that a gate counts under one way to read the rules.
pub(super) struct Counted<'a> {
    pub(super) spec: &'a Spec,
    pub(super) readings: &'a Readings,
    pub(super) outcomes: &'a Outcomes,
    pub(super) turns: &'a Turns,
}

/// One of two bounds.
type Bound = fn(&Bounds) -> u64;

/// Two bounds of something that passes.
#[derive(Debug, Clone, Copy, Default)]
struct Bounds {
    population: u64,
    recorded: u64,
    lower: u64,
    upper: u64,
}

impl Bounds {
    fn add(&mut self, outcome: &Outcome) {
        self.population += 1;
        self.recorded += u64::from(!outcome.not_launched);
        self.lower += u64::from(outcome.passes());
        self.upper += u64::from(outcome.may_pass());
    }
}

impl Counted<'_> {
    /// What every gate comes to.
    pub(super) fn all(&self) -> BTreeMap<String, GateResult> {
        let gates = self.spec.gates.iter();
        gates
            .map(|gate| (gate.id.clone(), self.gate(gate)))
            .collect()
    }

    /// What a gate comes to.
    pub(super) fn gate(&self, gate: &Gate) -> GateResult {
        match gate.kind {
            "not-worse" => self.not_worse(gate),
            "turns" => self.rate(gate, self.turns_of(gate)),
            _ => self.rate(gate, self.tasks_of(gate)),
        }
    }

    /// Whether a task counts in gates at all. Optional ones never decide anything.
    fn counts(&self, task: &Task) -> bool {
        match task.opportunity {
            "organic" => true,
            "control" => self.readings.get(POPULATION.id) == "all-tasks",
            _ => false,
        }
    }

    fn outcome(&self, task: usize, arm: Option<&str>) -> Option<&Outcome> {
        let arm = self
            .spec
            .arms
            .iter()
            .position(|known| Some(known.id.as_str()) == arm)?;
        self.outcomes.get(&(task, arm))
    }

    fn tasks_of(&self, gate: &Gate) -> Bounds {
        let mut bounds = Bounds::default();
        for (index, task) in self.spec.tasks.iter().enumerate() {
            let asked = gate.family.as_ref().is_none_or(|own| *own == task.family);
            if asked
                && self.counts(task)
                && let Some(outcome) = self.outcome(index, gate.arm.as_deref())
            {
                bounds.add(outcome);
            }
        }
        bounds
    }

    fn turns_of(&self, gate: &Gate) -> Bounds {
        let mut bounds = Bounds::default();
        let own_arm = gate.arm.as_deref().unwrap_or("");
        for ((check, arm, family), count) in self.turns {
            let asked = gate.family.as_ref().is_none_or(|own| own == family);
            if asked && Some(check) == gate.check.as_ref() && *arm == own_arm {
                bounds.population += count.asked;
                bounds.recorded += count.asked;
                bounds.lower += count.pass;
                bounds.upper += count.asked - count.fail;
            }
        }
        bounds
    }

    fn rate(&self, gate: &Gate, bounds: Bounds) -> GateResult {
        let threshold = gate.threshold.as_ref();
        let threshold = threshold.and_then(|name| self.spec.thresholds.get(name));
        let reached = |part| threshold.and_then(|own| own.is_reached_by(part, bounds.population));
        let (status, sensitive) = match (reached(bounds.lower), reached(bounds.upper)) {
            (Some(lower), Some(upper)) => (if lower { "pass" } else { "fail" }, lower != upper),
            _ => ("undefined", false),
        };
        let (status, sensitive) = enough(gate, bounds, status, sensitive);
        result(gate, bounds, status, sensitive)
    }

    /// Tasks that both arms do, by family.
    fn matched(&self, gate: &Gate) -> BTreeMap<&str, (Bounds, Bounds)> {
        let baseline = gate.baseline.as_deref();
        let mut families: BTreeMap<&str, (Bounds, Bounds)> = BTreeMap::new();
        for (index, task) in self.spec.tasks.iter().enumerate() {
            let both = self
                .outcome(index, gate.arm.as_deref())
                .zip(self.outcome(index, baseline));
            if let Some((own, other)) = both.filter(|_| self.counts(task)) {
                let family = families.entry(&task.family).or_default();
                family.0.add(own);
                family.1.add(other);
            }
        }
        families
    }

    fn not_worse(&self, gate: &Gate) -> GateResult {
        let families = self.matched(gate);
        let (mut own, mut other) = (Bounds::default(), Bounds::default());
        for (a, b) in families.values() {
            own = together(own, *a);
            other = together(other, *b);
        }
        let each = self.readings.get(PAIRING.id) == "families-and-pooled";
        let holds = |own: Bound, other: Bound| move |(a, b): &(Bounds, Bounds)| own(a) >= other(b);
        let all = |own_bound: Bound, other_bound: Bound| {
            let held = holds(own_bound, other_bound);
            held(&(own, other)) && (!each || families.values().all(held))
        };
        let low: Bound = |bounds| bounds.lower;
        let high: Bound = |bounds| bounds.upper;
        let pairings = [
            all(low, low),
            all(low, high),
            all(high, low),
            all(high, high),
        ];
        let status = match own.population {
            0 => "undefined",
            _ if pairings[0] => "pass",
            _ => "fail",
        };
        let sensitive = pairings.iter().collect::<BTreeSet<_>>().len() > 1;
        let mut tried = own;
        tried.recorded = own.recorded.min(other.recorded);
        let (status, sensitive) = enough(gate, tried, status, sensitive && status != "undefined");
        let behind = families.iter().filter(|(_, pair)| !holds(low, low)(pair));
        GateResult {
            baseline_lower: Some(other.lower),
            baseline_upper: Some(other.upper),
            behind: behind.map(|(family, _)| (*family).to_owned()).collect(),
            ..result(gate, tried, status, sensitive)
        }
    }
}

fn together(a: Bounds, b: Bounds) -> Bounds {
    Bounds {
        population: a.population + b.population,
        recorded: a.recorded + b.recorded,
        lower: a.lower + b.lower,
        upper: a.upper + b.upper,
    }
}

/// With fewer tries than the spec asks for, nothing is decided.
fn enough(
    gate: &Gate,
    bounds: Bounds,
    status: &'static str,
    sensitive: bool,
) -> (&'static str, bool) {
    match gate.minimum {
        Some(minimum) if bounds.recorded < u64::from(minimum) => ("incomplete", false),
        _ => (status, sensitive),
    }
}

fn result(gate: &Gate, bounds: Bounds, status: &'static str, sensitive: bool) -> GateResult {
    let rate = |part: u64| (bounds.population > 0).then(|| format!("{part}/{}", bounds.population));
    let reason = match status {
        "undefined" if gate.kind == "turns" => Some("nothing-asked"),
        "undefined" => Some("no-task"),
        "incomplete" => Some("too-few"),
        _ => None,
    };
    GateResult {
        kind: gate.kind,
        status,
        reason,
        sensitive,
        population: Some(bounds.population),
        recorded: Some(bounds.recorded),
        lower: Some(bounds.lower),
        upper: Some(bounds.upper),
        lower_rate: rate(bounds.lower),
        upper_rate: rate(bounds.upper),
        baseline_lower: None,
        baseline_upper: None,
        behind: Vec::new(),
    }
}
