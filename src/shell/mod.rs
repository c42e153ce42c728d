//! Shell reading: one walk decides words, data and code, simple commands in order, what each does,
//! and whose exit status shows.
//!
//! The reader is linear and bounded: what nests too deep, or cannot be read, leaves
//! [`Script::parsed`] false, and the effect is then at least unknown. Nothing is expanded or run.
//! Heredoc bodies and quoted text are data unless a shell is what reads them
//! (affaan-m/ECC#2886, `destructive_command_guard`#341).

mod classify;
mod context;
mod follow;
mod heredoc;
mod inline;
mod parse;
mod place;
mod powershell;
mod scan;
mod script;
mod status;
mod syntax;
mod table;
mod task;
mod touch;
mod walk;
mod wrapper;

#[cfg(test)]
mod tests;

use std::borrow::Cow;
use std::ops::Range;
use std::sync::Arc;

pub use classify::{Class, classify};
pub use script::Script;
pub use table::{Act, Rule, VALUED, rows};
pub use task::task;

/// Reads a POSIX or bash command string; takes time linear in its length and never fails.
#[must_use]
pub fn read(command: &str) -> Script<'_> {
    walk::script(command)
}

/// Reads a PowerShell command string: its statements and plain words are listed, and every effect is unknown.
#[must_use]
pub fn read_powershell(command: &str) -> Script<'_> {
    powershell::script(command)
}

/// One simple command, with what it does and how it stands among the others.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Simple<'a> {
    /// Bytes in the original command text; of the outermost string it stands in where quoting had to be undone.
    pub span: Range<usize>,
    /// Words without quotes, assignments and wrappers; expansions stand as written.
    pub words: Vec<Cow<'a, str>>,
    /// Assignments in front of the command (`A=b`), as written but without quotes.
    pub env: Vec<Cow<'a, str>>,
    /// Base name of the first word, empty where there is none.
    pub program: Cow<'a, str>,
    /// Redirections in order.
    pub redirects: Vec<Redirect<'a>>,
    /// The text of the heredoc that it reads, where it reads one.
    pub stdin: Option<Cow<'a, str>>,
    /// What it does.
    pub effect: Effect,
    /// What it does apart from its redirections: `./x > /tmp/log` changes scratch, and is unknown besides.
    pub own: Effect,
    /// What the effect is on; known for some unknown effects too.
    pub domain: Option<Domain>,
    /// The kind of verification it runs, if any.
    pub verify: Option<Verify>,
    /// It grounds nothing: `echo`, `true`, `sleep` and the like.
    pub noop: bool,
    /// Paths it names as operands or redirection targets.
    pub touches: Vec<Touch<'a>>,
    /// Directory of an earlier `cd` in force here, as written; it may hold an expansion.
    pub cwd: Option<Arc<str>>,
    /// Where it runs.
    pub host: Host,
    /// How it is joined to the command before it.
    pub joint: Joint,
    /// Number of its pipeline in the script, from 0.
    pub pipeline: u32,
    /// It is the last element of its pipeline.
    pub last_in_pipeline: bool,
    /// It was sent to the background.
    pub background: bool,
    /// What the exit status of the whole command string tells about it.
    pub status: Visible,
    /// What it tells about the pipeline around it, the outermost of several; [`Visible::Shown`] where there is none.
    pub piped: Visible,
}

/// A command that runs another, as it stands before that is taken out of it: `python3 -m unittest`, `sh -c '…'`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Wrapped<'a> {
    /// Words without quotes and assignments, those of the command that it runs among them.
    pub words: Vec<Cow<'a, str>>,
    /// Base name of the first word.
    pub program: Cow<'a, str>,
    /// Redirections in order.
    pub redirects: Vec<Redirect<'a>>,
    /// What the exit status of the whole command string tells about it.
    pub status: Visible,
    /// What it tells about the pipeline around it, the outermost of several; [`Visible::Shown`] where there is none.
    pub piped: Visible,
}

/// What a command does; the order is the fold, strongest last.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Effect {
    /// Shows and changes nothing of interest.
    None,
    /// Shows state.
    Read,
    /// Cannot be told.
    Unknown,
    /// Changes something.
    Mutate,
}

/// What an effect is on.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Domain {
    /// Files under work.
    Workspace,
    /// Git's own bookkeeping.
    Repo,
    /// Build outputs and temporary files.
    Scratch,
    /// Packages, processes, services, system files.
    Environment,
    /// Another machine.
    Remote,
}

