//! What a page gives away: the canary over the page as it is, over what a reader sees of it, and
//! over every page, style sheet and data URL that it holds within.

use std::borrow::Cow;
use std::collections::BTreeMap;

use super::charset;
use super::decode;
use super::feed::{Feed, Partly};
use super::markdown;
use super::token::{Span, Token, Tokens, Written};
use crate::private::canary::Spellings;
use crate::private::{Canary, Kind};

/// Pages within pages that are read.
const DEPTH: usize = 3;
/// What is within and has to be copied to be read is read up to so many bytes.
const LARGEST: usize = 16 << 20;
/// Hits of one kind that are kept of a page.
const MOST: usize = 1000;

/// Elements that stand within a line: what they part still reads as one word.
const INLINE: [&[u8]; 54] = [
    b"a",
    b"abbr",
    b"acronym",
    b"b",
    b"bdi",
    b"bdo",
    b"big",
    b"cite",
    b"code",
    b"data",
    b"del",
    b"dfn",
    b"em",
    b"font",
    b"i",
    b"img",
    b"ins",
    b"kbd",
    b"label",
    b"mark",
    b"q",
    b"rb",
    b"rt",
    b"ruby",
    b"s",
    b"samp",
    b"small",
    b"span",
    b"strike",
    b"strong",
    b"sub",
    b"sup",
    b"time",
    b"tspan",
    b"tt",
    b"u",
    b"var",
    b"wbr", // What follows shows nothing, and so parts nothing.
    b"script",
    b"style",
    b"title",
    b"template",
    b"datalist",
    b"rp",
    b"noembed",
    b"noframes",
    b"link",
    b"meta",
    b"base",
    b"param",
    b"area",
    b"source",
    b"track",
    b"slot",
];

/// Elements whose content no reader sees.
const UNSEEN: [&[u8]; 6] = [
    b"template",
    b"datalist",
    b"rp",
    b"title",
    b"noembed",
    b"noframes",
];

/// Whether an element stands within a line.
pub(super) fn is_inline(name: &[u8]) -> bool {
    INLINE.iter().any(|word| name.eq_ignore_ascii_case(word))
}

/// What stands between texts that no reader takes for one; no value holds it, and the canary
/// leaves it where it is.
const APART: &str = "\u{fffc}";

/// Attributes that hold an address, where a slash begins one of the site's own.
const ADDRESSES: [&[u8]; 9] = [
    b"href",
    b"src",
    b"action",
    b"formaction",
    b"poster",
    b"cite",
    b"data",
    b"xlink:href",
    b"ping",
];

/// Bytes of an address that are looked at.
const ADDRESS: usize = 2048;
/// Types of files that sites serve; another one below a home is somebody's own.
const SERVED: [&[u8]; 44] = [
    b"7z", b"action", b"asp", b"aspx", b"atom", b"avif", b"bmp", b"bz2", b"cgi", b"css", b"csv",
    b"do", b"eot", b"gif", b"gz", b"htm", b"html", b"ico", b"jpeg", b"jpg", b"js", b"json", b"jsp",
    b"map", b"md", b"mjs", b"mp3", b"mp4", b"otf", b"pdf", b"php", b"png", b"rss", b"shtml",
    b"svg", b"ttf", b"txt", b"wasm", b"webm", b"webp", b"woff", b"woff2", b"xhtml", b"xml",
];

/// What was found, by its place in the page.
#[derive(Debug, Default)]
pub(super) struct Leaks {
    pub(super) hits: BTreeMap<(usize, Kind), Spellings>,
    /// Parts that could not be read: too large, too deep, or in a charset that is not known.
    pub(super) unread: u64,
    /// Hits of each kind, of which no more than [`MOST`] are kept.
    counts: BTreeMap<Kind, usize>,
    /// The first part that was not looked at to the end, and the first hit that was left out.
    pub(super) partly: Partly,
}

