//! `sentinel`: a value that only the right tree holds.

use serde_json::Value;

use super::super::check::{Asked, Check, ParamError, Reads};
use super::super::evidence::{Evidence, Weighed};
use super::super::grammar::{Answer, Asking, Claim, Facts, Tone};
use super::super::guard::Guards;
use super::super::verdict::Component;
use super::find::{in_name, stands};
use super::literal::Literal;
use super::params::{Common, Params};
use super::{KeyShape, KindInfo, key, key_shape, unseen};

const FAILING: &[&str] = &[
    "sentinel-missing",
    "path-only",
    "sibling-value",
    "inventory-missing",
    "count",
];

pub(super) const INFO: KindInfo = KindInfo {
    id: "sentinel",
    question: "Does the answer hold the value of its own tree, and was no other tree's ever seen?",
    failing: FAILING,
    unknown: &["unparsed", "key-shape"],
    guards: &[
        "key-shape",
        "value-is-bounded",
        "value-verbatim",
        "path-beside-the-value",
        "prompt-is-no-answer",
        "parent-texts-read",
        "own-value-does-not-excuse",
        "no-inventory-without-the-value",
        "name-is-no-prefix",
        "all-equal",
        "hedge",
        "clause-negation",
    ],
    readings: &[],
    reads: Reads::Evidence,
    page: include_str!("sentinel.md"),
    key: KeyShape::fields(&["value", "siblings", "inventory", "count"]),
    parse,
};

#[derive(Debug)]
struct Sentinel {
    asking: Asking,
    common: Common,
}

fn parse(value: &Value) -> Result<Box<dyn Check>, ParamError> {
    let mut params = Params::new(value)?;
    let asking = Asking {
        nouns: params.some_phrases("count-nouns")?,
        number_words: params.flag("number-words", false)?,
        ..Asking::default()
    };
    let common = Common::reasons_only(&mut params, FAILING)?;
    params.finish()?;
    Ok(Box::new(Sentinel { asking, common }))
}

/// Whether a value stands in a text, to the last mark and with nothing that touches it.
fn holds(text: &str, value: &str, guards: Guards<'_>) -> bool {
    let touches = |c| guards.hold("value-is-bounded", in_name(c));
    if stands(text, value, touches) {
        return true;
    }
    let lower = str::to_lowercase;
    !guards.on("value-verbatim") && stands(&lower(text), &lower(value), touches)
}

/// Whether a word of a text is a path from the root.
fn names_a_path(text: &str) -> bool {
    let words = text.split(|c: char| c.is_whitespace() || "`\"'()[]<>,;".contains(c));
    words
        .into_iter()
        .any(|word| word.len() > 1 && word.starts_with('/'))
}

impl Sentinel {
    fn inventory(
        &self,
        answer: &Answer<'_>,
        names: &[&str],
        guards: Guards<'_>,
        facts: &mut Facts,
    ) {
        for name in names {
            let whole = guards.on("name-is-no-prefix");
            let literal = Literal::new(answer, name, true, whole);
            match literal {
                Some(literal) if !literal.stands(answer) => {
                    facts.fail(self.common.reason("inventory-missing"));
                }
                Some(literal) if guards.hold("clause-negation", literal.is_unsaid(answer, &[])) => {
                    facts.unparsed();
                }
                _ => {}
            }
        }
    }

    fn count(&self, answer: &Answer<'_>, count: i128, guards: Guards<'_>, facts: &mut Facts) {
        let stated = self.asking.before_nouns(answer).into_iter().flatten();
        let mut claims: Vec<Claim> = stated.map(|own| own.against(count)).collect();
        if !guards.on("hedge") {
            claims.truncate(1);
        }
        for claim in &mut claims {
            if claim.tone == Tone::Denied && !guards.on("clause-negation") {
                claim.tone = Tone::Plain;
            }
        }
        let right = super::super::grammar::Equal::Yes;
        if !guards.on("all-equal")
            && claims
                .iter()
                .any(|own| own.equal == right && own.tone == Tone::Plain)
        {
            return;
        }
        facts.decide(&claims, self.common.reason("count"), None);
    }
}

impl Check for Sentinel {
    fn ask(&self, asked: &Asked<'_>) -> Component {
        unseen(self, asked)
    }

    fn weigh(&self, asked: &Asked<'_>, evidence: &Evidence<'_>) -> Option<Weighed> {
        let value = key::main(asked.key, "value").and_then(key::text);
        let list = |name| key::items(asked.key, name)?.iter().map(key::text).collect();
        let siblings: Option<Vec<&str>> = list("siblings");
        let inventory: Option<Vec<&str>> = list("inventory");
        let (Some(value), Some(siblings), Some(inventory)) = (value, siblings, inventory) else {
            return Some(key_shape(asked).into());
        };
        let (answer, guards) = (asked.answer, asked.guards);
        let raw = answer.raw();
        let told = || evidence.parent_texts.iter();
        let mut own = holds(raw, value, guards);
        if !guards.on("prompt-is-no-answer") {
            own |= told().any(|text| holds(text, value, guards));
        }
        let mut facts = Facts::default();
        let path = names_a_path(raw);
        if !own || path && !guards.on("path-beside-the-value") {
            let reason = if path {
                "path-only"
            } else {
                "sentinel-missing"
            };
            facts.fail(self.common.reason(reason));
        }
        let literal = Literal::new(answer, value, true, true);
        let doubted = literal.is_some_and(|own| own.stands(answer) && own.is_unsaid(answer, &[]));
        if guards.hold("clause-negation", doubted) {
            facts.unparsed();
        }
        let seen = |sibling: &&str| {
            holds(raw, sibling, guards)
                || guards.on("parent-texts-read") && told().any(|text| holds(text, sibling, guards))
        };
        if siblings.iter().any(seen) && (!own || guards.on("own-value-does-not-excuse")) {
            facts.fail(self.common.reason("sibling-value"));
        }
        if own || !guards.on("no-inventory-without-the-value") {
            self.inventory(answer, &inventory, guards, &mut facts);
            if let Some(count) = key::field(asked.key, "count").and_then(key::int) {
                self.count(answer, count, guards, &mut facts);
            }
        }
        Some(facts.finish().into())
    }
}
