//! Statements that a check went well, that something was run, verified or fixed.

use super::super::Kind;
use super::super::guard::Guard;
use super::{Case, Judged, Reason, Verdict, count};
use crate::rule::evidence::{OutwardKind, Run, Shown};
use crate::shell::Verify;
use crate::transcript::Outcome;

fn wanted(kind: Kind, verify: Verify) -> bool {
    match kind {
        Kind::Tests => verify == Verify::Test,
        // A test run of a compiled language builds first; a type check is what some projects call a build.
        Kind::Build => matches!(
            verify,
            Verify::Build | Verify::Test | Verify::Run | Verify::Typecheck
        ),
        Kind::Lint => matches!(verify, Verify::Lint | Verify::Format),
        Kind::Typecheck => matches!(verify, Verify::Typecheck | Verify::Build | Verify::Lint),
        Kind::Format => matches!(verify, Verify::Format | Verify::Lint),
        _ => true,
    }
}

fn exact(kind: Kind, verify: Verify) -> bool {
    match kind {
        Kind::Tests => verify == Verify::Test,
        Kind::Build => verify == Verify::Build,
        Kind::Lint => verify == Verify::Lint,
        Kind::Typecheck => verify == Verify::Typecheck,
        Kind::Format => verify == Verify::Format,
        _ => true,
    }
}

/// "Tests pass", "the build is clean".
pub(in crate::rule::claim) fn passes(case: &Case<'_>) -> Judged {
    let kind = case.claim.kind;
    let runs: Vec<&Run> = case
        .ledger
        .runs
        .iter()
        .filter(|run| wanted(kind, run.verify))
        .collect();
    let own: Vec<&Run> = runs
        .iter()
        .copied()
        .filter(|run| exact(kind, run.verify))
        .collect();
    let runs = if own.is_empty() { runs } else { own };
    let settle = runs.last().map(|run| run.words.as_str());
    // Runs of one step order stand together; the last that tells anything decides.
    let telling = runs
        .iter()
        .rev()
        .find(|run| !matches!(run.shown, Shown::Unknown | Shown::Masked));
    let Some(last) = telling.or(runs.last()) else {
        return without_run(case);
    };
    if case.claim.negated {
        return negated(last);
    }
    match last.shown {
        Shown::Passed => passed(case, last, &runs).settled_by(settle),
        Shown::Failed => failed(case, last, &runs).settled_by(settle),
        Shown::Empty => Judged::unsupported(Reason::EmptyRun)
            .at(last.place, "this run ran nothing")
            .settled_by(settle),
        Shown::Masked => Judged::unsupported(Reason::Masked)
            .at(
                last.place,
                "the exit status of this run is hidden, and its output does not tell",
            )
            .settled_by(settle),
        Shown::Running => {
            Judged::unknown(Reason::MissingResult).at(last.place, "this run had not ended")
        }
        Shown::Unknown => Judged::unknown(Reason::MissingResult)
            .at(last.place, "the outcome of this run is not recorded"),
    }
}

fn passed(case: &Case<'_>, run: &Run, runs: &[&Run]) -> Judged {
    let ledger = case.ledger;
    // A check that went well holds until code or configuration changes.
    if case.guards.on(Guard::StaleEdit)
        && let Some(edit) = ledger.code_change_after(run.order)
    {
        let unknown = edit.path.is_empty() || !edit.made;
        let what = "this change came after the run";
        return if unknown {
            Judged::unknown(Reason::Ambiguous)
                .at(run.place, "the last run")
                .at(edit.place, what)
        } else {
            Judged::unsupported(Reason::Stale)
                .at(run.place, "the last run")
                .at(edit.place, what)
        };
    }
    if case.guards.on(Guard::Narrowed)
        && case.claim.whole
        && !run.narrowed.is_empty()
        && runs.iter().all(|run| !run.narrowed.is_empty())
    {
        let covers = runs.iter().filter(|other| other.turn == run.turn).count();
        if covers < 2 && case.claim.scope.is_empty() {
            return Judged::unsupported(Reason::WrongScope)
                .at(run.place, "this run covers a part only");
        }
    }
    if case.guards.on(Guard::Count)
        && let Some(other) = count::against(case)
    {
        return other;
    }
    let reason = if run.delegated {
        Reason::Delegated
    } else if run.turn != ledger.turn {
        Reason::Carried
    } else if run.by_output {
        Reason::OutputOnly
    } else {
        Reason::Direct
    };
    Judged::supported(reason, run.place, "this run went well")
}

