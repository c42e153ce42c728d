//! What was captured, as it is kept: one file for each capture, and one that vouches for all.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};

use super::error::CaptureError;
use super::process::Process;
use super::walk::bytes_of;
use crate::canon;
use crate::private::PrivateDir;
use crate::spec::sha256;

/// The format of what vouches for captures.
pub const CAPTURES_SCHEMA: &str = "deedcheck/captures/1";
/// Its file.
const CAPTURES: &str = "captures.json";
/// The file that says how a tree stood.
pub(super) const TREE: &str = "tree.json";
/// The file that lists processes.
pub(super) const PROCESSES: &str = "processes.json";
/// The file of facts, for `deedcheck keys --facts`.
pub(super) const FACTS: &str = "facts.json";
/// The most that is read of one file.
const MOST: u64 = 1 << 30;

/// What vouches for the captures of one phase. Private.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct Captures {
    /// The format: `deedcheck/captures/1`.
    pub schema: String,
    /// The program's version.
    pub version: String,
    /// The seal of the spec that declares them.
    pub spec: String,
    /// The id of the run that the bindings tell.
    pub run: String,
    /// When they were taken: `w-open`, `pre-arm`, `post-arm`, `w-close` or `post-w`.
    pub phase: String,
    /// Of which arm.
    pub arm: Option<String>,
    /// SHA-256 of each file beside this one, by its name.
    pub files: BTreeMap<String, String>,
    /// SHA-256 of this with an empty seal.
    pub seal: String,
}

/// One run of a declared command. Private.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct Capture {
    /// The capture's id in the spec.
    pub id: String,
    /// When it was taken.
    pub phase: String,
    /// What it ran under: `arm` or `plain`.
    pub condition: String,
    /// The command as the spec declares it.
    pub argv: Vec<String>,
    /// Its exit code; none where it was ended, by whomever, or never ran.
    pub exit: Option<i32>,
    /// The signal that ended it, where it was not ours.
    pub signal: Option<i32>,
    /// Why it has no exit code and no signal: `timed-out`, `not-started`, `not-found`,
    /// `no-base`, `discarded`.
    pub without_exit: Option<String>,
    /// The beginning of its output as text. What is no UTF-8 is replaced.
    pub stdout: String,
    /// Whether that is not all of it.
    pub cut: bool,
    /// How many bytes its output had.
    pub bytes: u64,
    /// SHA-256 of all of its output.
    pub sha256: String,
    /// The beginning of what it said on standard error, where that is told apart.
    pub stderr: Option<String>,
    /// The state of the arm's tree that was copied.
    pub tree_before: Option<String>,
    /// Its state afterwards.
    pub tree_after: Option<String>,
    /// Why it speaks for nothing: `tree-changed`. It is never run again.
    pub discarded: Option<String>,
    /// Whether it was ended as its time was over.
    pub timed_out: bool,
    /// Whether the conditions are known to be the arm's own.
    pub verified: bool,
    /// How many processes it left behind; they were ended.
    pub left: u64,
    /// What was not copied for it, by kind.
    pub skipped: BTreeMap<String, u64>,
}

/// How a tree stood. Private.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct TreeRecord {
    /// The tree, as the bindings name it.
    pub observed: String,
    /// The commit that the bindings say it was at.
    pub base: String,
    /// The commit that it is at; none where it has no repository that could be read.
    pub head: Option<String>,
    /// Its state in one digest: files, commit, what is staged.
    pub state: String,
    /// What entries are told against: `base`, `before` for the capture before the arm, or `nothing`
    /// where neither could be read, or where the tree changed while its captures were taken; then there
    /// are no entries, and nobody knows of any.
    pub against: String,
    /// What differs.
    pub entries: Vec<Entry>,
    /// How many files and folders could not be looked into.
    #[serde(default)]
    pub unreadable: u64,
    /// Every entry of the tree.
    pub list: Vec<Listed>,
    /// The files whose bytes are kept, by their paths, and the names of those files here.
    pub kept: BTreeMap<String, String>,
}

