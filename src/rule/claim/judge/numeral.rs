//! Numbers that stand for themselves in what an agent was shown.

/// Whether a number stands in a text for itself: not within a name, an id, a path, an address or a
/// date, and not as the number of a line.
pub(super) fn holds_number(text: &str, digits: &str) -> bool {
    text.match_indices(digits).any(|(at, _)| {
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
    let lead = text[..at].rsplit('\n').next().unwrap_or("");
    let mut rest = text[at + digits.len()..].chars();
    let marks = matches!(rest.next(), Some('.' | ')')) && rest.next() == Some(' ');
    marks && lead.chars().all(|c| matches!(c, '#' | '*' | ' '))
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
