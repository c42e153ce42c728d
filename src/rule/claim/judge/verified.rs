//! Statements that something was verified: what is named was looked at or run after the last change.

use super::absent::delegated;
use super::case::{brief, look_of};
use super::witness::{Held, In, Witness, hands_on, witness, witness_of};
use super::{Case, Judged, Reason, Verdict, relevance, unfit};
use crate::rule::claim::Kind;
use crate::rule::claim::guard::Guard;
use crate::rule::evidence::{Edit, Run, Shown, Term, names as is_named};
use crate::shell::{Effect, Verify};
use crate::text::{Act as Past, past_act};
use crate::transcript::{Outcome, Place};
use crate::turn::{Act, Step};

/// The last change that a look or run must come after: of what the statement names, where it names
/// a file that was changed, or else of anything.
fn boundary<'a>(case: &Case<'a>) -> Option<&'a Edit> {
    let changed = |edit: &&Edit| !edit.refused && !edit.scratch && edit.undone.is_none();
    let named = case
        .files()
        .into_iter()
        .filter_map(|file| case.ledger.edits_of(file).find(changed))
        .max_by_key(|edit| edit.order);
    named.or_else(|| case.ledger.edits.iter().rev().find(changed))
}

/// "Verified", "confirmed": what is named was looked at or run after the last change.
pub(in crate::rule::claim) fn verified(case: &Case<'_>) -> Judged {
    let edit = boundary(case).filter(|_| case.on(Guard::StaleEdit) && !then_changed(case.text()));
    let after = edit.map_or(0, |edit| edit.order);
    if let Some(judged) = unfit::denied(case).filter(|_| case.on(Guard::Hearsay)) {
        return judged;
    }
    let Some(seen) = last_seen(case, after) else {
        let still = unchanged_since(case).filter(|_| case.on(Guard::OtherStep));
        return still.unwrap_or_else(|| unseen(case, edit));
    };
    if let Some(judged) = unfit::unfit(case, boundary(case), seen.place) {
        return judged;
    }
    if case.on(Guard::OtherStep) {
        return looked_at(case, edit, seen);
    }
    let reason = case.whose(seen.delegated, seen.turn);
    Judged::supported(
        reason,
        seen.place,
        "this was looked at or run after the last change",
    )
}

/// "I re-read the file and changed `x`": the look is told before the change, and need not follow it.
fn then_changed(text: &str) -> bool {
    const LOOKS: [&str; 8] = [
        "checked",
        "inspected",
        "looked",
        "opened",
        "re-read",
        "read",
        "reread",
        "reviewed",
    ];
    let lower = text.to_lowercase();
    let words: Vec<&str> = lower
        .split(|c: char| !(c.is_alphanumeric() || c == '-'))
        .filter(|word| !word.is_empty())
        .collect();
    let Some(look) = words.iter().position(|word| LOOKS.contains(word)) else {
        return false;
    };
    words[look..].windows(2).any(|pair| {
        matches!(pair[0], "and" | "then")
            && matches!(past_act(pair[1]), Some(Past::Edit | Past::Fix))
    })
}

/// A look, a run or a command.
#[derive(Clone, Copy)]
struct Seen {
    order: u64,
    turn: u32,
    place: Place,
    delegated: bool,
}

/// The last look, good run or command after a place among the deeds.
fn last_seen(case: &Case<'_>, after: u64) -> Option<Seen> {
    let ledger = case.ledger;
    let own = |order: u64, turn: u32, place: Place, delegated: bool| Seen {
        order,
        turn,
        place,
        delegated,
    };
    let good = |run: &&Run| run.shown == Shown::Passed;
    let run = ledger.runs.iter().rev().find(good);
    let run = run.map(|run| own(run.order, run.turn, run.place, run.delegated));
    let look = ledger.looks.last();
    let look = look.map(|look| own(look.order, look.turn, look.place, false));
    let command = ledger.commands.last();
    let command = command.map(|(order, turn, place)| own(*order, *turn, *place, false));
    let all = [run, look, command].into_iter().flatten();
    all.filter(|seen| seen.order > after)
        .max_by_key(|seen| seen.order)
}

