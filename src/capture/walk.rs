//! Reads a tree as it stands, and copies it: nothing is followed out of it, nothing is waited for,
//! and what was compiled or cached before stays behind.

use std::collections::BTreeMap;
use std::ffi::{OsStr, OsString};
use std::fs::File;
use std::io::{ErrorKind, Read as _, Write as _};
use std::os::fd::{AsFd, OwnedFd};
use std::os::unix::ffi::{OsStrExt as _, OsStringExt as _};
use std::os::unix::fs::{OpenOptionsExt as _, symlink};
use std::path::{Path, PathBuf};

use rustix::fs::{AtFlags, Dir, FileType, Mode, OFlags};
use sha2::{Digest as _, Sha256};

use super::error::CaptureError;
use crate::spec::sha256;

/// The deepest folder that is looked into.
const DEEPEST: usize = 200;
/// The longest path of a folder that is looked into, in bytes: the system takes a path of 4096, and
/// that of a copy is longer than the tree's own.
const LONGEST: usize = 3000;
/// The most entries of a tree.
const ENTRIES: usize = 1 << 20;
/// The most bytes of a tree.
const BYTES: u64 = 16 << 30;
/// What the file of this name in a folder of caches begins with.
const CACHE: (&str, &[u8]) = (
    "CACHEDIR.TAG",
    b"Signature: 8a477f597d28d172789f06886806bc55",
);

/// One entry of a tree.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Entry {
    /// A regular file: its digest, and whether it may be run.
    File(String, bool),
    /// A link and where it leads.
    Link(Vec<u8>),
    /// A folder of caches, or a file of compiled code: neither copied nor part of the tree's state.
    Cache,
    /// What is neither copied nor read: `fifo`, `socket`, `device`, `unreadable`, `deep`.
    Odd(&'static str),
}

/// A tree as it was read.
#[derive(Debug, Default)]
pub(super) struct Tree {
    /// Each entry that is no folder by its path; that of a folder of caches ends with `/`.
    pub(super) entries: BTreeMap<Vec<u8>, Entry>,
    /// Repositories within, which are not looked into.
    pub(super) repositories: u64,
    bytes: u64,
}

impl Tree {
    /// The tree's files and links in one digest.
    pub(super) fn digest(&self) -> String {
        let mut hasher = Sha256::new();
        let mut put = |bytes: &[u8]| {
            hasher.update(u64::try_from(bytes.len()).unwrap_or(u64::MAX).to_be_bytes());
            hasher.update(bytes);
        };
        for (path, entry) in &self.entries {
            let (kind, told): (&[u8], &[u8]) = match entry {
                Entry::File(digest, true) => (b"run", digest.as_bytes()),
                Entry::File(digest, false) => (b"file", digest.as_bytes()),
                Entry::Link(target) => (b"link", target),
                Entry::Odd(kind) => (b"odd", kind.as_bytes()),
                Entry::Cache => continue,
            };
            put(path);
            put(kind);
            put(told);
        }
        hex(&hasher.finalize())
    }

    /// How many entries are of a kind.
    pub(super) fn odd(&self) -> BTreeMap<&'static str, u64> {
        let mut counts = BTreeMap::new();
        for entry in self.entries.values() {
            match entry {
                Entry::Odd(kind) => *counts.entry(*kind).or_insert(0) += 1,
                Entry::Cache => *counts.entry("cache").or_insert(0) += 1,
                Entry::File(..) | Entry::Link(_) => {}
            }
        }
        if self.repositories > 0 {
            counts.insert("repository", self.repositories);
        }
        counts
    }
}

pub(super) fn hex(bytes: &[u8]) -> String {
    use std::fmt::Write as _;
    let mut out = String::with_capacity(bytes.len() * 2);
    for byte in bytes {
        // Writing to a String cannot fail.
        let _ = write!(out, "{byte:02x}");
    }
    out
}

/// What is done on the way.
#[derive(Clone, Copy)]
pub(super) struct Way<'a> {
    /// Where the copy goes: a folder that is there, to which nobody else has a key.
    pub(super) to: Option<&'a Path>,
    /// Whether caches and inner repositories stay behind.
    pub(super) fresh: bool,
    /// The tree's real folder: what links into it leads into the copy instead.
    pub(super) home: &'a Path,
}

/// Reads a tree, and copies it where a copy is asked for.
///
/// # Errors
/// `E_CAPTURE field=tree` for a folder that is none, or too large; `field=workspace` where the copy
/// cannot be written.
pub(super) fn walk(from: &Path, way: Way<'_>) -> Result<Tree, CaptureError> {
    let wrong = |_| CaptureError::new("tree", "unreadable");
    let flags = OFlags::RDONLY | OFlags::DIRECTORY | OFlags::NOFOLLOW | OFlags::CLOEXEC;
    let fd = rustix::fs::open(from, flags, Mode::empty()).map_err(wrong)?;
    let mut tree = Tree::default();
    folder(&fd, &mut PathBuf::new(), 0, way, &mut tree)?;
    Ok(tree)
}

