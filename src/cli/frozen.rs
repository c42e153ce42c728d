//! `deedcheck grade --spec`: frozen checks of a sealed spec.

use std::collections::BTreeMap;
use std::io::{Read, Write};
use std::path::{Path, PathBuf};

use clap::{Args, ValueHint};
use serde::{Deserialize, Serialize};

use super::args::{Format, Grade};
use super::bind::{beside, line};
use super::grade::{CanaryCounts, self_test, with_threads};
use super::page::{page, picked, vouch};
use super::retained::{Digests, RegradedFrom, Retaining};
use super::sources::text_of;
use super::spec::write_public;
use super::watch::{knowing, surroundings};
use super::{Exit, RunError, Surroundings};
use crate::canon;
use crate::frozen::{
    Bindings, Captures, FrozenGrades, GateResult, IdentityRow, Inputs, Judgments, OnDisk,
    ReadAttempt, Slot, Sums, awaited, bundle, grade, read_bindings, read_identity,
};
use crate::oracle::KINDS;
use crate::private::{Kind, Planned, PrivateDir, PublicFile};
use crate::record::header;
use crate::spec::{self, Keys, Sealed, read_keys, sha256};

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
        conflicts_with_all = [
            "demo", "show", "fail_on", "rules", "profile", "preset", "config", "records",
        ]
    )]
    pub(super) spec: Option<PathBuf>,
    /// What the runs were launched with, as `deedcheck bind` wrote it
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath, requires = "spec", requires_all = ["identity", "keys", "out", "out_private"], conflicts_with_all = ["paths", "all"])]
    bindings: Option<PathBuf>,
    /// Whose answer stands where, as `deedcheck identity` wrote it
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath, requires = "bindings")]
    identity: Option<PathBuf>,
    /// The keys, as `deedcheck keys` wrote them
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath, requires = "spec")]
    pub(super) keys: Option<PathBuf>,
    /// What judges said, one JSON object a line
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath, requires = "spec")]
    pub(super) judgments: Option<PathBuf>,
    /// What was captured around the runs: a folder with a `manifest.json`, which is only read
    #[arg(long, value_name = "DIR", value_hint = ValueHint::DirPath, requires = "bindings")]
    captures: Option<PathBuf>,
    /// Withhold cells of the sums that count fewer than this
    #[arg(long, value_name = "K", requires = "spec")]
    pub(super) min_cell: Option<u32>,
}

impl Frozen {
    /// Whether frozen checks are what is to be graded.
    pub(super) fn asked(&self) -> bool {
        self.spec.is_some()
    }

    /// The file of a role, with the flag that names it.
    fn file(&self, role: &str) -> (Option<&Path>, &'static str) {
        let (path, field) = match role {
            "spec" => (&self.spec, "--spec"),
            "bindings" => (&self.bindings, "--bindings"),
            "identity" => (&self.identity, "--identity"),
            "keys" => (&self.keys, "--keys"),
            _ => (&self.judgments, "--judgments"),
        };
        (path.as_deref(), field)
    }
}

/// What a private directory says of a run with frozen checks.
#[derive(Debug, Serialize, Deserialize)]
#[cfg_attr(
    feature = "schema",
    derive(schemars::JsonSchema),
    schemars(deny_unknown_fields)
)]
pub(super) struct FrozenContext {
    /// The format: `deedcheck/frozen-context/1`.
    pub(super) schema: String,
    /// The program's version.
    pub(super) version: String,
    /// The arguments in a fixed order, with a placeholder for each path.
    pub(super) arguments: Vec<String>,
    /// Cells of the sums that count fewer than this are withheld.
    pub(super) min_cell: Option<u32>,
    /// SHA-256 of each transcript and answer, by its name in rows.
    pub(super) inputs: BTreeMap<String, String>,
    /// SHA-256 of the files beside this one, by their roles: `aggregate`, `awaited`, `bindings`, `captures`,
    /// `grades`, `identity`, `judgments`, `keys`, `records`, `spec`.
    pub(super) files: Digests,
    /// The run whose record was graded again; null where transcripts were read.
    pub(super) regraded_from: Option<RegradedFrom>,
    /// The canary's proof of itself.
    pub(super) canary: CanaryCounts,
    /// SHA-256 of this context with an empty seal.
    pub(super) seal: String,
}

/// The public file: the sums and the canary's own proof.
#[derive(Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub(super) struct FrozenPublic<'a> {
    /// The sums.
    #[serde(flatten)]
    pub(super) sums: &'a Sums,
    /// SHA-256 of the keys.
    pub(super) keys_sha256: String,
    /// The canary's proof of itself.
    pub(super) canary: CanaryCounts,
}