/// What is looked at: a page, or something within one.
struct Text<'a> {
    bytes: &'a [u8],
    /// Where it stands in the whole page; nothing for that page itself.
    within: Option<Span>,
    depth: usize,
}

impl Leaks {
    /// Looks at a whole page. `masked` is the page without the markup that is none.
    pub(super) fn of(canary: &Canary, bytes: &[u8], masked: &[u8], markdown: bool) -> Self {
        let mut leaks = Self::default();
        let text = Text {
            bytes,
            within: None,
            depth: 0,
        };
        leaks.raw(canary, &text);
        if markdown {
            let links = memchr::memmem::find_iter(bytes, b"](/").map(|at| at + 2);
            let bracketed = memchr::memmem::find_iter(bytes, b"](</").map(|at| at + 3);
            for at in links.chain(bracketed) {
                let rest = bytes.get(at..bytes.len().min(at + ADDRESS));
                let ends = |b: &u8| matches!(b, b')' | b'>' | b' ' | b'\n');
                let link = rest.unwrap_or_default().split(ends).next();
                if !names_file(link.unwrap_or_default()) {
                    leaks.own(at);
                }
            }
        }
        let text = Text {
            bytes: masked,
            ..text
        };
        leaks.parts(canary, &text, markdown);
        leaks
    }

    fn raw(&mut self, canary: &Canary, text: &Text<'_>) {
        let look = canary.look(text.bytes);
        for hit in look.hits {
            self.note(text, hit.at, hit.kind, hit.spelling);
        }
        let place = |at: usize| text.within.map_or(at, |(start, _)| start);
        self.partly(Partly {
            unread: look.unread.map(place),
            cut: look.cut.map(place),
        });
    }

    fn partly(&mut self, partly: Partly) {
        let least = |a: Option<usize>, b: Option<usize>| a.into_iter().chain(b).min();
        self.partly.unread = least(self.partly.unread, partly.unread);
        self.partly.cut = least(self.partly.cut, partly.cut);
    }

    fn keep(&mut self, at: usize, kind: Kind, spelling: Spellings) {
        if self.hits.contains_key(&(at, kind)) {
            return;
        }
        let count = self.counts.entry(kind).or_default();
        if *count < MOST {
            *count += 1;
            self.hits.insert((at, kind), spelling);
        } else {
            self.partly(Partly {
                unread: None,
                cut: Some(at),
            });
        }
    }

    fn note(&mut self, text: &Text<'_>, at: usize, kind: Kind, spelling: Spellings) {
        let Some((start, end)) = text.within else {
            self.keep(at, kind, spelling);
            return;
        };
        // What the page around it shows already is told once.
        let known = self
            .hits
            .range((start, Kind::Identity)..=(end, Kind::Secret));
        if !known.into_iter().any(|((_, known), _)| *known == kind) {
            self.keep(start, kind, spelling);
        }
    }

    /// Looks at something within a page, at both its bytes and its parts.
    fn within(&mut self, canary: &Canary, bytes: &[u8], span: Span, text: &Text<'_>) {
        let inner = Text {
            bytes,
            within: Some(text.within.unwrap_or(span)),
            depth: text.depth + 1,
        };
        if inner.depth > DEPTH {
            self.unread += 1;
            return;
        }
        self.raw(canary, &inner);
        self.parts(canary, &inner, false);
    }

