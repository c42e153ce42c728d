//! Claude Code: session files from 1.0 on, and print-mode output (`stream-json`, `json`).

mod adapter;
mod attached;
mod ending;
mod handback;
mod kept;
mod kind;
mod queue;
mod reply;
mod spoken;
mod tool;
mod user;
mod wire;

pub(super) use adapter::Claude;
pub use ending::{LastEnd, last_end};
pub use handback::{HandBack, hand_back, persisted};
pub use kept::{
    Journal, Launch, PrintedEnd, Start, WorkflowEnd, agent_file, journal, launch, launch_file,
    printed_end, workflow_end, workflow_file, workflow_labels,
};
pub use tool::is_answering;
