//! The one integration binary.

mod claim_reader;
mod claim_type;
mod cli;
mod gate_exact;
mod golden;
mod house;
mod private;
mod refusals;
mod regression;
mod report;
mod schema;
mod shell;
mod survives;
