//! Which files a run reads, under which names, in which order.

use std::collections::BTreeMap;
use std::ffi::OsStr;
use std::io::{ErrorKind, Read as _};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use walkdir::WalkDir;

use super::lines::{LineReader, ReadFault};

/// What a walk takes for a possible transcript. Whether it is one is told by its records alone.
const CANDIDATES: [&str; 4] = [".jsonl", ".ndjson", ".json", ".log"];
const PACKINGS: [&str; 2] = [".zst", ".gz"];
/// How the context of a private directory begins, and how much of it is looked at.
const CONTEXT: &[u8] = b"{\"schema\":\"deedcheck/";
const HEAD: u64 = 64;

/// A refusal of this stage: a path named on the command line that cannot be used.
#[derive(Debug, thiserror::Error, PartialEq, Eq)]
pub enum SourceError {
    /// A named path is not there or may not be looked at.
    #[error("E_INPUT argument={argument} kind=missing")]
    Missing {
        /// Which of the named paths, from 1.
        argument: usize,
    },
    /// A named path is a FIFO, socket or device.
    #[error("E_INPUT argument={argument} kind=not-regular")]
    NotRegular {
        /// Which of the named paths, from 1.
        argument: usize,
    },
    /// A named path is there and may not be read.
    #[error("E_INPUT argument={argument} kind=unreadable")]
    Unreadable {
        /// Which of the named paths, from 1.
        argument: usize,
    },
}

/// One file to read.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Found {
    /// Where it lies.
    pub path: PathBuf,
    /// Its name in rows: relative to the argument that it was found under, `/`-separated, led by
    /// that argument's own last component.
    pub name: String,
    /// Whether the command line named it, rather than a walk finding it.
    pub named: bool,
    /// Whether its ending says that it holds JSON lines; a file without one that is no transcript
    /// is passed over rather than `dark`.
    pub expected: bool,
    /// Its size in bytes when it was found; for scheduling only.
    pub size: u64,
    /// Its bytes, where it is built into the program or made by it rather than lying on a disk.
    pub built_in: Option<Arc<[u8]>>,
}

impl Found {
    /// Opens it.
    ///
    /// # Errors
    /// Those of [`LineReader::open`].
    pub fn open(&self) -> Result<LineReader, ReadFault> {
        match &self.built_in {
            Some(bytes) => LineReader::of_bytes(Arc::clone(bytes)),
            None => LineReader::open(&self.path),
        }
    }
}

/// The files of a run and what was passed over.
#[derive(Debug, Default)]
pub struct Discovery {
    /// Files in order of their names in rows.
    pub files: Vec<Found>,
    /// Links, and files whose ending is no transcript's: counted, not read.
    pub passed_over: u64,
}

/// Finds the files under the named paths.
///
/// # Errors
/// A named path that is missing, unreadable or no regular file or folder: a refusal. What a walk
/// finds and cannot use never is one: it becomes a file that cannot be read.
pub fn discover(arguments: &[PathBuf]) -> Result<Discovery, SourceError> {
    let mut found = Discovery::default();
    let mut leads = BTreeMap::new();
    // Numbers that make names unique follow the paths, not the order on the command line.
    let mut ordered: Vec<_> = arguments.iter().enumerate().collect();
    ordered.sort_by(|a, b| a.1.cmp(b.1));
    ordered.dedup_by(|a, b| a.1 == b.1);
    for (index, argument) in ordered {
        let lead = unique_lead(argument, &mut leads);
        let position = index + 1;
        let meta = std::fs::metadata(argument).map_err(|error| match error.kind() {
            ErrorKind::NotFound | ErrorKind::NotADirectory => {
                SourceError::Missing { argument: position }
            }
            _ => SourceError::Unreadable { argument: position },
        })?;
        if meta.is_dir() {
            std::fs::read_dir(argument)
                .map_err(|_| SourceError::Unreadable { argument: position })?;
            walk(argument, &lead, &mut found);
        } else if meta.is_file() {
            std::fs::File::open(argument)
                .map_err(|_| SourceError::Unreadable { argument: position })?;
            found.files.push(Found {
                path: argument.clone(),
                name: lead,
                named: true,
                expected: true,
                size: meta.len(),
                built_in: None,
            });
        } else {
            return Err(SourceError::NotRegular { argument: position });
        }
    }
    found
        .files
        .sort_by(|a, b| a.name.as_bytes().cmp(b.name.as_bytes()));
    Ok(found)
}

