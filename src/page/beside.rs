//! What stands right beside a number or a verdict: a digit, a sign or a word there makes another one
//! of it, whatever its own element holds.

use unicode_general_category::{GeneralCategory, get_general_category};

use super::alternative::is_thousand;

/// Characters of a line that are remembered.
const TAIL: usize = 32;
/// Bytes at either end of a text that are looked at; nobody reads on through more than that.
pub(super) const NEAR: usize = 4096;
/// Elements whose right side is awaited at a time.
const AWAITED: usize = 64;

/// Signs that make another number of the one that they stand right before.
const SIGNS: &str = "-−‒–+±¬!~≈≠<>≤≥.%‰×^⁄√";
/// Signs that compare, even with a blank behind them.
const COMPARING: [char; 5] = ['≤', '≥', '≈', '≠', '±'];
/// Words behind a number that multiply it, without their ending.
const MULTIPLES: [&str; 6] = [
    "hundred", "thousand", "million", "billion", "dozen", "score",
];
/// What stands for the beginning of a number that is held against a cell by itself.
const CHECKED: char = '\u{1}';
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

/// An element that is over, and what stands behind it so far.
#[derive(Debug)]
struct Awaited {
    at: usize,
    shows: Shows,
    /// Whether it ends in a per cent sign.
    percent: bool,
    behind: String,
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
        for one in std::mem::take(&mut self.awaited) {
            self.decide(&one);
        }
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
        self.behind(c);
        self.tail.push(c);
        if self.tail.len() > 8 * TAIL {
            let cut = self.tail.char_indices().rev().nth(TAIL);
            self.tail.drain(..cut.map_or(0, |(at, _)| at));
        }
    }

    /// Whether what stands before an element that begins here makes another thing of it.
    pub(super) fn before(&self, shows: Shows) -> bool {
        let mut chars = self.tail.chars().rev().filter(|c| *c != CHECKED);
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
        let compared = || self.tail.trim_end().ends_with(COMPARING);
        glued || shows == Shows::Number && compared() || self.negates(shows)
    }

    fn negates(&self, shows: Shows) -> bool {
        let mut words = self.tail.split_whitespace().rev();
        let mut word = || words.next().unwrap_or_default().to_lowercase();
        let last = word();
        match shows {
            Shows::Number => {
                matches!(
                    last.as_str(),
                    "not" | "no" | "minus" | "never" | "under" | "below"
                ) || last == "than"
                    && matches!(word().as_str(), "more" | "less" | "fewer" | "greater")
            }
            Shows::Word => NEGATORS.contains(&last.as_str()),
        }
    }

    /// Whether the direction of writing is turned here.
    pub(super) fn is_turned(&self) -> bool {
        self.turned > 0 || self.turning > 0
    }

    /// An element begins whose number is held against a cell: what it makes of another one together with
    /// it, such as `5/7`, is as right as both.
    pub(super) fn checked(&mut self) {
        self.behind(CHECKED);
    }

    /// An element is over that shows `text`.
    pub(super) fn ended(&mut self, at: usize, shows: Shows, text: &str) {
        if self.awaited.len() < AWAITED {
            self.awaited.push(Awaited {
                at,
                shows,
                percent: text.trim_end().ends_with('%'),
                behind: String::new(),
            });
        }
    }

    /// Takes a character that stands behind what is awaited.
    fn behind(&mut self, c: char) {
        for one in &mut self.awaited {
            one.behind.push(c);
        }
        while let Some(one) = self.awaited.first().filter(|one| one.behind.len() >= TAIL) {
            let one = Awaited {
                behind: one.behind.clone(),
                ..*one
            };
            self.awaited.remove(0);
            self.decide(&one);
        }
    }

    fn decide(&mut self, one: &Awaited) {
        if one.is_another() {
            self.wrong.push(one.at);
        }
    }

    /// The page is over.
    pub(super) fn end(&mut self) -> Vec<usize> {
        self.apart();
        std::mem::take(&mut self.wrong)
    }
}

impl Awaited {
    /// Whether what stands behind makes another thing of what is shown.
    fn is_another(&self) -> bool {
        let mut chars = self.behind.chars();
        let Some(first) = chars.next() else {
            return false;
        };
        let rest = chars.as_str();
        if is_word(first) || is_mark(first) {
            return true;
        }
        if self.shows != Shows::Number {
            return false;
        }
        let digit = rest.starts_with(char::is_numeric);
        let glued = match first {
            '×' | '^' | '⁄' | '+' => true,
            '/' | '-' | '–' | '−' | '.' | ',' | '\'' | '’' => digit,
            c => is_narrow(c) && digit,
        };
        let words = self.behind.trim_start();
        let blank = words.len() < self.behind.len();
        glued
            || !self.percent && is_percent(words)
            || blank && is_thousand(words)
            || multiplies(words)
    }
}

/// Whether a text begins with a word that makes a multiple or a range of the number before it.
fn multiplies(text: &str) -> bool {
    let end = text
        .find(|c: char| !c.is_alphabetic())
        .unwrap_or(text.len());
    let (word, rest) = text.split_at_checked(end).unwrap_or((text, ""));
    let rest = rest.trim_start();
    let word = word.to_lowercase();
    match word.as_str() {
        "to" => rest.starts_with(char::is_numeric),
        "or" => ["more", "less", "fewer"]
            .iter()
            .any(|word| rest.starts_with(word)),
        _ => MULTIPLES.contains(&word.trim_end_matches('s')),
    }
}

fn is_percent(text: &str) -> bool {
    let words = ["percent", "per cent"];
    text.starts_with(['%', '‰']) || words.iter().any(|word| text.starts_with(word))
}

/// What stands for a picture or a field may show a digit.
fn is_word(c: char) -> bool {
    c.is_alphanumeric() || matches!(c, '_' | '\u{fffc}')
}

/// Whether what stands right before or right behind a number of a mapping makes another one of it.
/// There, nobody wrote with this in mind: what parts two numbers, such as `5/7` and `5 to 7`, parts them.
pub(super) fn is_glued(before: &str, behind: &str, percent: bool) -> bool {
    let mut line = Beside::default();
    line.text(before, false);
    let glued = line.before(Shows::Number);
    line.apart();
    let two = behind.starts_with('/') || behind.trim_start().starts_with("to ");
    line.ended(0, Shows::Number, if percent { "%" } else { "" });
    line.text(if two { "" } else { behind }, false);
    glued || !line.end().is_empty()
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
        line.end() == [7]
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
            "no ",
            "≤ ",
            "more than ",
            "Fewer  than\n",
            "under ",
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
            "no. ",
            "rather than ",
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
            " 000",
            " 000.",
            " thousand",
            " million of them",
            " hundreds",
            " dozen",
            "/6",
            "-6",
            "–6",
            "+",
            " to 9",
            " or more",
            " percent",
        ] {
            assert!(behind("5", Shows::Number, wrong), "{wrong:?}");
        }
        for right in [
            "", " 0", ". Then", ", 5", "/", ")", "; 5", " x", " – 7", " (95 %: ", " 0000", "-fold",
            " to the", " scorers", " or not",
        ] {
            assert!(!behind("5", Shows::Number, right), "{right:?}");
        }
        assert!(!behind("96.2 %", Shows::Number, " (95 %: "));
        let mut line = Beside::default();
        line.ended(7, Shows::Number, "5");
        line.text("/", false);
        line.checked();
        line.text("7", false);
        assert_eq!(line.end(), Vec::<usize>::new());
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
