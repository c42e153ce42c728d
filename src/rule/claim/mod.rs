//! Claims: checkable statements that a closing text makes in the agent's own voice.
//!
//! The reader only reads text; [`judge`] holds what it found against the record.

pub mod guard;
pub mod judge;
pub mod kind;
pub mod published;
mod reader;

use reader::check_word;
pub(in crate::rule) use reader::denies_by_mark;
pub use reader::{
    Claim, Counted, Kind, Language, Place, Reading, Reporter, Site, Tally, read, read_prose,
};
