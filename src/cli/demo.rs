//! The example run that is built into the program.

use std::path::PathBuf;
use std::sync::Arc;

use crate::source::{Discovery, Found};

/// Each file of `golden/demo` by its name in rows.
const FILES: &[(&str, &[u8])] = &[
    (
        "demo/claude-greenhouse.jsonl",
        include_bytes!(
            "../../golden/demo/claude-greenhouse/claude/projects/-home-dev-greenhouse/5e55005a-0001-4000-8000-000000000001.jsonl"
        ),
    ),
    (
        "demo/codex-greenhouse.jsonl",
        include_bytes!(
            "../../golden/demo/codex-greenhouse/codex/sessions/2026/03/05/rollout-2026-03-05T19-00-00-019cbf5e-ff80-7001-8000-005b00000001.jsonl"
        ),
    ),
];

/// The example's files as if a walk had found them.
pub(super) fn discovery() -> Discovery {
    let files = FILES
        .iter()
        .map(|(name, bytes)| Found {
            path: PathBuf::from(name),
            name: (*name).to_owned(),
            named: false,
            expected: true,
            size: bytes.len() as u64,
            built_in: Some(Arc::from(*bytes)),
        })
        .collect();
    Discovery {
        files,
        ..Discovery::default()
    }
}
