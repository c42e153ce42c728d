//! A run graded: every attempt read, every check asked, every task, gate and other reading summed.

use std::collections::BTreeMap;

use rayon::prelude::*;

use super::aggregate::{OtherReading, Sums};
use super::ask::{Around, Asking, Graded, Questions, View, questions, touches};
use super::attempt::{Attempt, ReadAttempt};
use super::bind::Bindings;
use super::captures::Captures;
use super::error::FrozenError;
use super::gate::{Counted, GateResult, Outcomes, TurnCount, Turns};
use super::identity::{Identities, IdentityRow, Slot};
use super::judgment::{Awaited, Judgments, Waiting};
use super::ledger::Ledger;
use super::outcome::{Outcome, Spoken, Watched, outcome};
use super::row::FrozenRow;
use super::rows;
use crate::oracle::KindInfo;
use crate::private::Kind;
use crate::spec::{ANSWER, ATTEMPTS, CheckSpec, Keys, Sealed, Spec};

/// Everything that a grading is given.
#[derive(Clone, Copy)]
pub struct Inputs<'a> {
    /// The spec, whose seal holds.
    pub sealed: &'a Sealed,
    /// The check kinds.
    pub kinds: &'a [KindInfo],
    /// What the runs were launched with.
    pub bindings: &'a Bindings,
    /// Where attempts are read from.
    pub attempts: &'a dyn ReadAttempt,
    /// Whose answer stands where.
    pub identity: &'a Identities,
    /// The keys.
    pub keys: &'a Keys,
    /// What judges said.
    pub judgments: &'a Judgments,
    /// What was captured around the runs.
    pub captures: &'a Captures,
    /// What another program says of the use of tools.
    pub ledger: &'a Ledger,
}

impl Inputs<'_> {
    /// The servers that the clients of a slot's arm could call, where the launch tells.
    fn servers(&self, slot: Slot) -> Option<&[String]> {
        let arm = self
            .bindings
            .arms
            .get(&self.sealed.spec.arms[slot.arm].id)?;
        arm.servers.as_deref()
    }

    /// The arm and the family of a slot.
    fn place(&self, slot: Slot) -> (&str, &str) {
        let spec = &self.sealed.spec;
        (&spec.arms[slot.arm].id, &spec.tasks[slot.task].family)
    }
}

/// What a run came to.
#[derive(Debug)]
pub struct FrozenGrades {
    /// Rows in their fixed order: tasks, arms, attempts, checks.
    pub rows: Vec<FrozenRow>,
    /// The sums.
    pub sums: Sums,
    /// Private values that no public output may hold.
    pub private: Vec<(Kind, String)>,
    /// The judgments that are awaited, in the order of the rows.
    pub awaited: Vec<Awaited>,
    /// Files that could not be judged, each with why; of a policy only.
    pub dark: Vec<(String, &'static str)>,
}

/// One attempt with what it comes to under each way to read the rules.
pub(super) struct Done<'a> {
    pub(super) slot: Slot,
    pub(super) row: &'a IdentityRow,
    /// The answer's file: its root's name, and the path under it.
    pub(super) name: String,
    pub(super) attempt: Attempt,
    /// What it comes to under the chosen readings.
    first: Graded,
    /// Under each other view; `None` where that changes nothing.
    others: Vec<Option<Graded>>,
}

impl Done<'_> {
    /// What the attempt comes to under a view.
    pub(super) fn under(&self, view: usize) -> &Graded {
        let other = view.checked_sub(1).and_then(|at| self.others.get(at));
        other.and_then(Option::as_ref).unwrap_or(&self.first)
    }
}

