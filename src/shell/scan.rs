//! Words: quotes, escapes, expansions and the substitutions inside them.

use std::borrow::Cow;
use std::ops::Range;

use super::heredoc::Pending;
use super::syntax::{Doc, Node, Sub, Tree, Word};

/// How deep commands may nest before the rest of the text is given up as unread.
pub(super) const MAX_DEPTH: u32 = 48;

/// A recursive-descent reader over one command text.
pub(super) struct Parser<'t> {
    pub(super) text: &'t str,
    pub(super) bytes: &'t [u8],
    pub(super) pos: usize,
    pub(super) end: usize,
    pub(super) depth: u32,
    pub(super) steps: usize,
    pub(super) ok: bool,
    pub(super) pending: Vec<Pending>,
    pub(super) docs: Vec<Doc<'t>>,
}

/// Parses a whole command text.
pub(super) fn parse(text: &str) -> Tree<'_> {
    let mut parser = Parser::new(text);
    let root = parser.script();
    Tree {
        root,
        docs: parser.docs,
        ok: parser.ok,
        steps: parser.steps,
    }
}

/// Collects the text of a word, borrowed for as long as it is one run of the source.
struct Piece<'t> {
    text: &'t str,
    run: Range<usize>,
    owned: Option<String>,
}

impl<'t> Piece<'t> {
    fn new(text: &'t str, at: usize) -> Self {
        Self {
            text,
            run: at..at,
            owned: None,
        }
    }

    fn own(&mut self) -> &mut String {
        let text = self.text;
        let run = self.run.clone();
        self.owned
            .get_or_insert_with(|| text.get(run).unwrap_or_default().to_owned())
    }

    fn slice(&mut self, range: Range<usize>) {
        if range.is_empty() {
            return;
        }
        if self.owned.is_none() {
            if self.run.is_empty() {
                self.run = range;
                return;
            }
            if self.run.end == range.start {
                self.run.end = range.end;
                return;
            }
        }
        let text = self.text;
        self.own().push_str(text.get(range).unwrap_or_default());
    }

    fn push(&mut self, c: char) {
        self.own().push(c);
    }

    fn finish(self) -> (Cow<'t, str>, usize) {
        let at = self.run.start;
        match self.owned {
            Some(owned) => (Cow::Owned(owned), at),
            None => (
                Cow::Borrowed(self.text.get(self.run).unwrap_or_default()),
                at,
            ),
        }
    }
}

/// Bytes that end a word outside quotes.
pub(super) fn is_meta(b: u8) -> bool {
    matches!(
        b,
        b' ' | b'\t' | b'\n' | b'\r' | b';' | b'&' | b'|' | b'<' | b'>' | b'(' | b')'
    )
}

impl<'t> Parser<'t> {
    fn new(text: &'t str) -> Self {
        Self {
            text,
            bytes: text.as_bytes(),
            pos: 0,
            end: text.len(),
            depth: 0,
            steps: 0,
            ok: true,
            pending: Vec::new(),
            docs: Vec::new(),
        }
    }

    /// The byte at the cursor, or 0 at the end; a NUL in the text is read as an ordinary byte by the word reader.
    pub(super) fn peek(&self) -> u8 {
        self.peek_at(0)
    }

    pub(super) fn peek_at(&self, ahead: usize) -> u8 {
        let at = self.pos.saturating_add(ahead);
        if at < self.end {
            self.bytes.get(at).copied().unwrap_or(0)
        } else {
            0
        }
    }

    pub(super) fn done(&self) -> bool {
        self.pos >= self.end
    }

    pub(super) fn advance(&mut self, by: usize) {
        self.steps += by;
        self.pos = (self.pos + by).min(self.end);
    }

    /// Advances over one character, so that slices stay on character boundaries.
    fn advance_char(&mut self) {
        let len = match self.peek() {
            0xF0.. => 4,
            0xE0.. => 3,
            0xC0.. => 2,
            _ => 1,
        };
        self.advance(len);
    }

    /// Gives up on the rest of the text.
    pub(super) fn abandon(&mut self) {
        self.ok = false;
        self.pos = self.end;
    }

    /// Runs `inner` one level deeper, or gives up beyond the bound.
    pub(super) fn nested<T: Default>(&mut self, inner: impl FnOnce(&mut Self) -> T) -> T {
        if self.depth >= MAX_DEPTH {
            self.abandon();
            return T::default();
        }
        self.depth += 1;
        let value = inner(self);
        self.depth -= 1;
        value
    }

    /// Offset of the next `byte` before the end, counting what was looked at.
    pub(super) fn find(&mut self, byte: u8) -> Option<usize> {
        let rest = self.bytes.get(self.pos..self.end)?;
        let found = memchr::memchr(byte, rest);
        self.steps += found.unwrap_or(rest.len());
        found.map(|at| self.pos + at)
    }

