//! `deedcheck grade`: the main job.

mod print;
mod recorded;

use std::collections::BTreeMap;
use std::ffi::OsString;
use std::io::{Read, Write};
use std::sync::LazyLock;
use std::sync::atomic::{AtomicU64, Ordering};

use serde::{Deserialize, Serialize};

use super::args::{FailOn, Format, Grade, Judging, Records};
use super::controls::{self, Own, Planted};
use super::frozen::lines_of;
use super::retained::{Digests, RegradedFrom, Retaining};
use super::sources::{roots, sources, written_of};
use super::watch::{knowing, surroundings};
use super::{Exit, RunError, Surroundings, demo, lost};
use crate::aggregate::Aggregate;
use crate::canon;
#[cfg(feature = "schema")]
use crate::grade::schema as vocabulary;
use crate::grade::{Row, hex};
use crate::pipeline::{Graded, Keep, Keeper, Policy, grade_and_keep};
use crate::private::{Kind, Planned, PrivateDir, PublicFile};
use crate::record::{Shelf, header};
use crate::rule::gate::{Preset, Profile};
use crate::source::Discovery;
pub(super) use print::print;

/// The schema that a context names.
pub(super) const CONTEXT_SCHEMA: &str = "deedcheck/context/1";
/// The name of the policy file that is read where it lies in the working directory.
const POLICY_FILE: &str = "deedcheck.toml";
/// More threads than this only cost; what they compute is the same.
const MOST_JOBS: usize = 256;

/// What a private directory says of the run that made it.
#[derive(Debug, Serialize, Deserialize)]
#[cfg_attr(
    feature = "schema",
    derive(schemars::JsonSchema),
    schemars(deny_unknown_fields)
)]
pub(super) struct Context {
    /// The format of the context: `deedcheck/context/1`.
    #[cfg_attr(
        feature = "schema",
        schemars(schema_with = "super::schema::context_version")
    )]
    pub(super) schema: String,
    /// The program's version.
    pub(super) version: String,
    /// The arguments, with a placeholder for each path.
    pub(super) arguments: Vec<String>,
    /// The gate's profile.
    #[cfg_attr(feature = "schema", schemars(schema_with = "vocabulary::profile"))]
    pub(super) profile: String,
    /// The gate's preset.
    #[cfg_attr(feature = "schema", schemars(schema_with = "vocabulary::preset"))]
    pub(super) preset: String,
    /// The rules and families of rules that were asked for by name; those that are on where there
    /// are none.
    pub(super) rules: Vec<String>,
    /// Which files' records are kept: `all`, `flagged` or `none`.
    pub(super) records: String,
    /// Files that were found and are no transcripts.
    pub(super) passed_over: u64,
    /// SHA-256 of each file as it lies on disk, by its name in rows.
    pub(super) inputs: BTreeMap<String, String>,
    /// Files of the run before whose records were not kept, so that they could not be graded again.
    pub(super) not_kept: Vec<String>,
    /// SHA-256 of the files beside this one, by their roles: `aggregate`, `controls`, `grades`,
    /// `policy`, `records`.
    pub(super) files: Digests,
    /// The run whose record was graded again; null where transcripts were read.
    pub(super) regraded_from: Option<RegradedFrom>,
    /// The canary's proof of itself.
    pub(super) canary: CanaryCounts,
    /// SHA-256 of this context with an empty seal.
    #[cfg_attr(feature = "schema", schemars(schema_with = "vocabulary::sha256"))]
    pub(super) seal: String,
}

