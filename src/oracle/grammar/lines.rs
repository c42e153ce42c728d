//! Lines and fenced blocks of the raw answer.

use super::normal::is_direction;

/// Where a line stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Place {
    /// Outside fences.
    Prose,
    /// The line that opens or closes a fence.
    Marker,
    /// Inside the fence of this index.
    Body,
}

/// A line of the raw answer, without its end.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct RawLine {
    pub(crate) start: usize,
    pub(crate) end: usize,
    pub(crate) place: Place,
}

/// A fenced block.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Fence {
    /// The index of the line that opens it.
    pub(crate) opener: usize,
    /// The first word after the marks, in lower case.
    pub(crate) language: String,
    /// Lines of the body, as indices: from, and one past the last.
    pub(crate) body: (usize, usize),
}

/// The lines of a text by `\n`, `\r\n` and a lone `\r`.
pub(crate) fn split(raw: &str) -> Vec<(usize, usize)> {
    let bytes = raw.as_bytes();
    let mut lines = Vec::new();
    let mut start = 0;
    let mut at = 0;
    while let Some(found) = memchr::memchr2(b'\n', b'\r', &bytes[at..]) {
        let end = at + found;
        lines.push((start, end));
        at = end + 1;
        if bytes[end] == b'\r' && bytes.get(at) == Some(&b'\n') {
            at += 1;
        }
        start = at;
    }
    if start < bytes.len() || lines.is_empty() {
        lines.push((start, bytes.len()));
    }
    lines
}

/// The lines of a text in which nothing is a fence.
pub(crate) fn unfenced(raw: &str) -> Vec<RawLine> {
    let line = |(start, end)| RawLine {
        start,
        end,
        place: Place::Prose,
    };
    split(raw).into_iter().map(line).collect()
}

/// The lines with their places, and the fences.
pub(crate) fn read(raw: &str) -> (Vec<RawLine>, Vec<Fence>) {
    let mut lines = Vec::new();
    let mut fences: Vec<Fence> = Vec::new();
    let mut open: Option<(u8, usize)> = None;
    for (start, end) in split(raw) {
        // Right-to-left text has marks of direction about its fences.
        let line = raw[start..end].trim_matches(|c: char| c.is_whitespace() || is_direction(c));
        let index = lines.len();
        let place = match open {
            Some((mark, length)) if closes(line, mark, length) => {
                open = None;
                Place::Marker
            }
            Some(_) => {
                if let Some(fence) = fences.last_mut() {
                    fence.body.1 = index + 1;
                }
                Place::Body
            }
            None => match opens(line) {
                Some((mark, length, info)) => {
                    open = Some((mark, length));
                    fences.push(Fence {
                        opener: index,
                        language: language(info),
                        body: (index + 1, index + 1),
                    });
                    Place::Marker
                }
                None => Place::Prose,
            },
        };
        lines.push(RawLine { start, end, place });
    }
    (lines, fences)
}

fn language(info: &str) -> String {
    let word = info.split_whitespace().next().unwrap_or("");
    word.trim_matches(['{', '}', '.']).to_lowercase()
}

fn run(line: &str) -> Option<(u8, usize)> {
    let mark = *line.as_bytes().first()?;
    if !matches!(mark, b'`' | b'~') {
        return None;
    }
    let length = line.bytes().take_while(|byte| *byte == mark).count();
    (length >= 3).then_some((mark, length))
}

/// A fence of backticks whose info holds a backtick is a code span on a line of its own.
fn opens(line: &str) -> Option<(u8, usize, &str)> {
    let (mark, length) = run(line)?;
    let info = &line[length..];
    if mark == b'`' && info.contains('`') {
        return None;
    }
    Some((mark, length, info))
}

fn closes(line: &str, mark: u8, length: usize) -> bool {
    run(line).is_some_and(|(own, run)| own == mark && run >= length && run == line.len())
}

/// The code spans of one line, as byte ranges of their contents in it: a run of backticks closes
/// at the next run of the same length. Runs are paired from a table by length, so that a line of
/// many unmatched runs stays linear.
pub(crate) fn spans(line: &str) -> Vec<(usize, usize)> {
    let mut runs: Vec<(usize, usize)> = Vec::new();
    let bytes = line.as_bytes();
    let mut at = 0;
    while let Some(found) = memchr::memchr(b'`', &bytes[at..]) {
        let start = at + found;
        let length = bytes[start..].iter().take_while(|b| **b == b'`').count();
        runs.push((start, length));
        at = start + length;
    }
    let mut next = vec![usize::MAX; runs.len()];
    let mut latest = std::collections::BTreeMap::new();
    for index in (0..runs.len()).rev() {
        if let Some(later) = latest.insert(runs[index].1, index) {
            next[index] = later;
        }
    }
    let mut spans = Vec::new();
    let mut index = 0;
    while index < runs.len() {
        if let Some((close, _)) = runs.get(next[index]) {
            spans.push((runs[index].0 + runs[index].1, *close));
            index = next[index];
        }
        index += 1;
    }
    spans
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_line_end_ends_one() {
        assert_eq!(split("a\r\nb\rc\n"), [(0, 1), (3, 4), (5, 6)]);
        assert_eq!(split(""), [(0, 0)]);
        assert_eq!(split("\n\n"), [(0, 0), (1, 1)]);
    }

    #[test]
    fn a_fence_runs_to_a_mark_as_long_or_to_the_end() {
        let raw = "a\n~~~~ json\n```\nx\n~~~\n~~~~\nb\n```\nc";
        let (lines, fences) = read(raw);
        let places: Vec<Place> = lines.iter().map(|line| line.place).collect();
        use Place::{Body, Marker, Prose};
        assert_eq!(
            places,
            [Prose, Marker, Body, Body, Body, Marker, Prose, Marker, Body]
        );
        assert_eq!(fences[0].language, "json");
        assert_eq!(fences[0].body, (2, 5));
        assert_eq!(fences[1].body, (8, 9));
    }

    #[test]
    fn a_mark_of_direction_hides_no_fence() {
        assert_eq!(read("\u{200f}```\nx\n```\u{200e}\ny").1[0].body, (1, 2));
    }

    #[test]
    fn a_backtick_in_the_info_makes_no_fence() {
        assert!(read("```a`b\nx").1.is_empty());
        assert_eq!(read("~~~a`b\nx").1.len(), 1);
    }

    #[test]
    fn spans_pair_runs_of_one_length() {
        let line = "`a` ``b`c`` `d ```e";
        let found: Vec<&str> = spans(line).iter().map(|(s, e)| &line[*s..*e]).collect();
        assert_eq!(found, ["a", "b`c"]);
        assert!(spans("`").is_empty());
    }
}
