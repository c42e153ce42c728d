//! A tokenizer of HTML, after the WHATWG's own where it matters for what a reader sees.
//!
//! It walks the bytes once, keeps no more than the foreign elements that are open, and reports
//! places, never copies.

use std::cell::Cell;

use super::foreign::Foreign;
use super::raw::{self, Holds};

/// Places in the page, `start..end`.
pub(super) type Span = (usize, usize);

/// How the text of a token is written down.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Written {
    /// With character references.
    Text,
    /// With character references, in an element that holds no tags (`title`, `textarea`).
    Title,
    /// As it is, in an element that is no part of what is read: `script`.
    Script,
    /// As it is: `style`.
    Style,
    /// As it is: what old elements and CDATA sections hold.
    Plain,
}

/// One token.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Token {
    /// Text between tags.
    Text { span: Span, written: Written },
    /// `<name`; attributes follow, and then [`Token::Opened`].
    Open { name: Span },
    /// An attribute of the tag that is open; without a value, that is empty.
    Attribute { name: Span, value: Span },
    /// `>` of a start tag. `empty` where the tag closes itself and may do so.
    Opened { empty: bool },
    /// `</name` up to its `>`.
    Close { name: Span },
    /// What stands in a comment, a declaration or an instruction.
    Comment { span: Span },
}

/// Where the tokenizer is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum State {
    Data,
    Tag { closes: bool, name: Span },
    Raw { name: Span, holds: Holds },
}

/// The tokens of a page, one after the other.
#[derive(Debug)]
pub(super) struct Tokens<'a> {
    bytes: &'a [u8],
    at: usize,
    state: State,
    foreign: Foreign,
    /// Bytes looked at, counted each time that one is.
    steps: Cell<u64>,
}

impl<'a> Tokens<'a> {
    pub(super) fn of(bytes: &'a [u8]) -> Self {
        Self {
            bytes,
            at: 0,
            state: State::Data,
            foreign: Foreign::default(),
            steps: Cell::new(0),
        }
    }

    /// Bytes looked at so far; a multiple of the page's length at most.
    #[cfg(test)]
    pub(super) fn steps(&self) -> u64 {
        self.steps.get()
    }

