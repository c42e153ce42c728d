//! `deedcheck regrade`: a run graded again from what its private directory keeps.
//!
//! No transcript is read, and nothing else that the run read: every file is held against its digest
//! first, and then only they are read. The same version with the same rules writes the same bytes.

mod diff;

use std::ffi::OsString;
use std::io::Write;
use std::path::{Path, PathBuf};

use clap::{Args, ValueHint};

use super::args::{FailOn, Format, Grade, Judging, Listed, Records};
use super::controls::{self, Own};
use super::frozen::{self, Common, FROZEN_CONTEXT_SCHEMA, FrozenContext, Shown};
use super::grade::{self, CONTEXT_SCHEMA, Context, Outcome, Plan, Run, with_threads};
use super::retained::{RegradedFrom, Retained, Retaining};
use super::sources::written_of;
use super::{Exit, RunError, Surroundings, lost, policy};
use crate::frozen::{OnRecord, Runs};
use crate::pipeline;
use crate::private::argv;
use crate::record::Decoder;
use crate::source::Discovery;
use crate::spec::sha256;

/// What is graded again, and how.
#[derive(Debug, Args)]
#[command(
    after_help = "Without --rules, --profile, --preset and --config, the run is judged as it was.\n\
                  The same version writes the same rows and sums then, byte for byte.\n\
                  Exit codes: 0 done, 1 something that --fail-on names was found, 2 refused."
)]
pub(super) struct Regrade {
    /// The private directory of the run, as `grade --out-private` wrote it
    #[arg(long, value_name = "DIR", value_hint = ValueHint::DirPath)]
    from: PathBuf,
    /// What judges said, in place of what was kept; for frozen checks
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    judgments: Option<PathBuf>,
    /// Write rows, records and context into this new directory; private
    #[arg(long, value_name = "DIR", value_hint = ValueHint::DirPath)]
    out_private: PathBuf,
    /// Write the sums into this new file; without ids, paths or text
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    out: PathBuf,
    /// Print what changed, row by row
    #[arg(long, conflicts_with_all = ["format", "show"])]
    diff: bool,
    /// What to print, as for grade
    #[arg(long, value_enum, default_value_t = Format::Table)]
    format: Format,
    /// List more in the table, as for grade
    #[arg(long, value_enum, value_delimiter = ',', value_name = "WHAT")]
    show: Vec<Listed>,
    #[command(flatten)]
    judging: Judging,
    /// What makes the run exit with 1, separated by commas
    #[arg(
        long,
        value_enum,
        value_delimiter = ',',
        default_value = "contradicted",
        value_name = "WHAT"
    )]
    fail_on: Vec<FailOn>,
    /// Threads to use, 0 for one a core; the output is the same with any number
    #[arg(long, default_value_t = 0, value_name = "N")]
    jobs: usize,
    /// Print nothing but refusals
    #[arg(long)]
    quiet: bool,
}

pub(super) fn run(
    args: &Regrade,
    argv: &[OsString],
    around: &Surroundings,
    out: &mut dyn Write,
    err: &mut dyn Write,
) -> Result<Exit, RunError> {
    let retained = Retained::verify(&args.from)?;
    match retained.schema.as_str() {
        CONTEXT_SCHEMA => Again { args, around, argv }.sessions(&retained, out, err),
        FROZEN_CONTEXT_SCHEMA => Again { args, around, argv }.checks(&retained, out, err),
        _ => Err(RunError::Retained {
            role: "context",
            kind: "schema",
        }),
    }
}

/// A run that is graded again.
struct Again<'a> {
    args: &'a Regrade,
    around: &'a Surroundings,
    argv: &'a [OsString],
}

/// A flag that has no meaning for what is graded again.
fn conflict(field: &'static str) -> RunError {
    RunError::Argument {
        field,
        kind: "conflict",
    }
}

fn from(retained: &Retained, version: &str, other_rules: bool) -> RegradedFrom {
    RegradedFrom {
        version: version.to_owned(),
        context_sha256: sha256(&retained.context),
        grades_sha256: retained.digests.get("grades").cloned().unwrap_or_default(),
        other_version: version != env!("CARGO_PKG_VERSION"),
        other_rules,
    }
}

