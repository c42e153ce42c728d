//! Elements whose content is no markup, and where comments and such content end.

use super::token::is_blank;

/// What an element holds whose content is no markup.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Holds {
    /// Text with character references.
    Title,
    /// A script, with its own rules for comments in it.
    Script,
    /// A style sheet.
    Style,
    /// Text as it is.
    Plain,
    /// Text as it is, up to the end of the page.
    Everything,
}

/// What an element of HTML holds, if not markup. `noscript` is read as a browser without scripts
/// reads it: a page has to be readable so.
pub(super) fn holds(name: &[u8]) -> Option<Holds> {
    const RAW: [(&[u8], Holds); 9] = [
        (b"script", Holds::Script),
        (b"style", Holds::Style),
        (b"title", Holds::Title),
        (b"textarea", Holds::Title),
        (b"xmp", Holds::Plain),
        (b"iframe", Holds::Plain),
        (b"noembed", Holds::Plain),
        (b"noframes", Holds::Plain),
        (b"plaintext", Holds::Everything),
    ];
    RAW.iter()
        .find(|(raw, _)| name.eq_ignore_ascii_case(raw))
        .map(|(_, holds)| *holds)
}

/// For a comment that begins at the start of `rest`: where its content ends, and where the page
/// goes on.
pub(super) fn comment_end(rest: &[u8]) -> (usize, usize) {
    for (short, length) in [(&b"<!-->"[..], 5), (b"<!--->", 6)] {
        if rest.starts_with(short) {
            return (4, length);
        }
    }
    let mut at = 4;
    while let Some(found) = memchr::memmem::find(rest.get(at..).unwrap_or_default(), b"--") {
        let dashes = at + found;
        match (rest.get(dashes + 2), rest.get(dashes + 3)) {
            (Some(b'>'), _) => return (dashes, dashes + 3),
            (Some(b'!'), Some(b'>')) => return (dashes, dashes + 4),
            _ => at = dashes + 1,
        }
    }
    (rest.len(), rest.len())
}

/// Where the content of the element `name` ends that begins at the start of `rest`.
pub(super) fn text_end(rest: &[u8], name: &[u8], holds: Holds) -> usize {
    if holds == Holds::Everything {
        return rest.len();
    }
    // In a script, `<!--` begins a stretch in which `<script` hides the next `</script`.
    let (mut escaped, mut double) = (false, false);
    let mut at = 0;
    while let Some(found) = rest
        .get(at..)
        .and_then(|rest| memchr::memchr2(b'<', b'-', rest))
    {
        let here = at + found;
        let tail = rest.get(here..).unwrap_or_default();
        at = here + 1;
        if tail.starts_with(b"</") && names(tail.get(2..), name) {
            if !double {
                return here;
            }
            double = false;
        } else if holds != Holds::Script {
        } else if tail.starts_with(b"<!--") && !escaped {
            escaped = true;
            // The dashes may end it at once.
            at = here + 2;
        } else if escaped && tail.starts_with(b"-->") {
            (escaped, double) = (false, false);
        } else if escaped && tail.first() == Some(&b'<') && names(tail.get(1..), name) {
            double = true;
        }
    }
    rest.len()
}

/// Whether a tag's name is `name`, and not only begins so.
fn names(rest: Option<&[u8]>, name: &[u8]) -> bool {
    let rest = rest.unwrap_or_default();
    let head = rest.get(..name.len()).unwrap_or_default();
    let ends = |byte: &u8| is_blank(*byte) || matches!(byte, b'/' | b'>');
    head.eq_ignore_ascii_case(name) && rest.get(name.len()).is_some_and(ends)
}
