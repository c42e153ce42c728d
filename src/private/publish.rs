//! Writes outputs so that they appear whole or not at all.
//!
//! Everything is written under a `.partial` sibling of the final name, opened relative to directory
//! handles so that no link swapped in meanwhile is followed, and renamed into place without ever
//! replacing anything. A killed run leaves at most that sibling, and a later run does not mind it.

use std::ffi::{OsStr, OsString};
use std::fs::File;
use std::io::{self, BufWriter, Write};
use std::os::fd::OwnedFd;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use rustix::fs::{AtFlags, CWD, Mode, OFlags, RenameFlags};
use rustix::io::Errno;

use super::place::{self, Planned};
use super::refusal::{PathReason, Refusal, Role, WriteKind};

const FOLDER: Mode = Mode::RWXU;
const FILE: Mode = Mode::RUSR.union(Mode::WUSR);

/// Tells the temporary names of one process apart; it never reaches an output.
static COUNTER: AtomicUsize = AtomicUsize::new(0);

fn failed(role: Role, errno: Errno) -> Refusal {
    Refusal::write(role, io::Error::from(errno).kind())
}

/// The folder that will hold the output, with the folders made for it.
#[derive(Debug)]
struct Parent {
    role: Role,
    fd: OwnedFd,
    /// Folders made on the way, each with the handle of the one that holds it.
    made: Vec<(OwnedFd, OsString)>,
}

impl Parent {
    fn open(planned: &Planned) -> Result<Self, Refusal> {
        let role = planned.role;
        let fd = open_folder(CWD, planned.real.as_os_str()).map_err(|e| failed(role, e))?;
        let mut parent = Self {
            role,
            fd,
            made: Vec::new(),
        };
        for name in &planned.missing {
            if let Err(errno) = parent.descend(name) {
                parent.unmake();
                return Err(failed(role, errno));
            }
        }
        Ok(parent)
    }

    fn descend(&mut self, name: &OsStr) -> Result<(), Errno> {
        let fresh = match rustix::fs::mkdirat(&self.fd, name, FOLDER) {
            Ok(()) => true,
            // Another run may have made it meanwhile; that one is not ours to remove.
            Err(Errno::EXIST) => false,
            Err(errno) => return Err(errno),
        };
        let below = open_folder(&self.fd, name)?;
        let above = std::mem::replace(&mut self.fd, below);
        if fresh {
            self.made.push((above, name.to_owned()));
        }
        Ok(())
    }

    /// Removes the folders made on the way, as far as they are empty.
    fn unmake(&mut self) {
        while let Some((above, name)) = self.made.pop() {
            if rustix::fs::unlinkat(&above, &name, AtFlags::REMOVEDIR).is_err() {
                return;
            }
        }
    }

    /// Makes something under a fresh temporary name.
    fn fresh<T>(&self, make: impl Fn(&str) -> Result<T, Errno>) -> Result<(String, T), Refusal> {
        let pid = std::process::id();
        for _ in 0..10_000 {
            let count = COUNTER.fetch_add(1, Ordering::Relaxed);
            let name = format!(".deedcheck-{pid}-{count}.partial");
            match make(&name) {
                Ok(made) => return Ok((name, made)),
                Err(Errno::EXIST) => {}
                Err(errno) => return Err(failed(self.role, errno)),
            }
        }
        Err(Refusal::write(self.role, WriteKind::Exists))
    }

    /// Gives `partial` its final name, never replacing anything.
    fn rename(&self, partial: &str, name: &OsStr, folder: bool) -> Result<(), Refusal> {
        let strict =
            rustix::fs::renameat_with(&self.fd, partial, &self.fd, name, RenameFlags::NOREPLACE);
        let done = match strict {
            // Some file systems know no such flag; a hard link never replaces either, and a folder
            // can at worst replace an empty folder made in this very moment.
            Err(Errno::INVAL | Errno::NOSYS | Errno::OPNOTSUPP) => {
                self.rename_plain(partial, name, folder)
            }
            other => other,
        };
        match done {
            Ok(()) => Ok(()),
            Err(Errno::EXIST | Errno::NOTEMPTY | Errno::NOTDIR | Errno::ISDIR) => {
                Err(Refusal::path(self.role, PathReason::ExistsRace))
            }
            Err(errno) => Err(failed(self.role, errno)),
        }
    }

