//! Numbers that stand for themselves in what an agent was shown.

use memchr::memmem;

/// Whether a number stands in a text for itself: not within a name, an id, a path, an address or a
/// date, and not as the number of a line.
pub(super) fn holds_number(text: &str, digits: &str) -> bool {
    memmem::find_iter(text.as_bytes(), digits).any(|at| {
        let before = text[..at].chars().next_back();
        let after = text[at + digits.len()..].chars().next();
        let joined = |c: char| c.is_ascii_alphanumeric() || "./#-_@".contains(c);
        let coloured = before == Some('m') && ends_colour(&text[..at]);
        // A letter that follows is a unit or a part of a name: `24m`, `24Z`.
        let within = after.is_some_and(|c| c.is_ascii_alphanumeric() || "-_→\t".contains(c));
        let line = ordinal(text, at, digits) || before == Some(':') && after == Some(':');
        let mut early = text[..at].chars().rev().skip(1);
        let next = text[at + digits.len()..].chars().nth(1);
        // `15:22` is a time of day.
        let time = before == Some(':') && early.next().is_some_and(|c| c.is_ascii_digit())
            || after == Some(':') && next.is_some_and(|c| c.is_ascii_digit());
        let joined = before.is_some_and(joined) && !coloured;
        !joined
            && !within
            && !line
            && !time
            && !in_colour(text, at, digits)
            && !decimals(&text[at + digits.len()..])
    })
}

/// Whether a number only numbers its line: `### 8. Handlers`.
fn ordinal(text: &str, at: usize, digits: &str) -> bool {
    let mut rest = text[at + digits.len()..].chars();
    let marks = matches!(rest.next(), Some('.' | ')')) && rest.next() == Some(' ');
    // No further back than to what is no mark: a line may be as long as the text.
    let mut lead = text[..at].chars().rev().take_while(|c| *c != '\n');
    marks && lead.all(|c| matches!(c, '#' | '*' | ' '))
}

/// The lines of a text that hold some digits, each once.
pub(super) fn lines_holding<'t>(
    text: &'t str,
    digits: &str,
) -> impl Iterator<Item = &'t str> + use<'t> {
    let finder = memmem::Finder::new(digits).into_owned();
    let mut from = 0;
    core::iter::from_fn(move || {
        let at = from + finder.find(text.as_bytes().get(from..)?)?;
        let start = text[from..at]
            .rfind('\n')
            .map_or(from, |end| from + end + 1);
        let end = text[at..].find('\n').map_or(text.len(), |end| at + end);
        from = end + 1;
        let line = &text[start..end];
        Some(line.strip_suffix('\r').unwrap_or(line))
    })
}

/// Whether a text ends in a terminal's colour code.
fn ends_colour(text: &str) -> bool {
    let body = text.strip_suffix('m').unwrap_or("");
    let body = body.trim_end_matches(|c: char| c.is_ascii_digit() || c == ';');
    body.ends_with("\u{1b}[")
}

/// Whether a number is a part of a terminal's colour code: `ESC[1;33m`.
fn in_colour(text: &str, at: usize, digits: &str) -> bool {
    let part = |c: char| c.is_ascii_digit() || c == ';';
    let before = text[..at].trim_end_matches(part);
    let after = text[at + digits.len()..].trim_start_matches(part);
    before.ends_with('[') && after.starts_with('m')
}

/// Whether a decimal fraction follows: `24.00ms` holds no 24.
fn decimals(rest: &str) -> bool {
    let mut chars = rest.chars();
    chars.next() == Some('.') && chars.next().is_some_and(|c| c.is_ascii_digit())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_that_hold_digits_come_once_and_in_order() {
        let lines = |text: &'static str| lines_holding(text, "12").collect::<Vec<&str>>();
        assert_eq!(
            lines("12\r\n3\n 12 of 12\n\n4 12"),
            ["12", " 12 of 12", "4 12"]
        );
        assert_eq!(lines("1\n2\n"), [""; 0]);
        assert_eq!(lines("é 12"), ["é 12"]);
        assert_eq!(lines("12\n"), ["12"]);
    }

    #[test]
    fn the_number_of_a_line_is_none_and_one_within_it_is() {
        assert!(!holds_number("a\n## 12. Handlers", "12"));
        assert!(holds_number("a\n## Handlers: 12. Done", "12"));
        assert!(!holds_number("12) first", "12"));
    }
}
