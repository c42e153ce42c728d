//! `citation-at`: a place in a file that the answer cites.

use serde_json::Value;

use super::super::check::{Asked, Check, ParamError, Reads};
use super::super::grammar::{Citation, Facts, Polarity, resolve};
use super::super::sight::Sight;
use super::super::verdict::Component;
use super::params::{Common, FAIL, Params};
use super::{KeyShape, KindInfo, cited, key, key_shape};

const FAILING: &[&str] = &["location"];

pub(super) const INFO: KindInfo = KindInfo {
    id: "citation-at",
    question: "Does the answer cite this place in this file?",
    failing: FAILING,
    unknown: &["unparsed", "key-shape"],
    guards: &[
        "key-shape",
        "denied-place",
        "linked-place",
        "alternative-place",
        "absent-by-choice",
    ],
    readings: &[],
    reads: Reads::Text,
    page: include_str!("citation-at.md"),
    key: KeyShape::fields(&["path", "line", "end-line", "known-paths"]),
    parse,
};

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum End {
    /// One line at the start, or the whole range.
    Either,
    /// The whole range.
    Range,
    /// The start, with any end.
    StartOnly,
}

#[derive(Debug)]
struct CitationAt {
    end: End,
    common: Common,
}

fn parse(value: &Value) -> Result<Box<dyn Check>, ParamError> {
    let mut params = Params::new(value)?;
    let end = match params.choice("end", &["either", "range", "start-only"])? {
        "range" => End::Range,
        "start-only" => End::StartOnly,
        _ => End::Either,
    };
    let common = Common::read(&mut params, FAILING, FAIL)?;
    params.finish()?;
    Ok(Box::new(CitationAt { end, common }))
}

impl CitationAt {
    fn fits(&self, cite: &Citation, line: u64, end: u64) -> bool {
        cite.first == line
            && match self.end {
                End::Either => cite.last.is_none_or(|last| last == end || last == line),
                End::Range => cite.lines() == (line, end),
                End::StartOnly => true,
            }
    }
}

impl Check for CitationAt {
    fn ask(&self, asked: &Asked<'_>) -> Component {
        let path = key::field(asked.key, "path").and_then(key::text);
        let line = key::line(key::field(asked.key, "line"));
        let known = key::items(asked.key, "known-paths");
        let (Some(path), Some(line), Some(known)) = (path, line, known) else {
            return key_shape(asked);
        };
        let end = key::line(key::field(asked.key, "end-line")).unwrap_or(line);
        let mut paths: Vec<&str> = known.iter().filter_map(key::text).collect();
        if !paths.contains(&path) {
            paths.push(path);
        }
        let guards = asked.guards;
        let mut facts = Facts::default();
        let mut right = false;
        let mut hedged = false;
        for cite in asked.answer.citations() {
            if resolve(&cite.path, &paths) != Some(path) || !self.fits(cite, line, end) {
                continue;
            }
            match asked.answer.said(asked.answer.token_at(cite.start)) {
                Polarity::Denied | Polarity::Open if guards.on("denied-place") => hedged = true,
                // A link leads to the same file if its host has it.
                _ if guards.hold("linked-place", cite.url) => hedged = true,
                _ if asked.answer.has_alternative(cite) && guards.on("alternative-place") => {
                    hedged = true;
                }
                _ => right = true,
            }
        }
        match (right, hedged, self.common.absent(asked.guards, "location")) {
            (true, ..) => {}
            (false, false, Some(reason)) => facts.fail(reason),
            (false, ..) => facts.unparsed(),
        }
        facts.finish()
    }

    fn sight(&self, asked: &Asked<'_>) -> Sight {
        cited(asked.answer)
    }
}
