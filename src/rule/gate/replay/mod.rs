//! The `replay` profile: the gate of seed 000 over finished transcripts.
//!
//! It keeps the seed's order of tests and its tiers, and adds what a record of finished work needs:
//! acts of compound commands in order, domains that do not clear a verification, canonical paths,
//! signals that live until the next change, and a third answer where the record cannot tell.

mod answer;
mod check;
mod decide;
mod guard;
mod latches;
mod ledger;
mod loops;
mod surface;

pub use answer::{Answer, Evidence, GateVerdict, NearMiss, Reason};
pub use guard::{Guard, Guards};
pub use ledger::Signal;
pub use loops::ReplayGate;
