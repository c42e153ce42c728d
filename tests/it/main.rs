//! The one integration binary.

mod claim_type;
mod determinism;
mod edge;
mod gate_exact;
mod golden;
mod private;
mod reference;
mod shared;
mod shell;