    /// Reads a word; `bracket` reads operators too, as inside `[[ … ]]`.
    pub(super) fn word(&mut self, bracket: bool) -> Word<'t> {
        let start = self.pos;
        let mut word = Word::default();
        let mut piece = Piece::new(self.text, start);
        while !self.done() {
            let b = self.peek();
            if is_meta(b) && (!bracket || b.is_ascii_whitespace()) {
                if !self.meta_in_word(b, start, &mut piece, &mut word) {
                    break;
                }
                continue;
            }
            self.part(b, &mut piece, &mut word);
        }
        word.span = start..self.pos;
        (word.text, word.at) = piece.finish();
        word
    }

    /// Metacharacters that may still belong to a word: extended globs and process substitutions.
    fn meta_in_word(
        &mut self,
        b: u8,
        start: usize,
        piece: &mut Piece<'t>,
        word: &mut Word<'t>,
    ) -> bool {
        let at = self.pos;
        if b == b'('
            && at > start
            && matches!(
                self.bytes.get(at - 1),
                Some(b'?' | b'*' | b'+' | b'@' | b'!')
            )
        {
            self.skip_parens();
            piece.slice(at..self.pos);
            word.dynamic = true;
            return true;
        }
        if matches!(b, b'<' | b'>') && self.peek_at(1) == b'(' && at == start {
            self.advance(2);
            self.substitution(word);
            piece.slice(at..self.pos);
            return true;
        }
        false
    }

    /// Skips a balanced parenthesis of a pattern.
    fn skip_parens(&mut self) {
        let mut depth = 0_u32;
        while !self.done() {
            match self.peek() {
                b'(' => depth += 1,
                b')' => depth -= 1,
                b'\\' => self.advance(1),
                b'\n' => {
                    self.ok = false;
                    return;
                }
                _ => {}
            }
            self.advance_char();
            if depth == 0 {
                return;
            }
        }
        self.ok = false;
    }

    fn part(&mut self, b: u8, piece: &mut Piece<'t>, word: &mut Word<'t>) {
        let at = self.pos;
        match b {
            b'\\' => {
                word.quoted = true;
                self.advance(1);
                if self.peek() == b'\n' {
                    self.advance(1);
                } else {
                    let from = self.pos;
                    self.advance_char();
                    piece.slice(from..self.pos);
                }
            }
            b'\'' => {
                word.quoted = true;
                self.advance(1);
                let close = self.find(b'\'');
                self.ok &= close.is_some();
                let close = close.unwrap_or(self.end);
                piece.slice(self.pos..close);
                self.pos = (close + 1).min(self.end);
            }
            b'"' => {
                word.quoted = true;
                self.advance(1);
                self.double(piece, word);
            }
            b'$' if self.peek_at(1) == b'\'' => {
                word.quoted = true;
                self.advance(2);
                self.ansi(piece);
            }
            b'$' if self.peek_at(1) == b'"' => self.advance(1),
            b'$' | b'`' => {
                self.expansion(word);
                piece.slice(at..self.pos);
            }
            _ => {
                self.advance_char();
                piece.slice(at..self.pos);
            }
        }
    }

    /// Reads on to the closing double quote.
    fn double(&mut self, piece: &mut Piece<'t>, word: &mut Word<'t>) {
        while !self.done() {
            let at = self.pos;
            match self.peek() {
                b'"' => {
                    self.advance(1);
                    return;
                }
                b'\\' => match self.peek_at(1) {
                    b'\n' => self.advance(2),
                    b'$' | b'`' | b'"' | b'\\' => {
                        self.advance(2);
                        piece.slice(at + 1..self.pos);
                    }
                    _ => {
                        self.advance(1);
                        piece.slice(at..self.pos);
                    }
                },
                b'$' | b'`' => {
                    self.expansion(word);
                    piece.slice(at..self.pos);
                }
                _ => {
                    self.advance_char();
                    piece.slice(at..self.pos);
                }
            }
        }
        self.ok = false;
    }

    /// Reads on to the quote that closes `$'…'`, undoing its escapes.
    fn ansi(&mut self, piece: &mut Piece<'t>) {
        while !self.done() {
            let at = self.pos;
            match self.peek() {
                b'\'' => {
                    self.advance(1);
                    return;
                }
                b'\\' => {
                    self.advance(1);
                    let c = self.peek();
                    self.advance_char();
                    match c {
                        b'n' => piece.push('\n'),
                        b't' => piece.push('\t'),
                        b'r' => piece.push('\r'),
                        b'\\' | b'\'' | b'"' | b'?' => piece.push(char::from(c)),
                        b'x' => self.hex(2, piece),
                        b'u' => self.hex(4, piece),
                        b'U' => self.hex(8, piece),
                        _ => piece.slice(at..self.pos),
                    }
                }
                _ => {
                    self.advance_char();
                    piece.slice(at..self.pos);
                }
            }
        }
        self.ok = false;
    }

    fn hex(&mut self, most: usize, piece: &mut Piece<'t>) {
        let mut value = 0_u32;
        for _ in 0..most {
            let Some(digit) = char::from(self.peek()).to_digit(16) else {
                break;
            };
            value = value.wrapping_mul(16).wrapping_add(digit);
            self.advance(1);
        }
        piece.push(char::from_u32(value).unwrap_or(char::REPLACEMENT_CHARACTER));
    }

    /// Reads an expansion at `$` or a backtick.
    pub(super) fn expansion(&mut self, word: &mut Word<'t>) {
        word.dynamic = true;
        if self.peek() == b'`' {
            self.backtick(word);
            return;
        }
        self.advance(1);
        match self.peek() {
            b'(' if self.peek_at(1) == b'(' => {
                if let Some(close) = self.arithmetic_end(2) {
                    self.advance(2);
                    self.data_until(close, &mut word.subs);
                    self.pos = (close + 2).min(self.end);
                } else {
                    self.advance(1);
                    self.substitution(word);
                }
            }
            b'(' => {
                self.advance(1);
                self.substitution(word);
            }
            b'{' => {
                self.advance(1);
                self.nested(|p| p.braces(word));
            }
            b'0'..=b'9' | b'?' | b'$' | b'!' | b'#' | b'@' | b'*' | b'-' => self.advance(1),
            b if b == b'_' || b.is_ascii_alphabetic() => {
                while self.peek() == b'_' || self.peek().is_ascii_alphanumeric() {
                    self.advance(1);
                }
            }
            _ => {}
        }
    }

    /// Reads the commands of a substitution up to its closing parenthesis.
    fn substitution(&mut self, word: &mut Word<'t>) {
        word.dynamic = true;
        let node = self.nested(Self::list);
        if self.peek() == b')' {
            self.advance(1);
        } else {
            self.ok = false;
        }
        if !matches!(node, Node::Empty) {
            word.subs.push(Sub::Tree(node));
        }
    }

    fn backtick(&mut self, word: &mut Word<'t>) {
        self.advance(1);
        let start = self.pos;
        let mut inner = Piece::new(self.text, start);
        let mut end = self.end;
        loop {
            if self.done() {
                self.ok = false;
                break;
            }
            let at = self.pos;
            match self.peek() {
                b'`' => {
                    end = at;
                    self.advance(1);
                    break;
                }
                b'\\' if matches!(self.peek_at(1), b'`' | b'\\' | b'$') => {
                    self.advance(2);
                    inner.slice(at + 1..self.pos);
                }
                _ => {
                    self.advance_char();
                    inner.slice(at..self.pos);
                }
            }
        }
        let (text, at) = inner.finish();
        word.subs.push(Sub::Text(text, at, start..end));
    }

    /// Reads a parameter expansion up to its closing brace.
    fn braces(&mut self, word: &mut Word<'t>) {
        while !self.done() {
            match self.peek() {
                b'}' => {
                    self.advance(1);
                    return;
                }
                b'\\' => {
                    self.advance(1);
                    self.advance_char();
                }
                b'\'' => {
                    self.advance(1);
                    match self.find(b'\'') {
                        Some(close) => self.pos = close + 1,
                        // Inside double quotes an apostrophe in `${x:-it's}` is plain text.
                        None => continue,
                    }
                }
                b'"' => {
                    self.advance(1);
                    let mut unused = Piece::new(self.text, self.pos);
                    self.double(&mut unused, word);
                }
                b'$' | b'`' => self.expansion(word),
                _ => self.advance_char(),
            }
        }
        self.ok = false;
    }

    /// Where the `))` is that closes an arithmetic text starting `skip` bytes ahead, if it closes so.
    pub(super) fn arithmetic_end(&mut self, skip: usize) -> Option<usize> {
        let mut depth = 2_u32;
        for at in self.pos + skip..self.end {
            self.steps += 1;
            match self.bytes.get(at)? {
                b'(' => depth += 1,
                b')' => {
                    depth -= 1;
                    if depth == 1 && self.bytes.get(at + 1) == Some(&b')') && at + 1 < self.end {
                        return Some(at);
                    }
                    if depth == 1 {
                        return None;
                    }
                }
                _ => {}
            }
        }
        None
    }

    /// Reads data in which expansions still run, up to `close`: arithmetic, unquoted heredoc bodies.
    pub(super) fn data_until(&mut self, close: usize, subs: &mut Vec<Sub<'t>>) {
        let inner = close.min(self.end);
        let outer = std::mem::replace(&mut self.end, inner);
        let mut word = Word::default();
        while !self.done() {
            match self.peek() {
                b'\\' => {
                    self.advance(1);
                    self.advance_char();
                }
                b'$' | b'`' => self.expansion(&mut word),
                _ => self.advance_char(),
            }
        }
        subs.append(&mut word.subs);
        self.end = outer;
    }
}
