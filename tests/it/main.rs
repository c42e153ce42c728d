//! The one integration binary.

mod claim_reader;
mod claim_type;
mod cli;
mod determinism;
mod edge;
mod gate_exact;
mod golden;
mod house;
mod private;
mod reference;
mod refusals;
mod regression;
mod report;
mod schema;
mod shared;
mod shell;
mod survives;