fn folder(
    fd: &OwnedFd,
    path: &mut PathBuf,
    depth: usize,
    way: Way<'_>,
    tree: &mut Tree,
) -> Result<(), CaptureError> {
    for name in names(fd).ok_or(CaptureError::new("tree", "unreadable"))? {
        path.push(&name);
        let seen = rustix::fs::statat(fd, &name, AtFlags::SYMLINK_NOFOLLOW);
        // What went away meanwhile is not there; the tree's digests tell.
        if let Ok(seen) = seen {
            let kind = FileType::from_raw_mode(seen.st_mode);
            if way.fresh && name.eq_ignore_ascii_case(".git") {
                tree.repositories += u64::from(depth > 0);
            } else {
                entry(fd, &name, kind, path, depth, way, tree)?;
            }
        }
        path.pop();
        if tree.entries.len() > ENTRIES || tree.bytes > BYTES {
            return Err(CaptureError::new("tree", "too-large"));
        }
    }
    Ok(())
}

fn names(fd: &OwnedFd) -> Option<Vec<OsString>> {
    let mut names: Vec<OsString> = Vec::new();
    for entry in Dir::read_from(fd).ok()? {
        let name = entry.ok()?.file_name().to_bytes().to_vec();
        if name != b"." && name != b".." {
            names.push(OsString::from_vec(name));
        }
    }
    names.sort();
    Some(names)
}

fn entry(
    fd: &OwnedFd,
    name: &OsStr,
    kind: FileType,
    path: &mut PathBuf,
    depth: usize,
    way: Way<'_>,
    tree: &mut Tree,
) -> Result<(), CaptureError> {
    let own = path.as_os_str().as_bytes().to_vec();
    let read = match kind {
        FileType::Directory => return inner(fd, name, path, depth, way, tree),
        FileType::RegularFile if way.fresh && is_compiled(name) => Entry::Cache,
        FileType::RegularFile => file(fd, name, path, way, &mut tree.bytes)?,
        FileType::Symlink => link(fd, name, path, way)?,
        FileType::Fifo => Entry::Odd("fifo"),
        FileType::Socket => Entry::Odd("socket"),
        _ => Entry::Odd("device"),
    };
    tree.entries.insert(own, read);
    Ok(())
}

fn inner(
    fd: &OwnedFd,
    name: &OsStr,
    path: &mut PathBuf,
    depth: usize,
    way: Way<'_>,
    tree: &mut Tree,
) -> Result<(), CaptureError> {
    let mut own = path.as_os_str().as_bytes().to_vec();
    own.push(b'/');
    let flags = OFlags::RDONLY | OFlags::DIRECTORY | OFlags::NOFOLLOW | OFlags::CLOEXEC;
    let opened = rustix::fs::openat(fd, name, flags, Mode::empty());
    let odd = match &opened {
        Err(_) => Some(Entry::Odd("unreadable")),
        Ok(_) if depth >= DEEPEST || own.len() > LONGEST => Some(Entry::Odd("deep")),
        Ok(below) if way.fresh && (name == "__pycache__" || is_tagged(below)) => Some(Entry::Cache),
        Ok(_) => None,
    };
    if let Some(odd) = odd {
        tree.entries.insert(own, odd);
        return Ok(());
    }
    if let Some(to) = way.to {
        let made = std::fs::create_dir(to.join(&path));
        if made.is_err_and(|error| error.kind() != ErrorKind::AlreadyExists) {
            tree.entries.insert(own, Entry::Odd("unreadable"));
            return Ok(());
        }
    }
    match opened {
        Ok(below) => folder(&below, path, depth + 1, way, tree),
        Err(_) => Ok(()),
    }
}

fn is_compiled(name: &OsStr) -> bool {
    let name = name.as_bytes();
    name.ends_with(b".pyc") || name.ends_with(b".pyo")
}

/// Whether a folder says of itself that it holds caches only, as <https://bford.info/cachedir/>
/// asks it to.
fn is_tagged(fd: &OwnedFd) -> bool {
    let mut head = vec![0; CACHE.1.len()];
    open(fd, OsStr::new(CACHE.0))
        .and_then(|mut file| file.read_exact(&mut head).ok())
        .is_some_and(|()| head == CACHE.1)
}

/// Opens a regular file. Neither is a link followed nor a FIFO waited for.
pub(super) fn open(at: impl AsFd, name: &OsStr) -> Option<File> {
    let flags = OFlags::RDONLY | OFlags::NOFOLLOW | OFlags::NONBLOCK | OFlags::CLOEXEC;
    let fd = rustix::fs::openat(at, name, flags, Mode::empty()).ok()?;
    let seen = rustix::fs::fstat(&fd).ok()?;
    (FileType::from_raw_mode(seen.st_mode) == FileType::RegularFile).then(|| File::from(fd))
}