/// What a statement names must be what was looked at or run.
fn looked_at(case: &Case<'_>, edit: Option<&Edit>, seen: Seen) -> Judged {
    let ledger = case.ledger;
    if let Some(run) = check_named(case, edit) {
        return Judged::supported(case.why(run), run.place, Case::went_well(run));
    }
    let from = edit.filter(|edit| edit.turn == ledger.turn);
    let at = |step: &Step| step.result.unwrap_or(step.call);
    let later = |step: &Step| from.is_none_or(|edit| at(step).line > edit.place.line);
    let asked = |step: &Step| shows(step) && later(step);
    if let Some(command) = command_named(case.text()) {
        return by_command(case, command, asked).unwrap_or_else(|| other(seen));
    }
    match witness(case, In::Results, asked) {
        Witness::Shown(step) => {
            // What a look at a launch shows is the launch's own answer.
            let own = case.step_at(at(step)).unwrap_or(step);
            let what = format!("{} shows it after the last change", look_of(own));
            Judged::supported(case.whose(own.delegate, ledger.turn), at(step), what)
        }
        Witness::Nameless => read_back(case, edit).unwrap_or_else(|| other(seen)),
        Witness::Unseen => absence(case, asked)
            .or_else(|| untouched(case))
            .or_else(|| unchanged_since(case))
            .or_else(|| carried(case, edit))
            .unwrap_or_else(|| other(seen)),
    }
}

/// "Verified with `site status`": the command that a statement says it was done with, of two words or more.
fn command_named(text: &str) -> Option<&str> {
    const WITH: [&str; 5] = [" with `", " by `", " via `", " using `", " through `"];
    let behind = WITH.iter().find_map(|word| text.split_once(word));
    let command = behind?.1.split('`').next()?.trim();
    let mut words = command.split(' ');
    let program = words.next()?;
    let plain = program
        .bytes()
        .all(|byte| byte.is_ascii_lowercase() || byte.is_ascii_digit() || byte == b'-');
    (plain && !program.is_empty() && words.next().is_some()).then_some(command)
}

/// The last call of the command that is named; of an earlier turn, the run of it.
fn by_command(case: &Case<'_>, command: &str, asked: impl Fn(&Step) -> bool) -> Option<Judged> {
    let own = |words: &str| words.contains(command);
    let calls = |step: &&Step| {
        let mut acts = step.acts.iter();
        let here = acts.any(|act| act.shell && own(&act.words)) || step.args.contains(command);
        here && asked(step)
    };
    if let Some(step) = case.turn.steps.iter().rev().find(calls) {
        let what = format!("{} ran here, after the last change", brief(command));
        let place = step.result.unwrap_or(step.call);
        let good = step.outcome == Outcome::Ok;
        return good.then(|| Judged::supported(case.when(case.ledger.turn), place, what));
    }
    let mut runs = case.ledger.runs.iter().rev();
    let run = runs.find(|run| run.shown == Shown::Passed && own(&run.words))?;
    let earlier = run.turn != case.ledger.turn;
    earlier.then(|| Judged::supported(case.why(run), run.place, Case::went_well(run)))
}

/// "No conflict markers remain": the last search after the change found nothing.
fn absence(case: &Case<'_>, asked: impl Fn(&Step) -> bool) -> Option<Judged> {
    let lower = case.text().to_lowercase();
    let none = ["no ", "none", "nothing"]
        .iter()
        .any(|word| lower.contains(word));
    let left = [
        "remain",
        "left",
        "longer",
        "still",
        "reference",
        "match",
        "found",
    ];
    if !none || !left.iter().any(|word| lower.contains(word)) {
        return None;
    }
    let searches = |act: &Act| {
        let tool = ["rg", "grep", "ag", "egrep"].contains(&act.program.as_str());
        tool || act.words.starts_with("git grep")
    };
    let finds_none = |step: &&Step| {
        let search = step.acts.iter().any(searches)
            || step.args.contains("\"pattern\"") && step.acts.iter().all(|act| !act.shell);
        let text = step.text.as_str().trim();
        let none = step.outcome == Outcome::Failed(Some(1))
            || text.is_empty()
            || text.starts_with("No ") && text.len() < 80
            || text.ends_with(':');
        search && none && asked(step)
    };
    let step = case.turn.steps.iter().rev().find(finds_none)?;
    let place = step.result.unwrap_or(step.call);
    Some(Judged::supported(
        Reason::Direct,
        place,
        "this search found nothing",
    ))
}

