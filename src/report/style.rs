//! Text for a terminal: safe, measured, and coloured only where that was asked for.

use unicode_width::{UnicodeWidthChar as _, UnicodeWidthStr as _};

/// How to write for one terminal or file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Style {
    /// Whether to use colours.
    pub colour: bool,
    /// Columns that a line may take.
    pub width: usize,
}

impl Style {
    /// No colours, at the width that files get.
    pub const PLAIN: Self = Self {
        colour: false,
        width: 100,
    };

    /// The style for a terminal of that many columns, or for a file.
    #[must_use]
    pub fn of(columns: Option<usize>, colour: bool) -> Self {
        Self {
            colour,
            width: columns.unwrap_or(Self::PLAIN.width).clamp(40, 160),
        }
    }

    fn paint(self, code: &str, text: &str) -> String {
        if self.colour && !text.is_empty() {
            format!("\u{1b}[{code}m{text}\u{1b}[0m")
        } else {
            text.to_owned()
        }
    }

    /// A heading.
    #[must_use]
    pub fn bold(self, text: &str) -> String {
        self.paint("1", text)
    }

    /// What stands in the background.
    #[must_use]
    pub fn dim(self, text: &str) -> String {
        self.paint("2", text)
    }

    /// What is wrong.
    #[must_use]
    pub fn red(self, text: &str) -> String {
        self.paint("31", text)
    }

    /// What is open.
    #[must_use]
    pub fn yellow(self, text: &str) -> String {
        self.paint("33", text)
    }

    /// What is borne out.
    #[must_use]
    pub fn green(self, text: &str) -> String {
        self.paint("32", text)
    }
}

/// A transcript's text on one line, with nothing in it that a terminal would obey: control
/// characters, and marks that turn the direction of writing, become spaces or are left out.
#[must_use]
pub fn clean(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '\n' | '\t' | '\r' => {
                if !out.ends_with(' ') {
                    out.push(' ');
                }
            }
            c if c.is_control() => {}
            // Marks without width, and marks that turn the direction of writing or break the line.
            '\u{ad}'
            | '\u{61c}'
            | '\u{200b}'..='\u{200f}'
            | '\u{2028}'..='\u{202e}'
            | '\u{2060}'..='\u{206f}'
            | '\u{feff}'
            | '\u{fff9}'..='\u{fffb}'
            | '\u{e0000}'..='\u{e007f}' => {}
            c => out.push(c),
        }
    }
    out
}

/// A text cut to a number of columns, with `…` where something is left out.
#[must_use]
pub fn fit(text: &str, columns: usize) -> String {
    if text.width() <= columns {
        return text.to_owned();
    }
    let mut out = head(text, columns.saturating_sub(1)).trim_end().to_owned();
    out.push('…');
    out
}

/// A path cut at its front, where the folders are, so that the file's own name stays to be seen.
#[must_use]
pub fn fit_path(path: &str, columns: usize) -> String {
    if path.width() <= columns {
        return path.to_owned();
    }
    let room = columns.saturating_sub(1);
    let (mut used, mut from) = (0, path.len());
    for (at, c) in path.char_indices().rev() {
        used += c.width().unwrap_or(0);
        if used > room {
            break;
        }
        from = at;
    }
    let tail = &path[from..];
    // Whole folders read better than half ones, as long as something of the name is left.
    let whole = tail.find('/').map_or(tail, |at| &tail[at..]);
    let kept = if whole.width() * 2 > room {
        whole
    } else {
        tail
    };
    format!("…{kept}")
}

/// The longest beginning of a text that takes no more than a number of columns.
fn head(text: &str, columns: usize) -> &str {
    let mut used = 0;
    for (at, c) in text.char_indices() {
        used += c.width().unwrap_or(0);
        if used > columns {
            return &text[..at];
        }
    }
    text
}

/// A text broken at spaces into lines of no more than a number of columns. A word that is longer
/// than a line is broken where the line ends.
#[must_use]
pub fn wrapped(text: &str, columns: usize) -> Vec<String> {
    joined(
        text.split(' ').filter(|word| !word.is_empty()),
        " ",
        columns,
    )
}

