//! The example run that is built into the program.

use std::path::PathBuf;

use crate::source::{Discovery, Found};

/// Each file of `golden/demo` by its name in rows.
const FILES: &[(&str, &[u8])] = &[];

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
            built_in: Some(bytes),
        })
        .collect();
    Discovery {
        files,
        ..Discovery::default()
    }
}
