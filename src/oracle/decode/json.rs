//! JSON by RFC 8259 and nothing beside it: a name stands once in an object, there is no `NaN`.

use std::collections::BTreeSet;

use super::Datum;

/// Deeper nesting is refused, so that no answer can exhaust the stack.
const DEPTH: usize = 128;

struct Reader<'a> {
    text: &'a str,
    at: usize,
}

/// Decodes a text that is one JSON value.
pub(crate) fn decode(text: &str) -> Option<Datum> {
    let mut reader = Reader { text, at: 0 };
    reader.space();
    let value = reader.value(0)?;
    reader.space();
    (reader.at == text.len()).then_some(value)
}

impl Reader<'_> {
    fn peek(&self) -> Option<u8> {
        self.text.as_bytes().get(self.at).copied()
    }

    fn space(&mut self) {
        while matches!(self.peek(), Some(b' ' | b'\t' | b'\n' | b'\r')) {
            self.at += 1;
        }
    }

    fn take(&mut self, literal: &str) -> Option<()> {
        let rest = self.text.get(self.at..)?;
        rest.starts_with(literal).then(|| self.at += literal.len())
    }

    fn value(&mut self, depth: usize) -> Option<Datum> {
        if depth > DEPTH {
            return None;
        }
        match self.peek()? {
            b'{' => self.record(depth),
            b'[' => self.list(depth),
            b'"' => self.string().map(Datum::Text),
            b't' => self.take("true").map(|()| Datum::Bool(true)),
            b'f' => self.take("false").map(|()| Datum::Bool(false)),
            b'n' => self.take("null").map(|()| Datum::Null),
            _ => self.number().map(Datum::Number),
        }
    }

    fn list(&mut self, depth: usize) -> Option<Datum> {
        self.take("[")?;
        self.space();
        let mut items = Vec::new();
        if self.take("]").is_some() {
            return Some(Datum::List(items));
        }
        loop {
            self.space();
            items.push(self.value(depth + 1)?);
            self.space();
            if self.take("]").is_some() {
                return Some(Datum::List(items));
            }
            self.take(",")?;
        }
    }

    fn record(&mut self, depth: usize) -> Option<Datum> {
        self.take("{")?;
        self.space();
        let mut fields: Vec<(String, Datum)> = Vec::new();
        let mut names = BTreeSet::new();
        if self.take("}").is_some() {
            return Some(Datum::Record(fields));
        }
        loop {
            self.space();
            let name = self.string()?;
            if !names.insert(name.clone()) {
                return None;
            }
            self.space();
            self.take(":")?;
            self.space();
            fields.push((name, self.value(depth + 1)?));
            self.space();
            if self.take("}").is_some() {
                return Some(Datum::Record(fields));
            }
            self.take(",")?;
        }
    }

    fn string(&mut self) -> Option<String> {
        self.take("\"")?;
        let mut out = String::new();
        loop {
            let rest = self.text.get(self.at..)?;
            let stop = rest.find(|c: char| c == '"' || c == '\\' || c < '\u{20}')?;
            out.push_str(&rest[..stop]);
            self.at += stop + 1;
            match rest.as_bytes()[stop] {
                b'"' => return Some(out),
                b'\\' => out.push(self.escape()?),
                _ => return None,
            }
        }
    }

    fn escape(&mut self) -> Option<char> {
        let byte = self.peek()?;
        self.at += 1;
        Some(match byte {
            b'"' => '"',
            b'\\' => '\\',
            b'/' => '/',
            b'b' => '\u{8}',
            b'f' => '\u{c}',
            b'n' => '\n',
            b'r' => '\r',
            b't' => '\t',
            b'u' => return self.unit(),
            _ => return None,
        })
    }

    fn hex(&mut self) -> Option<u32> {
        let digits = self.text.get(self.at..self.at + 4)?;
        if !digits.bytes().all(|byte| byte.is_ascii_hexdigit()) {
            return None;
        }
        self.at += 4;
        u32::from_str_radix(digits, 16).ok()
    }

    /// A lone surrogate is no character, and so no text that could equal a key.
    fn unit(&mut self) -> Option<char> {
        let high = self.hex()?;
        if !(0xd800..0xdc00).contains(&high) {
            return char::from_u32(high);
        }
        self.take("\\u")?;
        let low = self.hex()?;
        if !(0xdc00..0xe000).contains(&low) {
            return None;
        }
        char::from_u32(0x1_0000 + ((high - 0xd800) << 10) + (low - 0xdc00))
    }

    fn digits(&mut self) -> usize {
        let start = self.at;
        while self.peek().is_some_and(|byte| byte.is_ascii_digit()) {
            self.at += 1;
        }
        self.at - start
    }

    fn number(&mut self) -> Option<String> {
        let start = self.at;
        let _ = self.take("-");
        let zero = self.peek() == Some(b'0');
        let whole = self.digits();
        if whole == 0 || zero && whole > 1 {
            return None;
        }
        if self.take(".").is_some() && self.digits() == 0 {
            return None;
        }
        if matches!(self.peek(), Some(b'e' | b'E')) {
            self.at += 1;
            if matches!(self.peek(), Some(b'+' | b'-')) {
                self.at += 1;
            }
            if self.digits() == 0 {
                return None;
            }
        }
        self.text.get(start..self.at).map(str::to_owned)
    }
}
