//! The raw arguments.

use std::ffi::OsString;
use std::io::Write;
use std::path::PathBuf;

use clap::{Args, CommandFactory as _, Parser, Subcommand, ValueEnum};

use super::{Exit, Surroundings};

/// Deeds, not words: what a coding agent said, held against what it did.
#[derive(Debug, Parser)]
#[command(
    name = "deedcheck",
    version,
    about,
    disable_help_subcommand = true,
    infer_subcommands = false
)]
#[command(
    after_help = "Exit codes: 0 done, 1 graded and something was found, 2 refused.\n\
                        Start with: deedcheck grade --demo"
)]
pub(super) struct Cli {
    #[command(subcommand)]
    pub(super) command: Command,
}

#[derive(Debug, Subcommand)]
pub(super) enum Command {
    /// Grade finished sessions of Claude Code and Codex.
    Grade(Grade),
    /// Lay one turn's evidence out.
    Show(Show),
    /// Explain a rule.
    Explain(Explain),
    /// List the rules that are built in.
    Rules,
    /// Put gate cases through the gate and print them with our answers filled in.
    Replay(Replay),
}

/// What to print.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(super) enum Format {
    /// For a person.
    Table,
    /// The aggregate, without ids.
    Json,
    /// Every row, one a line.
    Jsonl,
}

/// What to list one by one.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(super) enum Listed {
    /// The gate's rejections and open answers.
    Gate,
}

/// What makes a run exit with 1.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(super) enum FailOn {
    /// Nothing.
    Never,
    /// A statement that the record contradicts.
    Contradicted,
    /// A statement that nothing bears out.
    Unsupported,
    /// A finding.
    Finding,
    /// A close that the gate rejects.
    Reject,
    /// A file that could not be judged.
    Dark,
}

#[derive(Debug, Args)]
pub(super) struct Grade {
    /// Session files and folders; `-` reads paths from standard input, one a line. Without any:
    /// the sessions of this working directory.
    #[arg(value_name = "PATH")]
    pub(super) paths: Vec<PathBuf>,
    /// Every session of Claude Code and Codex on this machine.
    #[arg(long, conflicts_with = "paths")]
    pub(super) all: bool,
    /// A built-in example run.
    #[arg(long, conflicts_with_all = ["paths", "all"])]
    pub(super) demo: bool,
    /// What to print.
    #[arg(long, value_enum, default_value_t = Format::Table)]
    pub(super) format: Format,
    /// List these answers one by one in the table.
    #[arg(long, value_enum, value_name = "WHAT")]
    pub(super) show: Option<Listed>,
    /// Write the private rows and their context into this new directory.
    #[arg(long, value_name = "DIR")]
    pub(super) out_private: Option<PathBuf>,
    /// Write the aggregate, which holds no ids, into this new file.
    #[arg(long, value_name = "FILE")]
    pub(super) out: Option<PathBuf>,
    /// The gate's profile: replay, gg-0.1, gg-0.4 or gg-0.4-hooks.
    #[arg(long, value_name = "PROFILE")]
    pub(super) profile: Option<String>,
    /// The gate's preset: default, skipper or diverger.
    #[arg(long, value_name = "PRESET")]
    pub(super) preset: Option<String>,
    /// A policy file. Without it, `deedcheck.toml` of the working directory is read if it is there.
    #[arg(long, value_name = "FILE")]
    pub(super) config: Option<PathBuf>,
    /// What makes the run exit with 1.
    #[arg(
        long,
        value_enum,
        value_delimiter = ',',
        default_value = "contradicted",
        value_name = "WHAT"
    )]
    pub(super) fail_on: Vec<FailOn>,
    /// Threads to use; 0 for one a core.
    #[arg(long, default_value_t = 0, value_name = "N")]
    pub(super) jobs: usize,
    /// Print nothing but refusals.
    #[arg(long)]
    pub(super) quiet: bool,
}

#[derive(Debug, Args)]
pub(super) struct Show {
    /// A session file, and after a colon the number of one of its turns.
    #[arg(value_name = "FILE[:TURN]")]
    pub(super) target: OsString,
}

#[derive(Debug, Args)]
pub(super) struct Explain {
    /// The rule's id.
    #[arg(value_name = "RULE")]
    pub(super) rule: String,
}

#[derive(Debug, Args)]
pub(super) struct Replay {
    /// A file of gate cases.
    #[arg(value_name = "FILE")]
    pub(super) file: PathBuf,
    /// The profile, instead of the one that the file names.
    #[arg(long, value_name = "PROFILE")]
    pub(super) profile: Option<String>,
}

/// The command line as `clap` knows it, for completions, the manual and the reference.
#[must_use]
pub fn command() -> clap::Command {
    Cli::command()
}

pub(super) fn parse(argv: &[OsString]) -> Result<Cli, clap::Error> {
    Cli::try_parse_from(argv)
}

/// Prints help or the version where they were asked for, and otherwise says in one line what is
/// wrong.
pub(super) fn answer(
    error: &clap::Error,
    around: &Surroundings,
    out: &mut dyn Write,
    err: &mut dyn Write,
) -> std::io::Result<Exit> {
    use clap::error::{ContextKind, ContextValue, ErrorKind};
    if matches!(
        error.kind(),
        ErrorKind::DisplayHelp | ErrorKind::DisplayVersion
    ) {
        let text = error.render();
        if around.colour {
            write!(out, "{}", text.ansi())?;
        } else {
            write!(out, "{text}")?;
        }
        return Ok(Exit::Done);
    }
    let kind = match error.kind() {
        ErrorKind::UnknownArgument => "unknown-argument",
        ErrorKind::InvalidSubcommand => "unknown-command",
        ErrorKind::InvalidValue | ErrorKind::ValueValidation => "invalid-value",
        ErrorKind::MissingRequiredArgument => "missing-argument",
        ErrorKind::ArgumentConflict => "conflict",
        ErrorKind::MissingSubcommand | ErrorKind::DisplayHelpOnMissingArgumentOrSubcommand => {
            "missing-command"
        }
        _ => "invalid",
    };
    // A value may be private; the name of one of our own flags is not.
    let field = match error.get(ContextKind::InvalidArg) {
        Some(ContextValue::String(name)) => name.split([' ', '=']).next().unwrap_or("").to_owned(),
        _ => String::new(),
    };
    let field = if field.starts_with("--") || field.starts_with('<') {
        field
    } else {
        "-".to_owned()
    };
    writeln!(
        err,
        "E_USAGE kind={kind} field={field} help=\"deedcheck --help\""
    )?;
    Ok(Exit::Refused)
}