impl Again<'_> {
    /// Grades sessions again.
    fn sessions(
        &self,
        retained: &Retained,
        out: &mut dyn Write,
        err: &mut dyn Write,
    ) -> Result<Exit, RunError> {
        let before: Context = retained.context()?;
        let (grade, mut plan) = self.plan(retained, &before)?;
        let mut retaining = plan.private.as_ref().map(Retaining::create).transpose()?;
        let file = match &mut retaining {
            Some(retaining) => retained.copy("records", retaining)?,
            None => retained.file("records")?,
        };
        let graded = with_threads(self.args.jobs, || pipeline::regrade(file, &plan.policy))??;
        let all = before.inputs.keys().chain(&before.not_kept);
        let gone = all.filter(|name| !graded.files.contains_key(*name));
        plan.not_kept = gone.cloned().collect();
        plan.not_kept.sort();
        let run = Run {
            args: &grade,
            argv: self.argv,
            around: self.around,
            plan: &plan,
        };
        let outcome = run.outcome(graded)?;
        let printed = lost(self.print(retained, &before, run, &outcome, out, err))?;
        run.retain(retaining, &outcome)?;
        let published = run.publish(&outcome);
        // What was withheld weighs more than a reader who went away.
        published?;
        printed?;
        grade::strayed(&outcome, err)?;
        Ok(grade::exit(&grade, &outcome))
    }

    /// Everything that is decided before the first byte is written.
    fn plan(&self, retained: &Retained, before: &Context) -> Result<(Grade, Plan), RunError> {
        if self.args.judgments.is_some() {
            return Err(conflict("--judgments"));
        }
        let mut grade = self.as_grade(before);
        let (private, public) = grade::outputs(&grade)?;
        let (policy, policy_text, rules) = self.policy(before, retained)?;
        let kept = retained.has("policy").then(|| retained.text("policy"));
        let same = policy.profile.as_str() == before.profile
            && policy.preset.as_str() == before.preset
            && rules == before.rules
            && policy_text == kept.transpose()?;
        // What is printed names the policy's file among what judged.
        grade.judging.config = policy_text.is_some().then(PathBuf::new);
        let controls = own_controls(retained)?;
        // Where there is no record, nothing can be graded again.
        drop(retained.file("records")?);
        let plan = Plan {
            found: Discovery {
                passed_over: before.passed_over,
                ..Discovery::default()
            },
            policy,
            controls,
            policy_text,
            rules,
            private,
            public,
            known: retained.canary(),
            from: Some(from(retained, &before.version, !same)),
            not_kept: Vec::new(),
        };
        Ok((grade, plan))
    }

    fn print(
        &self,
        retained: &Retained,
        before: &Context,
        run: Run<'_>,
        outcome: &Outcome,
        out: &mut dyn Write,
        err: &mut dyn Write,
    ) -> Result<(), RunError> {
        if self.args.quiet {
            return Ok(());
        }
        let not_kept = &run.plan.not_kept;
        if !not_kept.is_empty() {
            let gone = not_kept.len();
            let all = before.inputs.len() + before.not_kept.len();
            writeln!(
                err,
                "not graded again: {gone} of {all} files, whose records were not kept; \
                 not_kept in the new context.json names them"
            )?;
        }
        if self.args.diff {
            return self.changes(retained, &outcome.rows, not_kept, out);
        }
        // What lies around here says nothing of how the run was judged.
        let elsewhere = Surroundings {
            cwd: None,
            ..self.around.clone()
        };
        grade::print(run.args, run.plan, &elsewhere, outcome, out, err)
    }

    /// The policy that was in force, unless another one is asked for.
    fn policy(
        &self,
        before: &Context,
        retained: &Retained,
    ) -> Result<(pipeline::Policy, Option<String>, Vec<String>), RunError> {
        let asked = &self.args.judging;
        let (text, former) = match &asked.config {
            // Another file is judged by as it stands.
            Some(path) => (Some(written_of(path, "--config")?), None),
            None if retained.has("policy") => (Some(retained.text("policy")?), Some(before)),
            None => (None, Some(before)),
        };
        let judging = Judging {
            rules: match former {
                Some(former) if asked.rules.is_empty() => former.rules.clone(),
                _ => asked.rules.clone(),
            },
            profile: asked
                .profile
                .clone()
                .or_else(|| former.map(|former| former.profile.clone())),
            preset: asked
                .preset
                .clone()
                .or_else(|| former.map(|former| former.preset.clone())),
            config: None,
        };
        let policy = grade::policy_of(&judging, text.as_deref())?;
        Ok((policy, text, judging.rules))
    }

    /// The same as arguments of `grade`, for what both print and write alike.
    fn as_grade(&self, before: &Context) -> Grade {
        let args = self.args;
        Grade {
            paths: vec![args.from.clone()],
            all: false,
            demo: false,
            format: args.format,
            show: args.show.clone(),
            out_private: Some(args.out_private.clone()),
            records: Some(match before.records.as_str() {
                "flagged" => Records::Flagged,
                "none" => Records::None,
                _ => Records::All,
            }),
            out: Some(args.out.clone()),
            judging: Judging::default(),
            fail_on: args.fail_on.clone(),
            jobs: args.jobs,
            quiet: args.quiet,
            controls: None,
            frozen: frozen::Frozen::default(),
        }
    }

    /// Grades frozen checks again.
    fn checks(
        &self,
        retained: &Retained,
        out: &mut dyn Write,
        err: &mut dyn Write,
    ) -> Result<Exit, RunError> {
        self.only_of_sessions()?;
        let own = own_controls(retained)?;
        let planted = controls::planted(&own.controls);
        let before: FrozenContext = retained.context()?;
        let common = Common {
            around: self.around,
            planted: &planted,
            controls: &own.texts,
            min_cell: before.min_cell,
            arguments: recorded(self.args),
            from: Some(from(
                retained,
                &before.version,
                other_judgments(retained, self.args.judgments.as_deref())?,
            )),
            known: retained.canary(),
        };
        let exit = if retained.has("bindings") {
            self.tasks(retained, common, out)?
        } else {
            self.policy_again(retained, &common, out)?
        };
        for line in planted.lines() {
            writeln!(err, "{line}")?;
        }
        Ok(if planted.strayed.is_empty() {
            exit
        } else {
            Exit::Found
        })
    }

    /// Holds the turns of a record against its policy again.
    fn policy_again(
        &self,
        retained: &Retained,
        run: &Common<'_>,
        out: &mut dyn Write,
    ) -> Result<Exit, RunError> {
        let args = self.args;
        let records = retained.file("records")?;
        let judgments = args.judgments.as_deref();
        let given = policy::given(&mut |role| kept(retained, role, judgments))?;
        let (private, public) = frozen::plan(Some(&args.out_private), Some(&args.out))?;
        let done = run.grade_turns(&given, Runs::of_record(&mut Decoder::open(records)?)?)?;
        let mut retaining = Retaining::create(&private)?;
        drop(retained.copy("records", &mut retaining)?);
        let printed = lost(if args.quiet || done.withheld() {
            Ok(())
        } else if args.diff {
            self.changes(retained, &done.rows, &[], out)
        } else {
            done.print(args.format, (0, &Shown::new(run.around, [])), out)
        })?;
        run.publish(Some(retaining), Some(&public), &given, &done)?;
        printed?;
        Ok(done.exit(args.fail_on.contains(&FailOn::Dark)))
    }

    /// Grades the tasks of a record again.
    fn tasks(
        &self,
        retained: &Retained,
        common: Common<'_>,
        out: &mut dyn Write,
    ) -> Result<Exit, RunError> {
        let args = self.args;
        let records = retained.file("records")?;
        let judgments = args.judgments.as_deref();
        let given = frozen::given(&mut |role| kept(retained, role, judgments))?;
        let (private, public) = frozen::plan(Some(&args.out_private), Some(&args.out))?;
        let run = frozen::Run {
            common,
            private,
            public,
        };
        let attempts = OnRecord::read(&mut Decoder::open(records)?)?;
        let graded = with_threads(args.jobs, || run.grade(&given, &attempts))??;
        let mut retaining = Retaining::create(&run.private)?;
        drop(retained.copy("records", &mut retaining)?);
        let printed = if args.quiet || graded.withheld() {
            Ok(())
        } else if args.diff {
            self.changes(retained, &graded.rows, &[], out)
        } else {
            graded.print(args.format, &Shown::new(run.common.around, []), out)
        };
        let printed = lost(printed)?;
        run.write(retaining, &given, &graded)?;
        printed?;
        Ok(frozen::exit(&graded))
    }

    /// Frozen checks are judged by their spec alone.
    fn only_of_sessions(&self) -> Result<(), RunError> {
        let judging = &self.args.judging;
        let flags = [
            ("--rules", !judging.rules.is_empty()),
            ("--profile", judging.profile.is_some()),
            ("--preset", judging.preset.is_some()),
            ("--config", judging.config.is_some()),
            ("--show", !self.args.show.is_empty()),
        ];
        match flags.into_iter().find(|(_, given)| *given) {
            Some((flag, _)) => Err(conflict(flag)),
            None => Ok(()),
        }
    }

    fn changes(
        &self,
        retained: &Retained,
        rows: &[u8],
        not_kept: &[String],
        out: &mut dyn Write,
    ) -> Result<(), RunError> {
        let before = retained.bytes("grades")?;
        out.write_all(diff::diff(&before, rows, not_kept).as_bytes())?;
        Ok(out.flush()?)
    }
}

