//! The repository of a tree, made harmless: its content without its hooks, its configuration and
//! its links. No git command of ours ever runs in the repository itself.

use std::collections::BTreeMap;
use std::ffi::{OsStr, OsString};
use std::fs;
use std::os::unix::ffi::OsStrExt as _;
use std::os::unix::fs::{OpenOptionsExt as _, symlink};
use std::path::{Component, Path, PathBuf};
use std::time::Duration;

use super::error::CaptureError;
use super::run::{End, Order, run};
use super::walk::{self, Entry, Way, bytes_of, hex, walk};
use crate::spec::sha256;

/// The most that is read of one of the repository's own files.
const MOST: u64 = 256 << 20;
/// The most that git may answer.
const ANSWER: usize = 1 << 30;
/// How long git may take.
const PATIENCE: Duration = Duration::from_secs(120);
/// How many files are asked for at once.
const BATCH: usize = 512;
/// How many repositories may lend each other their objects.
const LENDERS: usize = 5;
/// What of a configuration says how content is stored, and runs nothing.
const STORAGE: [&str; 10] = [
    "core.autocrlf",
    "core.eol",
    "core.filemode",
    "core.ignorecase",
    "core.precomposeunicode",
    "core.repositoryformatversion",
    "core.sparsecheckout",
    "core.sparsecheckoutcone",
    "core.symlinks",
    "extensions.objectformat",
];

/// `git` itself, with an environment in which nobody's configuration has a say.
pub(super) struct Git {
    pub(super) program: PathBuf,
    pub(super) environment: Vec<(OsString, OsString)>,
}

impl Git {
    /// What git answers; `None` where it does not, or refuses.
    fn ask(&self, folder: &Path, arguments: &[&str], input: Vec<u8>) -> Option<Vec<u8>> {
        let words = ["git"].iter().chain(arguments);
        let argv: Vec<OsString> = words.map(OsString::from).collect();
        let outcome = run(Order {
            program: &self.program,
            argv: &argv,
            folder,
            environment: &self.environment,
            input: Some(input),
            merged: false,
            limit: PATIENCE,
            keep: ANSWER,
        });
        let whole = usize::try_from(outcome.out.bytes).ok()? == outcome.out.kept.len();
        (outcome.end == End::Exit(0) && whole).then_some(outcome.out.kept)
    }
}

/// What is done with each file of a commit: its path, its mode, its bytes.
type EachFile<'a> = dyn FnMut(&[u8], &str, &[u8]) -> Result<(), CaptureError> + 'a;

/// Where a tree's repository lies.
#[derive(Debug, Clone)]
pub(super) struct Repository {
    own: PathBuf,
    common: PathBuf,
}

/// What a repository says of its tree.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct Stance {
    /// The commit that is checked out.
    pub(super) head: Option<String>,
    /// The digest of what is staged.
    pub(super) index: Option<String>,
}

impl Repository {
    /// The repository of a tree. A linked worktree's is taken only where it names the tree as its
    /// own, so that no tree borrows the repository of another.
    pub(super) fn of(tree: &Path) -> Option<Self> {
        let dot = tree.join(".git");
        let meta = fs::symlink_metadata(&dot).ok()?;
        if meta.is_dir() {
            return Some(Self {
                own: dot.clone(),
                common: dot,
            });
        }
        let text = bytes_of(&dot, 1 << 16)?;
        let named = line(text.strip_prefix(b"gitdir: ")?);
        let own = fs::canonicalize(tree.join(named)).ok()?;
        let back = bytes_of(&own.join("gitdir"), 1 << 16)?;
        let back = fs::canonicalize(own.join(line(&back))).ok()?;
        if back != fs::canonicalize(&dot).ok()? {
            return None;
        }
        let common = bytes_of(&own.join("commondir"), 1 << 16)?;
        let common = fs::canonicalize(own.join(line(&common))).ok()?;
        Some(Self { own, common })
    }

    /// Whether what every repository has can be read: where it stands, and its objects.
    pub(super) fn is_readable(&self) -> bool {
        let objects = self.common.join("objects");
        bytes_of(&self.own.join("HEAD"), MOST).is_some() && fs::read_dir(objects).is_ok()
    }

