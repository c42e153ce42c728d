//! Mapping files: which numbers of a page that is not ours stand for graded quantities.

use std::collections::{HashMap, HashSet};

use aho_corasick::{AhoCorasick, MatchKind};
use serde::Deserialize;

use super::alternative::decimal;
use super::beside;

/// The format of mapping files.
pub const MAP_SCHEMA: &str = "deedcheck/page-map/1";

/// Entries that a mapping has at most.
const MOST: usize = 10_000;
/// The shortest words that a number is found by.
const WORDS: usize = 3;
/// The longest name of an attribute that measures.
const LONGEST: usize = 32;
/// Numbers that one element shows.
const OF_ONE: usize = 8;

/// A mapping.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Map {
    /// The format of the file: `deedcheck/page-map/1`.
    schema: String,
    /// The aggregate that the page was made from, as `sha256:` and its digest.
    pub(super) digest: Option<String>,
    /// The numbers and bars, each by one of two ways to find it.
    #[serde(rename = "number")]
    pub(super) numbers: Vec<Number>,
    #[serde(skip)]
    ids: HashMap<String, Vec<usize>>,
    /// Names of attributes that some number is measured by, in small letters.
    #[serde(skip)]
    measures: HashSet<String>,
}

/// One number of a page.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub(super) struct Number {
    /// What it shows: a key of the aggregate, a sum of keys, or `share(…, …)`.
    pub(super) shows: String,
    /// The id of the element that holds it: the first number in there.
    pub(super) id: Option<String>,
    /// Words that stand right before it, as a reader sees them.
    pub(super) after: Option<String>,
    /// Which of the places with these words it is, from 1.
    #[serde(default = "first")]
    nth: u32,
    /// The attribute, or the property of its own style, by which the element with this id is as long
    /// as the number is large: `width`, `height`, `--size`.
    pub(super) measure: Option<String>,
    /// What it measures of 100 %, or of 1 where a count is shown: a plain decimal number. Without
    /// it, the measure must be in per cent itself.
    pub(super) scale: Option<String>,
}

impl Number {
    /// What is wrong with how it is measured.
    fn unmeasured(&self) -> Option<&'static str> {
        let Some(measure) = &self.measure else {
            return self.scale.is_some().then_some("measure");
        };
        let named = |b: u8| b.is_ascii_alphanumeric() || b == b'-';
        let fits = (1..=LONGEST).contains(&measure.len()) && measure.bytes().all(named);
        let scale = self.scale();
        match (fits && self.id.is_some(), &self.scale) {
            (false, _) => Some("measure"),
            (true, Some(_)) if scale.is_none_or(|(scale, _)| scale == 0) => Some("scale"),
            (true, _) => None,
        }
    }

    pub(super) fn scale(&self) -> Option<(u128, u128)> {
        decimal(self.scale.as_deref()?)
    }
}

fn first() -> u32 {
    1
}

/// A mapping that is none.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("E_MAP field={field} kind={kind}")]
pub struct MapError {
    /// The field that is wrong.
    pub field: &'static str,
    /// What is wrong with it.
    pub kind: &'static str,
}

impl Map {
    /// Reads a mapping, TOML or JSON.
    ///
    /// # Errors
    /// What is no mapping, or has an entry with no way or two ways to be found.
    pub fn parse(text: &str) -> Result<Self, MapError> {
        let wrong = |field, kind| MapError { field, kind };
        let json = text.trim_start().starts_with('{');
        let read: Option<Self> = match json {
            true => serde_json::from_str(text).ok(),
            false => toml::from_str(text).ok(),
        };
        let mut map = read.ok_or(wrong("--map", "syntax"))?;
        if map.schema != MAP_SCHEMA {
            return Err(wrong("schema", "unknown-value"));
        }
        if map.numbers.len() > MOST {
            return Err(wrong("number", "too-many"));
        }
        for (index, number) in map.numbers.iter().enumerate() {
            if let Some(field) = number.unmeasured() {
                return Err(wrong(field, "invalid-value"));
            }
            let measure = number.measure.as_ref();
            map.measures
                .extend(measure.map(|name| name.to_ascii_lowercase()));
            match (&number.id, &number.after) {
                (Some(id), None) if !id.is_empty() && number.nth == 1 => {
                    let known = map.ids.entry(id.clone()).or_default();
                    let same = |other: &usize| {
                        let other = map.numbers.get(*other);
                        other.is_some_and(|other| other.measure == number.measure)
                    };
                    if known.len() >= OF_ONE || known.iter().any(same) {
                        return Err(wrong("id", "repeated"));
                    }
                    known.push(index);
                }
                (None, Some(after)) if words(after).len() >= WORDS && number.nth > 0 => {}
                (None, None) => return Err(wrong("number", "missing")),
                (Some(_), Some(_)) => return Err(wrong("number", "conflict")),
                (Some(_), None) => return Err(wrong("id", "invalid-value")),
                (None, Some(_)) => return Err(wrong("after", "invalid-value")),
            }
        }
        Ok(map)
    }