fn walk(root: &Path, lead: &str, found: &mut Discovery) {
    let mut entries = WalkDir::new(root).follow_links(false).into_iter();
    while let Some(entry) = entries.next() {
        let entry = match entry {
            Ok(entry) => entry,
            Err(error) => {
                let at = error.path().unwrap_or(root);
                found.files.push(unreachable(root, lead, at));
                continue;
            }
        };
        if entry.file_type().is_dir() {
            if is_private(entry.path()) {
                let inside = std::fs::read_dir(entry.path());
                found.passed_over += inside.map_or(0, |inside| inside.count() as u64);
                entries.skip_current_dir();
            }
            continue;
        }
        // What a link leads to is read where it lies, if it lies under a named path at all.
        if entry.file_type().is_symlink() {
            found.passed_over += 1;
            continue;
        }
        let file_name = entry.file_name().to_string_lossy();
        if !may_be_transcript(&file_name) {
            found.passed_over += 1;
            continue;
        }
        let bare = bare(&file_name);
        found.files.push(Found {
            path: entry.path().to_path_buf(),
            name: name_under(root, lead, entry.path()),
            named: false,
            expected: bare.ends_with(".jsonl") || bare.ends_with(".ndjson"),
            size: entry.metadata().map_or(0, |meta| meta.len()),
            built_in: None,
        });
    }
}

/// Whether a walk takes a file of this name for a possible transcript.
#[must_use]
pub fn may_be_transcript(name: &str) -> bool {
    let bare = bare(name);
    CANDIDATES.iter().any(|ending| bare.ends_with(ending)) && !bare.ends_with(".meta.json")
}

/// A name in small letters, without its packing.
fn bare(name: &str) -> String {
    let mut bare = name.to_ascii_lowercase();
    if let Some(packing) = PACKINGS.iter().find(|packing| bare.ends_with(**packing)) {
        bare.truncate(bare.len() - packing.len());
    }
    bare
}

/// Whether a folder is the private directory of a run: what lies in it tells of transcripts and is none.
fn is_private(folder: &Path) -> bool {
    let context = folder.join("context.json");
    let regular = std::fs::symlink_metadata(&context).is_ok_and(|meta| meta.is_file());
    let mut head = Vec::new();
    let read = std::fs::File::open(context)
        .ok()
        .filter(|_| regular)
        .and_then(|file| file.take(HEAD).read_to_end(&mut head).ok());
    read.is_some() && head.starts_with(CONTEXT)
}

/// A folder that cannot be entered, or a file that was gone when it was looked at: something that
/// is there to be judged and cannot be.
fn unreachable(root: &Path, lead: &str, at: &Path) -> Found {
    Found {
        // No file has a NUL in its name, so that opening this fails whatever stands there later.
        path: at.join("\0"),
        name: name_under(root, lead, at),
        named: false,
        expected: true,
        size: 0,
        built_in: None,
    }
}

fn name_under(root: &Path, lead: &str, path: &Path) -> String {
    let mut name = lead.to_owned();
    if let Ok(rest) = path.strip_prefix(root) {
        for part in rest.components() {
            name.push('/');
            name.push_str(&spell(part.as_os_str()));
        }
    }
    name
}

/// A name as rows spell it. Bytes that are no UTF-8 are written `%XX`, and so is a percent sign
/// that would read as one of those, so that two names never become one.
fn spell(part: &OsStr) -> String {
    let mut out = String::new();
    for chunk in part.as_encoded_bytes().utf8_chunks() {
        let valid = chunk.valid();
        for (at, c) in valid.char_indices() {
            if c == '%' && is_escape(valid.as_bytes().get(at + 1..at + 3)) {
                out.push_str("%25");
            } else {
                out.push(c);
            }
        }
        for byte in chunk.invalid() {
            out.push_str(&format!("%{byte:02X}"));
        }
    }
    out
}

fn is_escape(after: Option<&[u8]>) -> bool {
    after.is_some_and(|digits| {
        digits
            .iter()
            .all(|digit| matches!(digit, b'0'..=b'9' | b'A'..=b'F'))
    })
}

