//! Material that is too large for the package: `$DEEDCHECK_SHARED`, by default beside it.

use std::path::PathBuf;

/// The corpus, or `None` where it is absent.
pub(crate) fn corpus(test: &str) -> Option<PathBuf> {
    find(test, "corpus").map(|shared| shared.join("corpus"))
}

/// The folder that holds the corpus and the turns that two readers labelled, or `None` where those
/// are absent.
pub(crate) fn labelled(test: &str) -> Option<PathBuf> {
    find(test, "cases/claims/turns.jsonl")
}

/// What the original grader of frozen checks says of answers, or `None` where that is absent.
pub(crate) fn oracles(test: &str) -> Option<PathBuf> {
    let wanted = "cases/oracles.json";
    find(test, wanted).map(|shared| shared.join(wanted))
}

/// The shared folder where it holds `wanted`. Its absence is said aloud; with
/// `DEEDCHECK_REQUIRE_SHARED=1` it is a failure.
fn find(test: &str, wanted: &str) -> Option<PathBuf> {
    let beside = || PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../shared");
    let shared = std::env::var_os("DEEDCHECK_SHARED").map_or_else(beside, PathBuf::from);
    if shared.join(wanted).exists() {
        return Some(shared);
    }
    let required = std::env::var_os("DEEDCHECK_REQUIRE_SHARED").is_some_and(|value| value == "1");
    assert!(!required, "{test}: no shared {wanted}, and it is required");
    let line = format!("{test}: did not run, for there is no shared {wanted}\n");
    // Past the harness, which keeps what a passing test prints to itself.
    let _ = std::io::Write::write_all(&mut std::io::stderr(), line.as_bytes());
    None
}
