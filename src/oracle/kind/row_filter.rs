//! `row-filter`: the rows that an answer picks, by their numbers.

use std::collections::BTreeSet;

use serde_json::Value;

use super::super::check::{Asked, Check, ParamError, Reads};
use super::super::grammar::{Answer, Facts, Kind, Phrase, Place, Polarity, integers_of_field};
use super::super::guard::Guards;
use super::super::sight::Sight;
use super::super::verdict::Component;
use super::params::{Common, Params, UNKNOWN};
use super::{KeyShape, KindInfo, key, key_shape};

const FAILING: &[&str] = &["rows", "missing"];

pub(super) const INFO: KindInfo = KindInfo {
    id: "row-filter",
    question: "Does the answer pick these rows, and no others?",
    failing: FAILING,
    unknown: &["unparsed", "key-shape"],
    guards: &[
        "key-shape",
        "raw-rows-first",
        "stop-word",
        "bounds",
        "count-of-rows",
        "alternatives",
        "denied-anchor",
        "fenced-decoy",
        "row-a-clause",
        "place-of-a-row",
        "bounded-row",
        "shown-command",
        "rows-among-others",
        "list-below",
        "absent-by-choice",
    ],
    readings: &[],
    reads: Reads::Text,
    page: include_str!("row-filter.md"),
    key: KeyShape::fields(&["values"]),
    parse,
};

#[derive(Debug)]
struct RowFilter {
    anchors: Vec<Phrase>,
    stop_words: Vec<Phrase>,
    bounds: Vec<i128>,
    field: Option<String>,
    bracketed: bool,
    order: bool,
    common: Common,
}

fn parse(value: &Value) -> Result<Box<dyn Check>, ParamError> {
    let mut params = Params::new(value)?;
    let check = RowFilter {
        anchors: params.some_phrases("anchor")?,
        stop_words: params.phrases("stop-words")?,
        bounds: params.ints("bounds")?,
        field: params.text("field")?.map(str::to_owned),
        bracketed: params.flag("bracketed", false)?,
        order: params.flag("order", false)?,
        common: Common::read(&mut params, FAILING, UNKNOWN)?,
    };
    params.finish()?;
    Ok(Box::new(check))
}

/// What an answer says of the rows.
enum Rows {
    Unsaid,
    /// Alternatives, a condition, or a denial.
    Hedged,
    /// That there are none.
    None,
    Said(Vec<i128>),
}

/// A clause with a range and more rows than this lists none.
const RANGE: i128 = 10_000;

/// The numbers of a clause.
#[derive(Default)]
struct Picked {
    values: Vec<i128>,
    /// Those that are not expressly lines.
    placed: Vec<i128>,
    last: Option<usize>,
}

impl RowFilter {
    fn read(&self, asked: &Asked<'_>, key: &[i128]) -> Rows {
        let (answer, guards) = (asked.answer, asked.guards);
        if let Some(field) = &self.field
            && guards.on("raw-rows-first")
        {
            let raw = integers_of_field(answer, field);
            if !raw.is_empty() {
                return Rows::Said(raw);
            }
        }
        if self.bracketed
            && let Some(list) = bracketed(answer)
        {
            return Rows::Said(list);
        }
        self.clauses(answer, key, guards)
    }

    /// The first clause of the anchor that says rows, or all of them where each says its own.
    /// Prose goes before what is fenced, and cannot mend it.
    fn clauses(&self, answer: &Answer<'_>, key: &[i128], guards: Guards<'_>) -> Rows {
        answer.step(answer.len());
        let mut first: Option<Vec<i128>> = None;
        let mut fenced: Option<Vec<i128>> = None;
        let mut all = Vec::new();
        let mut none = false;
        for clause in 0..answer.clauses() {
            let tokens = answer.clause_tokens(clause);
            let at = |index: &usize| {
                !guards.hold("shown-command", answer.is_shown(*index))
                    && self
                        .anchors
                        .iter()
                        .any(|anchor| anchor.at(answer, *index).is_some())
            };
            let Some(anchor) = tokens.clone().find(at) else {
                continue;
            };
            match self.clause(answer, (tokens, anchor), key, guards) {
                Rows::Unsaid => {}
                Rows::None => none = true,
                Rows::Hedged => return Rows::Hedged,
                Rows::Said(values) => {
                    all.extend_from_slice(&values);
                    let prose = answer.place(answer.line(anchor)) == Place::Prose
                        || !guards.on("fenced-decoy");
                    (if prose { &mut first } else { &mut fenced }).get_or_insert(values);
                }
            }
        }
        match (first, fenced) {
            (Some(own), Some(other))
                if self.fits(key, &own, guards) != self.fits(key, &other, guards) =>
            {
                Rows::Hedged
            }
            (Some(own), _) | (None, Some(own)) => Rows::Said(if self.fits(key, &own, guards) {
                own
            } else {
                self.better(key, own, all, guards)
            }),
            (None, None) if none => Rows::None,
            (None, None) => Rows::Unsaid,
        }
    }