/// Parts on lines of no more than a number of columns, with a mark between two on one line.
#[must_use]
pub fn joined<'a>(
    parts: impl IntoIterator<Item = &'a str>,
    mark: &str,
    columns: usize,
) -> Vec<String> {
    let columns = columns.max(2);
    let mut lines: Vec<String> = Vec::new();
    let mut used = 0;
    for part in parts {
        let part = clipped(part);
        let (mut part, mut width) = (part, part.width());
        match lines.last_mut() {
            Some(line) if used + mark.width() + width <= columns => {
                line.push_str(mark);
                line.push_str(part);
                used += mark.width() + width;
                continue;
            }
            _ => {}
        }
        while width > columns {
            let piece = head(part, columns);
            lines.push(piece.to_owned());
            part = &part[piece.len()..];
            width = part.width();
        }
        lines.push(part.to_owned());
        used = width;
    }
    lines
}

/// The beginning of a part without a blank in it. Nobody reads on through more of it than this, and
/// measuring what is left at each line break would cost its square.
fn clipped(part: &str) -> &str {
    const UNBROKEN: usize = 8 * 1024;
    let end = part.floor_char_boundary(UNBROKEN);
    &part[..end]
}

/// A word as a shell would take it back, where it holds nothing that only a script could write.
#[must_use]
pub fn quoted(word: &str) -> Option<String> {
    if word.is_empty() || clean(word) != word {
        return None;
    }
    let plain = |c: char| c.is_alphanumeric() || "/._-+:,@%=~".contains(c);
    if word.chars().all(plain) && !word.starts_with(['-', '~', '=']) {
        return Some(word.to_owned());
    }
    Some(format!("'{}'", word.replace('\'', "'\\''")))
}

/// A number with its noun.
#[must_use]
pub fn counted(count: impl TryInto<u64>, noun: &str) -> String {
    let count: u64 = count.try_into().unwrap_or(u64::MAX);
    let plural = if count == 1 { "" } else { "s" };
    format!("{} {noun}{plural}", grouped(count))
}

/// A number with its thousands apart.
#[must_use]
pub fn grouped(count: u64) -> String {
    let digits = count.to_string();
    let mut out = String::new();
    for (at, digit) in digits.chars().enumerate() {
        if at > 0 && (digits.len() - at).is_multiple_of(3) {
            out.push(',');
        }
        out.push(digit);
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_that_a_terminal_obeys_gets_through() {
        assert_eq!(clean("a\u{1b}[31mb\nc\u{202e}d\0"), "a[31mb cd");
    }

    #[test]
    fn wide_characters_count_as_two() {
        assert_eq!(fit("日本語", 6), "日本語");
        assert_eq!(fit("日本語", 5), "日本…");
        assert_eq!(fit("abc", 2), "a…");
        assert_eq!(fit_path("日本/語語.jsonl", 9), "…語.jsonl");
    }

    #[test]
    fn the_end_of_a_path_stays() {
        assert_eq!(fit_path("a/b.jsonl:1", 11), "a/b.jsonl:1");
        assert_eq!(fit_path("folder/other/b.jsonl:1", 15), "…/b.jsonl:1");
        assert_eq!(fit_path("a/long-long-long-name.jsonl", 12), "…-name.jsonl");
        assert_eq!(fit_path("abc", 0), "…");
    }

    #[test]
    fn lines_break_between_parts_and_nothing_is_lost() {
        assert_eq!(wrapped("one two three", 8), ["one two", "three"]);
        assert_eq!(wrapped("abcdefgh ij", 5), ["abcde", "fgh", "ij"]);
        assert_eq!(
            joined(["1 a", "2 b", "3 c"], " · ", 9),
            ["1 a · 2 b", "3 c"]
        );
        assert!(wrapped("", 5).is_empty());
    }

    #[test]
    fn a_shell_gets_back_the_word() {
        assert_eq!(quoted("a/b.jsonl").as_deref(), Some("a/b.jsonl"));
        assert_eq!(quoted("a b's").as_deref(), Some("'a b'\\''s'"));
        assert_eq!(quoted("$(x)").as_deref(), Some("'$(x)'"));
        assert_eq!(quoted("-x").as_deref(), Some("'-x'"));
        assert_eq!(quoted("a\nb"), None);
    }
}
