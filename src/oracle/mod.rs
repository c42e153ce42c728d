//! Frozen checks: deterministic oracles over an answer, three-valued, with nothing guessed.
//!
//! An oracle gets a key that was computed before from pinned sources, an answer as inert text and
//! the readings that the spec chose. What it cannot read is `unknown`.

mod check;
mod decode;
mod deed;
mod evidence;
pub mod grammar;
mod guard;
mod kind;
mod sight;
mod told;
mod verdict;

pub use check::{
    Asked, Check, Form, ParamError, Reading, Readings, Reads, Text, UNFIT, ask_with, lacks, parse,
    weigh_with,
};
pub use decode::TOON;
pub use deed::{DOMAINS, Deed, Deeds, EFFECTS, Gap, How, Seen, VERIFIES, When};
pub use evidence::{
    Call, Capture, Condition, Entry, Evidence, FIELDS, Instant, Join, Joined, Lifetime, Message,
    Parent, Phase, Pointer, Process, Row, RowKind, State, Tree, TurnSeen, Weighed, settle_drift,
};
pub use guard::Guards;
pub use kind::{KINDS, KeyShape, KindInfo};
pub use sight::{Read, Sight};
pub use verdict::{Component, Status, combine};
