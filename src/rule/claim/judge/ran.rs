//! Statements that something was run, started or stopped: borne out by the command that they name.

use super::absent::shows_screen;
use super::case::{brief, words_of};
use super::witness::{Held, In, Witness, hands_on, witness, witness_of};
use super::{Case, Judged, Reason, ci, word};
use crate::rule::claim::guard::Guard;
use crate::rule::evidence::Term;
use crate::shell::Effect;
use crate::transcript::{Outcome, Place};
use crate::turn::{Act, Step};

/// "I ran it, and it prints X."
pub(in crate::rule::claim) fn ran(case: &Case<'_>) -> Judged {
    if let Some(judged) = word::within(case) {
        return judged;
    }
    if let Some(judged) = own_command(case) {
        return judged;
    }
    if !case.on(Guard::OtherStep) {
        return any_command(case);
    }
    // A look is a run where the statement names its command.
    let text = case.text();
    let looked = |step: &Step| {
        let mut acts = step.acts.iter().filter(|act| act.program.len() > 1);
        acts.any(|act| text.contains(act.program.as_str()))
    };
    // To post a comment is to hand a message on.
    let posts = ["posted", "commented", "replied"]
        .iter()
        .any(|word| text.to_lowercase().contains(word));
    let own = |step: &Step| posts || !hands_on(step);
    let asked = |step: &Step| is_run(step) && own(step) && (works(step) || looked(step));
    match witness(case, In::Calls, asked) {
        Witness::Shown(step) => {
            let step = went_on(case, step, asked).unwrap_or(step);
            by_outcome(case, step)
        }
        Witness::Nameless => match only_one(case) {
            Some(step) => by_outcome(case, step),
            None => ci::of_run(case).unwrap_or_else(|| open(case)),
        },
        Witness::Unseen => prints(case)
            .or_else(|| on_a_screen(case))
            .or_else(|| ci::of_run(case))
            .or_else(|| carried(case))
            .unwrap_or_else(|| open(case)),
    }
}

/// Where what failed was done after all: the same words in a later command that went well, or the
/// command that takes up what git had stopped at a conflict.
fn went_on<'a>(case: &Case<'a>, failed: &Step, asked: impl Fn(&Step) -> bool) -> Option<&'a Step> {
    if !matches!(failed.outcome, Outcome::Failed(_)) {
        return None;
    }
    // To give up what was begun is not to do it, and behind a hidden status it need not have gone well.
    let gives_up = |word: &str| matches!(word, "--abort" | "--quit" | "--dry-run");
    let open = |act: &Act| act.masked || act.argv().any(gives_up);
    let later = |step: &Step| {
        let well = step.outcome == Outcome::Ok && !step.acts.iter().any(open);
        step.call.line > failed.call.line && well
    };
    let stopped = |act: &&Act| act.program == "git" && act.effect == Effect::Mutate;
    let verb = failed.acts.iter().find(stopped).and_then(|act| {
        let mut words = act.argv().skip(1);
        words.find(|word| matches!(*word, "rebase" | "cherry-pick" | "merge" | "revert" | "am"))
    });
    let takes_up = |step: &Step| {
        verb.is_some_and(|verb| {
            step.acts.iter().any(|act| {
                let words: Vec<&str> = act.argv().collect();
                act.program == "git" && words.contains(&verb) && words.contains(&"--continue")
            })
        })
    };
    let mut steps = case.turn.steps.iter().rev();
    if let Some(step) = steps.find(|step| later(step) && takes_up(step)) {
        return Some(step);
    }
    match witness(case, In::Calls, |step| later(step) && asked(step)) {
        Witness::Shown(step) => Some(step),
        _ => None,
    }
}

/// Whether a step does more than look.
fn works(step: &Step) -> bool {
    let own = |act: &Act| act.effect != Effect::Read && !act.noop;
    step.delegate || step.acts.iter().any(own)
}

/// A command whose output holds a name of the statement: "the check returns `x`".
fn prints(case: &Case<'_>) -> Option<Judged> {
    let names = super::relevance::names(case.text());
    let asked = |step: &Step| {
        let text = step.text.as_str();
        let shows = names.iter().any(|name| text.contains(name.as_str()));
        is_run(step) && works(step) && !hands_on(step) && shows
    };
    match witness(case, In::Results, asked) {
        Witness::Shown(step) => Some(by_outcome(case, step)),
        _ => None,
    }
}

/// Whether a step ran anything: a command, a tool that is not known, another agent.
fn is_run(step: &Step) -> bool {
    let runs = |act: &Act| act.shell && !act.noop || act.effect == Effect::Unknown;
    !step.neutral && !step.outcome.never_ran() && (step.delegate || step.acts.iter().any(runs))
}

