//! Words of the agent, and where in a turn the client says that they stand.

use std::borrow::Cow;

/// Words of the agent.
pub(super) struct Said<'a> {
    pub(super) text: Cow<'a, str>,
    pub(super) message: u64,
    pub(super) phase: Phase,
}

/// What the client says of where in a turn words stand.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Phase {
    /// It says nothing.
    Untold,
    /// They are said on the way.
    Aside,
    /// They are the answer, which ends the turn.
    Answer,
}

impl Phase {
    pub(super) fn of(word: Option<&str>) -> Self {
        match word {
            Some("commentary") => Self::Aside,
            Some("final_answer") => Self::Answer,
            _ => Self::Untold,
        }
    }
}
