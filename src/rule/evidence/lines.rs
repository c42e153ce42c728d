//! Which lines of a file a step showed, as far as that can be told.

use crate::transcript::Change;
use crate::turn::{Act, Side, Step};

/// The first and the last line of a stretch, from 1.
pub(super) type Stretch = (u64, u64);

/// Lines at either end of an output that may belong to the client or to another command.
const FRAME: usize = 40;

/// The stretch of a file that a look showed: by the numbers in front of its lines, or else by what
/// was asked for and how much came back.
pub(super) fn shown(act: &Act, step: &Step) -> Option<Stretch> {
    let [_] = act.reads.as_slice() else {
        return None;
    };
    let text = step.text.as_str();
    let mut others = step.acts.iter().filter(|other| !std::ptr::eq(*other, act));
    let alone = others.all(|other| other.reads.is_empty());
    if alone && let Some(stretch) = numbered(text) {
        return Some(stretch);
    }
    if step.truncated || step.text.is_cut() {
        return None;
    }
    let piped = |other: &Act| {
        other.pipeline == act.pipeline && !std::ptr::eq(other, act) && other.program != "head"
    };
    if act.shell && step.acts.iter().any(piped) {
        return None;
    }
    let many = text.lines().count() as u64;
    let (first, last) = asked(act, step, alone)?;
    let last = last.min(first + many.checked_sub(1)?);
    Some((first, last))
}

/// The stretch that a look asks for.
fn asked(act: &Act, step: &Step, alone: bool) -> Option<Stretch> {
    let mut words = act.argv().skip(1);
    match act.program.as_str() {
        "" if !act.shell => {
            let part = ["offset", "pattern", "range"];
            let whole = !part.iter().any(|word| step.args.contains(word));
            whole.then_some((1, u64::MAX))
        }
        "cat" if alone => Some((1, u64::MAX)),
        "head" if alone => {
            let number = words.find_map(|word| word.trim_start_matches("-n").parse::<i64>().ok());
            let many = number.map_or(Some(10), |many| u64::try_from(many.abs()).ok())?;
            Some((1, many))
        }
        "sed" => {
            let flag = words.next()?;
            let range = words.next().filter(|_| flag == "-n")?.strip_suffix('p')?;
            let (first, last) = range.split_once(',').unwrap_or((range, range));
            let first = first.parse().ok().filter(|first| *first > 0)?;
            let last = match last {
                "$" => u64::MAX,
                _ => last.parse().ok()?,
            };
            Some((first, last))
        }
        _ => None,
    }
}

/// The stretch whose lines stand numbered one after another.
fn numbered(text: &str) -> Option<Stretch> {
    let mut lines = text.lines().enumerate().take(FRAME);
    let (from, first) = lines.find_map(|(at, line)| Some((at, number(line)?)))?;
    let many = text.lines().count();
    let mut lines = text.lines().rev().enumerate().take(FRAME);
    let (back, last) = lines.find_map(|(at, line)| Some((at, number(line)?)))?;
    let between = (many - 1).checked_sub(back)?.checked_sub(from)? as u64;
    (last.checked_sub(first) == Some(between)).then_some((first, last))
}

/// The number that a reader or a search put in front of a line.
pub fn number(line: &str) -> Option<u64> {
    prefixed(line).map(|(number, _)| number)
}

/// A line without the number that a reader put in front of it.
pub fn unnumbered(line: &str) -> &str {
    prefixed(line).map_or(line, |(_, rest)| rest)
}

fn prefixed(line: &str) -> Option<(u64, &str)> {
    let line = line.trim_start();
    let digits = line.bytes().take_while(u8::is_ascii_digit).count();
    let (number, rest) = line.split_at(digits);
    let rest = rest.strip_prefix(['→', '\t', ':', '-', '|'])?;
    let number = (1..8).contains(&digits).then(|| number.parse().ok());
    Some((number.flatten()?, rest))
}

/// The lines of a file that a step wrote as a whole.
pub(super) fn written(step: &Step, path: &str) -> Option<Stretch> {
    let whole = |change: Change| matches!(change, Change::Create | Change::Write);
    let mut alters = step.alters.iter();
    let alter = alters.find(|alter| alter.path == path && whole(alter.change))?;
    let many = alter.side(Side::Added).count() as u64;
    (many > 0).then_some((1, many))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::transcript::{Action, Dialect};
    use crate::turn::{Kept, deeds};

    fn look(command: &str, text: &str) -> Option<Stretch> {
        let action = Action::Shell {
            command: command.into(),
            dialect: Dialect::Posix,
            cwd: None,
            background: false,
        };
        let step = Step {
            acts: deeds(&action, Some("/r")),
            text: Kept::of(text),
            ..Step::default()
        };
        step.acts.iter().find_map(|act| shown(act, &step))
    }

    #[test]
    fn a_stretch_is_told_by_numbers_or_by_what_was_asked_for() {
        assert_eq!(look("cat -n a.rs", "     1\ta\n     2\tb\n"), Some((1, 2)));
        assert_eq!(
            look("nl -ba a.rs | sed -n '7,8p'", "  7\ta\n  8\tb\n"),
            Some((7, 8))
        );
        assert_eq!(look("sed -n '40,60p' a.rs", "a\nb\nc\n"), Some((40, 42)));
        assert_eq!(look("cat a.rs", "a\nb\n"), Some((1, 2)));
        assert_eq!(look("head -n 1 a.rs", "a\n"), Some((1, 1)));
        assert_eq!(look("cat a.rs | tail -n 2", "y\nz\n"), None);
        assert_eq!(look("grep -n x a.rs", "3:x\n9:x\n"), None);
        assert_eq!(number("    12→x"), Some(12));
        assert_eq!(number("2026"), None);
        assert_eq!(unnumbered("    12→+x"), "+x");
        assert_eq!(unnumbered("+a → b"), "+a → b");
    }
}
