//! The lines that a step takes out of files and puts in: what remains of an edit's texts.
//!
//! Whole texts are never kept. Of each stretch that is changed, the lines that only one side has
//! stay, and of those that both have, only what may name what they belong to.

use std::collections::HashMap;

use super::deed::canonical;
use crate::shell;
use crate::transcript::{Action, Change, Dialect, Swap, key_of, patch_swaps};

/// The most that is kept of one file's change, in bytes, and of one step's.
const FILE: usize = 12 * 1024;
const STEP: usize = 48 * 1024;

/// Longer lines are cut: no test or setting that a person wrote has one.
const LINE: usize = 400;

/// Which side of a change a line stands on.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Side {
    /// On both: it may name what the lines after it belong to.
    Both,
    /// It was taken out.
    Removed,
    /// It was put in.
    Added,
}

/// What one step does to one file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Alter {
    /// The file, in canonical form.
    pub path: String,
    /// How it was changed.
    pub change: Change,
    /// Its lines, those taken out of a stretch before those put in.
    pub lines: Vec<(Side, String)>,
    /// Whether lines were left out or shortened for want of room.
    pub cut: bool,
}

impl Alter {
    /// The lines of one side.
    pub fn side(&self, side: Side) -> impl Iterator<Item = &str> {
        self.lines
            .iter()
            .filter(move |(own, _)| *own == side)
            .map(|(_, line)| line.as_str())
    }

    fn held(&self) -> usize {
        self.path.len()
            + self
                .lines
                .iter()
                .map(|(_, line)| line.len() + 32)
                .sum::<usize>()
    }
}

/// Bytes that the changes of a step take.
pub(super) fn held(alters: &[Alter]) -> usize {
    alters.iter().map(Alter::held).sum()
}

