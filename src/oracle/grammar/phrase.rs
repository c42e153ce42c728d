//! Words and phrases of a spec, cut into tokens as the answer is.

use super::Answer;
use super::lines;
use super::normal;
use super::token::{self, Kind};

/// A word or phrase. It is found by whole tokens.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Phrase {
    tokens: Vec<String>,
    sensitive: bool,
}

impl Phrase {
    /// A phrase that is found in any case.
    pub(crate) fn new(text: &str) -> Self {
        Self::with_case(text, false)
    }

    /// A phrase that is found as it is written where it is case-sensitive.
    pub(crate) fn with_case(text: &str, sensitive: bool) -> Self {
        let normal = normal::normalize(text, &lines::read(text).0);
        let tokens = token::tokenize(&normal);
        let text = |index| tokens.text(&normal.text, index);
        let own = (0..tokens.all.len()).map(|index| {
            if sensitive {
                text(index).to_owned()
            } else {
                text(index).to_lowercase()
            }
        });
        Self {
            tokens: own.collect(),
            sensitive,
        }
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.tokens.is_empty()
    }

    pub(crate) fn len(&self) -> usize {
        self.tokens.len()
    }

    /// A field name takes its value only after it (a repair of the grader that this comes from).
    pub(crate) fn is_field(&self) -> bool {
        self.tokens.len() == 1 && self.tokens[0].contains('_')
    }

    /// Its only word.
    pub(crate) fn only_word(&self) -> Option<&str> {
        match self.tokens.as_slice() {
            [word] => Some(word),
            _ => None,
        }
    }

    /// Whether it stands at a token; if so, the token after it.
    pub(crate) fn at(&self, answer: &Answer<'_>, index: usize) -> Option<usize> {
        let clause = answer.clause(index)?;
        for (offset, own) in self.tokens.iter().enumerate() {
            let at = index + offset;
            let fits =
                self.same(own, answer.word(at)) || own == "not" && is_contraction(answer, at);
            if answer.clause(at) != Some(clause) || !fits {
                return None;
            }
        }
        let end = index + self.tokens.len();
        (!self.tokens.is_empty() && !goes_on(answer, end)).then_some(end)
    }

    /// Whether it ends right before a token; if so, where it starts.
    pub(crate) fn before(&self, answer: &Answer<'_>, index: usize) -> Option<usize> {
        let start = index.checked_sub(self.tokens.len())?;
        self.at(answer, start).map(|_| start)
    }

    fn same(&self, own: &str, word: &str) -> bool {
        if self.sensitive {
            return own == word;
        }
        if word.is_ascii() {
            return own.eq_ignore_ascii_case(word);
        }
        // Case changes the length of few characters; words far from it need no copy.
        word.len() <= own.len() * 3 + 3 && own == word.to_lowercase()
    }

    /// Every place where it stands.
    pub(crate) fn places(&self, answer: &Answer<'_>) -> Vec<usize> {
        answer.step(answer.len());
        (0..answer.len())
            .filter(|index| self.at(answer, *index).is_some())
            .collect()
    }
}

/// The `t` of `don't`, which is a `not`.
fn is_contraction(answer: &Answer<'_>, index: usize) -> bool {
    index >= 2
        && answer.word(index).eq_ignore_ascii_case("t")
        && matches!(answer.word(index - 1), "'" | "’")
        && answer.word(index - 2).ends_with(['n', 'N'])
}

/// Whether what ends before a token goes on as a name: `hours.example`, `INFO.plist`.
fn goes_on(answer: &Answer<'_>, end: usize) -> bool {
    let touching = |index: usize| {
        index > 0 && answer.range(index).0 == answer.range(index - 1).1 && index < answer.len()
    };
    answer.word(end) == "."
        && touching(end)
        && touching(end + 1)
        && answer.kind(end + 1) != Some(Kind::Mark)
}

/// The longest of the phrases at a token; the token after it.
pub(crate) fn any_at(phrases: &[Phrase], answer: &Answer<'_>, index: usize) -> Option<usize> {
    phrases
        .iter()
        .filter_map(|phrase| phrase.at(answer, index))
        .max()
}

/// The longest of the phrases right before a token; where it starts.
pub(crate) fn any_before(phrases: &[Phrase], answer: &Answer<'_>, index: usize) -> Option<usize> {
    phrases
        .iter()
        .filter_map(|phrase| phrase.before(answer, index))
        .min()
}