    /// A repository of the same content in a new folder. Its objects are copied, or lent where only
    /// our own git will read them.
    pub(super) fn neutral(&self, to: &Path, lent: bool, git: &Git) -> Result<(), CaptureError> {
        let made = |result: std::io::Result<()>| result.map_err(|_| CaptureError::workspace());
        for folder in ["objects/info", "refs/heads", "info"] {
            made(fs::create_dir_all(to.join(folder)))?;
        }
        for name in ["HEAD", "index"] {
            copy(&self.own.join(name), &to.join(name))?;
        }
        for name in ["packed-refs", "shallow"] {
            copy(&self.common.join(name), &to.join(name))?;
        }
        for name in ["exclude", "sparse-checkout"] {
            copy(
                &self.common.join("info").join(name),
                &to.join("info").join(name),
            )?;
        }
        for entry in fs::read_dir(&self.own).into_iter().flatten().flatten() {
            let name = entry.file_name();
            if name.as_bytes().starts_with(b"sharedindex.") {
                copy(&entry.path(), &to.join(name))?;
            }
        }
        self.whole("refs", to)?;
        let objects = to.join("objects");
        let lenders = objects.join("info/alternates");
        if lent {
            let path = self.common.join("objects");
            made(fs::write(
                lenders,
                [path.as_os_str().as_bytes(), b"\n"].concat(),
            ))?;
        } else {
            lend(&self.common.join("objects"), &objects, 0)?;
        }
        made(fs::write(to.join("config"), self.config(to, git)))
    }

    /// Copies a folder of the repository without its links.
    fn whole(&self, name: &str, to: &Path) -> Result<(), CaptureError> {
        let from = self.common.join(name);
        if fs::symlink_metadata(&from).is_ok_and(|meta| meta.is_dir()) {
            plain(&from, &to.join(name))?;
        }
        Ok(())
    }

    /// A configuration that says how content is stored and nothing else: no program to run, no
    /// address, no key.
    fn config(&self, to: &Path, git: &Git) -> String {
        let own = bytes_of(&self.common.join("config"), 1 << 20).unwrap_or_default();
        let asked = ["config", "--file", "-", "--no-includes", "-z", "--list"];
        let listed = git.ask(to, &asked, own).unwrap_or_default();
        let mut kept: BTreeMap<&str, String> = BTreeMap::new();
        for pair in listed.split(|byte| *byte == 0) {
            let pair = String::from_utf8_lossy(pair);
            let (key, value) = pair.split_once('\n').unwrap_or((&pair, "true"));
            let plain = value.bytes().all(|byte| byte.is_ascii_alphanumeric());
            if let Some(key) = STORAGE.iter().find(|known| **known == key)
                && plain
            {
                kept.insert(key, value.to_owned());
            }
        }
        let mut text = "[core]\n\tbare = false\n".to_owned();
        for (key, value) in kept {
            if let Some((section, name)) = key.split_once('.') {
                text.push_str(&format!("[{section}]\n\t{name} = {value}\n"));
            }
        }
        text
    }

    /// What the repository says of its tree, read in a copy of its own in a new folder.
    pub(super) fn stance(&self, at: &Path, git: &Git) -> Result<Stance, CaptureError> {
        self.neutral(at, true, git)?;
        let folder = format!("--git-dir={}", at.to_string_lossy());
        let head = [folder.as_str(), "rev-parse", "--verify", "--quiet", "HEAD"];
        let head = git.ask(at, &head, Vec::new());
        let head = head.and_then(|bytes| String::from_utf8(bytes).ok());
        let index = [folder.as_str(), "ls-files", "--stage", "-z"];
        let index = git.ask(at, &index, Vec::new());
        Ok(Stance {
            head: head.map(|text| text.trim().to_owned()),
            index: index.map(|bytes| sha256(&bytes)),
        })
    }

