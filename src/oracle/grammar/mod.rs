//! The text grammar g1: what an answer says, as far as it can be told without guessing.
//!
//! An answer is normalised and tokenised once; every check reads the same tokens. All scanners go
//! forward and look around by a bounded number of tokens. The page beside this file, `g1.md`,
//! states the rules and where they depart from the grader that they come from (seed 002).

mod cite;
mod label;
mod lines;
mod markup;
mod normal;
mod payload;
mod phrase;
mod polarity;
mod rows;
mod single;
mod table;
mod token;
mod url;

use std::sync::OnceLock;
use std::sync::atomic::{AtomicU64, Ordering};

pub(crate) use cite::{Citation, resolve};
pub(crate) use label::{Asking, Direction};
pub(crate) use lines::Place;
pub(crate) use markup::{ELEMENTS, elements, listed};
pub(crate) use normal::flat;
pub(crate) use payload::{Candidate, Source, toon_header};
pub(crate) use phrase::Phrase;
pub(crate) use polarity::Polarity;
pub(crate) use rows::integers_of_field;
pub(crate) use single::{Claim, Equal, Facts, Stated, Tone};
pub(crate) use token::{Int, Kind, is_word};
pub(crate) use url::{Url, urls};

use lines::{Fence, RawLine};
use normal::Normal;
use token::Tokens;

/// The name of the grammar in specs. A change that can change a verdict gets a new name.
pub const GRAMMAR: &str = "g1";

/// The page of the grammar.
pub const PAGE: &str = include_str!("g1.md");

/// An answer, normalised and tokenised once.
#[derive(Debug)]
pub struct Answer<'a> {
    raw: &'a str,
    evidence: &'a [String],
    raw_lines: Vec<RawLine>,
    fences: Vec<Fence>,
    normal: Normal,
    tokens: Tokens,
    polarity: Vec<u8>,
    citations: Vec<Citation>,
    flat: OnceLock<String>,
    lower: OnceLock<String>,
    steps: AtomicU64,
}

impl<'a> Answer<'a> {
    /// Reads an answer. Any text is one.
    #[must_use]
    pub fn read(raw: &'a str) -> Self {
        Self::with_evidence(raw, &[])
    }

    /// Reads an answer that came with texts of its own as evidence, such as the `evidence` list of
    /// a structured answer. Only payloads are looked for in those.
    #[must_use]
    pub fn with_evidence(raw: &'a str, evidence: &'a [String]) -> Self {
        let (raw_lines, fences) = lines::read(raw);
        let normal = normal::normalize(raw, &raw_lines);
        let tokens = token::tokenize(&normal);
        let polarity = polarity::read(&normal.text, &tokens);
        let citations = cite::read(&normal);
        let steps = raw.len() as u64 + tokens.steps + tokens.all.len() as u64;
        Self {
            raw,
            evidence,
            raw_lines,
            fences,
            normal,
            tokens,
            polarity,
            citations,
            flat: OnceLock::new(),
            lower: OnceLock::new(),
            steps: AtomicU64::new(steps),
        }
    }

    /// How many characters and tokens were looked at so far, for tests of linearity.
    #[must_use]
    pub fn steps(&self) -> u64 {
        self.steps.load(Ordering::Relaxed)
    }