/// A path of a tree that differs.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct Entry {
    /// The path; a folder of caches ends with `/`. Bytes that are no plain text stand as `\xNN`, a
    /// backslash twice.
    pub path: String,
    /// `M` changed, `D` gone, `T` of another kind, `??` new, `!!` a cache, `?` where it could not be read
    /// now or before: nobody knows whether it changed.
    pub status: String,
    /// SHA-256 of a file as it is now.
    pub sha256: Option<String>,
}

/// An entry of a tree.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct Listed {
    /// The path, spelled as in entries.
    pub path: String,
    /// `file`, `program`, `link`, `cache`, `fifo`, `socket`, `device`, `unreadable`, `deep`.
    pub kind: String,
    /// SHA-256 of a file, or of where a link leads.
    pub sha256: Option<String>,
}

/// Which processes there were. Private.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct Processes {
    /// Whether only those are listed that began after the capture before the arm.
    pub since_before: bool,
    /// The processes in the order of their ids.
    pub list: Vec<Process>,
}

/// The captures of one phase, read and held against their digests. Nothing is run for it.
#[derive(Debug, Clone)]
pub struct Kept {
    folder: PathBuf,
    /// What vouches for them.
    pub about: Captures,
    /// Each run of a command.
    pub commands: Vec<Capture>,
    /// How the tree stood; none where the spec did not ask.
    pub tree: Option<TreeRecord>,
    /// Which processes there were; none where the spec did not ask, or the system did not tell.
    pub processes: Option<Processes>,
}

impl Kept {
    /// Reads the captures of a phase.
    ///
    /// # Errors
    /// `E_CAPTURES`: `missing`, `unfinished`, `not-regular` or unreadable; `invalid`; `digest` for a
    /// file that is not what it was; `extra` for one that is none of theirs.
    pub fn open(folder: &Path) -> Result<Self, CaptureError> {
        let name = folder.file_name().unwrap_or_default().to_string_lossy();
        if name.starts_with('.') && name.ends_with(".partial") {
            return Err(CaptureError::kept("captures", "unfinished"));
        }
        if !folder.is_dir() {
            return Err(CaptureError::kept("captures", "missing"));
        }
        let bytes = bytes_of(&folder.join(CAPTURES), MOST);
        let bytes = bytes.ok_or_else(|| CaptureError::kept("captures", "missing"))?;
        let about: Captures = parsed(&bytes, "captures")?;
        if about.schema != CAPTURES_SCHEMA {
            return Err(CaptureError::kept("captures", "invalid"));
        }
        if sealed(&about)? != bytes {
            return Err(CaptureError::kept("captures", "digest"));
        }
        nothing_more(folder, &about)?;
        let mut kept = Self {
            folder: folder.to_owned(),
            about,
            commands: Vec::new(),
            tree: None,
            processes: None,
        };
        for name in kept.about.files.keys().cloned().collect::<Vec<_>>() {
            let bytes = kept.bytes(&name)?;
            match kind(&name) {
                "capture" => kept.commands.push(parsed(&bytes, &name)?),
                "tree" => kept.tree = Some(parsed(&bytes, &name)?),
                "processes" => kept.processes = Some(parsed(&bytes, &name)?),
                _ => {}
            }
        }
        Ok(kept)
    }

    /// Looks whether these are captures of a spec and a run.
    ///
    /// # Errors
    /// `E_CAPTURES file=captures`: `other-spec`, `other-run`.
    pub fn belong(&self, spec: &str, run: &str) -> Result<(), CaptureError> {
        let wrong = |kind| Err(CaptureError::kept("captures", kind));
        if self.about.spec != spec {
            return wrong("other-spec");
        }
        if self.about.run != run {
            return wrong("other-run");
        }
        Ok(())
    }