/// What a name stands in was looked at before the last change, which changed something else.
fn untouched(case: &Case<'_>) -> Option<Judged> {
    let ledger = case.ledger;
    let names = relevance::names(case.text());
    if names.is_empty() || !case.files().is_empty() {
        return None;
    }
    let at = |step: &Step| step.result.unwrap_or(step.call);
    let stands = |path: &String, step: &Step| {
        let mut later = ledger.edits_of(path);
        later.all(|edit| edit.turn != ledger.turn || edit.place.line <= at(step).line)
    };
    // A commit answers with its hash, whatever message it hands on.
    let answers = |step: &Step| {
        let told = |name: &String| {
            step.text.as_str().contains(name.as_str()) && !step.args.contains(name.as_str())
        };
        names.iter().any(told)
    };
    let asked = |step: &Step| {
        let looks = step
            .acts
            .iter()
            .all(|act| act.verify.is_none() && act.effect != Effect::Mutate);
        let told = step.outcome == Outcome::Ok && !step.neutral && !step.delegate;
        let reads = || step.acts.iter().flat_map(|act| &act.reads);
        told && looks && (shows(step) || answers(step)) && reads().all(|path| stands(path, step))
    };
    let Witness::Shown(step) = witness(case, In::Results, asked) else {
        return None;
    };
    let changed = names.iter().any(|name| {
        let (numbers, _) = ledger.mentions.holding(&Term::Name(name.clone()));
        let deeds = numbers
            .iter()
            .filter_map(|number| ledger.mentions.deeds().get(*number));
        deeds.into_iter().any(|deed| {
            deed.turn == ledger.turn && deed.place.line > at(step).line && !deed.edits.is_empty()
        })
    });
    let spelled = names
        .iter()
        .any(|name| step.text.as_str().contains(name.as_str()));
    (spelled && !changed).then(|| {
        let what = format!("{} shows it", look_of(step));
        Judged::supported(Reason::Direct, at(step), what)
    })
}

/// A look at files that were not changed after it, whatever else was: "verified both screenshots are
/// PNGs". What it shows must hold at least half of the statement's words, and two of them.
fn unchanged_since(case: &Case<'_>) -> Option<Judged> {
    let ledger = case.ledger;
    // What is said not to be there, no look at what is there shows.
    let lower = case.text().to_lowercase();
    let mut words = lower.split(|c: char| !(c.is_alphanumeric() || c == '\''));
    let denies = words.any(|word| matches!(word, "no" | "not" | "none" | "nothing" | "without"));
    let own = case.claim.kind == Kind::Verified && !denies && !lower.contains("n't");
    if !own || !relevance::names(case.text()).is_empty() || !case.files().is_empty() {
        return None;
    }
    let at = |step: &Step| step.result.unwrap_or(step.call);
    let stands = |path: &String, step: &Step| {
        let mut later = ledger.edits_of(path);
        later.all(|edit| edit.turn != ledger.turn || edit.place.line <= at(step).line)
    };
    let plain =
        |term: &Term| matches!(term, Term::Word(word) if word.eq_ignore_ascii_case("expected"));
    let mut terms = relevance::terms(case.text());
    terms.retain(|term| !plain(term));
    let asked = |step: &Step| {
        let last = step.acts.last().filter(|act| {
            act.shell && !act.noop && act.effect == Effect::Read && act.verify.is_none()
        });
        let looks = last.is_some_and(|act| {
            !act.reads.is_empty() && act.reads.iter().all(|path| stands(path, step))
        });
        looks && step.outcome == Outcome::Ok && shows(step) && answers(&terms, step)
    };
    let half = |held: Held, all: usize| held.plain * 2 >= all;
    let Witness::Shown(step) = witness_of(case, In::Results, &terms, half, asked) else {
        return None;
    };
    let what = format!(
        "{} shows it, and nothing of it was changed since",
        look_of(step)
    );
    Some(Judged::supported(Reason::Direct, at(step), what))
}

/// Whether what came back from a step holds two words of a statement.
fn answers(terms: &[Term], step: &Step) -> bool {
    const ENOUGH: usize = 2;
    let answer = step.text.as_str().to_lowercase();
    let held = terms.iter().filter(|term| {
        let own = term.beginning();
        answer.contains(match term {
            Term::Name(_) => own.as_str(),
            Term::Word(_) => own.trim_end_matches('s'),
        })
    });
    held.count() >= ENOUGH
}

/// "Verified with the test suite": the last good run of the check that is named, after the last change.
fn check_named<'a>(case: &Case<'a>, edit: Option<&Edit>) -> Option<&'a Run> {
    let lower = case.text().to_lowercase();
    let words = || lower.split(|c: char| !c.is_alphanumeric());
    let named = |all: &[&str]| words().any(|word| all.contains(&word));
    let with = named(&["with", "by", "via", "using", "against"]);
    let verify = if named(&["tests", "suite"]) {
        Verify::Test
    } else if named(&["build"]) {
        Verify::Build
    } else if named(&["lint", "linter", "clippy", "eslint"]) {
        Verify::Lint
    } else if named(&["typecheck", "tsc", "mypy"]) {
        Verify::Typecheck
    } else {
        return None;
    };
    let after = edit.map_or(0, |edit| edit.order);
    let mut runs = case.ledger.runs.iter().rev();
    let good = |run: &&Run| run.verify == verify && run.shown == Shown::Passed;
    runs.find(good).filter(|run| with && run.order > after)
}

