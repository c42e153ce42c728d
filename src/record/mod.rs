//! The neutral record on disk: what every rule reads, kept so that a run can be graded again.
//!
//! A record is canonical JSON, one line each, in zstd frames: the format's name, and then family
//! by family each file with its events and what was read of it. Events go through the very folds
//! that they went through when the transcript itself was read, so that rows made of a record are
//! the rows made of its transcript. Texts are kept up to the bound that the fold of turns has for
//! them, and in full where it has none.

mod decode;
mod encode;
mod frame;
mod schema;
mod shelf;
mod view;

pub use decode::{Decoder, Entry, RecordError};
pub use encode::{Encoder, Tee, header};
pub use frame::{Part, frames};
#[cfg(feature = "schema")]
pub(crate) use schema::Line;
pub use schema::{
    AbsentLine, AnswerLine, DatedLine, Elsewhere, Ending, FileLine, HandedBack, LeftLine,
    ParentLine, Printed, RECORD_SCHEMA, Workflow,
};
pub use shelf::{Shelf, Shelve, Slot};
pub use view::bounded;

#[cfg(test)]
mod tests;
