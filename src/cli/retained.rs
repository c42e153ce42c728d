//! What a private directory keeps, and the proof that it still is what was kept.
//!
//! Each file has a role. The context names the SHA-256 of the others by their roles, and ends in a
//! seal: the SHA-256 of the context itself with an empty seal. The private values have a seal of
//! their own, since they tell of the machine, and the context is the same on all; they name the
//! context that they belong to.

use std::collections::BTreeMap;
use std::fs::File;
use std::io::{Read as _, Seek as _, Write};
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};
use sha2::{Digest as _, Sha256};

use super::RunError;
use super::bind::line;
use crate::grade::hex;
use crate::private::{Kind, Planned, PrivateDir, PrivateFile, Refusal};

/// The file that tells of all the others.
const CONTEXT: &str = "context.json";
/// The role that the context has in refusals.
const CONTEXT_ROLE: &str = "context";
/// The file of private values, and its role.
const CANARY: &str = "canary.json";
const CANARY_ROLE: &str = "canary";
/// Every other file by its role.
const FILES: [(&str, &str); 13] = [
    ("aggregate", "aggregate.json"),
    ("awaited", "awaited.jsonl"),
    ("bindings", "bindings.json"),
    ("captures", "captures.json"),
    ("controls", "controls.jsonl"),
    ("grades", "grades.jsonl"),
    ("identity", "identity.json"),
    ("join", "join.jsonl"),
    ("judgments", "judgments.jsonl"),
    ("keys", "keys.json"),
    ("policy", "policy.toml"),
    ("records", "records.jsonl.zst"),
    ("spec", "spec.json"),
];
/// What a sealed file ends in, around its seal.
const SEAL: (&str, &str) = ("\"seal\":\"", "\"}\n");
/// How the folders of runs that are not over are called.
const UNFINISHED: (&str, &str) = (".deedcheck-", ".partial");

/// SHA-256 of files by their roles.
pub(super) type Digests = BTreeMap<String, String>;

/// What a context says of the run that another one graded again.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(
    feature = "schema",
    derive(schemars::JsonSchema),
    schemars(deny_unknown_fields)
)]
pub(super) struct RegradedFrom {
    /// The version of the program that it ran.
    pub(super) version: String,
    /// SHA-256 of its context.
    pub(super) context_sha256: String,
    /// SHA-256 of its rows.
    pub(super) grades_sha256: String,
    /// Whether it ran another version.
    pub(super) other_version: bool,
    /// Whether it judged by other rules: another profile, preset, policy or choice of rules, or
    /// other judgments.
    pub(super) other_rules: bool,
}

/// The private values of a run, for later checks of what is published of it.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
#[cfg_attr(
    feature = "schema",
    derive(schemars::JsonSchema),
    schemars(deny_unknown_fields)
)]
pub(super) struct CanaryValues {
    /// The format: `deedcheck/canary/1`.
    schema: String,
    /// SHA-256 of the context that they belong to.
    context: String,
    /// Values by their kind, sorted.
    values: BTreeMap<String, Vec<String>>,
    /// SHA-256 of this file with an empty seal.
    seal: String,
}

/// The schema that the private values of a run name.
pub(super) const CANARY_SCHEMA: &str = "deedcheck/canary/1";

impl CanaryValues {
    pub(super) fn of(values: &[(Kind, String)], context: &[u8]) -> Self {
        let mut by_kind: BTreeMap<String, Vec<String>> = BTreeMap::new();
        for (kind, value) in values.iter().filter(|(_, value)| !value.is_empty()) {
            let kind = by_kind.entry(kind.as_str().to_owned()).or_default();
            kind.push(value.clone());
        }
        for values in by_kind.values_mut() {
            values.sort();
            values.dedup();
        }
        Self {
            schema: CANARY_SCHEMA.to_owned(),
            context: hex(&Sha256::digest(context)),
            values: by_kind,
            seal: String::new(),
        }
    }

