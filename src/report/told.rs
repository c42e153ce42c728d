//! What a page of ours tells, in one digest: its words, and what its elements say that they show.
//! The page that is written and the checker that reads it again share this.
//!
//! Letters and digits count, and the signs and blanks that make another number of digits; so neither
//! other blanks nor signs of Markdown do. Of the markup, only what names a cell, a row or a field
//! counts, and where a shape lies. What stands before the line that names the aggregate, and behind
//! the line with this digest, is somebody else's.

use sha2::{Digest as _, Sha256};

use super::own::attribute;

/// The name of the line with the digest.
pub const FACTS: &str = "deedcheck-facts";
/// The name of what a page of ours says of itself, so that it is known to lack that line.
pub const PAGE: &str = "deedcheck-page";
/// The attributes that count, in the order in which they do.
pub const MARKED: [&str; 12] = [
    "data-deed",
    "data-deed-row",
    "data-deed-rows",
    "data-deed-field",
    "data-deed-width",
    "data-deed-x",
    "width",
    "x",
    "height",
    "y",
    "viewBox",
    "aria-labelledby",
];
/// Those from here on are numbers, which may be written in several ways, or names.
const PLACES: usize = 6;
/// Elements that stand within a line, where digits on both sides of them are of one number.
const WITHIN_LINE: [&str; 13] = [
    "a", "abbr", "b", "cite", "code", "em", "i", "q", "small", "span", "strong", "time", "wbr",
];
/// Signs that make another number of the one right beside them.
const SIGNS: &str =
    ".,:-\u{2212}\u{2012}\u{2013}+\u{d7}\u{f7}/^=\u{b1}\u{2248}\u{2264}\u{2265}\u{ac}\u{221a}";
/// Signs that do so even with a blank between.
const AFAR: &str = "%\u{2030}\u{2212}";
/// Signs of Markdown, which a reader does not see.
const UNSEEN: &str = "*`[]\\~_|";
/// Signs between two letters or digits that are looked at.
const GAP: usize = 16;
/// What is held before it is hashed.
const HELD: usize = 1 << 16;

/// Takes what a page tells in its order.
#[derive(Debug, Default)]
pub struct Facts {
    hasher: Sha256,
    held: String,
    /// The letter or digit before, in the same line of text.
    last: Option<char>,
    /// The signs since then, a blank for each run of them.
    gap: String,
    /// Whether what is shown is a number that is held against its cell by itself.
    number: bool,
}

impl Facts {
    /// Words as a reader sees them.
    pub fn text(&mut self, part: &str) {
        for c in part.chars() {
            if c.is_alphanumeric() {
                self.settle(Some(c));
                self.held.push(c);
            } else if !self.number && !UNSEEN.contains(c) && self.gap.chars().count() < GAP {
                let c = if c.is_whitespace() { ' ' } else { c };
                if c != ' ' || !self.gap.ends_with(' ') {
                    self.gap.push(c);
                }
            }
        }
        self.flush(HELD);
    }

    /// Takes from the signs since the last letter or digit what matters beside a digit.
    fn settle(&mut self, next: Option<char>) {
        let gap = std::mem::take(&mut self.gap);
        let last = std::mem::replace(&mut self.last, next);
        let digit = |c: Option<char>| c.is_some_and(char::is_numeric);
        if gap.is_empty() || !digit(last) && !digit(next) {
            return;
        }
        let signs = |c: &char| SIGNS.contains(*c) || AFAR.contains(*c);
        let behind: String = gap.chars().take_while(signs).collect();
        let ahead = gap.chars().rev().take_while(signs).count();
        if gap == " " && digit(last) && digit(next) {
            self.held.push(' ');
        }
        if digit(last) {
            self.held.push_str(&behind);
        }
        if digit(next) && behind.len() < gap.len() {
            let from = gap.chars().count() - ahead;
            self.held.extend(gap.chars().skip(from));
        } else if digit(next) && !digit(last) {
            self.held.push_str(&behind);
        }
        self.held.extend(gap.chars().filter(|c| AFAR.contains(*c)));
    }

    /// A start tag or an end tag: digits on both sides of a block are of two numbers.
    pub fn tag(&mut self, name: &str) {
        if !WITHIN_LINE.iter().any(|own| name.eq_ignore_ascii_case(own)) {
            self.settle(None);
        }
    }

    /// A number that is held against its cell begins, or is over.
    pub fn number(&mut self, begins: bool) {
        self.settle(None);
        self.number = begins;
    }

    /// What an element says that it shows.
    pub fn mark(&mut self, name: &str, value: &str) {
        for part in ["\u{1}", name, "\u{2}", value, "\u{1}"] {
            self.held.push_str(part);
        }
        self.flush(HELD);
    }

    /// What an element says that it shows, by its place among [`MARKED`].
    pub fn marked(&mut self, which: usize, value: &str) {
        let Some(name) = MARKED.get(which) else {
            return;
        };
        if which < PLACES {
            return self.mark(name, value);
        }
        let plain: Vec<String> = value.split_whitespace().map(measure).collect();
        self.mark(name, &plain.join(" "));
    }

