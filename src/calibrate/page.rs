//! The page: a table by kind with intervals, and every label that was missed or judged otherwise.

use core::fmt::Write as _;

use super::score::{Calibration, KindTally, Miss};
use crate::aggregate::wilson;

/// Writes the page in Markdown, its tables aligned so that it reads well as it is.
#[must_use]
pub fn page(sum: &Calibration) -> String {
    let mut out = String::new();
    let total = total(sum);
    let _ = writeln!(out, "# Claims against labelled turns\n");
    let _ = writeln!(
        out,
        "{} turns, {} statements that both readers mark alike. Of those, {} are found ({}), {} of these with the\n\
         readers' verdict ({}); {} are left open, {} accused against the readers, {} borne out against them.\n\
         Intervals are Wilson's, 95 %. A statement counts as found where a row of its kind overlaps it.\n",
        sum.turns,
        total.labels,
        total.found,
        share(total.found, total.labels),
        total.right,
        share(total.right, total.found),
        total.open,
        total.accused,
        total.certified
    );
    for (what, ids) in [
        ("No row was made of", &sum.absent),
        ("The close is read otherwise in", &sum.closes_differ),
    ] {
        if !ids.is_empty() {
            let _ = writeln!(out, "{what}: {}.\n", ids.join(", "));
        }
    }
    table(&mut out, &by_kind(sum, total));
    listed(&mut out, "Judged otherwise", sum, |miss| {
        !miss.got.is_empty()
    });
    listed(&mut out, "Not found", sum, |miss| miss.got.is_empty());
    out
}

fn total(sum: &Calibration) -> KindTally {
    let mut all = KindTally::default();
    for one in sum.kinds.values() {
        all.labels += one.labels;
        all.found += one.found;
        all.right += one.right;
        all.open += one.open;
        all.accused += one.accused;
        all.certified += one.certified;
        all.unmarked += one.unmarked;
    }
    all
}

/// `92.9 % (89.6–95.3)`, or a dash where there is nothing to divide by.
fn share(hits: u64, all: u64) -> String {
    let tenths = |value: u64| format!("{}.{}", value / 10, value % 10);
    wilson(hits, all).map_or_else(
        || "–".to_owned(),
        |it| {
            format!(
                "{} % ({}–{})",
                tenths(it.share),
                tenths(it.low),
                tenths(it.high)
            )
        },
    )
}

fn by_kind(sum: &Calibration, total: KindTally) -> Vec<Vec<String>> {
    let head = [
        "kind",
        "labels",
        "found",
        "",
        "right",
        "",
        "open",
        "accused",
        "certified",
        "unmarked",
    ];
    let mut rows = vec![head.map(str::to_owned).to_vec()];
    let all = ("all".to_owned(), total);
    let kinds = sum.kinds.iter().map(|(kind, tally)| (kind.clone(), *tally));
    for (kind, one) in kinds.chain([all]) {
        rows.push(vec![
            kind,
            one.labels.to_string(),
            one.found.to_string(),
            share(one.found, one.labels),
            one.right.to_string(),
            share(one.right, one.found),
            one.open.to_string(),
            one.accused.to_string(),
            one.certified.to_string(),
            one.unmarked.to_string(),
        ]);
    }
    rows
}

fn listed(out: &mut String, title: &str, sum: &Calibration, wanted: impl Fn(&Miss) -> bool) {
    let head = ["turn", "bytes", "kind", "readers", "rows"];
    let mut rows = vec![head.map(str::to_owned).to_vec()];
    for miss in sum.misses.iter().filter(|miss| wanted(miss)) {
        rows.push(vec![
            miss.id.clone(),
            format!("{}–{}", miss.start, miss.end),
            miss.kind.clone(),
            miss.wanted.clone(),
            miss.got.join(", "),
        ]);
    }
    if rows.len() > 1 {
        let _ = writeln!(out, "\n## {title}\n");
        table(out, &rows);
    }
}

/// A table whose first row is its head.
fn table(out: &mut String, rows: &[Vec<String>]) {
    let columns = rows.first().map_or(0, Vec::len);
    let width = |column: usize| {
        let cells = rows.iter().filter_map(|row| row.get(column));
        cells.map(|cell| cell.chars().count()).max().unwrap_or(0)
    };
    let widths: Vec<usize> = (0..columns).map(width).collect();
    for (at, row) in rows.iter().enumerate() {
        let mut line = String::new();
        for (cell, width) in row.iter().zip(&widths) {
            let _ = write!(line, "| {cell:width$} ");
        }
        let _ = writeln!(out, "{line}|");
        if at == 0 {
            let rule: String = widths
                .iter()
                .map(|width| format!("|{}", "-".repeat(width + 2)))
                .collect();
            let _ = writeln!(out, "{rule}|");
        }
    }
}
