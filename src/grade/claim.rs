//! A claim's row.

use core::ops::Range;
use std::collections::HashMap;
use std::collections::hash_map::Entry;

use super::row::{ClaimRow, EvidenceRow, SCHEMA, SpanRow};
use crate::rule::claim::Claim;
use crate::rule::claim::judge::{Judged, Reason, Verdict};
use crate::rule::claim::published::Location;
use crate::turn::Close;

/// Bytes of a claim's words that a row repeats at most.
const WORDS: usize = 400;
/// The kind of a statement in a language that is not read.
pub const UNREAD: &str = "unread";

/// The text that claims stand in.
#[derive(Debug, Clone, Copy)]
pub struct Source<'a> {
    /// The file's name in rows.
    pub file: &'a str,
    /// The turn's number.
    pub turn: u32,
    /// Where it was published.
    pub location: Location,
    /// The text.
    pub text: &'a str,
    /// The line of the record that it stands in.
    pub line: u64,
}

/// The row of a claim. What the file says of the session as a whole is filled in at its end.
#[must_use]
pub fn claim_row(source: Source<'_>, claim: &Claim, judged: &Judged) -> ClaimRow {
    let evidence = judged.evidence.iter().map(|(place, what)| EvidenceRow {
        file: source.file.to_owned(),
        line: place.line,
        start: place.start,
        end: place.end,
        what: what.to_string(),
    });
    ClaimRow {
        status: status(judged.verdict),
        verdict: judged.verdict.as_str(),
        reasons: vec![judged.reason.as_str().to_owned()],
        evidence: evidence.collect(),
        claim: claim.kind.as_str(),
        negated: claim.negated,
        settle: judged.settle.clone(),
        ..unread_row(source, claim.span.clone())
    }
}

/// The row of a statement in a language that is not read.
#[must_use]
pub fn unread_row(source: Source<'_>, span: Range<usize>) -> ClaimRow {
    let words = source.text.get(span.clone()).unwrap_or("").trim();
    let end = words.floor_char_boundary(WORDS);
    ClaimRow {
        schema: SCHEMA,
        kind: "claim",
        file: source.file.to_owned(),
        session: None,
        turn: source.turn,
        lines: (source.line, source.line),
        status: status(Verdict::Unknown),
        verdict: Verdict::Unknown.as_str(),
        reasons: vec![Reason::Language.as_str().to_owned()],
        evidence: Vec::new(),
        claim: UNREAD,
        span: SpanRow {
            start: span.start as u64,
            end: span.end as u64,
        },
        text: words[..end].to_owned(),
        negated: false,
        location: source.location.as_str(),
        settle: None,
        group: None,
    }
}

/// Marks the claims of one text that state the same fact: one step decided them alike, or they say
/// alike of one kind of check that nothing shows.
pub fn group(rows: &mut [ClaimRow]) {
    let mut first: HashMap<Fact, usize> = HashMap::new();
    for at in 0..rows.len() {
        let Some(fact) = Fact::of(&rows[at]) else {
            continue;
        };
        match first.entry(fact) {
            Entry::Vacant(entry) => drop(entry.insert(at)),
            Entry::Occupied(entry) => {
                let start = rows[*entry.get()].span.start;
                rows[*entry.get()].group = Some(start);
                rows[at].group = Some(start);
            }
        }
    }
}

/// What makes two claims one fact.
#[derive(PartialEq, Eq, Hash)]
struct Fact {
    verdict: &'static str,
    kind: &'static str,
    /// The deciding place.
    at: Option<u64>,
}

impl Fact {
    fn of(row: &ClaimRow) -> Option<Self> {
        let check = matches!(
            row.claim,
            "tests" | "build" | "lint" | "typecheck" | "format"
        );
        let at = row.evidence.first().map(|found| found.start);
        // What is said of a run, in whichever words, is one fact; changes of one step are several.
        let of_run = check
            || matches!(
                row.claim,
                "count" | "run" | "verified" | "failing" | "fixed"
            );
        let kind = if of_run && at.is_some() {
            "run"
        } else {
            row.claim
        };
        let same = row.claim != UNREAD
            && !row.negated
            && (at.is_some() || check && row.verdict == "unsupported");
        same.then_some(Self {
            verdict: row.verdict,
            kind,
            at,
        })
    }
}

/// Only what the record shows to be otherwise fails; what nothing shows is open.
fn status(verdict: Verdict) -> &'static str {
    match verdict {
        Verdict::Supported => "pass",
        Verdict::Contradicted => "fail",
        Verdict::Unsupported | Verdict::Unknown => "unknown",
    }
}

/// The line of the text block that holds an offset of a close.
#[must_use]
pub fn line_of(close: &Close, offset: usize) -> u64 {
    let mut start = 0;
    for (place, length) in &close.blocks {
        if offset < start + length + 2 {
            return place.line;
        }
        start += length + 2;
    }
    close.place.line
}

#[cfg(test)]
mod tests {
    use super::*;

    fn row(claim: &'static str, verdict: &'static str, span: u64, at: Option<u64>) -> ClaimRow {
        let source = Source {
            file: "a.jsonl",
            turn: 1,
            location: Location::Close,
            text: "",
            line: 3,
        };
        let mut row = unread_row(source, 0..0);
        (row.claim, row.verdict, row.span.start) = (claim, verdict, span);
        row.evidence.extend(at.map(|start| EvidenceRow {
            file: String::new(),
            line: 2,
            start,
            end: start + 1,
            what: String::new(),
        }));
        row
    }

    #[test]
    fn one_run_told_twice_is_one_fact_and_two_changes_are_two() {
        let mut rows = [
            row("tests", "supported", 0, Some(9)),
            row("edit", "supported", 5, Some(9)),
            row("count", "supported", 10, Some(9)),
            row("tests", "contradicted", 20, Some(9)),
            row("build", "unsupported", 30, None),
            row("lint", "unsupported", 40, None),
            row("build", "unsupported", 50, None),
            row("push", "unsupported", 60, None),
            row("push", "unsupported", 70, None),
        ];
        group(&mut rows);
        let groups = rows.map(|row| row.group);
        let none = None;
        assert_eq!(
            groups,
            [
                Some(0),
                none,
                Some(0),
                none,
                Some(30),
                none,
                Some(30),
                none,
                none
            ]
        );
    }
}
