//! What stands behind a run in its pipeline and may have hidden a part of its output.

use super::{Speech, Summary};

/// What a filter behind a run lets through.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Via {
    /// All of it, its end, or lines picked by a pattern that also picks failures.
    Whole,
    /// Lines picked without regard to failures, or the beginning only.
    Part,
}

impl Via {
    /// The filter that a command of a pipeline is; its words are joined by spaces. Programs that
    /// are no filter let everything through.
    #[must_use]
    pub fn of(program: &str, words: &str) -> Self {
        match program {
            "head" | "sed" | "awk" | "cut" | "uniq" | "sort" | "wc" | "tr" => Self::Part,
            "grep" | "egrep" | "rg" | "ag" => {
                let inverted = words.split(' ').skip(1).any(|word| {
                    word.starts_with('-') && !word.starts_with("--") && word.contains('v')
                });
                let lower = words.to_ascii_lowercase();
                let failures = [
                    "fail",
                    "error",
                    "test result",
                    "not ok",
                    "passed",
                    "summary",
                ];
                if !inverted && failures.iter().any(|word| lower.contains(word)) {
                    Self::Whole
                } else {
                    Self::Part
                }
            }
            _ => Self::Whole,
        }
    }
}

impl Summary {
    /// What the summary still proves behind a filter. A failure that shows is a failure; a clean
    /// summary counts only where a failure would have shown as well.
    #[must_use]
    pub fn seen_through(self, via: Via) -> Speech {
        let hidden = via == Via::Part && self.scattered;
        match self.speech {
            Speech::Ok | Speech::Empty if hidden => Speech::Silent,
            speech => speech,
        }
    }
}
