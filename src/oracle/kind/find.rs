//! Names, values and paths in a text, whole.

use super::super::grammar::is_word;

/// Whether a name stands in a text with nothing beside it that touches it.
pub(super) fn stands(text: &str, name: &str, touches: impl Fn(char) -> bool) -> bool {
    places(text, name, touches).next().is_some()
}

/// The places where a name stands in a text with nothing beside it that touches it.
pub(super) fn places<'t>(
    text: &'t str,
    name: &'t str,
    touches: impl Fn(char) -> bool + 't,
) -> impl Iterator<Item = (usize, usize)> + 't {
    let found = memchr::memmem::find_iter(text.as_bytes(), name.as_bytes());
    let found = found.filter(move |at| {
        let before = text.get(..*at).and_then(|own| own.chars().next_back());
        let after = text.get(at + name.len()..);
        let after = after.and_then(|own| own.chars().next());
        !name.is_empty() && !before.is_some_and(&touches) && !after.is_some_and(&touches)
    });
    found.map(|at| (at, at + name.len()))
}

/// A part of a word, or of a name whose words are joined by dashes.
pub(super) fn in_name(c: char) -> bool {
    is_word(c) || c == '-'
}

/// A part of a path.
pub(super) fn in_path(c: char) -> bool {
    is_word(c) || matches!(c, '-' | '.' | '/')
}

/// A path as text, with `.` and `..` taken out. A relative one is placed below `cwd`; `None` where that is not known, or a
/// shell or another user's home would have to say where it leads.
pub(super) fn resolved(path: &str, cwd: &str) -> Option<String> {
    let absolute = |text: &str| text.starts_with('/') || text.get(1..3) == Some(":/");
    let slashed = match path.get(1..3) {
        Some(":\\" | ":/") => path.replace('\\', "/"),
        _ => path.to_owned(),
    };
    let whole = if absolute(&slashed) {
        slashed
    } else if slashed.starts_with('~') || !absolute(cwd) {
        return None;
    } else {
        format!("{cwd}/{slashed}")
    };
    let mut parts: Vec<&str> = Vec::new();
    for part in whole.split('/') {
        match part {
            "" | "." => {}
            ".." => {
                parts.pop();
            }
            part => parts.push(part),
        }
    }
    let lead = if whole.starts_with('/') { "/" } else { "" };
    Some(format!("{lead}{}", parts.join("/")))
}

/// The folder that a pattern of paths cannot lead out of. `None` where it may lead anywhere.
pub(super) fn folder(pattern: &str, cwd: &str) -> Option<String> {
    let Some(at) = pattern.find(['*', '?', '[', '{']) else {
        return resolved(pattern, cwd);
    };
    let (head, tail) = pattern.split_at(at);
    if tail.split('/').any(|part| part == "..") {
        return None;
    }
    let folder = head.rfind('/').map_or("", |slash| &head[..=slash]);
    resolved(if folder.is_empty() { "." } else { folder }, cwd)
}

/// Whether a resolved path is a folder or lies in it.
pub(super) fn lies_in(path: &str, folder: &str) -> bool {
    let rest = path.strip_prefix(folder.trim_end_matches('/'));
    rest.is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_are_resolved_as_text() {
        for (path, cwd, expected) in [
            ("/a/b/../c/", "", Some("/a/c")),
            ("b/./c", "/a", Some("/a/b/c")),
            ("../../..", "/a", Some("/")),
            ("C:\\a\\..\\b", "", Some("C:/b")),
            ("b", "", None),
            ("~/b", "/a", None),
        ] {
            assert_eq!(resolved(path, cwd).as_deref(), expected, "{path}");
        }
        for (pattern, expected) in [
            ("/t/**/*.csv", Some("/t")),
            ("*.csv", Some("/a")),
            ("src/x*/y", Some("/a/src")),
            ("src/*/../../..", None),
            ("/t/x.csv", Some("/t/x.csv")),
        ] {
            assert_eq!(folder(pattern, "/a").as_deref(), expected, "{pattern}");
        }
        assert!(lies_in("/a/b", "/a/") && lies_in("/a", "/a"));
        assert!(!lies_in("/ab", "/a"));
    }
}
