//! The layout of the case files: one item a line, nothing indented, no blank after a colon.

use std::io;

use serde::Serialize as _;
use serde_json::Value;
use serde_json::ser::{Formatter, Serializer};

/// The document in that layout, without a closing newline.
pub(super) fn to_case_text(value: &Value) -> Result<String, io::Error> {
    let mut out = Vec::new();
    value.serialize(&mut Serializer::with_formatter(
        &mut out,
        OneALine::default(),
    ))?;
    String::from_utf8(out).map_err(io::Error::other)
}

/// Remembers whether the container just closed held anything: an empty one stays on its line.
#[derive(Default)]
struct OneALine {
    has_items: bool,
}

impl OneALine {
    fn open<W: ?Sized + io::Write>(&mut self, writer: &mut W, mark: &[u8]) -> io::Result<()> {
        self.has_items = false;
        writer.write_all(mark)
    }

    fn close<W: ?Sized + io::Write>(&mut self, writer: &mut W, mark: &[u8]) -> io::Result<()> {
        if self.has_items {
            writer.write_all(b"\n")?;
        }
        writer.write_all(mark)
    }

    fn item<W: ?Sized + io::Write>(writer: &mut W, first: bool) -> io::Result<()> {
        writer.write_all(if first { b"\n" } else { b",\n" })
    }
}

impl Formatter for OneALine {
    fn begin_array<W: ?Sized + io::Write>(&mut self, writer: &mut W) -> io::Result<()> {
        self.open(writer, b"[")
    }

    fn end_array<W: ?Sized + io::Write>(&mut self, writer: &mut W) -> io::Result<()> {
        self.close(writer, b"]")
    }

    fn begin_array_value<W: ?Sized + io::Write>(
        &mut self,
        writer: &mut W,
        first: bool,
    ) -> io::Result<()> {
        Self::item(writer, first)
    }

    fn end_array_value<W: ?Sized + io::Write>(&mut self, _writer: &mut W) -> io::Result<()> {
        self.has_items = true;
        Ok(())
    }

    fn begin_object<W: ?Sized + io::Write>(&mut self, writer: &mut W) -> io::Result<()> {
        self.open(writer, b"{")
    }

    fn end_object<W: ?Sized + io::Write>(&mut self, writer: &mut W) -> io::Result<()> {
        self.close(writer, b"}")
    }

    fn begin_object_key<W: ?Sized + io::Write>(
        &mut self,
        writer: &mut W,
        first: bool,
    ) -> io::Result<()> {
        Self::item(writer, first)
    }

    fn end_object_value<W: ?Sized + io::Write>(&mut self, _writer: &mut W) -> io::Result<()> {
        self.has_items = true;
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::to_case_text;

    #[test]
    fn one_item_a_line() {
        let value = json!({"a": [], "b": {}, "c": [1, [2]], "d": {"e": "é\u{1}"}});
        let text = to_case_text(&value).unwrap();
        let expected =
            "{\n\"a\":[],\n\"b\":{},\n\"c\":[\n1,\n[\n2\n]\n],\n\"d\":{\n\"e\":\"é\\u0001\"\n}\n}";
        assert_eq!(text, expected);
    }
}
