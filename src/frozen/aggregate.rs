//! The sums of a graded run: no id, path or text, and no small cell where that is asked for.

use std::collections::BTreeMap;

use serde::Serialize;

use super::ask::{Answered, Graded, Judged, Questions, Ready};
use super::attempt::{Attempt, Class};
use super::gate::{GateResult, Outcomes, Turns};
use super::grade::{Done, Inputs};
use super::identity::Slot;
use super::judgment::Judgments;
use crate::oracle::Status;
use crate::spec::{GRAMMAR, Keys, Sealed};

/// The format of the sums.
pub const SUMS_SCHEMA: &str = "deedcheck/frozen-aggregate/1";

/// What may be published of a graded run.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(
    feature = "schema",
    derive(schemars::JsonSchema),
    schemars(deny_unknown_fields)
)]
pub struct Sums {
    /// The format: `deedcheck/frozen-aggregate/1`.
    pub schema: &'static str,
    /// The program's version.
    pub version: &'static str,
    /// The experiment's id.
    pub experiment: String,
    /// The seal of the spec.
    pub seal: String,
    /// The text grammar.
    pub grammar: &'static str,
    /// The chosen readings.
    pub readings: BTreeMap<String, String>,
    /// Attempts by arm and family: what became of them. `copy.…` is what the other copy of an answer says of
    /// it, `carrier.…` why a carrier does not bear one, `superseded` counts those that a workflow started
    /// again later, and `conflicts` the further files that claim to be an attempt's.
    pub attempts: BTreeMap<String, Group>,
    /// Teammates by arm: what became of those that a task is told of, and how many `unmapped` ones no task
    /// is told of, or have no transcript any more. They are reported and count nowhere else.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub teammates: BTreeMap<String, Group>,
    /// Tasks by arm and family, with both bounds. `denominator-…` is the number of passing tasks
    /// to divide a cost by: null, and never 0, where there is none.
    pub tasks: BTreeMap<String, Group>,
    /// Checks of answers by arm and kind.
    pub checks: BTreeMap<String, Group>,
    /// Checks of turns by arm and check. A file whose turns could not be read counts once as unknown.
    pub turns: BTreeMap<String, Group>,
    /// Keys by what is known of them.
    pub keys: Group,
    /// Judgments: those supplied, of them those that decided a check, those whose quotes do not stand
    /// in the text (`refused`) and those that nothing asked for (`unused`); and those still awaited.
    pub judgments: Group,
    /// The gates.
    pub gates: BTreeMap<String, GateResult>,
    /// Every reading that was not chosen, evaluated alone.
    pub alternatives: Vec<OtherReading>,
    /// Cells smaller than this are withheld.
    pub min_cell: Option<u32>,
    /// How many cells are withheld.
    pub suppressed: u64,
}

/// Counts that belong together. They are withheld together, since one could be told from the
/// others.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
#[cfg_attr(
    feature = "schema",
    derive(schemars::JsonSchema),
    schemars(deny_unknown_fields)
)]
pub struct Group {
    /// Whether the counts are withheld because one of them is small.
    pub suppressed: bool,
    /// The counts.
    pub cells: BTreeMap<String, Option<u64>>,
}

/// What another reading would make of the run.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(
    feature = "schema",
    derive(schemars::JsonSchema),
    schemars(deny_unknown_fields)
)]
pub struct OtherReading {
    /// The rule's id.
    pub reading: String,
    /// The value that was not chosen.
    pub value: String,
    /// Tasks, by arm, whose status it changes.
    pub tasks_changed: Option<u64>,
    /// Whether it changes any count of turns.
    pub turns_changed: bool,
    /// What each gate would come to.
    pub gates: BTreeMap<String, &'static str>,
    /// Each gate as it would be told, with both of its bounds.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    #[cfg_attr(feature = "schema", schemars(default))]
    pub figures: BTreeMap<String, GateResult>,
}

