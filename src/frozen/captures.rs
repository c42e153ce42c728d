//! What was captured around the runs, as folders of files or as the one file that is kept of them.
//!
//! A folder is one that `deedcheck capture` wrote, or has a `manifest.json` with the digest of each of its files, each one observation. Nothing in it is run or
//! followed: a file that is not there is evidence that is not there, and one that is another than the manifest says is refused.

use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use super::bind::Bindings;
use super::error::FrozenError;
use super::identity::inside;
use crate::capture::{self, Kept};
use crate::oracle::{Capture, Entry, Evidence, Lifetime, Process, Tree};
use crate::spec::{FieldError, Sealed, Spec, sha256};

/// The format of a manifest.
pub const OBSERVATIONS_SCHEMA: &str = "deedcheck/observations/1";
/// The format of an observation.
pub const OBSERVATION_SCHEMA: &str = "deedcheck/observation/1";
/// The manifest of a folder.
const MANIFEST: &str = "manifest.json";

/// What a folder of captures holds: `manifest.json`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub struct Manifest {
    /// The format: `deedcheck/observations/1`.
    pub schema: String,
    /// The seal of the spec that was captured for.
    pub spec: String,
    /// The run that was captured, by its name in the bindings.
    pub run: String,
    /// Its files.
    pub files: Vec<Listed>,
}

/// A file of a folder of captures.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub struct Listed {
    /// Its path below the folder.
    pub file: String,
    /// SHA-256 of its bytes.
    pub sha256: String,
}

/// One observation: what was there for an arm, a family of tasks, or one attempt. What it leaves out was not looked at.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub struct Observation<'a> {
    /// The format: `deedcheck/observation/1`.
    #[serde(borrow)]
    pub schema: std::borrow::Cow<'a, str>,
    /// The arm that it is of; every one where it names none.
    #[serde(borrow, default)]
    pub arm: Option<std::borrow::Cow<'a, str>>,
    /// The family of tasks that it is of, likewise.
    #[serde(borrow, default)]
    pub family: Option<std::borrow::Cow<'a, str>>,
    /// The attempt that it is of, likewise: `<run>.<arm>.<task>.<attempt>`.
    #[serde(borrow, default)]
    pub identity: Option<std::borrow::Cow<'a, str>>,
    /// Commands that were run, and what they printed.
    #[serde(borrow, default)]
    pub captures: Vec<Capture<'a>>,
    /// The processes that were there when the run was over.
    #[serde(borrow, default)]
    pub processes: Option<Vec<Process<'a>>>,
    /// From when to when the run lasted.
    #[serde(borrow, default)]
    pub lifetime: Option<Lifetime<'a>>,
    /// Jobs of the run that were still going on in the background.
    #[serde(default)]
    pub background_pending: u64,
    /// The tree that was looked at.
    #[serde(borrow, default)]
    pub tree: Option<Tree<'a>>,
    /// What changed in it; an empty list where nothing did.
    #[serde(borrow, default)]
    pub entries: Option<Vec<Entry<'a>>>,
    /// What differed from its base in the tree of an arm before the arm's run.
    #[serde(borrow, default)]
    pub entries_before: Vec<Entry<'a>>,
}

/// What was captured around the runs.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Captures(Vec<Value>);

fn wrong(field: impl Into<String>, kind: &'static str) -> FrozenError {
    FrozenError::Captures(FieldError::new(field, kind))
}

/// What one folder of captures tells, and of which spec and run.
struct Gathered {
    spec: String,
    run: String,
    observations: Vec<Value>,
}

/// Reads folders of captures into the one text that is kept of them.
///
/// # Errors
/// `E_CAPTURES` for a folder that holds none, a file that is another than what vouches for it says, one that cannot be read, and
/// folders of several specs or runs.
pub fn bundle(folders: &[PathBuf]) -> Result<String, FrozenError> {
    let mut all: Option<Gathered> = None;
    for folder in folders {
        let own = match folder.join(MANIFEST).is_file() {
            true => observed(folder)?,
            false => captured(folder)?,
        };
        match &mut all {
            None => all = Some(own),
            Some(all) if all.spec != own.spec => return Err(wrong("captures.spec", "other-spec")),
            Some(all) if all.run != own.run => return Err(wrong("captures.run", "other-run")),
            Some(all) => all.observations.extend(own.observations),
        }
    }
    let all = all.ok_or_else(|| wrong("captures", "missing"))?;
    let bundle = json!({
        "schema": OBSERVATIONS_SCHEMA,
        "spec": all.spec,
        "run": all.run,
        "observations": all.observations,
    });
    Ok(format!("{bundle}\n"))
}

/// One phase that `deedcheck capture` took.
fn captured(folder: &Path) -> Result<Gathered, FrozenError> {
    let kept = Kept::open(folder)?;
    let arm = kept.about.arm.clone();
    let evidence = capture::Evidence::of([&kept], arm.as_deref().unwrap_or(""));
    let mut observation = json!({ "schema": OBSERVATION_SCHEMA, "arm": arm });
    let shown = serde_json::to_value(evidence).map_err(|_| wrong("captures", "json"))?;
    if let (Some(all), Value::Object(shown)) = (observation.as_object_mut(), shown) {
        all.extend(shown);
    }
    Ok(Gathered {
        spec: kept.about.spec,
        run: kept.about.run,
        observations: vec![observation],
    })
}

