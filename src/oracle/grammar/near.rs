//! Lines that are told near the name of their file and not with it: `In src/a.rs the check is on line 40`, a row of a table,
//! an item below the file's own.

use std::collections::{BTreeMap, BTreeSet};

use super::cite::path_like;
use super::label::is_one_of;
use super::script::is_unspaced;
use super::{Answer, is_word};

/// Lines above a row or an item in which its file or its header is looked for.
const ABOVE: usize = 32;
/// A longer line is no row of a table.
const WIDTH: usize = 4096;

/// A line of some file, or several.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Mention {
    pub(crate) first: u64,
    pub(crate) last: Option<u64>,
    /// Its range in the normalised text.
    pub(crate) range: (usize, usize),
    line: usize,
    /// It is told as an estimate, with another, or as what lies beside it.
    vague: bool,
}

/// What is told of lines apart from their files.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct Near {
    /// Each line that can be of one file only, with the file.
    pub(crate) sure: Vec<(String, Mention)>,
    /// Lines that may be of any file that is named.
    pub(crate) unsure: Vec<Mention>,
    /// Every file that is named.
    pub(crate) files: BTreeSet<String>,
}

/// The name of a file, its line and its offset.
type Name = (String, usize, usize);

/// Reads them. The digits of a citation are no such line.
pub(crate) fn near(answer: &Answer<'_>) -> Near {
    answer.step(2 * answer.text().len());
    let mut names: Vec<Name> = Vec::new();
    let mut mentions: Vec<Mention> = Vec::new();
    for line in 0..answer.line_count() {
        let (start, text) = answer.line_text(line);
        names.extend(paths(text).map(|(at, path)| (path, line, start + at)));
        let own = told(text).map(|own| own.at(start, line));
        mentions.extend(own.filter(|own| !answer.is_cited(answer.token_at(own.range.0))));
    }
    let mut out = Near {
        files: names.iter().map(|own| own.0.clone()).collect(),
        ..Near::default()
    };
    let clause = |at: usize| answer.clause(answer.token_at(at)).unwrap_or(u32::MAX);
    let mut files: BTreeMap<u32, BTreeSet<&str>> = BTreeMap::new();
    for (path, _, at) in &names {
        files.entry(clause(*at)).or_default().insert(path);
    }
    let mut count: BTreeMap<u32, usize> = BTreeMap::new();
    for own in &mentions {
        *count.entry(clause(own.range.0)).or_default() += 1;
    }
    for own in mentions {
        let here = clause(own.range.0);
        let file = match files.get(&here) {
            Some(files) if count.get(&here) == Some(&1) => only(files.iter().copied()),
            Some(_) => None,
            None => above(answer, &names, &own),
        };
        match file.filter(|_| !own.vague) {
            Some(file) => out.sure.push((file.to_owned(), own)),
            None => out.unsure.push(own),
        }
    }
    rows(answer, &names, &mut out);
    out
}

/// The only one of some names.
fn only<'n>(names: impl IntoIterator<Item = &'n str>) -> Option<&'n str> {
    let mut names = names.into_iter();
    let first = names.next()?;
    names.all(|own| own == first).then_some(first)
}

/// The files that are named in a line, with their offsets in it.
fn paths(text: &str) -> impl Iterator<Item = (usize, String)> + '_ {
    let mut at = 0;
    std::iter::from_fn(move || {
        while at < text.len() {
            let rest = text.as_bytes().get(at..)?;
            let long = rest.iter().take_while(|byte| super::cite::is_path(**byte));
            let long = long.count();
            let start = at;
            at += long.max(1);
            if let Some((from, to)) = path_like(text, start, start + long) {
                return Some((from, text.get(from..to)?.to_owned()));
            }
        }
        None
    })
}

