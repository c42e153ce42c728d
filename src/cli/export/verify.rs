//! Whether a bundle still is what was exported: nothing but the folder is looked at.

use std::collections::BTreeSet;
use std::io::Write;
use std::path::Path;

use serde_json::Value;

use super::super::retained::unsealed;
use super::super::sources::text_of;
use super::super::{Exit, RunError};
use super::{BUNDLE_SCHEMA, FILES, MANIFEST, Manifest, scope, status, text, wrong};
use crate::page::{Against, Finding, Sums, Syntax, What, check};
use crate::private::Canary;
use crate::private::argv::looks_like_path;
use crate::report::untrue;
use crate::spec::sha256;

/// How the folder is called in refusals.
const VERIFY: &str = "--verify";

/// Checks a bundle and says what of it is not as it was exported.
///
/// # Errors
/// A folder without a readable manifest.
pub(super) fn run(dir: &Path, out: &mut dyn Write) -> Result<Exit, RunError> {
    let manifest = dir.join(MANIFEST);
    if is_link(&manifest) {
        return Err(wrong("manifest", "link"));
    }
    let bytes = text_of(&manifest, VERIFY)?;
    let manifest: Manifest = match serde_json::from_str(&bytes) {
        Ok(manifest) => manifest,
        Err(_) => return Err(wrong("manifest", "json")),
    };
    if manifest.schema != BUNDLE_SCHEMA {
        return Err(wrong("manifest", "schema"));
    }
    let mut faults = Vec::new();
    folder(dir, &manifest, &mut faults)?;
    let mut held: Vec<(&str, String)> = Vec::new();
    for name in FILES {
        match content(dir, name, &manifest) {
            Ok(text) => held.push((name, text)),
            Err(fault) => faults.push(fault),
        }
    }
    let numbers = truth(&manifest, &held, &mut faults);
    private(&bytes, &held, &mut faults);
    if faults.is_empty() && unsealed(bytes.as_bytes(), "manifest").is_err() {
        // Nothing else in the folder tells what was changed.
        faults.push("manifest: seal".to_owned());
    }
    for fault in &faults {
        writeln!(out, "{fault}")?;
    }
    if !faults.is_empty() {
        return Ok(Exit::Found);
    }
    writeln!(
        out,
        "the bundle holds: {} files, {numbers} numbers on its pages, status {}",
        FILES.len() + 1,
        manifest.status
    )?;
    Ok(Exit::Done)
}

/// Nothing may lie in the folder that the manifest does not name, and it names what it must.
fn folder(dir: &Path, manifest: &Manifest, faults: &mut Vec<String>) -> Result<(), RunError> {
    let unreadable = |_| RunError::Argument {
        field: VERIFY,
        kind: "unreadable",
    };
    let known: BTreeSet<&str> = FILES.into_iter().collect();
    let named: BTreeSet<&str> = manifest.files.keys().map(String::as_str).collect();
    if named != known {
        faults.push("manifest: files".to_owned());
    }
    let mut extra = 0_u64;
    for entry in std::fs::read_dir(dir).map_err(unreadable)? {
        let name = entry.map_err(unreadable)?.file_name();
        let known = name
            .to_str()
            .is_some_and(|name| name == MANIFEST || known.contains(name));
        extra += u64::from(!known);
    }
    if extra > 0 {
        // What it is called is nobody's business.
        faults.push(format!("folder: {extra} more"));
    }
    Ok(())
}

/// A file of the bundle, where it is what the manifest says.
fn content(dir: &Path, name: &str, manifest: &Manifest) -> Result<String, String> {
    let path = dir.join(name);
    if is_link(&path) {
        return Err(format!("{name}: link"));
    }
    let text = text_of(&path, VERIFY).map_err(|_| format!("{name}: missing"))?;
    let told = manifest.files.get(name).ok_or(format!("{name}: unnamed"))?;
    let same = told.sha256 == sha256(text.as_bytes())
        && usize::try_from(told.bytes).is_ok_and(|bytes| bytes == text.len());
    if same {
        Ok(text)
    } else {
        Err(format!("{name}: digest"))
    }
}

