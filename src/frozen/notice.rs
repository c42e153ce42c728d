//! What stands in place of an answer: a notice that an agent waits for something, or that nobody is
//! logged in.

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
pub(super) fn is_wait_notice(text: &str) -> bool {
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

/// Whether the model's service, or the client in front of it, says that nobody is logged in (seed
/// 002: such a run never began).
pub(super) fn is_login_failure(text: &str) -> bool {
    let lower = text.to_lowercase();
    let says = |words: &str| lower.contains(words);
    let refused = says("unauthorized") || says("authentication") || says("credential");
    says("please run /login")
        || says("invalid api key")
        || says("not logged in")
        || says("authentication_error")
        || refused
            && lower
                .split(|c: char| !c.is_ascii_digit())
                .any(|code| code == "401")
}

#[cfg(test)]
mod tests {
    use super::{is_login_failure, is_wait_notice};

    #[test]
    fn a_login_failure_is_told_from_other_faults() {
        for own in [
            "Invalid API key · Please run /login",
            "API Error: 401 {\"type\":\"error\",\"error\":{\"type\":\"authentication_error\"}}",
            "unexpected status 401 Unauthorized",
            "You are not logged in.",
        ] {
            assert!(is_login_failure(own), "{own}");
        }
        for other in [
            "API Error: 529 overloaded",
            "unexpected status 4013",
            "401 lines were read",
            "",
        ] {
            assert!(!is_login_failure(other), "{other}");
        }
    }

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
