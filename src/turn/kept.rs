//! Text of results, kept within a bound.

use std::borrow::Cow;

/// The most that is kept of one result, in bytes: its head and its tail.
const HEAD: usize = 48 * 1024;
const TAIL: usize = 48 * 1024;

/// Text of which the middle may be missing.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Kept {
    text: String,
    /// Where in `text` the middle is missing.
    gap: Option<usize>,
    whole: u64,
}

impl Kept {
    /// Keeps a text, cut in the middle where it is long.
    #[must_use]
    pub fn of(text: &str) -> Self {
        let whole = text.len() as u64;
        if text.len() <= HEAD + TAIL {
            return Self {
                text: text.to_owned(),
                gap: None,
                whole,
            };
        }
        let head = text.floor_char_boundary(HEAD);
        let tail = text.ceil_char_boundary(text.len() - TAIL);
        let mut kept = String::with_capacity(head + 1 + text.len() - tail);
        kept.push_str(&text[..head]);
        // A line break keeps words of the head and the tail apart.
        kept.push('\n');
        kept.push_str(&text[tail..]);
        Self {
            text: kept,
            gap: Some(head),
            whole,
        }
    }

    /// A text as long as it is read: [`Self::of`] keeps the same of it, and it is its own
    /// shortened form.
    #[must_use]
    pub fn shortened(text: &str) -> Cow<'_, str> {
        if text.len() <= HEAD + TAIL {
            return Cow::Borrowed(text);
        }
        // The characters that the cuts fall into stay, so that the cuts fall there again.
        let head = text.ceil_char_boundary(HEAD);
        let tail = text.floor_char_boundary(text.len() - TAIL);
        if tail <= head {
            return Cow::Borrowed(text);
        }
        Cow::Owned([&text[..head], "\n", &text[tail..]].concat())
    }

    /// The text that is there.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.text
    }

    /// Whether something is missing.
    #[must_use]
    pub fn is_cut(&self) -> bool {
        self.gap.is_some() || self.whole > self.text.len() as u64
    }

    /// Bytes held.
    #[must_use]
    pub fn held(&self) -> usize {
        self.text.len()
    }

    /// Keeps only some lines.
    pub fn retain_lines(&mut self, keep: impl Fn(&str) -> bool) {
        let lines: Vec<&str> = self.text.lines().filter(|line| keep(line)).collect();
        self.text = lines.join("\n");
        if self.gap.is_none() {
            self.whole = self.text.len() as u64;
        }
        self.gap = self.gap.map(|gap| gap.min(self.text.len()));
    }

    /// Lets go of the text and remembers that there was one.
    pub fn drop_text(&mut self) {
        self.text = String::new();
        self.gap = Some(0);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn long_texts_keep_head_and_tail() {
        let text = format!("{}é{}", "a".repeat(HEAD - 1), "z".repeat(2 * TAIL));
        let kept = Kept::of(&text);
        assert!(kept.is_cut());
        assert!(kept.as_str().starts_with("aaa") && kept.as_str().ends_with("zzz"));
        assert!(kept.held() <= HEAD + TAIL + 1);
        assert!(!Kept::of("short").is_cut());
    }

    #[test]
    fn a_shortened_text_is_kept_alike() {
        for fill in ["a", "é", "日", "🙂", "a🙂", "🙂é", "日a"] {
            for lead in ["", "x", "xx", "xxx"] {
                for more in [0, 1, 2, 3, 4, 5, 8, 13, 1000] {
                    let bytes = HEAD + TAIL + more;
                    let text = lead.to_owned() + &fill.repeat(bytes / fill.len());
                    let short = Kept::shortened(&text);
                    let (kept, again) = (Kept::of(&text), Kept::of(&short));
                    assert_eq!(kept.as_str(), again.as_str());
                    assert_eq!((kept.gap, kept.is_cut()), (again.gap, again.is_cut()));
                    assert_eq!(Kept::shortened(&short), short);
                    assert!(short.len() <= text.len() && short.len() <= HEAD + TAIL + 8);
                }
            }
        }
    }
}
