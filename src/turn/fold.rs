//! The fold over a session's events that closes one turn after another.

use std::collections::{BTreeMap, HashMap, HashSet};

use super::model::{Delegated, Ended, Moment, Turn};
use super::open::Open;
use crate::transcript::{Body, Event, Frame, Opens, Place, Reply, Sink, Thread, key_of};

/// Takes the turns of a session as they end.
pub trait TurnSink {
    /// One turn.
    fn turn(&mut self, turn: Turn);
    /// All turns are told; those of these numbers were taken back by a rewind.
    fn rewound(&mut self, dead: &[u32]);
}

/// What was counted in one session.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Counts {
    /// Distinct tool calls.
    pub calls: u64,
    /// Distinct calls, known or not, that have a result.
    pub results: u64,
    /// Calls with a result.
    pub pairs: u64,
    /// Calls without one.
    pub orphan_calls: u64,
    /// Results without a call.
    pub orphan_results: u64,
    /// What humans typed.
    pub operator_messages: u64,
    /// Turns of its own conversation: without those of its last two kinds below.
    pub turns: u64,
    /// Turns among them that another file of the family owns.
    pub copied_turns: u64,
    /// Turns of another session's history that stands copied at the file's head.
    pub inherited_turns: u64,
    /// Turns that a rewind took back.
    pub rewound_turns: u64,
    /// Turns by how they ended, those that were taken back among them.
    pub ended: BTreeMap<Ended, u64>,
}

/// A session when its events are over.
#[derive(Debug, Clone, Default)]
pub struct SessionEnd {
    /// What was counted.
    pub counts: Counts,
    /// Keys of its records, for telling copies of them in other files.
    pub keys: Vec<u64>,
}

/// Takes the pieces that could not be read and stand behind a turn's close: what they did, it does
/// not speak of.
fn take_unread_behind(turn: &mut Turn) -> Vec<Place> {
    let last = turn.close().and_then(|close| close.blocks.last());
    let Some(said) = last.map(|(place, _)| place.start) else {
        return Vec::new();
    };
    let mut behind = Vec::new();
    turn.moments.retain(|moment| match moment {
        Moment::Unread(place) if place.start > said => {
            behind.push(*place);
            false
        }
        _ => true,
    });
    behind
}

/// Where a turn stands in the client's tree of records.
#[derive(Debug, Clone, Copy, Default)]
struct Branch {
    /// The turn that its prompt follows; where that is not told, the one before it.
    after: Option<u32>,
    copied: bool,
    inherited: bool,
}

/// Folds the events of one session into turns.
pub struct SessionFold<'s, S: TurnSink> {
    sink: S,
    /// Keys of records that another file of the family owns.
    owned: &'s HashSet<u64>,
    /// What the agents that this session launched did, by their ids.
    children: &'s HashMap<String, Delegated>,
    pub(super) counts: Counts,
    open: Option<Open>,
    number: u32,
    /// Whether each call id has a result, by the id's key.
    answered: HashMap<u64, bool>,
    unknown_results: HashSet<u64>,
    /// The turn that each record belongs to, by the record's key in the client's tree.
    home: HashMap<u64, u32>,
    /// Those of the open turn.
    nodes: Vec<u64>,
    /// Each turn's place in that tree, in order.
    branches: Vec<Branch>,
    /// Whether the client stands ready, so that the next turn is framed.
    ready: bool,
    /// Pieces behind the close of the last turn that could not be read.
    unread: Vec<Place>,
    keys: Vec<u64>,
    keep_keys: bool,
    pub(super) events: u64,
    pub(super) cwd: Option<String>,
    /// Launches of earlier turns that may still be told of.
    pub(super) background: HashMap<String, super::model::Step>,
}

