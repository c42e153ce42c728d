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

/// Whether a remark behind a name takes it out of the list, `tick (private, not counted)`, or may (`false`): it denies
/// something, and of what is not known.
fn set_aside(answer: &Answer<'_>, end: usize) -> Option<bool> {
    const COUNTED: [&str; 14] = [
        "a",
        "an",
        "considered",
        "counted",
        "exported",
        "in",
        "included",
        "listed",
        "meant",
        "one",
        "part",
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
    let clause = answer.clause(end)?;
    let is = |word: &str, words: &[&str]| words.iter().any(|own| own.eq_ignore_ascii_case(word));
    let word = |at: usize| match answer.clause(at) {
        Some(own) if own == clause => answer.word(at),
        _ => "",
    };
    if !matches!(word(end), "(" | "[" | ":" | "-" | ",") {
        return None;
    }
    let bracket = matches!(word(end), "(" | "[");
    answer.step(REMARK);
    let mut aside = None;
    for at in end + 1..end + REMARK {
        let own = word(at);
        if own.is_empty() || bracket && matches!(own, ")" | "]") || !bracket && own == "," {
            break;
        }
        if is(own, &OUT) {
            return Some(true);
        }
        if is(own, &["not", "never", "t"]) {
            if is(word(at + 1), &COUNTED) {
                return Some(true);
            }
            aside = Some(false);
        }
    }
    aside
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
                let aside = set_aside(answer, place + name.len());
                if guards.hold("set-aside-name", aside == Some(true)) {
                    continue;
                }
                match answer.said(place) {
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