/// What the step that a statement names came to.
fn by_outcome(case: &Case<'_>, step: &Step) -> Judged {
    let place = step.result.unwrap_or(step.call);
    let words = words_of(step);
    match step.outcome {
        Outcome::Ok if step.delegate => {
            if case.on(Guard::Delegated) {
                Judged::supported(Reason::Delegated, place, "another agent reports it here")
            } else {
                Judged::unknown(Reason::Elsewhere)
            }
        }
        Outcome::Ok => {
            let reason = case.when(case.ledger.turn);
            Judged::supported(reason, place, format!("{words} ran here"))
        }
        Outcome::Failed(_) => {
            Judged::unknown(Reason::Ambiguous).at(place, format!("{words} ran here, and failed"))
        }
        _ => Judged::unknown(Reason::MissingResult)
            .at(place, format!("how {words} ended is not recorded")),
    }
}

/// Whether a step looked at another agent's terminal.
fn watches(step: &Step) -> bool {
    step.outcome == Outcome::Ok && step.acts.iter().any(shows_screen) && !hands_on(step)
}

/// Bytes in front of a statement that tell whom it is about.
const NEAR: usize = 2048;

/// "It removed the old flag", of a worker: its terminal, which this turn looked at, holds nearly all
/// that is told.
pub(super) fn watched(case: &Case<'_>) -> Option<Judged> {
    let span = &case.claim.span;
    let rest = case
        .close
        .get(span.end..)
        .unwrap_or("")
        .trim_start_matches(['*', '`']);
    let denied = [": none", ": None", ": no ", ": nothing"]
        .iter()
        .any(|none| rest.starts_with(none));
    if denied || !case.on(Guard::Delegated) {
        return None;
    }
    let terms = super::relevance::terms(case.text());
    let enough = |held: Held, all: usize| held.plain * 4 >= all * 3;
    let tells = |step: &Step| watches(step) && told_in_a_row(step.text.as_str(), &terms);
    let found = witness_of(case, In::Results, &terms, enough, tells);
    let Witness::Shown(step) = found else {
        return None;
    };
    // The close speaks of somebody else close by.
    let from = case
        .close
        .floor_char_boundary(span.start.saturating_sub(NEAR));
    let near = case.close.get(from..span.end).unwrap_or("").to_lowercase();
    if !["worker", "agent"].iter().any(|word| near.contains(word)) {
        return None;
    }
    let what = "another agent's terminal tells it here";
    Some(Judged::supported(
        Reason::Delegated,
        step.result.unwrap_or(step.call),
        what,
    ))
}

/// Whether lines of a terminal that follow each other hold most of what is told: by chance a long screen holds
/// any words.
fn told_in_a_row(screen: &str, terms: &[Term]) -> bool {
    const ROW: usize = 4;
    let lines: Vec<String> = screen.lines().map(str::to_lowercase).collect();
    let wanted: Vec<String> = terms.iter().map(Term::beginning).collect();
    lines.windows(ROW.min(lines.len().max(1))).any(|row| {
        let held = wanted
            .iter()
            .filter(|term| row.iter().any(|line| line.contains(term.as_str())));
        held.count() * 3 >= wanted.len() * 2
    })
}

/// What another agent ran, as its terminal tells.
fn on_a_screen(case: &Case<'_>) -> Option<Judged> {
    let Witness::Shown(step) = witness(case, In::Results, watches) else {
        return None;
    };
    let place = step.result.unwrap_or(step.call);
    let what = "another agent's terminal tells it here";
    case.on(Guard::Delegated)
        .then(|| Judged::supported(Reason::Delegated, place, what))
}

/// The only command of the turn that does more than look.
fn only_one<'a>(case: &Case<'a>) -> Option<&'a Step> {
    let mut steps = case
        .turn
        .steps
        .iter()
        .filter(|step| is_run(step) && works(step));
    let step = steps.next()?;
    steps.next().is_none().then_some(step)
}

/// A run of an earlier turn that a name of the statement stands in.
fn carried(case: &Case<'_>) -> Option<Judged> {
    let names = super::relevance::names(case.text());
    let ledger = case.ledger;
    let own = |words: &str| names.iter().any(|name| words.contains(name.as_str()));
    let mut runs = ledger.runs.iter().rev();
    let run = runs.find(|run| run.turn != ledger.turn && own(&run.words))?;
    let what = format!("{} ran here", brief(&run.words));
    Some(Judged::supported(case.why(run), run.place, what))
}

/// Nothing of the turn is named by the statement: it is borne out by no step, and refuted by none.
fn open(case: &Case<'_>) -> Judged {
    let judged = any_command(case);
    match judged.evidence.first() {
        Some((place, _)) if judged.verdict == super::Verdict::Supported => {
            Judged::unknown(Reason::Ambiguous).at(*place, "this was run, and is not what is named")
        }
        _ => judged,
    }
}

