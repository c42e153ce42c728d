//! A turn as the rules of the family see it.

use std::cell::RefCell;
use std::collections::VecDeque;

use super::ask::{self, Topic};
use super::finding::{Reason, Rule};
use super::mark::{blanked, holds, is_test_path, tokens};
use crate::rule::evidence::{Ledger, Run};
use crate::transcript::{Change, Place};
use crate::turn::{Moment, Side, Step, Turn};

/// A change that may bend a check, before it is known what comes of it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Sketch {
    pub(super) rule: Rule,
    pub(super) reason: Reason,
    pub(super) names: Vec<String>,
    pub(super) out: String,
    pub(super) put: String,
}

impl Sketch {
    pub(super) fn new(
        rule: Rule,
        reason: Reason,
        names: Vec<String>,
        out: &str,
        put: &str,
    ) -> Self {
        Self {
            rule,
            reason,
            names,
            out: out.trim().to_owned(),
            put: put.trim().to_owned(),
        }
    }
}

/// One step in its place.
#[derive(Debug, Clone, Copy)]
pub(super) struct Deed<'t> {
    /// The number in the ledger that its acts come after.
    pub(super) first: u64,
    /// The number in the ledger of its last act.
    pub(super) order: u64,
    pub(super) step: &'t Step,
    pub(super) place: Place,
    /// Whether it ran, as far as is known.
    pub(super) done: bool,
}

/// A turn with what was asked, done and said.
pub(super) struct Scene<'t> {
    pub(super) turn: &'t Turn,
    pub(super) ledger: &'t Ledger,
    pub(super) deeds: Vec<Deed<'t>>,
    /// What the operator said last, the present prompt among it.
    pub(super) asked: String,
    /// What the turn's closes say.
    pub(super) said: String,
    /// What was answered before of a topic: whether of the closes, else of what was asked, and
    /// what.
    heard: RefCell<Vec<(&'static Topic, bool, bool)>>,
}

/// Bytes of prompts that are remembered of one turn, and how many turns.
const PROMPT: usize = 8 * 1024;
const PROMPTS: usize = 3;

/// What the operator said in the last turns.
#[derive(Debug, Clone, Default)]
pub(super) struct Prompts(VecDeque<String>);

impl Prompts {
    pub(super) fn add(&mut self, turn: &Turn) {
        let Some(prompt) = &turn.prompt else { return };
        if self.0.len() == PROMPTS {
            self.0.pop_front();
        }
        let end = prompt.text.floor_char_boundary(PROMPT);
        self.0.push_back(prompt.text[..end].to_owned());
    }
}

/// The steps of a turn that ran or may have run, numbered as the ledger numbers them: one for the
/// step, one for each of its acts and of those that it handed on.
fn deeds<'t>(turn: &'t Turn, ledger: &Ledger) -> Vec<Deed<'t>> {
    let mut counted: Vec<(&Step, u64, Option<bool>)> = Vec::new();
    for moment in &turn.moments {
        let (Moment::Stepped(at) | Moment::Hung(at)) = *moment else {
            continue;
        };
        let step = &turn.steps[at];
        if step.neutral {
            continue;
        }
        counted.push(match moment {
            Moment::Hung(_) => (step, 1, Some(false)),
            _ if step.outcome.never_ran() => (step, 1, None),
            _ => (step, 1 + acts_of(step), Some(true)),
        });
    }
    let all: u64 = counted.iter().map(|(_, count, _)| count).sum();
    let mut order = ledger.order.saturating_sub(all);
    let mut deeds = Vec::with_capacity(counted.len());
    for (step, count, done) in counted {
        let first = order + 1;
        order += count;
        deeds.extend(done.map(|done| Deed {
            first,
            order,
            step,
            place: step.result.unwrap_or(step.call),
            done,
        }));
    }
    deeds
}

/// Acts of a step, those that were handed on and ran among them.
fn acts_of(step: &Step) -> u64 {
    let handed = step.delegated.as_ref().map_or(0, |delegated| {
        let ran = delegated
            .acts
            .iter()
            .filter(|(_, outcome)| !outcome.never_ran());
        ran.count()
    });
    (step.acts.len() + handed) as u64
}

