//! What the runs of an experiment were launched with.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use serde::Serialize;

use super::error::FrozenError;
use crate::capture::Conditions;
use crate::oracle::Instant;
use crate::spec::{At, FieldError, Node, Sealed, Spec, sha256};

/// The format of a launch file.
pub const LAUNCH_SCHEMA: &str = "deedcheck/launch/1";
/// The format of bindings.
pub const BINDINGS_SCHEMA: &str = "deedcheck/bindings/1";
/// The most that is read of a retained input, in bytes.
const MOST: u64 = 1 << 30;

/// What an experiment's runs were launched with: written by hand or by a driver as a launch file,
/// looked at, and kept as bindings. Private.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(
    feature = "schema",
    derive(schemars::JsonSchema),
    schemars(deny_unknown_fields)
)]
pub struct Bindings {
    /// The format: `deedcheck/launch/1` as it is handed in, `deedcheck/bindings/1` as it is kept.
    pub schema: &'static str,
    /// The seal of the spec that was launched.
    pub spec: String,
    /// The run's own id: 8 to 64 letters, digits, `-` and `_`.
    pub run: String,
    /// Each arm of the spec.
    pub arms: BTreeMap<String, BoundArm>,
    /// When runs went on.
    pub windows: Vec<Window>,
    /// The folders that transcripts and answers lie under, by name. A relative one is relative to
    /// the folder that the bindings lie in.
    pub roots: BTreeMap<String, String>,
}

/// One arm as it was launched.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(
    feature = "schema",
    derive(schemars::JsonSchema),
    schemars(deny_unknown_fields)
)]
pub struct BoundArm {
    /// Its working tree. A relative one is relative to the folder that the bindings lie in.
    pub tree: String,
    /// The commit that the tree was at: 40 hexadecimal digits.
    pub base: String,
    /// Files of the tree that were kept as they were, each with its digest.
    pub inputs: Vec<Input>,
    /// A value that was planted in this tree and no other.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub sentinel: Option<Sentinel>,
    /// The servers whose tools its clients could call, for `role-config`.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "schema", schemars(default))]
    pub servers: Option<Vec<String>>,
    /// Other folders that its sessions may work in, such as clones of its tree.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    #[cfg_attr(feature = "schema", schemars(default))]
    pub folders: Vec<String>,
    /// What its client ran commands under, for `deedcheck capture`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub conditions: Option<Conditions>,
}

/// A file that was kept as it was.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(
    feature = "schema",
    derive(schemars::JsonSchema),
    schemars(deny_unknown_fields)
)]
pub struct Input {
    /// Its path in the tree.
    pub path: String,
    /// Its SHA-256.
    pub sha256: String,
}

/// A value that was planted in one tree.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(
    feature = "schema",
    derive(schemars::JsonSchema),
    schemars(deny_unknown_fields)
)]
pub struct Sentinel {
    /// The value.
    pub value: String,
    /// Its SHA-256.
    pub sha256: String,
}

/// A time in which runs went on.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(
    feature = "schema",
    derive(schemars::JsonSchema),
    schemars(deny_unknown_fields)
)]
pub struct Window {
    /// Its id.
    pub id: String,
    /// Its beginning, such as `2026-03-02T09:00:00Z`.
    pub since: String,
    /// Its end.
    pub until: String,
}

impl Bindings {
    /// The folder of a root.
    #[must_use]
    pub fn root(&self, name: &str, beside: &Path) -> Option<PathBuf> {
        self.roots.get(name).map(|root| beside.join(root))
    }
}

/// Whether the repository of a tree has a commit; `None` where the tree lies in none.
pub type HasCommit<'a> = &'a dyn Fn(&Path, &str) -> Option<bool>;

/// Bindings from a launch file: every field is looked at, every retained input is read and held
/// against its digest, and every base is looked up in its tree's repository. `beside` is the folder
/// that relative paths are relative to. Beside the bindings: the arms whose tree lies in no
/// repository, so that their base could not be looked up.
///
/// # Errors
/// `E_BIND` with the field and what is wrong with it.
pub fn bind(
    text: &str,
    sealed: &Sealed,
    beside: &Path,
    has: HasCommit<'_>,
) -> Result<(Bindings, Vec<String>), FrozenError> {
    let node = Node::parse(text).map_err(FrozenError::Bind)?;
    let mut bindings = read(&node, LAUNCH_SCHEMA, sealed).map_err(|error| located(error, &node))?;
    verify(&bindings, beside).map_err(|error| located(error, &node))?;
    let unseen = bases(&bindings, beside, has).map_err(|error| located(error, &node))?;
    for arm in bindings.arms.values_mut() {
        arm.real();
    }
    bindings.schema = BINDINGS_SCHEMA;
    Ok((bindings, unseen))
}