/// Grades a run.
///
/// # Errors
/// `E_SPEC` for a check that cannot be asked; a spec whose seal holds has none. `E_JUDGMENT` for a
/// judgment of something that is no part of the run.
pub fn grade(inputs: &Inputs<'_>) -> Result<FrozenGrades, FrozenError> {
    let spec = &inputs.sealed.spec;
    let views = View::all(inputs.sealed);
    let questions = questions(inputs.sealed, inputs.kinds)?;
    let (mates, own): (Vec<_>, Vec<_>) = inputs
        .identity
        .rows
        .iter()
        .partition(|(_, row)| row.is_teammate());
    let done: Vec<Done<'_>> = own
        .into_par_iter()
        .map(|(slot, row)| one(inputs, *slot, row, &questions, &views))
        .collect();
    let mates = mates.into_par_iter();
    let mates: Vec<(Slot, Attempt)> = mates
        .map(|(slot, row)| (*slot, inputs.attempts.attempt(row, &row.name())))
        .collect();
    inputs.judgments.known(&|identity, turn| {
        let mut own = done.iter().filter(|done| done.row.label() == identity);
        own.any(|done| turn == 0 || done.attempt.holds(turn))
    })?;
    let counted: Vec<(Outcomes, Turns)> = (0..views.len())
        .into_par_iter()
        .map(|view| count(spec, &done, &questions, &views, view))
        .collect();
    let gates: Vec<BTreeMap<String, GateResult>> = counted
        .iter()
        .zip(&views)
        .enumerate()
        .map(|(index, ((outcomes, turns), view))| {
            let counted = Counted {
                spec,
                readings: &view.readings,
                outcomes,
                turns,
                done: &done,
                view: index,
                questions: &questions,
                ledger: inputs.ledger,
            };
            counted.all()
        })
        .collect();
    let mut sums = Sums::of(inputs, &done, &questions, &counted[0]);
    sums.of_teammates(inputs, &mates);
    sums.of_unused();
    sums.alternatives = others(&views, &counted, &gates);
    sums.gates = gates.into_iter().next().unwrap_or_default();
    let awaited = awaited(inputs, &done, &questions, &views[0]);
    let rows = rows::rows(spec, &done, &questions, &views, &counted);
    let attempts = done.iter().map(|done| &done.attempt);
    let attempts = attempts.chain(mates.iter().map(|(_, attempt)| attempt));
    let private = attempts.flat_map(|attempt| attempt.private.iter());
    Ok(FrozenGrades {
        rows,
        sums,
        private: private.cloned().collect(),
        awaited,
        dark: Vec::new(),
    })
}

