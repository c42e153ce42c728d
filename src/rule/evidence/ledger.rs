//! The ledger: facts of a session in order, turn after turn.

use super::fact::{Edit, Look, Outward, Run, Shown};
use super::outward;
use super::scope::{Weight, narrowed, weight};
use crate::rule::runner::{self, Speech};
use crate::shell::{Domain, Effect, Verify};
use crate::transcript::{Outcome, Place};
use crate::turn::{Act, Moment, Step, Turn};

/// What a session did so far.
#[derive(Debug, Clone, Default)]
pub struct Ledger {
    /// Runs of checks.
    pub runs: Vec<Run>,
    /// Changes of files under work.
    pub edits: Vec<Edit>,
    /// Looks.
    pub looks: Vec<Look>,
    /// Outward changes.
    pub outward: Vec<Outward>,
    /// Steps of unknown effect: what they did, nobody can tell.
    pub unknown: Vec<(u64, u32, Place)>,
    /// Steps that any work was handed to another agent in.
    pub delegated: Vec<(u64, u32, Place)>,
    /// Shell commands that ended well, by step and turn.
    pub commands: Vec<(u64, u32, Place)>,
    /// Steps so far.
    pub order: u64,
    /// The present turn.
    pub turn: u32,
}

impl Ledger {
    /// Takes a turn's deeds in.
    pub fn turn(&mut self, turn: &Turn) {
        self.begin(turn.number);
        for moment in &turn.moments {
            self.moment(turn, *moment);
        }
    }

    /// A turn begins.
    pub fn begin(&mut self, turn: u32) {
        self.turn = turn;
    }

    /// Takes one moment of the present turn in; they come in order.
    pub fn moment(&mut self, turn: &Turn, moment: Moment) {
        match moment {
            Moment::Stepped(index) => self.step(turn.number, &turn.steps[index]),
            Moment::Hung(index) => self.hung(turn.number, &turn.steps[index]),
            Moment::Reasoned | Moment::Attempted(_) | Moment::Moved => {}
        }
    }

    fn step(&mut self, turn: u32, step: &Step) {
        if step.neutral || step.outcome.never_ran() {
            return;
        }
        self.order += 1;
        let place = step.result.unwrap_or(step.call);
        if let Some(delegated) = &step.delegated {
            for (act, outcome) in &delegated.acts {
                if !outcome.never_ran() {
                    self.act(turn, place, act, *outcome, None, true);
                }
            }
        }
        if step.delegate {
            self.delegated.push((self.order, turn, place));
        }
        for act in &step.acts {
            self.act(turn, place, act, step.outcome, Some(step), false);
        }
        if step.outcome == Outcome::Ok && step.acts.iter().any(|act| act.shell && !act.noop) {
            self.commands.push((self.order, turn, place));
        }
    }

    fn hung(&mut self, turn: u32, step: &Step) {
        if step.neutral {
            return;
        }
        self.order += 1;
        for act in step.acts.iter().filter(|act| act.changes_work()) {
            self.edit(turn, step.call, act, false, false);
        }
    }

    fn act(
        &mut self,
        turn: u32,
        place: Place,
        act: &Act,
        outcome: Outcome,
        step: Option<&Step>,
        delegated: bool,
    ) {
        if let Some(verify) = act.verify {
            self.run(turn, place, act, verify, outcome, step, delegated);
            // A formatter or a fixer that checks as it writes leaves the work as checked.
            return;
        }
        if let Some(kind) = outward::kind(act) {
            let known = if act.masked && outcome == Outcome::Ok {
                Outcome::Unknown
            } else {
                outcome
            };
            self.outward.push(Outward {
                order: self.order,
                turn,
                place,
                kind,
                words: act.words.clone(),
                outcome: known,
            });
            if act.domain != Some(Domain::Workspace) {
                return;
            }
        }
        match act.effect {
            Effect::Mutate if act.changes_work() || act.domain.is_none() => {
                let failed_tool = matches!(outcome, Outcome::Failed(_)) && !act.shell;
                if !failed_tool {
                    let made = outcome == Outcome::Ok;
                    self.edit(turn, place, act, made, delegated);
                }
            }
            Effect::Mutate => {
                for path in &act.writes {
                    self.edits.push(Edit {
                        order: self.order,
                        turn,
                        place,
                        path: path.clone(),
                        made: outcome == Outcome::Ok,
                        delegated,
                    });
                }
            }
            Effect::Read if !act.noop && outcome == Outcome::Ok => {
                self.looks.push(Look {
                    order: self.order,
                    turn,
                    place,
                    paths: act.reads.clone(),
                });
            }
            Effect::Unknown => self.unknown.push((self.order, turn, place)),
            Effect::Read | Effect::None => {}
        }
    }