/// The files that a run is given, read and looked at.
pub(super) struct Given {
    sealed: Sealed,
    pub(super) bindings: Bindings,
    identity: Vec<(Slot, IdentityRow)>,
    keys: Keys,
    judgments: Judgments,
    captures: Captures,
    /// Each file as it is kept in the private directory, by its role.
    files: Vec<(&'static str, Vec<u8>)>,
}

/// What differs between a run that reads transcripts and one that grades their record again.
pub(super) struct Run<'a> {
    pub(super) around: &'a Surroundings,
    pub(super) min_cell: Option<u32>,
    pub(super) arguments: Vec<String>,
    /// The run whose record is graded again.
    pub(super) from: Option<RegradedFrom>,
    /// Private values beside those of the files that are read.
    pub(super) known: Vec<(Kind, String)>,
    pub(super) private: Planned,
    pub(super) public: Planned,
}

/// What a run came to, in bytes.
pub(super) struct Graded {
    graded: FrozenGrades,
    passes: bool,
    /// Every row, one a line.
    pub(super) rows: Vec<u8>,
    sums: Vec<u8>,
    private: Vec<(Kind, String)>,
}

pub(super) fn run(
    args: &Grade,
    around: &Surroundings,
    input: &mut dyn Read,
    out: &mut dyn Write,
) -> Result<Exit, RunError> {
    if args.frozen.bindings.is_none() {
        return super::policy::run(args, around, input, out);
    }
    let given = given(&mut |role| {
        if role == "captures" {
            let folder = args.frozen.captures.as_deref();
            return Ok(folder.map(bundle).transpose()?);
        }
        let (path, field) = args.frozen.file(role);
        path.map(|path| text_of(path, field)).transpose()
    })?;
    let (private, public) = plan(args.out_private.as_deref(), args.out.as_deref())?;
    let run = Run {
        around,
        min_cell: args.frozen.min_cell,
        arguments: recorded(&args.frozen),
        from: None,
        known: Vec::new(),
        private,
        public,
    };
    let bindings = args.frozen.bindings.as_deref();
    let attempts = OnDisk::new(&given.bindings, bindings.map_or(Path::new("."), beside));
    let graded = with_threads(args.jobs, || run.grade(&given, &attempts))??;
    let mut retaining = Retaining::create(&run.private)?;
    let mut stream = retaining.stream("records")?;
    for frame in std::iter::once(header()?).chain(attempts.frames()) {
        // A failed write is kept inside the stream, and `keep` names it.
        let _ = stream.write_all(&frame);
    }
    retaining.keep(stream)?;
    run.write(retaining, &given, &graded)?;
    if !args.quiet {
        graded.print(args.format, out)?;
    }
    Ok(exit(&graded))
}

impl Graded {
    /// What a run prints.
    pub(super) fn print(&self, format: Format, out: &mut dyn Write) -> Result<(), RunError> {
        let sums = (&self.graded.sums, self.sums.as_slice());
        print(format, sums, &self.rows, &self.private, out)
    }
}

/// What a run with frozen checks prints. `sums` are given as they are and as they are written.
pub(super) fn print(
    format: Format,
    sums: (&Sums, &[u8]),
    rows: &[u8],
    private: &[(Kind, String)],
    out: &mut dyn Write,
) -> Result<(), RunError> {
    match format {
        Format::Table => said(sums.0, out)?,
        Format::Json => out.write_all(sums.1)?,
        Format::Jsonl => out.write_all(rows)?,
        Format::Html | Format::Markdown => {
            let canary = knowing(private);
            let picked = picked(rows);
            out.write_all(&page(format, sums.1, &picked, &canary, "--format")?)?;
        }
    }
    Ok(out.flush()?)
}

/// How a run ends that was not refused.
pub(super) fn exit(graded: &Graded) -> Exit {
    if graded.passes {
        Exit::Done
    } else {
        Exit::Found
    }
}

/// Where the outputs go. Nothing is written yet.
pub(super) fn plan(
    private: Option<&Path>,
    public: Option<&Path>,
) -> Result<(Planned, Planned), RunError> {
    let missing = |field| RunError::Argument {
        field,
        kind: "missing",
    };
    let private = PrivateDir::plan(private.ok_or(missing("--out-private"))?)?;
    let public = PublicFile::plan(public.ok_or(missing("--out"))?)?;
    public.apart_from(&private)?;
    Ok((private, public))
}

