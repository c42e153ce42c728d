//! `structure-elements`: what an answer is made of.

use serde_json::Value;

use super::super::check::{Asked, Check, ParamError, Reading, Reads};
use super::super::grammar::{ELEMENTS, Facts, elements};
use super::super::sight::Sight;
use super::super::verdict::Component;
use super::literal::Literal;
use super::params::{Common, FAIL, Params};
use super::{KeyShape, KindInfo, key, key_shape};

const FAILING: &[&str] = &["elements-missing"];

const CONVERSION: Reading = Reading {
    id: "conversion",
    values: &["answer-elements", "element-contents"],
    question: "Does an answer convert a page where it has the page's elements itself, or where it \
               holds the text of each?",
};

pub(super) const INFO: KindInfo = KindInfo {
    id: "structure-elements",
    question: "Does the answer have these elements of Markdown, or their contents?",
    failing: FAILING,
    unknown: &["unparsed", "key-shape"],
    guards: &["key-shape", "absent-by-choice"],
    readings: &[CONVERSION],
    reads: Reads::Text,
    page: include_str!("structure-elements.md"),
    key: KeyShape::fields(&["contents"]),
    parse,
};

#[derive(Debug)]
struct StructureElements {
    elements: Vec<&'static str>,
    common: Common,
}

fn parse(value: &Value) -> Result<Box<dyn Check>, ParamError> {
    let mut params = Params::new(value)?;
    let mut known = Vec::new();
    for (index, name) in params.texts("elements")?.into_iter().enumerate() {
        match ELEMENTS.iter().find(|element| **element == name) {
            Some(element) => known.push(*element),
            None => return Err(params.error(&format!("elements.{index}"), "unknown-value")),
        }
    }
    if known.is_empty() {
        return Err(params.error("elements", "missing"));
    }
    let common = Common::read(&mut params, FAILING, FAIL)?;
    params.finish()?;
    Ok(Box::new(StructureElements {
        elements: known,
        common,
    }))
}

/// The texts of a key, as a list or by element.
fn contents(key: &Value) -> Option<Vec<&str>> {
    match key::main(key, "contents")? {
        Value::Object(elements) => {
            let lists = elements.values().map(key::texts);
            let lists: Option<Vec<Vec<&str>>> = lists.collect();
            lists.map(|lists| lists.concat())
        }
        other => key::texts(other),
    }
}

impl Check for StructureElements {
    fn ask(&self, asked: &Asked<'_>) -> Component {
        let whole = match asked.readings.get(CONVERSION.id) {
            "answer-elements" => {
                let found = elements(asked.answer);
                self.elements.iter().all(|element| found.contains(element))
            }
            "element-contents" => {
                let texts = contents(asked.key).filter(|texts| !texts.is_empty());
                let literals: Option<Vec<Literal>> = texts.and_then(|texts| {
                    let literals = texts.into_iter();
                    literals
                        .map(|text| Literal::new(asked.answer, text, true, true))
                        .collect()
                });
                let Some(literals) = literals else {
                    return key_shape(asked);
                };
                literals.iter().all(|literal| literal.stands(asked.answer))
            }
            _ => return key_shape(asked),
        };
        let mut facts = Facts::default();
        if !whole {
            match self.common.absent(asked.guards, "elements-missing") {
                Some(reason) => facts.fail(reason),
                None => facts.unparsed(),
            }
        }
        facts.finish()
    }

    fn sight(&self, asked: &Asked<'_>) -> Sight {
        let mut sight = Sight::default();
        if asked.readings.get(CONVERSION.id) == "answer-elements" {
            let found = elements(asked.answer);
            for element in self.elements.iter().filter(|own| !found.contains(*own)) {
                sight.misses(element);
            }
            return sight;
        }
        for text in contents(asked.key).unwrap_or_default() {
            let literal = Literal::new(asked.answer, text, true, true);
            if literal.is_some_and(|own| !own.stands(asked.answer)) {
                sight.misses(text);
            }
        }
        sight
    }
}
