//! Whether what a page says of graded quantities is what the aggregate and the rows say.

use super::decode;
use super::fault::Fault;
use super::map::{self, Map};
use super::markdown;
use super::row::{Claims, Told};
use super::sums::Sums;
use super::token::{Span, Token, Tokens, Written};
use super::tree::Tree;

/// The name of the `meta` element, and of the Markdown comment, that name the aggregate.
const DIGEST: &str = "deedcheck-aggregate";
/// Elements that show something, within each other.
const DEEP: usize = 8;
/// Elements that are watched at all, within each other.
const NESTED: usize = 64;
/// No number takes so many bytes.
const NUMBER: usize = 512;
/// What is gathered of what elements show; whatever is longer is cut, and so is wrong.
const TEXT: usize = 1 << 20;

/// One untruth, and where it stands.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Untruth {
    pub(super) at: usize,
    pub(super) fault: Fault,
    /// The number that stands there, where it is one.
    pub(super) shown: Option<String>,
    /// The number that should.
    pub(super) expected: Option<String>,
}

/// What was held against the aggregate and the rows.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Counts {
    /// Numbers that the page says it shows of the aggregate.
    pub numbers: u64,
    /// Shapes that stand for a number.
    pub shapes: u64,
    /// Rows that it lists.
    pub rows: u64,
    /// Fields of them.
    pub fields: u64,
    /// Digests of the aggregate that it names.
    pub digests: u64,
}

/// What came of a page.
#[derive(Debug, Default)]
pub(super) struct Truth {
    pub(super) untruths: Vec<Untruth>,
    pub(super) counts: Counts,
    pub(super) claims: Claims,
}

/// The attributes of the tag that is open that matter, each as it first stands there.
#[derive(Debug, Default)]
struct Tag {
    at: usize,
    name: Span,
    values: [Option<Span>; ATTRIBUTES.len()],
}

const ATTRIBUTES: [&[u8]; 11] = [
    b"data-deed",
    b"data-deed-row",
    b"data-deed-rows",
    b"data-deed-field",
    b"data-deed-width",
    b"data-deed-x",
    b"width",
    b"x",
    b"name",
    b"content",
    b"id",
];
const DEED: usize = 0;
const ROW: usize = 1;
const ROWS: usize = 2;
const FIELD: usize = 3;
const WIDTH: usize = 4;
const X: usize = 5;
const OWN_WIDTH: usize = 6;
const OWN_X: usize = 7;
const NAME: usize = 8;
const CONTENT: usize = 9;
const ID: usize = 10;

/// An open element that shows something.
#[derive(Debug, Default)]
struct Watch {
    at: usize,
    /// Where its text begins in what is gathered.
    from: usize,
    number: Option<String>,
    /// A number of the mapping, which may have words around it.
    mapped: Option<String>,
    field: Option<(u64, String)>,
    row: bool,
    rows: Option<List>,
}

impl Watch {
    fn shows(&self) -> bool {
        self.number.is_some() || self.mapped.is_some() || self.field.is_some()
    }
}

/// A list of rows.
#[derive(Debug)]
struct List {
    /// How many it tells.
    told: Option<u64>,
    seen: u64,
    last: u64,
}

struct Reader<'a> {
    bytes: &'a [u8],
    sums: Option<&'a Sums>,
    map: Option<&'a Map>,
    markdown: bool,
    truth: Truth,
    watches: Vec<Watch>,
    /// Rows that are open, innermost last.
    rows: Vec<u64>,
    /// Lists that are open, by their place among the watches.
    lists: Vec<usize>,
    text: String,
    /// How many of the watches show something.
    showing: usize,
    /// Everything a reader sees, for a mapping that finds numbers by the words before them.
    visible: map::Visible,
    ids: Vec<bool>,
}

