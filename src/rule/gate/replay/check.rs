//! Whether the runs of a record show the checks that a close says went well.

use std::collections::BTreeMap;

use super::super::claim_type::{Inferred, Stated, SubClaim};
use super::latches::Latches;
use super::ledger::Signal;
use crate::transcript::Place;
use crate::turn::Turn;

/// A close, or an earlier attempt at one, as it is held against the record.
#[derive(Clone, Copy)]
pub(super) struct Claim<'a> {
    pub(super) turn: &'a Turn,
    /// The words of this close.
    pub(super) said: &'a str,
    pub(super) inferred: &'a Inferred,
}

impl Claim<'_> {
    /// What a clause says, in lower case.
    fn clause(&self, stated: &Stated) -> Option<String> {
        let clause = self.said.get(stated.span.clone())?;
        Some(clause.to_ascii_lowercase())
    }
}

/// What the runs say of the checks that a close claims.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Checked {
    /// Nothing is claimed that only a run can show, or a run that went well shows it.
    Shown,
    /// No run of the kind went well since the last change.
    Missing,
    /// The last run of the kind failed.
    Red,
}

/// Holds each clause about a check against the runs; the worst answer counts.
pub(super) fn checked(
    claim: Claim<'_>,
    latches: &Latches,
    signals: &BTreeMap<Signal, Place>,
) -> Checked {
    clauses(claim)
        .map(|clause| one(&clause, latches, signals))
        .max()
        .unwrap_or(Checked::Shown)
}

/// The clauses about checks.
fn clauses<'a>(claim: Claim<'a>) -> impl Iterator<Item = String> + use<'a> {
    claim
        .inferred
        .stated
        .iter()
        .filter_map(move |stated| claim.clause(stated).map(|clause| (stated.kind, clause)))
        .filter(|(kind, clause)| *kind == SubClaim::Check || by_tests(*kind, clause))
        .map(|(_, clause)| clause)
}

/// The kinds of run that those clauses name; `None` for one that names none.
pub(super) fn runs<'a>(claim: Claim<'a>) -> impl Iterator<Item = Option<Signal>> + use<'a> {
    clauses(claim).map(|clause| kind_of(&clause))
}

fn one(clause: &str, latches: &Latches, signals: &BTreeMap<Signal, Place>) -> Checked {
    // What a remote's own checks came to, or an agent without a record says, no run here can tell.
    let elsewhere = latches.remote_checks || latches.reported;
    let Some(kind) = kind_of(clause) else {
        // `No conflicts` and `everything is clean` may rest on a look alone.
        return if latches.red {
            Checked::Red
        } else if latches.reds.is_empty() {
            Checked::Shown
        } else {
            Checked::Missing
        };
    };
    let shown = match kind {
        Signal::TestsPassed => signals.contains_key(&kind),
        // What was tested was built, and linters check types.
        _ => signals.contains_key(&kind) || !signals.is_empty() && !latches.reds.contains(&kind),
    };
    if shown {
        Checked::Shown
    } else if latches.reds.contains(&kind) {
        Checked::Red
    } else if elsewhere {
        Checked::Shown
    } else {
        Checked::Missing
    }
}

/// The kind of run that shows what a clause says; `None` where it names none.
fn kind_of(clause: &str) -> Option<Signal> {
    const KINDS: [(&str, Signal); 8] = [
        ("test", Signal::TestsPassed),
        ("suite", Signal::TestsPassed),
        ("lint", Signal::LintClean),
        ("clippy", Signal::LintClean),
        ("typecheck", Signal::TypecheckClean),
        ("type check", Signal::TypecheckClean),
        ("build", Signal::BuildPassed),
        ("compil", Signal::BuildPassed),
    ];
    KINDS
        .iter()
        .find(|(word, _)| clause.contains(word))
        .map(|(_, kind)| *kind)
}

/// `I checked it with the test suite` claims a run as much as `the tests pass` does.
fn by_tests(kind: SubClaim, clause: &str) -> bool {
    kind == SubClaim::Outcome
        && ["with the test", "with tests", "by running the test"]
            .iter()
            .any(|way| clause.contains(way))
}

/// Whether the close says that something was pushed, which a commit alone does not show.
pub(super) fn says_pushed(claim: Claim<'_>) -> bool {
    claim
        .inferred
        .stated
        .iter()
        .filter(|stated| stated.kind == SubClaim::Remote)
        .filter_map(|stated| claim.clause(stated))
        .any(|clause| clause.contains("pushed"))
}

/// Whether a close says itself that something was refused or did not work.
pub(super) fn owns_up(claim: Claim<'_>) -> bool {
    const WORDS: [&str; 15] = [
        "declin",
        "refus",
        "denied",
        "reject",
        "block",
        "permission",
        "approv",
        "fail",
        "error",
        "unable",
        "cannot",
        "n't",
        "n’t",
        "not ",
        "interrupt",
    ];
    let close = claim.said.to_ascii_lowercase();
    WORDS.iter().any(|word| close.contains(word))
}
