//! `deedcheck grade`: the main job.

mod print;

use std::collections::BTreeMap;
use std::ffi::OsString;
use std::io::{Read, Write};
use std::sync::LazyLock;
use std::sync::atomic::{AtomicU64, Ordering};

use serde::Serialize;

use super::args::{FailOn, Format, Grade, Judging};
use super::controls::{self, Planted};
use super::sources::{sources, text_of};
use super::{Exit, RunError, Surroundings, demo};
use crate::aggregate::Aggregate;
use crate::canon;
use crate::control::Control;
#[cfg(feature = "schema")]
use crate::grade::schema as vocabulary;
use crate::grade::{Row, hex};
use crate::pipeline::{Graded, Policy, grade};
use crate::private::{Canary, Kind, Planned, PrivateDir, PublicFile, argv};
use crate::rule::gate::{Preset, Profile};
use crate::source::Discovery;

/// The schema that a context names.
pub(super) const CONTEXT_SCHEMA: &str = "deedcheck/context/1";
/// The name of the policy file that is read where it lies in the working directory.
const POLICY_FILE: &str = "deedcheck.toml";
/// More threads than this only cost; what they compute is the same.
const MOST_JOBS: usize = 256;

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
pub(super) struct CanaryCounts {
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
    controls: Vec<Control>,
    private: Option<Planned>,
    public: Option<Planned>,
}

/// What a run came to.
struct Outcome {
    graded: Graded,
    planted: Planted,
    aggregate: Aggregate,
    rows: Vec<u8>,
    /// The aggregate as it may be published, where it is asked for at all.
    public: Option<Result<Vec<u8>, Leak>>,
}

/// Something private that stands in what was about to be public.
#[derive(Debug, Clone, Copy)]
struct Leak {
    kind: Kind,
    at: usize,
}

impl Leak {
    fn refusal(self, output: &'static str) -> RunError {
        RunError::Privacy {
            output,
            kind: self.kind.as_str(),
            at: self.at,
        }
    }
}

pub(super) fn run(
    args: &Grade,
    argv: &[OsString],
    around: &Surroundings,
    input: &mut dyn Read,
    out: &mut dyn Write,
    err: &mut dyn Write,
) -> Result<Exit, RunError> {
    if args.frozen.asked() {
        return frozen(args, around, out, err);
    }
    let plan = plan(args, around, input)?;
    let progress = around.progress && !args.quiet;
    let (planted, graded) = with_threads(args.jobs, || {
        let planted = controls::planted(&plan.controls, false);
        (planted, grade_all(&plan, progress))
    })?;
    let mut aggregate = Aggregate::of(&graded.rows);
    planted.count(&mut aggregate);
    // Rows double the memory of a long session; they are spelled out only where someone reads them.
    let read = plan.private.is_some() || args.format == Format::Jsonl && !args.quiet;
    let rows = if read {
        encoded(&graded.rows)?
    } else {
        Vec::new()
    };
    let wanted = plan.public.is_some() || args.format == Format::Json;
    let public = wanted
        .then(|| public_bytes(&plan, around, &graded, &aggregate))
        .transpose()?;
    let outcome = Outcome {
        graded,
        planted,
        aggregate,
        rows,
        public,
    };
    write_private(&plan, argv, &outcome)?;
    let published = write_public(&plan, &outcome);
    let printed = if args.quiet {
        Ok(())
    } else {
        print::print(args, &plan, around, &outcome, out, err).and_then(|()| Ok(out.flush()?))
    };
    // What was withheld weighs more than a reader who went away.
    published?;
    printed?;
    strayed(&outcome.planted, err)?;
    Ok(if !outcome.planted.strayed.is_empty() {
        Exit::Found
    } else if args.demo {
        Exit::Done
    } else {
        exit(args, &outcome)
    })
}

/// Names the controls that landed elsewhere, whatever else was asked to be quiet.
fn strayed(planted: &Planted, err: &mut dyn Write) -> Result<(), RunError> {
    for line in planted.lines() {
        writeln!(err, "{line}")?;
    }
    Ok(())
}