impl<'s, S: TurnSink> SessionFold<'s, S> {
    /// A fold that hands turns to `sink`. `keep_keys` asks for the keys of all records at the end.
    pub fn new(
        sink: S,
        owned: &'s HashSet<u64>,
        children: &'s HashMap<String, Delegated>,
        keep_keys: bool,
    ) -> Self {
        Self {
            sink,
            owned,
            children,
            counts: Counts::default(),
            open: None,
            number: 0,
            answered: HashMap::new(),
            unknown_results: HashSet::new(),
            home: HashMap::new(),
            nodes: Vec::new(),
            branches: Vec::new(),
            ready: false,
            unread: Vec::new(),
            keys: Vec::new(),
            keep_keys,
            events: 0,
            cwd: None,
            background: HashMap::new(),
        }
    }

    /// Ends the session.
    #[must_use]
    pub fn finish(mut self) -> (SessionEnd, S) {
        self.close_turn(true);
        self.let_go_of_dead_branches();
        let answered = self.answered.values().filter(|answered| **answered).count() as u64;
        let counts = &mut self.counts;
        counts.calls = self.answered.len() as u64;
        counts.pairs = answered;
        counts.orphan_calls = counts.calls - answered;
        counts.orphan_results = self.unknown_results.len() as u64;
        counts.results = answered + counts.orphan_results;
        let end = SessionEnd {
            counts: self.counts,
            keys: self.keys,
        };
        (end, self.sink)
    }

    fn turn(&mut self, place: Place) -> &mut Open {
        if self.open.is_none() {
            self.number += 1;
            self.branches.push(Branch::default());
            let mut open = Open::new(self.number, place);
            open.framed = std::mem::take(&mut self.ready);
            for place in std::mem::take(&mut self.unread) {
                open.unread(place);
            }
            self.open = Some(open);
        }
        let open = self
            .open
            .get_or_insert_with(|| Open::new(self.number, place));
        open.touch(place);
        open
    }

    /// Ends the open turn, if there is one, and hands it on.
    fn close_turn(&mut self, at_end: bool) {
        let Some(open) = self.open.take() else {
            return;
        };
        let nodes = std::mem::take(&mut self.nodes);
        if open.is_empty() {
            self.number -= 1;
            // What follows its records follows what they follow.
            let branch = self.branches.pop().unwrap_or_default();
            let before = branch.after.unwrap_or(self.number);
            for node in nodes {
                self.home.insert(node, before);
            }
            return;
        }
        for (handle, step) in open.still_running() {
            self.background.insert(handle, step);
        }
        let mut turn = open.finish(at_end);
        self.unread = take_unread_behind(&mut turn);
        if let Some(branch) = self.branches.last_mut() {
            branch.copied = turn.copied;
            branch.inherited = turn.inherited;
        }
        if !turn.inherited {
            *self.counts.ended.entry(turn.ended).or_insert(0) += 1;
        }
        self.sink.turn(turn);
    }

    /// Counts the turns, less those that no way leads to from the last one: a rewind leaves the
    /// branch that it takes back in the file, and a client that takes up its history anew writes
    /// what it has twice (`delexw/claude-code-trace#40`).
    fn let_go_of_dead_branches(&mut self) {
        let mut live = vec![false; self.branches.len()];
        let mut at = self.branches.len();
        while at > 0 {
            live[at - 1] = true;
            let after = self.branches[at - 1].after.map(|turn| turn as usize);
            at = after.filter(|turn| *turn < at).unwrap_or(at - 1);
        }
        let mut dead = Vec::new();
        for ((branch, live), number) in self.branches.iter().zip(live).zip(1_u32..) {
            let counts = &mut self.counts;
            if branch.inherited {
                counts.inherited_turns += 1;
            } else if live {
                counts.turns += 1;
                counts.copied_turns += u64::from(branch.copied);
            } else {
                counts.rewound_turns += 1;
            }
            if !live {
                dead.push(number);
            }
        }
        if !dead.is_empty() {
            self.sink.rewound(&dead);
        }
    }