    /// Shows every file of a commit; `None` where it cannot be read as a whole.
    pub(super) fn files(
        &self,
        commit: &str,
        at: &Path,
        git: &Git,
        each: &mut EachFile<'_>,
    ) -> Result<Option<()>, CaptureError> {
        self.neutral(at, true, git)?;
        let folder = format!("--git-dir={}", at.to_string_lossy());
        let list = [
            folder.as_str(),
            "ls-tree",
            "-r",
            "-z",
            "--full-tree",
            commit,
        ];
        let Some(list) = git.ask(at, &list, Vec::new()) else {
            return Ok(None);
        };
        let rows: Option<Vec<Row<'_>>> = list
            .split(|byte| *byte == 0)
            .filter(|row| !row.is_empty())
            .map(row)
            .collect();
        let Some(mut rows) = rows else {
            return Ok(None);
        };
        rows.retain(|row| row.kind == "blob");
        for rows in rows.chunks(BATCH) {
            let asked: String = rows.iter().map(|row| format!("{}\n", row.id)).collect();
            let batch = [folder.as_str(), "cat-file", "--batch"];
            let Some(answer) = git.ask(at, &batch, asked.into_bytes()) else {
                return Ok(None);
            };
            let mut rest = answer.as_slice();
            for row in rows {
                let Some(bytes) = next(&mut rest) else {
                    return Ok(None);
                };
                each(row.path, row.mode, bytes)?;
            }
        }
        Ok(Some(()))
    }

    /// Writes every file of a commit into a folder.
    pub(super) fn export(
        &self,
        commit: &str,
        at: &Path,
        to: &Path,
        git: &Git,
    ) -> Result<Option<()>, CaptureError> {
        let mut links: Vec<(PathBuf, Vec<u8>)> = Vec::new();
        let exported = self.files(commit, at, git, &mut |path, mode, bytes| {
            let path = Path::new(OsStr::from_bytes(path));
            let plain = |part| matches!(part, Component::Normal(name) if name != ".git");
            if !path.components().all(plain) {
                return Err(CaptureError::new("base", "path"));
            }
            let path = to.join(path);
            if mode == "120000" {
                links.push((path, bytes.to_vec()));
                return Ok(());
            }
            let mode = if mode == "100755" { 0o755 } else { 0o644 };
            let write = || {
                fs::create_dir_all(path.parent().unwrap_or(to))?;
                let mut options = fs::File::options();
                let mut file = options
                    .write(true)
                    .create_new(true)
                    .mode(mode)
                    .open(&path)?;
                std::io::Write::write_all(&mut file, bytes)
            };
            write().map_err(|_| CaptureError::workspace())
        })?;
        // Links come last, so that no file is written through one.
        for (path, target) in links {
            let write = || {
                fs::create_dir_all(path.parent().unwrap_or(to))?;
                symlink(OsStr::from_bytes(&target), &path)
            };
            write().map_err(|_| CaptureError::workspace())?;
        }
        Ok(exported)
    }

    /// What a commit holds, as a walk through its tree would tell it.
    pub(super) fn entries(
        &self,
        commit: &str,
        at: &Path,
        git: &Git,
    ) -> Result<Option<BTreeMap<Vec<u8>, Entry>>, CaptureError> {
        let mut all = BTreeMap::new();
        let read = self.files(commit, at, git, &mut |path, mode, bytes| {
            let entry = match mode {
                "120000" => Entry::Link(bytes.to_vec()),
                mode => Entry::File(sha256(bytes), mode == "100755"),
            };
            if !is_compiled(path) {
                all.insert(path.to_vec(), entry);
            }
            Ok(())
        })?;
        Ok(read.map(|()| all))
    }
}

/// Whether a walk would take a path for compiled code.
fn is_compiled(path: &[u8]) -> bool {
    let mut parts = path.split(|byte| *byte == b'/');
    path.ends_with(b".pyc") || path.ends_with(b".pyo") || parts.any(|part| part == b"__pycache__")
}

/// A path that a file of one line tells.
fn line(bytes: &[u8]) -> &Path {
    Path::new(OsStr::from_bytes(bytes.trim_ascii_end()))
}

/// Copies a regular file, where it is one.
fn copy(from: &Path, to: &Path) -> Result<(), CaptureError> {
    match bytes_of(from, MOST) {
        Some(bytes) => fs::write(to, bytes).map_err(|_| CaptureError::workspace()),
        None => Ok(()),
    }
}

/// Copies a folder without its links.
fn plain(from: &Path, to: &Path) -> Result<(), CaptureError> {
    let way = Way {
        to: Some(to),
        fresh: false,
        home: from,
    };
    walk(from, way).map(|_| ()).map_err(|error| match error {
        CaptureError::Field { kind, .. } => CaptureError::new("repository", kind),
        other => other,
    })
}

