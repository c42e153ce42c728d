//! What stands right beside a number or a verdict: a digit, a sign or a word there makes another one
//! of it, whatever its own element holds.

use unicode_general_category::{GeneralCategory, get_general_category};

/// Characters of a line that are remembered.
const TAIL: usize = 32;
/// Bytes at either end of a text that are looked at; nobody reads on through more than that.
pub(super) const NEAR: usize = 4096;
/// Elements whose right side is awaited at a time.
const AWAITED: usize = 64;

/// Signs that make another number of the one that they stand right before.
const SIGNS: &str = "-−‒–+±¬!~≈≠<>≤≥.%‰×^⁄√";
/// Words that turn round what follows them.
const NEGATORS: [&str; 14] = [
    "not", "no", "non", "never", "neither", "nor", "without", "hardly", "minus", "isn't", "isn’t",
    "wasn't", "un", "cannot",
];

/// What kind of text an element shows.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Shows {
    /// A number.
    Number,
    /// A word of a closed list, such as a verdict.
    Word,
}

/// An element that is over, and what stood behind it so far.
#[derive(Debug)]
struct Awaited {
    at: usize,
    shows: Shows,
    /// Whether it ends in a per cent sign.
    percent: bool,
    first: Option<char>,
}

/// The line of text that is being read.
#[derive(Debug, Default)]
pub(super) struct Beside {
    tail: String,
    awaited: Vec<Awaited>,
    /// Controls of direction that are open.
    turned: u32,
    /// Elements that turn the direction.
    pub(super) turning: u32,
    /// Newlines that stand at the end so far.
    newlines: u32,
    /// Places of elements that something stands right behind.
    pub(super) wrong: Vec<usize>,
}

impl Beside {
    /// A new line begins.
    pub(super) fn apart(&mut self) {
        self.tail.clear();
        self.awaited.clear();
        self.turned = 0;
        self.newlines = 0;
    }

    /// Text was passed over. What stands behind it must be seen to begin with something else.
    pub(super) fn skipped(&mut self) {
        self.apart();
        self.tail.push('_');
    }

    /// Text as a reader sees it. In Markdown a blank line begins another paragraph.
    pub(super) fn text(&mut self, part: &str, markdown: bool) {
        for c in part.chars() {
            match c {
                '\u{202a}' | '\u{202b}' | '\u{202d}' | '\u{202e}' | '\u{2066}'..='\u{2068}' => {
                    self.turned = self.turned.saturating_add(1);
                }
                '\u{202c}' | '\u{2069}' => self.turned = self.turned.saturating_sub(1),
                '\n' if markdown && self.newlines > 0 => self.apart(),
                c if is_invisible(c) => {}
                c => self.push(c),
            }
        }
    }

    fn push(&mut self, c: char) {
        self.newlines = u32::from(c == '\n');
        let plain = matches!(c, ' ' | '\t' | '\n' | '\r' | '\x0c');
        let c = if plain { ' ' } else { c };
        if plain && self.tail.ends_with(' ') {
            return;
        }
        if !self.awaited.is_empty() {
            self.behind(c);
        }
        self.tail.push(c);
        if self.tail.len() > 8 * TAIL {
            let cut = self.tail.char_indices().rev().nth(TAIL);
            self.tail.drain(..cut.map_or(0, |(at, _)| at));
        }
    }

    /// Whether what stands before an element that begins here makes another thing of it.
    pub(super) fn before(&self, shows: Shows) -> bool {
        let mut chars = self.tail.chars().rev();
        let Some(last) = chars.next() else {
            return false;
        };
        let before = chars.next();
        let digit = before.is_some_and(char::is_numeric);
        let glued = is_word(last)
            || match last {
                '–' if digit || before == Some('%') => false,
                ',' | '\'' | '’' => digit && shows == Shows::Number,
                c if is_narrow(c) => digit && shows == Shows::Number,
                '-' => true,
                c => shows == Shows::Number && SIGNS.contains(c),
            };
        glued || self.negates(shows)
    }

    fn negates(&self, shows: Shows) -> bool {
        let words = self.tail.trim_end();
        let word = words.rsplit(|c: char| c.is_whitespace()).next();
        let word = word.unwrap_or("").to_lowercase();
        let of_numbers = matches!(word.as_str(), "not" | "minus" | "never");
        match shows {
            Shows::Number => of_numbers,
            Shows::Word => NEGATORS.contains(&word.as_str()),
        }
    }

    /// Whether the direction of writing is turned here.
    pub(super) fn is_turned(&self) -> bool {
        self.turned > 0 || self.turning > 0
    }

    /// An element is over that shows `text`.
    pub(super) fn ended(&mut self, at: usize, shows: Shows, text: &str) {
        if self.awaited.len() < AWAITED {
            self.awaited.push(Awaited {
                at,
                shows,
                percent: text.trim_end().ends_with('%'),
                first: None,
            });
        }
    }

    fn behind(&mut self, c: char) {
        let wrong = &mut self.wrong;
        self.awaited.retain_mut(|one| {
            let (decided, is_wrong) = one.decide(c);
            if is_wrong {
                wrong.push(one.at);
            }
            !decided
        });
    }
}

