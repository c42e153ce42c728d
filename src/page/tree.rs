//! Which elements are open, as far as an end tag must find the one that it closes.

use std::collections::HashMap;

/// Elements that are kept; what is open beyond them is only counted.
const MOST: usize = 1 << 21;

/// Elements that end what is open of their kind, by their own name.
const ENDS: [(&[u8], &[&[u8]]); 9] = [
    (b"li", &[b"li"]),
    (b"dt", &[b"dt", b"dd"]),
    (b"dd", &[b"dt", b"dd"]),
    (b"td", &[b"td", b"th"]),
    (b"th", &[b"td", b"th"]),
    (b"tr", &[b"td", b"th", b"tr"]),
    (b"tbody", &[b"td", b"th", b"tr", b"tbody", b"thead"]),
    (b"tfoot", &[b"td", b"th", b"tr", b"tbody", b"thead"]),
    (b"option", &[b"option"]),
];

/// Elements that end an open paragraph.
const ENDS_P: [&[u8]; 26] = [
    b"address",
    b"article",
    b"aside",
    b"blockquote",
    b"details",
    b"div",
    b"dl",
    b"fieldset",
    b"figure",
    b"footer",
    b"form",
    b"h1",
    b"h2",
    b"h3",
    b"h4",
    b"h5",
    b"h6",
    b"header",
    b"hr",
    b"main",
    b"nav",
    b"ol",
    b"p",
    b"pre",
    b"table",
    b"ul",
];

/// The open elements, each by a digest of its name, and whether it is watched.
#[derive(Debug, Default)]
pub(super) struct Tree {
    open: Vec<(u32, bool)>,
    names: HashMap<u32, u32>,
    beyond: u64,
}

impl Tree {
    /// Closes what a start tag closes by itself. Calls `ended` for each watched element.
    pub(super) fn before(&mut self, name: &[u8], ended: &mut impl FnMut()) {
        let among = |words: &[&[u8]]| words.iter().any(|word| name.eq_ignore_ascii_case(word));
        let row = ENDS.iter().find(|(word, _)| among(&[*word]));
        let ends = row.map_or(&[][..], |(_, ends)| *ends);
        let paragraph = among(&ENDS_P);
        while let Some((last, _)) = self.open.last() {
            let fits = ends.iter().any(|word| digest(word) == *last);
            if !(fits || paragraph && *last == digest(b"p")) {
                return;
            }
            self.pop(ended);
        }
    }

    /// An element that holds something; the answer tells whether it can be watched.
    pub(super) fn open(&mut self, name: &[u8], watched: bool) -> bool {
        if self.open.len() >= MOST {
            self.beyond += 1;
            return false;
        }
        let name = digest(name);
        self.open.push((name, watched));
        *self.names.entry(name).or_default() += 1;
        true
    }

    /// An end tag: everything up to the innermost element of that name is closed, or nothing.
    pub(super) fn close(&mut self, name: &[u8], ended: &mut impl FnMut()) {
        if self.beyond > 0 {
            self.beyond -= 1;
            return;
        }
        let name = digest(name);
        if self.names.get(&name).is_none_or(|count| *count == 0) {
            return;
        }
        while let Some((last, _)) = self.open.last() {
            let found = *last == name;
            self.pop(ended);
            if found {
                return;
            }
        }
    }

    /// The page is over.
    pub(super) fn end(&mut self, ended: &mut impl FnMut()) {
        while !self.open.is_empty() {
            self.pop(ended);
        }
    }

    fn pop(&mut self, ended: &mut impl FnMut()) {
        if let Some((name, watched)) = self.open.pop() {
            if let Some(count) = self.names.get_mut(&name) {
                *count -= 1;
            }
            if watched {
                ended();
            }
        }
    }
}

/// Names are told apart by this alone; the page of whoever makes two fall together is only their own.
fn digest(name: &[u8]) -> u32 {
    name.iter().fold(0x811c_9dc5, |sum, byte| {
        (sum ^ u32::from(byte.to_ascii_lowercase())).wrapping_mul(0x0100_0193)
    })
}
