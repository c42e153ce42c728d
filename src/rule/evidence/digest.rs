//! A compact memory of texts: keys of runs of words, so that a quotation can be looked up long
//! after the text itself is gone.

use std::collections::HashSet;

use crate::transcript::key_of;

/// Words of one key.
const RUN: usize = 3;

/// Keys that are held at most. A memory that is full knows that it does not know all.
const LIMIT: usize = 1 << 18;

/// The key of a text, spacing at its ends left out.
pub(super) fn key(text: &str) -> u64 {
    key_of(&[text.trim()])
}

/// Keys of every three words in a row that a session's texts hold; letters' case, marks and spacing
/// do not count.
#[derive(Debug, Clone, Default)]
pub struct Digest {
    keys: HashSet<u64>,
    /// Keys of quoted texts of fewer words.
    short: HashSet<u64>,
    full: bool,
}

impl Digest {
    /// Takes a text in.
    pub(super) fn take(&mut self, text: &str) {
        let mut window = Window::default();
        for word in words(text) {
            if self.keys.len() >= LIMIT {
                self.full = true;
                return;
            }
            if let Some(key) = window.push(&word) {
                self.keys.insert(key);
            }
        }
    }

    /// Takes in what the agent wrote: the short texts that it quotes are held, too.
    pub(super) fn take_written(&mut self, text: &str) {
        self.take(text);
        for quoted in text.split(['\'', '"']) {
            if self.short.len() < LIMIT
                && let Some(key) = short(quoted)
            {
                self.short.insert(key);
            }
        }
    }

    /// Whether a line stands in what the agent wrote.
    pub(super) fn wrote(&self, line: &str) -> bool {
        match self.holds(line) {
            Some(held) => held,
            None => short(line).is_some_and(|key| self.short.contains(&key)),
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
        let mut window = Window::default();
        let mut any = None;
        for word in words(quote) {
            if let Some(key) = window.push(&word) {
                if !self.keys.contains(&key) {
                    return Some(false);
                }
                any = Some(true);
            }
        }
        any
    }
}

/// The key of a text of one word or two.
fn short(text: &str) -> Option<u64> {
    if text.len() > 60 {
        return None;
    }
    let all: Vec<String> = words(text).take(RUN).collect();
    (!all.is_empty() && all.len() < RUN).then(|| key(&all.join(" ")))
}

/// The last words, as keys.
#[derive(Default)]
struct Window {
    last: [u64; RUN],
    seen: usize,
}

impl Window {
    fn push(&mut self, word: &str) -> Option<u64> {
        self.last.rotate_left(1);
        self.last[RUN - 1] = key_of(&[word]);
        self.seen += 1;
        (self.seen >= RUN).then(|| {
            let [a, b, c] = self.last;
            (a.rotate_left(1) ^ b)
                .wrapping_mul(0x9e37_79b9_7f4a_7c15)
                .rotate_left(23)
                ^ c
        })
    }
}

/// Names that stand in the calls and results of a session, as keys.
#[derive(Debug, Clone, Default)]
pub struct Terms {
    keys: HashSet<u64>,
    partial: bool,
}

impl Terms {
    /// Bytes from which on a call's arguments may have been cut before they came here.
    const CUT: usize = 16 * 1024 - 4;

    pub(super) fn take(&mut self, args: &str) {
        self.partial |= args.len() >= Self::CUT || self.keys.len() >= LIMIT;
        if self.keys.len() < LIMIT {
            self.keys.extend(names(args).map(key));
        }
    }

    pub(super) fn take_shown(&mut self, text: &str) {
        self.partial |= self.keys.len() >= LIMIT;
        if self.keys.len() < LIMIT {
            self.keys.extend(names(text).map(key));
        }
    }

    /// Whether none of the names that a text holds stands in the record; false where it holds none,
    /// or where not all calls are known in full.
    #[must_use]
    pub fn lacks(&self, text: &str) -> bool {
        let mut any = false;
        let none = names(text).all(|name| {
            any = true;
            !self.keys.contains(&key(name))
        });
        any && none && !self.partial
    }
}

/// Names of four characters or more.
fn names(text: &str) -> impl Iterator<Item = &str> {
    text.split(|c: char| !(c.is_ascii_alphanumeric() || c == '_'))
        .filter(|name| name.len() >= 4)
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
