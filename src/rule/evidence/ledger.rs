//! The ledger: facts of a session in order, turn after turn.

mod asked;
mod message;
mod unread;

use std::collections::{BTreeMap, BTreeSet};

use super::digest::Digest;
use super::fact::{Delegation, Edit, Look, Outward, OutwardKind, Run};
use super::failure;
use super::lines;
use super::mention::{self, Deed, Mentions};
use super::named::{Index, names};
use super::scope::{Weight, narrowed, weight};
use super::sight::Sights;
use super::undo::{self, Undo};
use super::{outward, run};
use crate::rule::claim::{self, Kind};
use crate::shell::{Domain, Effect, Verify};
use crate::transcript::{Outcome, Place};
use crate::turn::{Act, Alter, Moment, Side, Step, Turn};

/// What a session did so far.
#[derive(Debug, Clone, Default)]
pub struct Ledger {
    /// Runs of checks.
    pub runs: Vec<Run>,
    /// Changes of files under work, those that a tool refused among them.
    pub edits: Vec<Edit>,
    /// Looks.
    pub looks: Vec<Look>,
    /// Outward changes.
    pub outward: Vec<Outward>,
    /// Steps of unknown effect: what they did, nobody can tell.
    pub unknown: Vec<(u64, u32, Place)>,
    /// Steps that any work was handed to another agent in.
    pub delegated: Vec<(u64, u32, Place)>,
    /// The same, with what is known of each.
    pub delegations: Vec<Delegation>,
    /// Shell commands that ended well, by their place and turn.
    pub commands: Vec<(u64, u32, Place)>,
    /// The same, of commands that do more than look.
    pub worked: Vec<(u64, u32, Place)>,
    /// Whether some call's arguments are not known in full.
    pub partial: bool,
    /// Records of unknown kinds, and results of calls that are not recorded.
    pub opaque: u64,
    /// The last piece that may be any deed, and the last run of each kind without a result.
    pub unread: BTreeMap<Option<Verify>, (u32, Place)>,
    /// Steps that went to another state of the repository.
    pub switches: Vec<(u64, u32, Place)>,
    /// Steps that took changes back.
    pub backs: Vec<(u64, u32, Place)>,
    /// Steps that brought in other people's changes.
    pub pulled: Vec<(u64, u32, Place)>,
    /// Those steps of unknown effect that print only what the agent had written itself.
    pub echoed: BTreeSet<u64>,
    /// What the agent was shown.
    pub shown: Digest,
    /// What the agent wrote in its calls.
    pub written: Digest,
    /// The steps that changed something, or may have, with their words.
    pub mentions: Mentions,
    /// What the steps of the present turn speak of.
    pub sights: Sights,
    /// Whether something of what the agent was shown is not in the record.
    pub cut: bool,
    /// Deeds so far.
    pub order: u64,
    /// The present turn.
    pub turn: u32,
    /// Deeds up to the last close before the present turn.
    pub closed: u64,
    /// Whether the turn that came in last closed.
    closes: bool,
    edited: Index,
    looked: Index,
    /// Where the last commit stands among the deeds.
    committed: u64,
    /// Changes that a stash took, by their numbers, while it lasts.
    pub(super) aside: Option<Vec<usize>>,
    /// Where that stash was made.
    pub(super) aside_at: Option<(u64, u32, Place)>,
}

/// Changes that one step takes back, or one statement is held against, at most, the latest first.
const TAKEN: usize = 4096;

/// A deed with what it stands in.
#[derive(Clone, Copy)]
struct Done<'a> {
    turn: u32,
    place: Place,
    act: &'a Act,
    behind: &'a [&'a Act],
    outcome: Outcome,
    step: Option<&'a Step>,
    delegated: bool,
}

impl Ledger {
    /// Takes a turn's deeds in.
    pub fn turn(&mut self, turn: &Turn) {
        self.begin(turn);
        for moment in &turn.moments {
            self.moment(turn, *moment);
        }
    }

