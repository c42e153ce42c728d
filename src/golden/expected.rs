//! What a case expects: its rows and sums as a person accepted them.

use std::collections::BTreeMap;
use std::path::Path;

use serde::Serialize;
use serde_json::Value;

use super::case::{Case, Grades};
use super::difference::{Difference, Judged, differences, rows_of, sums_differ};
use super::error::{Fault, GoldenError};

/// The folder of a case that holds what it expects.
pub const FOLDER: &str = "expected";
/// The rows in it.
pub const ROWS: &str = "grades.jsonl";
/// The sums in it.
pub const SUMS: &str = "aggregate.json";
/// The format of the sums of a case without frozen checks.
pub const SUMS_SCHEMA: &str = "deedcheck/golden/1";
/// The most that is read of either file, in bytes.
const MOST: u64 = 1 << 30;

/// `expected/aggregate.json` of a case without frozen checks: the cells that `grade --out` gives, and
/// nothing that changes with a release.
#[derive(Debug, Serialize)]
#[cfg_attr(
    feature = "schema",
    derive(schemars::JsonSchema),
    schemars(deny_unknown_fields)
)]
pub struct SumsFile<'a> {
    /// The format: `deedcheck/golden/1`.
    pub schema: &'static str,
    /// Counts by key.
    pub cells: &'a BTreeMap<String, u64>,
}

/// Holds a case's grades against what it expects. A case without expectations is one difference.
///
/// # Errors
/// A case without a session; expectations that cannot be read, or that are no rows.
pub fn check(case: &Case, grades: &Grades) -> Result<Vec<Difference>, GoldenError> {
    // Nothing differs from nothing, and so it would pass for ever.
    if let Some((file, kind @ Fault::NoSession)) = grades.unread {
        return Err(GoldenError::Case {
            case: case.number,
            file,
            line: 0,
            kind,
        });
    }
    let rows = read(case, ROWS)?;
    let sums = read(case, SUMS)?;
    let (Some(rows), Some(sums)) = (rows, sums) else {
        return Ok(vec![Difference::unexpected()]);
    };
    let wrong = |file, line| GoldenError::Case {
        case: case.number,
        file,
        line,
        kind: Fault::Expected,
    };
    let before = rows_of(&rows).map_err(|line| wrong(ROWS, line))?;
    let before: Vec<Judged> = before.into_iter().map(Judged::plain).collect();
    let mut found = differences(&before, &grades.judged);
    let old: Value = serde_json::from_slice(&sums).map_err(|error| wrong(SUMS, error.line()))?;
    if !old.is_object() {
        return Err(wrong(SUMS, 1));
    }
    let new = serde_json::from_slice(&grades.sums).unwrap_or_default();
    found.extend(sums_differ(&old, &new));
    Ok(found)
}

/// Whether what a case came to can be accepted: a row about a transcript that is not there is no grade
/// that anybody could have read, and of one that was edited nobody knows what it showed.
///
/// # Errors
/// What is missing of the case, or is another than it was.
pub fn acceptable(case: &Case, grades: &Grades) -> Result<(), GoldenError> {
    let altered = || altered(case, grades).map(|own| own.map(|kind| ("transcript", kind)));
    match grades
        .unread
        .map_or_else(altered, |unread| Ok(Some(unread)))?
    {
        None => Ok(()),
        Some((file, kind)) => Err(GoldenError::Case {
            case: case.number,
            file,
            line: 0,
            kind,
        }),
    }
}

/// What became of the transcripts of which rows are expected.
fn altered(case: &Case, grades: &Grades) -> Result<Option<Fault>, GoldenError> {
    let rows = read(case, ROWS)?.unwrap_or_default();
    let rows = rows_of(&rows).unwrap_or_default();
    let now: BTreeMap<&str, &str> = grades
        .judged
        .iter()
        .filter_map(|judged| transcript(&judged.value))
        .collect();
    let fault = |(file, digest): (&str, &str)| match now.get(file) {
        None => Some(Fault::Missing),
        Some(own) if *own != digest => Some(Fault::Changed),
        Some(_) => None,
    };
    Ok(rows.iter().filter_map(transcript).find_map(fault))
}

/// The name of a session row's file within its case, and its digest.
fn transcript(row: &Value) -> Option<(&str, &str)> {
    let file = row["file"].as_str().filter(|_| row["kind"] == "session")?;
    let file = file.split_once('/').map_or(file, |(_, file)| file);
    Some((file, row["sha256"].as_str()?))
}

/// Replaces what a case expects: each file whole, by a rename.
///
/// # Errors
/// A folder or file that cannot be written.
pub fn accept(case: &Case, grades: &Grades) -> Result<(), GoldenError> {
    let folder = case.folder.join(FOLDER);
    let wrong = |file| GoldenError::Case {
        case: case.number,
        file,
        line: 0,
        kind: Fault::Unwritable,
    };
    std::fs::create_dir_all(&folder).map_err(|_| wrong(ROWS))?;
    for (file, bytes) in [(ROWS, &grades.rows), (SUMS, &grades.sums)] {
        replace(&folder, file, bytes).map_err(|_| wrong(file))?;
    }
    Ok(())
}

/// Writes a file under another name and renames it into place, so that it is never half there.
fn replace(folder: &Path, name: &str, bytes: &[u8]) -> std::io::Result<()> {
    use std::io::Write as _;
    let partial = folder.join(format!(".{name}.partial"));
    // A link there would be written through; what a killed run left is in the way.
    match std::fs::remove_file(&partial) {
        Err(error) if error.kind() != std::io::ErrorKind::NotFound => return Err(error),
        _ => {}
    }
    let mut file = std::fs::File::create_new(&partial)?;
    let written = file.write_all(bytes).and_then(|()| file.sync_all());
    let placed = written.and_then(|()| std::fs::rename(&partial, folder.join(name)));
    if placed.is_err() {
        let _ = std::fs::remove_file(&partial);
    }
    placed
}

/// One file of the expectations, or `None` where it is not there.
fn read(case: &Case, file: &'static str) -> Result<Option<Vec<u8>>, GoldenError> {
    let wrong = |kind| GoldenError::Case {
        case: case.number,
        file,
        line: 0,
        kind,
    };
    let path = case.folder.join(FOLDER).join(file);
    let meta = match std::fs::metadata(&path) {
        Ok(meta) => meta,
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Ok(None),
        Err(_) => return Err(wrong(Fault::Unreadable)),
    };
    if !meta.is_file() {
        return Err(wrong(Fault::NotRegular));
    }
    if meta.len() > MOST {
        return Err(wrong(Fault::TooLarge));
    }
    let bytes = std::fs::read(&path).map_err(|_| wrong(Fault::Unreadable))?;
    Ok(Some(bytes))
}
