//! Whether what a page says of graded quantities is what the aggregate and the rows say.

mod drawn;
mod mapped;
mod ours;
mod said;
mod tag;
mod told;

use self::tag::{ATTRIBUTES, DEED, FIELD, HIDDEN, ID, ROW, ROWS, STYLE, TELLING, Tag, X};
use super::beside::{Beside, Shows};
use super::decode;
use super::fault::Fault;
use super::label::Labels;
use super::leak::is_inline;
use super::map::{self, Map};
use super::row::{Claims, Told};
use super::sums::Sums;
use super::token::{Span, Token, Tokens};
use super::tree::Tree;
use crate::report::fact::QUOTED;
use crate::report::told::Facts;

/// The name of the `meta` element, and of the Markdown comment, that name the aggregate.
const DIGEST: &str = "deedcheck-aggregate";
/// Elements that show something, within each other.
const DEEP: usize = 8;
/// Elements that are watched at all, within each other.
const NESTED: usize = 64;
/// No number takes so many bytes.
const NUMBER: usize = 512;
/// Elements that are told apart by their own style.
const LOOSE: usize = 16;
/// Pages within pages that are read.
const PAGES: u32 = 3;
/// Bytes of a page within an attribute that are read.
const WITHIN: usize = 16 << 20;
/// What is gathered of what elements show; whatever is longer is cut, and so is wrong.
const TEXT: usize = 1 << 20;

/// Untruths that are told.
pub(super) const MOST: usize = 10_000;

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
    /// Digests of its own words that it names.
    pub facts: u64,
}

impl Counts {
    fn add(&mut self, other: &Self) {
        self.numbers += other.numbers;
        self.shapes += other.shapes;
        self.rows += other.rows;
        self.fields += other.fields;
        self.digests += other.digests;
        self.facts += other.facts;
    }
}

/// What came of a page.
#[derive(Debug, Default)]
pub(super) struct Truth {
    pub(super) untruths: Vec<Untruth>,
    pub(super) counts: Counts,
    pub(super) claims: Claims,
}

/// An open element that shows something.
#[derive(Debug, Default)]
struct Watch {
    at: usize,
    /// Where its text begins in what is gathered.
    from: usize,
    number: Option<String>,
    /// A number of the mapping, which may have words around it.
    mapped: Option<String>,
    /// Whether what stands before it makes another number of one of the mapping at its beginning.
    touched: bool,
    field: Option<(u64, String)>,
    row: bool,
    rows: Option<List>,
    /// Whether it draws what stands within it in another way.
    bends: bool,
    /// Whether it turns the direction of what is written in it.
    turns: bool,
    /// What is told of it beside its text, and what of it that is told of.
    told: told::Told,
}

impl Watch {
    /// What it shows that must not be added to from outside. Quoted words may stand in a sentence.
    fn kind(&self) -> Option<Shows> {
        let quoted = |(_, name): &(u64, String)| QUOTED.contains(&name.as_str());
        match &self.field {
            _ if self.number.is_some() => Some(Shows::Number),
            Some(field) if !quoted(field) => Some(Shows::Word),
            _ => None,
        }
    }

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
    /// How many of the watches show something, are pictures, or are words of one.
    showing: usize,
    pictures: u32,
    captions: u32,
    /// Letters and digits of the page that nothing shows.
    other: u64,
    /// What is told of places that a mapping may find by the words before them.
    placed: Vec<told::Placed>,
    /// Everything a reader sees, for a mapping that finds numbers by the words before them.
    visible: map::Visible,
    ids: Vec<bool>,
    /// What stands beside what is shown.
    beside: Beside,
    /// What a page of ours tells, from where it begins to.
    facts: Option<Facts>,
    /// Whether the page says that it ends in the digest of what it tells.
    promised: bool,
    /// The first element that may change the page while it is looked at.
    acting: Option<usize>,
    /// Elements that are open and draw what stands within them in another way.
    bent: u32,
    /// Whether a drawing with shapes is open.
    drawing: bool,
    /// How many pages this one stands within.
    depth: u32,
    /// Names of elements that do not end the line.
    loose: Vec<&'a [u8]>,
    /// Texts that stand elsewhere in the page and are told of an element.
    labels: Labels,
}

