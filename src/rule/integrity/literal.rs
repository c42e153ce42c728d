//! The values that a line of a test holds, and the one that differs between two lines.

use super::mark::{blanked, tokens};

/// The numbers of a line, and the line with a mark in the place of each.
pub(super) fn numbers(plain: &str) -> (Vec<&str>, String) {
    let mut found = Vec::new();
    let mut frame = String::with_capacity(plain.len());
    let bytes = plain.as_bytes();
    let mut at = 0;
    while at < bytes.len() {
        let inside = at > 0 && (bytes[at - 1].is_ascii_alphanumeric() || bytes[at - 1] == b'_');
        if bytes[at].is_ascii_digit() && !inside {
            let mut end = at;
            while end < bytes.len() {
                let sign = matches!(bytes[end], b'-' | b'+')
                    && end > at
                    && matches!(bytes[end - 1], b'e' | b'E');
                if !(bytes[end].is_ascii_digit()
                    || matches!(bytes[end], b'.' | b'_' | b'e' | b'E')
                    || sign)
                {
                    break;
                }
                end += 1;
            }
            found.push(plain[at..end].trim_end_matches('.'));
            frame.push('#');
            at = end;
        } else {
            let length = plain[at..].chars().next().map_or(1, char::len_utf8);
            frame.push_str(&plain[at..at + length]);
            at += length;
        }
    }
    (found, frame)
}

/// The literals of a line: contents of quotes, and numbers, with the line in which a mark stands
/// for each.
fn literals(line: &str) -> (Vec<String>, String) {
    let plain = blanked(line);
    let mut found = Vec::new();
    let mut frame = String::new();
    // Quotes stay in the blanked line, so contents are found by walking both.
    let mut rest = line;
    let mut open: Option<char> = None;
    for c in plain.chars() {
        if matches!(c, '"' | '\'' | '`') {
            let Some(at) = rest.find(c) else { break };
            if open == Some(c) {
                found.push((frame.len(), rest[..at].to_owned()));
                open = None;
            } else if open.is_none() && rest[at + c.len_utf8()..].contains(c) {
                open = Some(c);
            }
            rest = &rest[at + c.len_utf8()..];
        }
        frame.push(c);
    }
    let (numbers, marked) = numbers(&frame);
    let mut all: Vec<String> = found.into_iter().map(|(_, text)| text).collect();
    all.extend(numbers.into_iter().map(str::to_owned));
    (all, marked.split_whitespace().collect())
}

/// The values that a line holds: contents of quotes, and numbers.
pub(super) fn values(line: &str) -> Vec<String> {
    literals(line).0
}

/// The one literal that differs between two lines that are else alike.
pub(super) fn swapped(old: &str, new: &str) -> Option<(String, String)> {
    let ((before, frame), (after, other)) = (literals(old), literals(new));
    if frame != other || before.len() != after.len() {
        return words_swapped(old, new);
    }
    let mut differ = before.into_iter().zip(after).filter(|(a, b)| a != b);
    let pair = differ.next()?;
    differ.next().is_none().then_some(pair)
}

/// `True` for `False`, `null` for `0` and the like.
fn words_swapped(old: &str, new: &str) -> Option<(String, String)> {
    const CONSTANT: [&str; 8] = [
        "True",
        "False",
        "true",
        "false",
        "None",
        "null",
        "nil",
        "undefined",
    ];
    let (old, new) = (blanked(old), blanked(new));
    let (before, after): (Vec<&str>, Vec<&str>) = (tokens(&old).collect(), tokens(&new).collect());
    if before.len() != after.len() {
        return None;
    }
    let mut differ = before.iter().zip(&after).filter(|(a, b)| a != b);
    let (old, new) = differ.next()?;
    let constant = CONSTANT.contains(old) && CONSTANT.contains(new);
    (constant && differ.next().is_none()).then(|| ((*old).to_owned(), (*new).to_owned()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_literal_is_swapped() {
        assert_eq!(
            swapped("assert f(2) == 5", "assert f(2) == 7"),
            Some(("5".into(), "7".into()))
        );
        assert_eq!(
            swapped("expect(g()).toBe('old');", "expect(g()).toBe('new text');"),
            Some(("old".into(), "new text".into()))
        );
        assert_eq!(swapped("assert f(2) == 5", "assert f(3) == 7"), None);
        assert_eq!(swapped("assert f(2) == 5", "assert h(2) == 7"), None);
        assert_eq!(
            swapped("assert ok() is True", "assert ok() is False"),
            Some(("True".into(), "False".into()))
        );
    }
}
