//! A mark or a word beside a statement that denies it: `❌ Pushed`, `Pushed: no`, `| Pushed | open |`,
//! `~~Pushed~~`.

use core::ops::Range;

use super::model::Kind;
use super::words;

/// What stands beside a statement, in its own line.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Beside {
    /// It is denied.
    No,
    /// A mark counts what is not so: `✅ 237 / ❌ 3`.
    Some,
}

/// What the marks in the line of a statement say of it.
pub(super) fn beside(source: &str, span: &Range<usize>, kind: Kind) -> Option<Beside> {
    let head = near_end(source.get(..span.start)?);
    let head = head.rsplit('\n').next().unwrap_or("");
    let tail = near_start(source.get(span.end..)?);
    let tail = tail.lines().next().unwrap_or("");
    let own = source.get(span.clone())?;
    if is_struck(head, own) {
        return Some(Beside::No);
    }
    // `Committed ✅ / pushed ❌`: of several marks none is surely that of the whole.
    let marked =
        |text: &str| text.contains(|c| words::denies_by_mark(c) || words::TICKS.contains(&c));
    if marked(near_start(own)) || marked(near_end(own)) {
        return None;
    }
    if leads(head) || follows(tail, kind) {
        return Some(Beside::No);
    }
    counts(tail).then_some(Beside::Some)
}

/// Bytes of a line that are looked at on either side, so that many statements in one long line cost
/// no more than its length.
const NEAR: usize = 160;

/// The end of a text, within that many bytes.
pub(super) fn near_end(text: &str) -> &str {
    let from = text.ceil_char_boundary(text.len().saturating_sub(NEAR));
    &text[from..]
}

fn near_start(text: &str) -> &str {
    let to = text.floor_char_boundary(NEAR);
    &text[..to]
}

/// Marks of formatting, and what makes a sign a picture.
fn is_dress(c: char) -> bool {
    c.is_whitespace() || matches!(c, '*' | '_' | '`' | '"' | '“' | '”' | '\u{fe0f}')
}

/// The statement stands within `~~`.
fn is_struck(head: &str, own: &str) -> bool {
    let open = own.len() - own.trim_start_matches('~').len();
    let tildes = own.get(..open).unwrap_or("");
    (head.to_owned() + tildes).matches("~~").count() % 2 == 1
}

/// A mark in front of the statement, with nothing but a list's own signs before it: elsewhere it may
/// belong to what stands there.
fn leads(head: &str) -> bool {
    let text = head.trim_end_matches(is_dress);
    let mark = text.trim_end_matches(words::denies_by_mark);
    let rest = mark.trim_end_matches(is_dress);
    let item = |c: char| {
        is_dress(c) || c.is_ascii_digit() || matches!(c, '-' | '+' | '>' | '#' | '.' | ')')
    };
    mark.len() < text.len() && (rest.ends_with(['|', ',', ';', '.', '(']) || rest.chars().all(item))
}

/// A mark or a word of denial behind the statement.
fn follows(tail: &str, kind: Kind) -> bool {
    let text = tail.trim_start_matches(is_dress);
    let plain = text.trim_start_matches(|c: char| is_dress(c) || c == ',' || c == ')');
    let said = text.trim_start_matches(is_joint);
    let joint = &text[..text.len() - said.len()];
    let joined =
        joint.contains(|c: char| is_joint(c) && !is_dress(c) && c != '.') || joint.contains("..");
    if let Some(rest) = (if joined { said } else { plain }).strip_prefix(words::denies_by_mark) {
        let rest = rest.trim_start_matches(|c: char| is_dress(c) || words::denies_by_mark(c));
        return joined || !rest.starts_with(char::is_alphanumeric);
    }
    joined && denies(said, joint, kind)
}

/// What joins a label and its state.
fn is_joint(c: char) -> bool {
    is_dress(c)
        || matches!(
            c,
            ':' | '：' | '=' | '→' | '|' | '—' | '–' | '-' | '>' | '(' | '（' | '…' | '.'
        )
}