/// How many known canaries were planted into the search, and how many it caught.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(
    feature = "schema",
    derive(schemars::JsonSchema),
    schemars(deny_unknown_fields)
)]
pub(super) struct CanaryCounts {
    /// Canaries planted.
    pub(super) planted: u64,
    /// Canaries caught.
    pub(super) caught: u64,
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

impl<'a> Public<'a> {
    /// The public file over some sums.
    pub(super) fn of(aggregate: &'a Aggregate) -> Self {
        Self {
            schema: aggregate.schema,
            version: aggregate.version,
            cells: &aggregate.cells,
            canary: self_test(),
        }
    }
}

/// Everything decided before the first byte is written.
pub(super) struct Plan {
    pub(super) found: Discovery,
    pub(super) policy: Policy,
    /// Controls of the user's own.
    pub(super) controls: Own,
    /// The text of the policy's file, where there is one.
    pub(super) policy_text: Option<String>,
    /// The rules that were asked for by name.
    pub(super) rules: Vec<String>,
    pub(super) private: Option<Planned>,
    pub(super) public: Option<Planned>,
    /// Private values beside those of the files that are read.
    pub(super) known: Vec<(Kind, String)>,
    /// The run whose record is graded again.
    pub(super) from: Option<RegradedFrom>,
    /// Files of that run without a record.
    pub(super) not_kept: Vec<String>,
}

/// A run, as far as it is the same whether transcripts or records are graded.
#[derive(Clone, Copy)]
pub(super) struct Run<'a> {
    pub(super) args: &'a Grade,
    pub(super) argv: &'a [OsString],
    pub(super) around: &'a Surroundings,
    pub(super) plan: &'a Plan,
}

/// What a run came to.
pub(super) struct Outcome {
    pub(super) graded: Graded,
    planted: Planted,
    aggregate: Aggregate,
    /// Every row, one a line; empty where nobody reads them.
    pub(super) rows: Vec<u8>,
    /// The aggregate as it is written.
    sums: Vec<u8>,
    /// The aggregate as it may be published, where it is asked for at all.
    public: Option<Result<Vec<u8>, Leak>>,
    /// Values that no public output may hold.
    private: Vec<(Kind, String)>,
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
        return frozen(args, around, input, out, err);
    }
    let plan = plan(args, around, input)?;
    let run = Run {
        args,
        argv,
        around,
        plan: &plan,
    };
    let mut retaining = plan.private.as_ref().map(Retaining::create).transpose()?;
    let graded = run.grade(retaining.as_mut())?;
    let outcome = run.outcome(graded)?;
    let printed = if args.quiet {
        Ok(())
    } else {
        print(args, &plan, around, &outcome, out, err)
    };
    let printed = lost(printed)?;
    run.retain(retaining, &outcome)?;
    let published = run.publish(&outcome);
    // What was withheld weighs more than a reader who went away.
    published?;
    printed?;
    strayed(&outcome, err)?;
    Ok(if args.demo && outcome.planted.strayed.is_empty() {
        Exit::Done
    } else {
        exit(args, &outcome)
    })
}

