//! What the operator's own machine shows of an experiment: declared commands, run on the operator's
//! word and never by `grade`.
//!
//! Commands run in copies, without a shell, in an environment of listed variables, within bounds of
//! time and output; what they came to is kept once, with the state of the tree before and after.
//! Nothing else of the library starts a program but the reading of pinned content from git. [`Kept`]
//! reads captures and starts none.

mod apart;
mod conditions;
mod environment;
mod error;
mod evidence;
mod process;
mod repository;
mod run;
mod store;
mod take;
mod tree;
mod walk;
mod workspace;

pub use apart::{Watched, attended, watch};
pub use conditions::Conditions;
pub use environment::Variables;
pub use error::CaptureError;
pub use evidence::{Evidence, Shown, Stood};
pub use process::Process;
pub use store::{CAPTURES_SCHEMA, Capture, Captures, Entry, Kept, Listed, Processes, TreeRecord};
pub use take::{Arm, Request, Taken, plan, take};

/// The page on captures.
pub const PAGE: &str = include_str!("../../docs/capture.md");
