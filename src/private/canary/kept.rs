//! The private values of a run, kept in its private directory for checks that come later.

use serde::{Deserialize, Serialize};

use super::kind::Kind;
use super::scan::Canary;

/// The name of the file in a private directory.
pub const FILE: &str = "canaries.jsonl";

/// Lines that are read back; a file with more was not written by this program.
const MOST: usize = 2_000_000;

/// A file of kept values that is none.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("E_CANARIES line={line} kind={kind}")]
pub struct KeptError {
    /// The line, from 1.
    pub line: usize,
    /// What is wrong with it.
    pub kind: &'static str,
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Line {
    kind: String,
    value: String,
}

/// The values of a canary as the file holds them: one JSON object a line, sorted and without
/// repeats.
#[must_use]
pub fn kept(canary: &Canary) -> Vec<u8> {
    let mut out = Vec::new();
    for (kind, value) in canary.all() {
        let line = Line {
            kind: kind.as_str().to_owned(),
            value: value.to_owned(),
        };
        // Two strings can always be written.
        if let Ok(line) = serde_json::to_vec(&line) {
            out.extend_from_slice(&line);
            out.push(b'\n');
        }
    }
    out
}

/// Hands the kept values to a canary and tells how many it took.
///
/// # Errors
/// A line that is no kept value; the canary may have taken those before it.
pub fn keep(canary: &mut Canary, bytes: &[u8]) -> Result<usize, KeptError> {
    let mut taken = 0;
    let lines = bytes
        .split(|byte| *byte == b'\n')
        .filter(|line| !line.is_empty());
    for (index, line) in lines.enumerate() {
        let wrong = |kind| KeptError {
            line: index + 1,
            kind,
        };
        if index >= MOST {
            return Err(wrong("too-many"));
        }
        let line: Line = serde_json::from_slice(line).map_err(|_| wrong("not-a-value"))?;
        let mut kinds = Kind::ALL.iter().filter(|kind| !kind.is_shape());
        let kind = kinds.find(|kind| kind.as_str() == line.kind);
        let kind = kind.ok_or_else(|| wrong("unknown-kind"))?;
        taken += usize::from(canary.value(*kind, &line.value));
    }
    Ok(taken)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_kept_is_found_again() {
        let mut canary = Canary::new();
        canary.value(Kind::Session, "sess-plover-7741-quartz");
        canary.value(Kind::WorkTree, "C:\\vault\\\"fieldfare\"");
        let bytes = kept(&canary);
        let mut again = Canary::new();
        assert_eq!(keep(&mut again, &bytes), Ok(2));
        assert_eq!(kept(&again), bytes);
        assert_eq!(again.scan("x sess-plover-7741-quartz").len(), 1);
    }

    #[test]
    fn what_is_no_kept_value_is_told_by_its_line() {
        let mut canary = Canary::new();
        let wrong = |line, kind| Err(KeptError { line, kind });
        assert_eq!(keep(&mut canary, b"{}"), wrong(1, "not-a-value"));
        let shape = br#"{"kind":"uuid-shape","value":"x"}"#;
        assert_eq!(keep(&mut canary, shape), wrong(1, "unknown-kind"));
        let more = b"{\"kind\":\"host\",\"value\":\"bramblewick\",\"x\":1}";
        assert_eq!(keep(&mut canary, more), wrong(1, "not-a-value"));
    }
}
