//! One run of a client that prints its events, beside what its driver recorded.

use super::{Carried, UNCLASSED};
use crate::frozen::Class;

/// What a run leaves behind.
#[derive(Debug, Clone, Default)]
pub struct Exec<'a> {
    /// The events that it printed. `None` where their file cannot be read.
    pub events: Option<Vec<Printed<'a>>>,
    /// What its driver recorded, in order.
    pub driver: Vec<DriverTold>,
}

/// One printed event.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Printed<'a> {
    /// A thread began.
    Began,
    /// A message of the agent is complete.
    Message(&'a str),
    /// The turn is over.
    TurnOver,
    /// The turn failed.
    TurnFailed(&'a str),
    /// A fault that need not end anything.
    Error(&'a str),
    /// The line cannot be read.
    Torn,
}

/// One record of a driver.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum DriverTold {
    /// It is about to start the run.
    Intent,
    /// The run was started.
    Spawned,
    /// The driver was interrupted.
    Interrupted,
    /// The run ended.
    Finished {
        /// Its exit code, where it is known.
        exit: Option<u32>,
        /// Whether the driver ended it for its time.
        timed_out: bool,
    },
}

impl Exec<'_> {
    /// What became of the run.
    #[must_use]
    pub fn carried(&self) -> Carried {
        let events = self.events.as_deref().unwrap_or_default();
        let torn = events.contains(&Printed::Torn);
        if !events.contains(&Printed::Began) && !torn {
            return Carried::broken_off("startup-error");
        }
        let limit = |event: &Printed<'_>| matches!(event, Printed::TurnFailed(text) | Printed::Error(text) if is_usage_limit(text));
        if events.iter().any(limit) {
            return Carried::broken_off("usage-limit");
        }
        let finished = self.driver.iter().rev().find_map(|told| match told {
            DriverTold::Finished { exit, timed_out } => Some((*exit, *timed_out)),
            _ => None,
        });
        let stopped = self.driver.contains(&DriverTold::Interrupted);
        if stopped || finished.is_none() && !self.driver.is_empty() {
            return Carried::broken_off("interrupted-driver");
        }
        if torn {
            return Carried::not_completed(Class::Unresolved("parse"));
        }
        let (exit, timed_out) = finished.unwrap_or((None, false));
        if timed_out {
            return Carried::without("timeout");
        }
        answered(events, exit)
    }
}

fn answered(events: &[Printed<'_>], exit: Option<u32>) -> Carried {
    if events
        .iter()
        .any(|event| matches!(event, Printed::TurnFailed(_)))
    {
        return Carried::without("turn-failed");
    }
    if !events.contains(&Printed::TurnOver) {
        return Carried::not_completed(UNCLASSED);
    }
    let last = events.iter().rev().find_map(|event| match event {
        Printed::Message(text) => Some(*text),
        _ => None,
    });
    match last.filter(|text| !text.trim().is_empty()) {
        Some(text) => Carried::with(text.to_owned()),
        None if exit.is_some_and(|code| code != 0) => Carried::without("exit-nonzero"),
        None => Carried::without("empty"),
    }
}

/// This client has other limits too, which do not end the day.
fn is_usage_limit(text: &str) -> bool {
    let text = text.trim_start();
    text.starts_with("You've hit your usage limit")
        || text.starts_with("You’ve hit your usage limit")
}
