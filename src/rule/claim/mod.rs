//! Claims: checkable statements that a closing text makes in the agent's own voice.
//!
//! [`read`] only reads text. Whether the record bears a claim out is decided elsewhere.

mod reader;

pub use reader::{Claim, Counted, Kind, Language, Reading, Reporter, Site, read, read_prose};
