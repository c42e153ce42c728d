//! `deedcheck export`: a folder that may be published, made from a private directory; and the proof
//! that such a folder still is what was exported.

mod source;
mod verify;

use std::collections::BTreeMap;
use std::io::Write;
use std::path::PathBuf;

use clap::{Args, ValueHint};
use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::args::Format;
use super::grade::{CanaryCounts, self_test};
use super::page::{page, vouched};
use super::retained::sealed;
use super::watch::{surroundings, watch};
use super::{Exit, RunError, Surroundings, lost};
use crate::grade::field::text;
use crate::private::{Canary, PrivateDir, Role, place};
use crate::spec::sha256;
use source::Source;

/// The schema that the manifest of a bundle names.
pub(super) const BUNDLE_SCHEMA: &str = "deedcheck/bundle/1";
/// The manifest's own file.
const MANIFEST: &str = "manifest.json";
/// Every other file of a bundle, sorted.
const FILES: [&str; 3] = ["aggregate.json", "report.html", "summary.md"];
/// How the output is called in refusals.
const OUT_DIR: &str = "--out-dir";

#[derive(Debug, Args)]
#[command(
    after_help = "Exit codes: 0 done, 1 --verify found that the folder is not what was exported, 2 refused."
)]
pub(super) struct Export {
    /// The private directory of a run
    #[arg(
        long,
        value_name = "DIR",
        value_hint = ValueHint::DirPath,
        requires = "out_dir",
        required_unless_present = "verify"
    )]
    from: Option<PathBuf>,
    /// The new folder: a manifest, the sums, a summary in Markdown and a page in HTML
    #[arg(long, value_name = "NEW", value_hint = ValueHint::DirPath, requires = "from")]
    out_dir: Option<PathBuf>,
    /// The sums, where the private directory does not hold them
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath, requires = "from")]
    aggregate: Option<PathBuf>,
    /// Check an exported folder, with nothing but what is in it
    #[arg(
        long,
        value_name = "DIR",
        value_hint = ValueHint::DirPath,
        conflicts_with_all = ["from", "out_dir", "aggregate"]
    )]
    verify: Option<PathBuf>,
}

/// What a bundle says of itself.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub(super) struct Manifest {
    /// The format: `deedcheck/bundle/1`.
    schema: String,
    /// The program's version.
    version: String,
    /// What was graded: `sessions` or `frozen-checks`.
    scope: String,
    /// `fail` where a statement is contradicted or a gate does not pass, `pending` where a
    /// judgment is awaited, `pass` otherwise.
    status: String,
    /// The arguments of the run, with a placeholder for each path.
    command: Vec<String>,
    /// The format of the sums.
    aggregate_schema: String,
    /// Rows of the run.
    rows: u64,
    /// SHA-256 of its `grades.jsonl`.
    grades_sha256: String,
    /// Every other file of the folder by its name.
    files: BTreeMap<String, Attached>,
    /// The canary's proof of itself.
    canary: Proof,
    /// SHA-256 of this manifest with an empty seal.
    seal: String,
}

/// One file of a bundle.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
struct Attached {
    /// Its length in bytes.
    bytes: u64,
    /// SHA-256 of it.
    sha256: String,
}

/// How many known canaries were planted into the search before the export, and how many it caught.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
struct Proof {
    /// Canaries planted.
    planted: u64,
    /// Canaries caught.
    caught: u64,
}

impl From<CanaryCounts> for Proof {
    fn from(counts: CanaryCounts) -> Self {
        Self {
            planted: counts.planted,
            caught: counts.caught,
        }
    }
}

pub(super) fn run(
    args: &Export,
    around: &Surroundings,
    out: &mut dyn Write,
) -> Result<Exit, RunError> {
    if let Some(dir) = &args.verify {
        return verify::run(dir, out);
    }
    let missing = |field| RunError::Argument {
        field,
        kind: "missing",
    };
    let from = args.from.as_ref().ok_or(missing("--from"))?;
    let new = args.out_dir.as_ref().ok_or(missing(OUT_DIR))?;
    let planned = place::plan_private(Role(OUT_DIR), new)?;
    for dir in super::sources::clients(around) {
        planned.outside(&dir)?;
    }
    let source = Source::read(from, args.aggregate.as_deref())?;
    let mut canary = source.canary();
    watch(&mut canary, &surroundings(around));
    // The folder's own name is published with it.
    let name = new.file_name().map(|name| name.to_string_lossy());
    vouched(
        name.unwrap_or_default().as_bytes().to_vec(),
        &canary,
        OUT_DIR,
    )?;
    let files = files(&source, &canary)?;
    let manifest = vouched(manifest(&source, &files)?, &canary, MANIFEST)?;
    let mut dir = PrivateDir::create(&planned)?;
    dir.write(MANIFEST, &manifest)?;
    for (name, bytes) in &files {
        dir.write(name, bytes)?;
    }
    // Where this cannot be said, nothing was exported.
    let said = writeln!(out, "exported {} files", files.len() + 1).and_then(|()| out.flush());
    let said = lost(said.map_err(RunError::from))?;
    dir.publish()?;
    said?;
    Ok(Exit::Done)
}

