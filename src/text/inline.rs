//! Spans inside a line that are not the agent's own words: code, quotations, links.

use core::ops::Range;

use super::block::{Block, BlockKind};

/// What a masked span is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum RegionKind {
    /// A line of fenced code.
    Fence,
    /// A line of a block quote.
    BlockQuote,
    /// An inline code span with its backticks.
    Code,
    /// A quotation with its marks, at most 200 characters.
    Quoted,
    /// A bare URL, or the target of a markdown link.
    Url,
}

/// One masked span.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Region {
    /// What it is.
    pub kind: RegionKind,
    /// Bytes of the text, marks included.
    pub range: Range<usize>,
}

/// A quotation longer than this is taken for a stray mark: masking it would hide real statements.
pub(crate) const QUOTE_CHARS: usize = 200;

/// Filler of inline code: a word reader sees one code word.
pub(crate) const CODE: u8 = 1;
/// Filler of a quotation.
pub(crate) const QUOTED: u8 = 2;
/// Filler of a link target.
pub(crate) const URL: u8 = 3;

/// The masked text (as long as `text`, byte for byte), its regions in order, and the steps taken.
pub(crate) fn mask(text: &str, blocks: &[Block]) -> (String, Vec<Region>, usize) {
    let mut regions = Vec::new();
    let mut steps = 0;
    for block in blocks {
        let range = block.range.clone();
        match block.kind {
            BlockKind::Fence => regions.push(Region {
                kind: RegionKind::Fence,
                range,
            }),
            BlockKind::Quote => regions.push(Region {
                kind: RegionKind::BlockQuote,
                range,
            }),
            BlockKind::Blank | BlockKind::Rule => {}
            _ => steps += Line { text, range }.scan(&mut regions),
        }
    }
    (fill(text, &regions), regions, steps)
}

fn fill(text: &str, regions: &[Region]) -> String {
    let mut out = String::with_capacity(text.len());
    let mut at = 0;
    for region in regions {
        push_clean(&mut out, &text[at..region.range.start]);
        let filler = match region.kind {
            RegionKind::Fence | RegionKind::BlockQuote => b' ',
            RegionKind::Code => CODE,
            RegionKind::Quoted => QUOTED,
            RegionKind::Url => URL,
        };
        out.extend(core::iter::repeat_n(char::from(filler), region.range.len()));
        at = region.range.end;
    }
    push_clean(&mut out, &text[at..]);
    out
}

fn push_clean(out: &mut String, text: &str) {
    out.extend(text.chars().map(|c| {
        if matches!(c, '\u{1}'..='\u{3}') {
            ' '
        } else {
            c
        }
    }));
}

struct Line<'a> {
    text: &'a str,
    range: Range<usize>,
}

impl Line<'_> {
    /// Appends the regions of this line in order; returns the steps taken.
    fn scan(&self, regions: &mut Vec<Region>) -> usize {
        let body = &self.text[self.range.clone()];
        let (code, mut steps) = code_spans(body);
        let mut found: Vec<Region> = Vec::new();
        let mut quote: Option<(usize, usize, char)> = None;
        let mut next_code = code.iter().peekable();
        let mut skip_to = 0;
        let mut stop = 0;
        for (count, (at, c)) in body.char_indices().enumerate() {
            steps += 1;
            if at < skip_to {
                continue;
            }
            if let Some(span) = next_code.next_if(|span| span.start == at) {
                found.push(self.region(RegionKind::Code, span.clone()));
                skip_to = span.end;
                continue;
            }
            if stop < at || at == 0 {
                stop = body[at..]
                    .find([')', ' ', '\t'])
                    .map_or(body.len(), |n| at + n);
                steps += stop - at;
            }
            if let Some(len) = url_len(body, at, stop) {
                steps += len;
                found.push(self.region(RegionKind::Url, at..at + len));
                skip_to = at + len;
                continue;
            }
            match quote {
                Some((from, begun, close)) if c == close && closes_quote(body, at, c) => {
                    quote = None;
                    if count - begun <= QUOTE_CHARS {
                        let base = self.range.start;
                        while found.pop_if(|r| r.range.start >= base + from).is_some() {}
                        found.push(self.region(RegionKind::Quoted, from..at + c.len_utf8()));
                    }
                }
                Some((_, begun, _)) if count - begun <= QUOTE_CHARS => {}
                _ => quote = closer(body, at, c).map(|close| (at, count, close)),
            }
        }
        regions.append(&mut found);
        steps
    }

    fn region(&self, kind: RegionKind, span: Range<usize>) -> Region {
        Region {
            kind,
            range: self.range.start + span.start..self.range.start + span.end,
        }
    }
}

