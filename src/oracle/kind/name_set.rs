//! `name-set`: the names that an answer lists.

mod aside;

use serde_json::Value;

use super::super::check::{Asked, Check, ParamError, Reads};
use super::super::grammar::{
    Answer, Asking, Claim, Facts, Listed, Phrase, Polarity, Stated, Tone, listed,
};
use super::super::sight::{Sight, tone};
use super::super::verdict::Component;
use super::params::{Common, FAIL, Params};
use super::{KeyShape, KindInfo, key, key_shape};
use aside::is;

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
        "named-in-passing",
        "set-aside-name",
        "count-of-a-whole",
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

/// How a listed name is said. `find: None where the key is not there` tells what it hands back, and denies nothing of it.
fn said(answer: &Answer<'_>, place: usize, end: usize) -> Polarity {
    const WHEN: [&str; 7] = ["for", "if", "on", "otherwise", "unless", "when", "where"];
    let describes = matches!(answer.word(end), ":" | "-")
        && is(answer.word(end + 1), &["no", "none", "nothing"])
        && is(answer.word(end + 2), &WHEN);
    match answer.said(place) {
        Polarity::Denied | Polarity::Open if describes && !answer.is_denied_before(place) => {
            Polarity::Asserted
        }
        own => own,
    }
}

impl NameSet {
    /// A name that does not belong fails where it is listed and not denied.
    fn excluded(&self, asked: &Asked<'_>, names: &[Phrase], facts: &mut Facts) {
        let (answer, guards) = (asked.answer, asked.guards);
        let listed = listed(answer);
        let sections = aside::sections(answer);
        for name in names {
            for place in name.places(answer) {
                let own = listed.get(place).copied().unwrap_or(Listed::No);
                if guards.hold("prose-lists-nothing", own == Listed::No) {
                    continue;
                }
                let end = place + name.len();
                let section = sections.get(answer.line(place)).copied().flatten();
                let told = [
                    aside::behind(answer, end),
                    aside::before(answer, place),
                    section,
                ];
                let out = told.contains(&Some(true));
                if guards.hold("set-aside-name", out) {
                    continue;
                }
                let doubted = told.contains(&Some(false));
                match said(answer, place, end) {
                    Polarity::Asserted if guards.hold("set-aside-name", doubted) => {
                        facts.unparsed();
                    }
                    Polarity::Asserted
                        if guards.hold("named-in-passing", own == Listed::Perhaps) =>
                    {
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

/// Whether a name is said as one of those that are asked for: not denied, not left open, not one of two of them, and not
/// taken out again.
fn is_given(answer: &Answer<'_>, names: &[Phrase], place: usize, end: usize) -> bool {
    let named = |index: usize| names.iter().any(|own| own.at(answer, index).is_some());
    let before = place.checked_sub(1).map_or("", |at| answer.word(at));
    let joined = place.checked_sub(2).map_or("", |at| answer.word(at));
    let either = is(before, &["either"])
        || is(before, &["or"]) && (joined == "," || place >= 2 && named(place - 2))
        || is(answer.word(end), &["or"]) && named(end + 1);
    !either
        && answer.said(place) == Polarity::Asserted
        && !is_asked(answer, place)
        && aside::behind(answer, end).is_none()
}

/// Whether a name stands in a question.
fn is_asked(answer: &Answer<'_>, place: usize) -> bool {
    let clause = answer.clause(place);
    let tokens = clause.map_or(0..0, |clause| answer.clause_tokens(clause));
    tokens.end > 0 && (answer.word(tokens.end - 1) == "?" || answer.word(tokens.end) == "?")
}

/// Whether a stated number is one of a larger whole, `of the 7 functions, 6 are public`.
fn is_whole(answer: &Answer<'_>, own: &Stated) -> bool {
    let skipped = ["the", "all", "these", "those", "its"];
    let before = (own.at.saturating_sub(3)..own.at)
        .rev()
        .map(|at| answer.word(at));
    let before = before.into_iter().find(|word| !is(word, &skipped));
    before.is_some_and(|word| is(word, &["of", "among", "from"]))
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
            let given = |place: &usize| is_given(answer, &names, *place, place + name.len());
            let named = !places.is_empty() && !places.iter().any(given);
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
            let (wholes, stated): (Vec<Stated>, Vec<Stated>) =
                stated.into_iter().partition(|own| {
                    asked.guards.hold(
                        "count-of-a-whole",
                        own.value != count && is_whole(answer, own),
                    )
                });
            if !wholes.is_empty() {
                facts.unparsed();
            }
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
            let own = |place: &usize| listed.get(*place).is_some_and(|own| *own != Listed::No);
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
