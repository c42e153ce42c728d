//! What a run with frozen checks came to, for a person.

use std::collections::BTreeMap;
use std::io::Write;
use std::path::PathBuf;

use super::super::{RunError, Surroundings};
use crate::frozen::{CheckRow, FrozenGrades, FrozenRow, GateResult, Group, OtherReading, Sums};
use crate::oracle::{KINDS, Reads};
use crate::report::{Style, clean, counted, fit, gate_reason, wrapped};

/// Rows that are listed of one status at most.
const MOST: usize = 20;
/// Columns that a text of an answer or a key takes at most.
const WORDS: usize = 60;

/// How a run is shown to a person, and where its files lie.
pub(in crate::cli) struct Shown {
    width: usize,
    /// Where the files of rows lie, by their names there; nothing where a record is graded again.
    places: BTreeMap<String, PathBuf>,
}

impl Shown {
    pub(in crate::cli) fn new(
        around: &Surroundings,
        places: impl IntoIterator<Item = (String, PathBuf)>,
    ) -> Self {
        Self {
            width: Style::of(around.columns, around.colour).width,
            places: places.into_iter().collect(),
        }
    }

    /// A text on lines that are no wider than the terminal, those after the first set in.
    fn put(&self, text: &str, lead: &str, out: &mut dyn Write) -> Result<(), RunError> {
        let room = self.width.saturating_sub(lead.len() + 2);
        for (at, line) in wrapped(text, room).into_iter().enumerate() {
            let indent = if at == 0 { "" } else { "  " };
            writeln!(out, "{lead}{indent}{line}")?;
        }
        Ok(())
    }

    /// A file as `deedcheck show` takes it, where it is known to lie.
    fn file(&self, name: &str) -> String {
        let place = self.places.get(name);
        // A folder that was named `.` needs no dot in front of what lies in it.
        let path = place.map(|path| path.strip_prefix(".").unwrap_or(path));
        let path = path.and_then(|path| path.to_str());
        clean(path.unwrap_or(name))
    }
}

/// Prints the sums, and what fails or is not known with its place. Where small cells are withheld a
/// list of rows would tell them, and there is none.
pub(super) fn said(
    graded: &FrozenGrades,
    shown: &Shown,
    out: &mut dyn Write,
) -> Result<(), RunError> {
    let sums = &graded.sums;
    let policy = sums.tasks.is_empty();
    if policy {
        read(graded, shown, out)?;
    }
    for (key, group) in &sums.tasks {
        let cells = ["pass", "fail", "unknown", "not-launched"];
        shown.put(
            &format!("tasks {key}: {}", cells_of(group, &cells)),
            "",
            out,
        )?;
    }
    for (arm, group) in &sums.teammates {
        let cells = ["completed", "inadmissible", "unresolved", "unmapped"];
        let told = cells_of(group, &cells);
        shown.put(&format!("teammates {arm}: {told}, none graded"), "", out)?;
    }
    for (key, group) in &sums.turns {
        let cells = ["pass", "fail", "unknown", "pending"];
        let asked = cells_of(group, &cells);
        let rest = cells_of(group, &["na"]).replace(" na", " not asked");
        shown.put(&format!("turns {key}: {asked}, {rest}"), "", out)?;
    }
    for (id, gate) in &sums.gates {
        shown.put(&format!("gate {id}: {}", gate_words(gate)), "", out)?;
    }
    readings(sums, shown, out)?;
    judgments(sums, out)?;
    if sums.suppressed > 0 {
        let cells = counted(sums.suppressed, "cell");
        writeln!(out, "withheld: {cells}, and every row")?;
        return Ok(out.flush()?);
    }
    for (status, word) in [("fail", "fails"), ("unknown", "unknown")] {
        listed(graded, (status, word), shown, out)?;
    }
    inadmissible(graded, shown, out)?;
    Ok(out.flush()?)
}

