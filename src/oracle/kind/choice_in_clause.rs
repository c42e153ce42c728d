//! `choice-in-clause`: one of several words, in the clause of an anchor.

use std::collections::BTreeSet;

use serde_json::Value;

use super::super::check::{Asked, Check, ParamError, Reads};
use super::super::grammar::{Answer, Claim, Equal, Facts, Phrase, Tone};
use super::super::sight::{Sight, tone};
use super::super::verdict::Component;
use super::params::{Common, Params, UNKNOWN};
use super::{KeyShape, KindInfo, key, key_shape};

const FAILING: &[&str] = &["choice", "missing"];

pub(super) const INFO: KindInfo = KindInfo {
    id: "choice-in-clause",
    question: "Which of these words does the answer choose where it names the anchor?",
    failing: FAILING,
    unknown: &["unparsed", "key-shape"],
    guards: &[
        "key-shape",
        "unique-anywhere",
        "two-choices",
        "absent-by-choice",
    ],
    readings: &[],
    reads: Reads::Text,
    page: include_str!("choice-in-clause.md"),
    key: KeyShape::fields(&["value"]),
    parse,
};

#[derive(Debug)]
struct Choice {
    anchors: Vec<Phrase>,
    choices: Vec<(String, Phrase)>,
    /// Texts that end the anchor's clause, beside a line's end.
    stops: Vec<String>,
    anywhere: bool,
    common: Common,
}

fn parse(value: &Value) -> Result<Box<dyn Check>, ParamError> {
    let mut params = Params::new(value)?;
    let anchors = params.some_phrases("anchor")?;
    params.some_phrases("choices")?;
    let choices: Vec<(String, Phrase)> = params
        .texts("choices")?
        .into_iter()
        .map(|text| (text.to_lowercase(), Phrase::new(text)))
        .collect();
    let given = params.texts("clause-stops")?;
    let given = if given.is_empty() {
        vec![";", ". "]
    } else {
        given
    };
    let stops = given.into_iter().map(str::to_owned).collect();
    let anywhere = params.choice("fallback", &["none", "unique-anywhere"])? == "unique-anywhere";
    let common = Common::read(&mut params, FAILING, UNKNOWN)?;
    params.finish()?;
    Ok(Box::new(Choice {
        anchors,
        choices,
        stops,
        anywhere,
        common,
    }))
}

impl Choice {
    /// Where clauses end, in order.
    fn stops(&self, answer: &Answer<'_>) -> Vec<usize> {
        let text = answer.text().as_bytes();
        let lines = memchr::memchr_iter(b'\n', text);
        let mut stops: Vec<usize> = lines.collect();
        for stop in &self.stops {
            answer.step(text.len());
            stops.extend(memchr::memmem::find_iter(text, stop.as_bytes()));
        }
        stops.sort_unstable();
        stops
    }

    /// The choices, by number, with how each is said and its token; only those after an anchor in its clause,
    /// or all.
    fn found(&self, answer: &Answer<'_>, everywhere: bool) -> Vec<(usize, Tone, usize)> {
        answer.step(answer.len() * (self.anchors.len() + self.choices.len()));
        let stops = self.stops(answer);
        let mut next = 0;
        let mut open = everywhere;
        let mut out = Vec::new();
        for index in 0..answer.len() {
            let (start, _) = answer.range(index);
            while stops.get(next).is_some_and(|stop| *stop <= start) {
                next += 1;
                open = everywhere;
            }
            if self
                .anchors
                .iter()
                .any(|anchor| anchor.at(answer, index).is_some())
            {
                open = true;
                continue;
            }
            if !open {
                continue;
            }
            let choices = self.choices.iter().enumerate();
            let found = choices.filter(|(_, (_, phrase))| phrase.at(answer, index).is_some());
            if let Some((number, _)) = found.max_by_key(|(_, (_, phrase))| phrase.len()) {
                let before = index.checked_sub(1).map_or("", |at| answer.word(at));
                let tone = match before.eq_ignore_ascii_case("against") {
                    true => Tone::Denied,
                    false => tone(answer.said(index)),
                };
                out.push((number, tone, index));
            }
        }
        out
    }

    /// The choices that count: those of the anchor, or else, where that is asked for, of the whole answer.
    fn chosen(&self, asked: &Asked<'_>) -> Vec<(usize, Tone, usize)> {
        let found = self.found(asked.answer, false);
        let anywhere = self.anywhere || !asked.guards.on("unique-anywhere");
        match found.is_empty() && anywhere {
            true => self.found(asked.answer, true),
            false => found,
        }
    }
}

impl Check for Choice {
    fn ask(&self, asked: &Asked<'_>) -> Component {
        let expected = key::main(asked.key, "value").and_then(key::text);
        let expected = expected.and_then(|text| {
            let text = text.to_lowercase();
            self.choices.iter().position(|(choice, _)| *choice == text)
        });
        let Some(expected) = expected else {
            return key_shape(asked);
        };
        let found = self.chosen(asked);
        let mut facts = Facts::default();
        let said = found.iter().filter(|(_, tone, _)| *tone != Tone::Denied);
        let distinct: BTreeSet<usize> = said.map(|(number, ..)| *number).collect();
        if asked.guards.hold("two-choices", distinct.len() > 1) {
            facts.unparsed();
            return facts.finish();
        }
        let claims: Vec<Claim> = found
            .into_iter()
            .map(|(number, tone, _)| Claim {
                equal: Equal::from(number == expected),
                tone,
            })
            .collect();
        let absent = self.common.absent(asked.guards, "missing");
        facts.decide(&claims, self.common.reason("choice"), absent);
        facts.finish()
    }

    fn sight(&self, asked: &Asked<'_>) -> Sight {
        let mut sight = Sight::default();
        for (number, tone, token) in self.chosen(asked) {
            let long = self.choices.get(number).map_or(1, |(_, own)| own.len());
            sight.tokens(asked.answer, (token, token + long), tone);
        }
        sight
    }
}
