//! One tokenisation of the normalised text: words, integers, other numbers, marks and clauses.

use unicode_general_category::{GeneralCategory, get_general_category};

use super::lines::Place;
use super::normal::{self, Normal};
use super::script::is_unspaced;

/// What a token is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Kind {
    /// A run of letters, digits, `_` and combining marks that is no integer.
    Word,
    /// The integer of this index.
    Int(u32),
    /// Digits that are no integer: a fraction, a version, a run that touches a raised digit.
    Number,
    /// Any other character.
    Mark,
}

/// A token, as a range of the normalised text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Token {
    pub(crate) start: u32,
    pub(crate) end: u32,
    pub(crate) clause: u32,
    pub(crate) kind: Kind,
}

/// An integer.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Int {
    pub(crate) token: u32,
    /// Saturated where it has more digits than 128 bits hold: it equals no key.
    pub(crate) value: i128,
    /// The groups of `1,234`, as a range of [`Tokens::parts`].
    pub(crate) parts: (u32, u32),
    /// What it would be with its neighbours as one grouped number: `(1,234)`, `891 615`.
    pub(crate) joined: Option<i128>,
    /// It numbers a list item.
    pub(crate) marker: bool,
}

/// A clause: it ends at a line's end that does not break off, `;`, and `.`, `!` or `?` before a space.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Clause {
    pub(crate) first: u32,
    pub(crate) end: u32,
    pub(crate) question: bool,
}

/// All tokens of a text.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct Tokens {
    pub(crate) all: Vec<Token>,
    pub(crate) ints: Vec<Int>,
    pub(crate) parts: Vec<i128>,
    pub(crate) clauses: Vec<Clause>,
    /// Characters looked at.
    pub(crate) steps: u64,
}

/// A character of a word.
pub(crate) fn is_word(c: char) -> bool {
    if c.is_ascii() {
        return c.is_ascii_alphanumeric() || c == '_';
    }
    c.is_alphanumeric() && !normal::is_raised(c) || is_combining(c)
}

fn is_combining(c: char) -> bool {
    matches!(
        get_general_category(c),
        GeneralCategory::NonspacingMark
            | GeneralCategory::SpacingMark
            | GeneralCategory::EnclosingMark
    )
}

/// A character that goes on with a word before it.
fn is_joined(c: char) -> bool {
    is_word(c) && !is_unspaced(c)
}

/// Words that end no clause at the end of a line.
const WRAPPED: [&str; 20] = [
    "not", "no", "never", "the", "a", "an", "of", "to", "is", "are", "was", "were", "and", "or",
    "with", "at", "in", "by", "than", "from",
];

/// Words before a dot that end no clause.
const ABBREVIATIONS: [&str; 9] = ["vs", "g", "e", "approx", "ca", "cf", "resp", "incl", "excl"];

struct Reader<'a> {
    text: &'a str,
    out: Tokens,
    /// Open brackets on this line.
    depth: u32,
    /// Integers on this line are not read: it overrides the direction of writing.
    overridden: bool,
    line_start: usize,
    /// The integers that are joined by single spaces so far.
    spaced: (usize, u32),
    /// The end of a run of groups in brackets, and what it would be as one number.
    bracketed: (usize, i128),
}

fn narrow(value: usize) -> u32 {
    u32::try_from(value).unwrap_or(u32::MAX)
}

/// Tokenises.
pub(crate) fn tokenize(normal: &Normal) -> Tokens {
    let mut reader = Reader {
        text: &normal.text,
        out: Tokens::default(),
        depth: 0,
        overridden: false,
        line_start: 0,
        spaced: (0, 0),
        bracketed: (0, 0),
    };
    let mut was_prose = false;
    for line in &normal.lines {
        // Offsets are kept in 32 bits; what lies beyond is not read.
        if line.end >= u32::MAX as usize {
            break;
        }
        reader.depth = 0;
        reader.overridden = line.overridden;
        reader.line_start = line.start;
        reader.spaced = (0, 0);
        let wrapped = line.place == Place::Prose && was_prose && reader.breaks_off();
        was_prose = line.place == Place::Prose && line.end > line.start;
        if !wrapped {
            reader.open_clause();
        }
        reader.line(line.start, line.end);
        reader.close_clause(false);
    }
    reader.out
}