impl BoundArm {
    /// Adds where its tree really lies, where a link leads there: that is the folder that a client tells.
    fn real(&mut self) {
        if !is_absolute(&self.tree) {
            return;
        }
        let real = std::fs::canonicalize(&self.tree).ok();
        let real = real.and_then(|path| path.to_str().map(str::to_owned));
        let known = |path: &String| *path == self.tree || self.folders.contains(path);
        if let Some(real) = real.filter(|path| !known(path)) {
            self.folders.push(real);
        }
    }

    /// Whether a session that works in a folder may be one of the arm; `None` where that cannot be told, because the
    /// tree's own place is not.
    #[must_use]
    pub fn may_work_in(&self, cwd: &str) -> Option<bool> {
        let cwd = lexical(cwd);
        if !is_absolute(&self.tree) || !is_absolute(&cwd) {
            return None;
        }
        let mut folders = self.folders.iter().chain([&self.tree]);
        Some(folders.any(|folder| {
            let folder = lexical(folder);
            let rest = cwd.strip_prefix(folder.trim_end_matches('/'));
            rest.is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
        }))
    }
}

/// A path with `/` and without `.` and `..`, which as text may seem to lie in a folder that they lead out of.
fn lexical(path: &str) -> String {
    let slashed = path.replace('\\', "/");
    let mut parts: Vec<&str> = Vec::new();
    for part in slashed.split('/') {
        match part {
            "." => {}
            ".." => {
                // The root's parent is the root.
                if parts
                    .last()
                    .is_some_and(|own| !own.is_empty() && !own.ends_with(':'))
                {
                    parts.pop();
                }
            }
            part => parts.push(part),
        }
    }
    parts.join("/")
}

fn is_absolute(path: &str) -> bool {
    path.starts_with(['/', '\\']) || path.get(1..2) == Some(":")
}

fn bases(
    bindings: &Bindings,
    beside: &Path,
    has: HasCommit<'_>,
) -> Result<Vec<String>, FieldError> {
    let mut unseen = Vec::new();
    for (name, arm) in &bindings.arms {
        match has(&beside.join(&arm.tree), &arm.base) {
            Some(true) => {}
            Some(false) => {
                return Err(FieldError::new(
                    format!("arms.{name}.base"),
                    "unknown-commit",
                ));
            }
            None => unseen.push(name.clone()),
        }
    }
    Ok(unseen)
}

fn located(error: FieldError, node: &Node) -> FrozenError {
    let line = error.line.or_else(|| node.line_of(&error.field));
    FrozenError::Bind(error.at(line))
}

/// Reads bindings that were kept.
///
/// # Errors
/// `E_BIND` with the field and what is wrong with it.
pub fn read_bindings(text: &str, sealed: &Sealed) -> Result<Bindings, FrozenError> {
    let node = Node::json(text).map_err(FrozenError::Bind)?;
    read(&node, BINDINGS_SCHEMA, sealed).map_err(FrozenError::Bind)
}

fn read(node: &Node, schema: &'static str, sealed: &Sealed) -> Result<Bindings, FieldError> {
    let mut root = At::root(node).table()?;
    let schema = root.need("schema")?.one_of(&[schema])?;
    let spec = root.need("spec")?;
    if spec.hex(64)? != sealed.seal {
        return Err(spec.fail("other-spec"));
    }
    let bindings = Bindings {
        schema,
        spec: sealed.seal.clone(),
        run: run_id(&root.need("run")?)?,
        arms: arms(&root.need("arms")?, &sealed.spec)?,
        windows: windows(&root.need("windows")?)?,
        roots: root
            .need("roots")?
            .entries()?
            .into_iter()
            .map(|(name, at)| Ok((name, at.words()?)))
            .collect::<Result<_, FieldError>>()?,
    };
    root.done()?;
    Ok(bindings)
}

fn run_id(at: &At<'_>) -> Result<String, FieldError> {
    let text = at.text()?;
    let plain = |b: u8| b.is_ascii_alphanumeric() || matches!(b, b'-' | b'_');
    if (8..=64).contains(&text.len()) && text.bytes().all(plain) {
        Ok(text.to_owned())
    } else {
        Err(at.fail("run-id"))
    }
}

fn arms(at: &At<'_>, spec: &Spec) -> Result<BTreeMap<String, BoundArm>, FieldError> {
    let mut fields = at.table()?;
    let mut arms = BTreeMap::new();
    for arm in &spec.arms {
        let bound = arm_of(&fields.need(&arm.id)?)?;
        arms.insert(arm.id.clone(), bound);
    }
    fields.done()?;
    Ok(arms)
}

