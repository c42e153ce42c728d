//! The grounding gate of seed 000: observation classifier, submit boundary, turn loop.
//!
//! | profile | what it is | where its behaviour was read |
//! |---|---|---|
//! | `gg-0.1` | the core of `grounding_gate` 0.1.0, bit for bit | seed 000 and the package run as published |
//! | `gg-0.4` | the core of 0.4.0 and 0.4.1 (they behave alike) | the package run as published |
//! | `gg-0.4-hooks` | the agent-SDK adapter `GateHooks` of 0.4.1 | the package run as published |
//! | `replay` | the lenient profile for finished transcripts; shares [`GateState`] | ours, on top of `gg-0.4` |
//!
//! The exact profiles exist so that a verdict can be compared with the package they imitate,
//! oddities included; none of them is meant to be wise. Left out: the optional model-backed
//! verifier of 0.4 (it can only turn an accept into a reject, and needs a model) and the per-tool
//! callables (`normalizers`, `extractors`), which a data file cannot carry.
//!
//! Nothing here is a regular expression: the package's patterns are Python `str` patterns, whose
//! `\w`, `\d`, `\s` and `\b` differ from those of the Rust crates, so [`python`] and [`normalize`]
//! read text by hand, each pass in time linear in the text.

mod adapter;
mod cases;
mod core;
mod field;
mod format;
mod novelty;
mod profile;
mod pyjson;

pub mod exact;
pub mod replay;

pub mod normalize;
pub mod python;

pub use self::adapter::{GateHooks, HookCall, HookOptions, HookProgress, StopAnswer};
pub use self::cases::replay_cases;
pub use self::core::{
    Call, GateState, Grounding, LEGAL_NEXT, LimitError, Progress, Qualifying, Reasoning, Tier,
    ToolStep, Verdict,
};
pub use self::field::CaseError;
pub use self::profile::{ClaimType, Preset, Profile};

pub mod claim_type;
