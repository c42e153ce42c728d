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
            '\u{200b}'..='\u{200f}'
            | '\u{202a}'..='\u{202e}'
            | '\u{2066}'..='\u{2069}'
            | '\u{feff}' => {}
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
    let mut out = String::new();
    let mut used = 0;
    for c in text.chars() {
        let width = c.width().unwrap_or(0);
        if used + width + 1 > columns {
            break;
        }
        out.push(c);
        used += width;
    }
    out.push('…');
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
    }
}