    fn other(&mut self, event: Event<'_>) {
        match event.body {
            Body::Call(call) => {
                let first = self.note_call(&call.id);
                let cwd = self.cwd.clone();
                if first && let Some(open) = &mut self.open {
                    open.other_call(&call, cwd.as_deref());
                }
            }
            Body::Outcome(reply) => {
                self.note_result(&reply.id);
                if let Some(open) = &mut self.open {
                    open.other_outcome(&reply);
                }
            }
            _ => {}
        }
    }

    fn note_call(&mut self, id: &str) -> bool {
        let key = key_of(&[id]);
        if self.answered.contains_key(&key) {
            return false;
        }
        let early = self.unknown_results.remove(&key);
        self.answered.insert(key, early);
        true
    }

    fn note_result(&mut self, id: &str) {
        let key = key_of(&[id]);
        match self.answered.get_mut(&key) {
            Some(answered) => *answered = true,
            None => {
                self.unknown_results.insert(key);
            }
        }
    }

    fn operator(&mut self, event: &Event<'_>, text: &str, opens: Opens) {
        let delegated = matches!(opens, Opens::Delegated | Opens::FrameDelegated);
        let counts = !delegated && opens != Opens::Again && event.thread != Thread::Copied;
        self.counts.operator_messages += u64::from(counts);
        let joins = match opens {
            Opens::Always | Opens::Again | Opens::Command | Opens::Delegated => false,
            Opens::IfIdle => self.open.is_some(),
            Opens::Frame | Opens::FrameDelegated => {
                let goes_on = |open: &Open| open.framed && !open.answered;
                self.open.as_ref().is_some_and(goes_on)
            }
        };
        if joins {
            self.turn(event.place).prompt(event.place, text, delegated);
            return;
        }
        // What is asked after the answer stands in the same frame of the client.
        let frame = self.open.as_ref().is_some_and(|open| open.framed)
            && matches!(opens, Opens::Frame | Opens::FrameDelegated);
        // A turn that comes to nothing gives its records to the one before it as it ends.
        self.close_turn(false);
        let after = event
            .parent
            .and_then(|parent| self.home.get(&parent).copied());
        let open = self.turn(event.place);
        open.prompt(event.place, text, delegated);
        open.command = opens == Opens::Command;
        if frame {
            open.frame();
        }
        if let Some(branch) = self.branches.last_mut() {
            branch.after = after;
        }
    }

    fn frame(&mut self, place: Place, frame: Frame) {
        match frame {
            Frame::Started => {
                // A frame takes in the prompt that stands just before it.
                let joins = self.open.as_ref().is_some_and(Open::waits_for_frame);
                if !joins {
                    self.close_turn(false);
                }
                self.turn(place).frame();
            }
            Frame::Ready => {
                if self.open.as_ref().is_some_and(Open::active) {
                    self.close_turn(false);
                }
                match &mut self.open {
                    Some(open) => open.framed = true,
                    None => self.ready = true,
                }
            }
            Frame::Resumed => match &mut self.open {
                Some(open) => open.frame(),
                None => self.ready = true,
            },
            Frame::Answered => {
                if let Some(open) = &mut self.open {
                    open.answered = true;
                }
            }
            Frame::Completed | Frame::Failed | Frame::Aborted => {
                self.ready = false;
                if let Some(open) = &mut self.open {
                    open.framed = false;
                    open.complete = frame == Frame::Completed;
                    open.touch(place);
                }
            }
        }
    }

    fn interrupt(&mut self, place: Place) {
        if let Some(open) = &mut self.open {
            open.touch(place);
            open.interrupted = true;
        }
    }

    /// Thinking begins no turn.
    fn thought(&mut self, place: Place, message: u64) {
        if let Some(open) = &mut self.open {
            open.touch(place);
            open.thought(message);
        }
    }

