//! Stripping of what changes by itself (clocks, dates, ids) before two results are compared.
//!
//! [`normalize_01`] is the `normalize` of 0.1.0: two passes. [`normalize_04`] is that of 0.3.0 and
//! later: twelve, in a fixed order, each over the output of the one before. Both give exactly what
//! Python's `re.sub` gives, in time linear in the text.
//!
//! Each pass tries its matcher at every place where a match could begin; `anchor` finds those. A matcher walks forward
//! once: the package's patterns never need to give back part of a repeat, since what follows a
//! repeat cannot begin inside it. The few places where an optional part must be dropped again for
//! a word boundary's sake say so.

use std::borrow::Cow;

use super::python::{is_py_digit, is_py_space, is_py_word};

mod anchor;

/// The `normalize` of 0.1.0.
#[must_use]
pub fn normalize_01(text: &str) -> Cow<'_, str> {
    run(&PASSES_01, text)
}

/// The `normalize` of 0.3.0 to 0.4.1.
#[must_use]
pub fn normalize_04(text: &str) -> Cow<'_, str> {
    run(&PASSES_04, text)
}

/// One substitution over the whole text.
struct Pass {
    /// Where a match can begin.
    anchor: anchor::Finder,
    /// The end of the match that begins at the cursor, if there is one.
    matcher: fn(Cursor<'_>) -> Option<usize>,
    token: &'static str,
}

static PASSES_01: [Pass; 2] = [
    Pass {
        anchor: anchor::year_hyphen,
        matcher: iso_greedy,
        token: "<TS>",
    },
    Pass {
        anchor: anchor::small_hex,
        matcher: |c| hex_word(c, |b| matches!(b, b'0'..=b'9' | b'a'..=b'f')),
        token: "<HEX>",
    },
];

static PASSES_04: [Pass; 12] = [
    Pass {
        anchor: anchor::year_hyphen,
        matcher: iso_bounded,
        token: "<TS>",
    },
    Pass {
        anchor: anchor::month,
        matcher: syslog,
        token: "<TS>",
    },
    Pass {
        anchor: anchor::day_month,
        matcher: rfc_date,
        token: "<DATE>",
    },
    Pass {
        anchor: anchor::month,
        matcher: listing_date,
        token: "<DATE>",
    },
    Pass {
        anchor: anchor::year,
        matcher: bare_date,
        token: "<DATE>",
    },
    Pass {
        anchor: anchor::slash,
        matcher: us_date,
        token: "<DATE>",
    },
    Pass {
        anchor: anchor::clock,
        matcher: clock_12h,
        token: "<TS>",
    },
    Pass {
        anchor: anchor::clock,
        matcher: clock_24h,
        token: "<TS>",
    },
    Pass {
        anchor: anchor::ago,
        matcher: time_ago,
        token: "<REL>",
    },
    Pass {
        anchor: anchor::uuid,
        matcher: uuid,
        token: "<HEX>",
    },
    Pass {
        anchor: anchor::address,
        matcher: address,
        token: "<HEX>",
    },
    Pass {
        anchor: anchor::hex,
        matcher: |c| hex_word(c, |b| b.is_ascii_hexdigit()),
        token: "<HEX>",
    },
];

const MONTHS: [&str; 12] = [
    "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
];
const WEEKDAYS: [&str; 7] = ["Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun"];
const AGO_UNITS: [&str; 30] = [
    "ms", "s", "sec", "secs", "seconds", "m", "min", "mins", "minutes", "h", "hr", "hrs", "hours",
    "d", "day", "days", "w", "wk", "wks", "week", "weeks", "mo", "mos", "month", "months", "y",
    "yr", "yrs", "year", "years",
];

fn run<'a>(passes: &[Pass], text: &'a str) -> Cow<'a, str> {
    let mut text = Cow::Borrowed(text);
    for pass in passes {
        if let Some(next) = substitute(pass, &text) {
            text = Cow::Owned(next);
        }
    }
    text
}

/// The text with every match of the pass replaced, left to right; nothing when none matched.
fn substitute(pass: &Pass, text: &str) -> Option<String> {
    let mut out = String::new();
    let (mut kept, mut at) = (0, 0);
    while let Some(anchor) = (pass.anchor)(text, at) {
        at = anchor.next;
        let starts = anchor.starts.into_iter().flatten();
        let matched = starts.filter(|start| *start >= kept).find_map(|start| {
            let end = (pass.matcher)(Cursor { text, at: start })?;
            Some((start, end))
        });
        if let Some((start, end)) = matched {
            out.push_str(&text[kept..start]);
            out.push_str(pass.token);
            kept = end;
            at = at.max(end);
        }
    }
    if kept == 0 {
        return None;
    }
    out.push_str(&text[kept..]);
    Some(out)
}