    /// Whether any number is found by the words before it.
    pub(super) fn by_words(&self) -> bool {
        self.numbers.iter().any(|number| number.after.is_some())
    }

    /// The entries of an element with this id.
    pub(super) fn by_id(&self, id: &str) -> &[usize] {
        self.ids.get(id).map_or(&[], Vec::as_slice)
    }

    /// Whether some number is measured by an attribute of this name.
    pub(super) fn measures(&self, name: &[u8]) -> bool {
        !self.measures.is_empty()
            && name.len() <= LONGEST
            && std::str::from_utf8(name)
                .is_ok_and(|name| self.measures.contains(&name.to_ascii_lowercase()))
    }
}

/// Words with single blanks between them.
fn words(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// What came of an entry that goes by words.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Found {
    Number {
        at: usize,
        index: usize,
        text: String,
        /// Where the number stands in the line of what is seen, from the end of the words on.
        within: (usize, usize),
    },
    Nowhere,
}

/// Everything that a reader sees of a page, in one line.
#[derive(Debug, Default)]
pub(super) struct Visible {
    text: String,
    /// Where a part begins here, and where in the page.
    parts: Vec<(usize, usize)>,
}

impl Visible {
    pub(super) fn push(&mut self, part: &str, at: usize) {
        self.parts.push((self.text.len(), at));
        for c in part.chars() {
            if !c.is_whitespace() {
                self.text.push(c);
            } else if !self.text.ends_with(' ') {
                self.text.push(' ');
            }
        }
    }

    /// How much of the line there is so far.
    pub(super) fn length(&self) -> usize {
        self.text.len()
    }

    /// A part of the line.
    pub(super) fn part(&self, from: usize, to: usize) -> &str {
        self.text.get(from..to).unwrap_or_default()
    }

    /// Finds each number of the mapping that goes by words.
    pub(super) fn find(&self, map: &Map) -> Vec<Found> {
        let wanted: Vec<(usize, String)> = map
            .numbers
            .iter()
            .enumerate()
            .filter_map(|(index, number)| Some((index, words(number.after.as_ref()?))))
            .collect();
        let search = AhoCorasick::builder()
            .match_kind(MatchKind::Standard)
            .build(wanted.iter().map(|(_, words)| words));
        let Ok(search) = search else {
            return vec![Found::Nowhere];
        };
        let mut seen = vec![0_u32; wanted.len()];
        let mut ends = vec![None; wanted.len()];
        for hit in search.find_overlapping_iter(&self.text) {
            let which = hit.pattern().as_usize();
            let nth = wanted
                .get(which)
                .and_then(|(index, _)| map.numbers.get(*index))
                .map_or(0, |number| number.nth);
            if let (Some(seen), Some(end)) = (seen.get_mut(which), ends.get_mut(which)) {
                *seen = seen.saturating_add(1);
                if *seen == nth {
                    *end = Some(hit.end());
                }
            }
        }
        let found = wanted.iter().zip(ends).map(|((index, _), end)| {
            end.map_or(Found::Nowhere, |end| Found::Number {
                at: self.source(end),
                index: *index,
                text: self.number_at(end),
                within: (end, end + self.length_at(end)),
            })
        });
        found.collect()
    }

    /// The number that stands right behind some words.
    fn number_at(&self, end: usize) -> String {
        let rest = self.text.get(end..).unwrap_or_default();
        let rest = rest.trim_start_matches([' ', ':', '=']);
        let begins = |c: char| c.is_ascii_digit() || c == '–';
        if !rest.starts_with(begins) {
            return String::new();
        }
        let most = rest.floor_char_boundary(64);
        let rest = rest.get(..most).unwrap_or(rest);
        let number = first_number(rest);
        let (_, end) = place(rest);
        // What another number is made of by what stands behind it is not this one.
        match beside::is_glued(
            "",
            rest.get(end..).unwrap_or_default(),
            number.ends_with('%'),
        ) {
            true => String::new(),
            false => number,
        }
    }

    /// Up to where the number reaches that stands right behind some words.
    fn length_at(&self, end: usize) -> usize {
        let rest = self.text.get(end..).unwrap_or_default();
        let rest = rest.get(..rest.floor_char_boundary(64)).unwrap_or(rest);
        place(rest).1
    }

    fn source(&self, at: usize) -> usize {
        let next = self.parts.partition_point(|(start, _)| *start <= at);
        let part = next.checked_sub(1).and_then(|index| self.parts.get(index));
        part.map_or(0, |(start, source)| source + (at - start))
    }
}