/// Reads a page. `bytes` is the page without the markup that is none.
pub(super) fn read(bytes: &[u8], sums: Option<&Sums>, map: Option<&Map>, markdown: bool) -> Truth {
    Reader::of(bytes, sums, map, markdown, 0).read()
}

impl<'a> Reader<'a> {
    fn of(
        bytes: &'a [u8],
        sums: Option<&'a Sums>,
        map: Option<&'a Map>,
        markdown: bool,
        depth: u32,
    ) -> Self {
        Self {
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
            pictures: 0,
            captions: 0,
            other: 0,
            placed: Vec::new(),
            visible: map::Visible::default(),
            ids: vec![false; map.map_or(0, |map| map.numbers.len())],
            beside: Beside::default(),
            facts: None,
            promised: false,
            acting: None,
            bent: 0,
            drawing: false,
            depth,
            loose: Vec::new(),
            labels: sums.map_or_else(Labels::default, |_| Labels::of(bytes)),
        }
    }

    fn read(mut self) -> Truth {
        let mut tree = Tree::default();
        let mut tag = Tag::default();
        for token in Tokens::of(self.bytes) {
            match token {
                Token::Open { name } => {
                    tag = Tag {
                        at: name.0.saturating_sub(1),
                        name,
                        ..Tag::default()
                    };
                }
                Token::Attribute { name, value } => self.attribute(&mut tag, name, value),
                Token::Opened { empty } => {
                    let name = self.bytes(tag.name);
                    tree.before(name, &mut || self.ended());
                    self.own(&tag);
                    self.loosen(&tag);
                    self.apart(name);
                    self.opened(&mut tree, &tag, empty);
                }
                Token::Close { name } => {
                    let name = self.bytes(name);
                    tree.close(name, &mut || self.ended());
                    if let Some(facts) = &mut self.facts {
                        facts.tag(&String::from_utf8_lossy(name));
                    }
                    self.apart(name);
                    self.drawing &= !name.eq_ignore_ascii_case(b"svg");
                }
                Token::Text { span, written } => self.text(span, written),
                Token::Comment { span } => self.comment(span),
            }
        }
        tree.end(&mut || self.ended());
        self.finish()
    }