    /// A turn begins.
    pub fn begin(&mut self, turn: &Turn) {
        if self.closes {
            self.closed = self.order;
        }
        self.closes = turn.close().is_some();
        self.turn = turn.number;
        self.sights = Sights::default();
        self.opaque += turn.opaque;
        if let Some(prompt) = &turn.prompt {
            self.shown.take(prompt.place, &prompt.text);
            self.cut |= prompt
                .text
                .contains("continued from a previous conversation");
        }
    }

    /// Takes one moment of the present turn in; they come in order.
    pub fn moment(&mut self, turn: &Turn, moment: Moment) {
        match moment {
            Moment::Stepped(index) => self.step(turn.number, &turn.steps[index]),
            Moment::Hung(index) => self.hung(turn.number, &turn.steps[index]),
            Moment::Unread(place) => drop(self.unread.insert(None, (turn.number, place))),
            Moment::Reasoned | Moment::Attempted(_) | Moment::Moved => {}
        }
    }

    fn step(&mut self, turn: u32, step: &Step) {
        let place = step.result.unwrap_or(step.call);
        self.cut |= step.truncated || step.text.is_cut();
        self.shown.take(place, step.text.as_str());
        if step.neutral {
            return;
        }
        if step.outcome.never_ran() {
            self.refused(turn, place, step);
            return;
        }
        self.order += 1;
        self.written.take_written(step.call, &step.args);
        self.partial |= step.args_may_be_cut();
        let edits = self.edits.len();
        self.children(turn, place, step);
        for (index, act) in step.acts.iter().enumerate() {
            let rest = &step.acts[index + 1..];
            let behind: Vec<&Act> = rest
                .iter()
                .take_while(|other| act.shell && other.pipeline == act.pipeline)
                .collect();
            self.act(Done {
                turn,
                place,
                act,
                behind: &behind,
                outcome: step.outcome,
                step: Some(step),
                delegated: false,
            });
        }
        if let Some(kind) = outward::by_tool(&step.tool) {
            self.outward.push(Outward {
                order: self.order,
                turn,
                place,
                kind,
                rehearsal: false,
                words: step.tool.clone(),
                outcome: step.outcome,
                delegated: false,
            });
        }
        self.loose(turn, place, step);
        self.mention(turn, place, step, edits);
        if step.outcome == Outcome::Ok && step.acts.iter().any(|act| act.shell && !act.noop) {
            self.commands.push((self.order, turn, place));
            let works = |act: &Act| act.effect != Effect::Read && !act.noop;
            if step.acts.iter().any(works) {
                self.worked.push((self.order, turn, place));
            }
        }
    }

    /// Notes what a step speaks of, where it changed something or may have.
    fn mention(&mut self, turn: u32, place: Place, step: &Step, edits: usize) {
        // To lay files out anew adds nothing that could be told of.
        let lays_out =
            |act: &Act| act.verify == Some(Verify::Format) || act.shell && run::formats(&act.words);
        let changes =
            |act: &Act| matches!(act.effect, Effect::Mutate | Effect::Unknown) && !lays_out(act);
        // What a call does whose arguments cannot be read, nobody can tell.
        let works = step.delegate || step.acts.is_empty() || step.acts.iter().any(changes);
        let done = step.outcome == Outcome::Ok || self.edits.len() > edits;
        if !(works || outward::by_tool(&step.tool).is_some()) || !done {
            return;
        }
        let files = self.edits.len() > edits;
        let deed = Deed {
            order: self.order,
            turn,
            place,
            edits: edits..self.edits.len(),
            delegate: step.delegate,
            cut: step.args_may_be_cut(),
            vague: !files && !step.delegate && mention::vague(step),
            own: mention::own_words(step).filter(|_| !files),
        };
        // What another agent did is known by what it was told and says; an editor shows what stands
        // around its change, and a command what it made.
        let answer = step.text.as_str();
        let short = answer.len() <= mention::ANSWER
            && (deed.own.is_some() || files && !step.acts.iter().any(|act| act.shell));
        let told = if step.delegate || short { answer } else { "" };
        let mut texts = vec![step.args.as_str(), told];
        let lines = step.alters.iter().flat_map(|alter| alter.side(Side::Both));
        texts.extend(lines);
        let paths = || self.edits[edits..].iter().map(|edit| edit.path.as_str());
        texts.extend(paths());
        let mut changed: Vec<&str> = paths().collect();
        let own = deed.own.clone();
        let rest = || vec![own.as_deref().unwrap_or(&step.args), told];
        changed.extend(difference(step).unwrap_or_else(rest));
        self.mentions.take(deed, &texts, &changed);
    }