impl Run<'_> {
    /// Grades the files, and keeps their records where that is asked for.
    fn grade(&self, retaining: Option<&mut Retaining>) -> Result<Graded, RunError> {
        let (args, plan) = (self.args, self.plan);
        let progress = self.around.progress && !args.quiet;
        let keep = match args.records {
            Some(Records::None) => None,
            Some(Records::Flagged) => Some(Keep::Flagged),
            Some(Records::All) | None => Some(Keep::All),
        };
        let Some((retaining, keep)) = retaining.zip(keep) else {
            return with_threads(args.jobs, || grade_all(plan, progress, None));
        };
        let mut stream = retaining.stream("records")?;
        // A failed write is kept inside the stream, and `keep` names it.
        let _ = stream.write_all(&header()?);
        let shelf = Shelf::new(stream);
        let keeper = Keeper {
            keep,
            shelf: &shelf,
        };
        let graded = with_threads(args.jobs, || grade_all(plan, progress, Some(keeper)))?;
        // A write that failed is named as the file is finished.
        retaining.keep(shelf.into_inner().0)?;
        Ok(graded)
    }

    /// Everything that is made of what was graded, and nothing of it written yet.
    pub(super) fn outcome(&self, graded: Graded) -> Result<Outcome, RunError> {
        let (args, plan) = (self.args, self.plan);
        let mut aggregate = Aggregate::of(&graded.rows);
        let planted = with_threads(args.jobs, || controls::planted(&plan.controls.controls))?;
        planted.count(&mut aggregate);
        // Rows double the memory of a long session; they are spelled out only where someone reads
        // them.
        let read = plan.private.is_some() || args.format == Format::Jsonl && !args.quiet;
        let rows = if read {
            encoded(&graded.rows)?
        } else {
            Vec::new()
        };
        let pages = matches!(args.format, Format::Json | Format::Html | Format::Markdown);
        let published = plan.public.is_some() || pages;
        let mut outcome = Outcome {
            private: Vec::new(),
            sums: Vec::new(),
            public: None,
            graded,
            planted,
            aggregate,
            rows,
        };
        if published || plan.private.is_some() {
            outcome.private = self.private_values(&outcome.graded);
            outcome.sums = sums(&outcome.aggregate)?;
        }
        if published {
            let leak = knowing(&outcome.private)
                .scan(&outcome.sums)
                .first()
                .map(|hit| Leak {
                    kind: hit.kind,
                    at: hit.at,
                });
            outcome.public = Some(leak.map_or_else(|| Ok(outcome.sums.clone()), Err));
        }
        Ok(outcome)
    }

    /// Completes the private directory: it is whole whatever may be published.
    pub(super) fn retain(
        &self,
        retaining: Option<Retaining>,
        outcome: &Outcome,
    ) -> Result<(), RunError> {
        let Some(mut retaining) = retaining else {
            return Ok(());
        };
        let (args, plan) = (self.args, self.plan);
        retaining.write("grades", &outcome.rows)?;
        retaining.write("aggregate", &outcome.sums)?;
        if let Some(text) = &plan.policy_text {
            retaining.write("policy", text.as_bytes())?;
        }
        if !plan.controls.texts.is_empty() {
            retaining.write("controls", &lines_of(&plan.controls.texts)?)?;
        }
        let files = outcome.graded.files.iter();
        let records = match args.records {
            Some(Records::None) => "none",
            Some(Records::Flagged) => "flagged",
            Some(Records::All) | None => "all",
        };
        let context = Context {
            schema: CONTEXT_SCHEMA.to_owned(),
            version: env!("CARGO_PKG_VERSION").to_owned(),
            arguments: recorded::recorded(self.argv),
            profile: plan.policy.profile.as_str().to_owned(),
            preset: plan.policy.preset.as_str().to_owned(),
            rules: plan.rules.clone(),
            records: records.to_owned(),
            passed_over: plan.found.passed_over,
            inputs: files
                .map(|(name, report)| (name.clone(), hex(&report.sha256)))
                .collect(),
            not_kept: plan.not_kept.clone(),
            files: retaining.digests().clone(),
            regraded_from: plan.from.clone(),
            canary: self_test(),
            seal: String::new(),
        };
        retaining.publish(&outcome.private, &context)
    }

    /// Writes what may be published.
    pub(super) fn publish(&self, outcome: &Outcome) -> Result<(), RunError> {
        let (Some(planned), Some(public)) = (&self.plan.public, &outcome.public) else {
            return Ok(());
        };
        let bytes = public.as_ref().map_err(|leak| leak.refusal("--out"))?;
        let mut file = PublicFile::create(planned)?;
        file.write_all(bytes)?;
        file.publish()?;
        Ok(())
    }

    /// What this run must not publish.
    fn private_values(&self, graded: &Graded) -> Vec<(Kind, String)> {
        let mut values = self.plan.known.clone();
        for file in &self.plan.found.files {
            let base = file.name.rsplit('/').next().unwrap_or("");
            values.push((Kind::Locator, file.name.clone()));
            values.push((Kind::Root, file.path.to_string_lossy().into_owned()));
            values.push((Kind::BaseName, base.to_owned()));
        }
        values.extend(graded.private.iter().cloned());
        values.extend(surroundings(self.around));
        values
    }
}

/// Names the controls that landed elsewhere, whatever else was asked to be quiet.
pub(super) fn strayed(outcome: &Outcome, err: &mut dyn Write) -> Result<(), RunError> {
    named(&outcome.planted, err)
}

fn named(planted: &Planted, err: &mut dyn Write) -> Result<(), RunError> {
    for line in planted.lines() {
        writeln!(err, "{line}")?;
    }
    Ok(())
}

