//! Where in a page something stands, for a person and for a program.

use super::charset::Charset;
use super::token::{Span, Token, Tokens, Written};
use crate::private::Canary;

/// Names of the page that are longer are not repeated.
const LONGEST: usize = 24;

/// A place in a file.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Default)]
pub(super) struct Place {
    /// Line, from 1.
    pub(super) line: u64,
    /// Column in characters, from 1.
    pub(super) column: u64,
    /// Byte of the file, from 0.
    pub(super) byte: u64,
}

/// The places of some offsets, which must ascend.
pub(super) fn places(bytes: &[u8], offsets: &[usize], charset: Charset) -> Vec<Place> {
    let mut out = Vec::with_capacity(offsets.len());
    let mut offsets = offsets.iter().peekable();
    let mut place = Place {
        line: 1,
        column: 1,
        byte: charset.mark() as u64,
    };
    let mut at = 0;
    let mut return_before = false;
    for chunk in bytes.utf8_chunks() {
        let invalid = chunk.invalid().iter().map(|_| ('\u{fffd}', 1));
        let chars = chunk.valid().chars().map(|c| (c, c.len_utf8()));
        for (c, length) in chars.chain(invalid) {
            while offsets.next_if(|wanted| **wanted < at + length).is_some() {
                out.push(place);
            }
            if offsets.peek().is_none() {
                return out;
            }
            at += length;
            let width = match charset {
                Charset::Utf8 => length,
                _ => charset.width(c),
            };
            place.byte += width as u64;
            match c {
                '\n' if return_before => {}
                '\n' | '\r' => {
                    place.line += 1;
                    place.column = 1;
                }
                _ => place.column += 1,
            }
            return_before = c == '\r';
        }
    }
    out.extend(offsets.map(|_| place));
    out
}

/// In what part of the page each of some offsets stands, which must ascend. No part is named by
/// words of the page in which the canary finds anything.
pub(super) fn contexts(bytes: &[u8], offsets: &[usize], canary: Option<&Canary>) -> Vec<String> {
    let mut out = Vec::with_capacity(offsets.len());
    let mut offsets = offsets.iter().peekable();
    let mut tokens = Tokens::of(bytes);
    let mut element: Span = (0, 0);
    while offsets.peek().is_some() {
        let Some(token) = tokens.next() else {
            break;
        };
        let end = match token {
            Token::Text { span, .. } | Token::Comment { span } => span.1,
            Token::Open { name } => {
                element = name;
                name.1
            }
            Token::Close { name } => name.1,
            Token::Opened { .. } => continue,
            Token::Attribute { name, value } => {
                let mut within = || offsets.next_if(|wanted| **wanted < name.1).is_some();
                while within() {
                    out.push(format!(
                        "name of an attribute{}",
                        of(&tokens, element, canary)
                    ));
                }
                value.1
            }
        };
        // Names are looked at only where something was found.
        if offsets.peek().is_none_or(|wanted| **wanted >= end) {
            continue;
        }
        let context = match token {
            Token::Text { written, .. } => written_as(written).to_owned(),
            Token::Comment { .. } => "comment".to_owned(),
            Token::Open { .. } | Token::Close { .. } | Token::Opened { .. } => {
                let word = word(tokens.bytes(element), canary);
                word.map_or("tag".to_owned(), |word| format!("tag {word}"))
            }
            Token::Attribute { name, .. } => {
                let word = word(tokens.bytes(name), canary);
                let word = word.map_or(String::new(), |word| format!(" {word}"));
                format!("attribute{word}{}", of(&tokens, element, canary))
            }
        };
        while offsets.next_if(|wanted| **wanted < end).is_some() {
            out.push(context.clone());
        }
    }
    out.extend(offsets.map(|_| "markup".to_owned()));
    out
}

fn of(tokens: &Tokens<'_>, element: Span, canary: Option<&Canary>) -> String {
    let word = word(tokens.bytes(element), canary);
    word.map_or(String::new(), |word| format!(" of {word}"))
}

/// A name of the page that may be repeated.
fn word(name: &[u8], canary: Option<&Canary>) -> Option<String> {
    let plain = |b: &u8| b.is_ascii_alphanumeric() || matches!(b, b'-' | b':' | b'_');
    let short = (1..=LONGEST).contains(&name.len());
    let name = std::str::from_utf8(name).ok().filter(|_| short)?;
    let private = || canary.is_some_and(|canary| !canary.scan(name).is_empty());
    let fits = name.bytes().all(|b| plain(&b)) && !private();
    fits.then(|| name.to_ascii_lowercase())
}

const fn written_as(written: Written) -> &'static str {
    match written {
        Written::Text | Written::Plain => "text",
        Written::Title => "title",
        Written::Script => "script",
        Written::Style => "style",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn places_count_lines_and_characters() {
        let text = "aé\r\nb\nc".as_bytes();
        let told: Vec<_> = places(text, &[0, 1, 3, 5, 6, 7, 99], Charset::Utf8)
            .iter()
            .map(|place| (place.line, place.column, place.byte))
            .collect();
        assert_eq!(
            told,
            [
                (1, 1, 0),
                (1, 2, 1),
                (1, 3, 3),
                (2, 1, 5),
                (2, 2, 6),
                (3, 1, 7),
                (3, 2, 8)
            ]
        );
        let wide = places(text, &[5], super::super::charset::UTF16LE);
        assert_eq!(wide.first().map(|place| place.byte), Some(8));
    }

    #[test]
    fn contexts_name_no_private_word() {
        let page = b"<a href=1 id='x'>t<title>u</title><!--v--><zephyr-lantern q=2>";
        let mut canary = Canary::new();
        canary.value(crate::private::Kind::Label, "zephyr-lantern");
        let at = |needle: &[u8]| memchr::memmem::find(page, needle).unwrap_or_default();
        let offsets = [
            at(b"href"),
            at(b"1 id"),
            at(b"t<"),
            at(b"u<"),
            at(b"v--"),
            at(b"2>"),
        ];
        assert_eq!(
            contexts(page, &offsets, Some(&canary)),
            [
                "name of an attribute of a",
                "attribute href of a",
                "text",
                "title",
                "comment",
                "attribute q"
            ]
        );
    }
}