/// Takes in what a reply tells of a change, where it tells more than the call; gives the bytes that
/// the changes took before.
pub(super) fn retold(alters: &mut Vec<Alter>, swaps: &[Swap<'_>]) -> usize {
    let before = held(alters);
    if !swaps.is_empty() {
        *alters = of_swaps(swaps, None);
    }
    before
}

/// What a call does to the text of files.
pub(super) fn alters(action: &Action<'_>, cwd: Option<&str>) -> Vec<Alter> {
    match action {
        Action::Edit { changes, swaps } => {
            let mut found = of_swaps(swaps, cwd);
            for (path, change) in changes {
                let path = canonical(path, cwd);
                match found.iter_mut().find(|alter| alter.path == path) {
                    Some(alter) => alter.change = *change,
                    None => found.push(bare(path, *change)),
                }
            }
            found
        }
        Action::Shell {
            command,
            dialect: Dialect::Posix,
            cwd: own,
            ..
        } => of_shell(command, own.as_deref().or(cwd)),
        _ => Vec::new(),
    }
}

fn bare(path: String, change: Change) -> Alter {
    Alter {
        path,
        change,
        lines: Vec::new(),
        cut: false,
    }
}

/// The changes of some stretches, those of one file together.
fn of_swaps(swaps: &[Swap<'_>], cwd: Option<&str>) -> Vec<Alter> {
    let mut found: Vec<Alter> = Vec::new();
    let mut room = STEP;
    for swap in swaps {
        let path = canonical(&swap.path, cwd);
        let at = found.iter().position(|alter| alter.path == path);
        let at = at.unwrap_or_else(|| {
            let change = if swap.whole {
                Change::Write
            } else {
                Change::Update
            };
            found.push(bare(path, change));
            found.len() - 1
        });
        let alter = &mut found[at];
        let before = alter.held();
        if !alter.lines.is_empty() {
            // A new stretch: what named the lines before names none of those after.
            alter.lines.push((Side::Both, String::new()));
        }
        difference(&swap.old, &swap.new, alter, FILE.min(room));
        room = room.saturating_sub(alter.held().saturating_sub(before));
    }
    found
}

/// Appends what only one of two texts has. Lines are told by their content, so a stretch that only
/// moves within the two is no change.
fn difference(old: &str, new: &str, alter: &mut Alter, room: usize) {
    let mut count: HashMap<u64, i64> = HashMap::new();
    let key = |line: &str| key_of(&[line.trim()]);
    for line in old.lines() {
        *count.entry(key(line)).or_insert(0) += 1;
    }
    for line in new.lines() {
        *count.entry(key(line)).or_insert(0) -= 1;
    }
    let mut held = alter.held();
    let mut keep = |side: Side, line: &str| {
        let whole = line.trim_end();
        let line = clipped(whole);
        alter.cut |= line.len() < whole.len();
        if held + line.len() + 32 > room {
            alter.cut = true;
            return;
        }
        held += line.len() + 32;
        alter.lines.push((side, line.to_owned()));
    };
    let mut left = count.clone();
    for line in old.lines() {
        let excess = left.entry(key(line)).or_insert(0);
        if *excess > 0 {
            *excess -= 1;
            keep(Side::Removed, line);
        } else if names(line) {
            keep(Side::Both, line);
        }
    }
    let mut left = count;
    for line in new.lines() {
        let excess = left.entry(key(line)).or_insert(0);
        if *excess < 0 {
            *excess += 1;
            if !line.trim().is_empty() {
                keep(Side::Added, line);
            }
        } else if names(line) {
            keep(Side::Both, line);
        }
    }
}

/// Whether a line may name what the lines after it belong to, or asks for something: a test that loses an
/// assertion and keeps another still asks.
fn names(line: &str) -> bool {
    const HEADS: [&str; 19] = [
        "def ",
        "async ",
        "fn ",
        "pub ",
        "func ",
        "it(",
        "it.",
        "test(",
        "test.",
        "describe",
        "class ",
        "function ",
        "public ",
        "void ",
        "#[",
        "@",
        "assert",
        "self.assert",
        "expect(",
    ];
    let line = line.trim_start();
    HEADS.iter().any(|head| line.starts_with(head))
}

fn clipped(line: &str) -> &str {
    let line = line.trim_end();
    let end = line.floor_char_boundary(LINE);
    &line[..end]
}

/// What the commands of a shell do to the text of files, as far as their words tell.
fn of_shell(command: &str, cwd: Option<&str>) -> Vec<Alter> {
    // A command is read once more only where it may tell anything.
    let in_place = command.contains(" -i") || command.contains(" -pi");
    if !in_place && !command.contains("<<") {
        return Vec::new();
    }
    let mut found = Vec::new();
    if command.contains("*** Begin Patch") {
        return of_swaps(&patch_swaps(command), cwd);
    }
    for simple in &shell::read(command).commands {
        let here = simple.cwd.as_deref().map(|own| canonical(own, cwd));
        let here = here.as_deref().or(cwd);
        let target = |access: &[shell::Access]| {
            simple
                .touches
                .iter()
                .find(|touch| access.contains(&touch.access))
                .map(|touch| canonical(&touch.path, here))
        };
        match (simple.program.as_ref(), &simple.stdin) {
            ("cat" | "tee", Some(body)) => {
                if let Some(path) = target(&[shell::Access::Write, shell::Access::Create]) {
                    let appends = simple.words.iter().any(|word| word == "-a")
                        || simple
                            .redirects
                            .iter()
                            .any(|redirect| redirect.kind == shell::RedirectKind::Append);
                    let change = if appends {
                        Change::Update
                    } else {
                        Change::Write
                    };
                    let mut alter = bare(path, change);
                    difference("", body, &mut alter, FILE);
                    found.push(alter);
                }
            }
            ("sed" | "gsed" | "perl", _) => {
                if let Some(path) = target(&[shell::Access::Write]) {
                    let mut alter = bare(path, Change::Update);
                    for word in simple.words.iter().skip(1) {
                        substitution(word, &mut alter);
                    }
                    found.push(alter);
                }
            }
            _ => {}
        }
    }
    found
}

/// `s/old/new/` and `/old/d`, as a line taken out and one put in.
fn substitution(word: &str, alter: &mut Alter) {
    let word = word.trim();
    if let Some(pattern) = word
        .strip_prefix('/')
        .and_then(|rest| rest.strip_suffix("/d"))
    {
        alter.lines.push((Side::Removed, unescaped(pattern)));
        return;
    }
    let at = if word.starts_with('s') {
        1
    } else {
        word.find(" s").map_or(0, |at| at + 2)
    };
    let Some(mark) = word
        .get(at..)
        .and_then(|rest| rest.chars().next())
        .filter(|_| at > 0)
    else {
        return;
    };
    if mark.is_alphanumeric() || mark.is_whitespace() || mark == '-' {
        return;
    }
    let mut parts: Vec<String> = vec![String::new()];
    let mut chars = word[at + mark.len_utf8()..].chars().peekable();
    while let Some(c) = chars.next() {
        match (c, parts.last_mut()) {
            ('\\', Some(part)) => {
                if chars.peek() != Some(&mark) {
                    part.push(c);
                }
                part.extend(chars.next());
            }
            (c, _) if c == mark => parts.push(String::new()),
            (c, Some(part)) => part.push(c),
            (_, None) => {}
        }
    }
    let [old, new, ..] = parts.as_slice() else {
        return;
    };
    for (side, text) in [(Side::Removed, old), (Side::Added, new)] {
        let text = unescaped(text);
        if !text.trim().is_empty() {
            let line = clipped(&text);
            alter.cut |= line.len() < text.trim_end().len();
            alter.lines.push((side, line.to_owned()));
        }
    }
}

/// A pattern as the text that it stands for, as far as plain escapes go.
fn unescaped(pattern: &str) -> String {
    let mut out = String::with_capacity(pattern.len());
    let mut chars = pattern
        .trim_start_matches('^')
        .trim_end_matches('$')
        .chars();
    while let Some(c) = chars.next() {
        match c {
            '\\' => match chars.next() {
                Some('n') => out.push('\n'),
                Some('t') => out.push('\t'),
                Some(c) => out.push(c),
                None => {}
            },
            c => out.push(c),
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shell(command: &str) -> Vec<Alter> {
        of_shell(command, Some("/r"))
    }

    #[test]
    fn only_what_one_side_has_is_kept() {
        let mut alter = bare("t".to_owned(), Change::Update);
        let old = "def test_a():\n    x = 1\n    assert x == 1\n";
        let new = "def test_a():\n    x = 1\n    assert x\n";
        difference(old, new, &mut alter, FILE);
        let told: Vec<_> = alter
            .lines
            .iter()
            .map(|(side, line)| (*side, line.trim()))
            .collect();
        assert_eq!(
            told,
            [
                (Side::Both, "def test_a():"),
                (Side::Removed, "assert x == 1"),
                (Side::Both, "def test_a():"),
                (Side::Added, "assert x"),
            ]
        );
        let mut moved = bare("t".to_owned(), Change::Update);
        difference("a\nb\n", "b\n  a\n", &mut moved, FILE);
        assert!(moved.lines.is_empty());
    }

    #[test]
    fn shells_tell_what_their_words_tell() {
        let found = shell("sed -i 's/assert x == 5/assert x/' tests/t.py");
        assert_eq!(found[0].path, "/r/tests/t.py");
        assert_eq!(found[0].side(Side::Removed).next(), Some("assert x == 5"));
        assert_eq!(found[0].side(Side::Added).next(), Some("assert x"));
        let found = shell("cat > r.json <<'EOF'\n{\"status\": \"passed\"}\nEOF");
        assert_eq!(
            found[0].side(Side::Added).next(),
            Some("{\"status\": \"passed\"}")
        );
        assert!(shell("ls -l").is_empty());
    }

    #[test]
    fn a_long_text_is_cut() {
        let mut alter = bare("t".to_owned(), Change::Write);
        difference("", &"line of text\n".repeat(9_000), &mut alter, FILE);
        // Equal lines are told apart by their number only.
        assert!(alter.cut && alter.held() <= FILE + 64);
        let mut long = bare("t".to_owned(), Change::Write);
        difference("", &"word ".repeat(200), &mut long, FILE);
        assert!(long.cut);
        let mut blank = bare("t".to_owned(), Change::Write);
        difference("", &format!("a{}", " ".repeat(900)), &mut blank, FILE);
        assert!(!blank.cut);
    }
}
