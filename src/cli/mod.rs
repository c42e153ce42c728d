//! The command line: arguments to a plan, a plan to output and an exit code.
//!
//! Nothing here reads the environment or prints: `main` hands the surroundings in and takes the
//! text out.

mod args;
mod bind;
mod calibrate;
mod capture;
mod check_html;
mod controls;
mod demo;
mod differential;
mod explain;
mod export;
mod frozen;
mod golden;
mod grade;
mod identity;
mod keys;
mod page;
mod policy;
mod regrade;
mod replay;
mod retained;
#[cfg(feature = "schema")]
mod schema;
mod schemas;
mod show;
mod sources;
mod spec;
mod watch;

use std::io::{Read, Write};
use std::path::PathBuf;

use crate::private::WriteKind;

pub use args::command;
#[cfg(feature = "schema")]
pub use schema::{Document, documents};

/// What the program may know of where it runs.
#[derive(Debug, Clone, Default)]
pub struct Surroundings {
    /// The home folder.
    pub home: Option<PathBuf>,
    /// Where Claude Code keeps its files, when not under the home folder.
    pub claude_dir: Option<PathBuf>,
    /// Where Codex keeps its files, when not under the home folder.
    pub codex_dir: Option<PathBuf>,
    /// The working directory.
    pub cwd: Option<PathBuf>,
    /// The user's name, for the canary.
    pub user: Option<String>,
    /// The host's name, for the canary.
    pub host: Option<String>,
    /// Where temporary folders are made.
    pub temporary: Option<PathBuf>,
    /// The environment, for commands that may see listed variables of it.
    pub variables: crate::capture::Variables,
    /// Columns of the terminal that output goes to; `None` for a file or pipe.
    pub columns: Option<usize>,
    /// Whether colours are welcome there.
    pub colour: bool,
    /// Whether progress may be shown on standard error.
    pub progress: bool,
}

/// How a run ended: seed 002's exit codes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Exit {
    /// Done, and nothing that was asked to fail was found.
    Done,
    /// Graded, and something was found.
    Found,
    /// Refused.
    Refused,
}

impl Exit {
    /// The process's exit code.
    #[must_use]
    pub fn code(self) -> u8 {
        match self {
            Self::Done => 0,
            Self::Found => 1,
            Self::Refused => 2,
        }
    }
}