/// Frozen checks, with the controls of the check kinds beside those of the rules.
fn frozen(
    args: &Grade,
    around: &Surroundings,
    input: &mut dyn Read,
    out: &mut dyn Write,
    err: &mut dyn Write,
) -> Result<Exit, RunError> {
    let own = controls::own(args.controls.as_deref())?;
    let planted = with_threads(args.jobs, || controls::planted(&own.controls))?;
    let exit = super::frozen::run(args, around, (&planted, &own), input, out)?;
    named(&planted, err)?;
    let landed = planted.strayed.is_empty();
    Ok(if landed { exit } else { Exit::Found })
}

/// How a run ends that was not refused.
pub(super) fn exit(args: &Grade, outcome: &Outcome) -> Exit {
    let landed = outcome.planted.strayed.is_empty();
    if !landed || fails(FailOn::told(&args.fail_on), &outcome.graded.rows) {
        Exit::Found
    } else {
        Exit::Done
    }
}

fn plan(args: &Grade, around: &Surroundings, input: &mut dyn Read) -> Result<Plan, RunError> {
    let (private, public) = outputs(args)?;
    // The example is the same wherever it is looked at.
    let nowhere = Surroundings::default();
    let (policy, policy_text) = judged(&args.judging, if args.demo { &nowhere } else { around })?;
    let found = if args.demo {
        demo::discovery()
    } else {
        sources(args, around, input)?
    };
    Ok(Plan {
        found,
        policy,
        controls: controls::own(args.controls.as_deref())?,
        policy_text,
        rules: args.judging.rules.clone(),
        private,
        public,
        known: roots(args, around),
        from: None,
        not_kept: Vec::new(),
    })
}

/// Where the outputs go. Nothing is written yet.
pub(super) fn outputs(args: &Grade) -> Result<(Option<Planned>, Option<Planned>), RunError> {
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
    Ok((private, public))
}

/// The policy: its file, and what outranks it.
///
/// # Errors
/// A file that cannot be read or is none, or a word that is not known.
pub(super) fn policy(args: &Judging, around: &Surroundings) -> Result<Policy, RunError> {
    judged(args, around).map(|(policy, _)| policy)
}

/// The same, with the text of its file.
fn judged(args: &Judging, around: &Surroundings) -> Result<(Policy, Option<String>), RunError> {
    let beside = around.cwd.as_ref().map(|cwd| cwd.join(POLICY_FILE));
    let beside = beside.filter(|path| path.is_file());
    let text = match args.config.as_ref().or(beside.as_ref()) {
        Some(path) => Some(written_of(path, "--config")?),
        None => None,
    };
    Ok((policy_of(args, text.as_deref())?, text))
}

/// The policy of a file's text, and what outranks it.
///
/// # Errors
/// A text that is no policy, or a word that is not known.
pub(super) fn policy_of(args: &Judging, text: Option<&str>) -> Result<Policy, RunError> {
    let mut policy = match text {
        Some(text) => Policy::parse(text)?,
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

fn grade_all(plan: &Plan, progress: bool, keeper: Option<Keeper<'_>>) -> Graded {
    let total: u64 = plan.found.files.iter().map(|file| file.size).sum();
    // Short work needs no bar.
    let bar = (progress && total > 64 << 20).then(|| {
        let style = indicatif::ProgressStyle::with_template("{bar:30} {bytes}/{total_bytes} {msg}");
        let bar = indicatif::ProgressBar::new(total);
        style.map_or(bar.clone(), |style| bar.with_style(style))
    });
    let through = AtomicU64::new(0);
    let done = |size| {
        let sum = through.fetch_add(size, Ordering::Relaxed) + size;
        if let Some(bar) = &bar {
            bar.set_position(sum);
        }
    };
    let graded = grade_and_keep(&plan.found.files, &plan.policy, keeper, &done);
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

/// What the canary's own proof came to: the same in every output of a run, and made once.
pub(super) fn self_test() -> CanaryCounts {
    static PROOF: LazyLock<CanaryCounts> = LazyLock::new(|| {
        let (planted, caught) =
            crate::private::canary::self_test(crate::private::canary::Armed::default());
        CanaryCounts { planted, caught }
    });
    *PROOF
}

/// The sums as they are written.
fn sums(aggregate: &Aggregate) -> Result<Vec<u8>, RunError> {
    super::bind::line(&Public::of(aggregate))
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
