//! The table for a person: what is wrong first, where to look, what was dark, and the sums.

use std::collections::BTreeMap;

use super::claim::{claim_lines, facts, finding_lines};
use super::sentence::{dark_reason, sentence};
use super::style::{Style, clean, counted, fit, fit_path, grouped, joined, wrapped};
use crate::aggregate::Aggregate;
use crate::grade::{ClaimRow, FindingRow, Row, SessionRow, TurnRow};

/// Dark files that are named one by one. More of them are counted by their reason.
const NAMED: usize = 5;
/// Unsupported claims that are listed where nobody asked for all of them.
const LISTED: usize = 20;
/// Columns of the summary's first column.
const LABEL: usize = 15;

/// What is listed one by one besides what is listed anyway.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Listing {
    /// The gate's rejections and open answers.
    pub gate: bool,
    /// Supported claims.
    pub supported: bool,
    /// Every unsupported claim, however many there are.
    pub unsupported: bool,
    /// Claims that the record cannot decide.
    pub unknown: bool,
}

/// What a table is made of.
pub struct TableView<'a> {
    /// The rows.
    pub rows: &'a [Row],
    /// Their sums.
    pub aggregate: &'a Aggregate,
    /// Files that were no transcripts.
    pub passed_over: u64,
    /// What judged: the families that ran, and the policy file where there is one.
    pub judged_by: &'a [&'a str],
    /// What is listed one by one.
    pub listing: Listing,
    /// A command that lays the first listed turn out, where one can be written.
    pub first: Option<&'a str>,
    /// The exit code that the built-in example would have had; `None` for a real run.
    pub demo: Option<u8>,
    /// How to write.
    pub style: Style,
}

/// The table as text.
#[must_use]
pub fn table(view: &TableView<'_>) -> String {
    let mut out = Page::new(view.style);
    head(&mut out, view);
    claims(&mut out, view, "contradicted", usize::MAX);
    let most = if view.listing.unsupported {
        usize::MAX
    } else {
        LISTED
    };
    claims(&mut out, view, "unsupported", most);
    findings(&mut out, view);
    if view.listing.unknown {
        claims(&mut out, view, "unknown", usize::MAX);
    }
    if view.listing.supported {
        claims(&mut out, view, "supported", usize::MAX);
    }
    if view.listing.gate {
        turns(
            &mut out,
            view,
            "Rejected by the gate: nothing in the record shows it",
            |turn| turn.gate.verdict == "reject",
        );
        turns(&mut out, view, "Open: the record cannot tell", |turn| {
            turn.gate.verdict == "unknown"
        });
    }
    dark(&mut out, view);
    summary(&mut out, view);
    next(&mut out, view);
    out.text
}

/// Lines of text that is being written.
struct Page {
    text: String,
    style: Style,
}

impl Page {
    fn new(style: Style) -> Self {
        Self {
            text: String::new(),
            style,
        }
    }

    fn line(&mut self, text: &str) {
        self.text.push_str(text.trim_end());
        self.text.push('\n');
    }

    fn heading(&mut self, text: &str) {
        let style = self.style;
        self.line("");
        for line in wrapped(text, style.width) {
            self.line(&style.bold(&line));
        }
    }

    /// A text in the background, set in by some columns after its first line.
    fn hint(&mut self, text: &str) {
        let style = self.style;
        for (at, line) in wrapped(text, style.width - 2).iter().enumerate() {
            let lead = if at == 0 { "" } else { "  " };
            self.line(&style.dim(&format!("{lead}{line}")));
        }
    }
}

fn head(out: &mut Page, view: &TableView<'_>) {
    let sums = view.aggregate;
    let style = out.style;
    let title = match view.demo {
        Some(_) => "deedcheck: an example, built in",
        None => "deedcheck",
    };
    let counts = [
        counted(sums.cell("sessions"), "session"),
        counted(sums.cell("turns"), "turn"),
        counted(sums.cell("calls"), "tool call"),
    ]
    .join(" · ");
    if title.len() + 2 + counts.chars().count() <= style.width {
        out.line(&format!("{}  {}", style.bold(title), style.dim(&counts)));
    } else {
        out.line(&style.bold(title));
        for line in wrapped(&counts, style.width) {
            out.line(&style.dim(&line));
        }
    }
}

