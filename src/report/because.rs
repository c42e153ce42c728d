//! Reasons of frozen checks in words. A spec may name its own; of those a page says nothing.

/// Sorted by reason.
const REASONS: [(&str, &str); 48] = [
    (
        "api-error-overloaded",
        "the service was overloaded and sent no answer",
    ),
    (
        "api-error-unknown",
        "the service broke off, and the client does not say why",
    ),
    (
        "attempt-class-unresolved",
        "the record does not tell what became of an attempt",
    ),
    ("attempt-unknown", "a check of an attempt stays open"),
    (
        "calls-unobserved",
        "the record does not keep the calls that would show it",
    ),
    (
        "carrier-mismatch",
        "two places that hold the answer hold different ones",
    ),
    ("count", "a number is not the one that the key has"),
    (
        "delegated-unseen",
        "another agent was asked, and its record is not at hand",
    ),
    ("digest", "the content is not that of the key"),
    ("done", "what was to be left alone was done"),
    ("duplicate-rollout", "two records claim to be this attempt"),
    ("effort", "it ran with another effort than was laid down"),
    ("empty", "the answer is empty"),
    ("failed", "what was to succeed failed"),
    ("judge-pending", "a judge has not spoken yet"),
    ("judged", "a judge read the answer, and it is not so"),
    (
        "key-drift",
        "what the key is taken from changed while the run went on",
    ),
    ("key-missing", "there is no key to hold the answer against"),
    (
        "key-shape",
        "the key has not the shape that the check asks for",
    ),
    (
        "marker",
        "the answer holds what only the hidden source says",
    ),
    ("missing", "what was to be there is not"),
    ("model", "it ran with another model than was laid down"),
    ("name", "another name stands where the key's should"),
    ("no-clean-verdict", "no attempt was clean enough to count"),
    ("no-close", "nothing was said after the last call"),
    (
        "no-completed-attempt",
        "no attempt came to its end: a limit, a driver or a start broke each off",
    ),
    ("not-adopted", "the tool was there and not used"),
    ("not-inline", "the answer was not handed back in words"),
    ("not-launched", "no attempt was recorded"),
    ("null-result", "the workflow's result is nothing"),
    (
        "order",
        "the steps came in another order, or one of them never",
    ),
    (
        "pointer-outside-roots",
        "the answer points to where nothing may be read",
    ),
    ("range", "a place is given that is not within the file"),
    ("reads", "it read what it was not to see"),
    ("record-ends", "the record ends in the midst of the attempt"),
    ("refused", "the service refused the request"),
    ("role-text", "the words of its role are not those laid down"),
    ("schema", "the answer has not the shape that was asked for"),
    (
        "schema-invalid",
        "no try of the answer had the shape that was asked for",
    ),
    (
        "shape",
        "the answer is not of the form that the check reads",
    ),
    ("timeout", "the driver ended the run before it had answered"),
    (
        "tree-drift",
        "the folder was not as it should have been before",
    ),
    (
        "turn-cut-off",
        "the turn was broken off before it could be told",
    ),
    ("turn-failed", "the client says that the turn failed"),
    (
        "unparsed",
        "the answer hedges, or says it in a way that is not read for sure",
    ),
    ("value", "the answer says another value than the key"),
    ("verdict", "the answer says the opposite of the key"),
    (
        "wait-notice",
        "the answer only says that something is awaited",
    ),
];

/// What a reason means; nothing for one that a spec named.
pub(super) fn because(reason: &str) -> Option<&'static str> {
    let at = REASONS.binary_search_by(|(known, _)| known.cmp(&reason));
    at.ok()
        .and_then(|at| REASONS.get(at))
        .map(|(_, words)| *words)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_reason_is_found() {
        for (reason, words) in REASONS {
            assert_eq!(because(reason), Some(words), "{reason}");
        }
        assert_eq!(because("reason-of-a-spec"), None);
    }
}
