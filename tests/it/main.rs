//! The one integration binary.
mod gate_exact;

mod claim_type;
mod private;
