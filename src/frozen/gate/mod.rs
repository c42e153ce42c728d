//! Gates: what decides an experiment, with a lower and an upper bound.
//!
//! The arithmetic of each kind is a plain function of counts; `Counted` brings the counts of a run to it.

mod blind;
mod count;
mod encoding;
mod lane;

use std::collections::{BTreeMap, BTreeSet};

use serde::Serialize;

use super::aggregate::Group;
use super::ask::Questions;
use super::grade::Done;
use super::ledger::Ledger;
use super::outcome::Outcome;
use crate::oracle::Readings;
use crate::spec::{Fraction, Gate, PAIRING, POPULATION, Spec, Task};

pub use blind::{BlindTask, blind};
pub use encoding::{Encoded, encoding};
pub use lane::{Launched, Opportunity, lane};

/// What a gate comes to.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(
    feature = "schema",
    derive(schemars::JsonSchema),
    schemars(deny_unknown_fields)
)]
pub struct GateResult {
    /// `rate`, `not-worse`, `turns`, `lane`, `encoding`, `blind` or `denominators`.
    pub kind: &'static str,
    /// `pass`, `fail`, `incomplete` (too few were tried, or the control shows nothing), `unknown` (nobody saw the control),
    /// `undefined` (there is nothing to count), or `told` where there is nothing to reach.
    pub status: &'static str,
    /// Whether the experiment is decided by it; it stands here where it is not.
    #[serde(skip_serializing_if = "is_true")]
    #[cfg_attr(feature = "schema", schemars(default))]
    pub decides: bool,
    /// Why nothing is decided: `nothing-asked` (no turn is one that the check asks of), `no-task`,
    /// `too-few` (less than the gate's `minimum` was tried), `failed-control` (what blind tasks are watched for is not seen
    /// where it was planted) or `control-unobserved`; and why a blind gate fails: `no-clean-verdict`.
    pub reason: Option<&'static str>,
    /// What fails of an encoding: `seeded-below-minimum`, `seeded-encode-rate`, `strict-round-trip`, `ineligible-encodes`.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    #[cfg_attr(feature = "schema", schemars(default))]
    pub failing: Vec<&'static str>,
    /// Whether a control that counts does not do what it was planted to do.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    #[cfg_attr(feature = "schema", schemars(default))]
    pub failed_control: bool,
    /// Whether what is not known could turn it.
    pub sensitive: bool,
    /// What it counts: tasks, turns, opportunities, or records that were to be written.
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
    /// What else it counts.
    #[serde(skip_serializing_if = "Group::is_empty")]
    #[cfg_attr(feature = "schema", schemars(default))]
    pub counts: Group,
    /// Its figures by arm and family, for `denominators`; null, and never 0, where there is nothing to divide by.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    #[cfg_attr(feature = "schema", schemars(default))]
    pub groups: BTreeMap<String, Group>,
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde asks for it so")]
fn is_true(flag: &bool) -> bool {
    *flag
}

/// What a gate asks of its figures.
#[derive(Debug, Clone, Copy)]
pub struct Terms {
    /// The gate's kind.
    pub kind: &'static str,
    /// What is to be reached.
    pub threshold: Option<Fraction>,
    /// With fewer that were tried, nothing is decided.
    pub minimum: Option<u32>,
    /// Whether the experiment is decided by it.
    pub decides: bool,
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
    /// The attempts, which of their results are meant, and the checks by task.
    pub(super) done: &'a [Done<'a>],
    pub(super) view: usize,
    pub(super) questions: &'a [Questions<'a>],
    /// What a ledger says of the use of tools.
    pub(super) ledger: &'a Ledger,
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
            "turns" => rate(self.terms(gate), self.turns_of(gate)),
            "lane" => self.lane(gate),
            "encoding" => self.encoding(gate),
            "blind" => self.blind(gate),
            "denominators" => self.denominators(gate),
            _ => GateResult {
                failed_control: self.controls_fail(gate),
                ..rate(self.terms(gate), self.tasks_of(gate))
            },
        }
    }

    fn terms(&self, gate: &Gate) -> Terms {
        let threshold = gate.threshold.as_ref();
        Terms {
            kind: gate.kind,
            threshold: threshold.and_then(|name| self.spec.thresholds.get(name).copied()),
            minimum: gate.minimum,
            decides: gate.decides,
        }
    }

    /// Whether a control among the tasks of a gate shows for certain that something is wrong with the trial.
    fn controls_fail(&self, gate: &Gate) -> bool {
        self.tasks_in(gate).any(|(task, outcome)| {
            self.spec.tasks[task].opportunity == "control" && !outcome.may_pass()
        })
    }

    /// Whether a task counts in gates at all. Optional ones never decide anything.
    fn counts(&self, task: &Task) -> bool {
        match task.opportunity {
            _ if task.checks.is_empty() => false,
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

    /// The tasks that a gate over tasks counts.
    fn tasks_in<'g>(&'g self, gate: &'g Gate) -> impl Iterator<Item = (usize, &'g Outcome)> {
        let tasks = self.spec.tasks.iter().enumerate();
        tasks.filter_map(|(index, task)| {
            let asked = gate.family.as_ref().is_none_or(|own| *own == task.family);
            let outcome = self.outcome(index, gate.arm.as_deref());
            Some((index, outcome?)).filter(|_| asked && self.counts(task))
        })
    }

    fn tasks_of(&self, gate: &Gate) -> Bounds {
        let mut bounds = Bounds::default();
        self.tasks_in(gate).for_each(|(_, own)| bounds.add(own));
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
        let terms = self.terms(gate);
        let (status, sensitive) = enough(terms, tried, status, sensitive && status != "undefined");
        let behind = families.iter().filter(|(_, pair)| !holds(low, low)(pair));
        GateResult {
            baseline_lower: Some(other.lower),
            baseline_upper: Some(other.upper),
            behind: behind.map(|(family, _)| (*family).to_owned()).collect(),
            ..result(terms, tried, status, sensitive)
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

/// A gate that asks whether enough of something passes.
fn rate(terms: Terms, bounds: Bounds) -> GateResult {
    let reached = |part| terms.threshold?.is_reached_by(part, bounds.population);
    let (status, sensitive) = match (reached(bounds.lower), reached(bounds.upper)) {
        _ if terms.threshold.is_none() => ("told", false),
        (Some(lower), Some(upper)) => (if lower { "pass" } else { "fail" }, lower != upper),
        _ => ("undefined", false),
    };
    let (status, sensitive) = enough(terms, bounds, status, sensitive);
    result(terms, bounds, status, sensitive)
}

/// With fewer tries than the spec asks for, nothing is decided.
fn enough(
    terms: Terms,
    bounds: Bounds,
    status: &'static str,
    sensitive: bool,
) -> (&'static str, bool) {
    match terms.minimum {
        Some(minimum) if bounds.recorded < u64::from(minimum) => ("incomplete", false),
        _ => (status, sensitive),
    }
}

fn result(terms: Terms, bounds: Bounds, status: &'static str, sensitive: bool) -> GateResult {
    let rate = |part: u64| (bounds.population > 0).then(|| format!("{part}/{}", bounds.population));
    let reason = match status {
        "undefined" if terms.kind == "turns" => Some("nothing-asked"),
        "undefined" => Some("no-task"),
        "incomplete" => Some("too-few"),
        _ => None,
    };
    GateResult {
        kind: terms.kind,
        status,
        decides: terms.decides,
        reason,
        failing: Vec::new(),
        failed_control: false,
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
        counts: Group::default(),
        groups: BTreeMap::new(),
    }
}