    /// The values with their kinds; a kind that is not known is passed over.
    pub(super) fn values(self) -> Vec<(Kind, String)> {
        let known = |word: &str| Kind::ALL.iter().copied().find(|kind| kind.as_str() == word);
        let of_kind = |(word, values): (String, Vec<String>)| {
            let kind = known(&word);
            let values = values.into_iter();
            values.filter_map(move |value| Some((kind?, value)))
        };
        self.values.into_iter().flat_map(of_kind).collect()
    }
}

fn file_of(role: &str) -> Option<&'static str> {
    let found = FILES.iter().find(|(known, _)| *known == role);
    found.map(|(_, file)| *file)
}

/// A private directory while it is written.
pub(super) struct Retaining {
    dir: PrivateDir,
    digests: Digests,
}

/// A file that is written as it comes.
pub(super) struct Stream {
    role: &'static str,
    file: PrivateFile,
    hasher: Sha256,
}

impl Write for Stream {
    fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
        let written = self.file.write(bytes)?;
        self.hasher.update(&bytes[..written]);
        Ok(written)
    }

    fn flush(&mut self) -> std::io::Result<()> {
        self.file.flush()
    }
}

impl Retaining {
    /// Begins a private directory.
    ///
    /// # Errors
    /// `E_WRITE`.
    pub(super) fn create(planned: &Planned) -> Result<Self, Refusal> {
        Ok(Self {
            dir: PrivateDir::create(planned)?,
            digests: Digests::new(),
        })
    }

    /// Begins the file of a role.
    ///
    /// # Errors
    /// `E_WRITE`.
    pub(super) fn stream(&mut self, role: &'static str) -> Result<Stream, Refusal> {
        Ok(Stream {
            role,
            file: self.dir.file(file_of(role).unwrap_or(role))?,
            hasher: Sha256::new(),
        })
    }

    /// Ends such a file.
    ///
    /// # Errors
    /// `E_WRITE` with the first error met.
    pub(super) fn keep(&mut self, stream: Stream) -> Result<(), Refusal> {
        stream.file.finish()?;
        let digest = hex(&stream.hasher.finalize());
        self.digests.insert(stream.role.to_owned(), digest);
        Ok(())
    }

    /// Writes the file of a role as a whole.
    ///
    /// # Errors
    /// `E_WRITE`.
    pub(super) fn write(&mut self, role: &'static str, bytes: &[u8]) -> Result<(), Refusal> {
        let mut stream = self.stream(role)?;
        // A failure is kept inside the file, and `keep` names it.
        let _ = stream.write_all(bytes);
        self.keep(stream)
    }

    /// The digests of what was written so far.
    pub(super) fn digests(&self) -> &Digests {
        &self.digests
    }

    /// Writes the private values and the context, whose last field is an empty `seal`, and gives
    /// the directory its name.
    ///
    /// # Errors
    /// `E_WRITE`, and `E_PATH` where something came into being there meanwhile.
    pub(super) fn publish<T: Serialize>(
        mut self,
        private: &[(Kind, String)],
        context: &T,
    ) -> Result<(), RunError> {
        let context = sealed(context)?;
        let values = CanaryValues::of(private, &context);
        self.dir.write(CANARY, &sealed(&values)?)?;
        self.dir.write(CONTEXT, &context)?;
        Ok(self.dir.publish()?)
    }
}

/// One line with its seal, which is its last field and empty.
pub(super) fn sealed<T: Serialize>(value: &T) -> Result<Vec<u8>, RunError> {
    let bytes = line(value)?;
    let seal = hex(&Sha256::digest(&bytes));
    let open = bytes.len().saturating_sub(SEAL.1.len());
    Ok([&bytes[..open], seal.as_bytes(), &bytes[open..]].concat())
}

/// Whether the seal of such a line holds.
pub(super) fn unsealed(bytes: &[u8], role: &'static str) -> Result<(), RunError> {
    const DIGITS: usize = 64;
    let invalid = || refused(role, "invalid");
    let digits = bytes.len().checked_sub(DIGITS + SEAL.1.len());
    let (before, rest) = bytes.split_at(digits.ok_or_else(invalid)?);
    let (seal, after) = rest.split_at(DIGITS);
    if !before.ends_with(SEAL.0.as_bytes()) || after != SEAL.1.as_bytes() {
        return Err(invalid());
    }
    if hex(&Sha256::digest([before, after].concat())).as_bytes() != seal {
        return Err(refused(role, "digest"));
    }
    Ok(())
}

