//! `name-set`: the names that an answer lists.

use serde_json::Value;

use super::super::check::{Asked, Check, ParamError, Reads};
use super::super::grammar::{Answer, Asking, Claim, Facts, Phrase, Polarity, Tone, listed};
use super::super::sight::{Sight, tone};
use super::super::verdict::Component;
use super::params::{Common, FAIL, Params};
use super::{KeyShape, KindInfo, key, key_shape};

const FAILING: &[&str] = &["names-missing", "name-excluded", "count"];

pub(super) const INFO: KindInfo = KindInfo {
    id: "name-set",
    question: "Does the answer list every one of these names, none of the others, and count right?",
    failing: FAILING,
    unknown: &["unparsed", "key-shape"],
    guards: &[
        "key-shape",
        "absent-by-choice",
        "prose-lists-nothing",
        "denied-name",
        "set-aside-name",
        "unstated-count",
        "another-script",
    ],
    readings: &[],
    reads: Reads::Text,
    page: include_str!("name-set.md"),
    key: KeyShape::fields(&["names", "distractors"]),
    parse,
};

#[derive(Debug)]
struct NameSet {
    asking: Asking,
    common: Common,
}

fn parse(value: &Value) -> Result<Box<dyn Check>, ParamError> {
    let mut params = Params::new(value)?;
    let asking = Asking {
        labels: params.phrases("count-labels")?,
        nouns: params.phrases("nouns")?,
        ..Asking::default()
    };
    let common = Common::read(&mut params, FAILING, FAIL)?;
    params.finish()?;
    Ok(Box::new(NameSet { asking, common }))
}

fn phrases(names: Option<Vec<&str>>) -> Option<Vec<Phrase>> {
    let phrases = names?.into_iter().map(|name| Phrase::with_case(name, true));
    let phrases: Vec<Phrase> = phrases.collect();
    phrases
        .iter()
        .all(|phrase| !phrase.is_empty())
        .then_some(phrases)
}

/// Words that a remark behind a name is looked at for.
const REMARK: usize = 16;

fn is(word: &str, words: &[&str]) -> bool {
    words.iter().any(|own| own.eq_ignore_ascii_case(word))
}

fn is_no(word: &str) -> bool {
    is(word, &["not", "never", "t"])
}

/// Whether words begin with one that takes a name out of a list, and not with one that describes it: `excluded from the
/// count`, `not counted`, and neither `skipped rows` nor `not in the table`.
fn takes_out(words: &[&str]) -> bool {
    const BEHIND: [&str; 15] = [
        "and", "as", "because", "by", "for", "from", "here", "in", "on", "outside", "per", "since",
        "so", "though", "too",
    ];
    const LIST: [&str; 6] = ["answer", "api", "count", "interface", "list", "set"];
    let verbs = ["is", "was", "isn", "wasn", "'"];
    let from = words.iter().position(|own| !is(own, &verbs));
    let words = words.get(from.unwrap_or(0)..).unwrap_or(&[]);
    let stops = |rest: &[&str]| {
        let next = rest.first().copied().unwrap_or("");
        !next.contains(char::is_alphanumeric) || is(next, &BEHIND)
    };
    let lists = |rest: &[&str]| {
        let between = ["of", "the", "this", "your", "public"];
        let next = rest.iter().find(|own| !is(own, &between));
        next.is_some_and(|own| is(own, &LIST))
    };
    match words {
        [first, rest @ ..] if is(first, &OUT) => stops(rest),
        [no, own, rest @ ..] if is_no(no) && is(own, &COUNTED) => stops(rest) || lists(rest),
        [no, own, rest @ ..] if is_no(no) && is(own, &["a", "an", "in", "one", "part"]) => {
            rest.is_empty() || lists(rest)
        }
        _ => false,
    }
}

const COUNTED: [&str; 9] = [
    "considered",
    "counted",
    "exported",
    "included",
    "listed",
    "meant",
    "public",
    "relevant",
    "required",
];
const OUT: [&str; 8] = [
    "excluded",
    "excluding",
    "ignored",
    "omitted",
    "removed",
    "separate",
    "skipped",
    "uncounted",
];

/// Whether a remark behind a name takes it out of the list, `tick (private, not counted)`, or may (`false`): it denies
/// something, and of what is not known. A remark without brackets is most often a description: only its first words
/// are about the list.
fn set_aside(answer: &Answer<'_>, end: usize) -> Option<bool> {
    let clause = answer.clause(end)?;
    let open = answer.word(end);
    if !matches!(open, "(" | "[" | ":" | "-" | ",") {
        return None;
    }
    let bracket = matches!(open, "(" | "[");
    let close: &[&str] = if bracket { &[")", "]"] } else { &[","] };
    answer.step(REMARK);
    let own = (end + 1..end + REMARK).take_while(|at| answer.clause(*at) == Some(clause));
    let own = own.map(|at| answer.word(at));
    let mut words: Vec<&str> = own.take_while(|own| !close.contains(own)).collect();
    let whole = words.len() + 1 < REMARK;
    while words
        .last()
        .is_some_and(|own| matches!(*own, "." | "!" | ";"))
    {
        words.pop();
    }
    let mut parts = words.split(|own| *own == ",");
    if parts.any(takes_out) {
        return Some(true);
    }
    let denies = match bracket {
        true => words.iter().any(|own| is_no(own) || is(own, &OUT)),
        false => words.first().is_some_and(|own| is_no(own)),
    };
    let last = words.len().saturating_sub(1);
    let ends = whole
        && (last.saturating_sub(1)..=last).any(|at| takes_out(words.get(at..).unwrap_or(&[])));
    (denies || ends).then_some(false)
}

