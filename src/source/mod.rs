//! Files in, lines out: discovery, decompression, splitting and hashing.
//!
//! This stage knows bytes and names only. It must not know what a transcript is.

mod discover;
mod lines;
mod own;

pub use discover::{Discovery, Found, SourceError, discover, may_be_transcript};
pub use lines::{Digest, LONGEST_LINE, Line, LineReader, ReadFault, UNPACKED_LIMIT};
pub use own::is_own;