impl Awaited {
    /// Takes the next character: whether it decides, and whether it is wrong there.
    fn decide(&mut self, c: char) -> (bool, bool) {
        let number = self.shows == Shows::Number;
        let per = number && !self.percent && matches!(c, '%' | '‰');
        match self.first {
            None if is_word(c) || is_mark(c) || per => (true, true),
            None if number && matches!(c, '×' | '^' | '⁄') => (true, true),
            None if number && (matches!(c, ' ' | '.' | ',' | '\'' | '’') || is_narrow(c)) => {
                self.first = Some(c);
                (false, false)
            }
            None => (true, false),
            Some(' ') => (true, per),
            Some(_) => (true, per || c.is_numeric()),
        }
    }
}

/// What stands for a picture or a field may show a digit.
fn is_word(c: char) -> bool {
    c.is_alphanumeric() || matches!(c, '_' | '\u{fffc}')
}

/// Whether what stands right before or right behind a number of a mapping makes another one of it.
/// There, nobody wrote blanks or dashes with this in mind.
pub(super) fn is_glued(before: &str, behind: &str, percent: bool) -> bool {
    let mut line = Beside::default();
    line.text(before, false);
    let glued = line.before(Shows::Number);
    line.ended(0, Shows::Number, if percent { "%" } else { "" });
    line.text(behind, false);
    let mut next = behind.chars();
    let joined = match next.next() {
        Some('-' | '–' | '−' | '+') => {
            next.next().is_some_and(char::is_numeric) || behind.starts_with('+')
        }
        Some(' ') => next.take(3).filter(char::is_ascii_digit).count() == 3,
        _ => false,
    };
    glued || joined || !line.wrong.is_empty()
}

/// Blanks that group the digits of one number.
fn is_narrow(c: char) -> bool {
    matches!(
        c,
        '\u{a0}' | '\u{2002}'..='\u{200a}' | '\u{202f}' | '\u{205f}'
    )
}

fn is_mark(c: char) -> bool {
    !c.is_ascii()
        && matches!(
            get_general_category(c),
            GeneralCategory::NonspacingMark
                | GeneralCategory::EnclosingMark
                | GeneralCategory::SpacingMark
        )
}

fn is_invisible(c: char) -> bool {
    match c {
        '\u{34f}'
        | '\u{115f}'
        | '\u{1160}'
        | '\u{17b4}'
        | '\u{17b5}'
        | '\u{3164}'
        | '\u{ffa0}'
        | '\u{fe00}'..='\u{fe0f}' => true,
        c if c.is_ascii() => c.is_ascii_control() && !c.is_ascii_whitespace(),
        c => get_general_category(c) == GeneralCategory::Format,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn before(text: &str, shows: Shows) -> bool {
        let mut line = Beside::default();
        line.text(text, false);
        line.before(shows)
    }

    fn behind(shown: &str, shows: Shows, text: &str) -> bool {
        let mut line = Beside::default();
        line.ended(7, shows, shown);
        line.text(text, false);
        line.wrong == [7]
    }

    #[test]
    fn what_stands_before_is_told() {
        for wrong in [
            "5",
            "a",
            "_",
            "-",
            "x −",
            "+",
            "1,",
            "1.",
            "1\u{a0}",
            "is not ",
            "minus\n",
            "5\u{200b}",
            "½",
            "<",
            "-\u{2067}",
        ] {
            assert!(before(wrong, Shows::Number), "{wrong:?}");
        }
        for right in [
            "",
            " ",
            "of ",
            "(",
            "5 ",
            "5–",
            "95 %: ",
            "a, ",
            "“",
            "None of ",
            "/",
            "Not at all: ",
        ] {
            assert!(!before(right, Shows::Number), "{right:?}");
        }
        for wrong in ["not ", "No ", "un", "non-", "it isn't\t"] {
            assert!(before(wrong, Shows::Word), "{wrong:?}");
        }
        assert!(!before("knot ", Shows::Word) && !before(" · ", Shows::Word));
    }

    #[test]
    fn what_stands_behind_is_told() {
        for wrong in [
            "0",
            "k",
            "\u{2067}0",
            "%",
            " %",
            "\u{a0}%",
            ".5",
            ",000",
            "\u{a0}000",
            "\u{338}",
            "_",
            "e3",
            "×2",
        ] {
            assert!(behind("5", Shows::Number, wrong), "{wrong:?}");
        }
        for right in [
            "", " 0", ". Then", ", 5", "/7", ")", "; 5", " x", "–7", " (95 %: ",
        ] {
            assert!(!behind("5", Shows::Number, right), "{right:?}");
        }
        assert!(!behind("96.2 %", Shows::Number, " (95 %: "));
        assert!(behind("fail", Shows::Word, "ed") && !behind("fail", Shows::Word, ", 5"));
    }

    #[test]
    fn directions_end_with_their_line() {
        let mut line = Beside::default();
        line.text("a \u{202e}b", false);
        assert!(line.is_turned());
        line.text("\u{202c}", false);
        assert!(!line.is_turned());
        line.text("\u{2067}", false);
        line.apart();
        assert!(!line.is_turned());
        line.text("5\n", true);
        line.text("\n", true);
        assert!(!line.before(Shows::Number));
    }
}
