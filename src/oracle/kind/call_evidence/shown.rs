//! What a result shows of a thing: that it is there, that it is not, or only what the call itself had said.

use serde_json::Value;

/// How far around a name it is looked for words that deny it.
const AROUND: usize = 80;
/// How much of a page is looked at for the words of an error.
const HEAD: usize = 2048;

/// Whether any text of a call's arguments holds something.
pub(super) fn in_input(input: &Value, holds: &dyn Fn(&str) -> bool) -> bool {
    match input {
        Value::String(text) => holds(text),
        Value::Array(items) => items.iter().any(|own| in_input(own, holds)),
        Value::Object(fields) => fields.values().any(|own| in_input(own, holds)),
        _ => false,
    }
}

/// The names of files, without their folders, that stand in a call's arguments: runs of what paths are made of.
pub(super) fn file_names<'v>(input: &'v Value, take: &mut dyn FnMut(&'v str)) {
    match input {
        Value::String(text) => {
            let runs = text.split(|c: char| !super::in_path(c));
            let names = runs.map(|run| run.trim_end_matches('.').rsplit('/').next().unwrap_or(""));
            names.filter(|name| !name.is_empty()).for_each(take);
        }
        Value::Array(items) => items.iter().for_each(|own| file_names(own, take)),
        Value::Object(fields) => fields.values().for_each(|own| file_names(own, take)),
        _ => {}
    }
}

/// Whether the words around a name say that it is not there: `No record NAME`, `NAME: not found`.
pub(super) fn is_denied(text: &str, (start, end): (usize, usize)) -> bool {
    let from = text.ceil_char_boundary(start.saturating_sub(AROUND));
    let before = text.get(from..start).unwrap_or("");
    let breaks = |c: char| matches!(c, '\n' | ';' | ',' | '{' | '}' | '[' | ']' | '|');
    let before = before.rsplit(breaks).next().unwrap_or("");
    let before = before.rsplit(". ").next().unwrap_or("").to_lowercase();
    let words = before.split(|c: char| !c.is_alphanumeric()).rev();
    let mut words = words.filter(|word| !word.is_empty()).take(6);
    if words.any(|word| {
        matches!(
            word,
            "no" | "not" | "cannot" | "t" | "without" | "unknown" | "missing" | "neither" | "nor"
        )
    }) {
        return true;
    }
    let to = text.floor_char_boundary(end + AROUND);
    let after = text.get(end..to).unwrap_or("");
    let after = after.split(breaks).next().unwrap_or("").to_lowercase();
    let words: Vec<&str> = after
        .split(|c: char| !c.is_alphanumeric())
        .filter(|word| {
            !word.is_empty()
                && !matches!(
                    *word,
                    "is" | "was" | "does" | "do" | "could" | "has" | "error"
                )
        })
        .take(2)
        .collect();
    matches!(
        words.as_slice(),
        [
            "not" | "missing" | "unknown" | "cannot" | "doesn" | "isn" | "wasn" | "couldn",
            ..
        ] | ["no", "such" | "record" | "match"]
    )
}

fn is_refusal(code: &str) -> bool {
    code.len() == 3 && code.starts_with(['4', '5']) && code.bytes().all(|own| own.is_ascii_digit())
}

/// The code of a line of headers such as `HTTP/2 404`.
fn code(line: &str) -> Option<&str> {
    let line = line.strip_prefix("< ").unwrap_or(line);
    line.strip_prefix("HTTP/")?.split_whitespace().nth(1)
}

/// Whether a result is the page of an error rather than what was asked for: by the last of its leading headers, or by its
/// first words.
pub(super) fn is_error_page(text: &str) -> bool {
    let mut last = None;
    let mut headers = true;
    for line in text.trim_start().lines() {
        match code(line) {
            Some(code) if headers || line.starts_with("< ") => {
                last = Some(code);
                headers = true;
            }
            _ if line.trim().is_empty() => {}
            _ => headers &= line.contains(": "),
        }
    }
    if let Some(code) = last {
        return is_refusal(code);
    }
    let to = text.floor_char_boundary(HEAD);
    let mut seen = String::new();
    let mut tag = false;
    for c in text.get(..to).unwrap_or("").chars() {
        match c {
            '<' => tag = true,
            '>' if tag => {
                tag = false;
                seen.push(' ');
            }
            c if !tag => seen.push(c),
            _ => {}
        }
    }
    let seen = seen.to_lowercase();
    let words = seen.split(|c: char| !c.is_alphanumeric());
    let lead = [
        "", "error", "http", "https", "status", "code", "page", "file", "the",
    ];
    let words: Vec<&str> = words.filter(|own| !lead.contains(own)).take(2).collect();
    match words.as_slice() {
        ["not", "found"] => true,
        [code, next] => {
            const PHRASES: [&str; 12] = [
                "bad",
                "client",
                "forbidden",
                "gateway",
                "gone",
                "internal",
                "method",
                "not",
                "server",
                "service",
                "too",
                "unauthorized",
            ];
            is_refusal(code) && PHRASES.contains(next)
        }
        [code] => is_refusal(code) && seen.trim().len() < 40,
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_is_denied_by_the_words_around_it() {
        for (text, expected) in [
            ("No record d/a.md", true),
            ("could not find d/a.md", true),
            ("d/a.md: No such file or directory", true),
            ("d/a.md does not exist", true),
            ("d/a.md was not found", true),
            ("1 hit: d/a.md", false),
            ("no hit in x; d/a.md", false),
            ("d/a.md: no longer 12 cm", false),
            ("{\"missing\":0,\"path\":\"d/a.md\"}", false),
        ] {
            let at = text.find("d/a.md").unwrap();
            assert_eq!(is_denied(text, (at, at + 6)), expected, "{text}");
        }
    }

    #[test]
    fn an_error_page_is_told_by_its_headers_or_its_first_words() {
        for (text, expected) in [
            ("HTTP/2 404 \r\nserver: x\r\n", true),
            (
                "HTTP/1.1 301 Moved\nlocation: /b\n\nHTTP/1.1 200 OK\n\n404",
                false,
            ),
            ("< HTTP/1.1 503 Unavailable\n<html>", true),
            ("<html><title>404 Not Found</title>", true),
            ("404: Not Found", true),
            ("Not Found", true),
            ("404", true),
            (
                "Request headers\nHTTP/1.1 404 Not Found is sent where …",
                false,
            ),
            ("404 pages were read", false),
            ("A page about 404 Not Found", false),
            ("", false),
        ] {
            assert_eq!(is_error_page(text), expected, "{text}");
        }
    }
}