    fn children(&mut self, turn: u32, place: Place, step: &Step) {
        if let Some(delegated) = &step.delegated {
            for (act, outcome) in &delegated.acts {
                if !outcome.never_ran() {
                    self.act(Done {
                        turn,
                        place,
                        act,
                        behind: &[],
                        outcome: *outcome,
                        step: None,
                        delegated: true,
                    });
                }
            }
        }
        if step.delegate {
            self.delegated.push((self.order, turn, place));
            let mut says = Vec::new();
            let mut denies = false;
            for said in claim::read(step.text.as_str()).claims {
                denies |= said.kind == Kind::Disclosure;
                if !said.negated && !says.contains(&said.kind) {
                    says.push(said.kind);
                }
            }
            self.delegations.push(Delegation {
                order: self.order,
                turn,
                place,
                record: step.delegated.is_some(),
                looked: step.delegated.as_ref().is_some_and(|child| child.looked),
                denies,
                says,
            });
        }
    }

    fn refused(&mut self, turn: u32, place: Place, step: &Step) {
        self.order += 1;
        for act in step.acts.iter().filter(|act| act.changes_work()) {
            for path in &act.writes {
                let edit = self.blank(turn, place, path);
                self.push(Edit {
                    refused: true,
                    ..edit
                });
            }
        }
    }

    fn hung(&mut self, turn: u32, step: &Step) {
        self.cut = true;
        if step.neutral {
            return;
        }
        self.order += 1;
        let edits = self.edits.len();
        // What has no result may have been done all the same.
        for act in &step.acts {
            self.act(Done {
                turn,
                place: step.call,
                act,
                behind: &[],
                outcome: if step.outcome == Outcome::Running {
                    Outcome::Running
                } else {
                    Outcome::Missing
                },
                step: None,
                delegated: false,
            });
        }
        self.without_result(turn, step);
        self.mention(turn, step.call, step, edits);
    }

    fn act(&mut self, done: Done<'_>) {
        self.order += 1;
        let (act, outcome) = (done.act, done.outcome);
        self.mended(done.turn, done.place, act, done.step);
        self.handed_on(act);
        if let Some(verify) = act.verify.filter(|_| !run::asks_version(act)) {
            self.run(done, verify);
            // A formatter or a fixer that checks as it writes leaves the work as checked.
            return;
        }
        // That a check failed between a stash and its return says nothing of either.
        let many = done.step.is_some_and(|step| step.acts.len() > 1);
        let moved = |undo: &Undo| match undo {
            Undo::Aside | Undo::Return => many && matches!(outcome, Outcome::Failed(_)),
            _ => false,
        };
        let undo = undo::of(act).filter(|undo| outcome == Outcome::Ok || moved(undo));
        let restores = undo.as_ref().and_then(|undo| self.undo(done, undo));
        if self.reach(done) && act.domain != Some(Domain::Workspace) {
            return;
        }
        let prints = matches!(act.program.as_str(), "echo" | "printf" | "cat");
        if act.effect == Effect::Mutate && !prints && run::formats(&act.words) {
            // What a formatter leaves is what was checked before, in another layout.
            self.run(done, Verify::Format);
            return;
        }
        match act.effect {
            Effect::Mutate => self.change(done, restores),
            Effect::Read if !act.noop && undo::looked(act, outcome) => {
                let number = self.looks.len();
                for path in &act.reads {
                    self.looked.note(number, path);
                }
                self.looks.push(Look {
                    order: self.order,
                    turn: done.turn,
                    place: done.place,
                    paths: act.reads.clone(),
                    lines: done.step.and_then(|step| lines::shown(act, step)),
                });
            }
            Effect::Unknown if run::informs(act) => {}
            Effect::Unknown => {
                self.unknown.push((self.order, done.turn, done.place));
                if done.step.is_some_and(|step| self.echoes(step)) {
                    self.echoed.insert(self.order);
                }
            }
            Effect::Read | Effect::None => {}
        }
    }