    fn parts(&mut self, canary: &Canary, text: &Text<'_>, markdown: bool) {
        let mut tokens = Tokens::of(text.bytes);
        // What a reader sees, and what stands in the page without being seen.
        let mut feeds = [Feed::default(), Feed::default()];
        let mut unseen = Unseen::default();
        let mut element: Span = (0, 0);
        let mut hides = false;
        while let Some(token) = tokens.next() {
            let feed = &mut feeds[usize::from(unseen.is_open())];
            match token {
                Token::Text { span, written } => {
                    self.text(canary, text, feed, span, written, markdown);
                }
                Token::Open { name } => (element, hides) = (name, false),
                Token::Opened { empty } => {
                    let name = tokens.bytes(element);
                    if unseen.opened(name, hides, empty) {
                        feeds[1].push(APART, element.0);
                    } else {
                        apart(feed, name, element.0);
                    }
                }
                Token::Close { name } => {
                    let was_open = unseen.is_open();
                    unseen.closed(tokens.bytes(name));
                    if unseen.is_open() == was_open {
                        apart(feed, tokens.bytes(name), name.0);
                    }
                }
                Token::Attribute { name, value } => {
                    let name = tokens.bytes(name);
                    hides |= is_hiding(name, tokens.bytes(value));
                    self.attribute(canary, text, name, value);
                }
                Token::Comment { span } => {
                    let comment = tokens.bytes(span);
                    // Tags may come out of its escapes; the page's own look takes comments out whole.
                    if comment.iter().any(|b| b"<&%\\".contains(b)) {
                        self.within(canary, comment, span, text);
                    }
                }
            }
            for feed in &mut feeds {
                if feed.is_full() {
                    self.look(canary, text, feed, false);
                }
            }
        }
        for mut feed in feeds {
            self.look(canary, text, &mut feed, true);
        }
    }

    fn look(&mut self, canary: &Canary, text: &Text<'_>, feed: &mut Feed, last: bool) {
        let partly = feed.look(canary, last, &mut |hit, source| {
            self.note(text, source, hit.kind, hit.spelling);
        });
        let place = |at: usize| text.within.map_or(at, |(start, _)| start);
        self.partly(Partly {
            unread: partly.unread.map(place),
            cut: partly.cut.map(place),
        });
    }

    fn text(
        &mut self,
        canary: &Canary,
        text: &Text<'_>,
        feed: &mut Feed,
        span: Span,
        written: Written,
        markdown: bool,
    ) {
        let bytes = text.bytes.get(span.0..span.1).unwrap_or_default();
        match written {
            Written::Script | Written::Style => {
                let plain =
                    decode::style(&String::from_utf8_lossy(bytes), written == Written::Style);
                self.style(canary, text, span, &plain, bytes);
                return;
            }
            Written::Text | Written::Title | Written::Plain => {}
        }
        // Very long texts go in pieces, so that the feed stays small.
        let mut at = span.0;
        for piece in pieces(bytes) {
            for chunk in piece.utf8_chunks() {
                let valid = chunk.valid();
                if written == Written::Plain {
                    feed.push(valid, at);
                } else if markdown {
                    markdown::plain(valid, |part, place| feed.push(part, at + place));
                } else {
                    decode::references(valid, false, |part, place| feed.push(part, at + place));
                }
                at += valid.len();
                if !chunk.invalid().is_empty() {
                    feed.push("\u{fffd}", at);
                    at += chunk.invalid().len();
                }
            }
            if feed.is_full() {
                self.look(canary, text, feed, false);
            }
        }
    }

    /// A style sheet or a script, as it reads with its escapes undone and its strings joined.
    fn style(&mut self, canary: &Canary, text: &Text<'_>, span: Span, plain: &str, bytes: &[u8]) {
        if plain.as_bytes() != bytes {
            let inner = Text {
                bytes: plain.as_bytes(),
                within: Some(text.within.unwrap_or(span)),
                depth: text.depth,
            };
            self.raw(canary, &inner);
        }
        // What stands inside of one address is looked at with it, and begins no other: a sheet of
        // addresses that never end would be read once for each of them else.
        let mut rest = plain;
        while let Some(at) = memchr::memmem::find(rest.as_bytes(), b"url(") {
            let body = rest.get(at + 4..).unwrap_or_default();
            let body = body.trim_start_matches([' ', '"', '\'']);
            let end = body.find([')', '"', '\'']).unwrap_or(body.len());
            let (address, after) = body.split_at_checked(end).unwrap_or((body, ""));
            self.address(canary, text, address, span);
            rest = after;
        }
    }