/// Frozen checks, with the controls of the check kinds beside those of the rules.
fn frozen(
    args: &Grade,
    around: &Surroundings,
    out: &mut dyn Write,
    err: &mut dyn Write,
) -> Result<Exit, RunError> {
    let own = controls::own(args.controls.as_deref())?;
    let planted = with_threads(args.jobs, || controls::planted(&own, true))?;
    let exit = super::frozen::run(args, around, out)?;
    strayed(&planted, err)?;
    let landed = planted.strayed.is_empty();
    Ok(if landed { exit } else { Exit::Found })
}

/// How a run ends that was not refused.
fn exit(args: &Grade, outcome: &Outcome) -> Exit {
    if fails(&args.fail_on, &outcome.graded.rows) {
        Exit::Found
    } else {
        Exit::Done
    }
}

fn plan(args: &Grade, around: &Surroundings, input: &mut dyn Read) -> Result<Plan, RunError> {
    let private = args
        .out_private
        .as_deref()
        .map(PrivateDir::plan)
        .transpose()?;
    let public = args.out.as_deref().map(PublicFile::plan).transpose()?;
    if let (Some(private), Some(public)) = (&private, &public) {
        public.apart_from(private)?;
    }
    if args.fail_on.len() > 1 && args.fail_on.contains(&FailOn::Never) {
        return Err(RunError::Argument {
            field: "--fail-on",
            kind: "conflict",
        });
    }
    // The example is the same wherever it is looked at.
    let nowhere = Surroundings::default();
    let policy = policy(&args.judging, if args.demo { &nowhere } else { around })?;
    let controls = controls::own(args.controls.as_deref())?;
    let found = if args.demo {
        demo::discovery()
    } else {
        sources(args, around, input)?
    };
    Ok(Plan {
        found,
        policy,
        controls,
        private,
        public,
    })
}