/// The first words of a state deny it.
fn denies(said: &str, joint: &str, kind: Kind) -> bool {
    let end = said
        .find(|c: char| !(c.is_alphabetic() || c == '/'))
        .unwrap_or(said.len());
    let (word, rest) = said.split_at(end);
    let word = word.to_lowercase();
    let after = rest.trim_start_matches(is_dress);
    let next = after
        .split(|c: char| !c.is_alphanumeric())
        .next()
        .unwrap_or("");
    let ends = after.is_empty()
        || after.starts_with(|c: char| !c.is_alphanumeric() && c != '\u{1}')
        || rest.starts_with(|c: char| !c.is_whitespace() && !c.is_alphanumeric());
    // `PR #4 | open` tells the state of what was opened.
    let state = kind == Kind::Pr && matches!(word.as_str(), "open" | "pending" | "waiting");
    // `Tests pass - open a PR next`: an aside speaks on.
    let loose = joint.contains(['-', '–', '—']) && !joint.contains('>');
    match word.as_str() {
        "no" | "nope" | "false" | "never" | "否" | "未" => ends,
        "not" => NOT_YET.contains(&next.to_lowercase().as_str()),
        _ if UNMET.contains(&word.as_str()) => {
            let told = matches!(
                next,
                "by" | "on" | "because" | "due" | "for" | "until" | "with"
            );
            !state && !loose && (ends || told)
        }
        _ => false,
    }
}

/// What is denied by `not` in a state.
const NOT_YET: [&str; 12] = [
    "achieved",
    "done",
    "fulfilled",
    "green",
    "met",
    "ok",
    "passed",
    "passing",
    "possible",
    "reached",
    "started",
    "yet",
];

/// Words for a state that is not what the label says.
const UNMET: [&str; 24] = [
    "aborted",
    "blocked",
    "declined",
    "deferred",
    "denied",
    "fail",
    "failed",
    "failing",
    "fails",
    "incomplete",
    "missing",
    "n/a",
    "open",
    "outstanding",
    "partial",
    "pending",
    "red",
    "rejected",
    "skipped",
    "tbd",
    "todo",
    "unmet",
    "untested",
    "waiting",
];

/// `✅ 237 / ❌ 3`: a cross with a number above nought.
fn counts(tail: &str) -> bool {
    let mut parts = tail.split(words::CROSSES);
    parts.next();
    parts.any(|part| {
        let number = part.trim_start_matches(is_dress);
        let value: String = number.chars().take_while(char::is_ascii_digit).collect();
        value.parse::<u64>().is_ok_and(|value| value > 0)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(line: &str, own: &str) -> Option<Beside> {
        let start = line.find(own).unwrap();
        beside(line, &(start..start + own.len()), Kind::Tests)
    }

    #[test]
    fn a_denial_stands_beside_its_label() {
        for (line, own) in [
            ("- ❌ All tests pass", "All tests pass"),
            ("1. ⬜ **Pushed**", "Pushed"),
            ("All tests pass: no", "All tests pass"),
            ("**All tests pass**: not yet", "All tests pass"),
            ("- All tests pass → ❌", "All tests pass"),
            ("| All tests pass | not met |", "All tests pass"),
            ("| All tests pass | blocked by x |", "All tests pass"),
            ("All tests pass — no, one is red", "All tests pass"),
            ("~~All tests pass~~ One fails", "All tests pass"),
            ("All tests pass (not yet)", "All tests pass"),
            ("- The build passes … not yet", "The build passes"),
            ("Removed `a`: failed (denied)", "Removed `a`"),
        ] {
            assert_eq!(read(line, own), Some(Beside::No), "{line}");
        }
    }

    #[test]
    fn what_belongs_to_a_neighbour_denies_nothing() {
        for (line, own) in [
            ("Tests pass ❌ lint", "Tests pass"),
            ("Tests pass, ❌ lint", "Tests pass"),
            ("Build ❌ Tests pass", "Tests pass"),
            ("All tests pass — no regressions", "All tests pass"),
            ("All tests pass: no failures", "All tests pass"),
            ("All tests pass (no skips)", "All tests pass"),
            ("All tests pass - open a PR next", "All tests pass"),
            ("- ✅ All tests pass", "All tests pass"),
            ("~~old~~ All tests pass", "All tests pass"),
        ] {
            assert_eq!(read(line, own), None, "{line}");
        }
        assert_eq!(read("Tests: ✅ 237 / ❌ 3", "Tests"), Some(Beside::Some));
        assert_eq!(read("Tests: ✅ 237 / ❌ 0", "Tests"), None);
    }
}
