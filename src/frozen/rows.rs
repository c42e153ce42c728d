//! The rows of a graded run.

use std::collections::BTreeSet;

use super::ask::{Answered, Judged, Questions, Ready, View};
use super::attempt::Class;
use super::attempt::SaidTurn;
use super::carrier::CrossCheck;
use super::gate::{Outcomes, Turns};
use super::grade::Done;
use super::row::{
    AttemptRow, CheckRow, FrozenRow, OtherwiseRow, ROW_SCHEMA, ReadRow, TaskRow, reasons,
};
use crate::grade::EvidenceRow;
use crate::oracle::{Component, Read, Status, When};
use crate::spec::{ANSWER, CheckSpec, Spec, sha256};

/// Bytes of the blank line between two blocks of a close.
const JOINED: u64 = 2;

/// Every row: of each task and arm, the checks of its attempts, and then the task.
pub(super) fn rows(
    spec: &Spec,
    done: &[Done<'_>],
    questions: &[Questions<'_>],
    views: &[View],
    counted: &[(Outcomes, Turns)],
) -> Vec<FrozenRow> {
    let last = views[0].readings.get(ANSWER.id) == "last-message";
    let mut rows = Vec::new();
    for (slot, outcome) in &counted[0].0 {
        let (task, arm) = *slot;
        let own = || {
            done.iter()
                .filter(|done| (done.slot.task, done.slot.arm) == *slot)
        };
        for done in own() {
            let writer = Writer {
                spec,
                done,
                questions: &questions[task],
                last,
            };
            writer.checks(&mut rows);
        }
        let others = views.iter().enumerate().filter_map(|(index, view)| {
            let other = view.other.as_ref()?;
            let changed = counted[index].0.get(slot)?.status;
            (changed != outcome.status).then(|| OtherwiseRow {
                reading: other.reading.clone(),
                value: other.value.clone(),
                status: changed.as_str(),
            })
        });
        rows.push(FrozenRow::Task(Box::new(TaskRow {
            schema: ROW_SCHEMA,
            kind: "task",
            status: match outcome.ungraded {
                true => "na",
                false => outcome.status.as_str(),
            },
            verdict: outcome.verdict(),
            reasons: outcome.reasons.clone(),
            evidence: Vec::new(),
            task: spec.tasks[task].id.clone(),
            arm: spec.arms[arm].id.clone(),
            family: spec.tasks[task].family.clone(),
            opportunity: spec.tasks[task].opportunity,
            attempts: own().map(attempt).collect(),
            alternatives: others.collect(),
        })));
    }
    rows
}

fn attempt(done: &Done<'_>) -> AttemptRow {
    let graded = done.under(0);
    let component = graded.sum.as_ref();
    AttemptRow {
        identity: done.row.label(),
        actor: done.row.actor,
        file: done.name.clone(),
        class: done.attempt.class.as_str(),
        cause: (done.attempt.class.cause().or(graded.cause.as_deref())).map(str::to_owned),
        carrier: attempt_carrier(done).map(str::to_owned),
        copy: done.attempt.check.map(CrossCheck::as_str),
        status: component.map_or("na", |component| component.status.as_str()),
        failing: component.map(|own| own.failing.clone()).unwrap_or_default(),
        unknown: component.map(|own| own.unknown.clone()).unwrap_or_default(),
    }
}

fn attempt_carrier<'d>(done: &'d Done<'_>) -> Option<&'d str> {
    let completed = done.attempt.class == Class::Completed;
    done.attempt
        .carrier
        .reason()
        .filter(|_| completed && done.under(0).cause.is_none())
}

/// Writes the check rows of one attempt.
struct Writer<'a> {
    spec: &'a Spec,
    done: &'a Done<'a>,
    questions: &'a Questions<'a>,
    last: bool,
}

impl Writer<'_> {
    fn checks(&self, rows: &mut Vec<FrozenRow>) {
        let graded = self.done.under(0);
        let attempt = &self.done.attempt;
        let place = attempt.turns.last();
        let text = attempt.answer(self.last).ok();
        for (index, ready) in self.questions.answers.iter().enumerate() {
            let mut row = match graded.answers.get(index) {
                Some(answered) if !answered.applies => {
                    let reason = BTreeSet::from(["not-applicable".to_owned()]);
                    self.blank(ready, "na", reason)
                }
                Some(answered) => self.row(ready, answered),
                None => self.unasked(ready, graded.sum.as_ref()),
            };
            row.turn = place.map(|turn| turn.number);
            row.lines = place.map(|turn| turn.lines);
            row.answer_sha256 = text.map(|text| sha256(text.as_bytes()));
            row.stands(place, text.filter(|_| ready.reads_text()));
            rows.push(FrozenRow::Check(Box::new(row)));
        }
        for (check, turn, answered) in &graded.turns {
            let ready = &self.questions.turns[*check];
            let turn = turn.map(|turn| &attempt.turns[turn]);
            let mut row = match answered {
                Ok(answered) => self.row(ready, answered),
                Err(reason) => self.blank(ready, "na", BTreeSet::from([(*reason).to_owned()])),
            };
            row.turn = turn.map(|turn| turn.number);
            row.lines = turn.map(|turn| turn.lines);
            let close = turn.and_then(|turn| turn.close.as_ref());
            row.answer_sha256 = close.map(|(_, text)| sha256(text.as_bytes()));
            let said = close.map(|(_, text)| text.as_str());
            row.stands(turn, said.filter(|_| ready.reads_text()));
            rows.push(FrozenRow::Check(Box::new(row)));
        }
    }

    fn row(&self, ready: &Ready<'_>, answered: &Answered) -> CheckRow {
        let blank = self.blank(ready, "na", BTreeSet::new());
        filled(blank, &self.done.name, answered)
    }

    /// The row of a check that could not be asked: there is no answer, or nobody knows of one.
    fn unasked(&self, ready: &Ready<'_>, sum: Option<&Component>) -> CheckRow {
        let component = match (self.done.attempt.class, sum) {
            (Class::Inadmissible(cause), _) => {
                return self.blank(ready, "na", BTreeSet::from([cause.to_owned()]));
            }
            (Class::Unresolved(cause), _) => Component::unknown(cause),
            (Class::Completed, sum) => sum.cloned().unwrap_or_else(|| Component::fail("no-close")),
        };
        // That nobody answered fails the task. Of a use, a role or a blindness that is only told beside it,
        // it shows nothing.
        let component = match ready.spec.decides {
            true => component,
            false => component.undecided(),
        };
        self.row(ready, &component.into())
    }

    fn blank(
        &self,
        ready: &Ready<'_>,
        status: &'static str,
        reasons: BTreeSet<String>,
    ) -> CheckRow {
        let slot = self.done.slot;
        let task = &self.spec.tasks[slot.task];
        CheckRow {
            session: self.done.attempt.session.clone(),
            status,
            verdict: status,
            reasons,
            identity: Some(self.done.row.label()),
            task: Some(task.id.clone()),
            arm: Some(self.spec.arms[slot.arm].id.clone()),
            family: Some(task.family.clone()),
            attempt: Some(slot.attempt),
            ..blank(ready.spec, &self.done.name)
        }
    }
}

