//! The text grammar g1: what an answer says, as far as it can be told without guessing.
//!
//! An answer is normalised and tokenised once; every check reads the same tokens. All scanners go
//! forward and look around by a bounded number of tokens. The page beside this file, `g1.md`,
//! states the rules and where they depart from the grader that they come from (seed 002).

mod behind;
mod cite;
mod command;
mod label;
mod lines;
mod link;
mod markup;
mod near;
mod normal;
mod payload;
mod phrase;
mod polarity;
mod rows;
mod script;
mod share;
mod single;
mod stance;
mod table;
mod token;
mod tone;
mod url;
mod whole;

use std::sync::OnceLock;
use std::sync::atomic::{AtomicU64, Ordering};

pub(crate) use cite::{Citation, resolve};
pub(crate) use label::{Asking, Direction};
pub(crate) use lines::Place;
pub(crate) use markup::{ELEMENTS, Listed, elements, listed};
pub(crate) use near::near;
pub use normal::flat;
pub(crate) use payload::{Candidate, Source, toon_header};
pub(crate) use phrase::Phrase;
pub(crate) use polarity::Polarity;
pub(crate) use rows::integers_of_field;
pub(crate) use script::is_unspaced;
pub(crate) use single::{Claim, Equal, Facts, Single, Stated, Tone, single};
pub(crate) use table::below;
pub(crate) use token::{Int, Kind, is_word};
pub(crate) use url::{Url, urls};

use super::sight::same_place;
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
    polarity: Vec<u16>,
    citations: Vec<Citation>,
    /// Code spans that hold a command: it is shown, and states nothing.
    commands: Vec<(usize, usize)>,
    /// Whether it is read to the last mark.
    verbatim: bool,
    flat: OnceLock<String>,
    lower: OnceLock<String>,
    steps: AtomicU64,
}