/// How a listed name is said. `find: None where the key is not there` tells what it hands back, and denies nothing of it.
fn said(answer: &Answer<'_>, place: usize, end: usize) -> Polarity {
    const WHEN: [&str; 7] = ["for", "if", "on", "otherwise", "unless", "when", "where"];
    let describes = matches!(answer.word(end), ":" | "-")
        && is(answer.word(end + 1), &["no", "none", "nothing"])
        && is(answer.word(end + 2), &WHEN);
    match answer.said(place) {
        Polarity::Denied if describes && !answer.is_denied_before(place) => Polarity::Asserted,
        own => own,
    }
}

impl NameSet {
    /// A name that does not belong fails where it is listed and not denied.
    fn excluded(&self, asked: &Asked<'_>, names: &[Phrase], facts: &mut Facts) {
        let (answer, guards) = (asked.answer, asked.guards);
        let listed = listed(answer);
        for name in names {
            for place in name.places(answer) {
                let own = listed.get(place).copied().unwrap_or(false);
                if guards.hold("prose-lists-nothing", !own) {
                    continue;
                }
                let end = place + name.len();
                let aside = set_aside(answer, end);
                if guards.hold("set-aside-name", aside == Some(true)) {
                    continue;
                }
                match said(answer, place, end) {
                    Polarity::Asserted if guards.hold("set-aside-name", aside.is_some()) => {
                        facts.unparsed();
                    }
                    Polarity::Asserted
                        if guards.hold("another-script", answer.is_foreign(place)) =>
                    {
                        facts.unparsed();
                    }
                    Polarity::Denied if guards.on("denied-name") => {}
                    Polarity::Open => facts.unparsed(),
                    Polarity::Asserted | Polarity::Denied => {
                        facts.fail(self.common.reason("name-excluded"));
                    }
                }
            }
        }
    }
}

impl Check for NameSet {
    fn ask(&self, asked: &Asked<'_>) -> Component {
        let names = phrases(key::main(asked.key, "names").and_then(key::texts));
        let others = match key::field(asked.key, "distractors") {
            None => Some(Vec::new()),
            Some(value) => phrases(key::texts(value)),
        };
        let (Some(names), Some(others)) = (names, others) else {
            return key_shape(asked);
        };
        let answer = asked.answer;
        let mut facts = Facts::default();
        let mut missing = false;
        for name in &names {
            let places = name.places(answer);
            missing |= places.is_empty();
            let denied = |place: &usize| answer.said(*place) == Polarity::Denied;
            let named = !places.is_empty() && places.iter().all(denied);
            if asked.guards.hold("denied-name", named) {
                facts.unparsed();
            }
        }
        if missing {
            match self.common.absent(asked.guards, "names-missing") {
                Some(reason) => facts.fail(reason),
                None => facts.unparsed(),
            }
        }
        self.excluded(asked, &others, &mut facts);
        let stated = self.asking.by_label(answer);
        // A count that is only denied is none.
        let told = stated.iter().any(|own| own.tone != Tone::Denied);
        if told || !asked.guards.on("unstated-count") {
            let count = i128::try_from(names.len()).unwrap_or(i128::MAX);
            let claims: Vec<Claim> = stated.into_iter().map(|own| own.against(count)).collect();
            facts.decide(&claims, self.common.reason("count"), None);
        }
        facts.finish()
    }

    fn sight(&self, asked: &Asked<'_>) -> Sight {
        let answer = asked.answer;
        let mut sight = Sight::default();
        for name in key::main(asked.key, "names")
            .and_then(key::texts)
            .unwrap_or_default()
        {
            let places = Phrase::with_case(name, true).places(answer);
            let denied = |place: &usize| answer.said(*place) == Polarity::Denied;
            match places.first() {
                None => sight.misses(name),
                Some(first) if places.iter().all(denied) => {
                    sight.tokens(answer, (*first, *first + 1), Tone::Denied);
                }
                Some(_) => {}
            }
        }
        let others = key::field(asked.key, "distractors").and_then(key::texts);
        let listed = listed(answer);
        for name in phrases(others).unwrap_or_default() {
            let own = |place: &usize| listed.get(*place).copied().unwrap_or(false);
            for place in name.places(answer).into_iter().filter(own) {
                sight.tokens(
                    answer,
                    (place, place + name.len()),
                    tone(answer.said(place)),
                );
            }
        }
        for own in self.asking.by_label(answer) {
            sight.tokens(answer, (own.at, own.at + 1), own.tone);
        }
        sight
    }
}
