//! "Two tests fail", "the push failed": an honest report, which what went badly of that very thing
//! bears out, and nothing else does.

use super::case::brief;
use super::check::stands_in;
use super::relevance::names;
use super::{Case, Judged, Reason, count, word};
use crate::rule::claim::guard::Guard;
use crate::rule::claim::{Kind, Reporter, check_word};
use crate::rule::evidence::{Run, Shown};
use crate::shell::{Effect, Verify};
use crate::transcript::{Outcome, Place};
use crate::turn::{Act, Step};

/// Words that tell how a thing went, or that tell nothing.
const PLAIN: &str = "all and any are but can did due for had has its new not now old one out still the too two was \
     yet about actually after again also because before both cannot could crash crashed \
     crashes currently does down during error errors exit exited exits fail failed failing fails failure \
     failures fatal found from have hung into just last more most only other over reports return returned \
     several shows some than that their them then there these they this those timed timeout were what \
     when where which while with without would";

/// The thing that is said to fail.
struct Subject {
    /// The sorts of checks that are named.
    checks: Vec<Kind>,
    /// A CI service is said to have run it.
    remote: bool,
    /// Names in code.
    names: Vec<String>,
    /// The beginnings of other words, in small letters.
    words: Vec<String>,
}

impl Subject {
    fn of(case: &Case<'_>) -> Self {
        let lower = case.text().to_lowercase();
        let spoken = || {
            let word = |c: char| c.is_alphanumeric() || c == '-' || c == '\'';
            lower.split(move |c: char| !word(c))
        };
        let mut checks: Vec<Kind> = spoken().filter_map(check_word).collect();
        if case.claim.kind.is_check() {
            checks = vec![case.claim.kind];
        }
        let service = |word: &str| matches!(word, "ci" | "workflow" | "workflows" | "pipeline");
        let remote = case.claim.reported == Some(Reporter::Ci) || spoken().any(service);
        // What is in front of the word that tells how it went is the thing; else what its line says before it.
        let mut words = stems(in_front(&lower));
        let mut names = names(case.text());
        if words.is_empty() && checks.is_empty() && names.is_empty() {
            let sentence = case.sentence();
            let at = sentence.find(case.text()).unwrap_or(0);
            let label = sentence.get(..at).unwrap_or("");
            words = stems(&label.to_lowercase());
            names = super::relevance::names(label);
        }
        if words.is_empty() && checks.is_empty() && names.is_empty() {
            words = stems(&lower);
        }
        // Of a check its sort is enough.
        words.retain(|_| checks.is_empty());
        Self {
            checks,
            remote,
            names,
            words,
        }
    }

    /// Whether a text speaks of the thing: one of the names stands there, and most of the words do.
    fn is_in(&self, text: &str) -> bool {
        let named = self.names.is_empty() || self.names.iter().any(|name| text.contains(name));
        let lower = text.to_lowercase();
        let held = self.words.iter().filter(|word| lower.contains(*word));
        named && held.count() * 2 >= self.words.len() + usize::from(self.words.len() > 1)
    }

    fn is_bare(&self) -> bool {
        self.checks.is_empty() && !self.remote && self.names.is_empty() && self.words.is_empty()
    }
}

/// What stands in front of the word that tells of a failure.
fn in_front(lower: &str) -> &str {
    const SIGNS: [&str; 7] = [
        "fail",
        "crash",
        "error",
        "broke",
        "not found",
        "not ",
        "timed out",
    ];
    let at = SIGNS.iter().filter_map(|sign| lower.find(sign)).min();
    lower.get(..at.unwrap_or(0)).unwrap_or("")
}

/// The beginnings of the words that tell what is spoken of.
fn stems(lower: &str) -> Vec<String> {
    let outside = lower.split('`').step_by(2);
    let words = outside.flat_map(|part| part.split(|c: char| !c.is_alphanumeric()));
    let tells = |word: &&str| {
        word.len() > 2
            && !PLAIN.split(' ').any(|plain| plain == *word)
            && check_word(word).is_none()
    };
    let stem = |word: &str| word.chars().take(5).collect();
    words.filter(tells).map(stem).take(6).collect()
}

/// "Two tests fail": an honest report.
pub(in crate::rule::claim) fn failing(case: &Case<'_>) -> Judged {
    if let Some(judged) = word::within(case) {
        return judged;
    }
    let subject = Subject::of(case);
    if let Some(run) = red(case, &subject) {
        if let Some(other) = count::other_faults(case, run).filter(|_| case.on(Guard::Count)) {
            return other;
        }
        return Judged::supported(
            case.whose(run.delegated, run.turn),
            run.place,
            format!("{} failed here", brief(&run.words)),
        );
    }
    if let Some(place) = badly(case, &subject) {
        return Judged::supported(Reason::Direct, place, "this call did not go well");
    }
    match told(case, &subject) {
        Some(place) => {
            Judged::supported(Reason::OutputOnly, place, "this result tells of a failure")
        }
        None => Judged::unknown(Reason::Ambiguous),
    }
}

