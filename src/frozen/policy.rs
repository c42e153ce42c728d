//! Checks of turns without tasks: a policy that any run is held against.

use std::collections::BTreeMap;

use rayon::prelude::*;

use super::aggregate::Sums;
use super::ask::{Answered, Asking, Graded, Questions, View, policy, touches};
use super::attempt::Attempt;
use super::error::FrozenError;
use super::gate::{Counted, Outcomes, TurnCount, Turns};
use super::grade::{FrozenGrades, others};
use super::judgment::{Awaited, Judgments, Waiting};
use super::ledger::Ledger;
use super::row::{CheckRow, FrozenRow};
use super::rows;
use super::runs::Runs;
use crate::oracle::{KindInfo, Status};
use crate::spec::{Keys, Sealed, sha256};

/// Everything that a policy is held against.
#[derive(Clone, Copy)]
pub struct PolicyInputs<'a> {
    /// The spec, whose seal holds, and which has no tasks.
    pub sealed: &'a Sealed,
    /// The check kinds.
    pub kinds: &'a [KindInfo],
    /// The keys.
    pub keys: &'a Keys,
    /// What judges said; a turn's identity is its file's name.
    pub judgments: &'a Judgments,
}

/// One session of a file.
struct Run {
    name: String,
    attempt: Attempt,
    first: Graded,
    others: Vec<Option<Graded>>,
}

impl Run {
    fn under(&self, view: usize) -> &Graded {
        let other = view.checked_sub(1).and_then(|at| self.others.get(at));
        other.and_then(Option::as_ref).unwrap_or(&self.first)
    }
}

/// Holds every turn of every run against a policy. Beside the grades: the SHA-256 of each file by its
/// name in rows.
///
/// # Errors
/// `E_SPEC` for a check that cannot be asked; a spec whose seal holds has none. `E_JUDGMENT` for a
/// judgment of something that is in no run.
pub fn grade_policy(
    inputs: &PolicyInputs<'_>,
    read: Runs,
) -> Result<(FrozenGrades, BTreeMap<String, String>), FrozenError> {
    let views = View::all(inputs.sealed);
    let questions = policy(inputs.sealed, inputs.kinds)?;
    let mut families = read.0;
    families.sort_by(|a, b| a.files.cmp(&b.files));
    let files = families.iter().flat_map(|own| own.files.iter().cloned());
    let files = files.collect();
    let dark = families.iter().flat_map(|own| own.dark.iter().cloned());
    let mut dark: Vec<_> = dark.collect();
    dark.sort();
    let sessions = families.into_iter().flat_map(|own| own.runs);
    let sessions: Vec<(String, Attempt)> = sessions.collect();
    inputs.judgments.known(&|identity, turn| {
        let mut own = sessions.iter().filter(|(name, _)| name == identity);
        own.any(|(_, attempt)| turn == 0 || attempt.holds(turn))
    })?;
    let mut runs: Vec<Run> = sessions
        .into_par_iter()
        .map(|(name, attempt)| ask(inputs, name, attempt, &questions, &views))
        .collect();
    // Sessions of one file keep their order.
    runs.sort_by(|a, b| a.name.as_bytes().cmp(b.name.as_bytes()));
    let counted: Vec<(Outcomes, Turns)> = (0..views.len())
        .map(|view| (Outcomes::new(), count(&runs, &questions, view)))
        .collect();
    let gates: Vec<_> = counted
        .iter()
        .zip(&views)
        .map(|((outcomes, turns), view)| {
            let counted = Counted {
                spec: &inputs.sealed.spec,
                readings: &view.readings,
                outcomes,
                turns,
                done: &[],
                view: 0,
                questions: &[],
                ledger: &Ledger::default(),
            };
            counted.all()
        })
        .collect();
    let mut sums = Sums::blank(inputs.sealed, inputs.keys, inputs.judgments);
    for run in &runs {
        sums.of_run(run.attempt.class, &run.first, &questions);
    }
    sums.of_unused();
    sums.alternatives = others(&views, &counted, &gates);
    sums.gates = gates.into_iter().next().unwrap_or_default();
    let private = runs.iter().flat_map(|run| run.attempt.private.iter());
    let grades = FrozenGrades {
        private: private.cloned().collect(),
        rows: rows_of(&runs, &questions),
        sums,
        awaited: awaited(inputs, &runs, &questions),
        dark,
    };
    Ok((grades, files))
}

fn awaited(inputs: &PolicyInputs<'_>, runs: &[Run], questions: &Questions<'_>) -> Vec<Awaited> {
    let mut all = Vec::new();
    for run in runs {
        let waiting = Waiting {
            keys: inputs.keys,
            prompt: None,
            identity: &run.name,
            last: false,
        };
        waiting.of(&run.attempt, questions, &run.first, &mut all);
    }
    all
}

fn ask(
    inputs: &PolicyInputs<'_>,
    name: String,
    attempt: Attempt,
    questions: &Questions<'_>,
    views: &[View],
) -> Run {
    let asking = Asking {
        keys: inputs.keys,
        judgments: inputs.judgments,
        identity: &name,
        around: None,
    };
    let graded = |view: &View| {
        let mut graded = Graded::default();
        asking.turns(&attempt, questions, view, &mut graded);
        graded
    };
    let first = graded(&views[0]);
    let others = views[1..].iter().map(|view| {
        let other = view.other.as_ref()?;
        touches(questions, inputs.keys, other).then(|| graded(view))
    });
    let others = others.collect();
    Run {
        name,
        attempt,
        first,
        others,
    }
}

fn count(runs: &[Run], questions: &Questions<'_>, view: usize) -> Turns {
    let mut turns = Turns::new();
    for run in runs {
        for (check, _, answered) in &run.under(view).turns {
            let Ok(answered) = answered else { continue };
            let check = questions.turns[*check].spec.id.clone();
            let count: &mut TurnCount = turns
                .entry((check, String::new(), String::new()))
                .or_default();
            count.add(answered.component.status);
        }
    }
    turns
}

fn rows_of(runs: &[Run], questions: &Questions<'_>) -> Vec<FrozenRow> {
    let mut all = Vec::new();
    for run in runs {
        for (check, turn, answered) in &run.first.turns {
            let ready = &questions.turns[*check];
            let turn = turn.map(|turn| &run.attempt.turns[turn]);
            let blank = CheckRow {
                session: run.attempt.session.clone(),
                turn: turn.map(|turn| turn.number),
                lines: turn.map(|turn| turn.lines),
                ..rows::blank(ready.spec, &run.name)
            };
            let mut row = told(blank, &run.name, answered);
            let close = turn.and_then(|turn| turn.close.as_ref());
            row.answer_sha256 = close.map(|(_, text)| sha256(text.as_bytes()));
            let said = close.map(|(_, text)| text.as_str());
            row.stands(turn, said.filter(|_| ready.reads_text()));
            all.push(FrozenRow::Check(Box::new(row)));
        }
    }
    all
}

fn told(blank: CheckRow, file: &str, answered: &Result<Answered, &'static str>) -> CheckRow {
    match answered {
        Ok(answered) => rows::filled(blank, file, answered),
        Err(reason) => CheckRow {
            reasons: [(*reason).to_owned()].into(),
            ..blank
        },
    }
}

impl TurnCount {
    /// One turn more.
    pub(super) fn add(&mut self, status: Status) {
        self.asked += 1;
        self.pass += u64::from(status == Status::Pass);
        self.fail += u64::from(status == Status::Fail);
    }
}