/// Code spans of a line: a run of backticks up to the next run of the same length. The next equal
/// run is looked up from the right, so that a line of unequal runs stays linear.
fn code_spans(body: &str) -> (Vec<Range<usize>>, usize) {
    let bytes = body.as_bytes();
    let mut runs: Vec<Range<usize>> = Vec::new();
    let mut at = 0;
    while let Some(skip) = memchr::memchr(b'`', &bytes[at..]) {
        let start = at + skip;
        let len = bytes[start..].iter().take_while(|&&b| b == b'`').count();
        runs.push(start..start + len);
        at = start + len;
    }
    let mut last_of = std::collections::BTreeMap::new();
    let mut next = vec![None; runs.len()];
    for (i, run) in runs.iter().enumerate().rev() {
        next[i] = last_of.insert(run.len(), i);
    }
    let mut spans = Vec::new();
    let mut i = 0;
    while i < runs.len() {
        match next[i] {
            Some(j) => {
                spans.push(runs[i].start..runs[j].end);
                i = j + 1;
            }
            None => i += 1,
        }
    }
    (spans, body.len())
}

/// The mark that would close a quotation opened at `at`.
fn closer(body: &str, at: usize, c: char) -> Option<char> {
    match c {
        '“' => Some('”'),
        '「' => Some('」'),
        '『' => Some('』'),
        '«' => Some('»'),
        '"' => {
            let before = body[..at].chars().next_back();
            let after = body[at + 1..].chars().next();
            let opens = before.is_none_or(|b| !b.is_alphanumeric());
            (opens && after.is_some_and(|a| !a.is_whitespace())).then_some('"')
        }
        '‘' => Some('’'),
        '\'' => opens_single(body, at).then_some('\''),
        _ => None,
    }
}

/// Bytes within which a single quotation has to end; a longer one is an apostrophe.
const SINGLE_BYTES: usize = 96;

/// A single quotation mark that is no apostrophe: it stands in front of a word and has its like
/// behind one.
fn opens_single(body: &str, at: usize) -> bool {
    let before = body[..at].chars().next_back();
    if before.is_some_and(|b| b.is_alphanumeric() || b == ')') {
        return false;
    }
    let bytes = body.as_bytes();
    let from = at + 1;
    if !bytes.get(from).is_some_and(u8::is_ascii_alphanumeric) {
        return false;
    }
    let end = bytes.len().min(from + SINGLE_BYTES);
    let close = (from + 1..end)
        .find(|&n| bytes[n] == b'\'' && !bytes.get(n + 1).is_some_and(u8::is_ascii_alphanumeric));
    // `'90s`, `tests'`: a plural with an apostrophe closes nothing where no space is quoted.
    close.is_some_and(|close| bytes[close - 1] != b' ')
}

fn closes_quote(body: &str, at: usize, c: char) -> bool {
    !matches!(c, '"' | '\'' | '’')
        || body[at + c.len_utf8()..]
            .chars()
            .next()
            .is_none_or(|a| !a.is_alphanumeric())
}

/// Bytes of the URL or link target that starts at `at`; `stop` is the next space or closing
/// parenthesis, which the caller keeps so that a line of `](](](` is not searched again and again.
fn url_len(body: &str, at: usize, stop: usize) -> Option<usize> {
    let rest = &body[at..];
    if rest.starts_with("](") {
        return body[stop..].starts_with(')').then(|| stop + 1 - at);
    }
    if !(rest.starts_with("http://") || rest.starts_with("https://")) {
        return None;
    }
    let end = rest.find(|c: char| {
        c.is_whitespace() || matches!(c, ')' | ']' | '>' | '"' | '`' | '|' | '，' | '。')
    });
    let url = rest[..end.unwrap_or(rest.len())]
        .trim_end_matches(['.', ',', ';', ':', '!', '?', '*', '\'']);
    Some(url.len())
}
