//! Lines that are told near the name of their file and not with it: `In src/a.rs the check is on line 40`, a row of a table,
//! an item below the file's own.

use std::collections::BTreeMap;

use super::cite::path_like;
use super::label::is_one_of;
use super::script::is_unspaced;
use super::table::WIDTH;
use super::{Answer, is_word};

/// Lines above a row or an item in which its file or its header is looked for.
const ABOVE: usize = 32;

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
    /// Each line that can be of one file only, with the file's place in `files`.
    pub(crate) sure: Vec<(usize, Mention)>,
    /// Lines that may be of any file that is named.
    pub(crate) unsure: Vec<Mention>,
    /// Every file that is named, once.
    pub(crate) files: Vec<String>,
}

/// Which file is named in some place, by its place in [`Near::files`].
#[derive(Debug, Clone, Copy, Default)]
enum Named {
    #[default]
    None,
    Only(usize),
    Several,
}

impl Named {
    fn add(&mut self, file: usize) {
        *self = match *self {
            Self::None => Self::Only(file),
            Self::Only(own) if own == file => Self::Only(own),
            Self::Only(_) | Self::Several => Self::Several,
        };
    }

    fn only(self) -> Option<usize> {
        match self {
            Self::Only(file) => Some(file),
            Self::None | Self::Several => None,
        }
    }
}

/// What a line comes to for those below it.
#[derive(Debug, Clone, Copy)]
struct Line {
    named: Named,
    /// The width of what stands before its words, where it is an item of a list.
    indent: usize,
    blank: bool,
}

/// Reads them. The digits of a citation are no such line.
pub(crate) fn near(answer: &Answer<'_>) -> Near {
    answer.step(2 * answer.text().len());
    let clause = |at: usize| answer.clause(answer.token_at(at)).unwrap_or(u32::MAX);
    let mut files: BTreeMap<String, usize> = BTreeMap::new();
    let mut clauses: BTreeMap<u32, (Named, usize)> = BTreeMap::new();
    let mut lines: Vec<Line> = Vec::new();
    let mut mentions: Vec<Mention> = Vec::new();
    for line in 0..answer.line_count() {
        let (start, text) = answer.line_text(line);
        let mut named = Named::None;
        for (at, path) in paths(text) {
            let next = files.len();
            let file = *files.entry(path).or_insert(next);
            named.add(file);
            clauses.entry(clause(start + at)).or_default().0.add(file);
        }
        let raw = answer.raw_line(line);
        lines.push(Line {
            named,
            indent: raw.len() - raw.trim_start().len(),
            blank: raw.trim().is_empty(),
        });
        let own = told(text).map(|own| own.at(start, line));
        for own in own.filter(|own| !answer.is_cited(answer.token_at(own.range.0))) {
            clauses.entry(clause(own.range.0)).or_default().1 += 1;
            mentions.push(own);
        }
    }
    let mut out = Near::default();
    for own in mentions {
        let file = match clauses.get(&clause(own.range.0)) {
            Some((Named::None, _)) | None => above(answer, &lines, &own),
            Some((named, 1)) => named.only(),
            Some(_) => None,
        };
        out.add(file.filter(|_| !own.vague), own);
    }
    rows(answer, &lines, &mut out);
    let mut all: Vec<(String, usize)> = files.into_iter().collect();
    all.sort_by_key(|(_, file)| *file);
    out.files = all.into_iter().map(|(path, _)| path).collect();
    out
}

