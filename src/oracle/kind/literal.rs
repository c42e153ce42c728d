//! Literals in the flat text of an answer.

use super::super::grammar::{Answer, flat, is_word};

/// A literal, normalised as the answer is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Literal {
    text: String,
    sensitive: bool,
    whole: bool,
}

impl Literal {
    /// `None` where nothing of the text is left to be found.
    pub(super) fn new(text: &str, sensitive: bool, whole: bool) -> Option<Self> {
        let flat = flat(text);
        let text = if sensitive { flat } else { flat.to_lowercase() };
        (!text.is_empty()).then_some(Self {
            text,
            sensitive,
            whole,
        })
    }

    /// Every place where it stands, in order.
    pub(super) fn places<'t>(&'t self, answer: &'t Answer<'_>) -> impl Iterator<Item = usize> + 't {
        let text = if self.sensitive {
            answer.flat()
        } else {
            answer.lower()
        };
        answer.step(text.len());
        memchr::memmem::find_iter(text.as_bytes(), self.text.as_bytes())
            .filter(move |at| !self.whole || is_whole(text, *at, *at + self.text.len()))
    }

    pub(super) fn stands(&self, answer: &Answer<'_>) -> bool {
        self.places(answer).next().is_some()
    }

    pub(super) fn len(&self) -> usize {
        self.text.len()
    }
}

fn is_whole(text: &str, start: usize, end: usize) -> bool {
    let before = text.get(..start).and_then(|text| text.chars().next_back());
    let after = text.get(end..).and_then(|text| text.chars().next());
    !before.is_some_and(is_word) && !after.is_some_and(is_word)
}