    fn bytes(&self, name: &str) -> Result<Vec<u8>, CaptureError> {
        let wrong = |what| CaptureError::kept(name, what);
        let bytes = bytes_of(&self.folder.join(name), MOST).ok_or_else(|| wrong("missing"))?;
        match self.about.files.get(name) {
            Some(digest) if *digest == sha256(&bytes) => Ok(bytes),
            _ => Err(wrong("digest")),
        }
    }

    /// The bytes of a file of the tree, where they are kept.
    ///
    /// # Errors
    /// `E_CAPTURES file=bytes`: they are no longer what they were a moment ago.
    pub fn file(&self, path: &str) -> Result<Option<Vec<u8>>, CaptureError> {
        let name = self.tree.as_ref().and_then(|tree| tree.kept.get(path));
        name.map(|name| self.bytes(name)).transpose()
    }

    /// The run of a command under a condition.
    #[must_use]
    pub fn command(&self, id: &str, condition: &str) -> Option<&Capture> {
        let mut all = self.commands.iter();
        all.find(|one| one.id == id && one.condition == condition)
    }
}

fn parsed<T: DeserializeOwned>(bytes: &[u8], file: &str) -> Result<T, CaptureError> {
    serde_json::from_slice(bytes).map_err(|_| CaptureError::kept(file, "invalid"))
}

/// What a file is by its name.
fn kind(name: &str) -> &'static str {
    match name {
        TREE => "tree",
        PROCESSES => "processes",
        FACTS => "facts",
        name if name.starts_with("capture-") => "capture",
        name if name.starts_with("bytes-") => "bytes",
        _ => "none",
    }
}

/// Refuses what is none of the captures'.
fn nothing_more(folder: &Path, about: &Captures) -> Result<(), CaptureError> {
    let unreadable = |_| CaptureError::kept("captures", "unreadable");
    for entry in std::fs::read_dir(folder).map_err(unreadable)? {
        let name = entry.map_err(unreadable)?.file_name();
        let known = name.to_str();
        let known = known.is_some_and(|name| name == CAPTURES || about.files.contains_key(name));
        if !known {
            return Err(CaptureError::kept("none", "extra"));
        }
    }
    let letter = |c: char| c.is_ascii_alphanumeric() || "-_.".contains(c);
    let plain = |name: &String| kind(name) != "none" && name.chars().all(letter);
    if !about.files.keys().all(plain) {
        return Err(CaptureError::kept("captures", "invalid"));
    }
    Ok(())
}

/// The bytes of what vouches, with its seal.
fn sealed(about: &Captures) -> Result<Vec<u8>, CaptureError> {
    let mut about = about.clone();
    about.seal.clear();
    about.seal = sha256(&line(&about)?);
    line(&about)
}

pub(super) fn line<T: Serialize>(value: &T) -> Result<Vec<u8>, CaptureError> {
    let mut bytes = Vec::new();
    canon::append_line(&mut bytes, value)
        .map_err(|_| CaptureError::kept("capture", "unwritable"))?;
    Ok(bytes)
}

/// A private directory that captures are written into.
pub(super) struct Keeping {
    dir: PrivateDir,
    files: BTreeMap<String, String>,
}

impl Keeping {
    pub(super) fn new(dir: PrivateDir) -> Self {
        Self {
            dir,
            files: BTreeMap::new(),
        }
    }

    /// Writes a file once; bytes that were written already are not written again.
    pub(super) fn write(&mut self, name: &str, bytes: &[u8]) -> Result<(), CaptureError> {
        if self.files.contains_key(name) {
            return Ok(());
        }
        self.dir.write(name, bytes)?;
        self.files.insert(name.to_owned(), sha256(bytes));
        Ok(())
    }

    /// Vouches for all of it and gives the directory its name.
    pub(super) fn publish(mut self, mut about: Captures) -> Result<(), CaptureError> {
        about.files = self.files;
        self.dir.write(CAPTURES, &sealed(&about)?)?;
        Ok(self.dir.publish()?)
    }
}
