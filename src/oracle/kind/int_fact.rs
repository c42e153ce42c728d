//! `int-fact`: one integer that an answer states.

use serde_json::Value;

use super::super::check::{Asked, Check, ParamError, Readings, Reads};
use super::super::grammar::{
    Answer, Asking, Claim, Direction, Facts, Phrase, Single, Stated, single,
};
use super::super::guard::Guards;
use super::super::sight::Sight;
use super::super::verdict::Component;
use super::params::{Common, Params, UNKNOWN};
use super::{KeyShape, KindInfo, key, key_shape};

const FAILING: &[&str] = &["value", "missing"];

pub(super) const INFO: KindInfo = KindInfo {
    id: "int-fact",
    question: "Does the answer state this integer, and no other in its place?",
    failing: FAILING,
    unknown: &["unparsed", "key-shape"],
    guards: &[
        "key-shape",
        "bare-first",
        "labels-before-clauses",
        "fallback-only-unstated",
        "unless-named",
        "exact-positions",
        "parts-of-a-whole",
        "another-script",
        "absent-by-choice",
    ],
    readings: &[],
    reads: Reads::Text,
    page: include_str!("int-fact.md"),
    key: KeyShape::Table {
        own: &["value"],
        rows: &["whole-word", "substring", "alnum-boundary"],
    },
    parse,
};

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Fallback {
    None,
    Bare,
    AnyInt,
    /// The integer at this place, of exactly so many.
    Positional(usize, usize),
}

#[derive(Debug)]
struct IntFact {
    asking: Asking,
    anchors: Vec<Phrase>,
    unless: Vec<Phrase>,
    fallback: Fallback,
    common: Common,
}

pub(super) fn asking(params: &mut Params<'_>) -> Result<Asking, ParamError> {
    let direction = match params.choice("direction", &["both", "before", "after"])? {
        "before" => Direction::Before,
        "after" => Direction::After,
        _ => Direction::Both,
    };
    Ok(Asking {
        labels: params.phrases("labels")?,
        nouns: params.phrases("nouns")?,
        skip: params.phrases("skip")?,
        direction,
        stop_nouns: params.phrases("stop-nouns")?,
        min_value: params.int("min-value")?.map(i128::from),
        number_words: params.flag("number-words", false)?,
        split_fields: false,
    })
}

fn parse(value: &Value) -> Result<Box<dyn Check>, ParamError> {
    let mut params = Params::new(value)?;
    let asking = asking(&mut params)?;
    let anchors = params.phrases("anchors")?;
    let unless = params.phrases("unless")?;
    let place = params.int("position")?;
    let places = params.int("positions")?;
    let fallback = match params.choice("fallback", &["none", "bare", "any-int", "positional"])? {
        "bare" => Fallback::Bare,
        "any-int" => Fallback::AnyInt,
        "positional" => positional(&params, place, places)?,
        _ => Fallback::None,
    };
    if asking.labels.is_empty() && anchors.is_empty() && fallback == Fallback::None {
        return Err(params.error("labels", "missing"));
    }
    let common = Common::read(&mut params, FAILING, UNKNOWN)?;
    params.finish()?;
    Ok(Box::new(IntFact {
        asking,
        anchors,
        unless,
        fallback,
        common,
    }))
}

fn positional(
    params: &Params<'_>,
    place: Option<i64>,
    places: Option<i64>,
) -> Result<Fallback, ParamError> {
    let size = |value: Option<i64>| value.and_then(|value| usize::try_from(value).ok());
    let places = size(places).ok_or_else(|| params.error("positions", "missing"))?;
    match size(place) {
        Some(place) if (1..=places).contains(&place) => Ok(Fallback::Positional(place, places)),
        Some(_) => Err(params.error("position", "unknown-value")),
        None => Err(params.error("position", "missing")),
    }
}

/// The key's integer. Where it has one for each reading of what a line with a word is, the spec
/// chose which.
fn expected(key: &Value, readings: &Readings) -> Option<i128> {
    let value = key::main(key, "value")?;
    if let Value::Object(values) = value {
        let chosen = ["lines-containing", "lines-with-word"]
            .iter()
            .find_map(|id| values.get(readings.get(id)));
        return chosen.and_then(key::int);
    }
    key::int(value)
}

impl IntFact {
    fn stated(&self, answer: &Answer<'_>, guards: Guards<'_>) -> Vec<Stated> {
        if self.fallback != Fallback::None && guards.on("bare-first") {
            let bare = self.asking.bare(answer);
            if !bare.is_empty() {
                return bare;
            }
        }
        let labelled = self.asking.by_label(answer);
        let anchored = match self.anchors.is_empty() {
            true => Vec::new(),
            false => self.asking.by_clause(answer, &self.anchors),
        };
        let (first, second) = match guards.on("labels-before-clauses") {
            true => (labelled, anchored),
            false => (anchored, labelled),
        };
        let said = if first.is_empty() { second } else { first };
        let last = self.fallback == Fallback::None;
        if !said.is_empty() && (last || guards.on("fallback-only-unstated")) {
            return said;
        }
        let named = |phrase: &Phrase| !phrase.places(answer).is_empty();
        if self.unless.iter().any(named) && guards.on("unless-named") {
            return Vec::new();
        }
        match self.fallback {
            Fallback::None | Fallback::Bare => Vec::new(),
            Fallback::AnyInt => self.asking.everywhere(answer),
            Fallback::Positional(place, places) => {
                let all = self.asking.everywhere(answer);
                let one = all.get(place - 1).copied();
                let exact = all.len() == places || !guards.on("exact-positions");
                one.filter(|_| exact).into_iter().collect()
            }
        }
    }
}

impl Check for IntFact {
    fn ask(&self, asked: &Asked<'_>) -> Component {
        let Some(expected) = expected(asked.key, asked.readings) else {
            return key_shape(asked);
        };
        let stated = self.stated(asked.answer, asked.guards);
        let claims: Vec<Claim> = stated
            .iter()
            .map(|stated| stated.against(expected))
            .collect();
        let mut facts = Facts::default();
        let parts = single(&claims) == Single::Wrong
            && self.asking.adds_up(asked.answer, &stated, expected);
        if asked.guards.hold("parts-of-a-whole", parts) {
            facts.unparsed();
            return facts.finish();
        }
        let absent = self.common.absent_in(asked, "missing");
        facts.decide(&claims, self.common.reason("value"), absent);
        facts.finish()
    }

    fn sight(&self, asked: &Asked<'_>) -> Sight {
        let mut sight = Sight::default();
        for own in self.stated(asked.answer, asked.guards) {
            sight.tokens(asked.answer, (own.at, own.at + 1), own.tone);
        }
        sight
    }
}
