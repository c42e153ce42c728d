//! Reasons of frozen checks in words. A spec may name its own; of those a page says nothing.

/// Sorted by reason.
const REASONS: [(&str, &str); 158] = [
    (
        "acceptance-run",
        "a run that was recorded did not end as it had to, or printed something else",
    ),
    (
        "another-machine",
        "it was named on another machine or in a container, and may be something else there",
    ),
    (
        "api-error",
        "the service broke off with an error, and sent no answer",
    ),
    (
        "api-error-overloaded",
        "the service was overloaded and sent no answer",
    ),
    (
        "api-error-unknown",
        "the service broke off, and the client does not say why",
    ),
    (
        "archive-query-unobserved",
        "whether the archive was asked, or when, was not seen",
    ),
    (
        "attempt-class-unresolved",
        "the record does not tell what became of an attempt",
    ),
    ("attempt-unknown", "a check of an attempt stays open"),
    (
        "behaviour",
        "the files are as they should be, and what they do is not",
    ),
    (
        "block-grading",
        "the tree, what changed in it, or the bytes of a file were not kept or cannot be read",
    ),
    (
        "bytes-differ",
        "a file has other bytes than the key, or is gone",
    ),
    (
        "call-state-unknown",
        "how a call ended is not told, or not how the command in it did",
    ),
    ("calls", "it made a call that may not be made"),
    (
        "calls-unobserved",
        "the record does not keep the calls that would show it",
    ),
    (
        "capture-conflict",
        "what was recorded twice says two things",
    ),
    ("capture-missing", "what was captured lacks a command"),
    (
        "capture-unfinished",
        "a command that was captured did not come to its end",
    ),
    (
        "carrier-mismatch",
        "two places that hold the answer hold different ones",
    ),
    ("choice", "the answer chooses another than the key"),
    (
        "condition-unknown",
        "whether that came about after which it was to be done is not known",
    ),
    ("conflicting-identity", "what was kept is of another tree"),
    (
        "control-unobserved",
        "nobody saw whether the control shows what it was planted for",
    ),
    ("count", "a number is not the one that the key has"),
    (
        "count-mismatch",
        "the answer counts otherwise than it names",
    ),
    ("csv-strict-decode", "what is given as CSV does not decode"),
    (
        "cut",
        "the last message was cut off, by its length or by the model's service",
    ),
    ("cwd", "a turn ran in another folder than its parent's"),
    ("definition-missing", "the definition is not cited"),
    (
        "delegated-unseen",
        "another agent was asked, and its record is not at hand",
    ),
    ("digest", "the content is not that of the key"),
    ("done", "what was to be left alone was done"),
    ("duplicate-rollout", "two records claim to be this attempt"),
    ("effort", "it ran with another effort than was laid down"),
    (
        "elements-missing",
        "an element that was asked for is not there",
    ),
    ("empty", "the answer is empty"),
    ("empty-diff", "none of the files that had to change did"),
    (
        "env-mismatch",
        "it differs, and the place that it ran in may be why",
    ),
    (
        "exit-nonzero",
        "the run ended with an error and without an answer",
    ),
    (
        "extra-changes",
        "a file was changed that was to be left alone",
    ),
    ("failed", "what was to succeed failed"),
    (
        "first-prompt",
        "the first prompt holds something that may not be there",
    ),
    ("first-prompt-unobserved", "the first prompt was not seen"),
    (
        "foreign-folder",
        "its session began in a folder that is none of the arm's",
    ),
    (
        "foreign-prompt",
        "nothing that its session was asked holds the task's prompt",
    ),
    ("functions-missing", "a function that calls it is not named"),
    (
        "ineligible-encode",
        "what was written in the format is no flat list of the rows that were asked for",
    ),
    (
        "ineligible-unknown",
        "what was written cannot be read, so whether it was worth writing so is not known",
    ),
    ("injection", "a hook put something into the session"),
    (
        "injection-unobserved",
        "whether a hook put something in was not seen",
    ),
    ("input-hash", "a file is not the one that was pinned"),
    (
        "interrupted-driver",
        "what drove the run broke off before it had answered",
    ),
    ("inventory-missing", "a name of the inventory is not there"),
    (
        "join-unknown",
        "the ledger has a row of the run and does not know",
    ),
    (
        "json-strict-decode",
        "what is given as JSON does not decode",
    ),
    ("judge-pending", "a judge has not spoken yet"),
    (
        "judge-quote",
        "a judge quotes what does not stand in the answer",
    ),
    ("judge-unavailable", "a judge was asked and could not say"),
    ("judged", "a judge read the answer, and it is not so"),
    (
        "key-drift",
        "what the key is taken from changed while the run went on",
    ),
    ("key-missing", "there is no key to hold the answer against"),
    ("key-order", "the fields stand in another order"),
    (
        "key-shape",
        "the key has not the shape that the check asks for",
    ),
    ("levels", "the answer gives other levels than the key"),
    ("location", "the place that the key has is not cited"),
    (
        "marker",
        "the answer holds what only the hidden source says",
    ),
    (
        "marker-unobserved",
        "where the marker could stand was not seen",
    ),
    (
        "messages-unobserved",
        "what the agent was told is not in the record",
    ),
    ("missing", "what was to be there is not"),
    ("model", "it ran with another model than was laid down"),
    ("name", "another name stands where the key's should"),
    ("name-excluded", "a name is listed that does not belong"),
    ("names-missing", "a name that has to be listed is not"),
    ("no-archive-query", "the archive was never asked"),
    ("no-call", "no call converted anything"),
    ("no-clean-verdict", "no attempt was clean enough to count"),
    ("no-close", "nothing was said after the last call"),
    (
        "no-completed-attempt",
        "no attempt came to its end: a limit, a driver or a start broke each off",
    ),
    (
        "no-original",
        "the records that it would have to come back to are not at hand",
    ),
    ("not-adopted", "the tool was there and not used"),
    ("not-applicable", "none of the checks applies to the run"),
    ("not-encoded", "no call wrote the records in the format"),
    ("not-inline", "the answer was not handed back in words"),
    ("not-launched", "no attempt was recorded"),
    ("not-text", "what was handed in is no text"),
    (
        "nothing-shown",
        "the control does not show what it was planted for",
    ),
    ("null-result", "the workflow's result is nothing"),
    (
        "order",
        "the steps came in another order, or one of them never",
    ),
    (
        "order-unclear",
        "two calls were out at once, and which came first is not told",
    ),
    (
        "outcome-hidden",
        "how it ended is hidden by a pipe or by another command",
    ),
    ("outcome-unknown", "no result tells how it ended"),
    ("output-cut", "what it printed is cut in the record"),
    ("output-file", "what it printed went to a file"),
    (
        "outside-window",
        "the answer is dated outside of every window",
    ),
    (
        "owned-process-survives",
        "a process or a job of the run is left",
    ),
    (
        "parent-unobserved",
        "what its parent may touch was not seen",
    ),
    ("parse", "a record of the attempt cannot be read to its end"),
    ("path-only", "a path stands in place of the value"),
    (
        "pointer-outside-roots",
        "the answer points to where nothing may be read",
    ),
    (
        "pointer-unreadable",
        "the answer points to a file that cannot be read",
    ),
    (
        "probe-missing",
        "what would show how it behaves was not run to its end",
    ),
    ("ran-nothing", "a test run ran no test"),
    ("range", "a place is given that is not within the file"),
    ("reads", "it read what it was not to see"),
    (
        "reads-unobserved",
        "what it read was not seen, or cannot be placed",
    ),
    ("record-ends", "the record ends in the midst of the attempt"),
    ("records", "the records hold other values than the key"),
    ("refused", "the service refused the request"),
    (
        "result-unobservable",
        "what a call brought back was not kept, or is not its own",
    ),
    (
        "retrieval-unconfirmed",
        "whether it was fetched, or only named or repeated, is not shown",
    ),
    ("role-text", "the words of its role are not those laid down"),
    (
        "rollout-missing",
        "there is not exactly one copy of the agent's record",
    ),
    (
        "roundtrip-unequal",
        "what was handed on does not decode to the records",
    ),
    ("rows", "the answer gives other rows than the key"),
    (
        "run-unfinished",
        "a run that was recorded did not come to its end",
    ),
    ("sandbox", "a turn ran in another sandbox than its parent's"),
    ("schema", "the answer has not the shape that was asked for"),
    (
        "schema-invalid",
        "no try of the answer had the shape that was asked for",
    ),
    (
        "sentinel-missing",
        "the planted value does not stand in the answer",
    ),
    (
        "servers",
        "a turn could call servers that its parent could not",
    ),
    ("session-missing", "a session that belongs is not named"),
    (
        "session-not-before-query",
        "a named session did not start before the archive was asked",
    ),
    (
        "session-outside-table",
        "a named session is not in the table",
    ),
    ("several-sessions", "the file holds more than one session"),
    (
        "shape",
        "the answer is not of the form that the check reads",
    ),
    ("sibling-value", "the value of another agent stands there"),
    ("site-duplicated", "a place is cited twice"),
    ("site-excluded", "a place is cited as a call that is none"),
    (
        "site-spurious",
        "a place is cited that is none of the key's",
    ),
    ("sites-missing", "a place of the key is not cited"),
    (
        "start-unresolved",
        "when a named session started is not known",
    ),
    (
        "startup-error",
        "nobody was logged in, or the run ended before anything was said",
    ),
    (
        "subject-missing",
        "what it is about does not stand in the answer",
    ),
    (
        "subject-not-newest",
        "the answer is about an older one than the newest",
    ),
    ("sum", "the answer gives another sum than the key"),
    (
        "survival-unobserved",
        "nobody looked for processes that are left",
    ),
    ("text", "the text is not that of the key"),
    ("timeout", "the driver ended the run before it had answered"),
    ("title-only", "only the title of the record was shown"),
    (
        "toon-strict-decode",
        "what is given as TOON does not decode",
    ),
    (
        "transcript-changed",
        "the transcript is not the one that was recorded",
    ),
    ("transcript-missing", "there is no transcript"),
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
        "turn-unobserved",
        "what a turn ran with is not in the record",
    ),
    ("turns-missing", "the record has no turn of the agent's own"),
    ("types", "a value of the records is of another type"),
    (
        "unclean-verdict",
        "an attempt fails of which nobody knows whether it saw too much",
    ),
    (
        "unknown-record",
        "a record of an unknown kind stands where it could be",
    ),
    (
        "unknown-tool",
        "a tool that is not known was called where it could be",
    ),
    (
        "unparsed",
        "the answer hedges, or says it in a way that is not read for sure",
    ),
    (
        "unread-command",
        "a command that cannot be read stands where it could be",
    ),
    ("unreadable", "the transcript cannot be read"),
    (
        "unresolved",
        "a quote does not stand where it is cited from",
    ),
    ("usage-limit", "a limit of the service broke it off"),
    ("value", "the answer says another value than the key"),
    ("verdict", "the answer says the opposite of the key"),
    (
        "wait-notice",
        "the answer only says that something is awaited",
    ),
];

/// What a reason of a frozen check means; nothing for one that a spec named.
#[must_use]
pub fn because(reason: &str) -> Option<&'static str> {
    let find = |reason: &str| {
        let at = REASONS.binary_search_by(|(known, _)| known.cmp(&reason));
        at.ok().and_then(|at| REASONS.get(at))
    };
    // The client has more words for an error of its service than are known here.
    let found =
        find(reason).or_else(|| find(reason.starts_with("api-error-").then_some("api-error")?));
    found.map(|(_, words)| *words)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_reason_is_found() {
        for (reason, words) in REASONS {
            assert_eq!(because(reason), Some(words), "{reason}");
        }
        assert_eq!(because("api-error-billing"), because("api-error"));
        assert_eq!(because("reason-of-a-spec"), None);
    }
}