fn awaited(
    inputs: &Inputs<'_>,
    done: &[Done<'_>],
    questions: &[Questions<'_>],
    view: &View,
) -> Vec<Awaited> {
    let mut all = Vec::new();
    for done in done {
        let task = &inputs.sealed.spec.tasks[done.slot.task];
        let waiting = Waiting {
            keys: inputs.keys,
            prompt: Some(&task.prompt),
            identity: &done.row.label(),
            last: view.readings.get(ANSWER.id) == "last-message",
        };
        let asked = &questions[done.slot.task];
        waiting.of(&done.attempt, asked, done.under(0), &mut all);
    }
    all
}

fn one<'a>(
    inputs: &Inputs<'a>,
    slot: Slot,
    row: &'a IdentityRow,
    questions: &[Questions<'_>],
    views: &[View],
) -> Done<'a> {
    let name = row.name();
    let label = row.label();
    let attempt = inputs.attempts.attempt(row, &name);
    let spec = &inputs.sealed.spec;
    let task = &spec.tasks[slot.task];
    // Whoever launches a child words its prompt; what a driver starts is asked as the task says.
    let own = matches!(task.dispatch, "main" | "codex-exec");
    let arm = inputs.bindings.arms.get(&spec.arms[slot.arm].id);
    let attempt = attempt.bound(arm, own.then_some(task.prompt.as_str()));
    let mut attempt = attempt.within(&inputs.bindings.windows);
    let asking = Asking {
        keys: inputs.keys,
        judgments: inputs.judgments,
        identity: &label,
        around: Some(Around {
            captures: inputs.captures,
            ledger: inputs.ledger,
            slot,
            place: inputs.place(slot),
            servers: inputs.servers(slot),
        }),
    };
    let asked = &questions[slot.task];
    let graded = |view: &View| asking.grade(&attempt, asked, view);
    let first = graded(&views[0]);
    let others = views[1..].iter().map(|view| {
        let other = view.other.as_ref()?;
        touches(asked, inputs.keys, other).then(|| graded(view))
    });
    let others = others.collect();
    attempt.forget();
    Done {
        slot,
        row,
        name,
        first,
        others,
        attempt,
    }
}

/// What an attempt is held against beside the checks that decide its answer: those that say whether it may speak, or that it is a
/// control for.
fn watched(spec: &Spec, questions: &Questions<'_>, slot: Slot, graded: &Graded) -> Watched {
    let checks = || spec.tasks[slot.task].checks.iter();
    let blind = || checks().filter(|check| check.kind == "blindness" && !check.decides);
    let arm = &spec.arms[slot.arm].id;
    let control = |check: &&CheckSpec| {
        let mut gates = spec.gates.iter().filter(|gate| gate.kind == "blind");
        gates.any(|gate| gate.arm.as_ref() == Some(arm) && gate.control.as_ref() == Some(&check.id))
    };
    match checks().find(control) {
        Some(check) => Watched::Control(questions.worst([check], graded)),
        None if blind().next().is_some() => Watched::Blind(questions.worst(blind(), graded)),
        None => Watched::No,
    }
}

/// Tasks and turns under one view.
fn count(
    spec: &Spec,
    done: &[Done<'_>],
    questions: &[Questions<'_>],
    views: &[View],
    view: usize,
) -> (Outcomes, Turns) {
    let rule = views[view].readings.get(ATTEMPTS.id);
    let mut attempts: BTreeMap<(usize, usize), Vec<Spoken<'_>>> = BTreeMap::new();
    let mut turns = Turns::new();
    for (index, task) in spec.tasks.iter().enumerate() {
        for arm in &task.arms {
            let arm = spec.arms.iter().position(|known| known.id == *arm);
            attempts.insert((index, arm.unwrap_or(0)), Vec::new());
        }
    }
    for done in done {
        let slot = done.slot;
        let graded = done.under(view);
        let spoken = Spoken {
            class: done.attempt.class,
            component: graded.sum.as_ref(),
            watched: watched(spec, &questions[slot.task], slot, graded),
        };
        attempts
            .entry((slot.task, slot.arm))
            .or_default()
            .push(spoken);
        for (check, _, answered) in &graded.turns {
            let Ok(answered) = answered else { continue };
            let check = questions[slot.task].turns[*check].spec.id.clone();
            let arm = spec.arms[slot.arm].id.clone();
            let family = spec.tasks[slot.task].family.clone();
            let count: &mut TurnCount = turns.entry((check, arm, family)).or_default();
            count.add(answered.component.status);
        }
    }
    let outcomes = attempts
        .into_iter()
        .map(
            |(slot, attempts)| match spec.tasks[slot.0].checks.is_empty() {
                true => (slot, Outcome::ungraded()),
                false => (slot, outcome(rule, &attempts)),
            },
        )
        .collect();
    (outcomes, turns)
}

/// What each other reading, alone, would make of the run.
pub(super) fn others(
    views: &[View],
    counted: &[(Outcomes, Turns)],
    gates: &[BTreeMap<String, GateResult>],
) -> Vec<OtherReading> {
    let (chosen, chosen_turns) = &counted[0];
    let mut all = Vec::new();
    for (index, view) in views.iter().enumerate() {
        let Some(other) = &view.other else { continue };
        let (outcomes, turns) = &counted[index];
        let changed = outcomes
            .iter()
            .filter(|(slot, outcome)| {
                let before = chosen.get(slot).map(|chosen| chosen.status);
                before != Some(outcome.status)
            })
            .count();
        all.push(OtherReading {
            reading: other.reading.clone(),
            value: other.value.clone(),
            tasks_changed: Some(changed as u64),
            turns_changed: turns != chosen_turns,
            gates: gates[index]
                .iter()
                .map(|(id, gate)| (id.clone(), gate.status))
                .collect(),
            figures: gates[index].clone(),
        });
    }
    all
}
