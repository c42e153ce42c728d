//! What is told of a run's end beside what was said in it.

use crate::turn::Ended;

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

/// What is told of the end of a run.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Told {
    /// What its driver recorded, in order.
    pub driver: Vec<DriverTold>,
    /// How its last turn ended, where its turns were read.
    pub ended: Option<Ended>,
}

impl Told {
    /// The end that the driver recorded: its exit code, and whether the driver ended it.
    pub(super) fn finished(&self) -> Option<(Option<u32>, bool)> {
        self.driver.iter().rev().find_map(|told| match told {
            DriverTold::Finished { exit, timed_out } => Some((*exit, *timed_out)),
            _ => None,
        })
    }

    /// Whether the run did not come to its end by itself: its driver or its operator stopped, or the
    /// driver never saw the end of what it started.
    pub(super) fn interrupted(&self) -> bool {
        let stopped = self.driver.contains(&DriverTold::Interrupted);
        let unseen = self.finished().is_none() && !self.driver.is_empty();
        stopped || unseen || self.ended == Some(Ended::Interrupted)
    }

    /// Whether the driver ended it for its time.
    pub(super) fn timed_out(&self) -> bool {
        self.finished().is_some_and(|(_, timed_out)| timed_out)
    }

    /// Whether the driver recorded another exit code than that of success.
    pub(super) fn failed(&self) -> bool {
        let exit = self.finished().and_then(|(exit, _)| exit);
        exit.is_some_and(|code| code != 0)
    }
}
