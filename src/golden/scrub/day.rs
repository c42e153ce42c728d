//! Times of day, moved by whole days.

use super::book::Edit;
use super::token::What;

/// Adds an edit for each date that a time of day follows: `2026-03-04T09:00`, `2026-03-04 09:00` and,
/// as in names of files, `2026-03-04T09-00`. Dates alone are left, and so are numbers of seconds.
pub(super) fn move_days(bytes: &[u8], days: i32, edits: &mut Vec<Edit>) {
    if days == 0 {
        return;
    }
    let mut found = Vec::new();
    for dash in memchr::memchr_iter(b'-', bytes) {
        let Some(start) = dash.checked_sub(4) else {
            continue;
        };
        let inner = start
            .checked_sub(1)
            .is_some_and(|at| bytes[at].is_ascii_digit());
        if let Some(text) = bytes
            .get(start..start + 16)
            .filter(|_| !inner)
            .and_then(|text| shifted(text, days))
        {
            found.push(Edit {
                seen: start,
                start,
                end: start + 10,
                text,
                what: What::Day,
            });
        }
    }
    let apart = |edit: &Edit| {
        let at = edits.partition_point(|other| other.end <= edit.start);
        edits.get(at).is_none_or(|other| other.start >= edit.end)
    };
    found.retain(apart);
    edits.extend(found);
    edits.sort_by_key(|edit| edit.start);
}

/// A text with its times moved.
pub(super) fn moved(text: &str, days: i32) -> String {
    let mut edits = Vec::new();
    move_days(text.as_bytes(), days, &mut edits);
    let (bytes, _) = super::book::apply(text.as_bytes(), &edits);
    String::from_utf8_lossy(&bytes).into_owned()
}

/// `YYYY-MM-DD` and a time of day, moved: the date alone.
fn shifted(text: &[u8], days: i32) -> Option<Vec<u8>> {
    let number = |from: usize, to: usize| -> Option<i64> {
        let digits = text.get(from..to)?;
        digits.iter().try_fold(0_i64, |sum, b| {
            b.is_ascii_digit().then(|| sum * 10 + i64::from(b - b'0'))
        })
    };
    let (year, month, day) = (number(0, 4)?, number(5, 7)?, number(8, 10)?);
    number(11, 13)?;
    number(14, 16)?;
    let joints = text[4] == b'-'
        && text[7] == b'-'
        && matches!(text[10], b'T' | b' ' | b't')
        && matches!(text[13], b':' | b'-');
    if !joints || !(1..=12).contains(&month) || !(1..=31).contains(&day) || year < 1970 {
        return None;
    }
    let (year, month, day) = civil(number_of_day(year, month, day) + i64::from(days));
    (0..=9999)
        .contains(&year)
        .then(|| format!("{year:04}-{month:02}-{day:02}").into_bytes())
}

/// Days since the first of March of the year 0.
fn number_of_day(year: i64, month: i64, day: i64) -> i64 {
    let year = if month <= 2 { year - 1 } else { year };
    let month = (month + 9) % 12;
    year * 365 + year.div_euclid(4) - year.div_euclid(100)
        + year.div_euclid(400)
        + (month * 153 + 2) / 5
        + day
        - 1
}

fn civil(day: i64) -> (i64, i64, i64) {
    let era = day.div_euclid(146_097);
    let of_era = day.rem_euclid(146_097);
    let year = (of_era - of_era / 1460 + of_era / 36_524 - of_era / 146_096) / 365;
    let of_year = of_era - (365 * year + year / 4 - year / 100);
    let month = (5 * of_year + 2) / 153;
    let day = of_year - (153 * month + 2) / 5 + 1;
    let month_of_year = if month < 10 { month + 3 } else { month - 9 };
    let year = year + era * 400 + i64::from(month_of_year <= 2);
    (year, month_of_year, day)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_of_day_move_over_months_and_leap_years() {
        assert_eq!(moved("2024-02-28T09:00:00Z", 1), "2024-02-29T09:00:00Z");
        assert_eq!(
            moved("rollout-2026-12-31T07-00-00-x", 1),
            "rollout-2027-01-01T07-00-00-x"
        );
        assert_eq!(moved("2026-03-01 00:00", -1), "2026-02-28 00:00");
        assert_eq!(moved("2026-03-01, v1-02-03", 9), "2026-03-01, v1-02-03");
    }
}
