//! `deedcheck golden`: cases held against the grades that a person accepted for them.

mod print;

use std::io::Write;
use std::path::PathBuf;

use clap::{Args, Subcommand, ValueEnum, ValueHint};
use rayon::prelude::*;
use serde::Serialize;

use super::args::Judging;
use super::grade::{policy, with_threads};
use super::{Exit, RunError, Surroundings};
use crate::canon;
use crate::golden::scrub::{Names, Wanted, make};
use crate::golden::{
    Case, Difference, Fault, GoldenError, Grades, accept, acceptable, cases, check, grade_case,
};
use crate::pipeline::Policy;
use crate::report::counted;

/// The format of what `golden check --format json` prints.
pub(super) const CHECK_SCHEMA: &str = "deedcheck/golden-check/1";

#[derive(Debug, Args)]
#[command(
    after_help = "A case is a folder with session files as the client lays them out, or with spec.json, \
                  bindings.json, identity.json and keys.json, and with expected/grades.jsonl and \
                  expected/aggregate.json."
)]
pub(super) struct Golden {
    #[command(subcommand)]
    command: Command,
}

#[derive(Debug, Subcommand)]
enum Command {
    /// Grade each case and list every row that is not as expected
    Check(Check),
    /// List the same, and take what came for what is expected
    Accept(Accept),
    /// Make a case from a session of your own, without what tells who and where, that expects the
    /// grades of today
    New(New),
}

/// What to print.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Format {
    /// For a person.
    Table,
    /// For a program.
    Json,
}

#[derive(Debug, Args)]
#[command(
    after_help = "Exit codes: 0 as expected, 1 a row or a sum differs or a case expects nothing yet, \
                  2 refused. Refusals tell cases by their number in the order of their names."
)]
struct Check {
    /// The folder of cases, or one case
    #[arg(value_name = "DIR", value_hint = ValueHint::DirPath)]
    dir: PathBuf,
    /// What to print
    #[arg(long, value_enum, default_value_t = Format::Table)]
    format: Format,
    #[command(flatten)]
    judging: Judging,
    /// Threads to use, 0 for one a core; the output is the same with any number
    #[arg(long, default_value_t = 0, value_name = "N")]
    jobs: usize,
}

#[derive(Debug, Args)]
struct Accept {
    /// The folder of cases, or one case
    #[arg(value_name = "DIR", value_hint = ValueHint::DirPath)]
    dir: PathBuf,
    /// Cases of that folder by name; all of them where none is named
    #[arg(value_name = "CASE")]
    cases: Vec<String>,
    #[command(flatten)]
    judging: Judging,
    /// Threads to use, 0 for one a core; the output is the same with any number
    #[arg(long, default_value_t = 0, value_name = "N")]
    jobs: usize,
}

#[derive(Debug, Args)]
#[command(
    after_help = "Replaced, alike everywhere: ids of sessions, agents, messages and calls, names of users \
                  and hosts, homes, e-mail addresses, secrets of known families, opaque data. The copy is \
                  searched for all of them in every spelling, and graded: it is refused where anything is \
                  left or a verdict changed. Prose, code, names of projects and files, commits, web \
                  addresses and numbers stay: read a case before you publish it."
)]
struct New {
    /// A session file; the files of agents that it launched are found by themselves
    #[arg(value_name = "FROM", value_hint = ValueHint::FilePath)]
    from: PathBuf,
    /// The new folder of the case
    #[arg(long, value_name = "DIR/NAME", value_hint = ValueHint::DirPath)]
    case: PathBuf,
    /// Leave out what comes after this turn
    #[arg(long, value_name = "N")]
    turn: Option<u32>,
    /// Move times of day by whole days
    #[arg(long, value_name = "DAYS", default_value_t = 0, allow_negative_numbers = true, value_parser = clap::value_parser!(i32).range(-36500..=36500))]
    shift_days: i32,
    #[command(flatten)]
    judging: Judging,
}

/// What a check came to, for a program.
#[derive(Debug, Serialize)]
#[cfg_attr(
    feature = "schema",
    derive(schemars::JsonSchema),
    schemars(deny_unknown_fields)
)]
pub(super) struct Checked {
    /// The format: `deedcheck/golden-check/1`.
    schema: &'static str,
    /// The program's version.
    version: &'static str,
    /// How many differences there are.
    differences: u64,
    /// Each case, in the order of names.
    cases: Vec<CheckedCase>,
}

