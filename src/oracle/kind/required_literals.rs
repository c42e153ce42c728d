//! `required-literals`: texts that the answer has to hold.

use serde_json::Value;

use super::super::check::{Asked, Check, ParamError, Reads};
use super::super::grammar::{Facts, Phrase};
use super::super::sight::Sight;
use super::super::verdict::Component;
use super::literal::Literal;
use super::params::{Common, FAIL, Params};
use super::{KeyShape, KindInfo, key, key_shape};

const FAILING: &[&str] = &["missing"];

pub(super) const INFO: KindInfo = KindInfo {
    id: "required-literals",
    question: "Does the answer hold every one of these texts?",
    failing: FAILING,
    unknown: &["unparsed", "key-shape"],
    guards: &[
        "key-shape",
        "absent-by-item",
        "any-of",
        "denied-literal",
        "written-otherwise",
    ],
    readings: &[],
    reads: Reads::Text,
    page: include_str!("required-literals.md"),
    key: KeyShape::Table {
        own: &["items"],
        rows: &["text", "any-of", "on-absent", "reason"],
    },
    parse,
};

#[derive(Debug)]
struct RequiredLiterals {
    sensitive: bool,
    whole: bool,
    common: Common,
}

fn parse(value: &Value) -> Result<Box<dyn Check>, ParamError> {
    let mut params = Params::new(value)?;
    let check = RequiredLiterals {
        sensitive: params.choice("case", &["sensitive", "insensitive"])? == "sensitive",
        whole: params.choice("mode", &["substring", "whole-word"])? == "whole-word",
        common: Common::read(&mut params, FAILING, FAIL)?,
    };
    params.finish()?;
    Ok(Box::new(check))
}

/// One item of the key: any of its texts will do.
struct Item<'k> {
    texts: Vec<&'k str>,
    /// Whether its absence fails, where it says so itself.
    fails: Option<bool>,
    reason: Option<&'k str>,
}

fn item(value: &Value) -> Option<Item<'_>> {
    let Value::Object(fields) = value else {
        return Some(Item {
            texts: vec![key::text(value)?],
            fails: None,
            reason: None,
        });
    };
    let mut item = Item {
        texts: Vec::new(),
        fails: None,
        reason: None,
    };
    for (name, value) in fields {
        match (name.as_str(), value.as_str()) {
            ("text", Some(_)) => item.texts.push(key::text(value)?),
            ("any-of", None) => item.texts.extend(key::texts(value)?),
            ("on-absent", Some("fail")) => item.fails = Some(true),
            ("on-absent", Some("unknown")) => item.fails = Some(false),
            ("reason", Some(reason)) => item.reason = Some(reason),
            _ => return None,
        }
    }
    (!item.texts.is_empty()).then_some(item)
}

/// The items of a key.
fn items(key: &Value) -> Option<&[Value]> {
    match key::main(key, "items")? {
        Value::Array(items) => Some(items.as_slice()),
        own @ Value::String(_) => Some(std::slice::from_ref(own)),
        _ => None,
    }
}

impl Check for RequiredLiterals {
    fn ask(&self, asked: &Asked<'_>) -> Component {
        let Some(items) = items(asked.key) else {
            return key_shape(asked);
        };
        let mut facts = Facts::default();
        let read = items.iter().map(|value| {
            let item = item(value)?;
            let texts = item.texts.iter();
            let literals =
                texts.map(|text| Literal::new(asked.answer, text, self.sensitive, self.whole));
            let literals: Vec<Literal> = literals.collect::<Option<_>>()?;
            Some((item, literals))
        });
        let Some(read) = read.collect::<Option<Vec<_>>>() else {
            return key_shape(asked);
        };
        let asked_for = read.iter().flat_map(|(_, own)| own);
        let asked_for: Vec<Phrase> = asked_for.map(Literal::phrase).collect();
        for (item, literals) in &read {
            let mut found = literals.iter().filter(|own| own.stands(asked.answer));
            let all = || literals.iter().all(|own| own.stands(asked.answer));
            let enough = asked.guards.on("any-of") || all();
            if let Some(first) = found.next().filter(|_| enough) {
                // What is only denied or doubted is named, and not said.
                let denied = std::iter::once(first)
                    .chain(found)
                    .all(|own| own.is_unsaid(asked.answer, &asked_for));
                if asked.guards.hold("denied-literal", denied) {
                    facts.unparsed();
                }
                continue;
            }
            let otherwise = literals
                .iter()
                .any(|own| own.is_written_otherwise(asked.answer));
            if asked.guards.hold("written-otherwise", otherwise) {
                facts.unparsed();
                continue;
            }
            let own = item.fails.filter(|_| asked.guards.on("absent-by-item"));
            if own.unwrap_or(self.common.absent_fails) {
                facts.fail(item.reason.unwrap_or(self.common.reason("missing")));
            } else {
                facts.unparsed();
            }
        }
        facts.finish()
    }

    fn sight(&self, asked: &Asked<'_>) -> Sight {
        let mut sight = Sight::default();
        for item in items(asked.key).unwrap_or_default().iter().filter_map(item) {
            let literal =
                |text: &&str| Literal::new(asked.answer, text, self.sensitive, self.whole);
            let literals: Vec<Literal> = item.texts.iter().filter_map(literal).collect();
            // Of several texts any will do.
            match literals.iter().find(|own| own.stands(asked.answer)) {
                Some(own) => own.show(asked.answer, &mut sight),
                None => sight.misses(&item.texts.join(" | ")),
            }
        }
        sight
    }
}
