//! `deedcheck schema`: the JSON Schemas of everything that is written and read.

use std::io::Write;

use clap::Args;

use super::{Exit, RunError};

#[derive(Debug, Args)]
#[command(after_help = "Without NAME, the schemas are listed.")]
pub(super) struct Schema {
    /// The name of a schema
    #[arg(value_name = "NAME")]
    name: Option<String>,
}

/// Each schema by its name, with what is of that form.
const SCHEMAS: [(&str, &str, &str); 32] = [
    (
        "aggregate",
        "what --out holds",
        include_str!("../../schemas/aggregate.v1.schema.json"),
    ),
    (
        "awaited",
        "awaited.jsonl of a private directory, a line",
        include_str!("../../schemas/awaited.v1.schema.json"),
    ),
    (
        "bindings",
        "a launch file, and what bind writes",
        include_str!("../../schemas/bindings.v1.schema.json"),
    ),
    (
        "bundle",
        "manifest.json of an exported folder",
        include_str!("../../schemas/bundle.v1.schema.json"),
    ),
    (
        "canary",
        "canary.json of a private directory",
        include_str!("../../schemas/canary.v1.schema.json"),
    ),
    (
        "capture",
        "a file of one command in a folder of capture",
        include_str!("../../schemas/capture.v1.schema.json"),
    ),
    (
        "captured-processes",
        "processes.json of a folder of capture",
        include_str!("../../schemas/captured-processes.v1.schema.json"),
    ),
    (
        "captured-tree",
        "tree.json of a folder of capture",
        include_str!("../../schemas/captured-tree.v1.schema.json"),
    ),
    (
        "captures",
        "captures.json of a folder of capture",
        include_str!("../../schemas/captures.v1.schema.json"),
    ),
    (
        "context",
        "context.json of a private directory",
        include_str!("../../schemas/context.v1.schema.json"),
    ),
    (
        "control",
        "a file of controls",
        include_str!("../../schemas/control.v1.schema.json"),
    ),
    (
        "differential-report",
        "differential --json",
        include_str!("../../schemas/differential-report.v1.schema.json"),
    ),
    (
        "driver",
        "a line of --driver-ledger",
        include_str!("../../schemas/driver.v1.schema.json"),
    ),
    (
        "facts",
        "a file of --facts",
        include_str!("../../schemas/facts.v1.schema.json"),
    ),
    (
        "frozen-aggregate",
        "what --out holds with --spec",
        include_str!("../../schemas/frozen-aggregate.v1.schema.json"),
    ),
    (
        "frozen-context",
        "context.json with --spec",
        include_str!("../../schemas/frozen-context.v1.schema.json"),
    ),
    (
        "frozen-rows",
        "a row of grades.jsonl with --spec",
        include_str!("../../schemas/frozen-rows.v1.schema.json"),
    ),
    (
        "golden",
        "expected/aggregate.json of a golden case",
        include_str!("../../schemas/golden.v1.schema.json"),
    ),
    (
        "golden-check",
        "golden check --format json",
        include_str!("../../schemas/golden-check.v1.schema.json"),
    ),
    (
        "grade",
        "a row of grades.jsonl",
        include_str!("../../schemas/grade.v1.schema.json"),
    ),
    (
        "identity",
        "what identity writes",
        include_str!("../../schemas/identity.v1.schema.json"),
    ),
    (
        "join",
        "a line of --join-ledger",
        include_str!("../../schemas/join.v1.schema.json"),
    ),
    (
        "judgment",
        "a line of --judgments",
        include_str!("../../schemas/judgment.v1.schema.json"),
    ),
    (
        "keys",
        "what keys writes",
        include_str!("../../schemas/keys.v1.schema.json"),
    ),
    (
        "launch-record",
        "a line of --launch-records",
        include_str!("../../schemas/launch-record.v1.schema.json"),
    ),
    (
        "observation",
        "a file of a folder of observations",
        include_str!("../../schemas/observation.v1.schema.json"),
    ),
    (
        "observations",
        "manifest.json of a folder of observations",
        include_str!("../../schemas/observations.v1.schema.json"),
    ),
    (
        "page-check",
        "check-html --format json",
        include_str!("../../schemas/page-check.v1.schema.json"),
    ),
    (
        "page-map",
        "a mapping of a page's numbers",
        include_str!("../../schemas/page-map.v1.schema.json"),
    ),
    (
        "policy",
        "deedcheck.toml",
        include_str!("../../schemas/policy.v1.schema.json"),
    ),
    (
        "record",
        "a line of records.jsonl.zst",
        include_str!("../../schemas/record.v1.schema.json"),
    ),
    (
        "spec",
        "a spec of frozen checks",
        include_str!("../../schemas/spec.v1.schema.json"),
    ),
];

pub(super) fn run(args: &Schema, out: &mut dyn Write) -> Result<Exit, RunError> {
    let Some(name) = &args.name else {
        for (name, of, _) in SCHEMAS {
            writeln!(out, "{name:<19} {of}")?;
        }
        writeln!(
            out,
            "\ndeedcheck schema NAME prints one: JSON Schema 2020-12."
        )?;
        out.flush()?;
        return Ok(Exit::Done);
    };
    let found = SCHEMAS.iter().find(|(known, ..)| known == name);
    let (_, _, text) = found.ok_or(RunError::Argument {
        field: "<NAME>",
        kind: "unknown-value",
    })?;
    out.write_all(text.as_bytes())?;
    out.flush()?;
    Ok(Exit::Done)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_published_schema_is_listed() {
        let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/schemas");
        let mut files: Vec<String> = std::fs::read_dir(folder)
            .unwrap()
            .map(|entry| entry.unwrap().file_name().into_string().unwrap())
            .collect();
        files.sort();
        let mut own: Vec<String> = SCHEMAS
            .iter()
            .map(|(name, ..)| format!("{name}.v1.schema.json"))
            .collect();
        own.sort();
        assert_eq!(files, own);
        assert!(SCHEMAS.iter().all(|(_, _, text)| text.len() > 100));
    }
}
