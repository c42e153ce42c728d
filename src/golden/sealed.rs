//! A case with frozen checks: a sealed spec, and beside it what `grade --spec` is given.

use std::path::Path;

use super::case::{Case, Grades, add_row, append};
use super::error::{Fault, GoldenError};
use crate::frozen::{
    Captures, FrozenRow, Inputs, Judgments, Ledger, OnDisk, grade, read_bindings, read_identity,
};
use crate::oracle::KINDS;
use crate::spec::{self, read_keys};

/// The sealed spec of such a case.
const SPEC: &str = "spec.json";
/// The most that is read of one of its files, in bytes.
const MOST: u64 = 1 << 30;

/// Whether a case has frozen checks: its spec and its bindings both lie in it.
pub(super) fn is_sealed(folder: &Path) -> bool {
    folder.join(SPEC).is_file() && folder.join("bindings.json").is_file()
}

/// Grades the frozen checks of a case.
pub(super) fn grade_sealed(case: &Case) -> Result<Grades, GoldenError> {
    let folder = &case.folder;
    let sealed = spec::open(text(case, SPEC)?.as_bytes(), KINDS)?;
    let bindings = read_bindings(&text(case, "bindings.json")?, &sealed)?;
    let identity = read_identity(&text(case, "identity.json")?, &sealed, &bindings)?;
    let keys = read_keys(&text(case, "keys.json")?, &sealed)?;
    let judgments = if folder.join("judgments.jsonl").is_file() {
        Judgments::read(&text(case, "judgments.jsonl")?, &sealed)?
    } else {
        Judgments::default()
    };
    let ledger = if folder.join("join.jsonl").is_file() {
        Ledger::read(&text(case, "join.jsonl")?, &sealed, &bindings)?
    } else {
        Ledger::default()
    };
    let graded = grade(&Inputs {
        sealed: &sealed,
        kinds: KINDS,
        captures: &Captures::default(),
        ledger: &ledger,
        bindings: &bindings,
        attempts: &OnDisk::new(&bindings, folder),
        identity: &identity,
        keys: &keys,
        judgments: &judgments,
    })?;
    let mut out = Grades {
        rows: Vec::new(),
        sums: Vec::new(),
        judged: Vec::new(),
        unread: unread(&graded.rows),
    };
    append(&mut out.sums, &graded.sums, case.number)?;
    for row in &graded.rows {
        add_row(&mut out, row, None, case.number)?;
    }
    Ok(out)
}

/// An attempt whose transcript is not what it was when it was bound: its rows are no grades.
fn unread(rows: &[FrozenRow]) -> Option<(&'static str, Fault)> {
    let attempts = rows.iter().filter_map(|row| match row {
        FrozenRow::Task(task) => Some(&task.attempts),
        FrozenRow::Check(_) => None,
    });
    let causes = attempts
        .flatten()
        .filter_map(|attempt| attempt.cause.as_deref());
    let fault = |cause: &str| match cause {
        "transcript-missing" => Some(Fault::Missing),
        "transcript-changed" => Some(Fault::Changed),
        "unreadable" => Some(Fault::Unreadable),
        _ => None,
    };
    causes
        .filter_map(fault)
        .next()
        .map(|fault| ("transcript", fault))
}

fn text(case: &Case, file: &'static str) -> Result<String, GoldenError> {
    let wrong = |kind| GoldenError::Case {
        case: case.number,
        file,
        line: 0,
        kind,
    };
    let path = case.folder.join(file);
    let meta = std::fs::metadata(&path).map_err(|error| match error.kind() {
        std::io::ErrorKind::NotFound => wrong(Fault::Missing),
        _ => wrong(Fault::Unreadable),
    })?;
    if !meta.is_file() {
        return Err(wrong(Fault::NotRegular));
    }
    if meta.len() > MOST {
        return Err(wrong(Fault::TooLarge));
    }
    std::fs::read_to_string(&path).map_err(|_| wrong(Fault::Unreadable))
}
