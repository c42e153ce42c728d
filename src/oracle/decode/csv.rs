//! CSV by RFC 4180: a header, then rows of as many fields.

use std::collections::BTreeSet;

use super::Datum;

/// Decodes a text into a list of records of cells.
pub(crate) fn decode(text: &str) -> Option<Datum> {
    let rows = rows(text)?;
    let (header, rows) = rows.split_first()?;
    let names: BTreeSet<&String> = header.iter().collect();
    if names.len() != header.len() || header.iter().any(String::is_empty) {
        return None;
    }
    let mut out = Vec::new();
    for row in rows {
        if row.len() != header.len() {
            return None;
        }
        let fields = header.iter().cloned();
        let cells = row.iter().cloned().map(Datum::Cell);
        out.push(Datum::Record(fields.zip(cells).collect()));
    }
    Some(Datum::List(out))
}

/// A field and what follows it.
fn field(text: &str) -> Option<(String, &str)> {
    let Some(mut rest) = text.strip_prefix('"') else {
        let end = text.find([',', '\n', '\r', '"']).unwrap_or(text.len());
        let rest = &text[end..];
        return (!rest.starts_with('"')).then(|| (text[..end].to_owned(), rest));
    };
    let mut out = String::new();
    loop {
        let (body, after) = rest.split_once('"')?;
        out.push_str(body);
        match after.strip_prefix('"') {
            Some(more) => {
                out.push('"');
                rest = more;
            }
            None => return Some((out, after)),
        }
    }
}

fn rows(text: &str) -> Option<Vec<Vec<String>>> {
    let mut rows = Vec::new();
    let mut row = Vec::new();
    let mut rest = text;
    loop {
        let (own, after) = field(rest)?;
        row.push(own);
        if let Some(next) = after.strip_prefix(',') {
            rest = next;
            continue;
        }
        rows.push(std::mem::take(&mut row));
        if after.is_empty() {
            return Some(rows);
        }
        rest = after
            .strip_prefix("\r\n")
            .or_else(|| after.strip_prefix('\n'))?;
        // A line end after the last row ends the file.
        if rest.is_empty() {
            return Some(rows);
        }
    }
}