/// Whether one of sorted ranges holds an offset.
fn covers(ranges: &[(usize, usize)], offset: usize) -> bool {
    let after = ranges.partition_point(|range| range.0 <= offset);
    after > 0 && offset < ranges[after - 1].1
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
        Self::of(raw, evidence, (raw_lines, fences), normal)
    }

    /// Reads an answer to the last mark: nothing is normalised, and nothing is a fence or a span.
    #[must_use]
    pub fn verbatim(raw: &'a str) -> Self {
        let raw_lines = lines::unfenced(raw);
        let normal = normal::verbatim(raw, &raw_lines);
        let answer = Self::of(raw, &[], (raw_lines, Vec::new()), normal);
        Self {
            flat: OnceLock::from(raw.to_owned()),
            verbatim: true,
            ..answer
        }
    }

    fn of(
        raw: &'a str,
        evidence: &'a [String],
        (raw_lines, fences): (Vec<RawLine>, Vec<Fence>),
        normal: Normal,
    ) -> Self {
        let tokens = token::tokenize(&normal);
        let code: Vec<(usize, usize)> = normal
            .spans
            .iter()
            .map(|(start, end, _)| (*start, *end))
            .collect();
        let polarity = polarity::read(&normal.text, &tokens, &code);
        let commands = command::read(&normal);
        let mut citations = cite::read(&normal);
        citations.retain(|cite| !covers(&commands, cite.start));
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
            commands,
            verbatim: false,
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

    /// Whether a passage is repeated: in a fenced block to the last mark, in prose but for the marks
    /// that Markdown takes out of it.
    pub(crate) fn repeats(&self, passage: &str) -> bool {
        self.step(self.raw.len());
        if self.verbatim {
            return memchr::memmem::find(self.raw.as_bytes(), passage.as_bytes()).is_some();
        }
        let kept: Vec<&str> = passage.split_whitespace().collect();
        let kept = normal::fenced(&kept.join(" "));
        let bare = flat(passage);
        let (mut prose, mut fenced) = (String::new(), String::new());
        for line in 0..self.line_count() {
            let (own, other) = match self.place(line) {
                Place::Prose => (&mut prose, &mut fenced),
                _ => (&mut fenced, &mut prose),
            };
            // What stands on both sides of a block is not one passage.
            if !other.is_empty() && !other.ends_with('\0') {
                other.push('\0');
            }
            let text = if self.place(line) == Place::Prose {
                flat(self.raw_line(line))
            } else {
                let words: Vec<&str> = self.raw_line(line).split_whitespace().collect();
                normal::fenced(&words.join(" "))
            };
            if !text.is_empty() {
                own.push(' ');
                own.push_str(&text);
            }
        }
        memchr::memmem::find(fenced.as_bytes(), kept.as_bytes()).is_some()
            || memchr::memmem::find(prose.as_bytes(), bare.as_bytes()).is_some()
    }

    /// A text of a key as it would stand in [`Answer::flat`].
    pub(crate) fn as_flat(&self, text: &str) -> String {
        match self.verbatim {
            true => text.to_owned(),
            false => flat(text),
        }
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
        let (start, _) = self.range(index);
        let after = self
            .normal
            .lines
            .partition_point(|line| line.start <= start);
        after.saturating_sub(1)
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

    /// Whether a token stands in a command that is only shown.
    pub(crate) fn is_shown(&self, index: usize) -> bool {
        covers(&self.commands, self.range(index).0)
    }

    /// Whether a token stands in a code span.
    pub(crate) fn is_code(&self, index: usize) -> bool {
        let (start, end) = self.range(index);
        let spans = self.spans();
        let after = spans.partition_point(|span| span.0 <= start);
        after > 0 && end <= spans[after - 1].1
    }

    /// How a word is said. In a command it is not said.
    pub(crate) fn said(&self, index: usize) -> Polarity {
        if self.is_shown(index) {
            return Polarity::Denied;
        }
        polarity::of_word(&self.normal.text, &self.tokens, &self.polarity, index)
    }

    /// Whether a word is denied by what stands before it in its clause.
    pub(crate) fn is_denied_before(&self, index: usize) -> bool {
        polarity::is_denied_before(&self.polarity, index)
    }

    /// How a place in a file is said, by its first token: no condition behind it moves it.
    pub(crate) fn said_place(&self, first: usize) -> Polarity {
        polarity::of_place(&self.normal.text, &self.tokens, &self.polarity, first)
    }

    /// Whether a condition follows that an integer is told for.
    pub(crate) fn is_conditioned(&self, index: usize) -> bool {
        polarity::is_conditioned(&self.polarity, index)
    }

    /// Whether the answer doubts what stands at a token, or asks it.
    pub(crate) fn is_doubted(&self, index: usize) -> bool {
        polarity::is_doubted(&self.polarity, index)
    }

    /// Whether the clause of a token is in another script, whose denials are not known here.
    pub(crate) fn is_foreign(&self, index: usize) -> bool {
        polarity::is_foreign_at(&self.polarity, index)
    }

    /// Whether any clause is in another script.
    pub(crate) fn holds_foreign(&self) -> bool {
        (0..self.polarity.len()).any(|index| self.is_foreign(index))
    }

    /// Whether the clause of a token is in a script without blanks.
    pub(crate) fn is_unspaced(&self, index: usize) -> bool {
        polarity::is_unspaced_at(&self.polarity, index)
    }

    /// How an integer is said, by its token.
    pub(crate) fn said_int(&self, index: usize) -> Polarity {
        polarity::of_int(&self.polarity, index)
    }

    /// Whether an integer is told as a bound or an estimate.
    pub(crate) fn is_bounded(&self, index: usize) -> bool {
        tone::is_bounded(self, index)
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

    /// Whether `or` or `/` joins a citation to another place or a number.
    pub(crate) fn has_alternative(&self, cite: &Citation) -> bool {
        let (before, after) = (self.token_at(cite.start), self.token_at(cite.end));
        let clause = self.clause(before);
        let same = |index: usize| self.clause(index) == clause;
        let joins = |index: usize| {
            let word = self.word(index);
            same(index)
                && (word == "/"
                    || ["or", "vs"]
                        .iter()
                        .any(|own| own.eq_ignore_ascii_case(word)))
        };
        let place = |index: usize| same(index) && self.is_number_or_cited(index);
        // `a.py:23, :27 or :34`.
        let mut last = after;
        for _ in 0..24 {
            self.step(1);
            if !same(last)
                || !matches!(self.word(last), "," | ":") && !self.is_number_or_cited(last)
            {
                break;
            }
            last += 1;
        }
        (joins(last) && (place(last + 1) || place(last + 2)))
            || joins(after) && (place(after + 1) || place(after + 2))
            || before >= 2 && joins(before - 1) && place(before - 2)
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

    /// Where a range of [`Answer::text`] stands in the answer as it was given: its line, from 0, and its bytes; those of the
    /// whole line where its words are written otherwise there.
    pub(crate) fn origin(&self, (start, end): (usize, usize)) -> (usize, (usize, usize)) {
        let after = self
            .normal
            .lines
            .partition_point(|line| line.start <= start);
        let line = after.saturating_sub(1);
        let (from, text) = self.line_text(line);
        let raw = self
            .raw_lines
            .get(line)
            .map_or((0, 0), |own| (own.start, own.end));
        let own = self.normal.text.get(start..end).unwrap_or("");
        let at = start.saturating_sub(from);
        match same_place(text, self.raw_line(line), own, at) {
            Some(at) => (line, (raw.0 + at, raw.0 + at + own.len())),
            None => (line, raw),
        }
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

#[cfg(test)]
mod tests;
