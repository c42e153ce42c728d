//! A turn as the rules of the family see it.

use std::collections::VecDeque;

use super::ask::{self, Topic};
use super::finding::{Reason, Rule};
use super::mark::{blanked, holds, is_test_path, tokens};
use crate::rule::evidence::{Ledger, Run};
use crate::transcript::{Change, Place};
use crate::turn::{Side, Step, Turn};

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
    /// Its number in the ledger.
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
        let mut end = prompt.text.len().min(PROMPT);
        while !prompt.text.is_char_boundary(end) {
            end -= 1;
        }
        self.0.push_back(prompt.text[..end].to_owned());
    }
}

impl<'t> Scene<'t> {
    pub(super) fn new(turn: &'t Turn, ledger: &'t Ledger, prompts: &Prompts) -> Self {
        let mut counted: Vec<(&Step, bool)> = Vec::new();
        for moment in &turn.moments {
            match *moment {
                crate::turn::Moment::Stepped(at) => {
                    let step = &turn.steps[at];
                    if !step.neutral && !step.outcome.never_ran() {
                        counted.push((step, true));
                    }
                }
                crate::turn::Moment::Hung(at) if !turn.steps[at].neutral => {
                    counted.push((&turn.steps[at], false));
                }
                _ => {}
            }
        }
        // The ledger counts the same steps, so its last number is that of the last of them.
        let before = ledger.order.saturating_sub(counted.len() as u64);
        let deeds = counted
            .into_iter()
            .zip(before + 1..)
            .map(|((step, done), order)| Deed {
                order,
                step,
                place: step.result.unwrap_or(step.call),
                done,
            })
            .collect();
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
        }
    }

    /// Whether the operator asks for something of a topic.
    pub(super) fn asks(&self, topic: &Topic) -> bool {
        ask::speaks(&self.asked, topic)
    }

    /// Whether the turn's closes tell of something of a topic.
    pub(super) fn tells(&self, topic: &Topic) -> bool {
        ask::speaks(&self.said, topic)
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
