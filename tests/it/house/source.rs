//! Rust source as far as the house tests read it: without comments, strings or tests.

use std::path::{Path, PathBuf};

/// One source file.
pub(super) struct Source {
    /// Its path below the repository's folder, with `/`.
    pub(super) path: String,
    /// Its text without comments and without what is built for tests only.
    pub(super) code: String,
    /// The same with the contents of strings blanked out.
    pub(super) bare: String,
}

/// The repository's folder.
pub(super) fn root() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR"))
}

/// Every file below a folder, as paths with `/` below the repository's, sorted.
pub(super) fn files(folder: &str) -> Vec<String> {
    let skipped = ["target", ".git", "node_modules", "__pycache__"];
    let mut found: Vec<String> = walkdir::WalkDir::new(root().join(folder))
        .into_iter()
        .filter_entry(|entry| !skipped.iter().any(|name| entry.file_name() == *name))
        .filter_map(Result::ok)
        .filter(|entry| entry.file_type().is_file())
        .map(|entry| below_root(entry.path()))
        .collect();
    found.sort();
    found
}

fn below_root(path: &Path) -> String {
    let path = path.strip_prefix(root()).unwrap_or(path);
    path.to_string_lossy().replace('\\', "/")
}

/// Every source file of the library and the program that is no test.
pub(super) fn sources() -> Vec<Source> {
    let found: Vec<Source> = files("src")
        .into_iter()
        .filter(|path| path.ends_with(".rs"))
        .filter(|path| !path.ends_with("/tests.rs") && !path.contains("/tests/"))
        .map(|path| {
            let text = std::fs::read_to_string(root().join(&path)).unwrap();
            Source::new(path, &text)
        })
        .collect();
    assert!(found.len() > 50, "only {} source files", found.len());
    found
}

impl Source {
    pub(super) fn new(path: String, text: &str) -> Self {
        let (mut code, mut bare) = blanked(text.as_bytes());
        for range in test_items(&bare) {
            code[range.clone()].fill(b' ');
            bare[range].fill(b' ');
        }
        Self {
            path,
            code: String::from_utf8_lossy(&code).into_owned(),
            bare: String::from_utf8_lossy(&bare).into_owned(),
        }
    }

    /// The modules from the crate's root down to this file's own.
    pub(super) fn module(&self) -> Vec<&str> {
        let path = self.path.strip_prefix("src/").unwrap_or(&self.path);
        let path = path.strip_suffix(".rs").unwrap_or(path);
        let path = path.strip_suffix("/mod").unwrap_or(path);
        match path {
            "lib" => Vec::new(),
            _ => path.split('/').collect(),
        }
    }

    /// The names that stand right below a path such as `crate` or `std`: `a` of `crate::a::b`, `a`
    /// and `b` of `crate::{a::c, b}`.
    pub(super) fn below(&self, parent: &str) -> Vec<String> {
        let mut names = Vec::new();
        let head = format!("{parent}::");
        for (at, _) in self.bare.match_indices(&head) {
            let before = self.bare[..at].chars().next_back();
            if before.is_some_and(|c| c.is_alphanumeric() || c == '_' || c == ':') {
                continue;
            }
            names.extend(first_names(&self.bare[at + head.len()..]));
        }
        names
    }
}

/// The first name of a path, or the first name of each path of a group.
fn first_names(rest: &str) -> Vec<String> {
    let name = |text: &str| -> String {
        text.trim_start()
            .chars()
            .take_while(|c| c.is_alphanumeric() || *c == '_')
            .collect()
    };
    let Some(group) = rest.strip_prefix('{') else {
        return vec![name(rest)];
    };
    let mut names = vec![name(group)];
    let mut depth = 0_u32;
    for (at, c) in group.char_indices() {
        match c {
            '{' => depth += 1,
            '}' if depth == 0 => break,
            '}' => depth -= 1,
            ',' if depth == 0 => names.push(name(&group[at + 1..])),
            _ => {}
        }
    }
    names.retain(|name| !name.is_empty());
    names
}