/// The attempts that speak for nobody, each with why.
fn inadmissible(graded: &FrozenGrades, shown: &Shown, out: &mut dyn Write) -> Result<(), RunError> {
    let tasks = graded.rows.iter().filter_map(|row| match row {
        FrozenRow::Task(task) => Some(task),
        FrozenRow::Check(_) => None,
    });
    let attempts = tasks.flat_map(|task| task.attempts.iter().map(move |own| (task, own)));
    let all: Vec<_> = attempts
        .filter(|(_, own)| own.class == "inadmissible")
        .collect();
    for (task, own) in all.iter().take(MOST) {
        let (_, number) = own.identity.rsplit_once('.').unwrap_or_default();
        let cause = own.cause.as_deref().unwrap_or(own.class);
        let told = format!(
            "inadmissible: {}.{}.{number} ({cause})",
            task.arm, task.task
        );
        shown.put(&told, "", out)?;
        writeln!(out, "  {}", shown.file(&own.file))?;
    }
    more(all.len(), "attempt", out)
}

/// What of the sessions was read.
fn read(graded: &FrozenGrades, shown: &Shown, out: &mut dyn Write) -> Result<(), RunError> {
    let Some(group) = graded.sums.attempts.get("all") else {
        writeln!(out, "sessions: none was found")?;
        return Ok(());
    };
    let cells = ["recorded", "completed", "unresolved"];
    writeln!(out, "sessions: {}", cells_of(group, &cells))?;
    for (file, reason) in graded.dark.iter().take(MOST) {
        writeln!(out, "dark: {} ({reason})", shown.file(file))?;
    }
    more(graded.dark.len(), "dark file", out)
}

fn cells_of(group: &Group, cells: &[&str]) -> String {
    let told = |cell: &&str| match group.cells.get(*cell) {
        None => format!("0 {cell}"),
        Some(Some(count)) => format!("{count} {cell}"),
        Some(None) => format!("withheld {cell}"),
    };
    cells.iter().map(told).collect::<Vec<_>>().join(", ")
}

fn gate_words(gate: &GateResult) -> String {
    let mut words = gate.status.to_owned();
    if let (Some(lower), Some(upper)) = (&gate.lower_rate, &gate.upper_rate) {
        words.push_str(&format!(", from {lower} to {upper}"));
    }
    if let Some((lower, upper)) = gate.baseline_lower.zip(gate.baseline_upper) {
        words.push_str(&format!(", baseline from {lower} to {upper}"));
    }
    if gate.sensitive {
        words.push_str(", sensitive to what is unknown");
    }
    if gate.failed_control {
        words.push_str(", a control failed");
    }
    if !gate.decides {
        words.push_str(", decides nothing");
    }
    if !gate.failing.is_empty() {
        words.push_str(&format!(" ({})", gate.failing.join(", ")));
    }
    match gate_reason(gate.reason.unwrap_or("")) {
        "" => words,
        reason => format!("{words}: {reason}"),
    }
}

fn readings(sums: &Sums, shown: &Shown, out: &mut dyn Write) -> Result<(), RunError> {
    let turning = |other: &&OtherReading| other.tasks_changed != Some(0) || other.turns_changed;
    for other in sums.alternatives.iter().filter(turning) {
        let turned: Vec<String> = other
            .gates
            .iter()
            .filter(|(id, status)| {
                let own = sums.gates.get(*id);
                own.is_some_and(|own| own.status != **status)
            })
            .map(|(id, status)| {
                let bounds = other
                    .figures
                    .get(id)
                    .and_then(|own| own.lower.zip(own.upper));
                match bounds {
                    Some((lower, upper)) => format!("{id} ({status}, {lower} to {upper})"),
                    None => format!("{id} ({status})"),
                }
            })
            .collect();
        let changed = match other.tasks_changed {
            None => "withheld tasks".to_owned(),
            Some(count) => counted(count, "task"),
        };
        let turned = match turned.is_empty() {
            true => "none".to_owned(),
            false => turned.join(", "),
        };
        let (reading, value) = (&other.reading, &other.value);
        let told =
            format!("reading {reading}={value}: changes {changed}, gates that turn: {turned}");
        shown.put(&told, "", out)?;
    }
    Ok(())
}

