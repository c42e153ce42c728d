//! The one integration binary.

mod claim_type;
mod gate_exact;
mod house;
mod private;
mod regression;
mod schema;
mod shell;
mod survives;
