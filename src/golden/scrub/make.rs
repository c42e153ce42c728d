//! Makes a case: copy, canary, both graded and compared, and only then a folder.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use serde_json::Value;

use super::book::{Book, Edit, Names, apply};
use super::gather::{Part, found_at, gather, wrong};
use super::same::{changed, last_line};
use super::token::What;
use super::watch::{Watched, canary, watch};
use crate::golden::case::{Case, grade_case, grade_files};
use crate::golden::error::{Fault, GoldenError};
use crate::golden::expected::accept;
use crate::pipeline::Policy;
use crate::source::Found;

/// What a case is made of and where it goes.
#[derive(Debug)]
pub struct Wanted<'a> {
    /// The session's file.
    pub from: &'a Path,
    /// The new folder.
    pub case: &'a Path,
    /// The last turn that goes into it, from 1; all of them where none is named.
    pub turn: Option<u32>,
    /// Whole days that times of day are moved by.
    pub days: i32,
    /// Names of where the program runs.
    pub names: &'a Names,
}

/// What was made.
#[derive(Debug)]
pub struct Made {
    /// How many files the case has, without what is expected of it.
    pub files: usize,
    /// How many rows were compared.
    pub rows: usize,
    /// By kind: how many different ones, and at how many places.
    pub replaced: BTreeMap<What, (usize, usize)>,
    /// How many values of the original the copy was searched for.
    pub searched: usize,
}

/// One file of the copy.
struct Copied {
    name: String,
    bytes: Vec<u8>,
    spans: Vec<(usize, usize)>,
    transcript: bool,
}

/// Makes a case from a session. Nothing is left where it is refused.
///
/// # Errors
/// A session or a place that cannot be used, something of the original in the copy, or a verdict that
/// is another one in the copy.
pub fn make(wanted: &Wanted<'_>, policy: &Policy) -> Result<Made, GoldenError> {
    let name = case_name(wanted.case)?;
    let mut parts = gather(wanted.from)?;
    let originals: Vec<Found> = parts
        .iter()
        .filter(|part| part.transcript)
        .map(|part| found_at(&part.path, &format!("{name}/{}", part.name)))
        .collect();
    let before = values(&grade_files(&originals, policy, 1)?.rows);
    let judged = |row: &Value| row["kind"] == "turn";
    if !before.iter().any(judged) {
        return Err(wrong(Fault::NoSession));
    }
    if let Some(turn) = wanted.turn {
        let own = format!("{name}/{}", parts[0].name);
        let last = last_line(&before, &own, turn).ok_or(wrong(Fault::NoTurn))?;
        cut(&mut parts[0].bytes, last);
    }
    let texts: Vec<&[u8]> = parts
        .iter()
        .flat_map(|part| [part.name.as_bytes(), part.bytes.as_slice()])
        .collect();
    let book = Book::learn(&texts, wanted.names);
    if !book.works() {
        return Err(wrong(Fault::TooLarge));
    }
    let mut counts = BTreeMap::new();
    let copies = copies(&book, &parts, wanted.days, &mut counts)?;
    let canary = canary(&book);
    let watched: Vec<Watched<'_>> = copies
        .iter()
        .map(|copy| Watched {
            bytes: &copy.bytes,
            spans: &copy.spans,
        })
        .collect();
    watch(&canary, &watched)?;
    let partial = Partial::write(wanted.case, &name, &copies)?;
    let rows = compare(
        &book,
        &before,
        &copies,
        &partial,
        &name,
        wanted.turn,
        policy,
    )?;
    partial.publish(wanted.case, rows, policy)?;
    let distinct = |(what, places): (What, usize)| {
        let distinct = match book.distinct(what) {
            0 => places,
            count => count,
        };
        (what, (distinct, places))
    };
    Ok(Made {
        files: copies.len(),
        rows,
        replaced: counts.into_iter().map(distinct).collect(),
        searched: canary.values(),
    })
}

/// Grades the copy and holds it against the original.
fn compare(
    book: &Book,
    before: &[Value],
    copies: &[Copied],
    partial: &Partial,
    name: &str,
    turn: Option<u32>,
    policy: &Policy,
) -> Result<usize, GoldenError> {
    let files: Vec<Found> = copies
        .iter()
        .filter(|copy| copy.transcript)
        .map(|copy| {
            found_at(
                &partial.folder.join(&copy.name),
                &format!("{name}/{}", copy.name),
            )
        })
        .collect();
    let after = values(&grade_files(&files, policy, 1)?.rows);
    match changed(book, before, &after, turn) {
        Some((rule, turn)) => Err(GoldenError::Verdict { rule, turn }),
        None => Ok(after.len()),
    }
}

fn values(rows: &[u8]) -> Vec<Value> {
    crate::golden::rows_of(rows).unwrap_or_default()
}

