//! `level-assertion`: that everything is at one level, and nothing at another.

use serde_json::Value;

use super::super::check::{Asked, Check, ParamError, Reads};
use super::super::grammar::{Answer, Facts, Phrase, Polarity, Tone};
use super::super::sight::{Sight, tone};
use super::super::verdict::Component;
use super::params::{Common, Params, UNKNOWN};
use super::{KeyShape, KindInfo, key, key_shape};

const FAILING: &[&str] = &["levels", "missing"];

pub(super) const INFO: KindInfo = KindInfo {
    id: "level-assertion",
    question: "Does the answer put everything at this level, and nothing at the others?",
    failing: FAILING,
    unknown: &["unparsed", "key-shape"],
    guards: &[
        "key-shape",
        "denied-level",
        "open-level",
        "alternative-level",
        "another-script",
        "compared-level",
        "part-is-no-whole",
        "expected-only-unfailed",
        "absent-by-choice",
    ],
    readings: &[],
    reads: Reads::Text,
    page: include_str!("level-assertion.md"),
    key: KeyShape::fields(&["expected"]),
    parse,
};

#[derive(Debug)]
struct LevelAssertion {
    sensitive: bool,
    forbidden: Vec<Phrase>,
    common: Common,
}

fn parse(value: &Value) -> Result<Box<dyn Check>, ParamError> {
    let mut params = Params::new(value)?;
    let sensitive = params.choice("case", &["sensitive", "insensitive"])? == "sensitive";
    let forbidden = params.phrases_with_case("forbidden", sensitive)?;
    if forbidden.is_empty() {
        return Err(params.error("forbidden", "missing"));
    }
    let common = Common::read(&mut params, FAILING, UNKNOWN)?;
    params.finish()?;
    Ok(Box::new(LevelAssertion {
        sensitive,
        forbidden,
        common,
    }))
}

impl LevelAssertion {
    /// Whether `or` joins a level to the expected one.
    fn is_alternative(&self, answer: &Answer<'_>, place: usize, expected: &[Phrase]) -> bool {
        let joins = |index: usize| {
            answer.clause(index) == answer.clause(place)
                && (answer.word(index) == "/" || answer.word(index).eq_ignore_ascii_case("or"))
        };
        let level = |index: usize| expected.iter().any(|own| own.at(answer, index).is_some());
        joins(place + 1) && level(place + 2) || place >= 2 && joins(place - 1) && level(place - 2)
    }
}

/// How another level is held against this one.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Compared {
    /// What is spoken of is not at it: `below WARN`, `lower than WARN`.
    Below,
    /// What is spoken of may be at another forbidden one: `above WARN`.
    Above,
}

fn compared(answer: &Answer<'_>, place: usize) -> Option<Compared> {
    let word = |back: usize| match place.checked_sub(back) {
        Some(at) if answer.clause(at) == answer.clause(place) => answer.word(at),
        _ => "",
    };
    let is = |word: &str, words: &[&str]| words.iter().any(|own| own.eq_ignore_ascii_case(word));
    let than = is(word(1), &["than"]);
    if is(word(1), &["below", "under", "beneath"])
        || than && is(word(2), &["lower", "less", "milder", "severe"])
    {
        return Some(Compared::Below);
    }
    let above = is(word(1), &["above", "over", "beyond"]) || than;
    above.then_some(Compared::Above)
}

/// The levels at which everything is to be.
fn expected(key: &Value) -> Option<Vec<&str>> {
    match key::main(key, "expected")? {
        Value::String(level) => Some(vec![level.as_str()]),
        value => key::texts(value).filter(|levels| !levels.is_empty()),
    }
}

impl Check for LevelAssertion {
    fn ask(&self, asked: &Asked<'_>) -> Component {
        let Some(expected) = expected(asked.key) else {
            return key_shape(asked);
        };
        let (answer, guards) = (asked.answer, asked.guards);
        let mut facts = Facts::default();
        let expected: Vec<Phrase> = expected
            .into_iter()
            .map(|level| Phrase::with_case(level, self.sensitive))
            .collect();
        let mut asserted = false;
        for level in &self.forbidden {
            for place in level.places(answer) {
                let compared = compared(answer, place);
                if guards.hold("compared-level", compared == Some(Compared::Below)) {
                    continue;
                }
                let foreign = answer.is_foreign(place);
                let either = self.is_alternative(answer, place, &expected);
                match answer.said(place) {
                    Polarity::Asserted
                        if guards.hold("another-script", foreign)
                            || guards.hold("alternative-level", either)
                            || guards.hold("compared-level", compared.is_some()) =>
                    {
                        facts.unparsed();
                    }
                    Polarity::Open if guards.on("open-level") => facts.unparsed(),
                    Polarity::Denied if guards.on("denied-level") => {}
                    Polarity::Asserted | Polarity::Open | Polarity::Denied => asserted = true,
                }
            }
        }
        if guards.hold("expected-only-unfailed", asserted) {
            return Component::fail(self.common.reason("levels"));
        }
        if asserted {
            facts.fail(self.common.reason("levels"));
        }
        let absent = self.common.absent_in(asked, "missing");
        for level in expected {
            let places = level.places(answer);
            let said = |place: &usize| answer.said(*place) == Polarity::Asserted;
            let part = |place: &usize| {
                let end = place + level.len();
                guards.hold("part-is-no-whole", answer.is_partial(*place, end))
            };
            if places.iter().any(said) && !places.iter().any(part) {
                continue;
            }
            match absent {
                Some(reason) if places.is_empty() => facts.fail(reason),
                _ => facts.unparsed(),
            }
        }
        facts.finish()
    }

    fn sight(&self, asked: &Asked<'_>) -> Sight {
        let answer = asked.answer;
        let mut sight = Sight::default();
        for level in &self.forbidden {
            for place in level.places(answer) {
                let said = answer.said(place);
                sight.tokens(answer, (place, place + level.len()), tone(said));
            }
        }
        for level in expected(asked.key).unwrap_or_default() {
            let phrase = Phrase::with_case(level, self.sensitive);
            let places = phrase.places(answer);
            if places.is_empty() {
                sight.misses(level);
            }
            for place in places {
                let tokens = (place, place + phrase.len());
                let own = match tone(answer.said(place)) {
                    Tone::Plain if answer.is_partial(tokens.0, tokens.1) => Tone::Hedged,
                    own => own,
                };
                sight.tokens(answer, tokens, own);
            }
        }
        sight
    }
}