/// A section of claims, each fact once; nothing where there is none.
fn claims(out: &mut Page, view: &TableView<'_>, verdict: &str, most: usize) {
    let wanted = view.rows.iter().filter_map(|row| match row {
        Row::Claim(claim) if claim.verdict == verdict => Some(claim),
        _ => None,
    });
    let found: Vec<(&ClaimRow, usize)> = facts(wanted);
    if found.is_empty() {
        return;
    }
    let title = match verdict {
        "contradicted" => "Contradicted by the record",
        "unsupported" => "Unsupported: nothing in the record shows it",
        "supported" => "Supported by the record",
        _ => "Unknown: the record cannot tell",
    };
    out.heading(&format!("{title} ({})", grouped(found.len() as u64)));
    for (claim, said) in found.iter().take(most) {
        for line in claim_lines(claim, *said, out.style) {
            out.line(&line);
        }
    }
    let more = found.len().saturating_sub(most);
    if more > 0 {
        out.hint(&format!(
            "  … and {} more: --show {verdict} lists them",
            grouped(more as u64)
        ));
    }
}

/// What was done to the checks themselves; nothing where nothing was found.
fn findings(out: &mut Page, view: &TableView<'_>) {
    let wanted = view.rows.iter().filter_map(|row| match row {
        Row::Finding(finding) if finding.verdict == "finding" => Some(finding),
        _ => None,
    });
    let found: Vec<&FindingRow> = wanted.collect();
    if found.is_empty() {
        return;
    }
    let count = grouped(found.len() as u64);
    out.heading(&format!(
        "Found: what was done to the checks themselves ({count})"
    ));
    for finding in found {
        for line in finding_lines(finding, out.style) {
            out.line(&line);
        }
    }
}

/// A section of turns, in full; nothing where there is none.
fn turns(out: &mut Page, view: &TableView<'_>, title: &str, wanted: impl Fn(&TurnRow) -> bool) {
    let found: Vec<&TurnRow> = view
        .rows
        .iter()
        .filter_map(|row| match row {
            Row::Turn(turn) if wanted(turn) => Some(turn),
            _ => None,
        })
        .collect();
    if found.is_empty() {
        return;
    }
    out.heading(&format!("{title} ({})", grouped(found.len() as u64)));
    for turn in found {
        turn_lines(out, turn);
    }
}

fn turn_lines(out: &mut Page, turn: &TurnRow) {
    let style = out.style;
    let line = turn.close.as_ref().map_or(turn.lines.1, |close| close.line);
    let number = format!("turn {}", turn.turn);
    let room = style.width.saturating_sub(number.len() + 4);
    let place = fit_path(&format!("{} line {line}", clean(&turn.file)), room);
    let place = match turn.gate.verdict {
        "reject" => style.yellow(&place),
        _ => place,
    };
    out.line(&format!("  {place}  {}", style.dim(&number)));
    let room = style.width.saturating_sub(4);
    if !turn.gate.text.is_empty() {
        let text = fit(clean(&turn.gate.text).trim(), room.saturating_sub(2));
        out.line(&format!("    “{text}”"));
    }
    for line in wrapped(&sentence(turn), room) {
        out.line(&format!("    {}", style.dim(&line)));
    }
}

fn dark(out: &mut Page, view: &TableView<'_>) {
    let style = out.style;
    let mut reasons: BTreeMap<&str, Vec<&SessionRow>> = BTreeMap::new();
    for row in view.rows {
        if let Row::Session(session) = row
            && session.verdict == "dark"
        {
            let reason = session.reasons.first().map_or("", String::as_str);
            reasons.entry(reason).or_default().push(session);
        }
    }
    let total: usize = reasons.values().map(Vec::len).sum();
    if total == 0 {
        return;
    }
    out.heading(&format!(
        "Dark: could not be judged ({})",
        grouped(total as u64)
    ));
    let mut reasons: Vec<_> = reasons.into_iter().collect();
    reasons.sort_by(|a, b| b.1.len().cmp(&a.1.len()).then(a.0.cmp(b.0)));
    let all = total <= NAMED;
    for (reason, sessions) in reasons {
        let words = format!(
            "{} {}: {}",
            grouped(sessions.len() as u64),
            clean(reason),
            dark_reason(reason)
        );
        for (at, line) in wrapped(&words, style.width - 4).iter().enumerate() {
            let lead = if at == 0 { "  " } else { "    " };
            out.line(&format!("{lead}{}", style.yellow(line)));
        }
        let named = if all { sessions.len() } else { 1 };
        for session in sessions.iter().take(named) {
            let lead = if named < sessions.len() { "e.g. " } else { "" };
            let room = style.width.saturating_sub(4 + lead.len());
            let name = fit_path(&clean(&session.file), room);
            out.line(&format!("    {}", style.dim(&format!("{lead}{name}"))));
        }
    }
}

