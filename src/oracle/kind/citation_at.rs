//! `citation-at`: a place in a file that the answer cites.

use serde_json::Value;

use super::super::check::{Asked, Check, ParamError, Reads};
use super::super::grammar::{Answer, Facts, Polarity, Tone, near, resolve};
use super::super::sight::{Sight, tone};
use super::super::verdict::Component;
use super::literal::is_absent;
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
        "number-beside-file",
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
        let sure = |file: &usize| is_file.get(*file).is_some_and(|own| *own);
        for (file, own) in &near.sure {
            if !sure(file) || !self.fits((own.first, own.last), place) {
                continue;
            }
            match said(answer, own.range) {
                Polarity::Denied | Polarity::Open if guards.on("denied-place") => hedged = true,
                _ => right = true,
            }
        }
        let named = is_file.contains(&true);
        // A number beside the file may be its line where no other line of it is told.
        let cited = |path: &String| resolve(path, &place.paths) == Some(place.path);
        let elsewhere = near.sure.iter().any(|(file, _)| sure(file))
            || answer.citations().iter().any(|own| cited(&own.path));
        if named && guards.on("number-beside-file") {
            let may = |at: usize| !elsewhere || answer.is_unspaced(at);
            hedged |= (0..answer.len()).any(|at| told(answer, at) == Some(place.line) && may(at));
        }
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

/// How a place is told: `around` and the like hedge it.
fn said(answer: &Answer<'_>, (start, end): (usize, usize)) -> Polarity {
    const ABOUT: [&str; 10] = [
        "about",
        "above",
        "approximately",
        "around",
        "below",
        "circa",
        "near",
        "nearly",
        "roughly",
        "somewhere",
    ];
    let (first, end) = (answer.token_at(start), answer.token_at(end));
    let before = first
        .checked_sub(1)
        .filter(|at| answer.clause(*at) == answer.clause(first));
    let word = before.map_or("", |at| answer.word(at));
    let vague = ABOUT.iter().any(|own| own.eq_ignore_ascii_case(word)) || matches!(word, "~" | "≈");
    match answer.said_place(first) {
        Polarity::Asserted if is_absent(answer, end) => Polarity::Denied,
        Polarity::Asserted if vague => Polarity::Open,
        own => own,
    }
}

/// The line that a number beside a file's name may be: `a.py: 23`, `a.py(23)`, `23rd line`, `line twenty-three`, `at L23`, or
/// any number of a clause that is written without blanks.
fn told(answer: &Answer<'_>, at: usize) -> Option<u64> {
    let word = answer.word(at);
    let is = |at: usize, words: &[&str]| {
        words
            .iter()
            .any(|own| own.eq_ignore_ascii_case(answer.word(at)))
    };
    let digits = word.trim_end_matches(|c: char| c.is_ascii_alphabetic());
    if let Some(value) = digits.strip_prefix('L').and_then(|own| own.parse().ok()) {
        return Some(value);
    }
    if let Ok(value) = digits.parse() {
        let ordinal = digits.len() < word.len() && is(at + 1, &["line"]);
        let whole = digits.len() == word.len();
        let run = answer.is_unspaced(at) || behind_name(answer, at);
        return (ordinal || whole && run && answer.word(at + 1) != "/").then_some(value);
    }
    match at > 0 && is(at - 1, &["line", "lines"]) {
        true => in_words(answer, at),
        false => None,
    }
}

/// Whether only marks stand between the name of a file and a number.
fn behind_name(answer: &Answer<'_>, at: usize) -> bool {
    let mark = |at: &usize| matches!(answer.word(*at), ":" | "(" | "[" | "#" | "-" | "+");
    let start = (at.saturating_sub(2)..at).rev().take_while(mark).last();
    start.is_some_and(|start| start >= 2 && answer.word(start - 2) == ".")
}

/// `twenty-three`.
fn in_words(answer: &Answer<'_>, at: usize) -> Option<u64> {
    const ONES: [&str; 9] = [
        "one", "two", "three", "four", "five", "six", "seven", "eight", "nine",
    ];
    const TENS: [&str; 8] = [
        "twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety",
    ];
    let place = |words: &[&str], word: &str| {
        let at = words.iter().position(|own| own.eq_ignore_ascii_case(word));
        at.and_then(|at| u64::try_from(at).ok())
    };
    let tens = place(&TENS, answer.word(at))?;
    let next = at + 1 + usize::from(answer.word(at + 1) == "-");
    let ones = place(&ONES, answer.word(next)).map_or(0, |own| own + 1);
    Some((tens + 2) * 10 + ones)
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
            match said(asked.answer, (cite.start, cite.end)) {
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
