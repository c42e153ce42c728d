//! How good the rules are: verdicts held against turns that people have labelled.

mod interval;
mod label;
mod page;
mod score;

pub use interval::{Interval, wilson};
pub use label::{Label, LabelError, LabelledTurn, Readers, labels};
pub use page::page;
pub use score::{Calibration, KindTally, Miss, calibrate};
