//! Which files a run reads: those that are named, or the user's own.

use std::collections::BTreeSet;
use std::ffi::OsStr;
use std::io::Read;
use std::path::{Component, Path, PathBuf};

use super::args::Grade;
use super::{RunError, Surroundings};
use crate::private::Kind;
use crate::source::{Discovery, discover};

/// The most that is read of a file which is read whole, in bytes.
const WHOLE: u64 = 1 << 30;

/// The files to read.
///
/// # Errors
/// A named path that cannot be used.
pub(super) fn sources(
    args: &Grade,
    around: &Surroundings,
    input: &mut dyn Read,
) -> Result<Discovery, RunError> {
    if args.paths.is_empty() {
        return own(args, around);
    }
    let mut paths = Vec::new();
    for path in &args.paths {
        if path == Path::new("-") {
            let mut bytes = Vec::new();
            input
                .read_to_end(&mut bytes)
                .map_err(|_| RunError::Argument {
                    field: "-",
                    kind: "unreadable",
                })?;
            paths.extend(listed(&bytes));
        } else {
            paths.push(path.clone());
        }
    }
    Ok(discover(&paths)?)
}

/// Where each named path lies, as it is written and as it is without links: private values both.
pub(super) fn roots(args: &Grade, around: &Surroundings) -> Vec<(Kind, String)> {
    let mut roots = BTreeSet::new();
    let named = args.paths.iter().filter(|path| *path != Path::new("-"));
    for path in named {
        let Some(cwd) = around.cwd.as_deref() else {
            continue;
        };
        let mut written = PathBuf::new();
        for part in Path::new(cwd).join(path).components() {
            match part {
                Component::CurDir => {}
                Component::ParentDir => {
                    written.pop();
                }
                part => written.push(part),
            }
        }
        roots.extend(std::fs::canonicalize(&written));
        roots.insert(written);
    }
    let value = |path: PathBuf| (Kind::Root, path.to_string_lossy().into_owned());
    roots.into_iter().map(value).collect()
}

/// Where the clients keep their files.
pub(super) fn clients(around: &Surroundings) -> impl Iterator<Item = PathBuf> {
    own_folders(around).into_iter().flatten()
}

fn own_folders(around: &Surroundings) -> [Option<PathBuf>; 2] {
    let under_home = |name: &str| around.home.as_ref().map(|home| home.join(name));
    let claude = around.claude_dir.clone().or_else(|| under_home(".claude"));
    let codex = around.codex_dir.clone().or_else(|| under_home(".codex"));
    [claude, codex]
}

/// The user's own sessions: of this working directory, or all.
fn own(args: &Grade, around: &Surroundings) -> Result<Discovery, RunError> {
    let [claude, codex] = own_folders(around);
    let claude = claude.map(|dir| vec![dir.join("projects")]);
    let codex = codex.map(|dir| vec![dir.join("sessions"), dir.join("archived_sessions")]);
    let roots: Vec<PathBuf> = [claude, codex]
        .into_iter()
        .flatten()
        .flatten()
        .filter(|dir| dir.is_dir())
        .collect();
    let mut found = discover(&roots)?;
    if !args.all {
        // Sessions of other directories are none of this question's business, and neither are
        // files that do not tell theirs.
        found.passed_over = 0;
        let here = around.cwd.as_deref().map(Path::new);
        found.files.retain(|file| {
            let cwd = crate::transcript::glance(file).cwd;
            cwd.is_some() && cwd.as_deref().map(Path::new) == here
        });
    }
    Ok(found)
}

/// Paths on standard input: ended by NUL where there is any, as `find -print0` writes them, and
/// otherwise one a line.
fn listed(bytes: &[u8]) -> Vec<PathBuf> {
    let end = if bytes.contains(&0) { 0 } else { b'\n' };
    bytes
        .split(|byte| *byte == end)
        .map(|path| match end {
            0 => path,
            _ => path.strip_suffix(b"\r").unwrap_or(path),
        })
        .filter(|path| !path.is_empty())
        .map(path_of)
        .collect()
}

/// A path in its raw bytes.
#[cfg(unix)]
pub(super) fn path_of(bytes: &[u8]) -> PathBuf {
    use std::os::unix::ffi::OsStrExt as _;
    PathBuf::from(OsStr::from_bytes(bytes))
}

/// A path in its raw bytes; there is no such thing here, so text it is.
#[cfg(not(unix))]
pub(super) fn path_of(bytes: &[u8]) -> PathBuf {
    PathBuf::from(OsStr::new(String::from_utf8_lossy(bytes).as_ref()))
}

/// A small file of the user's as text. A FIFO is not waited for.
///
/// # Errors
/// `E_ARGUMENT` under `field`: missing, no regular file, unreadable, too large, no UTF-8.
pub(super) fn text_of(path: &Path, field: &'static str) -> Result<String, RunError> {
    let wrong = |kind| RunError::Argument { field, kind };
    let meta = std::fs::metadata(path).map_err(|error| match error.kind() {
        std::io::ErrorKind::NotFound => wrong("missing"),
        _ => wrong("unreadable"),
    })?;
    if !meta.is_file() {
        return Err(wrong("not-regular"));
    }
    if meta.len() > WHOLE {
        return Err(wrong("too-large"));
    }
    let bytes = std::fs::read(path).map_err(|_| wrong("unreadable"))?;
    String::from_utf8(bytes).map_err(|_| wrong("not-utf-8"))
}

/// The same for a file that a person writes: a byte order mark before its first line is none of its text.
///
/// # Errors
/// As for [`text_of`].
pub(super) fn written_of(path: &Path, field: &'static str) -> Result<String, RunError> {
    let mut text = text_of(path, field)?;
    if text.starts_with('\u{feff}') {
        text.drain(..'\u{feff}'.len_utf8());
    }
    Ok(text)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_on_standard_input_end_at_line_breaks_or_at_nul() {
        let named = |bytes: &[u8]| {
            listed(bytes)
                .iter()
                .map(|path| path.display().to_string())
                .collect::<Vec<_>>()
        };
        assert_eq!(named(b"a b\r\n\n-c\nd"), ["a b", "-c", "d"]);
        assert_eq!(named(b"a\nb\0c\r\0"), ["a\nb", "c\r"]);
        assert!(named(b"\n\r\n").is_empty());
    }
}