    fn rename_plain(&self, partial: &str, name: &OsStr, folder: bool) -> Result<(), Errno> {
        if folder {
            match rustix::fs::statat(&self.fd, name, AtFlags::SYMLINK_NOFOLLOW) {
                Err(Errno::NOENT) => rustix::fs::renameat(&self.fd, partial, &self.fd, name),
                Err(errno) => Err(errno),
                Ok(_) => Err(Errno::EXIST),
            }
        } else {
            rustix::fs::linkat(&self.fd, partial, &self.fd, name, AtFlags::empty())?;
            rustix::fs::unlinkat(&self.fd, partial, AtFlags::empty())
        }
    }

    /// Makes the rename last. Not every file system can sync a folder; the name is in place anyway.
    fn settle(&self) -> Result<(), Refusal> {
        match rustix::fs::fsync(&self.fd) {
            Ok(()) | Err(Errno::INVAL | Errno::NOTSUP) => Ok(()),
            Err(errno) => Err(failed(self.role, errno)),
        }
    }
}

fn open_folder(at: impl std::os::fd::AsFd, name: &OsStr) -> Result<OwnedFd, Errno> {
    let flags = OFlags::RDONLY | OFlags::DIRECTORY | OFlags::NOFOLLOW | OFlags::CLOEXEC;
    rustix::fs::openat(at, name, flags, Mode::empty())
}

fn open_new(at: &OwnedFd, name: &str, mode: Mode) -> Result<OwnedFd, Errno> {
    let flags = OFlags::WRONLY | OFlags::CREATE | OFlags::EXCL | OFlags::NOFOLLOW | OFlags::CLOEXEC;
    rustix::fs::openat(at, name, flags, mode)
}

/// A private directory that is being written. Dropping it without [`PrivateDir::publish`] removes
/// everything that was written.
#[derive(Debug)]
pub struct PrivateDir {
    parent: Parent,
    name: OsString,
    partial: String,
    fd: OwnedFd,
    /// File names made so far, for removal.
    files: Vec<String>,
    /// Files handed out and not yet finished.
    open: Arc<AtomicUsize>,
    published: bool,
}

impl PrivateDir {
    /// Decides everything about `--out-private` before a byte is written.
    ///
    /// # Errors
    /// `E_PATH field=--out-private reason=exists|work_tree|unwritable`.
    pub fn plan(path: &Path) -> Result<Planned, Refusal> {
        place::plan_private(Role::OUT_PRIVATE, path)
    }

    /// Makes the `.partial` sibling, mode 0700, and missing parents likewise.
    ///
    /// # Errors
    /// `E_WRITE`; whatever was made is removed again.
    pub fn create(planned: &Planned) -> Result<Self, Refusal> {
        let mut parent = Parent::open(planned)?;
        match Self::create_in(&parent) {
            Ok((partial, fd)) => Ok(Self {
                parent,
                name: planned.name.clone(),
                partial,
                fd,
                files: Vec::new(),
                open: Arc::default(),
                published: false,
            }),
            Err(refusal) => {
                parent.unmake();
                Err(refusal)
            }
        }
    }

    fn create_in(parent: &Parent) -> Result<(String, OwnedFd), Refusal> {
        let (partial, ()) = parent.fresh(|name| rustix::fs::mkdirat(&parent.fd, name, FOLDER))?;
        let opened = open_folder(&parent.fd, OsStr::new(&partial))
            .and_then(|fd| rustix::fs::fchmod(&fd, FOLDER).map(|()| fd));
        match opened {
            Ok(fd) => Ok((partial, fd)),
            Err(errno) => {
                // The error in hand says more than a failed removal would.
                let _ = rustix::fs::unlinkat(&parent.fd, &partial, AtFlags::REMOVEDIR);
                Err(failed(parent.role, errno))
            }
        }
    }

    /// Opens a new file, mode 0600, for streaming. It must be [finished](PrivateFile::finish).
    ///
    /// # Errors
    /// `E_WRITE kind=name` when `name` is not one plain component, `kind=exists` when it was
    /// written already, or what the system says.
    pub fn file(&mut self, name: &str) -> Result<PrivateFile, Refusal> {
        let role = self.parent.role;
        if name.is_empty() || name == "." || name == ".." || name.contains(['/', '\\', '\0']) {
            return Err(Refusal::write(role, WriteKind::Name));
        }
        let fd = open_new(&self.fd, name, FILE).map_err(|e| failed(role, e))?;
        self.files.push(name.to_owned());
        rustix::fs::fchmod(&fd, FILE).map_err(|e| failed(role, e))?;
        self.open.fetch_add(1, Ordering::Relaxed);
        Ok(PrivateFile {
            role,
            out: BufWriter::with_capacity(1 << 16, File::from(fd)),
            error: None,
            open: Arc::clone(&self.open),
        })
    }