/// A folder of observations that were made elsewhere.
fn observed(folder: &Path) -> Result<Gathered, FrozenError> {
    let bytes = inside(folder, MANIFEST).map_err(|kind| wrong("manifest", kind))?;
    let manifest: Manifest =
        serde_json::from_slice(&bytes).map_err(|_| wrong("manifest", "json"))?;
    if manifest.schema != OBSERVATIONS_SCHEMA {
        return Err(wrong("manifest.schema", "unknown-value"));
    }
    let mut observations: Vec<Value> = Vec::new();
    for (index, listed) in manifest.files.iter().enumerate() {
        let field = || format!("files.{index}");
        let bytes = match inside(folder, &listed.file) {
            Ok(bytes) => bytes,
            Err("missing") => continue,
            Err(kind) => return Err(wrong(field(), kind)),
        };
        if sha256(&bytes) != listed.sha256 {
            return Err(wrong(field(), "digest"));
        }
        observations.push(serde_json::from_slice(&bytes).map_err(|_| wrong(field(), "json"))?);
    }
    Ok(Gathered {
        spec: manifest.spec,
        run: manifest.run,
        observations,
    })
}

impl Captures {
    /// Reads what was kept of a folder.
    ///
    /// # Errors
    /// `E_CAPTURES` for what is of another format, spec or run, or speaks of an arm, family or attempt that there is not.
    pub fn read(text: &str, sealed: &Sealed, bindings: &Bindings) -> Result<Self, FrozenError> {
        let bundle: Value = serde_json::from_str(text).map_err(|_| wrong("captures", "json"))?;
        if bundle["schema"] != OBSERVATIONS_SCHEMA {
            return Err(wrong("captures.schema", "unknown-value"));
        }
        if bundle["spec"] != sealed.seal.as_str() {
            return Err(wrong("captures.spec", "other-spec"));
        }
        if bundle["run"] != bindings.run.as_str() {
            return Err(wrong("captures.run", "other-run"));
        }
        let list = bundle["observations"].as_array();
        let list = list.ok_or_else(|| wrong("captures.observations", "type"))?;
        for (index, own) in list.iter().enumerate() {
            let field = format!("captures.observations.{index}");
            let observation = Observation::deserialize(own).map_err(|_| wrong(&field, "type"))?;
            known(&observation, &sealed.spec)
                .map_err(|name| wrong(format!("{field}.{name}"), "unknown-value"))?;
        }
        Ok(Self(list.clone()))
    }

    /// Adds what was captured around an attempt to what its transcript shows.
    pub(super) fn add<'a>(
        &'a self,
        evidence: &mut Evidence<'a>,
        (arm, family, identity): (&str, &str, &str),
    ) {
        // Each was read before; one that is none would say nothing.
        for own in self
            .0
            .iter()
            .filter_map(|own| Observation::deserialize(own).ok())
        {
            let is = |name: &Option<std::borrow::Cow<'_, str>>, own: &str| {
                name.as_deref().is_none_or(|name| name == own)
            };
            if !is(&own.arm, arm) || !is(&own.family, family) || !is(&own.identity, identity) {
                continue;
            }
            evidence.captures.extend(own.captures);
            if let Some(entries) = own.entries {
                evidence.entries.extend(entries);
                evidence.entries_observed = true;
            }
            evidence.background_pending += own.background_pending;
            if let Some(processes) = own.processes {
                evidence.processes.extend(processes);
                evidence.processes_observed = true;
            }
            if let Some(tree) = own.tree {
                evidence.tree = tree;
            }
            if own.lifetime.is_some() {
                evidence.lifetime = own.lifetime;
            }
        }
    }

    /// How the tree of an arm had drifted from its base before the arm's run, as far as that was captured.
    pub(super) fn before(&self, arm: &str, family: &str) -> Vec<Entry<'_>> {
        let all = self.0.iter();
        let all = all.filter_map(|own| Observation::deserialize(own).ok());
        let own = all.filter(|own| {
            let is = |name: Option<&str>, own: &str| name.is_none_or(|name| name == own);
            is(own.arm.as_deref(), arm) && is(own.family.as_deref(), family)
        });
        own.flat_map(|own| own.entries_before).collect()
    }
}

/// Whether what an observation names is there.
fn known(own: &Observation<'_>, spec: &Spec) -> Result<(), &'static str> {
    if own.schema != OBSERVATION_SCHEMA {
        return Err("schema");
    }
    let arm = own.arm.as_deref();
    if arm.is_some_and(|name| !spec.arms.iter().any(|arm| arm.id == name)) {
        return Err("arm");
    }
    let family = own.family.as_deref();
    if family.is_some_and(|name| !spec.tasks.iter().any(|task| task.family == name)) {
        return Err("family");
    }
    Ok(())
}
