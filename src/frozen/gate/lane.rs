//! `lane`: how often a tool was used for the tasks that it is meant for, and the answer is right.

use super::{Bounds, GateResult, Terms, rate};
use crate::frozen::aggregate::Group;
use crate::oracle::{Joined, Status};

/// What became of an opportunity.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Launched {
    /// There is an attempt.
    Attempt,
    /// There is an attempt that something outside of it broke off.
    Inadmissible,
    /// Nothing is recorded.
    No,
}

/// A chance to use a tool.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Opportunity {
    /// What became of it.
    pub launched: Launched,
    /// Whether the tool was used.
    pub adopted: Joined,
    /// What the answer comes to.
    pub correct: Status,
}

impl Opportunity {
    /// What is known of it for certain: nothing of one that came to no end.
    fn known(self) -> Self {
        match self.launched {
            Launched::Attempt => self,
            Launched::Inadmissible | Launched::No => Self {
                adopted: Joined::Unknown,
                correct: Status::Unknown,
                ..self
            },
        }
    }
}

/// What a lane comes to. `broken_off` is the reading `lane-inadmissible`.
#[must_use]
pub fn lane(terms: Terms, opportunities: &[Opportunity], broken_off: &str) -> GateResult {
    let excluded =
        |own: &Opportunity| own.launched == Launched::Inadmissible && broken_off == "excluded";
    let mut bounds = Bounds::default();
    let mut counts = Group::default();
    for cell in ["adopted", "not-adopted", "unknown"] {
        counts.add(cell, 0);
    }
    for own in opportunities.iter().filter(|own| !excluded(own)) {
        let own = own.known();
        bounds.population += 1;
        bounds.recorded += u64::from(own.launched != Launched::No);
        let (adopted, correct) = (own.adopted, own.correct);
        bounds.lower += u64::from(adopted == Joined::Adopted && correct == Status::Pass);
        bounds.upper += u64::from(adopted != Joined::NotAdopted && correct != Status::Fail);
        let cell = match adopted {
            Joined::Adopted => "adopted",
            Joined::NotAdopted => "not-adopted",
            Joined::Unknown => "unknown",
        };
        counts.add(cell, 1);
    }
    GateResult {
        counts,
        ..rate(terms, bounds)
    }
}
