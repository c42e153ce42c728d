//! A transcript read for its turns: what was said, and what was done.

use std::collections::{HashMap, HashSet};

use super::attempt::SaidTurn;
use super::beside::Beside;
use super::carrier::{Row, Spoken};
use super::deeds;
use super::seen::{self, SeenTurn};
use crate::transcript::{Body, Event, Outcome, Sink};
use crate::turn::{Act, Counts, Delegated, SessionFold, Turn, TurnSink};

/// What is known of other files while one is read. An attempt's transcript is read by itself.
#[derive(Default)]
pub(super) struct Kin {
    pub(super) owned: HashSet<u64>,
    pub(super) children: HashMap<String, Delegated>,
    /// Whether other files follow that may repeat records of this one.
    pub(super) many: bool,
    /// Whether calls are kept with what came back. Attempts are few; the turns of a policy are not.
    pub(super) evidence: bool,
}

#[derive(Default)]
struct Collected {
    turns: Vec<SaidTurn>,
    acts: Vec<(Act, Outcome)>,
    looked: bool,
    evidence: bool,
}

impl TurnSink for Collected {
    fn turn(&mut self, turn: Turn) {
        for step in &turn.steps {
            let told = step.acts.iter().filter(|act| deeds::counts(act));
            self.acts
                .extend(told.map(|act| (act.clone(), step.outcome)));
            self.looked |= deeds::looks(step);
        }
        if turn.copied || turn.inherited {
            return;
        }
        let close = turn.close();
        self.turns.push(SaidTurn {
            number: turn.number,
            lines: turn.lines,
            ended: turn.ended,
            close: close.map(|close| (close.place.line, close.text.clone())),
            blocks: close.map(|close| close.blocks.clone()).unwrap_or_default(),
            deeds: deeds::of(&turn),
            seen: match self.evidence {
                true => seen::of(&turn),
                false => SeenTurn::default(),
            },
        });
    }

    fn rewound(&mut self, dead: &[u32]) {
        self.turns
            .retain(|turn| dead.binary_search(&turn.number).is_err());
        for turn in &mut self.turns {
            let before = dead.partition_point(|number| *number < turn.number);
            turn.number -= u32::try_from(before).unwrap_or(0);
        }
    }
}

/// One session of a file.
#[derive(Debug, Clone)]
pub(super) struct Session {
    turns: Vec<SaidTurn>,
    /// How it ends.
    pub(super) spoken: Spoken,
    /// Keys of its records.
    pub(super) keys: Vec<u64>,
    /// What was done in it, for whoever launched it.
    pub(super) acts: Vec<(Act, Outcome)>,
    /// Whether anything was looked at in it.
    pub(super) looked: bool,
    /// Its own id, where a file of several tells it.
    pub(super) name: Option<String>,
    /// What was counted in it.
    pub(super) counts: Counts,
    /// What it shows beside its turns, where that was asked for.
    pub(super) beside: Beside,
}

impl Session {
    /// The lines of its last turn.
    pub(super) fn last_lines(&self) -> Option<(u64, u64)> {
        self.turns.last().map(|turn| turn.lines)
    }

    /// Its turns. `root` is the folder that it works in.
    pub(super) fn turns(&self, root: Option<&str>) -> Vec<SaidTurn> {
        let root = root.map(|root| root.replace('\\', "/"));
        let root = root.map(|root| root.trim_end_matches('/').to_owned());
        let mut turns = self.turns.clone();
        for turn in &mut turns {
            turn.deeds.root.clone_from(&root);
        }
        turns
    }
}

pub(super) struct Reading<'k> {
    kin: &'k Kin,
    fold: SessionFold<'k, Collected>,
    spoken: Spoken,
    beside: Beside,
    name: Option<String>,
    done: Vec<Session>,
}

impl<'k> Reading<'k> {
    pub(super) fn new(kin: &'k Kin) -> Self {
        Self {
            kin,
            fold: Self::fold(kin),
            spoken: Spoken::default(),
            beside: Beside::default(),
            name: None,
            done: Vec::new(),
        }
    }

    fn fold(kin: &'k Kin) -> SessionFold<'k, Collected> {
        let collected = Collected {
            evidence: kin.evidence,
            ..Collected::default()
        };
        SessionFold::new(collected, &kin.owned, &kin.children, kin.many)
    }

    /// Ends a session. One that holds nothing is kept only where `last` asks for a file's only one.
    fn close(&mut self, next: Option<String>, last: bool) {
        let before = std::mem::replace(&mut self.fold, Self::fold(self.kin));
        let (end, collected) = before.finish();
        let spoken = std::mem::take(&mut self.spoken);
        let beside = std::mem::take(&mut self.beside);
        let name = std::mem::replace(&mut self.name, next);
        let empty = collected.turns.is_empty() && collected.acts.is_empty() && end.keys.is_empty();
        if empty && !(last && self.done.is_empty()) {
            return;
        }
        self.done.push(Session {
            turns: collected.turns,
            spoken,
            keys: end.keys,
            acts: collected.acts,
            looked: collected.looked,
            name,
            counts: end.counts,
            beside,
        });
    }

    /// Every session that holds something; one that holds nothing where none does.
    pub(super) fn finish(mut self) -> Vec<Session> {
        self.close(None, true);
        self.done
    }
}

impl Sink for Reading<'_> {
    fn event(&mut self, event: Event<'_>) {
        if let Body::Begins { session } = &event.body {
            let next = session.as_deref().map(str::to_owned);
            self.close(next, false);
        }
        if let Some(row) = Row::of(&event) {
            self.spoken.block(row);
        }
        if self.kin.evidence {
            self.beside.event(&event);
        }
        self.fold.event(event);
    }
}
