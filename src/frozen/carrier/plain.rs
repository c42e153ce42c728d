//! An answer that is a plain file.

use super::{Carried, Told};

/// A file that is an answer as a whole.
#[derive(Debug, Clone)]
pub struct Plain<'a> {
    /// Its text. `None` where its bytes are no text.
    pub text: Option<&'a str>,
    /// What is told of the run that wrote it.
    pub told: &'a Told,
}

impl Plain<'_> {
    /// What became of the attempt. A file says whatever was to be said: it waits for nothing.
    #[must_use]
    pub fn carried(&self) -> Carried {
        if self.told.interrupted() {
            return Carried::broken_off("interrupted-driver");
        }
        if self.told.timed_out() {
            return Carried::without("timeout");
        }
        match self.text {
            None => Carried::without("not-text"),
            Some(text) if text.trim().is_empty() => Carried::without("empty"),
            Some(text) => Carried::with(text.to_owned()),
        }
    }
}
