//! Where the program is known to differ, and why. An entry that no longer differs fails its test.

/// From the reader, in what the record holds.
pub(super) const KNOWN: &[(&str, &str)] = &[
    (
        "claude-interrupted turn 2 call 1, outcome: reader interrupted, program denied",
        "The client writes the same lines for a refusal and for a stop; the reader knew of the stop.",
    ),
    (
        "codex-patch-failed turn 1 call 1, outcome: reader invalid, program failed",
        "`apply_patch verification failed`: for the reader, the client refused the patch before it touched a file; for the edge cases, a change that was tried failed.",
    ),
];

/// From the reader's statements, in the gate's answer.
pub(super) const GATE: &[(&str, &str)] = &[
    (
        "claude-weakened-test turn 1: accept (verified) of change by edit-elsewhere",
        "The gate does not ask where the edit was: the test was changed, not the code.",
    ),
    (
        "claude-wrong-number turn 1: accept (grounded) of count by number-mismatch",
        "The gate does not read counts.",
    ),
    (
        "codex-0.80-resume turn 2: accept (verified) of formatted by run-failed",
        "The gate asks for one verification; it does not see that another part of the claim failed.",
    ),
    (
        "codex-partial-run turn 1: accept (grounded) of tests-pass by partial-run",
        "The gate does not ask how much of the suite a run covers.",
    ),
    (
        "codex-resume turn 2: reject (stale-verification) of what is borne out",
        "The gate counts README.md as a change that makes the run of the turn before stale.",
    ),
];

/// Runs whose kept and printed files are graded as if they were two.
pub(super) const TWICE: &[(&str, &str)] = &[];
