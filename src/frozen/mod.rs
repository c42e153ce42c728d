//! Frozen checks graded: whose answer stands where, what became of each attempt, what its checks,
//! tasks and gates come to, and what every reading that was not chosen would make of them.
//!
//! Grading starts no program and asks nothing of git: keys, bindings and identities were settled
//! before, and what they do not tell is unknown.

mod aggregate;
mod ask;
mod attempt;
mod beside;
mod bind;
mod captures;
mod carried;
pub mod carrier;
mod dated;
mod deeds;
mod driver;
mod error;
mod follow;
pub mod gate;
mod grade;
mod identity;
mod judgment;
mod launch;
mod ledger;
mod left;
mod locate;
mod material;
mod notice;
pub mod outcome;
mod parent;
mod policy;
mod reading;
mod row;
mod rows;
mod runs;
#[cfg(feature = "schema")]
mod schema;
mod seen;
mod through;

pub use aggregate::{Group, OtherReading, SUMS_SCHEMA, Sums};
pub use attempt::{Attempt, Class, ReadAttempt, SaidTurn, read_attempt};
pub use beside::Beside;
pub use bind::{BINDINGS_SCHEMA, Bindings, BoundArm, Input, LAUNCH_SCHEMA, Sentinel, Window};
pub use bind::{HasCommit, bind, read_bindings};
pub use captures::{
    Captures, Listed, Manifest, OBSERVATION_SCHEMA, OBSERVATIONS_SCHEMA, Observation, bundle,
};
pub use driver::{DRIVER_SCHEMA, DriverLedger};
pub use error::FrozenError;
pub use gate::GateResult;
pub use grade::{FrozenGrades, Inputs, grade};
pub use identity::{
    Driver, IDENTITY_SCHEMA, Identities, IdentityRow, IdentityTable, Locator, STATES, Slot,
};
pub use identity::{identify, parts as identity_parts, read_identity};
pub use judgment::{Awaited, JUDGMENT_SCHEMA, Judgments, Matter};
pub use ledger::{JOIN_SCHEMA, Ledger};
pub use material::{OnDisk, OnRecord};
pub use notice::is_wait_notice;
pub use policy::{PolicyInputs, grade_policy};
pub use row::{AttemptRow, CheckRow, Facts, FrozenRow, OtherwiseRow, TaskRow};
pub use runs::Runs;
#[cfg(feature = "schema")]
pub(crate) use schema::{DriverEvent, JoinLine, JudgmentLine, LaunchRecord};
pub use seen::SeenTurn;
pub use through::{BOUNDARIES, NamedFile, ROLES, Through};

#[cfg(test)]
mod tests;