/// Where the first number of a text stands, with its per cent sign.
pub(super) fn place(text: &str) -> (usize, usize) {
    let number = first_number(text);
    let digits = number.trim_end_matches('%');
    let Some(start) = text.find(digits).filter(|_| !digits.is_empty()) else {
        return (0, text.len());
    };
    let end = start + digits.len();
    let rest = text.get(end..).unwrap_or_default();
    let sign = rest
        .trim_start()
        .strip_prefix('%')
        .filter(|_| number.ends_with('%'));
    (start, sign.map_or(end, |tail| text.len() - tail.len()))
}

/// The first number of a text with its per cent sign, or the dash that stands for none.
pub(super) fn first_number(text: &str) -> String {
    let group = |c: char| matches!(c, ',' | '.' | '\u{a0}' | '\u{202f}' | '\u{2009}');
    let Some(start) = text.find(|c: char| c.is_ascii_digit()) else {
        return if text.trim() == "–" { "–" } else { "" }.to_owned();
    };
    let rest = text.get(start..).unwrap_or_default();
    let mut end = 0;
    let mut chars = rest.char_indices().peekable();
    while let Some((at, c)) = chars.next() {
        let digit = chars.peek().is_some_and(|(_, next)| next.is_ascii_digit());
        if !(c.is_ascii_digit() || group(c) && digit) {
            break;
        }
        end = at + c.len_utf8();
    }
    let (number, tail) = rest.split_at_checked(end).unwrap_or((rest, ""));
    let tail = tail.trim_start();
    let sign = if tail.starts_with('%') { "%" } else { "" };
    format!("{number}{sign}")
}

/// Whether a text is a number and nothing else, so that it may be repeated.
pub(super) fn is_number(text: &str) -> bool {
    let of_number = |c: char| {
        c.is_ascii_digit()
            || matches!(
                c,
                ',' | '.' | '%' | ' ' | '\u{a0}' | '\u{202f}' | '\u{2009}'
            )
    };
    (1..=32).contains(&text.len())
        && text.starts_with(|c: char| c.is_ascii_digit())
        && text.chars().all(of_number)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn map(text: &str) -> Result<Map, MapError> {
        Map::parse(&format!("schema = \"{MAP_SCHEMA}\"\n{text}"))
    }

    #[test]
    fn a_mapping_is_closed() {
        let good = "[[number]]\nshows = \"turns\"\nid = \"t\"\n[[number]]\nshows = \"a\"\nafter = \"in all\"\nnth = 2\n";
        assert_eq!(map(good).unwrap().numbers.len(), 2);
        let json = format!(
            "{{\"schema\":\"{MAP_SCHEMA}\",\"number\":[{{\"shows\":\"turns\",\"id\":\"t\"}}]}}"
        );
        assert!(Map::parse(&json).is_ok());
        let kind = |text: &str| map(text).map_err(|error| (error.field, error.kind));
        let entry = |text: &str| kind(&format!("[[number]]\nshows = \"a\"\n{text}"));
        assert_eq!(entry(""), Err(("number", "missing")));
        assert_eq!(
            entry("id = \"a\"\nafter = \"abc\""),
            Err(("number", "conflict"))
        );
        assert_eq!(entry("after = \" a \""), Err(("after", "invalid-value")));
        assert_eq!(entry("id = \"a\"\nnth = 2"), Err(("id", "invalid-value")));
        assert_eq!(entry("id = \"a\"\nx = 1"), Err(("--map", "syntax")));
        assert_eq!(kind("x = 1"), Err(("--map", "syntax")));
        let other = Map::parse("schema = \"x\"\nnumber = []").map_err(|error| error.field);
        assert_eq!(other.unwrap_err(), "schema");
    }

    #[test]
    fn numbers_are_found_by_words_before_them() {
        let map = map("[[number]]\nshows = \"a\"\nafter = \"turns in  all\"\nnth = 2\n[[number]]\nshows = \"b\"\nafter = \"none such\"\n").unwrap();
        let mut visible = Visible::default();
        visible.push("turns in all: 5; turns\n in", 100);
        visible.push(" all = 1,234 more", 200);
        let text = "1,234".to_owned();
        let at = 204;
        let within = (29, 37);
        assert_eq!(
            visible.find(&map),
            [
                Found::Number {
                    at,
                    index: 0,
                    text,
                    within
                },
                Found::Nowhere
            ]
        );
        assert_eq!(first_number("about 96.2 % of"), "96.2%");
        assert_eq!(first_number("12. Then"), "12");
        assert_eq!(first_number(" – "), "–");
        assert_eq!(first_number("none"), "");
    }
}