    /// Rows that are told one in a clause are right together or as the first says.
    fn better(
        &self,
        key: &[i128],
        own: Vec<i128>,
        all: Vec<i128>,
        guards: Guards<'_>,
    ) -> Vec<i128> {
        if self.fits(key, &all, guards) && guards.on("row-a-clause") {
            all
        } else {
            own
        }
    }

    fn clause(
        &self,
        answer: &Answer<'_>,
        (tokens, anchor): (std::ops::Range<usize>, usize),
        key: &[i128],
        guards: Guards<'_>,
    ) -> Rows {
        let mut own = Picked::default();
        let denied = answer.said(anchor) == Polarity::Denied && guards.on("denied-anchor");
        for index in tokens {
            let stops = |stop: &Phrase| stop.at(answer, index).is_some();
            if self.stop_words.iter().any(stops) && guards.on("stop-word") {
                break;
            }
            let Some(value) = value(answer, index, guards) else {
                continue;
            };
            // Numbers in a clause that denies the anchor are not its rows.
            if denied {
                return Rows::Unsaid;
            }
            let bounded = guards.hold("bounded-row", answer.is_bounded(index));
            if answer.said_int(index) != Polarity::Asserted
                || bounded
                || !self.pick((answer, index, value), &mut own, guards)
            {
                return Rows::Hedged;
            }
        }
        let more = own.last.is_some_and(|last| has_more(answer, last));
        if guards.hold("bounded-row", more) {
            return Rows::Hedged;
        }
        // `event 3 (line 40)`: where a row stands is no row, if the rest is right.
        let placed = !self.fits(key, &own.values, guards) && self.fits(key, &own.placed, guards);
        if guards.hold("place-of-a-row", placed) {
            own.values = own.placed;
        }
        match (own.values.is_empty(), denied) {
            (false, _) => Rows::Said(own.values),
            // `no error events`: none is picked.
            (true, true) => Rows::None,
            (true, false) => Rows::Unsaid,
        }
    }

    /// Takes a number in, or all up to it from the one before; `false` where it is an alternative.
    fn pick(
        &self,
        (answer, index, value): (&Answer<'_>, usize, i128),
        own: &mut Picked,
        guards: Guards<'_>,
    ) -> bool {
        let before = index.checked_sub(1).map_or("", |at| answer.word(at));
        let range = own.last.is_some_and(|last| last + 2 == index)
            && matches!(before.to_ascii_lowercase().as_str(), "-" | "to" | "through");
        let from = own.values.last().copied().unwrap_or(value);
        let either = own.last.is_some() && before.eq_ignore_ascii_case("or");
        if guards.hold("alternatives", either) {
            return false;
        }
        own.last = Some(index);
        if range && !(self.bounds.contains(&from) && self.bounds.contains(&value)) {
            let many = i128::try_from(own.values.len()).unwrap_or(RANGE) + value - from;
            if value <= from || many > RANGE {
                return false;
            }
            own.values.extend(from + 1..=value);
            own.placed.extend(from + 1..=value);
            return true;
        }
        own.values.push(value);
        if !before.eq_ignore_ascii_case("line") {
            own.placed.push(value);
        }
        true
    }

    fn fits(&self, key: &[i128], own: &[i128], guards: Guards<'_>) -> bool {
        let mut key = key.to_vec();
        if !self.order {
            key.sort_unstable();
        }
        let same = |own: &[i128]| {
            let mut own = own.to_vec();
            if !self.order {
                own.sort_unstable();
            }
            own == key
        };
        if same(own) {
            return true;
        }
        // A bound is dropped only as often as it is no row.
        let mut left = own.to_vec();
        for bound in self.bounds.iter().filter(|_| guards.on("bounds")) {
            let own = left.iter().filter(|value| *value == bound).count();
            let rows = key.iter().filter(|value| *value == bound).count();
            if own > rows
                && let Some(at) = left.iter().position(|value| value == bound)
            {
                left.remove(at);
            }
        }
        if same(&left) {
            return true;
        }
        // `3 error events: 3, 17, 29`: the first number counts the rows.
        let count = left
            .len()
            .checked_sub(1)
            .and_then(|count| i128::try_from(count).ok());
        let counted = left.first().copied() == count && left.len() > 1 && same(&left[1..]);
        guards.hold("count-of-rows", counted)
    }
}

/// Whether a list of rows goes on unsaid: `2, 5, ...`, `2, 5 and others`, `2, 5 etc.`
fn has_more(answer: &Answer<'_>, last: usize) -> bool {
    let word = |at: usize| match answer.clause(at) == answer.clause(last) {
        true => answer.word(at),
        false => "",
    };
    let own = |at: &usize| {
        ["others", "etc", "more"]
            .iter()
            .any(|own| own.eq_ignore_ascii_case(word(*at)))
    };
    let dots = last + 1 + usize::from(word(last + 1) == ",");
    (last + 1..last + 5)
        .take_while(|at| !word(*at).is_empty())
        .any(|at| own(&at))
        || (dots..dots + 3).all(|at| word(at) == ".")
}

impl RowFilter {
    /// The lines that name the anchor, each with its tokens.
    fn anchored(&self, answer: &Answer<'_>) -> Vec<std::ops::Range<usize>> {
        answer.step(answer.len());
        let mut lines = Vec::new();
        let mut from = 0;
        while from < answer.len() {
            let line = answer.line(from);
            let mut to = from;
            let mut named = false;
            while to < answer.len() && answer.line(to) == line {
                named |= self.anchors.iter().any(|own| own.at(answer, to).is_some());
                to += 1;
            }
            if named {
                lines.push(from..to);
            }
            from = to;
        }
        lines
    }

