//! The one integration binary.

mod claim_type;
mod gate_exact;
mod gate_labels;
mod gate_rule;
mod private;
mod shell;
