//! The lines of a JSON file's values, put into the tree that was read from it.

use super::node::{Item, Node};

/// Tells every value below `node` its line in `text`: in a table that of its key, elsewhere that of its first byte.
///
/// The text is the JSON that the tree came from, taken by [`super::json::strict`]: no key twice and the order kept,
/// so that both are walked side by side and nothing is checked again.
pub(super) fn place(node: &mut Node, text: &str) {
    let mut at = Place {
        rest: text.as_bytes(),
        line: 1,
    };
    at.space();
    at.value(node);
}

struct Place<'t> {
    rest: &'t [u8],
    line: u32,
}

impl Place<'_> {
    fn value(&mut self, node: &mut Node) {
        node.line = Some(self.line);
        match &mut node.item {
            Item::Table(entries) => {
                self.mark();
                for (_, below) in entries {
                    let line = self.line;
                    self.string();
                    self.mark();
                    self.value(below);
                    // A key's own line says more than that of the bracket which its value opens with.
                    below.line = Some(line);
                    self.comma();
                }
                self.mark();
            }
            Item::List(items) => {
                self.mark();
                for below in items {
                    self.value(below);
                    self.comma();
                }
                self.mark();
            }
            Item::Text(_) => self.string(),
            _ => {
                let ends =
                    |byte: &u8| matches!(byte, b',' | b']' | b'}') || byte.is_ascii_whitespace();
                self.skip(self.rest.iter().position(ends).unwrap_or(self.rest.len()));
            }
        }
        self.space();
    }

    fn string(&mut self) {
        let mut at = 1;
        while let Some(found) =
            memchr::memchr2(b'"', b'\\', self.rest.get(at..).unwrap_or_default())
        {
            at += found;
            if self.rest[at] == b'"' {
                break;
            }
            at += 2;
        }
        self.skip(at + 1);
        self.space();
    }

    /// Passes a bracket or a colon, and the space behind it.
    fn mark(&mut self) {
        self.skip(1);
        self.space();
    }

    fn comma(&mut self) {
        if self.rest.first() == Some(&b',') {
            self.mark();
        }
    }

    fn space(&mut self) {
        let space = |byte: &&u8| byte.is_ascii_whitespace();
        let length = self.rest.iter().take_while(space).count();
        let breaks = memchr::memchr_iter(b'\n', &self.rest[..length]).count();
        self.line = self
            .line
            .saturating_add(u32::try_from(breaks).unwrap_or(u32::MAX));
        self.skip(length);
    }

    fn skip(&mut self, length: usize) {
        self.rest = self.rest.get(length..).unwrap_or_default();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn json_tells_the_lines_of_keys_and_of_values_in_lists() {
        let text = "\n{\"a\": 1,\n \"q\\\"}\\\\\": \"x\\\\\",\n\n\"tasks\" :\n[\n {\"id\":\"x\", \"n\": []},\n{\n\"id\"\n:\n\"y\", \"params\": {\"n\": [1,\n 2.5, true]}}\n, null]\n, \"end\": {}}\n";
        let node = Node::parse(text).unwrap();
        let line = |way: &str| node.line_of(way).unwrap();
        assert_eq!(node.line, Some(2));
        assert_eq!([line("a"), line("q\"}\\"), line("tasks")], [2, 3, 5]);
        assert_eq!(
            [line("tasks.0"), line("tasks.0.id"), line("tasks.0.n")],
            [7, 7, 7]
        );
        assert_eq!(
            [line("tasks.1"), line("tasks.1.id"), line("tasks.1.params")],
            [8, 9, 11]
        );
        let numbers = [
            "tasks.1.params.n.0",
            "tasks.1.params.n.1",
            "tasks.1.params.n.2",
        ];
        assert_eq!(numbers.map(line), [11, 12, 12]);
        assert_eq!([line("tasks.2"), line("end")], [13, 14]);
    }

    #[test]
    fn a_field_of_a_json_spec_is_refused_with_its_line() {
        let node = Node::parse("{\n \"one\": {\n  \"two\": [\n   1,\n   0.5\n ]}}").unwrap();
        assert_eq!(
            node.to_value("spec").unwrap_err().to_string(),
            "field=spec.one.two.1 line=5 kind=float"
        );
    }
}
