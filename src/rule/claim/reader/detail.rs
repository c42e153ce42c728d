//! The parameters of the claims, and their order.

use core::ops::Range;

use super::model::{Claim, Counted, Kind, Site, Tally};
use super::param;
use super::scan::{Found, Scan};
use super::stance::{self, Stance};
use super::state::{may_cite, site_at};
use super::untold;
use super::words;
use crate::text::{Prose, Region};

/// Claims by start, end and kind, those of one kind without overlap.
pub(super) fn claims(scan: &Scan<'_, '_>) -> Vec<Claim> {
    let mut found = scan.found.clone();
    found.extend(sites(scan));
    found.sort_by_key(|f| (f.span.start, f.span.end, f.kind));
    let mut ends: Vec<(Kind, usize)> = Vec::new();
    let mut out = Vec::with_capacity(found.len());
    for mut found in found {
        if untold::is_no_deed(scan, &found) {
            continue;
        }
        let stance = stance::of(scan, &found);
        match stance {
            Stance::Open => continue,
            // A denied check is a statement; of a denied deed there is none to hold the record to.
            Stance::Denied if !(found.kind.is_check() || found.kind == Kind::Nochange) => continue,
            Stance::Denied => found.negated = true,
            Stance::Asserted | Stance::Elsewhere | Stance::Part => {}
        }
        let known = ends.iter_mut().find(|(kind, _)| *kind == found.kind);
        if let Some((_, end)) = known {
            if found.span.start < *end {
                continue;
            }
            *end = found.span.end;
        } else {
            ends.push((found.kind, found.span.end));
        }
        let mut claim = claim(scan, &found);
        claim.elsewhere = stance == Stance::Elsewhere;
        claim.partial |= stance == Stance::Part;
        out.push(claim);
    }
    out
}

fn claim(scan: &Scan<'_, '_>, found: &Found) -> Claim {
    // Parameters may stand anywhere in the sentence: `Ran pytest (12 passed)`.
    let around = found
        .sentence
        .and_then(|index| scan.prose.sentences().get(index))
        .map_or(found.span.clone(), |sentence| sentence.range.clone());
    let within = if matches!(found.kind, Kind::Count | Kind::Site | Kind::Quote) {
        found.span.clone()
    } else {
        around
    };
    let numbers = numbers(scan, &within);
    let mut claim = Claim {
        kind: found.kind,
        span: found.span.clone(),
        negated: found.negated,
        partial: false,
        scope: scope(scan, &within),
        numbers,
        quote: quote(scan.prose, found),
        sites: cited(scan, &within),
        whole: false,
        earlier: false,
        elsewhere: false,
        reported: found.reported,
        about: Vec::new(),
        place: None,
        tally: Tally::default(),
        ran: false,
        outcome: true,
    };
    flags(scan, &within, &mut claim);
    param::fill(scan, found, &mut claim);
    claim
}

/// Claims of one sentence look at no more words, names or numbers than this.
const WINDOW: usize = 64;

fn flags(scan: &Scan<'_, '_>, span: &Range<usize>, claim: &mut Claim) {
    let all = scan.prose.words();
    let from = all.partition_point(|word| word.range.start < span.start);
    let start = from.max(
        all.partition_point(|word| word.range.end <= claim.span.start)
            .saturating_sub(WINDOW),
    );
    for (at, word) in all.iter().enumerate().skip(start).take(2 * WINDOW) {
        if word.range.start >= span.end {
            break;
        }
        let (form, next) = (scan.form(at), scan.form(at + 1));
        claim.partial |= matches!(
            form,
            "except"
                | "excluding"
                | "mostly"
                | "partially"
                | "almost"
                | "nearly"
                | "most"
                | "barring"
                | "exception"
                | "exceptions"
                | "ignoring"
                | "modulo"
        ) || takes_out(scan, at)
            || (matches!(form, "apart" | "aside") && next == "from")
            || (form == "other" && next == "than")
            || (form == "all" && next == "but")
            || (form == "only" && words::went_well(next));
        claim.earlier |= matches!(
            form,
            "already" | "previously" | "earlier" | "originally" | "pre-existing" | "preexisting"
        ) || (form == "before" && matches!(next, "my" | "this" | "these"));
    }
}

