//! Whether the numbers of a page of ours are those of an aggregate. It reads no other pages: what
//! people make by hand is for the checker of published pages.

use serde_json::Value;

use super::expr::{Expr, Shown};
use super::figure::Cells;

/// What is wrong with a page of ours.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Untrue {
    /// Where in the page, in bytes.
    pub at: usize,
    /// `digest`, `malformed`, `unknown-key`, `number` or `shape`.
    pub kind: &'static str,
}

/// Every number and shape of a page of ours that is not what the aggregate says, and how many are
/// looked at. `digest` is SHA-256 of the aggregate's bytes, in hex.
#[must_use]
pub fn untrue(page: &str, aggregate: &Value, digest: &str) -> (Vec<Untrue>, u64) {
    let cells = Cells::of(aggregate);
    let mut found = Vec::new();
    let named = [
        format!("<meta name=\"deedcheck-aggregate\" content=\"sha256:{digest}\">"),
        format!("<!-- deedcheck-aggregate sha256:{digest} -->"),
    ];
    if !named.iter().any(|line| page.contains(line)) {
        found.push(Untrue {
            at: 0,
            kind: "digest",
        });
    }
    let mut looked_at = 0;
    for (at, tag, text) in tags(page) {
        let wrong = if let Some(expr) = attribute(tag, "data-deed") {
            number(&cells, &expr, text)
        } else if let Some(expr) = attribute(tag, "data-deed-width") {
            shape(&cells, tag, &expr)
        } else {
            continue;
        };
        looked_at += 1;
        found.extend(wrong.map(|kind| Untrue { at, kind }));
    }
    (found, looked_at)
}

/// Each start tag with where it begins, and the text up to the next tag.
fn tags(page: &str) -> impl Iterator<Item = (usize, &str, &str)> {
    let mut parts = page.split('<');
    let mut at = parts.next().map_or(0, str::len);
    parts.map(move |part| {
        let here = at;
        at += part.len() + 1;
        let (tag, text) = part.split_once('>').unwrap_or((part, ""));
        (here, tag, text)
    })
}

/// The value of an attribute as our own pages write it.
pub(super) fn attribute(tag: &str, name: &str) -> Option<String> {
    let (_, rest) = tag.split_once(&format!(" {name}=\""))?;
    let (value, _) = rest.split_once('"')?;
    Some(
        value
            .replace("&#39;", "'")
            .replace("&quot;", "\"")
            .replace("&lt;", "<")
            .replace("&gt;", ">")
            .replace("&amp;", "&"),
    )
}

fn number(cells: &Cells, expr: &str, text: &str) -> Option<&'static str> {
    match value(cells, expr) {
        Ok(shown) => (!shown.is_shown_by(text)).then_some("number"),
        Err(kind) => Some(kind),
    }
}

fn value(cells: &Cells, expr: &str) -> Result<Shown, &'static str> {
    let expr = Expr::parse(expr).map_err(|_| "malformed")?;
    expr.value(&|key| cells.cell(key))
        .map_err(|_| "unknown-key")
}

/// A shape reaches from what its `x` is to what its width is said to be.
fn shape(cells: &Cells, tag: &str, width: &str) -> Option<&'static str> {
    let from = match attribute(tag, "data-deed-x") {
        Some(expr) => cells.measured(&expr),
        None => Some(0),
    };
    let (Some(from), Some(to)) = (from, cells.measured(width)) else {
        return Some("unknown-key");
    };
    let is = |name: &str, value: u64| attribute(tag, name) == Some(value.to_string());
    (!is("x", from) || !is("width", to.saturating_sub(from))).then_some("shape")
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn kinds(page: &str) -> Vec<&'static str> {
        let aggregate = json!({"schema": crate::aggregate::AGGREGATE_SCHEMA, "cells": {"turns": 4, "claims": 1}});
        let page = format!("<!-- deedcheck-aggregate sha256:ab -->{page}");
        let (found, _) = untrue(&page, &aggregate, "ab");
        found.into_iter().map(|untrue| untrue.kind).collect()
    }

    #[test]
    fn each_number_and_shape_is_held_against_its_cell() {
        assert_eq!(kinds("<b data-deed=\"turns\">4</b>"), [""; 0]);
        assert_eq!(kinds("<b data-deed=\"turns\">5</b>"), ["number"]);
        assert_eq!(kinds("<b data-deed=\"turns +\">4</b>"), ["malformed"]);
        assert_eq!(kinds("<b data-deed=\"turn\">4</b>"), ["unknown-key"]);
        let rect = |x, width| {
            format!(
                "<rect x=\"{x}\" width=\"{width}\" data-deed-x=\"share(claims, turns)\" data-deed-width=\"share(turns, turns)\"/>"
            )
        };
        assert_eq!(kinds(&rect(2500, 7500)), [""; 0]);
        assert_eq!(kinds(&rect(2500, 7501)), ["shape"]);
        assert_eq!(kinds(&rect(2501, 7500)), ["shape"]);
        let (found, looked_at) = untrue("<p>no digest</p>", &json!({}), "ab");
        assert_eq!((found.len(), looked_at), (1, 0));
    }
}