fn summary(out: &mut Page, view: &TableView<'_>) {
    let sums = view.aggregate;
    let parts = |key: &str| -> Vec<String> {
        let below = sums.below(key);
        below
            .iter()
            .map(|(name, count)| format!("{} {name}", grouped(*count)))
            .collect()
    };
    out.line("");
    row(out, "sessions", &parts("session"));
    row(out, "turns", &parts("turn"));
    row(out, "claims", &parts("claim"));
    row(out, "  contradicted", &parts("claim.contradicted"));
    row(out, "  unsupported", &parts("claim.unsupported"));
    row(out, "findings", &parts("finding-verdict"));
    row(out, "closes claim", &parts("claim-type"));
    row(out, "gate", &parts("gate"));
    row(out, "  reject", &parts("gate.reject"));
    row(out, "  unknown", &parts("gate.unknown"));
    let checks = sums.cell("verifications");
    let masked = sums.cell("verifications.masked");
    if checks > 0 {
        let mut text = vec![grouped(checks)];
        if masked > 0 {
            text.push(format!("{} with a hidden exit status", grouped(masked)));
        }
        row(out, "checks run", &text);
    }
    let unread = [
        (sums.cell("records.quarantined"), "unreadable piece"),
        (sums.cell("records.opaque"), "record of no known kind"),
        (view.passed_over, "other file"),
    ];
    let unread: Vec<String> = unread
        .into_iter()
        .filter(|(count, _)| *count > 0)
        .map(|(count, noun)| match noun {
            "record of no known kind" if count != 1 => {
                format!("{} records of no known kind", grouped(count))
            }
            noun => counted(count, noun),
        })
        .collect();
    row(out, "not read", &unread);
    let judged: Vec<String> = view.judged_by.iter().map(|word| clean(word)).collect();
    row(out, "judged by", &judged);
}

/// A row of the summary; nothing where it has no parts.
fn row(out: &mut Page, label: &str, parts: &[String]) {
    let style = out.style;
    let room = style.width.saturating_sub(LABEL);
    let lines = joined(parts.iter().map(String::as_str), " · ", room);
    for (at, line) in lines.iter().enumerate() {
        let label = if at == 0 { label } else { "" };
        let label = style.dim(&format!("{label:<LABEL$}"));
        out.line(&format!("{label}{line}"));
    }
}

fn next(out: &mut Page, view: &TableView<'_>) {
    if let Some(code) = view.demo {
        out.line("");
        out.hint(&format!(
            "An example always ends with 0; a real run like this one would have ended with {code}."
        ));
        out.hint("next: `deedcheck grade` reads your own sessions of the folder that you are in");
        return;
    }
    let sums = view.aggregate;
    let rejected = sums.cell("gate.reject");
    let claims = sums.cell("claim.contradicted") + sums.cell("claim.unsupported");
    let listed = claims > 0 || view.listing.gate;
    if let (Some(command), true) = (view.first, listed) {
        // It is a command to be copied, so it is not wrapped.
        out.line("");
        out.line(&view.style.dim(&format!("next: {command}")));
    } else if rejected > 0 && !listed {
        out.line("");
        out.hint(&format!(
            "next: --show gate lists what the gate rejects, {} here: places to look at, not proof",
            grouped(rejected)
        ));
    } else if sums.cell("session.dark") > NAMED as u64 {
        out.line("");
        out.hint("next: --format jsonl names every dark file");
    } else if sums.cell("turns") > 0 {
        out.line("");
        out.hint("next: deedcheck show FILE:TURN lays one turn out");
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