/// The part of a context that is the same whatever was graded.
#[derive(Deserialize)]
struct Told {
    schema: String,
    files: Digests,
}

/// A private directory that is what it was when it was written.
pub(super) struct Retained {
    folder: PathBuf,
    /// The format of its context.
    pub(super) schema: String,
    /// Its context.
    pub(super) context: Vec<u8>,
    canary: CanaryValues,
    /// The digests of its other files by their roles.
    pub(super) digests: Digests,
}

fn refused(role: &'static str, kind: &'static str) -> RunError {
    RunError::Retained { role, kind }
}

/// Opens a file of the directory, no link followed.
fn open(path: &Path, role: &'static str) -> Result<File, RunError> {
    let kind = |error: std::io::Error| match error.kind() {
        std::io::ErrorKind::NotFound => refused(role, "missing"),
        _ => refused(role, "unreadable"),
    };
    if !std::fs::symlink_metadata(path).map_err(kind)?.is_file() {
        return Err(refused(role, "not-regular"));
    }
    File::open(path).map_err(kind)
}

fn whole(mut file: File, role: &'static str) -> Result<Vec<u8>, RunError> {
    let mut bytes = Vec::new();
    file.read_to_end(&mut bytes)
        .map_err(|_| refused(role, "unreadable"))?;
    Ok(bytes)
}

/// Copies a file and tells its digest.
fn copied(file: &mut File, to: &mut dyn Write, role: &'static str) -> Result<String, RunError> {
    let mut hasher = Sha256::new();
    let mut buffer = vec![0; 1 << 17];
    loop {
        let read = file.read(&mut buffer);
        let read = read.map_err(|_| refused(role, "unreadable"))?;
        if read == 0 {
            return Ok(hex(&hasher.finalize()));
        }
        hasher.update(&buffer[..read]);
        // Where it goes keeps its own error.
        let _ = to.write_all(&buffer[..read]);
    }
}

impl Retained {
    /// Holds every file of a private directory against its digest.
    ///
    /// # Errors
    /// `E_ARGUMENT field=--from` for no such directory, and `E_RETAINED` with the role of a file
    /// that is missing, unreadable, changed or none of the run's.
    pub(super) fn verify(folder: &Path) -> Result<Self, RunError> {
        let wrong = |kind| RunError::Argument {
            field: "--from",
            kind,
        };
        let meta = std::fs::metadata(folder).map_err(|error| match error.kind() {
            std::io::ErrorKind::NotFound => wrong("missing"),
            _ => wrong("unreadable"),
        })?;
        if !meta.is_dir() {
            return Err(wrong("not-directory"));
        }
        let real = std::fs::canonicalize(folder).map_err(|_| wrong("unreadable"))?;
        let name = real.file_name().map(|name| name.to_string_lossy());
        if name.is_some_and(|name| name.starts_with(UNFINISHED.0) && name.ends_with(UNFINISHED.1)) {
            return Err(wrong("unfinished"));
        }
        let context = whole(open(&real.join(CONTEXT), CONTEXT_ROLE)?, CONTEXT_ROLE)?;
        unsealed(&context, CONTEXT_ROLE)?;
        let told: Told =
            serde_json::from_slice(&context).map_err(|_| refused(CONTEXT_ROLE, "invalid"))?;
        let canary = whole(open(&real.join(CANARY), CANARY_ROLE)?, CANARY_ROLE)?;
        unsealed(&canary, CANARY_ROLE)?;
        let canary: CanaryValues =
            serde_json::from_slice(&canary).map_err(|_| refused(CANARY_ROLE, "invalid"))?;
        if canary.context != hex(&Sha256::digest(&context)) {
            return Err(refused(CANARY_ROLE, "other-run"));
        }
        for (role, digest) in &told.files {
            let known = FILES.iter().find(|(known, _)| known == role);
            let (role, file) = known.ok_or(refused(CONTEXT_ROLE, "invalid"))?;
            let mut file = open(&real.join(file), role)?;
            if copied(&mut file, &mut std::io::sink(), role)? != *digest {
                return Err(refused(role, "digest"));
            }
        }
        nothing_more(&real, &told.files)?;
        Ok(Self {
            folder: real,
            schema: told.schema,
            context,
            canary,
            digests: told.files,
        })
    }