/// Reads everything. The seal of the spec comes first, and before every other argument. `text`
/// gives the text of a role's file, where there is one.
pub(super) fn given(
    text: &mut dyn FnMut(&'static str) -> Result<Option<String>, RunError>,
) -> Result<Given, RunError> {
    let mut files: Vec<(&'static str, Vec<u8>)> = Vec::new();
    let mut need = |role: &'static str| {
        let text = text(role)?;
        if let Some(text) = &text {
            files.push((role, text.clone().into_bytes()));
        }
        Ok::<Option<String>, RunError>(text)
    };
    let missing = |field| RunError::Argument {
        field,
        kind: "missing",
    };
    let sealed = need("spec")?.ok_or(missing("--spec"))?;
    let sealed = spec::open(sealed.as_bytes(), KINDS)?;
    let bindings = need("bindings")?.ok_or(missing("--bindings"))?;
    let bindings = read_bindings(&bindings, &sealed)?;
    let identity = need("identity")?.ok_or(missing("--identity"))?;
    let identity = read_identity(&identity, &sealed, &bindings)?;
    let keys = need("keys")?.ok_or(missing("--keys"))?;
    let keys = read_keys(&keys, &sealed)?;
    let judgments = match need("judgments")? {
        Some(judgments) => Judgments::read(&judgments, &sealed)?,
        None => Judgments::default(),
    };
    let captures = match need("captures")? {
        Some(captures) => Captures::read(&captures, &sealed, &bindings)?,
        None => Captures::default(),
    };
    // What was sealed is kept as its seal was taken of it.
    if let Some((_, bytes)) = files.iter_mut().find(|(role, _)| *role == "spec") {
        bytes.clone_from(&sealed.bytes);
    }
    Ok(Given {
        sealed,
        bindings,
        identity,
        keys,
        judgments,
        captures,
        files,
    })
}

impl Run<'_> {
    /// Grades, and makes everything that is written of it.
    pub(super) fn grade(
        &self,
        given: &Given,
        attempts: &dyn ReadAttempt,
    ) -> Result<Graded, RunError> {
        let mut graded = grade(&Inputs {
            sealed: &given.sealed,
            kinds: KINDS,
            bindings: &given.bindings,
            attempts,
            identity: &given.identity,
            keys: &given.keys,
            judgments: &given.judgments,
            captures: &given.captures,
        })?;
        let passes = graded.sums.passes();
        if let Some(least) = self.min_cell {
            graded.sums.withhold(least);
        }
        let rows = lines_of(&graded.rows)?;
        let keys = given.files.iter().find(|(role, _)| *role == "keys");
        let sums = line(&FrozenPublic {
            sums: &graded.sums,
            keys_sha256: keys.map_or_else(String::new, |(_, bytes)| sha256(bytes)),
            canary: self_test(),
        })?;
        Ok(Graded {
            passes,
            rows,
            sums,
            private: self.private_values(given, &graded),
            graded,
        })
    }

    /// Completes the private directory, and publishes the sums where they hold nothing private.
    pub(super) fn write(
        &self,
        mut retaining: Retaining,
        given: &Given,
        graded: &Graded,
    ) -> Result<(), RunError> {
        for (role, bytes) in &given.files {
            retaining.write(role, bytes)?;
        }
        retaining.write("awaited", &lines_of(&awaited(&graded.graded.rows))?)?;
        retaining.write("grades", &graded.rows)?;
        retaining.write("aggregate", &graded.sums)?;
        let inputs = given.identity.iter().map(|(_, row)| {
            let locator = &row.locator;
            let name = format!("{}/{}", locator.root, locator.file);
            (name, locator.sha256.clone())
        });
        let context = FrozenContext {
            schema: FROZEN_CONTEXT_SCHEMA.to_owned(),
            version: env!("CARGO_PKG_VERSION").to_owned(),
            arguments: self.arguments.clone(),
            min_cell: self.min_cell,
            inputs: inputs.collect(),
            files: retaining.digests().clone(),
            regraded_from: self.from.clone(),
            canary: self_test(),
            seal: String::new(),
        };
        retaining.publish(&graded.private, &context)?;
        vouch(&graded.sums, &knowing(&graded.private), "--out")?;
        write_public(&self.public, &graded.sums)
    }

    /// What this run must not publish.
    fn private_values(&self, given: &Given, graded: &FrozenGrades) -> Vec<(Kind, String)> {
        let mut values = self.known.clone();
        values.push((Kind::RunToken, given.bindings.run.clone()));
        for (_, row) in &given.identity {
            let file = &row.locator.file;
            let base = file.rsplit('/').next().unwrap_or("");
            values.push((Kind::Identity, row.identity.clone()));
            values.push((Kind::Locator, file.clone()));
            values.push((Kind::BaseName, base.to_owned()));
        }
        for root in given.bindings.roots.values() {
            values.push((Kind::Root, root.clone()));
        }
        for arm in given.bindings.arms.values() {
            values.push((Kind::WorkTree, arm.tree.clone()));
            if let Some(sentinel) = &arm.sentinel {
                values.push((Kind::Sentinel, sentinel.value.clone()));
            }
        }
        values.extend(graded.private.iter().cloned());
        values.extend(surroundings(self.around));
        values
    }
}

/// The arguments as they are recorded: in one order, so that the order in which they were typed
/// changes no byte, and without the number of threads, which changes no result.
pub(super) fn recorded(args: &Frozen) -> Vec<String> {
    let mut words = vec!["grade".to_owned()];
    let paths = [
        ("--spec", args.spec.is_some()),
        ("--bindings", args.bindings.is_some()),
        ("--identity", args.identity.is_some()),
        ("--keys", args.keys.is_some()),
        ("--judgments", args.judgments.is_some()),
        ("--captures", args.captures.is_some()),
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
    out.flush()?;
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

/// Values as they are written, one a line.
pub(super) fn lines_of<T: Serialize>(values: &[T]) -> Result<Vec<u8>, RunError> {
    let mut bytes = Vec::new();
    for value in values {
        canon::append_line(&mut bytes, value).map_err(|_| RunError::Output {
            kind: std::io::ErrorKind::InvalidData,
        })?;
    }
    Ok(bytes)
}
