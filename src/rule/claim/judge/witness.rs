//! Which step of the turn ran or looked at what a statement names.

use std::collections::BTreeMap;

use super::Case;
use super::relevance::terms;
use crate::rule::evidence::Term;
use crate::turn::{Act, Step};

/// What a name weighs against a word.
const NAME: usize = 8;
/// What a word weighs.
const WORD: usize = 4;

/// What the steps of a turn come to for a statement.
pub(super) enum Witness<'a> {
    /// The statement has no words of its own.
    Nameless,
    /// This step holds a name of the statement, or at least half of its words.
    Shown(&'a Step),
    /// None does.
    Unseen,
}

/// Where a statement's words are looked for.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum In {
    /// In the call: what was run is named by it.
    Calls,
    /// In what came back, too.
    Results,
}

/// Seeks the step that holds most of what a statement names, among those that are asked for; the
/// latest of several.
pub(super) fn witness<'a>(
    case: &Case<'a>,
    place: In,
    asked: impl Fn(&Step) -> bool,
) -> Witness<'a> {
    let own = terms(case.text());
    // "Confirmed: remote `main` points to …": what it is about stands behind it.
    let terms = if own.is_empty() {
        terms(case.sentence())
    } else {
        own
    };
    let enough = |held: Held, all: usize| held.named || held.plain * 2 >= all;
    witness_of(case, place, &terms, enough, asked)
}

/// The same for words that are chosen, and where what a step holds of them must be enough.
pub(super) fn witness_of<'a>(
    case: &Case<'a>,
    place: In,
    terms: &[Term],
    enough: impl Fn(Held, usize) -> bool,
    asked: impl Fn(&Step) -> bool,
) -> Witness<'a> {
    if terms.is_empty() {
        return Witness::Nameless;
    }
    let steps = case.turn.steps.as_slice();
    let mut all = 0;
    let mut sums: BTreeMap<usize, Held> = BTreeMap::new();
    for term in terms {
        let full = match term {
            Term::Name(_) => NAME,
            Term::Word(_) => WORD,
        };
        all += full;
        let (numbers, count) = holding(case, place, term);
        // A word that most steps hold tells none from another.
        let common = steps.len() > 3 && count * 2 > steps.len();
        for number in numbers {
            let held = sums.entry(number).or_default();
            held.plain += full;
            held.rare += if common { full / 2 } else { full };
            held.named |= matches!(term, Term::Name(_)) && !common;
        }
    }
    let fits = |(number, held): (usize, Held)| {
        let step = steps.get(number).filter(|step| asked(step))?;
        enough(held, all).then_some((held.rare, number, step))
    };
    let best = sums.into_iter().filter_map(fits);
    match best.max_by_key(|(sum, number, _)| (*sum, *number)) {
        Some((.., step)) => Witness::Shown(step),
        None => Witness::Unseen,
    }
}

/// The steps that hold a word, and how many there are. A name that is a plain word stands within others,
/// too, and a commit is named by the beginning of its hash.
fn holding(case: &Case<'_>, place: In, term: &Term) -> (Vec<usize>, usize) {
    let steps = case.turn.steps.as_slice();
    let sights = &case.ledger.sights;
    let of = |term: &Term| match place {
        In::Calls => sights.calling(steps, term),
        In::Results => sights.holding(steps, term),
    };
    let found = of(term);
    match term {
        Term::Name(name) if found.1 == 0 && name.bytes().all(|b| b.is_ascii_alphabetic()) => {
            of(&Term::Word(name.clone()))
        }
        // Another step may spell the same commit in full, whether or not one spells its beginning.
        Term::Name(name) if place == In::Results && is_hash(name) => {
            let spelled = |number: usize| found.0.contains(&number);
            let shows = |step: &Step| step.text.as_str().contains(name.as_str());
            let all = steps.iter().enumerate();
            let numbers: Vec<usize> = all
                .filter(|(at, step)| spelled(*at) || shows(step))
                .map(|(at, _)| at)
                .collect();
            let count = numbers.len();
            (numbers, count)
        }
        _ => found,
    }
}

fn is_hash(name: &str) -> bool {
    (7..=40).contains(&name.len())
        && name.bytes().all(|byte| byte.is_ascii_hexdigit())
        && name.bytes().any(|byte| byte.is_ascii_digit())
}

/// Whether a step hands a message of the agent's on: what it says shows nothing.
pub(super) fn hands_on(step: &Step) -> bool {
    const RUNS: [&str; 12] = [
        "python", "python3", "node", "perl", "ruby", "bash", "sh", "zsh", "sed", "awk", "jq", "bun",
    ];
    const LOOKS: [&str; 4] = ["rg", "grep", "curl", "git"];
    let sentence = |word: &str| word.split_whitespace().nth(3).is_some();
    let hands = |act: &Act| {
        let program = act.program.as_str();
        let own = RUNS.contains(&program) || LOOKS.contains(&program) || act.verify.is_some();
        act.shell && !own && !act.noop && act.argv().any(sentence)
    };
    !step.published.is_empty() || step.acts.iter().any(hands)
}

/// How much of a statement's words a step holds.
#[derive(Default, Clone, Copy)]
pub(super) struct Held {
    /// Every word for itself.
    pub(super) plain: usize,
    rare: usize,
    named: bool,
}
