//! A text as some reader would see it, each byte with its place in the window it came from.

use unicode_general_category::{GeneralCategory, get_general_category};
use unicode_normalization::char::{canonical_combining_class, decompose_compatible};

use super::base64::BETWEEN;
use super::kind::{Armed, Spelling, Spellings};

/// Marks after one letter are put in order in groups of at most this many, so that no run of marks
/// costs more than linear time.
const MARKS: usize = 32;
/// Bytes of a window that are taken for one part of it, as a power of two.
const PART: u32 = 11;

/// A text with, for each byte, its source offset and what had to be undone to get it.
#[derive(Debug, Default, Clone)]
pub(super) struct View {
    pub(super) text: String,
    at: Vec<u32>,
    how: Vec<Spellings>,
    /// What was dropped just before the next byte.
    pending: Spellings,
}

impl View {
    /// The window itself. Bytes that are no UTF-8 become replacement characters.
    pub(super) fn of(bytes: &[u8]) -> Self {
        let mut view = Self::default();
        let mut at = 0_u32;
        for chunk in bytes.utf8_chunks() {
            let mut valid = chunk.valid();
            while !valid.is_empty() {
                let plain = valid.bytes().take_while(u8::is_ascii).count();
                let (run, rest) = valid.split_at_checked(plain).unwrap_or((valid, ""));
                let end = at.saturating_add(u32::try_from(plain).unwrap_or(u32::MAX));
                view.text.push_str(run);
                view.at.extend(at..end);
                view.how.resize(view.text.len(), Spellings::NONE);
                at = end;
                valid = rest;
                if let Some(c) = rest.chars().next() {
                    view.push(c, at, Spellings::NONE);
                    at = at.saturating_add(length(c));
                    valid = rest.get(c.len_utf8()..).unwrap_or_default();
                }
            }
            for _ in chunk.invalid() {
                view.push(char::REPLACEMENT_CHARACTER, at, Spellings::NONE);
                at = at.saturating_add(1);
            }
        }
        view
    }

    pub(super) fn push(&mut self, c: char, at: u32, how: Spellings) {
        let how = how.union(std::mem::take(&mut self.pending));
        self.text.push(c);
        for _ in 0..c.len_utf8() {
            self.at.push(at);
            self.how.push(how);
        }
    }

    /// Notes that something was dropped before the next character.
    pub(super) fn drop_one(&mut self, how: Spelling) {
        self.pending = self.pending.with(how);
    }

    /// Source offset of the byte at `index`.
    pub(super) fn source(&self, index: usize) -> u32 {
        self.at.get(index).copied().unwrap_or_default()
    }

    pub(super) fn how(&self, index: usize) -> Spellings {
        self.how.get(index).copied().unwrap_or_default()
    }

    /// Everything that was undone between two bytes. What was dropped before the first is no part. It
    /// only stands around something where all of it does.
    pub(super) fn how_between(&self, start: usize, end: usize) -> Spellings {
        let part = self.how.get(start..end).unwrap_or_default();
        let all = part.iter();
        let all = all.fold(Spellings::NONE, |all, how| all.union(*how));
        if self.is_around(start, end) {
            all
        } else {
            all.inside()
        }
    }

    /// The text in pieces, each from one part of the window: where they end, and which part it is.
    pub(super) fn pieces(&self) -> Vec<(usize, u32)> {
        let mut end = 0;
        let alike = self.at.chunk_by(|a, b| a >> PART == b >> PART);
        let pieces = alike.map(|piece| {
            end += piece.len();
            (end, piece.first().map_or(0, |at| at >> PART))
        });
        pieces.collect()
    }

    /// Whether all between two bytes only stands around something else.
    pub(super) fn is_around(&self, start: usize, end: usize) -> bool {
        let part = self.how.get(start..end).unwrap_or_default();
        part.iter().all(|how| how.is_around())
    }

    /// The text between the outer two places; what is not between the inner two only stands around it.
    pub(super) fn stretch(&self, outer: (usize, usize), inner: (usize, usize)) -> Self {
        let mut out = Self::default();
        self.copy_to(&mut out, outer.0, outer.1);
        let (before, behind) = (inner.0 - outer.0, inner.1 - outer.0);
        let length = out.how.len();
        for around in [0..before, behind..length] {
            for how in out.how.get_mut(around).unwrap_or_default() {
                *how = how.union(Spellings::AROUND);
            }
        }
        out
    }

    fn char_at(&self, index: usize) -> Option<char> {
        self.text.get(index..)?.chars().next()
    }