/// Reads a page. `bytes` is the page without the markup that is none.
pub(super) fn read(bytes: &[u8], sums: Option<&Sums>, map: Option<&Map>, markdown: bool) -> Truth {
    let mut reader = Reader {
        bytes,
        sums,
        map,
        markdown,
        truth: Truth::default(),
        watches: Vec::new(),
        rows: Vec::new(),
        lists: Vec::new(),
        text: String::new(),
        showing: 0,
        visible: map::Visible::default(),
        ids: vec![false; map.map_or(0, |map| map.numbers.len())],
    };
    let mut tree = Tree::default();
    let mut tag = Tag::default();
    for token in Tokens::of(bytes) {
        match token {
            Token::Open { name } => {
                tag = Tag {
                    at: name.0.saturating_sub(1),
                    name,
                    ..Tag::default()
                };
            }
            Token::Attribute { name, value } => reader.attribute(&mut tag, name, value),
            Token::Opened { empty } => {
                let name = reader.bytes(tag.name);
                tree.before(name, &mut || reader.ended());
                reader.opened(&mut tree, &tag, empty);
            }
            Token::Close { name } => {
                let name = reader.bytes(name);
                tree.close(name, &mut || reader.ended());
            }
            Token::Text { span, written } => reader.text(span, written),
            Token::Comment { span } => reader.comment(span),
        }
    }
    tree.end(&mut || reader.ended());
    reader.finish()
}

