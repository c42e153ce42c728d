//! `deedcheck grade --spec`: frozen checks of a sealed spec.

use std::collections::BTreeMap;
use std::io::Write;
use std::path::{Path, PathBuf};

use clap::{Args, ValueHint};
use serde::Serialize;

use super::args::{Format, Grade};
use super::bind::{beside, line};
use super::grade::{CanaryCounts, self_test, watch_surroundings, with_threads};
use super::page::{page, picked};
use super::sources::text_of;
use super::spec::{open, write_public};
use super::{Exit, RunError, Surroundings};
use crate::canon;
use crate::frozen::{
    Bindings, FrozenGrades, GateResult, IdentityRow, Inputs, Judgments, Slot, Sums, grade,
    read_bindings, read_identity,
};
use crate::oracle::KINDS;
use crate::private::canary::{KEPT_FILE, kept as kept_values};
use crate::private::{Canary, Kind, Planned, PrivateDir, PublicFile};
use crate::spec::{Keys, Sealed, read_keys, sha256};

/// The schema that the context of a run with frozen checks names.
pub(super) const FROZEN_CONTEXT_SCHEMA: &str = "deedcheck/frozen-context/1";

/// What frozen checks are graded with.
#[derive(Debug, Default, Args)]
#[command(next_help_heading = "Frozen checks")]
pub(super) struct Frozen {
    /// Grade the frozen checks of this sealed spec
    #[arg(
        long,
        value_name = "SPEC",
        value_hint = ValueHint::FilePath,
        requires_all = ["bindings", "identity", "keys", "out", "out_private"],
        conflicts_with_all = [
            "paths", "all", "demo", "show", "fail_on", "rules", "profile", "preset",
            "config",
        ]
    )]
    spec: Option<PathBuf>,
    /// What the runs were launched with, as `deedcheck bind` wrote it
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath, requires = "spec")]
    bindings: Option<PathBuf>,
    /// Whose answer stands where, as `deedcheck identity` wrote it
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath, requires = "spec")]
    identity: Option<PathBuf>,
    /// The keys, as `deedcheck keys` wrote them
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath, requires = "spec")]
    keys: Option<PathBuf>,
    /// What judges said, one JSON object a line
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath, requires = "spec")]
    judgments: Option<PathBuf>,
    /// Withhold cells of the sums that count fewer than this
    #[arg(long, value_name = "K", requires = "spec")]
    min_cell: Option<u32>,
}

impl Frozen {
    /// Whether frozen checks are what is to be graded.
    pub(super) fn asked(&self) -> bool {
        self.spec.is_some()
    }
}

/// What a private directory says of a run with frozen checks.
#[derive(Serialize)]
#[cfg_attr(
    feature = "schema",
    derive(schemars::JsonSchema),
    schemars(deny_unknown_fields)
)]
pub(super) struct FrozenContext {
    /// The format: `deedcheck/frozen-context/1`.
    schema: &'static str,
    /// The program's version.
    version: &'static str,
    /// The arguments in a fixed order, with a placeholder for each path.
    arguments: Vec<String>,
    /// SHA-256 of each transcript and answer, by its name in rows.
    inputs: BTreeMap<String, String>,
    /// SHA-256 of each file beside this one.
    files: BTreeMap<String, String>,
    /// The canary's proof of itself.
    canary: CanaryCounts,
}

/// The public file: the sums and the canary's own proof.
#[derive(Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub(super) struct FrozenPublic<'a> {
    /// The sums.
    #[serde(flatten)]
    sums: &'a Sums,
    /// SHA-256 of the keys.
    keys_sha256: String,
    /// The canary's proof of itself.
    canary: CanaryCounts,
}