fn judgments(sums: &Sums, out: &mut dyn Write) -> Result<(), RunError> {
    let told = [
        (
            "pending",
            "awaited: awaited.jsonl of --out-private holds them",
        ),
        (
            "refused",
            "refused: a quote does not stand in the text (judge-quote)",
        ),
        ("unused", "unused: nothing asked for them"),
    ];
    for (cell, words) in told {
        let count = sums.judgments.cell(cell);
        if count > 0 {
            writeln!(out, "{} {words}", counted(count, "judgment"))?;
        }
    }
    Ok(())
}

/// The checks of a status, each with its place and with what was read in the answer.
fn listed(
    graded: &FrozenGrades,
    (status, word): (&str, &str),
    shown: &Shown,
    out: &mut dyn Write,
) -> Result<(), RunError> {
    let own = |row: &FrozenRow| match row {
        FrozenRow::Check(row) if row.status == status && row.decides => Some((**row).clone()),
        _ => None,
    };
    let rows: Vec<CheckRow> = graded.rows.iter().filter_map(own).collect();
    for row in rows.iter().take(MOST) {
        let reasons: Vec<&str> = row.reasons.iter().map(String::as_str).collect();
        let of = match (&row.arm, &row.task, row.attempt) {
            (Some(arm), Some(task), Some(attempt)) => format!("{arm}.{task}.{attempt} "),
            _ => String::new(),
        };
        let told = format!("{word}: {of}{} ({})", row.check, reasons.join(", "));
        shown.put(&told, "", out)?;
        // A place stays whole, however wide: it is to be copied.
        let turn = row.turn.map_or_else(String::new, |turn| format!(":{turn}"));
        writeln!(out, "  {}{turn}", shown.file(&row.file))?;
        let seen = seen(row);
        if !seen.is_empty() {
            shown.put(&seen.join("; "), "  ", out)?;
        }
    }
    more(rows.len(), "row", out)
}

/// Whether a check reads the words of an answer.
fn reads_text(row: &CheckRow) -> bool {
    let kind = KINDS.iter().find(|kind| kind.id == row.check_kind);
    kind.is_some_and(|kind| kind.reads == Reads::Text)
}

/// What a check read, what its key holds, and what it rests on.
fn seen(row: &CheckRow) -> Vec<String> {
    let words = |text: &str| fit(&clean(text), WORDS);
    let mut told = Vec::new();
    let read: Vec<String> = row
        .read
        .iter()
        .map(|own| {
            let said = match own.said {
                "plain" => String::new(),
                said => format!(", {said}"),
            };
            format!("“{}” (line {}{said})", words(&own.text), own.line)
        })
        .collect();
    if !read.is_empty() {
        told.push(format!("read {}", read.join(", ")));
    }
    if !row.absent.is_empty() {
        let absent: Vec<String> = row.absent.iter().map(|own| words(own)).collect();
        told.push(format!("not there: {}", absent.join(", ")));
    }
    match &row.key {
        Some(key) if read.is_empty() && row.absent.is_empty() && reads_text(row) => {
            told.push(format!("nothing was read; the key holds {}", words(key)));
        }
        Some(key) => told.push(format!("the key holds {}", words(key))),
        None if !told.is_empty() => {}
        None => {
            let places = row.evidence.iter().take(4);
            told.extend(places.map(|own| format!("{} (line {})", own.what, own.line)));
        }
    }
    told
}

fn more(all: usize, noun: &str, out: &mut dyn Write) -> Result<(), RunError> {
    if all > MOST {
        let rest = counted(all - MOST, noun);
        writeln!(out, "… and {rest} more: --format jsonl lists every row")?;
    }
    Ok(())
}
