//! CSV as RFC 4180 has it, read strictly.

/// The rows of a text; `None` where it is no CSV: a quote inside a bare cell, text after a closing
/// quote, or a quote that is never closed. Linear.
pub(super) fn rows(text: &str) -> Option<Vec<Vec<String>>> {
    let mut rows = Vec::new();
    let mut row = Vec::new();
    let mut rest = text;
    while !rest.is_empty() {
        let (cell, after) = match rest.strip_prefix('"') {
            Some(quoted) => quoted_cell(quoted)?,
            None => bare_cell(rest)?,
        };
        row.push(cell);
        rest = if let Some(next) = after.strip_prefix(',') {
            if next.is_empty() {
                row.push(String::new());
            }
            next
        } else {
            rows.push(std::mem::take(&mut row));
            let next = after.strip_prefix('\r').unwrap_or(after);
            match next.strip_prefix('\n') {
                Some(next) => next,
                None if next.is_empty() && after.is_empty() => "",
                None => return None,
            }
        };
    }
    if !row.is_empty() {
        rows.push(row);
    }
    Some(rows)
}

fn quoted_cell(text: &str) -> Option<(String, &str)> {
    let mut cell = String::new();
    let mut rest = text;
    loop {
        let end = memchr::memchr(b'"', rest.as_bytes())?;
        cell.push_str(&rest[..end]);
        rest = &rest[end + 1..];
        match rest.strip_prefix('"') {
            Some(next) => {
                cell.push('"');
                rest = next;
            }
            None => return Some((cell, rest)),
        }
    }
}

fn bare_cell(text: &str) -> Option<(String, &str)> {
    let end = text.find([',', '\n', '\r']).unwrap_or(text.len());
    let cell = &text[..end];
    (!cell.contains('"')).then(|| (cell.to_owned(), &text[end..]))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cells_are_read_strictly() {
        let read = |text: &str| rows(text).map(|rows| format!("{rows:?}"));
        assert_eq!(
            read("a,b\r\n\"x,\"\"y\"\"\n\",2\n").as_deref(),
            Some(r#"[["a", "b"], ["x,\"y\"\n", "2"]]"#)
        );
        assert_eq!(read("a,\n,b").as_deref(), Some(r#"[["a", ""], ["", "b"]]"#));
        assert_eq!(read("a,").as_deref(), Some(r#"[["a", ""]]"#));
        assert_eq!(read("").as_deref(), Some("[]"));
        for broken in ["\"a", "a\"b", "\"a\"b", "a\rb"] {
            assert_eq!(read(broken), None, "{broken}");
        }
    }
}
