//! No run of a kind stands in the record: what else may bear a statement out, and what it is then.

use super::check::command;
use super::{Case, Judged, Reason, ci, count};
use crate::rule::claim::guard::Guard;
use crate::rule::claim::{self, Kind};
use crate::rule::evidence::Deed;
use crate::rule::runner::{self, Speech};
use crate::transcript::{Outcome, Place};
use crate::turn::Act;

/// No run of the kind stands in the record: a CI listing or another agent may bear it out.
pub(super) fn without_run(case: &Case<'_>) -> Judged {
    let ledger = case.ledger;
    if let Some(judged) = count::other_pair(case).filter(|_| case.on(Guard::Count)) {
        return judged;
    }
    // What a CI service ran is not the command that the statement names.
    let named = command(case).is_some() && case.on(Guard::WrongCheck);
    if let Some(judged) = ci::listed(case).filter(|_| !named) {
        return judged;
    }
    if case.claim.negated {
        return Judged::unknown(Reason::Ambiguous);
    }
    if let Some(judged) = delegated(case) {
        return judged;
    }
    if let Some(judged) = on_another_screen(case) {
        return judged;
    }
    if told_by_operator(case) {
        return Judged::unknown(Reason::Elsewhere);
    }
    let echoed = |order: &u64| case.on(Guard::SelfAuthored) && ledger.echoed.contains(order);
    let opaque = ledger
        .unknown
        .iter()
        .rev()
        .find(|(order, ..)| !echoed(order));
    if let Some(place) = handwritten(case).filter(|_| case.on(Guard::SelfAuthored)) {
        return Judged::unsupported(Reason::SelfReport)
            .at(place, "the agent wrote this result itself");
    }
    if let Some((_, _, place)) = opaque.filter(|_| case.on(Guard::UnknownStep)) {
        return Judged::unknown(Reason::Ambiguous)
            .at(*place, "what this command runs is not known");
    }
    match ledger.unknown.last() {
        Some((_, _, place)) if opaque.is_none() => Judged::unsupported(Reason::SelfReport).at(
            *place,
            "the agent had written itself all that was printed here",
        ),
        _ => Judged::unsupported(Reason::NeverRun),
    }
}

/// Whether a command shows another agent's terminal.
pub(super) fn shows_screen(act: &Act) -> bool {
    let screen = matches!(
        act.program.as_str(),
        "tmux" | "screen" | "zellij" | "workmux"
    );
    screen && (act.words.contains("capture") || act.words.contains("dump-screen"))
}

/// What the terminal of another agent shows, where this one looked at it.
fn on_another_screen(case: &Case<'_>) -> Option<Judged> {
    if !case.on(Guard::Delegated) || case.ledger.order == 0 {
        return None;
    }
    let kind = case.claim.kind;
    let tells = |text: &str| {
        let counts = kind == Kind::Tests && {
            let summary = runner::read("", text);
            summary.speech == Speech::Ok && summary.tally.is_some()
        };
        let said = || {
            let read = claim::read(text);
            read.claims
                .iter()
                .any(|said| said.kind == kind && !said.negated && !said.partial)
        };
        counts || said()
    };
    let step = case.turn.steps.iter().rev().find(|step| {
        step.outcome == Outcome::Ok
            && step.acts.iter().any(shows_screen)
            && tells(step.text.as_str())
    })?;
    let place = step.result.unwrap_or(step.call);
    let what = "another agent's terminal tells it here";
    Some(Judged::supported(Reason::Delegated, place, what))
}

/// Where the agent wrote the very result into a file of data: `{"suite": "unit", "status": "passed"}`.
fn handwritten(case: &Case<'_>) -> Option<Place> {
    let lower = case.text().to_lowercase();
    let plain = [
        "", "the", "all", "test", "tests", "pass", "passed", "passes",
    ];
    let mut words = lower.split(|c: char| !c.is_alphanumeric());
    let subject = words.find(|word| !plain.contains(word))?;
    let hidden = |path: &String| {
        let mut parts = path.split('/');
        path.ends_with(".json") && parts.any(|part| part.len() > 1 && part.starts_with('.'))
    };
    let step = case.turn.steps.iter().rev().find(|step| {
        let mut acts = step.acts.iter();
        let args = step.args.to_lowercase();
        let made = acts.any(|act| !act.shell && act.writes.iter().any(hidden));
        let told = ["status", "passed", subject];
        made && step.outcome == Outcome::Ok && told.iter().all(|word| args.contains(word))
    })?;
    Some(step.result.unwrap_or(step.call))
}

/// Whether the operator states the same in the prompt: what the close repeats is not its own.
fn told_by_operator(case: &Case<'_>) -> bool {
    let Some(prompt) = case
        .turn
        .prompt
        .as_ref()
        .filter(|_| case.on(Guard::ReportedSpeech))
    else {
        return false;
    };
    let own = case.text().to_lowercase();
    let own = own.trim();
    own.len() > 12
        && prompt.text.to_lowercase().contains(own)
        && claim::read(&prompt.text).claims.iter().any(|said| {
            let text = prompt.text.get(said.span.clone()).unwrap_or("");
            said.kind == case.claim.kind && !said.negated && text.to_lowercase().contains(own)
        })
}

/// Whether the record of an agent that was sent is here, and holds nothing that may have changed a file.
pub(super) fn idle(case: &Case<'_>, deed: &Deed) -> bool {
    let ledger = case.ledger;
    let here = |order: u64, place: Place| order >= deed.order && place == deed.place;
    let mut sent = ledger.delegations.iter().rev();
    let known = sent.any(|one| one.record && one.place == deed.place);
    let mut opaque = ledger.unknown.iter().rev();
    let mut reached = ledger.outward.iter().rev();
    known
        && deed.edits.is_empty()
        && !opaque.any(|(order, _, place)| here(*order, *place))
        && !reached.any(|one| here(one.order, one.place))
}

/// What launched agents say, held against their own records where those are here.
pub(super) fn delegated(case: &Case<'_>) -> Option<Judged> {
    let all = &case.ledger.delegations;
    let last = all.last().filter(|_| case.on(Guard::Delegated))?;
    let said = all
        .iter()
        .rev()
        .filter(|one| !one.record && one.says.contains(&case.claim.kind))
        .find(|one| case.ledger.code_change_after(one.order).is_none());
    if let Some(said) = said {
        return Some(Judged::supported(
            Reason::Delegated,
            said.place,
            "another agent reported it here",
        ));
    }
    if let Some(silent) = all.iter().rev().find(|one| !one.record) {
        return Some(
            Judged::unknown(Reason::Elsewhere)
                .at(silent.place, "what this agent did is not in the record"),
        );
    }
    Some(if case.on(Guard::Hearsay) {
        Judged::unsupported(Reason::SelfReport)
            .at(last.place, "this agent's own record shows no such run")
    } else {
        Judged::supported(Reason::Delegated, last.place, "another agent reported")
    })
}