/// A place in a text. Every step moves forward or fails.
#[derive(Clone, Copy)]
struct Cursor<'a> {
    text: &'a str,
    at: usize,
}

impl Cursor<'_> {
    fn next(&self) -> Option<char> {
        match self.text.as_bytes().get(self.at) {
            Some(b) if b.is_ascii() => Some(char::from(*b)),
            Some(_) => self.text.get(self.at..)?.chars().next(),
            None => None,
        }
    }

    fn previous(&self) -> Option<char> {
        self.text.get(..self.at)?.chars().next_back()
    }

    /// `\b`
    fn boundary(&self) -> Option<()> {
        let word = |c: Option<char>| c.is_some_and(is_py_word);
        (word(self.previous()) != word(self.next())).then_some(())
    }

    fn one(&mut self, accepts: impl Fn(char) -> bool) -> Option<()> {
        let c = self.next().filter(|&c| accepts(c))?;
        self.at += c.len_utf8();
        Some(())
    }

    fn any_of(&mut self, set: &str) -> Option<()> {
        self.one(|c| set.contains(c))
    }

    /// As many as there are, up to `most`; fails below `least`.
    fn repeat(&mut self, accepts: impl Fn(char) -> bool, least: usize, most: usize) -> Option<()> {
        let mut count = 0;
        while count < most && self.one(&accepts).is_some() {
            count += 1;
        }
        (count >= least).then_some(())
    }

    fn digits(&mut self, least: usize, most: usize) -> Option<()> {
        self.repeat(is_py_digit, least, most)
    }

    fn hex(&mut self, count: usize) -> Option<()> {
        self.repeat(|c| c.is_ascii_hexdigit(), count, count)
    }

    /// `[ \t]+`
    fn blanks(&mut self) -> Option<()> {
        self.repeat(|c| matches!(c, ' ' | '\t'), 1, usize::MAX)
    }

    fn word_of(&mut self, words: &[&str]) -> Option<()> {
        let rest = self.text.get(self.at..)?;
        let word = words.iter().find(|w| rest.starts_with(**w))?;
        self.at += word.len();
        Some(())
    }

    /// Takes an optional part: all of it or nothing.
    fn maybe(&mut self, part: impl FnOnce(&mut Self) -> Option<()>) {
        let mut ahead = *self;
        if part(&mut ahead).is_some() {
            *self = ahead;
        }
    }

    /// `:\d{2}`
    fn colon_pair(&mut self) -> Option<()> {
        self.any_of(":")?;
        self.digits(2, 2)
    }

    /// `[.,]\d+`
    fn fraction(&mut self) -> Option<()> {
        self.any_of(".,")?;
        self.digits(1, usize::MAX)
    }

    /// `\d{4}-\d{2}-\d{2}[T ]\d{2}:\d{2}`
    fn iso_minutes(&mut self) -> Option<()> {
        self.digits(4, 4)?;
        self.any_of("-")?;
        self.digits(2, 2)?;
        self.any_of("-")?;
        self.digits(2, 2)?;
        self.any_of("T ")?;
        self.digits(2, 2)?;
        self.colon_pair()
    }

    /// The end here, if a word boundary is here.
    fn end_at_boundary(&self) -> Option<usize> {
        self.boundary().map(|()| self.at)
    }
}

/// 0.1.0: date, clock with seconds, and everything glued to them.
fn iso_greedy(mut c: Cursor<'_>) -> Option<usize> {
    c.iso_minutes()?;
    c.colon_pair()?;
    c.repeat(|c| !is_py_space(c), 0, usize::MAX)?;
    Some(c.at)
}

/// Date, clock, optional seconds, fraction and zone; no boundary on either side.
fn iso_bounded(mut c: Cursor<'_>) -> Option<usize> {
    c.iso_minutes()?;
    c.maybe(Cursor::colon_pair);
    c.maybe(Cursor::fraction);
    c.maybe(|c| {
        if c.any_of("Z").is_some() {
            return Some(());
        }
        c.any_of("+-")?;
        c.digits(2, 2)?;
        c.maybe(|c| c.any_of(":"));
        c.digits(2, 2)
    });
    Some(c.at)
}

/// `Jul 10 20:47`, seconds optional.
fn syslog(mut c: Cursor<'_>) -> Option<usize> {
    c.boundary()?;
    c.word_of(&MONTHS)?;
    c.blanks()?;
    c.digits(1, 2)?;
    c.blanks()?;
    c.digits(1, 2)?;
    c.colon_pair()?;
    let minutes = c;
    // Seconds that a word character follows are left outside: there is a boundary before them.
    c.maybe(Cursor::colon_pair);
    c.end_at_boundary().or_else(|| minutes.end_at_boundary())
}

