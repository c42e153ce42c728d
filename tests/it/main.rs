//! The one integration binary.

mod claim_reader;
mod claim_type;
mod gate_exact;
mod private;
mod shell;