/// `line 40`, `lines 40-52`, `Line: 40`, `第 40 行`, by the offsets of a line.
fn told(text: &str) -> impl Iterator<Item = Mention> + '_ {
    let mut at = 0;
    std::iter::from_fn(move || {
        while at < text.len() {
            let rest = text.get(at..).unwrap_or("");
            let Some(start) = rest.find(|c: char| c.is_ascii_digit()).map(|own| at + own) else {
                break;
            };
            let (first, mut end) = number(text, start)?;
            at = end;
            let touched = text.get(..start)?.chars().next_back();
            if touched.is_some_and(|c| is_word(c) && !is_unspaced(c)) {
                continue;
            }
            let before = text.get(..start)?.trim_end();
            let mut last = None;
            for join in ["-L", "-", " - ", " to "] {
                let next = text.get(end..).filter(|rest| rest.starts_with(join));
                if let Some((value, stop)) = next.and_then(|_| number(text, end + join.len())) {
                    (last, end) = (Some(value), stop);
                    break;
                }
            }
            let after = text.get(end..)?.trim_start();
            let counted = after.starts_with(['行', '행', '줄']);
            let word = before.trim_end_matches([':', '#', ' ', '第']);
            let label = last_word(word);
            let named = is_one_of(&["line", "lines"], label);
            if !named && !counted {
                continue;
            }
            at = end;
            let from = if named {
                word.len() - label.len()
            } else {
                start
            };
            return Some(Mention {
                first,
                last,
                range: (from, end),
                line: 0,
                vague: is_vague(text.get(..from)?, after),
            });
        }
        None
    })
}

impl Mention {
    fn at(self, start: usize, line: usize) -> Self {
        Self {
            range: (start + self.range.0, start + self.range.1),
            line,
            ..self
        }
    }
}

fn number(text: &str, at: usize) -> Option<(u64, usize)> {
    let rest = text.get(at..)?;
    let long = rest.bytes().take_while(u8::is_ascii_digit).count();
    Some((rest.get(..long)?.parse().unwrap_or(u64::MAX), at + long)).filter(|_| long > 0)
}

fn last_word(text: &str) -> &str {
    let start = text.rfind(|c: char| !is_word(c) || is_unspaced(c));
    let start = start.map_or(0, |at| {
        at + text[at..].chars().next().map_or(1, char::len_utf8)
    });
    text.get(start..).unwrap_or("")
}

/// `around line 40`, `line 40 or so`, `line 40 or 44`, `below line 40`.
fn is_vague(before: &str, after: &str) -> bool {
    const BESIDE: [&str; 17] = [
        "about",
        "above",
        "after",
        "approximately",
        "around",
        "before",
        "below",
        "beyond",
        "circa",
        "from",
        "near",
        "nearly",
        "or",
        "past",
        "roughly",
        "since",
        "until",
    ];
    let before = before.trim_end();
    is_one_of(&BESIDE, last_word(before))
        || before.ends_with(['~', '≈', '/'])
        || after.starts_with(['/', '~'])
        || is_one_of(
            &["or", "approximately", "ish"],
            after.split(|c: char| !is_word(c)).next().unwrap_or(""),
        )
}

/// The width of what stands before a line's words, where it is an item of a list.
fn indent(raw: &str) -> usize {
    raw.len() - raw.trim_start().len()
}

/// The file of a line above, of which this one is an item, or which this one goes on.
fn above<'n>(answer: &Answer<'_>, names: &'n [Name], own: &Mention) -> Option<&'n str> {
    let here = answer.raw_line(own.line);
    let (start, _) = answer.line_text(own.line);
    let lead = answer.text().get(start..own.range.0)?;
    let leads = lead.len() < 8 && !lead.contains(char::is_alphanumeric);
    for line in (own.line.saturating_sub(ABOVE)..own.line).rev() {
        let raw = answer.raw_line(line);
        let deeper = indent(here) > indent(raw);
        let from = names.partition_point(|name| name.1 < line);
        let of_line = names.get(from..)?.iter().take_while(|name| name.1 == line);
        let of_line: Vec<&str> = of_line.map(|name| name.0.as_str()).collect();
        if !of_line.is_empty() {
            let next = line + 1 == own.line && leads;
            return only(of_line).filter(|_| deeper || next);
        }
        // Siblings may stand between an item and its parent.
        if raw.trim().is_empty() || indent(raw) < indent(here) {
            return None;
        }
    }
    None
}

