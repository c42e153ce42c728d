//! A turn that has not ended yet.

use std::borrow::Cow;
use std::collections::{HashMap, HashSet};

use super::alter;
use super::deed::{Act, deeds};
use super::kept::Kept;
use super::model::{Close, Delegated, Ended, Moment, Prompt, Step, Turn};
use super::published::{planned, published};
use crate::shell::Effect;
use crate::transcript::{Action, Call, Injection, Outcome, Part, Place, Reply, key_of};

/// Text of results that one turn holds at most, in bytes.
const HELD: usize = 4 << 20;

struct Said {
    place: Place,
    text: String,
    message: u64,
    aside: bool,
}

/// A turn while its events come in.
pub(super) struct Open {
    pub(super) number: u32,
    lines: (u64, u64),
    prompt: Option<Prompt>,
    steps: Vec<Step>,
    by_id: HashMap<u64, usize>,
    by_handle: HashMap<String, usize>,
    /// Every launch of the turn by its handle, ended or not.
    launched: HashMap<String, usize>,
    /// Where each step stands among the moments.
    stands: Vec<usize>,
    closes: Vec<Close>,
    moments: Vec<Moment>,
    /// Words since the last call.
    pending: Vec<Said>,
    /// Messages that thought or talked since the last call.
    reasoning: Vec<u64>,
    held: usize,
    api_error: Option<bool>,
    pub(super) interrupted: bool,
    /// Whether the client's own frame is open around the turn.
    pub(super) framed: bool,
    /// Whether the client said that the turn ended by itself.
    pub(super) complete: bool,
    /// Whether the agent has given the answer that ends the turn, and nothing came after it.
    pub(super) answered: bool,
    /// Records of unknown kinds, and results of calls that are not recorded.
    pub(super) opaque: u64,
    /// Whether it is only a command so far, which the client may carry out by itself.
    pub(super) command: bool,
    /// Whether that frame was ever there.
    was_framed: bool,
    /// Whether the agent called or spoke.
    acted: bool,
    /// Whether its last deed was to say something.
    spoke_last: bool,
    /// The step of a script whose own deeds are not told yet.
    script: Option<usize>,
    /// Steps that end something that runs.
    kills: HashSet<usize>,
    pub(super) copied: bool,
    pub(super) inherited: bool,
    pub(super) keyed: bool,
    others: HashMap<u64, Vec<Act>>,
    inline: Vec<(Act, Outcome)>,
}

impl Open {
    pub(super) fn new(number: u32, place: Place) -> Self {
        Self {
            number,
            lines: (place.line, place.line),
            prompt: None,
            steps: Vec::new(),
            by_id: HashMap::new(),
            by_handle: HashMap::new(),
            launched: HashMap::new(),
            stands: Vec::new(),
            closes: Vec::new(),
            moments: Vec::new(),
            pending: Vec::new(),
            reasoning: Vec::new(),
            held: 0,
            api_error: None,
            interrupted: false,
            framed: false,
            complete: false,
            answered: false,
            opaque: 0,
            command: false,
            was_framed: false,
            acted: false,
            spoke_last: false,
            script: None,
            kills: HashSet::new(),
            copied: false,
            inherited: false,
            keyed: false,
            others: HashMap::new(),
            inline: Vec::new(),
        }
    }

    pub(super) fn touch(&mut self, place: Place) {
        self.lines.0 = self.lines.0.min(place.line);
        self.lines.1 = self.lines.1.max(place.line);
    }

    /// Whether the agent did or said anything in it.
    pub(super) fn active(&self) -> bool {
        self.acted || self.api_error.is_some()
    }

    /// Whether it is only a prompt that no frame stands around yet.
    pub(super) fn waits_for_frame(&self) -> bool {
        self.prompt.is_some() && !self.active() && !self.was_framed
    }

    /// The client's own frame opens around it.
    pub(super) fn frame(&mut self) {
        self.framed = true;
        self.was_framed = true;
        self.complete = false;
    }

    /// Whether nothing makes it a turn: nobody asked the agent, nothing was done or said, and the
    /// client knows of none.
    pub(super) fn is_empty(&self) -> bool {
        let asked = self.prompt.is_some() && !self.command;
        let stopped = self.command && self.interrupted;
        let idle = !self.active() && self.steps.is_empty();
        idle && !asked && !stopped && !self.was_framed
    }

