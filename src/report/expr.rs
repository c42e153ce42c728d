//! What a number on a page says it is, and whether it is that. The page that shows a number and the
//! checker that doubts it share this.
//!
//! ```text
//! expression = sum | rate "(" sum "," sum ")"
//! rate       = "share" | "low" | "high"
//! sum        = key { "+" key }
//! key        = one or more characters, none of them white space, "," "+" "(" or ")"
//! ```
//!
//! White space stands where it likes between these. A sum shows a count; `share` shows hits among
//! all, and `low` and `high` the bounds of its 95 % interval, in per cent with one decimal.
//!
//! An element's `data-deed` names the number that is its text. A shape's `data-deed-width` names
//! the number that its `width` is, and its `data-deed-x` the one that its `x` is, both in
//! hundredths of a per cent; where it has both, it reaches from the one to the other, so that its
//! width is their difference.

use crate::aggregate::bounds;

/// Longer expressions are refused.
const LONGEST: usize = 4096;
/// What no share has: one of nothing.
const NO_SHARE: &str = "–";

/// A number of a page.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Expr {
    /// The sum of some cells.
    Sum(Sum),
    /// A part of a whole.
    Rate(Rate, Sum, Sum),
}

/// The keys of a sum.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Sum(Vec<String>);

/// What is told of a part of a whole.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Rate {
    /// The share.
    Share,
    /// The lower bound of its 95 % interval, rounded down.
    Low,
    /// The upper bound, rounded up.
    High,
}

/// Why an expression has no value.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ExprError {
    /// It is none.
    Malformed,
    /// There is no such cell.
    UnknownKey(String),
}

/// What an expression comes to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Shown {
    /// A count.
    Count(u64),
    /// Tenths of a per cent; none where the whole is nothing.
    Tenths(Option<u64>),
}

impl Expr {
    /// Reads an expression.
    ///
    /// # Errors
    /// [`ExprError::Malformed`].
    pub fn parse(text: &str) -> Result<Self, ExprError> {
        let text = text.trim();
        if text.len() > LONGEST {
            return Err(ExprError::Malformed);
        }
        let Some(inner) = text.strip_suffix(')') else {
            return Ok(Self::Sum(Sum::parse(text)?));
        };
        let (name, inner) = inner.split_once('(').ok_or(ExprError::Malformed)?;
        let rate = match name.trim() {
            "share" => Rate::Share,
            "low" => Rate::Low,
            "high" => Rate::High,
            _ => return Err(ExprError::Malformed),
        };
        let (hits, all) = inner.split_once(',').ok_or(ExprError::Malformed)?;
        Ok(Self::Rate(rate, Sum::parse(hits)?, Sum::parse(all)?))
    }

    /// What it comes to, with the cells that a lookup knows.
    ///
    /// # Errors
    /// [`ExprError::UnknownKey`] with the first key that the lookup does not know.
    pub fn value(&self, cell: &dyn Fn(&str) -> Option<u64>) -> Result<Shown, ExprError> {
        Ok(match self {
            Self::Sum(sum) => Shown::Count(sum.value(cell)?),
            Self::Rate(rate, hits, all) => {
                Shown::Tenths(rate.of(hits.value(cell)?, all.value(cell)?, 1000))
            }
        })
    }

    /// The part and the whole that a share is of; nothing where it is no share.
    ///
    /// # Errors
    /// As for [`Expr::value`].
    pub fn parts(
        &self,
        cell: &dyn Fn(&str) -> Option<u64>,
    ) -> Result<Option<(u64, u64)>, ExprError> {
        Ok(match self {
            Self::Rate(Rate::Share, hits, all) => Some((hits.value(cell)?, all.value(cell)?)),
            Self::Rate(..) | Self::Sum(_) => None,
        })
    }

    /// What a shape of it measures, in hundredths of a per cent: nothing where there is no whole.
    ///
    /// # Errors
    /// As for [`Expr::value`]; [`ExprError::Malformed`] where it is a count.
    pub fn hundredths(&self, cell: &dyn Fn(&str) -> Option<u64>) -> Result<u64, ExprError> {
        match self {
            Self::Sum(_) => Err(ExprError::Malformed),
            Self::Rate(rate, hits, all) => {
                let value = rate.of(hits.value(cell)?, all.value(cell)?, 10_000);
                Ok(value.unwrap_or(0))
            }
        }
    }
}

impl Sum {
    fn parse(text: &str) -> Result<Self, ExprError> {
        let keys = text.split('+').map(|key| {
            let key = key.trim();
            let odd = |c: char| c.is_whitespace() || matches!(c, ',' | '(' | ')');
            if key.is_empty() || key.contains(odd) {
                return Err(ExprError::Malformed);
            }
            Ok(key.to_owned())
        });
        Ok(Self(keys.collect::<Result<_, _>>()?))
    }

    fn value(&self, cell: &dyn Fn(&str) -> Option<u64>) -> Result<u64, ExprError> {
        let mut sum = 0_u64;
        for key in &self.0 {
            let count = cell(key).ok_or_else(|| ExprError::UnknownKey(key.clone()))?;
            sum = sum.saturating_add(count);
        }
        Ok(sum)
    }
}

impl Rate {
    /// In parts of `whole`; none where there is nothing at all.
    fn of(self, hits: u64, all: u64, whole: u32) -> Option<u64> {
        let bounds = bounds(hits, all, whole)?;
        Some(match self {
            Self::Low => bounds.0,
            Self::High => bounds.1,
            Self::Share => {
                let (hits, all) = (u128::from(hits), u128::from(all));
                let half_up = (2 * u128::from(whole) * hits + all) / (2 * all);
                u64::try_from(half_up).unwrap_or(u64::MAX)
            }
        })
    }
}

