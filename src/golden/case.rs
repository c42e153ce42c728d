//! Cases of a folder, and what each comes to.

use std::path::{Path, PathBuf};

use serde::Serialize;

use super::error::{Fault, GoldenError};
use super::expected::{FOLDER, SUMS_SCHEMA, SumsFile};
use super::{Judged, sealed};
use crate::aggregate::Aggregate;
use crate::canon;
use crate::grade::Row;
use crate::pipeline::{Policy, grade};
use crate::report::{claim_sentence, sentence};
use crate::source::{Found, discover};

/// One case: a folder.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Case {
    /// The folder's own name, as far as it is UTF-8.
    pub name: String,
    /// Where it lies.
    pub folder: PathBuf,
    /// Its number in the order of names, from 1; refusals tell cases by it.
    pub number: usize,
}

/// What a case comes to: its rows and its sums, as they are written and as they are compared.
#[derive(Debug)]
pub struct Grades {
    /// The rows, one canonical JSON object a line.
    pub rows: Vec<u8>,
    /// The sums as one canonical line.
    pub sums: Vec<u8>,
    /// The rows with what the record shows of each.
    pub judged: Vec<Judged>,
    /// Why nobody can have read what the rows tell of, where that is so.
    pub unread: Option<(&'static str, Fault)>,
}

/// The cases of a folder, sorted by name: each subfolder that is not hidden; the folder itself where
/// it has expectations of its own.
///
/// # Errors
/// A folder that is missing, unreadable or none, or that holds no case.
pub fn cases(dir: &Path) -> Result<Vec<Case>, GoldenError> {
    let wrong = |kind| GoldenError::Argument {
        argument: "<DIR>",
        kind,
    };
    let meta = std::fs::metadata(dir).map_err(|error| match error.kind() {
        std::io::ErrorKind::NotFound => wrong(Fault::Missing),
        _ => wrong(Fault::Unreadable),
    })?;
    if !meta.is_dir() {
        return Err(wrong(Fault::NotRegular));
    }
    if dir.join(FOLDER).is_dir() {
        // `.` has no name of its own, and rows are led by one.
        let real = std::fs::canonicalize(dir).map_err(|_| wrong(Fault::Unreadable))?;
        return Ok(vec![case_of(real, 1)]);
    }
    let mut folders = Vec::new();
    for entry in std::fs::read_dir(dir).map_err(|_| wrong(Fault::Unreadable))? {
        let entry = entry.map_err(|_| wrong(Fault::Unreadable))?;
        let hidden = entry.file_name().as_encoded_bytes().starts_with(b".");
        let folder = entry.file_type().is_ok_and(|kind| kind.is_dir());
        if folder && !hidden {
            folders.push(entry.path());
        }
    }
    if folders.is_empty() {
        return Err(wrong(Fault::NoCase));
    }
    folders.sort();
    let numbered = folders.into_iter().zip(1..);
    Ok(numbered
        .map(|(path, number)| case_of(path, number))
        .collect())
}

fn case_of(folder: PathBuf, number: usize) -> Case {
    let name = folder.file_name().unwrap_or_default();
    Case {
        name: name.to_string_lossy().into_owned(),
        folder,
        number,
    }
}

/// Grades one case by itself, as `grade` does with its folder, or with `grade --spec` where it has a
/// sealed spec. What it expects is no part of it.
///
/// # Errors
/// A folder that cannot be read, and whatever refuses a run with frozen checks.
pub fn grade_case(case: &Case, policy: &Policy) -> Result<Grades, GoldenError> {
    if sealed::is_sealed(&case.folder) {
        return sealed::grade_sealed(case);
    }
    let found = discover(std::slice::from_ref(&case.folder)).map_err(|_| GoldenError::Case {
        case: case.number,
        file: "session",
        line: 0,
        kind: Fault::Unreadable,
    })?;
    let own = case.folder.join(FOLDER);
    let files: Vec<Found> = found
        .files
        .into_iter()
        .filter(|file| !file.path.starts_with(&own))
        .collect();
    grade_files(&files, policy, case.number)
}

/// Grades files as one case.
///
/// # Errors
/// Rows that have no canonical form, which is never so.
pub fn grade_files(files: &[Found], policy: &Policy, case: usize) -> Result<Grades, GoldenError> {
    let rows = grade(files, policy, &|_| ()).rows;
    let aggregate = Aggregate::of(&rows);
    let sums = SumsFile {
        schema: SUMS_SCHEMA,
        cells: &aggregate.cells,
    };
    let none = rows.is_empty().then_some(("session", Fault::NoSession));
    let mut out = Grades {
        unread: none,
        rows: Vec::new(),
        sums: Vec::new(),
        judged: Vec::new(),
    };
    append(&mut out.sums, &sums, case)?;
    for row in &rows {
        add_row(&mut out, row, said(row), case)?;
    }
    Ok(out)
}

/// Adds a row in both of its forms.
pub(super) fn add_row<T: Serialize>(
    out: &mut Grades,
    row: &T,
    said: Option<String>,
    case: usize,
) -> Result<(), GoldenError> {
    let start = out.rows.len();
    append(&mut out.rows, row, case)?;
    let value = serde_json::from_slice(&out.rows[start..]).unwrap_or_default();
    out.judged.push(Judged { value, said });
    Ok(())
}

/// Appends a canonical line.
pub(super) fn append<T: Serialize>(
    bytes: &mut Vec<u8>,
    value: &T,
    case: usize,
) -> Result<(), GoldenError> {
    canon::append_line(bytes, value).map_err(|_| GoldenError::Case {
        case,
        file: "session",
        line: 0,
        kind: Fault::Unwritable,
    })
}

/// What the record shows of a row, as a sentence. A finding's evidence says it by itself.
fn said(row: &Row) -> Option<String> {
    match row {
        Row::Turn(turn) => Some(sentence(turn)),
        Row::Claim(claim) => Some(claim_sentence(claim)),
        Row::Session(_) | Row::Finding(_) => None,
    }
}
