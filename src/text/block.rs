//! Markdown blocks, one line at a time.

use core::ops::Range;

/// What a line of the text is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum BlockKind {
    /// Running text.
    Paragraph,
    /// `# …` (level 1 to 6), or a line that is bold as a whole (level 7).
    Heading(u8),
    /// A list item, with its indent in columns and the state of its check box, if it has one.
    Item {
        /// Columns before the marker.
        indent: usize,
        /// `- [x]` is `Some(true)`, `- [ ]` is `Some(false)`.
        check: Option<bool>,
    },
    /// A row of a table; the separator row is a [`BlockKind::Rule`].
    Row,
    /// A line of a block quote.
    Quote,
    /// A line of a fenced code block, its fences included.
    Fence,
    /// A horizontal rule or a table separator.
    Rule,
    /// Nothing but white space.
    Blank,
}

/// One line and its kind.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Block {
    /// What the line is.
    pub kind: BlockKind,
    /// The line without its line break.
    pub range: Range<usize>,
    /// Where the content starts: behind the list marker, the check box or the hashes.
    pub content: usize,
}

struct Fence {
    mark: u8,
    len: usize,
}

/// Sorts every line of `text`. Looks at each byte a bounded number of times.
pub(crate) fn blocks(text: &str) -> Vec<Block> {
    let mut out = Vec::new();
    let mut fence: Option<Fence> = None;
    let mut start = 0;
    let mut indented = Indented::default();
    for line in text.split_inclusive('\n') {
        let end = start + line.trim_end_matches(['\n', '\r']).len();
        let body = &text[start..end];
        let (kind, content) = match &fence {
            Some(open) => {
                if closes(body, open) {
                    fence = None;
                }
                (BlockKind::Fence, 0)
            }
            None => match opens(body) {
                Some(open) => {
                    fence = Some(open);
                    (BlockKind::Fence, 0)
                }
                None if indented.holds(body) => (BlockKind::Fence, 0),
                None => classify(body),
            },
        };
        indented.pass(kind, body);
        out.push(Block {
            kind,
            range: start..end,
            content: start + content,
        });
        start += line.len();
    }
    out
}

/// Where a line of four blanks is code: behind a blank line, and in no list.
#[derive(Default)]
struct Indented {
    in_list: bool,
    in_text: bool,
}

impl Indented {
    fn holds(&self, line: &str) -> bool {
        let deep = line.starts_with("    ") || line.starts_with('\t');
        deep && !self.in_list && !self.in_text && !line.trim().is_empty()
    }

    fn pass(&mut self, kind: BlockKind, line: &str) {
        match kind {
            BlockKind::Item { .. } => self.in_list = true,
            BlockKind::Blank => {}
            _ if !line.starts_with([' ', '\t']) => self.in_list = false,
            _ => {}
        }
        self.in_text = !matches!(kind, BlockKind::Blank | BlockKind::Fence);
    }
}

fn run(bytes: &[u8], mark: u8) -> usize {
    bytes.iter().take_while(|&&b| b == mark).count()
}

fn opens(line: &str) -> Option<Fence> {
    let body = line.trim_start();
    let mark = *body.as_bytes().first()?;
    let len = run(body.as_bytes(), mark);
    let fenced =
        (mark == b'`' && len >= 3 && !body[len..].contains('`')) || (mark == b'~' && len >= 3);
    fenced.then_some(Fence { mark, len })
}

fn closes(line: &str, open: &Fence) -> bool {
    let body = line.trim();
    let len = run(body.as_bytes(), open.mark);
    len >= open.len && len == body.len()
}

fn classify(line: &str) -> (BlockKind, usize) {
    let body = line.trim_start();
    let lead = line.len() - body.len();
    let Some(first) = body.chars().next() else {
        return (BlockKind::Blank, lead);
    };
    if first == '>' {
        return (BlockKind::Quote, lead + 1);
    }
    if is_rule(body) {
        return (BlockKind::Rule, lead);
    }
    if first == '#' {
        let level = run(body.as_bytes(), b'#');
        if level <= 6 && body[level..].starts_with([' ', '\t']) {
            let level_u8 = u8::try_from(level).unwrap_or(6);
            return (BlockKind::Heading(level_u8), lead + level + 1);
        }
    }
    if first == '|' {
        return (BlockKind::Row, lead + 1);
    }
    if let Some(marker) = item_marker(body) {
        let indent = line[..lead]
            .bytes()
            .map(|b| if b == b'\t' { 4 } else { 1 })
            .sum();
        let (check, boxed) = check_box(&body[marker..]);
        return (BlockKind::Item { indent, check }, lead + marker + boxed);
    }
    // A box without a marker: `[ ] Docs updated`.
    if let (check @ Some(_), boxed) = check_box(body)
        && body[boxed..].starts_with([' ', '\t'])
    {
        let indent = lead;
        return (BlockKind::Item { indent, check }, lead + boxed);
    }
    if is_bold_line(body) {
        return (BlockKind::Heading(7), lead);
    }
    (BlockKind::Paragraph, lead)
}

