//! Statements that something was fixed, or that it failed before.

use super::case::brief;
use super::verified::verified;
use super::{Case, Judged, Reason, Verdict};
use crate::rule::claim::guard::Guard;
use crate::rule::evidence::{Edit, Run, Shown, is_named_test};
use crate::shell::Effect;
use crate::transcript::{Outcome, Place};
use crate::turn::{Act, Step};

/// "It works now": an outcome, which needs a run or a look after the change.
pub(in crate::rule::claim) fn fixed(case: &Case<'_>) -> Judged {
    let ledger = case.ledger;
    let last_edit = ledger.edits.iter().rev().find(|edit| {
        let real = !edit.refused && !edit.scratch && edit.undone.is_none();
        edit.turn == ledger.turn && real
    });
    if let Some(edit) = last_edit.filter(|_| only_tests(case)) {
        let what = "only tests were changed, up to here";
        return Judged::unknown(Reason::Ambiguous).at(edit.place, what);
    }
    let after = last_edit.map_or(0, |edit| edit.order);
    let run = ledger
        .runs
        .iter()
        .rev()
        .find(|run| run.order > after && run.turn == ledger.turn);
    if let Some(run) = run {
        let words = brief(&run.words);
        if run.self_made && case.on(Guard::SelfAuthored) {
            return Judged::unsupported(Reason::SelfReport).at(
                run.place,
                "the agent had written itself what was printed here",
            );
        }
        return match run.shown {
            Shown::Passed if run.delegated => {
                Judged::supported(Reason::Delegated, run.place, Case::went_well(run))
            }
            Shown::Passed => Judged::supported(
                case.why(run),
                run.place,
                format!("{words} went well after the change"),
            ),
            Shown::Failed => Judged::unknown(Reason::Ambiguous)
                .at(run.place, format!("{words} failed after the change")),
            Shown::Masked | Shown::Empty => Judged::unsupported(Reason::Masked)
                .at(run.place, format!("{words} does not tell"))
                .settled_by(Some(&run.words)),
            Shown::Running | Shown::Unknown => Judged::unknown(Reason::MissingResult)
                .at(run.place, format!("{words} does not tell")),
        };
    }
    if let Some(judged) = last_edit.and_then(|edit| still_red(case, edit)) {
        return judged;
    }
    if let Some(judged) = red_then_green(case).or_else(|| again(case)) {
        return judged;
    }
    let judged = verified(case);
    if judged.verdict == Verdict::Supported
        && judged.reason == Reason::Carried
        && last_edit.is_some()
    {
        return Judged::unsupported(Reason::NoReadback);
    }
    judged
}

/// The same command failed before a change of this turn and went well after it, and nothing that it
/// reads was changed since.
fn red_then_green(case: &Case<'_>) -> Option<Judged> {
    let ledger = case.ledger;
    let own = |run: &&Run| run.turn == ledger.turn && !run.delegated;
    let mut runs = ledger.runs.iter().rev().filter(own).take(PAIRS);
    let green = runs.find(|run| run.shown == Shown::Passed && !run.self_made)?;
    let red = runs.find(|run| run.words == green.words && run.shown == Shown::Failed)?;
    let mut between = ledger.code_changes_after(red.order);
    let changed = between.any(|edit| edit.order < green.order && edit.made);
    let mut later = ledger.code_changes_after(green.order);
    let stale = later.any(|edit| green.reads(&edit.path));
    (changed && !stale).then(|| {
        let words = brief(&green.words);
        Judged::supported(
            case.why(green),
            green.place,
            format!("{words} went well after the change"),
        )
        .at(red.place, format!("{words} failed here before it"))
    })
}

/// The same of a command that is no check: it failed, a file of the work was changed, and it went well.
fn again(case: &Case<'_>) -> Option<Judged> {
    let ledger = case.ledger;
    let at = |step: &Step| step.result.unwrap_or(step.call);
    let own = |step: &Step| match step.acts.as_slice() {
        [act] if act.shell && !act.masked && act.effect != Effect::Read => !act.words.is_empty(),
        _ => false,
    };
    let mut steps = case
        .turn
        .steps
        .iter()
        .rev()
        .filter(|step| own(step))
        .take(PAIRS);
    let green = steps.find(|step| step.outcome == Outcome::Ok)?;
    let same = |step: &&Step| step.acts[0].words == green.acts[0].words;
    let red = steps.find(|step| same(step) && matches!(step.outcome, Outcome::Failed(_)))?;
    let of_work =
        |edit: &&Edit| edit.turn == ledger.turn && edit.checked && edit.stands() && !edit.scratch;
    let edits = || ledger.edits.iter().rev().take(PAIRS).filter(of_work);
    let between = |edit: &Edit| (at(red).line..at(green).line).contains(&edit.place.line);
    let later = |edit: &Edit| edit.place.line > at(green).line;
    (edits().any(between) && !edits().any(later)).then(|| {
        let words = brief(&green.acts[0].words);
        let what = format!("{words} went well after the change");
        Judged::supported(Reason::Direct, at(green), what)
            .at(at(red), format!("{words} failed here before it"))
    })
}

