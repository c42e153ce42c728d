//! Claims: checkable statements that a closing text makes in the agent's own voice.
//!
//! The reader only reads text; [`judge`] holds what it found against the record.

pub mod guard;
pub mod judge;
pub mod kind;
pub mod published;
mod reader;

pub use reader::{
    Claim, Counted, Kind, Language, Place, Reading, Reporter, Site, Tally, read, read_prose,
};
