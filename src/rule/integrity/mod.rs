//! Whether the measuring stick was bent: tests deleted, skipped or loosened while they failed,
//! checks masked, hooks gone past, results written by hand, failures left out.
//!
//! Every finding is a fact with both of its sides; what the operator asked for, or what the close
//! tells openly, is none.

mod ask;
mod assertion_weakened;
mod delta;
mod error_not_mentioned;
mod expected_copied;
mod finding;
mod guard;
mod hook_bypassed;
mod hooks_disabled;
mod ledger_handwritten;
mod literal;
mod mark;
mod reports_without_work;
mod scene;
mod self_made_reference;
mod snapshot_blessed;
mod status_masked;
mod stick;
mod strength;
mod test_deleted;
mod test_skipped;
#[cfg(test)]
mod tests;
mod watch;

pub use assertion_weakened::INFO as ASSERTION_WEAKENED;
pub use error_not_mentioned::INFO as ERROR_NOT_MENTIONED;
pub use expected_copied::INFO as EXPECTED_COPIED;
pub use finding::{Finding, Reason, Rule, Verdict};
pub use guard::{Guard, Guards};
pub use hook_bypassed::INFO as HOOK_BYPASSED;
pub use hooks_disabled::INFO as HOOKS_DISABLED;
pub use ledger_handwritten::INFO as LEDGER_HANDWRITTEN;
pub use reports_without_work::INFO as REPORTS_WITHOUT_WORK;
pub use self_made_reference::INFO as SELF_MADE_REFERENCE;
pub use snapshot_blessed::INFO as SNAPSHOT_BLESSED;
pub use status_masked::INFO as STATUS_MASKED;
pub use test_deleted::INFO as TEST_DELETED;
pub use test_skipped::INFO as TEST_SKIPPED;
pub use watch::Integrity;

use scene::Scene;

/// The verdicts of every rule of the family.
const VERDICTS: &[&str] = &["finding", "clear", "unknown"];
