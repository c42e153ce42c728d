//! The one integration binary.

mod claim_type;
