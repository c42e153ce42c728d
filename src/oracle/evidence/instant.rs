//! Points in time, as texts tell them.

/// A point in time: seconds since 1970 in UTC, and nanoseconds.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Instant(i64, u32);

/// A number of so many digits at the head of a text, and what follows it.
fn number(text: &str, digits: usize) -> Option<(i64, &str)> {
    let (head, rest) = text.split_at_checked(digits)?;
    let plain = head.bytes().all(|byte| byte.is_ascii_digit());
    plain.then_some(())?;
    Some((head.parse().ok()?, rest))
}

/// A number of two digits up to a limit.
fn pair(text: &str, most: i64) -> Option<(i64, &str)> {
    number(text, 2).filter(|(value, _)| *value <= most)
}

/// Days from the first of January 1970 to a day of the Gregorian calendar.
fn days(year: i64, month: i64, day: i64) -> i64 {
    // March comes first, so that a leap day ends its year.
    let year = if month <= 2 { year - 1 } else { year };
    let era = year.div_euclid(400);
    let of_era = year.rem_euclid(400);
    let of_year = (153 * ((month + 9) % 12) + 2) / 5 + day - 1;
    era * 146_097 + of_era * 365 + of_era / 4 - of_era / 100 + of_year - 719_468
}

impl Instant {
    /// Reads a time such as `2031-05-04T10:05:00.5Z`, or with an offset such as `+02:00`. `None` for what is none, and
    /// for a time without an offset: it could be any.
    #[must_use]
    pub fn parse(text: &str) -> Option<Self> {
        let (year, rest) = number(text, 4)?;
        let (month, rest) = pair(rest.strip_prefix('-')?, 12)?;
        let (day, rest) = pair(rest.strip_prefix('-')?, 31)?;
        let (hour, rest) = pair(rest.strip_prefix(['T', 't', ' '])?, 23)?;
        let (minute, rest) = pair(rest.strip_prefix(':')?, 59)?;
        let (second, rest) = pair(rest.strip_prefix(':')?, 60)?;
        let next = match month {
            12 => days(year + 1, 1, 1),
            month => days(year, month + 1, 1),
        };
        if month == 0 || day == 0 || days(year, month, day) >= next {
            return None;
        }
        let (nanos, rest) = match rest.strip_prefix('.') {
            None => (0, rest),
            Some(rest) => {
                let digits = rest.bytes().take_while(u8::is_ascii_digit).count();
                let (fraction, rest) = rest.split_at(digits);
                let nine: String = fraction
                    .chars()
                    .chain("000000000".chars())
                    .take(9)
                    .collect();
                (nine.parse().ok().filter(|_| digits > 0)?, rest)
            }
        };
        let offset = match rest {
            "Z" | "z" => 0,
            _ => {
                let sign = if rest.starts_with('-') { -1 } else { 1 };
                let (hours, rest) = pair(rest.strip_prefix(['+', '-'])?, 23)?;
                let (minutes, rest) = pair(rest.strip_prefix(':')?, 59)?;
                rest.is_empty()
                    .then_some(sign * (hours * 60 + minutes) * 60)?
            }
        };
        let seconds = days(year, month, day) * 86_400 + hour * 3600 + minute * 60 + second;
        Some(Self(seconds - offset, nanos))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_instant_has_many_spellings() {
        let at = |text: &str| Instant::parse(text).unwrap_or_else(|| panic!("{text}"));
        assert_eq!(at("1970-01-01T00:00:00Z"), Instant(0, 0));
        assert_eq!(at("2000-03-01T00:00:00Z"), Instant(951_868_800, 0));
        assert_eq!(at("2031-05-04T12:05:00+02:00"), at("2031-05-04T10:05:00Z"));
        assert_eq!(
            at("2031-05-04T10:05:00.50Z"),
            at("2031-05-04T04:35:00.5-05:30")
        );
        assert!(at("2031-05-04T10:05:00.5Z") < at("2031-05-04T10:05:01Z"));
        assert!(at("2032-02-29T00:00:00Z") < at("2032-03-01T00:00:00Z"));
        assert!(at("2031-12-31T23:59:59Z") < at("2032-01-01T00:00:00Z"));
        assert!(at("2031-02-28T23:59:59Z") < at("2031-03-01T00:00:00Z"));
    }

    #[test]
    fn what_is_no_instant_is_none() {
        for text in [
            "",
            "2031-05-04",
            "2031-05-04T10:05:00",
            "2031-13-04T10:05:00Z",
            "2031-02-29T10:05:00Z",
            "2031-04-31T10:05:00Z",
            "2031-05-04T24:05:00Z",
            "2031-05-04T10:05:00.Z",
            "2031-05-04T10:05:00+2:00",
            "2031-05-04T10:05:00Z ",
            "+031-05-04T10:05:00Z",
        ] {
            assert_eq!(Instant::parse(text), None, "{text}");
        }
    }
}
