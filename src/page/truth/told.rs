//! What is told of numbers beside their text, held against them.

use super::tag::{
    ALT, DESCRIBED, DESCRIPTION, LABELLED, LEAST, MOST, NOW, ROLE, TITLE, Tag, VALUE, WIDTH, X,
};
use super::{Reader, Watch};
use crate::page::alternative::{Alternative, Way, decimal};
use crate::page::fault::Fault;
use crate::page::map::{self, Map};

/// Bytes of an alternative that are looked at.
const LONGEST: usize = 4096;
/// Alternatives of one number, and numbers of one picture.
const OF_ONE: usize = 64;
/// A longer text is no number with its words: what is told of its element is a name, and in place of
/// nothing.
const NAMED: usize = 80;
/// And what is told of an element with a longer line is told of more than a number in it.
const LINE: usize = 512;

/// Elements that what is told of them only names.
const NAMES: [&[u8]; 23] = [
    b"article",
    b"aside",
    b"body",
    b"details",
    b"dialog",
    b"dl",
    b"fieldset",
    b"figure",
    b"footer",
    b"form",
    b"header",
    b"html",
    b"main",
    b"menu",
    b"nav",
    b"ol",
    b"section",
    b"table",
    b"tbody",
    b"tfoot",
    b"thead",
    b"tr",
    b"ul",
];
/// Roles of what stands as one thing, of which nothing within is read aloud.
const PICTURES: [&str; 8] = [
    "img",
    "image",
    "graphics-document",
    "graphics-symbol",
    "meter",
    "progressbar",
    "scrollbar",
    "slider",
];

/// What is told of an element, and of which numbers.
#[derive(Debug, Default)]
pub(super) struct Told {
    alternatives: Vec<Alternative>,
    /// The expressions of numbers that stand within it, or that it stands for.
    numbers: Vec<String>,
    /// Whether it stands for its numbers itself, as a bar does.
    own: bool,
    /// Whether it stands as one thing.
    pub(super) picture: bool,
    /// Where it stands, if its text is what is told of a picture.
    pub(super) caption: Option<(usize, Way)>,
    /// Where it begins in the line of what is seen.
    pub(super) seen: usize,
    /// How many letters and digits that nothing shows stood before it.
    pub(super) other: u64,
    /// Up to where its text was searched for a digit, and where the first one stands.
    searched: usize,
    digit: Option<usize>,
}

/// What is told of a part of the line of what is seen.
#[derive(Debug)]
pub(super) struct Placed {
    from: usize,
    to: usize,
    alternatives: Vec<Alternative>,
}

impl Told {
    /// It stands for a number.
    pub(super) fn of(&mut self, expression: &str) {
        self.numbers.push(expression.to_owned());
        self.own = true;
        self.picture = true;
    }

    pub(super) fn is_any(&self) -> bool {
        self.picture || self.caption.is_some() || !self.alternatives.is_empty()
    }

    fn add(&mut self, expression: String) {
        if self.numbers.len() <= OF_ONE && !self.own {
            self.numbers.push(expression);
        }
    }
}