impl Group {
    /// Whether nothing is counted.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.cells.is_empty()
    }

    pub(super) fn add(&mut self, key: &str, count: u64) {
        let cell = self.cells.entry(key.to_owned()).or_insert(Some(0));
        *cell = Some(cell.unwrap_or(0) + count);
    }

    /// Counts an attempt by what became of it.
    fn class(&mut self, class: Class) {
        self.add("recorded", 1);
        for word in ["completed", "inadmissible", "unresolved"] {
            self.add(word, u64::from(word == class.as_str()));
        }
        if let Some(cause) = class.cause() {
            self.add(&format!("{}.{cause}", class.as_str()), 1);
        }
    }

    /// Counts what the carrier of an attempt tells beside its class.
    fn carrier(&mut self, done: &Done<'_>) {
        let attempt = &done.attempt;
        if let Some(check) = attempt.check {
            self.add(&format!("copy.{}", check.as_str()), 1);
        }
        if let (Class::Completed, Some(reason)) = (attempt.class, attempt.carrier.reason()) {
            self.add(&format!("carrier.{reason}"), 1);
        }
        let Some(through) = &done.row.through else {
            return;
        };
        if through.start.is_some() {
            self.add("superseded", 1);
        }
        if through.conflicts() > 0 {
            self.add("conflicts", through.conflicts() as u64);
        }
    }

    /// A cell; 0 where nothing was counted, or where it is withheld.
    #[must_use]
    pub fn cell(&self, key: &str) -> u64 {
        self.cells.get(key).copied().flatten().unwrap_or(0)
    }

    fn withhold(&mut self, least: u64) -> u64 {
        let small = |cell: &Option<u64>| cell.is_some_and(|count| count > 0 && count < least);
        if !self.cells.values().any(small) {
            return 0;
        }
        self.suppressed = true;
        let mut withheld = 0;
        for cell in self.cells.values_mut() {
            withheld += u64::from(cell.take().is_some());
        }
        withheld
    }
}

impl Sums {
    /// The sums of a run of which nothing is counted yet but its keys and judgments.
    pub(super) fn blank(sealed: &Sealed, keys: &Keys, judgments: &Judgments) -> Self {
        let mut sums = Self {
            schema: SUMS_SCHEMA,
            version: env!("CARGO_PKG_VERSION"),
            experiment: sealed.spec.experiment.id.clone(),
            seal: sealed.seal.clone(),
            grammar: GRAMMAR,
            readings: sealed.spec.readings.clone(),
            attempts: BTreeMap::new(),
            teammates: BTreeMap::new(),
            tasks: BTreeMap::new(),
            checks: BTreeMap::new(),
            turns: BTreeMap::new(),
            keys: Group::default(),
            judgments: Group::default(),
            gates: BTreeMap::new(),
            alternatives: Vec::new(),
            min_cell: None,
            suppressed: 0,
        };
        for key in ["supplied", "judged", "refused", "unused", "pending"] {
            sums.judgments.add(key, 0);
        }
        sums.judgments.add("supplied", judgments.count());
        sums.of_keys(sealed, keys);
        sums
    }

    /// Counts one session that a policy was held against.
    pub(super) fn of_run(&mut self, class: Class, graded: &Graded, questions: &Questions<'_>) {
        self.of_class("all", class);
        self.of_turns(None, graded, questions);
    }

    /// Counts teammates.
    pub(super) fn of_teammates(&mut self, inputs: &Inputs<'_>, mates: &[(Slot, Attempt)]) {
        for (slot, attempt) in mates {
            let arm = &inputs.sealed.spec.arms[slot.arm].id;
            let group = self.teammates.entry(arm.clone()).or_default();
            group.class(attempt.class);
            // One whose transcript is gone belongs to nobody any more.
            group.add("unmapped", u64::from(attempt.bytes.is_none()));
        }
        for (arm, count) in &inputs.identity.unmapped {
            let group = self.teammates.entry(arm.clone()).or_default();
            group.add("unmapped", *count);
        }
    }

    fn of_class(&mut self, key: &str, class: Class) {
        let group = self.attempts.entry(key.to_owned()).or_default();
        group.class(class);
    }

