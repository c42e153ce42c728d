//! Normalisation: one form for what only looks different.

use unicode_normalization::UnicodeNormalization as _;

use super::lines::{self, Place, RawLine};

/// Dashes that are read as `-`.
const DASHES: [char; 10] = [
    '\u{2010}', '\u{2011}', '\u{2012}', '\u{2013}', '\u{2014}', '\u{2015}', '\u{2212}', '\u{fe58}',
    '\u{fe63}', '\u{ff0d}',
];

/// What compatibility would melt into the digits beside it: ten squared is not 102, and three and
/// a half is not 31 over 2. These stay as they are, and no integer touches them.
pub(crate) fn is_raised(c: char) -> bool {
    matches!(c,
        '\u{b2}' | '\u{b3}' | '\u{b9}' | '\u{bc}'..='\u{be}'
        | '\u{2070}'..='\u{2079}' | '\u{2080}'..='\u{2089}'
        | '\u{2150}'..='\u{215f}' | '\u{2189}')
}

/// Marks of direction, which right-to-left text has around its numbers. Overrides of direction
/// stay, see [`is_override`].
pub(crate) fn is_direction(c: char) -> bool {
    matches!(c,
        '\u{200e}' | '\u{200f}' | '\u{202a}'..='\u{202c}' | '\u{2066}'..='\u{2069}')
}

/// Characters without a width. They stay: what looks whole with them is not, so that no integer
/// touches one and no digest or name is read across one.
pub(crate) fn is_invisible(c: char) -> bool {
    matches!(c,
        '\u{ad}' | '\u{200b}'..='\u{200d}' | '\u{2060}'..='\u{2064}' | '\u{feff}')
}

/// An override shows digits in another order than they are written in.
pub(crate) fn is_override(c: char) -> bool {
    matches!(c, '\u{202d}' | '\u{202e}')
}

/// A line of the normalised text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Line {
    pub(crate) start: usize,
    pub(crate) end: usize,
    pub(crate) place: Place,
    /// It overrides the direction of writing somewhere.
    pub(crate) overridden: bool,
}

/// The normalised text with its lines and code spans.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct Normal {
    pub(crate) text: String,
    pub(crate) lines: Vec<Line>,
    /// The contents of code spans, as ranges of `text`, with the line of each.
    pub(crate) spans: Vec<(usize, usize, usize)>,
}

struct Writer {
    text: String,
    start: usize,
    space: bool,
    overridden: bool,
}

impl Writer {
    fn put(&mut self, c: char, prose: bool) {
        if is_override(c) {
            self.overridden = true;
        }
        if prose && matches!(c, '*' | '`') {
            return;
        }
        if prose && c.is_whitespace() {
            self.space = self.text.len() > self.start;
            return;
        }
        if std::mem::take(&mut self.space) {
            self.text.push(' ');
        }
        self.text.push(if DASHES.contains(&c) { '-' } else { c });
    }

    fn piece(&mut self, piece: &str, prose: bool) {
        if piece.is_ascii() {
            piece.chars().for_each(|c| self.put(c, prose));
            return;
        }
        for part in piece.split_inclusive(is_raised) {
            let end = part.chars().next_back().filter(|c| is_raised(*c));
            let body = &part[..part.len() - end.map_or(0, char::len_utf8)];
            for c in body.chars().filter(|c| !is_direction(*c)).nfkc() {
                self.put(c, prose);
            }
            end.into_iter().for_each(|c| self.put(c, prose));
        }
    }
}

/// An answer as it stands, in lines.
pub(crate) fn verbatim(raw: &str, raw_lines: &[RawLine]) -> Normal {
    let mut out = Normal::default();
    for (index, line) in raw_lines.iter().enumerate() {
        if index > 0 {
            out.text.push('\n');
        }
        let start = out.text.len();
        let body = raw.get(line.start..line.end).unwrap_or("");
        out.text.push_str(body);
        out.lines.push(Line {
            start,
            end: out.text.len(),
            place: line.place,
            overridden: body.chars().any(is_override),
        });
    }
    out
}

/// The normalised form of an answer. Outside fences `*` and backticks go and runs of white space
/// become one space; inside, only characters are normalised.
pub(crate) fn normalize(raw: &str, raw_lines: &[RawLine]) -> Normal {
    let mut writer = Writer {
        text: String::with_capacity(raw.len()),
        start: 0,
        space: false,
        overridden: false,
    };
    let mut out = Normal::default();
    for (index, line) in raw_lines.iter().enumerate() {
        if index > 0 {
            writer.text.push('\n');
        }
        writer.start = writer.text.len();
        let body = &raw[line.start..line.end];
        if line.place == Place::Prose {
            prose(&mut writer, body, index, &mut out.spans);
        } else {
            writer.piece(body, false);
        }
        writer.space = false;
        out.lines.push(Line {
            start: writer.start,
            end: writer.text.len(),
            place: line.place,
            overridden: std::mem::take(&mut writer.overridden),
        });
    }
    out.text = writer.text;
    out
}

fn prose(writer: &mut Writer, body: &str, line: usize, spans: &mut Vec<(usize, usize, usize)>) {
    let mut at = 0;
    for (start, end) in lines::spans(body) {
        writer.piece(&body[at..start], true);
        let before = writer.text.len();
        writer.piece(&body[start..end], true);
        // The space before the span is written with its first character.
        let from = before + usize::from(writer.text[before..].starts_with(' '));
        if from < writer.text.len() {
            spans.push((from, writer.text.len(), line));
        }
        at = end;
    }
    writer.piece(&body[at..], true);
}

/// A text as one line without marks of emphasis or code, the form that literals are sought in. A
/// key's text goes through the same function as the answer, fenced or not.
#[must_use]
pub fn flat(text: &str) -> String {
    let mut writer = Writer {
        text: String::with_capacity(text.len()),
        start: 0,
        space: false,
        overridden: false,
    };
    writer.piece(text, true);
    writer.text
}

/// A text as it reads in a fenced block: characters are normalised, marks stay.
pub(crate) fn fenced(text: &str) -> String {
    let mut writer = Writer {
        text: String::with_capacity(text.len()),
        start: 0,
        space: false,
        overridden: false,
    };
    writer.piece(text, false);
    writer.text
}

#[cfg(test)]
mod tests {
    use super::*;

    fn normal(raw: &str) -> Normal {
        normalize(raw, &lines::read(raw).0)
    }

    #[test]
    fn marks_and_spaces_go_outside_fences_only() {
        let out = normal("**a**\u{a0} `b  c`\r\n```\n* `x`  y\n```");
        assert_eq!(out.text, "a b c\n```\n* `x`  y\n```");
        assert_eq!(out.spans, [(2, 5, 0)]);
    }

    #[test]
    fn full_width_digits_and_dashes_are_plain() {
        assert_eq!(normal("１２–３ −4").text, "12-3 -4");
    }

    #[test]
    fn raised_digits_do_not_melt_into_their_neighbours() {
        assert_eq!(normal("10² 3½").text, "10² 3½");
    }

    #[test]
    fn marks_of_direction_go_and_overrides_are_told() {
        let out = normal("a\u{200f}b \u{202e}10\u{202c}\nc");
        assert_eq!(out.text, "ab \u{202e}10\nc");
        assert!(out.lines[0].overridden && !out.lines[1].overridden);
    }

    #[test]
    fn a_flat_text_reads_the_same_fenced_or_not() {
        assert_eq!(flat("a * b\n   `c`"), "a b c");
        assert_eq!(flat("  "), "");
    }
}
