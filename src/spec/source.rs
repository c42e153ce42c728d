//! The bytes of pinned sources, or why there are none.

use std::collections::BTreeMap;
use std::fs::File;
use std::io::Read as _;
use std::path::Path;

use serde_json::Value;

use super::error::{FieldError, SpecError};
use super::fields::At;
use super::git::{Git, Wanted};
use super::json::strict;
use super::model::{Origin, Spec};
use super::node::{Item, Node};
use super::sha256;

/// The format of a file of captured facts.
pub const FACTS_SCHEMA: &str = "deedcheck/facts/1";
/// The most that is read of one file.
const MOST: u64 = 256 << 20;

/// The source is not there, or is nothing that a key can be taken from.
pub(super) const KEY_MISSING: &str = "key-missing";
/// The file is not there.
pub(super) const INPUT_MISSING: &str = "input-missing";
/// The file is another than the pinned one.
pub(super) const INPUT_HASH: &str = "input-hash";
/// The fact changed while the runs went on.
pub(super) const KEY_DRIFT: &str = "key-drift";

/// Facts that were captured, by phase and name.
#[derive(Debug, Clone, Default)]
pub struct Facts(BTreeMap<String, BTreeMap<String, Vec<u8>>>);

impl Facts {
    /// Adds a file of facts.
    ///
    /// # Errors
    /// `E_FACTS`: no such file, a field that is missing or unknown, or a phase that was there
    /// already.
    pub fn add(&mut self, text: &str) -> Result<(), SpecError> {
        self.read(text).map_err(SpecError::Facts)
    }

    fn read(&mut self, text: &str) -> Result<(), FieldError> {
        let raw = strict(text).map_err(|e| FieldError::new("", e.kind).at(Some(e.line)))?;
        let node = Node::of(raw.clone());
        let mut root = At::root(&node).table()?;
        root.need("schema")?.one_of(&[FACTS_SCHEMA])?;
        let phase = root.need("phase")?;
        let name = phase.name()?;
        let facts = root.need("facts")?;
        let mut all = BTreeMap::new();
        for (fact, at) in facts.entries()? {
            let bytes = match &at.node.item {
                Item::Text(text) => text.clone().into_bytes(),
                // The raw value keeps what a tree without floats does not.
                _ => raw["facts"]
                    .get(&fact)
                    .map(Value::to_string)
                    .unwrap_or_default()
                    .into_bytes(),
            };
            all.insert(fact, bytes);
        }
        root.done()?;
        if self.0.contains_key(&name) {
            return Err(phase.fail("duplicate"));
        }
        self.0.insert(name, all);
        Ok(())
    }
}

/// The bytes of every source of a spec. A captured fact has one text for each of its phases.
#[derive(Debug, Clone, Default)]
pub struct Sources(pub(super) BTreeMap<String, Vec<Result<Vec<u8>, &'static str>>>);

impl Sources {
    /// The sources that stand in the spec itself.
    pub(super) fn inline(spec: &Spec) -> Self {
        let own = spec.sources.iter().filter_map(|source| {
            let Origin::Inline { text } = &source.origin else {
                return None;
            };
            Some((source.id.clone(), vec![Ok(text.clone().into_bytes())]))
        });
        Self(own.collect())
    }

    /// Reads every source of a spec.
    ///
    /// # Errors
    /// `E_GIT`. What is missing or changed is no error: the keys that lean on it are unknown.
    pub fn read(
        spec: &Spec,
        git: Option<&Git>,
        files: Option<&Path>,
        facts: &Facts,
    ) -> Result<Self, SpecError> {
        let wanted: Vec<Wanted> = spec
            .sources
            .iter()
            .filter_map(|source| match &source.origin {
                Origin::Git { commit, path, .. } => Some(Wanted {
                    commit: commit.clone(),
                    path: path.clone(),
                }),
                _ => None,
            })
            .collect();
        let blobs = match git {
            Some(git) => git.files(&wanted)?,
            None => vec![None; wanted.len()],
        };
        let blobs: BTreeMap<Wanted, Option<Vec<u8>>> = wanted.into_iter().zip(blobs).collect();
        let mut all = BTreeMap::new();
        for source in &spec.sources {
            let texts = match &source.origin {
                Origin::Git {
                    commit,
                    path,
                    sha256,
                } => {
                    let wanted = Wanted {
                        commit: commit.clone(),
                        path: path.clone(),
                    };
                    let blob = blobs.get(&wanted).cloned().flatten();
                    vec![pinned(blob.ok_or(KEY_MISSING), sha256.as_deref())]
                }
                Origin::File { path, sha256 } => {
                    let bytes = files.map_or(Err(INPUT_MISSING), |files| file(files, path));
                    vec![pinned(bytes, Some(sha256))]
                }
                Origin::Fact { fact, phases } => {
                    let phase = |phase| facts.0.get(phase).and_then(|facts| facts.get(fact));
                    phases
                        .iter()
                        .map(|name| phase(name).cloned().ok_or(KEY_MISSING))
                        .collect()
                }
                Origin::Inline { text } => vec![Ok(text.clone().into_bytes())],
            };
            all.insert(source.id.clone(), texts);
        }
        Ok(Self(all))
    }
}

fn pinned(
    bytes: Result<Vec<u8>, &'static str>,
    digest: Option<&str>,
) -> Result<Vec<u8>, &'static str> {
    let bytes = bytes?;
    match digest {
        Some(digest) if sha256(&bytes) != digest => Err(INPUT_HASH),
        _ => Ok(bytes),
    }
}

/// The bytes of a file below a folder. What lies outside by a link is not there.
fn file(folder: &Path, path: &str) -> Result<Vec<u8>, &'static str> {
    let real = |path: &Path| std::fs::canonicalize(path).map_err(|_| INPUT_MISSING);
    let (folder, path) = (real(folder)?, real(&folder.join(path))?);
    let meta = std::fs::metadata(&path).map_err(|_| INPUT_MISSING)?;
    if !path.starts_with(&folder) || !meta.is_file() || meta.len() > MOST {
        return Err(INPUT_MISSING);
    }
    let mut bytes = Vec::new();
    let opened = File::open(&path).map_err(|_| INPUT_MISSING)?;
    let read = opened.take(MOST).read_to_end(&mut bytes);
    read.map(|_| bytes).map_err(|_| INPUT_MISSING)
}
