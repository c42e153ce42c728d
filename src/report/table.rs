//! The table for a person: what is open first, where to look, what was dark, and the sums.

use std::fmt::Write as _;

use comfy_table::{ContentArrangement, Table, presets};

use super::sentence::sentence;
use super::style::{Style, clean, fit};
use crate::aggregate::Aggregate;
use crate::grade::{Row, SessionRow, TurnRow};

/// Lines that a list shows before it says how many more there are.
const LISTED: usize = 20;

/// What a table is made of.
pub struct TableView<'a> {
    /// The rows.
    pub rows: &'a [Row],
    /// Their sums.
    pub aggregate: &'a Aggregate,
    /// Files that were no transcripts.
    pub passed_over: u64,
    /// Folders that could not be entered.
    pub unreachable: &'a [String],
    /// Whether gate answers are listed one by one.
    pub show_gate: bool,
    /// Whether the run is the built-in example.
    pub demo: bool,
    /// How to write.
    pub style: Style,
}

/// The table as text.
#[must_use]
pub fn table(view: &TableView<'_>) -> String {
    let mut out = String::new();
    head(&mut out, view);
    if view.show_gate {
        gate(&mut out, view);
    }
    dark(&mut out, view);
    summary(&mut out, view);
    next(&mut out, view);
    out
}

fn line(out: &mut String, text: &str) {
    out.push_str(text.trim_end());
    out.push('\n');
}

fn head(out: &mut String, view: &TableView<'_>) {
    let sums = view.aggregate;
    let title = if view.demo {
        "deedcheck: example run, built in"
    } else {
        "deedcheck"
    };
    let counts = format!(
        "{} · {} · {}",
        counted(sums.cell("sessions"), "session"),
        counted(sums.cell("turns"), "turn"),
        counted(sums.cell("calls"), "tool call"),
    );
    line(
        out,
        &format!("{}  {}", view.style.bold(title), view.style.dim(&counts)),
    );
}

/// A number with its noun.
fn counted(count: u64, noun: &str) -> String {
    let plural = if count == 1 { "" } else { "s" };
    format!("{} {noun}{plural}", grouped(count))
}

/// A number with its thousands apart.
fn grouped(count: u64) -> String {
    let digits = count.to_string();
    let mut out = String::new();
    for (at, digit) in digits.chars().enumerate() {
        if at > 0 && (digits.len() - at).is_multiple_of(3) {
            out.push(',');
        }
        out.push(digit);
    }
    out
}

fn gate(out: &mut String, view: &TableView<'_>) {
    let style = view.style;
    let sections = [
        ("reject", "Nothing in the record shows it", "reject"),
        ("unknown", "The record cannot tell", "unknown"),
    ];
    for (verdict, title, _) in sections {
        let found: Vec<&TurnRow> = view
            .rows
            .iter()
            .filter_map(|row| match row {
                Row::Turn(turn) if turn.gate.verdict == verdict => Some(turn),
                _ => None,
            })
            .collect();
        if found.is_empty() {
            continue;
        }
        line(out, "");
        line(out, &style.bold(&format!("{title} ({})", found.len())));
        for turn in found.iter().take(LISTED) {
            gate_line(out, turn, style);
        }
        more(out, found.len(), style);
    }
}

fn gate_line(out: &mut String, turn: &TurnRow, style: Style) {
    let at = turn.close.as_ref().map_or(turn.lines.1, |close| close.line);
    let place = format!("{}:{at}", clean(&turn.file));
    let paint = if turn.gate.verdict == "reject" {
        Style::yellow
    } else {
        Style::dim
    };
    let tag = paint(style, turn.gate.reason);
    line(out, &format!("  {place}  turn {}  {tag}", turn.turn));
    let room = style.width.saturating_sub(4);
    if !turn.gate.text.is_empty() {
        line(
            out,
            &format!(
                "    “{}”",
                fit(&clean(&turn.gate.text), room.saturating_sub(2))
            ),
        );
    }
    line(out, &format!("    {}", fit(&sentence(turn), room)));
}

