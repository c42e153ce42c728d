//! Markdown: what of it is code and so no markup, and how it reads without its own signs.

use std::borrow::Cow;
use std::collections::HashMap;

/// What stands for a `<` that is no markup.
pub(super) const LESS: u8 = 1;
/// What stands for an `&` that is no reference.
pub(super) const AMPERSAND: u8 = 2;

/// Bytes after `](` within which a link must end.
const LINK: usize = 2048;

/// The page with each `<` and `&` in code taken out of the way of the tokenizer; as long as before.
pub(super) fn masked(bytes: &[u8]) -> Vec<u8> {
    let mut out = bytes.to_vec();
    let mut fence: Option<(u8, usize)> = None;
    let mut paragraph = 0;
    let mut at = 0;
    while at < bytes.len() {
        let rest = bytes.get(at..).unwrap_or_default();
        let length = memchr::memchr(b'\n', rest).map_or(rest.len(), |end| end + 1);
        let line = rest.get(..length).unwrap_or_default();
        let end = at + length;
        let opened = fence_of(line);
        match (fence, opened) {
            (Some((sign, least)), Some((own, run, bare)))
                if own == sign && run >= least && bare =>
            {
                fence = None;
                paragraph = end;
            }
            (Some(_), _) => {
                hide(&mut out, at, end);
                paragraph = end;
            }
            (None, Some((sign, run, _))) => {
                spans(bytes, paragraph, at, &mut out);
                fence = Some((sign, run));
                paragraph = end;
            }
            (None, None) if line.iter().all(u8::is_ascii_whitespace) => {
                spans(bytes, paragraph, at, &mut out);
                paragraph = end;
            }
            (None, None) => {}
        }
        at = end;
    }
    spans(bytes, paragraph, bytes.len(), &mut out);
    out
}

/// The sign of a fence, its length, and whether nothing else stands on its line.
fn fence_of(line: &[u8]) -> Option<(u8, usize, bool)> {
    let lead = |b: &&u8| matches!(b, b' ' | b'\t' | b'>');
    let skip = line.iter().take_while(lead).count();
    let rest = line.get(skip..)?;
    let sign = *rest.first().filter(|b| matches!(b, b'`' | b'~'))?;
    let run = rest.iter().take_while(|b| **b == sign).count();
    let tail = rest.get(run..)?;
    // What holds the sign again is a code span on one line.
    let fits = run >= 3 && (sign == b'~' || !tail.contains(&b'`'));
    fits.then_some((sign, run, tail.iter().all(u8::is_ascii_whitespace)))
}

/// Runs of code signs of a paragraph that are held. A span that reaches over more of them is read as
/// markup, of which more is checked.
const RUNS: usize = 1 << 20;

/// Hides what stands in the code spans of a paragraph, and what a backslash stands before.
fn spans(bytes: &[u8], start: usize, end: usize, out: &mut [u8]) {
    let mut at = start;
    while at < end {
        at = some_spans(bytes, at, end, out);
    }
}

/// The same for as many runs as are held; where it stopped.
fn some_spans(bytes: &[u8], start: usize, end: usize, out: &mut [u8]) -> usize {
    let mut runs = Vec::new();
    let mut at = start;
    let mut stopped = end;
    while let Some(found) = bytes
        .get(at..end)
        .and_then(|rest| memchr::memchr2(b'`', b'\\', rest))
    {
        let here = at + found;
        if bytes.get(here) == Some(&b'\\') {
            hide(out, here + 1, (here + 2).min(end));
            at = here + 2;
            continue;
        }
        let rest = bytes.get(here..end).unwrap_or_default();
        let run = rest.iter().take_while(|b| **b == b'`').count();
        runs.push((here, run));
        at = here + run;
        if runs.len() == RUNS {
            stopped = at;
            break;
        }
    }
    // From behind: where the next run of the same length stands.
    let mut next = vec![None; runs.len()];
    let mut last: HashMap<usize, usize> = HashMap::new();
    for (index, (_, run)) in runs.iter().enumerate().rev() {
        next[index] = last.insert(*run, index);
    }
    let mut index = 0;
    while let Some((at, run)) = runs.get(index) {
        let close = next.get(index).copied().flatten();
        let place = close.and_then(|close| runs.get(close));
        if let (Some(close), Some((end, _))) = (close, place) {
            hide(out, at + run, *end);
            index = close + 1;
        } else {
            index += 1;
        }
    }
    stopped
}

