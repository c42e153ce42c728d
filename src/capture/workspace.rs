//! The folder that commands run in: new, of mode 0700, and gone afterwards.

use std::fs::DirBuilder;
use std::os::unix::fs::DirBuilderExt as _;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicUsize, Ordering};

use super::environment::Folders;
use super::error::CaptureError;
use super::walk;

/// Tells the folders of one process apart; it never reaches an output.
static COUNTER: AtomicUsize = AtomicUsize::new(0);

/// How the name of a workspace ends.
pub(super) const TAIL: &str = ".partial";

/// How the names of a process's workspaces begin.
pub(super) fn head(pid: u32) -> String {
    format!("deedcheck-{pid}-")
}

/// A folder that is removed with all that is in it.
#[derive(Debug)]
pub(super) struct Workspace(PathBuf);

impl Workspace {
    /// A new one.
    ///
    /// # Errors
    /// `E_CAPTURE field=workspace`: it cannot be made, or would lie in the very tree.
    pub(super) fn new(temporary: &Path, tree: Option<&Path>) -> Result<Self, CaptureError> {
        let real = std::fs::canonicalize(temporary).map_err(|_| CaptureError::workspace())?;
        if tree.is_some_and(|tree| real.starts_with(tree)) {
            return Err(CaptureError::new("workspace", "in-tree"));
        }
        let head = head(std::process::id());
        for _ in 0..10_000 {
            let path = real.join(format!("{head}{}{TAIL}", next()));
            match made(&path) {
                Ok(()) => return Ok(Self(path)),
                Err(error) if error.kind() == std::io::ErrorKind::AlreadyExists => {}
                Err(_) => break,
            }
        }
        Err(CaptureError::workspace())
    }

    /// A new folder within.
    pub(super) fn place(&self) -> Result<PathBuf, CaptureError> {
        let path = self.0.join(next().to_string());
        made(&path).map_err(|_| CaptureError::workspace())?;
        Ok(path)
    }
}

impl Drop for Workspace {
    fn drop(&mut self) {
        walk::remove(&self.0);
    }
}

fn next() -> usize {
    COUNTER.fetch_add(1, Ordering::Relaxed)
}

fn made(path: &Path) -> std::io::Result<()> {
    DirBuilder::new().mode(0o700).create(path)
}

impl Folders<'_> {
    /// Makes the folders of a run, and the one that it runs in.
    ///
    /// # Errors
    /// `E_CAPTURE field=workspace`.
    pub(super) fn make(&self) -> Result<PathBuf, CaptureError> {
        let folder = self.workspace.join("tree");
        for path in [
            &folder,
            &self.home(),
            &self.temporary(),
            &self.compiled(),
            &self.empty(),
        ] {
            made(path).map_err(|_| CaptureError::workspace())?;
        }
        Ok(folder)
    }
}
