//! `deedcheck show`: one turn's evidence laid out.

use std::collections::{HashMap, HashSet};
use std::ffi::OsStr;
use std::io::Write;
use std::path::PathBuf;

use super::args::Show;
use super::{Exit, RunError, Surroundings};
use crate::grade::{Row, TurnRow};
use crate::pipeline::{Policy, grade};
use crate::report::{Style, TurnWords, timeline, turn_list};
use crate::source::{Found, discover};
use crate::transcript::read_file;
use crate::turn::{SessionFold, Step, Turn, TurnSink};

/// Keeps the words of one turn; of every turn where none is asked for.
struct Words {
    /// The turn's first and last line: its number depends on the turns that a rewind took back.
    wanted: (u64, u64),
    found: Option<Turn>,
}

impl TurnSink for Words {
    fn turn(&mut self, turn: Turn) {
        if turn.lines == self.wanted && self.found.is_none() {
            self.found = Some(turn);
        }
    }

    fn rewound(&mut self, _: &[u32]) {}
}

pub(super) fn run(
    args: &Show,
    around: &Surroundings,
    out: &mut dyn Write,
) -> Result<Exit, RunError> {
    let (path, wanted) = target(&args.target);
    let found = discover(&[path])?;
    let graded = grade(&found.files, &Policy::default(), &|_| {});
    let turns: Vec<&TurnRow> = graded
        .rows
        .iter()
        .filter_map(|row| match row {
            Row::Turn(turn) => Some(turn),
            Row::Session(_) => None,
        })
        .collect();
    let style = Style {
        colour: around.colour,
        width: around.columns.unwrap_or(100).clamp(40, 160),
    };
    let text = match wanted {
        None => turn_list(&turns, style),
        Some(number) => {
            let row = turns
                .iter()
                .find(|row| row.turn == number)
                .ok_or(RunError::Argument {
                    field: "<FILE[:TURN]>",
                    kind: "no-such-turn",
                })?;
            let file = found.files.iter().find(|file| file.name == row.file);
            timeline(row, &words(file, row.lines), style)
        }
    };
    out.write_all(text.as_bytes())?;
    out.flush()?;
    Ok(Exit::Done)
}

/// A path, and the number after its last colon where there is one and no file has that name.
fn target(argument: &OsStr) -> (PathBuf, Option<u32>) {
    let whole = PathBuf::from(argument);
    if whole.exists() {
        return (whole, None);
    }
    let split = argument.to_str().and_then(|text| {
        let (path, number) = text.rsplit_once(':')?;
        Some((PathBuf::from(path), number.parse().ok()?))
    });
    match split {
        Some((path, number)) => (path, Some(number)),
        None => (whole, None),
    }
}

fn words(file: Option<&Found>, lines: (u64, u64)) -> TurnWords {
    let (owned, children) = (HashSet::new(), HashMap::new());
    let sink = Words {
        wanted: lines,
        found: None,
    };
    let Some(reader) = file.and_then(|file| file.open().ok()) else {
        return TurnWords::default();
    };
    let mut fold = SessionFold::new(sink, &owned, &children, false);
    read_file(reader, &mut fold);
    let (_, sink) = fold.finish();
    let Some(turn) = sink.found else {
        return TurnWords::default();
    };
    TurnWords {
        prompt: turn
            .prompt
            .as_ref()
            .map_or(String::new(), |prompt| prompt.text.clone()),
        steps: turn
            .in_result_order()
            .into_iter()
            .map(|at| what(&turn.steps[at]))
            .collect(),
        close: turn
            .close()
            .map_or(String::new(), |close| close.text.clone()),
    }
}

/// A step in a few words: its command, its paths, or its arguments.
fn what(step: &Step) -> String {
    let paths: Vec<&str> = step
        .acts
        .iter()
        .flat_map(|act| act.writes.iter().chain(&act.reads))
        .map(String::as_str)
        .collect();
    if step.acts.iter().any(|act| act.shell) {
        let words: Vec<&str> = step.acts.iter().map(|act| act.words.as_str()).collect();
        return words.join(" ; ");
    }
    if paths.is_empty() {
        step.args.clone()
    } else {
        paths.join(", ")
    }
}