    /// Writes a whole file, mode 0600.
    ///
    /// # Errors
    /// As for [`PrivateDir::file`].
    pub fn write(&mut self, name: &str, bytes: &[u8]) -> Result<(), Refusal> {
        let mut file = self.file(name)?;
        // A failure is kept inside the file, and `finish` names it.
        let _ = file.write_all(bytes);
        file.finish()
    }

    /// Syncs and renames the directory into place.
    ///
    /// # Errors
    /// `E_WRITE kind=unfinished` when a file was not finished, `E_PATH reason=exists` when
    /// something came into being there meanwhile, or what the system says; everything is removed.
    pub fn publish(mut self) -> Result<(), Refusal> {
        let role = self.parent.role;
        if self.open.load(Ordering::Relaxed) != 0 {
            return Err(Refusal::write(role, WriteKind::Unfinished));
        }
        match rustix::fs::fsync(&self.fd) {
            Ok(()) | Err(Errno::INVAL | Errno::NOTSUP) => {}
            Err(errno) => return Err(failed(role, errno)),
        }
        self.parent.rename(&self.partial, &self.name, true)?;
        self.published = true;
        self.parent.settle()
    }
}

impl Drop for PrivateDir {
    fn drop(&mut self) {
        if self.published {
            return;
        }
        // Removal is best effort: there is nobody left to tell, and a leftover is harmless.
        for name in &self.files {
            let _ = rustix::fs::unlinkat(&self.fd, name, AtFlags::empty());
        }
        let _ = rustix::fs::unlinkat(&self.parent.fd, &self.partial, AtFlags::REMOVEDIR);
        self.parent.unmake();
    }
}

/// A file in a private directory. The first error sticks and is named by [`PrivateFile::finish`].
#[derive(Debug)]
pub struct PrivateFile {
    role: Role,
    out: BufWriter<File>,
    error: Option<WriteKind>,
    open: Arc<AtomicUsize>,
}

impl PrivateFile {
    /// Flushes and syncs the file.
    ///
    /// # Errors
    /// `E_WRITE` with the first error met, so that a caller who wrote through an adapter still
    /// learns of it. The directory can't be published then.
    pub fn finish(mut self) -> Result<(), Refusal> {
        let flushed = self.flush();
        let synced = self.out.get_ref().sync_all();
        let kind = self.error.or_else(|| {
            flushed
                .and(synced)
                .err()
                .map(|error| WriteKind::from(error.kind()))
        });
        match kind {
            Some(kind) => Err(Refusal::write(self.role, kind)),
            None => {
                self.open.fetch_sub(1, Ordering::Relaxed);
                Ok(())
            }
        }
    }
}

impl Write for PrivateFile {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        keep(&mut self.error, self.out.write(bytes))
    }

    fn flush(&mut self) -> io::Result<()> {
        keep(&mut self.error, self.out.flush())
    }
}

/// Remembers the first error of a stream. An interrupted call is no error: it is tried again.
fn keep<T>(first: &mut Option<WriteKind>, result: io::Result<T>) -> io::Result<T> {
    if let Err(error) = &result
        && error.kind() != io::ErrorKind::Interrupted
    {
        first.get_or_insert(WriteKind::from(error.kind()));
    }
    result
}

/// A public output file that is being written under a temporary name. Dropping it without
/// [`PublicFile::publish`] removes it.
#[derive(Debug)]
pub struct PublicFile {
    parent: Parent,
    name: OsString,
    partial: String,
    out: BufWriter<File>,
    error: Option<WriteKind>,
    published: bool,
}

impl PublicFile {
    /// Decides everything about `--out` before a byte is written.
    ///
    /// # Errors
    /// `E_PATH field=--out reason=exists|unwritable`.
    pub fn plan(path: &Path) -> Result<Planned, Refusal> {
        place::plan_public(Role::OUT, path)
    }

    /// Opens the temporary sibling with the user's own default mode.
    ///
    /// # Errors
    /// `E_WRITE` with what the system says.
    pub fn create(planned: &Planned) -> Result<Self, Refusal> {
        let mode = FILE | Mode::RGRP | Mode::WGRP | Mode::ROTH | Mode::WOTH;
        Self::create_with(planned, mode)
    }

    fn create_with(planned: &Planned, mode: Mode) -> Result<Self, Refusal> {
        let parent = Parent::open(planned)?;
        let (partial, fd) = parent.fresh(|name| open_new(&parent.fd, name, mode))?;
        Ok(Self {
            parent,
            name: planned.name.clone(),
            partial,
            out: BufWriter::with_capacity(1 << 16, File::from(fd)),
            error: None,
            published: false,
        })
    }

