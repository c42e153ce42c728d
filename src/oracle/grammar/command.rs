//! Code spans that hold a command.

use super::normal::Normal;

/// Words before a span that say it was run.
const RUN: [&str; 14] = [
    "ran",
    "run",
    "running",
    "runs",
    "executed",
    "executing",
    "via",
    "using",
    "used",
    "typed",
    "command",
    "invoked",
    "with",
    "by",
];

/// The spans, as ranges of the normalised text, in order: those with an option among their words,
/// and those of several words after one that says that they were run.
pub(crate) fn read(normal: &Normal) -> Vec<(usize, usize)> {
    let mut out = Vec::new();
    for (start, end, line) in &normal.spans {
        let text = normal.text.get(*start..*end).unwrap_or("");
        let words = || text.split(' ');
        let several = words().nth(1).is_some();
        let option = |word: &str| {
            let name = word.trim_start_matches('-');
            let dashes = word.len() - name.len();
            (1..=2).contains(&dashes) && name.starts_with(|c: char| c.is_ascii_alphabetic())
        };
        let from = normal.lines.get(*line).map_or(0, |line| line.start);
        let before = normal.text.get(from..*start).unwrap_or("");
        if several && (words().any(option) || is_run(before)) {
            out.push((*start, *end));
        }
    }
    out
}

fn is_run(before: &str) -> bool {
    // Only the last words matter, and a line may be long.
    let from = before.len().saturating_sub(64);
    let tail = (from..before.len())
        .find_map(|at| before.get(at..))
        .unwrap_or("");
    let tail = tail.trim_end();
    if tail.ends_with(['.', ';', ')']) {
        return false;
    }
    let word = tail.rsplit(' ').next().unwrap_or("");
    let word = word.trim_matches([':', ',', '(']);
    RUN.iter().any(|own| own.eq_ignore_ascii_case(word))
}

#[cfg(test)]
mod tests {
    use super::super::Answer;

    fn shown(raw: &str) -> bool {
        let answer = Answer::read(raw);
        (0..answer.len()).any(|index| answer.is_shown(index))
    }

    #[test]
    fn commands_are_told_from_values() {
        for raw in [
            "I ran `git stash drop`.",
            "see `grep -c error x`",
            "`--max 9 x`",
        ] {
            assert!(shown(raw), "{raw}");
        }
        for raw in [
            "**Headings:** `8`",
            "it is `exit 0`",
            "ran `pytest`",
            "`a - b`",
        ] {
            assert!(!shown(raw), "{raw}");
        }
    }
}
