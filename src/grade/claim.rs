//! A claim's row.

use super::row::{ClaimRow, EvidenceRow, SCHEMA, SpanRow};
use crate::rule::claim::Claim;
use crate::rule::claim::judge::{Judged, Verdict};
use crate::turn::{Close, Turn};

/// Bytes of a claim's words that a row repeats at most.
const WORDS: usize = 400;

/// What a claim's row is made of.
pub struct ClaimFacts<'a> {
    /// The file's name in rows.
    pub file: &'a str,
    /// The turn.
    pub turn: &'a Turn,
    /// The close that holds the claim.
    pub close: &'a Close,
    /// The claim.
    pub claim: &'a Claim,
    /// What the record says of it.
    pub judged: &'a Judged,
}

/// The row of a claim. What the file says of the session as a whole is filled in at its end.
#[must_use]
pub fn claim_row(facts: &ClaimFacts<'_>) -> ClaimRow {
    let (claim, judged) = (facts.claim, facts.judged);
    let words = facts
        .close
        .text
        .get(claim.span.clone())
        .unwrap_or("")
        .trim();
    let mut end = words.len().min(WORDS);
    while !words.is_char_boundary(end) {
        end -= 1;
    }
    let line = line_of(facts.close, claim.span.start);
    ClaimRow {
        schema: SCHEMA,
        kind: "claim",
        file: facts.file.to_owned(),
        session: None,
        turn: facts.turn.number,
        lines: (line, line),
        status: status(judged.verdict),
        verdict: judged.verdict.as_str(),
        reasons: vec![judged.reason.as_str().to_owned()],
        evidence: judged
            .evidence
            .iter()
            .map(|(place, what)| EvidenceRow {
                file: facts.file.to_owned(),
                line: place.line,
                start: place.start,
                end: place.end,
                what: what.to_string(),
            })
            .collect(),
        claim: claim.kind.as_str(),
        span: SpanRow {
            start: claim.span.start as u64,
            end: claim.span.end as u64,
        },
        text: words[..end].to_owned(),
        negated: claim.negated,
        location: "close",
        settle: judged.settle.clone(),
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

/// The line of the text block that holds an offset of the close.
fn line_of(close: &Close, offset: usize) -> u64 {
    let mut start = 0;
    for (place, length) in &close.blocks {
        if offset < start + length + 2 {
            return place.line;
        }
        start += length + 2;
    }
    close.place.line
}