/// The row of a check that is not asked.
pub(super) fn blank(check: &CheckSpec, file: &str) -> CheckRow {
    CheckRow {
        schema: ROW_SCHEMA,
        kind: "check",
        file: file.to_owned(),
        session: None,
        turn: None,
        lines: None,
        status: "na",
        verdict: "na",
        reasons: BTreeSet::new(),
        evidence: Vec::new(),
        identity: None,
        task: None,
        arm: None,
        family: None,
        attempt: None,
        check: check.id.clone(),
        check_kind: check.kind.clone(),
        subject: check.subject,
        failing: BTreeSet::new(),
        unknown: BTreeSet::new(),
        judged: false,
        answer_sha256: None,
        decides: check.decides,
        key: None,
        read: Vec::new(),
        absent: Vec::new(),
        facts: Box::default(),
    }
}

/// The row of a check that was asked.
pub(super) fn filled(blank: CheckRow, file: &str, answered: &Answered) -> CheckRow {
    let component = &answered.component;
    let status = match component.status {
        Status::Pending => Status::Unknown,
        status => status,
    };
    CheckRow {
        status: status.as_str(),
        verdict: component.status.as_str(),
        reasons: reasons(component),
        failing: component.failing.clone(),
        unknown: component.unknown.clone(),
        judged: answered.judged == Judged::Decided,
        evidence: evidence(file, answered),
        key: answered.key.clone(),
        read: answered.sight.read.iter().map(read).collect(),
        absent: answered.sight.absent.clone(),
        facts: Box::new(answered.facts.clone()),
        ..blank
    }
}

fn read(own: &Read) -> ReadRow {
    ReadRow {
        text: own.text.clone(),
        line: own.line,
        start: own.span.0 as u64,
        end: own.span.1 as u64,
        said: own.said,
    }
}

impl CheckRow {
    /// Points at the records in which what was read stands, or at those of the whole answer. An answer that is not the close
    /// of its last turn stands in no record that is known here.
    pub(super) fn stands(&mut self, turn: Option<&SaidTurn>, text: Option<&str>) {
        let asked = self.key.is_some() || !self.read.is_empty() || !self.absent.is_empty();
        let is_close = |turn: &&SaidTurn| {
            let close = turn.close.as_ref().map(|(_, close)| close.as_str());
            asked && close.is_some() && close == text
        };
        let Some(turn) = turn.filter(is_close) else {
            return;
        };
        let row = |line, (start, end): (u64, u64)| EvidenceRow {
            file: self.file.clone(),
            line,
            start,
            end,
            what: "the answer".to_owned(),
        };
        let mut at = 0;
        let mut rows: Vec<EvidenceRow> = Vec::new();
        for (place, long) in &turn.blocks {
            let end = at + *long as u64;
            let within = |own: &ReadRow| own.start <= end && own.end >= at;
            let own = row(place.line, (place.start, place.end));
            if (self.read.is_empty() || self.read.iter().any(within)) && rows.last() != Some(&own) {
                rows.push(own);
            }
            at = end + JOINED;
        }
        self.evidence.extend(rows);
    }
}

/// The calls that a check of turns rests on.
fn evidence(file: &str, answered: &Answered) -> Vec<EvidenceRow> {
    let row = |(at, what): &(When, &'static str)| EvidenceRow {
        file: file.to_owned(),
        line: at.line,
        start: at.span.0,
        end: at.span.1,
        what: (*what).to_owned(),
    };
    answered.places.iter().map(row).collect()
}
