//! The private side: where files may be written, how they appear whole or not at all, and what must
//! never leave.
//!
//! * [`place`] decides, before a byte is written, whether a path may be written to.
//! * [`publish`] writes into a `.partial` sibling and renames it into place.
//! * [`canary`] looks for private values and shapes in what is about to be public.
//! * [`argv`] keeps the argument vector with a placeholder for each path.
//!
//! Nothing here may put a path, an id or any other private value into an error.

pub mod argv;
pub mod canary;
pub mod place;
pub mod publish;
mod refusal;

pub use canary::{Canary, Hit, Kind};
pub use place::{Planned, in_repository};
pub use publish::{PrivateDir, PrivateFile, PublicFile};
pub use refusal::{PathReason, Refusal, Role, WriteKind};
