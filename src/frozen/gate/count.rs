//! The counts of a run that gates over attempts are asked with.

use serde_json::Value;

use super::{
    BlindTask, Bounds, Counted, Encoded, GateResult, Launched, Opportunity, blind, encoding, lane,
    result,
};
use crate::frozen::aggregate::Group;
use crate::frozen::ask::Answered;
use crate::frozen::attempt::Class;
use crate::frozen::grade::Done;
use crate::frozen::ledger::Chance;
use crate::oracle::{Joined, Status};
use crate::spec::{BROKEN_OFF, Gate, Task};

impl Counted<'_> {
    /// The tasks of a gate's arm and family.
    fn of_arm<'g>(&'g self, gate: &'g Gate) -> impl Iterator<Item = (usize, &'g Task)> {
        let tasks = self.spec.tasks.iter().enumerate();
        tasks.filter(|(_, task)| {
            let arm = gate.arm.as_ref().is_some_and(|arm| task.arms.contains(arm));
            arm && gate.family.as_ref().is_none_or(|own| *own == task.family)
        })
    }

    fn arm_of(&self, gate: &Gate) -> Option<usize> {
        let arm = gate.arm.as_deref();
        let mut arms = self.spec.arms.iter();
        arms.position(|own| Some(own.id.as_str()) == arm)
    }

    /// The attempts of a task in a gate's arm.
    fn attempts<'g>(&'g self, task: usize, gate: &Gate) -> impl Iterator<Item = &'g Done<'g>> {
        let arm = self.arm_of(gate);
        let own = self.done.iter();
        own.filter(move |done| done.slot.task == task && Some(done.slot.arm) == arm)
    }

    /// What a check came to in an attempt that has an answer.
    fn answered<'d>(&self, done: &'d Done<'_>, check: &str) -> Option<&'d Answered> {
        let questions = self.questions.get(done.slot.task)?;
        questions.told(check, done.under(self.view))
    }

    /// What the checks that a gate reads come to in an attempt.
    fn status(&self, done: &Done<'_>, task: usize, gate: &Gate) -> Status {
        let checks = gate.reads(&self.spec.tasks[task]);
        let questions = self.questions.get(task);
        questions.map_or(Status::Unknown, |own| {
            own.worst(checks, done.under(self.view))
        })
    }

    pub(super) fn lane(&self, gate: &Gate) -> GateResult {
        let name = gate.lane.as_deref().unwrap_or("");
        let listed = self
            .arm_of(gate)
            .and_then(|arm| self.ledger.lane(name, arm));
        let tagged = || {
            let tasks = self.of_arm(gate);
            tasks.filter(|(_, task)| {
                let told = !gate.decides && task.opportunity == "optional";
                let counts = task.opportunity == "organic" || told;
                counts && gate.reads(task).next().is_some()
            })
        };
        let mut opportunities = Vec::new();
        let mut unlisted = 0;
        for (task, _) in tagged() {
            let attempts: Vec<&Done<'_>> = self.attempts(task, gate).collect();
            if let Some(listed) = &listed {
                let known = |done: &&&Done<'_>| {
                    let attempt = Some(done.slot.attempt);
                    listed
                        .iter()
                        .any(|own| own.task == task && own.attempt == attempt)
                };
                unlisted += attempts.len() - attempts.iter().filter(known).count();
                continue;
            }
            opportunities.extend(attempts.iter().map(|done| {
                let adopted = match self.status(done, task, gate) {
                    Status::Pass => Joined::Adopted,
                    Status::Fail => Joined::NotAdopted,
                    Status::Unknown | Status::Pending => Joined::Unknown,
                };
                self.opportunity(done, adopted)
            }));
            if attempts.is_empty() {
                opportunities.push(NOT_LAUNCHED);
            }
        }
        for chance in listed.iter().flatten() {
            opportunities.extend(self.chance(chance, gate));
        }
        let broken_off = self.readings.get(BROKEN_OFF.id);
        let mut told = lane(self.terms(gate), &opportunities, broken_off);
        if listed.is_some() {
            told.counts.add("unlisted", unlisted as u64);
        }
        told
    }

    /// The opportunity that a row of the ledger is; none where it is of another family.
    fn chance(&self, chance: &Chance, gate: &Gate) -> Option<Opportunity> {
        self.of_arm(gate).find(|(task, _)| *task == chance.task)?;
        let mut attempts = self.attempts(chance.task, gate);
        let done = attempts.find(|done| Some(done.slot.attempt) == chance.attempt);
        Some(done.map_or(NOT_LAUNCHED, |done| self.opportunity(done, chance.adopted)))
    }

    fn opportunity(&self, done: &Done<'_>, adopted: Joined) -> Opportunity {
        let graded = done.under(self.view);
        Opportunity {
            launched: match done.attempt.class {
                Class::Inadmissible(_) => Launched::Inadmissible,
                Class::Completed | Class::Unresolved(_) => Launched::Attempt,
            },
            adopted,
            correct: graded
                .sum
                .as_ref()
                .map_or(Status::Unknown, |sum| sum.status),
        }
    }

    pub(super) fn encoding(&self, gate: &Gate) -> GateResult {
        let mut all = Vec::new();
        for (index, task) in self
            .of_arm(gate)
            .filter(|(_, own)| own.opportunity != "optional")
        {
            let speaks = |done: &&Done<'_>| !matches!(done.attempt.class, Class::Inadmissible(_));
            for done in self.attempts(index, gate).filter(speaks) {
                for check in gate.reads(task) {
                    let seeded = check.params.get("seeded") == Some(&Value::Bool(true));
                    all.push(encoded(seeded, self.answered(done, &check.id)));
                }
            }
        }
        encoding(self.terms(gate), &all)
    }

    pub(super) fn blind(&self, gate: &Gate) -> GateResult {
        let mut tasks = Vec::new();
        let organic = |(_, task): &(usize, &Task)| task.opportunity == "organic";
        for (index, task) in self.of_arm(gate).filter(organic) {
            if gate.reads(task).next().is_none() {
                continue;
            }
            let mut own = BlindTask {
                open: true,
                ..BlindTask::default()
            };
            for done in self.attempts(index, gate) {
                match done.attempt.class {
                    Class::Inadmissible(_) => continue,
                    Class::Unresolved(_) => own.unknown += 1,
                    // Without an answer there is no verdict that could be clean.
                    Class::Completed if done.under(self.view).cause.is_some() => {}
                    Class::Completed => match self.status(done, index, gate) {
                        Status::Pass => own.clean += 1,
                        Status::Fail => own.contaminated += 1,
                        Status::Unknown | Status::Pending => own.unknown += 1,
                    },
                }
                own.open = false;
            }
            tasks.push(own);
        }
        blind(self.terms(gate), &tasks, self.control(gate))
    }

    /// What the control of a blind gate comes to: it has shown what it was planted for where one attempt of it has.
    fn control(&self, gate: &Gate) -> Status {
        let id = gate.control.as_deref().unwrap_or("");
        let mut all = Vec::new();
        let has = |task: &Task| task.checks.iter().any(|check| check.id == id);
        for (index, _) in self.of_arm(gate).filter(|(_, task)| has(task)) {
            for done in self.attempts(index, gate) {
                match done.attempt.class {
                    Class::Inadmissible(_) => {}
                    Class::Unresolved(_) => all.push(Status::Unknown),
                    Class::Completed => {
                        let told = self.answered(done, id);
                        all.push(told.map_or(Status::Unknown, |own| own.component.status));
                    }
                }
            }
        }
        if all.contains(&Status::Pass) {
            Status::Pass
        } else if !all.is_empty() && all.iter().all(|own| *own == Status::Fail) {
            Status::Fail
        } else {
            Status::Unknown
        }
    }

    /// How many tasks pass, by arm and family: all of them, and those that both arms do.
    pub(super) fn denominators(&self, gate: &Gate) -> GateResult {
        let mut bounds = Bounds::default();
        let mut told = result(self.terms(gate), bounds, "told", false);
        let arms = [&gate.arm, &gate.baseline].into_iter().flatten();
        for (index, task) in self.spec.tasks.iter().enumerate() {
            let both = gate.baseline.as_ref().is_some_and(|other| {
                task.arms.contains(other)
                    && gate.arm.as_ref().is_some_and(|own| task.arms.contains(own))
            });
            for arm in arms.clone() {
                let outcome = self.outcome(index, Some(arm));
                let Some(outcome) = outcome.filter(|own| !own.ungraded) else {
                    continue;
                };
                if Some(arm) == gate.arm.as_ref() {
                    bounds.add(outcome);
                }
                let group = told
                    .groups
                    .entry(format!("{arm}.{}", task.family))
                    .or_default();
                let (lower, upper) = (outcome.passes(), outcome.may_pass());
                group.add("lower", u64::from(lower));
                group.add("upper", u64::from(upper));
                if gate.baseline.is_some() {
                    group.add("matched-lower", u64::from(both && lower));
                    group.add("matched-upper", u64::from(both && upper));
                }
            }
        }
        let groups = std::mem::take(&mut told.groups);
        GateResult {
            groups: groups
                .into_iter()
                .map(|(key, group)| (key, group.divisors()))
                .collect(),
            ..result(self.terms(gate), bounds, "told", false)
        }
    }
}