/// The files beside the manifest, each searched for anything private.
fn files(source: &Source, canary: &Canary) -> Result<Vec<(&'static str, Vec<u8>)>, RunError> {
    let [sums, html, markdown] = FILES;
    let aggregate = vouched(source.aggregate.clone(), canary, sums)?;
    let page = |format, name| page(format, &aggregate, &source.picked, canary, name);
    let pages = [(html, Format::Html), (markdown, Format::Markdown)];
    let mut files = Vec::new();
    for (name, format) in pages {
        files.push((name, page(format, name)?));
    }
    files.insert(0, (sums, aggregate));
    Ok(files)
}

fn manifest(source: &Source, files: &[(&'static str, Vec<u8>)]) -> Result<Vec<u8>, RunError> {
    let attached = files.iter().map(|(name, bytes)| {
        let bytes_len = u64::try_from(bytes.len()).unwrap_or(u64::MAX);
        let attached = Attached {
            bytes: bytes_len,
            sha256: sha256(bytes),
        };
        ((*name).to_owned(), attached)
    });
    sealed(&Manifest {
        schema: BUNDLE_SCHEMA.to_owned(),
        version: env!("CARGO_PKG_VERSION").to_owned(),
        scope: scope(&source.sums).to_owned(),
        status: status(&source.sums).to_owned(),
        command: source.arguments.clone(),
        aggregate_schema: text(&source.sums, "schema").to_owned(),
        rows: source.rows,
        grades_sha256: source.grades_sha256.clone(),
        files: attached.collect(),
        canary: self_test().into(),
        seal: String::new(),
    })
}

/// What an aggregate is of.
fn scope(sums: &Value) -> &'static str {
    if text(sums, "schema") == crate::aggregate::AGGREGATE_SCHEMA {
        "sessions"
    } else {
        "frozen-checks"
    }
}

/// What a run came to, told from its aggregate alone.
fn status(sums: &Value) -> &'static str {
    let cells = crate::aggregate::cells(sums);
    let count = |key: &str| cells.get(key).copied().unwrap_or(0);
    let gates = sums.get("gates").and_then(Value::as_object);
    let fails = gates
        .into_iter()
        .flatten()
        .any(|(_, gate)| text(gate, "status") != "pass" && gate["decides"] != false);
    if fails || count("claim.contradicted") > 0 {
        "fail"
    } else if count("judgments.pending") > 0 {
        "pending"
    } else {
        "pass"
    }
}

/// A refusal of a private directory or a bundle: what of it is wrong, and how.
fn wrong(role: &'static str, kind: &'static str) -> RunError {
    RunError::Bundle { role, kind }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn the_status_is_told_by_the_aggregate() {
        let gates = |status: &str, pending: u64| {
            json!({
                "schema": "deedcheck/frozen-aggregate/1", "gates": {"a": {"status": status}},
                "judgments": {"cells": {"pending": pending}},
            })
        };
        assert_eq!(status(&gates("pass", 0)), "pass");
        assert_eq!(status(&gates("pass", 2)), "pending");
        assert_eq!(status(&gates("unknown", 2)), "fail");
        let mut told = gates("told", 0);
        told["gates"]["a"]["decides"] = json!(false);
        assert_eq!(status(&told), "pass");
        let sessions = |count: u64| json!({"schema": "deedcheck/aggregate/1", "cells": {"claim.contradicted": count}});
        assert_eq!(status(&sessions(0)), "pass");
        assert_eq!(status(&sessions(1)), "fail");
        assert_eq!(scope(&sessions(1)), "sessions");
        assert_eq!(scope(&gates("pass", 0)), "frozen-checks");
    }
}
