//! Counts in prose: `1,234`, `27`, `twelve`, `5/5`.

use core::ops::Range;

use super::prose::Prose;
use super::word::WordKind;

/// A whole number of the text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Number {
    /// Its value.
    pub value: u64,
    /// Its bytes, without a percent sign.
    pub range: Range<usize>,
    /// Whether a percent sign follows.
    pub percent: bool,
    /// The index of its word in the prose.
    pub word: usize,
}

const NAMES: &[(&str, u64)] = &[
    ("zero", 0),
    ("one", 1),
    ("two", 2),
    ("three", 3),
    ("four", 4),
    ("five", 5),
    ("six", 6),
    ("seven", 7),
    ("eight", 8),
    ("nine", 9),
    ("ten", 10),
    ("eleven", 11),
    ("twelve", 12),
    ("fifteen", 15),
    ("twenty", 20),
    ("thirty", 30),
    ("forty", 40),
    ("fifty", 50),
    ("hundred", 100),
];

/// The whole numbers of the text outside code, in order. Decimals, versions and numbers glued to
/// letters are no counts and are left out.
#[must_use]
pub fn numbers(prose: &Prose<'_>) -> Vec<Number> {
    let mut out = Vec::new();
    for (index, word) in prose.words().iter().enumerate() {
        let form = prose.text_of(word);
        let value = match word.kind {
            WordKind::Number => digits(form.trim_end_matches('%')),
            WordKind::Plain => NAMES
                .iter()
                .find(|(name, _)| *name == form)
                .map(|&(_, value)| value),
            _ => None,
        };
        if let Some(value) = value {
            let percent = form.ends_with('%');
            let end = word.range.end - usize::from(percent);
            out.push(Number {
                value,
                range: word.range.start..end,
                percent,
                word: index,
            });
        }
    }
    out
}

/// `1,234` and `1234`, but neither `1.5` nor a figure beyond 64 bits.
fn digits(form: &str) -> Option<u64> {
    if form.contains('.') {
        return None;
    }
    let mut value: u64 = 0;
    for digit in form.chars().filter(|&c| c != ',') {
        value = value
            .checked_mul(10)?
            .checked_add(u64::from(digit.to_digit(10)?))?;
    }
    Some(value)
}

#[cfg(test)]
mod tests {
    use super::numbers;
    use crate::text::Prose;

    fn values(text: &str) -> Vec<u64> {
        numbers(&Prose::read(text))
            .into_iter()
            .map(|n| n.value)
            .collect()
    }

    #[test]
    fn counts_and_no_more() {
        assert_eq!(
            values("1,234 tests, 12/12 passed, two skipped, 100% of 7."),
            [1234, 12, 12, 2, 100, 7]
        );
        assert_eq!(
            values("v1.2 took 3.5 s; `5` and 99999999999999999999 are none, a1b too"),
            [0; 0]
        );
    }
}