impl Near {
    fn add(&mut self, file: Option<usize>, own: Mention) {
        match file {
            Some(file) => self.sure.push((file, own)),
            None => self.unsure.push(own),
        }
    }
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

/// The file of a line above, of which this one is an item, or which this one goes on.
fn above(answer: &Answer<'_>, lines: &[Line], own: &Mention) -> Option<usize> {
    let here = lines.get(own.line)?;
    let (start, _) = answer.line_text(own.line);
    let lead = answer.text().get(start..own.range.0)?;
    let leads = lead.len() < 8 && !lead.contains(char::is_alphanumeric);
    for at in (own.line.saturating_sub(ABOVE)..own.line).rev() {
        answer.step(1);
        let line = lines.get(at)?;
        if !matches!(line.named, Named::None) {
            let next = at + 1 == own.line && leads;
            let deeper = here.indent > line.indent;
            return line.named.only().filter(|_| deeper || next);
        }
        // Siblings may stand between an item and its parent.
        if line.blank || line.indent < here.indent {
            return None;
        }
    }
    None
}

/// Rows of a table that name one file and hold a line in a cell of its own.
fn rows(answer: &Answer<'_>, lines: &[Line], out: &mut Near) {
    // The rule of the table that is being read, and which of its columns hold lines.
    let mut table: Option<(usize, Vec<bool>)> = None;
    let mut before = "";
    for (line, known) in lines.iter().enumerate() {
        let (start, text) = answer.line_text(line);
        answer.step(text.len().min(WIDTH));
        if text.len() > WIDTH || !text.contains('|') {
            (table, before) = (None, "");
            continue;
        }
        if !matches!(known.named, Named::None) {
            let titles = table.as_ref().filter(|(rule, _)| line - rule <= ABOVE);
            let titles = titles.map_or(&[][..], |(_, titles)| titles);
            row((start, text), line, (known.named, titles), out);
        }
        if super::table::is_rule(text) {
            let titles = before.split('|').map(is_title);
            table = Some((line, titles.collect()));
        }
        before = text;
    }
}

/// The cells of a row that hold a line.
fn row(
    (start, text): (usize, &str),
    line: usize,
    (named, titles): (Named, &[bool]),
    out: &mut Near,
) {
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
            line,
            vague: false,
        };
        let titled = titles.get(column).copied().unwrap_or(false);
        out.add(named.only().filter(|_| titled), mention);
    }
}

fn is_title(cell: &str) -> bool {
    let cell = cell.trim();
    is_one_of(&["line", "lines", "line number", "at line"], cell)
        || ["行", "行号", "行號", "行数", "行數"].contains(&cell)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sure(raw: &str) -> Vec<(String, u64, Option<u64>)> {
        let near = near(&Answer::read(raw));
        let found = near.sure.into_iter();
        found
            .map(|(file, own)| (near.files[file].clone(), own.first, own.last))
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
            ("| 文件 | 行号 |\n|---|---|\n| src/a.rs | 40 |", None),
            ("| 檔案 | 行號 |\n|---|---|\n| src/a.rs | 40 |", None),
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
            "| File | Line |\n|---|---|\nNo table:\n| src/a.rs | 40 |",
            "|---|---|\n| src/a.rs | 40 |",
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

    /// What is made of so many units, each answer slow to read for whoever starts anew at each of its parts.
    fn hostile(units: usize) -> [(&'static str, String); 5] {
        let of = |unit: &str| unit.repeat(units);
        let row = "1|".repeat(2000);
        [
            (
                "many names above many lines",
                format!("{}\n- {}", of("a.rs "), of("line 1, ")),
            ),
            (
                "deep items",
                format!("- x\n{}{}", " ".repeat(units), of("line 1, ")),
            ),
            (
                "a wide header",
                format!(
                    "{}\n|---|\n{}",
                    of("| Line "),
                    format!("a.rs |{row}\n").repeat(units / 2000)
                ),
            ),
            (
                "names in every cell",
                format!("{}\n", "a.rs |1|".repeat(500)).repeat(units / 500),
            ),
            (
                "one long name",
                format!("- {}x.rs\n  - {}", of("a/"), of("line 1, ")),
            ),
        ]
    }

    #[test]
    fn as_much_more_text_takes_as_many_more_steps() {
        for ((name, few), (_, many)) in hostile(25_000).into_iter().zip(hostile(100_000)) {
            let steps = |text: &str| {
                let answer = Answer::read(text);
                let before = answer.steps();
                near(&answer);
                answer.steps() - before
            };
            let (own, all) = (steps(&few), steps(&many));
            assert!(all <= own * 9 / 2, "{name}: {own}, then {all}");
            assert!(all < 40 * many.len() as u64, "{name}: {all}");
        }
    }
}