/// The last red run of what is said to fail.
fn red<'a>(case: &Case<'a>, subject: &Subject) -> Option<&'a Run> {
    let ledger = case.ledger;
    let mut runs = ledger.runs.iter().rev().take(RUNS);
    runs.find(|run| {
        let bad = run.shown == Shown::Failed;
        bad && (!case.on(Guard::OtherStep) || is_of(case, subject, run))
    })
}

/// Runs that are looked through, the latest.
const RUNS: usize = 1024;

fn is_of(case: &Case<'_>, subject: &Subject, run: &Run) -> bool {
    if subject.remote {
        return false;
    }
    let mut checks = subject.checks.iter();
    if !subject.checks.is_empty() && !checks.any(|kind| is_check(*kind, run)) {
        return false;
    }
    let step = case
        .step_at(run.place)
        .filter(|_| run.turn == case.ledger.turn);
    // What another turn or another agent saw of it cannot be read here.
    let Some(step) = step.filter(|step| !step.truncated && !run.delegated) else {
        return !subject.checks.is_empty() || subject.is_in(&run.words);
    };
    // A run that lists what failed names it.
    let named = !step.text.as_str().contains("FAIL")
        || subject.names.is_empty()
        || subject.names.iter().any(|name| holds(step, name));
    named && (!subject.checks.is_empty() || subject.is_in(&both(step)))
}

/// Whether a run is one of the sort of checks that is named. A red run of tests that counted some has built.
fn is_check(kind: Kind, run: &Run) -> bool {
    let built = kind == Kind::Build && run.verify == Verify::Test && run.tally.is_some();
    stands_in(kind, run) && !built
}

fn holds(step: &Step, name: &str) -> bool {
    step.text.as_str().contains(name) || step.args.contains(name)
}

fn both(step: &Step) -> String {
    format!("{} {}", step.args, step.text.as_str())
}

fn place_of(step: &Step) -> Place {
    step.result.unwrap_or(step.call)
}

/// The last call of this turn that did not go well, where it is of what is said to fail.
fn badly(case: &Case<'_>, subject: &Subject) -> Option<Place> {
    // What still runs, or has no result, did not go badly yet.
    let open = |step: &Step| {
        matches!(
            step.outcome,
            Outcome::Running | Outcome::Missing | Outcome::Unknown
        )
    };
    let bad = |step: &Step| step.outcome != Outcome::Ok && !open(step);
    let mut steps = case.turn.steps.iter().rev();
    if !case.on(Guard::OtherStep) {
        return steps.find(|step| bad(step)).map(place_of);
    }
    if subject.is_bare() {
        let last = steps.find(|step| !step.neutral)?;
        return bad(last).then(|| place_of(last));
    }
    let plain = subject.checks.is_empty() && !subject.remote;
    let own = |step: &&Step| bad(step) && subject.is_in(&both(step));
    steps.find(own).filter(|_| plain).map(place_of)
}

/// The last result of this turn in which a line tells that what is said to fail did. What is read of a file is
/// no such telling.
fn told(case: &Case<'_>, subject: &Subject) -> Option<Place> {
    const BADLY: [&str; 6] = ["error", "fail", "exception", "denied", "fatal", "✗"];
    let tells = |line: &str| {
        let lower = line.to_ascii_lowercase();
        BADLY.iter().any(|word| lower.contains(word))
    };
    let mut steps = case.turn.steps.iter().rev();
    if !case.on(Guard::OtherStep) {
        return steps.find(|step| tells(step.text.as_str())).map(place_of);
    }
    if subject.is_bare() {
        return None;
    }
    let of_check = |line: &str| {
        let lower = line.to_lowercase();
        let mut words = lower.split(|c: char| !c.is_alphanumeric());
        subject.checks.is_empty()
            || words.any(|word| check_word(word).is_some_and(|kind| subject.checks.contains(&kind)))
    };
    let shows = |step: &&Step| {
        let fit = if subject.checks.is_empty() && !subject.remote {
            !reads_files(step)
        } else {
            asks_service(step)
        };
        // A line of a service's listing names what failed; a command's own words name it for all its lines.
        let by_call = subject.checks.is_empty() && !subject.remote && subject.is_in(&step.args);
        let own = |line: &str| tells(line) && of_check(line) && (by_call || subject.is_in(line));
        fit && step.text.as_str().lines().any(own)
    };
    steps.find(shows).map(place_of)
}

/// Whether all that a step did was to read files.
fn reads_files(step: &Step) -> bool {
    let reads = |act: &Act| {
        let log = act.reads.iter().any(|path| path.ends_with(".log"));
        act.effect == Effect::Read && !log
    };
    !step.acts.is_empty() && step.acts.iter().all(|act| act.noop || reads(act))
}

/// Whether a step asks a code host or its CI service.
fn asks_service(step: &Step) -> bool {
    step.acts
        .iter()
        .any(|act| matches!(act.program.as_str(), "gh" | "glab"))
}