/// Whether what came back from a step shows anything: what the agent writes, or hands on, shows nothing.
fn shows(step: &Step) -> bool {
    let writes = |act: &Act| !act.shell && act.effect == Effect::Mutate;
    let asks = step.args.contains("--help");
    let told = matches!(step.outcome, Outcome::Ok | Outcome::Failed(_));
    told && !step.neutral && !asks && !hands_on(step) && !step.acts.iter().any(writes)
}

fn other(seen: Seen) -> Judged {
    let what = "this was looked at or run after the last change, and does not show what is told";
    Judged::unknown(Reason::Ambiguous).at(seen.place, what)
}

/// A statement without words of its own: the file that was changed was looked at, or a check of it went
/// well.
fn read_back(case: &Case<'_>, edit: Option<&Edit>) -> Option<Judged> {
    let ledger = case.ledger;
    let after = edit.map_or(0, |edit| edit.order);
    let path = edit.map_or("", |edit| edit.path.as_str());
    let good = |run: &&Run| run.shown == Shown::Passed && run.order > after && run.reads(path);
    if let Some(run) = ledger.runs.iter().rev().find(good) {
        return Some(Judged::supported(
            case.why(run),
            run.place,
            Case::went_well(run),
        ));
    }
    let look = ledger
        .looks_of(path)
        .next()
        .filter(|look| look.order > after)?;
    let what = format!("{} was looked at here", brief(path));
    Some(Judged::supported(case.when(look.turn), look.place, what))
}

/// What an earlier turn looked at or ran: of what a name of the statement stands in.
fn carried(case: &Case<'_>, edit: Option<&Edit>) -> Option<Judged> {
    let ledger = case.ledger;
    let after = edit.map_or(0, |edit| edit.order);
    let names = relevance::names(case.text());
    let own = |words: &str| names.iter().any(|name| words.contains(name.as_str()));
    let mut runs = ledger.runs.iter().rev();
    let run = runs.find(|run| {
        run.shown == Shown::Passed
            && run.order > after
            && run.turn != ledger.turn
            && own(&run.words)
    });
    if let Some(run) = run {
        return Some(Judged::supported(
            case.why(run),
            run.place,
            Case::went_well(run),
        ));
    }
    let paths: Vec<&String> = case
        .claim
        .scope
        .iter()
        .filter(|name| name.contains('/'))
        .collect();
    // A look at a folder is one at what lies in it.
    let holds = |folder: &String, path: &str| {
        let rest = path.strip_prefix(folder.as_str());
        is_named(path, folder) || rest.is_some_and(|rest| rest.starts_with('/'))
    };
    let mut looks = ledger.looks.iter().rev().take(LOOKS);
    let look = looks.find(|look| {
        let mut own = look.paths.iter();
        look.order > after && own.any(|folder| paths.iter().any(|path| holds(folder, path)))
    })?;
    let what = "it was looked at here";
    Some(Judged::supported(case.when(look.turn), look.place, what))
}

/// Looks of a session that are gone through, the latest first.
const LOOKS: usize = 1024;

/// Nothing was looked at or run after the last change.
fn unseen(case: &Case<'_>, edit: Option<&Edit>) -> Judged {
    let ledger = case.ledger;
    let after = edit.map_or(0, |edit| edit.order);
    if let Some(judged) = delegated(case).filter(|judged| judged.verdict == Verdict::Supported) {
        return judged;
    }
    let looked = ledger.delegations.iter().rev().find(|one| one.looked);
    if let Some(one) = looked.filter(|one| !one.denies && one.order > after) {
        let what = "another agent's own record shows that it looked";
        return Judged::supported(Reason::Delegated, one.place, what);
    }
    if let Some((_, _, place)) = ledger.delegated.last() {
        return Judged::unknown(Reason::Elsewhere).at(*place, "another agent worked on it");
    }
    if by_hand(case.text()) && case.on(Guard::ByHand) {
        return Judged::unknown(Reason::Elsewhere);
    }
    let settle = ledger.runs.last().map(|run| run.words.as_str());
    match edit {
        None if ledger.order == 0 => Judged::unsupported(Reason::SelfReport),
        Some(edit) => Judged::unsupported(Reason::NoReadback)
            .at(edit.place, "nothing was looked at or run after this change"),
        None => Judged::unsupported(Reason::NoReadback),
    }
    .settled_by(settle)
}

/// Whether a check is one that a person makes, and that leaves nothing in a record: "manually verified".
fn by_hand(text: &str) -> bool {
    const HAND: [&str; 4] = ["manually", "by hand", "visually", "by eye"];
    let lower = text.to_lowercase();
    HAND.iter().any(|word| lower.contains(word))
}
