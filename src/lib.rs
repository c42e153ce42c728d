//! Offline auditor and grader for finished coding-agent transcripts.
//!
//! Data flows one way: source → transcript → turn → rule → grade → aggregate → report.
//! `text` and `shell` are libraries that every stage may read with. The library prints nothing but a progress bar that `main` asks for,
//! reads no environment and knows no clock: `main` hands all of that in.

pub mod aggregate;
pub mod calibrate;
pub mod canon;
pub mod capture;
pub mod cli;
pub mod control;
pub mod differential;
pub mod frozen;
pub mod golden;
pub mod grade;
pub mod oracle;
pub mod page;
pub mod pipeline;
pub mod private;
pub mod record;
pub mod report;
pub mod rule;
pub mod shell;
pub mod source;
pub mod spec;
pub mod text;
pub mod transcript;
pub mod turn;