/// The files that a run is given, read and looked at.
struct Given {
    sealed: Sealed,
    bindings: Bindings,
    identity: Vec<(Slot, IdentityRow)>,
    keys: Keys,
    judgments: Judgments,
    /// Each file as it is kept in the private directory.
    files: Vec<(&'static str, Vec<u8>)>,
    beside: PathBuf,
}

pub(super) fn run(
    args: &Grade,
    around: &Surroundings,
    out: &mut dyn Write,
) -> Result<Exit, RunError> {
    let given = given(&args.frozen)?;
    let (private, public) = plan(args)?;
    let inputs = Inputs {
        sealed: &given.sealed,
        kinds: KINDS,
        bindings: &given.bindings,
        beside: &given.beside,
        identity: &given.identity,
        keys: &given.keys,
        judgments: &given.judgments,
    };
    let mut graded = with_threads(args.jobs, || grade(&inputs))??;
    let passes = graded.sums.passes();
    if let Some(least) = args.frozen.min_cell {
        graded.sums.withhold(least);
    }
    let canary = canary(&given, &graded, around);
    let sums = public_bytes(&given, &graded, &canary);
    let rows = rows(&graded)?;
    // What is withheld from the public stays whole on the private side.
    write(&private, &given, &rows, &args.frozen, &canary)?;
    let sums = sums?;
    write_public(&public, &sums)?;
    if !args.quiet {
        match args.format {
            Format::Table => said(&graded.sums, out)?,
            Format::Json => out.write_all(&sums)?,
            Format::Jsonl => out.write_all(&rows)?,
            Format::Html | Format::Markdown => {
                let picked = picked(&rows);
                out.write_all(&page(args.format, &sums, &picked, &canary, "--format")?)?;
            }
        }
        out.flush()?;
    }
    Ok(if passes { Exit::Done } else { Exit::Found })
}

/// Where the outputs go. Nothing is written yet.
fn plan(args: &Grade) -> Result<(Planned, Planned), RunError> {
    let missing = |field| RunError::Argument {
        field,
        kind: "missing",
    };
    let private = args.out_private.as_deref();
    let public = args.out.as_deref();
    let private = PrivateDir::plan(private.ok_or(missing("--out-private"))?)?;
    let public = PublicFile::plan(public.ok_or(missing("--out"))?)?;
    public.apart_from(&private)?;
    Ok((private, public))
}

/// Reads everything. The seal of the spec comes first, and before every other argument.
fn given(args: &Frozen) -> Result<Given, RunError> {
    let need = |path: &Option<PathBuf>, field: &'static str| {
        path.clone().ok_or(RunError::Argument {
            field,
            kind: "missing",
        })
    };
    let sealed = open(&need(&args.spec, "--spec")?, "--spec")?;
    let mut files: Vec<(&'static str, Vec<u8>)> = vec![("spec.json", sealed.bytes.clone())];
    let mut text = |path: &Path, field: &'static str, name: &'static str| {
        let text = text_of(path, field)?;
        files.push((name, text.clone().into_bytes()));
        Ok::<String, RunError>(text)
    };
    let path = need(&args.bindings, "--bindings")?;
    let bindings = read_bindings(&text(&path, "--bindings", "bindings.json")?, &sealed)?;
    let table = text(
        &need(&args.identity, "--identity")?,
        "--identity",
        "identity.json",
    )?;
    let identity = read_identity(&table, &sealed, &bindings)?;
    let keys = text(&need(&args.keys, "--keys")?, "--keys", "keys.json")?;
    let keys = read_keys(&keys, &sealed)?;
    let judgments = match &args.judgments {
        Some(path) => {
            let judgments = text(path, "--judgments", "judgments.jsonl")?;
            Judgments::read(&judgments, &sealed)?
        }
        None => Judgments::default(),
    };
    Ok(Given {
        beside: beside(&path).to_owned(),
        sealed,
        bindings,
        identity,
        keys,
        judgments,
        files,
    })
}

/// The sums as they may be published: written down, and searched for anything private.
fn public_bytes(
    given: &Given,
    graded: &FrozenGrades,
    canary: &Canary,
) -> Result<Vec<u8>, RunError> {
    let keys = given.files.iter().find(|(name, _)| *name == "keys.json");
    let bytes = line(&FrozenPublic {
        sums: &graded.sums,
        keys_sha256: keys.map_or_else(String::new, |(_, bytes)| sha256(bytes)),
        canary: self_test(),
    })?;
    match canary.scan(&bytes).first() {
        Some(hit) => Err(RunError::Privacy {
            output: "--out",
            kind: hit.kind.as_str(),
            at: hit.at,
        }),
        None => Ok(bytes),
    }
}

/// A canary that knows what this run must not publish.
fn canary(given: &Given, graded: &FrozenGrades, around: &Surroundings) -> Canary {
    let mut canary = Canary::new();
    canary.value(Kind::RunToken, &given.bindings.run);
    for (_, row) in &given.identity {
        canary.value(Kind::Identity, &row.identity);
        let file = &row.locator.file;
        canary.value(Kind::Locator, file);
        canary.value(Kind::BaseName, file.rsplit('/').next().unwrap_or(""));
    }
    for root in given.bindings.roots.values() {
        canary.value(Kind::Root, root);
    }
    for arm in given.bindings.arms.values() {
        canary.value(Kind::WorkTree, &arm.tree);
        if let Some(sentinel) = &arm.sentinel {
            canary.value(Kind::Sentinel, &sentinel.value);
        }
    }
    for (kind, value) in &graded.private {
        canary.value(*kind, value);
    }
    watch_surroundings(&mut canary, around);
    canary
}

/// The rows as they are written.
fn rows(graded: &FrozenGrades) -> Result<Vec<u8>, RunError> {
    let mut rows = Vec::new();
    for row in &graded.rows {
        canon::append_line(&mut rows, row).map_err(|_| RunError::Output {
            kind: std::io::ErrorKind::InvalidData,
        })?;
    }
    Ok(rows)
}

fn write(
    planned: &Planned,
    given: &Given,
    rows: &Vec<u8>,
    args: &Frozen,
    canary: &Canary,
) -> Result<(), RunError> {
    let kept = given.files.iter().map(|(name, bytes)| (*name, bytes));
    let kept: Vec<(&str, &Vec<u8>)> = kept.chain([("grades.jsonl", rows)]).collect();
    let inputs = given.identity.iter().map(|(_, row)| {
        let locator = &row.locator;
        let name = format!("{}/{}", locator.root, locator.file);
        (name, locator.sha256.clone())
    });
    let digest = |(name, bytes): &(&str, &Vec<u8>)| ((*name).to_owned(), sha256(bytes));
    let context = FrozenContext {
        schema: FROZEN_CONTEXT_SCHEMA,
        version: env!("CARGO_PKG_VERSION"),
        arguments: recorded(args),
        inputs: inputs.collect(),
        files: kept.iter().map(digest).collect(),
        canary: self_test(),
    };
    let context = line(&context)?;
    let mut dir = PrivateDir::create(planned)?;
    for (name, bytes) in kept {
        dir.write(name, bytes)?;
    }
    dir.write("context.json", &context)?;
    dir.write(KEPT_FILE, &kept_values(canary))?;
    Ok(dir.publish()?)
}

/// The arguments as they are recorded: in one order, so that the order in which they were typed
/// changes no byte, and without the number of threads, which changes no result.
fn recorded(args: &Frozen) -> Vec<String> {
    let mut words = vec!["grade".to_owned()];
    let paths = [
        ("--spec", args.spec.is_some()),
        ("--bindings", args.bindings.is_some()),
        ("--identity", args.identity.is_some()),
        ("--keys", args.keys.is_some()),
        ("--judgments", args.judgments.is_some()),
        ("--out-private", true),
        ("--out", true),
    ];
    for (flag, _) in paths.into_iter().filter(|(_, given)| *given) {
        words.extend([flag.to_owned(), "<path>".to_owned()]);
    }
    if let Some(least) = args.min_cell {
        words.extend(["--min-cell".to_owned(), least.to_string()]);
    }
    words
}

fn said(sums: &Sums, out: &mut dyn Write) -> Result<(), RunError> {
    let told = |cell: Option<u64>| cell.map_or_else(|| "withheld".to_owned(), |n| n.to_string());
    for (key, group) in &sums.tasks {
        let cells = ["pass", "fail", "unknown", "not-launched"];
        let cells = cells.map(|cell| {
            let count = group.cells.get(cell).copied().flatten();
            format!("{} {cell}", told(count))
        });
        writeln!(out, "tasks {key}: {}", cells.join(", "))?;
    }
    for (id, gate) in &sums.gates {
        writeln!(out, "gate {id}: {}", gate_words(gate))?;
    }
    let turning = |other: &&crate::frozen::OtherReading| {
        other.tasks_changed != Some(0) || other.turns_changed
    };
    for other in sums.alternatives.iter().filter(turning) {
        let turned: Vec<&str> = other
            .gates
            .iter()
            .filter(|(id, status)| {
                sums.gates
                    .get(*id)
                    .is_some_and(|own| own.status != **status)
            })
            .map(|(id, _)| id.as_str())
            .collect();
        writeln!(
            out,
            "reading {}={}: {} tasks change, gates that turn: {}",
            other.reading,
            other.value,
            told(other.tasks_changed),
            if turned.is_empty() {
                "none".to_owned()
            } else {
                turned.join(", ")
            },
        )?;
    }
    let pending = sums.judgments.cell("pending");
    if pending > 0 {
        writeln!(out, "judgments awaited: {pending}")?;
    }
    Ok(())
}

fn gate_words(gate: &GateResult) -> String {
    let mut words = gate.status.to_owned();
    if let (Some(lower), Some(upper)) = (&gate.lower_rate, &gate.upper_rate) {
        words.push_str(&format!(", from {lower} to {upper}"));
    }
    if gate.sensitive {
        words.push_str(", sensitive to what is unknown");
    }
    words
}