const NOT_LAUNCHED: Opportunity = Opportunity {
    launched: Launched::No,
    adopted: Joined::Unknown,
    correct: Status::Unknown,
};

/// What a check of round trips tells; of one that was not asked nothing is known.
fn encoded(seeded: bool, answered: Option<&Answered>) -> Encoded {
    let facts = answered.map(|own| &own.facts);
    let Some(facts) = facts.filter(|facts| facts.contains_key("encode")) else {
        return Encoded {
            seeded,
            encoded: None,
            trips: vec![None],
            ineligible: 0,
            ineligible_unknown: 1,
        };
    };
    let word = |value: &Value, yes: &str, no: &str| match value.as_str() {
        Some(word) if word == yes => Some(true),
        Some(word) if word == no => Some(false),
        _ => None,
    };
    let count = |name| facts.get(name).and_then(Value::as_u64).unwrap_or(0);
    let trips = facts.get("trips").and_then(Value::as_array);
    Encoded {
        seeded,
        encoded: word(&facts["encode"], "encoded", "not-encoded"),
        trips: trips
            .into_iter()
            .flatten()
            .map(|trip| word(trip, "equal", "unequal"))
            .collect(),
        ineligible: count("ineligible"),
        ineligible_unknown: count("ineligible-unknown"),
    }
}

impl Group {
    /// The same, where nothing is to be divided by 0.
    fn divisors(mut self) -> Self {
        for cell in self.cells.values_mut() {
            *cell = cell.filter(|count| *count > 0);
        }
        self
    }
}
