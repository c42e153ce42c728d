//! Vendor records to one neutral record.
//!
//! A vendor's spelling lives in its adapter only: no later stage may ask which client wrote a
//! file in order to understand it.

mod beside;
mod claude;
mod codex;
mod decode;
mod fault;
mod file;
mod glance;
pub(crate) mod hex;
mod limit;
mod loose;
mod out;
mod propose;
mod record;
mod served;
mod sniff;

pub use beside::{Attached, By, Settings, Tells};
pub use claude::{
    HandBack, Journal, LastEnd, Launch, PrintedEnd, Start, WorkflowEnd, agent_file, hand_back,
    is_answering, journal, last_end, launch, launch_file, persisted, printed_end, workflow_end,
    workflow_file, workflow_labels,
};
pub use codex::{copy_of, printed, swaps as patch_swaps};
pub use decode::Reason;
pub use fault::{Fault, fault, is_limit_notice, is_login_failure, is_usage_limit};
pub use file::{FileReport, Opaque, Quarantine, Sink, read_file};
pub use glance::{Glance, glance};
pub use record::{
    Action, Body, Call, Change, Client, Dialect, Event, Frame, Header, Injection, Item, Opens,
    Outcome, Part, Place, Reply, Swap, Text, Thread, key_of,
};
pub use served::{served, served_by};
pub use sniff::Format;

use decode::{Piece, line_text, split, trimmed};

/// One vendor's reading of its records, one JSON object at a time.
trait Adapter {
    /// Reads one record and hands its events on.
    ///
    /// # Errors
    /// The text is not one JSON object of a readable shape; nothing was handed on then.
    fn record(
        &mut self,
        text: &str,
        place: Place,
        out: &mut dyn FnMut(Event<'_>),
    ) -> Result<(), serde_json::Error>;

    /// What the records said so far of the session as a whole.
    fn header(&self) -> &Header;

    /// The client's own id of the message that the record at hand holds, where it was not told
    /// before.
    fn message(&mut self) -> Option<String> {
        None
    }
}
