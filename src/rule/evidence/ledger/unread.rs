//! Runs whose result the record does not hold.

use super::Ledger;
use crate::transcript::Outcome;
use crate::turn::Step;

impl Ledger {
    /// Notes the checks of a call without a result: how they went, nobody can tell.
    pub(super) fn without_result(&mut self, turn: u32, step: &Step) {
        if step.outcome == Outcome::Missing {
            let runs = step.acts.iter().filter(|act| act.verify.is_some());
            let runs = runs.map(|act| (act.verify, (turn, step.call)));
            self.unread.extend(runs);
        }
    }
}
