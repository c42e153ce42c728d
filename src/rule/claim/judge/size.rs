//! Sizes with a unit: `13 MB` of a text, and `13M` of what measures.

use super::Case;
use super::figure::LINE;
use crate::transcript::Place;
use crate::turn::Act;

/// Sizes that a text tells: `9.0 MB` as `("9.0", 'm')`.
pub(super) fn sizes(text: &str) -> Vec<(String, char)> {
    let mut out = Vec::new();
    let bytes = text.as_bytes();
    let mut at = 0;
    while at < bytes.len() {
        if !bytes[at].is_ascii_digit() {
            at += 1;
            continue;
        }
        let end = bytes[at..]
            .iter()
            .position(|byte| !byte.is_ascii_digit() && *byte != b'.')
            .map_or(bytes.len(), |len| at + len);
        let rest = text[end..].trim_start_matches(' ');
        let mut unit = rest.chars().take_while(char::is_ascii_alphabetic);
        let first = unit.next().map(|c| c.to_ascii_lowercase());
        let tail: String = unit.collect::<String>().to_ascii_lowercase();
        if let Some(first @ ('k' | 'm' | 'g')) = first
            && matches!(tail.as_str(), "b" | "ib")
        {
            out.push((text[at..end].trim_end_matches('.').to_owned(), first));
        }
        at = end;
    }
    out.truncate(2);
    out
}

/// Whether a line holds a size: `784K`, `9.0 MB`.
pub(super) fn holds_size(line: &str, (digits, unit): &(String, char)) -> bool {
    line.len() <= LINE
        && line.match_indices(digits.as_str()).any(|(at, found)| {
            let before = line[..at].chars().next_back();
            let rest = line[at + found.len()..].trim_start_matches(' ');
            let mut rest = rest.chars();
            let own = rest.next().is_some_and(|c| c.to_ascii_lowercase() == *unit);
            let ends = rest
                .next()
                .is_none_or(|c| !c.is_alphanumeric() || matches!(c, 'b' | 'B' | 'i'));
            own && ends && !before.is_some_and(|c| c.is_alphanumeric() || c == '.')
        })
}

/// Where this turn shows a size.
pub(super) fn measured(case: &Case<'_>, size: &(String, char)) -> Option<Place> {
    let measures = |act: &Act| {
        matches!(
            act.program.as_str(),
            "du" | "ls" | "df" | "stat" | "git" | "wc"
        )
    };
    let step = case.turn.steps.iter().rev().find(|step| {
        let mut lines = step.text.as_str().lines();
        step.acts.iter().any(measures) && lines.any(|line| holds_size(line, size))
    })?;
    Some(step.result.unwrap_or(step.call))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes_are_told_by_their_units() {
        assert_eq!(sizes("9.0 MB | 784 KB | 91% less").len(), 2);
        assert_eq!(sizes("13MB")[0], ("13".to_owned(), 'm'));
        assert!(sizes("13 models, 4 keys").is_empty());
        assert!(holds_size("784K\t.git", &("784".to_owned(), 'k')));
        assert!(!holds_size("784 keys", &("784".to_owned(), 'k')));
    }
}
