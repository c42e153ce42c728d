//! A memory of texts, so that a quotation or a name can be looked up long after its turn.
//!
//! Taking a text in copies it and no more: most sessions are never asked, and reading each of
//! their texts word by word would cost more than all rules together. The first question has the
//! texts read, each once.

use core::hash::{BuildHasherDefault, Hasher};
use std::cell::RefCell;
use std::collections::{HashMap, HashSet};

use crate::transcript::{Place, key_of};

/// Words of one key.
const RUN: usize = 3;

/// Bytes of text that are held at most. A memory that is full knows that it does not know all.
const LIMIT: usize = 8 << 20;

/// What stands between two texts.
const BETWEEN: char = '\0';

/// The key of a text, spacing at its ends left out.
pub(super) fn key(text: &str) -> u64 {
    key_of(&[text.trim()])
}

/// Texts of a session in order, and, once asked, keys of every three words in a row that they
/// hold; letters' case, marks and spacing do not count.
#[derive(Debug, Clone, Default)]
pub struct Digest {
    texts: String,
    /// Where each text ends, and where in the record it stands.
    ends: Vec<(usize, Place)>,
    full: bool,
    /// Whether the texts are calls' arguments as recorded.
    written: bool,
    index: RefCell<Index>,
    numbers: RefCell<Numbers>,
}

/// Where numbers stand in the texts.
#[derive(Debug, Clone, Default)]
struct Numbers {
    /// Bytes of the texts that it covers.
    upto: usize,
    at: HashMap<u64, Vec<usize>, BuildHasherDefault<Plain>>,
}

/// Places of one number that are held: the first ones.
const PLACES: usize = 64;

/// Bytes of a line that are looked at on either side of a number.
const AROUND: usize = 400;

#[derive(Debug, Clone, Default)]
struct Index {
    /// Bytes of the texts that it covers.
    upto: usize,
    /// How many texts these are.
    texts: usize,
    /// The first text that holds each three words in a row.
    keys: HashMap<u64, usize, BuildHasherDefault<Plain>>,
    /// Keys of quoted texts of fewer words.
    short: Keys,
}

type Keys = HashSet<u64, BuildHasherDefault<Plain>>;

/// Keys are well mixed already.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Plain(u64);

impl Hasher for Plain {
    fn write(&mut self, bytes: &[u8]) {
        for byte in bytes {
            self.0 = self.0.rotate_left(8) ^ u64::from(*byte);
        }
    }

    fn write_u64(&mut self, key: u64) {
        self.0 = key;
    }

    fn finish(&self) -> u64 {
        self.0
    }
}

impl Digest {
    /// Takes a text of the record in.
    pub(super) fn take(&mut self, place: Place, text: &str) {
        if self.texts.len() + text.len() > LIMIT {
            self.full = true;
            return;
        }
        self.texts.push_str(text);
        self.texts.push(BETWEEN);
        self.ends.push((self.texts.len(), place));
    }

    /// Takes in what the agent wrote: the short texts that it quotes are held, too.
    pub(super) fn take_written(&mut self, place: Place, args: &str) {
        self.written = true;
        self.take(place, args);
    }

    /// Reads what it has not read yet.
    fn indexed(&self) -> std::cell::RefMut<'_, Index> {
        let mut index = self.index.borrow_mut();
        let rest = &self.texts[index.upto..];
        if rest.is_empty() {
            return index;
        }
        index.upto = self.texts.len();
        let unescaped = self.written.then(|| rest.replace("\\n", " "));
        let rest = unescaped.as_deref().unwrap_or(rest);
        let mut number = index.texts;
        // The last text ends, and none begins behind it.
        for text in rest.strip_suffix(BETWEEN).unwrap_or(rest).split(BETWEEN) {
            for key in runs(text) {
                index.keys.entry(key).or_insert(number);
            }
            number += 1;
            if self.written {
                index
                    .short
                    .extend(text.split(['\'', '"']).filter_map(short));
            }
        }
        index.texts = number;
        index
    }

    /// Where some line that holds a number, with a point or grouped as written, is as asked. The
    /// places of all numbers are gathered once, so that one question costs no pass over the texts.
    #[must_use]
    pub fn line(&self, number: &str, asked: impl Fn(&str) -> bool) -> Option<Place> {
        let mut numbers = self.numbers.borrow_mut();
        let upto = numbers.upto;
        for (at, digits) in figures(&self.texts[upto..]) {
            let places = numbers.at.entry(key(digits)).or_default();
            if places.len() < PLACES {
                places.push(upto + at);
            }
        }
        numbers.upto = self.texts.len();
        let places = numbers.at.get(&key(number));
        let at = places.into_iter().flatten().find(|at| {
            let line = around(&self.texts, **at);
            line.contains(number) && asked(line)
        })?;
        let text = self.ends.partition_point(|(end, _)| end <= at);
        self.ends.get(text).map(|(_, place)| *place)
    }

    /// Whether a line stands in what the agent wrote.
    #[must_use]
    pub fn wrote(&self, line: &str) -> bool {
        match self.holds(line) {
            Some(held) => held,
            None => short(line).is_some_and(|key| self.indexed().short.contains(&key)),
        }
    }

    /// Whether some text was not taken in.
    #[must_use]
    pub fn is_full(&self) -> bool {
        self.full
    }

    /// Whether every three words in a row of a quotation occurred; `None` where it has fewer.
    #[must_use]
    pub fn holds(&self, quote: &str) -> Option<bool> {
        let mut wanted = runs(quote).peekable();
        wanted.peek()?;
        let index = self.indexed();
        Some(wanted.all(|key| index.keys.contains_key(&key)))
    }

    /// Where a quotation stands as a whole, if it is in the text that first held the last of its words.
    #[must_use]
    pub fn place_of(&self, quote: &str) -> Option<Place> {
        let wanted: Vec<u64> = runs(quote).collect();
        let index = self.indexed();
        let firsts: Option<Vec<usize>> = wanted
            .iter()
            .map(|key| index.keys.get(key).copied())
            .collect();
        let number = firsts?.into_iter().max()?;
        let (end, place) = self.ends.get(number)?;
        let start = number
            .checked_sub(1)
            .map_or(0, |before| self.ends[before].0);
        let own: HashSet<u64> = runs(&self.texts[start..*end]).collect();
        wanted.iter().all(|key| own.contains(key)).then_some(*place)
    }
}

