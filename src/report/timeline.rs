//! One turn laid out in time: what was asked, done and said, and what the gate answered.

use super::claim::{outlet, paint as colour, words as claim_words};
use super::sentence::sentence;
use super::style::{Style, clean, fit, fit_path, wrapped};
use crate::grade::{ClaimRow, StepRow, TurnRow};

/// Columns before a turn's words.
const INDENT: usize = 8;
/// Lines of a command that are shown.
const COMMAND_LINES: usize = 8;
/// Changed paths that are named.
const PATHS: usize = 5;
/// Lines of the operator's words, and of the close, that are shown.
const PROSE_LINES: usize = 12;

/// One line for each turn, and the words of its claim below it. Sessions of one file follow each
/// other.
#[must_use]
pub fn turn_list(rows: &[&TurnRow], style: Style) -> String {
    let mut out = String::new();
    let mut put = |text: &str| {
        out.push_str(text.trim_end());
        out.push('\n');
    };
    let many = rows
        .windows(2)
        .any(|pair| pair[0].session != pair[1].session);
    let mut session = None;
    for row in rows {
        if many && session != Some(&row.session) {
            let name = row.session.as_deref().unwrap_or("without an id");
            put(&style.bold(&fit(&format!("session {}", clean(name)), style.width)));
            session = Some(&row.session);
        }
        let number = style.bold(&format!("{:>4}", row.turn));
        let lines = format!("lines {}–{}", row.lines.0, row.lines.1);
        let verdict = paint(row.gate.verdict, style);
        let mut head = format!("{number}  {verdict} · {}", row.gate.reason);
        let steps = match row.steps.len() {
            1 => "1 call".to_owned(),
            n => format!("{n} calls"),
        };
        let rest = format!("{lines} · {steps} · {}", row.ended);
        let used = 8 + row.gate.verdict.len() + row.gate.reason.len() + 3;
        if used + rest.chars().count() <= style.width {
            head.push_str(&format!("  {}", style.dim(&rest)));
            put(&head);
        } else {
            put(&head);
            put(&format!("      {}", style.dim(&rest)));
        }
        let text = clean(&row.gate.text);
        if !text.trim().is_empty() {
            let room = style.width.saturating_sub(INDENT);
            put(&format!("      “{}”", fit(text.trim(), room)));
        }
    }
    out
}

/// One turn in full, each of its claims where it was made.
#[must_use]
pub fn timeline(row: &TurnRow, claims: &[&ClaimRow], words: &TurnWords, style: Style) -> String {
    let mut out = Lines {
        text: String::new(),
        style,
    };
    let number = format!("turn {}", row.turn);
    let room = style.width.saturating_sub(number.len() + 1);
    let file = fit_path(&clean(&row.file), room);
    out.put(&style.bold(&format!("{file} {number}")));
    if let Some(operator) = &row.operator {
        let who = if operator.delegated {
            "the parent agent asked"
        } else {
            "asked"
        };
        out.at(operator.line, who);
        out.prose(&words.prompt);
    }
    for (at, step) in row.steps.iter().enumerate() {
        step_lines(
            &mut out,
            step,
            words.steps.get(at).map_or("", String::as_str),
        );
        let own = |claim: &&&ClaimRow| match claim.location {
            "close" => false,
            "handback" => step.result == Some(claim.lines.0),
            _ => step.line == claim.lines.0,
        };
        for claim in claims.iter().filter(own) {
            claim_lines(&mut out, claim);
        }
    }
    match &row.close {
        Some(close) => {
            out.at(close.line, "closed with");
            out.prose(&words.close);
        }
        None => out.at(row.lines.1, &format!("no close: {}", row.ended)),
    }
    out.put("");
    for claim in claims.iter().filter(|claim| claim.location == "close") {
        claim_lines(&mut out, claim);
    }
    answer(&mut out, row);
    out.text
}

/// Lines of text that is being written.
struct Lines {
    text: String,
    style: Style,
}

impl Lines {
    fn put(&mut self, text: &str) {
        self.text.push_str(text.trim_end());
        self.text.push('\n');
    }

    /// What happened at a line of the file.
    fn at(&mut self, line: u64, what: &str) {
        let what = self.style.dim(what);
        self.put(&format!("{line:>6}  {what}"));
    }

    fn room(&self) -> usize {
        self.style.width.saturating_sub(INDENT)
    }

    fn inset(&mut self, text: &str) {
        self.put(&format!("{:INDENT$}{text}", ""));
    }

