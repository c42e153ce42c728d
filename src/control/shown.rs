//! What a run said, as controls are held against it.

use core::fmt;
use core::ops::Range;

use crate::grade::Row;

/// What a row is about.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum About {
    /// A claim.
    Claim,
    /// A finding.
    Finding,
    /// The gate's answer.
    Gate,
}

/// A row, as far as an expectation asks of it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Shown {
    /// What it is about.
    pub about: About,
    /// The file's name.
    pub file: String,
    /// The turn.
    pub turn: u32,
    /// The kind of the claim, or the rule of the finding.
    pub name: &'static str,
    /// The verdict.
    pub verdict: &'static str,
    /// Its reasons.
    pub reasons: Vec<String>,
    /// Where its words stand.
    pub span: Range<u64>,
    /// Its words.
    pub text: String,
    /// Where it was published.
    pub place: &'static str,
    /// Whether the claim denies.
    pub negated: bool,
    /// The gate's near misses.
    pub misses: Vec<&'static str>,
}

impl Shown {
    /// What a row shows; nothing of a session's.
    #[must_use]
    pub fn of(row: &Row) -> Option<Self> {
        let empty = |about, file: &str, turn, name, verdict| Self {
            about,
            file: file.to_owned(),
            turn,
            name,
            verdict,
            reasons: Vec::new(),
            span: 0..0,
            text: String::new(),
            place: "close",
            negated: false,
            misses: Vec::new(),
        };
        Some(match row {
            Row::Session(_) => return None,
            Row::Turn(row) => Self {
                reasons: vec![row.gate.reason.to_owned()],
                misses: row.gate.near_misses.clone(),
                ..empty(About::Gate, &row.file, row.turn, "gate", row.gate.verdict)
            },
            Row::Claim(row) => Self {
                reasons: row.reasons.clone(),
                span: row.span.start..row.span.end,
                text: row.text.clone(),
                place: row.location,
                negated: row.negated,
                ..empty(About::Claim, &row.file, row.turn, row.claim, row.verdict)
            },
            Row::Finding(row) => Self {
                reasons: row.reasons.clone(),
                text: row.text.clone(),
                ..empty(About::Finding, &row.file, row.turn, row.rule, row.verdict)
            },
        })
    }
}

impl fmt::Display for Shown {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {}", self.name, self.verdict)?;
        if !self.reasons.is_empty() {
            write!(f, "({})", self.reasons.join(", "))?;
        }
        if self.negated {
            f.write_str(" negated")?;
        }
        Ok(())
    }
}