fn arm_of(at: &At<'_>) -> Result<BoundArm, FieldError> {
    let mut fields = at.table()?;
    let arm = BoundArm {
        tree: fields.need("tree")?.words()?,
        base: fields.need("base")?.hex(40)?,
        inputs: fields
            .need("inputs")?
            .list()?
            .iter()
            .map(input)
            .collect::<Result<_, _>>()?,
        sentinel: fields.may("sentinel").map(|at| sentinel(&at)).transpose()?,
        servers: fields.may("servers").map(|at| servers(&at)).transpose()?,
        folders: match fields.may("folders") {
            None => Vec::new(),
            Some(at) => {
                let folders = at.list()?.into_iter();
                let folders = folders.map(|own| own.words());
                folders.collect::<Result<_, _>>()?
            }
        },
        conditions: fields
            .may("conditions")
            .map(|at| Conditions::read(&at))
            .transpose()?,
    };
    fields.done()?;
    Ok(arm)
}

fn servers(at: &At<'_>) -> Result<Vec<String>, FieldError> {
    let list = at.list()?;
    let mut all = Vec::with_capacity(list.len());
    for at in &list {
        let own = at.words()?;
        if all.contains(&own) {
            return Err(at.fail("duplicate"));
        }
        all.push(own);
    }
    all.sort();
    Ok(all)
}

fn input(at: &At<'_>) -> Result<Input, FieldError> {
    let mut fields = at.table()?;
    let input = Input {
        path: fields.need("path")?.relative()?,
        sha256: fields.need("sha256")?.hex(64)?,
    };
    fields.done()?;
    Ok(input)
}

fn sentinel(at: &At<'_>) -> Result<Sentinel, FieldError> {
    let mut fields = at.table()?;
    let value = fields.need("value")?;
    let digest = fields.need("sha256")?;
    let sentinel = Sentinel {
        value: value.words()?,
        sha256: digest.hex(64)?,
    };
    if sha256(sentinel.value.as_bytes()) != sentinel.sha256 {
        return Err(digest.fail("digest"));
    }
    fields.done()?;
    Ok(sentinel)
}

fn windows(at: &At<'_>) -> Result<Vec<Window>, FieldError> {
    let mut windows: Vec<Window> = Vec::new();
    for at in at.some()? {
        let mut fields = at.table()?;
        let id = fields.need("id")?;
        let until = fields.need("until")?;
        let window = Window {
            id: id.name()?,
            since: time(&fields.need("since")?)?,
            until: time(&until)?,
        };
        if window.since >= window.until {
            return Err(until.fail("order"));
        }
        if windows.iter().any(|other| other.id == window.id) {
            return Err(id.fail("duplicate"));
        }
        fields.done()?;
        windows.push(window);
    }
    Ok(windows)
}

/// A time in UTC to the second, so that the order of texts is that of times.
fn time(at: &At<'_>) -> Result<String, FieldError> {
    let text = at.text()?;
    let shape = "dddd-dd-ddTdd:dd:ddZ";
    let fits = |(own, asked): (u8, u8)| match asked {
        b'd' => own.is_ascii_digit(),
        asked => own == asked,
    };
    if Instant::parse(text).is_none() {
        Err(at.fail("time"))
    } else if text.len() == shape.len() && text.bytes().zip(shape.bytes()).all(fits) {
        Ok(text.to_owned())
    } else {
        Err(at.fail("not-utc-seconds"))
    }
}

fn verify(bindings: &Bindings, beside: &Path) -> Result<(), FieldError> {
    let mut planted: BTreeMap<&str, &str> = BTreeMap::new();
    for (name, arm) in &bindings.arms {
        let field = format!("arms.{name}");
        for (index, input) in arm.inputs.iter().enumerate() {
            let field = format!("{field}.inputs.{index}");
            let path = beside.join(&arm.tree).join(&input.path);
            let bytes = bytes_of(&path)
                .ok_or_else(|| FieldError::new(format!("{field}.path"), "input-missing"))?;
            if sha256(&bytes) != input.sha256 {
                return Err(FieldError::new(format!("{field}.sha256"), "input-hash"));
            }
        }
        if let Some(sentinel) = &arm.sentinel
            && planted.insert(&sentinel.value, name).is_some()
        {
            return Err(FieldError::new(format!("{field}.sentinel.value"), "shared"));
        }
    }
    for (name, root) in &bindings.roots {
        if !beside.join(root).is_dir() {
            return Err(FieldError::new(format!("roots.{name}"), "missing-folder"));
        }
    }
    Ok(())
}

/// A regular file's bytes. A FIFO is not waited for.
pub(super) fn bytes_of(path: &Path) -> Option<Vec<u8>> {
    let meta = std::fs::metadata(path).ok()?;
    if !meta.is_file() || meta.len() > MOST {
        return None;
    }
    std::fs::read(path).ok()
}
