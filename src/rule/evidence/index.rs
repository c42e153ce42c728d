//! Which texts hold a word.
//!
//! Texts of a session repeat the same names over and over. What words a name is made of is found
//! once, when it is first met; from then on it costs one look-up, and within one text no more.

use core::hash::BuildHasherDefault;
use core::ops::Range;
use std::collections::HashMap;

use super::digest::Plain;
use super::mention::Term;

/// Characters of a word that its forms share.
const STEM: usize = 5;

/// Numbers by keys that are well mixed already.
type Numbers = HashMap<u64, u32, BuildHasherDefault<Plain>>;

/// Which texts, by their numbers, hold a word; texts come in the order of their numbers.
#[derive(Debug, Clone, Default)]
pub(super) struct Index {
    /// Texts that it covers.
    pub(super) upto: usize,
    numbers: Numbers,
    names: Vec<Name>,
    /// The words that names are made of, those of one name in a row, by their numbers.
    made_of: Vec<u32>,
    stems: Numbers,
    words: Vec<Held>,
    links: Vec<Link>,
}

/// A name of letters, digits and `_`.
#[derive(Debug, Clone)]
struct Name {
    held: Held,
    /// Its words, as places in the list of all names' words.
    words: Range<u32>,
}

/// The texts that hold a word.
#[derive(Debug, Clone, Copy, Default)]
struct Held {
    /// How many there are.
    count: u32,
    /// The number of the last.
    last: u32,
    /// Its link.
    link: u32,
}

/// A text that holds a word, and the link of the one before it.
#[derive(Debug, Clone, Copy)]
struct Link {
    number: u32,
    before: u32,
}

impl Index {
    /// Takes a text in.
    pub(super) fn take(&mut self, number: usize, text: &str) {
        let Ok(own) = u32::try_from(number) else {
            return;
        };
        for token in tokens(text) {
            let Some(at) = self.number_of(token) else {
                return;
            };
            let name = &mut self.names[at];
            if !note(&mut name.held, &mut self.links, own) {
                continue;
            }
            let words = name.words.start as usize..name.words.end as usize;
            for word in &self.made_of[words] {
                note(&mut self.words[*word as usize], &mut self.links, own);
            }
        }
    }

    /// The place of a name, which is new where it has not been met. There are fewer than texts have
    /// bytes.
    fn number_of(&mut self, token: &str) -> Option<usize> {
        let key = name_key(token);
        if let Some(known) = self.numbers.get(&key) {
            return Some(*known as usize);
        }
        let start = u32::try_from(self.made_of.len()).ok()?;
        for part in parts(token) {
            let fresh = u32::try_from(self.words.len()).ok()?;
            let word = *self.stems.entry(stem_key(part)).or_insert(fresh);
            if word == fresh {
                self.words.push(Held::default());
            }
            self.made_of.push(word);
        }
        let end = u32::try_from(self.made_of.len()).ok()?;
        let own = self.names.len();
        self.numbers.insert(key, u32::try_from(own).ok()?);
        self.names.push(Name {
            held: Held::default(),
            words: start..end,
        });
        Some(own)
    }

    /// The numbers of the texts that hold a word, in order, so many of the latest at most, and how many
    /// there are. Whether a name of several parts stands in one that holds the rarest is asked.
    pub(super) fn holding(
        &self,
        term: &Term,
        most: usize,
        stands: impl Fn(&str, usize) -> bool,
    ) -> (Vec<usize>, usize) {
        match term {
            Term::Word(word) => {
                let held = self.stems.get(&stem_key(word));
                let held = held.map_or_else(Held::default, |at| self.words[*at as usize]);
                (self.latest(held, most), held.count as usize)
            }
            Term::Name(name) => {
                let parts = tokens(name).map(|part| self.of_name(part));
                let fewest = parts.min_by_key(|held| held.count).unwrap_or_default();
                let mut found = self.latest(fewest, most);
                if tokens(name).nth(1).is_none() {
                    return (found, fewest.count as usize);
                }
                found.retain(|number| stands(name, *number));
                let few = found.len();
                (found, few)
            }
        }
    }

    fn of_name(&self, token: &str) -> Held {
        let own = self.numbers.get(&name_key(token));
        own.map_or_else(Held::default, |at| self.names[*at as usize].held)
    }

    /// The last texts of those that hold a word, in order.
    fn latest(&self, held: Held, most: usize) -> Vec<usize> {
        let count = most.min(held.count as usize);
        let mut link = held.link;
        let mut out = Vec::with_capacity(count);
        for _ in 0..count {
            let Some(one) = self.links.get(link as usize) else {
                break;
            };
            out.push(one.number as usize);
            link = one.before;
        }
        out.reverse();
        out
    }
}

/// Notes that a text holds a word; whether that is news.
fn note(held: &mut Held, links: &mut Vec<Link>, number: u32) -> bool {
    if held.count > 0 && held.last == number {
        return false;
    }
    let Ok(link) = u32::try_from(links.len()) else {
        return false;
    };
    links.push(Link {
        number,
        before: held.link,
    });
    *held = Held {
        count: held.count + 1,
        last: number,
        link,
    };
    true
}

/// The ASCII characters of names.
const PLAIN: [bool; 128] = {
    let mut own = [false; 128];
    let mut byte = 0;
    while byte < 128 {
        let c = byte as u8;
        own[byte] = c.is_ascii_alphanumeric() || c == b'_';
        byte += 1;
    }
    own
};

