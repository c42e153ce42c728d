//! The one integration binary.

mod claim_type;
mod cli;
mod gate_exact;
mod house;
mod private;
mod refusals;
mod report;
mod regression;
mod schema;
mod shell;
mod survives;
