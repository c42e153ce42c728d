//! The grounding gate of seed 000: observation classifier, submit boundary, turn loop.

pub mod claim_type;
