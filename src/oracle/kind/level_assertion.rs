//! `level-assertion`: that everything is at one level, and nothing at another.

use serde_json::Value;

use super::super::check::{Asked, Check, ParamError, Reads};
use super::super::grammar::{Answer, Facts, Phrase, Polarity};
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
                let foreign = answer.is_foreign(place);
                let either = self.is_alternative(answer, place, &expected);
                match answer.said(place) {
                    Polarity::Asserted
                        if guards.hold("another-script", foreign)
                            || guards.hold("alternative-level", either) =>
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
        for level in expected {
            let places = level.places(answer);
            let said = |place: &usize| answer.said(*place) == Polarity::Asserted;
            if places.iter().any(said) {
                continue;
            }
            match self.common.absent(asked.guards, "missing") {
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
            if phrase.places(answer).is_empty() {
                sight.misses(level);
            }
        }
        sight
    }
}
