//! What the agent wrote, counted: the tests of a file.

use super::Case;
use crate::transcript::{Outcome, Place};
use crate::turn::Step;

/// How a test opens in the languages that count is kept of.
const OPENS: [&str; 6] = ["func Test", "#[test]", "def test_", "it(", "test(", "@Test"];

/// "`a_test.go`: 8 tests": where the file that the statement's line names was written with as many.
pub(super) fn tests(case: &Case<'_>, value: u64) -> Option<Place> {
    let mut spans = case.sentence().split('`').skip(1).step_by(2);
    let file = spans.find(|span| super::case::is_file(span))?;
    let name = |path: &String| crate::rule::evidence::names(file, path);
    let writes = |step: &&Step| {
        let mut acts = step.acts.iter();
        step.outcome == Outcome::Ok && acts.any(|act| act.writes.iter().any(name))
    };
    let mut steps = case.turn.steps.iter().filter(writes);
    let step = steps.find(|step| most(&step.args) == value)?;
    Some(step.result.unwrap_or(step.call))
}

/// The number of tests that a text opens, of the way that it opens the most.
fn most(text: &str) -> u64 {
    let count = |open: &&str| {
        let alone = |at: &usize| {
            let before = text[..*at].chars().next_back();
            let escaped = text[..*at].ends_with("\\n") || text[..*at].ends_with("\\t");
            escaped || before.is_none_or(|c| !(c.is_alphanumeric() || c == '_' || c == '.'))
        };
        let found = text.match_indices(*open).map(|(at, _)| at);
        found.filter(alone).count() as u64
    };
    OPENS.iter().map(count).max().unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::most;

    #[test]
    fn tests_are_counted_by_how_they_open() {
        assert_eq!(most("package a\\n\\nfunc TestA(t){}\\nfunc TestB(t){}"), 2);
        assert_eq!(most("it('a', () => {}); it('b', () => { wait('c') })"), 2);
        assert_eq!(most("submit('a')"), 0);
    }
}
