//! `deedcheck show`: one turn's evidence laid out.

use std::collections::{HashMap, HashSet};
use std::ffi::OsStr;
use std::io::Write;
use std::path::{Path, PathBuf};

use serde_json::Value;

use super::args::Show;
use super::{Exit, RunError, Surroundings, grade::policy, sources};
use crate::grade::{ClaimRow, Row, TurnRow};
use crate::pipeline::grade;
use crate::report::{Style, TurnWords, timeline, turn_list};
use crate::source::{Found, discover};
use crate::transcript::{Body, Event, Sink, read_file};
use crate::turn::{SessionFold, Step, Turn, TurnSink};

/// What the argument is called in refusals.
const FIELD: &str = "<FILE[:TURN]>";

pub(super) fn run(
    args: &Show,
    around: &Surroundings,
    out: &mut dyn Write,
) -> Result<Exit, RunError> {
    let (path, wanted) = target(&args.target);
    let path = match args.under.as_slice() {
        [] => path,
        under => named(&path, under)?,
    };
    let policy = policy(&args.judging, around)?;
    if path.is_dir() {
        return Err(wrong("folder"));
    }
    // A session's agents lie in a folder of its own name; what they did counts for it.
    let agents = path.with_extension("");
    let mut paths = vec![path.clone()];
    if agents != path && agents.is_dir() {
        paths.push(agents);
    }
    let found = discover(&paths)?;
    let file = found
        .files
        .iter()
        .find(|file| file.path == path)
        .ok_or(wrong("unreadable"))?;
    let graded = grade(&found.files, &policy, &|_| {});
    let turns: Vec<&TurnRow> = graded
        .rows
        .iter()
        .filter_map(|row| match row {
            Row::Turn(turn) if turn.file == file.name => Some(turn),
            _ => None,
        })
        .collect();
    let claims: Vec<&ClaimRow> = graded
        .rows
        .iter()
        .filter_map(|row| match row {
            Row::Claim(claim) if claim.file == file.name => Some(claim),
            _ => None,
        })
        .collect();
    let style = Style::of(around.columns, around.colour);
    let text = match wanted {
        _ if turns.is_empty() => return Err(wrong("no-turn-in-file")),
        None => turn_list(&turns, style),
        Some(number) => {
            // Each session of a file counts its turns from 1.
            let rows: Vec<&TurnRow> = turns
                .into_iter()
                .filter(|row| u64::from(row.turn) == number)
                .collect();
            if rows.is_empty() {
                return Err(wrong("no-such-turn"));
            }
            laid_out(file, &rows, &claims, style)
        }
    };
    out.write_all(text.as_bytes())?;
    out.flush()?;
    Ok(Exit::Done)
}

/// Turns in full, one below the other.
fn laid_out(file: &Found, rows: &[&TurnRow], claims: &[&ClaimRow], style: Style) -> String {
    let wanted: Vec<_> = rows.iter().map(|row| row.lines).collect();
    let words = words(file, &wanted);
    let mut text = String::new();
    for (at, row) in rows.iter().enumerate() {
        if at > 0 {
            text.push('\n');
        }
        let turn = words.iter().find(|turn| turn.lines == row.lines);
        let words = turn.map(turn_words).unwrap_or_default();
        let own = |claim: &&ClaimRow| claim.session == row.session && claim.turn == row.turn;
        let own: Vec<&ClaimRow> = claims.iter().copied().filter(own).collect();
        text.push_str(&timeline(row, &own, &words, style));
    }
    text
}

/// The file of a name of rows, among those that were graded. A name is led by that of what was graded, or by that of a
/// root, which only bindings know: where no whole name fits, what follows the lead has to fit one file alone.
fn named(name: &Path, under: &[PathBuf]) -> Result<PathBuf, RunError> {
    let found = discover(under)?;
    // As tables cut it.
    let name = name.to_string_lossy();
    let name = name.strip_prefix("…/").unwrap_or(&name);
    if let Some(own) = found.files.iter().find(|own| own.name == name) {
        return Ok(own.path.clone());
    }
    let tail = name.split_once('/').map_or(name, |(_, tail)| tail);
    let ends = |own: &&Found, with: &str| {
        let rest = own.name.strip_suffix(with);
        rest.is_some_and(|rest| rest.is_empty() || rest.ends_with('/'))
    };
    for with in [name, tail] {
        let mut fitting = found.files.iter().filter(|own| ends(own, with));
        match (fitting.next(), fitting.next()) {
            (Some(only), None) => return Ok(only.path.clone()),
            (Some(_), Some(_)) => return Err(wrong("several-files")),
            (None, _) => {}
        }
    }
    Err(wrong("no-such-file"))
}

fn wrong(kind: &'static str) -> RunError {
    RunError::Argument { field: FIELD, kind }
}