/// Why a run was refused, as one line without a private value.
#[derive(Debug, thiserror::Error)]
pub enum RunError {
    /// A named path cannot be used.
    #[error(transparent)]
    Source(#[from] crate::source::SourceError),
    /// An output cannot be written where it was asked for.
    #[error(transparent)]
    Private(#[from] crate::private::Refusal),
    /// The policy file is not one.
    #[error(transparent)]
    Policy(#[from] crate::pipeline::PolicyError),
    /// The labels are none.
    #[error(transparent)]
    Labels(#[from] crate::calibrate::LabelError),
    /// A spec of frozen checks, its seal or its keys are not what they must be.
    #[error(transparent)]
    Spec(#[from] crate::spec::SpecError),
    /// What a grading of frozen checks is given is not what it must be.
    #[error(transparent)]
    Frozen(#[from] crate::frozen::FrozenError),
    /// Captures cannot be taken, or are not what they were.
    #[error(transparent)]
    Capture(#[from] crate::capture::CaptureError),
    /// Golden cases, or a session to make one from.
    #[error(transparent)]
    Golden(#[from] crate::golden::GoldenError),
    /// The case file is not one.
    #[error("E_CASE field={} kind=\"{}\"", .0.path, .0.what)]
    Case(#[from] crate::rule::gate::CaseError),
    /// A file of a private directory is not what it was.
    #[error("E_RETAINED role={role} kind={kind}")]
    Retained {
        /// The file's role.
        role: &'static str,
        /// What is wrong with it.
        kind: &'static str,
    },
    /// A record cannot be read.
    #[error(transparent)]
    Record(#[from] crate::record::RecordError),
    /// A page cannot be checked.
    #[error("E_PAGE file={file} kind={kind}")]
    Page {
        /// Which of the named files, from 1.
        file: usize,
        /// What is wrong with it.
        kind: &'static str,
    },
    /// The mapping of a page's numbers is none.
    #[error(transparent)]
    Map(#[from] crate::page::MapError),
    /// The other checker of a comparison does not do its part, or there is nothing to compare.
    #[error(transparent)]
    Compare(#[from] crate::differential::CompareError),
    /// A question of a comparison has no answer.
    #[error(transparent)]
    Question(#[from] crate::differential::Refused),
    /// A file of controls is none.
    #[error(transparent)]
    Control(#[from] crate::control::ControlError),
    /// Something private would have been published.
    #[error("E_PRIVACY output={output} kind={kind} at={at}")]
    Privacy {
        /// The output that was withheld.
        output: &'static str,
        /// What kind of thing it was.
        kind: &'static str,
        /// Offset in the output.
        at: usize,
    },
    /// A private directory or an exported folder is not what it must be.
    #[error("E_BUNDLE role={role} kind={kind}")]
    Bundle {
        /// Which part of it.
        role: &'static str,
        /// What is wrong with it.
        kind: &'static str,
    },
    /// An argument's value is not one of its words.
    #[error("E_ARGUMENT field={field} kind={kind}")]
    Argument {
        /// The flag.
        field: &'static str,
        /// What is wrong with it.
        kind: &'static str,
    },
    /// Standard output cannot be written.
    #[error("E_WRITE role=stdout kind={}", WriteKind::from(*.kind).as_str())]
    Output {
        /// What the system says.
        kind: std::io::ErrorKind,
    },
}

impl From<std::io::Error> for RunError {
    fn from(error: std::io::Error) -> Self {
        Self::Output { kind: error.kind() }
    }
}

/// What was printed, unless standard output could not take it: then the run is refused, and
/// nothing of it may be written anywhere. A reader who went away has seen what they wanted.
fn lost(printed: Result<(), RunError>) -> Result<Result<(), RunError>, RunError> {
    match printed {
        Err(RunError::Output { kind }) if kind != std::io::ErrorKind::BrokenPipe => {
            Err(RunError::Output { kind })
        }
        other => Ok(other),
    }
}

/// Runs the program. `input` is read only where paths are asked to be read from it.
///
/// # Errors
/// A failure to write to `err`, or to write help to `out`.
pub fn run(
    argv: &[std::ffi::OsString],
    around: &Surroundings,
    input: &mut dyn Read,
    out: &mut dyn Write,
    err: &mut dyn Write,
) -> std::io::Result<Exit> {
    let parsed = match args::parse(argv, around) {
        Ok(parsed) => parsed,
        Err(error) => return args::answer(&error, argv, around, out, err),
    };
    let result = match &parsed.command {
        args::Command::Grade(grade) => grade::run(grade, argv, around, input, out, err),
        args::Command::Regrade(regrade) => regrade::run(regrade, argv, around, out, err),
        args::Command::Show(show) => show::run(show, around, out),
        args::Command::Explain(explain) => explain::run(explain, around, out),
        args::Command::Schema(schema) => schemas::run(schema, out),
        args::Command::Rules => explain::rules(around, out),
        args::Command::Calibrate(calibrate) => calibrate::run(calibrate, around, out),
        args::Command::Controls(controls) => controls::run(controls, around, out),
        args::Command::Replay(replay) => replay::run(replay, out),
        args::Command::Differential(differential) => differential::run(differential, input, out),
        args::Command::CheckHtml(check) => check_html::run(check, around, input, out),
        args::Command::Spec(spec) => spec::run(spec, out),
        args::Command::Keys(keys) => keys::run(keys, out),
        args::Command::Bind(bind) => bind::run(bind, out),
        args::Command::Capture(capture) => capture::run(capture, around, out),
        args::Command::Identity(identity) => identity::run(identity, out),
        args::Command::Export(export) => export::run(export, around, out),
        args::Command::Golden(golden) => golden::run(golden, around, out),
    };
    match result {
        Ok(exit) => Ok(exit),
        // Nobody reads on: that is the reader's choice and no failure of ours.
        Err(RunError::Output {
            kind: std::io::ErrorKind::BrokenPipe,
        }) => Ok(Exit::Done),
        Err(error) => {
            writeln!(err, "{error}")?;
            Ok(Exit::Refused)
        }
    }
}
