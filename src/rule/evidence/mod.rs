//! What a session did, as compact facts in order: the one ledger that statements are held against.
//!
//! A fact is small and owns what it needs; the text of results is read once, when its turn comes
//! in, and only keys of its words are kept.

mod digest;
mod fact;
mod failure;
mod folded;
pub mod git;
mod heard;
mod index;
mod ledger;
mod lines;
mod mention;
mod named;
mod outward;
mod run;
mod scope;
mod sight;
mod undo;

pub use digest::{Digest, words};
pub use fact::{Delegation, Edit, Look, Outward, OutwardKind, Run, Shown};
pub use failure::tells_of_failure;
pub use folded::folded;
pub use ledger::Ledger;
pub use lines::{number, unnumbered};
pub use mention::{Deed, Mentions, Term};
pub use named::names;
pub use scope::{Weight, is_named_test, weight};
pub use sight::Sights;
pub use undo::not_found;
