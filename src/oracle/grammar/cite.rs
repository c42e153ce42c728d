//! Citations of a place in a file, and which file they name.

use super::normal::Normal;

/// A cited place.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Citation {
    pub(crate) path: String,
    pub(crate) first: u64,
    /// Absent where one line is cited.
    pub(crate) last: Option<u64>,
    /// Its range in the normalised text.
    pub(crate) start: usize,
    pub(crate) end: usize,
    pub(crate) line: usize,
    /// It is a part of a URL: the same file, if the host has it.
    pub(crate) url: bool,
}

impl Citation {
    /// The cited lines, the first and the last.
    pub(crate) fn lines(&self) -> (u64, u64) {
        (self.first, self.last.unwrap_or(self.first))
    }
}

/// The first line, the last where a range is cited, and the length of what says so.
type Place = (u64, Option<u64>, usize);

pub(super) fn is_path(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'.' | b'/' | b'-')
}

/// A token that looks like a path: a dot with an extension of one to eight characters that starts
/// with a letter. The range within `text`, without a leading `./` and trailing dots or dashes.
pub(super) fn path_like(text: &str, start: usize, end: usize) -> Option<(usize, usize)> {
    let run = text.get(start..end)?.trim_end_matches(['.', '-', '/']);
    let bare = run.strip_prefix("./").unwrap_or(run);
    let (_, extension) = bare.rsplit_once('.')?;
    let good = bare.len() >= 4
        && (1..=8).contains(&extension.len())
        && extension.starts_with(|c: char| c.is_ascii_alphabetic())
        && extension.bytes().all(|byte| byte.is_ascii_alphanumeric());
    let end = start + run.len();
    good.then(|| (end - bare.len(), end))
}

/// All citations, in order.
pub(crate) fn read(normal: &Normal) -> Vec<Citation> {
    let mut out = Vec::new();
    for (index, line) in normal.lines.iter().enumerate() {
        let bytes = normal.text.as_bytes();
        let mut at = line.start;
        while at < line.end {
            if !is_path(bytes[at]) {
                at += 1;
                continue;
            }
            let start = at;
            while at < line.end && is_path(bytes[at]) {
                at += 1;
            }
            let Some((from, to)) = path_like(&normal.text, start, at) else {
                continue;
            };
            let rest = normal.text.get(to..line.end).unwrap_or("");
            let path = normal.text.get(from..to).unwrap_or("");
            let one = |first, last, start, end| Citation {
                path: path.to_owned(),
                first,
                last,
                start,
                end,
                line: index,
                url: path.starts_with("//"),
            };
            if let Some((first, last, length)) = place(rest) {
                out.push(one(first, last, from, to + length));
                let mut end = to + length;
                let listed = normal
                    .text
                    .get(to..end)
                    .is_some_and(|own| own.contains("ines"));
                while let Some((gap, (first, last, length))) = normal
                    .text
                    .get(end..line.end)
                    .and_then(|rest| further(rest, listed))
                {
                    out.push(one(first, last, end + gap, end + gap + length));
                    end += gap + length;
                }
                at = at.max(end);
            } else {
                let free = out
                    .last()
                    .map_or(line.start, |last| last.end)
                    .max(line.start);
                let before = normal.text.get(free..from).unwrap_or("");
                if let Some((first, last, length)) = place_before(before) {
                    out.push(one(first, last, from - length, to));
                }
            }
        }
    }
    out
}

/// A further place in the same file: `a.py:5, :9`, `a.py:5,9`, `lines 5, 9 and 14`. How far it is
/// to the number, and what stands there.
fn further(rest: &str, listed: bool) -> Option<(usize, Place)> {
    for (join, bare) in [
        (", and ", listed),
        (" and ", listed),
        (" & ", listed),
        (", ", listed),
        (",", true),
    ] {
        let Some(after) = rest.strip_prefix(join) else {
            continue;
        };
        let colon = after.starts_with(':');
        let number = after.strip_prefix(':').unwrap_or(after);
        if !colon && !bare {
            return None;
        }
        let gap = join.len() + usize::from(colon);
        return lines(number).map(|found| (gap, found));
    }
    None
}

/// What stands before a path: `line N of`, `lines N-M in`. The lines, and the length.
fn place_before(before: &str) -> Option<Place> {
    // Only the last words matter, and a line may be long.
    let from = before.len().saturating_sub(48);
    let tail = (from..=before.len()).find_map(|at| before.get(at..))?;
    let at = ["line ", "lines ", "Line ", "Lines "]
        .iter()
        .filter_map(|word| tail.rfind(word).map(|at| (at, word.len())))
        .max()?;
    let after = tail.get(at.0 + at.1..)?;
    let (first, last, length) = lines(after)?;
    let link = after.get(length..)?.trim_matches([' ', '"', '\'']);
    // `line 40 (src/a.rs)`.
    matches!(link, "of" | "in" | "(" | "of file" | "in file").then_some((
        first,
        last,
        tail.len() - at.0,
    ))
}

