//! What a check read in an answer: the words, and where they stand in it.
//!
//! A verdict is given without this. It is told beside one that does not pass, so that whoever reads the row
//! sees what the answer says in place of what the key holds.

use super::grammar::{Answer, Polarity, Tone};

/// Bytes of a text that are told at most.
const LONG: usize = 160;

/// Words of an answer that a check read.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Read {
    /// The words as they stand in the text, cut where they are long.
    pub text: String,
    /// The line of the text that they begin in, from 1.
    pub line: u64,
    /// Their first byte in the text, and the one after their last.
    pub span: (usize, usize),
    /// How they are said: `plain`, `hedged`, `denied`, or `loose` (perhaps of something else).
    pub said: &'static str,
}

/// What a check read in an answer, and what it looked for in vain.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Sight {
    /// What it read, in the order in which it looked.
    pub read: Vec<Read>,
    /// Texts that the key or the check names and the answer does not hold.
    pub absent: Vec<String>,
}

impl Sight {
    /// Words that are told of one check at most, and texts that it misses.
    pub(super) const MOST: usize = 8;

    /// Takes in words at a range of [`Answer::text`].
    pub(super) fn at(&mut self, answer: &Answer<'_>, range: (usize, usize), tone: Tone) {
        if self.read.len() == Self::MOST {
            return;
        }
        let (line, span) = answer.origin(range);
        let text = answer.raw().get(span.0..span.1).unwrap_or("");
        self.read.push(Read {
            text: cut(text),
            line: line as u64 + 1,
            span,
            said: match tone {
                Tone::Plain => "plain",
                Tone::Loose => "loose",
                Tone::Conditioned | Tone::Hedged => "hedged",
                Tone::Denied => "denied",
            },
        });
    }

    /// Takes in tokens, from and one past the last.
    pub(super) fn tokens(&mut self, answer: &Answer<'_>, (from, to): (usize, usize), tone: Tone) {
        let end = answer.range(to.max(from + 1) - 1).1;
        self.at(answer, (answer.range(from).0, end), tone);
    }

    /// Takes in a whole line of the answer.
    pub(super) fn line(&mut self, answer: &Answer<'_>, line: usize) {
        let (start, text) = answer.line_text(line);
        self.at(answer, (start, start + text.len()), Tone::Plain);
    }

    /// Something that the answer does not hold.
    pub(super) fn misses(&mut self, text: &str) {
        if self.absent.len() < Self::MOST {
            self.absent.push(cut(text));
        }
    }
}

/// How a word is said, as a tone.
pub(super) fn tone(said: Polarity) -> Tone {
    match said {
        Polarity::Asserted => Tone::Plain,
        Polarity::Denied => Tone::Denied,
        Polarity::Open => Tone::Hedged,
    }
}

/// A text of no more than so many bytes.
fn cut(text: &str) -> String {
    if text.len() <= LONG {
        return text.to_owned();
    }
    let end = text.floor_char_boundary(LONG);
    format!("{}…", text.get(..end).unwrap_or(""))
}

impl Read {
    /// The words where another text, from which this one was made by joining its lines, has them: there by the
    /// same ordinal, where both have as many of them.
    #[must_use]
    pub fn within(mut self, made: &str, source: &str) -> Self {
        let own = made.get(self.span.0..self.span.1).unwrap_or("");
        if let Some(start) = same_place(made, source, own, self.span.0) {
            self.span = (start, start + own.len());
        } else {
            self.span = (0, source.len());
        }
        let before = source.as_bytes().get(..self.span.0).unwrap_or(&[]);
        self.line = memchr::memchr_iter(b'\n', before).count() as u64 + 1;
        self
    }
}

/// Where a text stands in a source, told by where it stands in what was made of it.
pub(super) fn same_place(made: &str, source: &str, own: &str, at: usize) -> Option<usize> {
    if own.is_empty() {
        return None;
    }
    let mut ordinal = None;
    let mut count = 0;
    for place in memchr::memmem::find_iter(made.as_bytes(), own.as_bytes()) {
        if place == at {
            ordinal = Some(count);
        }
        count += 1;
    }
    let places: Vec<usize> = memchr::memmem::find_iter(source.as_bytes(), own.as_bytes())
        .take(count + 1)
        .collect();
    if places.len() != count {
        return None;
    }
    places.get(ordinal?).copied()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn spans(raw: &str, words: &[&str]) -> Vec<(String, u64)> {
        let answer = Answer::read(raw);
        let mut sight = Sight::default();
        for index in 0..answer.len() {
            if words.contains(&answer.word(index)) {
                sight.tokens(&answer, (index, index + 1), Tone::Plain);
            }
        }
        let told = sight.read.into_iter();
        told.map(|own| {
            assert_eq!(raw.get(own.span.0..own.span.1), Some(own.text.as_str()));
            (own.text, own.line)
        })
        .collect()
    }

    #[test]
    fn words_are_told_as_they_stand_in_the_answer() {
        let told = |text: &str, line| (text.to_owned(), line);
        assert_eq!(
            spans("Found **12** errors,\nnot `9`.\r\n12 again", &["12", "9"]),
            [told("12", 1), told("9", 2), told("12", 3)]
        );
        // Where the normal form has other words than the line, the line is told as a whole.
        assert_eq!(
            spans("it prints １２ errors", &["12"]),
            [told("it prints １２ errors", 1)]
        );
        let line = told("1*2* then 12", 1);
        assert_eq!(spans("1*2* then 12", &["12"]), [line.clone(), line]);
    }

    #[test]
    fn words_of_the_flat_form_are_found_in_the_text() {
        let (made, source) = ("a 12 b 12", "a\n  12\nb 12");
        let read = Read {
            text: "12".to_owned(),
            line: 1,
            span: (7, 9),
            said: "plain",
        };
        let read = read.within(made, source);
        assert_eq!((read.line, read.span), (3, (9, 11)));
    }
}
