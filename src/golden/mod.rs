//! Golden cases: sessions with the grades that a person accepted for them, so that a change of a
//! rule, of a policy or of the program shows as a difference of rows and not as a surprise.
//!
//! * [`case`] finds the cases of a folder and grades each by itself.
//! * [`difference`] holds two sets of rows against each other and says each change in words.
//! * [`expected`] reads and replaces what a case expects.
//! * [`scrub`] makes a case from somebody's own session: ids, homes, names, addresses and secrets
//!   replaced alike everywhere, and proof that no verdict changed.
//!
//! A case's folder holds its session files as the client laid them out, or the five files of a run
//! with frozen checks, and `expected/grades.jsonl` with `expected/aggregate.json`.

pub mod case;
pub mod difference;
mod error;
pub mod expected;
pub mod scrub;
mod sealed;

pub use case::{Case, Grades, cases, grade_case};
pub use difference::{Difference, Judged, differences, rows_of};
pub use error::{Fault, GoldenError};
pub use expected::{SumsFile, accept, acceptable, check};