    fn of_turns(&mut self, arm: Option<&str>, graded: &Graded, questions: &Questions<'_>) {
        for (check, _, answered) in &graded.turns {
            let ready = &questions.turns[*check];
            let key = match arm {
                Some(arm) => format!("{arm}.{}", ready.spec.id),
                None => ready.spec.id.clone(),
            };
            let group = self.turns.entry(key).or_default();
            count(group, &mut self.judgments, ready, answered.as_ref());
        }
    }

    /// The sums of attempts, tasks, checks and keys; gates and other readings are put in later.
    pub(super) fn of(
        inputs: &Inputs<'_>,
        done: &[Done<'_>],
        questions: &[Questions<'_>],
        counted: &(Outcomes, Turns),
    ) -> Self {
        let mut sums = Self::blank(inputs.sealed, inputs.keys, inputs.judgments);
        sums.of_tasks(inputs, &counted.0);
        for done in done {
            sums.of_attempt(inputs, done, &questions[done.slot.task]);
        }
        sums
    }

    /// Counts the judgments that nothing asked for, once all others are counted.
    pub(super) fn of_unused(&mut self) {
        let used = self.judgments.cell("judged") + self.judgments.cell("refused");
        let unused = self.judgments.cell("supplied").saturating_sub(used);
        self.judgments.add("unused", unused);
    }

    /// Whether every gate passes and no judgment is awaited.
    #[must_use]
    pub fn passes(&self) -> bool {
        let holds = |gate: &GateResult| gate.status == "pass" || !gate.decides;
        let gates = self.gates.values().all(holds);
        gates && self.judgments.cell("pending") == 0
    }

    fn of_keys(&mut self, sealed: &Sealed, keys: &Keys) {
        self.keys.add("known", 0);
        let keyed = sealed
            .spec
            .checks()
            .filter(|(_, check)| check.key.is_some());
        for (_, check) in keyed {
            match keys.get(&check.id, None) {
                Ok(_) => self.keys.add("known", 1),
                Err(reason) => self.keys.add(&format!("unknown.{reason}"), 1),
            }
        }
    }

    fn of_tasks(&mut self, inputs: &Inputs<'_>, outcomes: &Outcomes) {
        let spec = &inputs.sealed.spec;
        for ((task, arm), outcome) in outcomes {
            let key = format!("{}.{}", spec.arms[*arm].id, spec.tasks[*task].family);
            let group = self.tasks.entry(key).or_default();
            for cell in ["planned", "pass", "fail", "unknown", "not-launched"] {
                group.add(cell, 0);
            }
            for bound in ["pass-lower", "pass-upper"] {
                group.add(bound, 0);
            }
            if outcome.ungraded {
                group.add("not-graded", 1);
                continue;
            }
            group.add("planned", 1);
            group.add(outcome.verdict(), 1);
            group.add("pass-lower", u64::from(outcome.passes()));
            group.add("pass-upper", u64::from(outcome.may_pass()));
        }
        for group in self.tasks.values_mut() {
            for bound in ["lower", "upper"] {
                let passing = group.cell(&format!("pass-{bound}"));
                let cell = (passing > 0).then_some(passing);
                group.cells.insert(format!("denominator-{bound}"), cell);
            }
        }
    }

    fn of_attempt(&mut self, inputs: &Inputs<'_>, done: &Done<'_>, questions: &Questions<'_>) {
        let spec = &inputs.sealed.spec;
        let arm = &spec.arms[done.slot.arm].id;
        let family = &spec.tasks[done.slot.task].family;
        let graded = done.under(0);
        let class = done.attempt.class;
        let key = format!("{arm}.{family}");
        self.of_class(&key, class);
        let group = self.attempts.entry(key).or_default();
        group.carrier(done);
        if let Some(cause) = &graded.cause {
            group.add(&format!("no-answer.{cause}"), 1);
        }
        if class == Class::Completed {
            for (ready, answered) in questions.answers.iter().zip(&graded.answers) {
                let key = format!("{arm}.{}", ready.spec.kind);
                let group = self.checks.entry(key).or_default();
                let answered = match answered.applies {
                    true => Ok(answered),
                    false => Err(&"not-applicable"),
                };
                count(group, &mut self.judgments, ready, answered);
            }
        }
        self.of_turns(Some(arm), graded, questions);
    }

    /// Withholds cells that count fewer than `least` of something.
    pub fn withhold(&mut self, least: u32) {
        self.min_cell = Some(least);
        let least = u64::from(least);
        let groups = [
            &mut self.attempts,
            &mut self.teammates,
            &mut self.tasks,
            &mut self.checks,
            &mut self.turns,
        ];
        let groups = groups.into_iter().flat_map(BTreeMap::values_mut);
        let singles = [&mut self.keys, &mut self.judgments];
        let mut withheld: u64 = groups
            .chain(singles)
            .map(|group| group.withhold(least))
            .sum();
        let chosen = self.gates.clone();
        withheld += self
            .gates
            .values_mut()
            .map(|gate| gate.withhold(least))
            .sum::<u64>();
        for other in &mut self.alternatives {
            if other
                .tasks_changed
                .is_some_and(|own| own > 0 && own < least)
            {
                other.tasks_changed = None;
                withheld += 1;
            }
            for (id, gate) in &mut other.figures {
                // What differs from the chosen reading's would tell small cells by the difference.
                withheld += match least > 1 && chosen.get(id) != Some(gate) {
                    true => gate.withhold_all(),
                    false => gate.withhold(least),
                };
            }
        }
        self.suppressed = withheld;
    }
}

impl GateResult {
    /// Withholds every figure of a gate where one is small, or is so near to the whole that what
    /// is left is small. The status stays.
    fn withhold(&mut self, least: u64) -> u64 {
        let whole = self.population.unwrap_or(0);
        let cells = [
            self.population,
            self.recorded,
            self.lower,
            self.upper,
            self.baseline_lower,
            self.baseline_upper,
        ];
        let small = |count: u64| count > 0 && count < least;
        let told = |cell: &Option<u64>| {
            cell.is_some_and(|count| small(count) || small(whole.saturating_sub(count)))
        };
        let mut groups = std::iter::once(&self.counts).chain(self.groups.values());
        let few = groups.any(|group| {
            let mut cells = group.cells.values().copied().flatten();
            cells.any(small)
        });
        match few || cells.iter().any(told) {
            true => self.withhold_all(),
            false => 0,
        }
    }

    fn withhold_all(&mut self) -> u64 {
        let cells = [
            &mut self.population,
            &mut self.recorded,
            &mut self.lower,
            &mut self.upper,
            &mut self.baseline_lower,
            &mut self.baseline_upper,
        ];
        let groups = std::iter::once(&mut self.counts).chain(self.groups.values_mut());
        let mut groups: Vec<&mut Group> = groups.collect();
        let mut withheld = 0;
        for group in groups.iter_mut().filter(|group| !group.is_empty()) {
            group.suppressed = true;
        }
        let finer = groups
            .into_iter()
            .flat_map(|group| group.cells.values_mut());
        for cell in cells.into_iter().chain(finer) {
            withheld += u64::from(cell.take().is_some());
        }
        self.lower_rate = None;
        self.upper_rate = None;
        withheld
    }
}

fn count(
    group: &mut Group,
    judgments: &mut Group,
    ready: &Ready<'_>,
    answered: Result<&Answered, &&'static str>,
) {
    for cell in ["pass", "fail", "unknown", "pending", "na"] {
        group.add(cell, 0);
    }
    let answered = match answered {
        Ok(answered) => answered,
        Err(reason) => {
            group.add("na", 1);
            group.add(&format!("na.{reason}"), 1);
            return;
        }
    };
    let component = &answered.component;
    group.add(component.status.as_str(), 1);
    group.add(&format!("extract-{}", ready.spec.extract), 1);
    for reason in &component.failing {
        group.add(&format!("fail.{reason}"), 1);
    }
    for reason in &component.unknown {
        group.add(&format!("unknown.{reason}"), 1);
    }
    let (decided, refused) = (Judged::Decided, Judged::Refused);
    judgments.add("judged", u64::from(answered.judged == decided));
    judgments.add("refused", u64::from(answered.judged == refused));
    judgments.add("pending", u64::from(component.status == Status::Pending));
}
