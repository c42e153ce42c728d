//! Literals in the flat text of an answer.

use super::super::grammar::{Answer, Phrase, Tone, is_word};
use super::super::sight::Sight;

/// A literal, normalised as the answer is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Literal {
    text: String,
    sensitive: bool,
    whole: bool,
}

impl Literal {
    /// `None` where nothing of the text is left to be found.
    pub(super) fn new(
        answer: &Answer<'_>,
        text: &str,
        sensitive: bool,
        whole: bool,
    ) -> Option<Self> {
        let flat = answer.as_flat(text);
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

    /// Whether every place where it stands denies it or only shows it in a command.
    pub(super) fn is_denied(&self, answer: &Answer<'_>) -> bool {
        let places = Phrase::with_case(&self.text, self.sensitive).places(answer);
        !places.is_empty() && places.iter().all(|place| answer.is_denied_before(*place))
    }

    /// Where it stands first, or that it does not.
    pub(super) fn show(&self, answer: &Answer<'_>, sight: &mut Sight) {
        let phrase = Phrase::with_case(&self.text, self.sensitive);
        match phrase.places(answer).first() {
            _ if !self.stands(answer) => sight.misses(&self.text),
            Some(place) => {
                let denied = answer.is_denied_before(*place);
                let tone = if denied { Tone::Denied } else { Tone::Plain };
                sight.tokens(answer, (*place, *place + phrase.len()), tone);
            }
            None => {}
        }
    }

    pub(super) fn len(&self) -> usize {
        self.text.len()
    }
}

/// Whether a literal stands as a whole. One that is a path or a compound name is no part of a
/// longer one either: `docs/a.md` does not stand in `docs/a.md.bak`, nor `Retry-Key` in
/// `Retry-Key-2`.
fn is_whole(text: &str, start: usize, end: usize) -> bool {
    let own = text.get(start..end).unwrap_or("");
    let mut before = text.get(..start).unwrap_or("").chars().rev();
    let mut after = text.get(end..).unwrap_or("").chars();
    let (one, two) = (before.next(), before.next());
    let (next, then) = (after.next(), after.next());
    let touches = one.is_some_and(is_word) || next.is_some_and(is_word);
    let name = own.contains(['-', '/', '.', '_']) && !own.contains(' ');
    let joined = |join: Option<char>, word: Option<char>, joins: &[char]| {
        join.is_some_and(|c| joins.contains(&c)) && word.is_some_and(is_word)
    };
    let longer = joined(next, then, &['-', '/', '.']) || joined(one, two, &['-', '.']);
    !(touches || name && longer)
}