/// What follows a path: `:N`, `:N-M`, `#LN-LM`, `, line(s) N[-M]`, `(lines N-M)`, `line N`. The
/// lines and the length.
fn place(rest: &str) -> Option<Place> {
    for sign in [":", "#L", ":L"] {
        let after = rest.strip_prefix(sign).unwrap_or("");
        if let Some((first, last, length)) = lines(after) {
            return Some((first, last, sign.len() + length));
        }
    }
    // A range in brackets can hardly be anything else; one number can.
    let range = rest
        .strip_prefix(" (")
        .and_then(|after| Some((after, lines(after)?)));
    if let Some((after, (first, Some(last), length))) = range
        && after
            .get(length..)
            .is_some_and(|rest| rest.starts_with(')'))
    {
        return Some((first, Some(last), 2 + length));
    }
    let mut after = rest.trim_start_matches(['"', '\'', ')']);
    after = after
        .strip_prefix(',')
        .or_else(|| after.strip_prefix(':'))
        .unwrap_or(after);
    after = after.trim_start_matches(' ');
    after = after.strip_prefix("- ").unwrap_or(after);
    after = after.strip_prefix('(').unwrap_or(after);
    after = after
        .strip_prefix("at ")
        .or_else(|| after.strip_prefix("on "))
        .or_else(|| after.strip_prefix("in "))
        .unwrap_or(after);
    let word = ["lines", "line", "Lines", "Line", "L"]
        .iter()
        .find_map(|word| after.strip_prefix(word))?;
    let after = word.trim_start_matches(' ');
    let (first, last, length) = lines(after)?;
    Some((first, last, rest.len() - after.len() + length))
}

/// `N`, `N-M`, `N-LM` or `N to M`; a column after `:` is passed over.
fn lines(text: &str) -> Option<Place> {
    let (first, one) = number(text)?;
    let rest = &text[one..];
    for join in ["-L", "-", " - ", " to ", " through "] {
        let after = rest.strip_prefix(join);
        if let Some((last, two)) = after.and_then(number) {
            return Some((first, Some(last), one + join.len() + two));
        }
    }
    let column = rest.strip_prefix(':').and_then(number);
    Some((
        first,
        None,
        one + column.map_or(0, |(_, length)| length + 1),
    ))
}

fn number(text: &str) -> Option<(u64, usize)> {
    let length = text.bytes().take_while(u8::is_ascii_digit).count();
    let whole = !text[length..].starts_with(super::is_word);
    let value = text[..length].parse().ok()?;
    whole.then_some((value, length))
}

/// Which of the known paths a cited one names: itself, the only one that ends with it, or, where
/// it is absolute, the longest that it ends with.
pub(crate) fn resolve<'k>(cited: &str, known: &[&'k str]) -> Option<&'k str> {
    if let Some(same) = known.iter().find(|path| **path == cited) {
        return Some(same);
    }
    let ends = |long: &str, short: &str| {
        long.strip_suffix(short)
            .is_some_and(|head| head.ends_with('/'))
    };
    if cited.starts_with('/') {
        return known
            .iter()
            .filter(|path| ends(cited, path))
            .max_by_key(|path| path.len())
            .copied();
    }
    let mut found = known.iter().filter(|path| ends(path, cited));
    match (found.next(), found.next()) {
        (Some(path), None) => Some(path),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::super::Answer;
    use super::*;

    fn cited(raw: &str) -> Vec<(String, u64, Option<u64>)> {
        Answer::read(raw)
            .citations()
            .iter()
            .map(|cite| (cite.path.clone(), cite.first, cite.last))
            .collect()
    }

    #[test]
    fn every_form_is_read() {
        for (raw, last) in [
            ("see `src/a.py:5`.", None),
            ("./src/a.py:5-9", Some(9)),
            ("`src/a.py`, lines 5–9", Some(9)),
            ("src/a.py (lines 5-9)", Some(9)),
            ("src/a.py, line 5", None),
            ("src/a.py#L5-L9", Some(9)),
            ("src/a.py:5:12 says", None),
            ("src/a.py at line 5", None),
            ("src/a.py: line 5", None),
            ("src/a.py:L5", None),
            ("**src/a.py** — lines 5–9", Some(9)),
            ("src/a.py (5-9)", Some(9)),
            ("`src/a.py`, in line 5", None),
            ("line 5 (src/a.py)", None),
            ("lines 5-9 (`src/a.py`)", Some(9)),
        ] {
            assert_eq!(cited(raw), [("src/a.py".to_owned(), 5, last)], "{raw}");
        }
    }

    #[test]
    fn places_may_be_listed_or_stand_before() {
        let lines = |raw: &str| -> Vec<u64> { cited(raw).iter().map(|own| own.1).collect() };
        assert_eq!(lines("src/a.py:5, :9 and :14-16"), [5, 9, 14]);
        assert_eq!(lines("src/a.py:5,9"), [5, 9]);
        assert_eq!(lines("src/a.py, lines 5, 9 and 14"), [5, 9, 14]);
        assert_eq!(lines("src/a.py:5, 9 calls"), [5]);
        assert_eq!(lines("src/a.py:5 and 9 more"), [5]);
        assert_eq!(lines("lines 5-9 of `src/a.py`"), [5]);
        assert_eq!(lines("src/b.py, line 4 in src/a.py"), [4]);
    }

    #[test]
    fn what_names_no_line_is_none() {
        for raw in [
            "src/a.py",
            "src/a.py: 5",
            "12:30",
            "2.0.0:5",
            "src/a.py:5x",
            "e.g.:5",
        ] {
            assert!(cited(raw).is_empty(), "{raw}");
        }
    }

    #[test]
    fn a_path_is_named_once_or_not_at_all() {
        let known = ["src/a.py", "src/b/c.py", "lib/c.py"];
        assert_eq!(resolve("a.py", &known), Some("src/a.py"));
        assert_eq!(resolve("c.py", &known), None);
        assert_eq!(resolve("b/c.py", &known), Some("src/b/c.py"));
        assert_eq!(resolve("/home/me/x/src/a.py", &known), Some("src/a.py"));
        assert_eq!(resolve("x/src/a.py", &known), None);
        assert_eq!(resolve("ga.py", &known), None);
    }
}