    fn outcome(&mut self, place: Place, reply: Reply<'_>, counts: bool) {
        if counts {
            self.note_result(&reply.id);
        }
        let known = self.answered.contains_key(&key_of(&[&reply.id]));
        if let Some(open) = self.open.as_mut().filter(|_| counts && !known) {
            open.opaque += 1;
            open.unread(place);
        }
        let events = self.events;
        let child = reply
            .child
            .as_deref()
            .and_then(|child| self.children.get(child))
            .cloned();
        let settled = match &mut self.open {
            Some(open) => open.outcome(place, reply, events, child),
            None => None,
        };
        if let Some((handle, outcome, text)) = settled {
            self.settle(place, &handle, outcome, &text);
        }
    }

    fn settle(
        &mut self,
        place: Place,
        handle: &str,
        outcome: crate::transcript::Outcome,
        text: &str,
    ) {
        if !outcome.is_final() {
            return;
        }
        let events = self.events;
        let earlier = self.background.remove(handle);
        let child = self.children.get(handle).cloned();
        let open = self.turn(place);
        if !open.settle(place, handle, outcome, text, events)
            && let Some(step) = earlier
        {
            open.carry(step, place, outcome, text, events);
        }
        if let Some(child) = child {
            open.delegate(handle, child);
        }
    }

    fn own(&mut self, event: Event<'_>) {
        let place = event.place;
        match event.body {
            Body::Said {
                text,
                message,
                aside,
            } => self.turn(place).said(place, &text, message, aside),
            Body::Thought { message } => self.thought(place, message),
            Body::Call(call) => {
                let first = event.thread == Thread::Copied || self.note_call(&call.id);
                let (events, cwd) = (self.events, self.cwd.clone());
                if first {
                    self.turn(place).call(place, &call, events, cwd.as_deref());
                }
            }
            Body::Outcome(reply) => {
                let counts = event.thread != Thread::Copied;
                self.outcome(place, reply, counts);
            }
            Body::Settled {
                handle,
                outcome,
                text,
            } => {
                if self.open.is_some() {
                    self.settle(place, &handle, outcome, &text);
                }
            }
            Body::Injected { kind, .. } => {
                if let Some(open) = &mut self.open {
                    open.injected(kind);
                }
            }
            Body::Told { agent, text, aside } => {
                if let Some(open) = &mut self.open {
                    open.told(place, agent, &text, aside);
                }
            }
            Body::Frame(frame) => self.frame(place, frame),
            Body::Interrupt => self.interrupt(place),
            Body::ApiError { limit, text, .. } => {
                let at_rest = self.open.is_none();
                if !(at_rest && text.is_empty()) {
                    self.turn(place).api_error(limit);
                }
            }
            Body::Workdir { path } => self.cwd = Some(path.into_owned()),
            Body::Operator { .. }
            | Body::Compaction
            | Body::Begins { .. }
            | Body::Settings(_)
            | Body::Attached(_)
            | Body::Bookkeeping => {}
            Body::Opaque { .. } => self.opaque(),
            Body::Unread => self.unread(place),
        }
    }

    fn opaque(&mut self) {
        if let Some(open) = &mut self.open {
            open.opaque += 1;
        }
    }

    fn unread(&mut self, place: Place) {
        if let Some(open) = &mut self.open {
            open.unread(place);
        }
    }
}

impl<S: TurnSink> Sink for SessionFold<'_, S> {
    fn event(&mut self, event: Event<'_>) {
        self.events += 1;
        if event.thread == Thread::Other {
            self.other(event);
            return;
        }
        if let Body::Operator { text, opens } = &event.body {
            let text = text.clone().into_owned();
            self.operator(&event, &text, *opens);
        }
        let (key, node, copied) = (event.key, event.node, event.thread == Thread::Copied);
        self.own(event);
        let Some(open) = &mut self.open else { return };
        open.inherited |= copied;
        if let Some(node) = node {
            self.home.insert(node, open.number);
            self.nodes.push(node);
        }
        if let Some(key) = key {
            open.copied |= !open.keyed && self.owned.contains(&key);
            open.keyed = true;
            if self.keep_keys {
                self.keys.push(key);
            }
        }
    }
}
