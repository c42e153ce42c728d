//! `deedcheck grade`: the main job.

use std::collections::BTreeMap;
use std::ffi::OsString;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};

use serde::Serialize;

use super::args::{FailOn, Format, Grade, Listed};
use super::{Exit, RunError, Surroundings, demo};
use crate::aggregate::Aggregate;
use crate::canon;
use crate::grade::Row;
#[cfg(feature = "schema")]
use crate::grade::schema as vocabulary;
use crate::pipeline::{Graded, Policy, grade};
use crate::private::{Canary, Kind, Planned, PrivateDir, PublicFile, argv};
use crate::report::{Style, TableView, table};
use crate::rule::gate::{Preset, Profile};
use crate::source::{Discovery, discover};

/// The schema that a context names.
pub(super) const CONTEXT_SCHEMA: &str = "deedcheck/context/1";
/// Columns that a table takes where no terminal tells.
const COLUMNS: usize = 100;

/// What a private directory says of the run that made it.
#[derive(Serialize)]
#[cfg_attr(
    feature = "schema",
    derive(schemars::JsonSchema),
    schemars(deny_unknown_fields)
)]
pub(super) struct Context<'a> {
    /// The format of the context: `deedcheck/context/1`.
    #[cfg_attr(
        feature = "schema",
        schemars(schema_with = "super::schema::context_version")
    )]
    schema: &'static str,
    /// The program's version.
    version: &'static str,
    /// The arguments, with a placeholder for each path.
    arguments: Vec<String>,
    /// The gate's profile.
    #[cfg_attr(feature = "schema", schemars(schema_with = "vocabulary::profile"))]
    profile: &'static str,
    /// The gate's preset.
    #[cfg_attr(feature = "schema", schemars(schema_with = "vocabulary::preset"))]
    preset: &'static str,
    /// SHA-256 of each file as it lies on disk, by its name in rows.
    inputs: BTreeMap<&'a str, String>,
    /// SHA-256 of `grades.jsonl`.
    #[cfg_attr(feature = "schema", schemars(schema_with = "vocabulary::sha256"))]
    grades_sha256: String,
    /// The canary's proof of itself.
    canary: CanaryCounts,
}

/// How many known canaries were planted into the search, and how many it caught.
#[derive(Debug, Clone, Copy, Serialize)]
#[cfg_attr(
    feature = "schema",
    derive(schemars::JsonSchema),
    schemars(deny_unknown_fields)
)]
struct CanaryCounts {
    /// Canaries planted.
    planted: u64,
    /// Canaries caught.
    caught: u64,
}

/// The public file: the sums and the canary's own proof.
#[derive(Serialize)]
#[cfg_attr(
    feature = "schema",
    derive(schemars::JsonSchema),
    schemars(deny_unknown_fields)
)]
pub(super) struct Public<'a> {
    /// The format of the file: `deedcheck/aggregate/1`.
    #[cfg_attr(
        feature = "schema",
        schemars(schema_with = "super::schema::aggregate_version")
    )]
    schema: &'static str,
    /// The program's version.
    version: &'static str,
    /// Counts by key, such as `gate.reject.stale-verification`.
    #[cfg_attr(feature = "schema", schemars(schema_with = "super::schema::cells"))]
    cells: &'a BTreeMap<String, u64>,
    /// The canary's proof of itself.
    canary: CanaryCounts,
}

/// Everything decided before the first byte is written.
struct Plan {
    found: Discovery,
    policy: Policy,
    private: Option<Planned>,
    public: Option<Planned>,
}

pub(super) fn run(
    args: &Grade,
    argv: &[OsString],
    around: &Surroundings,
    out: &mut dyn Write,
    err: &mut dyn Write,
) -> Result<Exit, RunError> {
    let plan = plan(args, around)?;
    if plan.found.files.is_empty() && !args.quiet {
        writeln!(
            err,
            "nothing to grade: no session was found; name a file or folder, or use --all or --demo"
        )?;
    }
    let graded = with_threads(args.jobs, || grade_all(&plan, around))?;
    let aggregate = Aggregate::of(&graded.rows);
    let rows = encoded(&graded.rows)?;
    write_private(&plan, args, argv, &graded, &rows)?;
    let withheld = write_public(&plan, around, &graded, &aggregate);
    if !args.quiet {
        print(args, &plan, around, &graded, &aggregate, &rows, out)?;
    }
    out.flush()?;
    withheld?;
    let found = fails(&args.fail_on, &graded.rows);
    Ok(if found && !args.demo {
        Exit::Found
    } else {
        Exit::Done
    })
}

fn plan(args: &Grade, around: &Surroundings) -> Result<Plan, RunError> {
    let private = args
        .out_private
        .as_deref()
        .map(PrivateDir::plan)
        .transpose()?;
    let public = args.out.as_deref().map(PublicFile::plan).transpose()?;
    if let (Some(private), Some(public)) = (&private, &public) {
        public.apart_from(private)?;
    }
    let policy = policy(args, around)?;
    let found = if args.demo {
        demo::discovery()
    } else {
        sources(args, around)?
    };
    Ok(Plan {
        found,
        policy,
        private,
        public,
    })
}