/// The first place from another on that holds a character of a name, or one of none.
fn seek(text: &str, from: usize, named: bool) -> usize {
    let bytes = text.as_bytes();
    let mut at = from;
    while let Some(byte) = bytes.get(at) {
        if let Some(own) = PLAIN.get(usize::from(*byte)) {
            if *own == named {
                break;
            }
            at += 1;
            continue;
        }
        match text[at..].chars().next() {
            Some(c) if c.is_alphanumeric() != named => at += c.len_utf8(),
            _ => break,
        }
    }
    at
}

/// Names of letters, digits and `_`; the letter of an escape (`\n`) is no part of one.
pub(super) fn tokens(text: &str) -> impl Iterator<Item = &str> {
    let bytes = text.as_bytes();
    let mut from = 0;
    core::iter::from_fn(move || {
        loop {
            let start = seek(text, from, true);
            let first = bytes.get(start)?;
            let escaped = start > from && bytes[start - 1] == b'\\';
            if escaped && matches!(first, b'n' | b't' | b'r' | b'u') {
                from = start + 1;
                continue;
            }
            from = seek(text, start, false);
            return Some(&text[start..from]);
        }
    })
}

/// The words that a name is made of: `parse`, `Line` of `parseLine`.
pub(super) fn parts(token: &str) -> impl Iterator<Item = &str> {
    let mut rest = token;
    core::iter::from_fn(move || {
        rest = rest.trim_start_matches(|c: char| !c.is_alphabetic());
        let mut lower = false;
        let end = rest.char_indices().find(|(_, c)| {
            let ends = !c.is_alphabetic() || lower && c.is_uppercase();
            lower = c.is_lowercase();
            ends
        });
        let (part, after) = rest.split_at(end.map_or(rest.len(), |(at, _)| at));
        rest = after;
        (!part.is_empty()).then_some(part)
    })
}

/// The key of a name, within one run.
fn name_key(token: &str) -> u64 {
    let (words, rest) = token.as_bytes().as_chunks::<8>();
    let mut key = token.len() as u64;
    for word in words {
        key = mixed(key ^ u64::from_le_bytes(*word));
    }
    let tail = rest
        .iter()
        .fold(0, |tail, byte| tail << 8 | u64::from(*byte));
    mixed(key ^ tail.rotate_left(8))
}

/// The key of the beginning of a word that its forms share, in small letters.
pub(super) fn stem_key(word: &str) -> u64 {
    let lower = word.to_lowercase();
    let single = match lower.strip_suffix('s') {
        Some(single) if single.len() > 2 && !single.ends_with('s') => single,
        _ => lower.as_str(),
    };
    let end = single
        .char_indices()
        .nth(STEM)
        .map_or(single.len(), |(at, _)| at);
    name_key(&single[..end])
}

/// Both halves of a product, so that every bit of a key bears on every other.
fn mixed(key: u64) -> u64 {
    let product = u128::from(key ^ 0x9e37_79b9_7f4a_7c15) * 0xd6e8_feb8_6659_fd93_u128;
    let (low, high) = (product as u64, (product >> 64) as u64);
    low ^ high.rotate_left(32)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_end_where_no_letter_digit_or_underscore_stands() {
        let read = |text: &'static str| tokens(text).collect::<Vec<&str>>();
        assert_eq!(
            read("a_b-c2, é.ß_1\u{2014}x"),
            ["a_b", "c2", "é", "ß_1", "x"]
        );
        assert_eq!(read(r#""fn x() {\nparse\\n\tu"#), ["fn", "x", "parse", "u"]);
        assert_eq!(read(r"name\path\xnone \n"), ["name", "path", "xnone"]);
        assert!(read("… --").is_empty());
    }

    #[test]
    fn the_forms_of_a_word_share_a_key() {
        for (one, other) in [
            ("Tests", "test"),
            ("changed", "Changes"),
            ("ÉTUDES", "étude"),
            ("class", "CLASS"),
        ] {
            assert_eq!(stem_key(one), stem_key(other), "{one} {other}");
        }
        for (one, other) in [("as", "a"), ("class", "clas"), ("parse", "pass")] {
            assert_ne!(stem_key(one), stem_key(other), "{one} {other}");
        }
    }

    #[test]
    fn each_text_counts_once_and_the_latest_come_in_order() {
        let mut index = Index::default();
        for (number, text) in ["a b a", "b", "parseLine, a parse", "line"]
            .iter()
            .enumerate()
        {
            index.take(number, text);
        }
        let never = |_: &str, _: usize| false;
        let name = |name: &str, most| index.holding(&Term::Name(name.to_owned()), most, never);
        let word = |word: &str| index.holding(&Term::Word(word.to_owned()), 9, never);
        assert_eq!(name("a", 9), (vec![0, 2], 2));
        assert_eq!(name("a", 1), (vec![2], 2));
        assert_eq!(name("c", 9), (vec![], 0));
        assert_eq!(
            (word("line"), word("parsed")),
            ((vec![2, 3], 2), (vec![2], 1))
        );
        let both = Term::Name("a.b".to_owned());
        let asked = index.holding(&both, 9, |name, number| name == "a.b" && number == 0);
        assert_eq!(asked, (vec![0], 1));
    }
}