    pub(super) fn prompt(&mut self, place: Place, text: &str, delegated: bool) {
        self.command = false;
        match &mut self.prompt {
            // Words typed while the agent works add to what was asked.
            Some(prompt) => {
                prompt.text.push_str("\n\n");
                prompt.text.push_str(text);
            }
            None => {
                self.prompt = Some(Prompt {
                    place,
                    text: text.to_owned(),
                    delegated,
                });
            }
        }
    }

    pub(super) fn said(&mut self, place: Place, text: &str, message: u64, aside: bool) {
        if text.trim().is_empty() {
            return;
        }
        self.resume();
        self.spoke_last = true;
        self.pending.push(Said {
            place,
            text: text.to_owned(),
            message,
            aside,
        });
        self.reasoning.push(message);
    }

    pub(super) fn thought(&mut self, message: u64) {
        self.reasoning.push(message);
    }

    /// The agent goes on after an error or an interrupt.
    fn resume(&mut self) {
        self.acted = true;
        self.complete = false;
        self.answered = false;
        self.interrupted = false;
        self.api_error = None;
    }

    /// A piece of the record that could not be read.
    pub(super) fn unread(&mut self, place: Place) {
        self.moments.push(Moment::Unread(place));
    }

    pub(super) fn api_error(&mut self, limit: bool) {
        self.api_error = Some(self.api_error.unwrap_or(false) || limit);
    }

    pub(super) fn told(&mut self, place: Place, agent: bool, text: &str, aside: bool) {
        self.touch(place);
        if agent {
            let found = self
                .pending
                .iter_mut()
                .rev()
                .take(64)
                .find(|said| said.text.trim() == text.trim());
            if let Some(said) = found {
                said.place = place;
                said.aside |= aside;
            }
        } else if let Some(prompt) = &mut self.prompt
            && prompt.text.trim() == text.trim()
        {
            prompt.place = place;
        }
    }

    /// A message that issued no call only reasoned.
    fn flush_reasoning(&mut self, but: u64) {
        let mut last = None;
        for message in std::mem::take(&mut self.reasoning) {
            let own = message != 0 && message == but;
            if !own && (message == 0 || last != Some(message)) {
                self.moments.push(Moment::Reasoned);
            }
            last = Some(message);
        }
    }

    pub(super) fn call(&mut self, place: Place, call: &Call<'_>, events: u64, cwd: Option<&str>) {
        self.resume();
        self.spoke_last = false;
        self.flush_reasoning(call.message);
        self.pending.clear();
        let step = step(place, call, events, cwd);
        self.held += alter::held(&step.alters);
        // A script is no deed of its own where its deeds are told.
        if call.part == Part::Inner
            && let Some(index) = self.script.take()
        {
            self.by_id.remove(&key_of(&[&self.steps[index].id]));
            self.by_id.insert(key_of(&[&call.id]), index);
            self.steps[index] = step;
            return;
        }
        let index = self.steps.len();
        self.by_id.insert(key_of(&[&call.id]), index);
        self.stands.push(self.moments.len());
        self.moments.push(Moment::Hung(index));
        match (call.part, &call.action) {
            (Part::Script, _) => self.script = Some(index),
            (_, Action::Kill { .. }) => drop(self.kills.insert(index)),
            _ => {}
        }
        self.steps.push(step);
    }

