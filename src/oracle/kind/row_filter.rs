//! `row-filter`: the rows that an answer picks, by their numbers.

use serde_json::Value;

use super::super::check::{Asked, Check, ParamError};
use super::super::grammar::{Answer, Facts, Kind, Phrase, Polarity, integers_of_field};
use super::super::verdict::Component;
use super::params::{Common, Params, UNKNOWN};
use super::{KindInfo, key, key_shape};

const FAILING: &[&str] = &["rows", "missing"];

pub(super) const INFO: KindInfo = KindInfo {
    id: "row-filter",
    question: "Does the answer pick these rows, and no others?",
    failing: FAILING,
    unknown: &["unparsed", "key-shape"],
    guards: &[
        "key-shape",
        "raw-rows-first",
        "stop-word",
        "bounds",
        "count-of-rows",
        "alternatives",
        "absent-by-choice",
    ],
    readings: &[],
    page: include_str!("row-filter.md"),
    parse,
};

#[derive(Debug)]
struct RowFilter {
    anchors: Vec<Phrase>,
    stop_words: Vec<Phrase>,
    bounds: Vec<i128>,
    field: Option<String>,
    bracketed: bool,
    order: bool,
    common: Common,
}

fn parse(value: &Value) -> Result<Box<dyn Check>, ParamError> {
    let mut params = Params::new(value)?;
    let check = RowFilter {
        anchors: params.some_phrases("anchor")?,
        stop_words: params.phrases("stop-words")?,
        bounds: params.ints("bounds")?,
        field: params.text("field")?.map(str::to_owned),
        bracketed: params.flag("bracketed", false)?,
        order: params.flag("order", false)?,
        common: Common::read(&mut params, FAILING, UNKNOWN)?,
    };
    params.finish()?;
    Ok(Box::new(check))
}

/// What an answer says of the rows.
enum Rows {
    Unsaid,
    /// Alternatives, a range, or a condition.
    Hedged,
    Said(Vec<i128>),
}

impl RowFilter {
    fn read(&self, answer: &Answer<'_>) -> Rows {
        if let Some(field) = &self.field {
            let raw = integers_of_field(answer, field);
            if !raw.is_empty() {
                return Rows::Said(raw);
            }
        }
        if self.bracketed
            && let Some(list) = bracketed(answer)
        {
            return Rows::Said(list);
        }
        answer.step(answer.len());
        for clause in 0..answer.clauses() {
            let tokens = answer.clause_tokens(clause);
            let at = |index: &usize| {
                self.anchors
                    .iter()
                    .any(|anchor| anchor.at(answer, *index).is_some())
            };
            let Some(anchor) = tokens.clone().find(at) else {
                continue;
            };
            match self.clause(answer, tokens, anchor) {
                Rows::Unsaid => {}
                found => return found,
            }
        }
        Rows::Unsaid
    }

    fn clause(&self, answer: &Answer<'_>, tokens: std::ops::Range<usize>, anchor: usize) -> Rows {
        let mut values = Vec::new();
        let mut denied = false;
        let start = tokens.start;
        for index in tokens {
            if self
                .stop_words
                .iter()
                .any(|stop| stop.at(answer, index).is_some())
            {
                break;
            }
            let Some(Kind::Int(int)) = answer.kind(index) else {
                continue;
            };
            let Some(int) = answer.ints().get(int as usize) else {
                continue;
            };
            if int.marker || answer.is_cited(index) {
                continue;
            }
            match answer.said_int(index) {
                Polarity::Open => return Rows::Hedged,
                Polarity::Denied => denied = true,
                Polarity::Asserted => {
                    if self.is_alternative(answer, index, start) {
                        return Rows::Hedged;
                    }
                    values.push(int.value);
                }
            }
        }
        if !values.is_empty() {
            return Rows::Said(values);
        }
        match answer.said(anchor) {
            _ if denied => Rows::Hedged,
            // `no error events`: none is picked.
            Polarity::Denied => Rows::Said(Vec::new()),
            _ => Rows::Unsaid,
        }
    }

    /// An integer after `or`, or the end of a range that is not the bounds'.
    fn is_alternative(&self, answer: &Answer<'_>, index: usize, start: usize) -> bool {
        if index == start {
            return false;
        }
        let before = answer.word(index - 1).to_ascii_lowercase();
        if before == "or" {
            return true;
        }
        let between = matches!(before.as_str(), "-" | "to" | "through");
        let values = [index.wrapping_sub(2), index].map(|at| match answer.kind(at) {
            Some(Kind::Int(int)) => answer.ints().get(int as usize).map(|int| int.value),
            _ => None,
        });
        match values {
            [Some(from), Some(to)] if between => {
                !(self.bounds.contains(&from) && self.bounds.contains(&to))
            }
            _ => false,
        }
    }

    fn fits(&self, key: &[i128], own: &[i128]) -> bool {
        let mut key = key.to_vec();
        if !self.order {
            key.sort_unstable();
        }
        let same = |own: &[i128]| {
            let mut own = own.to_vec();
            if !self.order {
                own.sort_unstable();
            }
            own == key
        };
        if same(own) {
            return true;
        }
        // A bound is dropped only as often as it is no row.
        let mut left = own.to_vec();
        for bound in &self.bounds {
            let own = left.iter().filter(|value| *value == bound).count();
            let rows = key.iter().filter(|value| *value == bound).count();
            if own > rows
                && let Some(at) = left.iter().position(|value| value == bound)
            {
                left.remove(at);
            }
        }
        if same(&left) {
            return true;
        }
        // `3 error events: 3, 17, 29`: the first number counts the rows.
        let count = left
            .len()
            .checked_sub(1)
            .and_then(|count| i128::try_from(count).ok());
        left.first().copied() == count && left.len() > 1 && same(&left[1..])
    }
}

/// The first brackets that hold integers and commas only.
fn bracketed(answer: &Answer<'_>) -> Option<Vec<i128>> {
    answer.step(answer.len());
    let mut open: Option<Vec<i128>> = None;
    for index in 0..answer.len() {
        match (answer.word(index), answer.kind(index)) {
            ("[", _) => open = Some(Vec::new()),
            ("]", _) => {
                if let Some(values) = open.take().filter(|values| !values.is_empty()) {
                    return Some(values);
                }
            }
            (",", _) => {}
            (_, Some(Kind::Int(int))) => {
                if let (Some(values), Some(int)) = (&mut open, answer.ints().get(int as usize)) {
                    values.push(int.value);
                }
            }
            _ => open = None,
        }
    }
    None
}

impl Check for RowFilter {
    fn ask(&self, asked: &Asked<'_>) -> Component {
        let Some(key) = key::main(asked.key, "values").and_then(key::ints) else {
            return key_shape();
        };
        let mut facts = Facts::default();
        match (self.read(asked.answer), self.common.absent("missing")) {
            (Rows::Said(own), _) if self.fits(&key, &own) => {}
            (Rows::Said(_), _) => facts.fail(self.common.reason("rows")),
            (Rows::Unsaid, Some(reason)) => facts.fail(reason),
            (Rows::Unsaid, None) | (Rows::Hedged, _) => facts.unparsed(),
        }
        facts.finish()
    }
}