impl<'a> Reader<'a> {
    fn bytes(&self, span: Span) -> &'a [u8] {
        self.bytes.get(span.0..span.1).unwrap_or_default()
    }

    fn attribute(&self, tag: &mut Tag, name: Span, value: Span) {
        let name = self.bytes(name);
        let known = ATTRIBUTES
            .iter()
            .position(|word| name.eq_ignore_ascii_case(word));
        if let Some(slot) = known.and_then(|known| tag.values.get_mut(known)) {
            slot.get_or_insert(value);
        }
    }

    /// The value of one of the attributes.
    fn value(&self, tag: &Tag, which: usize) -> Option<String> {
        let span = tag.values.get(which).copied().flatten()?;
        let bytes = self.bytes((span.0, span.1.min(span.0 + (1 << 16))));
        Some(decode::attribute(bytes).into_owned())
    }

    fn fault(&mut self, at: usize, fault: Fault) {
        self.untrue(at, fault, None, None);
    }

    fn untrue(&mut self, at: usize, fault: Fault, shown: Option<String>, expected: Option<String>) {
        // Nobody reads on; and the list stays small on a page that is wrong throughout.
        if self.truth.untruths.len() < 10_000 {
            self.truth.untruths.push(Untruth {
                at,
                fault,
                shown,
                expected,
            });
        }
    }

    fn opened(&mut self, tree: &mut Tree, tag: &Tag, empty: bool) {
        if tag.values.iter().all(Option::is_none) {
            if !empty {
                tree.open(self.bytes(tag.name), false);
            }
            return;
        }
        self.meta(tag);
        self.shape(tag);
        if self.watches.len() >= NESTED {
            self.fault(tag.at, Fault::TooDeep);
            if !empty {
                tree.open(self.bytes(tag.name), false);
            }
            return;
        }
        let mut watch = self.watch(tag);
        if watch.shows() && self.showing >= DEEP {
            self.fault(tag.at, Fault::TooDeep);
            (watch.number, watch.mapped, watch.field) = (None, None, None);
        }
        let watched = watch.shows() || watch.row || watch.rows.is_some();
        let kept = !empty && tree.open(self.bytes(tag.name), watched);
        if watched {
            self.begin(watch);
            if !kept {
                self.ended();
            }
        }
    }

    fn watch(&mut self, tag: &Tag) -> Watch {
        let mut watch = Watch {
            at: tag.at,
            number: self.value(tag, DEED),
            ..Watch::default()
        };
        if let Some(id) = self.value(tag, ID) {
            watch.mapped = self.mapped(&id);
        }
        if let Some(told) = self.value(tag, ROWS) {
            watch.rows = Some(List {
                told: number(&told),
                seen: 0,
                last: 0,
            });
        }
        if let Some(row) = self.value(tag, ROW) {
            watch.row = true;
            let row = number(&row).unwrap_or(0);
            self.rows.push(row);
            self.row(tag.at, row);
        }
        if let Some(field) = self.value(tag, FIELD) {
            match self.rows.last() {
                Some(row) => watch.field = Some((*row, field)),
                None => self.fault(tag.at, Fault::Outside),
            }
        }
        watch
    }

    /// What the mapping says of an element with this id.
    fn mapped(&mut self, id: &str) -> Option<String> {
        let map = self.map?;
        let (index, number) = map.by_id(id)?;
        let seen = self.ids.get_mut(index)?;
        // An id stands for one element, the first that bears it.
        let again = std::mem::replace(seen, true);
        (!again).then(|| number.shows.clone())
    }

    fn row(&mut self, at: usize, row: u64) {
        self.truth.counts.rows += 1;
        let list = self.lists.last().and_then(|at| self.watches.get_mut(*at));
        let fault = match list.and_then(|watch| watch.rows.as_mut()) {
            None => Some(Fault::Outside),
            Some(list) => {
                list.seen += 1;
                let ascends = row > list.last;
                list.last = row;
                (!ascends).then_some(Fault::RowOrder)
            }
        };
        if let Some(fault) = fault {
            self.fault(at, fault);
        }
        self.truth.claims.row(at, row);
    }

    fn begin(&mut self, mut watch: Watch) {
        if watch.shows() {
            self.showing += 1;
        }
        if watch.rows.is_some() {
            self.lists.push(self.watches.len());
        }
        watch.from = self.text.len();
        self.watches.push(watch);
    }

    /// The innermost watched element is over.
    fn ended(&mut self) {
        let Some(watch) = self.watches.pop() else {
            return;
        };
        if watch.shows() {
            self.showing -= 1;
            let text = self.text.get(watch.from..).unwrap_or_default().to_owned();
            self.shown(&watch, &text);
            if self.showing == 0 {
                self.text.clear();
            }
        }
        if watch.row {
            self.rows.pop();
        }
        if let Some(list) = &watch.rows {
            self.lists.pop();
            if list.told != Some(list.seen) {
                let told = list.told.map(|told| told.to_string());
                self.untrue(watch.at, Fault::RowCount, told, Some(list.seen.to_string()));
            }
        }
    }

    fn shown(&mut self, watch: &Watch, text: &str) {
        if let Some(expression) = &watch.number {
            let text = text.get(..NUMBER).unwrap_or(text).trim();
            self.number(watch.at, expression, text);
        }
        if let Some(expression) = &watch.mapped {
            let number = map::first_number(text.get(..NUMBER).unwrap_or(text));
            self.number(watch.at, expression, &number);
        }
        if let Some((row, field)) = &watch.field {
            self.truth.counts.fields += 1;
            self.truth.claims.field(watch.at, *row, field, text.trim());
        }
    }

    fn number(&mut self, at: usize, expression: &str, text: &str) {
        self.truth.counts.numbers += 1;
        let Some(sums) = self.sums else {
            return;
        };
        match sums.value(expression) {
            Err(fault) => self.fault(at, fault),
            Ok(value) if value.is_shown_by(text) => {}
            Ok(value) => {
                let expected = Some(value.text());
                match map::is_number(text) {
                    true => {
                        self.untrue(at, Fault::WrongNumber, Some(text.to_owned()), expected);
                    }
                    false => self.untrue(at, Fault::NotANumber, None, expected),
                }
            }
        }
    }

    /// A shape whose place and width stand for numbers.
    fn shape(&mut self, tag: &Tag) {
        let (width, x) = (self.value(tag, WIDTH), self.value(tag, X));
        if width.is_none() && x.is_none() {
            return;
        }
        self.truth.counts.shapes += 1;
        let Some(sums) = self.sums else {
            return;
        };
        let measure = |text: Option<&str>| text.map(|text| sums.hundredths(text)).transpose();
        let (width, x) = match (measure(width.as_deref()), measure(x.as_deref())) {
            (Ok(width), Ok(x)) => (width, x),
            (Err(fault), _) | (_, Err(fault)) => return self.fault(tag.at, fault),
        };
        let own = |which| self.value(tag, which).and_then(|text| number(&text));
        let width = width.map(|width| width.saturating_sub(x.unwrap_or(0)));
        let pairs = [(width, own(OWN_WIDTH)), (x, own(OWN_X))];
        for (expected, own) in pairs {
            if let Some(expected) = expected.filter(|expected| own != Some(*expected)) {
                let own = own.map(|own| own.to_string());
                self.untrue(tag.at, Fault::WrongWidth, own, Some(expected.to_string()));
            }
        }
    }

    fn meta(&mut self, tag: &Tag) {
        let is_meta = self.bytes(tag.name).eq_ignore_ascii_case(b"meta");
        if is_meta && self.value(tag, NAME).is_some_and(|name| name == DIGEST) {
            let content = self.value(tag, CONTENT).unwrap_or_default();
            self.digest(tag.at, &content);
        }
    }

    fn comment(&mut self, span: Span) {
        let bytes = self.bytes((span.0, span.1.min(span.0 + 256)));
        let text = std::str::from_utf8(bytes).unwrap_or_default().trim();
        if let Some(digest) = text.strip_prefix(DIGEST) {
            self.digest(span.0, digest);
        }
    }

    fn digest(&mut self, at: usize, text: &str) {
        self.truth.counts.digests += 1;
        if self.sums.is_some_and(|sums| !sums.is_named_by(text)) {
            self.fault(at, Fault::StaleDigest);
        }
    }

    fn text(&mut self, span: Span, written: Written) {
        let read = !matches!(written, Written::Script | Written::Style);
        let visible = self.map.is_some_and(Map::by_words) && read;
        if !visible && (self.showing == 0 || !read) {
            return;
        }
        let bytes = self.bytes(span);
        let wanted = self.showing > 0 && read;
        let mut at = span.0;
        for chunk in bytes.utf8_chunks() {
            let mut push = |part: &str, place: usize| {
                if visible {
                    self.visible.push(part, at + place);
                }
                if wanted && self.text.len() < TEXT {
                    append(&mut self.text, part);
                }
            };
            match written {
                Written::Plain => push(chunk.valid(), 0),
                // What Markdown reads as its own is taken out before references are read.
                _ if self.markdown => markdown::plain(chunk.valid(), |part, place| {
                    decode::references(part, false, |text, within| {
                        push(&markdown::unmasked(text), place + within);
                    });
                }),
                _ => decode::references(chunk.valid(), false, &mut push),
            }
            if !chunk.invalid().is_empty() {
                push("\u{fffd}", chunk.valid().len());
            }
            at += chunk.valid().len() + chunk.invalid().len();
        }
    }

    fn finish(mut self) -> Truth {
        let Some(map) = self.map else {
            return self.truth;
        };
        if let (Some(sums), Some(digest)) = (self.sums, &map.digest) {
            self.truth.counts.digests += 1;
            if !sums.is_named_by(digest) {
                self.fault(0, Fault::StaleDigest);
            }
        }
        for found in self.visible.find(map) {
            match found {
                map::Found::Number { at, index, text } => {
                    if let Some(number) = map.numbers.get(index) {
                        self.number(at, &number.shows, &text);
                    }
                }
                map::Found::Nowhere => self.fault(0, Fault::NoSuchPlace),
            }
        }
        let missing = map.numbers.iter().zip(&self.ids);
        let missing = missing.filter(|(number, seen)| number.id.is_some() && !**seen);
        for _ in 0..missing.count() {
            self.fault(0, Fault::NoSuchPlace);
        }
        self.truth
    }
}

/// A whole number in plain digits.
fn number(text: &str) -> Option<u64> {
    let text = text.trim();
    let plain = !text.is_empty() && text.bytes().all(|b| b.is_ascii_digit());
    plain.then(|| text.parse().ok()).flatten()
}

/// Adds text; a run of blanks is one.
fn append(text: &mut String, part: &str) {
    for c in part.chars() {
        if !matches!(c, ' ' | '\t' | '\n' | '\r' | '\x0c') {
            text.push(c);
        } else if !text.ends_with(' ') {
            text.push(' ');
        }
    }
}

impl Truth {
    /// Adds what the rows say of what the page tells of them.
    pub(super) fn told(&mut self, told: Vec<Told>) {
        let untruths = told.into_iter().map(|told| Untruth {
            at: told.at,
            fault: told.fault,
            shown: None,
            expected: None,
        });
        self.untruths.extend(untruths);
    }
}
