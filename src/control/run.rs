//! Runs controls through the very pipeline that grades sessions.

use std::path::PathBuf;
use std::sync::LazyLock;

use rayon::prelude::*;
use serde_json::Map;

use super::expect::{Expect, Seen};
use super::guards::{Guard, Stands};
use super::model::{Control, Input, RecordsInput};
use super::session::{Client, Script, StoredFile, store};
use super::shown::Shown;
use super::{canary, oracle, report};
use crate::grade::Row;
use crate::pipeline::{Policy, grade};
use crate::private::canary::{Canary, sample_canary};
use crate::rule::gate::Preset;
use crate::source::Found;

/// Controls that one thread takes at a time.
const PIECE: usize = 4;

/// A control that landed elsewhere than it was planted for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Elsewhere {
    /// What was expected.
    pub expected: String,
    /// What came out.
    pub got: String,
}

/// Runs controls with every guard standing, or with all but one. `None` where a control landed.
#[must_use]
pub fn run(controls: &[Control], off: Option<Guard>) -> Vec<Option<Elsewhere>> {
    let controls: Vec<&Control> = controls.iter().collect();
    run_each(&controls, off)
}

/// As [`run`], of some controls out of many.
#[must_use]
pub fn run_each(controls: &[&Control], off: Option<Guard>) -> Vec<Option<Elsewhere>> {
    let stands = Stands::without(off);
    // It costs much more to make than to ask.
    let canary = LazyLock::new(|| sample_canary(stands.canary));
    controls
        .par_iter()
        // Sessions stand together and take longest: in long pieces one thread would have them all.
        .with_max_len(PIECE)
        .map(|control| one(control, &stands, &canary))
        .collect()
}

fn one(
    control: &Control,
    stands: &Stands,
    search: &LazyLock<Canary, impl FnOnce() -> Canary>,
) -> Option<Elsewhere> {
    match &control.input {
        Input::Session(input) => {
            let script = match Script::parse(&input.session) {
                Ok(script) => script,
                Err(error) => return elsewhere("a session", error),
            };
            let graded = graded(input.client, &control.id, &script, stands);
            graded.held(control.wanted())
        }
        Input::Records(input) => records(&control.id, input, stands).held(control.wanted()),
        Input::Answer(input) => {
            let none = Map::new();
            let facts = match control.wanted().first() {
                Some(Expect::Check(wanted)) => &wanted.facts,
                _ => &none,
            };
            let guards = stands.checks(&control.rule);
            checked(
                control,
                oracle::answered(&control.rule, input, facts, guards),
            )
        }
        Input::Deeds(input) => {
            let got = oracle::done(&control.rule, input, stands.checks(&control.rule));
            checked(control, got)
        }
        Input::Report(input) => checked(control, report::told(input, search)),
        Input::Canary(input) => {
            if canary::caught(input, search) {
                None
            } else {
                elsewhere(&input.canary, "not caught".to_owned())
            }
        }
    }
}

/// Whether a check came to what was planted.
fn checked(control: &Control, got: String) -> Option<Elsewhere> {
    let expected = control.wanted().first().map(ToString::to_string);
    let expected = expected.unwrap_or_default();
    (got != expected).then_some(Elsewhere { expected, got })
}

fn elsewhere(expected: &str, got: String) -> Option<Elsewhere> {
    Some(Elsewhere {
        expected: expected.to_owned(),
        got,
    })
}

/// The rows of a session that was made for the purpose.
#[derive(Debug)]
pub struct Graded {
    /// Every row.
    pub rows: Vec<Row>,
    /// The name of the session's own file.
    file: String,
    /// Its closes.
    closes: Vec<Option<String>>,
    /// How many of its records no adapter knows.
    strange: u64,
}