/// The last component of an argument, made unique among the arguments by a number.
fn unique_lead(argument: &Path, leads: &mut BTreeMap<String, usize>) -> String {
    let own = argument.file_name().map(spell).or_else(|| {
        let real = std::fs::canonicalize(argument).ok()?;
        real.file_name().map(spell)
    });
    let own = own.unwrap_or_else(|| "root".to_owned());
    let mut lead = own.clone();
    // Counting goes on from the last number: a list may hold a file of one name very often.
    let mut count = leads.get(&own).copied().unwrap_or(0);
    loop {
        count += 1;
        if count > 1 {
            lead = format!("{own}~{count}");
        }
        if !leads.contains_key(&lead) {
            break;
        }
    }
    leads.insert(own, count);
    leads.entry(lead.clone()).or_insert(1);
    lead
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_led_by_the_arguments_own_last_component() {
        let dir = tempfile::tempdir().unwrap();
        let one = dir.path().join("one/logs");
        let two = dir.path().join("two/logs");
        for (root, file) in [(&one, ".hidden/-odd.jsonl"), (&two, "b.jsonl.zst")] {
            let path = root.join(file);
            std::fs::create_dir_all(path.parent().unwrap()).unwrap();
            std::fs::write(path, "{}\n").unwrap();
        }
        std::fs::write(two.join("notes.txt"), "x").unwrap();
        let found = discover(&[one, two]).unwrap();
        let names: Vec<_> = found.files.iter().map(|file| file.name.as_str()).collect();
        assert_eq!(names, ["logs/.hidden/-odd.jsonl", "logs~2/b.jsonl.zst"]);
        assert_eq!(found.passed_over, 1);
    }

    #[test]
    fn a_private_directory_is_passed_over_as_a_whole() {
        let dir = tempfile::tempdir().unwrap();
        let write = |name: &str, text: &str| {
            let path = dir.path().join(name);
            std::fs::create_dir_all(path.parent().unwrap()).unwrap();
            std::fs::write(path, text).unwrap();
        };
        write("a.jsonl", "{}\n");
        write("run/context.json", "{\"schema\":\"deedcheck/context/1\"}\n");
        write("run/awaited.jsonl", "");
        write("other/context.json", "{\"schema\":\"another/1\"}\n");
        write("other/b.jsonl", "{}\n");
        let found = discover(&[dir.path().to_owned()]).unwrap();
        let names = found
            .files
            .iter()
            .map(|file| file.path.file_name().unwrap());
        let names: Vec<_> = names.collect();
        assert_eq!(names, ["a.jsonl", "b.jsonl", "context.json"]);
        assert_eq!(found.passed_over, 2);
    }

    #[test]
    fn a_missing_argument_is_refused_by_its_position() {
        let error = discover(&[PathBuf::from("/nonexistent/x")]).unwrap_err();
        assert_eq!(error.to_string(), "E_INPUT argument=1 kind=missing");
    }

    #[test]
    fn no_two_names_become_one() {
        use std::os::unix::ffi::OsStrExt as _;
        let names: [&[u8]; 6] = [b"a\xff", b"a%FF", b"a%25FF", b"a%", b"a%\xff", b"a%zz"];
        let spelt = names.map(|name| spell(OsStr::from_bytes(name)));
        assert_eq!(spelt, ["a%FF", "a%25FF", "a%2525FF", "a%", "a%%FF", "a%zz"]);
        let mut leads = BTreeMap::new();
        let led =
            ["x/logs", "y/logs", "z/logs~2"].map(|path| unique_lead(Path::new(path), &mut leads));
        assert_eq!(led, ["logs", "logs~2", "logs~2~2"]);
    }

    #[test]
    fn what_a_walk_cannot_enter_is_a_file_that_cannot_be_read() {
        let root = Path::new("root");
        let found = unreachable(root, "root", &root.join("locked"));
        assert_eq!((found.name.as_str(), found.expected), ("root/locked", true));
        assert_eq!(found.open().err(), Some(ReadFault::Unreadable));
        let here = tempfile::tempdir().unwrap();
        let there = unreachable(here.path(), "root", here.path());
        assert_eq!(there.open().err(), Some(ReadFault::Unreadable));
    }
}
