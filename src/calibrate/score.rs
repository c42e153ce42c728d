//! Labels against rows.

use std::collections::BTreeMap;

use sha2::{Digest as _, Sha256};

use super::label::{Label, LabelledTurn, Readers};
use crate::grade::{ClaimRow, Row, TurnRow, hex};

/// What became of the labels of one kind that both readers agree on.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct KindTally {
    /// Labels.
    pub labels: u64,
    /// Labels that a row of the same kind overlaps.
    pub found: u64,
    /// Of these, rows with the readers' verdict.
    pub right: u64,
    /// Of these, rows that say `unknown` where the readers decided.
    pub open: u64,
    /// Of these, rows that accuse where the readers do not.
    pub accused: u64,
    /// Of these, rows that support what the readers do not.
    pub certified: u64,
    /// Rows of the kind in labelled closes that no reader marked.
    pub unmarked: u64,
}

/// One label that the rows do not bear out.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct Miss {
    /// The labelled turn.
    pub id: String,
    /// Offset of the label's first byte in the close.
    pub start: u64,
    /// Offset after its last byte.
    pub end: u64,
    /// Its kind.
    pub kind: String,
    /// What the readers say.
    pub wanted: String,
    /// What the rows say, with reasons; empty where none was found.
    pub got: Vec<String>,
}

/// How the rows stand against the labels.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Calibration {
    /// Labelled turns.
    pub turns: u64,
    /// Labelled turns of which no row was made.
    pub absent: Vec<String>,
    /// Turns whose close, as read here, is not the one that was labelled.
    pub closes_differ: Vec<String>,
    /// By kind.
    pub kinds: BTreeMap<String, KindTally>,
    /// What was not found or judged otherwise, in order.
    pub misses: Vec<Miss>,
}

/// The rows of one file that a label can meet.
#[derive(Default)]
struct FileRows<'a> {
    turns: Vec<&'a TurnRow>,
    claims: Vec<&'a ClaimRow>,
}

/// Holds rows against labels. The rows are those of one folder, whose own name leads the names of
/// files in rows.
#[must_use]
pub fn calibrate(turns: &[LabelledTurn], rows: &[Row]) -> Calibration {
    let mut files: BTreeMap<&str, FileRows<'_>> = BTreeMap::new();
    for row in rows {
        match row {
            Row::Turn(turn) => files.entry(below(&turn.file)).or_default().turns.push(turn),
            Row::Claim(claim) if claim.location == "close" => {
                files
                    .entry(below(&claim.file))
                    .or_default()
                    .claims
                    .push(claim);
            }
            _ => {}
        }
    }
    let mut sum = Calibration::default();
    for labelled in turns {
        sum.turns += 1;
        let found = files.get(labelled.file.as_str());
        let turn = found.and_then(|rows| turn_of(labelled, &rows.turns));
        let (Some(rows), Some((turn, exact))) = (found, turn) else {
            sum.absent.push(labelled.id.clone());
            continue;
        };
        let own: Vec<&ClaimRow> = rows
            .claims
            .iter()
            .copied()
            .filter(|claim| claim.turn == turn.turn && claim.session == turn.session)
            .collect();
        if !exact {
            sum.closes_differ.push(labelled.id.clone());
        }
        one_turn(&mut sum, labelled, &own);
    }
    sum.misses.sort();
    sum
}

/// A file's name in rows without the folder that leads it.
fn below(file: &str) -> &str {
    file.split_once('/').map_or(file, |(_, below)| below)
}

/// The turn whose close is the labelled one, or else the last that the labelled lines hold; and
/// whether it is the former.
fn turn_of<'a>(labelled: &LabelledTurn, turns: &[&'a TurnRow]) -> Option<(&'a TurnRow, bool)> {
    let (first, last) = labelled.lines;
    let within = |turn: &&&TurnRow| turn.lines.0 <= last && first <= turn.lines.1;
    let close = hex(&Sha256::digest(labelled.close.as_bytes()));
    let same = |turn: &&&TurnRow| turn.close.as_ref().is_some_and(|own| own.sha256 == close);
    let exact = turns
        .iter()
        .filter(within)
        .find(same)
        .map(|turn| (*turn, true));
    exact.or_else(|| turns.iter().rfind(within).map(|turn| (*turn, false)))
}

fn one_turn(sum: &mut Calibration, labelled: &LabelledTurn, own: &[&ClaimRow]) {
    for label in &labelled.claims {
        if label.readers == Readers::Both {
            one_label(sum, &labelled.id, label, own);
        }
    }
    for row in own {
        if !labelled.claims.iter().any(|label| overlap(label, row)) {
            sum.kinds.entry(row.claim.to_owned()).or_default().unmarked += 1;
        }
    }
}

fn overlap(label: &Label, row: &ClaimRow) -> bool {
    label.start < row.span.end && row.span.start < label.end
}

fn one_label(sum: &mut Calibration, id: &str, label: &Label, own: &[&ClaimRow]) {
    let tally = sum.kinds.entry(label.kind.clone()).or_default();
    tally.labels += 1;
    let hits: Vec<&&ClaimRow> = own
        .iter()
        .filter(|row| row.claim == label.kind && overlap(label, row))
        .collect();
    let says = |verdict: &str| hits.iter().any(|row| row.verdict == verdict);
    if !hits.is_empty() {
        tally.found += 1;
        if says(&label.verdict) {
            tally.right += 1;
            return;
        }
        let accuses = |verdict: &str| matches!(verdict, "unsupported" | "contradicted");
        let accused = hits.iter().any(|row| accuses(row.verdict));
        tally.accused += u64::from(accused && !accuses(&label.verdict));
        tally.certified += u64::from(says("supported"));
        tally.open += u64::from(says("unknown"));
    }
    sum.misses.push(Miss {
        id: id.to_owned(),
        start: label.start,
        end: label.end,
        kind: label.kind.clone(),
        wanted: label.verdict.clone(),
        got: hits
            .iter()
            .map(|row| format!("{}({})", row.verdict, row.reasons.join(" ")))
            .collect(),
    });
}