    /// Notes the outward change of an act; whether it makes one.
    fn reach(&mut self, done: Done<'_>) -> bool {
        let act = done.act;
        let Some((kind, rehearsal)) = outward::kind(act) else {
            return false;
        };
        let outcome = outward::outcome(act, done.outcome, done.step);
        if kind == OutwardKind::Commit && outcome == Outcome::Ok && !rehearsal {
            self.committed = self.order;
        }
        self.outward.push(Outward {
            order: self.order,
            turn: done.turn,
            place: done.place,
            kind,
            rehearsal,
            words: act.words.clone(),
            outcome,
            delegated: done.delegated,
        });
        true
    }

    fn change(&mut self, done: Done<'_>, restores: Option<u64>) {
        let (act, outcome) = (done.act, done.outcome);
        let work = act.changes_work() || act.domain.is_none();
        // Git's own moves between states name no path; what they bring back was checked before.
        if work && act.program == "git" && act.writes.is_empty() {
            return;
        }
        let alone = done
            .step
            .is_some_and(|step| undo::failed_alone(step) || undo::not_found(act, step));
        let refused = matches!(outcome, Outcome::Failed(_)) && (!act.shell || alone);
        // Behind a hidden status such a program still says so.
        let unsure = done.step.is_some_and(|step| undo::unsure(act, step));
        let swap = done.step.filter(|_| !act.shell).and_then(undo::swap);
        let output = done.step.map_or("", |step| step.text.as_str());
        let complains = act.masked && failure::complains(&act.program, output);
        let written = if work { undo::paths(act) } else { &act.writes };
        for path in written {
            let edit = Edit {
                made: outcome == Outcome::Ok && !unsure && !complains,
                delegated: done.delegated,
                refused,
                scratch: act.domain == Some(Domain::Scratch),
                restores,
                swap,
                lines: done.step.and_then(|step| lines::written(step, path)),
                ..self.blank(done.turn, done.place, path)
            };
            self.push(edit);
        }
    }

    fn blank(&self, turn: u32, place: Place, path: &str) -> Edit {
        Edit {
            order: self.order,
            turn,
            place,
            path: path.to_owned(),
            made: false,
            delegated: false,
            refused: false,
            checked: path.is_empty() || weight(path) == Weight::Code,
            scratch: false,
            undone: None,
            restores: None,
            swap: None,
            lines: None,
        }
    }

    fn push(&mut self, mut edit: Edit) {
        if let (true, Some((old, new))) = (edit.made, edit.swap) {
            let before = self
                .edited
                .of(&edit.path)
                .find(|number| self.edits.get(*number).is_some_and(|e| e.path == edit.path));
            let before = before.and_then(|number| self.edits.get_mut(number));
            if let Some(before) = before.filter(|e| e.stands() && e.swap == Some((new, old))) {
                before.undone = Some(edit.place);
                edit.restores = Some(before.order);
                self.backs.push((edit.order, edit.turn, edit.place));
            }
        }
        self.edited.note(self.edits.len(), &edit.path);
        self.edits.push(edit);
    }

