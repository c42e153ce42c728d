//! One run of a client that prints its events, beside what its driver recorded.

use super::{Carried, Spoken, Told, UNCLASSED};
use crate::frozen::Class;

/// What a run leaves behind.
#[derive(Debug, Clone)]
pub struct Exec<'a> {
    /// Whether its events tell that it began.
    pub began: bool,
    /// What they come to.
    pub spoken: &'a Spoken,
    /// What else is told of it.
    pub told: &'a Told,
}

impl Exec<'_> {
    /// What became of the run.
    #[must_use]
    pub fn carried(&self) -> Carried {
        let torn = self.spoken.torn;
        if !self.began && !torn {
            return Carried::broken_off("startup-error");
        }
        if self.spoken.limit_told {
            return Carried::broken_off("usage-limit");
        }
        if self.told.interrupted() {
            return Carried::broken_off("interrupted-driver");
        }
        if torn {
            return Carried::not_completed(Class::Unresolved("parse"));
        }
        if self.told.timed_out() {
            return Carried::without("timeout");
        }
        if self.spoken.failed {
            return Carried::without("turn-failed");
        }
        if !self.spoken.ended {
            return Carried::not_completed(UNCLASSED);
        }
        let last = self.spoken.ever(false);
        match last.filter(|text| !text.trim().is_empty()) {
            Some(text) => Carried::with(text.to_owned()),
            None if self.told.failed() => Carried::without("exit-nonzero"),
            None => Carried::without("empty"),
        }
    }
}
