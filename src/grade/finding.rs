//! A finding's row.

use std::collections::BTreeSet;

use super::row::{EvidenceRow, FindingRow, Row, SCHEMA};
use crate::rule::integrity::{Finding, Verdict};
use crate::turn::Turn;

/// Bytes of a finding's words that a row repeats at most, of each side.
const WORDS: usize = 400;

/// The row of a finding. What the file says of the session as a whole is filled in at its end.
#[must_use]
pub fn finding_row(file: &str, turn: &Turn, finding: &Finding) -> FindingRow {
    let evidence: Vec<EvidenceRow> = finding
        .evidence
        .iter()
        .map(|(place, what)| EvidenceRow {
            file: file.to_owned(),
            line: place.line,
            start: place.start,
            end: place.end,
            what: (*what).to_owned(),
        })
        .collect();
    let lines = evidence.iter().map(|place| place.line);
    let first = lines.clone().min().unwrap_or(turn.lines.0);
    let last = lines.max().unwrap_or(turn.lines.1);
    let sides: Vec<&str> = finding.text.splitn(2, '\n').map(cut).collect();
    FindingRow {
        schema: SCHEMA,
        kind: "finding",
        file: file.to_owned(),
        session: None,
        turn: turn.number,
        lines: (first, last),
        status: status(finding),
        verdict: finding.verdict.as_str(),
        reasons: finding
            .reasons
            .iter()
            .map(|reason| reason.as_str().to_owned())
            .collect(),
        evidence,
        rule: finding.rule.as_str(),
        text: sides.join("\n"),
        settle: None,
    }
}

fn cut(side: &str) -> &str {
    let end = side.floor_char_boundary(WORDS);
    &side[..end]
}

/// Only what the record demonstrates fails.
fn status(finding: &Finding) -> &'static str {
    match finding.verdict {
        Verdict::Clear => "pass",
        Verdict::Finding if finding.shown => "fail",
        Verdict::Finding | Verdict::Unknown => "unknown",
    }
}

/// Takes out the `clear` rows of a session's rules that found something after all, and names the
/// session in the others.
#[must_use]
pub fn settle(mut rows: Vec<Row>, session: Option<&str>) -> Vec<Row> {
    let found: BTreeSet<&'static str> = rows
        .iter()
        .filter_map(|row| match row {
            Row::Finding(row) if row.verdict != Verdict::Clear.as_str() => Some(row.rule),
            _ => None,
        })
        .collect();
    rows.retain_mut(|row| match row {
        Row::Finding(row) => {
            row.session = session.map(str::to_owned);
            row.verdict != Verdict::Clear.as_str() || !found.contains(row.rule)
        }
        _ => true,
    });
    rows
}
