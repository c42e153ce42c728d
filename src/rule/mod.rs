//! Rules: pure functions from a turn and its session's ledger to findings.

pub mod claim;
pub mod evidence;
pub mod gate;
pub mod guard;
pub mod integrity;
pub mod registry;
pub mod runner;