    /// Words of a human or an agent: their own lines, wrapped; long ones are cut.
    fn prose(&mut self, text: &str) {
        let room = self.room();
        let lines = text
            .lines()
            .map(clean)
            .filter(|line| !line.trim().is_empty())
            .flat_map(|line| wrapped(&line, room));
        self.some(lines.collect(), PROSE_LINES);
    }

    /// A command or target: its own lines, each cut where it is long.
    fn command(&mut self, text: &str) {
        let room = self.room();
        let lines = text
            .lines()
            .map(clean)
            .filter(|line| !line.trim().is_empty())
            .map(|line| fit(line.trim_end(), room));
        self.some(lines.collect(), COMMAND_LINES);
    }

    fn some(&mut self, lines: Vec<String>, most: usize) {
        let more = lines.len().saturating_sub(most);
        for line in lines.into_iter().take(most) {
            self.inset(&line);
        }
        if more > 0 {
            let text = self.style.dim(&format!("… and {more} more"));
            self.inset(&text);
        }
    }
}

fn step_lines(out: &mut Lines, step: &StepRow, what: &str) {
    let style = out.style;
    let kind = match (step.verify, step.effect) {
        (Some(verify), _) => format!(" · {verify} run"),
        (None, "read") => " · looks".to_owned(),
        (None, "mutate") => match step.domain {
            None | Some("workspace") => " · changes files".to_owned(),
            Some(domain) => format!(" · changes {domain}"),
        },
        (None, "unknown") => " · effect unknown".to_owned(),
        (None, _) => String::new(),
    };
    let code = step
        .code
        .map_or(String::new(), |code| format!(" with {code}"));
    let outcome = format!("{}{code}", step.outcome);
    let outcome = match step.outcome {
        "ok" if !step.masked => style.green(&outcome),
        "failed" => style.red(&outcome),
        _ => style.yellow(&outcome),
    };
    let result = match step.result {
        Some(line) => format!(" at line {line}"),
        None => String::new(),
    };
    out.put(&format!(
        "{:>6}  {}{kind} · {outcome}{}",
        step.line,
        fit(&clean(&step.call), 40),
        style.dim(&result)
    ));
    out.command(what);
    if step.masked {
        let note = "another command's exit status stands in front of the check's";
        for line in wrapped(note, out.room()) {
            out.inset(&style.yellow(&line));
        }
    }
}

/// A claim below the words that make it.
fn claim_lines(out: &mut Lines, claim: &ClaimRow) {
    let style = out.style;
    let lead = match outlet(claim.location) {
        Some(outlet) => format!("{:INDENT$}{outlet}: ", ""),
        None => format!("{:<INDENT$}", "claim"),
    };
    let reason = claim.reasons.first().map_or("", String::as_str);
    let verdict = colour(claim.verdict, claim.verdict, style);
    out.put(&format!("{lead}{verdict} · {reason} · {}", claim.claim));
    for line in claim_words(claim, style, out.room()) {
        out.inset(&line);
    }
}

fn answer(out: &mut Lines, row: &TurnRow) {
    let style = out.style;
    let claim = match row.gate.claim_type {
        "none" => "no claim".to_owned(),
        claim => format!("claim: {claim}"),
    };
    out.put(&format!(
        "gate    {} · {} · {claim}",
        paint(row.gate.verdict, style),
        row.gate.reason,
    ));
    let text = clean(&row.gate.text);
    if !text.trim().is_empty() {
        let text = fit(text.trim(), out.room().saturating_sub(2));
        out.inset(&format!("“{text}”"));
    }
    for line in wrapped(&sentence(row), out.room()) {
        out.inset(&line);
    }
    let lead = "not looked at since: ";
    let room = out.room().saturating_sub(lead.len());
    let paths = row.gate.unverified_paths.iter();
    let paths = paths.map(|path| format!("{lead}{}", fit_path(&clean(path), room)));
    out.some(paths.collect(), PATHS);
    let next: Vec<&str> = row
        .gate
        .legal_next
        .iter()
        .map(|next| match *next {
            "qualifying_tool_call" => "look at it with a tool",
            "unverified_terminal" => "say that it is unverified",
            other => other,
        })
        .collect();
    if !next.is_empty() {
        let text = format!("what was left to do: {}", next.join(", or "));
        for line in wrapped(&text, out.room()) {
            out.inset(&style.dim(&line));
        }
    }
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