fn policy(args: &Grade, around: &Surroundings) -> Result<Policy, RunError> {
    let beside = around.cwd.as_ref().map(|cwd| cwd.join("deedcheck.toml"));
    let beside = beside.filter(|path| path.is_file() && !args.demo);
    let mut policy = match args.config.as_ref().or(beside.as_ref()) {
        Some(path) => {
            let text = std::fs::read_to_string(path).map_err(|_| RunError::Argument {
                field: "--config",
                kind: "unreadable",
            })?;
            Policy::parse(&text)?
        }
        None => Policy::default(),
    };
    if let Some(name) = &args.profile {
        policy.profile = Profile::parse(name).ok_or(RunError::Argument {
            field: "--profile",
            kind: "unknown-value",
        })?;
    }
    if let Some(name) = &args.preset {
        policy.preset = Preset::parse(name).ok_or(RunError::Argument {
            field: "--preset",
            kind: "unknown-value",
        })?;
    }
    Ok(policy)
}

/// The files to read: those named, or the user's own.
fn sources(args: &Grade, around: &Surroundings) -> Result<Discovery, RunError> {
    if !args.paths.is_empty() {
        let mut paths = Vec::new();
        for path in &args.paths {
            if path == Path::new("-") {
                paths.extend(listed(around.stdin.as_deref().unwrap_or_default()));
            } else {
                paths.push(path.clone());
            }
        }
        return Ok(discover(&paths)?);
    }
    let home = around.home.as_deref();
    let claude = around
        .claude_dir
        .clone()
        .or_else(|| Some(home?.join(".claude")));
    let codex = around
        .codex_dir
        .clone()
        .or_else(|| Some(home?.join(".codex")));
    let roots: Vec<PathBuf> = [
        claude.map(|dir| dir.join("projects")),
        codex.map(|dir| dir.join("sessions")),
    ]
    .into_iter()
    .flatten()
    .filter(|dir| dir.is_dir())
    .collect();
    let mut found = discover(&roots)?;
    if !args.all {
        let here = around
            .cwd
            .as_deref()
            .map(|cwd| cwd.to_string_lossy().into_owned());
        found.files.retain(|file| {
            let cwd = crate::transcript::glance(file).cwd;
            cwd.is_some() && cwd == here
        });
    }
    Ok(found)
}

/// Paths on standard input, one a line.
fn listed(bytes: &[u8]) -> Vec<PathBuf> {
    bytes
        .split(|byte| *byte == b'\n')
        .map(|line| line.strip_suffix(b"\r").unwrap_or(line))
        .filter(|line| !line.is_empty())
        .map(path_of)
        .collect()
}

#[cfg(unix)]
fn path_of(bytes: &[u8]) -> PathBuf {
    use std::os::unix::ffi::OsStrExt as _;
    PathBuf::from(std::ffi::OsStr::from_bytes(bytes))
}

#[cfg(not(unix))]
fn path_of(bytes: &[u8]) -> PathBuf {
    PathBuf::from(String::from_utf8_lossy(bytes).into_owned())
}

fn with_threads<T: Send>(jobs: usize, work: impl FnOnce() -> T + Send) -> Result<T, RunError> {
    let pool = rayon::ThreadPoolBuilder::new().num_threads(jobs).build();
    let pool = pool.map_err(|_| RunError::Argument {
        field: "--jobs",
        kind: "no-threads",
    })?;
    Ok(pool.install(work))
}

fn grade_all(plan: &Plan, around: &Surroundings) -> Graded {
    let total: u64 = plan.found.files.iter().map(|file| file.size).sum();
    // Short work needs no bar.
    let bar = (around.progress && total > 64 << 20).then(|| {
        let style = indicatif::ProgressStyle::with_template("{bar:30} {bytes}/{total_bytes} {msg}");
        let bar = indicatif::ProgressBar::new(total);
        style.map_or(bar.clone(), |style| bar.with_style(style))
    });
    let through = AtomicU64::new(0);
    let graded = grade(&plan.found.files, &plan.policy, &|size| {
        let sum = through.fetch_add(size, Ordering::Relaxed) + size;
        if let Some(bar) = &bar {
            bar.set_position(sum);
        }
    });
    if let Some(bar) = &bar {
        bar.finish_and_clear();
    }
    graded
}

fn encoded(rows: &[Row]) -> Result<Vec<u8>, RunError> {
    let mut bytes = Vec::with_capacity(rows.len() * 512);
    for row in rows {
        append(&mut bytes, row)?;
    }
    Ok(bytes)
}

fn append<T: Serialize>(bytes: &mut Vec<u8>, value: &T) -> Result<(), RunError> {
    canon::append_line(bytes, value).map_err(|_| RunError::Output {
        kind: std::io::ErrorKind::InvalidData,
    })
}

/// Flags whose value is a path, for the recorded arguments.
const PATH_FLAGS: [&str; 3] = ["--out-private", "--out", "--config"];

