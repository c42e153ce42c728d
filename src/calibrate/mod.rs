//! How good the rules are: verdicts held against turns that people have labelled.

mod label;
mod page;
mod score;

pub use label::{Label, LabelError, LabelledTurn, Readers, labels};
pub use page::page;
pub use score::{Calibration, KindTally, Miss, calibrate};
