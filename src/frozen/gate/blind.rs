//! `blind`: whether each blind task has a verdict of an attempt that saw nothing of what it must not see.

use super::{Bounds, GateResult, Terms, result};
use crate::frozen::aggregate::Group;
use crate::oracle::Status;

/// The attempts of one blind task that gave a verdict.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct BlindTask {
    /// Those that saw nothing.
    pub clean: u64,
    /// Those that saw something.
    pub contaminated: u64,
    /// Those of which that is not known.
    pub unknown: u64,
    /// Whether it has no attempt that could have given one, so that another may still come.
    pub open: bool,
}

/// What blindness comes to. Whether a verdict is right does not matter. `control` is what a control comes to that was planted to
/// show that what the tasks are watched for is seen at all: a clean task says nothing where it fails.
#[must_use]
pub fn blind(terms: Terms, tasks: &[BlindTask], control: Status) -> GateResult {
    let mut bounds = Bounds::default();
    let mut counts = Group::default();
    for own in tasks {
        let some = own.clean + own.contaminated + own.unknown > 0;
        bounds.population += 1;
        bounds.recorded += u64::from(some);
        bounds.lower += u64::from(own.clean > 0);
        bounds.upper += u64::from(own.clean > 0 || own.unknown > 0 || own.open);
        for (cell, count) in [
            ("clean", own.clean),
            ("contaminated", own.contaminated),
            ("unknown", own.unknown),
        ] {
            counts.add(cell, count);
        }
    }
    let all = bounds.population;
    let (status, reason) = match control {
        _ if all == 0 => ("undefined", Some("no-task")),
        Status::Fail => ("incomplete", Some("failed-control")),
        Status::Unknown | Status::Pending => ("unknown", Some("control-unobserved")),
        Status::Pass if bounds.lower == all => ("pass", None),
        Status::Pass => ("fail", Some("no-clean-verdict")),
    };
    GateResult {
        reason,
        failed_control: status == "incomplete",
        counts,
        ..result(
            terms,
            bounds,
            status,
            status == "fail" && bounds.upper == all,
        )
    }
}
