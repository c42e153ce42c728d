//! The one integration binary.
mod gate_exact;