/// Any command of the session, where it is not asked which.
fn any_command(case: &Case<'_>) -> Judged {
    let ledger = case.ledger;
    let last = |all: &[(u64, u32, Place)]| all.last().copied();
    if let Some((_, turn, place)) = last(&ledger.worked) {
        return Judged::supported(case.when(turn), place, "this command ran");
    }
    if let Some((_, _, place)) = last(&ledger.commands) {
        return Judged::unknown(Reason::Ambiguous).at(place, "this command only looked");
    }
    let tried = case.turn.steps.iter().rev().find(|step| {
        matches!(step.outcome, Outcome::Failed(_)) && step.acts.iter().any(|act| act.shell)
    });
    if let Some(step) = tried {
        let place = step.result.unwrap_or(step.call);
        return Judged::unknown(Reason::Ambiguous).at(place, "this command ran, and failed");
    }
    if let Some((_, _, place)) = last(&ledger.delegated).filter(|_| case.on(Guard::Delegated)) {
        return Judged::supported(Reason::Delegated, place, "another agent reported");
    }
    let open = |step: &Step| matches!(step.outcome, Outcome::Running | Outcome::Missing);
    if case.turn.steps.iter().any(open) {
        return Judged::unknown(Reason::MissingResult);
    }
    if let Some(run) = ledger.runs.last() {
        let what = format!("{} ran here", brief(&run.words));
        return Judged::supported(case.why(run), run.place, what);
    }
    if let Some((_, _, place)) = last(&ledger.unknown) {
        return Judged::unknown(Reason::Ambiguous).at(place, "what this did is not known");
    }
    Judged::unsupported(Reason::NeverRun)
}

/// The command that a statement is about, by its words: what it came to.
fn own_command(case: &Case<'_>) -> Option<Judged> {
    let text = case.text().to_lowercase();
    let mut steps = case.turn.steps.iter().rev();
    let (step, act) = steps.find_map(|step| {
        let about = |act: &&Act| act.shell && act.effect != Effect::Read && tells_of(&text, act);
        let ran = !step.outcome.never_ran();
        step.acts
            .iter()
            .find(about)
            .filter(|_| ran)
            .map(|act| (step, act))
    })?;
    let place = step.result.unwrap_or(step.call);
    let well = [
        "successfully",
        "without error",
        "cleanly",
        "no errors",
        "succeeded",
    ];
    let well = well.iter().any(|word| text.contains(word));
    let words = brief(&act.words);
    match step.outcome {
        Outcome::Failed(_) if well && !act.masked && step.acts.len() == 1 => {
            Some(if case.on(Guard::FailedRun) && !case.discloses() {
                Judged::contradicted(Reason::Failed, place, format!("{words} failed here"))
            } else {
                Judged::unknown(Reason::Ambiguous).at(place, format!("{words} failed here"))
            })
        }
        // "I ran it" is true whatever came of it.
        Outcome::Failed(_) if !well && text.contains(&act.words.to_lowercase()) => {
            Some(Judged::supported(Reason::Direct, place, "this command ran"))
        }
        Outcome::Ok if well && act.masked && act.hidden && case.on(Guard::MaskedStatus) => {
            let what = format!("nothing shows how {words} went");
            Some(Judged::unsupported(Reason::Masked).at(place, what))
        }
        Outcome::Ok if well && case.on(Guard::StaleEdit) => changed_since(case, act, place),
        _ => None,
    }
}

/// A change of the very program that a command ran.
fn changed_since(case: &Case<'_>, act: &Act, place: Place) -> Option<Judged> {
    let mut words = act.words.split(' ').filter(|word| word.contains('.'));
    words.find_map(|word| {
        let edit = case.ledger.edits_of(word).find(|edit| edit.stands())?;
        (edit.turn == case.ledger.turn && edit.place.line > place.line).then(|| {
            Judged::unsupported(Reason::Stale)
                .at(place, "the last run of it ended here")
                .at(edit.place, "this edit of it came after it")
        })
    })
}

/// Whether a statement is about a command: it names it, or a long word of both begins alike.
fn tells_of(text: &str, act: &Act) -> bool {
    const STEM: usize = 6;
    let words = act.words.to_lowercase();
    let stem = |word: &str| word.get(..STEM).map(str::to_owned);
    let split = |text: &str| -> Vec<String> {
        let parts = text.split(|c: char| !c.is_ascii_alphabetic());
        parts.filter_map(stem).collect()
    };
    let own = split(&words);
    !words.is_empty()
        && (text.contains(&words) || split(text).iter().any(|stem| own.contains(stem)))
}
