//! `deedcheck differential`: another checker side by side.

use std::io::{BufRead as _, BufReader, Read, Write};
use std::path::PathBuf;

use clap::builder::PossibleValuesParser;
use clap::{ArgAction, Args, ValueHint};
use serde::Serialize;
use serde_json::Value;

use super::args::rule_names;
use super::grade::append;
use super::sources::written_of;
use super::{Exit, RunError};
use crate::control;
use crate::differential::{
    Agreement, Case, CompareError, Comparison, Refused, answer_line, compare, of_controls,
    of_document, words_of,
};
use crate::report::clean;
use crate::rule::gate::Profile;

/// The format of `--json`.
pub(super) const REPORT_SCHEMA: &str = "deedcheck/differential-report/1";

/// Characters of one side's value that a person is shown.
const SHOWN: usize = 60;

#[derive(Debug, Args)]
#[command(
    after_help = "`deedcheck explain differential` says what is asked and how it is answered.\n\
                  Exit codes: 0 both sides agree, 1 a disagreement, 2 refused."
)]
pub(super) struct Differential {
    /// The other checker: a program and its arguments, started once and without a shell
    #[arg(
        long,
        value_name = "CMD",
        required_unless_present = "answer",
        conflicts_with = "answer",
        value_hint = ValueHint::CommandString
    )]
    against: Option<String>,
    /// Be the other checker: answer questions on standard input, one a line
    #[arg(long)]
    answer: bool,
    /// A file of gate cases as `replay` takes it; may be given several times
    /// [default: the planted controls that are sessions]
    #[arg(long, value_name = "FILE", action = ArgAction::Append, value_hint = ValueHint::FilePath)]
    cases: Vec<PathBuf>,
    /// The gate's profile, instead of the one that the files name
    #[arg(long, value_name = "PROFILE", requires = "cases")]
    profile: Option<String>,
    /// The planted controls of this rule or family only
    #[arg(
        long,
        value_parser = PossibleValuesParser::new(rule_names()),
        hide_possible_values = true,
        value_name = "RULE",
        conflicts_with = "cases"
    )]
    rule: Option<String>,
    /// What decides which changes are planted
    #[arg(long, default_value_t = 1, value_name = "N")]
    seed: u64,
    /// Planted changes of each case at most
    #[arg(long, default_value_t = 4, value_name = "N")]
    count: usize,
    /// Seconds that the other checker has for each answer
    #[arg(long, default_value_t = 60, value_name = "N", value_parser = clap::value_parser!(u64).range(1..=3600))]
    timeout: u64,
    /// Print one JSON object
    #[arg(long)]
    json: bool,
}

pub(super) fn run(
    args: &Differential,
    input: &mut dyn Read,
    out: &mut dyn Write,
) -> Result<Exit, RunError> {
    let Some(against) = &args.against else {
        return answer(input, out);
    };
    let program = words_of(against).map_err(CompareError::from)?;
    let cases = cases(args)?;
    let found = compare(&program, &cases, args.timeout)?;
    if args.json {
        json(args, &found, out)?;
    } else {
        table(&found, out)?;
    }
    out.flush()?;
    Ok(if found.disagreements.is_empty() {
        Exit::Done
    } else {
        Exit::Found
    })
}

/// The other side of a comparison: one answer for each line, written before the next is read.
fn answer(input: &mut dyn Read, out: &mut dyn Write) -> Result<Exit, RunError> {
    for (at, line) in BufReader::new(input).lines().enumerate() {
        let line = line.map_err(|_| Refused::Malformed { line: at + 1 })?;
        writeln!(out, "{}", answer_line(&line, at + 1)?)?;
        out.flush()?;
    }
    Ok(Exit::Done)
}

/// All cases as they stand, each followed by its planted changes.
fn cases(args: &Differential) -> Result<Vec<Case>, RunError> {
    let profile = match &args.profile {
        None => None,
        Some(name) => Some(Profile::parse(name).ok_or(RunError::Argument {
            field: "--profile",
            kind: "unknown-value",
        })?),
    };
    let mut found = Vec::new();
    for (at, file) in args.cases.iter().enumerate() {
        found.extend(
            of_document(&written_of(file, "--cases")?, at + 1, profile)
                .map_err(CompareError::from)?,
        );
    }
    if args.cases.is_empty() {
        let wanted = |rule: &str, family: &str| {
            args.rule
                .as_ref()
                .is_none_or(|name| name == rule || name == family)
        };
        let controls = control::rules().iter();
        let chosen: Vec<_> = controls
            .filter(|control| wanted(&control.rule, control.family))
            .cloned()
            .collect();
        found.extend(of_controls(&chosen));
    }
    let with_changes = found.into_iter().flat_map(|case| {
        let changed = case.changed(args.seed, args.count);
        std::iter::once(case).chain(changed)
    });
    Ok(with_changes.collect())
}

/// What a comparison came to, as it is told.
#[derive(Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub(super) struct Report<'a> {
    /// [`REPORT_SCHEMA`].
    #[cfg_attr(
        feature = "schema",
        schemars(schema_with = "super::schema::differential_version")
    )]
    schema: &'static str,
    /// The program's version.
    version: &'static str,
    /// The seed of the planted changes.
    seed: u64,
    /// Planted changes of each case at most.
    count: u64,
    /// What came of it.
    #[serde(flatten)]
    found: &'a Comparison,
}

fn json(args: &Differential, found: &Comparison, out: &mut dyn Write) -> Result<(), RunError> {
    let report = Report {
        schema: REPORT_SCHEMA,
        version: env!("CARGO_PKG_VERSION"),
        seed: args.seed,
        count: args.count as u64,
        found,
    };
    let mut bytes = Vec::new();
    append(&mut bytes, &report)?;
    out.write_all(&bytes)?;
    Ok(())
}

fn table(found: &Comparison, out: &mut dyn Write) -> Result<(), RunError> {
    let told = |sum: Agreement| format!("{} of {}", sum.agree, sum.of);
    writeln!(out, "agree {}", told(found.all))?;
    writeln!(out, "  as they stand    {}", told(found.as_they_stand))?;
    writeln!(
        out,
        "  planted changes  {}; {} of the changes turn our answer",
        told(found.planted),
        found.turned
    )?;
    if !found.unable.is_empty() {
        writeln!(out, "  cannot judge     {}", found.unable.len())?;
    }
    for one in &found.disagreements {
        let change = one.change.as_deref().unwrap_or("as it stands");
        let at = if one.at.is_empty() { "answer" } else { &one.at };
        writeln!(out, "\n{}  {}", clean(&one.id), clean(change))?;
        writeln!(
            out,
            "  {}: ours {}, theirs {}",
            clean(at),
            shown(one.ours.as_ref()),
            shown(one.theirs.as_ref())
        )?;
    }
    Ok(())
}

fn shown(value: Option<&Value>) -> String {
    let Some(value) = value else {
        return "nothing".to_owned();
    };
    let text = clean(&value.to_string());
    match text.char_indices().nth(SHOWN) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text,
    }
}