    pub(super) fn bytes(&self, span: Span) -> &'a [u8] {
        self.bytes.get(span.0..span.1).unwrap_or_default()
    }

    fn rest(&self, at: usize) -> &'a [u8] {
        self.bytes.get(at..).unwrap_or_default()
    }

    /// Moves on to `end`.
    fn to(&mut self, end: usize) {
        self.at = end.min(self.bytes.len());
    }

    fn looked(&self, bytes: usize) {
        self.steps.set(self.steps.get() + bytes as u64 + 1);
    }

    /// The first place from `at` on for which `stop` holds, or the end.
    fn until(&self, at: usize, stop: impl Fn(u8) -> bool) -> usize {
        let rest = self.rest(at);
        let found = rest.iter().position(|b| stop(*b)).unwrap_or(rest.len());
        self.looked(found);
        at.min(self.bytes.len()) + found
    }

    fn data(&mut self) -> Option<Token> {
        let start = self.at;
        let mut at = start;
        loop {
            let rest = self.rest(at);
            let open = memchr::memchr(b'<', rest);
            self.looked(open.unwrap_or(rest.len()));
            let Some(open) = open else {
                at = self.bytes.len();
                break;
            };
            at += open;
            if begins_markup(self.rest(at)) {
                break;
            }
            at += 1;
        }
        if at > start {
            self.to(at);
            return Some(Token::Text {
                span: (start, at),
                written: Written::Text,
            });
        }
        (at < self.bytes.len()).then(|| self.markup(at))
    }

    fn markup(&mut self, at: usize) -> Token {
        let rest = self.rest(at);
        if rest.starts_with(b"<!--") {
            let (end, next) = raw::comment_end(rest);
            self.looked(next);
            self.to(at + next);
            let span = (at + 4, (at + end).max(at + 4));
            return Token::Comment { span };
        }
        if rest.starts_with(b"<![CDATA[") && self.foreign.is_open() {
            let tail = rest.get(9..).unwrap_or_default();
            let end = memchr::memmem::find(tail, b"]]>");
            self.looked(end.unwrap_or(tail.len()));
            let span = (at + 9, end.map_or(self.bytes.len(), |end| at + 9 + end));
            self.to(span.1 + 3);
            return Token::Text {
                span,
                written: Written::Plain,
            };
        }
        let closes = rest.get(1) == Some(&b'/');
        let start = at + if closes { 2 } else { 1 };
        if !self
            .rest(start)
            .first()
            .is_some_and(u8::is_ascii_alphabetic)
        {
            // `<!x>`, `<?x>` and `</3>` are comments to a browser.
            let end = self.until(start, |b| b == b'>');
            self.to(end + 1);
            return Token::Comment { span: (start, end) };
        }
        let end = self.until(start, |b| is_blank(b) || matches!(b, b'/' | b'>'));
        let name = (start, end);
        self.to(end);
        self.state = State::Tag { closes, name };
        Token::Open { name }
    }

    /// The next attribute of the tag that is open, or its end.
    fn tag(&mut self, closes: bool, name: Span) -> Option<Token> {
        loop {
            let at = self.until(self.at, |b| !is_blank(b));
            match self.rest(at).first() {
                None => {
                    // A tag that never ends is none.
                    self.to(at);
                    self.state = State::Data;
                    return None;
                }
                Some(b'>') => {
                    self.to(at + 1);
                    return Some(self.end_of_tag(closes, name, false));
                }
                Some(b'/') if self.rest(at + 1).first() == Some(&b'>') => {
                    self.to(at + 2);
                    return Some(self.end_of_tag(closes, name, true));
                }
                Some(b'/') => self.to(at + 1),
                Some(_) => return Some(self.attribute(at)),
            }
        }
    }

    fn attribute(&mut self, at: usize) -> Token {
        // An equals sign at the very beginning is part of the name.
        let end = self.until(at + 1, |b| is_blank(b) || matches!(b, b'/' | b'>' | b'='));
        let name = (at, end);
        let next = self.until(end, |b| !is_blank(b));
        if self.rest(next).first() != Some(&b'=') {
            self.to(next);
            return Token::Attribute {
                name,
                value: (end, end),
            };
        }
        let start = self.until(next + 1, |b| !is_blank(b));
        let (value, end) = match self.rest(start).first() {
            Some(quote @ (b'"' | b'\'')) => {
                let close = self.until(start + 1, |b| b == *quote);
                ((start + 1, close), close + 1)
            }
            _ => {
                let end = self.until(start, |b| is_blank(b) || b == b'>');
                ((start, end), end)
            }
        };
        self.to(end);
        Token::Attribute { name, value }
    }

    fn end_of_tag(&mut self, closes: bool, name: Span, slash: bool) -> Token {
        self.state = State::Data;
        let word = self.bytes(name);
        if closes {
            self.foreign.close(word);
            return Token::Close { name };
        }
        let start = self.foreign.open(word, slash);
        if !start.foreign
            && let Some(holds) = raw::holds(word)
        {
            self.state = State::Raw { name, holds };
        }
        Token::Opened { empty: start.empty }
    }

    fn raw(&mut self, name: Span, holds: Holds) -> Option<Token> {
        self.state = State::Data;
        let start = self.at;
        let length = raw::text_end(self.rest(start), self.bytes(name), holds);
        self.looked(length);
        self.to(start + length);
        let written = match holds {
            Holds::Title => Written::Title,
            Holds::Script => Written::Script,
            Holds::Style => Written::Style,
            Holds::Plain | Holds::Everything => Written::Plain,
        };
        (length > 0).then_some(Token::Text {
            span: (start, start + length),
            written,
        })
    }
}

impl Iterator for Tokens<'_> {
    type Item = Token;

    fn next(&mut self) -> Option<Token> {
        loop {
            let token = match self.state {
                State::Data if self.at >= self.bytes.len() => return None,
                State::Data => self.data(),
                State::Tag { closes, name } => self.tag(closes, name),
                State::Raw { name, holds } => self.raw(name, holds),
            };
            match token {
                // The name of an end tag is told when the tag is over, and it has no attributes.
                Some(Token::Open { .. } | Token::Attribute { .. })
                    if matches!(self.state, State::Tag { closes: true, .. }) => {}
                None => {}
                found => return found,
            }
        }
    }
}

/// Whether a `<` begins a tag, a comment or a declaration, and is no text.
fn begins_markup(rest: &[u8]) -> bool {
    match rest.get(1) {
        Some(b'/') => rest.len() > 2,
        Some(b'!' | b'?') => true,
        other => other.is_some_and(u8::is_ascii_alphabetic),
    }
}

pub(super) fn is_blank(byte: u8) -> bool {
    matches!(byte, b' ' | b'\t' | b'\n' | b'\r' | b'\x0c')
}