impl Reader<'_> {
    /// Takes what an element's attributes tell of it.
    pub(super) fn telling(&mut self, tag: &Tag, watch: &mut Watch, empty: bool) {
        let name = self.bytes(tag.name);
        let is = |word: &[u8]| name.eq_ignore_ascii_case(word);
        for which in [WIDTH, X] {
            if let Some(expression) = self.value(tag, which) {
                watch.told.of(&expression);
            }
        }
        let told = |which: usize| {
            let span = tag.telling.get(which).copied().flatten()?;
            Some((span.0, self.decoded(span)))
        };
        let role = told(ROLE).is_some_and(|(_, role)| PICTURES.contains(&role.trim()));
        watch.told.picture |= is(b"svg") || role;
        let words = !empty && self.pictures > 0;
        watch.told.caption = match () {
            () if words && is(b"title") => Some((tag.at, Way::Instead)),
            () if words && is(b"desc") => Some((tag.at, Way::Beside)),
            () => None,
        };
        let names = NAMES.iter().any(|word| is(word));
        let pictured = is(b"img") || is(b"area") || is(b"input");
        let mut take = |at: usize, way: Way, mut text: String, most: Option<String>| {
            text.truncate(text.floor_char_boundary(LONGEST));
            watch.told.alternatives.push(Alternative {
                at,
                way,
                text,
                most,
            });
        };
        for which in 0..=DESCRIPTION {
            let Some((at, text)) = told(which).filter(|_| which != ALT || pictured) else {
                continue;
            };
            let beside = names || matches!(which, TITLE | DESCRIPTION);
            take(
                at,
                if beside { Way::Beside } else { Way::Instead },
                text,
                None,
            );
        }
        for (which, way) in [(LABELLED, Way::Instead), (DESCRIBED, Way::Beside)] {
            let span = tag.values.get(which).copied().flatten();
            let text = span.and_then(|span| self.labels.text(&self.decoded(span)));
            if let (Some((at, _)), Some(text)) = (span, text) {
                take(at, if names { Way::Beside } else { way }, text, None);
            }
        }
        let least = told(LEAST).map(|(_, least)| decimal(&least));
        let from_nought = least.is_none_or(|least| least.is_some_and(|(least, _)| least == 0));
        if let Some((at, now)) = told(NOW).filter(|_| from_nought) {
            take(at, Way::Needle, now, told(MOST).map(|(_, most)| most));
        }
        if is(b"data")
            && let (Some(value), Some(Some(span))) = (self.value(tag, VALUE), tag.values.get(VALUE))
        {
            take(span.0, Way::Machine, value, None);
        }
    }

    /// An element is over of which something may be told.
    pub(super) fn told(&mut self, watch: &mut Watch, text: &str) {
        let told = std::mem::take(&mut watch.told);
        if let Some((at, way)) = told.caption {
            return self.caption(at, way, text);
        }
        self.placed(&told);
        let number = watch.number.take().or(watch.mapped.take());
        if let Some(number) = number {
            let own = text.get(..text.floor_char_boundary(NAMED)).unwrap_or(text);
            let named = text.trim().len() > NAMED;
            for alternative in &told.alternatives {
                let way = match alternative.way {
                    Way::Instead if named => Way::Beside,
                    way => way,
                };
                self.held(alternative, way, std::slice::from_ref(&number), own);
            }
            self.up(vec![number]);
            return;
        }
        let outer = self
            .watches
            .iter()
            .rposition(|outer| outer.number.is_some() || outer.mapped.is_some());
        if let Some(outer) = outer {
            self.within_number(outer, watch.from, told, text);
            return;
        }
        let alone = told.numbers.len() == 1 && self.other == told.other;
        for alternative in &told.alternatives {
            let counts = told.own || alone && !told.picture;
            let way = match alternative.way {
                // `Figure 3` of a drawing with counts in it.
                Way::Instead if !counts && told.picture => self.lenient(&told.numbers),
                way => way,
            };
            if told.picture || alone {
                self.held(alternative, way, &told.numbers, "");
            }
        }
        self.up(told.numbers);
    }

    fn lenient(&self, numbers: &[String]) -> Way {
        let count = |number: &String| {
            let quantity = self.sums.and_then(|sums| sums.quantity(number));
            quantity.is_some_and(|quantity| quantity.is_count())
        };
        match numbers.iter().any(count) {
            true => Way::Beside,
            false => Way::Instead,
        }
    }

    /// Tells the element around of numbers.
    fn up(&mut self, numbers: Vec<String>) {
        if let Some(outer) = self.watches.last_mut() {
            for number in numbers {
                outer.told.add(number);
            }
        }
    }

    /// Words of a picture, which are told of the one that they stand in.
    fn caption(&mut self, at: usize, way: Way, text: &str) {
        let mut outer = self.watches.iter_mut().rev();
        if let Some(outer) = outer.find(|outer| outer.told.picture)
            && outer.told.alternatives.len() < OF_ONE
        {
            let text = text
                .get(..text.floor_char_boundary(LONGEST))
                .unwrap_or(text);
            outer.told.alternatives.push(Alternative {
                at,
                way,
                text: text.to_owned(),
                most: None,
            });
        }
    }

    /// What is told of a part of a number's element is told of the number where it holds it.
    fn within_number(&mut self, outer: usize, from: usize, told: Told, text: &str) {
        let Some(watch) = self.watches.get_mut(outer) else {
            return;
        };
        let digit = |b: &u8| b.is_ascii_digit();
        // Each part is searched once, however much of it is told of.
        let start = watch.told.searched.max(watch.from);
        let rest = self.text.as_bytes().get(start..).unwrap_or_default();
        if watch.told.digit.is_none() {
            watch.told.digit = rest.iter().position(digit).map(|at| start + at);
        }
        watch.told.searched = self.text.len();
        if watch.number.is_none() && watch.told.digit.is_some_and(|at| at < from) {
            return;
        }
        let holds = text.bytes().any(|b| b.is_ascii_digit());
        let at = watch.at;
        let kept = told.alternatives.into_iter();
        // Of what shows nothing, such as a picture, only a number and nothing else is one.
        let shown = !text.trim().is_empty();
        let stands = |alternative: &Alternative| {
            holds || !shown && alternative.way == Way::Instead && alternative.is_number()
        };
        let kept = kept.filter(stands);
        let kept: Vec<Alternative> = kept.collect();
        if let Some(watch) = self.watches.get_mut(outer)
            && watch.told.alternatives.len() <= OF_ONE
        {
            watch.told.alternatives.extend(kept);
            if watch.told.alternatives.len() > OF_ONE {
                self.fault(at, Fault::TooDeep);
            }
        }
    }

    /// Keeps what is told of a short part of the line, for numbers that are found by words.
    fn placed(&mut self, told: &Told) {
        let (from, to) = (told.seen, self.visible.length());
        let line = self.visible.part(from, to);
        if self.map.is_some_and(Map::by_words)
            && !told.alternatives.is_empty()
            && line.len() <= LINE
            && line.contains(|c: char| c.is_ascii_digit())
        {
            self.placed.push(Placed {
                from,
                to,
                alternatives: told.alternatives.clone(),
            });
        }
    }

    /// Puts what is told of parts of the line in their order.
    pub(super) fn arrange(&mut self) {
        self.placed.sort_by_key(|placed| (placed.from, placed.to));
    }

    /// Holds what is told of the element of a number that is found by words. What holds those words,
    /// too, is told of more.
    pub(super) fn told_of_place(&mut self, number: &str, within: (usize, usize)) {
        let placed = std::mem::take(&mut self.placed);
        let first = placed.partition_point(|placed| placed.from < within.0);
        let beside = placed.get(first..).unwrap_or_default().iter();
        for placed in beside.take_while(|placed| placed.from < within.1) {
            let line = self.visible.part(placed.from, placed.to).to_owned();
            if placed.to >= within.1 && line.len() <= NAMED {
                for alternative in &placed.alternatives {
                    let numbers = [number.to_owned()];
                    self.held(alternative, alternative.way, &numbers, &line);
                }
            }
        }
        self.placed = placed;
    }

    /// Holds an alternative against numbers, of which it must tell one if it tells any.
    fn held(&mut self, alternative: &Alternative, way: Way, numbers: &[String], own: &str) {
        let Some(sums) = self.sums else {
            return;
        };
        let mut told = None;
        for number in numbers {
            // What is no number is told of where it stands.
            let Some(quantity) = sums.quantity(number) else {
                return;
            };
            match alternative.contradicts(way, &quantity, own) {
                Some(shown) => told = told.or(Some((shown, quantity.shown.text()))),
                None => return,
            }
        }
        if let Some((shown, expected)) = told.filter(|_| numbers.len() <= OF_ONE) {
            let shown = map::is_number(&shown).then_some(shown);
            self.untrue(alternative.at, Fault::Alternative, shown, Some(expected));
        }
    }
}
