//! Events to turns: who asked, what was done in which order, what was said at the end, and how it
//! ended.
//!
//! This stage decides nothing about right or wrong. It must not know any vendor's spelling.

mod alter;
mod deed;
mod fold;
mod kept;
mod model;
mod open;
mod published;

pub use alter::{Alter, Side};
pub use deed::{Act, deeds};
pub use fold::{Counts, SessionEnd, SessionFold, TurnSink};
pub use kept::Kept;
pub use model::{Close, Delegated, Ended, Moment, Planned, Prompt, Published, Step, Turn, Venue};
