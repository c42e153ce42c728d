//! Statements whose subject is another agent: what the session ran itself bears none of them out.

use super::{Case, Judged, Reason, Verdict, ran};
use crate::rule::claim::guard::Guard;
use crate::text::past_act;

/// "The review agent ran the targeted tests": only that agent's own record, its report or its terminal shows it.
pub(super) fn doubt(case: &Case<'_>, judged: &Judged) -> Option<Judged> {
    let own = judged.verdict == Verdict::Supported && judged.reason != Reason::Delegated;
    if !own || case.claim.negated || !case.on(Guard::Delegated) || !is_subject(case.text()) {
        return None;
    }
    let (place, _) = judged.evidence.first()?;
    let theirs = case
        .step_at(*place)
        .is_some_and(|step| step.delegate || step.acts.iter().any(super::absent::shows_screen));
    if theirs {
        return None;
    }
    Some(ran::watched(case).unwrap_or_else(|| {
        let what = "the session did this itself, and it is told of another agent";
        Judged::unknown(Reason::Ambiguous).at(*place, what)
    }))
}

/// "Review agent ran …", "the worker has checked …".
fn is_subject(text: &str) -> bool {
    let lower = text.to_lowercase();
    let mut words = lower.split_whitespace().take(5);
    let agent = |word: &str| {
        matches!(
            word,
            "agent" | "agents" | "reviewer" | "subagent" | "worker"
        )
    };
    if !words.any(agent) {
        return false;
    }
    let next = words.find(|word| !matches!(*word, "has" | "have" | "also" | "then"));
    next.is_some_and(|word| past_act(word).is_some() || matches!(word, "ran" | "found" | "did"))
}

#[cfg(test)]
mod tests {
    use super::is_subject;

    #[test]
    fn the_agent_that_did_it_stands_before_the_verb() {
        assert!(is_subject("Review agent ran targeted tests"));
        assert!(is_subject("the worker has also updated the page"));
        assert!(!is_subject("Added the agent registry"));
        assert!(!is_subject("Updated agent settings"));
    }
}
