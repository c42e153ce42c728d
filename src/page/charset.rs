//! The characters that a page's bytes stand for: decoded as a browser does, or refused by name.

use std::borrow::Cow;

use crate::private::canary::windows_1252;

/// How far a browser looks for a declaration.
const HEAD: usize = 1024;

/// Which characters the bytes of a page stand for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Charset {
    Utf8,
    /// UTF-16, with the bytes of a mark at the head.
    Utf16 {
        big: bool,
        mark: usize,
    },
    Windows1252,
}

/// UTF-16 that a label declares, small end first.
pub(super) const UTF16LE: Charset = Charset::Utf16 {
    big: false,
    mark: 0,
};
/// UTF-16 that a label declares, big end first.
pub(super) const UTF16BE: Charset = Charset::Utf16 { big: true, mark: 0 };

/// The page's charset, or nothing where it declares one that is not read here.
pub(super) fn charset(bytes: &[u8]) -> Option<Charset> {
    let utf16 = |big, mark| Some(Charset::Utf16 { big, mark });
    match bytes {
        [0xef, 0xbb, 0xbf, ..] => return Some(Charset::Utf8),
        [0xff, 0xfe, ..] => return utf16(false, 2),
        [0xfe, 0xff, ..] => return utf16(true, 2),
        // Without a mark, markup in every second byte tells as much.
        [b'<' | b'\n' | b' ' | b'#', 0, _, 0, ..] => return utf16(false, 0),
        [0, b'<' | b'\n' | b' ' | b'#', 0, _, ..] => return utf16(true, 0),
        _ => {}
    }
    match declared(bytes.get(..HEAD.min(bytes.len())).unwrap_or_default()) {
        Some(label) => labelled(&label),
        // Nothing is said: text that is UTF-8 is that, and browsers take the rest for this.
        None if std::str::from_utf8(bytes).is_err() => Some(Charset::Windows1252),
        None => Some(Charset::Utf8),
    }
}

/// The charset of a label, or nothing where it is another one.
pub(super) fn labelled(label: &str) -> Option<Charset> {
    match label.trim().to_ascii_lowercase().as_str() {
        // A page whose declaration can be read byte by byte is not UTF-16, whatever it says.
        "utf-8" | "utf8" | "unicode-1-1-utf-8" | "unicode11utf8" | "x-unicode20utf8" | "utf-16"
        | "utf-16le" | "utf-16be" => Some(Charset::Utf8),
        "us-ascii" | "ascii" | "ansi_x3.4-1968" | "iso-8859-1" | "iso8859-1" | "iso_8859-1"
        | "iso88591" | "latin1" | "l1" | "cp1252" | "windows-1252" | "x-cp1252" | "cp819"
        | "ibm819" => Some(Charset::Windows1252),
        _ => None,
    }
}

/// The label after `charset=` or `encoding=` in the head of a page: in a `meta` tag or an XML
/// declaration.
fn declared(head: &[u8]) -> Option<String> {
    let small = head.to_ascii_lowercase();
    let metas = memchr::memmem::find_iter(&small, b"<meta")
        .chain(memchr::memmem::find(&small, b"<?xml").filter(|at| *at == 0));
    for meta in metas {
        let tag = small.get(meta..).unwrap_or_default();
        let tag = tag.split(|b| *b == b'>').next().unwrap_or_default();
        for word in [&b"charset"[..], b"encoding"] {
            let Some(found) = memchr::memmem::find(tag, word) else {
                continue;
            };
            let rest = tag.get(found + word.len()..).unwrap_or_default();
            let rest = std::str::from_utf8(rest).unwrap_or_default().trim_start();
            let Some(rest) = rest.strip_prefix('=') else {
                continue;
            };
            let rest = rest.trim_start().trim_start_matches(['"', '\'']);
            let end = rest.find(['"', '\'', ';', ' ', '\t', '\n', '\r', '/', '?']);
            let label = rest.get(..end.unwrap_or(rest.len())).unwrap_or_default();
            if !label.is_empty() {
                return Some(label.to_owned());
            }
        }
    }
    None
}

/// The page's text as UTF-8. What already is, is not copied, broken bytes and all.
pub(super) fn decoded(bytes: &[u8], charset: Charset) -> Cow<'_, [u8]> {
    match charset {
        Charset::Utf8 => Cow::Borrowed(bytes),
        Charset::Windows1252 if bytes.is_ascii() => Cow::Borrowed(bytes),
        Charset::Windows1252 => {
            let text: String = bytes.iter().map(|byte| windows_1252(*byte)).collect();
            Cow::Owned(text.into_bytes())
        }
        Charset::Utf16 { big, mark } => {
            let units = bytes.get(mark..).unwrap_or_default().chunks_exact(2);
            let units = units.map(|pair| match (pair, big) {
                ([a, b], true) => u16::from_be_bytes([*a, *b]),
                ([a, b], false) => u16::from_le_bytes([*a, *b]),
                _ => 0,
            });
            let text: String = char::decode_utf16(units)
                .map(|c| c.unwrap_or(char::REPLACEMENT_CHARACTER))
                .collect();
            Cow::Owned(text.into_bytes())
        }
    }
}

impl Charset {
    /// How many bytes of the file a character takes.
    pub(super) fn width(self, c: char) -> usize {
        match self {
            Self::Utf8 => c.len_utf8(),
            Self::Windows1252 => 1,
            Self::Utf16 { .. } => 2 * c.len_utf16(),
        }
    }

    /// Bytes of the file before its first character.
    pub(super) fn mark(self) -> usize {
        match self {
            Self::Utf16 { mark, .. } => mark,
            _ => 0,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(bytes: &[u8]) -> Option<String> {
        let text = decoded(bytes, charset(bytes)?).into_owned();
        Some(String::from_utf8_lossy(&text).into_owned())
    }

    #[test]
    fn pages_are_decoded_as_they_declare_or_not_at_all() {
        let wide = |text: &str, big: bool| -> Vec<u8> {
            let units = text.encode_utf16();
            let pair = |unit: u16| match big {
                true => unit.to_be_bytes(),
                false => unit.to_le_bytes(),
            };
            units.flat_map(pair).collect()
        };
        let page = "<p>é😀</p>";
        for big in [true, false] {
            assert_eq!(read(&wide(page, big)).as_deref(), Some(page));
            let marked = wide(&format!("\u{feff}{page}"), big);
            assert_eq!(read(&marked).as_deref(), Some(page));
        }
        assert_eq!(read(page.as_bytes()).as_deref(), Some(page));
        assert_eq!(read(b"<p>\xe9\x80").as_deref(), Some("<p>é€"));
        let meta = b"<meta charset=latin1>\xe9";
        assert_eq!(read(meta).as_deref(), Some("<meta charset=latin1>é"));
        for other in [
            &b"<META charset='Shift_JIS'>"[..],
            b"<meta http-equiv=content-type content='text/html; charset=utf-7'>",
            b"<?xml version=\"1.0\" encoding=\"iso-8859-5\"?><a/>",
        ] {
            assert_eq!(charset(other), None);
        }
        let late = [b" ".repeat(2000), b"<meta charset=koi8-r>".to_vec()].concat();
        assert_eq!(charset(&late), Some(Charset::Utf8));
    }
}