    /// What looks like a home there is one of the site's own addresses.
    fn own(&mut self, at: usize) {
        let key = (at, Kind::PosixPath);
        if self.hits.get(&key) == Some(&Spellings::NONE) {
            self.hits.remove(&key);
        }
    }

    fn attribute(&mut self, canary: &Canary, text: &Text<'_>, name: &[u8], value: Span) {
        let bytes = text.bytes.get(value.0..value.1).unwrap_or_default();
        let page = name.eq_ignore_ascii_case(b"srcdoc");
        let style = name.eq_ignore_ascii_case(b"style");
        let handler = name.len() > 4
            && name
                .get(..2)
                .is_some_and(|on| on.eq_ignore_ascii_case(b"on"));
        let address = ADDRESSES.iter().any(|word| name.eq_ignore_ascii_case(word));
        if text.within.is_none() && address && bytes.starts_with(b"/") && !names_file(bytes) {
            self.own(value.0);
        }
        let head = decode::attribute(bytes.get(..bytes.len().min(96)).unwrap_or_default());
        let script = handler || is_scheme(&head, "javascript:");
        if !page && !style && !script && !is_data(&head) {
            return;
        }
        if bytes.len() > LARGEST {
            self.unread += 1;
            return;
        }
        let decoded = decode::attribute(bytes);
        if page {
            self.within(canary, decoded.as_bytes(), value, text);
        } else if style || script {
            let plain = decode::style(&decoded, style);
            self.style(canary, text, value, &plain, bytes);
        } else {
            self.address(canary, text, &decoded, value);
        }
    }

    /// A `data:` address that holds text; what pictures hold is left to the page's own look.
    fn address(&mut self, canary: &Canary, text: &Text<'_>, address: &str, span: Span) {
        if !is_data(address) {
            return;
        }
        let body = address.split_once(':').map_or("", |(_, body)| body);
        let (kind, body) = body.split_once(',').unwrap_or(("", body));
        let kind = kind.to_ascii_lowercase();
        let mut words = kind.split(';').map(str::trim);
        let mime = words.next().unwrap_or_default();
        let packed = kind.trim_end().ends_with("base64");
        let label = words.find_map(|word| word.strip_prefix("charset="));
        let texts = ["text", "html", "xml", "json", "script"];
        if !mime.is_empty() && !texts.iter().any(|word| mime.contains(word)) {
            // Of what is no picture, sound or letter, nobody knows what it holds.
            let looks = ["image/", "font/", "audio/", "video/"];
            self.unread += u64::from(!looks.iter().any(|word| mime.starts_with(word)));
            return;
        }
        let bytes = decode::percent(body.as_bytes());
        let bytes = if packed {
            decode::base64(&bytes)
        } else {
            bytes
        };
        let read = match label {
            Some("utf-16" | "utf-16le") => Some(charset::UTF16LE),
            Some("utf-16be") => Some(charset::UTF16BE),
            Some(label) => charset::labelled(label.trim_matches('"')),
            None => charset::charset(&bytes),
        };
        match read {
            Some(read) => {
                let inner: Cow<'_, [u8]> = charset::decoded(&bytes, read);
                self.within(canary, &inner, span, text);
            }
            None => self.unread += 1,
        }
    }
}

/// The element that is open and shows nothing of what stands within it.
#[derive(Debug, Default)]
struct Unseen {
    name: Vec<u8>,
    /// How many of its name are open within each other.
    depth: usize,
}

impl Unseen {
    fn is_open(&self) -> bool {
        self.depth > 0
    }

    /// A start tag is over; whether something unseen begins with it.
    fn opened(&mut self, name: &[u8], hides: bool, empty: bool) -> bool {
        if empty {
            return false;
        }
        if self.is_open() {
            self.depth += usize::from(self.name.eq_ignore_ascii_case(name));
            return false;
        }
        let unseen = hides || UNSEEN.iter().any(|word| name.eq_ignore_ascii_case(word));
        if unseen {
            name.clone_into(&mut self.name);
            self.depth = 1;
        }
        unseen
    }