    /// Carries out what a git command does to changes; where it takes some back, the earliest.
    fn undo(&mut self, done: Done<'_>, undo: &Undo) -> Option<u64> {
        let here = (self.order, done.turn, done.place);
        match undo {
            Undo::Back(paths) => {
                self.backs.push(here);
                let taken = self.take_back(done.place, paths);
                let earliest = taken.first().map(|number| self.edits[*number].order)?;
                if done.act.writes.is_empty() {
                    let edit = self.blank(done.turn, done.place, "");
                    self.push(Edit {
                        made: true,
                        restores: Some(earliest),
                        ..edit
                    });
                }
                Some(earliest)
            }
            Undo::Aside => {
                self.backs.push(here);
                let taken = self.take_back(done.place, &[]);
                if self.aside.is_none() && !taken.is_empty() {
                    self.aside_at = Some(here);
                }
                self.aside.get_or_insert_default().extend(taken);
                None
            }
            Undo::Return => {
                let Some(numbers) = self.aside.take() else {
                    let output = done.step.map_or("", |step| step.text.as_str());
                    self.bring(done, &undo::modified(output, done.act.dir.as_deref()));
                    return None;
                };
                for number in numbers {
                    self.edits[number].undone = None;
                }
                None
            }
            Undo::Bring => {
                self.bring(done, &[String::new()]);
                None
            }
            Undo::Pull | Undo::Move => {
                let output = done.step.map_or("", |step| step.text.as_str());
                // A branch that takes another one in by going on to it holds what was checked there.
                let ahead = *undo == Undo::Move
                    && output.contains("Fast-forward")
                    && !self.switches.is_empty();
                if undo::moves(output) && !ahead {
                    self.pulled.push(here);
                }
                None
            }
            Undo::Away => {
                self.switches.push(here);
                None
            }
        }
    }

    fn bring(&mut self, done: Done<'_>, paths: &[String]) {
        for path in paths {
            let edit = self.blank(done.turn, done.place, path);
            // In a folder that is not known it may be a throw-away copy.
            let dir = done.act.dir.as_deref().unwrap_or("$");
            let made = !dir.contains('$') && !dir.starts_with("/tmp/");
            self.push(Edit { made, ..edit });
        }
    }

    /// Marks changes that were not committed as taken back; their numbers, in order.
    fn take_back(&mut self, place: Place, paths: &[String]) -> Vec<usize> {
        let since = self.committed;
        let mut taken = Vec::new();
        for (number, edit) in self.edits.iter_mut().enumerate().rev().take(TAKEN) {
            if edit.order <= since {
                break;
            }
            let meant = paths.is_empty() || paths.iter().any(|path| names(path, &edit.path));
            if meant && edit.stands() && !edit.scratch {
                edit.undone = Some(place);
                taken.push(number);
            }
        }
        taken.reverse();
        taken
    }

    fn run(&mut self, done: Done<'_>, verify: Verify) {
        let act = done.act;
        let spoken = run::read(act, done.behind, verify, done.outcome, done.step);
        // A build or a task that runs tests on its way is a run of tests, too.
        let counts = spoken.summary.tally.is_some_and(|tally| tally.passed > 0);
        let kinds = [
            Some(verify),
            (verify != Verify::Test && counts).then_some(Verify::Test),
        ];
        for verify in kinds.into_iter().flatten() {
            self.runs.push(Run {
                order: self.order,
                turn: done.turn,
                place: done.place,
                verify,
                words: act.words.clone(),
                shown: spoken.shown,
                by_output: spoken.by_output,
                tally: spoken.summary.tally,
                narrowed: narrowed(act),
                delegated: done.delegated,
                dir: act.dir.clone().unwrap_or_default(),
                base: self.aside.is_some(),
                loose: false,
                self_made: false,
            });
        }
    }
}

/// The lines that a step put in or took out, where they are known in full.
fn difference(step: &Step) -> Option<Vec<&str>> {
    let known = |alter: &Alter| !alter.cut && !alter.lines.is_empty();
    let shell = step.acts.iter().any(|act| act.shell);
    if shell || step.delegate || step.alters.is_empty() || !step.alters.iter().all(known) {
        return None;
    }
    let lines = step.alters.iter().flat_map(|alter| &alter.lines);
    let own = lines.filter(|(side, _)| *side != Side::Both);
    Some(own.map(|(_, line)| line.as_str()).collect())
}
