//! Wilson's score interval in whole numbers.

/// The square of the normal quantile of a 95 % interval, times 10⁴.
const Z2: u128 = 38_416;

/// A share with its 95 % interval, in tenths of a per cent.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Interval {
    /// The share, rounded down.
    pub share: u64,
    /// The lower bound, rounded down.
    pub low: u64,
    /// The upper bound, rounded up.
    pub high: u64,
}

/// Wilson's interval of `hits` among `all` (E. B. Wilson, 1927); `None` where there are none.
///
/// Whole numbers only, so that each machine prints the same digits; the bounds are rounded
/// outwards.
#[must_use]
pub fn wilson(hits: u64, all: u64) -> Option<Interval> {
    let (low, high) = bounds(hits, all, 1000)?;
    let share = 1000 * u128::from(hits.min(all)) / u128::from(all);
    Some(Interval {
        share: u64::try_from(share).unwrap_or(1000),
        low,
        high,
    })
}

/// More than this many is brought down by halves, which changes no digit that is shown and keeps
/// the products below within their type.
const MOST: u64 = 1 << 40;

/// The bounds of Wilson's interval as parts of `whole`, rounded outwards; `None` where there are
/// none.
#[must_use]
pub fn bounds(hits: u64, all: u64, whole: u32) -> Option<(u64, u64)> {
    if all == 0 {
        return None;
    }
    let (mut hits, mut all) = (hits.min(all), all);
    while all > MOST {
        (hits, all) = (hits / 2, all / 2);
    }
    let (k, n, whole) = (u128::from(hits), u128::from(all), u128::from(whole));
    // With z² = Z2 / 10⁴, the bounds are (2k + z² ∓ √(z²(z² + 4k(n−k)/n))) / (2(n + z²)).
    // Everything is carried times 10⁴.
    let middle = 20_000 * k + Z2;
    let square = Z2 * (Z2 * n + 40_000 * k * (n - k));
    let root = (square / n).isqrt();
    let above = if root * root * n == square {
        root
    } else {
        root + 1
    };
    let parts = 20_000 * n + 2 * Z2;
    let low = whole * middle.saturating_sub(above) / parts;
    let high = (whole * (middle + above)).div_ceil(parts).min(whole);
    let small = |value: u128| u64::try_from(value).unwrap_or(u64::MAX);
    Some((small(low), small(high)))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(hits: u64, all: u64) -> (u64, u64, u64) {
        wilson(hits, all).map_or((9999, 0, 0), |it| (it.share, it.low, it.high))
    }

    /// Bounds from the textbook formula with 30 decimal digits, rounded outwards.
    #[test]
    fn known_intervals() {
        assert_eq!(of(0, 10), (0, 0, 278));
        assert_eq!(of(10, 10), (1000, 722, 1000));
        assert_eq!(of(5, 10), (500, 236, 764));
        assert_eq!(of(81, 100), (810, 722, 875));
        assert_eq!(of(303, 326), (929, 896, 953));
    }

    #[test]
    fn nothing_has_no_share() {
        assert_eq!(wilson(0, 0), None);
    }

    #[test]
    fn the_largest_counts_have_bounds_too() {
        assert_eq!(of(u64::MAX, u64::MAX), (1000, 999, 1000));
        assert_eq!(bounds(u64::MAX / 2, u64::MAX, 10_000), Some((4999, 5001)));
        assert_eq!(bounds(5, 10, 10_000), Some((2365, 7635)));
    }

    #[test]
    fn bounds_enclose_the_share() {
        for all in 1..80 {
            for hits in 0..=all {
                let (share, low, high) = of(hits, all);
                assert!(low <= share && share <= high, "{hits}/{all}");
            }
        }
    }
}