/// Rows of a table that name one file and hold a line in a cell of its own.
fn rows(answer: &Answer<'_>, names: &[Name], out: &mut Near) {
    let mut at = 0;
    while let Some((_, line, _)) = names.get(at) {
        let of_line = names[at..].iter().take_while(|name| name.1 == *line);
        let of_line: Vec<&str> = of_line.map(|name| name.0.as_str()).collect();
        at += of_line.len();
        let (start, text) = answer.line_text(*line);
        if text.len() > WIDTH || !text.contains('|') {
            continue;
        }
        let header = header(answer, *line);
        let mut offset = start;
        for (column, cell) in text.split('|').enumerate() {
            let (from, own) = (offset, cell.trim());
            offset += cell.len() + 1;
            let Some((first, end)) = number(own, 0) else {
                continue;
            };
            let rest = own.get(end..).unwrap_or("");
            let last = rest.strip_prefix('-').and_then(|rest| number(rest, 0));
            let whole = end + last.map_or(0, |(_, long)| long + 1) == own.len();
            if !whole {
                continue;
            }
            let mention = Mention {
                first,
                last: last.map(|(last, _)| last),
                range: (from, from + cell.len()),
                line: *line,
                vague: false,
            };
            let titled =
                header.is_some_and(|text| text.split('|').nth(column).is_some_and(is_title));
            match only(of_line.iter().copied()).filter(|_| titled) {
                Some(file) => out.sure.push((file.to_owned(), mention)),
                None => out.unsure.push(mention),
            }
        }
    }
}

fn is_title(cell: &str) -> bool {
    let cell = cell.trim();
    is_one_of(&["line", "lines", "line number", "at line"], cell)
        || ["行", "行号", "行号", "行数"].contains(&cell)
}

/// The first row of the table that a line stands in.
fn header<'t>(answer: &'t Answer<'_>, line: usize) -> Option<&'t str> {
    let text = |line: usize| answer.line_text(line).1;
    for rule in (line.saturating_sub(ABOVE)..line).rev() {
        let own = text(rule);
        if own.len() > WIDTH || !own.contains('|') {
            return None;
        }
        if super::table::is_rule(own) {
            return rule.checked_sub(1).map(text);
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sure(raw: &str) -> Vec<(String, u64, Option<u64>)> {
        let found = near(&Answer::read(raw)).sure.into_iter();
        found
            .map(|(file, own)| (file, own.first, own.last))
            .collect()
    }

    #[test]
    fn a_line_is_read_with_the_only_file_beside_it() {
        for (raw, last) in [
            ("In src/a.rs the check is on line 40.", None),
            ("The check, on line 40, is in `src/a.rs`.", None),
            ("src/a.rs holds it at lines 40-52", Some(52)),
            ("| File | Line |\n|---|---|\n| src/a.rs | 40 |", None),
            (
                "| File | Lines |\n|---|---|\n| src/a.rs | 40-52 |",
                Some(52),
            ),
            ("- src/a.rs\n  - line 40", None),
            ("- File: src/a.rs\n- Line: 40", None),
            ("File: src/a.rs\nLine: 40", None),
            ("src/a.rs 的第 40 行", None),
            ("src/a.rs第40行", None),
            ("第 40 行（src/a.rs）", None),
        ] {
            assert_eq!(sure(raw), [("src/a.rs".to_owned(), 40, last)], "{raw}");
        }
    }

    #[test]
    fn what_may_be_of_another_file_is_of_none() {
        for raw in [
            "In src/a.rs and src/b.rs the check is on line 40.",
            "In src/a.rs it is on line 40 and on line 44.",
            "src/a.rs, around line 40",
            "In src/a.rs it is on line 40 or 44",
            "src/a.rs holds it below line 40",
            "It is in src/a.rs. See line 40.",
            "- src/a.rs\n\n- line 40",
            "| File | Hits |\n|---|---|\n| src/a.rs | 40 |",
            "line 40",
        ] {
            assert!(sure(raw).is_empty(), "{raw}");
            assert!(!near(&Answer::read(raw)).unsure.is_empty(), "{raw}");
        }
        for raw in [
            "src/a.rs, line 40",
            "src/a.rs:40",
            "In src/a.rs there are 40 lines",
        ] {
            let found = near(&Answer::read(raw));
            assert!(found.sure.is_empty() && found.unsure.is_empty(), "{raw}");
        }
    }
}