    /// Takes a result in; what it tells of something launched earlier is handed back.
    pub(super) fn outcome(
        &mut self,
        place: Place,
        reply: Reply<'_>,
        events: u64,
        child: Option<Delegated>,
    ) -> Option<(String, Outcome, String)> {
        let index = *self.by_id.get(&key_of(&[&reply.id]))?;
        if self.complete && self.steps[index].result.is_some() {
            // The agent had said its last words: it never saw this.
            return None;
        }
        self.touch(place);
        if self.script == Some(index) {
            self.script = None;
        }
        let first = self.steps[index].result.is_none();
        if first {
            self.stand(index);
        }
        let step = &mut self.steps[index];
        step.result.get_or_insert(place);
        step.arrived = step.arrived.min(events);
        if first || !step.outcome.is_final() {
            step.outcome = reply.outcome;
            step.code = reply.code;
        }
        step.truncated |= reply.truncated;
        if step.text.as_str().is_empty() && !reply.text.is_empty() {
            step.text = Kept::of(&reply.text);
            self.held += step.text.held();
        }
        if step.handle.is_none() {
            step.handle = reply.handle.map(Cow::into_owned);
        }
        if let Some(handle) = step.handle.clone()
            && step.outcome == Outcome::Running
            && step.polls.is_none()
        {
            self.launched.insert(handle.clone(), index);
            self.by_handle.insert(handle, index);
        }
        if !reply.changes.is_empty() && step.acts.iter().all(|act| act.writes.is_empty()) {
            let changes = reply.changes;
            let swaps = Vec::new();
            step.acts = deeds(&Action::Edit { changes, swaps }, None);
        }
        self.held -= alter::retold(&mut step.alters, &reply.swaps);
        self.held += alter::held(&step.alters);
        if step.delegate {
            let inline = std::mem::take(&mut self.inline);
            step.delegated = child.or_else(|| {
                (!inline.is_empty()).then(|| Delegated {
                    agent: String::new(),
                    acts: inline,
                    looked: false,
                })
            });
        }
        let polled = step.polls.clone().filter(|handle| !handle.is_empty());
        let outcome = step.outcome;
        self.let_go();
        if self.kills.contains(&index) {
            // What was killed did not end by itself, whatever its own report says later
            // (`anthropics/claude-code#37852`).
            return polled
                .filter(|_| outcome == Outcome::Ok)
                .map(|handle| (handle, Outcome::Interrupted, String::new()));
        }
        polled.map(|handle| (handle, outcome, reply.text.into_owned()))
    }

    /// Moves a step to the end of what happened so far.
    fn stand(&mut self, index: usize) {
        if let Some(at) = self.stands.get_mut(index) {
            self.moments[*at] = Moment::Moved;
            *at = self.moments.len();
        }
        self.moments.push(Moment::Stepped(index));
    }

    /// Lets go of the oldest texts when the turn holds too much.
    fn let_go(&mut self) {
        if self.held <= HELD {
            return;
        }
        for step in &mut self.steps {
            if self.held <= HELD / 2 {
                break;
            }
            self.held -= step.text.held() + alter::held(&step.alters);
            step.alters = Vec::new();
            if step.text.held() > 0 {
                step.text.drop_text();
            }
        }
    }

    /// Ends something that this turn launched; false when it did not launch it.
    pub(super) fn settle(
        &mut self,
        place: Place,
        handle: &str,
        outcome: Outcome,
        text: &str,
        events: u64,
    ) -> bool {
        let Some(index) = self.by_handle.remove(handle) else {
            return false;
        };
        self.touch(place);
        self.stand(index);
        let step = &mut self.steps[index];
        step.outcome = outcome;
        // What it first answered only tells that it goes on.
        step.first = step.first.or(step.result);
        step.result = Some(place);
        step.arrived = events;
        if !text.is_empty() {
            self.held -= step.text.held();
            step.text = Kept::of(text);
            self.held += step.text.held();
            self.let_go();
        }
        true
    }

    /// Takes in a step of an earlier turn whose end is told in this one.
    pub(super) fn carry(
        &mut self,
        mut step: Step,
        place: Place,
        outcome: Outcome,
        text: &str,
        events: u64,
    ) {
        step.outcome = outcome;
        step.result = Some(place);
        step.arrived = events;
        step.text = Kept::of(text);
        self.held += step.text.held();
        self.stands.push(self.moments.len());
        self.moments.push(Moment::Stepped(self.steps.len()));
        self.steps.push(step);
        self.let_go();
    }

    /// What a launched agent did, once it is told that it ended.
    pub(super) fn delegate(&mut self, handle: &str, child: Delegated) {
        let launched = self.launched.get(handle);
        if let Some(step) = launched.and_then(|index| self.steps.get_mut(*index)) {
            step.delegated = Some(child);
        }
    }