impl Effect {
    /// The kebab-case spelling that rows carry.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Self::None => "none",
            Self::Read => "read",
            Self::Unknown => "unknown",
            Self::Mutate => "mutate",
        }
    }
}

impl Domain {
    /// The kebab-case spelling that rows carry.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Workspace => "workspace",
            Self::Repo => "repo",
            Self::Scratch => "scratch",
            Self::Environment => "environment",
            Self::Remote => "remote",
        }
    }

    /// Which domain names a compound command when effects are equally strong: the higher one.
    pub(crate) fn rank(self) -> u8 {
        match self {
            Self::Workspace => 4,
            Self::Remote => 3,
            Self::Repo => 2,
            Self::Environment => 1,
            Self::Scratch => 0,
        }
    }
}

/// Which kind of verification a command runs.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Verify {
    /// A test suite.
    Test,
    /// A build.
    Build,
    /// A linter.
    Lint,
    /// A type checker.
    Typecheck,
    /// A format check that writes nothing.
    Format,
    /// The program under work, built and run.
    Run,
}

impl Verify {
    /// The kebab-case spelling that rows carry.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Test => "test",
            Self::Build => "build",
            Self::Lint => "lint",
            Self::Typecheck => "typecheck",
            Self::Format => "format",
            Self::Run => "run",
        }
    }
}

/// Where a command runs.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Host {
    /// This machine.
    Local,
    /// Another machine (`ssh h '…'`).
    Remote,
    /// A container (`docker exec …`).
    Container,
}

/// How a command is joined to the one before it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Joint {
    /// It is the first of its list.
    Start,
    /// `;` or a newline.
    Seq,
    /// `&&`.
    And,
    /// `||`.
    Or,
    /// `|`.
    Pipe,
    /// `&`.
    Background,
}

/// What the exit status of the whole command string tells about one simple command.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Visible {
    /// The status that shows is this command's own.
    Shown,
    /// Success of the whole implies that this command succeeded.
    Implied,
    /// The status that shows tells nothing about this command.
    Masked(Mask),
}

/// Why an exit status does not show.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Mask {
    /// Another element of the pipeline comes last, and `pipefail` is off.
    Pipe,
    /// `|| …` swallows the failure, or the command is the alternative and may not have run.
    Or,
    /// A later command's status shows.
    Followed,
    /// It runs in the background.
    Background,
    /// `!` inverts it.
    Negated,
    /// It is a condition, or stands in a branch that may not be taken.
    Condition,
    /// It stands in a loop, of which the last round alone shows.
    Loop,
    /// It stands in a command or process substitution.
    Substitution,
    /// It stands in a function body or a trap.
    Deferred,
    /// The launching program drops it (`find -exec … \;`).
    Launcher,
    /// The status is printed (`echo $?`): the output tells.
    Printed,
    /// The command text could not be read.
    Unread,
}

/// Whose exit status shows for the whole command string.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Exit {
    /// That of the simple command of this index.
    Of(usize),
    /// None that tells anything: the last command is `true`, `echo`, `exit 0`, or there is no command.
    Fixed,
    /// Of no single command: a loop, a branch, or text that could not be read.
    Unclear,
}

/// One redirection.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Redirect<'a> {
    /// The file descriptor, where one is written.
    pub fd: Option<u32>,
    /// Its kind.
    pub kind: RedirectKind,
    /// Target word without quotes; for a heredoc its delimiter.
    pub target: Cow<'a, str>,
}

/// Kinds of redirection.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum RedirectKind {
    /// `<`.
    Read,
    /// `>` and `>|`, `&>` and `>&file`.
    Write,
    /// `>>` and `&>>`.
    Append,
    /// `<>`.
    ReadWrite,
    /// `>&1`, `<&0`, `>&-`.
    Duplicate,
    /// `<<` and `<<-`.
    Heredoc,
    /// `<<<`.
    Herestring,
}

/// A path a command names, and what it does to it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Touch<'a> {
    /// The path as written, without quotes.
    pub path: Cow<'a, str>,
    /// What is done to it.
    pub access: Access,
}

/// What is done to a path.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Access {
    /// Its content or its entry is read.
    Read,
    /// Its content is written.
    Write,
    /// It is made (`mkdir`, `touch`).
    Create,
    /// It is removed.
    Delete,
    /// It is moved away.
    Move,
}