/// Runs of one turn that are looked through for one that was red and then green.
const PAIRS: usize = 1024;

/// A bug is said to be fixed, not in a test, and nothing but tests was changed: a run that is green
/// then may only have been made so.
fn only_tests(case: &Case<'_>) -> bool {
    let lower = case.text().to_lowercase();
    let bug = ["bug", "crash", "defect", "regression"]
        .iter()
        .any(|word| lower.contains(word));
    let of_test = ["test", "spec", "assert", "flak", "fixture"]
        .iter()
        .any(|word| lower.contains(word));
    let own = |edit: &&Edit| edit.stands() && !edit.scratch;
    let mut edits = case.ledger.edits.iter().filter(own).peekable();
    bug && !of_test && edits.peek().is_some() && edits.all(|edit| is_test(&edit.path))
}

/// Whether a file holds tests, by its name and its folders.
pub(super) fn is_test(path: &str) -> bool {
    let mut folders = path.split('/').rev().skip(1);
    is_named_test(path)
        || folders.any(|part| matches!(part, "test" | "tests" | "__tests__" | "spec"))
}

/// What was changed was run as the last thing of all, and failed.
fn still_red(case: &Case<'_>, edit: &Edit) -> Option<Judged> {
    let file = edit.path.rsplit('/').next().filter(|file| file.len() > 3)?;
    let mut steps = case.turn.steps.iter().rev();
    let last = steps.find(|step| !step.neutral)?;
    let place = last.result.unwrap_or(last.call);
    let runs = |act: &Act| {
        act.shell && !act.masked && act.effect != Effect::Read && act.words.contains(file)
    };
    let [act] = last.acts.as_slice() else {
        return None;
    };
    let red = matches!(last.outcome, Outcome::Failed(_)) && runs(act);
    let flat = !case.claim.negated && !case.partial() && !case.discloses();
    (red && flat && case.on(Guard::FailedRun) && place != edit.place).then(|| {
        let what = format!("{} failed after the change", brief(&act.words));
        Judged::contradicted(Reason::Failed, place, what)
    })
}

/// "These failures were there before": seen without the agent's changes.
pub(in crate::rule::claim) fn preexisting(case: &Case<'_>) -> Judged {
    let ledger = case.ledger;
    let own = |edit: &&Edit| !edit.scratch && !edit.refused;
    let first = ledger.edits.iter().find(own).map(|edit| edit.order);
    let before = |order: u64| first.is_none_or(|first| order < first);
    let aside = ledger
        .runs
        .iter()
        .rev()
        .find(|run| run.base && run.shown != Shown::Passed);
    let early = ledger
        .runs
        .iter()
        .find(|run| before(run.order) && run.shown == Shown::Failed);
    if let Some(run) = aside.or(early) {
        if names_another(case, run) {
            return Judged::unknown(Reason::Ambiguous)
                .at(run.place, "this run before the change does not name it");
        }
        let what = format!("{} was run without the changes here", brief(&run.words));
        return Judged::supported(case.whose(run.delegated, run.turn), run.place, what);
    }
    let switched = |order: u64| ledger.switches.iter().any(|(at, ..)| *at < order);
    let apart = ledger.runs.iter().rev().find(|run| switched(run.order));
    if let Some(run) = apart {
        let what = format!("{} was run at another state here", brief(&run.words));
        return Judged::supported(case.whose(run.delegated, run.turn), run.place, what);
    }
    if !case.on(Guard::Baseline) {
        return Judged::supported(Reason::Direct, last(case), "the turn ended here");
    }
    let closed = ledger.unknown.is_empty()
        && ledger.delegations.iter().all(|one| one.record)
        && ledger.outward.is_empty()
        && first.is_some()
        && ledger.runs.iter().any(|run| run.shown == Shown::Failed);
    if closed && case.claim.reported.is_none() {
        let settle = ledger.runs.last().map(|run| run.words.as_str());
        return Judged::unsupported(Reason::NeverRun).settled_by(settle);
    }
    Judged::unknown(Reason::Elsewhere)
}

/// Whether a run names failures and not the one that a statement names, which a later one does.
fn names_another(case: &Case<'_>, run: &Run) -> bool {
    let steps = &case.turn.steps;
    let of = |run: &Run| {
        let mut steps = steps.iter();
        steps
            .find(|step| step.result == Some(run.place))
            .map(|step| step.text.as_str())
    };
    let Some(early) = of(run).filter(|text| text.contains("FAILED")) else {
        return false;
    };
    let red = case
        .ledger
        .runs
        .iter()
        .filter(|other| other.order > run.order && other.shown == Shown::Failed);
    let later: Vec<&str> = red.filter_map(of).collect();
    let names = case.claim.scope.iter().map(String::as_str);
    names
        .filter(|name| name.contains('_'))
        .any(|name| !early.contains(name) && later.iter().any(|text| text.contains(name)))
}

fn last(case: &Case<'_>) -> Place {
    let step = case.turn.steps.last();
    step.map_or_else(Place::default, |step| step.result.unwrap_or(step.call))
}