fn is_link(path: &Path) -> bool {
    std::fs::symlink_metadata(path).is_ok_and(|meta| meta.is_symlink())
}

/// Searches every file for what is private by its shape: a bundle goes to everybody.
fn private(manifest: &str, held: &[(&str, String)], faults: &mut Vec<String>) {
    let canary = Canary::new();
    let held = held.iter().map(|(name, text)| (*name, text.as_str()));
    for (name, text) in std::iter::once((MANIFEST, manifest)).chain(held) {
        if let Some((kind, at)) = canary.look(text).refused() {
            faults.push(format!("{name}: {kind} at={at}"));
        }
    }
}

/// Holds the manifest against itself and the aggregate.
fn told(manifest: &Manifest, sums: &Value) -> Vec<&'static str> {
    let cells = crate::aggregate::cells(sums);
    let count = |key: &str| cells.get(key).copied().unwrap_or(0);
    let of_sessions = text(sums, "schema") == crate::aggregate::AGGREGATE_SCHEMA;
    let rows = ["sessions", "turns", "claims", "findings"].map(count);
    let canary = &manifest.canary;
    let same_program = manifest.version == text(sums, "version");
    let proof = [
        ("canary.planted", canary.planted),
        ("canary.caught", canary.caught),
    ];
    let of_it = [
        ("scope", manifest.scope == scope(sums)),
        ("status", manifest.status == status(sums)),
        (
            "aggregate_schema",
            manifest.aggregate_schema == text(sums, "schema"),
        ),
        (
            "rows",
            !of_sessions || manifest.rows == rows.iter().sum::<u64>(),
        ),
        (
            "canary",
            canary.planted == canary.caught
                && canary.planted > 0
                && (!same_program || proof.iter().all(|(key, own)| count(key) == *own)),
        ),
        (
            "command",
            !manifest.command.iter().any(|word| looks_like_path(word)),
        ),
    ];
    let untold = of_it.into_iter().filter(|(_, holds)| !holds);
    untold.map(|(field, _)| field).collect()
}

/// What is untrue of a page, as `check-html` finds it: structure, rows and words too.
fn unlike(name: &str, page: &str, aggregate: &str) -> Vec<String> {
    let syntax = match name == FILES[1] {
        true => Syntax::Html,
        false => Syntax::Markdown,
    };
    let sums = Sums::read(aggregate.as_bytes());
    let against = Against {
        canary: None,
        sums: sums.as_ref(),
        map: None,
        rows: None,
    };
    let told = |finding: &Finding| match finding.what {
        What::Untrue(fault) => format!("{name}: {} at={}", fault.as_str(), finding.byte),
        What::Leak(kind, _) => format!("{name}: {} at={}", kind.as_str(), finding.byte),
        What::Missed(missed) => format!("{name}: {} at={}", missed.as_str(), finding.byte),
    };
    match check(page.as_bytes(), syntax, &against) {
        Ok(checked) => checked.findings.iter().map(told).collect(),
        Err(error) => vec![format!("{name}: {error}")],
    }
}

/// Holds the manifest and both pages against the aggregate; the number of numbers looked at.
fn truth(manifest: &Manifest, held: &[(&str, String)], faults: &mut Vec<String>) -> u64 {
    let Some((name, bytes)) = held.iter().find(|(name, _)| *name == FILES[0]) else {
        return 0;
    };
    let Ok(sums) = serde_json::from_str::<Value>(bytes) else {
        faults.push(format!("{name}: json"));
        return 0;
    };
    let untold = told(manifest, &sums).into_iter();
    faults.extend(untold.map(|field| format!("manifest: {field}")));
    let digest = sha256(bytes.as_bytes());
    let mut numbers = 0;
    for (name, page) in held.iter().filter(|(name, _)| *name != FILES[0]) {
        let (found, looked_at) = untrue(page, &sums, &digest);
        numbers += looked_at;
        if found.is_empty() {
            faults.extend(unlike(name, page, bytes));
        }
        let found = found
            .iter()
            .map(|untrue| format!("{name}: {} at={}", untrue.kind, untrue.at));
        faults.extend(found);
    }
    numbers
}
