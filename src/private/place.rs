//! Decides whether an output may be written at a path, before the first byte is written.
//!
//! The rule for private outputs (seed 002, the private side of the frozen checks): nothing may be
//! there, a dangling link included, and no ancestor of the nearest existing real path may belong to
//! a git work tree or repository.

use std::ffi::{OsStr, OsString};
use std::fs;
use std::io;
use std::path::{Component, Path, PathBuf};

use super::refusal::{PathReason, Refusal, Role};

/// A place that was found fit for writing. Only [`plan_private`] and [`plan_public`] make one.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Planned {
    pub(super) role: Role,
    /// The nearest existing ancestor, every link resolved.
    pub(super) real: PathBuf,
    /// Directories between `real` and the name that have to be made.
    pub(super) missing: Vec<OsString>,
    /// The last component.
    pub(super) name: OsString,
}

impl Planned {
    /// The flag that named the place.
    #[must_use]
    pub const fn role(&self) -> Role {
        self.role
    }

    /// Refuses when `other` is the very same place, or one of the two lies within the other, so that
    /// no two outputs of a run race or stand in each other's way.
    ///
    /// # Errors
    /// `E_PATH reason=exists detail=same_place` or `detail=within_output`, naming the role of `self`.
    pub fn apart_from(&self, other: &Self) -> Result<(), Refusal> {
        let (own, other) = (self.path(), other.path());
        if own == other {
            return Err(Refusal::path(self.role, PathReason::ExistsTwice));
        }
        if own.starts_with(&other) || other.starts_with(&own) {
            return Err(Refusal::path(self.role, PathReason::ExistsWithin));
        }
        Ok(())
    }

    /// Refuses when the place lies within `dir`, where a client keeps its own files.
    ///
    /// # Errors
    /// `E_PATH reason=unwritable detail=within_client`.
    pub fn outside(&self, dir: &Path) -> Result<(), Refusal> {
        match fs::canonicalize(dir).is_ok_and(|dir| self.path().starts_with(dir)) {
            true => Err(Refusal::path(self.role, PathReason::WithinClient)),
            false => Ok(()),
        }
    }

    fn path(&self) -> PathBuf {
        let mut path: PathBuf = std::iter::once(self.real.as_os_str())
            .chain(self.missing.iter().map(OsString::as_os_str))
            .collect();
        path.push(&self.name);
        path
    }
}

/// Plans a private directory: nothing there, outside every work tree and repository. Missing
/// parents are allowed and will be made with mode 0700.
///
/// # Errors
/// `E_PATH` with the reason; nothing has been written.
pub fn plan_private(role: Role, path: &Path) -> Result<Planned, Refusal> {
    plan(role, path).and_then(|planned| {
        outside_git(&planned).map_err(|reason| Refusal::path(role, reason))?;
        Ok(planned)
    })
}

/// Plans a public file: nothing there, and the folder that shall hold it exists. A work tree is
/// fine, since a public output holds nothing private.
///
/// # Errors
/// `E_PATH` with the reason; nothing has been written.
pub fn plan_public(role: Role, path: &Path) -> Result<Planned, Refusal> {
    let planned = plan(role, path)?;
    if planned.missing.is_empty() {
        Ok(planned)
    } else {
        Err(Refusal::path(role, PathReason::ParentMissing))
    }
}

fn plan(role: Role, path: &Path) -> Result<Planned, Refusal> {
    let refuse = |reason| Refusal::path(role, reason);
    // Rebuilding from components drops a trailing slash, which would make the kernel follow a link.
    let path: PathBuf = path.components().collect();
    let name = match path.components().next_back() {
        Some(Component::Normal(name)) => name.to_owned(),
        Some(Component::RootDir | Component::CurDir) => {
            return Err(refuse(PathReason::ExistsDirectory));
        }
        _ => return Err(refuse(PathReason::Name)),
    };
    match fs::symlink_metadata(&path) {
        Ok(meta) => return Err(refuse(what_is_there(&meta))),
        Err(error) if error.kind() == io::ErrorKind::NotFound => {}
        Err(error) => return Err(refuse(look_failed(&error))),
    }
    let (real, missing) = nearest_existing(&path).map_err(refuse)?;
    writable(&real).map_err(refuse)?;
    for ancestor in real.ancestors() {
        let has = |name: &str| look(&ancestor.join(name)).map(|found| found.is_some());
        let is_run = has("canary.json").and_then(|found| Ok(found && has("context.json")?));
        if is_run.map_err(refuse)? {
            return Err(refuse(PathReason::WithinRun));
        }
    }
    Ok(Planned {
        role,
        real,
        missing,
        name,
    })
}