    fn closed(&mut self, name: &[u8]) {
        self.depth -= usize::from(self.is_open() && self.name.eq_ignore_ascii_case(name));
    }
}

/// Whether an attribute takes its element out of sight.
fn is_hiding(name: &[u8], value: &[u8]) -> bool {
    if name.eq_ignore_ascii_case(b"hidden") {
        return true;
    }
    if !name.eq_ignore_ascii_case(b"style") || value.len() > 4096 {
        return false;
    }
    let style = decode::style(&decode::attribute(value), true).to_ascii_lowercase();
    let style: String = style.chars().filter(|c| !c.is_whitespace()).collect();
    style.contains("display:none")
}

/// Whether an address of a site's own is no site's: it names a line of a file, a hidden folder, or a
/// file below a home of a type that sites do not serve.
fn names_file(address: &[u8]) -> bool {
    let address = address.get(..ADDRESS).unwrap_or(address);
    let end = address.iter().position(|b| matches!(b, b'?' | b'#'));
    let (path, rest) = address.split_at(end.unwrap_or(address.len()));
    let number = |word: &[u8]| word.first().is_some_and(u8::is_ascii_digit);
    if rest.strip_prefix(b"#L").is_some_and(number) {
        return true;
    }
    let hidden = |name: &[u8]| name.len() > 1 && name.starts_with(b".") && name != b"..";
    if path.split(|b| *b == b'/').any(hidden) {
        return true;
    }
    let mut names = path.rsplit(|b| *b == b'/');
    let (name, below) = (names.next().unwrap_or_default(), names.count() > 2);
    if let Some(colon) = memchr::memchr(b':', name) {
        return name.get(colon + 1..).is_some_and(number);
    }
    let dot = memchr::memrchr(b'.', name);
    let kind = dot.and_then(|dot| name.get(dot + 1..)).unwrap_or_default();
    let letters = kind.first().is_some_and(u8::is_ascii_alphabetic)
        && kind.iter().all(u8::is_ascii_alphanumeric);
    let served = SERVED.iter().any(|word| kind.eq_ignore_ascii_case(word));
    below && letters && kind.len() <= 8 && !served
}

fn is_data(address: &str) -> bool {
    is_scheme(address, "data:")
}

fn is_scheme(address: &str, scheme: &str) -> bool {
    // Browsers drop blanks and line breaks from addresses.
    let head = address.chars().filter(|c| !c.is_ascii_whitespace());
    let head = head.skip_while(char::is_ascii_control);
    let head: String = head.take(scheme.len()).collect();
    head.eq_ignore_ascii_case(scheme)
}

/// Parts the text before an element from that behind it, where it begins a line of its own.
fn apart(feed: &mut Feed, name: &[u8], at: usize) {
    if !is_inline(name) {
        feed.push(
            if name.eq_ignore_ascii_case(b"br") {
                // A value goes on over it, a shape does not.
                "\n\n"
            } else {
                APART
            },
            at,
        );
    }
}

/// Pieces of 64 KiB or so that cut no character and no reference.
fn pieces(bytes: &[u8]) -> impl Iterator<Item = &[u8]> {
    let mut rest = bytes;
    std::iter::from_fn(move || {
        if rest.is_empty() {
            return None;
        }
        let most = rest.len().min(1 << 16);
        let head = rest.get(..most).unwrap_or_default();
        let near = most.saturating_sub(64);
        let blank = |at: &usize| head.get(*at).is_some_and(u8::is_ascii_whitespace);
        let mut cut = most;
        if most < rest.len() {
            cut = (near..most).rev().find(blank).unwrap_or(most);
            while cut > 1 && rest.get(cut).is_some_and(|byte| byte & 0xc0 == 0x80) {
                cut -= 1;
            }
        }
        let (piece, tail) = rest.split_at_checked(cut.max(1)).unwrap_or((rest, &[]));
        rest = tail;
        Some(piece)
    })
}