    /// Whether all rows of the key stand in the lines that name the anchor, among other numbers, and not in one plain list
    /// of which any that is no row would be wrong.
    fn are_among(&self, asked: &Asked<'_>, key: &[i128]) -> bool {
        let (answer, guards) = (asked.answer, asked.guards);
        let mut left = key.to_vec();
        let mut plain = true;
        let mut last: Option<usize> = None;
        let lines = self.anchored(answer);
        let cells = lines.len() > 1;
        for index in lines.into_iter().flatten() {
            let Some(value) = value(answer, index, guards) else {
                continue;
            };
            if let Some(at) = left.iter().position(|own| *own == value) {
                left.swap_remove(at);
            }
            let joined = last.is_none_or(|last| {
                index - last <= 3
                    && (last + 1..index)
                        .all(|at| matches!(answer.word(at), "," | "and" | "&" | "-" | "to"))
            });
            plain &= joined && answer.word(index + 1) != "|";
            last = Some(index);
        }
        !key.is_empty() && left.is_empty() && (!plain || cells)
    }

    /// Whether a list or a table with numbers stands right below a line that names the anchor.
    fn is_led(&self, asked: &Asked<'_>) -> bool {
        let answer = asked.answer;
        self.anchored(answer).into_iter().any(|tokens| {
            let line = answer.line(tokens.start);
            let (_, text) = answer.line_text(line);
            let leads = text.trim_end().ends_with(':') || text.trim_start().starts_with('#');
            let next = (tokens.end..tokens.end + 24).filter(|at| *at < answer.len());
            let mut near = next.filter(|at| answer.line(*at) <= line + 6);
            leads && near.any(|at| value(answer, at, asked.guards).is_some())
        })
    }
}

/// The integer at a token that is a row's number: no list marker, line, or word of a command.
fn value(answer: &Answer<'_>, index: usize, guards: Guards<'_>) -> Option<i128> {
    let Some(Kind::Int(int)) = answer.kind(index) else {
        return None;
    };
    let int = answer.ints().get(int as usize)?;
    let shown = guards.hold("shown-command", answer.is_shown(index));
    let free = !int.marker && !answer.is_cited(index) && !shown;
    free.then_some(int.value)
}

/// The first brackets that hold integers and commas only.
fn bracketed(answer: &Answer<'_>) -> Option<Vec<i128>> {
    answer.step(answer.len());
    let mut open: Option<Vec<i128>> = None;
    for index in 0..answer.len() {
        match (answer.word(index), answer.kind(index)) {
            ("[", _) => open = Some(Vec::new()),
            ("]", _) => {
                if let Some(values) = open.take().filter(|values| !values.is_empty()) {
                    return Some(values);
                }
            }
            (",", _) => {}
            (_, Some(Kind::Int(int))) => {
                if let (Some(values), Some(int)) = (&mut open, answer.ints().get(int as usize)) {
                    values.push(int.value);
                }
            }
            _ => open = None,
        }
    }
    None
}

impl Check for RowFilter {
    fn ask(&self, asked: &Asked<'_>) -> Component {
        let Some(key) = key::main(asked.key, "values").and_then(key::ints) else {
            return key_shape(asked);
        };
        let mut facts = Facts::default();
        let said = match self.read(asked, &key) {
            Rows::None => Rows::Said(Vec::new()),
            other => other,
        };
        match (said, self.common.absent(asked.guards, "missing")) {
            (Rows::Said(own), _) if self.fits(&key, &own, asked.guards) => {}
            (Rows::Said(_), _)
                if asked
                    .guards
                    .hold("rows-among-others", self.are_among(asked, &key)) =>
            {
                facts.unparsed();
            }
            (Rows::Unsaid, Some(_)) if asked.guards.hold("list-below", self.is_led(asked)) => {
                facts.unparsed();
            }
            (Rows::Said(_), _) => facts.fail(self.common.reason("rows")),
            (Rows::Unsaid, Some(reason)) => facts.fail(reason),
            (Rows::Unsaid, None) | (Rows::Hedged | Rows::None, _) => facts.unparsed(),
        }
        facts.finish()
    }

    fn sight(&self, asked: &Asked<'_>) -> Sight {
        let answer = asked.answer;
        let mut sight = Sight::default();
        let anchors = self.anchors.iter().flat_map(|own| own.places(answer));
        let lines: BTreeSet<usize> = anchors.map(|place| answer.line(place)).collect();
        for line in lines {
            sight.line(answer, line);
        }
        sight
    }
}