/// Three or more of `-`, `*`, `_`, `=` or box-drawing dashes, or a table separator.
fn is_rule(body: &str) -> bool {
    let mut marks = 0;
    for c in body.chars() {
        match c {
            '-' | '*' | '_' | '=' | '─' | '━' | '═' | '—' => marks += 1,
            '|' | ':' | '+' | ' ' | '\t' | '`' => {}
            _ => return false,
        }
    }
    marks >= 3
}

/// Bytes of a list marker with the white space behind it.
fn item_marker(body: &str) -> Option<usize> {
    let first = body.chars().next()?;
    let marker = if matches!(
        first,
        '-' | '*' | '+' | '•' | '◦' | '‣' | '✓' | '✔' | '✗' | '✘' | '✅' | '❌'
    ) {
        first.len_utf8()
    } else {
        let digits = body.bytes().take(4).take_while(u8::is_ascii_digit).count();
        let dotted = (1..=3).contains(&digits) && body[digits..].starts_with(['.', ')']);
        if !dotted {
            return None;
        }
        digits + 1
    };
    let rest = body[marker..].trim_start_matches('\u{fe0f}');
    let trimmed = rest.trim_start();
    (trimmed.len() < rest.len()).then(|| body.len() - trimmed.len())
}

fn check_box(rest: &str) -> (Option<bool>, usize) {
    let state = match rest.as_bytes() {
        [b'[', b' ', b']', ..] => false,
        [b'[', b'x' | b'X', b']', ..] => true,
        _ => return (None, 0),
    };
    (Some(state), 3)
}

/// A line such as `**Changed**` or `**Verification:**` titles what follows it.
fn is_bold_line(body: &str) -> bool {
    let body = body.trim_end().trim_end_matches([':', '：']);
    let inner = body.strip_prefix("**").and_then(|b| b.strip_suffix("**"));
    inner.is_some_and(|inner| !inner.is_empty() && !inner.contains("**"))
}

#[cfg(test)]
mod tests {
    use super::{BlockKind, blocks};

    fn kinds(text: &str) -> Vec<BlockKind> {
        blocks(text).into_iter().map(|b| b.kind).collect()
    }

    #[test]
    fn every_line_has_a_kind() {
        let item = |indent, check| BlockKind::Item { indent, check };
        assert_eq!(
            kinds(
                "# A\n**B:**\n- x\n  1. y\n- [x] z\n- [ ] q\n> s\n| a | b |\n|---|---|\n---\n\np"
            ),
            [
                BlockKind::Heading(1),
                BlockKind::Heading(7),
                item(0, None),
                item(2, None),
                item(0, Some(true)),
                item(0, Some(false)),
                BlockKind::Quote,
                BlockKind::Row,
                BlockKind::Rule,
                BlockKind::Rule,
                BlockKind::Blank,
                BlockKind::Paragraph,
            ]
        );
    }

    #[test]
    fn a_fence_ends_only_with_its_own_mark() {
        let fence = BlockKind::Fence;
        assert_eq!(
            kinds("````\n```\n````\nx"),
            [fence, fence, fence, BlockKind::Paragraph]
        );
        assert_eq!(kinds("```a`b``` c"), [BlockKind::Paragraph]);
        assert_eq!(kinds("~~~\nopen to the end"), [fence, fence]);
    }

    #[test]
    fn emphasis_is_no_list() {
        assert_eq!(kinds("*Note* it"), [BlockKind::Paragraph]);
        assert_eq!(kinds("2026 was"), [BlockKind::Paragraph]);
        assert_eq!(kinds("**a** and **b**"), [BlockKind::Paragraph]);
    }
}
