//! Where an answer may hold a payload.

use std::collections::BTreeSet;

use super::{Answer, Place};

/// Where a candidate stands.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Source {
    /// A fenced block of this language.
    Fence(String),
    /// Lines that start as a payload does.
    Block,
    /// A text of the evidence, or the whole answer: only what decodes counts.
    Bare,
}

/// A text that may be a payload.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Candidate {
    pub(crate) source: Source,
    pub(crate) text: String,
    /// The lines of the answer that it takes, from and one past the last.
    pub(crate) lines: (usize, usize),
}

/// A block of JSON has at most so many lines.
const LINES: usize = 5000;

impl Answer<'_> {
    /// The candidates in order, each text once. `languages` are those whose fences count.
    pub(crate) fn candidates(&self, languages: &[&str]) -> Vec<Candidate> {
        self.step(self.raw().len() * 2);
        let mut out = Vec::new();
        for fence in self.fences() {
            if languages.contains(&fence.language.as_str()) {
                out.push(Candidate {
                    source: Source::Fence(fence.language.clone()),
                    text: self.raw_text(fence.body.0, fence.body.1),
                    lines: (fence.opener, fence.body.1 + 1),
                });
            }
        }
        self.blocks(&mut out);
        for text in self.evidence() {
            out.push(bare(text));
        }
        out.push(bare(self.raw()));
        let mut seen = BTreeSet::new();
        out.retain(|candidate| seen.insert(candidate.text.trim().to_owned()));
        out
    }

    fn raw_text(&self, from: usize, to: usize) -> String {
        let mut text = String::new();
        for line in from..to {
            if line > from {
                text.push('\n');
            }
            text.push_str(self.raw_line(line));
        }
        text
    }

    fn blocks(&self, out: &mut Vec<Candidate>) {
        let mut line = 0;
        while line < self.line_count() {
            let text = self.raw_line(line);
            let found = if self.place(line) != Place::Prose {
                None
            } else if let Some(fields) = toon_header(text) {
                self.toon_block(line, fields)
            } else if starts_json(text, self.raw_line(line + 1)) {
                Some(self.json_block(line))
            } else {
                None
            };
            if let Some(candidate) = found {
                line = candidate.lines.1.max(line + 1);
                out.push(candidate);
            } else {
                line += 1;
            }
        }
    }

    fn toon_block(&self, line: usize, fields: bool) -> Option<Candidate> {
        let mut end = line + 1;
        while end < self.line_count()
            && self.place(end) == Place::Prose
            && self.raw_line(end).starts_with([' ', '\t'])
            && !self.raw_line(end).trim().is_empty()
        {
            end += 1;
        }
        (fields || end > line + 1).then(|| Candidate {
            source: Source::Block,
            text: self.raw_text(line, end),
            lines: (line, end),
        })
    }

    /// From a line to where its brackets balance. What never balances is taken as a whole, so that
    /// no line of it is looked at twice.
    fn json_block(&self, line: usize) -> Candidate {
        let mut depth = 0_usize;
        let mut quoted = false;
        let mut escaped = false;
        let mut text = String::new();
        let mut end = line;
        while end < self.line_count() && end < line + LINES && self.place(end) == Place::Prose {
            if end > line {
                text.push('\n');
            }
            let own = self.raw_line(end);
            end += 1;
            for (index, byte) in own.bytes().enumerate() {
                match byte {
                    _ if escaped => escaped = false,
                    b'\\' if quoted => escaped = true,
                    b'"' => quoted = !quoted,
                    b'{' | b'[' if !quoted => depth += 1,
                    b'}' | b']' if !quoted => {
                        depth = depth.saturating_sub(1);
                        if depth == 0 {
                            text.push_str(&own[..=index]);
                            return block(text, line, end);
                        }
                    }
                    _ => {}
                }
            }
            text.push_str(own);
        }
        block(text, line, end)
    }
}

fn block(text: String, line: usize, end: usize) -> Candidate {
    Candidate {
        source: Source::Block,
        text,
        lines: (line, end),
    }
}

fn bare(text: &str) -> Candidate {
    Candidate {
        source: Source::Bare,
        text: text.to_owned(),
        lines: (0, 0),
    }
}

/// A line that starts a list of records or a record; `{name}` in a sentence does not.
fn starts_json(line: &str, next: &str) -> bool {
    let inner = if let Some(rest) = line.strip_prefix("[{") {
        rest
    } else if let Some(rest) = line.strip_prefix('{') {
        rest
    } else {
        return line.trim_end() == "[" && next.trim_start().starts_with(['{', ']']);
    };
    let inner = inner.trim_start();
    inner.starts_with(['"', '}']) || inner.is_empty()
}

/// A TOON array header, `key[N]{a,b}:`, at the start of a line; whether it names fields.
pub(crate) fn toon_header(line: &str) -> Option<bool> {
    // A header is short; the bound keeps lines of brackets linear.
    let head_end = line.find('[').filter(|at| *at <= 256)?;
    let key = &line[..head_end];
    if key.starts_with('-') || key.contains([' ', '\t', ':', '(']) {
        return None;
    }
    let rest = &line[head_end + 1..];
    let digits = rest.bytes().take_while(u8::is_ascii_digit).count();
    if digits == 0 {
        return None;
    }
    let rest = rest[digits..].trim_start_matches([',', '\t', '|']);
    let rest = rest.strip_prefix(']')?;
    if let Some(fields) = rest.strip_prefix('{') {
        let (_, after) = fields.split_once('}')?;
        return after.starts_with(':').then_some(true);
    }
    rest.starts_with(':').then_some(false)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn texts(raw: &str) -> Vec<(Source, String)> {
        Answer::read(raw)
            .candidates(&["", "json"])
            .into_iter()
            .map(|candidate| (candidate.source, candidate.text))
            .collect()
    }

    #[test]
    fn fences_and_blocks_come_before_the_whole() {
        let raw = "```json\n[1]\n```\nrows[1]{a}:\n  1\nand\n[{\"a\":\n  \"}\"}] so\n```py\n{\n```";
        let found = texts(raw);
        assert_eq!(found.len(), 4);
        assert_eq!(
            found[0],
            (Source::Fence("json".to_owned()), "[1]".to_owned())
        );
        assert_eq!(found[1], (Source::Block, "rows[1]{a}:\n  1".to_owned()));
        assert_eq!(found[2], (Source::Block, "[{\"a\":\n  \"}\"}]".to_owned()));
        assert_eq!(found[3].0, Source::Bare);
    }

    #[test]
    fn prose_that_only_looks_like_one_is_none() {
        for raw in [
            "[1]: https://e.org",
            "{name} is a field",
            "- [2]{a}:",
            "see [{\"a\":1}]",
        ] {
            assert_eq!(texts(raw).len(), 1, "{raw}");
        }
    }

    #[test]
    fn a_header_is_told_from_a_footnote() {
        assert_eq!(toon_header("[2]{id,n}:"), Some(true));
        assert_eq!(toon_header("k[3|]: 1|2|3"), Some(false));
        assert_eq!(toon_header("a b[3]:"), None);
        assert_eq!(toon_header("[x]:"), None);
    }
}