impl Graded {
    /// Whether the expectations hold; what the first broken one wanted and got.
    #[must_use]
    pub fn held(&self, expects: &[Expect]) -> Option<Elsewhere> {
        if let Some(got) = self.unread() {
            return elsewhere("a session that is read whole", got);
        }
        self.look(|seen| {
            let broken = expects.iter().find(|expect| expect.broken(seen))?;
            let got = broken.about(seen);
            let got: Vec<String> = got.iter().map(ToString::to_string).collect();
            let got = match got.as_slice() {
                [] => "nothing".to_owned(),
                _ => got.join(" and "),
            };
            elsewhere(&broken.to_string(), got)
        })
    }

    /// The expectations that do not hold, by their places.
    #[must_use]
    pub fn broken(&self, expects: &[Expect]) -> Vec<usize> {
        self.look(|seen| {
            let places = 0..expects.len();
            places.filter(|at| expects[*at].broken(seen)).collect()
        })
    }

    /// Holds something against all that the rows show.
    fn look<T>(&self, with: impl FnOnce(&Seen<'_>) -> T) -> T {
        let rows = self.shown();
        let closes: Vec<Option<&str>> = self.closes.iter().map(Option::as_deref).collect();
        with(&Seen {
            rows: &rows,
            file: &self.file,
            closes: &closes,
        })
    }

    /// What the rows show.
    #[must_use]
    pub fn shown(&self) -> Vec<Shown> {
        self.rows.iter().filter_map(Shown::of).collect()
    }

    /// A session must be read whole, or it shows nothing: every turn, no record unknown, no result
    /// lost.
    #[must_use]
    pub fn unread(&self) -> Option<String> {
        let session = self.rows.iter().find_map(|row| match row {
            Row::Session(session) if session.file.ends_with(&self.file) => Some(session),
            _ => None,
        });
        let Some(session) = session else {
            return Some("no session".to_owned());
        };
        let counts = &session.counts;
        let lost = counts.opaque > self.strange || counts.quarantined + counts.orphan_results > 0;
        let turns = self.closes.is_empty() || counts.turns == self.closes.len() as u64;
        (lost || !turns).then(|| format!("{} turns, not read whole", counts.turns))
    }
}

/// Grades a session as a client would have stored it, with every guard or with all but one.
#[must_use]
pub fn grade_script(client: Client, seed: &str, script: &Script, off: Option<Guard>) -> Graded {
    graded(client, seed, script, &Stands::without(off))
}

/// Grades records of a transcript, with every guard or with all but one.
#[must_use]
pub fn grade_records(seed: &str, input: &RecordsInput, off: Option<Guard>) -> Graded {
    records(seed, input, &Stands::without(off))
}

fn graded(client: Client, seed: &str, script: &Script, stands: &Stands) -> Graded {
    let stored = store(client, seed, script);
    let file = stored.own.path.clone();
    let own = std::iter::once(stored.own).chain(stored.others);
    let files: Vec<Found> = own
        .filter(|file| !file.path.ends_with(".meta.json"))
        .map(found)
        .collect();
    let policy = Policy::default().with_guards(stands.rules);
    Graded {
        rows: grade(&files, &policy, &|_| {}).rows,
        file,
        closes: script.turns.iter().map(|turn| turn.close.clone()).collect(),
        strange: script.strange(),
    }
}

fn records(seed: &str, input: &RecordsInput, stands: &Stands) -> Graded {
    let mut policy = Policy::default().with_guards(stands.rules);
    policy.goals.clone_from(&input.goal_signals);
    let preset = input.preset.as_deref().and_then(Preset::parse);
    policy.preset = preset.unwrap_or(policy.preset);
    let path = format!("{seed}.jsonl");
    let bytes = input.records.clone().into_bytes();
    let files = [found(StoredFile {
        path: path.clone(),
        bytes,
    })];
    let rows = grade(&files, &policy, &|_| {}).rows;
    let turns = rows.iter().filter(|row| matches!(row, Row::Turn(_)));
    let turns = turns.count();
    Graded {
        rows,
        file: path,
        closes: vec![None; turns],
        strange: 0,
    }
}

fn found(file: StoredFile) -> Found {
    Found {
        path: PathBuf::from(&file.path),
        name: file.path,
        named: false,
        expected: true,
        size: file.bytes.len() as u64,
        built_in: Some(file.bytes.into()),
    }
}