/// A path, and the number after its last colon where there is one and no file has that name.
fn target(argument: &OsStr) -> (PathBuf, Option<u64>) {
    let whole = Path::new(argument);
    let bytes = argument.as_encoded_bytes();
    let digits = bytes.iter().rev().take_while(|byte| byte.is_ascii_digit());
    let colon = (bytes.len() - digits.count()).checked_sub(1);
    match colon {
        Some(colon) if bytes[colon] == b':' && colon + 1 < bytes.len() && !whole.exists() => {
            let number = bytes[colon + 1..].iter().fold(0_u64, |number, digit| {
                number
                    .saturating_mul(10)
                    .saturating_add(u64::from(digit - b'0'))
            });
            (sources::path_of(&bytes[..colon]), Some(number))
        }
        _ => (whole.to_path_buf(), None),
    }
}

/// Keeps the turns of some lines: a turn's number depends on the turns that a rewind took back.
struct Words<'s> {
    wanted: &'s [(u64, u64)],
    found: Vec<Turn>,
}

impl TurnSink for Words<'_> {
    fn turn(&mut self, turn: Turn) {
        if self.wanted.contains(&turn.lines) {
            self.found.push(turn);
        }
    }

    fn rewound(&mut self, _: &[u32]) {}
}

/// Splits a file's events into its sessions, as grading does.
struct Sessions<'s> {
    owned: &'s HashSet<u64>,
    children: &'s HashMap<String, crate::turn::Delegated>,
    wanted: &'s [(u64, u64)],
    current: SessionFold<'s, Words<'s>>,
    found: Vec<Turn>,
}

impl Sessions<'_> {
    fn end(&mut self) {
        let next = SessionFold::new(of(self.wanted), self.owned, self.children, false);
        let (_, words) = std::mem::replace(&mut self.current, next).finish();
        self.found.extend(words.found);
    }
}

fn of(wanted: &[(u64, u64)]) -> Words<'_> {
    Words {
        wanted,
        found: Vec::new(),
    }
}

impl Sink for Sessions<'_> {
    fn event(&mut self, event: Event<'_>) {
        if let Body::Begins { .. } = &event.body {
            self.end();
        }
        self.current.event(event);
    }
}

/// The turns of some lines.
fn words(file: &Found, wanted: &[(u64, u64)]) -> Vec<Turn> {
    let (owned, children) = (HashSet::new(), HashMap::new());
    let Ok(lines) = file.open() else {
        return Vec::new();
    };
    let mut sessions = Sessions {
        owned: &owned,
        children: &children,
        wanted,
        current: SessionFold::new(of(wanted), &owned, &children, false),
        found: Vec::new(),
    };
    read_file(lines, &mut sessions);
    sessions.end();
    sessions.found
}

fn turn_words(turn: &Turn) -> TurnWords {
    let prompt = turn.prompt.as_ref().map(|prompt| prompt.text.clone());
    let close = turn.close().map(|close| close.text.clone());
    TurnWords {
        prompt: prompt.unwrap_or_default(),
        steps: turn
            .in_result_order()
            .into_iter()
            .map(|at| what(&turn.steps[at]))
            .collect(),
        close: close.unwrap_or_default(),
    }
}

/// A step as the agent wrote it: its command, its paths, or its arguments.
fn what(step: &Step) -> String {
    let args = serde_json::from_str::<Value>(&step.args).ok();
    let shell = step.acts.iter().find(|act| act.shell);
    if let Some(act) = shell
        && let Some(command) = args.as_ref().and_then(|args| command(args, &act.program))
    {
        return command;
    }
    let mut paths: Vec<&str> = Vec::new();
    for act in &step.acts {
        for path in act.writes.iter().chain(&act.reads) {
            if !paths.contains(&path.as_str()) {
                paths.push(path);
            }
        }
    }
    if !paths.is_empty() && shell.is_none() {
        return paths.join("\n");
    }
    match args {
        Some(Value::Object(fields)) => fields
            .iter()
            .map(|(name, value)| format!("{name}: {}", flat(value)))
            .collect::<Vec<_>>()
            .join("\n"),
        Some(Value::String(text)) => text,
        _ => step.args.clone(),
    }
}

/// The argument that holds a shell's command: the first text, or list of words, in which the program
/// stands; a list's last word is the script where it is one. Which name it goes by is the client's affair.
fn command(args: &Value, program: &str) -> Option<String> {
    let text = |value: &Value| match value {
        Value::String(text) => Some(text.clone()),
        Value::Array(words) => {
            let words: Option<Vec<&str>> = words.iter().map(Value::as_str).collect();
            let words = words?;
            let script = words.last().filter(|word| word.contains(' '));
            Some(script.map_or_else(|| words.join(" "), |script| (*script).to_owned()))
        }
        _ => None,
    };
    match args {
        Value::Object(fields) => fields
            .values()
            .filter_map(text)
            .find(|text| text.contains(program)),
        other => text(other),
    }
}

/// A value on one line.
fn flat(value: &Value) -> String {
    match value {
        Value::String(text) => text.replace('\n', " ⏎ "),
        other => other.to_string(),
    }
}