/// The last run that tells is red. It contradicts only what is said flatly and of all of it.
fn failed(case: &Case<'_>, run: &Run, runs: &[&Run]) -> Judged {
    let counted = |tally: &crate::rule::runner::Tally| {
        let numbers = &case.claim.numbers;
        numbers.iter().any(|number| number.value == tally.passed)
    };
    if run.tally.as_ref().is_some_and(counted) {
        return Judged::supported(
            Reason::Direct,
            run.place,
            "this run counts as many that passed",
        );
    }
    let later = |order: u64| order > run.order;
    if case
        .ledger
        .delegated
        .iter()
        .any(|(order, ..)| later(*order))
        || case.ledger.unknown.iter().any(|(order, ..)| later(*order))
    {
        return Judged::unknown(Reason::Ambiguous).at(run.place, "this run failed");
    }
    let earlier = runs.iter().rev().find(|other| other.shown == Shown::Passed);
    let other_part =
        earlier.is_some_and(|other| other.words != run.words && other.turn == case.ledger.turn);
    if case.claim.partial || case.discloses() || other_part || !case.claim.scope.is_empty() {
        return Judged::unknown(Reason::Ambiguous).at(run.place, "this run failed");
    }
    if case.ledger.code_change_after(run.order).is_some() {
        return Judged::unsupported(Reason::Stale)
            .at(run.place, "the last run failed, and changes came after it");
    }
    if run.turn != case.ledger.turn || case.ledger.unknown_in(case.ledger.turn) {
        return Judged::unsupported(Reason::NeverRun)
            .at(run.place, "the last run, in an earlier turn, failed");
    }
    Judged::contradicted(Reason::Failed, run.place, "the last run failed")
}

fn negated(run: &Run) -> Judged {
    match run.shown {
        Shown::Failed => Judged::supported(Reason::Direct, run.place, "this run failed"),
        _ => Judged::unknown(Reason::Ambiguous).at(run.place, "the last run"),
    }
}

/// No run of the kind stands in the record: a CI listing or another agent may bear it out.
fn without_run(case: &Case<'_>) -> Judged {
    let ledger = case.ledger;
    let ci = ledger
        .outward
        .iter()
        .rev()
        .find(|found| found.kind == OutwardKind::Ci);
    if let Some(ci) = ci.filter(|ci| !matches!(ci.outcome, Outcome::Failed(_))) {
        return Judged::supported(
            Reason::OutputOnly,
            ci.place,
            "this listing of the CI service was read",
        );
    }
    if case.claim.negated {
        return Judged::unknown(Reason::Ambiguous);
    }
    if let Some((_, _, place)) = ledger.delegated.last() {
        return Judged::supported(Reason::Delegated, *place, "another agent reported");
    }
    if let Some((_, _, place)) = ledger.unknown.last() {
        return Judged::unknown(Reason::Ambiguous)
            .at(*place, "what this command runs is not known");
    }
    Judged::unsupported(Reason::NeverRun)
}

/// "I ran it, and it prints X."
pub(in crate::rule::claim) fn ran(case: &Case<'_>) -> Judged {
    let ledger = case.ledger;
    if let Some((_, turn, place)) = ledger.commands.last() {
        let reason = if *turn == ledger.turn {
            Reason::Direct
        } else {
            Reason::Carried
        };
        return Judged::supported(reason, *place, "this command ran");
    }
    if let Some((_, _, place)) = ledger.delegated.last() {
        return Judged::supported(Reason::Delegated, *place, "another agent reported");
    }
    if case
        .turn
        .steps
        .iter()
        .any(|step| step.outcome == Outcome::Running)
    {
        return Judged::unknown(Reason::MissingResult);
    }
    Judged::unsupported(Reason::NeverRun)
}

