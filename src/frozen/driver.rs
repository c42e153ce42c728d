//! What a driver recorded of the runs that it started: one event a line, in the order in which it wrote them.

use std::collections::BTreeMap;

use super::bind::Bindings;
use super::error::FrozenError;
use super::identity::{Driver, Slot};
use super::ledger::{each_line, of_run, task_and_arm};
use crate::spec::{FieldError, Node, Sealed, Spec};

/// The format of a line of a driver's ledger.
pub const DRIVER_SCHEMA: &str = "deedcheck/driver/1";
/// What a line may tell.
pub(super) const EVENTS: [&str; 4] = ["intent", "spawned", "interrupted", "finished"];

/// Whose run it is: the task, the arm and the attempt.
pub(super) type Whose = (usize, usize, u32);

/// What a driver recorded of each attempt.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct DriverLedger(BTreeMap<Whose, Driver>);

/// One line.
struct Told {
    whose: Whose,
    event: &'static str,
    exit: Option<u32>,
    timed_out: bool,
}

impl DriverLedger {
    /// Reads a ledger, one JSON object a line.
    ///
    /// # Errors
    /// `E_DRIVER_LEDGER` with the line, the field and what is wrong with it.
    pub fn read(text: &str, sealed: &Sealed, bindings: &Bindings) -> Result<Self, FrozenError> {
        let mut all = Self::default();
        each_line(text, FrozenError::Driver, |node| {
            all.add(&one(node, &sealed.spec, &bindings.run)?)
        })?;
        Ok(all)
    }

    /// How many attempts it tells of.
    #[must_use]
    pub fn count(&self) -> usize {
        self.0.len()
    }

    /// The attempts that it tells of.
    pub(super) fn whose(&self) -> impl Iterator<Item = Whose> {
        self.0.keys().copied()
    }

    /// How an attempt's run ended.
    pub(super) fn of(&self, slot: Slot) -> Option<&Driver> {
        self.0.get(&(slot.task, slot.arm, slot.attempt))
    }

    /// Takes an event in. What was interrupted once stays so, whatever was written afterwards.
    fn add(&mut self, told: &Told) -> Result<(), FieldError> {
        let own = self.0.entry(told.whose).or_insert(Driver {
            state: "intent",
            exit: None,
        });
        let end = match told.timed_out {
            true => "timed-out",
            false => "finished",
        };
        let state = match (own.state, told.event) {
            ("interrupted", _) | (_, "interrupted") => "interrupted",
            // An attempt is one run. It cannot end in two ways, nor begin once it is over.
            (state @ ("finished" | "timed-out"), "finished") => {
                match (state, own.exit) == (end, told.exit) {
                    true => state,
                    false => return Err(FieldError::new("event", "other-end")),
                }
            }
            ("finished" | "timed-out", _) => return Err(FieldError::new("event", "after-end")),
            (_, "finished") => end,
            (_, "spawned") => "spawned",
            (state, _) => state,
        };
        own.state = state;
        if told.event == "finished" {
            own.exit = told.exit;
        }
        Ok(())
    }
}

fn one(node: &Node, spec: &Spec, run: &str) -> Result<Told, FieldError> {
    let mut fields = of_run(node, DRIVER_SCHEMA, run)?;
    let (task, arm) = task_and_arm(&mut fields, spec)?;
    let attempt = fields.need("attempt")?.count(1)?;
    let event = fields.need("event")?.one_of(&EVENTS)?;
    let finished = event == "finished";
    let exit = fields.may("exit").map(|at| match finished {
        true => at.count(0),
        false => Err(at.fail("not-finished")),
    });
    let timed_out = fields.may("timed-out").map(|at| match finished {
        true => at.flag(),
        false => Err(at.fail("not-finished")),
    });
    let told = Told {
        whose: (task, arm, attempt),
        event,
        exit: exit.transpose()?,
        timed_out: timed_out.transpose()?.unwrap_or(false),
    };
    fields.done()?;
    Ok(told)
}
