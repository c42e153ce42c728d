//! The golden sessions: recorded from the real clients, read by a human before the program saw them.

mod compare;
mod program;
mod reading;

use compare::{Differences, compare};
use reading::Case;

/// Where the program is known to be wrong, and why. An entry that no longer differs fails the test.
const KNOWN: &[(&str, &str)] = &[];

#[test]
fn golden_program_agrees_with_the_reader() {
    let mut found = Differences::default();
    for case in Case::all() {
        compare(&case, &mut found);
    }
    settle(&found.0, KNOWN);
}

/// Fails on each difference that is not known, and on each known one that is gone.
fn settle(found: &[String], known: &[(&str, &str)]) {
    let fresh = found
        .iter()
        .filter(|line| known.iter().all(|(known, _)| known != line));
    let gone = known
        .iter()
        .filter(|(known, _)| !found.iter().any(|line| line == known));
    let report: Vec<String> = fresh
        .map(|line| format!("differs: {line}"))
        .chain(gone.map(|(line, _)| format!("no longer differs, take it from the table: {line}")))
        .collect();
    assert!(report.is_empty(), "\n{}", report.join("\n"));
}