    fn flush(&mut self, least: usize) {
        if self.held.len() >= least {
            self.hasher.update(&self.held);
            self.held.clear();
        }
    }

    /// SHA-256 in hex.
    #[must_use]
    pub fn digest(mut self) -> String {
        self.settle(None);
        self.flush(1);
        crate::grade::hex(&self.hasher.finalize())
    }
}

/// The line that closes a page which begins to tell at `begins`.
pub(super) fn line(page: &str, begins: &str) -> String {
    let start = page.find(begins).unwrap_or(0);
    let mut rest = page.get(start..).unwrap_or_default();
    let mut facts = Facts::default();
    while let Some((words, tag)) = rest.split_once('<') {
        facts.text(&plain(words));
        if let Some(comment) = tag.strip_prefix("!--") {
            rest = comment.split_once("-->").map_or("", |(_, after)| after);
            continue;
        }
        let (tag, after) = tag.split_once('>').unwrap_or((tag, ""));
        if facts.number {
            facts.number(false);
        }
        let name = tag.trim_start_matches('/');
        facts.tag(name.split([' ', '/']).next().unwrap_or(""));
        for (which, name) in MARKED.iter().enumerate() {
            if let Some(value) = attribute(tag, name) {
                facts.marked(which, &value);
                if which == 0 {
                    facts.number(true);
                }
            }
        }
        rest = match tag.starts_with("style") {
            true => after.find("</style").map_or("", |end| &after[end..]),
            false => after,
        };
    }
    facts.text(&plain(rest));
    format!("<!-- {FACTS} sha256:{} -->\n", facts.digest())
}

/// Text with its character references undone, as our pages write them: of signs, never of a letter or a
/// digit.
fn plain(text: &str) -> String {
    let mut parts = text.split('&');
    let first = parts.next().unwrap_or("").to_owned();
    parts.fold(first, |all, part| {
        let (name, after) = part.split_once(';').unwrap_or(("", part));
        let code = name.strip_prefix('#').and_then(|code| code.parse().ok());
        let sign = match name {
            "amp" => "&".to_owned(),
            "lt" => "<".to_owned(),
            "gt" => ">".to_owned(),
            "quot" => "\"".to_owned(),
            _ => code
                .and_then(char::from_u32)
                .map_or(String::new(), String::from),
        };
        all + &sign + after
    })
}

/// A plain number, whichever way it is written; what is none stays as it is.
pub fn measure(text: &str) -> String {
    let (mantissa, exponent) = text.split_once(['e', 'E']).unwrap_or((text, "0"));
    let (whole, part) = mantissa.split_once('.').unwrap_or((mantissa, ""));
    let digits = |text: &str| text.bytes().all(|b| b.is_ascii_digit());
    let exponent = exponent.parse::<usize>().ok().filter(|many| *many < 10);
    let part = part.trim_end_matches('0');
    match exponent {
        Some(more) if digits(whole) && digits(part) && !whole.is_empty() && part.len() <= more => {
            let nought = "0".repeat(more - part.len());
            let number = format!("{whole}{part}{nought}");
            let short = number.trim_start_matches('0');
            if short.is_empty() { "0" } else { short }.to_owned()
        }
        _ => text.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn letters_and_digits_and_marks_count() {
        let of = |page: &str| line(page, "<!-- a");
        let page = "Hello <!-- a --><b class=\"x\" data-deed=\"turns\">5</b> &amp; so on";
        let same =
            "Bye <!-- a -->\n**<b data-deed=\"turns\">5</b>**\n<!-- 7 --><style>x</style> so, on.";
        assert_eq!(of(page), of(same));
        for other in [
            page.replace("data-deed", "data-dead"),
            page.replace("turns", "turn"),
            page.replace('5', "6"),
            page.replace("so", "not so"),
            page.replace("so", "so 7"),
        ] {
            assert_ne!(of(page), of(&other), "{other}");
        }
    }

    #[test]
    fn signs_and_blanks_that_make_another_number_count() {
        let of = |text: &str| line(&format!("<!-- a --><p>{text}</p>"), "<!-- a");
        for (one, same) in [
            ("Rows 3417", "Rows\n 3417"),
            ("Rows 3417 made", "Rows **3417** made"),
            ("in 4 of 5, or so", "in 4 of\t5, or  so"),
            (
                "<b data-deed=\"turns\">1,655</b> x",
                "<b data-deed=\"turns\">1655</b> x",
            ),
            ("- 5 of it", "* 5 of it"),
        ] {
            assert_eq!(of(one), of(same), "{one}");
        }
        let forms = [
            "Rows 3417",
            "Rows 341.7",
            "Rows 34,17",
            "Rows 3417 %",
            "Rows 3417%",
            "Rows \u{2212}3417",
            "Rows -3417",
            "Rows 34 17",
            "Rows \u{2212} 3417",
            "Rows 3417 \u{2030}",
        ];
        let lines: std::collections::BTreeSet<String> = forms.iter().map(|text| of(text)).collect();
        assert_eq!(lines.len(), forms.len());
        assert_eq!(
            ["1e4", "6000.0", "010", "0.5", "x"].map(measure),
            ["10000", "6000", "10", "0.5", "x"]
        );
    }
}
