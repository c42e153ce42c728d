//! Codex: rollouts of every age, and `exec --json` output.

mod adapter;
mod copy;
mod fork;
mod item;
mod kind;
mod message;
mod old;
mod patch;
mod reply;
mod said;
mod settings;
mod spoken;
mod tool;
mod wire;

pub(super) use adapter::Codex;
pub use copy::copy_of;
pub use patch::swaps;
pub use reply::printed;
