//! The one integration binary.

mod claim_type;
mod cli;
mod gate_exact;
mod private;
mod refusals;
mod report;
mod shell;
