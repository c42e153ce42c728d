//! Material that is too large for the package: `$DEEDCHECK_SHARED`, by default beside it.

use std::path::PathBuf;

/// The corpus, or `None` where it is absent, which is said aloud; with `DEEDCHECK_REQUIRE_SHARED=1`
/// its absence is a failure.
pub(crate) fn corpus(test: &str) -> Option<PathBuf> {
    let beside = || PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../shared");
    let shared = std::env::var_os("DEEDCHECK_SHARED").map_or_else(beside, PathBuf::from);
    let corpus = shared.join("corpus");
    if corpus.is_dir() {
        return Some(corpus);
    }
    let required = std::env::var_os("DEEDCHECK_REQUIRE_SHARED").is_some_and(|value| value == "1");
    assert!(!required, "{test}: no corpus, and one is required");
    let line = format!("{test}: did not run, for there is no corpus\n");
    // Past the harness, which keeps what a passing test prints to itself.
    let _ = std::io::Write::write_all(&mut std::io::stderr(), line.as_bytes());
    None
}