/// The bytes of a regular file of at most so many bytes.
pub(super) fn bytes_of(path: &Path, most: u64) -> Option<Vec<u8>> {
    let file = open(rustix::fs::CWD, path.as_os_str())?;
    let mut bytes = Vec::new();
    file.take(most + 1).read_to_end(&mut bytes).ok()?;
    (u64::try_from(bytes.len()).ok()? <= most).then_some(bytes)
}

fn file(
    fd: &OwnedFd,
    name: &OsStr,
    path: &Path,
    way: Way<'_>,
    total: &mut u64,
) -> Result<Entry, CaptureError> {
    let Some(mut file) = open(fd, name) else {
        return Ok(Entry::Odd("unreadable"));
    };
    let seen = rustix::fs::fstat(&file);
    let mode = seen.map_or(0o600, |seen| seen.st_mode & 0o777);
    // One that is mostly holes is told by its length before it is read for hours.
    if seen.is_ok_and(|seen| u64::try_from(seen.st_size).is_ok_and(|size| size > BYTES)) {
        return Err(CaptureError::new("tree", "too-large"));
    }
    let mut to = match way.to {
        Some(to) => {
            let new = File::options()
                .write(true)
                .create_new(true)
                .mode(0o600 | mode)
                .open(to.join(path));
            Some(new.map_err(|_| CaptureError::workspace())?)
        }
        None => None,
    };
    let mut hasher = Sha256::new();
    let mut buffer = vec![0; 1 << 16];
    loop {
        let Ok(read) = file.read(&mut buffer) else {
            return Ok(Entry::Odd("unreadable"));
        };
        if read == 0 {
            break;
        }
        *total += u64::try_from(read).unwrap_or(u64::MAX);
        // A file that grows as fast as it is read must end somewhere.
        if *total > BYTES {
            return Err(CaptureError::new("tree", "too-large"));
        }
        hasher.update(&buffer[..read]);
        if let Some(to) = &mut to {
            to.write_all(&buffer[..read])
                .map_err(|_| CaptureError::workspace())?;
        }
    }
    Ok(Entry::File(hex(&hasher.finalize()), mode & 0o100 != 0))
}

/// A link stays a link. Only one that leads by an absolute path into the very tree would let a
/// command write there, and leads into the copy instead.
fn link(fd: &OwnedFd, name: &OsStr, path: &Path, way: Way<'_>) -> Result<Entry, CaptureError> {
    let Ok(target) = rustix::fs::readlinkat(fd, name, Vec::new()) else {
        return Ok(Entry::Odd("unreadable"));
    };
    let target = target.into_bytes();
    // Git takes a link for what it leads to, so that in a repository it stays behind.
    if let Some(to) = way.to.filter(|_| way.fresh) {
        let leads = Path::new(OsStr::from_bytes(&target));
        let own = leads.strip_prefix(way.home).map(|below| to.join(below));
        symlink(own.as_deref().unwrap_or(leads), to.join(path))
            .map_err(|_| CaptureError::workspace())?;
    }
    Ok(Entry::Link(target))
}

/// The digest of a text that says which kind of entry something is, for the list of a tree.
pub(super) fn told(entry: &Entry) -> (&'static str, Option<String>) {
    match entry {
        Entry::File(digest, false) => ("file", Some(digest.clone())),
        Entry::File(digest, true) => ("program", Some(digest.clone())),
        Entry::Link(target) => ("link", Some(sha256(target))),
        Entry::Cache => ("cache", None),
        Entry::Odd(kind) => (kind, None),
    }
}

/// A path as text. What is no plain character of UTF-8 stands as `\x` and two digits, and a
/// backslash twice, so that two paths are never one text.
pub(super) fn spelled(path: &[u8]) -> String {
    let mut out = String::new();
    for chunk in path.utf8_chunks() {
        for c in chunk.valid().chars() {
            match c {
                '\\' => out.push_str("\\\\"),
                c if c.is_control() => {
                    let mut buffer = [0; 4];
                    for byte in c.encode_utf8(&mut buffer).bytes() {
                        out.push_str(&format!("\\x{byte:02x}"));
                    }
                }
                c => out.push(c),
            }
        }
        for byte in chunk.invalid() {
            out.push_str(&format!("\\x{byte:02x}"));
        }
    }
    out
}

/// Removes a folder with all that is in it, whatever its modes; no link is followed.
pub(super) fn remove(folder: &Path) {
    if std::fs::remove_dir_all(folder).is_ok() {
        return;
    }
    let _ = open_up(folder, 0);
    // What is still there is in nobody's way.
    let _ = std::fs::remove_dir_all(folder);
}

fn open_up(folder: &Path, depth: usize) -> std::io::Result<()> {
    use std::os::unix::fs::PermissionsExt as _;
    std::fs::set_permissions(folder, std::fs::Permissions::from_mode(0o700))?;
    for entry in std::fs::read_dir(folder)?.flatten() {
        if depth < 10 * DEEPEST && entry.file_type().is_ok_and(|kind| kind.is_dir()) {
            let _ = open_up(&entry.path(), depth + 1);
        }
    }
    Ok(())
}
