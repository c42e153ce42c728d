//! What a run left behind beside its answer, as checks see it: calls, captures, processes, trees, messages and turns.
//!
//! Nothing here knows where it comes from. What was not looked at is told apart from what is not there, so that a check can say
//! `unknown` of the one and give a verdict on the other.

mod drift;
mod instant;
mod model;

pub use drift::settle_drift;
pub use instant::Instant;
pub use model::{
    Call, Capture, Condition, Entry, Evidence, FIELDS, Join, Joined, Lifetime, Message, Parent,
    Phase, Pointer, Process, Row, RowKind, State, Tree, TurnSeen,
};

use std::collections::BTreeMap;

use serde_json::Value;

use super::deed::When;
use super::verdict::Component;

/// What a check of evidence found.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Weighed {
    /// What it comes to.
    pub result: Component,
    /// What it tells beside the verdict, by name.
    pub facts: BTreeMap<&'static str, Value>,
    /// The calls that it rests on, each with what it is to the check.
    pub places: Vec<(When, &'static str)>,
}

impl Weighed {
    /// Calls that are told of one check at most.
    const MOST: usize = 4;

    /// The same, resting on calls, of which the first few are told.
    pub(super) fn resting<'c, 'e: 'c>(
        mut self,
        calls: impl IntoIterator<Item = &'c Call<'e>>,
        what: &'static str,
    ) -> Self {
        let stands = calls.into_iter().filter_map(|call| call.stands);
        self.places
            .extend(stands.take(Self::MOST).map(|at| (at, what)));
        self
    }
}

impl From<Component> for Weighed {
    fn from(result: Component) -> Self {
        Self {
            result,
            facts: BTreeMap::new(),
            places: Vec::new(),
        }
    }
}