impl Shown {
    /// The text that a page of ours shows: plain digits, or `96.2 %`.
    #[must_use]
    pub fn text(self) -> String {
        match self {
            Self::Count(count) => count.to_string(),
            Self::Tenths(None) => NO_SHARE.to_owned(),
            Self::Tenths(Some(tenths)) => format!("{}.{} %", tenths / 10, tenths % 10),
        }
    }

    /// Whether a text shows this number: thousands may be grouped, and the space before the
    /// per cent sign may be any or none.
    #[must_use]
    pub fn is_shown_by(self, text: &str) -> bool {
        let text = text.trim();
        match self {
            Self::Count(count) => digits(text).is_some_and(|digits| digits == count.to_string()),
            Self::Tenths(None) => text == NO_SHARE,
            Self::Tenths(Some(_)) => text.strip_suffix('%').is_some_and(|number| {
                let own = self.text();
                own.strip_suffix(" %") == Some(number.trim_end())
            }),
        }
    }
}

/// The digits of a count, of which each three may stand apart.
fn digits(text: &str) -> Option<String> {
    let mark = |c: char| matches!(c, ',' | '\u{a0}' | '\u{202f}' | '\u{2009}');
    let groups: Vec<&str> = text.split(mark).collect();
    let number = |group: &&str| group.bytes().all(|byte| byte.is_ascii_digit());
    let whole = groups.iter().all(number) && groups.first().is_some_and(|first| !first.is_empty());
    let thirds = groups.iter().skip(1).all(|group| group.len() == 3);
    let short = groups.len() == 1 || groups.first().is_some_and(|first| first.len() <= 3);
    (whole && thirds && short).then(|| groups.concat())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn cell(key: &str) -> Option<u64> {
        match key {
            "a" => Some(25),
            "b.c-d" => Some(1),
            "none" => Some(0),
            "big" => Some(1_234_567),
            "most" => Some(u64::MAX),
            _ => None,
        }
    }

    fn value(text: &str) -> Result<Shown, ExprError> {
        Expr::parse(text)?.value(&cell)
    }

    fn shown(text: &str) -> String {
        value(text).map_or_else(|error| format!("{error:?}"), Shown::text)
    }

    #[test]
    fn the_closed_grammar() {
        assert_eq!(shown("a"), "25");
        assert_eq!(shown(" a + b.c-d+none "), "26");
        assert_eq!(shown("share(a, a + b.c-d)"), "96.2 %");
        assert_eq!(shown("share( none , none )"), "–");
        assert_eq!(shown("low(a, a + b.c-d)"), "81.1 %");
        assert_eq!(shown("high(a,a+b.c-d)"), "99.4 %");
        assert_eq!(shown("most + most"), u64::MAX.to_string());
        assert_eq!(shown("share(most, most)"), "100.0 %");
        assert_eq!(shown("a + x"), "UnknownKey(\"x\")");
        for bad in [
            "",
            "+",
            "a +",
            "a b",
            "share(a)",
            "share(a,a",
            "share(a,a,a)",
            "share(a,share(a,a))",
            "mean(a,a)",
            "(a)",
            "a,a",
            "share a,a)",
        ] {
            assert_eq!(value(bad), Err(ExprError::Malformed), "{bad}");
        }
        assert_eq!(value(&"a+".repeat(4000)), Err(ExprError::Malformed));
    }

    #[test]
    fn a_share_is_rounded_half_up() {
        let tenths = |hits, all| Rate::Share.of(hits, all, 1000);
        assert_eq!(tenths(1, 2000), Some(1));
        assert_eq!(tenths(1, 2001), Some(0));
        assert_eq!(tenths(2, 3), Some(667));
        assert_eq!(tenths(0, 0), None);
    }

    #[test]
    fn a_number_is_known_in_each_of_its_spellings() {
        let big = value("big").unwrap();
        for text in [
            "1234567",
            " 1,234,567\n",
            "1\u{a0}234\u{a0}567",
            "1\u{202f}234\u{2009}567",
        ] {
            assert!(big.is_shown_by(text), "{text}");
        }
        for text in [
            "1234568",
            "1,23,4567",
            "1234,567",
            "1.234.567",
            ",1234567",
            "",
            "1 234 567",
            "+1234567",
        ] {
            assert!(!big.is_shown_by(text), "{text}");
        }
        let share = value("share(a, a + b.c-d)").unwrap();
        for text in ["96.2 %", "96.2%", "96.2\u{a0}%", " 96.2\u{202f}% "] {
            assert!(share.is_shown_by(text), "{text}");
        }
        for text in ["96.2", "96.1 %", "96,2 %", "096.2 %", "–"] {
            assert!(!share.is_shown_by(text), "{text}");
        }
        assert!(value("share(none,none)").unwrap().is_shown_by("–"));
    }

    #[test]
    fn a_shape_is_measured_in_hundredths() {
        let of = |text: &str| Expr::parse(text)?.hundredths(&cell);
        assert_eq!(of("share(a, a + b.c-d)"), Ok(9615));
        assert_eq!(of("low(a, a + b.c-d)"), Ok(8110));
        assert_eq!(of("high(a, a + b.c-d)"), Ok(9932));
        assert_eq!(of("share(none, none)"), Ok(0));
        assert_eq!(of("a"), Err(ExprError::Malformed));
    }
}