    /// Folds the case of what stands in the last bytes, which are ASCII.
    fn small(&mut self, count: usize, armed: Armed) {
        if !armed.spelling(Spelling::Case) {
            return;
        }
        let from = self.text.len() - count;
        let Some(part) = self.text.get_mut(from..) else {
            return;
        };
        for (byte, how) in part.bytes().zip(self.how.iter_mut().skip(from)) {
            if byte.is_ascii_uppercase() {
                *how = how.with(Spelling::Case);
            }
        }
        part.make_ascii_lowercase();
    }

    /// Copies the bytes of `self` from `start` to `end`, both at characters.
    pub(super) fn copy_to(&self, out: &mut Self, start: usize, end: usize) {
        let part = self.text.get(start..end).unwrap_or_default();
        let first = part.chars().next().map_or(0, char::len_utf8);
        let pending = std::mem::take(&mut out.pending);
        let from = out.how.len();
        out.text.push_str(part);
        let places = start..start + part.len();
        out.at
            .extend_from_slice(self.at.get(places.clone()).unwrap_or_default());
        out.how
            .extend_from_slice(self.how.get(places).unwrap_or_default());
        for how in out.how.iter_mut().skip(from).take(first) {
            *how = how.union(pending);
        }
        if part.is_empty() {
            out.pending = pending;
        }
    }

    /// The end of the longest run of bytes from `start` on of which each is as asked.
    fn run(&self, start: usize, asked: impl Fn(u8) -> bool) -> usize {
        let rest = self.text.as_bytes().get(start..).unwrap_or_default();
        start + rest.iter().take_while(|b| asked(**b)).count()
    }

    /// Compatibility-decomposed, invisible characters dropped. Letter case is kept: base64 needs it.
    pub(super) fn normal(&self, armed: Armed) -> Self {
        let mut out = Self::default();
        let mut marks = Vec::new();
        let mut index = 0;
        while let Some(c) = self.char_at(index) {
            // Most texts are plain for long stretches.
            let end = self.run(index, |b| matches!(b, b' '..=b'~' | b'\n'));
            if end > index {
                flush(&mut marks, &mut out);
                self.copy_to(&mut out, index, end);
                index = end;
                continue;
            }
            let (at, how) = (self.source(index), self.how(index));
            index += c.len_utf8();
            if is_invisible(c) && armed.spelling(Spelling::Invisible) {
                out.drop_one(Spelling::Invisible);
            } else if c.is_ascii() || !armed.spelling(Spelling::Unicode) {
                flush(&mut marks, &mut out);
                out.push(c, at, how);
            } else {
                decompose_compatible(c, |part| {
                    // The hyphen that is nothing else.
                    let part = if part == '\u{2010}' { '-' } else { part };
                    let how = if part == c {
                        how
                    } else {
                        how.with(Spelling::Unicode)
                    };
                    if canonical_combining_class(part) == 0 || marks.len() >= MARKS {
                        flush(&mut marks, &mut out);
                    }
                    if canonical_combining_class(part) == 0 {
                        out.push(part, at, how);
                    } else {
                        marks.push((part, at, how));
                    }
                });
            }
        }
        flush(&mut marks, &mut out);
        out
    }

    /// Where a run of plain bytes from `start` to `end` has a slash that says nothing: the place behind
    /// the slash before it, and the bytes that say nothing.
    fn idle(&self, start: usize, end: usize) -> Option<(usize, usize)> {
        let bytes = self.text.as_bytes().get(..end)?;
        let slashes = memchr::memchr_iter(b'/', bytes.get(start..)?);
        slashes.map(|at| start + at + 1).find_map(|at| {
            let mut to = at;
            loop {
                match bytes.get(to..) {
                    Some([b'/', ..]) => to += 1,
                    Some([b'.', b'/', ..]) => to += 2,
                    _ => break,
                }
            }
            (to > at).then_some((at, to - at))
        })
    }

    /// Characters that nobody sees and that programs read as ASCII, read so; nothing where there are
    /// none. `U+E0041` stands for `A`.
    pub(super) fn unveiled(&self) -> Option<Self> {
        memchr::memmem::find(self.text.as_bytes(), b"\xf3\xa0")?;
        let mut out = Self::default();
        let mut any = false;
        for (index, c) in self.text.char_indices() {
            let (at, how) = (self.source(index), self.how(index));
            match u32::from(c).checked_sub(0xe_0000).and_then(char::from_u32) {
                Some(plain @ ' '..='~') => {
                    any = true;
                    out.push(plain, at, how.with(Spelling::Invisible));
                }
                _ => out.push(c, at, how),
            }
        }
        any.then_some(out)
    }