    /// The answer as it was given.
    #[must_use]
    pub fn raw(&self) -> &'a str {
        self.raw
    }

    /// The normalised text.
    #[must_use]
    pub fn text(&self) -> &str {
        &self.normal.text
    }

    pub(crate) fn step(&self, count: usize) {
        self.steps.fetch_add(count as u64, Ordering::Relaxed);
    }

    /// The text on one line, without marks of emphasis and code.
    pub(crate) fn flat(&self) -> &str {
        self.flat.get_or_init(|| {
            self.step(self.raw.len());
            flat(self.raw)
        })
    }

    /// [`Answer::flat`] in lower case.
    pub(crate) fn lower(&self) -> &str {
        self.lower.get_or_init(|| {
            self.step(self.raw.len());
            self.flat().to_lowercase()
        })
    }

    pub(crate) fn evidence(&self) -> &'a [String] {
        self.evidence
    }

    pub(crate) fn citations(&self) -> &[Citation] {
        &self.citations
    }

    /// The number of tokens.
    pub(crate) fn len(&self) -> usize {
        self.tokens.all.len()
    }

    /// The text of a token, empty past the last.
    pub(crate) fn word(&self, index: usize) -> &str {
        self.tokens.text(&self.normal.text, index)
    }

    pub(crate) fn kind(&self, index: usize) -> Option<Kind> {
        self.tokens.all.get(index).map(|token| token.kind)
    }

    /// The byte range of a token in [`Answer::text`].
    pub(crate) fn range(&self, index: usize) -> (usize, usize) {
        let token = self.tokens.all.get(index);
        token.map_or((0, 0), |token| (token.start as usize, token.end as usize))
    }

    /// The clause of a token.
    pub(crate) fn clause(&self, index: usize) -> Option<u32> {
        self.tokens.all.get(index).map(|token| token.clause)
    }

    /// The tokens of a clause.
    pub(crate) fn clause_tokens(&self, clause: u32) -> std::ops::Range<usize> {
        let clause = self.tokens.clauses.get(clause as usize);
        clause.map_or(0..0, |clause| clause.first as usize..clause.end as usize)
    }

    pub(crate) fn clauses(&self) -> u32 {
        u32::try_from(self.tokens.clauses.len()).unwrap_or(u32::MAX)
    }

    /// The line of a token.
    pub(crate) fn line(&self, index: usize) -> usize {
        self.clause(index)
            .and_then(|clause| self.tokens.clauses.get(clause as usize))
            .map_or(0, |clause| clause.line as usize)
    }

    pub(crate) fn ints(&self) -> &[Int] {
        &self.tokens.ints
    }

    /// The integers that a label of one's choice stands with, in order, with every alternative
    /// that is offered beside them.
    #[must_use]
    pub fn ints_at_label(&self, label: &str) -> Vec<i128> {
        let asking = Asking {
            labels: vec![Phrase::new(label)],
            ..Asking::default()
        };
        let stated = asking.by_label(self).into_iter();
        stated.map(|stated| stated.value).collect()
    }

    /// The values of all integers, each followed by its groups where it is written in groups.
    #[must_use]
    pub fn int_values(&self) -> Vec<i128> {
        self.tokens.int_values()
    }

    /// How a word is said.
    pub(crate) fn said(&self, index: usize) -> Polarity {
        polarity::of_word(&self.normal.text, &self.tokens, &self.polarity, index)
    }

    /// How an integer is said, by its token.
    pub(crate) fn said_int(&self, index: usize) -> Polarity {
        polarity::of_int(&self.polarity, index)
    }

    /// Whether a token is part of a citation: its digits are a line, not a value.
    pub(crate) fn is_cited(&self, index: usize) -> bool {
        let (start, _) = self.range(index);
        let after = self.citations.partition_point(|cite| cite.start <= start);
        after > 0 && start < self.citations[after - 1].end
    }

    /// The first token that starts at or after an offset of [`Answer::text`].
    pub(crate) fn token_at(&self, offset: usize) -> usize {
        self.tokens
            .all
            .partition_point(|token| (token.start as usize) < offset)
    }

    /// Whether a token is an integer or a part of a citation.
    pub(crate) fn is_number_or_cited(&self, index: usize) -> bool {
        matches!(self.kind(index), Some(Kind::Int(_))) || self.is_cited(index)
    }

    /// The number of lines; raw and normalised ones are the same.
    pub(crate) fn line_count(&self) -> usize {
        self.normal.lines.len()
    }

    /// The normalised line, with its offset in [`Answer::text`].
    pub(crate) fn line_text(&self, line: usize) -> (usize, &str) {
        self.normal.lines.get(line).map_or((0, ""), |line| {
            let text = self.normal.text.get(line.start..line.end);
            (line.start, text.unwrap_or(""))
        })
    }

    pub(crate) fn place(&self, line: usize) -> Place {
        let line = self.normal.lines.get(line);
        line.map_or(Place::Prose, |line| line.place)
    }

    /// The raw line, without its end.
    pub(crate) fn raw_line(&self, line: usize) -> &'a str {
        self.raw_lines
            .get(line)
            .and_then(|line| self.raw.get(line.start..line.end))
            .unwrap_or("")
    }

    pub(crate) fn fences(&self) -> &[Fence] {
        &self.fences
    }

    /// Code spans: start and end in [`Answer::text`], and the line.
    pub(crate) fn spans(&self) -> &[(usize, usize, usize)] {
        &self.normal.spans
    }
}
