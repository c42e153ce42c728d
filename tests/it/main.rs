//! The one integration binary.

mod claim_type;
mod gate_exact;
mod golden;
mod private;
mod shell;
