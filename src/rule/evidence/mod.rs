//! What a session did, as compact facts in order: the one ledger that statements are held against.
//!
//! A fact is small and owns what it needs; the text of results is read once, when its turn comes
//! in, and not kept.

mod fact;
mod ledger;
mod outward;
mod scope;

pub use fact::{Edit, Look, Outward, OutwardKind, Run, Shown};
pub use ledger::Ledger;
pub use scope::{Weight, weight};
