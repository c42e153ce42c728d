//! Which project of several a statement speaks of.

use super::Case;
use crate::rule::evidence::Run;

/// Names of folders that are words of any statement of a check.
pub(super) const COMMON: [&str; 20] = [
    "tests", "test", "build", "lint", "run", "code", "src", "project", "type", "types", "check",
    "checks", "suite", "all", "app", "format", "work", "main", "the", "unit",
];

/// Leaves the runs of the folder that a statement names by its last word: "the core tests pass".
/// Where it names one beside those that were run in, the last run, which was elsewhere.
pub(super) fn here<'a>(case: &Case<'a>, runs: Vec<&'a Run>) -> Result<Vec<&'a Run>, &'a Run> {
    let lower = case.text().to_lowercase();
    let words: Vec<&str> = lower
        .split(|c: char| !(c.is_alphanumeric() || c == '-' || c == '_'))
        .filter(|word| word.len() > 1)
        .collect();
    let named = |run: &Run| {
        let own = last(&run.dir);
        !COMMON.contains(&own.as_str()) && words.contains(&own.as_str())
    };
    // Runs come by the thousand, and hardly ever leave their folder.
    let mut before: Option<(&str, bool)> = None;
    let mut is_named = |run: &'a Run| match before {
        Some((dir, own)) if dir == run.dir => own,
        _ => before.insert((run.dir.as_str(), named(run))).1,
    };
    let kept: Vec<&Run> = runs.iter().copied().filter(|&run| is_named(run)).collect();
    if !kept.is_empty() {
        return Ok(kept);
    }
    let package = words.windows(2).find_map(|pair| {
        let noun = matches!(
            pair[1],
            "package" | "crate" | "module" | "workspace" | "service" | "project" | "app"
        );
        (noun && !COMMON.contains(&pair[0])).then_some(pair[0])
    });
    let Some(package) = package else {
        return Ok(runs);
    };
    match runs.last() {
        Some(run) if runs.iter().all(|run| beside(case, run, package)) => Err(run),
        _ => Ok(runs),
    }
}

fn last(dir: &str) -> String {
    let name = dir.trim_end_matches('/').rsplit('/').next();
    name.unwrap_or("").to_lowercase()
}

/// Whether a run was made beside a folder that was changed here, and names it nowhere.
pub(super) fn beside(case: &Case<'_>, run: &Run, package: &str) -> bool {
    let Some((parent, own)) = run.dir.trim_end_matches('/').rsplit_once('/') else {
        return false;
    };
    let folder = format!("{parent}/{package}/");
    own != package
        && !parent.is_empty()
        && !run.delegated
        && !run.words.contains(package)
        && case
            .ledger
            .edits_of(package)
            .any(|edit| edit.path.starts_with(&folder))
}