    /// Case and slashes folded, each run of blanks one space: the form that values are compared in.
    /// A slash more in a path, or a folder that is `.`, leads nowhere else.
    pub(super) fn folded(&self, armed: Armed) -> Self {
        let mut out = Self::default();
        let mut blank = false;
        let mut index = 0;
        // The end of the run of plain bytes that is being copied; it is looked for once.
        let mut run = 0;
        while let Some(c) = self.char_at(index) {
            if run <= index {
                run = self.run(index, |b| b.is_ascii_graphic() && b != b'\\');
            }
            let end = run;
            if end > index {
                let idle = match armed.spelling(Spelling::Slash) {
                    true => self.idle(index, end),
                    false => None,
                };
                let (end, more) = idle.unwrap_or((end, 0));
                self.copy_to(&mut out, index, end);
                out.small(end - index, armed);
                if more > 0 {
                    out.drop_one(Spelling::Slash);
                }
                index = end + more;
                blank = false;
                continue;
            }
            let (at, how) = (self.source(index), self.how(index));
            index += c.len_utf8();
            if c.is_whitespace() {
                if !blank {
                    out.push(' ', at, how);
                }
                blank = true;
                continue;
            }
            blank = false;
            out.push_folded(c, (at, how), armed);
        }
        out
    }

    /// One character, as [`folded`](Self::folded) writes it.
    fn push_folded(&mut self, c: char, (at, how): (u32, Spellings), armed: Armed) {
        let case = |small: char| match small == c {
            true => how,
            false => how.with(Spelling::Case),
        };
        if c == '\\' && armed.spelling(Spelling::Slash) {
            self.push('/', at, how.with(Spelling::Slash));
        } else if let Some(plain) = look_alike(c)
            && armed.spelling(Spelling::Unicode)
        {
            self.push(plain, at, how.with(Spelling::Unicode));
        } else if !armed.spelling(Spelling::Case) || c.is_ascii_lowercase() {
            self.push(c, at, how);
        } else if c.is_ascii() {
            let small = c.to_ascii_lowercase();
            self.push(small, at, case(small));
        } else {
            // Down, up and down again folds what lower case alone leaves apart, such as final
            // sigma and both sharp s.
            let upper = c.to_lowercase().flat_map(char::to_uppercase);
            for small in upper.flat_map(char::to_lowercase) {
                self.push(small, at, case(small));
            }
        }
    }

    /// The text with a mark where what was taken out parts two texts; nothing where none was.
    pub(super) fn parted(&self) -> Option<Self> {
        let first = self.how.iter().position(|how| how.is_apart())?;
        let mut out = Self::default();
        let mut from = 0;
        for index in first..self.text.len() {
            // The bytes of one character share what stood before it.
            if self.how(index).is_apart() && self.text.is_char_boundary(index) {
                self.copy_to(&mut out, from, index);
                out.push(BETWEEN, self.source(index), Spellings::NONE);
                from = index;
            }
        }
        self.copy_to(&mut out, from, self.text.len());
        Some(out)
    }

    /// Line breaks taken out, with the blanks around them.
    pub(super) fn joined(&self) -> Self {
        let mut out = Self::default();
        let mut run = None;
        let mut broken = 0;
        let mut next = 0;
        while let Some(c) = self.char_at(next) {
            let index = next;
            next += c.len_utf8();
            if c.is_whitespace() {
                run.get_or_insert(index);
                // A carriage return and its line feed are one break.
                let one = !matches!(c, ' ' | '\t' | '\u{a0}' | '\r') && is_break(c);
                let alone = c == '\r' && self.text.as_bytes().get(next) != Some(&b'\n');
                broken += usize::from(one || alone);
                continue;
            }
            if let Some(start) = run.take() {
                if broken > 0 {
                    out.drop_one(Spelling::Lines);
                    if broken > 1 {
                        out.pending = out.pending.union(Spellings::APART);
                    }
                } else {
                    self.copy_to(&mut out, start, index);
                }
                broken = 0;
            }
            next = self.run(next, |b| b.is_ascii_graphic());
            self.copy_to(&mut out, index, next);
        }
        out
    }

    /// Tags and comments taken out. With `quotes`, a `>` inside a quoted attribute ends no tag; two
    /// readings, because a stray quote would make either one blind.
    pub(super) fn untagged(&self, quotes: bool) -> Self {
        let mut out = Self::default();
        let bytes = self.text.as_bytes();
        let mut from = 0;
        let mut at = 0;
        while let Some(open) = bytes.get(at..).and_then(|rest| memchr::memchr(b'<', rest)) {
            let open = at + open;
            let starts = bytes
                .get(open + 1)
                .is_some_and(|b| b.is_ascii_alphabetic() || matches!(b, b'/' | b'!' | b'?'));
            if !starts {
                at = open + 1;
                continue;
            }
            let (end, closed) = tag_end(bytes, open, quotes);
            if closed {
                self.copy_to(&mut out, from, open);
                out.drop_one(Spelling::Tags);
                // A line break that was taken out within or just before the tag stays known.
                let how = self.how_between(open, end).inside();
                out.pending = out.pending.union(how);
                if parts(bytes.get(open + 1..end).unwrap_or_default()) {
                    out.pending = out.pending.union(Spellings::APART);
                }
                from = end;
            }
            at = end;
        }
        self.copy_to(&mut out, from, bytes.len());
        out
    }
}

