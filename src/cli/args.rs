//! The raw arguments, and what is said where they are wrong.

use std::ffi::OsString;
use std::io::Write;
use std::path::PathBuf;

use clap::builder::PossibleValuesParser;
use clap::error::{ContextKind, ContextValue, ErrorKind};
use clap::{ArgAction, Args, CommandFactory as _, FromArgMatches as _, Parser, Subcommand};
use clap::{ValueEnum, ValueHint};

use super::{Exit, Surroundings};
use crate::rule::registry::RULES;

/// Columns that help takes where no terminal tells.
const COLUMNS: usize = 80;

/// Deeds, not words: holds what a coding agent said against what it did.
#[derive(Debug, Parser)]
#[command(
    name = "deedcheck",
    version,
    about = "Deeds, not words: holds what a coding agent said against what it did.",
    disable_help_subcommand = true,
    disable_help_flag = true,
    infer_subcommands = false,
    infer_long_args = false,
    after_help = "Start here:\n  \
                  deedcheck grade --demo               an example, built in\n  \
                  deedcheck grade                      the sessions of this folder\n\n\
                  Nothing leaves this machine, and nothing in a transcript is ever run.\n\
                  Exit codes: 0 done, 1 graded and something was found, 2 refused."
)]
pub(super) struct Cli {
    /// Print help
    #[arg(short, long, global = true, display_order = 1000, action = ArgAction::HelpShort)]
    help: Option<bool>,
    #[command(subcommand)]
    pub(super) command: Command,
}

#[derive(Debug, Subcommand)]
pub(super) enum Command {
    /// Grade finished sessions of Claude Code and Codex
    Grade(Box<Grade>),
    // `grade --help` leads here.
    /// Grade a run again from what its private directory keeps
    #[command(hide = true)]
    Regrade(Box<super::regrade::Regrade>),
    /// Lay one turn out: what was asked, done and said
    Show(Show),
    /// Explain a rule, a check kind or a command
    Explain(Explain),
    /// List the rules that are built in
    Rules,
    // The first page of help has room for what everybody needs.
    /// Measure the rules on turns that people have labelled
    #[command(hide = true)]
    Calibrate(Calibrate),
    /// Answer gate cases, for other implementations to compare with
    #[command(hide = true)]
    Replay(Replay),
    // `explain` leads here.
    /// Print the JSON Schema of a file that is written or read
    #[command(hide = true)]
    Schema(super::schemas::Schema),
    /// Run another checker over the same cases, and over planted changes of them
    #[command(hide = true)]
    Differential(super::differential::Differential),
    /// Run the planted controls alone
    Controls(super::controls::Controls),
    /// Hold cases against the grades that you accepted for them, in CI
    Golden(super::golden::Golden),
    /// Check pages for leaks and wrong numbers
    CheckHtml(super::check_html::CheckHtml),
    /// Freeze checks before a run; then keys, bind, identity and grade
    Spec(super::spec::Spec),
    // `grade --help` leads to this one, and `spec` to the others.
    /// Make a folder to publish from a private directory, or check one
    #[command(hide = true)]
    Export(super::export::Export),
    /// Compute the keys of a sealed spec's checks from pinned sources
    #[command(hide = true)]
    Keys(super::keys::Keys),
    /// Record what the runs of an experiment were launched with
    #[command(hide = true)]
    Bind(super::bind::Bind),
    /// Run the commands that a sealed spec declares, and keep what they came to
    #[command(hide = true)]
    Capture(super::capture::Capture),
    /// Record which transcript is whose answer
    #[command(hide = true)]
    Identity(super::identity::Identity),
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
    /// A page for a browser or for printing, to be published.
    Html,
    /// The same, short enough for a comment on a pull request.
    Markdown,
}

/// What to list one by one.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(super) enum Listed {
    /// The gate's rejections and open answers.
    Gate,
    /// Claims that the record bears out.
    Supported,
    /// Every claim that nothing in the record bears out.
    Unsupported,
    /// Claims that the record cannot decide.
    Unknown,
    /// All of that.
    All,
}

/// What rules are asked for by: their families, and their own ids.
pub(super) fn rule_names() -> Vec<&'static str> {
    let families = RULES.iter().map(|rule| rule.family);
    let mut names: Vec<&str> = families.chain(RULES.iter().map(|rule| rule.id)).collect();
    names.sort_unstable();
    names.dedup();
    names
}

/// What makes a run exit with 1.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(super) enum FailOn {
    /// Nothing.
    Never,
    /// A claim that the record contradicts.
    Contradicted,
    /// A close that the gate rejects.
    Reject,
    /// A file that could not be judged.
    Dark,
    /// A claim that nothing in the record bears out.
    Unsupported,
    /// Something that was done to a check; there are findings with `--rules integrity` only.
    Finding,
}

impl FailOn {
    /// What was asked for; a contradicted claim where nothing was.
    pub(super) fn told(asked: &[Self]) -> &[Self] {
        match asked {
            [] => &[Self::Contradicted],
            asked => asked,
        }
    }
}