/// `bar three`, `save two`, `minus the network ones`: a preposition in front of a number or of what is
/// told by an article.
fn takes_out(scan: &Scan<'_, '_>, at: usize) -> bool {
    let next = at + 1;
    let from = scan.numbers.partition_point(|number| number.word < next);
    let number = scan.numbers.get(from).is_some_and(|n| n.word == next);
    match scan.form(at) {
        "bar" | "save" => number,
        "minus" => number || scan.form(next) == "the",
        _ => false,
    }
}

fn scope(scan: &Scan<'_, '_>, span: &Range<usize>) -> Vec<String> {
    let from = scan
        .idents
        .partition_point(|ident| ident.range.start < span.start);
    let mut out: Vec<String> = Vec::new();
    for ident in scan.idents[from..].iter().take(WINDOW) {
        if ident.range.start >= span.end {
            break;
        }
        if !out.iter().any(|known| known == ident.text) {
            out.push(ident.text.to_owned());
        }
    }
    out
}

fn numbers(scan: &Scan<'_, '_>, span: &Range<usize>) -> Vec<Counted> {
    let from = scan
        .numbers
        .partition_point(|number| number.range.start < span.start);
    let mut out = Vec::new();
    for number in scan.numbers[from..].iter().take(WINDOW) {
        if number.range.start >= span.end {
            break;
        }
        let end = clause_end(scan, number.word);
        let noun = if number.percent {
            "percent"
        } else {
            (1..=4)
                .take_while(|n| number.word + n < end)
                .take_while(|n| {
                    scan.prose
                        .words()
                        .get(number.word + n)
                        .is_some_and(|w| w.range.start < span.end)
                })
                .find_map(|n| words::counted(scan.form(number.word + n)))
                .unwrap_or("")
        };
        out.push(Counted {
            value: number.value,
            noun,
            span: number.range.clone(),
        });
    }
    out
}

/// The end of the clause that holds the word: a noun beyond it is not what is counted.
fn clause_end(scan: &Scan<'_, '_>, word: usize) -> usize {
    let clauses = scan.prose.clauses();
    clauses
        .get(clauses.partition_point(|clause| clause.words.end <= word))
        .map_or(usize::MAX, |clause| clause.words.end)
}

fn quote(prose: &Prose<'_>, found: &Found) -> Option<Range<usize>> {
    if found.kind != Kind::Quote {
        return None;
    }
    let text = prose.source().get(found.span.clone())?;
    let marks = ['`', '"', '“', '”', '「', '」', '«', '»'];
    let lead = text.len() - text.trim_start_matches(marks).len();
    let inner = text.trim_matches(marks).len();
    Some(found.span.start + lead..found.span.start + lead + inner)
}

/// The place that a code span or a bare token cites.
fn place(prose: &Prose<'_>, region: &Region) -> Option<Site> {
    let text = prose.source().get(region.range.clone())?;
    let inner = text.trim_matches('`');
    let lead = (text.len() - inner.len()) / 2;
    let (path, line) = site_at(inner)?;
    Some(Site {
        path: inner.get(path)?.to_owned(),
        line,
        span: region.range.start + lead..region.range.start + lead + inner.len(),
    })
}

fn cited(scan: &Scan<'_, '_>, span: &Range<usize>) -> Vec<Site> {
    let regions = scan.prose.regions();
    let from = regions.partition_point(|region| region.range.end <= span.start);
    regions[from..]
        .iter()
        .take(WINDOW)
        .take_while(|region| region.range.start < span.end)
        .filter(|region| may_cite(region.kind))
        .filter_map(|region| place(scan.prose, region))
        .collect()
}

/// Every place that is cited in a sentence of the agent's own voice.
fn sites(scan: &Scan<'_, '_>) -> Vec<Found> {
    let sentences = scan.prose.sentences();
    scan.prose
        .regions()
        .iter()
        .filter(|region| may_cite(region.kind))
        .filter_map(|region| {
            let site = place(scan.prose, region)?;
            let index = sentences.partition_point(|s| s.range.end <= site.span.start);
            let sentence = sentences.get(index)?;
            let own = sentence.range.start <= site.span.start && !scan.section(index).moot;
            own.then_some(Found {
                kind: Kind::Site,
                span: site.span,
                negated: false,
                reported: None,
                sentence: Some(index),
            })
        })
        .collect()
}
