//! Heredoc bodies: where each ends, and what still runs inside.

use super::scan::Parser;
use super::syntax::{Doc, Word};

/// A heredoc announced on the current line.
#[derive(Debug)]
pub(super) struct Pending {
    doc: usize,
    delimiter: String,
    tabs: bool,
    quoted: bool,
}

impl<'t> Parser<'t> {
    /// Announces a heredoc; its body is read at the next newline. Returns its number.
    pub(super) fn announce(&mut self, delimiter: &Word<'t>, tabs: bool) -> usize {
        let doc = self.docs.len();
        self.docs.push(Doc {
            body: self.end..self.end,
            subs: Vec::new(),
        });
        self.pending.push(Pending {
            doc,
            delimiter: delimiter.text.clone().into_owned(),
            tabs,
            quoted: delimiter.quoted,
        });
        doc
    }

    /// Steps over a newline, and over the bodies announced before it.
    pub(super) fn newline(&mut self) {
        self.advance(1);
        for (index, pending) in std::mem::take(&mut self.pending).iter().enumerate() {
            if index > 0 && self.peek() == b'\n' {
                self.advance(1);
            }
            self.body(pending);
        }
    }

    fn body(&mut self, pending: &Pending) {
        let start = self.pos;
        let (close, after) = self.delimiter(pending);
        let mut subs = Vec::new();
        if !pending.quoted && close > start {
            // A substitution in the body may hold heredocs of its own; they end with the body.
            self.data_until(close, &mut subs);
            self.pending.clear();
        }
        self.pos = after;
        if let Some(doc) = self.docs.get_mut(pending.doc) {
            doc.body = start..close;
            doc.subs = subs;
        }
    }

    /// End of the body and start of what follows; without a delimiter the text runs to the end, as in bash.
    fn delimiter(&mut self, pending: &Pending) -> (usize, usize) {
        let wanted = pending.delimiter.as_bytes();
        let mut line = self.pos;
        while line < self.end {
            let rest = self.bytes.get(line..self.end).unwrap_or_default();
            let length = memchr::memchr(b'\n', rest).unwrap_or(rest.len());
            self.steps += length + 1;
            let mut text = rest.get(..length).unwrap_or_default();
            let mut indent = 0;
            if pending.tabs {
                indent = text.iter().take_while(|b| **b == b'\t').count();
                text = text.get(indent..).unwrap_or_default();
            }
            if text.strip_suffix(b"\r").unwrap_or(text) == wanted {
                return (line, (line + length).min(self.end));
            }
            // `$(cat <<EOF … EOF)`: the parenthesis closes the substitution and the body with it.
            // Looking on for a better delimiter would make many such bodies quadratic.
            if self.depth > 0
                && text
                    .strip_prefix(wanted)
                    .is_some_and(|rest| rest.starts_with(b")"))
            {
                return (line, line + indent + wanted.len());
            }
            line += length + 1;
        }
        (self.end, self.end)
    }
}