/// `10 Jul 2026`, weekday optional.
fn rfc_date(mut c: Cursor<'_>) -> Option<usize> {
    c.boundary()?;
    c.maybe(|c| {
        c.word_of(&WEEKDAYS)?;
        c.maybe(|c| c.any_of(","));
        c.blanks()
    });
    c.digits(1, 2)?;
    c.blanks()?;
    c.word_of(&MONTHS)?;
    c.blanks()?;
    c.digits(4, 4)?;
    c.end_at_boundary()
}

/// `Jul 10  2025`
fn listing_date(mut c: Cursor<'_>) -> Option<usize> {
    c.boundary()?;
    c.word_of(&MONTHS)?;
    c.blanks()?;
    c.digits(1, 2)?;
    c.blanks()?;
    c.digits(4, 4)?;
    c.end_at_boundary()
}

/// `2026-01-02`, with `-` or `/` in either place.
fn bare_date(mut c: Cursor<'_>) -> Option<usize> {
    c.boundary()?;
    c.digits(4, 4)?;
    c.any_of("-/")?;
    c.digits(2, 2)?;
    c.any_of("-/")?;
    c.digits(2, 2)?;
    c.end_at_boundary()
}

/// `1/2/2026`, of this century or the last.
fn us_date(mut c: Cursor<'_>) -> Option<usize> {
    c.boundary()?;
    c.digits(1, 2)?;
    c.any_of("/")?;
    c.digits(1, 2)?;
    c.any_of("/")?;
    c.word_of(&["19", "20"])?;
    c.digits(2, 2)?;
    c.end_at_boundary()
}

/// `9:41 a.m.`, seconds and fraction optional.
fn clock_12h(mut c: Cursor<'_>) -> Option<usize> {
    c.boundary()?;
    c.digits(1, 2)?;
    c.colon_pair()?;
    c.maybe(Cursor::colon_pair);
    c.maybe(Cursor::fraction);
    c.repeat(is_py_space, 0, usize::MAX)?;
    c.any_of("APap")?;
    c.maybe(|c| c.any_of("."));
    c.any_of("Mm")?;
    let letters = c;
    // The closing dot belongs to the match only where a word character follows it.
    c.maybe(|c| c.any_of("."));
    c.end_at_boundary().or_else(|| letters.end_at_boundary())
}

/// `23:59:58`, fraction optional.
fn clock_24h(mut c: Cursor<'_>) -> Option<usize> {
    c.boundary()?;
    c.digits(1, 2)?;
    c.colon_pair()?;
    c.colon_pair()?;
    let seconds = c;
    // A fraction that a word character follows is left outside.
    c.maybe(Cursor::fraction);
    c.end_at_boundary().or_else(|| seconds.end_at_boundary())
}

/// `5 min ago`
fn time_ago(mut c: Cursor<'_>) -> Option<usize> {
    c.boundary()?;
    c.digits(1, usize::MAX)?;
    c.repeat(is_py_space, 0, usize::MAX)?;
    // White space must follow, so the unit is the whole run of letters.
    let unit_start = c.at;
    c.repeat(|c| c.is_ascii_lowercase(), 1, "minutes".len())?;
    let unit = c.text.get(unit_start..c.at)?;
    AGO_UNITS.iter().find(|u| **u == unit)?;
    c.repeat(is_py_space, 1, usize::MAX)?;
    c.word_of(&["ago"])?;
    c.end_at_boundary()
}

/// Eight, four, four, four and twelve hexadecimal digits.
fn uuid(mut c: Cursor<'_>) -> Option<usize> {
    c.boundary()?;
    c.hex(8)?;
    for count in [4, 4, 4, 12] {
        c.any_of("-")?;
        c.hex(count)?;
    }
    c.end_at_boundary()
}

/// `0x` and six hexadecimal digits or more.
fn address(mut c: Cursor<'_>) -> Option<usize> {
    c.boundary()?;
    c.any_of("0")?;
    c.any_of("xX")?;
    c.repeat(|c| c.is_ascii_hexdigit(), 6, usize::MAX)?;
    c.end_at_boundary()
}

/// A word of eight hexadecimal digits or more.
fn hex_word(mut c: Cursor<'_>, is_hex: fn(u8) -> bool) -> Option<usize> {
    c.boundary()?;
    let hex = |c: char| u8::try_from(c).is_ok_and(is_hex);
    c.repeat(hex, 8, usize::MAX)?;
    c.end_at_boundary()
}

#[cfg(test)]
mod tests;
