//! Labelled turns: what careful readers found in a close, and what they say of it.

use serde::Deserialize;

/// Why a file of labels cannot be used. No variant holds any text of it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("E_LABELS line={line} kind={kind}")]
pub struct LabelError {
    /// The line, from 1; 0 for the file as a whole.
    pub line: u64,
    /// What is wrong with it.
    pub kind: &'static str,
}

/// How many readers stand behind a label.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Readers {
    /// Both, with the same kind and verdict.
    Both,
    /// One only.
    One,
    /// Both, but they differ.
    Differ,
}

/// One statement of a close, as labelled.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
pub struct Label {
    /// What it states.
    pub kind: String,
    /// Offset of its first byte in the close.
    pub start: u64,
    /// Offset after its last byte.
    pub end: u64,
    /// What the record says of it.
    pub verdict: String,
    /// How many readers say so.
    pub readers: Readers,
}

/// One labelled turn.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
pub struct LabelledTurn {
    /// Its id among the labels.
    pub id: String,
    /// The session file, below the folder of sessions.
    pub file: String,
    /// Its first and last line.
    pub lines: (u64, u64),
    /// The close that was read.
    pub close: String,
    /// What was found in it.
    pub claims: Vec<Label>,
}

/// Reads labels, one turn a line.
///
/// # Errors
/// A line that is no labelled turn, or none at all.
pub fn labels(text: &str) -> Result<Vec<LabelledTurn>, LabelError> {
    let mut turns = Vec::new();
    for (line, text) in (1..).zip(text.lines()) {
        if text.trim().is_empty() {
            continue;
        }
        let turn: LabelledTurn = serde_json::from_str(text).map_err(|_| LabelError {
            line,
            kind: "not-a-turn",
        })?;
        let within =
            |label: &Label| label.start < label.end && label.end <= turn.close.len() as u64;
        if !turn.claims.iter().all(within) {
            return Err(LabelError {
                line,
                kind: "span-outside-close",
            });
        }
        turns.push(turn);
    }
    if turns.is_empty() {
        return Err(LabelError {
            line: 0,
            kind: "empty",
        });
    }
    Ok(turns)
}