/// The text with comments blanked out, and the same with the contents of strings blanked out too.
fn blanked(text: &[u8]) -> (Vec<u8>, Vec<u8>) {
    let (mut code, mut bare) = (text.to_vec(), text.to_vec());
    let mut at = 0;
    while at < text.len() {
        let rest = &text[at..];
        let (length, comment) = if rest.starts_with(b"//") {
            (
                rest.iter().position(|b| *b == b'\n').unwrap_or(rest.len()),
                true,
            )
        } else if rest.starts_with(b"/*") {
            (block_comment(rest), true)
        } else if let Some(length) = string(rest, at.checked_sub(1).map(|before| text[before])) {
            (length, false)
        } else {
            at += 1;
            continue;
        };
        for index in at..at + length {
            if text[index] != b'\n' {
                bare[index] = b' ';
                if comment {
                    code[index] = b' ';
                }
            }
        }
        at += length;
    }
    (code, bare)
}

fn block_comment(rest: &[u8]) -> usize {
    let (mut depth, mut at) = (0_u32, 0);
    while at < rest.len() {
        if rest[at..].starts_with(b"/*") {
            depth += 1;
            at += 2;
        } else if rest[at..].starts_with(b"*/") {
            depth -= 1;
            at += 2;
            if depth == 0 {
                return at;
            }
        } else {
            at += 1;
        }
    }
    rest.len()
}

/// The length of the string or character literal that starts here.
fn string(rest: &[u8], before: Option<u8>) -> Option<usize> {
    let fresh = !before.is_some_and(|b| b.is_ascii_alphanumeric() || b == b'_');
    match rest[0] {
        b'"' => Some(quoted(rest, 1, b'"')),
        b'r' if fresh => raw(rest),
        b'\'' if rest.get(1) == Some(&b'\\') => Some(quoted(rest, 1, b'\'')),
        b'\'' => {
            // A lifetime has no closing quote after one character.
            let text = std::str::from_utf8(&rest[1..rest.len().min(6)]);
            let text = text.unwrap_or_else(|error| {
                std::str::from_utf8(&rest[1..1 + error.valid_up_to()]).unwrap_or("")
            });
            let length = text.chars().next()?.len_utf8();
            (rest.get(1 + length) == Some(&b'\'')).then_some(length + 2)
        }
        _ => None,
    }
}

fn quoted(rest: &[u8], from: usize, end: u8) -> usize {
    let mut at = from;
    while at < rest.len() && rest[at] != end {
        at += if rest[at] == b'\\' { 2 } else { 1 };
    }
    (at + 1).min(rest.len())
}

fn raw(rest: &[u8]) -> Option<usize> {
    let hashes = rest[1..].iter().take_while(|b| **b == b'#').count();
    if rest.get(1 + hashes) != Some(&b'"') {
        return None;
    }
    let end: Vec<u8> = std::iter::once(b'"')
        .chain(std::iter::repeat_n(b'#', hashes))
        .collect();
    let body = &rest[hashes + 2..];
    let length = body.windows(end.len()).position(|window| window == end)?;
    Some(hashes + 2 + length + end.len())
}

/// Where items stand that are built for tests only.
fn test_items(bare: &[u8]) -> Vec<std::ops::Range<usize>> {
    const MARK: &[u8] = b"#[cfg(test)]";
    let mut items = Vec::new();
    let mut at = 0;
    while let Some(found) = bare[at..]
        .windows(MARK.len())
        .position(|window| window == MARK)
    {
        let start = at + found;
        let mut end = start + MARK.len();
        let mut depth = 0_u32;
        while end < bare.len() {
            match bare[end] {
                b'{' => depth += 1,
                b'}' => depth = depth.saturating_sub(1),
                _ => {}
            }
            end += 1;
            if depth == 0 && matches!(bare[end - 1], b'}' | b';') {
                break;
            }
        }
        items.push(start..end);
        at = end;
    }
    items
}

#[test]
fn comments_strings_and_tests_are_told_from_code() {
    let text = "use crate::{a::{x, y}, b};\n// crate::c\n/* crate::d /* */ */ let s = \"crate::e // \\\"\";\n\
                let r = r#\"crate::f\"#; let c = '\"'; let l: &'static str = crate::g::h();\n\
                #[cfg(test)]\nmod tests { fn t() { crate::i(); } }\nstd::mem::take(x); super::super::j::k();\n";
    let source = Source::new("src/m/n.rs".to_owned(), text);
    assert_eq!(source.below("crate"), ["a", "b", "g"]);
    assert_eq!(source.below("std"), ["mem"]);
    assert_eq!(source.below("super::super"), ["j"]);
    assert_eq!(source.module(), ["m", "n"]);
    assert!(source.code.contains("crate::e") && source.code.contains("crate::f"));
    assert!(!source.code.contains("crate::c") && !source.code.contains("crate::i"));
}
