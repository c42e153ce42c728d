//! A command that is said to have gone well, and whose output tells of a failure, or nothing where
//! its status is hidden.

use super::open;
use crate::rule::claim::judge::{Case, Judged, Reason};
use crate::rule::evidence::tells_of_failure;
use crate::transcript::{Place, printed};

/// Words that say that a run went well.
const WELL: [&str; 10] = [
    "success",
    "without error",
    "without any error",
    "without issue",
    "without problem",
    "cleanly",
    "no errors",
    "succeeded",
    "runs fine",
    "works",
];

pub(super) fn doubt(case: &Case<'_>, at: Place) -> Option<Judged> {
    let lower = case.text().to_lowercase();
    if WELL.iter().any(|word| lower.contains(word)) {
        let step = case.step_at(at)?;
        let text = step.text.as_str();
        if tells_of_failure(text) {
            return Some(open(
                Reason::Masked,
                at,
                "what was printed here tells of a failure",
            ));
        }
        let hidden = step.acts.iter().any(|act| act.masked && act.shell);
        if hidden && printed(text).trim().is_empty() && !step.truncated {
            let what = "the exit status is hidden, and nothing was printed";
            return Some(open(Reason::Masked, at, what));
        }
    }
    another_command(case, at)
}

/// "I ran `python migrate.py`": no call of the session holds those words.
fn another_command(case: &Case<'_>, at: Place) -> Option<Judged> {
    const SCRIPTS: [&str; 8] = [".py", ".sh", ".js", ".ts", ".rb", ".mjs", ".pl", ".ps1"];
    let script = |word: &str| SCRIPTS.iter().any(|ending| word.ends_with(ending));
    let named = super::coded(case.text()).find_map(|span| {
        let mut words = span.split(' ');
        let first = words.next()?;
        let plain = first
            .bytes()
            .all(|byte| byte.is_ascii_alphanumeric() || b"_./-".contains(&byte));
        let own = if script(first) {
            Some(first)
        } else {
            words.find(|word| script(word))
        };
        own.filter(|_| plain && !first.is_empty())
    })?;
    let name = named.rsplit('/').next().unwrap_or(named);
    let seen = super::known(case, name)
        || case.ledger.written.holds(named) == Some(true)
        || case.ledger.turn > 1
        || !case.ledger.delegated.is_empty()
        || case.ledger.partial;
    (!seen).then(|| {
        open(
            Reason::Ambiguous,
            at,
            "this is another command than the one that is named",
        )
    })
}
