//! Texts that `aria-labelledby` and `aria-describedby` fetch from elsewhere in a page, by the ids of
//! their elements.

use std::collections::HashMap;

use aho_corasick::AhoCorasick;

use super::decode;
use super::token::{Span, Token, Tokens, Written};

/// The attributes that fetch.
const FETCH: [&str; 2] = ["aria-labelledby", "aria-describedby"];
/// Elements whose text is kept.
const MOST: usize = 1 << 12;
/// Bytes of one text that are kept.
const LONGEST: usize = 1 << 12;
/// Such elements within each other.
const NESTED: usize = 16;

/// Texts by the ids of their elements.
#[derive(Debug, Default)]
pub(super) struct Labels(HashMap<String, String>);

/// An element whose text is gathered.
struct Open {
    id: String,
    name: Span,
    /// Elements of its name that are open within each other.
    depth: u32,
    text: String,
}

/// A start tag.
#[derive(Default)]
struct Start {
    name: Span,
    id: Option<String>,
    label: Option<String>,
}

impl Start {
    fn attribute(&mut self, name: &[u8], value: &[u8]) {
        for (word, slot) in [("id", &mut self.id), ("aria-label", &mut self.label)] {
            if name.eq_ignore_ascii_case(word.as_bytes()) && slot.is_none() {
                *slot = Some(short(value));
            }
        }
    }
}

impl Open {
    fn push(&mut self, text: &str) {
        let room = LONGEST.saturating_sub(self.text.len());
        let end = text.floor_char_boundary(room);
        self.text.push_str(text.get(..end).unwrap_or_default());
    }
}

fn is_same(tokens: &Tokens<'_>, one: Span, other: Span) -> bool {
    tokens.bytes(one).eq_ignore_ascii_case(tokens.bytes(other))
}

impl Labels {
    /// The texts that a page fetches; most pages fetch none, and are not read for it.
    pub(super) fn of(bytes: &[u8]) -> Self {
        let fetch = AhoCorasick::builder()
            .ascii_case_insensitive(true)
            .build(FETCH);
        if !fetch.is_ok_and(|fetch| fetch.is_match(bytes)) {
            return Self::default();
        }
        let mut labels = Self(fetched(bytes));
        labels.gather(bytes);
        labels
    }

    /// The texts of some ids, one behind the other; nothing where there is none.
    pub(super) fn text(&self, ids: &str) -> Option<String> {
        let found = ids.split_ascii_whitespace().take(NESTED);
        let found = found.filter_map(|id| self.0.get(id));
        let found: Vec<&str> = found.map(|text| text.trim()).collect();
        let found = found.join(" ");
        (!found.trim().is_empty()).then_some(found)
    }

    fn gather(&mut self, bytes: &[u8]) {
        let mut tokens = Tokens::of(bytes);
        let mut open: Vec<Open> = Vec::new();
        let mut tag = Start::default();
        while let Some(token) = tokens.next() {
            match token {
                Token::Open { name } => {
                    tag = Start {
                        name,
                        ..Start::default()
                    };
                }
                Token::Attribute { name, value } => {
                    tag.attribute(tokens.bytes(name), tokens.bytes(value));
                }
                Token::Opened { empty } => {
                    for own in &mut open {
                        let same = is_same(&tokens, own.name, tag.name);
                        own.depth += u32::from(same && !empty);
                    }
                    open.extend(self.opened(std::mem::take(&mut tag), empty, open.len()));
                }
                Token::Close { name } => {
                    for own in &mut open {
                        own.depth -= u32::from(is_same(&tokens, own.name, name) && own.depth > 0);
                    }
                    for own in open.extract_if(.., |own| own.depth == 0) {
                        self.keep(&own.id, own.text);
                    }
                }
                Token::Text {
                    span,
                    written: Written::Text | Written::Title | Written::Plain,
                } if !open.is_empty() => {
                    let text = short(tokens.bytes(span));
                    for own in &mut open {
                        own.push(&text);
                    }
                }
                Token::Text { .. } | Token::Comment { .. } => {}
            }
        }
        for own in open {
            self.keep(&own.id, own.text);
        }
    }

    /// An element begins; it is given back where its text has to be gathered.
    fn opened(&mut self, tag: Start, empty: bool, nested: usize) -> Option<Open> {
        let id = tag.id.filter(|id| self.0.contains_key(id))?;
        // What an element is called stands for what it holds.
        if tag.label.is_some() || empty || nested >= NESTED {
            self.keep(&id, tag.label.unwrap_or_default());
            return None;
        }
        Some(Open {
            id,
            name: tag.name,
            depth: 1,
            text: String::new(),
        })
    }

    /// The first element of an id is the one that is meant.
    fn keep(&mut self, id: &str, text: String) {
        if let Some(known) = self.0.get_mut(id).filter(|known| known.is_empty()) {
            *known = text;
        }
    }
}

/// The ids that are asked for, without their texts.
fn fetched(bytes: &[u8]) -> HashMap<String, String> {
    let mut ids = HashMap::new();
    let mut tokens = Tokens::of(bytes);
    while let Some(token) = tokens.next() {
        let Token::Attribute { name, value } = token else {
            continue;
        };
        let name = tokens.bytes(name);
        if FETCH
            .iter()
            .any(|word| name.eq_ignore_ascii_case(word.as_bytes()))
        {
            for id in short(tokens.bytes(value)).split_ascii_whitespace() {
                if ids.len() < MOST {
                    ids.insert(id.to_owned(), String::new());
                }
            }
        }
    }
    ids
}

/// The beginning of a text, as it reads.
fn short(bytes: &[u8]) -> String {
    let bytes = bytes.get(..LONGEST).unwrap_or(bytes);
    decode::attribute(bytes).into_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_are_fetched_by_id() {
        let page = "<p id=a>5 <b>of</b> 7</p><p Aria-LabelledBy='b  a x'>1</p><div id=b><div>3</div> t</div>";
        let labels = Labels::of(page.as_bytes());
        assert_eq!(labels.text("b a").as_deref(), Some("3 t 5 of 7"));
        assert_eq!(labels.text("x c"), None);
        let page = "<i id=a aria-label=9>5</i><i id=a>6</i><b aria-describedby=a>1</b>";
        assert_eq!(Labels::of(page.as_bytes()).text("a").as_deref(), Some("9"));
        assert_eq!(Labels::of(b"<i id=a>5</i>").text("a"), None);
    }
}