/// Which files' records are kept.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(super) enum Records {
    /// Nobody's.
    None,
    /// Those of families of files that something was found in.
    Flagged,
    /// Everybody's.
    All,
}

/// How to judge.
#[derive(Debug, Default, Args)]
pub(super) struct Judging {
    /// Rules and families of rules to run, separated by commas; the gate runs anyway
    /// [default: those that are on in `deedcheck rules`]
    #[arg(
        long,
        value_parser = PossibleValuesParser::new(rule_names()),
        hide_possible_values = true,
        value_delimiter = ',',
        value_name = "RULE"
    )]
    pub(super) rules: Vec<String>,
    /// The gate's profile: replay, gg-0.1, gg-0.4 or gg-0.4-hooks [default: replay]
    #[arg(long, value_name = "PROFILE")]
    pub(super) profile: Option<String>,
    /// The gate's preset: default, skipper or diverger [default: default]
    #[arg(long, value_name = "PRESET")]
    pub(super) preset: Option<String>,
    /// A policy file [default: ./deedcheck.toml where there is one]
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub(super) config: Option<PathBuf>,
}

#[derive(Debug, Args)]
#[command(
    after_help = "Exit codes: 0 done, 1 something that --fail-on names was found or a control landed\n\
                        elsewhere, 2 refused.\n\
                        A refusal is one line on standard error, and nothing is written then."
)]
pub(super) struct Grade {
    /// Session files, and folders to look for them in; `-` reads paths from standard input, one a
    /// line or ended by NUL. Without any: your own sessions whose working directory is this one
    #[arg(value_name = "PATH", value_hint = ValueHint::AnyPath)]
    pub(super) paths: Vec<PathBuf>,
    /// Your own sessions in any directory
    #[arg(long, conflicts_with = "paths")]
    pub(super) all: bool,
    /// An example run, built in; its exit code is 0 unless a control landed elsewhere
    #[arg(long, conflicts_with_all = ["paths", "all"])]
    pub(super) demo: bool,
    /// What to print: a table, the sums (json), every row (jsonl), or a page to be published
    /// (html, markdown)
    #[arg(long, value_enum, default_value_t = Format::Table)]
    pub(super) format: Format,
    /// List more in the table, one by one, separated by commas; contradicted claims and some of the
    /// unsupported ones are listed anyway
    #[arg(long, value_enum, value_delimiter = ',', value_name = "WHAT")]
    pub(super) show: Vec<Listed>,
    /// Write every row and the run's context into this new directory; private, so outside every git
    /// work tree. From it `deedcheck regrade` grades again, and `deedcheck export` makes what may be
    /// published. With `--spec` both this and `--out` are needed
    #[arg(long, value_name = "DIR", value_hint = ValueHint::DirPath)]
    pub(super) out_private: Option<PathBuf>,
    /// Whose records the private directory keeps, to be graded again without the transcripts
    /// [default: all]
    #[arg(long, value_enum, value_name = "WHOSE", requires = "out_private")]
    pub(super) records: Option<Records>,
    /// Write the sums into this new file; without ids, paths or text
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub(super) out: Option<PathBuf>,
    #[command(flatten)]
    pub(super) judging: Judging,
    /// Controls of your own, to run beside those that are built in: TOML files under this folder
    #[arg(long, value_name = "DIR", value_hint = ValueHint::DirPath)]
    pub(super) controls: Option<PathBuf>,
    /// What makes the run exit with 1, separated by commas [default: contradicted]. Under a policy
    /// `dark` can be asked for besides its gates
    #[arg(long, value_enum, value_delimiter = ',', value_name = "WHAT")]
    pub(super) fail_on: Vec<FailOn>,
    /// Threads to use, 0 for one a core; the output is the same with any number
    #[arg(long, default_value_t = 0, value_name = "N")]
    pub(super) jobs: usize,
    /// Print nothing but refusals
    #[arg(long)]
    pub(super) quiet: bool,
    #[command(flatten)]
    pub(super) frozen: super::frozen::Frozen,
}

#[derive(Debug, Args)]
#[command(
    after_help = "Without TURN, the file's turns are listed. Rows name a file by what was graded, \
                        not by where it lies: `deedcheck show NAME:TURN PATH...` takes a name of rows, and \
                        behind it what was graded."
)]
pub(super) struct Show {
    /// A session file, and after a colon the number of one of its turns
    #[arg(value_name = "FILE[:TURN]", value_hint = ValueHint::FilePath)]
    pub(super) target: OsString,
    /// What was graded, where FILE is a name of rows
    #[arg(value_name = "PATH", value_hint = ValueHint::AnyPath)]
    pub(super) under: Vec<PathBuf>,
    #[command(flatten)]
    pub(super) judging: Judging,
}

