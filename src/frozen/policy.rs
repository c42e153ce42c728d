//! Checks of turns without tasks: a policy that any run is held against.

use std::collections::BTreeMap;

use rayon::prelude::*;

use super::aggregate::Sums;
use super::ask::{Answered, Asking, Graded, Questions, View, policy, touches};
use super::attempt::{Attempt, Class, SaidTurn, private_of};
use super::error::FrozenError;
use super::gate::{Counted, Outcomes, TurnCount, Turns};
use super::grade::{FrozenGrades, others};
use super::judgment::Judgments;
use super::reading::{Kin, Reading, Session};
use super::row::{CheckRow, FrozenRow};
use super::rows;
use crate::grade::hex;
use crate::oracle::{Gap, KindInfo, Status};
use crate::source::Found;
use crate::spec::{Keys, Sealed, sha256};
use crate::transcript::{FileReport, Format, Glance, read_file};
use crate::turn::Delegated;

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
    /// Families of files, each in the order in which it is read.
    pub families: &'a [Vec<(Found, Glance)>],
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

/// What is read of a family: its sessions, and the digest of each file.
type Read = (Vec<(String, Attempt)>, Vec<(String, String)>);

/// Holds every turn of every run against a policy. Beside the grades: the SHA-256 of each file by its
/// name in rows.
///
/// # Errors
/// `E_SPEC` for a check that cannot be asked; a spec whose seal holds has none.
pub fn grade_policy(
    inputs: &PolicyInputs<'_>,
) -> Result<(FrozenGrades, BTreeMap<String, String>), FrozenError> {
    let views = View::all(inputs.sealed);
    let questions = policy(inputs.sealed, inputs.kinds)?;
    let mut families: Vec<Read> = inputs.families.par_iter().map(|own| read(own)).collect();
    families.sort_by(|a, b| a.1.cmp(&b.1));
    let files = families.iter().flat_map(|family| family.1.iter().cloned());
    let files = files.collect();
    let sessions = families.into_iter().flat_map(|family| family.0);
    let sessions: Vec<(String, Attempt)> = sessions.collect();
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
            };
            counted.all()
        })
        .collect();
    let mut sums = Sums::blank(inputs.sealed, inputs.keys, inputs.judgments);
    for run in &runs {
        sums.of_run(run.attempt.class, &run.first, &questions);
    }
    sums.alternatives = others(&views, &counted, &gates);
    sums.gates = gates.into_iter().next().unwrap_or_default();
    let private = runs.iter().flat_map(|run| run.attempt.private.iter());
    let grades = FrozenGrades {
        private: private.cloned().collect(),
        rows: rows_of(&runs, &questions),
        sums,
    };
    Ok((grades, files))
}

/// Reads a family's files in their order: what an agent did counts for whoever launched it, and what
/// a copy repeats is told once.
fn read(family: &[(Found, Glance)]) -> Read {
    let many = family.len() > 1;
    let kin = || Kin {
        many,
        ..Kin::default()
    };
    let (mut own, mut agents) = (kin(), kin());
    let (mut runs, mut files, mut kept) = (Vec::new(), Vec::new(), Vec::new());
    for (found, glance) in family {
        // An agent's records and its parent's never own each other: a compaction copy would.
        let kin = if glance.subagent { &agents } else { &own };
        let (sessions, report) = sessions(found, kin);
        if report.format == Format::Unknown && !found.expected {
            continue;
        }
        files.push((found.name.clone(), hex(&report.sha256)));
        let agent = report.header.agent.clone();
        let mut keys = Vec::new();
        for (index, session) in sessions.into_iter().enumerate() {
            if let Some(agent) = &agent {
                let did = Delegated {
                    agent: agent.clone(),
                    acts: session.acts.clone(),
                    looked: session.looked,
                };
                own.children.insert(agent.clone(), did.clone());
                agents.children.insert(agent.clone(), did);
            }
            keys.extend_from_slice(&session.keys);
            let attempt = attempt(&session, &report, index == 0);
            let id = attempt.session.clone();
            let told = id.as_ref().is_some_and(|id| kept.contains(id));
            if report.header.compaction || told && report.format.is_printed() {
                continue;
            }
            if !report.format.is_printed() && !attempt.turns.is_empty() {
                kept.extend(id);
            }
            runs.push((found.name.clone(), attempt));
        }
        if glance.subagent {
            agents.owned.extend(keys);
        } else {
            own.owned.extend(keys);
        }
    }
    files.sort();
    (runs, files)
}

fn sessions(found: &Found, kin: &Kin) -> (Vec<Session>, FileReport) {
    let mut reading = Reading::new(kin);
    let report = match found.open() {
        Ok(lines) => read_file(lines, &mut reading),
        Err(fault) => FileReport {
            fault: Some(fault),
            ..FileReport::default()
        },
    };
    (reading.finish(), report)
}

fn attempt(session: &Session, report: &FileReport, first: bool) -> Attempt {
    let header = &report.header;
    let whole = report.fault.is_none() && report.quarantined.is_empty();
    let mut turns = session.turns(header.cwd.as_deref());
    if !whole {
        // The call that is missed may stand in what could not be read.
        turns.iter_mut().for_each(torn);
    }
    let class = match (report.fault.is_some(), whole) {
        (true, _) => Class::Unresolved("unreadable"),
        (_, false) => Class::Unresolved("parse"),
        _ => Class::Completed,
    };
    let name = if first { None } else { session.name.clone() };
    Attempt {
        turns,
        session: name.or_else(|| header.session.clone()),
        private: private_of(header),
        ..Attempt::without_turns(class)
    }
}

fn torn(turn: &mut SaidTurn) {
    turn.deeds.gaps.push(Gap {
        reason: "unknown-record",
        when: None,
    });
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
            let turn = &run.attempt.turns[*turn];
            let blank = CheckRow {
                session: run.attempt.session.clone(),
                turn: Some(turn.number),
                lines: Some(turn.lines),
                ..rows::blank(ready.spec, &run.name)
            };
            let mut row = told(blank, &run.name, answered);
            let close = turn.close.as_ref();
            row.answer_sha256 = close.map(|(_, text)| sha256(text.as_bytes()));
            all.push(FrozenRow::Check(row));
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
