//! `citation-at`: a place in a file that the answer cites.

use serde_json::Value;

use super::super::check::{Asked, Check, ParamError, Reads};
use super::super::grammar::{Facts, Polarity, Tone, near, resolve};
use super::super::sight::{Sight, tone};
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
        "file-beside-line",
        "one-file-one-line",
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
    fn fits(&self, (first, last): (u64, Option<u64>), place: &Place<'_>) -> bool {
        first == place.line
            && match self.end {
                End::Either => last.is_none_or(|last| last == place.end || last == place.line),
                End::Range => last.unwrap_or(first) == place.end,
                End::StartOnly => true,
            }
    }

    /// What is told of the place where the file does not stand with its line: whether it is surely the place, and whether
    /// it may be.
    fn beside(&self, asked: &Asked<'_>, place: &Place<'_>) -> (bool, bool) {
        let (answer, guards) = (asked.answer, asked.guards);
        let near = near(answer);
        let is_file = |cited: &String| resolve(cited, &place.paths) == Some(place.path);
        // A long name may stand above many lines: each is looked at once.
        let is_file: Vec<bool> = near.files.iter().map(is_file).collect();
        let (mut right, mut hedged) = (false, false);
        for (file, own) in &near.sure {
            if !is_file.get(*file).is_some_and(|own| *own)
                || !self.fits((own.first, own.last), place)
            {
                continue;
            }
            match answer.said(answer.token_at(own.range.0)) {
                Polarity::Denied | Polarity::Open if guards.on("denied-place") => hedged = true,
                _ => right = true,
            }
        }
        let named = is_file.contains(&true);
        let mut unsure = near.unsure.iter();
        if named && unsure.any(|own| self.fits((own.first, own.last), place)) {
            match guards.on("one-file-one-line") {
                true => hedged = true,
                false => right = true,
            }
        }
        (right, hedged)
    }
}

/// The place that is asked for.
struct Place<'k> {
    path: &'k str,
    line: u64,
    end: u64,
    paths: Vec<&'k str>,
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
        let place = Place {
            path,
            line,
            end,
            paths,
        };
        let guards = asked.guards;
        let mut facts = Facts::default();
        let (mut right, mut hedged) = match guards.on("file-beside-line") {
            true => self.beside(asked, &place),
            false => (false, false),
        };
        for cite in asked.answer.citations() {
            let own = (cite.first, cite.last);
            if resolve(&cite.path, &place.paths) != Some(path) || !self.fits(own, &place) {
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
        let mut sight = cited(asked.answer);
        let near = near(asked.answer);
        let sure = near.sure.iter().map(|(_, own)| (own, false));
        let unsure = near.unsure.iter().map(|own| (own, !near.files.is_empty()));
        for (own, open) in sure.chain(unsure) {
            let said = asked.answer.said(asked.answer.token_at(own.range.0));
            let tone = if open { Tone::Hedged } else { tone(said) };
            sight.at(asked.answer, own.range, tone);
        }
        sight
    }
}