fn more(out: &mut String, found: usize, style: Style) {
    if found > LISTED {
        line(
            out,
            &style.dim(&format!(
                "  … and {} more: --format jsonl lists all",
                found - LISTED
            )),
        );
    }
}

fn dark(out: &mut String, view: &TableView<'_>) {
    let style = view.style;
    let found: Vec<&SessionRow> = view
        .rows
        .iter()
        .filter_map(|row| match row {
            Row::Session(session) if session.verdict == "dark" => Some(session),
            _ => None,
        })
        .collect();
    if !found.is_empty() {
        line(out, "");
        line(
            out,
            &style.bold(&format!("Dark: could not be judged ({})", found.len())),
        );
        for session in found.iter().take(LISTED) {
            let why = session.reasons.join(", ");
            let room = style.width.saturating_sub(why.len() + 4);
            line(
                out,
                &format!(
                    "  {}  {}",
                    fit(&clean(&session.file), room),
                    style.yellow(&why)
                ),
            );
        }
        more(out, found.len(), style);
    }
    for name in view.unreachable.iter().take(LISTED) {
        line(
            out,
            &format!("  {}  {}", clean(name), style.yellow("cannot be entered")),
        );
    }
}

fn summary(out: &mut String, view: &TableView<'_>) {
    let sums = view.aggregate;
    let mut table = Table::new();
    table
        .load_style(presets::NOTHING)
        .set_content_arrangement(ContentArrangement::Dynamic)
        .set_width(u16::try_from(view.style.width).unwrap_or(100));
    let parts = |key: &str| {
        let below = sums.below(key);
        below
            .iter()
            .map(|(name, n)| format!("{} {name}", grouped(*n)))
            .collect::<Vec<_>>()
            .join(" · ")
    };
    table.add_row(["sessions".to_owned(), parts("session")]);
    table.add_row(["turns".to_owned(), parts("turn")]);
    table.add_row(["closes claim".to_owned(), parts("claim-type")]);
    table.add_row(["gate".to_owned(), parts("gate")]);
    for verdict in ["reject", "unknown"] {
        let reasons = parts(&format!("gate.{verdict}"));
        if !reasons.is_empty() {
            table.add_row([format!("  {verdict}"), reasons]);
        }
    }
    let checks = sums.cell("verifications");
    if checks > 0 {
        let masked = sums.cell("verifications.masked");
        let text = format!(
            "{} · {} with a hidden exit status",
            grouped(checks),
            grouped(masked)
        );
        table.add_row(["checks run".to_owned(), text]);
    }
    let unread = sums.cell("records.quarantined");
    let opaque = sums.cell("records.opaque");
    if unread + opaque + view.passed_over > 0 {
        let mut text = String::new();
        let _ = write!(
            text,
            "{} unreadable · {} of unknown kinds · {} passed over",
            counted(unread, "piece"),
            counted(opaque, "record"),
            counted(view.passed_over, "other file"),
        );
        table.add_row(["not read".to_owned(), text]);
    }
    line(out, "");
    for row in table.lines() {
        line(out, &format!(" {row}"));
    }
}

fn next(out: &mut String, view: &TableView<'_>) {
    let style = view.style;
    let open = view.rows.iter().find_map(|row| match row {
        Row::Turn(turn) if turn.gate.verdict == "reject" => Some(turn),
        _ => None,
    });
    line(out, "");
    match (open, view.show_gate) {
        (Some(turn), true) if !view.demo => {
            let hint = format!("next: deedcheck show {}:{}", clean(&turn.file), turn.turn);
            line(out, &style.dim(&hint));
        }
        (Some(_), false) => {
            line(out, &style.dim("next: --show gate lists what the gate would have rejected; its precision is not known yet"));
        }
        _ => line(
            out,
            &style.dim("next: deedcheck grade YOUR-SESSIONS; deedcheck explain gate"),
        ),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_grouped_and_named() {
        assert_eq!(grouped(1_234_567), "1,234,567");
        assert_eq!(grouped(12), "12");
        assert_eq!(counted(1, "turn"), "1 turn");
        assert_eq!(counted(0, "turn"), "0 turns");
    }
}
