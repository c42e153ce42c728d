//! `page-facts`: facts of a page that was fetched when a window opened and when it closed.

use serde_json::Value;

use super::super::check::{Asked, Check, ParamError, Reads};
use super::super::grammar::{Asking, Claim, Facts};
use super::super::sight::Sight;
use super::super::verdict::Component;
use super::int_fact;
use super::literal::Literal;
use super::params::{self, Common, Params, UNKNOWN};
use super::{KeyShape, KindInfo, key, key_shape};

const FAILING: &[&str] = &["value", "missing"];

pub(super) const INFO: KindInfo = KindInfo {
    id: "page-facts",
    question: "Does the answer state what the page said, from the window's opening to its close?",
    failing: FAILING,
    unknown: &["unparsed", "key-shape", "key-missing", "key-drift"],
    guards: &[
        "key-shape",
        "key-missing",
        "key-drift",
        "absent-by-fact",
        "denied-literal",
    ],
    readings: &[],
    reads: Reads::Text,
    page: include_str!("page-facts.md"),
    key: KeyShape::Any,
    parse,
};

#[derive(Debug)]
enum Kind {
    /// The fact's text stands in the answer. A fact that only says whether the page has a text
    /// names that text here.
    Literal(Option<String>),
    Int(Asking),
}

#[derive(Debug)]
struct Fact {
    name: String,
    kind: Kind,
    absent_fails: bool,
    reason: Option<String>,
}

#[derive(Debug)]
struct PageFacts {
    facts: Vec<Fact>,
    common: Common,
}

fn parse(value: &Value) -> Result<Box<dyn Check>, ParamError> {
    let mut params = Params::new(value)?;
    let mut facts = Vec::new();
    for table in params.tables("facts")? {
        facts.push(fact(table)?);
    }
    if facts.is_empty() {
        return Err(params.error("facts", "missing"));
    }
    let common = Common::read(&mut params, FAILING, UNKNOWN)?;
    params.finish()?;
    Ok(Box::new(PageFacts { facts, common }))
}

fn fact(mut table: Params<'_>) -> Result<Fact, ParamError> {
    let name = table
        .text("name")?
        .ok_or_else(|| table.error("name", "missing"))?;
    let kind = if table.choice("kind", &["literal", "int"])? == "int" {
        let asking = int_fact::asking(&mut table)?;
        if asking.labels.is_empty() {
            return Err(table.error("labels", "missing"));
        }
        Kind::Int(asking)
    } else {
        Kind::Literal(table.text("text")?.map(str::to_owned))
    };
    let fact = Fact {
        name: name.to_owned(),
        kind,
        absent_fails: table.choice("on-absent", UNKNOWN)? == "fail",
        reason: params::reason(&mut table, "reason")?,
    };
    table.finish()?;
    Ok(fact)
}

/// Why a fact's key is none.
enum NoKey {
    Missing,
    Drift,
}

/// A fact as both captures have it, or as the only one has it.
fn captured<'k>(key: &'k Value, name: &str) -> Result<&'k Value, NoKey> {
    let of = |capture: &'k Value| capture.get(name).filter(|value| !value.is_null());
    match (key.get("open"), key.get("close")) {
        (None, None) => of(key.get("facts").unwrap_or(key)).ok_or(NoKey::Missing),
        (Some(open), Some(close)) => match (of(open), of(close)) {
            (Some(open), Some(close)) if open == close => Ok(open),
            (Some(_), Some(_)) => Err(NoKey::Drift),
            _ => Err(NoKey::Missing),
        },
        _ => Err(NoKey::Missing),
    }
}

impl PageFacts {
    fn ask_fact(
        &self,
        fact: &Fact,
        value: &Value,
        asked: &Asked<'_>,
        out: &mut Facts,
    ) -> Option<()> {
        let answer = asked.answer;
        let missing = fact
            .reason
            .as_deref()
            .unwrap_or(self.common.reason("missing"));
        let own = asked.guards.hold("absent-by-fact", fact.absent_fails);
        let absent = (own || self.common.absent_fails).then_some(missing);
        match &fact.kind {
            Kind::Int(asking) => {
                let expected = key::int(value)?;
                let stated = asking.by_label(answer).into_iter();
                let claims: Vec<Claim> = stated.map(|own| own.against(expected)).collect();
                let wrong = fact
                    .reason
                    .as_deref()
                    .unwrap_or(self.common.reason("value"));
                out.decide(&claims, wrong, absent);
            }
            Kind::Literal(own) => {
                let text = match (own, value) {
                    (Some(text), Value::Bool(true)) => text.as_str(),
                    (None, value) => key::text(value)?,
                    _ => return None,
                };
                let literal = Literal::new(asked.answer, text, false, true)?;
                match absent {
                    _ if literal.stands(answer) => {
                        let denied = literal.is_unsaid(answer, &[]);
                        if asked.guards.hold("denied-literal", denied) {
                            out.unparsed();
                        }
                    }
                    Some(reason) => out.fail(reason),
                    None => out.unparsed(),
                }
            }
        }
        Some(())
    }
}

impl Check for PageFacts {
    fn ask(&self, asked: &Asked<'_>) -> Component {
        if !asked.key.is_object() {
            return key_shape(asked);
        }
        let mut values = Vec::new();
        for fact in &self.facts {
            match captured(asked.key, &fact.name) {
                Ok(value) => values.push((fact, value)),
                Err(NoKey::Missing) if asked.guards.on("key-missing") => {
                    return Component::unknown("key-missing");
                }
                Err(NoKey::Drift) if asked.guards.on("key-drift") => {
                    return Component::unknown("key-drift");
                }
                Err(_) => {}
            }
        }
        let mut out = Facts::default();
        for (fact, value) in values {
            if self.ask_fact(fact, value, asked, &mut out).is_none() {
                return key_shape(asked);
            }
        }
        out.finish()
    }

    fn sight(&self, asked: &Asked<'_>) -> Sight {
        let answer = asked.answer;
        let mut sight = Sight::default();
        for fact in &self.facts {
            match &fact.kind {
                Kind::Int(asking) => {
                    for own in asking.by_label(answer) {
                        sight.tokens(answer, (own.at, own.at + 1), own.tone);
                    }
                }
                Kind::Literal(own) => {
                    let value = captured(asked.key, &fact.name).ok();
                    let text = own.as_deref().or(value.and_then(key::text)).unwrap_or("");
                    let literal = Literal::new(answer, text, false, true);
                    if let Some(literal) = literal {
                        literal.show(answer, &mut sight);
                    }
                }
            }
        }
        sight
    }
}
