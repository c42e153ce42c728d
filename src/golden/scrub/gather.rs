//! The files of a session: its own, and those of the agents that it launched.

use std::path::{Path, PathBuf};

use walkdir::WalkDir;

use super::veil::spelt_out;
use crate::golden::error::{Fault, GoldenError};
use crate::source::{Found, may_be_transcript};
use crate::transcript::glance;

/// The most bytes of a session that a case is made of.
const MOST: usize = 1 << 28;
/// Files beside a session that are looked at for its agents.
const BESIDE: usize = 4096;

/// One file of a session.
#[derive(Debug)]
pub(super) struct Part {
    /// Where it lies.
    pub(super) path: PathBuf,
    /// Its path in the case, before names are replaced.
    pub(super) name: String,
    /// Its text, unpacked, with characters spelt out.
    pub(super) bytes: Vec<u8>,
    /// Whether it is a transcript, rather than a note of the client's about one.
    pub(super) transcript: bool,
}

pub(super) fn wrong(kind: Fault) -> GoldenError {
    GoldenError::Argument {
        argument: "<FROM>",
        kind,
    }
}

/// The session's file first, and then its agents' in the order of their names.
pub(super) fn gather(from: &Path) -> Result<Vec<Part>, GoldenError> {
    let meta = std::fs::metadata(from).map_err(|error| match error.kind() {
        std::io::ErrorKind::NotFound => wrong(Fault::Missing),
        _ => wrong(Fault::Unreadable),
    })?;
    if !meta.is_file() {
        return Err(wrong(Fault::NotRegular));
    }
    let base = from.file_name().ok_or(wrong(Fault::Name))?;
    let mut base = plain(&base.to_string_lossy());
    // A session may be named in any way; in a case it is found by how its name ends.
    if !may_be_transcript(&base) {
        base.push_str(".jsonl");
    }
    let folder = match from.parent() {
        Some(folder) if !folder.as_os_str().is_empty() => folder,
        _ => Path::new("."),
    };
    let mut paths = vec![(from.to_path_buf(), base.clone())];
    let stem = base.split(".jsonl").next().unwrap_or(&base);
    below(&folder.join(stem), stem, &mut paths);
    beside(from, folder, &mut paths);
    let mut left = MOST;
    let mut parts = Vec::new();
    for (path, name) in paths {
        let transcript = !name.ends_with(".meta.json");
        let bytes = unpacked(&path, &mut left)?;
        parts.push(Part {
            path,
            name,
            bytes: spelt_out(&bytes),
            transcript,
        });
    }
    Ok(parts)
}

/// The agents in the folder that is named after the session.
fn below(folder: &Path, lead: &str, paths: &mut Vec<(PathBuf, String)>) {
    let walk = WalkDir::new(folder).max_depth(8).sort_by_file_name();
    for entry in walk.into_iter().filter_map(Result::ok) {
        if !entry.file_type().is_file() || !is_kept(&entry.file_name().to_string_lossy()) {
            continue;
        }
        let Ok(rest) = entry.path().strip_prefix(folder) else {
            continue;
        };
        let parts = rest.components();
        let parts = parts.map(|part| plain(&part.as_os_str().to_string_lossy()));
        let name = std::iter::once(lead.to_owned()).chain(parts);
        let name = name.collect::<Vec<_>>().join("/");
        paths.push((entry.path().to_path_buf(), name));
    }
}

/// Agents whose files lie beside the session's: those that share an id with it.
fn beside(from: &Path, folder: &Path, paths: &mut Vec<(PathBuf, String)>) {
    let own = glance(&found_at(from, ""));
    let Ok(entries) = std::fs::read_dir(folder) else {
        return;
    };
    let mut files: Vec<PathBuf> = entries
        .filter_map(Result::ok)
        .filter(|entry| entry.file_type().is_ok_and(|kind| kind.is_file()))
        .map(|entry| entry.path())
        .filter(|path| path.file_name() != from.file_name())
        .take(BESIDE)
        .collect();
    files.sort();
    for path in files {
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        if !is_kept(&name) || name.ends_with(".meta.json") {
            continue;
        }
        let other = glance(&found_at(&path, ""));
        let shares = other.links.iter().any(|link| own.links.contains(link));
        if other.subagent && !own.subagent && shares {
            paths.push((path.clone(), plain(&name)));
        }
    }
}

fn is_kept(name: &str) -> bool {
    let bare = [".zst", ".gz"]
        .iter()
        .find_map(|end| name.strip_suffix(end));
    let bare = bare.unwrap_or(name);
    bare.ends_with(".jsonl") || bare.ends_with(".meta.json")
}

/// A file as the grader takes it.
pub(super) fn found_at(path: &Path, name: &str) -> Found {
    Found {
        path: path.to_path_buf(),
        name: name.to_owned(),
        named: true,
        expected: true,
        size: 0,
        built_in: None,
    }
}

/// A name without what a terminal or another file system would take amiss, and without its packing:
/// a copy is plain.
fn plain(name: &str) -> String {
    let bare = [".zst", ".gz"]
        .iter()
        .find_map(|end| name.strip_suffix(end));
    let kept = |c: char| match c {
        'a'..='z' | 'A'..='Z' | '0'..='9' | '.' | '_' | '-' | '@' | '+' | '=' | ' ' => c,
        c if c.is_alphanumeric() => c,
        _ => '_',
    };
    bare.unwrap_or(name).chars().map(kept).collect()
}

fn unpacked(path: &Path, left: &mut usize) -> Result<Vec<u8>, GoldenError> {
    let unreadable = |_| wrong(Fault::Unreadable);
    let mut lines = found_at(path, "").open().map_err(unreadable)?;
    let mut bytes = Vec::new();
    while let Some(line) = lines.next_line() {
        if line.bytes.len() >= *left || line.too_long > 0 {
            return Err(wrong(Fault::TooLarge));
        }
        *left -= line.bytes.len() + 1;
        bytes.extend_from_slice(line.bytes);
        if line.terminated {
            bytes.push(b'\n');
        }
    }
    match lines.finish().2 {
        Some(_) => Err(wrong(Fault::Unreadable)),
        None => Ok(bytes),
    }
}
