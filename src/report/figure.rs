//! The numbers of a page, and its quoted words: what is shown of them, and what is withheld.

use std::collections::BTreeMap;

use serde_json::Value;

use super::expr::Expr;
use super::fact::{QUOTED, WITHHELD, field};
use super::pick::Picked;
use crate::aggregate::{self, AGGREGATE_SCHEMA, cells, is_known};
use crate::grade::field::text;

/// What a page is made of.
pub struct PageView<'a> {
    /// The aggregate file, read.
    pub aggregate: &'a Value,
    /// SHA-256 of its bytes, in hex.
    pub digest: &'a str,
    /// The rows to list.
    pub picked: &'a Picked,
    /// The kind of the private thing that stands in a text, where one does.
    pub private: &'a dyn Fn(&str) -> Option<&'static str>,
}

/// The cells of an aggregate.
#[derive(Debug)]
pub(super) struct Cells {
    cells: BTreeMap<String, u64>,
    /// Whether a cell of the closed list that is not there is 0.
    closed: bool,
}

impl Cells {
    pub(super) fn of(aggregate: &Value) -> Self {
        Self {
            cells: cells(aggregate),
            closed: text(aggregate, "schema") == AGGREGATE_SCHEMA,
        }
    }

    pub(super) fn cell(&self, key: &str) -> Option<u64> {
        let known = || (self.closed && is_known(key)).then_some(0);
        self.cells.get(key).copied().or_else(known)
    }

    /// A cell; 0 where there is none.
    pub(super) fn count(&self, key: &str) -> u64 {
        self.cells.get(key).copied().unwrap_or(0)
    }

    /// Whether there is such a cell.
    pub(super) fn has(&self, key: &str) -> bool {
        self.cell(key).is_some()
    }

    /// What an expression shows; nothing where one of its cells is withheld.
    pub(super) fn shown(&self, expr: &str) -> Option<String> {
        let value = Expr::parse(expr).ok()?.value(&|key| self.cell(key)).ok()?;
        Some(grouped(&value.text()))
    }

    /// What a shape measures; nothing where one of its cells is withheld.
    pub(super) fn measured(&self, expr: &str) -> Option<u64> {
        let expr = Expr::parse(expr).ok()?;
        expr.hundredths(&|key| self.cell(key)).ok()
    }

    /// The cells right below a key, without its prefix, largest first and then by name.
    pub(super) fn below(&self, key: &str) -> Vec<(&str, u64)> {
        aggregate::below(&self.cells, key)
    }
}

/// Digits with their thousands set apart by a comma.
fn grouped(text: &str) -> String {
    if text.len() < 4 || !text.bytes().all(|byte| byte.is_ascii_digit()) {
        return text.to_owned();
    }
    let mut out = String::with_capacity(text.len() * 2);
    for (at, digit) in text.chars().enumerate() {
        if at > 0 && (text.len() - at).is_multiple_of(3) {
            out.push(',');
        }
        out.push(digit);
    }
    out
}

/// What a page shows of one field of a row.
pub(super) enum Told {
    /// Its text.
    Text(String),
    /// That it is withheld, and what kind of thing stands in it.
    Withheld(String),
}

/// One field of a row, withheld where it repeats something private.
pub(super) fn told(view: &PageView<'_>, row: &Value, name: &str) -> Option<Told> {
    let text = field(row, name)?;
    let private = if QUOTED.contains(&name) {
        (view.private)(&text)
    } else {
        None
    };
    Some(match private {
        Some(kind) => Told::Withheld(format!("{WITHHELD}{kind}")),
        None => Told::Text(text),
    })
}

/// A word with its first letter capital.
pub(super) fn capital(word: &str) -> String {
    let mut chars = word.chars();
    chars.next().map_or(String::new(), |first| {
        format!("{}{}", first.to_uppercase(), chars.as_str())
    })
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn a_cell_that_is_not_there_is_nothing_or_nought() {
        let cells = Cells::of(&json!({"schema": AGGREGATE_SCHEMA, "cells": {"turns": 12345}}));
        assert_eq!(cells.shown("turns").unwrap(), "12,345");
        assert_eq!(cells.shown("claims").unwrap(), "0");
        assert_eq!(cells.shown("share(claims, claims)").unwrap(), "–");
        assert_eq!(cells.shown("claim.of-mine"), None);
        let frozen = Cells::of(&json!({"schema": "deedcheck/frozen-aggregate/1"}));
        assert_eq!(frozen.shown("claims"), None);
    }
}
