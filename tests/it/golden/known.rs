//! Where the program is known to differ, and why. An entry that no longer differs fails its test.

/// From the reader, in what the record holds.
pub(super) const KNOWN: &[(&str, &str)] = &[];

/// From the reader's statements, in the gate's answer.
pub(super) const GATE: &[(&str, &str)] = &[];

/// Runs whose kept and printed files are graded as if they were two.
pub(super) const TWICE: &[(&str, &str)] = &[];