/// Where the tag that opens at `open` ends, and whether it does. What is not closed is walked over
/// once and not looked at again, which keeps the walk linear.
fn tag_end(bytes: &[u8], open: usize, quotes: bool) -> (usize, bool) {
    if bytes.get(open..open + 4) == Some(b"<!--") {
        let rest = bytes.get(open + 4..).unwrap_or_default();
        return match memchr::memmem::find(rest, b"-->") {
            Some(found) => (open + 4 + found + 3, true),
            None => (bytes.len(), false),
        };
    }
    let mut quote = None;
    for (step, &byte) in bytes.get(open + 1..).unwrap_or_default().iter().enumerate() {
        let index = open + 1 + step;
        match (quote, byte) {
            (Some(q), b) if q == b => quote = None,
            (None, b'>') => return (index + 1, true),
            (None, b'<') => return (index, false),
            (None, b'"' | b'\'') if quotes => quote = Some(byte),
            _ => {}
        }
    }
    (bytes.len(), false)
}

/// Elements that begin or end a text of their own.
const PARTING: [&[u8]; 40] = [
    b"address",
    b"article",
    b"aside",
    b"blockquote",
    b"body",
    b"br",
    b"button",
    b"caption",
    b"dd",
    b"div",
    b"dl",
    b"dt",
    b"figcaption",
    b"figure",
    b"footer",
    b"form",
    b"h1",
    b"h2",
    b"h3",
    b"h4",
    b"h5",
    b"h6",
    b"head",
    b"header",
    b"hr",
    b"li",
    b"main",
    b"nav",
    b"ol",
    b"option",
    b"p",
    b"pre",
    b"section",
    b"summary",
    b"table",
    b"td",
    b"th",
    b"title",
    b"tr",
    b"ul",
];

/// Whether a tag, from behind its `<` on, is one of an element that parts what stands around it.
fn parts(tag: &[u8]) -> bool {
    let name = tag.strip_prefix(b"/").unwrap_or(tag);
    let length = name
        .iter()
        .take(12)
        .take_while(|b| b.is_ascii_alphanumeric())
        .count();
    let name = name.get(..length).unwrap_or_default();
    PARTING.iter().any(|word| name.eq_ignore_ascii_case(word))
}

fn flush(marks: &mut Vec<(char, u32, Spellings)>, out: &mut View) {
    marks.sort_by_key(|(mark, _, _)| canonical_combining_class(*mark));
    for (mark, at, how) in marks.drain(..) {
        out.push(mark, at, how);
    }
}

fn length(c: char) -> u32 {
    match c.len_utf8() {
        1 => 1,
        2 => 2,
        3 => 3,
        _ => 4,
    }
}

/// The dash or slash that nobody tells from this one.
const fn look_alike(c: char) -> Option<char> {
    match c {
        '\u{2012}'..='\u{2015}' | '\u{2212}' => Some('-'),
        '\u{2044}' | '\u{2215}' | '\u{29f8}' => Some('/'),
        _ => None,
    }
}

const fn is_break(c: char) -> bool {
    matches!(
        c,
        '\n' | '\r' | '\u{b}' | '\u{c}' | '\u{85}' | '\u{2028}' | '\u{2029}'
    )
}

/// Characters that show nothing: format and control characters, selectors and fillers.
fn is_invisible(c: char) -> bool {
    if c.is_ascii() {
        return c.is_ascii_control() && !matches!(c, '\t' | '\n' | '\r' | '\u{b}' | '\u{c}');
    }
    match c {
        '\u{85}' => false,
        '\u{34f}'
        | '\u{115f}'
        | '\u{1160}'
        | '\u{17b4}'
        | '\u{17b5}'
        | '\u{3164}'
        | '\u{ffa0}'
        | '\u{180b}'..='\u{180f}'
        | '\u{fe00}'..='\u{fe0f}'
        | '\u{e0100}'..='\u{e01ef}' => true,
        _ => matches!(
            get_general_category(c),
            GeneralCategory::Format | GeneralCategory::Control
        ),
    }
}