fn write_private(
    plan: &Plan,
    args: &Grade,
    arguments: &[OsString],
    graded: &Graded,
    rows: &[u8],
) -> Result<(), RunError> {
    use sha2::{Digest as _, Sha256};
    let Some(planned) = &plan.private else {
        return Ok(());
    };
    let words: Vec<String> = arguments
        .iter()
        .skip(1)
        .map(|word| word.to_string_lossy().into_owned())
        .collect();
    let inputs = graded
        .files
        .iter()
        .map(|(name, report)| (name.as_str(), hex(&report.sha256)))
        .collect();
    let context = Context {
        schema: CONTEXT_SCHEMA,
        version: env!("CARGO_PKG_VERSION"),
        arguments: argv::redact(&words, &PATH_FLAGS, &["grade"]),
        profile: plan.policy.profile.as_str(),
        preset: plan.policy.preset.as_str(),
        inputs,
        grades_sha256: hex(&Sha256::digest(rows)),
        canary: self_test(),
    };
    let mut bytes = Vec::new();
    append(&mut bytes, &context)?;
    let _ = args;
    let mut dir = PrivateDir::create(planned)?;
    dir.write("grades.jsonl", rows)?;
    dir.write("context.json", &bytes)?;
    dir.publish()?;
    Ok(())
}

fn self_test() -> CanaryCounts {
    let (planted, caught) =
        crate::private::canary::self_test(crate::private::canary::Armed::default());
    CanaryCounts { planted, caught }
}

fn write_public(
    plan: &Plan,
    around: &Surroundings,
    graded: &Graded,
    aggregate: &Aggregate,
) -> Result<(), RunError> {
    let Some(planned) = &plan.public else {
        return Ok(());
    };
    let bytes = public_bytes(aggregate)?;
    if let Some(hit) = canary(plan, around, graded).scan(&bytes).first() {
        return Err(RunError::Privacy {
            output: "--out",
            kind: hit.kind.as_str(),
            at: hit.at,
        });
    }
    let mut file = PublicFile::create(planned)?;
    file.write_all(&bytes)?;
    file.publish()?;
    Ok(())
}

fn public_bytes(aggregate: &Aggregate) -> Result<Vec<u8>, RunError> {
    let mut bytes = Vec::new();
    let public = Public {
        schema: aggregate.schema,
        version: aggregate.version,
        cells: &aggregate.cells,
        canary: self_test(),
    };
    append(&mut bytes, &public)?;
    Ok(bytes)
}

/// A canary that knows what this run must not publish.
fn canary(plan: &Plan, around: &Surroundings, graded: &Graded) -> Canary {
    let mut canary = Canary::new();
    for file in &plan.found.files {
        canary.value(Kind::Locator, &file.name);
        canary.value(Kind::Root, &file.path.to_string_lossy());
        let base = file.name.rsplit('/').next().unwrap_or("");
        canary.value(Kind::BaseName, base);
    }
    for value in &graded.private {
        canary.value(Kind::Session, value);
    }
    let paths = [(Kind::Home, &around.home), (Kind::WorkTree, &around.cwd)];
    for (kind, path) in paths {
        if let Some(path) = path {
            canary.value(kind, &path.to_string_lossy());
        }
    }
    for (kind, name) in [(Kind::User, &around.user), (Kind::Host, &around.host)] {
        if let Some(name) = name {
            canary.value(kind, name);
        }
    }
    canary
}

fn print(
    args: &Grade,
    plan: &Plan,
    around: &Surroundings,
    graded: &Graded,
    aggregate: &Aggregate,
    rows: &[u8],
    out: &mut dyn Write,
) -> Result<(), RunError> {
    match args.format {
        Format::Jsonl => out.write_all(rows)?,
        Format::Json => out.write_all(&public_bytes(aggregate)?)?,
        Format::Table => {
            let text = table(&TableView {
                rows: &graded.rows,
                aggregate,
                passed_over: plan.found.passed_over + graded.passed_over,
                unreachable: &plan.found.unreachable,
                show_gate: args.demo || args.show == Some(Listed::Gate),
                demo: args.demo,
                style: Style {
                    colour: around.colour,
                    width: around.columns.unwrap_or(COLUMNS).clamp(40, 160),
                },
            });
            out.write_all(text.as_bytes())?;
        }
    }
    Ok(())
}

/// Whether any row is what the run was asked to fail on.
fn fails(on: &[FailOn], rows: &[Row]) -> bool {
    rows.iter().any(|row| match row {
        Row::Session(row) => row.verdict == "dark" && on.contains(&FailOn::Dark),
        Row::Turn(row) => {
            row.status == "fail" && on.contains(&FailOn::Contradicted)
                || row.gate.verdict == "reject" && on.contains(&FailOn::Reject)
        }
    })
}

fn hex(bytes: &[u8]) -> String {
    use std::fmt::Write as _;
    bytes.iter().fold(String::new(), |mut out, byte| {
        let _ = write!(out, "{byte:02x}");
        out
    })
}
