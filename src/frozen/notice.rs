//! What stands in place of an answer: a notice that an agent waits for something.

/// The most bytes that such a notice has.
const LONGEST: usize = 400;
/// Words that may stand before `waiting`, two at most.
const LEADS: [&[&str]; 10] = [
    &["still"],
    &["now"],
    &["i'll"],
    &["i", "will"],
    &["i'm"],
    &["i", "am"],
    &["let", "me"],
    &["we'll"],
    &["we", "will"],
    &["we're"],
];

/// Whether a text only says that its author waits: short, and its first sentence begins with up to
/// two leading phrases, `wait` or `waiting`, and `for`, `on` or `until` (seed 002).
#[must_use]
pub fn is_wait_notice(text: &str) -> bool {
    if text.len() > LONGEST {
        return false;
    }
    let lower = text.to_lowercase().replace('’', "'");
    let mut rest: Vec<&str> = lower
        .split_whitespace()
        .map(|word| word.trim_matches(|c: char| !c.is_alphanumeric() && c != '\''))
        .filter(|word| !word.is_empty())
        .take(8)
        .collect();
    for _ in 0..2 {
        if let Some(lead) = LEADS.iter().find(|lead| rest.starts_with(lead)) {
            rest.drain(..lead.len());
        }
    }
    matches!(
        rest.as_slice(),
        ["wait" | "waiting", "for" | "on" | "until", ..]
    )
}

#[cfg(test)]
mod tests {
    use super::is_wait_notice;

    #[test]
    fn a_notice_waits_and_an_answer_does_not() {
        for notice in [
            "Waiting for the background run to finish.",
            "I’m still waiting on the tests.",
            "Let me wait until the build is done.",
            "Now I'll wait for it.",
        ] {
            assert!(is_wait_notice(notice), "{notice}");
        }
        let long = format!("Waiting for {}", "x".repeat(400));
        for answer in [
            "All 12 tests pass.",
            "The queue is waiting for a lock in two places.",
            "Wait, that is wrong: 7.",
            "",
            &long,
        ] {
            assert!(!is_wait_notice(answer), "{answer}");
        }
    }
}
