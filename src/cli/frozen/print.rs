//! What a run with frozen checks came to, for a person.

use std::io::Write;

use super::super::RunError;
use crate::frozen::{CheckRow, FrozenGrades, FrozenRow, GateResult, Group, OtherReading, Sums};
use crate::report::{clean, counted, gate_reason};

/// Rows that are listed of one status at most.
const MOST: usize = 20;

/// Prints the sums, and what fails or is not known with its place. Where small cells are withheld a
/// list of rows would tell them, and there is none.
pub(super) fn said(graded: &FrozenGrades, out: &mut dyn Write) -> Result<(), RunError> {
    let sums = &graded.sums;
    let policy = sums.tasks.is_empty();
    if policy {
        read(graded, out)?;
    }
    for (key, group) in &sums.tasks {
        let cells = ["pass", "fail", "unknown", "not-launched"];
        writeln!(out, "tasks {key}: {}", cells_of(group, &cells))?;
    }
    for (arm, group) in &sums.teammates {
        let cells = ["completed", "inadmissible", "unresolved", "unmapped"];
        writeln!(
            out,
            "teammates {arm}: {}, none graded",
            cells_of(group, &cells)
        )?;
    }
    for (key, group) in &sums.turns {
        let cells = ["pass", "fail", "unknown", "pending"];
        let asked = cells_of(group, &cells);
        let rest = cells_of(group, &["na"]).replace(" na", " not asked");
        writeln!(out, "turns {key}: {asked}, {rest}")?;
    }
    for (id, gate) in &sums.gates {
        writeln!(out, "gate {id}: {}", gate_words(gate))?;
    }
    readings(sums, out)?;
    judgments(sums, out)?;
    if sums.suppressed > 0 {
        let cells = counted(sums.suppressed, "cell");
        writeln!(out, "withheld: {cells}, and every row")?;
        return Ok(out.flush()?);
    }
    for (status, word) in [("fail", "fails"), ("unknown", "unknown")] {
        listed(graded, status, word, out)?;
    }
    Ok(out.flush()?)
}

/// What of the sessions was read.
fn read(graded: &FrozenGrades, out: &mut dyn Write) -> Result<(), RunError> {
    let Some(group) = graded.sums.attempts.get("all") else {
        writeln!(out, "sessions: none was found")?;
        return Ok(());
    };
    let cells = ["recorded", "completed", "unresolved"];
    writeln!(out, "sessions: {}", cells_of(group, &cells))?;
    for (file, reason) in graded.dark.iter().take(MOST) {
        writeln!(out, "dark: {} ({reason})", clean(file))?;
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

fn readings(sums: &Sums, out: &mut dyn Write) -> Result<(), RunError> {
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
        writeln!(
            out,
            "reading {}={}: changes {changed}, gates that turn: {}",
            other.reading,
            other.value,
            if turned.is_empty() {
                "none".to_owned()
            } else {
                turned.join(", ")
            },
        )?;
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

/// The checks of a status, each with its place.
fn listed(
    graded: &FrozenGrades,
    status: &str,
    word: &str,
    out: &mut dyn Write,
) -> Result<(), RunError> {
    let own = |row: &FrozenRow| match row {
        FrozenRow::Check(row) if row.status == status && row.decides => Some(row.clone()),
        _ => None,
    };
    let rows: Vec<CheckRow> = graded.rows.iter().filter_map(own).collect();
    for row in rows.iter().take(MOST) {
        let reasons: Vec<&str> = row.reasons.iter().map(String::as_str).collect();
        let told = format!("{} ({})", row.check, reasons.join(", "));
        writeln!(out, "{word}: {}", placed(row, &told))?;
    }
    more(rows.len(), "row", out)
}

/// A check with its place. A file of a policy is where it was named, so that `deedcheck show` takes it
/// with its turn; one of a task lies under a root, whose name leads it.
fn placed(row: &CheckRow, told: &str) -> String {
    let file = clean(&row.file);
    match (&row.arm, &row.task, row.attempt, row.turn) {
        (Some(arm), Some(task), Some(attempt), turn) => {
            let turn = turn.map_or_else(String::new, |turn| format!(" turn {turn}"));
            format!("{arm}.{task}.{attempt} {told} in {file}{turn}")
        }
        (.., Some(turn)) => format!("{file}:{turn} {told}"),
        (.., None) => format!("{file} {told}"),
    }
}

fn more(all: usize, noun: &str, out: &mut dyn Write) -> Result<(), RunError> {
    if all > MOST {
        let rest = counted(all - MOST, noun);
        writeln!(out, "… and {rest} more: --format jsonl lists every row")?;
    }
    Ok(())
}