    /// Decides everything about a single private file before a byte is written: outside every
    /// work tree, in a folder that may still have to be made.
    ///
    /// # Errors
    /// `E_PATH field=--out reason=exists|work_tree|unwritable`.
    pub fn plan_private(path: &Path) -> Result<Planned, Refusal> {
        place::plan_private(Role::OUT, path)
    }

    /// Opens the temporary sibling of a private file, mode 0600.
    ///
    /// # Errors
    /// `E_WRITE` with what the system says.
    pub fn create_private(planned: &Planned) -> Result<Self, Refusal> {
        let file = Self::create_with(planned, FILE)?;
        rustix::fs::fchmod(file.out.get_ref(), FILE).map_err(|e| failed(planned.role, e))?;
        Ok(file)
    }

    /// Syncs the file and gives it its name, never replacing anything.
    ///
    /// # Errors
    /// `E_WRITE` with the first error met while writing, or `E_PATH reason=exists` when something
    /// came into being there meanwhile; the temporary file is removed.
    pub fn publish(mut self) -> Result<(), Refusal> {
        let flushed = self.flush();
        let synced = self.out.get_ref().sync_all();
        if let Some(kind) = self.error {
            return Err(Refusal::write(self.parent.role, kind));
        }
        if let Err(error) = flushed.and(synced) {
            return Err(Refusal::write(self.parent.role, error.kind()));
        }
        self.parent.rename(&self.partial, &self.name, false)?;
        self.published = true;
        self.parent.settle()
    }
}

impl Write for PublicFile {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        keep(&mut self.error, self.out.write(bytes))
    }

    fn flush(&mut self) -> io::Result<()> {
        keep(&mut self.error, self.out.flush())
    }
}

impl Drop for PublicFile {
    fn drop(&mut self) {
        if !self.published {
            // Best effort, as for the private directory.
            let _ = rustix::fs::unlinkat(&self.parent.fd, &self.partial, AtFlags::empty());
            self.parent.unmake();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn full_device() -> File {
        File::options().write(true).open("/dev/full").unwrap()
    }

    #[test]
    fn a_full_disk_is_named_and_leaves_nothing() {
        let base = tempfile::tempdir().unwrap();
        let planned = PrivateDir::plan(&base.path().join("run")).unwrap();
        let mut dir = PrivateDir::create(&planned).unwrap();
        let mut file = dir.file("grades.jsonl").unwrap();
        file.out = BufWriter::new(full_device());
        file.write_all(b"row\n").unwrap();
        let refusal = file.finish().unwrap_err();
        assert_eq!(
            refusal.to_string(),
            "E_WRITE role=--out-private kind=disk_full"
        );
        let refusal = dir.publish().unwrap_err();
        assert_eq!(
            refusal.to_string(),
            "E_WRITE role=--out-private kind=unfinished"
        );
        assert_eq!(std::fs::read_dir(base.path()).unwrap().count(), 0);
    }

    #[test]
    fn a_full_disk_under_the_public_file_is_named_and_leaves_nothing() {
        let base = tempfile::tempdir().unwrap();
        let planned = PublicFile::plan(&base.path().join("aggregate.json")).unwrap();
        let mut file = PublicFile::create(&planned).unwrap();
        file.out = BufWriter::with_capacity(4, full_device());
        assert!(file.write_all(b"longer than the buffer").is_err());
        let refusal = file.publish().unwrap_err();
        assert_eq!(refusal.to_string(), "E_WRITE role=--out kind=disk_full");
        assert_eq!(std::fs::read_dir(base.path()).unwrap().count(), 0);
    }

    #[test]
    fn the_plain_rename_never_replaces_either() {
        let base = tempfile::tempdir().unwrap();
        let planned = PublicFile::plan(&base.path().join("new")).unwrap();
        let parent = Parent::open(&planned).unwrap();
        std::fs::write(base.path().join("a"), "a").unwrap();
        std::fs::write(base.path().join("b"), "b").unwrap();
        std::fs::create_dir(base.path().join("d")).unwrap();
        std::fs::create_dir(base.path().join("e")).unwrap();
        assert_eq!(
            parent.rename_plain("a", OsStr::new("b"), false),
            Err(Errno::EXIST)
        );
        assert_eq!(
            parent.rename_plain("d", OsStr::new("e"), true),
            Err(Errno::EXIST)
        );
        parent.rename_plain("a", OsStr::new("c"), false).unwrap();
        parent.rename_plain("d", OsStr::new("f"), true).unwrap();
        assert_eq!(std::fs::read(base.path().join("b")).unwrap(), b"b");
        assert_eq!(std::fs::read(base.path().join("c")).unwrap(), b"a");
        assert!(!base.path().join("a").exists());
        assert!(base.path().join("f").is_dir());
    }
}