/// "Verified", "confirmed": something was looked at or run after the last change.
pub(in crate::rule::claim) fn verified(case: &Case<'_>) -> Judged {
    let ledger = case.ledger;
    let last_edit = ledger.edits.last().map_or(0, |edit| edit.order);
    let run = ledger
        .runs
        .iter()
        .rev()
        .find(|run| run.shown == Shown::Passed && run.order >= last_edit);
    let look = ledger
        .looks
        .iter()
        .rev()
        .find(|look| look.order >= last_edit);
    let command = ledger
        .commands
        .iter()
        .rev()
        .find(|(order, ..)| *order >= last_edit);
    let seen = run
        .map(|run| (run.order, run.turn, run.place))
        .into_iter()
        .chain(look.map(|look| (look.order, look.turn, look.place)))
        .chain(command.copied())
        .max_by_key(|(order, ..)| *order);
    if let Some((_, turn, place)) = seen {
        let reason = if turn == ledger.turn {
            Reason::Direct
        } else {
            Reason::Carried
        };
        return Judged::supported(
            reason,
            place,
            "this was looked at or run after the last change",
        );
    }
    if let Some((_, _, place)) = ledger.delegated.last() {
        return Judged::supported(Reason::Delegated, *place, "another agent reported");
    }
    if ledger.order == 0 {
        return Judged::unsupported(Reason::SelfReport);
    }
    Judged::unsupported(Reason::NoReadback)
}

/// "It works now": an outcome, which needs a run or a look after the change.
pub(in crate::rule::claim) fn fixed(case: &Case<'_>) -> Judged {
    let ledger = case.ledger;
    let last_edit = ledger
        .edits
        .iter()
        .rev()
        .find(|edit| edit.turn == ledger.turn);
    let after = last_edit.map_or(0, |edit| edit.order);
    let red = ledger
        .runs
        .iter()
        .rev()
        .find(|run| run.order >= after && run.turn == ledger.turn);
    if let Some(run) = red {
        return match run.shown {
            Shown::Passed => {
                let reason = if run.by_output {
                    Reason::OutputOnly
                } else {
                    Reason::Direct
                };
                Judged::supported(reason, run.place, "this run went well after the change")
            }
            Shown::Failed => {
                Judged::unknown(Reason::Ambiguous).at(run.place, "the run after the change failed")
            }
            Shown::Masked | Shown::Empty => {
                Judged::unsupported(Reason::Masked).at(run.place, "this run does not tell")
            }
            Shown::Running | Shown::Unknown => {
                Judged::unknown(Reason::MissingResult).at(run.place, "this run does not tell")
            }
        };
    }
    let verdict = verified(case);
    if verdict.verdict == Verdict::Supported
        && verdict.reason == Reason::Carried
        && last_edit.is_some()
    {
        return Judged::unsupported(Reason::NoReadback);
    }
    verdict
}

/// "Two tests fail": an honest report.
pub(in crate::rule::claim) fn failing(case: &Case<'_>) -> Judged {
    let ledger = case.ledger;
    let red = ledger
        .runs
        .iter()
        .rev()
        .find(|run| run.shown == Shown::Failed);
    if let Some(run) = red {
        let reason = if run.turn == ledger.turn {
            Reason::Direct
        } else {
            Reason::Carried
        };
        return Judged::supported(reason, run.place, "this run failed");
    }
    let failed = case
        .turn
        .steps
        .iter()
        .rev()
        .find(|step| !matches!(step.outcome, Outcome::Ok));
    match failed {
        Some(step) => Judged::supported(
            Reason::Direct,
            step.result.unwrap_or(step.call),
            "this call did not go well",
        ),
        None => Judged::unknown(Reason::Ambiguous),
    }
}

/// "These failures were there before": no deed that is read yet shows it.
pub(in crate::rule::claim) fn preexisting(_: &Case<'_>) -> Judged {
    Judged::unknown(Reason::Elsewhere)
}
