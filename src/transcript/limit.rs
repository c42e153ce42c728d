//! The words of a usage limit, which clients pass off as an answer or as a completed task.

const LIMIT: [&str; 8] = [
    "out of extra usage",
    "hit your limit",
    "hit your session limit",
    "hit your usage limit",
    "hit your weekly limit",
    "usage limit reached",
    "reached your usage limit",
    "limit reached ∙ resets",
];

/// Whether the words are those of a usage limit. Only short texts are: an agent may well report
/// at length about such limits.
pub(super) fn is_limit(text: &str) -> bool {
    if text.len() > 400 {
        return false;
    }
    let lower = text.to_ascii_lowercase().replace('’', "'");
    LIMIT.iter().any(|needle| lower.contains(needle))
}
