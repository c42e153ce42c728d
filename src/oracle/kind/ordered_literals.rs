//! `ordered-literals`: texts that stand in the answer, in the key's order.

use serde_json::Value;

use super::super::check::{Asked, Check, ParamError, Reads};
use super::super::grammar::{Answer, Facts};
use super::super::sight::Sight;
use super::super::verdict::Component;
use super::literal::Literal;
use super::params::{Common, FAIL, Params};
use super::{KeyShape, KindInfo, key, key_shape};

const FAILING: &[&str] = &["missing", "order"];

pub(super) const INFO: KindInfo = KindInfo {
    id: "ordered-literals",
    question: "Do all these texts stand in the answer, in this order?",
    failing: FAILING,
    unknown: &["unparsed", "key-shape"],
    guards: &[
        "key-shape",
        "absent-by-choice",
        "order-asked",
        "order-somewhere",
        "denied-literal",
    ],
    readings: &[],
    reads: Reads::Text,
    page: include_str!("ordered-literals.md"),
    key: KeyShape::fields(&["items"]),
    parse,
};

#[derive(Debug)]
struct OrderedLiterals {
    sensitive: bool,
    whole: bool,
    order: bool,
    common: Common,
}

fn parse(value: &Value) -> Result<Box<dyn Check>, ParamError> {
    let mut params = Params::new(value)?;
    let check = OrderedLiterals {
        sensitive: params.choice("case", &["insensitive", "sensitive"])? == "sensitive",
        whole: params.choice("mode", &["whole-word", "substring"])? == "whole-word",
        order: params.flag("order", true)?,
        common: Common::read(&mut params, FAILING, FAIL)?,
    };
    params.finish()?;
    Ok(Box::new(check))
}

impl OrderedLiterals {
    /// Whether the first places are in order, and whether any places are.
    fn ordered(items: &[Literal], answer: &Answer<'_>) -> (bool, bool) {
        let mut first = Vec::new();
        let mut end = 0;
        let mut somewhere = true;
        for item in items {
            first.extend(item.places(answer).next());
            match item.places(answer).find(|at| *at >= end) {
                Some(at) => end = at + item.len(),
                None => somewhere = false,
            }
        }
        (first.windows(2).all(|pair| pair[0] < pair[1]), somewhere)
    }
}

impl OrderedLiterals {
    fn items(&self, asked: &Asked<'_>) -> Option<Vec<Literal>> {
        let items = key::main(asked.key, "items").and_then(key::texts)?;
        let items = items.into_iter();
        let items: Option<Vec<Literal>> = items
            .map(|item| Literal::new(asked.answer, item, self.sensitive, self.whole))
            .collect();
        items.filter(|items| !items.is_empty())
    }
}

impl Check for OrderedLiterals {
    fn ask(&self, asked: &Asked<'_>) -> Component {
        let Some(items) = self.items(asked) else {
            return key_shape(asked);
        };
        let answer = asked.answer;
        let mut facts = Facts::default();
        let (present, absent): (Vec<Literal>, Vec<Literal>) =
            items.into_iter().partition(|item| item.stands(answer));
        if !absent.is_empty() {
            match self.common.absent(asked.guards, "missing") {
                Some(reason) => facts.fail(reason),
                None => facts.unparsed(),
            }
        }
        let denied = present.iter().any(|item| item.is_unsaid(answer, &[]));
        if asked.guards.hold("denied-literal", denied) {
            facts.unparsed();
            return facts.finish();
        }
        if self.order || !asked.guards.on("order-asked") {
            match Self::ordered(&present, answer) {
                (true, _) => {}
                // An introduction may name one earlier than the list does.
                (false, true) if asked.guards.on("order-somewhere") => facts.unparsed(),
                (false, _) => facts.fail(self.common.reason("order")),
            }
        }
        facts.finish()
    }

    fn sight(&self, asked: &Asked<'_>) -> Sight {
        let mut sight = Sight::default();
        for item in self.items(asked).unwrap_or_default() {
            item.show(asked.answer, &mut sight);
        }
        sight
    }
}