/// One case.
#[derive(Debug, Serialize)]
#[cfg_attr(
    feature = "schema",
    derive(schemars::JsonSchema),
    schemars(deny_unknown_fields)
)]
struct CheckedCase {
    /// Its name.
    case: String,
    /// What is not as expected.
    differences: Vec<Difference>,
}

pub(super) fn run(
    args: &Golden,
    around: &Surroundings,
    out: &mut dyn Write,
) -> Result<Exit, RunError> {
    match &args.command {
        Command::Check(args) => run_check(args, around, out),
        Command::Accept(args) => run_accept(args, around, out),
        Command::New(args) => run_new(args, around, out),
    }
}

fn run_check(args: &Check, around: &Surroundings, out: &mut dyn Write) -> Result<Exit, RunError> {
    let policy = policy(&args.judging, around)?;
    let cases = cases(&args.dir)?;
    let graded = with_threads(args.jobs, || graded(&cases, &policy))??;
    let checked = checked(&cases, graded.iter().map(|(_, found)| found.clone()));
    let exit = match checked.differences {
        0 => Exit::Done,
        _ => Exit::Found,
    };
    match args.format {
        Format::Table => print::table(&checked, around, out)?,
        Format::Json => {
            let mut bytes = Vec::new();
            canon::append_line(&mut bytes, &checked).map_err(|_| RunError::Output {
                kind: std::io::ErrorKind::InvalidData,
            })?;
            out.write_all(&bytes)?;
        }
    }
    out.flush()?;
    Ok(exit)
}

fn run_accept(args: &Accept, around: &Surroundings, out: &mut dyn Write) -> Result<Exit, RunError> {
    let policy = policy(&args.judging, around)?;
    let mut cases = cases(&args.dir)?;
    if !args.cases.is_empty() {
        let known = |name: &String| cases.iter().any(|case| case.name == *name);
        if !args.cases.iter().all(known) {
            return Err(RunError::Golden(GoldenError::Argument {
                argument: "<CASE>",
                kind: Fault::UnknownCase,
            }));
        }
        cases.retain(|case| args.cases.contains(&case.name));
    }
    let graded = with_threads(args.jobs, || graded(&cases, &policy))??;
    let checked = checked(&cases, graded.iter().map(|(_, found)| found.clone()));
    for (case, (grades, _)) in cases.iter().zip(&graded) {
        acceptable(case, grades)?;
    }
    print::table(&checked, around, out)?;
    let mut written = 0_u64;
    for (case, (grades, found)) in cases.iter().zip(&graded) {
        if !found.is_empty() {
            accept(case, grades)?;
            written += 1;
        }
    }
    writeln!(out, "accepted: {}", counted(written, "case"))?;
    out.flush()?;
    Ok(Exit::Done)
}

fn run_new(args: &New, around: &Surroundings, out: &mut dyn Write) -> Result<Exit, RunError> {
    let policy = policy(&args.judging, around)?;
    let home = around.home.as_ref().and_then(|home| home.file_name());
    let home = home.map(|name| name.to_string_lossy().into_owned());
    let names = Names {
        user: around.user.clone().or(home),
        host: around.host.clone(),
    };
    let made = make(
        &Wanted {
            from: &args.from,
            case: &args.case,
            turn: args.turn,
            days: args.shift_days,
            names: &names,
        },
        &policy,
    )?;
    print::made(&made, &args.case, args.shift_days != 0, around, out)?;
    out.flush()?;
    Ok(Exit::Done)
}

/// Each case's grades and what is not as expected, in the order of the cases. The first case that
/// cannot be graded refuses the run.
fn graded(cases: &[Case], policy: &Policy) -> Result<Vec<(Grades, Vec<Difference>)>, GoldenError> {
    let results: Vec<_> = cases
        .par_iter()
        .map(|case| {
            let grades = grade_case(case, policy)?;
            let found = check(case, &grades)?;
            Ok((grades, found))
        })
        .collect();
    results.into_iter().collect()
}

fn checked(cases: &[Case], found: impl Iterator<Item = Vec<Difference>>) -> Checked {
    let cases: Vec<CheckedCase> = cases
        .iter()
        .zip(found)
        .map(|(case, differences)| CheckedCase {
            case: case.name.clone(),
            differences,
        })
        .collect();
    let total: usize = cases.iter().map(|case| case.differences.len()).sum();
    Checked {
        schema: CHECK_SCHEMA,
        version: env!("CARGO_PKG_VERSION"),
        differences: total as u64,
        cases,
    }
}
