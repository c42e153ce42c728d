//! What a page says of itself, and the words that a reader sees of it.

use super::tag::{CONTENT, DATA, NAME, SRC, SRCDOC, Tag};
use super::{DIGEST, PAGES, Reader, TEXT, Truth, WITHIN};
use crate::page::beside::NEAR;
use crate::page::decode;
use crate::page::fault::Fault;
use crate::page::map::{self, Map};
use crate::page::markdown;
use crate::page::token::{Span, Written};
use crate::report::told::{FACTS, Facts, MARKED, PAGE};

impl Reader<'_> {
    /// What an element of a page of ours says that it shows.
    pub(super) fn marks(&mut self, tag: &Tag) {
        let values = (0..MARKED.len()).map(|which| self.value(tag, which));
        let values: Vec<Option<String>> = match self.facts {
            Some(_) => values.collect(),
            None => return,
        };
        for (which, value) in values.into_iter().enumerate() {
            if let (Some(facts), Some(value)) = (&mut self.facts, value) {
                facts.marked(which, &value);
            }
        }
    }

    /// A page within the page.
    pub(super) fn within(&mut self, tag: &Tag) {
        for which in [SRCDOC, SRC, DATA] {
            let span = tag.values.get(which).copied().flatten();
            let Some(bytes) = span.map(|span| self.bytes(span)) else {
                continue;
            };
            if bytes.len() > WITHIN {
                if which == SRCDOC {
                    self.fault(tag.at, Fault::TooDeep);
                }
                continue;
            }
            let value = decode::attribute(bytes);
            let page = match which {
                SRCDOC => Some(value.into_owned().into_bytes()),
                _ => decode::page_of(&value),
            };
            let Some(page) = page else {
                continue;
            };
            if self.depth >= PAGES {
                if tells(&page) {
                    self.fault(tag.at, Fault::TooDeep);
                }
                continue;
            }
            let inner = Reader::of(&page, self.sums, None, false, self.depth + 1).read();
            self.truth.counts.add(&inner.counts);
            self.truth.claims.within(inner.claims, tag.at);
            for untruth in inner.untruths {
                self.untrue(tag.at, untruth.fault, untruth.shown, untruth.expected);
            }
        }
    }

    pub(super) fn meta(&mut self, tag: &Tag) {
        let is_meta = self.bytes(tag.name).eq_ignore_ascii_case(b"meta");
        if is_meta && self.value(tag, NAME).is_some_and(|name| name == DIGEST) {
            let content = self.value(tag, CONTENT).unwrap_or_default();
            self.digest(tag.at, &content);
        }
        self.promised |= is_meta && self.value(tag, NAME).is_some_and(|name| name == PAGE);
    }

    pub(super) fn comment(&mut self, span: Span) {
        let bytes = self.bytes((span.0, span.1.min(span.0 + 256)));
        let text = std::str::from_utf8(bytes).unwrap_or_default().trim();
        if let Some(digest) = text.strip_prefix(DIGEST) {
            self.digest(span.0, digest);
        } else if text.starts_with(PAGE) {
            self.promised = true;
        } else if let Some(digest) = text.strip_prefix(FACTS) {
            self.truth.counts.facts += 1;
            let told = self
                .facts
                .take()
                .map(|facts| format!("sha256:{}", facts.digest()));
            if told.as_deref() != Some(digest.trim()) {
                self.fault(span.0, Fault::Altered);
            }
        }
    }

    fn digest(&mut self, at: usize, text: &str) {
        self.truth.counts.digests += 1;
        self.facts = Some(Facts::default());
        if self.sums.is_some_and(|sums| !sums.is_named_by(text)) {
            self.fault(at, Fault::StaleDigest);
        }
    }

    pub(super) fn text(&mut self, span: Span, written: Written) {
        if matches!(written, Written::Script | Written::Style) {
            return;
        }
        if self.markdown && self.facts.is_some() {
            let text = self.bytes(span);
            let struck = memchr::memmem::find(text, b"~~").is_some();
            if struck {
                self.fault(span.0, Fault::Altered);
            }
        }
        let visible = self.map.is_some_and(Map::by_words);
        if visible || self.showing > 0 || self.captions > 0 || self.facts.is_some() {
            self.whole_text(span, written, visible);
            return;
        }
        // Only what stands beside an element matters, on either side of it.
        let (start, end) = span;
        if end - start <= 2 * NEAR {
            self.whole_text(span, written, visible);
            return;
        }
        self.whole_text((start, start + NEAR), written, visible);
        self.beside.skipped();
        self.whole_text((end - NEAR, end), written, visible);
    }

    /// Reads a text to its end.
    fn whole_text(&mut self, span: Span, written: Written, visible: bool) {
        let bytes = self.bytes(span);
        let shows = self.showing > 0;
        let wanted = shows || self.captions > 0;
        let mut at = span.0;
        for chunk in bytes.utf8_chunks() {
            let mut push = |part: &str, place: usize| {
                if visible {
                    self.visible.push(part, at + place);
                }
                if !shows {
                    self.other += part.chars().filter(|c| c.is_alphanumeric()).count() as u64;
                }
                if wanted && self.text.len() < TEXT {
                    append(&mut self.text, part);
                }
                self.beside.text(part, self.markdown);
                if let Some(facts) = &mut self.facts {
                    facts.text(part);
                }
            };
            match written {
                Written::Plain => push(chunk.valid(), 0),
                // What Markdown reads as its own is taken out before references are read.
                _ if self.markdown => markdown::plain(chunk.valid(), |part, place| {
                    decode::references(part, false, |text, within| {
                        push(&markdown::unmasked(text), place + within);
                    });
                }),
                _ => decode::references(chunk.valid(), false, &mut push),
            }
            if !chunk.invalid().is_empty() {
                push("\u{fffd}", chunk.valid().len());
            }
            at += chunk.valid().len() + chunk.invalid().len();
        }
    }

    pub(super) fn finish(mut self) -> Truth {
        for at in std::mem::take(&mut self.beside.wrong) {
            self.fault(at, Fault::Beside);
        }
        self.kept();
        let Some(map) = self.map else {
            return self.truth;
        };
        if let (Some(sums), Some(digest)) = (self.sums, &map.digest) {
            self.truth.counts.digests += 1;
            if !sums.is_named_by(digest) {
                self.fault(0, Fault::StaleDigest);
            }
        }
        self.arrange();
        for found in self.visible.find(map) {
            match found {
                map::Found::Number {
                    at,
                    index,
                    text,
                    within,
                } => {
                    if let Some(number) = map.numbers.get(index) {
                        self.number(at, &number.shows, &text);
                        self.told_of_place(&number.shows, within);
                    }
                }
                map::Found::Nowhere => self.fault(0, Fault::NoSuchPlace),
            }
        }
        let missing = map.numbers.iter().zip(&self.ids);
        let missing = missing.filter(|(number, seen)| number.id.is_some() && !**seen);
        for _ in 0..missing.count() {
            self.fault(0, Fault::NoSuchPlace);
        }
        self.truth
    }
}

/// Whether a page may tell of numbers.
fn tells(page: &[u8]) -> bool {
    page.windows(4)
        .any(|word| word.eq_ignore_ascii_case(b"deed"))
}

/// Adds text; a run of blanks is one.
fn append(text: &mut String, part: &str) {
    for c in part.chars() {
        if !matches!(c, ' ' | '\t' | '\n' | '\r' | '\x0c') {
            text.push(c);
        } else if !text.ends_with(' ') {
            text.push(' ');
        }
    }
}
