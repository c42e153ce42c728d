//! Sums without ids: what may be published of a run.
//!
//! Every cell is a count under a fixed key, so that aggregates of shards add up to that of one run.

mod interval;
mod key;
mod read;
mod sum;

pub use interval::{Interval, bounds, wilson};
pub use key::{CONTROLS, cells, is_known};
pub use sum::{AGGREGATE_SCHEMA, Aggregate, below};
