//! Exact fractions: a threshold is `3/4`, never 0.75.

use serde::{Serialize, Serializer};

/// A fraction between 0 and 1.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Fraction {
    over: u32,
    under: u32,
}

impl Fraction {
    /// Reads `N/D` with 0 ≤ N ≤ D and D > 0, in digits without leading zeros.
    #[must_use]
    pub fn parse(text: &str) -> Option<Self> {
        let (over, under) = text.split_once('/')?;
        let fraction = Self {
            over: digits(over)?,
            under: digits(under)?,
        };
        (fraction.under > 0 && fraction.over <= fraction.under).then_some(fraction)
    }

    /// Whether `part` of `whole` is at least this much. Of nothing, nothing can be said.
    #[must_use]
    pub fn is_reached_by(self, part: u64, whole: u64) -> Option<bool> {
        if whole == 0 {
            return None;
        }
        let left = u128::from(part) * u128::from(self.under);
        Some(left >= u128::from(whole) * u128::from(self.over))
    }
}

fn digits(text: &str) -> Option<u32> {
    let plain = text.bytes().all(|byte| byte.is_ascii_digit());
    if !plain || text.len() > 1 && text.starts_with('0') {
        return None;
    }
    text.parse().ok()
}

impl Serialize for Fraction {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(&format_args!("{}/{}", self.over, self.under))
    }
}

#[cfg(feature = "schema")]
impl schemars::JsonSchema for Fraction {
    fn inline_schema() -> bool {
        true
    }

    fn schema_name() -> std::borrow::Cow<'static, str> {
        "Fraction".into()
    }

    fn json_schema(_: &mut schemars::SchemaGenerator) -> schemars::Schema {
        schemars::json_schema!({ "type": "string", "pattern": "^(0|[1-9][0-9]*)/[1-9][0-9]*$" })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn thresholds_are_exact() {
        let third = Fraction::parse("1/3").unwrap();
        assert_eq!(third.is_reached_by(1, 3), Some(true));
        assert_eq!(third.is_reached_by(333_333, 1_000_000), Some(false));
        assert_eq!(third.is_reached_by(0, 0), None);
        assert_eq!(
            Fraction::parse("0/1").unwrap().is_reached_by(0, 9),
            Some(true)
        );
        for bad in [
            "", "1", "1/0", "2/1", "-1/2", "0.5", "1/ 2", "01/2", "+1/2", "1/2/3",
        ] {
            assert_eq!(Fraction::parse(bad), None, "{bad}");
        }
    }
}