/// Copies objects, those of other repositories that lend them too. A lender is named by the tree,
/// so that only what is named as objects are is read of it.
fn lend(from: &Path, to: &Path, depth: usize) -> Result<(), CaptureError> {
    let hex = |name: &[u8]| name.iter().all(u8::is_ascii_hexdigit);
    for folder in names(from).into_iter().filter(|name| name.len() == 2) {
        if hex(&folder) {
            let object = |name: &[u8]| matches!(name.len(), 38 | 62) && hex(name);
            pick(from, to, &folder, object)?;
        }
    }
    let pack = |name: &[u8]| {
        let end = name.rsplit(|byte| *byte == b'.').next();
        name.starts_with(b"pack-") && matches!(end, Some(b"pack" | b"idx" | b"rev"))
    };
    pick(from, to, b"pack", pack)?;
    if depth < LENDERS {
        let listed = bytes_of(&from.join("info/alternates"), 1 << 20).unwrap_or_default();
        let lines = listed.split(|byte| *byte == b'\n');
        for other in lines.filter(|line| !line.is_empty() && line[0] != b'#') {
            if let Ok(other) = fs::canonicalize(from.join(OsStr::from_bytes(other))) {
                lend(&other, to, depth + 1)?;
            }
        }
    }
    Ok(())
}

/// The names in a folder; none where it is a link.
fn names(folder: &Path) -> Vec<Vec<u8>> {
    if !fs::symlink_metadata(folder).is_ok_and(|meta| meta.is_dir()) {
        return Vec::new();
    }
    let entries = fs::read_dir(folder).into_iter().flatten().flatten();
    let names = entries.map(|entry| entry.file_name().as_bytes().to_vec());
    names.collect()
}

/// Copies some files of a folder.
fn pick(
    from: &Path,
    to: &Path,
    folder: &[u8],
    wanted: impl Fn(&[u8]) -> bool,
) -> Result<(), CaptureError> {
    let (from, to) = (
        from.join(OsStr::from_bytes(folder)),
        to.join(OsStr::from_bytes(folder)),
    );
    for name in names(&from).into_iter().filter(|name| wanted(name)) {
        let name = OsStr::from_bytes(&name);
        let Some(mut file) = walk::open(rustix::fs::CWD, from.join(name).as_os_str()) else {
            continue;
        };
        let mut write = || {
            fs::create_dir_all(&to)?;
            let mut options = fs::File::options();
            let mut new = options.write(true).create_new(true).open(to.join(name))?;
            std::io::copy(&mut file, &mut new).map(|_| ())
        };
        match write() {
            // Repositories that lend each other objects may have the same.
            Err(error) if error.kind() != std::io::ErrorKind::AlreadyExists => {
                return Err(CaptureError::workspace());
            }
            _ => {}
        }
    }
    Ok(())
}

/// A row of `ls-tree`.
struct Row<'a> {
    mode: &'a str,
    kind: &'a str,
    id: &'a str,
    path: &'a [u8],
}

fn row(bytes: &[u8]) -> Option<Row<'_>> {
    let tab = memchr::memchr(b'\t', bytes)?;
    let mut words = std::str::from_utf8(&bytes[..tab]).ok()?.split(' ');
    Some(Row {
        mode: words.next()?,
        kind: words.next()?,
        id: words.next()?,
        path: &bytes[tab + 1..],
    })
}

/// The next object of `cat-file --batch`.
fn next<'a>(rest: &mut &'a [u8]) -> Option<&'a [u8]> {
    let end = memchr::memchr(b'\n', rest)?;
    let head = std::str::from_utf8(&rest[..end]).ok()?;
    let size: usize = head.rsplit(' ').next()?.parse().ok()?;
    let bytes = rest.get(end + 1..end + 1 + size)?;
    *rest = rest.get(end + 2 + size..)?;
    Some(bytes)
}

/// The tree's state in one digest: its files, its commit, what is staged.
pub(super) fn state(files: &str, stance: &Stance) -> String {
    use sha2::{Digest as _, Sha256};
    let mut hasher = Sha256::new();
    for part in [Some(files), stance.head.as_deref(), stance.index.as_deref()] {
        hasher.update(part.unwrap_or("none").as_bytes());
        hasher.update(b"\n");
    }
    hex(&hasher.finalize())
}
