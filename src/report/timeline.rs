//! One turn laid out in time: what was asked, done and said, and what the gate answered.

use super::sentence::sentence;
use super::style::{Style, clean, fit};
use crate::grade::TurnRow;

/// One line for each turn.
#[must_use]
pub fn turn_list(rows: &[&TurnRow], style: Style) -> String {
    let mut out = String::new();
    for row in rows {
        let verdict = paint(row.gate.verdict, style);
        let head = format!(
            "turn {:>3}  lines {}–{}  {:<11} {:>3} steps  ",
            row.turn,
            row.lines.0,
            row.lines.1,
            row.ended,
            row.steps.len(),
        );
        out.push_str(&format!("{head}{verdict}  {}\n", row.gate.reason));
    }
    out
}

/// One turn in full. `words` holds the operator's words, each step's command or target in the
/// order of the row's steps, and the close.
#[must_use]
pub fn timeline(row: &TurnRow, words: &TurnWords, style: Style) -> String {
    let mut out = String::new();
    let mut put = |text: &str| {
        out.push_str(text.trim_end());
        out.push('\n');
    };
    let room = style.width.saturating_sub(12);
    put(&style.bold(&format!("{} turn {}", clean(&row.file), row.turn)));
    if let Some(operator) = &row.operator {
        let who = if operator.delegated {
            "parent asked"
        } else {
            "asked"
        };
        put(&format!("{:>6}  {}", operator.line, style.dim(who)));
        put(&format!("        {}", fit(&clean(&words.prompt), room)));
    }
    for (step, what) in row.steps.iter().zip(&words.steps) {
        let code = step.code.map_or(String::new(), |code| format!(" {code}"));
        let masked = if step.masked { ", status hidden" } else { "" };
        let outcome = format!("{}{code}{masked}", step.outcome);
        let outcome = match step.outcome {
            "ok" if !step.masked => style.green(&outcome),
            "failed" => style.red(&outcome),
            _ => style.yellow(&outcome),
        };
        let kind = step
            .verify
            .map_or(step.effect.to_owned(), |verify| format!("{verify} run"));
        put(&format!(
            "{:>6}  {} · {kind} · {outcome}",
            step.line,
            clean(&step.call)
        ));
        put(&format!("        {}", style.dim(&fit(&clean(what), room))));
    }
    match &row.close {
        Some(close) => {
            put(&format!("{:>6}  {}", close.line, style.dim("closed with")));
            put(&format!("        {}", fit(&clean(&words.close), room * 3)));
        }
        None => put(&format!(
            "        {}",
            style.dim(&format!("no close: {}", row.ended))
        )),
    }
    put("");
    put(&format!(
        "gate    {} · {} · {}",
        paint(row.gate.verdict, style),
        row.gate.claim_type,
        row.gate.reason,
    ));
    put(&format!("        {}", sentence(row)));
    for path in &row.gate.unverified_paths {
        put(&format!("        not looked at since: {}", clean(path)));
    }
    if !row.gate.legal_next.is_empty() {
        put(&format!(
            "        what was left to do: {}",
            row.gate.legal_next.join(" or ").replace('_', " ")
        ));
    }
    out
}

/// The words of a turn that its row does not hold.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct TurnWords {
    /// What the operator asked.
    pub prompt: String,
    /// Each step's command or target, in the order of the row's steps.
    pub steps: Vec<String>,
    /// The close.
    pub close: String,
}

fn paint(verdict: &str, style: Style) -> String {
    match verdict {
        "accept" => style.green(verdict),
        "reject" => style.yellow(verdict),
        _ => style.dim(verdict),
    }
}