    /// Whether there is a file of a role.
    pub(super) fn has(&self, role: &str) -> bool {
        self.digests.contains_key(role)
    }

    /// The bytes of a role's file.
    ///
    /// # Errors
    /// `E_RETAINED`: there is none, or it is no longer what it was a moment ago.
    pub(super) fn bytes(&self, role: &'static str) -> Result<Vec<u8>, RunError> {
        let bytes = whole(self.file(role)?, role)?;
        if self.digests.get(role) != Some(&hex(&Sha256::digest(&bytes))) {
            return Err(refused(role, "digest"));
        }
        Ok(bytes)
    }

    /// The text of a role's file.
    ///
    /// # Errors
    /// As for [`Self::bytes`], and for bytes that are no text.
    pub(super) fn text(&self, role: &'static str) -> Result<String, RunError> {
        String::from_utf8(self.bytes(role)?).map_err(|_| refused(role, "invalid"))
    }

    /// A role's file, open at its beginning.
    ///
    /// # Errors
    /// `E_RETAINED`: there is none, or it cannot be opened.
    pub(super) fn file(&self, role: &'static str) -> Result<File, RunError> {
        let file = file_of(role).filter(|_| self.has(role));
        open(
            &self.folder.join(file.ok_or(refused(role, "not-kept"))?),
            role,
        )
    }

    /// Where a role's file lies.
    ///
    /// # Errors
    /// `E_RETAINED`: there is none.
    pub(super) fn path(&self, role: &'static str) -> Result<PathBuf, RunError> {
        let file = file_of(role).filter(|_| self.has(role));
        Ok(self.folder.join(file.ok_or(refused(role, "not-kept"))?))
    }

    /// Copies a role's file into a directory that is being written, and gives it back open at its
    /// beginning.
    ///
    /// # Errors
    /// `E_RETAINED` and `E_WRITE`.
    pub(super) fn copy(&self, role: &'static str, to: &mut Retaining) -> Result<File, RunError> {
        let mut file = self.file(role)?;
        let mut stream = to.stream(role)?;
        let digest = copied(&mut file, &mut stream, role)?;
        to.keep(stream)?;
        if self.digests.get(role) != Some(&digest) {
            return Err(refused(role, "digest"));
        }
        file.rewind().map_err(|_| refused(role, "unreadable"))?;
        Ok(file)
    }

    /// The context, read as one of a kind.
    ///
    /// # Errors
    /// `E_RETAINED role=context kind=invalid`.
    pub(super) fn context<T: for<'de> Deserialize<'de>>(&self) -> Result<T, RunError> {
        let read = serde_json::from_slice(&self.context);
        read.map_err(|_| refused(CONTEXT_ROLE, "invalid"))
    }

    /// The private values that were kept.
    pub(super) fn canary(&self) -> Vec<(Kind, String)> {
        self.canary.clone().values()
    }
}

/// Refuses what is none of the run's.
fn nothing_more(folder: &Path, files: &Digests) -> Result<(), RunError> {
    let unreadable = |_| RunError::Argument {
        field: "--from",
        kind: "unreadable",
    };
    for entry in std::fs::read_dir(folder).map_err(unreadable)? {
        let name = entry.map_err(unreadable)?.file_name();
        if name == CONTEXT || name == CANARY {
            continue;
        }
        let known = FILES.iter().find(|(_, file)| name == *file);
        match known {
            Some((role, _)) if files.contains_key(*role) => {}
            Some((role, _)) => return Err(refused(role, "extra")),
            None => return Err(refused("none", "extra")),
        }
    }
    Ok(())
}