    fn bytes(&self, span: Span) -> &'a [u8] {
        self.bytes.get(span.0..span.1).unwrap_or_default()
    }

    /// An element that stands in no line ends the line.
    fn apart(&mut self, name: &[u8]) {
        if name.eq_ignore_ascii_case(b"q") {
            // A reader sees its quotation marks.
            self.beside.text("\"", false);
        } else if !is_inline(name)
            && !ours::is_replaced(name)
            && !self.loose.iter().any(|own| own.eq_ignore_ascii_case(name))
        {
            self.beside.apart();
        }
    }

    /// An element that its own style puts into a line, or out of sight. Whether another of its name
    /// still ends the line is not followed: a page that does so writes blanks between what it shows.
    fn loosen(&mut self, tag: &Tag) {
        let name = self.bytes(tag.name);
        if !tag.has(STYLE) && !tag.has(HIDDEN) || is_inline(name) || self.loose.len() >= LOOSE {
            return;
        }
        if tag.has(HIDDEN) || self.is_in_line(tag) {
            self.loose.push(name);
        }
    }

    fn attribute(&self, tag: &mut Tag, span: Span, value: Span) {
        let name = self.bytes(span);
        tag.acts |= ours::acts(name, self.bytes(value));
        tag.strange |= self.facts.is_some() && !ours::is_known(name, self.bytes(tag.name));
        let known = ATTRIBUTES
            .iter()
            .position(|word| name.eq_ignore_ascii_case(word));
        if let Some(slot) = known.and_then(|known| tag.values.get_mut(known)) {
            slot.get_or_insert(value);
        }
        let telling = TELLING
            .iter()
            .position(|word| name.eq_ignore_ascii_case(word));
        if let Some(slot) = telling.and_then(|telling| tag.telling.get_mut(telling)) {
            slot.get_or_insert(value);
        }
        if self.map.is_some_and(|map| map.measures(name)) {
            tag.measures.push((span, value));
        }
    }

    /// The value of one of the attributes.
    fn value(&self, tag: &Tag, which: usize) -> Option<String> {
        Some(self.decoded(tag.values.get(which).copied().flatten()?))
    }

    /// The value of an attribute.
    fn decoded(&self, span: Span) -> String {
        let bytes = self.bytes((span.0, span.1.min(span.0 + (1 << 16))));
        decode::attribute(bytes).into_owned()
    }

    fn fault(&mut self, at: usize, fault: Fault) {
        self.untrue(at, fault, None, None);
    }

    fn untrue(&mut self, at: usize, fault: Fault, shown: Option<String>, expected: Option<String>) {
        // Nobody reads on; and the list stays small on a page that is wrong throughout.
        if self.truth.untruths.len() < MOST {
            self.truth.untruths.push(Untruth {
                at,
                fault,
                shown,
                expected,
            });
        }
    }

    fn opened(&mut self, tree: &mut Tree, tag: &Tag, empty: bool) {
        self.moving(tag);
        self.replaced(tag);
        let turns = self.bytes(tag.name).eq_ignore_ascii_case(b"bdo");
        let svg = self.bytes(tag.name).eq_ignore_ascii_case(b"svg");
        if !turns && !svg && self.pictures == 0 && tag.is_plain() {
            if !empty {
                tree.open(self.bytes(tag.name), false);
            }
            return;
        }
        self.meta(tag);
        self.marks(tag);
        self.shape(tag);
        self.within(tag);
        if self.watches.len() >= NESTED {
            if (DEED..=X).any(|which| tag.has(which)) {
                self.fault(tag.at, Fault::TooDeep);
            }
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
        self.telling(tag, &mut watch, empty);
        let bends = watch.bends || watch.turns;
        let watched =
            watch.shows() || watch.row || watch.rows.is_some() || bends || watch.told.is_any();
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
            bends: self.bends(tag),
            turns: self.turns(tag),
            ..Watch::default()
        };
        if let Some(id) = self.value(tag, ID) {
            self.mapped(tag, &id, &mut watch);
        }
        if self.is_gauge(tag) {
            let told = [watch.number.take(), watch.mapped.take()];
            for expression in told.into_iter().flatten() {
                watch.told.of(&expression);
                self.gauge(tag, &expression);
            }
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
        self.bent += u32::from(watch.bends);
        self.beside.turning += u32::from(watch.turns);
        if watch.shows() {
            self.showing += 1;
        }
        self.pictures += u32::from(watch.told.picture);
        self.captions += u32::from(watch.told.caption.is_some());
        watch.told.seen = self.visible.length();
        watch.told.other = self.other;
        if let (Some(facts), true) = (&mut self.facts, watch.number.is_some()) {
            facts.number(true);
        }
        watch.touched = watch.mapped.is_some() && self.beside.before(Shows::Number);
        if let Some(shows) = watch.kind() {
            if self.beside.before(shows) {
                self.fault(watch.at, Fault::Beside);
            }
            if self.beside.is_turned() {
                self.fault(watch.at, Fault::Turned);
            }
        }
        if watch.rows.is_some() {
            self.lists.push(self.watches.len());
        }
        watch.from = self.text.len();
        self.watches.push(watch);
    }

    /// The innermost watched element is over.
    fn ended(&mut self) {
        let Some(mut watch) = self.watches.pop() else {
            return;
        };
        self.bent -= u32::from(watch.bends);
        self.beside.turning -= u32::from(watch.turns);
        if let (Some(facts), true) = (&mut self.facts, watch.number.is_some()) {
            facts.number(false);
        }
        self.pictures -= u32::from(watch.told.picture);
        self.captions -= u32::from(watch.told.caption.is_some());
        let text = self.text.get(watch.from..).unwrap_or_default().to_owned();
        if watch.shows() {
            self.showing -= 1;
            if let Some(shows) = watch.kind().filter(|_| !text.trim().is_empty()) {
                self.beside.ended(watch.at, shows, &text);
            }
            self.shown(&watch, &text);
        }
        self.told(&mut watch, &text);
        if self.showing == 0 && self.captions == 0 {
            self.text.clear();
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
            self.mapped_number(watch, expression, text.get(..NUMBER).unwrap_or(text));
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
}

/// A whole number in plain digits, of which none is idle.
fn number(text: &str) -> Option<u64> {
    let text = text.trim();
    let plain = !text.is_empty() && text.bytes().all(|b| b.is_ascii_digit());
    let idle = text.len() > 1 && text.starts_with('0');
    (plain && !idle).then(|| text.parse().ok()).flatten()
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