impl Reader<'_> {
    fn open_clause(&mut self) {
        let first = narrow(self.out.all.len());
        self.out.clauses.push(Clause {
            first,
            end: first,
            question: false,
        });
    }

    fn close_clause(&mut self, question: bool) {
        let end = narrow(self.out.all.len());
        if let Some(clause) = self.out.clauses.last_mut() {
            clause.end = end;
            clause.question |= question;
        }
    }

    /// A line that breaks off after a word like `not` or `the` goes on in the next one.
    fn breaks_off(&self) -> bool {
        let last = self.out.all.last();
        last.filter(|token| token.kind == Kind::Word)
            .and_then(|token| self.text.get(token.start as usize..token.end as usize))
            .is_some_and(|word| WRAPPED.contains(&word))
    }

    fn char_at(&self, at: usize) -> Option<char> {
        self.text.get(at..)?.chars().next()
    }

    fn char_before(&self, at: usize) -> Option<char> {
        self.text.get(self.line_start..at)?.chars().next_back()
    }

    fn push(&mut self, start: usize, end: usize, kind: Kind) {
        self.out.all.push(Token {
            start: narrow(start),
            end: narrow(end),
            clause: narrow(self.out.clauses.len() - 1),
            kind,
        });
    }

    fn line(&mut self, start: usize, end: usize) {
        let mut at = start;
        while at < end {
            let Some(c) = self.char_at(at) else { break };
            self.out.steps += 1;
            if c.is_whitespace() {
                at += c.len_utf8();
            } else if c.is_ascii_digit() {
                at = self.digits(at, end);
            } else if is_unspaced(c) {
                let stop = self.marked_end(at + c.len_utf8(), end);
                self.push(at, stop, Kind::Word);
                at = stop;
            } else if is_word(c) {
                let stop = self.word_end(at, end);
                self.push(at, stop, Kind::Word);
                at = stop;
            } else if c == '-' && self.is_sign(at) {
                at = self.digits(at, end);
            } else {
                let next = at + c.len_utf8();
                self.mark(c, at, next, end);
                at = next;
            }
        }
    }

    fn mark(&mut self, c: char, at: usize, next: usize, end: usize) {
        self.push(at, next, Kind::Mark);
        match c {
            '(' | '[' | '{' => self.depth += 1,
            ')' | ']' | '}' => self.depth = self.depth.saturating_sub(1),
            ';' | '。' if next < end => {
                self.close_clause(false);
                self.open_clause();
            }
            '.' | '!' | '?' => {
                let spaced = self.char_at(next).is_none_or(char::is_whitespace);
                if spaced && !(c == '.' && self.abbreviated()) {
                    self.close_clause(c == '?');
                    if next < end {
                        self.open_clause();
                    }
                }
            }
            _ => {}
        }
    }

    fn abbreviated(&self) -> bool {
        let before = self.out.all.len().checked_sub(2);
        before
            .and_then(|index| self.out.all.get(index))
            .filter(|token| token.kind == Kind::Word)
            .and_then(|token| self.text.get(token.start as usize..token.end as usize))
            .is_some_and(|word| {
                let lower = word.to_ascii_lowercase();
                let own = if word.len() > 1 { lower.as_str() } else { word };
                ABBREVIATIONS.contains(&own)
            })
    }

    fn word_end(&mut self, at: usize, end: usize) -> usize {
        let rest = self.text.get(at..end).unwrap_or("");
        let length: usize = rest
            .chars()
            .take_while(|c| is_joined(*c))
            .map(char::len_utf8)
            .sum();
        self.out.steps += length as u64;
        at + length
    }

    /// The end of the combining marks at a place.
    fn marked_end(&self, at: usize, end: usize) -> usize {
        let rest = self.text.get(at..end).unwrap_or("");
        let marks = rest.chars().take_while(|c| is_combining(*c));
        at + marks.map(char::len_utf8).sum::<usize>()
    }

    /// A dash is a sign directly before a digit, after a space, an opening bracket, a quote, `=`,
    /// `:` or `,`; not in `+3 -4`, the two halves of a diff.
    fn is_sign(&self, at: usize) -> bool {
        if !self.char_at(at + 1).is_some_and(|c| c.is_ascii_digit()) {
            return false;
        }
        let before = self.char_before(at);
        if !before.is_none_or(|c| c.is_whitespace() || "([{=:,\"'|".contains(c)) {
            return false;
        }
        let Some(last) = self.out.all.last() else {
            return true;
        };
        let plus = matches!(last.kind, Kind::Int(_))
            && self.char_before(last.start as usize) == Some('+')
            && last.start as usize >= self.line_start;
        !plus
    }

    /// A run that starts with a digit or a sign: an integer, or something else that holds digits.
    fn digits(&mut self, start: usize, end: usize) -> usize {
        let negative = self.char_at(start) == Some('-');
        let from = start + usize::from(negative);
        let stop = self.word_end(from, end);
        let run = self.text.get(from..stop).unwrap_or("");
        if !run.bytes().all(|byte| byte.is_ascii_digit()) {
            if negative {
                self.push(start, from, Kind::Mark);
            }
            self.push(from, stop, Kind::Word);
            return stop;
        }
        let dotted = self.dotted_before(from) || self.dotted_at(stop);
        let splits = |c| normal::is_raised(c) || normal::is_invisible(c);
        let raised =
            self.char_at(stop).is_some_and(splits) || self.char_before(from).is_some_and(splits);
        if dotted || raised || self.overridden {
            let stop = if dotted { self.chain(stop, end) } else { stop };
            self.push(start, stop, Kind::Number);
            return stop;
        }
        self.integer(start, from, stop, end)
    }

    fn dotted_before(&self, from: usize) -> bool {
        self.char_before(from) == Some('.') && self.char_before(from - 1) != Some('.')
    }

    fn dotted_at(&self, at: usize) -> bool {
        self.char_at(at) == Some('.') && self.char_at(at + 1).is_some_and(is_word)
    }

    /// The end of a run of parts that dots join.
    fn chain(&mut self, stop: usize, end: usize) -> usize {
        let mut stop = stop;
        while stop < end && self.dotted_at(stop) {
            stop = self.word_end(stop + 1, end);
        }
        stop
    }

    /// A further group: a comma and exactly three digits.
    fn group(&self, at: usize, end: usize) -> Option<i128> {
        let group = self.text.get(at..(at + 4).min(end))?;
        let digits = group.strip_prefix(',')?;
        let whole = digits.len() == 3 && digits.bytes().all(|byte| byte.is_ascii_digit());
        let more = self.char_at(at + 4).is_some_and(is_joined);
        (whole && !more).then(|| parse(digits))
    }

    fn integer(&mut self, start: usize, from: usize, stop: usize, end: usize) -> usize {
        let digits = self.text.get(from..stop).unwrap_or("");
        let (head, short) = (parse(digits), digits.len() <= 3);
        let sign = if start < from { -1 } else { 1 };
        let first_part = self.out.parts.len();
        let (mut value, mut stop) = (head, stop);
        if short && self.depth == 0 {
            while let Some(part) = self.group(stop, end) {
                if self.out.parts.len() == first_part {
                    self.out.parts.push(head);
                }
                self.out.parts.push(part);
                value = value.saturating_mul(1000).saturating_add(part);
                stop += 4;
                self.out.steps += 4;
            }
        }
        if self.dotted_at(stop) {
            self.out.parts.truncate(first_part);
            let stop = self.chain(stop, end);
            self.push(start, stop, Kind::Number);
            return stop;
        }
        let joined = self.joined(start, head, short, stop, end);
        let index = narrow(self.out.ints.len());
        let marker = self.marks_item(start, stop, end);
        self.push(start, stop, Kind::Int(index));
        self.out.ints.push(Int {
            token: narrow(self.out.all.len() - 1),
            value: value * sign,
            parts: (narrow(first_part), narrow(self.out.parts.len())),
            joined,
            marker,
        });
        self.join_spaced(start, stop);
        stop
    }

    /// In brackets a comma separates, but it may have been meant to group: every integer of such a
    /// run knows what it would be together.
    fn joined(
        &mut self,
        start: usize,
        head: i128,
        short: bool,
        stop: usize,
        end: usize,
    ) -> Option<i128> {
        if start < self.bracketed.0 {
            return Some(self.bracketed.1);
        }
        if !short || self.depth == 0 {
            return None;
        }
        let mut joined = head;
        let mut at = stop;
        // More groups than a 128-bit number holds are no number.
        for _ in 0..12 {
            let Some(part) = self.group(at, end) else {
                break;
            };
            joined = joined.saturating_mul(1000).saturating_add(part);
            at += 4;
        }
        if at == stop {
            return None;
        }
        self.bracketed = (at, joined);
        Some(joined)
    }

    /// `891 615`: integers of three digits after one space may be groups of one number.
    fn join_spaced(&mut self, start: usize, stop: usize) {
        let index = self.out.ints.len() - 1;
        let length = stop - start;
        let after_space = length == 3
            && self.spaced.1 > 0
            && self.spaced.1 < 12
            && self.out.all.len() > 1
            && self
                .out
                .all
                .get(self.out.all.len() - 2)
                .is_some_and(|token| token.end as usize + 1 == start);
        if after_space {
            self.spaced.1 += 1;
            let members = self.spaced.0..=index;
            let joined = self.out.ints[members.clone()]
                .iter()
                .fold(0_i128, |sum, int| {
                    sum.saturating_mul(1000).saturating_add(int.value)
                });
            for int in &mut self.out.ints[members] {
                int.joined = Some(joined);
            }
        } else {
            self.spaced = (index, u32::from(length <= 3));
        }
    }

    /// `3. text` or `3) text` at the start of a line.
    fn marks_item(&self, start: usize, stop: usize, end: usize) -> bool {
        let before = self.text.get(self.line_start..start).unwrap_or("");
        before.trim_start().is_empty()
            && matches!(self.char_at(stop), Some('.' | ')'))
            && self.char_at(stop + 1).is_some_and(char::is_whitespace)
            && stop + 2 < end
    }
}

/// The value of a run of digits.
fn parse(digits: &str) -> i128 {
    let digits = digits.trim_start_matches('0');
    if digits.len() > 38 {
        return i128::MAX;
    }
    digits
        .parse()
        .unwrap_or(if digits.is_empty() { 0 } else { i128::MAX })
}

impl Tokens {
    /// The values of all integers, each followed by its groups where it is grouped.
    pub(crate) fn int_values(&self) -> Vec<i128> {
        let mut values = Vec::new();
        for int in &self.ints {
            values.push(int.value);
            values.extend_from_slice(&self.parts[int.parts.0 as usize..int.parts.1 as usize]);
        }
        values
    }

    /// The text of a token.
    pub(crate) fn text<'t>(&self, text: &'t str, index: usize) -> &'t str {
        self.all
            .get(index)
            .and_then(|token| text.get(token.start as usize..token.end as usize))
            .unwrap_or("")
    }
}
