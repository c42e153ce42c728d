//! What a page of ours tells, in one digest: its words, and what its elements say that they show.
//! The page that is written and the checker that reads it again share this.
//!
//! Only letters and digits count, so that neither blanks nor signs of Markdown do; and of the
//! markup only what names a cell, a row or a field. What stands before the line that names the
//! aggregate, and behind the line with this digest, is somebody else's.

use sha2::{Digest as _, Sha256};

use super::own::attribute;

/// The name of the line with the digest.
pub const FACTS: &str = "deedcheck-facts";
/// The attributes that count, in the order in which they do.
pub const MARKED: [&str; 6] = [
    "data-deed",
    "data-deed-row",
    "data-deed-rows",
    "data-deed-field",
    "data-deed-width",
    "data-deed-x",
];
/// What is held before it is hashed.
const HELD: usize = 1 << 16;

/// Takes what a page tells in its order.
#[derive(Debug, Default)]
pub struct Facts {
    hasher: Sha256,
    held: String,
}

impl Facts {
    /// Words as a reader sees them.
    pub fn text(&mut self, part: &str) {
        self.held
            .extend(part.chars().filter(|c| c.is_alphanumeric()));
        self.flush(HELD);
    }

    /// What an element says that it shows.
    pub fn mark(&mut self, name: &str, value: &str) {
        for part in ["\u{1}", name, "\u{2}", value, "\u{1}"] {
            self.held.push_str(part);
        }
        self.flush(HELD);
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
        for name in MARKED {
            if let Some(value) = attribute(tag, name) {
                facts.mark(name, &value);
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

/// Text without its character references: our pages write no letter and no digit as one.
fn plain(text: &str) -> String {
    let mut parts = text.split('&');
    let first = parts.next().unwrap_or("").to_owned();
    parts.fold(first, |all, part| {
        all + part.split_once(';').map_or("", |(_, after)| after)
    })
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
        ] {
            assert_ne!(of(page), of(&other), "{other}");
        }
    }
}