/// Digits in a row with the points and commas among them, and where they stand.
fn figures(text: &str) -> impl Iterator<Item = (usize, &str)> {
    let own = |c: char| c.is_ascii_digit() || matches!(c, '.' | ',');
    let mut from = 0;
    core::iter::from_fn(move || {
        let start = from + text[from..].find(|c: char| c.is_ascii_digit())?;
        let end = text[start..]
            .find(|c| !own(c))
            .map_or(text.len(), |len| start + len);
        from = end;
        Some((start, text[start..end].trim_end_matches(['.', ','])))
    })
}

/// The line that a place stands in, as far as it is near.
fn around(text: &str, at: usize) -> &str {
    let from = text.ceil_char_boundary(at.saturating_sub(AROUND));
    let to = text.floor_char_boundary(at + AROUND);
    let ends = ['\n', BETWEEN];
    let start = text[from..at]
        .rfind(ends)
        .map_or(from, |found| from + found + 1);
    let end = text[at..to].find(ends).map_or(to, |found| at + found);
    &text[start..end]
}

/// The key of a text of one word or two.
fn short(text: &str) -> Option<u64> {
    if text.len() > 60 {
        return None;
    }
    let mut all = hashes(text);
    let first = all.next()?;
    let second = all.next().unwrap_or(0);
    all.next().is_none().then(|| mixed([0, first, second]))
}

/// Keys of every three words in a row.
fn runs(text: &str) -> impl Iterator<Item = u64> + '_ {
    let mut last = [0; RUN];
    let mut seen = 0;
    hashes(text).filter_map(move |word| {
        last.rotate_left(1);
        last[RUN - 1] = word;
        seen += 1;
        (seen >= RUN).then(|| mixed(last))
    })
}

fn mixed([a, b, c]: [u64; RUN]) -> u64 {
    let own = (a.rotate_left(1) ^ b)
        .wrapping_mul(0x9e37_79b9_7f4a_7c15)
        .rotate_left(23)
        ^ c;
    let own = own.wrapping_mul(0x9e37_79b9_7f4a_7c15);
    own ^ (own >> 32)
}

/// A hash of each word, in lower case.
fn hashes(text: &str) -> impl Iterator<Item = u64> + '_ {
    let mut rest = text.chars();
    core::iter::from_fn(move || {
        let mut hash: Option<u64> = None;
        for c in rest.by_ref() {
            if !c.is_alphanumeric() {
                if hash.is_some() {
                    break;
                }
                continue;
            }
            let mut own = hash.unwrap_or(0xcbf2_9ce4_8422_2325);
            if c.is_ascii() {
                own = stirred(own, u32::from(c.to_ascii_lowercase()));
            } else {
                for lower in c.to_lowercase() {
                    own = stirred(own, u32::from(lower));
                }
            }
            hash = Some(own);
        }
        hash
    })
}

/// One step of FNV-1a over a character.
fn stirred(hash: u64, c: u32) -> u64 {
    (hash ^ u64::from(c)).wrapping_mul(0x0100_0000_01b3)
}

/// Letters and digits in a row, in lower case.
pub fn words(text: &str) -> impl Iterator<Item = String> + '_ {
    text.split(|c: char| !c.is_alphanumeric())
        .filter(|word| !word.is_empty())
        .map(str::to_lowercase)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quotations_are_found_whatever_their_case_and_marks() {
        let mut digest = Digest::default();
        digest.take(
            Place::default(),
            "fatal: not a git repository\n(or any of the parents)",
        );
        assert_eq!(digest.holds("Not a git  repository (or any"), Some(true));
        assert_eq!(
            digest.place_of("Not a git repository (or any"),
            Some(Place::default())
        );
        assert_eq!(digest.holds("not a hg repository"), Some(false));
        assert_eq!(digest.holds("git repository"), None);
    }

    #[test]
    fn a_number_is_found_with_its_line() {
        let mut digest = Digest::default();
        let at = |line| Place {
            line,
            ..Place::default()
        };
        digest.take(at(4), "a\nleaks found: 16684\nb é 3.5 KiB");
        assert_eq!(
            digest.line("16684", |line| line == "leaks found: 16684"),
            Some(at(4))
        );
        assert_eq!(digest.line("6684", |_| true), None);
        digest.take(at(9), "39 commits, 1,204 lines.");
        assert_eq!(
            digest.line("39", |line| line.contains("commit")),
            Some(at(9))
        );
        assert_eq!(
            digest.line("1,204", |line| line.ends_with('.')),
            Some(at(9))
        );
        assert_eq!(
            digest.line("3.5", |line| line.starts_with("b é")),
            Some(at(4))
        );
    }
}
