//! Planted controls: what a rule must catch and must let go, run with every grade, so that a green
//! result carries its own red proof (seed 002).

mod canary;
mod disarm;
mod embedded;
mod expect;
mod guards;
mod line;
mod model;
mod oracle;
pub mod page;
mod report;
mod run;
pub mod session;
mod shown;

/// The page on controls.
pub const PAGE: &str = include_str!("controls.md");

pub use disarm::{Disarmed, disarm, disarm_all};
pub use embedded::{FILES, canaries, examples, kinds, pages, rules};
pub use expect::{Answered, Claimed, Expect, Found, Gated, Quiet, Reported, Status};
pub use guards::{FAMILIES, Guard, guard_of, named};
#[cfg(feature = "schema")]
pub(crate) use model::control_schema;
pub use model::{
    AnswerInput, CANARY, CONTROL_SCHEMA, CanaryInput, Control, ControlError, DeedsInput, Departure,
    Input, Markup, ORACLE, PAGES, RecordsInput, ReportInput, SessionInput, Table, family_of, parse,
};
pub use oracle::{answered, done};
pub use run::{Elsewhere, Graded, grade_records, grade_script, run, run_each};
pub use shown::{About, Shown};