impl<'t> Scene<'t> {
    pub(super) fn new(turn: &'t Turn, ledger: &'t Ledger, prompts: &Prompts) -> Self {
        let deeds = deeds(turn, ledger);
        let asked: Vec<&str> = prompts.0.iter().map(String::as_str).collect();
        let said: Vec<&str> = turn
            .closes
            .iter()
            .map(|close| close.text.as_str())
            .collect();
        Self {
            turn,
            ledger,
            deeds,
            asked: asked.join("\n\n"),
            said: said.join("\n\n"),
            heard: RefCell::default(),
        }
    }

    /// Whether the operator asks for something of a topic.
    pub(super) fn asks(&self, topic: &'static Topic) -> bool {
        self.answer(topic, false)
    }

    /// Whether the turn's closes tell of something of a topic.
    pub(super) fn tells(&self, topic: &'static Topic) -> bool {
        self.answer(topic, true)
    }

    fn answer(&self, topic: &'static Topic, told: bool) -> bool {
        let mut heard = self.heard.borrow_mut();
        let before = heard
            .iter()
            .find(|(other, of, _)| std::ptr::eq(*other, topic) && *of == told);
        if let Some((_, _, answer)) = before {
            return *answer;
        }
        let text = if told { &self.said } else { &self.asked };
        let answer = ask::speaks(text, topic);
        heard.push((topic, told, answer));
        answer
    }

    /// The same, of something that has a name of its own.
    pub(super) fn tells_of(&self, topic: &Topic, names: &[String]) -> bool {
        !names.is_empty() && ask::speaks_of(&self.said, topic, names)
    }

    /// Runs of checks in one step, in order.
    pub(super) fn runs_of(&self, deed: &Deed<'_>) -> &'t [Run] {
        let runs = self.runs();
        let from = runs.partition_point(|run| run.order < deed.first);
        let to = runs.partition_point(|run| run.order <= deed.order);
        runs.get(from..to).unwrap_or(&[])
    }

    /// Runs of checks in this turn, in order.
    pub(super) fn runs(&self) -> &'t [Run] {
        let runs = &self.ledger.runs;
        let from = runs.partition_point(|run| run.turn < self.turn.number);
        runs.get(from..).unwrap_or(&[])
    }

    /// Whether this turn takes away the code that a test is about: a declaration outside of tests
    /// whose name the test or its assertions hold, or a whole file of that name.
    pub(super) fn took_code_of(&self, test: &str, lines: &[&str]) -> bool {
        let about = |name: &str| {
            let short = name.trim_start_matches('_');
            short.len() > 2
                && (test.to_lowercase().contains(&short.to_lowercase())
                    || lines.iter().any(|line| holds(line, name)))
        };
        self.deeds.iter().any(|deed| {
            let by_edit = deed
                .step
                .alters
                .iter()
                .filter(|alter| !is_test_path(&alter.path))
                .any(|alter| {
                    let gone = alter.change == Change::Delete && about(stem(&alter.path));
                    gone || alter.side(Side::Removed).filter_map(declared).any(|name| {
                        about(&name)
                            && !alter
                                .side(Side::Added)
                                .any(|line| declared(line).as_deref() == Some(&name))
                    })
                });
            by_edit
                || deed.step.acts.iter().any(|act| {
                    removes(&act.words)
                        && act
                            .writes
                            .iter()
                            .any(|path| !is_test_path(path) && about(stem(path)))
                })
        })
    }
}

/// Whether a command removes files.
pub(super) fn removes(words: &str) -> bool {
    words.starts_with("rm ") || words.starts_with("git rm ") || words.starts_with("unlink ")
}

fn stem(path: &str) -> &str {
    let name = path.rsplit('/').next().unwrap_or(path);
    name.split('.').next().unwrap_or(name)
}

/// The name that a line of code declares.
fn declared(line: &str) -> Option<String> {
    let plain = blanked(line);
    let mut words = tokens(&plain).skip_while(|word| {
        matches!(
            *word,
            "pub"
                | "crate"
                | "export"
                | "default"
                | "async"
                | "public"
                | "private"
                | "static"
                | "protected"
                | "final"
                | "override"
        )
    });
    let head = words.next()?;
    let heads = [
        "def",
        "fn",
        "func",
        "function",
        "class",
        "struct",
        "enum",
        "trait",
        "const",
        "interface",
        "type",
        "fun",
        "void",
    ];
    heads
        .contains(&head)
        .then(|| words.next().map(str::to_owned))?
}
