//! Refusals of the private side: one line each, fields and roles only, never a private value.

use std::fmt;
use std::io;

/// The flag or field that a refusal is about, as the user spells it, such as `--out-private`.
///
/// It holds a static string so that no path or id can get into it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Role(pub &'static str);

impl Role {
    /// The private directory of a run.
    pub const OUT_PRIVATE: Self = Self("--out-private");
    /// The public output file of a run.
    pub const OUT: Self = Self("--out");
}

impl fmt::Display for Role {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.0)
    }
}

/// Why a place was refused: `reason` is the closed word, `detail` tells the cases of a reason apart.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum PathReason {
    /// Something is there already: a file.
    ExistsFile,
    /// Something is there already: a directory.
    ExistsDirectory,
    /// Something is there already: a symbolic link, whether or not it leads anywhere.
    ExistsLink,
    /// Something is there already: a device, socket or pipe.
    ExistsOther,
    /// It came into being between the decision and the rename.
    ExistsRace,
    /// Two outputs of one run were given the same place.
    ExistsTwice,
    /// Two outputs of one run of which one would lie within the other.
    ExistsWithin,
    /// A `.git` folder in an ancestor.
    WorkTreeFolder,
    /// A `.git` file (a linked worktree or a submodule) or link in an ancestor.
    WorkTreeFile,
    /// An ancestor is a bare repository or the inside of a `.git` folder.
    WorkTreeBare,
    /// A directory still to be made is itself called `.git`.
    WorkTreeName,
    /// An ancestor is the private directory of a run, which holds its own files and no others.
    WithinRun,
    /// It lies where a client keeps its own files, the transcripts among them.
    WithinClient,
    /// The folder that should hold the file is not there.
    ParentMissing,
    /// An ancestor is not a directory.
    ParentNotDirectory,
    /// An ancestor is a link that leads nowhere.
    ParentDanglingLink,
    /// The nearest existing ancestor cannot be written to.
    Denied,
    /// The file system is mounted read-only.
    ReadOnly,
    /// The path is empty, ends in `..` or holds a NUL.
    Name,
    /// Any other failure to look at the path.
    Other,
}

impl PathReason {
    /// The closed word: `exists`, `work_tree` or `unwritable`.
    #[must_use]
    pub const fn reason(self) -> &'static str {
        match self {
            Self::ExistsFile
            | Self::ExistsDirectory
            | Self::ExistsLink
            | Self::ExistsOther
            | Self::ExistsRace
            | Self::ExistsTwice
            | Self::ExistsWithin => "exists",
            Self::WorkTreeFolder | Self::WorkTreeFile | Self::WorkTreeBare | Self::WorkTreeName => {
                "work_tree"
            }
            _ => "unwritable",
        }
    }

    /// The case within the reason.
    #[must_use]
    pub const fn detail(self) -> &'static str {
        match self {
            Self::ExistsFile => "file",
            Self::ExistsDirectory => "directory",
            Self::ExistsLink => "link",
            Self::ExistsOther => "special",
            Self::ExistsRace => "race",
            Self::ExistsTwice => "same_place",
            Self::ExistsWithin => "within_output",
            Self::WorkTreeFolder => "git_folder",
            Self::WorkTreeFile => "git_file",
            Self::WorkTreeBare => "bare_repository",
            Self::WorkTreeName => "git_name",
            Self::WithinRun => "within_run",
            Self::WithinClient => "within_client",
            Self::ParentMissing => "parent_missing",
            Self::ParentNotDirectory => "parent_not_directory",
            Self::ParentDanglingLink => "parent_dangling_link",
            Self::Denied => "denied",
            Self::ReadOnly => "read_only",
            Self::Name => "name",
            Self::Other => "other",
        }
    }
}

/// What went wrong while bytes were being written.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum WriteKind {
    /// No space or no quota left.
    DiskFull,
    /// The file grew past a limit.
    TooLarge,
    /// Permission was refused.
    Denied,
    /// The file system is mounted read-only.
    ReadOnly,
    /// A file of that name was written already in this run.
    Exists,
    /// The name is not a plain file name.
    Name,
    /// A file was left without being finished.
    Unfinished,
    /// Any other failure.
    Other,
}

impl WriteKind {
    /// The word shown in the refusal.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::DiskFull => "disk_full",
            Self::TooLarge => "too_large",
            Self::Denied => "denied",
            Self::ReadOnly => "read_only",
            Self::Exists => "exists",
            Self::Name => "name",
            Self::Unfinished => "unfinished",
            Self::Other => "other",
        }
    }
}

impl From<io::ErrorKind> for WriteKind {
    fn from(kind: io::ErrorKind) -> Self {
        match kind {
            io::ErrorKind::StorageFull | io::ErrorKind::QuotaExceeded => Self::DiskFull,
            io::ErrorKind::FileTooLarge => Self::TooLarge,
            io::ErrorKind::PermissionDenied => Self::Denied,
            io::ErrorKind::ReadOnlyFilesystem => Self::ReadOnly,
            io::ErrorKind::AlreadyExists => Self::Exists,
            io::ErrorKind::InvalidInput | io::ErrorKind::InvalidFilename => Self::Name,
            _ => Self::Other,
        }
    }
}

/// A refusal of the private side. Its `Display` is the one line shown to the user, and it says
/// which field or role and which kind, never a path or a value.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum Refusal {
    /// The place may not be written to. Decided before the first byte.
    #[error("E_PATH field={role} reason={} detail={}", .reason.reason(), .reason.detail())]
    Path {
        /// The flag that named the place.
        role: Role,
        /// Why it was refused.
        reason: PathReason,
    },
    /// Writing failed after it began; what had been written is removed.
    #[error("E_WRITE role={role} kind={}", .kind.as_str())]
    Write {
        /// The flag that named the place.
        role: Role,
        /// What went wrong.
        kind: WriteKind,
    },
    /// A private value or shape stands in an output that was about to be published.
    #[error("E_PRIVACY role={role} kind={} at={at}", .kind.as_str())]
    Privacy {
        /// The output that is withheld.
        role: Role,
        /// Which kind of value or shape.
        kind: super::Kind,
        /// Byte offset in the withheld output.
        at: usize,
    },
}

impl Refusal {
    /// A refusal for a failed write or system call.
    pub(super) fn write(role: Role, kind: impl Into<WriteKind>) -> Self {
        Self::Write {
            role,
            kind: kind.into(),
        }
    }

    /// A refusal of a place.
    pub(super) const fn path(role: Role, reason: PathReason) -> Self {
        Self::Path { role, reason }
    }
}