/// The policy: its file, and what outranks it.
///
/// # Errors
/// A file that cannot be read or is none, or a word that is not known.
pub(super) fn policy(args: &Judging, around: &Surroundings) -> Result<Policy, RunError> {
    let beside = around.cwd.as_ref().map(|cwd| cwd.join(POLICY_FILE));
    let beside = beside.filter(|path| path.is_file());
    let mut policy = match args.config.as_ref().or(beside.as_ref()) {
        Some(path) => Policy::parse(&text_of(path, "--config")?)?,
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
    if !args.rules.is_empty() {
        policy.select(&args.rules);
    }
    Ok(policy)
}

pub(super) fn with_threads<T: Send>(
    jobs: usize,
    work: impl FnOnce() -> T + Send,
) -> Result<T, RunError> {
    let pool = rayon::ThreadPoolBuilder::new()
        .num_threads(jobs.min(MOST_JOBS))
        .build();
    let pool = pool.map_err(|_| RunError::Argument {
        field: "--jobs",
        kind: "no-threads",
    })?;
    Ok(pool.install(work))
}

fn grade_all(plan: &Plan, progress: bool) -> Graded {
    let total: u64 = plan.found.files.iter().map(|file| file.size).sum();
    // Short work needs no bar.
    let bar = (progress && total > 64 << 20).then(|| {
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

pub(super) fn append<T: Serialize>(bytes: &mut Vec<u8>, value: &T) -> Result<(), RunError> {
    canon::append_line(bytes, value).map_err(|_| RunError::Output {
        kind: std::io::ErrorKind::InvalidData,
    })
}

/// Flags whose value is a path, for the recorded arguments.
const PATH_FLAGS: [&str; 4] = ["--out-private", "--out", "--config", "--controls"];
/// Flags without a value.
const SWITCHES: [&str; 3] = ["--all", "--demo", "--quiet"];

/// The arguments as they are recorded. What follows a switch is no value of it, so that the two
/// are recorded apart: a path there must not pass for a harmless word.
fn recorded(argv: &[OsString]) -> Vec<String> {
    let words: Vec<String> = argv
        .iter()
        .skip(1)
        .map(|word| word.to_string_lossy().into_owned())
        .collect();
    let mut out = Vec::new();
    let mut rest = words.as_slice();
    let mut commands: &[&str] = &["grade"];
    loop {
        let options = rest.iter().take_while(|word| *word != "--");
        let switch = options
            .enumerate()
            .find(|(_, word)| SWITCHES.contains(&word.as_str()));
        let Some((at, switch)) = switch else {
            out.extend(argv::redact(rest, &PATH_FLAGS, commands));
            return out;
        };
        out.extend(argv::redact(&rest[..at], &PATH_FLAGS, commands));
        out.push(switch.clone());
        rest = &rest[at + 1..];
        commands = &[];
    }
}

fn write_private(plan: &Plan, argv: &[OsString], outcome: &Outcome) -> Result<(), RunError> {
    use sha2::{Digest as _, Sha256};
    let Some(planned) = &plan.private else {
        return Ok(());
    };
    let inputs = outcome
        .graded
        .files
        .iter()
        .map(|(name, report)| (name.as_str(), hex(&report.sha256)))
        .collect();
    let context = Context {
        schema: CONTEXT_SCHEMA,
        version: env!("CARGO_PKG_VERSION"),
        arguments: recorded(argv),
        profile: plan.policy.profile.as_str(),
        preset: plan.policy.preset.as_str(),
        inputs,
        grades_sha256: hex(&Sha256::digest(&outcome.rows)),
        canary: self_test(),
    };
    let mut bytes = Vec::new();
    append(&mut bytes, &context)?;
    let mut dir = PrivateDir::create(planned)?;
    dir.write("grades.jsonl", &outcome.rows)?;
    dir.write("context.json", &bytes)?;
    dir.publish()?;
    Ok(())
}

/// What the canary's own proof came to: the same in every output of a run, and made once.
pub(super) fn self_test() -> CanaryCounts {
    static PROOF: LazyLock<CanaryCounts> = LazyLock::new(|| {
        let (planted, caught) =
            crate::private::canary::self_test(crate::private::canary::Armed::default());
        CanaryCounts { planted, caught }
    });
    *PROOF
}

fn write_public(plan: &Plan, outcome: &Outcome) -> Result<(), RunError> {
    let (Some(planned), Some(public)) = (&plan.public, &outcome.public) else {
        return Ok(());
    };
    let bytes = public.as_ref().map_err(|leak| leak.refusal("--out"))?;
    let mut file = PublicFile::create(planned)?;
    file.write_all(bytes)?;
    file.publish()?;
    Ok(())
}

/// The sums as they may be published: written down, and searched for anything private.
fn public_bytes(
    plan: &Plan,
    around: &Surroundings,
    graded: &Graded,
    aggregate: &Aggregate,
) -> Result<Result<Vec<u8>, Leak>, RunError> {
    let mut bytes = Vec::new();
    let public = Public {
        schema: aggregate.schema,
        version: aggregate.version,
        cells: &aggregate.cells,
        canary: self_test(),
    };
    append(&mut bytes, &public)?;
    let hits = canary(plan, around, graded).scan(&bytes);
    Ok(match hits.first() {
        Some(hit) => Err(Leak {
            kind: hit.kind,
            at: hit.at,
        }),
        None => Ok(bytes),
    })
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
    watch_surroundings(&mut canary, around);
    canary
}

/// Tells a canary what no output may say of where the program runs.
pub(super) fn watch_surroundings(canary: &mut Canary, around: &Surroundings) {
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
}

/// Whether any row is what the run was asked to fail on.
fn fails(on: &[FailOn], rows: &[Row]) -> bool {
    rows.iter().any(|row| match row {
        Row::Session(row) => row.verdict == "dark" && on.contains(&FailOn::Dark),
        Row::Claim(row) => {
            row.verdict == "contradicted" && on.contains(&FailOn::Contradicted)
                || row.verdict == "unsupported" && on.contains(&FailOn::Unsupported)
        }
        Row::Turn(row) => row.gate.verdict == "reject" && on.contains(&FailOn::Reject),
        Row::Finding(row) => row.verdict == "finding" && on.contains(&FailOn::Finding),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_path_stays_in_the_recorded_arguments() {
        let words = |text: &str| -> Vec<OsString> { text.split(' ').map(OsString::from).collect() };
        let argv = words("deedcheck grade --quiet client-x --out=a --jobs 2 grade -- --quiet b");
        assert_eq!(
            recorded(&argv).join(" "),
            "grade --quiet <path> --out=<path> --jobs 2 <path> -- <path> <path>"
        );
        assert_eq!(
            recorded(&words("deedcheck --quiet grade")),
            ["--quiet", "<path>"]
        );
    }
}
