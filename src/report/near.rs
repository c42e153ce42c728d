//! Absolute paths in what a page tells: where somebody's folders lie is nobody's business, and the
//! name of a file mostly is what a reader asks for.

/// Folders below which each person has one that bears their name.
const HOMES: [&str; 2] = ["home", "users"];

/// The text with the last name of each absolute path in its place. A path that leads no deeper than
/// to somebody's own folder stays, for the canary to judge.
pub(super) fn nearer(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    let mut before = None;
    while let Some(c) = rest.chars().next() {
        let bounded =
            before.is_none_or(|c: char| c.is_whitespace() || "\"'`([{<=,;:>|“‘".contains(c));
        if let Some(name) = Some(rest).filter(|_| bounded).and_then(path) {
            out.push_str(name.shown);
            before = name.shown.chars().next_back();
            rest = name.after;
            continue;
        }
        out.push(c);
        before = Some(c);
        rest = rest.get(c.len_utf8()..).unwrap_or_default();
    }
    out
}

/// A path's last name, and what stands behind it.
struct Name<'a> {
    shown: &'a str,
    after: &'a str,
}

/// The absolute path that a text begins with.
fn path(text: &str) -> Option<Name<'_>> {
    let drive = match text.as_bytes() {
        [letter, b':', b'/' | b'\\', ..] if letter.is_ascii_alphabetic() => 2,
        // Two slashes begin an address.
        [b'/', b'/', ..] => return None,
        [b'/', ..] => 0,
        _ => return None,
    };
    let ends = |c: char| c.is_whitespace() || "\"'`()[]{}<>|,;“”‘’".contains(c);
    let end = text.find(ends).unwrap_or(text.len());
    let (whole, _) = text.split_at_checked(end)?;
    // What ends a sentence is no part of the last name.
    let whole = whole.trim_end_matches(['.', ':', '!', '?', '…', '/', '\\']);
    let slash = |c: char| c == '/' || drive > 0 && c == '\\';
    let names = whole
        .get(drive..)?
        .split(slash)
        .filter(|name| !name.is_empty());
    let names: Vec<&str> = names.collect();
    let home = names.iter().take(3).position(|name| {
        let small = name.to_ascii_lowercase();
        HOMES.contains(&small.as_str())
    });
    let least = home.map_or(2, |home| home + 3);
    let shown = *names.last().filter(|_| names.len() >= least)?;
    let after = text.get(whole.len()..)?;
    // The slash at the end of a folder goes with it.
    let after = after.trim_start_matches(slash);
    Some(Name { shown, after })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn absolute_paths_are_told_by_their_last_names() {
        for (text, told) in [
            (
                "The change of /home/dev/project/src/a.rs (line 3).",
                "The change of a.rs (line 3).",
            ),
            ("Ran `cargo test` in /srv/x/y/.", "Ran `cargo test` in y."),
            ("C:\\Users\\dev\\p\\b.txt, /etc/hosts", "b.txt, hosts"),
            ("(/mnt/c/Users/dev/x/y.py:12)", "(y.py:12)"),
            (
                "in /home/dev and /Users/dev/",
                "in /home/dev and /Users/dev/",
            ),
            (
                "in /tmp, src/a.rs, https://a.example/b/c",
                "in /tmp, src/a.rs, https://a.example/b/c",
            ),
            ("a/b/c and x=/opt/k/l", "a/b/c and x=l"),
            ("/", "/"),
        ] {
            assert_eq!(nearer(text), told);
        }
    }
}