fn hide(out: &mut [u8], start: usize, end: usize) {
    for byte in out.get_mut(start..end).unwrap_or_default() {
        match byte {
            b'<' => *byte = LESS,
            b'&' => *byte = AMPERSAND,
            _ => {}
        }
    }
}

/// Text as it reads without backslashes, emphasis, code signs, quote marks and links' addresses:
/// `push(stretch, place)` for each stretch that is left.
pub(super) fn plain(text: &str, mut push: impl FnMut(&str, usize)) {
    let bytes = text.as_bytes();
    let (mut from, mut at) = (0, 0);
    let mut fresh = false;
    while let Some(byte) = bytes.get(at) {
        let next = bytes.get(at + 1);
        let skip = match byte {
            // Before a line break it is one that is seen.
            b'\\'
                if next.is_some_and(|b| b.is_ascii_punctuation() || matches!(b, b'\n' | b'\r')) =>
            {
                1
            }
            b'*' | b'`' | b'[' => 1,
            b'~' if next == Some(&b'~') => 2,
            b'>' if fresh => 1,
            b']' if next == Some(&b'(') => {
                let tail = bytes.get(at..bytes.len().min(at + LINK));
                memchr::memchr2(b')', b'\n', tail.unwrap_or_default()).map_or(1, |end| end + 1)
            }
            _ => 0,
        };
        fresh = *byte == b'\n' || fresh && matches!(byte, b' ' | b'>');
        if skip == 0 {
            at += 1;
            continue;
        }
        push(text.get(from..at).unwrap_or_default(), from);
        at += skip;
        from = at;
        // What a backslash stands before is no sign itself.
        at += usize::from(*byte == b'\\');
    }
    push(text.get(from..).unwrap_or_default(), from);
}

/// The text with its own signs again.
pub(super) fn unmasked(text: &str) -> Cow<'_, str> {
    if !text.bytes().any(|b| matches!(b, LESS | AMPERSAND)) {
        return Cow::Borrowed(text);
    }
    let text = text
        .replace(char::from(LESS), "<")
        .replace(char::from(AMPERSAND), "&");
    Cow::Owned(text)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn mask(text: &str) -> String {
        String::from_utf8(masked(text.as_bytes()))
            .unwrap_or_default()
            .replace('\u{1}', "L")
            .replace('\u{2}', "A")
    }

    #[test]
    fn code_is_no_markup() {
        assert_eq!(mask("<b> `<i>&` <u>"), "<b> `Li>A` <u>");
        assert_eq!(mask("`` <` `` <` <"), "`` L` `` <` <");
        assert_eq!(mask("`<\n\n`<"), "`<\n\n`<");
        assert_eq!(mask("```x\n<a>\n````\n<a>"), "```x\nLa>\n````\n<a>");
        assert_eq!(mask("> ~~~\n> <a>\n> ~~\n<"), "> ~~~\n> La>\n> ~~\nL");
        assert_eq!(mask("\\<a> \\` <a> `"), "\\La> \\` <a> `");
        let hostile = "`".repeat(10_000) + &"` `` ``` ".repeat(10_000);
        assert_eq!(mask(&hostile).len(), hostile.len());
    }

    fn plain_text(text: &str) -> String {
        let mut out = String::new();
        plain(text, |part, _| out.push_str(part));
        out
    }

    #[test]
    fn signs_are_taken_out() {
        assert_eq!(plain_text("se**ss**i\\_on\\* `x` a~~b~~"), "sessi_on* x ab");
        assert_eq!(plain_text("s[e](http://x/y)s\n> sion"), "ses\n sion");
        assert_eq!(plain_text("a > b \\\\ c"), "a > b \\ c");
        assert_eq!(plain_text("ses\\\nsion"), "ses\nsion");
    }
}