    pub(super) fn other_call(&mut self, call: &Call<'_>, cwd: Option<&str>) {
        self.others
            .insert(key_of(&[&call.id]), deeds(&call.action, cwd));
    }

    pub(super) fn other_outcome(&mut self, reply: &Reply<'_>) {
        let acts = self
            .others
            .remove(&key_of(&[&reply.id]))
            .unwrap_or_default();
        for act in acts {
            if act.verify.is_some() || act.effect == Effect::Mutate {
                self.inline.push((act, reply.outcome));
            }
        }
    }

    pub(super) fn injected(&mut self, kind: Injection) {
        if matches!(kind, Injection::StopFeedback | Injection::Notification) {
            self.attempt();
        }
    }

    /// What was said since the last call was an attempt to end the turn.
    fn attempt(&mut self) {
        let said: Vec<Said> = std::mem::take(&mut self.pending);
        let said: Vec<Said> = if said.iter().all(|said| said.aside) {
            Vec::new()
        } else {
            said
        };
        let Some(first) = said.first() else {
            self.flush_reasoning(0);
            return;
        };
        let place = first.place;
        let closing: HashSet<u64> = said.iter().map(|said| said.message).collect();
        self.reasoning
            .retain(|message| *message != 0 && !closing.contains(message));
        self.flush_reasoning(0);
        let blocks = said
            .iter()
            .map(|said| (said.place, said.text.len()))
            .collect();
        let texts: Vec<&str> = said.iter().map(|said| said.text.as_str()).collect();
        self.moments.push(Moment::Attempted(self.closes.len()));
        self.closes.push(Close {
            place,
            text: texts.join("\n\n"),
            blocks,
        });
    }

    /// Launches whose end was not told yet.
    pub(super) fn still_running(&self) -> Vec<(String, Step)> {
        self.steps
            .iter()
            .filter(|step| step.outcome == Outcome::Running && step.polls.is_none())
            .filter_map(|step| Some((step.handle.clone()?, step.clone())))
            .collect()
    }

    /// Ends the turn. `at_end` tells that the record ends here too.
    pub(super) fn finish(mut self, at_end: bool) -> Turn {
        let before = self.closes.len();
        self.attempt();
        // News that nothing was done about leave the words before them the close.
        let closed = self.closes.len() > before || self.spoke_last && !self.closes.is_empty();
        let hung = self
            .steps
            .iter()
            .any(|step| step.outcome == Outcome::Missing);
        let ended = match self.api_error {
            Some(true) => Ended::Limit,
            Some(false) => Ended::ApiError,
            None if self.interrupted => Ended::Interrupted,
            None if at_end && self.framed && !self.answered => Ended::Running,
            None if at_end && hung && !closed => Ended::Running,
            None if closed => Ended::Closed,
            None => Ended::NoClose,
        };
        Turn {
            number: self.number,
            lines: self.lines,
            prompt: self.prompt,
            steps: self.steps,
            closes: self.closes,
            moments: {
                self.moments.retain(|moment| *moment != Moment::Moved);
                self.moments
            },
            ended,
            opaque: self.opaque,
            copied: self.copied,
            inherited: self.inherited,
        }
    }
}

/// A call as a step without a result.
fn step(place: Place, call: &Call<'_>, events: u64, cwd: Option<&str>) -> Step {
    Step {
        call: place,
        result: None,
        first: None,
        id: call.id.clone().into_owned(),
        tool: call.tool.clone().into_owned(),
        message: call.message,
        args: Step::kept_args(&call.args).to_owned(),
        outcome: Outcome::Missing,
        code: None,
        acts: deeds(&call.action, cwd),
        alters: alter::alters(&call.action, cwd),
        neutral: matches!(call.action, Action::Neutral | Action::Plan { .. }),
        delegate: matches!(call.action, Action::Delegate { .. }),
        text: Kept::default(),
        truncated: false,
        published: published(&call.action),
        plan: planned(&call.action),
        handle: None,
        polls: match &call.action {
            Action::Poll { handle } | Action::Input { handle, .. } | Action::Kill { handle } => {
                Some(handle.clone().into_owned())
            }
            _ => None,
        },
        delegated: None,
        repeatable: false,
        issued: events,
        arrived: u64::MAX,
    }
}
