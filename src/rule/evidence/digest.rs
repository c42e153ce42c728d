//! A memory of texts, so that a quotation or a name can be looked up long after its turn.
//!
//! Taking a text in copies it and no more: most sessions are never asked, and reading each of
//! their texts word by word would cost more than all rules together. The first question has the
//! texts read, each once.

use core::hash::{BuildHasherDefault, Hasher};
use std::cell::RefCell;
use std::collections::HashSet;

use crate::transcript::key_of;

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
    full: bool,
    /// Whether the texts are calls' arguments as recorded.
    written: bool,
    index: RefCell<Index>,
}

#[derive(Debug, Clone, Default)]
struct Index {
    /// Bytes of the texts that it covers.
    upto: usize,
    keys: Keys,
    /// Keys of quoted texts of fewer words.
    short: Keys,
}

type Keys = HashSet<u64, BuildHasherDefault<Plain>>;

/// Keys are well mixed already.
#[derive(Debug, Clone, Copy, Default)]
struct Plain(u64);

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
    /// Takes a text in.
    pub(super) fn take(&mut self, text: &str) {
        if self.texts.len() + text.len() > LIMIT {
            self.full = true;
            return;
        }
        self.texts.push_str(text);
        self.texts.push(BETWEEN);
    }

    /// Takes in what the agent wrote: the short texts that it quotes are held, too.
    pub(super) fn take_written(&mut self, args: &str) {
        self.written = true;
        self.take(args);
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
        for text in rest.split(BETWEEN) {
            index.keys.extend(runs(text));
            if self.written {
                index
                    .short
                    .extend(text.split(['\'', '"']).filter_map(short));
            }
        }
        index
    }

    /// Whether a line stands in what the agent wrote.
    pub(super) fn wrote(&self, line: &str) -> bool {
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
        Some(wanted.all(|key| index.keys.contains(&key)))
    }
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
        digest.take("fatal: not a git repository\n(or any of the parents)");
        assert_eq!(digest.holds("Not a git  repository (or any"), Some(true));
        assert_eq!(digest.holds("not a hg repository"), Some(false));
        assert_eq!(digest.holds("git repository"), None);
    }
}