/// The user's own controls that were kept.
fn own_controls(retained: &Retained) -> Result<Own, RunError> {
    if !retained.has("controls") {
        return Ok(Own::default());
    }
    Own::kept(&retained.text("controls")?).ok_or(RunError::Retained {
        role: "controls",
        kind: "invalid",
    })
}

/// What was kept of a role; judgments may be others.
fn kept(
    retained: &Retained,
    role: &'static str,
    judgments: Option<&Path>,
) -> Result<Option<String>, RunError> {
    match (role, judgments) {
        ("judgments", Some(path)) => written_of(path, "--judgments").map(Some),
        _ if retained.has(role) => retained.text(role).map(Some),
        _ => Ok(None),
    }
}

/// Whether other judgments are given than were kept.
fn other_judgments(retained: &Retained, judgments: Option<&Path>) -> Result<bool, RunError> {
    let Some(path) = judgments else {
        return Ok(false);
    };
    let digest = sha256(written_of(path, "--judgments")?.as_bytes());
    Ok(retained.digests.get("judgments") != Some(&digest))
}

/// The arguments of a run of frozen checks that is graded again, in one order.
fn recorded(args: &Regrade) -> Vec<String> {
    let mut words = vec!["regrade".to_owned()];
    let paths = [
        ("--from", true),
        ("--judgments", args.judgments.is_some()),
        ("--out-private", true),
        ("--out", true),
    ];
    for (flag, _) in paths.into_iter().filter(|(_, given)| *given) {
        words.extend([flag.to_owned(), argv::PLACEHOLDER.to_owned()]);
    }
    words
}
