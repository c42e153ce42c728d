//! The parent's history at the head of a fork: where it begins and where it ends.
//!
//! A fork has, before anything of the conversation, a second header with the parent's id, and the
//! parent's whole history after it (`ryoppippi/ccusage#1349`). The history ends at the first turn
//! whose id is not older than the session's own; where turn ids tell no time, at the first record
//! that is not older than the session and comes a while after the record before it, since
//! histories are copied in one burst.

/// Records of a burst lie closer together than this, in milliseconds.
const BURST: u64 = 1000;

/// What is known so far of a copied history.
#[derive(Debug, Default)]
pub(super) struct Fork {
    headers: u32,
    talked: bool,
    copying: bool,
    /// When the session began, by its id.
    born: Option<u64>,
    /// When the session began, by its header.
    started: Option<u64>,
    /// When the record before was written.
    before: Option<u64>,
    /// Whether turn ids of the history tell the time.
    told_by_turns: bool,
}

impl Fork {
    /// Counts a header; whether it is the first.
    pub(super) fn first_header(&mut self) -> bool {
        self.headers += 1;
        self.headers == 1
    }

    /// Whether no header was read yet.
    pub(super) fn headless(&self) -> bool {
        self.headers == 0
    }

    /// Notes when the session began.
    pub(super) fn note_session(&mut self, id: Option<&str>, time: Option<&str>) {
        self.born = born(id);
        self.started = time.and_then(milliseconds);
    }

    /// Another session's header follows; whether its history does.
    pub(super) fn begin_copy(&mut self) -> bool {
        let begins = self.headers == 2 && !self.talked;
        self.copying |= begins;
        begins
    }

    /// Looks at a record; whether it is a copy.
    pub(super) fn copies(&mut self, kind: &str, turn: Option<&str>, time: Option<&str>) -> bool {
        self.talked |= matches!(kind, "response_item" | "event_msg");
        let now = if self.headers == 1 && !self.talked || self.copying {
            time.and_then(milliseconds)
        } else {
            None
        };
        if self.copying && self.ends(turn, now) {
            self.copying = false;
        }
        self.before = now.or(self.before);
        self.copying
    }

    fn ends(&mut self, turn: Option<&str>, now: Option<u64>) -> bool {
        if let (Some(own), Some(turn)) = (self.born, born(turn)) {
            self.told_by_turns = true;
            return turn >= own;
        }
        let (Some(now), false) = (now, self.told_by_turns) else {
            return false;
        };
        let late = self.started.is_none_or(|started| now >= started);
        let apart = self
            .before
            .is_some_and(|before| now.saturating_sub(before) >= BURST);
        late && apart
    }
}

/// The milliseconds that a version 7 UUID holds.
fn born(id: Option<&str>) -> Option<u64> {
    let id = id?.as_bytes();
    if id.len() != 36 || id[14] != b'7' {
        return None;
    }
    let digits = [&id[..8], &id[9..13]].concat();
    u64::from_str_radix(std::str::from_utf8(&digits).ok()?, 16).ok()
}

/// The milliseconds since some fixed day of a time such as `2026-01-02T03:04:05.678Z`. Only their
/// differences matter; an offset from UTC is taken into account.
fn milliseconds(time: &str) -> Option<u64> {
    let number = |range: std::ops::Range<usize>| -> Option<i64> { time.get(range)?.parse().ok() };
    let bytes = time.as_bytes();
    if bytes.len() < 19 || bytes[4] != b'-' || bytes[13] != b':' {
        return None;
    }
    let (year, month, day) = (number(0..4)?, number(5..7)?, number(8..10)?);
    let (hour, minute, second) = (number(11..13)?, number(14..16)?, number(17..19)?);
    // Days since a March the first, so that leap days come last in a year.
    let (year, month) = if month > 2 {
        (year, month - 3)
    } else {
        (year - 1, month + 9)
    };
    let days = year * 365 + year / 4 - year / 100 + year / 400 + (month * 153 + 2) / 5 + day;
    let rest = &time[19..];
    let digits: String = rest
        .strip_prefix('.')
        .unwrap_or("")
        .chars()
        .take_while(char::is_ascii_digit)
        .chain("000".chars())
        .take(3)
        .collect();
    let fraction: i64 = digits.parse().unwrap_or(0);
    let shift = offset(rest).unwrap_or(0);
    let seconds = ((days * 24 + hour) * 60 + minute - shift) * 60 + second;
    u64::try_from(seconds * 1000 + fraction).ok()
}

/// The minutes that a local time is ahead of UTC.
fn offset(rest: &str) -> Option<i64> {
    let at = rest.rfind(['+', '-'])?;
    let hours: i64 = rest.get(at + 1..at + 3)?.parse().ok()?;
    let minutes: i64 = rest.get(at + 4..at + 6).unwrap_or("0").parse().ok()?;
    let minutes = hours * 60 + minutes;
    Some(if rest[at..].starts_with('-') {
        -minutes
    } else {
        minutes
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_are_told_apart_to_the_millisecond() {
        let at = |time| milliseconds(time).unwrap();
        assert_eq!(
            at("2026-03-01T00:00:00.000Z") - at("2026-02-28T23:59:59.999Z"),
            1
        );
        assert_eq!(
            at("2024-03-01T00:00:00Z") - at("2024-02-28T00:00:00Z"),
            2 * 86_400_000
        );
        assert_eq!(
            at("2026-01-01T02:00:00+02:00"),
            at("2026-01-01T00:00:00.0Z")
        );
        assert_eq!(milliseconds("yesterday"), None);
        assert_eq!(milliseconds("2026-01-01T00:00:é"), None);
    }

    #[test]
    fn a_copied_burst_ends_at_the_first_late_record() {
        let mut fork = Fork::default();
        fork.first_header();
        fork.note_session(Some("no-uuid"), Some("2026-01-01T00:00:10Z"));
        assert!(!fork.copies("session_meta", None, Some("2026-01-01T00:00:10Z")));
        fork.first_header();
        assert!(fork.begin_copy());
        assert!(fork.copies("event_msg", None, Some("2026-01-01T00:00:10.900Z")));
        assert!(fork.copies("event_msg", None, Some("2026-01-01T00:00:11.200Z")));
        assert!(!fork.copies("event_msg", None, Some("2026-01-01T00:00:12.200Z")));
        assert!(!fork.copies("event_msg", None, Some("2026-01-01T00:00:12.300Z")));
    }

    #[test]
    fn turn_ids_that_tell_the_time_outrank_the_gaps() {
        let mut fork = Fork::default();
        fork.first_header();
        fork.note_session(Some("0199bbbb-0000-7000-8000-000000000000"), None);
        fork.first_header();
        assert!(fork.begin_copy());
        let old = Some("0199aaaa-0000-7000-8000-000000000000");
        assert!(fork.copies("event_msg", old, Some("2026-01-01T00:00:00Z")));
        assert!(fork.copies("response_item", None, Some("2026-01-01T01:00:00Z")));
        let new = Some("0199cccc-0000-7000-8000-000000000000");
        assert!(!fork.copies("event_msg", new, Some("2026-01-01T01:00:00Z")));
    }
}
