//! `hex-digest`: a digest in hexadecimal digits.

use serde_json::Value;

use super::super::check::{Asked, Check, ParamError, Reads};
use super::super::grammar::{Answer, Claim, Equal, Facts, Kind, Tone};
use super::super::guard::Guards;
use super::super::sight::{Sight, tone};
use super::super::verdict::Component;
use super::params::{Common, FAIL, Params};
use super::{KeyShape, KindInfo, key, key_shape};

const FAILING: &[&str] = &["digest", "missing"];

pub(super) const INFO: KindInfo = KindInfo {
    id: "hex-digest",
    question: "Does the answer state this digest, and no other of its length?",
    failing: FAILING,
    unknown: &["unparsed", "key-shape"],
    guards: &[
        "key-shape",
        "whole-digest",
        "shown-command",
        "absent-by-choice",
    ],
    readings: &[],
    reads: Reads::Text,
    page: include_str!("hex-digest.md"),
    key: KeyShape::fields(&["value"]),
    parse,
};

#[derive(Debug)]
struct HexDigest {
    length: usize,
    common: Common,
}

fn parse(value: &Value) -> Result<Box<dyn Check>, ParamError> {
    let mut params = Params::new(value)?;
    let length = params
        .int("length")?
        .ok_or_else(|| params.error("length", "missing"))?;
    let length = usize::try_from(length)
        .ok()
        .filter(|length| (8..=256).contains(length));
    let length = length.ok_or_else(|| params.error("length", "unknown-value"))?;
    let common = Common::read(&mut params, FAILING, FAIL)?;
    params.finish()?;
    Ok(Box::new(HexDigest { length, common }))
}

/// A digest, how it is said, and its token.
type Stated = (String, Tone, usize);

impl HexDigest {
    /// The digests that are stated, and whether one is shown in a command.
    fn stated(&self, answer: &Answer<'_>, guards: Guards<'_>) -> (bool, Vec<Stated>) {
        answer.step(answer.len());
        let mut shown = false;
        let mut out = Vec::new();
        for index in 0..answer.len() {
            if answer.kind(index) == Some(Kind::Mark) {
                continue;
            }
            let word = answer.word(index);
            let digits = word.strip_prefix("0x").unwrap_or(word);
            let digits = match digits.get(..self.length) {
                Some(part) if !guards.on("whole-digest") => part,
                _ => digits,
            };
            if digits.len() != self.length || !digits.bytes().all(|byte| byte.is_ascii_hexdigit()) {
                continue;
            }
            let own = answer.is_shown(index);
            if guards.hold("shown-command", own) {
                shown = true;
                continue;
            }
            let tone = match own {
                true => Tone::Plain,
                // A digest without letters is an integer.
                false if matches!(answer.kind(index), Some(Kind::Int(_))) => {
                    tone(answer.said_int(index))
                }
                false => tone(answer.said(index)),
            };
            out.push((digits.to_ascii_lowercase(), tone, index));
        }
        (shown, out)
    }
}

impl Check for HexDigest {
    fn ask(&self, asked: &Asked<'_>) -> Component {
        let expected = key::main(asked.key, "value").and_then(key::text);
        let expected = expected.map(|text| text.trim().to_ascii_lowercase());
        let Some(expected) = expected.filter(|text| text.len() == self.length) else {
            return key_shape(asked);
        };
        let (shown, stated) = self.stated(asked.answer, asked.guards);
        let mut facts = Facts::default();
        if stated.is_empty() && shown {
            facts.unparsed();
            return facts.finish();
        }
        let claims: Vec<Claim> = stated
            .into_iter()
            .map(|(digest, tone, _)| Claim {
                equal: Equal::from(digest == expected),
                tone,
            })
            .collect();
        let absent = self.common.absent(asked.guards, "missing");
        facts.decide(&claims, self.common.reason("digest"), absent);
        facts.finish()
    }

    fn sight(&self, asked: &Asked<'_>) -> Sight {
        let mut sight = Sight::default();
        for (_, tone, token) in self.stated(asked.answer, asked.guards).1 {
            sight.tokens(asked.answer, (token, token + 1), tone);
        }
        sight
    }
}