    fn edit(&mut self, turn: u32, place: Place, act: &Act, made: bool, delegated: bool) {
        // Git's own moves between states name no path; what they bring back was checked before.
        if act.program == "git" && act.writes.is_empty() {
            return;
        }
        let none = [String::new()];
        let paths = if act.writes.is_empty() {
            &none[..]
        } else {
            &act.writes
        };
        for path in paths {
            self.edits.push(Edit {
                order: self.order,
                turn,
                place,
                path: path.clone(),
                made,
                delegated,
            });
        }
    }

    #[expect(
        clippy::too_many_arguments,
        reason = "one call site; a struct would only repeat `Run`"
    )]
    fn run(
        &mut self,
        turn: u32,
        place: Place,
        act: &Act,
        verify: Verify,
        outcome: Outcome,
        step: Option<&Step>,
        delegated: bool,
    ) {
        let output = step.map_or("", |step| step.text.as_str());
        let summary = runner::read(&act.words, output);
        let quiet =
            step.is_some_and(|step| step.text.as_str().trim().is_empty() && !step.truncated);
        let speech = match summary.speech {
            // Compilers and linters that find nothing say nothing.
            Speech::Silent if quiet && verify != Verify::Test && verify != Verify::Run => {
                Speech::Ok
            }
            speech => speech,
        };
        let (shown, by_output) = shown(act, outcome, speech);
        self.runs.push(Run {
            order: self.order,
            turn,
            place,
            verify,
            words: act.words.clone(),
            shown,
            by_output,
            tally: summary.tally,
            narrowed: narrowed(act),
            delegated,
        });
    }

    /// The last change of code or configuration, if there was one after a step.
    #[must_use]
    pub fn code_change_after(&self, order: u64) -> Option<&Edit> {
        self.edits
            .iter()
            .rev()
            .take_while(|edit| edit.order > order)
            .find(|edit| edit.path.is_empty() || weight(&edit.path) == Weight::Code)
    }

    /// Whether something of unknown effect happened in a turn.
    #[must_use]
    pub fn unknown_in(&self, turn: u32) -> bool {
        self.unknown
            .iter()
            .rev()
            .take_while(|(_, at, _)| *at >= turn)
            .any(|(_, at, _)| *at == turn)
    }
}

/// What a run shows: its output outranks its exit status, and a hidden status shows nothing.
fn shown(act: &Act, outcome: Outcome, speech: Speech) -> (Shown, bool) {
    match (speech, outcome) {
        (_, Outcome::Running) => (Shown::Running, false),
        (Speech::Failed, _) => (Shown::Failed, true),
        (Speech::Empty, _) => (Shown::Empty, true),
        (Speech::Ok, Outcome::Ok) => (Shown::Passed, act.masked),
        (Speech::Ok, Outcome::Failed(_)) if act.masked => (Shown::Passed, true),
        (_, Outcome::Failed(_)) if act.masked => (Shown::Unknown, false),
        (_, Outcome::Failed(_)) => (Shown::Failed, false),
        (Speech::Silent, Outcome::Ok) if act.masked => (Shown::Masked, false),
        (Speech::Silent, Outcome::Ok) => (Shown::Passed, false),
        _ => (Shown::Unknown, false),
    }
}