/// The case's own name: one that reads the same in rows, in a shell and on every file system.
fn case_name(case: &Path) -> Result<String, GoldenError> {
    let wrong = |kind| GoldenError::Argument {
        argument: "--case",
        kind,
    };
    let name = case.file_name().and_then(|name| name.to_str());
    let of_name = |c: char| c.is_ascii_alphanumeric() || matches!(c, '.' | '_' | '-');
    let name = name
        .filter(|name| name.chars().all(of_name) && !name.starts_with('.') && name.len() <= 100)
        .ok_or(wrong(Fault::Name))?;
    match std::fs::symlink_metadata(case) {
        Ok(_) => Err(wrong(Fault::Exists)),
        Err(_) => Ok(name.to_owned()),
    }
}

/// Cuts a text after a line.
fn cut(bytes: &mut Vec<u8>, line: u64) {
    let count = usize::try_from(line)
        .unwrap_or(usize::MAX)
        .saturating_sub(1);
    if let Some(end) = memchr::memchr_iter(b'\n', bytes).nth(count) {
        bytes.truncate(end + 1);
    }
}

fn copies(
    book: &Book,
    parts: &[Part],
    days: i32,
    counts: &mut BTreeMap<What, usize>,
) -> Result<Vec<Copied>, GoldenError> {
    let mut out: Vec<Copied> = Vec::new();
    for part in parts {
        let mut edits = book.edits(&part.bytes);
        super::day::move_days(&part.bytes, days, &mut edits);
        count(&edits, counts);
        let (bytes, spans) = apply(&part.bytes, &edits);
        let name = super::day::moved(&book.rewritten(&part.name), days);
        if out.iter().any(|copy| copy.name == name) {
            return Err(wrong(Fault::Name));
        }
        out.push(Copied {
            name,
            bytes,
            spans,
            transcript: part.transcript,
        });
    }
    Ok(out)
}

fn count(edits: &[Edit], counts: &mut BTreeMap<What, usize>) {
    for edit in edits.iter().filter(|edit| edit.what != What::Left) {
        *counts.entry(edit.what).or_insert(0) += 1;
    }
}

/// A case that is being made, under another name beside its own. It is removed unless published.
struct Partial {
    folder: PathBuf,
    published: bool,
}

impl Partial {
    fn write(case: &Path, name: &str, copies: &[Copied]) -> Result<Self, GoldenError> {
        let unwritable = |_| GoldenError::Argument {
            argument: "--case",
            kind: Fault::Unwritable,
        };
        let parent = case.parent().unwrap_or(Path::new(""));
        if !parent.as_os_str().is_empty() {
            std::fs::create_dir_all(parent).map_err(unwritable)?;
        }
        // A killed run may have left its own behind; it is in nobody's way.
        let free = |number: &u32| {
            let folder = parent.join(format!(".{name}.{number}.partial"));
            std::fs::create_dir(&folder).map(|()| folder)
        };
        let mut tried = (1..100).map(|number| free(&number));
        let folder = tried.find(
            |made| !matches!(made, Err(error) if error.kind() == std::io::ErrorKind::AlreadyExists),
        );
        let folder = folder.ok_or_else(|| unwritable(std::io::ErrorKind::AlreadyExists.into()))?;
        let partial = Self {
            folder: folder.map_err(unwritable)?,
            published: false,
        };
        for copy in copies {
            let path = partial.folder.join(&copy.name);
            if let Some(parent) = path.parent() {
                std::fs::create_dir_all(parent).map_err(unwritable)?;
            }
            let mut file = std::fs::File::create_new(&path).map_err(unwritable)?;
            std::io::Write::write_all(&mut file, &copy.bytes).map_err(unwritable)?;
        }
        Ok(partial)
    }

    /// Gives the case its name, never replacing anything, and writes what is expected of it: as many rows as were
    /// held against the original.
    fn publish(mut self, case: &Path, rows: usize, policy: &Policy) -> Result<(), GoldenError> {
        let wrong = |kind| GoldenError::Argument {
            argument: "--case",
            kind,
        };
        if std::fs::symlink_metadata(case).is_ok() {
            return Err(wrong(Fault::Exists));
        }
        std::fs::rename(&self.folder, case).map_err(|_| wrong(Fault::Unwritable))?;
        // From here on the folder to take back is the case's own.
        case.clone_into(&mut self.folder);
        let name = case.file_name().unwrap_or_default().to_string_lossy();
        let whole = Case {
            name: name.into_owned(),
            folder: case.to_path_buf(),
            number: 1,
        };
        let grades = grade_case(&whole, policy)?;
        if grades.judged.len() != rows {
            return Err(wrong(Fault::Name));
        }
        accept(&whole, &grades)?;
        self.published = true;
        Ok(())
    }
}

impl Drop for Partial {
    fn drop(&mut self) {
        if !self.published {
            // Best effort: what is left is a copy that nobody was told of.
            let _ = std::fs::remove_dir_all(&self.folder);
        }
    }
}
