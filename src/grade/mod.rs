//! Answers to rows: the one form in which a grade leaves the program.

mod claim;
pub(crate) mod field;
mod finding;
mod row;
#[cfg(feature = "schema")]
pub(crate) mod schema;
mod session;
mod turn;

pub use claim::{Source, UNREAD, claim_row, group, line_of, unread_row};
pub use finding::{finding_row, settle};
pub use row::{
    ClaimRow, CloseRef, CountsRow, EvidenceRow, FindingRow, GateRow, OperatorRef, QuarantineRow,
    Row, SCHEMA, SessionRow, SpanRow, StepRow, TurnRow,
};
pub use session::{SessionFacts, agent, hex, session_row, session_verdict};
pub use turn::{TurnFacts, turn_row};