#[derive(Debug, Args)]
pub(super) struct Explain {
    /// A rule, a family of rules, a check kind, a command, a code of a refusal, a reason, or `spec`, `controls`,
    /// `capture`, `differential`, `check-html`, `g1`, `refusals`;
    /// without any, all of them are listed
    #[arg(value_name = "TOPIC")]
    pub(super) topic: Option<String>,
}

#[derive(Debug, Args)]
#[command(
    after_help = "The page is Markdown: found and missed, right and wrong by kind, each with its 95 % interval."
)]
pub(super) struct Calibrate {
    /// Labelled turns, one JSON object a line, or a folder that holds them as turns.jsonl
    #[arg(value_name = "LABELS", value_hint = ValueHint::AnyPath)]
    pub(super) labels: PathBuf,
    /// The folder of sessions that the labels' file names are relative to
    #[arg(long, value_name = "DIR", value_hint = ValueHint::DirPath)]
    pub(super) sessions: PathBuf,
    #[command(flatten)]
    pub(super) judging: Judging,
    /// Threads to use, 0 for one a core; the output is the same with any number
    #[arg(long, default_value_t = 0, value_name = "N")]
    pub(super) jobs: usize,
}

#[derive(Debug, Args)]
pub(super) struct Replay {
    /// A file of gate cases
    #[arg(value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub(super) file: PathBuf,
    /// The profile, instead of the one that the file names
    #[arg(long, value_name = "PROFILE")]
    pub(super) profile: Option<String>,
}

/// The command line as `clap` knows it, for completions, the manual and the reference.
#[must_use]
pub fn command() -> clap::Command {
    Cli::command()
}

pub(super) fn parse(argv: &[OsString], around: &Surroundings) -> Result<Cli, clap::Error> {
    // The width is handed in, so that nothing asks the environment for it.
    let width = around.columns.unwrap_or(COLUMNS).clamp(40, 100);
    let mut command = Cli::command().term_width(width);
    let mut matches = command.try_get_matches_from_mut(argv)?;
    Cli::from_arg_matches_mut(&mut matches).map_err(|error| error.format(&mut command))
}

/// Prints help or the version where they were asked for, and otherwise says in one line what is
/// wrong.
pub(super) fn answer(
    error: &clap::Error,
    argv: &[OsString],
    around: &Surroundings,
    out: &mut dyn Write,
    err: &mut dyn Write,
) -> std::io::Result<Exit> {
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
    let mut line = format!("E_USAGE kind={}", kind(error.kind()));
    if let Some(field) = context(error, ContextKind::InvalidArg).filter(|field| is_field(field)) {
        line.push_str(&format!(" field={field}"));
    }
    let likely = context(error, ContextKind::SuggestedArg)
        .or_else(|| context(error, ContextKind::SuggestedSubcommand));
    if let Some(likely) = likely {
        line.push_str(&format!(" likely={likely}"));
    }
    let command = command();
    let own = argv.get(1).and_then(|word| word.to_str());
    let own = own.filter(|word| command.find_subcommand(word).is_some());
    match own {
        Some(own) => writeln!(err, "{line} help=\"deedcheck {own} --help\"")?,
        None => writeln!(err, "{line} help=\"deedcheck --help\"")?,
    }
    Ok(Exit::Refused)
}

fn kind(kind: ErrorKind) -> &'static str {
    match kind {
        ErrorKind::UnknownArgument => "unknown-argument",
        ErrorKind::InvalidSubcommand => "unknown-command",
        ErrorKind::InvalidValue | ErrorKind::ValueValidation => "invalid-value",
        ErrorKind::MissingRequiredArgument => "missing-argument",
        ErrorKind::ArgumentConflict => "conflict",
        ErrorKind::MissingSubcommand | ErrorKind::DisplayHelpOnMissingArgumentOrSubcommand => {
            "missing-command"
        }
        ErrorKind::TooManyValues | ErrorKind::WrongNumberOfValues => "too-many-values",
        ErrorKind::TooFewValues => "missing-value",
        _ => "invalid",
    }
}

/// The first name that an error has under a key, without a value behind it.
fn context(error: &clap::Error, key: ContextKind) -> Option<String> {
    let name = match error.get(key)? {
        ContextValue::String(name) => name,
        // The parser lists what may have been meant with the likeliest last.
        ContextValue::Strings(names) if key == ContextKind::InvalidArg => names.first()?,
        ContextValue::Strings(names) => names.last()?,
        _ => return None,
    };
    name.split([' ', '=']).next().map(str::to_owned)
}

/// Whether a word of the command line may be repeated: a flag's name or one of our own
/// placeholders. Anything else may be a value put in the wrong place, and that may be private.
fn is_field(word: &str) -> bool {
    let plain = |text: &str, most: usize| {
        (1..=most).contains(&text.len())
            && text
                .bytes()
                .all(|byte| byte.is_ascii_lowercase() || byte == b'-')
    };
    let placeholder = word.starts_with('<') || word.starts_with('[');
    match word.strip_prefix("--") {
        Some(name) => plain(name, 24),
        None => placeholder || word.strip_prefix('-').is_some_and(|name| plain(name, 1)),
    }
}