fn what_is_there(meta: &fs::Metadata) -> PathReason {
    let kind = meta.file_type();
    if kind.is_symlink() {
        PathReason::ExistsLink
    } else if kind.is_dir() {
        PathReason::ExistsDirectory
    } else if kind.is_file() {
        PathReason::ExistsFile
    } else {
        PathReason::ExistsOther
    }
}

fn look_failed(error: &io::Error) -> PathReason {
    match error.kind() {
        io::ErrorKind::NotADirectory => PathReason::ParentNotDirectory,
        io::ErrorKind::PermissionDenied => PathReason::Denied,
        io::ErrorKind::ReadOnlyFilesystem => PathReason::ReadOnly,
        io::ErrorKind::InvalidInput | io::ErrorKind::InvalidFilename => PathReason::Name,
        _ => PathReason::Other,
    }
}

/// The nearest ancestor that exists, resolved, and the names between it and the last component.
fn nearest_existing(path: &Path) -> Result<(PathBuf, Vec<OsString>), PathReason> {
    let mut missing = Vec::new();
    let mut at = path.parent().unwrap_or(Path::new(""));
    loop {
        let look = if at.as_os_str().is_empty() {
            Path::new(".")
        } else {
            at
        };
        match fs::symlink_metadata(look) {
            Ok(meta) => {
                let real = fs::canonicalize(look).map_err(|error| {
                    if meta.is_symlink() && error.kind() == io::ErrorKind::NotFound {
                        PathReason::ParentDanglingLink
                    } else {
                        look_failed(&error)
                    }
                })?;
                if !real.is_dir() {
                    return Err(PathReason::ParentNotDirectory);
                }
                missing.reverse();
                return Ok((real, missing));
            }
            Err(error) if error.kind() == io::ErrorKind::NotFound => {}
            Err(error) => return Err(look_failed(&error)),
        }
        // A `..` below a folder that is not there has no meaning for the kernel either.
        let Some(Component::Normal(name)) = at.components().next_back() else {
            return Err(PathReason::ParentMissing);
        };
        missing.push(name.to_owned());
        at = at.parent().unwrap_or(Path::new(""));
    }
}

fn writable(real: &Path) -> Result<(), PathReason> {
    use rustix::fs::{Access, access};
    // A folder is opened to make what was renamed in it last.
    access(real, Access::READ_OK | Access::WRITE_OK | Access::EXEC_OK)
        .map_err(|errno| look_failed(&io::Error::from(errno)))
}

fn outside_git(planned: &Planned) -> Result<(), PathReason> {
    let is_git = |name: &OsStr| name.eq_ignore_ascii_case(".git");
    if planned.missing.iter().any(|name| is_git(name)) || is_git(&planned.name) {
        return Err(PathReason::WorkTreeName);
    }
    outside_repositories(&planned.real)
}

/// Whether a folder is a repository of git or lies in one.
#[must_use]
pub fn in_repository(folder: &Path) -> bool {
    let real = folder.canonicalize();
    real.is_ok_and(|real| outside_repositories(&real).is_err())
}

fn outside_repositories(real: &Path) -> Result<(), PathReason> {
    for ancestor in real.ancestors() {
        match look(&ancestor.join(".git"))? {
            Some(meta) if meta.is_dir() => return Err(PathReason::WorkTreeFolder),
            Some(_) => return Err(PathReason::WorkTreeFile),
            None => {}
        }
        if is_repository(ancestor)? {
            return Err(PathReason::WorkTreeBare);
        }
    }
    Ok(())
}

/// A repository without a work tree has `HEAD` beside `refs` and `objects`; the private folder of a
/// linked worktree has `HEAD` beside `commondir` instead.
fn is_repository(dir: &Path) -> Result<bool, PathReason> {
    if look(&dir.join("HEAD"))?.is_none() {
        return Ok(false);
    }
    if look(&dir.join("commondir"))?.is_some() {
        return Ok(true);
    }
    Ok(look(&dir.join("objects"))?.is_some() && look(&dir.join("refs"))?.is_some())
}

/// What is at `path`, links not followed. An answer that cannot be had is a refusal: the file might
/// be there.
fn look(path: &Path) -> Result<Option<fs::Metadata>, PathReason> {
    match fs::symlink_metadata(path) {
        Ok(meta) => Ok(Some(meta)),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
        Err(error) => Err(look_failed(&error)),
    }
}
